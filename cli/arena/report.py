"""The report of an arena: scores, pairwise results, Elo, thinking time, lengths and ends.

Ratings are Elo by maximum likelihood. In the model, each seat wins with a probability proportional
to 10^(rating/400) of its bot. For two seats (or two sides, which count as one seat each) this is
the usual Elo model (Bradley-Terry). For more, a result names the winners and leaves the others
unordered: that is Luce's model, which agrees with Elo's for each pair. Shared wins and draws count
as fractions of a win. Error bars are 1.96 standard errors, from the observed information.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, log, sqrt
from statistics import median
from typing import Any, Final, TypeAlias

from kumite.cli.arena.playing import Plan, Result
from kumite.core.players import COMMAND, bot_name

MOST_TOLD: Final = 3  # kinds of failures that are listed
SURE: Final = 1.96  # standard errors: 95 % confidence
SCALE: Final = 400 / log(10)  # Elo for a factor e of strength
ENOUGH: Final = 1e-9  # convergence threshold, in units of log strength
STEPS: Final = 200

Score: TypeAlias = tuple[tuple[int, ...], tuple[float, ...]]
"""The bot in each place (a bot may have several), and the share of the win of each place."""
Matrix: TypeAlias = list[list[float]]


def score(result: Result, is_teams: bool) -> Score:
    """Return the share of the win of each seat or side; a draw is divided equally."""
    places = 2 if is_teams else len(result.seating)
    best = [place for place in result.winners if place < places] or list(range(places))
    parts = [1 / len(best) if place in best else 0.0 for place in range(places)]
    return result.seating[:places], tuple(parts)


def summary(plan: Plan, results: Sequence[Result]) -> dict[str, Any]:
    """Return the whole report as plain data, as printed by `--json`."""
    is_teams = plan.setup.game.TEAMS
    scores = [score(result, is_teams) for result in results]
    found = ratings(len(plan.bots), scores)
    rows = [_bot(plan, who, results, scores) for who in range(len(plan.bots))]
    for who, row in enumerate(rows):
        row["elo"], row["elo_error"] = round(found.elo[who], 1), round(found.error[who], 1)
    lengths = [result.steps for result in results]
    return {
        "game": plan.game,
        "seats": plan.seats,
        "options": dict(plan.options),
        "seed": plan.seed,
        "opening": plan.opening,
        "matches": len(results),
        "bots": rows,
        "against": [[_against(scores, a, b) for b in range(len(rows))] for a in range(len(rows))],
        "elo_is_finite": found.is_finite,
        "different": len({result.digest for result in results}),
        "steps": [min(lengths), median(lengths), max(lengths)] if lengths else [],
        "ends": dict(Counter(result.reason for result in results).most_common()),
        "draws": sum(not result.winners for result in results),
        "failures": dict(Counter(result.why for result in results if result.why).most_common()),
        "won_by_seat": [sum(s in one.winners for one in results) for s in range(plan.seats)],
    }


def _bot(
    plan: Plan, who: int, results: Sequence[Result], scores: Sequence[Score]
) -> dict[str, Any]:
    """Return the figures of one bot; `even` is its expected score if all were equally strong."""
    mine = [one for one in scores if who in one[0]]
    points = sum(_points(one, who) for one in mine)
    even = sum(one[0].count(who) / len(one[0]) for one in mine)
    low, high = wilson(points, len(mine))
    seats = [(one, s) for one in results for s, bot in enumerate(one.seating) if bot == who]
    choices = sum(one.choices[s] for one, s in seats)
    seconds = sum(one.seconds[s] for one, s in seats)
    return {
        "name": plan.names[who],
        "matches": len(mine),
        "points": round(points, 3),
        "score": round(points / max(1, len(mine)), 4),
        "interval": [round(low, 4), round(high, 4)],
        "even": round(even / max(1, len(mine)), 4),
        "choices": choices,
        "seconds_a_choice": round(seconds / max(1, choices), 5),
    }


def _points(one: Score, who: int) -> float:
    return sum(part for bot, part in zip(*one, strict=True) if bot == who)


def _against(scores: Iterable[Score], first: int, second: int) -> list[float] | None:
    """Return the points of `first`, and of both, from the matches that both played."""
    if first == second:
        return None
    both = [one for one in scores if first in one[0] and second in one[0]]
    mine = sum(_points(one, first) for one in both)
    return [round(mine, 3), round(mine + sum(_points(one, second) for one in both), 3)]


# --- As text ----------------------------------------------------------------------------------


def lines(told: dict[str, Any]) -> list[str]:
    options = ", ".join(f"{name}={value}" for name, value in told["options"].items())
    head = f"{told['game']}, {told['seats']} seats"
    if options:
        head += f" ({options})"
    if told["opening"]:
        head += f", {told['opening']} steps by chance first"
    said = [f"{head}, seed {told['seed']}: {told['matches']} matches", ""]
    if not told["matches"]:
        return said[:1]
    order = sorted(range(len(told["bots"])), key=lambda who: -told["bots"][who]["score"])
    is_even = all(abs(row["even"] - 0.5) < 1e-3 for row in told["bots"])
    said += _aligned(_rows(told, order, is_even))
    said += ["", *_aligned(_cross(told, order))]
    low, middle, high = told["steps"]
    ends = ", ".join(f"{reason} {count}" for reason, count in told["ends"].items())
    seats = ", ".join(f"seat {seat} {count}" for seat, count in enumerate(told["won_by_seat"], 1))
    said += [
        "",
        f"steps    {low} to {high}, half of the matches at most {middle:g}",
        f"ends     {ends}; drawn {told['draws']}",
        f"winners  {seats}",
    ]
    said += [f"failed   {why}: {count}" for why, count in [*told["failures"].items()][:MOST_TOLD]]
    again = told["matches"] - told["different"]
    if again:
        said += ["", f"{again} matches went step for step like others, and so prove nothing more."]
    if not told["elo_is_finite"]:
        said += [
            "",
            "No finite Elo fits, as a bot won or lost all its matches: the figure counts one",
            "drawn match more between each two bots.",
        ]
    return said


def _rows(told: dict[str, Any], order: Sequence[int], is_even: bool) -> list[list[str]]:
    head = ["bot", "matches", "points", "score", "95 %", "even", "Elo", "s a choice"]
    rows = [head]
    for row in (told["bots"][who] for who in order):
        low, high = row["interval"]
        rows.append([
            _shown(row), str(row["matches"]), f"{row['points']:.1f}", f"{row['score']:.1%}",
            f"{low:.0%} to {high:.0%}", f"{row['even']:.0%}",
            f"{row['elo']:+.0f} ±{row['elo_error']:.0f}", f"{row['seconds_a_choice']:.3f}",
        ])  # fmt: skip
    return [row[:5] + row[6:] for row in rows] if is_even else rows


def _shown(row: Mapping[str, Any]) -> str:
    name: str = row["name"]
    return name if name.startswith(COMMAND) else bot_name(name)


def _cross(told: dict[str, Any], order: Sequence[int]) -> list[list[str]]:
    """Return the cross table: the points of the row's bot, out of those of both."""
    rows = [["against", *(_shown(told["bots"][who]) for who in order)]]
    for who in order:
        cells = (told["against"][who][other] for other in order)
        rows.append([
            _shown(told["bots"][who]),
            *("-" if cell is None else f"{cell[0]:.4g}/{cell[1]:.4g}" for cell in cells),
        ])  # fmt: skip
    return rows


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the rows as aligned lines, the first column to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if at else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


