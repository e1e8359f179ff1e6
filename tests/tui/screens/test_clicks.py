"""Clicks and taps on texts that name keys do what the keys do."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from kumite.core.game import Seat
from kumite.net.session import events
from kumite.net.wire import posts
from kumite.tui.screens.dialog import Dialog
from kumite.tui.screens.home import HomeScreen
from kumite.tui.screens.reading import HelpScreen
from kumite.tui.screens.setup import NewScreen
from kumite.tui.widgets.bindings import key_at
from kumite.tui.widgets.form import Form
from kumite.tui.widgets.lines import Lines
from tests.support.apps import app, frame, running, screen_of, shown
from tests.support.fake_peer import at_lan, seats
from tests.tui.screens.test_ways_to_a_table import LISTENING, bob, coming, gathered, in_lobby, told

BOUND = {"Enter": "enter", "Esc": "escape", "→": "right", "?": "question_mark", "c": "c", "y": "y"}


async def click(pilot: Pilot[None], said: str, at: int = 0) -> None:
    """Click on a text where the screen shows it last, `at` columns from its beginning."""
    found = [(line.rfind(said), y) for y, line in enumerate(frame(pilot.app).split("\n"))]
    x, y = [one for one in found if one[0] >= 0][-1]
    await pilot.click(offset=(x + at, y))
    await pilot.pause()


@pytest.mark.parametrize("size", [(60, 20), (60, 52), (120, 40)])
async def test_the_bar_of_a_lobby_is_a_button(size: tuple[int, int]) -> None:
    async with coming(gathered(bob(1), me=1), size=size) as (peer, _, pilot):
        for at in (-1, 0, 7, 18):  # also on its ends
            await click(pilot, "Enter: I am ready", at)
            assert peer.take() == [("ready", True)], at
        await click(pilot, "Enter: I am ready", 22)
        assert peer.take() == []
        await click(pilot, "Enter ready, or not", 12)
        assert peer.take() == [("ready", True)]
    ready = gathered(bob(1, is_ready=True), free=(2,))
    async with in_lobby(LISTENING, ready, size=size) as (peer, _, pilot):
        await click(pilot, "Enter: start with bots", 20)
        await click(pilot, "Enter start", 3)
        assert peer.take() == [("start",), ("start",)]


async def test_the_line_of_keys_is_a_row_of_buttons() -> None:
    async with running(app(glyphs="kanji")) as (kumite, pilot):
        await click(pilot, "? help")
        assert isinstance(kumite.screen, HelpScreen)
        await click(pilot, "q back", 4)
        assert isinstance(kumite.screen, HomeScreen)
        await click(pilot, "Enter choose")
        form = screen_of(kumite, NewScreen).query_one(Form)
        await pilot.press("down")
        key, value = form.row.key, form.row.value
        await click(pilot, "← → change", 2)
        assert form.row.value != value
        await click(pilot, "← → change")
        assert (form.row.key, form.row.value) == (key, value)
        await click(pilot, "Enter next")
        assert form.row.key != key


async def test_the_keys_of_a_question_and_of_a_text_are_buttons() -> None:
    async with in_lobby(LISTENING, gathered(bob(1))) as (peer, kumite, pilot):
        await click(pilot, "t talk")
        await pilot.press(*"hi")
        await click(pilot, "Enter done")
        assert peer.take() == [("say", "hi")]
        await click(pilot, "q leave")
        assert isinstance(kumite.screen, Dialog)
        await click(pilot, "Esc back")
        assert not isinstance(kumite.screen, Dialog)


async def test_what_a_hint_offers_is_done_by_a_click_on_it() -> None:
    async with at_lan(ours=(1,), size=(60, 24)) as (lan, kumite, pilot):
        assert "Enter: " in shown(kumite, "hint")
        await click(pilot, "Enter: ", 12)
        assert [kind for kind, *_ in lan.peer.take()] == ["play"]
    async with at_lan(ours=(1,)) as (lan, _, pilot):
        await told(pilot, lan.peer, events.Offered(posts.BACK, 0, seats(0), False, "ada"))
        await click(pilot, "x: no")
        assert lan.peer.take() == [("answer", False)]


async def test_talk_about_a_key_presses_none() -> None:
    async with at_lan(ours=(1,), size=(120, 40)) as (lan, kumite, pilot):
        await told(pilot, lan.peer, events.Said("press Enter now", Seat(0)))
        log = kumite.screen.query_one("#log", Lines)
        rows = [log.render_line(y).text for y in range(log.size.height)]
        y = next(y for y, row in enumerate(rows) if "Enter" in row)
        await pilot.click(
            log, offset=(rows[y].index("Enter") + log.gutter.left, y + log.gutter.top)
        )
        await pilot.pause()
        assert lan.peer.take() == []


@pytest.mark.parametrize(
    ("left", "right", "key"),
    [
        ("Tab completes a word; Enter cont", "inues; Esc goes back", "enter"),
        ("Tab completes a word; Enter continues; Esc go", "es back", "escape"),
        ("What was better? Pr", "ess Enter to try it or see it.", "enter"),
        ("Enter: slide the Samurai to d4, then choose one", " of 5", "enter"),
        ("leo asks  y: ", "yes   x: no", "y"),
        ("leo as", "ks  y: yes   x: no", ""),
        ("c: he", "llo, y", ""),  # a player who is called c
        ("Enter: go on   then the ne", "xt deal", ""),
    ],
)
def test_the_key_of_a_text_is_the_last_one_named_before_the_click(
    left: str, right: str, key: str
) -> None:
    assert key_at(left, right, BOUND, is_line=False) == key


def test_letters_count_on_the_line_of_keys_at_the_beginning() -> None:
    assert key_at("c contin", "ue   ? help", BOUND, is_line=True) == "c"
    assert key_at("c continue ", "  ? help", BOUND, is_line=True) == "c"
    assert key_at("x copy y", "   ? help", BOUND, is_line=True) == ""
    assert key_at("c continue  ", " ? help", BOUND, is_line=True) == "question_mark"
