"""The report of an arena: scores, pairwise results, Elo, thinking time, lengths and ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import median
from typing import TYPE_CHECKING, Any, Final

from kumite.cli.arena.rating import Score, ratings, wilson

if TYPE_CHECKING:
    from kumite.cli.arena.playing import Plan, Result


MOST_TOLD: Final = 3  # kinds of failures that are listed


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
    """Return the report as text lines."""
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
            row["name"], str(row["matches"]), f"{row['points']:.1f}", f"{row['score']:.1%}",
            f"{low:.0%} to {high:.0%}", f"{row['even']:.0%}",
            f"{row['elo']:+.0f} ±{row['elo_error']:.0f}", f"{row['seconds_a_choice']:.3f}",
        ])  # fmt: skip
    return [row[:5] + row[6:] for row in rows] if is_even else rows


def _cross(told: dict[str, Any], order: Sequence[int]) -> list[list[str]]:
    """Return the cross table: the points of the row's bot, out of those of both."""
    rows = [["against", *(told["bots"][who]["name"] for who in order)]]
    for who in order:
        cells = (told["against"][who][other] for other in order)
        rows.append([
            told["bots"][who]["name"],
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
