"""Motion on screens: any key ends it and counts as itself; off, it costs nothing."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from kumite.core.game import CHANCE, Seat, Setup
from kumite.core.games import GAMES
from kumite.core.log import Header, log_text, read
from kumite.core.match import Match
from kumite.tui.app import KumiteApp, pace_of
from kumite.tui.play.local_table import LocalTable
from kumite.tui.play.replaying import Replay
from kumite.tui.screens.replay import ReplayScreen
from kumite.tui.screens.table import TableScreen
from tests.support.apps import app, frame, until
from tests.support.random_matches import short_setup, walk

if TYPE_CHECKING:
    from kumite.core.game import Seats

SLOW = 40.0  # a pace at which nothing ends by itself within a test


class AgainstOthers(LocalTable):
    """A table at which only seat 0 is played here; the test plays the others."""

    @property
    def mine(self) -> Seats:
        return frozenset({Seat(0)})


def others_step(table: LocalTable, rng: Random) -> None:
    """Let whoever is to act at this table make a step, but not seat 0."""
    (actor, *_) = [one for one in table.match.actors if one != 0]
    table.play(Seat(int(actor)), rng.choice(table.match.legal(actor)))


def begun(game_id: str) -> tuple[KumiteApp, AgainstOthers]:
    """Return an app on a table at which seat 1 is to act."""
    rng = Random(1)
    table = AgainstOthers(Match.begin(Setup.of(GAMES[game_id], 2)), ("ada", "bob"), None)
    while CHANCE in table.match.actors or 1 not in table.match.actors:
        (actor, *_) = table.match.actors
        table.play(Seat(int(actor)), rng.choice(table.match.legal(actor)))
    return app(lambda: TableScreen(table)), table


@pytest.mark.parametrize("game_id", ["kitsu", "kumo", "kuzushi"])
async def test_a_key_ends_what_moves_and_counts_as_itself(game_id: str) -> None:
    seen = []
    for pace in (0.0, SLOW):
        kumite, table = begun(game_id)
        kumite.pace = pace
        async with kumite.run_test(size=(80, 24)) as pilot:
            screen = kumite.screen
            assert isinstance(screen, TableScreen)
            others_step(table, Random(2))
            screen.show_table()
            await pilot.pause()
            assert screen.others.moving.is_running == bool(pace)
            await pilot.press("colon")  # opens the prompt, if it is ours to write
            assert not screen.others.moving.is_running
            await pilot.press("escape", "n")
            await pilot.pause()
            seen.append(frame(kumite))
    assert seen[0] == seen[1]


async def test_what_moves_ends_by_itself_and_can_be_seen_again() -> None:
    kumite, table = begun("kuzushi")
    kumite.pace = 0.05
    async with kumite.run_test(size=(80, 24)) as pilot:
        screen = kumite.screen
        assert isinstance(screen, TableScreen)
        others_step(table, Random(2))
        screen.show_table()
        assert screen.motion_left > 0
        await until(pilot, lambda: not screen.others.moving.is_running, "the end")
        still = frame(kumite)
        kumite.pace = SLOW
        await pilot.press("full_stop")
        assert screen.others.moving.is_running
        await pilot.press("escape")
        assert not screen.others.moving.is_running
        await pilot.pause()
        assert frame(kumite).split("\n")[:-2] == still.split("\n")[:-2]


@pytest.mark.parametrize("game_id", ["kitsu", "kumo", "kuzushi", "kitsune", "kiriai"])
async def test_a_replay_moves_forward_and_stands_when_one_goes_on(game_id: str) -> None:
    match = walk(short_setup(game_id, 2), 1)
    log = read(log_text(Header("0123456789abcdef", match.setup), match))
    screen = ReplayScreen(log)
    kumite = app(lambda: screen)
    kumite.pace = SLOW
    moved = 0
    async with kumite.run_test(size=(80, 24)) as pilot:
        for number in range(1, min(40, match.number)):
            await pilot.press("right")
            assert screen.at == number
            moved += screen.moving.is_running
        await pilot.press("left")
        assert not screen.moving.is_running
        await pilot.pause()
        still = frame(kumite)
        await pilot.press("right", "left")
        await pilot.pause()
        assert frame(kumite) == still
    assert moved
    assert isinstance(screen.replay, Replay)


def test_nothing_moves_where_nobody_wants_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert pace_of("full") == 0  # NO_MOTION, as in all tests
    monkeypatch.delenv("NO_MOTION")
    assert pace_of("full") > pace_of("short") > pace_of("off") == 0
    for terminal in ("dumb", "vt100"):
        monkeypatch.setenv("TERM", terminal)
        assert pace_of("full") == 0
