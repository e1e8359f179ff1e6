"""Words about a match: its steps in sentences, how it ended. Pure, for every screen."""

from __future__ import annotations

import re
import textwrap
from itertools import pairwise
from typing import TYPE_CHECKING

from tui import scenes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.log import End
    from core.match import Match
    from tui.scenes.model import Line


def told(match: Match, names: Sequence[str]) -> list[tuple[int, str]]:
    """Return (number, sentence) of each step as the match's owner saw it; some have none."""
    makes = scenes.maker(match)
    sentences = []
    for before, after in pairwise(match.line()):
        assert after.last is not None
        said = makes.told(before.state, after.last.actor, after.last.step, after.state, names)
        if said:
            sentences.append((after.number, said))
    return sentences


def told_lines(match: Match, names: Sequence[str], width: int) -> list[Line]:
    """Return all steps told in sentences, wrapped to `width`."""
    lines: list[Line] = []
    for number, said in told(match, names):
        wrapped = textwrap.wrap(said, width - 4) or [""]
        lines.append(((f"{number:>3} ", "quiet"), (wrapped[0], "")))
        lines += [((f"    {more}", ""),) for more in wrapped[1:]]
    return lines


def result(match: Match, end: End | None, names: Sequence[str]) -> tuple[str, str]:
    """Return who won and why, both empty while the match goes on."""
    if outcome := match.outcome:
        winners = [names[seat] for seat in outcome.winners]
        who = f"{' and '.join(winners)} won" if winners else "A draw"
        return who, scenes.maker(match).reason(outcome.reason)
    if end is None:
        return "", ""
    who = " and ".join(names[seat] for seat in end.seats)
    why = {"resigned": f"{who} gave up", "left": f"{who} left the table"}.get(end.kind, end.kind)
    return "The match was left", why


def named(text: str, names: Sequence[str]) -> str:
    """Put the players' names into words of the rules: `seat 1` becomes `bob`.

    A side is every second seat: with two seats side 1 is `bob` as well.
    """

    def name(found: re.Match[str]) -> str:
        number = int(found[2])
        return names[number] if found[1] == "seat" else " and ".join(names[number::2])

    return re.sub(r"\b(seat|side) (\d)\b", name, text)
