"""How Kitsu! is thought about: whole turns by a beam, compared by the opponent's best answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.core.bots.base import Choice, Skill, noticed
from kumite.core.bots.chances import fit_of
from kumite.core.bots.fast import is_ready
from kumite.core.bots.kitsu import reach
from kumite.core.bots.kitsu.worth import worth
from kumite.core.bots.search import turns
from kumite.core.bots.search.turns import WIN, Pass
from kumite.core.games.kitsu import rules as kitsu
from kumite.core.games.kitsu.board import SQUARES

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from kumite.core.bots.base import Budget, Line, Position
    from kumite.core.game import Step
    from kumite.core.games.kitsu.position import State

LEVELS: Final = (
    *(Skill(lapses=1), Skill(), Skill(200, slips=0.15, sharp=3), Skill(1700, slips=0.1, sharp=3)),
    *(Skill(2200, slips=0.1, sharp=3), Skill(4000), Skill(20000), Skill(60000)),
)
MIXES: Final = False
LEAP_MISSED: Final = 0.6  # of `beginner`: how often a leap is overlooked
PASSES: Final = (
    Pass(1, 1, 1, hunt=100, fear=40),
    Pass(3, 4, 1, hunt=1000, fear=200),
    Pass(6, 8, 3, hunt=8000, fear=1000),
    Pass(12, 20, 6, hunt=30000, fear=3000),
    Pass(24, 50, 8, hunt=60000, fear=8000),
    Pass(48, 120, 12, hunt=200000, fear=25000),
    Pass(96, 300, 24, hunt=600000, fear=80000),
    Pass(128, 500, 32, hunt=800000, fear=120000),
    Pass(192, 1000, 48, hunt=1000000, fear=250000),
    Pass(384, 3000, 96, hunt=1000000, fear=400000),
)
"""Most turns win or lose at once: many have to be compared, each by what it lets the other do."""


class KitsuGame:
    """Kitsu! as a `TurnGame`."""

    def side(self, state: State) -> int:
        """Return whose turn it is."""
        return -1 if state.reason else int(state.seat)

    def turn(self, state: State) -> object:
        """Return the number of the turn."""
        return state.turn

    def legal(self, state: State) -> Sequence[Step]:
        """List the steps."""
        return kitsu.legal(state, state.seat)

    def tries(self, state: State) -> Sequence[Step]:
        """List the steps."""
        return self.legal(state)

    def after(self, state: State, step: Step) -> State:
        """Return the position after a step."""
        return kitsu.apply(state, state.seat, step)

    def key(self, state: State) -> object:
        """Return the position but for its options."""
        return (
            state.turn, state.seasons, state.at, state.used, state.owed, state.samurai, state.clans
        )  # fmt: skip

    def has_won(self, state: State, side: int) -> bool:
        """Return whether that side has won."""
        return bool(state.reason) and state.winners == (side,)

    def finish(self, state: State) -> tuple[Step, ...]:
        """Return a move that wins by what it captures."""
        return reach.finish(state)

    def hope(self, state: State) -> float | None:
        """Return how far the turn's clan is from a win."""
        return reach.hope(state)

    def value(self, state: State, side: int) -> float:
        """Return captures, pieces put down and pieces ready, against those of the other."""
        if state.reason:
            if not state.winners:
                return 0.0
            return WIN if state.winners[0] == side else -WIN
        return worth(state.clans[side]) - worth(state.clans[1 - side])


GAME: Final = KitsuGame()


def beginner(position: Position, rng: Random) -> Choice:
    """Capture what is seen, else do anything; leaps and far slides are often overlooked."""
    some = noticed(position, rng, _missed)
    seen = [step for step in some.legal if "x" in step and _is_foe(position.view, step[-2:])]
    return Choice(rng.choice(seen or some.legal))


def _missed(step: Step) -> float:
    """Return how likely a beginner overlooks a step: what goes far, or is none of a piece."""
    match step[2:3]:
        case "-" | "x":
            spaces = abs(ord(step[0]) - ord(step[-2])), abs(int(step[1]) - int(step[-1]))
            return LEAP_MISSED if spaces[0] != spaces[1] else min(0.7, 0.1 * spaces[0])
        case ">" | "~":
            return LEAP_MISSED
        case _:
            return 0.2


def _is_foe(state: State, name: str) -> bool:
    return bool(state.clans[1 - state.seat].board >> SQUARES[name] & 1)


def easy(position: Position, rng: Random) -> Choice:
    """Make the step that looks best at once."""
    return turns.glance(GAME, position, rng)


def think(position: Position, rng: Random, budget: Budget) -> Sequence[Line]:
    """Compare whole turns; compiled, if that is ready."""
    fit = fit_of("kitsu", 2)
    if not is_ready(kitsu.ID):
        return turns.think(GAME, position, rng, budget, PASSES, fit)
    from kumite.core.bots.kitsu import ways  # late: compiled as they are loaded
    from kumite.core.bots.search import compiled

    return compiled.think(ways, GAME, position.view, rng, budget, PASSES, fit)
