"""How Kitsune is thought about: one tree over worlds that agree with all that was seen.

Both clans are a team each. A simulation looks as far as the next deal, and is scored by the
markers, the rounds won and the tokens held.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from kumite.core.bots.base import Choice, Line, Skill, noticed
from kumite.core.bots.chances import fit_of
from kumite.core.bots.fast import is_ready
from kumite.core.bots.kitsune.worlds import DRAWN, Known, known, world, worlds
from kumite.core.bots.kitsune.worth import value
from kumite.core.bots.search.ismcts import search
from kumite.core.game import CHANCE, Step
from kumite.core.games.kitsune import rules as kitsune
from kumite.core.games.kitsune.state import (
    ALL_CARDS,
    DEALS,
    Kind,
    State,
    cards_of,
    next_dealt,
    outside,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from kumite.core.bots.base import Budget, Position
    from kumite.core.bots.chances import Fit
    from kumite.core.game import Actor, Seat

__all__ = ["LEVELS", "MIXES", "beginner", "easy", "think", "worlds"]

LEVELS: Final = (
    *(Skill(lapses=1), Skill(), Skill(50, slips=0.25), Skill(90)),
    *(Skill(350, sharp=3), Skill(500), Skill(1700), Skill(6000)),
)
MIXES: Final = False
GLANCES: Final = 1  # worlds that `easy` looks at
AHEAD: Final = 0  # cards that a playout plays besides those of the trick it begins in
MISSED: Final = 0.4  # of `beginner`: how often a card is overlooked


@dataclass(frozen=True, slots=True)
class KitsuneGame:
    """Kitsune as a `SecretGame`, for one asking seat."""

    by: frozenset[Seat]

    def actor(self, state: State) -> Actor | None:
        """Return who acts; nobody once all cards are dealt anew: that is as far as one can see."""
        if is_far(state):
            return None
        actors = kitsune.actors(state)
        return actors[0] if actors else None

    def legal(self, state: State, actor: Actor, rng: Random) -> Sequence[Step]:
        """List the steps; of a deal one card, each equally likely."""
        if actor != CHANCE:
            return kitsune.legal(state, actor)
        if state.phase == "deal":
            return (DEALS[next_dealt(state)][_drawn(state, rng)],)
        steps = kitsune.legal(state, actor)
        return (steps[int(rng.random() * len(steps))],)

    def after(self, state: State, actor: Actor, step: Step) -> State:
        """Return the position after a step."""
        return kitsune.apply(state, actor, step)

    def seen(self, state: State, actor: Actor, step: Step) -> Step:
        """Return the step as the asking seat sees it."""
        return kitsune.seen(state, actor, step, self.by)

    def team(self, actor: Actor) -> int:
        """Return the clan of a seat."""
        return int(actor) % 2

    def playout(self, state: State, rng: Random) -> Sequence[float]:
        """Play some cards at random; the next trick's end at the latest is what is scored."""
        left = AHEAD
        while (actor := self.actor(state)) is not None:
            if left <= 0 and not state.cards.trick:
                break
            steps = self.legal(state, actor, rng)
            state = kitsune.apply(state, actor, steps[int(rng.random() * len(steps))])
            left -= actor != CHANCE
        score = value(state)
        return score, 1 - score


def is_far(state: State) -> bool:
    """Tell whether all cards are gathered for a new deal."""
    return (state.phase == "deal" and state.to_deal > DRAWN) or (
        state.phase == "lead" and state.chooser != CHANCE
    )


def _drawn(state: State, rng: Random) -> Kind:
    deck = list(cards_of(ALL_CARDS[state.table.seats] - outside(state.cards)))
    return deck[int(rng.random() * len(deck))]


def beginner(position: Position, rng: Random) -> Choice:
    """Do as `easy`, but overlook some of the cards."""
    return easy(noticed(position, rng, lambda _: MISSED), rng)


def easy(position: Position, rng: Random) -> Choice:
    """Take the step after which the trick, played on a few times at random, looks best."""
    game, knowledge = KitsuneGame(frozenset({position.seat})), known_at(position)
    clan = int(position.seat) % 2
    sums = dict.fromkeys(position.legal, 0.0)
    for _ in range(GLANCES):
        state = world(position.view, knowledge, rng)
        for step in position.legal:
            after = kitsune.apply(state, position.seat, step)
            while (actor := game.actor(after)) is not None and after.cards.trick:
                steps = game.legal(after, actor, rng)
                after = kitsune.apply(after, actor, steps[int(rng.random() * len(steps))])
            score = value(after)
            sums[step] += 1 - score if clan else score
    best = max(sums.values())
    return Choice(rng.choice([step for step, total in sums.items() if total == best]))


def think(position: Position, rng: Random, budget: Budget) -> Sequence[Line]:
    """Search over worlds that the view can be of; compiled, if that is ready."""
    fit, knowledge = fit_of("kitsune", position.view.table.seats), known_at(position)
    if not is_ready(kitsune.ID):
        return plain(position, knowledge, rng, budget, fit)
    from kumite.core.bots.kitsune import compiled  # late: compiled as it is loaded

    return compiled.think(position, knowledge, rng, budget, fit)


def plain(
    position: Position, knowledge: Known, rng: Random, budget: Budget, fit: Fit
) -> Sequence[Line]:
    """Search in plain Python."""
    game = KitsuneGame(frozenset({position.seat}))
    return search(game, position, lambda: world(position.view, knowledge, rng), rng, budget, fit)


def known_at(position: Position) -> Known:
    """Return what the seat that is asked knows of the hidden cards."""
    return known(position.view, position.seen, position.seat)
