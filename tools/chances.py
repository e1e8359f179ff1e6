"""Calibrate the bots' values: `python -m kumite.tools.chances play kumo:2 --to FILE`.

`play` lets a bot play against itself, evaluates some positions with `strong` at the simulations of
a match's curve, and appends each score with the final result to FILE, as one JSON list per line.
`show FILE` fits win probabilities to the scores and prints their accuracy by cross-validation
between two halves of the matches. `MEASURED` of a game's bot holds the fit to all matches. `open
kumo:2` plays on twice from positions of such matches: how often the results differ shows the error
that no evaluation can avoid.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from math import exp, log, sqrt
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from time import process_time
from typing import Final, NamedTuple

from kumite.core import bots
from kumite.core.bots.chances import Fit, fit_of
from kumite.core.game import Seat, Setup
from kumite.core.games import find
from kumite.core.games.kiriai.bot.solved import is_exact
from kumite.core.match import Match
from kumite.tools.bot_matches import positions
from kumite.tui.bots import advice, kernels
from kumite.tui.bots.evaluation import simulations_of

PLAYERS: Final = {
    "kiriai": "strong",
    "kitsu": "strong:60000",
    "kitsune": "medium:60",
    "kumo": "strong:12000",
    "kuzushi": "medium:150",
}
"""The bots in these matches, by game.

Kiri-ai's solution plays itself, because a player that errs scores less than the value. In Kumo, a
player that searches less than the evaluator misses wins that the evaluator sees. Matches of
`medium`, which chooses steps at random by share, swing regardless of the position. The same holds
for Kitsu!.
"""
OPENING: Final = {"kitsu": 4}  # random steps by game, so that its matches differ
EVERY: Final = {"kumo": 12}  # every n-th choice is evaluated, by game
USUAL: Final = 5  # the same for the other games, whose matches have fewer choices
EXACT: Final[Mapping[str, Callable[[bots.Position], bool]]] = {"kiriai": is_exact}
"""By game, whether the value of a position is exact; in other games it never is."""
UNSURE: Final = (0.0101, 0.9899)  # scores outside this range count as certain and are not fitted
TENTHS: Final = 10
ENOUGH: Final = 50  # positions that a tenth needs to be compared to the target
PICKED: Final = 3  # positions of a match that are played on from
AT_LEAST: Final = 50  # matches that are played on from, even if that takes longer
SPREAD: Final = 0.5  # prior standard deviation of slopes around 1 and shifts around 0
ROUNDS: Final = 60  # of Newton's method


class Asked(NamedTuple):
    """An evaluated position: a line of the file."""

    game: str
    seats: int
    match: int  # its number, which is also its random seed
    length: int  # steps in the match
    number: int  # steps before this position
    score: float  # for the side to act
    share: float  # of the win, as it turned out
    is_exact: bool = False  # whether the score is proven

    @property
    def even(self) -> float:
        """Return the side's chance among equals."""
        return even_of(self.game, self.seats)


@cache
def even_of(game_id: str, seats: int) -> float:
    """Return a side's chance if all sides are equally strong."""
    setup = Setup.of(find(game_id), seats)
    return 1 / len({setup.side_of(Seat(seat)) for seat in range(seats)})


# --- Playing ----------------------------------------------------------------------------------


def asked(game_id: str, seats: int, number: int) -> Iterator[Asked]:
    """Play a match; yield evaluations of some of its positions."""
    rng = Random(f"chances {game_id} {seats} {number}")
    every = EVERY.get(game_id, USUAL)
    found, wait = [], rng.randrange(every)
    for match, where in _played(game_id, seats, rng):
        wait -= where is not None and len(where.legal) > 1
        if wait < 0 and where is not None:
            wait = every - 1
            found.append((match.number, where))
    simulations = simulations_of(match)
    for at, where in found:
        score = _score(where, f"{number} {at}", simulations)
        share = _share(match, where.seat)
        yield Asked(game_id, seats, number, match.number, at, score, share, _is_exact(where))


def _played(game_id: str, seats: int, rng: Random) -> Iterator[tuple[Match, bots.Position | None]]:
    """Yield the positions of a match after its opening, as `positions` does."""
    match = Match.begin(Setup.of(find(game_id), seats))
    for _ in range(OPENING.get(game_id, 0)):
        actor = match.actors[0]
        match = match.play(actor, rng.choice(match.legal(actor)))
    return positions(match, [bots.find(PLAYERS[game_id])] * seats, rng)


def _is_exact(where: bots.Position) -> bool:
    return where.game.ID in EXACT and EXACT[where.game.ID](where)


