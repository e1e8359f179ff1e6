"""Words about a match: its steps in sentences, how it ended. Pure, for every screen."""

from __future__ import annotations

import re
import sys
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from kumite.core import results
from kumite.core.log import outcome_end
from kumite.tui import scenes
from kumite.tui.scenes.lines import wrap

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kumite.core.log import End
    from kumite.core.match import Match
    from kumite.tui.scenes.lines import Line


class Remark(NamedTuple):
    """Something told between the steps: after step `number`, in a role."""

    number: int
    text: str
    role: str = "quiet"
    is_talk: bool = False  # whether somebody has said it


def told_lines(
    match: Match, names: Sequence[str], width: int, remarks: Sequence[Remark] = ()
) -> list[Line]:
    """Return all steps told in sentences, as the match's owner saw them, wrapped to `width`.

    Remarks stand behind their step, those on later steps at the end.
    """
    lines: list[Line] = []
    left = list(remarks)

    def tell_remarks(number: int) -> None:
        while left and left[0].number < number:
            remark = left.pop(0)
            lines.extend(((part, remark.role),) for part in wrap(remark.text, width))

    for before, after in pairwise(match.line()):
        tell_remarks(after.number)
        lines += _told_step(before, after, tuple(names), width)
    tell_remarks(sys.maxsize)
    return lines


@lru_cache(maxsize=4096)  # a long match is not told anew with every step
def _told_step(before: Match, after: Match, names: tuple[str, ...], width: int) -> tuple[Line, ...]:
    assert after.last is not None
    makes = scenes.maker(after)
    said = makes.narrate(before.state, after.last.actor, after.last.step, after.state, names)
    first, *rest = wrap(said, width - 4)
    if not first:
        return ()
    number = (f"{after.number:>3} ", "quiet")
    return ((number, (first, "")), *(((f"    {more}", ""),) for more in rest))


def result(match: Match, end: End | None, names: Sequence[str]) -> tuple[str, str]:
    """Return who won and why, both empty while the match goes on."""
    won = " and ".join(names[seat] for seat in winners(match, end))
    if outcome := match.outcome:
        return (f"{won} won" if won else "A draw"), scenes.maker(match).reason(outcome.reason)
    if end is None:
        return "", ""
    who = " and ".join(names[seat] for seat in end.seats)
    why = {
        "resigned": f"{who} gave up",
        "left": f"{who} left the table",
        "time": f"{who}'s time has run out",
        "agreed": "all agreed to a draw",
        "spoiled": "the cards were tampered with; the audit tells by whom",
    }.get(end.kind, end.kind)
    if won:
        return f"{won} won", why
    if end.kind in results.FORFEITS:
        return "Nobody won", f"{why}, and the others have not played it out"
    return ("A draw" if end.kind == "agreed" else "The match was broken off"), why


def winners(match: Match, end: End | None) -> tuple[int, ...]:
    """Return who has won, by the rules or by how the table ended."""
    ended = outcome_end(match) or end
    return results.winners(match.setup, ended) if ended else ()


def named(text: str, names: Sequence[str]) -> str:
    """Put the players' names into words of the rules: `seat 1` becomes `bob`.

    A side is every second seat: with two seats side 1 is `bob` as well.
    """

    def name(found: re.Match[str]) -> str:
        number = int(found[2])
        return names[number] if found[1] == "seat" else " and ".join(names[number::2])

    return re.sub(r"\b(seat|side) (\d)\b", name, text)
