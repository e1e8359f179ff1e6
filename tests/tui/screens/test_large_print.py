"""Large print: every screen in 40 columns and 15 rows, by words and signs, with nothing cut."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.screen import Screen

from kumite.core.game import Setup
from kumite.core.games import find
from kumite.core.log import Header, log_text
from kumite.net.session import events
from kumite.net.tournament.state import TournamentChanged
from kumite.tui.app import KumiteApp
from kumite.tui.lessons import LESSONS
from kumite.tui.play.local_table import LocalTable, default_names
from kumite.tui.screens.home import HomeScreen
from kumite.tui.screens.lessons import LessonScreen, LessonsScreen
from kumite.tui.screens.lobby import HOST, LobbyScreen
from kumite.tui.screens.open_list import JoinScreen
from kumite.tui.screens.record import RecordScreen
from kumite.tui.screens.saved import SavedScreen
from kumite.tui.screens.table import TableScreen
from kumite.tui.screens.tournament import TournamentHostScreen
from kumite.tui.settings import Settings
from kumite.tui.widgets.form import Form
from kumite.tui.widgets.menu import Menu
from kumite.tui.widgets.painted import Painted
from tests.support.apps import frame, running, screen_of, shown, uncovered, words
from tests.support.fake_peer import FakeFinder, FakePeer, FakePlan, FakeTournamentPeer, found, seats
from tests.support.frames import middle_of
from tests.support.random_matches import short_setup, walk
from tests.support.tournaments import TERMS
from tests.tui.screens.test_nothing_is_cut import cut
from tests.tui.screens.test_screens import SCREENS
from tests.tui.screens.test_tournament import LISTENING, view
from tests.tui.screens.test_ways_to_a_table import at_table

__all__ = ["cut"]  # a fixture

SIZE = (40, 15)
BARE = [  # the others have a test of their own
    name
    for name in SCREENS
    if not name.startswith(("table", "lesson", "replay", "analysis", "rev"))
]
LONG = "Benjamin Bartholomew III"


def marked(kumite: KumiteApp) -> list[str]:
    """Return the rows of the window on which a cursor stands; a button stands alone."""
    lines = frame(kumite).split("\n")
    return [line for line in lines if line.startswith(" > ")] or [
        line for line in lines if line.startswith("  ▶ ")
    ]


async def look(pilot: Pilot[None], cut: dict[str, str], *keys: str) -> None:
    """Find nothing that is cut, and a cursor wherever one can choose, after each of the keys."""
    for key in ("", *keys):
        if key:
            await pilot.press(key)
        await pilot.pause()
        cut.clear()
        for widget in pilot.app.screen.query(Painted):
            widget.refresh()
        await pilot.pause()
        kumite = pilot.app
        assert isinstance(kumite, KumiteApp)
        assert not cut, frame(kumite)
        assert "larger window" not in frame(kumite)
        if any(not one.is_empty for one in kumite.screen.query(Form)) or kumite.screen.query(Menu):
            assert len(marked(kumite)) == 1, frame(kumite)


@pytest.mark.parametrize("name", BARE)
async def test_every_screen_shows_whole_words_and_the_row_of_the_cursor(
    name: str, cut: dict[str, str]
) -> None:
    async with running(SCREENS[name], size=SIZE) as (_, pilot):
        await look(pilot, cut, "down", "up", *["pagedown"] * 2)


@pytest.mark.parametrize("game_id", LESSONS)
async def test_a_task_ends_with_what_is_to_be_done_and_its_help_has_all_of_it(
    game_id: str, cut: dict[str, str]
) -> None:
    tasks = LESSONS[game_id].TASKS
    number = max(range(len(tasks)), key=lambda at: len(tasks[at].text))
    task = " ".join(tasks[number].text.split())
    async with running(lambda: LessonScreen(game_id, number), size=SIZE) as (kumite, pilot):
        await look(pilot, cut)
        told = f"{shown(kumite, 'facts')} {shown(kumite, 'company')}"
        assert task.split(". ")[-1] in " ".join(told.split()), frame(kumite)
        await pilot.press("question_mark")
        await pilot.pause()
        assert task[:60] in words(kumite)


def played(folder: Path, count: int) -> None:
    """Save finished matches and unfinished ones."""
    match = walk(short_setup("kuzushi"), 1)
    for number in range(count):
        header = Header(f"ab{number}", match.setup, (LONG, "bot:easy"))
        whole = match if number % 2 else match.back(3)
        path = folder / f"2026-01-0{number + 1}-120000-x.kumite"
        path.write_text(log_text(header, whole), encoding="utf-8")


def lobby_of(setup: Setup) -> Screen[None]:
    peer = FakePeer()
    screen = LobbyScreen(HOST, "A table", lambda _: peer.opened)
    ada, bob = events.Guest(LONG, seats(0), True), events.Guest("bob", seats(1), False)
    there = replace(at_table(setup, ada, bob, free=tuple(range(2, setup.seats))), gone="bot")
    screen.call_later(lambda: [peer.deliver(one) for one in (LISTENING, there)])
    return screen


def tournament_of(count: int, rounds: int) -> Screen[None]:
    peer = FakeTournamentPeer()
    screen = TournamentHostScreen(FakePlan(peer))
    told = (LISTENING, TournamentChanged(TERMS, view(count, rounds)))
    screen.call_later(lambda: [peer.deliver(one) for one in told])
    return screen


class Tables(FakeFinder):
    """Two tables, one of them full."""

    def start(self) -> None:
        self.deliver(found("a", LONG, 2))
        self.deliver(found("c", "cid", 0))


NEEDED = {  # what stands there at that size
    "lobby of two": "bob not ready yet|Not all are ready yet.|kumite join 192.168.1.20:4000",
    "lobby of four": "bob not ready yet|Not all are ready yet.|or bot easy",
    "tournament": "Round 2 of 3|matches to go",
    "tables": "Benjamin Ba… Kuzushi 2 free|cid Kuzushi full",
    "tables at home": "c continue Kuzushi against bot…",
    "saved": "01-03 Kuzushi Benjamin Ba… 3 steps",
    "lessons": "10 The fourth Samurai",
}
CONTENTS: dict[str, Callable[[], Screen[None]]] = {
    "lobby of two": lambda: lobby_of(Setup.of(find("kitsu"))),
    "lobby of four": lambda: lobby_of(Setup.of(find("kitsune"), 4)),
    "tournament": lambda: tournament_of(5, 2),
    "tables": lambda: JoinScreen("ada", Tables),
    "tables at home": lambda: HomeScreen(Tables),
    "saved": SavedScreen,
    "lessons": lambda: LessonsScreen("kitsu"),
}


@pytest.mark.parametrize("name", CONTENTS)
async def test_what_a_list_holds_is_whole_too(
    name: str, cut: dict[str, str], tmp_path: Path
) -> None:
    played(tmp_path, 4)
    kumite = KumiteApp(Settings(glyphs="letters", name=LONG), CONTENTS[name])
    async with kumite.run_test(size=SIZE) as pilot:
        await pilot.pause()
        await look(pilot, cut)
        said = words(kumite)
        assert not [one for one in NEEDED[name].split("|") if one not in said], frame(kumite)
        await look(pilot, cut, "down", "down", "pagedown")


async def test_the_record_is_read_in_large_print(cut: dict[str, str], tmp_path: Path) -> None:
    played(tmp_path, 4)
    kumite = KumiteApp(Settings(glyphs="letters", name=LONG), HomeScreen)
    async with kumite.run_test(size=SIZE) as pilot:
        await pilot.press("y")
        await pilot.pause()
        assert isinstance(kumite.screen, RecordScreen)
        await look(pilot, cut)
        assert "Against bot easy 100% of 2" in words(kumite)


# --- Large squares and cards ----------------------------------------------------------------


def large_table(game_id: str, seats: int, steps: int, size: str = "large") -> KumiteApp:
    table = LocalTable(middle_of(game_id, seats, steps), default_names(seats), None)
    return KumiteApp(Settings(glyphs="letters", size=size), lambda: TableScreen(table))


def square(kumite: KumiteApp) -> tuple[int, int]:
    screen = screen_of(kumite, TableScreen)
    geometry = screen.field.board._geometry
    return geometry.width, geometry.height


@pytest.mark.parametrize(
    ("game_id", "seats", "size", "usual", "large"),
    [
        ("kitsu", 2, SIZE, (2, 1), (4, 1)),
        ("kuzushi", 6, (80, 24), (4, 2), (5, 2)),
        ("kumo", 2, (100, 42), (7, 3), (8, 4)),
    ],
)
async def test_large_squares_come_before_panels_which_a_key_shows(
    game_id: str,
    seats: int,
    size: tuple[int, int],
    usual: tuple[int, int],
    large: tuple[int, int],
    cut: dict[str, str],
) -> None:
    async with running(large_table(game_id, seats, 20), size=size) as (kumite, pilot):
        await uncovered(pilot)
        await pilot.pause()
        cut.clear()
        assert square(kumite) == large
        screen = screen_of(kumite, TableScreen)
        board = screen.field.board
        assert board.size.height >= board.get_content_height(kumite.size, kumite.size, 0)
        assert not screen.query_one("#seats").region.area
        choice, tray = screen.model.choice, screen.field.tray
        assert choice is not None
        for part in choice.targets:  # on the board, or in the tray below it
            chip = next((one for one in tray._chips if one.name == part), None)
            assert chip is not None or screen.model.scene.board.place(part) is not None
            assert chip is None or chip.text.strip() in frame(kumite)
        await pilot.press("v")
        await pilot.pause()
        assert square(kumite) == usual
        assert screen.query_one("#seats").region.area
        await pilot.press("v")
        await pilot.pause()
        assert square(kumite) == large
        assert not cut


async def test_a_hand_takes_the_columns_of_the_panels_when_cards_are_to_be_large() -> None:
    widths = []
    for size in ("usual", "large"):
        async with running(large_table("kiriai", 2, 0, size), size=(100, 30)) as (kumite, pilot):
            await uncovered(pilot)
            await pilot.pause()
            screen = screen_of(kumite, TableScreen)
            widths.append(screen.field.tray._hand_size[0])
    assert widths[0] < widths[1]
