"""A screen that has come to a size, or to other glyphs, shows what it would if opened so."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from difflib import unified_diff
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from textual import events
from textual.geometry import Size
from textual.pilot import Pilot
from textual.screen import Screen

from kumite.core.game import Setup
from kumite.core.games import GAMES
from kumite.core.log import Header, log_text, read
from kumite.tui.play.local_table import LocalTable
from kumite.tui.screens.base import TooSmall
from kumite.tui.screens.replay import ReplayScreen
from kumite.tui.screens.table import TableScreen
from kumite.tui.settings import Settings
from tests.support.apps import app, frame, running, screen_of, table_app, until
from tests.support.frames import middle_of
from tests.support.random_matches import walk
from tests.support.spread import spread
from tests.support.waiting import looks
from tests.tui.screens.test_screens import KINDS, SCREENS

if TYPE_CHECKING:
    from textual.screen import Screen

TINY = ((1, 40), (1, 1), (300, 2))
SIZES = ((30, 5), (80, 24), (160, 50))


async def rested(pilot: Pilot[None]) -> str:
    """Return what the screen shows once nothing more comes."""
    seen = ["", " "]
    for _ in looks("a screen that shows something, and rests"):
        if seen[-2] == seen[-1] and seen[-1].strip():
            break
        await pilot.pause(0.05)
        seen.append(frame(pilot.app))
    return seen[-1]


async def compare(opening: Callable[[], Screen[None]]) -> None:
    wrong = []
    opened = {}
    for size in SIZES:
        async with app(opening).run_test(size=size) as pilot:
            opened[size] = await rested(pilot)
    async with app(opening).run_test(size=SIZES[0]) as pilot:
        for size, tiny in zip((SIZES[2], SIZES[1], SIZES[0]), TINY, strict=True):
            for way in (tiny, size):  # a window may be anything on its way
                await pilot.resize_terminal(*way)
                await pilot.pause()
            shown = await rested(pilot)
            if shown != opened[size]:
                lines = unified_diff(opened[size].split("\n"), shown.split("\n"), "opened", "", n=0)
                wrong.append(f"{size}\n" + "\n".join(lines))
    assert not wrong, "\n".join(wrong)


MIDDLES = [(game_id, max(game.SEATS), 20) for game_id, game in GAMES.items()]


@pytest.mark.slow
@pytest.mark.parametrize(("game_id", "seats", "steps"), MIDDLES)
async def test_a_table(game_id: str, seats: int, steps: int) -> None:
    match = middle_of(game_id, seats, steps)
    await compare(lambda: TableScreen(LocalTable(match, tuple("abcdef"[:seats]), None)))


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in KINDS if not name.startswith("table")])
async def test_every_other_screen(name: str) -> None:
    await compare(SCREENS[name])


@pytest.mark.slow
@pytest.mark.parametrize("game_id", GAMES)
async def test_a_replay_at_its_end(game_id: str) -> None:
    setup = Setup.of(GAMES[game_id], min(GAMES[game_id].SEATS))
    log = read(log_text(Header("ab", setup, ("ada", "bob")), walk(setup, 1)))

    def opening() -> Screen[None]:
        screen = ReplayScreen(log)
        screen.at = screen.replay.last
        return screen

    await compare(opening)


async def test_a_screen_for_small_windows_that_is_on_its_way_out_shows_nothing_any_more() -> None:
    async with running(SCREENS["home"], size=(30, 5)) as (kumite, pilot):
        await rested(pilot)
        screen = screen_of(kumite, TooSmall)
        await screen.query("*").remove()
        screen.on_screen_resume()


async def test_from_what_does_not_fit_a_key_leads_back(tmp_path: Path) -> None:
    async with running(table_app(tmp_path), size=(40, 15)) as (kumite, pilot):
        await rested(pilot)
        table = screen_of(kumite, TableScreen)
        await pilot.press("a")
        await until(pilot, lambda: isinstance(kumite.screen, TooSmall), "too small a window")
        assert "needs a larger window" in frame(kumite)
        await pilot.press("q")
        await until(pilot, lambda: kumite.screen is table, "the table again")


on_top_or_below = pytest.mark.parametrize(
    "is_covered", [False, True], ids=["on top", "below another"]
)


async def home_of(pilot: Pilot[None], *, is_covered: bool) -> Screen[None]:
    """Return the home screen, below another one or not, once it rests."""
    screen = pilot.app.screen
    if is_covered:
        await pilot.app.push_screen(TooSmall((999, 999)))
    await rested(pilot)
    return screen


@on_top_or_below
async def test_two_sizes_that_come_at_once_do_not_answer_each_other(is_covered: bool) -> None:
    """Textual lays a screen out for each, and then tells it that its size is another one."""
    async with running(SCREENS["home"]) as (_, pilot):
        screen = await home_of(pilot, is_covered=is_covered)
        for size in (Size(2, 1), Size(80, 24)):
            screen.post_message(events.Resize(size, size))
            screen.call_later(list)  # without anything between them the last one counts
        layouts = []
        lay_out = screen._refresh_layout

        def counted(size: Size | None = None, scroll: bool = False) -> None:
            layouts.append(size)
            lay_out(size, scroll)

        screen._refresh_layout = counted
        for _ in range(100):
            await asyncio.sleep(0.01)
        assert len(layouts) <= 4


@on_top_or_below
async def test_a_size_that_another_one_takes_the_place_of_is_not_lost(is_covered: bool) -> None:
    """Of sizes that wait the last one counts, and that may be one which Textual told late."""
    async with running(SCREENS["home"]) as (kumite, pilot):
        screen = await home_of(pilot, is_covered=is_covered)
        now, before = Size(81, 24), Size(80, 24)
        kumite._size = now
        screen.post_message(events.Resize(now, now))
        screen.post_message(events.Resize(before, before))
        for _ in looks("a screen that is laid out for the window"):
            if screen.outer_size == now:
                break
            await pilot.pause(0.05)


# --- Other glyphs -----------------------------------------------------------------------------


SMALL = (80, 24)
OTHER = ("help", "rules", "settings")  # lines that they were given; what was set


async def compare_glyphs(opening: Callable[[], Screen[None]], size: tuple[int, int]) -> None:
    opened = {}
    for glyphs in ("letters", "ascii"):
        async with app(opening, glyphs).run_test(size=size) as pilot:
            opened[glyphs] = await rested(pilot)
    async with running(opening, glyphs="letters", size=size) as (kumite, pilot):
        await rested(pilot)
        for glyphs in ("ascii", "letters"):
            kumite.use(Settings(glyphs=glyphs))
            shown = await rested(pilot)
            lines = unified_diff(opened[glyphs].split("\n"), shown.split("\n"), "opened", n=0)
            assert opened[glyphs] == shown, "\n".join(lines)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [name for name in KINDS if not name.startswith("table") and name not in OTHER]
)
async def test_every_screen_in_other_glyphs(name: str) -> None:
    await compare_glyphs(SCREENS[name], SMALL)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game_id", "steps", "size"),
    [(one, *case) for one, case in spread(GAMES, ((25, (120, 36)), (1000, SMALL)))],
)
async def test_a_table_in_other_glyphs(game_id: str, steps: int, size: tuple[int, int]) -> None:
    seats = max(GAMES[game_id].SEATS)
    match = middle_of(game_id, seats, steps)
    await compare_glyphs(
        lambda: TableScreen(LocalTable(match, tuple("abcdef"[:seats]), None)), size
    )
