"""Measure whether hints can be trusted: `python -m kumite.tools.advice_measured kitsu`.

Positions are drawn from matches between low levels, the first choices included. Each gets a hint
with SEEDS seeds, a review of a match in which the hint was followed, and a search `longer` times
as long as the hint's. Shipped judgements are used as in the program; evaluations are not shared
between hints and review, and a review does not know which step was advised. Simulations are those
of plain Python; `--times 30` are those of compiled loops in Kitsu! and Kumo.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from random import Random
from typing import Any, Final

import click

from kumite.core import bots
from kumite.core.game import Seat, Step
from kumite.core.match import Match
from kumite.tools.blamed import played
from kumite.tui.bots import kernels
from kumite.tui.bots.advice import LEVEL, asked_seat
from kumite.tui.bots.evaluation import question, simulations_of
from kumite.tui.bots.judging import HINT, Judge
from kumite.tui.bots.review import MARKED, Review
from kumite.tui.bots.service import BotService

SEEDS: Final = 5
FIRST: Final = 2  # choices of each match that are always drawn,
OTHERS: Final = 6  # and choices drawn by chance
NEAR: Final = 0.05  # of winning chance
FAR: Final = 0.15


class Here(BotService):
    """The bots, without a process."""

    async def choose(self, who: str, position: bots.Position, **given: Any) -> bots.Choice:
        return bots.find(who)(position, Random(given["seed"]), bots.Budget(given["simulations"]))


def choices(game_id: str, number: int) -> Iterator[tuple[Match, Seat, int]]:
    """Yield choices of a match between low levels, with the simulations of its review."""
    match = played(game_id, 2, number)
    asked = [(one, asked_seat(one, None)) for one in match.line()]
    found = [(one, seat) for one, seat in asked if seat is not None and len(one.legal(seat)) > 1]
    rest = found[FIRST:]
    drawn = Random(f"advice {number}").sample(rest, min(OTHERS, len(rest)))
    for one, seat in found[:FIRST] + drawn:
        yield one, seat, simulations_of(match)


async def lost(
    match: Match, seat: Seat, step: Step, simulations: int, by: Judge
) -> tuple[float, float]:
    """Return the loss that a review names for a step, and the whole loss that it found."""
    if step == (await by.look(question(match, seat), simulations)).step:
        return 0.0, 0.0
    review = Review(match.play(seat, step), None, frozenset(), simulations)
    for values in review.values:
        for number in {match.number, match.number + 1} & set(values.left):
            values.judged[number] = await by.look(values.question(number), simulations)
    review.learn()
    places = [one.place for one in review.chosen]
    at = places.index((match.number, seat))
    if at in review.suspects:
        await by.answered(review.look(at), simulations)
    named = review.losses(seat)[-1]
    return named, review.again[places[at]].lost if places[at] in review.again else named


async def measured(match: Match, seat: Seat, hint: int, review: int, long: int) -> list[Any]:
    """Return (step, loss by the review, loss by a long search, change of the value) by seed."""
    asked, reviewing, thinking = question(match, seat), Judge(Here()), Judge(Here())
    rows = []
    for seed in range(SEEDS):
        told = await Judge(Here()).look(asked._replace(seed=f"{asked.seed} {seed}"), hint)
        at = await reviewing.look(asked, review)
        change = abs((told.value or 0.0) - (at.value or 0.0))
        blame, _ = await lost(match, seat, told.step, review, reviewing)
        _, true = await lost(match, seat, told.step, long, thinking)
        rows.append((told.step, round(blame, 2), round(true, 2), round(change, 2)))
    return rows


@click.command(help=__doc__)
@click.argument("game")
@click.option("--positions", default=200)
@click.option("--first", "number", default=1, help="number of the first match")
@click.option("--times", default=1)
@click.option("--longer", default=50)
def main(game: str, positions: int, number: int, times: int, longer: int) -> None:
    kernels.load_for(game, [LEVEL])
    hint = round(HINT * times * bots.usual(LEVEL, game))
    rows: list[Any] = []
    while len(rows) < SEEDS * positions:
        for match, seat, review in choices(game, number):
            new = asyncio.run(measured(match, seat, hint, times * review, longer * hint))
            rows += new
            if any(one[1] >= MARKED or one[2] > NEAR or one[3] > FAR for one in new):
                print(f"match {number}, step {match.number}:", *new, flush=True)
        number += 1
        costly, close, alike = (
            sum(one[1] >= MARKED for one in rows),
            sum(one[2] <= NEAR for one in rows),
            sum(one[3] <= FAR for one in rows),
        )
        print(f"{game}: {len(rows)} hints, {costly} costly by the review, {close} near the "
              f"best, {alike} with a value like the review's", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
