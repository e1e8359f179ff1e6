"""The solution of Kiri-ai at a position: a mixed strategy from the book or from the table.

The first rounds are in the book (book.py); later strategies are computed from the table of values
(table.py). Both are made by tools/solve_kiriai.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from operator import mul
from typing import TYPE_CHECKING

from kumite.core.bots.base import Budget, Line, Position, chance
from kumite.core.bots.chances import fit_of
from kumite.core.game import HOLE, Seat, Step
from kumite.core.games.kiriai.action import CARD, SPECIALS
from kumite.core.games.kiriai.bot import book
from kumite.core.games.kiriai.bot.table import (
    FINE_ITERATIONS,
    FINE_TOLERANCE,
    ITERATIONS,
    Duel,
    Matrix,
    aside_number,
    base,
    geometry,
    matrix,
    mixture,
    plans,
    slot_of,
    values,
)
from kumite.core.games.kiriai.state import NAMES, SPACES, STARTS, State

if TYPE_CHECKING:
    from random import Random


def solve(position: Position, budget: Budget) -> tuple[list[Matrix], list[float]] | None:
    """Return a matrix for each special that the opponent may hold, and the strategy by legal step.

    Return None if interrupted before there was one.
    """

    def is_over() -> bool:
        return budget.is_spent(0)

    matrices: list[Matrix] = []
    to_come = matrices_of(position)
    while not is_over():
        one = next(to_come, None)
        if one is None:
            is_spent = all(side.spent for side in position.view.sides)
            limits = (FINE_ITERATIONS, FINE_TOLERANCE) if is_spent else (ITERATIONS, 0.0)
            return matrices, booked(position) or mixture(matrices, *limits, is_over)[0]
        matrices.append(one)
    return None


def drawn(
    position: Position, matrices: Sequence[Matrix], x: Sequence[float], rng: Random
) -> Sequence[Line]:
    """Return a strategy as lines: the first one is drawn, the others follow by share."""
    scores = _chances(position, _scores(matrices, x), x)
    lines = [
        Line(step, value, share)
        for step, value, share in zip(position.legal, scores, x, strict=True)
    ]
    first = rng.choices(lines, x)[0]
    rest = sorted((one for one in lines if one != first), key=lambda one: -one.share)
    return [first, *rest]


def duel(view: State, seat: Seat) -> Duel:
    """Return the position as seen by `seat`, mirrored so that it comes from the left."""
    mine, theirs = view.sides[seat], view.sides[1 - seat]
    spaces = (mine.space, theirs.space)
    if seat == 1:
        last = SPACES[view.field]
        spaces = (last + 1 - mine.space, last + 1 - theirs.space)
    return Duel(
        spaces,
        (mine.stance, theirs.stance),
        (mine.wounds, theirs.wounds),
        (mine.aside, theirs.aside),
        "" if mine.spent else mine.special,
        "" if theirs.spent else HOLE,
        mine.special if mine.spent else "",
    )


def booked(position: Position) -> list[float]:
    view, seat = position.view, position.seat
    way = _way(position)
    if way is None or any(side.spent for side in view.sides):
        return []
    last, special = SPACES[view.field], SPECIALS.index(view.sides[seat].special)
    x = book.shares(last, way, special, len(position.legal))
    if view.phase == "start" and x:  # the book has starts as seen by the player from the left
        return [x[_start_number(last, seat, step)] for step in position.legal]
    return x


def _way(position: Position) -> list[tuple[int, int]] | None:
    """Return the plans shown since the start, mine first, in the book's numbering.

    Return None if the match did not begin at the start position, or a special has been shown.
    """
    view, seat = position.view, position.seat
    way, asides, first = [], ["", ""], ["", ""]
    deals = 0
    for played in position.seen:
        kind, _, both = played.step.partition(":")
        if kind in NAMES:
            deals += 1
        faces = both.split("/")[:: 1 if seat == 0 else -1]
        if kind == "start":
            last = SPACES[view.field]
            here = (_start_number(last, seat, faces[0]), _start_number(last, 1 - seat, faces[1]))
            way.append(here)
        elif kind == "first":
            first = faces
        elif kind == "second":
            shown = list(zip(first, faces, strict=True))
            if any(face in SPECIALS for plan in shown for face in plan):
                return None
            mine, theirs = (
                plans(aside, "").index(plan) for aside, plan in zip(asides, shown, strict=True)
            )
            way.append((mine, theirs))
            asides = [CARD[face] for face in faces]
    rounds = len(way) - (view.field == "advanced" and view.phase != "start")
    return way if deals == len(NAMES) and rounds == max(0, view.round - 1) else None


def _start_number(last: int, seat: int, start: str) -> int:
    """Return the index of a start among those of its seat, seen from its own end."""
    space = int(start[0]) if seat == 0 else last + 1 - int(start[0])
    return STARTS[0].index(Step(f"{space}{start[1:]}"))


def _scores(matrices: Sequence[Matrix], x: Sequence[float]) -> list[float]:
    """Return the score of each of my plans, 0 to 1, against the best response to the strategy."""
    scores = [0.0] * len(x)
    for one in matrices:
        columns = list(zip(*one, strict=True))
        costs = [sum(map(mul, column, x)) for column in columns]
        answer = costs.index(min(costs))
        scores = [score + row[answer] for score, row in zip(scores, one, strict=True)]
    return [0.5 + score / (2 * len(matrices)) for score in scores]


def _chances(position: Position, scores: Sequence[float], x: Sequence[float]) -> Sequence[float]:
    """Return the win probability of each plan, keeping the differences between their scores.

    The scores are guaranteed against an opponent who knows what I hold. If that is not the case,
    they are shifted so that the strategy's value is calibrated (chances.py).
    """
    whole = sum(map(mul, scores, x))
    if is_exact(position) or whole in (0.0, 1.0):
        return scores
    more = fit_of("kiriai", 2).chance(whole) - whole
    return [chance(score + more) for score in scores]


def is_exact(position: Position) -> bool:
    """Return whether scores are exact, because I know everything the opponent holds."""
    return bool(position.view.sides[1 - position.seat].special != HOLE)


def matrices_of(position: Position) -> Iterator[Matrix]:
    """Yield a matrix for each special that the opponent may hold; rows are the legal steps."""
    view, seat = position.view, position.seat
    last = SPACES[view.field]
    if view.phase == "start":
        for card in SPECIALS:
            if card != view.sides[seat].special:
                yield _start_matrix(position, last, card)
        return
    here = duel(view, seat)
    assert [",".join(plan) for plan in plans(here.asides[0], here.mine)] == list(position.legal)
    known = here.mine or here.played
    for card in [one for one in SPECIALS if one != known] if here.theirs else [""]:
        yield _round_matrix(last, view.rounds - view.round + 1, here._replace(theirs=card))


@lru_cache(maxsize=4)
def _round_matrix(last: int, rounds_left: int, here: Duel) -> Matrix:
    """Return the matrix of a round, cached because an interrupted bot looks it up again."""
    is_spent = not here.mine and not here.theirs
    mine, theirs = plans(here.asides[0], here.mine), plans(here.asides[1], here.theirs)
    return matrix(last, here, mine, theirs, values(last, rounds_left, is_spent=is_spent))


def _start_matrix(position: Position, last: int, theirs: str) -> Matrix:
    view, seat = position.view, position.seat
    slot = slot_of(view.sides[seat].special, theirs, "")
    scores = values(last, view.rounds + 1, is_spent=False)[slot]
    nothing = (aside_number(""), aside_number(""))
    return [
        [scores[base(_ground(last, seat, one, two), (0, 0), nothing)] for two in STARTS[1 - seat]]
        for one in position.legal
    ]


def _ground(last: int, seat: int, mine: str, theirs: str) -> int:
    spaces = [int(mine[0]), int(theirs[0])]
    if seat == 1:
        spaces = [last + 1 - space for space in spaces]
    return geometry(last, (spaces[0], spaces[1]), (mine[2:], theirs[2:]))
