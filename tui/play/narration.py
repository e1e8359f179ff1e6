"""Words about a match: its steps in sentences, how it ended. Pure, for every screen."""

from __future__ import annotations

import re
import sys
from functools import lru_cache
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from kumite.core import results
from kumite.core.game import CHANCE, Step
from kumite.core.log import outcome_end
from kumite.core.text import listed
from kumite.tui import scenes
from kumite.tui.scenes.about import about_game
from kumite.tui.scenes.lines import GOES_ON, capital, wrap

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kumite.core.game import Actor, Game, Seat
    from kumite.core.log import End
    from kumite.core.match import Match
    from kumite.tui.scenes.lines import Line

AIM: Final = "How to win"
TURNED: Final = "above: the old squares"  # in a row of the smallest log


IN_A_SENTENCE: Final = {
    results.DRAWN: "a draw",
    results.ADJOURNED: "the match is adjourned",
    results.BROKEN_OFF: "the match was broken off",
}


class Remark(NamedTuple):
    """Something told between the steps: after step `number`, in a role."""

    number: int
    text: str
    role: str = "quiet"
    is_talk: bool = False  # whether somebody has said it


class _Told(NamedTuple):
    """A step in a sentence."""

    number: int
    actor: Actor
    text: str  # empty: not told
    has_turned: bool  # whether what stood on a square is on another one since


def told_lines(
    match: Match, names: Sequence[str], width: int, remarks: Sequence[Remark] = ()
) -> list[Line]:
    """Return all steps told in sentences, as the match's owner saw them, wrapped to `width`.

    Several steps of one turn stand below the name of whoever made them. Remarks stand behind
    their step, those on later steps at the end.
    """
    lines: list[Line] = []
    left = list(remarks)

    def tell_remarks(number: int) -> None:
        while left and left[0].number < number:
            remark = left.pop(0)
            lines.extend(_wrapped(remark.text, remark.role, width))

    has_turns = scenes.maker(match).PARTS == ("turn",)
    steps = (_told_step(before, after, tuple(names)) for before, after in pairwise(match.line()))
    told = [one for one in steps if one.text]
    turned = max((one.number for one in told if one.has_turned), default=0)
    for actor, run in groupby(told, key=lambda one: one.actor):
        turn = list(run)
        name = names[actor] if has_turns and actor != CHANCE and len(turn) > 1 else ""
        if name:
            tell_remarks(turn[0].number)
            lines += _wrapped(name, f"seat-{actor}/", width)
        for one in turn:
            tell_remarks(one.number)
            lines += _numbered(one, _without(name, one.text), width, has_seat=has_turns)
            if one.number == turned:
                lines += _wrapped(TURNED, "quiet", width)
    tell_remarks(sys.maxsize)
    return lines


def aim_lines(game: Game[Any], width: int) -> list[Line]:
    """Return how a game is won, with which a log begins: it goes as the log grows."""
    aim = about_game(game).aim
    return [((AIM, "title"),), *_wrapped(aim, "quiet", width)] if aim else []


def _wrapped(text: str, role: str, width: int) -> Iterator[Line]:
    """Yield the lines of a text; the log begins with none but the first of them."""
    first, *rest = wrap(text, width)
    yield ((first, role),)
    yield from ((GOES_ON, (more, role)) for more in rest)


def step_name(match: Match, step: Step, names: Sequence[str]) -> str:
    """Return what a step is called within a sentence: `f7`, `the orange 4`, `bob as leader`."""
    return named(scenes.maker(match).step_name(step), names)


def step_first(match: Match, step: Step, names: Sequence[str]) -> str:
    """Return what a step is called where a sentence begins with it: a square is written small."""
    said = step_name(match, step, names)
    return said if said == step else capital(said, names)


def run_of(
    start: Match,
    seat: Seat,
    steps: Sequence[str],
    names: Sequence[str],
    *,
    is_known: bool = False,
) -> str:
    """Return several steps of one side as logs tell them, in one row, the seat's name once.

    With `is_known` not even once: it has been said whose they are. A step that is not told is
    written as it is typed.
    """
    match, said = start, list[str]()
    for step in map(Step, steps):
        after = match.play(seat if seat in match.actors else match.actors[0], step)
        text = _told_step(match, after, tuple(names)).text
        said.append(_without(names[seat] if said or is_known else "", text) or step)
        match = after
    return "; ".join(said)


@lru_cache(maxsize=4096)  # a long match is not told anew with every step
def _told_step(before: Match, after: Match, names: tuple[str, ...]) -> _Told:
    assert after.last is not None
    makes, last = scenes.maker(after), after.last
    said = makes.narrate(before.state, last.actor, last.step, after.state, names)
    moves = makes.marks(before.state, last.step, after.state).moves
    return _Told(after.number, last.actor, said, bool(moves))


def _without(name: str, text: str) -> str:
    """Return a sentence without the name with which it begins, or whose piece it begins with."""
    for head in (f"{name}'s ", f"{name} ") if name else ():
        if text.startswith(head):
            return text[len(head) :]
    return text


def _numbered(told: _Told, text: str, width: int, *, has_seat: bool) -> Iterator[Line]:
    """Yield a sentence in lines; with `has_seat` its number has the colour of whoever acted."""
    first, *rest = wrap(text, width - 4)
    role = f"seat-{told.actor}/" if has_seat and told.actor != CHANCE else "quiet"
    yield (f"{told.number:>3} ", role), (first, "")
    yield from (((f"    {more}", ""),) for more in rest)


def result(
    match: Match, end: End | None, names: Sequence[str], you: Seat | None = None
) -> tuple[str, str]:
    """Return who won and why, for whoever plays the seat `you`; both empty while it goes on."""
    ended = outcome_end(match) or end
    if ended is None:
        return "", ""
    who, why = results.result(match.setup, ended, names, you)
    if outcome := match.outcome:
        why = scenes.maker(match).reason(match.state, outcome.reason)
    return IN_A_SENTENCE.get(who, who), why


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
        return names[number] if found[1] == "seat" else listed(names[number::2])

    return re.sub(r"\b(seat|side) (\d)\b", name, text)
