"""Keys that arrive together do what they do one after the other."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from random import Random
from typing import TYPE_CHECKING
from unittest.mock import Mock

import pytest
from textual import events
from textual.pilot import Pilot
from textual.screen import Screen

from kumite.core.game import Setup
from kumite.core.games import GAMES
from kumite.core.match import Match
from kumite.tui.app import KumiteApp
from kumite.tui.play.local_table import LocalTable, default_names
from kumite.tui.screens.setup import BEGINS, SEATED, NewScreen
from kumite.tui.screens.table import TableScreen
from kumite.tui.terminal.keys import MOST_AHEAD
from kumite.tui.widgets.form import Form
from tests.support.apps import frame, running, uncovered, until
from tests.support.waiting import PATIENCE

if TYPE_CHECKING:
    from rich.console import RenderableType

KEYS = {"n": "n", "N": "N", "enter": "\r", "tab": "\t", "left": None, "up": None, "down": None}


async def press_at_once(pilot: Pilot[None], kumite: KumiteApp, keys: Sequence[str]) -> None:
    """Hand over keys as one packet does, and wait until the last one has been handled."""
    for key in keys:
        kumite.post_message(events.Key(key, KEYS.get(key, key)))
    taken: list[bool] = []
    kumite.call_later(taken.append, True)
    await until(pilot, lambda: bool(taken) and not kumite.is_typing, "the end of the keys")


async def played(game_id: str, keys: list[str], packet: int) -> tuple[list[str], list[str]]:
    """Return the steps made by keys that come in packets of that size, and the screen then.

    Without the side: its log scrolls by half a page when it is full, so that where it stands
    depends on what was drawn before, and not only on the position.
    """
    table = LocalTable(Match.begin(Setup.of(GAMES[game_id], 2)), default_names(2), None)
    async with running(lambda: TableScreen(table)) as (kumite, pilot):
        for first in range(0, len(keys), packet):
            await press_at_once(pilot, kumite, keys[first : first + packet])
        await pilot.pause()
        edge = kumite.screen.query_one("#side").region.x
        rows = frame(kumite).split("\n")
        board = [rows[0], *(row[:edge].rstrip() for row in rows[1:-2]), *rows[-2:]]
        return [one.step for one in table.match.steps()], board


@pytest.mark.slow
@pytest.mark.parametrize("game_id", ["kuzushi", "kumo", "kitsu"])
async def test_the_cursor_chooses_the_same_whatever_the_packets(game_id: str) -> None:
    rng = Random(1)
    keys = rng.choices([*KEYS, "n", "n", "enter", "enter"], k=40)
    one_by_one = await played(game_id, keys, 1)
    assert len(one_by_one[0]) > 3
    assert await played(game_id, keys, 7) == one_by_one
    assert await played(game_id, keys, len(keys)) == one_by_one


async def test_steps_are_typed_in_one_packet() -> None:
    steps = ["+e1=run", "run:e1-e3", "e3-e4", "e4=kumo", "cw"]
    keys = [key for step in steps for key in ("colon", *step, "enter")]
    assert (await played("kumo", keys, len(keys)))[0] == steps


async def test_keys_wait_for_the_screen_that_is_being_opened() -> None:
    table = LocalTable(Match.begin(Setup.of(GAMES["kuzushi"], 2)), default_names(2), None)
    async with running() as (kumite, pilot):
        kumite.push_screen(TableScreen(table))  # not awaited: nothing of it is there yet
        await press_at_once(pilot, kumite, ("colon", "f", "7", "enter"))
        assert [one.step for one in table.match.steps()] == ["f7"]


async def test_what_is_pasted_waits_for_the_line_that_is_being_opened() -> None:
    table = LocalTable(Match.begin(Setup.of(GAMES["kuzushi"], 2)), default_names(2), None)
    async with running(lambda: TableScreen(table)) as (kumite, pilot):
        for event in (events.Key("colon", ":"), events.Paste("f7"), events.Key("enter", "\r")):
            kumite.post_message(event)
        await press_at_once(pilot, kumite, "")
        assert [one.step for one in table.match.steps()] == ["f7"]


@pytest.mark.parametrize("order", ["↓↓↓-→", "↓↓↓-+→", "↓-+↓-+↓→", "-+↓↓↓-→+"])
@pytest.mark.parametrize("gap", range(6))
async def test_no_key_is_lost_when_the_window_loses_the_focus_or_gets_it(
    order: str, gap: int
) -> None:
    """A phone's page does so whenever its keyboard opens or closes."""
    events_of = {
        "↓": partial(events.Key, "down", None),
        "→": partial(events.Key, "right", None),
        "-": events.AppBlur,
        "+": events.AppFocus,
    }
    async with running(lambda: NewScreen("kitsu", against_bots=True)) as (kumite, pilot):
        form = kumite.screen.query_one(Form)
        form.go("seats")
        await pilot.pause()
        for one in order:
            kumite.post_message(events_of[one]())
            for _ in range(gap):
                await asyncio.sleep(0)
        await press_at_once(pilot, kumite, "")
        await pilot.pause()
        assert form.row.key == BEGINS
        assert form.values[BEGINS] == SEATED


@pytest.mark.slow
async def test_of_a_flood_few_keys_wait_and_the_one_that_leaves_comes_soon(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    handled: list[bool] = []
    monkeypatch.setattr(KumiteApp, "before_key", lambda _: handled.append(True))
    table = LocalTable(Match.begin(Setup.of(GAMES["kuzushi"], 2)), default_names(2), None)
    async with running(lambda: TableScreen(table)) as (kumite, pilot):
        await press_at_once(pilot, kumite, ["up", "down"] * 5000)
        assert 0 < len(handled) <= 2 * MOST_AHEAD
        await pilot.press("ctrl+q")
    assert kumite.return_code == 0


def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that grows with each picture that is painted from now on."""
    painted: list[str] = []
    paint = KumiteApp._display

    def count(self: KumiteApp, screen: Screen[object], picture: RenderableType | None) -> None:
        if picture is not None:
            painted.append(repr(picture))
        paint(self, screen, picture)

    monkeypatch.setattr(KumiteApp, "_display", count)
    return painted


@pytest.mark.parametrize("game_id", GAMES)
async def test_what_a_key_changes_waits_for_no_frame(
    game_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cursor is painted at once, the rest when the key is handled: two pictures at most."""
    table = LocalTable(Match.begin(Setup.of(GAMES[game_id], 2)), ("ada", "bob"), None)
    async with running(lambda: TableScreen(table)) as (kumite, pilot):
        await uncovered(pilot)
        await pilot.pause(0.5)
        monkeypatch.setattr("textual.screen.Screen._update_timer", Mock())  # no frames from now on
        painted, pictures = counted(monkeypatch), []
        for key in ("right", "down", "left", "up", "n", "n", "N"):
            painted.clear()
            kumite.post_message(events.Key(key, KEYS.get(key, key)))
            await asyncio.sleep(0.05)  # a pilot would paint as it waits
            async with asyncio.timeout(PATIENCE):
                while kumite.is_typing or kumite.screen._dirty_widgets:
                    await asyncio.sleep(0.01)
            pictures.append(len(painted))
    assert max(pictures) <= 2, pictures
    assert sum(pictures) > 3
