"""Matches between bots, and what they tell: `python -m tui.bench.arena GAME BOT BOT`.

Two bots (or two teams of one bot each) meet; seats are rotated, and match n has the seed n, so that
a table can be played again, one match at a time or many.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING, Final

import click

from core import bots
from core.game import CHANCE, Seat, Setup
from core.games import find
from core.match import Match
from tui.keyboard import Follower

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.game import Outcome

SURE: Final = 1.96  # standard errors: 95 % confidence


@dataclass(slots=True)
class Score:
    """What the first bot made of its matches against the second."""

    matches: int = 0
    won: int = 0
    lost: int = 0
    seconds: float = 0.0  # of thought of the first bot
    choices: int = 0  # of the first bot

    @property
    def rate(self) -> float:
        """Return the share of points: a draw is half a win."""
        return (self.won + (self.matches - self.won - self.lost) / 2) / max(1, self.matches)

    @property
    def interval(self) -> tuple[float, float]:
        """Return the Wilson interval of the rate, 95 %."""
        n, p, z = max(1, self.matches), self.rate, SURE
        middle = (p + z * z / (2 * n)) / (1 + z * z / n)
        half = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
        return middle - half, middle + half


def play(
    setup: Setup, names: Sequence[str], seed: int, budget: bots.Budget
) -> tuple[Match, dict[int, float], dict[int, int]]:
    """Play a match between the bots of each seat; return it, and seconds and choices by seat."""
    match = Match.begin(setup)
    chance = Random(f"chance {seed}")
    rngs = [Random(f"{name} {seat} {seed}") for seat, name in enumerate(names)]
    followers = [Follower() for _ in names]
    seconds = dict.fromkeys(range(setup.seats), 0.0)
    choices = dict.fromkeys(range(setup.seats), 0)
    while match.actors:
        actor = match.actors[0]
        if actor == CHANCE:
            odds = match.odds()
            steps = sorted(odds)
            (step,) = chance.choices(steps, [float(odds[step]) for step in steps])
        else:
            legal = match.legal(actor)
            step = legal[0]
            if len(legal) > 1:
                own = frozenset({actor})
                seen = followers[actor].follow(match, own).steps() if setup.game.SECRETS else ()
                view = match.game.view(match.state, own)
                where = bots.Position(match.game, view, actor, seen, legal)
                begin = perf_counter()
                step = bots.find(names[actor])(where, rngs[actor], budget).step
                seconds[actor] += perf_counter() - begin
                choices[actor] += 1
        match = match.play(actor, step)
    return match, seconds, choices


def seating(setup: Setup, first: str, second: str, number: int) -> list[str]:
    """Return the bot of each seat in match `number`: every second seat one, changing each match."""
    return [first if (seat + number) % 2 == 0 else second for seat in range(setup.seats)]


def meet(setup: Setup, first: str, second: str, matches: range, budget: bots.Budget) -> Score:
    """Play these matches between two bots."""
    score = Score()
    for number in matches:
        names = seating(setup, first, second, number)
        mine = {Seat(seat) for seat, name in enumerate(names) if (seat + number) % 2 == 0}
        match, seconds, choices = play(setup, names, number, budget)
        assert match.outcome is not None
        score.matches += 1
        score.seconds += sum(seconds[seat] for seat in mine)
        score.choices += sum(choices[seat] for seat in mine)
        points = _points(match.outcome, mine)
        score.won += points > 0
        score.lost += points < 0
    return score


def _points(outcome: Outcome, mine: set[Seat]) -> int:
    """Return 1 if only `mine` won, -1 if only others, 0 if nobody or both."""
    winners = set(outcome.winners)
    return bool(winners & mine) - bool(winners - mine)


@click.command()
@click.argument("game")
@click.argument("first")
@click.argument("second")
@click.option("--seats", type=int, help="How many; the bots take every second seat.")
@click.option("--option", "options", multiple=True, help="name=value")
@click.option("--matches", default=20, show_default=True)
@click.option("--begin", default=0, show_default=True, help="The number of the first match.")
@click.option("--simulations", type=int, help="For both; each level's usual number if left out.")
def main(
    game: str, first: str, second: str, seats: int | None, options: tuple[str, ...],
    matches: int, begin: int, simulations: int | None,
) -> None:  # fmt: skip
    """Let FIRST play against SECOND at GAME and print the score of FIRST."""
    given = dict(option.split("=", 1) for option in options)
    setup = Setup.of(find(game), seats, given)
    begun = perf_counter()
    score = meet(setup, first, second, range(begin, begin + matches), bots.Budget(simulations))
    low, high = score.interval
    click.echo(
        f"{game} {setup.seats} {first}-{second}: {score.rate:.1%} ({low:.0%} to {high:.0%}) of "
        f"{score.matches}; won {score.won}, lost {score.lost}; "
        f"{score.seconds / max(1, score.choices):.3f} s a choice, {perf_counter() - begun:.0f} s"
    )


if __name__ == "__main__":
    main()
