"""Widgets: the line that is typed into, the cursor, cards in the hand, notices."""

from __future__ import annotations

import asyncio
from time import time
from typing import TYPE_CHECKING

import pytest
from textual.timer import Timer

from kumite.core.game import Seat
from kumite.net.session import events
from kumite.tui.play.local_seats import LONGEST_NOTE
from kumite.tui.screens.home import HomeScreen
from kumite.tui.screens.reading import HelpScreen, RulesScreen
from kumite.tui.screens.settings import SettingsScreen
from kumite.tui.screens.setup import LEVELS, NewScreen
from kumite.tui.screens.table import TableScreen
from kumite.tui.terminal.app import Notice
from kumite.tui.widgets.form import Form
from tests.support.apps import app, frame, running, screen_of, shown, table_app, until
from tests.support.fake_peer import FakeLan, lan_app
from tests.tui.screens.test_screens import a_table

if TYPE_CHECKING:
    from kumite.tui.app import KumiteApp


async def test_talk_longer_than_the_line_scrolls_and_is_sent_whole_up_to_its_limit() -> None:
    lan = FakeLan()
    kumite = lan_app(lan)
    text = "dg" * (LONGEST_NOTE // 2 + 20)  # `d` offers a draw at the table, `g` gives up
    async with kumite.run_test(size=(80, 24)) as pilot:
        await pilot.press("t", *text)
        line = next(line for line in frame(kumite).split("\n") if "Say:" in line)
        assert f"{LONGEST_NOTE}/{LONGEST_NOTE}" in line
        assert line.rstrip().startswith(" Say: ")
        assert len(kumite.screen_stack) == 1  # no dialog has opened
        await pilot.press("enter")
        assert lan.peer.take() == [("say", text[:LONGEST_NOTE])]


async def test_what_is_begun_stays_when_others_do_something_and_after_help() -> None:
    lan = FakeLan()
    async with running(lan_app(lan)) as (_, pilot):
        await pilot.press("t", *"wait f")
        lan.tell(events.Said("hello", Seat(1)))
        await pilot.pause()
        await pilot.press("f1", "escape", *"or me", "home", *"Please ", "end", "enter")
        assert lan.peer.take() == [("say", "Please wait for me")]


async def test_no_key_typed_into_it_reaches_the_table() -> None:
    async with running(table_app()) as (kumite, pilot):
        screen = screen_of(kumite, TableScreen)
        await pilot.press("colon", *"gqudmvfnkhl", "up", "down", "full_stop", "pagedown", "f5")
        assert kumite.screen is screen
        assert screen.table.match.number == 0
        assert "Step: gqudmvfnkhl." in frame(kumite)


async def test_a_question_mark_lists_the_forms_and_the_line_stays() -> None:
    async with running(table_app()) as (kumite, pilot):
        await pilot.press("colon", "f", "question_mark")
        assert isinstance(kumite.screen, HelpScreen)
        assert "g7" in frame(kumite)
        assert "+" in frame(kumite)
        await pilot.press("escape", "7", "enter")
        screen = screen_of(kumite, TableScreen)
        assert [one.step for one in screen.table.match.steps()] == ["f7"]


async def test_refused_notation_stays_to_be_mended() -> None:
    async with running(table_app()) as (kumite, pilot):
        await pilot.press("colon", *"zz", "enter")
        assert "zz" in shown(kumite, "hint")
        assert "Step: zz_" in frame(kumite)
        await pilot.press("backspace", "backspace", *"f7", "enter")
        screen = screen_of(kumite, TableScreen)
        assert [one.step for one in screen.table.match.steps()] == ["f7"]
        assert "Step:" not in frame(kumite)


async def test_words_that_do_not_fit_are_said_to_go_on_and_no_letter_is_called_a_key() -> None:
    async with running(table_app(), size=(60, 20)) as (kumite, pilot):
        await pilot.press("colon")
        row = next(line for line in frame(kumite).split("\n") if "Step:" in line)
        words = row.split("_", 1)[1].split()
        legal = kumite.screen.model.choice.legal
        assert words[-1] in (*legal, kumite.look.more) or words[-1].endswith(kumite.look.more)
        assert len(words) < len(legal) or words == sorted(legal)
        assert "Space" not in shown(kumite, "keys")


# --- Where something is written ---------------------------------------------------------------


def last(text: str) -> str:
    return text.split("\n")[-1]


async def test_keys_that_would_be_written_are_not_offered() -> None:
    async with running(lambda: a_table("kuzushi", 2)) as (kumite, pilot):
        assert "? rules, help" in last(frame(kumite))
        await pilot.press("colon")
        assert last(frame(kumite)).split("   ") == [
            " Enter done",
            "Tab complete",
            "Esc back",
            "F1 help",
        ]
        await pilot.press("q", "d", "escape")
        assert "? rules, help" in last(frame(kumite))


async def test_a_search_offers_no_completion() -> None:
    async with running(lambda: RulesScreen("kitsu", "Kitsu!")) as (kumite, pilot):
        await pilot.press("slash")
        assert "complete" not in frame(kumite)


async def test_a_bot_is_chosen_with_the_arrows_or_a_name_written_over_the_suggestion() -> None:
    async with running(NewScreen) as (kumite, pilot):
        form = kumite.screen.query_one(Form)
        form.go("name 1")
        await pilot.press("right")
        assert form.row.value == f"bot:{LEVELS[0]}"
        await pilot.press("left")
        assert form.row.value == "player 2"
        await pilot.press("B", "o")
        assert form.row.value == "Bo"
        await pilot.press("up", "down", "b")
        assert form.row.value == "Bob"
        await pilot.press("escape")  # it ends the text, not the form
        assert kumite.screen.query_one(Form).values["name 1"] == "Bob"
        await pilot.press("up", "left")
        assert form.row.value == "player 2"
        assert "? help" not in last(frame(kumite))
        await pilot.press("down")
        assert "? help" in last(frame(kumite))


async def test_a_long_complaint_is_shown_whole_in_two_rows_and_the_next_hint_in_one() -> None:
    async with running(lambda: a_table("kuzushi", 2), size=(60, 20)) as (kumite, pilot):
        await pilot.press("colon", *"nonsense", "enter")
        await pilot.pause()
        said = " ".join(shown(kumite, "hint").split())
        assert said.startswith("nonsense is no square")
        assert said.endswith("a base: e6")
        assert len(shown(kumite, "hint").split("\n")) == 2
        await pilot.press("escape", "right")
        await pilot.pause()
        assert kumite.screen.query_one("#hint").size.height == 1


async def test_several_steps_of_a_turn_can_be_typed_in_one_line() -> None:
    async with running(lambda: a_table("kuzushi", 2)) as (kumite, pilot):
        await pilot.press("colon", *"f5 zz f4", "enter")
        assert isinstance(kumite.screen, TableScreen)
        assert kumite.screen.table.match.number == 1  # what follows a refused step is not made
        assert "zz" in shown(kumite, "hint")


# --- The terminal's cursor --------------------------------------------------------------------


SIZES = [(60, 20), (80, 24), (120, 36)]


def behind_cursor(kumite: KumiteApp) -> str:
    """Return the row up to the cursor, which must be the marked one."""
    column, row = kumite.cursor_position
    line = frame(kumite).split("\n")[row]
    assert line[column : column + 1] in "_x"
    return line[:column].strip()


@pytest.mark.parametrize("size", SIZES)
async def test_in_the_line_that_is_typed_into(size: tuple[int, int]) -> None:
    async with running(table_app(), size=size) as (kumite, pilot):
        await pilot.press("colon", *"e4")
        assert behind_cursor(kumite) == "Step: e4"
        await pilot.press(*"x", "left")
        assert behind_cursor(kumite) == "Step: e4"


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("screen", [NewScreen, SettingsScreen])
async def test_in_the_field_of_a_form(size: tuple[int, int], screen: type) -> None:
    async with running(screen, size=size) as (kumite, pilot):
        for _ in range(30):
            await pilot.press("down")
            if kumite.screen.focused is not None and kumite.screen.is_writing:
                break
        await pilot.press(*"Aya")
        assert behind_cursor(kumite).endswith("Aya")


# --- Words in the corner ----------------------------------------------------------------------


async def test_a_notice_whose_time_ran_out_on_its_way_ends_its_timer() -> None:
    late = Notice("late", timeout=3, raised_at=time() - 60)
    assert late.has_expired
    ended = asyncio.Event()
    timer = Timer(app(), late.time_left, callback=ended.set, repeat=0)
    assert timer._interval > 0
    assert not Notice("now").has_expired


async def test_what_is_said_already_is_not_said_twice() -> None:
    kumite = app(HomeScreen)
    async with kumite.run_test(size=(80, 24), notifications=True) as pilot:
        for _ in range(5):
            kumite.action_help_quit()
        await until(pilot, lambda: "ctrl+q quits" in frame(kumite), "the notice")
        assert [type(one) for one in kumite._notifications] == [Notice]
        assert frame(kumite).count("ctrl+q quits") == 1
