"""A player that answers at once, or never, and what is seen of its thoughts on screens."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

from textual.pilot import Pilot
from textual.screen import Screen

from kumite.core.bots import Choice, Line, Position
from kumite.core.errors import KumiteError
from kumite.core.game import CHANCE, Setup, Step
from kumite.core.games import GAMES
from kumite.core.match import Match
from kumite.tui.app import KumiteApp
from kumite.tui.play.local_table import LocalTable, default_names
from kumite.tui.screens.table import TableScreen
from kumite.tui.widgets.form import Form
from tests.support.apps import app, frame, until, words
from tests.support.random_matches import choose

TABLES = [  # with as few players as may be, and with as many
    (one, seats)
    for one in GAMES
    for seats in sorted({*GAMES[one].SEATS[:: len(GAMES[one].SEATS) - 1 or 1]})
]


def lines(position: Position) -> tuple[Line, ...]:
    """Return the legal steps from the last on, each a tenth worse, from 90 % on."""
    best = list(reversed(position.legal))[:5]
    return tuple(Line(step, 0.9 - n / 10, (5 - n) / 15) for n, step in enumerate(best))


class FakePlayer:
    """Stands in for `tui.bots.service.BotService`."""

    def __init__(self, answer: Callable[[Position], Choice] | None = None) -> None:
        self.asked: list[Position] = []
        self.seconds: list[float | None] = []
        self.early: list[float | None] = []
        self.simulations: list[int | None] = []
        self.stages: list[tuple[float, ...]] = []
        self.answer = answer
        self.interrupted = 0
        self.error: KumiteError | None = None
        self._may_think = asyncio.Event()
        self.is_stuck = False

    @property
    def is_stuck(self) -> bool:
        """Whether it thinks until it is interrupted, or no longer stuck."""
        return not self._may_think.is_set()

    @is_stuck.setter
    def is_stuck(self, stuck: bool) -> None:
        (self._may_think.clear if stuck else self._may_think.set)()

    def of_table(self, errors: Path | None = None) -> FakePlayer:
        """Return the one that plays at a table: itself."""
        return self

    async def choose(
        self,
        who: str,
        position: Position,
        *,
        seed: int | str,
        simulations: int | None = None,
        seconds: float | None = None,
        early: float | None = None,
    ) -> Choice:
        assert who == "strong"
        assert str(seed)
        self.asked.append(position)
        self.seconds.append(seconds)
        self.early.append(early)
        self.simulations.append(simulations)
        return await self._thought(position)

    async def grow(
        self,
        who: str,
        position: Position,
        *,
        seed: int | str,
        stages: Sequence[float],
        told: Callable[[float, Choice], None],
        is_counted: bool = False,
    ) -> None:
        assert who == "strong"
        assert str(seed)
        assert not is_counted
        self.asked.append(position)
        self.stages.append(tuple(stages))
        for stage in stages:
            told(stage, await self._thought(position))

    async def _thought(self, position: Position) -> Choice:
        try:
            await self._may_think.wait()
        except asyncio.CancelledError:
            self.interrupted += 1
            raise
        await asyncio.sleep(0)
        if self.error is not None:
            raise self.error
        if self.answer is not None:
            return self.answer(position)
        found = lines(position)
        return Choice(found[0].step, found[0].value, found)

    async def warm(self, setup: Setup) -> None:
        """Be ready."""

    def close(self) -> None:
        """Do nothing."""


def answering(**values: float) -> Callable[[Position], Choice]:
    """Return an answer that gives these steps these values, the best first."""

    def answer(position: Position) -> Choice:
        found = tuple(Line(_step(one, position), value, 0.5) for one, value in values.items())
        return Choice(found[0].step, found[0].value, found)

    return answer


def _step(text: str, position: Position) -> Step:
    return next(step for step in position.legal if step == text)


@asynccontextmanager
async def thinking(
    opening: KumiteApp | Callable[[], Screen[None]],
    mind: FakePlayer | None = None,
    size: tuple[int, int] = (80, 24),
    glyphs: str = "letters",
) -> AsyncIterator[tuple[KumiteApp, Pilot[None], FakePlayer]]:
    """Run an app for which a fake mind thinks."""
    kumite = opening if isinstance(opening, KumiteApp) else app(opening, glyphs)
    mind = mind or FakePlayer()
    kumite._bot_service = mind
    async with kumite.run_test(size=size) as pilot:
        yield kumite, pilot, mind


def middle(game_id: str, seats: int) -> Match:
    """Return a match in which a seat has a choice, some steps from the start."""
    rng = Random(f"{game_id} {seats}")
    match = Match.begin(Setup.of(GAMES[game_id], seats))
    while match.number < 12 or match.actors[0] == CHANCE or len(match.legal(match.actors[0])) < 2:
        match = match.play(*choose(match, rng))
    return match


def unsaved(match: Match) -> Callable[[], TableScreen]:
    """Return what opens a match at a table that is saved nowhere."""
    table = LocalTable(match, default_names(match.setup.seats), None)
    return lambda: TableScreen(table)


async def hinted(pilot: Pilot[None]) -> str:
    """Ask for a hint; return what is said of it."""
    await pilot.press("i")
    await until(pilot, lambda: "Hint:" in frame(pilot.app), "a hint")
    return words(pilot.app, "advice")


def listed(kumite: KumiteApp) -> list[str]:
    form = kumite.screen.query_one(Form)
    return [form.render_line(y).text.strip() for y in range(form.size.height)]


async def thought_out(pilot: Pilot[None]) -> None:
    """Wait for the end of an analysis, or for the lottery that it is."""
    is_done = re.compile("A lottery|16 s of thought")
    await until(pilot, lambda: is_done.search(frame(pilot.app)) is not None, "thoughts")