def _score(where: bots.Position, seed: str, simulations: int) -> float:
    """Return the score that `strong` gives, before calibration."""
    game_id = where.game.ID
    lines = bots.MODELS[game_id].think(where, Random(seed), bots.Budget(simulations))
    value = advice.worth(bots.best_of(lines), is_mixed=bots.mixes(where.game))
    assert value is not None
    if _is_exact(where):
        return value
    seats, _ = where.game.setup_of(where.view)
    score = fit_of(game_id, seats, simulations).score(value, even_of(game_id, seats))
    return value if score is None else round(score, 4)


def _share(match: Match, seat: Seat) -> float:
    """Return the share of the win of a seat's side; a draw is divided equally."""
    outcome, setup = match.outcome, match.setup
    assert outcome is not None
    winners = {setup.side_of(one) for one in outcome.winners}
    winners = winners or {setup.side_of(Seat(one)) for one in range(setup.seats)}
    return 1 / len(winners) if setup.side_of(seat) in winners else 0.0


# --- Playing on -------------------------------------------------------------------------------


def ended_twice(game_id: str, seats: int, number: int) -> list[tuple[float, float]]:
    """Play a match, and replay it from some positions; return both results for the side to act.

    The second continuation has its own random numbers, also for the bots.
    """
    rng = Random(f"open {game_id} {seats} {number}")
    players = [bots.find(PLAYERS[game_id])] * seats
    met = []
    for match, where in _played(game_id, seats, rng):
        if where is not None and len(where.legal) > 1:
            met.append((match, where.seat))
    found = []
    for at, seat in rng.sample(met, min(PICKED, len(met))):
        *_, (again, _) = positions(at, players, rng)
        found.append((_share(match, seat), _share(again, seat)))
    return found


def openness(matches: Sequence[Sequence[tuple[float, float]]]) -> tuple[float, float]:
    """Return the lowest possible Brier score for such positions, and its 95 % error.

    Two independent results differ, squared, by twice their variance on average.
    """
    means = [fmean((one - other) ** 2 / 2 for one, other in pairs) for pairs in matches if pairs]
    return fmean(means), 1.96 * stdev(means) / sqrt(len(means))


# --- Fitting ----------------------------------------------------------------------------------


def fitted(rows: Sequence[Asked]) -> Fit:
    """Return the maximum-likelihood fit of log odds, ignoring certain scores.

    With few positions, the prior keeps the fit near the identity.
    """
    points = [
        (_odds(row.score) - _odds(row.even), _odds(row.even), row.share)
        for row in rows
        if UNSURE[0] < row.score < UNSURE[1] and not row.is_exact
    ]
    slope, shift = 1.0, 0.0
    for _ in range(ROUNDS):
        down, across = (1 - slope) / SPREAD**2, -shift / SPREAD**2
        square, mixed, count = 1 / SPREAD**2, 0.0, 1 / SPREAD**2
        for odds, even, share in points:
            chance = 1 / (1 + exp(-(slope * odds + shift + even)))
            weight = chance * (1 - chance)
            down += (share - chance) * odds
            across += share - chance
            square += weight * odds * odds
            mixed += weight * odds
            count += weight
        whole = square * count - mixed * mixed
        slope += (count * down - mixed * across) / whole
        shift += (square * across - mixed * down) / whole
    return Fit(round(slope, 2), round(shift, 2))


def _odds(share: float) -> float:
    return log(share / (1 - share))


def held_out(rows: Sequence[Asked]) -> list[tuple[float, float]]:
    """Return (chance, share of the win) of each row, by the fit to the other half of matches."""
    found = []
    for half in (0, 1):
        fit = fitted([row for row in rows if row.match % 2 != half])
        found += [(chance_of(row, fit), row.share) for row in rows if row.match % 2 == half]
    return found


def chance_of(row: Asked, fit: Fit) -> float:
    """Return the calibrated chance of a row's score; certain or exact scores are unchanged."""
    is_known = row.is_exact or row.score in (0.0, 1.0)
    return row.score if is_known else fit.chance(row.score, row.even)


def brier(pairs: Iterable[tuple[float, float]]) -> float:
    """Return the Brier score (mean squared error); 0 is perfect."""
    return fmean((said - came) ** 2 for said, came in pairs)


def tenths(pairs: Iterable[tuple[float, float]]) -> list[tuple[float, float, int]]:
    """Return (mean prediction, mean result, count) for each tenth of the predictions."""
    found: list[list[tuple[float, float]]] = [[] for _ in range(TENTHS)]
    for said, came in pairs:
        found[min(TENTHS - 1, int(said * TENTHS))].append((said, came))
    return [
        (fmean(said for said, _ in some), fmean(came for _, came in some), len(some))
        if some
        else (0.0, 0.0, 0)
        for some in found
    ]


# --- Showing ----------------------------------------------------------------------------------


