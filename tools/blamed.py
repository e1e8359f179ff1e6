"""Count which steps are blamed rightly: `python -m kumite.tools.blamed kuzushi --matches 10`.

Matches of middle levels are judged as a replay's curve and a review judge them; then every choice is
looked at with twenty times the simulations, as a review looks again: the position, the one after
what was played, and the one after what was better. Blamed is what is said to have cost `LEAST` and
more; it is blamed rightly if the longer look sees that loss too, to within `NEAR`. Of the steps that
cost `LEAST` and more by the longer look, it counts how many are named at all.
"""

from __future__ import annotations

import argparse
from random import Random
from typing import TYPE_CHECKING, Final

from kumite.core import bots
from kumite.core.game import CHANCE, Seat, Setup
from kumite.core.games import find
from kumite.core.match import Match
from kumite.tui.bots import kernels
from kumite.tui.bots.advice import LEVEL
from kumite.tui.bots.evaluation import LEAST_SWING, PART, judgement
from kumite.tui.bots.review import AGAIN, Review

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from kumite.store.evaluations import Judged
    from kumite.tui.bots.looking import Question

PLAYERS: Final = ("easy", "3", "4", "medium")
LONGER: Final = 20  # times the simulations of a curve
LEAST: Final = LEAST_SWING
NEAR: Final = 0.05


def played(game_id: str, seats: int, number: int) -> Match:
    """Return a match between bots of middle levels."""
    game, rng = find(game_id), Random(f"blamed {game_id} {seats} {number}")
    match = Match.begin(Setup.of(game, seats))
    players = [bots.find(rng.choice(PLAYERS)) for _ in range(seats)]
    alone = [frozenset({Seat(seat)}) for seat in range(seats)]
    views = [Match.begin(match.setup, by) for by in alone]
    while match.actors:
        actor = match.actors[0]
        if actor == CHANCE:
            odds = match.odds()
            step = rng.choices(list(odds), [float(one) for one in odds.values()])[0]
        else:
            own = views[actor]
            where = bots.Position(game, own.state, actor, own.steps(), own.legal(actor))
            step = players[actor](where, rng, bots.Budget()).step
        views = [
            view.play(actor, game.seen(match.state, actor, step, by))
            for view, by in zip(views, alone, strict=True)
        ]
        match = match.play(actor, step)
    return match


def judged(position: bots.Position, seed: str, simulations: int) -> Judged:
    """Return what `strong` says of a position."""
    choice = bots.find(LEVEL)(position, Random(seed), bots.Budget(simulations))
    return judgement(choice, position.seat, is_mixed=bots.mixes(position.game))


def look(review: Review, at: int, simulations: int) -> float:
    """Return what a choice has cost by a look with so many simulations."""
    looking: Generator[Question, Judged, None] = review.look(at)
    try:
        asked = next(looking)
        while True:
            asked = looking.send(judged(asked.position, asked.seed, simulations))
    except StopIteration:
        return review.again.pop(at).lost


def told(match: Match) -> tuple[list[tuple[float, float, float]], list[tuple[float, float]]]:
    """Return what each choice has cost: by the curve, looked at again, and by the longer look.

    And the same of each swing of the curve: its size, and what the longer look says of the step.
    """
    review = Review(match, None, frozenset())
    for values in review.values:
        for number in values.left:
            position, seed = values.position(number), values.seed(number)
            values.judged[number] = judged(position, seed, values.simulations)
    short = review.simulations // PART
    again = {at: look(review, at, review.simulations) for at in review.suspects}
    rows = []
    for at, one in enumerate(review.chosen):
        rows.append((one.lost, again.get(at, one.lost), look(review, at, LONGER * short)))
    place = {(one.number, one.seat): at for at, one in enumerate(review.chosen)}
    swings = [
        (-swing.change, rows[place[swing.number - 1, swing.seat]][2])
        for values in review.values
        for swing in values.swings()
        if swing.change < 0 and (swing.number - 1, swing.seat) in place
    ]
    return rows, swings


def counted(pairs: Sequence[tuple[float, float]]) -> str:
    """Return how many are blamed, rightly; and how many were to be, of these named."""
    blamed = [(said, true) for said, true in pairs if said >= LEAST]
    rightly = sum(true >= said - NEAR for said, true in blamed)
    lost = sum(true >= LEAST for _, true in blamed)
    costly = [said for said, true in pairs if true >= LEAST]
    named = sum(said >= LEAST for said in costly)
    nearly = sum(said >= LEAST / 2 for said in costly)
    return (f"blamed {len(blamed)}, as much {rightly}, {LEAST:.0%} and more {lost}; "
            f"costly {len(costly)}, blamed {named}, at least half {nearly}")  # fmt: skip


def main() -> None:
    """Play matches, judge them, and print what was blamed rightly."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="+")
    parser.add_argument("--matches", type=int, default=10)
    parser.add_argument("--first", type=int, default=1)
    given = parser.parse_args()
    for game_id in given.games:
        kernels.load_for(game_id, ["strong"])
        rows: list[tuple[float, float, float]] = []
        swings: list[tuple[float, float]] = []
        for number in range(given.first, given.first + given.matches):
            found = told(played(game_id, 2, number))
            rows += found[0]
            swings += found[1]
        print(f"{game_id}: {given.matches} matches, {len(rows)} choices")
        print("  curve's swings:", counted(swings))
        print("  siblings      :", counted([row[::2] for row in rows]))
        print(f"  looked again ({AGAIN}):", counted([row[1:] for row in rows]), flush=True)


if __name__ == "__main__":
    main()
