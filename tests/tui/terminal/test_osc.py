"""What a terminal is told: a title, a bell, a notice; nothing in it steers the terminal."""

from __future__ import annotations

import pytest
from textual import events as textual_events

from kumite.core.game import Seat, Step
from kumite.net.session import events
from kumite.tui.app import KumiteApp
from kumite.tui.screens.table import TableScreen
from kumite.tui.settings import Settings
from kumite.tui.terminal import osc
from tests.support.apps import running, screen_of, table_app, until
from tests.support.fake_peer import FakeLan, lan_app
from tests.support.fake_player import FakePlayer

NOTICE = "\x1b]9;"


def written(kumite: KumiteApp) -> list[str]:
    """Return the list into which all that the terminal is told goes from now on."""
    said: list[str] = []
    kumite._driver.write = said.append
    return said


def test_a_title_or_a_notice_cannot_be_ended_from_within() -> None:
    for said in (osc.title("a\x1b]0;b\x07c\n\x9c"), osc.notice("x;y", "a\x07;b\x1b\\")):
        orders = [part for part in said.split(osc.BELL) if part]
        assert all(part.count("\x1b") == 1 for part in orders)
        assert "\n" not in said
        assert "\x9c" not in said
    assert osc.notice("Kumo", "a;b") == "\x1b]9;Kumo: a,b\a\x1b]777;notify;Kumo;a,b\a"


@pytest.mark.parametrize("term", ["dumb", "", "linux", "vt100"])
def test_a_terminal_that_would_show_it_is_told_nothing(
    term: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", term)
    assert not osc.is_supported(term)


async def test_the_title_says_whose_turn_it_is_and_a_bell_calls_whoever_looks_elsewhere() -> None:
    kumite, bot = table_app(seats="ada,bot:strong"), FakePlayer()
    kumite._bot_service = bot
    bot.is_stuck = True
    async with kumite.run_test(size=(80, 24)) as pilot:
        said, screen = written(kumite), screen_of(kumite, TableScreen)
        bot.is_stuck = False
        await until(pilot, lambda: screen.model.seat is not None, "the bot")
        await until(pilot, lambda: any("● your turn: Kuzushi" in one for one in said), "the title")
        assert osc.BELL not in said  # it answered at once: one looks at the screen
        bot.is_stuck = True
        await pilot.press("n", "enter")
        kumite.post_message(textual_events.AppBlur())
        await until(pilot, lambda: not kumite.app_focus, "the other window")
        bot.is_stuck = False
        await until(pilot, lambda: osc.BELL in said, "the bell")
        assert screen.model.seat is not None
        assert any(one.startswith(NOTICE) for one in said)
        kumite.opening = None  # as if one had come from home
        await pilot.press("q")
        assert said[-1] == osc.title("kumite")


@pytest.mark.parametrize("off", ["bell", "title", "notices"])
async def test_each_of_them_can_be_switched_off(off: str) -> None:
    lan = FakeLan("kuzushi", ours=(1,))
    kumite = lan_app(lan)
    kumite.settings = Settings(glyphs="letters", **{off: False})
    async with kumite.run_test(size=(80, 24)) as pilot:
        said = written(kumite)
        kumite.app_focus = False
        lan.tell(events.Said("hello", Seat(0)))
        await pilot.pause()
        assert (osc.BELL in said) == (off != "bell")
        assert any(one.startswith(NOTICE) for one in said) == (off != "notices")
        lan.play(Seat(1), Step("f7"))
        await pilot.pause()
        assert any("\x1b]2;" in one for one in said) == (off != "title")


async def test_at_a_lan_table_what_others_say_and_do_rings_and_ones_own_words_do_not() -> None:
    lan = FakeLan("kuzushi", ours=(0,))
    async with running(lan_app(lan)) as (kumite, pilot):
        said = written(kumite)
        lan.tell(events.Said("hello", Seat(0)))
        await pilot.pause()
        assert osc.BELL not in said
        lan.tell(events.Said("hello yourself", Seat(1)))
        await pilot.pause()
        assert said.count(osc.BELL) == 1
        lan.play(Seat(1), Step("f7"))
        await pilot.pause()
        assert said.count(osc.BELL) == 2
        assert not any(one.startswith(NOTICE) for one in said)  # one looks at the screen


async def test_bots_among_themselves_call_nobody() -> None:
    async with running(table_app(seats="bot:simple,bot:simple")) as (kumite, pilot):
        said = written(kumite)
        kumite.app_focus = False
        screen = screen_of(kumite, TableScreen)
        await until(pilot, lambda: screen.table.match.number > 3, "the bots")
        assert osc.BELL not in said
        assert not any("your turn" in one for one in said)


async def test_a_clock_that_runs_low_is_red_and_rings_once() -> None:
    lan = FakeLan("kuzushi", ours=(1,))
    lan.clocks = (60_000, 15_000)
    async with running(lan_app(lan)) as (kumite, pilot):
        said = written(kumite)
        kumite.screen._warned.clear()
        kumite.screen._show_company()
        await pilot.pause(0.1)
        assert said.count(osc.BELL) == 1
        roles = {role for text, role in kumite.screen._company_lines[0] if "bob" in text}
        assert roles == {"loss"}