def shown(rows: Sequence[Asked]) -> list[str]:
    """Return the fits and two Markdown tables, as in docs/measured.md."""
    fits, sums, tables = [], [], []
    for game_id, seats in sorted({(row.game, row.seats) for row in rows}):
        some = [row for row in rows if (row.game, row.seats) == (game_id, seats)]
        game, matches = find(game_id), len({row.match for row in some})
        name = game.TITLE + (f", {seats}" if len(game.SEATS) > 1 else "")
        scores = [(row.score, row.share) for row in some]
        fit, chances = fitted(some), held_out(some)
        fits.append(f"{game_id} {seats}: Fit({fit.slope}, {fit.shift}),  # {matches} matches")
        parts = tenths(chances)
        none = brier((row.even, row.share) for row in some)
        errors = (f"{brier(pairs):.3f}" for pairs in (scores, chances))
        cells = (str(matches), str(len(some)), f"{none:.3f}", *errors, farthest(parts))
        sums.append(f"| {' | '.join((name, *cells))} |")
        said = (f"{100 * s:.0f}: {100 * c:.0f} ({n})" if n else "" for s, c, n in parts)
        tables.append(f"| {' | '.join((name, *said))} |")
    edges = " | ".join(f"{10 * tenth} %" for tenth in range(TENTHS))
    return [
        *fits, "",
        "| game | matches | positions | even | score | chance | farthest tenth |",
        f"|{' --- |' * 7}", *sums, "",
        f"| from | {edges} |", f"|{' --- |' * (TENTHS + 1)}", *tables,
    ]  # fmt: skip


def farthest(parts: Iterable[tuple[float, float, int]]) -> str:
    """Return the largest calibration gap, in points, among tenths with enough positions."""
    gaps = [abs(said - came) for said, came, count in parts if count >= ENOUGH]
    return f"{100 * max(gaps):.0f}" if gaps else "-"


def read(paths: Iterable[Path]) -> list[Asked]:
    """Read the rows of files written by `play`, optionally gzipped."""
    rows = []
    for path in paths:
        content = path.read_bytes()
        text = gzip.decompress(content) if path.suffix == ".gz" else content
        rows += [Asked(*json.loads(line)) for line in text.decode().splitlines()]
    return rows


def play(tables: Sequence[tuple[str, int]], into: Path, cpu: float) -> None:
    """Play at each table for `cpu` seconds of CPU time, writing the rows as they come."""
    begun = read([into] if into.is_file() else [])
    number = {
        table: max((row.match for row in begun if (row.game, row.seats) == table), default=0)
        for table in tables
    }
    used = dict.fromkeys(tables, 0.0)
    for game_id, _ in tables:
        kernels.load_for(game_id, ["strong"])
    with into.open("a", encoding="utf-8") as file:
        while (left := min(used.values())) < cpu:
            table = next(one for one in tables if used[one] == left)
            number[table] += 1
            before = process_time()
            for row in asked(*table, number[table]):
                file.write(json.dumps(row) + "\n")
            file.flush()
            used[table] += process_time() - before


def play_on(game_id: str, seats: int, cpu: float) -> str:
    """Play on twice for `cpu` seconds of CPU time; return the summary."""
    kernels.load_for(game_id, ["strong"])
    matches: list[list[tuple[float, float]]] = []
    end = process_time() + cpu
    while len(matches) < AT_LEAST or process_time() < end:
        matches.append(ended_twice(game_id, seats, len(matches) + 1))
    least, error = openness(matches)
    count = sum(map(len, matches))
    of = f"{len(matches)} matches, {count} positions"
    return f"{game_id}:{seats} {least:.3f} ± {error:.3f} ({of})"


def _table(text: str) -> tuple[str, int]:
    game_id, _, seats = text.partition(":")
    return game_id, int(seats or 2)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parts = parser.add_subparsers(dest="part", required=True)
    playing = parts.add_parser("play", help="play matches and write down what was asked")
    playing.add_argument("tables", nargs="+", type=_table, help="such as kuzushi:4")
    playing.add_argument("--to", type=Path, required=True, help="file that is added to")
    playing.add_argument("--cpu", type=float, default=300.0, help="seconds for each table")
    opening = parts.add_parser("open", help="play on twice, and print what nobody can foretell")
    opening.add_argument("tables", nargs="+", type=_table, help="such as kumo:2")
    opening.add_argument("--cpu", type=float, default=300.0, help="seconds for each table")
    showing = parts.add_parser("show", help="fit, and print how true it is")
    showing.add_argument("files", nargs="+", type=Path)
    given = parser.parse_args()
    if given.part == "play":
        play(given.tables, given.to, given.cpu)
    elif given.part == "open":
        for game_id, seats in given.tables:
            print(play_on(game_id, seats, given.cpu), flush=True)
    else:
        print("\n".join(shown(read(given.files))))


if __name__ == "__main__":
    main()
