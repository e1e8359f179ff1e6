"""How far a clan of Kitsu! is from winning in its turn: what its pieces can capture at all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from kumite.core.game import Step
from kumite.core.games.kitsu import rules as kitsu
from kumite.core.games.kitsu.board import (
    BESIDE,
    LANDINGS,
    LINES,
    NAMES,
    NOWHERE,
    OPEN,
    RAYS,
    squares_of,
)
from kumite.core.games.kitsu.position import FOX, SAMURAI, TO_WIN

if TYPE_CHECKING:
    from kumite.core.games.kitsu.position import State

Goals: TypeAlias = tuple[tuple[int, int], ...]
"""By way to win: how many captures it lacks, and the set of squares with the pieces for it."""

# Of what is between a position and a win, as if of moves.
CAPTURE: Final = 1.0  # one that is still missing
BEYOND: Final = 0.7  # one of them that no piece can make in its next move
MADE: Final = 0.25  # a move that has been made: short ways are looked for first


def goals_of(state: State) -> Goals:
    """Return the ways to win by captures: four Samurai, four Foxes, or all that there are."""
    own, foe = state.clans[state.seat], state.clans[1 - state.seat].board
    samurai = foe & state.samurai
    return (
        (TO_WIN - own.taken[SAMURAI], samurai),
        (TO_WIN - own.taken[FOX], foe ^ samurai),
        (foe.bit_count(), foe),
    )


def hope(state: State) -> float | None:
    """Return about how far the turn's clan is from winning in this turn; None: out of reach.

    That is so in the last season unless all that waits can be placed, since `finish` finds what a
    single move can capture.
    """
    clan, left = state.clans[state.seat], len(state.seasons)
    is_moving = state.at != NOWHERE
    waiting = sum(clan.hand) + sum(clan.spirit)
    if left < 2 - is_moving and waiting > left:
        return None
    goals = goals_of(state)
    reached = 0 if is_moving else _reached(state)
    beyond = min([lack - (reached & pieces).bit_count() for lack, pieces in goals])
    lacks = min([lack for lack, _ in goals])
    return MADE * (4 - left) + CAPTURE * lacks + BEYOND * max(0, beyond)


def _reached(state: State) -> int:
    """Return the squares that slides with a capture, and leaps with all their pounces, come to."""
    friends = state.clans[state.seat].board
    ready, pieces, reached = friends & OPEN[state.seasons], state.pieces, 0
    for square in squares_of(ready & state.samurai):
        reached |= _slides_to(square, pieces)
    foxes = ready & ~state.samurai
    return reached | _leaped(state, friends, foxes) if foxes else reached


def _slides_to(square: int, pieces: int) -> int:
    """Return the set of pieces that a Samurai can slide to."""
    rising, falling = LINES[square]
    reached = 0
    if pieces & (rising | falling):
        for ray in RAYS[square]:
            for one in ray:
                if pieces >> one & 1:
                    reached |= 1 << one
                    break
    return reached


def _leaped(state: State, friends: int, foxes: int) -> int:
    """Return the squares that Foxes can come to in one move if they pounce as often as they can."""
    beside = BESIDE[state.variant.adjacent]
    stations = 0  # where it may pounce from: beside a friend
    for square in squares_of(friends & ~state.used):
        stations |= beside[square]
    reached, new = 0, foxes
    done = foxes
    while new:
        for square in squares_of(new):
            reached |= LANDINGS[square]
        new = reached & stations & ~done
        done |= new
    return reached


# --- A win by one move ------------------------------------------------------------------------


def finish(state: State) -> tuple[Step, ...]:
    """Return the steps of one move, or of the rest of one, that wins by its captures; () if none.

    Nobody is flipped before such a move ends, so squares are all that counts.
    """
    goals, friends = goals_of(state), state.clans[state.seat].board
    if state.at != NOWHERE:
        if state.samurai >> state.at & 1 or not state.unused:
            return ()
        return _chained(state, goals, friends, state.at)
    ready = friends & OPEN[state.seasons]
    wanted = 0
    for lack, pieces in goals:
        wanted |= pieces if lack == 1 else 0
    if wanted:
        for square in squares_of(ready & state.samurai):
            if hit := _slides_to(square, state.pieces) & wanted:
                return (_capture(square, (hit & -hit).bit_length() - 1),)
    foxes = ready & ~state.samurai
    if not foxes or not _is_enough(_leaped(state, friends, foxes), goals):
        return ()
    for square in squares_of(foxes):
        if steps := _chained(state, goals, friends, square):
            return steps
    return ()


def _capture(origin: int, target: int) -> Step:
    return Step(f"{NAMES[origin]}x{NAMES[target]}")


def _is_enough(reached: int, goals: Goals) -> bool:
    """Return whether so many of the pieces for a win stand on these squares."""
    return any((reached & pieces).bit_count() >= lack for lack, pieces in goals)


def _chained(state: State, goals: Goals, friends: int, fox: int) -> tuple[Step, ...]:
    """Return the steps with which this Fox wins, () if it does not."""
    if not _is_enough(_leaped(state, friends, 1 << fox), goals):
        return ()
    chain = Chain(goals, BESIDE[state.variant.adjacent], set())
    landings = chain.search(fox, friends ^ 1 << fox, 0, state.used, is_first=state.at == NOWHERE)
    return _told(state, fox, landings) if landings else ()


@dataclass(frozen=True, slots=True)
class Chain:
    """A leap and its pounces, on nothing but sets of squares."""

    goals: Goals
    beside: tuple[int, ...]
    seen: set[tuple[int, int, int, int]]

    def search(
        self, fox: int, friends: int, taken: int, used: int, *, is_first: bool
    ) -> tuple[int, ...]:
        """Return where the Fox lands until it has won, () if it cannot from here."""
        if not is_first:
            used |= self.beside[fox] & friends
        foes = self.goals[-1][1] & ~taken
        landings = LANDINGS[fox]
        for targets in (landings & foes, landings & ~foes):
            for target in squares_of(targets):
                bit = 1 << target
                now = taken | bit & foes
                if now != taken and self.is_won(now):
                    return (target,)
                left = friends & ~bit
                if not self.beside[target] & left & ~used:
                    continue
                key = (target, left, now, used)
                if key not in self.seen:
                    self.seen.add(key)
                    if then := self.search(target, left, now, used & left, is_first=False):
                        return (target, *then)
        return ()

    def is_won(self, taken: int) -> bool:
        """Return whether these captures are enough."""
        return _is_enough(taken, self.goals)


def _told(state: State, fox: int, landings: tuple[int, ...]) -> tuple[Step, ...]:
    """Return the steps of a chain: what is owed for crossing seasons is taken on the way."""
    steps: list[Step] = []
    for target in landings:
        while state.phase == "take":
            steps.append(kitsu.legal(state, state.seat)[0])
            state = kitsu.apply(state, state.seat, steps[-1])
        captures = "x" if state.pieces >> target & 1 else ""
        mark = ">" if state.at != NOWHERE else "" if captures else "-"
        steps.append(Step(f"{NAMES[fox]}{mark}{captures}{NAMES[target]}"))
        state, fox = kitsu.apply(state, state.seat, steps[-1]), target
    return tuple(steps)
