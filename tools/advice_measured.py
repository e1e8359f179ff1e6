"""Measure whether hints can be trusted: `python -m kumite.tools.advice_measured kitsu`.

Positions are drawn from matches between low levels, the first choices included, each position once.
Each gets hints in SEEDS matches that differ in the seeds of all searches. The hint is followed, and
that match reviewed twice: as by the program that gave the hint, with the evaluations that it kept,
and by another program, which has kept none and searches with other seeds. The step is judged by
searches `longer` times as long as a short hint's: the loss is the value after the best step minus
the value after this one. Shipped judgements are used as in the program. Simulations are those of
plain Python; `--times 30` are those of compiled loops in Kitsu! and Kumo.

`--quoted 20` draws that many of the positions instead, and prints their hints as a table.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from itertools import count, islice
from random import Random
from typing import Any, Final, NamedTuple

import click

from kumite.core import bots
from kumite.core.game import Seat, Step
from kumite.core.games import find
from kumite.core.match import Match
from kumite.core.players import named
from kumite.tools.blamed import played
from kumite.tui import scenes
from kumite.tui.bots import kernels
from kumite.tui.bots.advice import LEVEL, asked_seat, is_clear
from kumite.tui.bots.evaluation import question, simulations_of
from kumite.tui.bots.judging import HINT, LONGEST, Judge, hint, look_ahead, recall
from kumite.tui.bots.looking import worth_after
from kumite.tui.bots.review import MARKED, Review
from kumite.tui.bots.service import BotService
from kumite.tui.play import explained
from kumite.tui.scenes.lines import capital

SEEDS: Final = 5
FIRST: Final = 2  # choices of each match that are always drawn,
OTHERS: Final = 6  # and choices drawn by chance
NEAR: Final = 0.05  # of winning chance
FAR: Final = 0.15
NAMES: Final = ("ada", "bob")
HEAD: Final = "\n## {}\n\n| position | hint | reason |\n| --- | --- | --- |"


class Here(BotService):
    """The bots, without a process, in one of several matches with the same steps."""

    def __init__(self, number: str) -> None:
        super().__init__()
        self.number = number

    async def choose(self, who: str, position: bots.Position, **given: Any) -> bots.Choice:
        """Think for a number of simulations; half of them are enough for a clear hint."""
        most: int | None = given.get("simulations")
        found, clear = list[bots.Choice](), list[int]()

        def told(stage: float, choice: bots.Choice) -> None:
            clear.extend(round(stage) for one in found if is_clear(choice, one))
            found.append(choice)

        rng = Random(f"{given['seed']} {self.number}")
        if most is None:
            return bots.find(who)(position, rng, bots.Budget())
        enough = most * HINT / LONGEST
        watch = bots.Watch([enough / 2, enough, most], told) if given.get("early") else None
        choice = bots.find(who)(position, rng, bots.Budget(most, lambda: bool(clear), watch))
        return replace(choice, looked=clear[0]) if clear else choice


class Row(NamedTuple):
    """A hint: its step, what this costs by three judges, and how far its value is from theirs."""

    step: Step
    kept: float  # loss by the review that has kept the hint,
    other: float  # by another program's review,
    true: float  # and by the long search
    change: float  # of the value, from the hint to the review that has kept it,
    others: float  # and to the other one
    is_late: bool  # whether it took LONGEST seconds


def choices(game_id: str, number: int, seen: set[str]) -> Iterator[tuple[Match, Seat, int]]:
    """Yield choices of a match between low levels, with the simulations of its review.

    Positions in `seen` are left out, and the others added.
    """
    match = played(game_id, 2, number)
    asked = [(one, asked_seat(one, None)) for one in match.line()]
    found = [(one, seat) for one, seat in asked if seat is not None and len(one.legal(seat)) > 1]
    rest = found[FIRST:]
    drawn = Random(f"advice {number}").sample(rest, min(OTHERS, len(rest)))
    for one, seat in found[:FIRST] + drawn:
        key = f"{seat} {match.game.text(bots.Position.of(one, seat).view)}"
        if key not in seen:
            seen.add(key)
            yield one, seat, simulations_of(match)


async def reviewed(
    match: Match, seat: Seat, step: Step, simulations: int, judge: Judge
) -> tuple[float, float]:
    """Return the loss of a step by a review, and the value of the position before it."""
    review = Review(match.play(seat, step), None, frozenset(), simulations)
    for values in review.values:
        recall(values, judge)
        for number in {match.number, match.number + 1} & set(values.left):
            values.judged[number] = await judge.look(values.question(number), simulations)
    review.learn()
    at = [one.place for one in review.chosen].index((match.number, seat))
    if at in review.suspects:
        await judge.answered(review.look(at), simulations)
    known = judge.known(question(match, seat))
    return review.losses(seat)[-1], (known and known.value) or 0.0


async def lost(match: Match, seat: Seat, step: Step, simulations: int, judge: Judge) -> float:
    """Return what a step loses by two searches of this length, with no benefit of doubt."""
    best = await judge.look(question(match, seat), simulations)
    if step == best.step or best.value is None:
        return 0.0
    had, left = best.value, best.worth(step) or 0.0
    if match.game.SECRETS is None:
        both = [worth_after(match, seat, one) for one in (best.step, step)]
        better, after = [(await judge.answered(one, simulations)).value for one in both]
        assert better is not None
        assert after is not None
        had, left = better, after
    return max(0.0, had - left)


async def measured(match: Match, seat: Seat, second: int, review: int, long: int) -> list[Row]:
    rows, thinking, asked = list[Row](), Judge(Here("long")), question(match, seat)
    for seed in range(SEEDS):
        judge = Judge(Here(f"{seed}"))
        told = judge.advised(match, seat, await hint(judge, match, seat, second))
        known = judge.known(asked)
        looked = 0 if known is None or told.value == 1.0 else known.looked
        is_late = HINT * second < looked <= LONGEST * second
        mine, value = await reviewed(match, seat, told.step, review, judge)
        other, its = await reviewed(match, seat, told.step, review, Judge(Here(f"other {seed}")))
        true = await lost(match, seat, told.step, long, thinking) if long else 0.0
        changes = [abs((told.value or 0.0) - one) for one in (value, its)]
        mine, other, true, change, others = (round(one, 3) for one in (mine, other, true, *changes))
        rows.append(Row(told.step, mine, other, true, change, others, is_late))
    return rows


async def quoted(number: int, match: Match, seat: Seat, second: int) -> str:
    """Return a hint as a row of a table: where, the step in words, and all that is told of it."""
    seen, judge = match.seen_by(frozenset({seat})), Judge(Here("0"))
    choice = judge.advised(seen, seat, await hint(judge, seen, seat, second))
    ahead = await look_ahead(judge, seen, seat, choice)
    step = named(scenes.maker(seen).order(seen.state, seat, choice.step), NAMES)
    told = explained.points(seen, seat, choice, ahead, NAMES)
    why = "<br>".join(f"*{one.head}:* {one.text}" for one in told)
    where = f"match {number}, step {match.number + 1}, {NAMES[seat]}"
    return f"| {where} | {capital(step, NAMES)} | {why} |"


def is_bad(one: Row) -> bool:
    costs = max(one.kept, one.other) >= MARKED
    return costs or one.true > NEAR or max(one.change, one.others) > FAR


@click.command(help=__doc__)
@click.argument("game")
@click.option("--positions", default=200)
@click.option("--first", "number", default=1, help="number of the first match")
@click.option("--times", default=1)
@click.option("--longer", default=50, help="0: no long search")
@click.option("--quoted", "some", default=0, help="print the hints of so many positions")
def main(game: str, positions: int, number: int, times: int, longer: int, some: int) -> None:
    kernels.load_for(game, [LEVEL])
    second = times * bots.usual(LEVEL, game)
    long = longer * round(HINT * second)
    rows, seen = list[Row](), set[str]()
    if some:
        found = ((of, *one) for of in count(number) for one in choices(game, of, seen))
        drawn = Random(f"quoted {game}").sample([*enumerate(islice(found, positions))], some)
        print(HEAD.format(find(game).TITLE))
        for _, (of, match, seat, _) in sorted(drawn):
            print(asyncio.run(quoted(of, match, seat, second)), flush=True)
        return
    while len(rows) < SEEDS * positions:
        for match, seat, review in choices(game, number, seen):
            new = asyncio.run(measured(match, seat, second, times * review, long))
            rows += new
            if any(map(is_bad, new)):
                print(f"match {number}, step {match.number}:", *map(tuple, new), flush=True)
        counts = {
            "costly by the review": sum(one.kept >= MARKED for one in rows),
            "by another program's": sum(one.other >= MARKED for one in rows),
            "near the best": sum(one.true <= NEAR for one in rows),
            "value like the review's": sum(one.change <= FAR for one in rows),
            "like the other's": sum(one.others <= FAR for one in rows),
            "late": sum(one.is_late for one in rows),
        }
        said = ", ".join(f"{what} {count}" for what, count in counts.items())
        print(f"{game}, to match {number}: {len(rows)} hints; {said}", flush=True)
        number += 1


if __name__ == "__main__":
    main()