# --- Ratings ----------------------------------------------------------------------------------


def wilson(points: float, matches: int) -> tuple[float, float]:
    """Return the 95 % Wilson interval of a score, 0 to 1; a draw is half a point."""
    if not matches:
        return 0.0, 1.0
    n, z, p = matches, SURE, points / matches
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z * sqrt(max(0.0, p * (1 - p)) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return max(0.0, middle - half), min(1.0, middle + half)


@dataclass(frozen=True, slots=True)
class Ratings:
    """Elo ratings with error bars; their mean is 0."""

    elo: tuple[float, ...]
    error: tuple[float, ...]  # 1.96 standard errors
    is_finite: bool  # if not, some won or lost all, and one draw was added for each pair


def ratings(bots: int, scores: Iterable[Score]) -> Ratings:
    """Return the ratings of bots 0 to `bots` - 1; each must have played."""
    grouped = Counter(scores)
    is_finite = _is_connected(bots, grouped)
    if not is_finite:
        for first in range(bots):
            for second in range(first):
                grouped[(second, first), (0.5, 0.5)] += 1
    found = [0.0] * bots
    slope, curve = _derivatives(found, grouped)
    for _ in range(STEPS):
        step = _solve(curve, slope)
        size = max(map(abs, step))
        pace = 2 / max(2.0, size)  # damped steps while far from the maximum
        found = [value + change * pace for value, change in zip(found, step, strict=True)]
        slope, curve = _derivatives(found, grouped)
        if size < ENOUGH:
            break
    variances = []
    for who in range(bots):
        unit = [float(one == who) for one in range(bots)]
        variances.append(_solve(curve, unit)[who] - 1 / bots)
    return Ratings(
        tuple(SCALE * value for value in found),
        tuple(SCALE * SURE * sqrt(max(0.0, one)) for one in variances),
        is_finite,
    )


def _is_connected(bots: int, grouped: Counter[Score]) -> bool:
    """Return whether every bot has taken points from every other, directly or through others.

    The likelihood has a finite maximum only then (Ford 1957).
    """
    better: list[set[int]] = [{who} for who in range(bots)]  # by bot: whom it took points from
    for who, parts in grouped:
        for first, part in zip(who, parts, strict=True):
            if part > 0:
                better[first].update(who)
    for by in range(bots):
        for first in range(bots):
            if by in better[first]:
                better[first] |= better[by]
    return all(len(one) == bots for one in better)


def _derivatives(values: Sequence[float], grouped: Counter[Score]) -> tuple[list[float], Matrix]:
    """Return the gradient of the log likelihood, and its negated Hessian.

    The likelihood does not determine the mean; adding 1 / bots to each element fixes it.
    """
    size = len(values)
    slope, curve = [0.0] * size, [[1 / size] * size for _ in range(size)]
    for (who, parts), times in grouped.items():
        weights = [exp(values[bot]) for bot in who]
        whole = sum(weights)
        chances = [0.0] * size
        for bot, weight, part in zip(who, weights, parts, strict=True):
            chances[bot] += weight / whole
            slope[bot] += times * (part - weight / whole)
        for bot in set(who):
            curve[bot][bot] += times * chances[bot]
            for other in set(who):
                curve[bot][other] -= times * chances[bot] * chances[other]
    return slope, curve


def _solve(matrix: Matrix, right: Sequence[float]) -> list[float]:
    """Solve matrix x = right for a positive definite matrix."""
    size = len(right)
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for at in range(size):
        for below in range(at + 1, size):
            factor = rows[below][at] / rows[at][at]
            for column in range(at, size + 1):
                rows[below][column] -= factor * rows[at][column]
    found = [0.0] * size
    for at in reversed(range(size)):
        known = sum(rows[at][column] * found[column] for column in range(at + 1, size))
        found[at] = (rows[at][size] - known) / rows[at][at]
    return found
