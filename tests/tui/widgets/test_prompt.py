"""The line that is typed into: nothing typed there is lost, and nothing reaches the table."""

from __future__ import annotations

from pathlib import Path

from kumite.core.game import Seat
from kumite.net.session import events
from kumite.tui.play.local_seats import LONGEST_NOTE
from kumite.tui.screens.reading import HelpScreen
from kumite.tui.screens.table import TableScreen
from tests.support.apps import frame, running, screen_of, shown, table_app
from tests.support.fake_peer import FakeLan
from tests.tui.screens.test_lan_table import lan_app


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


async def test_no_key_typed_into_it_reaches_the_table(tmp_path: Path) -> None:
    async with running(table_app(tmp_path)) as (kumite, pilot):
        screen = screen_of(kumite, TableScreen)
        await pilot.press("colon", *"gqudmvfnkhl", "up", "down", "full_stop", "pagedown", "f5")
        assert kumite.screen is screen
        assert screen.table.match.number == 0
        assert "Step: gqudmvfnkhl." in frame(kumite)


async def test_a_question_mark_lists_the_forms_and_the_line_stays(tmp_path: Path) -> None:
    async with running(table_app(tmp_path)) as (kumite, pilot):
        await pilot.press("colon", "f", "question_mark")
        assert isinstance(kumite.screen, HelpScreen)
        assert "g7" in frame(kumite)
        assert "+" in frame(kumite)
        await pilot.press("escape", "7", "enter")
        screen = screen_of(kumite, TableScreen)
        assert [one.step for one in screen.table.match.steps()] == ["f7"]


async def test_refused_notation_stays_to_be_mended(tmp_path: Path) -> None:
    async with running(table_app(tmp_path)) as (kumite, pilot):
        await pilot.press("colon", *"zz", "enter")
        assert "zz" in shown(kumite, "hint")
        assert "Step: zz_" in frame(kumite)
        await pilot.press("backspace", "backspace", *"f7", "enter")
        screen = screen_of(kumite, TableScreen)
        assert [one.step for one in screen.table.match.steps()] == ["f7"]
        assert "Step:" not in frame(kumite)


async def test_words_that_do_not_fit_are_said_to_go_on_and_no_letter_is_called_a_key(
    tmp_path: Path,
) -> None:
    async with running(table_app(tmp_path), size=(60, 20)) as (kumite, pilot):
        await pilot.press("colon")
        row = next(line for line in frame(kumite).split("\n") if "Step:" in line)
        words = row.split("_", 1)[1].split()
        legal = kumite.screen.model.choice.legal  # type: ignore[attr-defined]
        assert words[-1] in (*legal, kumite.look.more) or words[-1].endswith(kumite.look.more)
        assert len(words) < len(legal) or words == sorted(legal)
        assert "Space" not in shown(kumite, "keys")
