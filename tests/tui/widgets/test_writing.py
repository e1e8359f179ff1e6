"""Where something is written: no key is lost, and only keys that do something are named."""

from __future__ import annotations

from textual.events import Key

from kumite.tui.screens.reading import RulesScreen
from kumite.tui.screens.setup import LEVELS, NewScreen
from kumite.tui.screens.table import TableScreen
from kumite.tui.widgets.form import Form
from tests.support.apps import frame, running, shown
from tests.tui.screens.test_screens import a_table


def last(text: str) -> str:
    return text.split("\n")[-1]


async def test_keys_that_come_at_once_with_the_one_that_opens_the_line_are_written() -> None:
    async with running(lambda: a_table("kuzushi", 2)) as (kumite, pilot):
        for key, character in (("colon", ":"), ("f", "f"), ("5", "5")):
            kumite.post_message(Key(key, character))  # no pause between them, as over ssh
        await pilot.pause()
        assert "Step: f5_" in frame(kumite)
        kumite.post_message(Key("enter", None))
        await pilot.pause()
        assert isinstance(kumite.screen, TableScreen)
        assert kumite.screen.table.match.number == 1


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
        await pilot.press("left")
        assert form.row.value == "player 2"
        assert "? help" not in last(frame(kumite))
        await pilot.press("down")
        assert "? help" in last(frame(kumite))


async def test_a_long_complaint_is_shown_whole_in_two_rows_and_the_next_hint_in_one() -> None:
    async with running(lambda: a_table("kitsu", 2)) as (kumite, pilot):
        await pilot.press("colon", *"nonsense", "enter")
        await pilot.pause()
        said = " ".join(shown(kumite, "hint").split())
        assert said.startswith("'nonsense' is no step")
        assert said.endswith("end")
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
