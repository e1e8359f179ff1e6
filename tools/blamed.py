"""Measure how reliably reviews mark mistakes: `python -m kumite.tools.blamed kuzushi`.

Matches between medium levels are judged as for a replay's curve, and suspect steps are searched
again as in a review. Then every choice is searched with twenty times the simulations: the position,
the one after the step played, and the one after the better step. A step is blamed if its loss is
said to be at least `MARKED`, and rightly if the longer search agrees to within `NEAR`. The tool
also counts how many of the steps that are costly by the longer search were found. Simulations are
those of plain Python; `--times 10` matches compiled loops.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

import click

from kumite.core import bots
from kumite.core.game import Setup
from kumite.core.games import find
from kumite.core.match import Match
from kumite.store.evaluations import Judged
from kumite.tools.bot_matches import positions
from kumite.tui.bots import kernels
from kumite.tui.bots.advice import LEVEL
from kumite.tui.bots.evaluation import Question, judgement, simulations_of
from kumite.tui.bots.judging import follow
from kumite.tui.bots.review import LEAST, MARKED, Review, Turning

PLAYERS: Final = ("easy", "3", "4", "medium")
NEAR: Final = 0.05


def played(game_id: str, seats: int, number: int) -> Match:
    """Play a match between medium levels."""
    rng = Random(f"blamed {game_id} {seats} {number}")
    players = [bots.find(rng.choice(PLAYERS)) for _ in range(seats)]
    *_, (match, _) = positions(Match.begin(Setup.of(find(game_id), seats)), players, rng)
    return match


def judged(position: bots.Position, seed: str, simulations: int) -> Judged:
    """Return the judgement of `strong` on a position."""
    choice = bots.find(LEVEL)(position, Random(seed), bots.Budget(simulations))
    return judgement(choice, position.seat, simulations, is_mixed=bots.mixes(position.game))


def look(review: Review, at: int, simulations: int, kept: dict[str, Judged]) -> Turning:
    """Return the cost of a choice at this number of simulations; `kept` caches the judgements."""

    def answer(asked: Question) -> Judged:
        if asked.key not in kept:
            kept[asked.key] = judged(asked.position, asked.seed, simulations)
        return kept[asked.key]

    follow(review.look(at), answer)
    return review.again.pop(review.chosen[at].place)


def told(match: Match, times: int, longer: int) -> list[tuple[float, float, float]]:
    """Return (loss, loss when searched again or 0, loss by the longer search) for each choice.

    The first search takes `times` the simulations of plain Python, and the long one `longer` times
    that.
    """
    review = Review(match, None, frozenset(), times * simulations_of(match))
    kept: dict[str, Judged] = {}
    for values in review.values:
        for number in values.left:
            key, position, seed, _ = values.question(number)
            kept[key] = values.judged[number] = judged(position, seed, values.simulations)
    again = {at: look(review, at, review.simulations, kept).told.lost for at in review.suspects}
    slow: dict[str, Judged] = {}
    return [
        (one.lost, again.get(at, 0.0), look(review, at, longer * review.simulations, slow).lost)
        for at, one in enumerate(review.chosen)
    ]


def counted(pairs: Sequence[tuple[float, float]]) -> str:
    """Summarize how many steps were blamed, rightly blamed, and how many costly ones named."""
    blamed = [(said, true) for said, true in pairs if said >= MARKED]
    rightly = sum(true >= said - NEAR for said, true in blamed)
    costly = [said for said, true in pairs if true >= MARKED]
    named, graded = (sum(said >= least for said in costly) for least in (MARKED, LEAST))
    return (f"blamed {len(blamed)}, rightly {rightly}; "
            f"costly {len(costly)}, blamed {named}, or named an inaccuracy {graded}")  # fmt: skip


@click.command(help=__doc__)
@click.argument("games", nargs=-1, required=True)
@click.option("--matches", default=10)
@click.option("--first", default=1)
@click.option("--times", default=1)
@click.option("--longer", default=20)
def main(games: tuple[str, ...], matches: int, first: int, times: int, longer: int) -> None:
    for game_id in games:
        kernels.load_for(game_id, ["strong"])
        rows: list[tuple[float, float, float]] = []
        for number in range(first, first + matches):
            rows += told(played(game_id, 2, number), times, longer)
        print(f"{game_id}: {matches} matches, {len(rows)} choices")
        print("  at first look:", counted([row[::2] for row in rows]))
        print("  looked again: ", counted([row[1:] for row in rows]), flush=True)


if __name__ == "__main__":
    main()
