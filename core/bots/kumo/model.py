"""How Kumo Hogosha is thought about: whole turns by a beam, compared by the foe's best answers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from kumite.core.bots.base import Skill, noticed
from kumite.core.bots.chances import fit_of
from kumite.core.bots.fast import is_ready
from kumite.core.bots.kumo import reach
from kumite.core.bots.kumo.worth import UPPER_OF, glance, judge
from kumite.core.bots.search import turns
from kumite.core.bots.search.turns import WIN, Pass
from kumite.core.games.kumo import rules as kumo
from kumite.core.games.kumo.state import NEAR, SQUARES, State, is_over

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

    from kumite.core.bots.base import Budget, Choice, Line, Position
    from kumite.core.game import Step

LEVELS: Final = (
    *(Skill(lapses=1), Skill(), Skill(700, sharp=3), Skill(2400, sharp=3)),
    *(Skill(5500, sharp=3), Skill(10500), Skill(20000), Skill(45000)),
)
MIXES: Final = False
MISSED: Final = {"jump": 0.8, "run": 0.5, "grab": 0.6, "throw": 0.6, "block": 0.6, "=": 0.5}
"""By kind of step, of `beginner`: how often it is overlooked."""
PASSES: Final = (
    Pass(1, 1, 1, hunt=300, fear=60),
    Pass(4, 4, 1, hunt=1500, fear=120),
    Pass(8, 8, 3, 2, 1, hunt=4000, fear=250),
    Pass(40, 30, 4, 3, 1, hunt=30000, fear=500),
    Pass(80, 60, 6, 4, 2, hunt=80000, fear=2000),
    Pass(160, 120, 12, 5, 3, hunt=150000, fear=8000),
    Pass(320, 240, 24, 6, 6, hunt=400000, fear=30000),
    Pass(640, 480, 48, 8, 12, hunt=800000, fear=60000),
    Pass(1280, 960, 96, 10, 24, hunt=1000000, fear=120000),
    Pass(2560, 1920, 192, 12, 48, hunt=1000000, fear=240000),
    Pass(2560, 7680, 192, 12, 48, hunt=1000000, fear=240000),
)
"""Many turns, each with few answers: who looks at twice as many finds more than who answers better.

Short hunts against each turn that is compared: long ones took more than half of the time. The last
beam is no wider, since a beam keeps all positions that it makes.
"""


@dataclass(frozen=True, slots=True)
class KumoGame:
    """Kumo Hogosha as a `TurnGame`."""

    worth: Callable[[State, int], float]  # of a position that is not over, for a side

    def side(self, state: State) -> int:
        """Return whose side has the turn."""
        return -1 if is_over(state) else state.seat & 1

    def turn(self, state: State) -> object:
        """Return the number of the turn."""
        return state.turn

    def legal(self, state: State) -> Sequence[Step]:
        """List the steps, but stances in which there is nobody to grip, to pin or to jump over."""
        steps = kumo.legal(state, kumo.actors(state)[0])
        arena, foes = state.arena, UPPER_OF[1 - (state.seat & 1)]
        found = []
        for step in steps:
            squares, only_foes = _taken(step)
            if squares and not any(
                arena[near] in foes if only_foes else arena[near] for near in squares
            ):
                continue
            found.append(step)
        return found

    def tries(self, state: State) -> Sequence[Step]:
        """List the steps that a win in the turn can begin with, as `reach.tries` says."""
        return reach.tries(state, self.legal(state))

    def after(self, state: State, step: Step) -> State:
        """Return the position after a step."""
        return kumo.apply(state, kumo.actors(state)[0], step)

    def key(self, state: State) -> object:
        """Return the position but for its options."""
        return (
            state.turn, state.used, state.turned, state.spent,
            state.drawn, state.arena, state.boards, state.prisons,
        )  # fmt: skip

    def has_won(self, state: State, side: int) -> bool:
        """Return whether that side has won."""
        return is_over(state) and self.value(state, side) >= WIN

    def finish(self, state: State) -> tuple[Step, ...]:  # noqa: ARG002
        """Return (): a win is not seen without a search."""
        return ()

    def hope(self, state: State) -> float | None:
        """Return how far the turn's side is from a win in it."""
        return reach.hope(state)

    def value(self, state: State, side: int) -> float:
        """Return what a side has, against what the other has."""
        if is_over(state):
            outcome = kumo.outcome(state)
            if not outcome or not outcome.winners:
                return 0.0
            return WIN if outcome.winners[0] % 2 == side else -WIN
        return self.worth(state, side)


GAME: Final = KumoGame(judge)  # as a thought values it


@cache  # of few texts
def _taken(step: Step) -> tuple[Sequence[int], bool]:
    """Return where somebody must be for a stance that is taken here: a foe, or anybody."""
    square, _, stance = step.removeprefix("+").partition("=")
    if stance in ("", "run", "kumo"):
        return (), False
    return NEAR[SQUARES.index(square)], stance != "jump"


def beginner(position: Position, rng: Random) -> Choice:
    """Make the step that looks best of those that are seen; jumps and grips are often not."""
    return turns.glance(KumoGame(glance), noticed(position, rng, _missed), rng)


def _missed(step: Step) -> float:
    """Return how likely a beginner overlooks a step."""
    verb = step.partition(":")[0] if ":" in step else step.partition("=")[1]
    return MISSED.get(verb, 0.15)


def easy(position: Position, rng: Random) -> Choice:
    """Make the step that looks best at once."""
    return turns.glance(KumoGame(glance), position, rng)


def think(position: Position, rng: Random, budget: Budget) -> Sequence[Line]:
    """Compare whole turns; compiled, if that is ready."""
    fit = fit_of("kumo", len(position.view.boards))
    if not is_ready(kumo.ID):
        return turns.think(GAME, position, rng, budget, PASSES, fit)
    from kumite.core.bots.kumo import ways  # late: compiled as they are loaded
    from kumite.core.bots.search import compiled

    return compiled.think(ways, GAME, position.view, rng, budget, PASSES, fit)
