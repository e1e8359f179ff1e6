"""What motion costs: the bytes of a whole step, all its frames together, and no time for a key.

Over ssh a frame that is too large is a key that waits. What is measured is what the painter would
write to a terminal from the moment a replay goes on by a step until nothing moves any more: the
frames, and title, log and hint as well.
"""

from __future__ import annotations

from statistics import median
from types import SimpleNamespace
from typing import Any, Final, NamedTuple

import pytest
from rich.color import ColorSystem
from textual import events
from textual._compositor import CompositorUpdate

from kumite.core.games.kumo.state import FREE, KUMOTORI
from kumite.core.log import Header, log_text, read
from kumite.tui.screens.replay import ReplayScreen
from kumite.tui.terminal.painter import Painter
from tests.support.apps import app, called, settled
from tests.support.random_matches import short_setup, walk

SLOW: Final = 40.0  # a pace at which nothing ends by itself
STEPS: Final = 4  # of each match
SMALL, LARGE = (80, 24), (160, 50)
STEP: Final = {SMALL: 3000, LARGE: 10_000}  # bytes in full colour: of a step on a board
GROWTH: Final = {SMALL: 5000, LARGE: 13_500}  # of one after which every square has another size
REVEAL: Final = {SMALL: 15_000, LARGE: 40_000}  # of a stage, or a trick that is counted
STEP_IN_256: Final = {SMALL: 1650, LARGE: 5000}  # half of it; title, log and hint are in it, too
GROWTH_IN_256: Final = {SMALL: 4500, LARGE: 12_500}
FULL_ARENA: Final = 8  # a match in which all Kumotori and the stone stand there
TURNS: Final = (137, 170, 197)  # its steps
TABLES: Final = ("kuzushi", "kitsune", "kumo", "kitsu", "kiriai")
KEYS: Final = 25  # with motion, and as many without


class Cost(NamedTuple):
    """What a step has cost."""

    number: int
    frames: int
    bytes: int
    is_of_same_size: bool


class Meter:
    """Steps through a replay, and counts what would go to a terminal."""

    def __init__(self, game_id: str, colors: ColorSystem, seed: int = 1) -> None:
        match = walk(short_setup(game_id, 2), seed)
        self.screen = ReplayScreen(read(log_text(Header("0123456789abcdef", match.setup), match)))
        self.app = app(lambda: self.screen)
        self.app.pace = SLOW
        self.written = 0
        painter, console = Painter(), SimpleNamespace(_color_system=colors)
        display = self.app._display

        def count(screen: Any, update: object) -> None:
            if isinstance(update, CompositorUpdate):
                painted = painter.paint(update, console, *self.app.size)
                self.written += len(painted.encode())
            display(screen, update)

        self.app._display = count

    async def step(self) -> Cost:
        """Go on by a step, frame by frame."""
        screen = self.screen
        before, self.written = self._squares(), 0
        screen.action_look(1)
        frames = 0
        while screen.moving.is_running:
            await settled(screen)
            frames += 1
            screen.moving._next()
        await settled(screen)
        await settled(screen)  # what was laid out anew is painted after that
        return Cost(screen.at, frames, self.written, before == self._squares())

    def _squares(self) -> set[str]:
        screen = self.screen
        rows = screen.replay.scene(screen.at, screen.shell.look).board.rows
        return {cell.name for row in rows for cell in row}


async def costs(game_id: str, size: tuple[int, int], colors: ColorSystem) -> list[Cost]:
    """Return what the first steps that move anything have cost."""
    meter, found = Meter(game_id, colors), []
    async with meter.app.run_test(size=size):
        await settled(meter.screen)
        while len(found) < STEPS and meter.screen.at < meter.screen.replay.last - 1:
            cost = await meter.step()
            found += [cost] if cost.frames else []
    return found


def most(game_id: str, cost: Cost, size: tuple[int, int], *, is_full: bool) -> int:
    """Return how many bytes a step may cost, in full colour or in 256."""
    if game_id == "kiriai" or (game_id == "kitsune" and cost.frames > 1):
        return REVEAL[size]
    if cost.is_of_same_size:
        return (STEP if is_full else STEP_IN_256)[size]
    return (GROWTH if is_full else GROWTH_IN_256)[size]


@pytest.fixture(autouse=True)
def _often_painted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("textual.screen.UPDATE_PERIOD", 0.001)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game_id", "size"),
    [*((game_id, SMALL) for game_id in TABLES), ("kuzushi", LARGE), ("kiriai", LARGE)],
    ids=str,
)
async def test_a_step_with_all_its_frames_stays_within_its_bytes(
    game_id: str, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    full = await costs(game_id, size, ColorSystem.TRUECOLOR)
    assert len(full) == STEPS
    assert [cost for cost in full if cost.bytes > most(game_id, cost, size, is_full=True)] == []
    monkeypatch.setattr("textual.constants.COLOR_SYSTEM", "256")
    few = await costs(game_id, size, ColorSystem.EIGHT_BIT)
    assert [one for one in few if one.bytes > most(game_id, one, size, is_full=False)] == []
    assert median(one.bytes for one in few) < median(one.bytes for one in full)


@pytest.mark.slow
@pytest.mark.parametrize("size", [SMALL, LARGE], ids=str)
@pytest.mark.parametrize("colors", [ColorSystem.TRUECOLOR, ColorSystem.EIGHT_BIT])
async def test_a_turn_of_a_full_arena_stays_within_the_bytes_of_a_step(
    size: tuple[int, int], colors: ColorSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    if colors == ColorSystem.EIGHT_BIT:
        monkeypatch.setattr("textual.constants.COLOR_SYSTEM", "256")
    meter = Meter("kumo", colors, FULL_ARENA)
    async with meter.app.run_test(size=size):
        for number in TURNS:
            before, after = meter.screen.replay.line[number - 1 : number + 1]
            assert after.last.step in ("cw", "ccw")
            assert len(before.state.arena) - before.state.arena.count(FREE) == 2 * KUMOTORI + 1
            meter.screen.action_to(number - 1)
            meter.screen.moving.end()
            await settled(meter.screen)
            await settled(meter.screen)
            cost = await meter.step()
            assert cost.frames
            assert cost.bytes <= STEP[size]


async def test_a_key_that_comes_while_something_moves_finds_the_app_as_without() -> None:
    meter = Meter("kuzushi", ColorSystem.TRUECOLOR)
    screen, kumite = meter.screen, meter.app
    async with kumite.run_test(size=SMALL):
        for number in range(2 * KEYS):
            kumite.pace = pace = (0.0, SLOW)[number % 2]
            screen.action_to(number // 2)
            screen.moving.end()
            await settled(screen)
            screen.action_look(1)
            await settled(screen)
            assert screen.moving.is_running == bool(pace)
            kumite.post_message(events.Key("left", None))
            await called(kumite.call_later)
            await settled(screen)
            assert not screen.moving.is_running
            assert screen.at == number // 2
