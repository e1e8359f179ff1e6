"""A screen that has come to a size, or to other glyphs, shows what it would if opened so."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from difflib import unified_diff

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
from tests.support.apps import frame, running, screen_of, table_app, until
from tests.support.frames import middle_of
from tests.support.random_matches import walk
from tests.support.waiting import looks
from tests.tui.screens.test_screens import KINDS, SCREENS

TINY = ((1, 40), (1, 1), (300, 2))
SMALL, LARGE = (80, 24), (160, 50)
TOO_SMALL = (30, 5)
GIVEN = ("help", "rules", "settings")  # show in other glyphs what they were opened with


async def rested(pilot: Pilot[None]) -> str:
    """Return what the screen shows once nothing more comes."""
    seen = ["", " "]
    for _ in looks("a screen that shows something, and rests"):
        if seen[-2] == seen[-1] and seen[-1].strip():
            break
        await pilot.pause(0.05)
        seen.append(frame(pilot.app))
    return seen[-1]


async def compare(
    opening: Callable[[], Screen[None]], glyphs_at: tuple[int, int] | None = SMALL
) -> None:
    """Bring a screen to sizes and, in one of them, to glyphs; hold it against one opened so."""
    opened, wrong, ways = {}, [], []
    for size in (LARGE, SMALL):
        ways.append((size, "letters"))
        if size == glyphs_at:
            ways += [(size, "ascii"), (size, "letters")]
    for size, glyphs in {*ways}:
        async with running(opening, size, glyphs) as (_, pilot):
            opened[size, glyphs] = await rested(pilot)
    async with running(opening, TOO_SMALL) as (kumite, pilot):
        opened[TOO_SMALL, "letters"] = await rested(pilot)
        tiny, now = iter(TINY), (TOO_SMALL, "letters")
        for size, glyphs in (*ways, now):
            if size != now[0]:
                for way in (next(tiny), size):  # a window may be anything on its way
                    await pilot.resize_terminal(*way)
                    await pilot.pause()
            if glyphs != now[1]:
                kumite.use(Settings(glyphs=glyphs))
            now = size, glyphs
            shown = await rested(pilot)
            if shown != opened[now]:
                lines = unified_diff(opened[now].split("\n"), shown.split("\n"), "opened", "", n=0)
                wrong.append(f"{now}\n" + "\n".join(lines))
    assert not wrong, "\n".join(wrong)


@pytest.mark.slow
@pytest.mark.parametrize(("steps", "glyphs_at"), [(20, LARGE), (1000, SMALL)])
@pytest.mark.parametrize("game_id", GAMES)
async def test_a_table(game_id: str, steps: int, glyphs_at: tuple[int, int]) -> None:
    seats = max(GAMES[game_id].SEATS)
    match = middle_of(game_id, seats, steps)
    table = LocalTable(match, tuple("abcdef"[:seats]), None)
    await compare(lambda: TableScreen(table), glyphs_at)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in KINDS if not name.startswith("table")])
async def test_every_other_screen(name: str) -> None:
    await compare(SCREENS[name], None if name in GIVEN else SMALL)


@pytest.mark.slow
@pytest.mark.parametrize("game_id", GAMES)
async def test_a_replay_at_its_end(game_id: str) -> None:
    setup = Setup.of(GAMES[game_id], min(GAMES[game_id].SEATS))
    log = read(log_text(Header("ab", setup, ("ada", "bob")), walk(setup, 1)))

    def opening() -> Screen[None]:
        screen = ReplayScreen(log)
        screen.at = screen.replay.last
        return screen

    await compare(opening, None)


async def test_a_screen_for_small_windows_that_is_on_its_way_out_shows_nothing_any_more() -> None:
    async with running(SCREENS["home"], size=(30, 5)) as (kumite, pilot):
        await rested(pilot)
        screen = screen_of(kumite, TooSmall)
        await screen.query("*").remove()
        screen.on_screen_resume()


async def test_from_what_does_not_fit_a_key_leads_back() -> None:
    async with running(table_app(), size=(40, 15)) as (kumite, pilot):
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
