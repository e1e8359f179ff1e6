"""Descriptions of a match: its steps in sentences and its result. Pure functions."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Any, Final, NamedTuple

from kumite.core import results
from kumite.core.game import CHANCE, Actor, Game, Seat, Seats, Step
from kumite.core.log import End, outcome_end
from kumite.core.match import Match
from kumite.core.players import named
from kumite.tui import scenes
from kumite.tui.scenes.about import about_game
from kumite.tui.scenes.lines import GOES_ON, Line, capital, wrap
from kumite.tui.scenes.tallies import colors_of

AIM: Final = "How to win"
RENAMED: Final = "squares above have their new names"
NUMBERED: Final = 4  # columns before a step

IN_A_SENTENCE: Final = {
    results.DRAWN: "a draw",
    results.ADJOURNED: "the match is adjourned",
    results.BROKEN_OFF: "the match was broken off",
}


class Remark(NamedTuple):
    """A remark after step `number`, with its role."""

    number: int
    text: str
    role: str = "quiet"
    is_talk: bool = False  # whether it is chat


class ToldStep(NamedTuple):
    """A step and its description."""

    number: int
    actor: Actor
    text: str  # "": not shown
    moves: Mapping[str, str]  # new names of squares that moved


def told_lines(
    match: Match,
    names: Sequence[str],
    width: int,
    remarks: Sequence[Remark] = (),
    besides: int = 0,
    *,
    is_short: bool = False,
) -> list[Line]:
    """Return the log: each step as a sentence in its owner's view, wrapped to `width`.

    Several steps in a turn are listed below the player's name. Remarks follow their step; those
    on later steps come last. Names and numbers have the colour of the seat. The step with number
    `besides` stands elsewhere on the screen. Where the log `is_short`, new names of squares are not
    mentioned: nothing may be above.
    """
    lines: list[Line] = []
    colors = colors_of(match)
    left = list(remarks)

    def tell_remarks(number: int) -> None:
        while left and left[0].number < number:
            remark = left.pop(0)
            lines.extend(_wrapped(remark.text, remark.role, width))

    has_turns = scenes.maker(match).PARTS == ("turn",)
    told = told_now(match, names, renamed="" if is_short else RENAMED)
    told = [one for one in told if one.number != besides]
    for actor, run in groupby(told, key=lambda one: one.actor):
        turn = list(run)
        name = names[actor] if has_turns and actor != CHANCE and len(turn) > 1 else ""
        if name:
            tell_remarks(turn[0].number)
            lines += _wrapped(name, ink_of(actor, colors), width)
        for one in turn:
            tell_remarks(one.number)
            lines += _numbered(one, without_name(name, one.text), width, ink_of(actor, colors))
    tell_remarks(sys.maxsize)
    return lines


def told_now(
    match: Match, names: Sequence[str], since: int = 0, *, renamed: str = RENAMED
) -> list[ToldStep]:
    """Return the steps after number `since`, with the names that their squares have now.

    A step that has renamed the squares of others says so: the last one of a whole log, which is
    in sight, else the first one of the match. `renamed`: the words for it.
    """
    steps = [told_step(after, tuple(names)) for after in match.line()[1:]]
    told = [one for one in steps[since:] if one.text]
    renaming = [one.number for one in steps[1:] if one.moves]
    if not renaming:
        return told
    words = re.compile("|".join((*map(re.escape, names), r"\b\w+\b")))  # names stay as they are
    now: dict[str, str] = {}
    found = []
    for one in reversed(told):
        text = words.sub(lambda word: now.get(word[0], word[0]), one.text) if now else one.text  # noqa: B023
        is_said = bool(renamed) and one.number == renaming[0 if since else -1]
        found.append(one._replace(text=text + f"; {renamed}" * is_said))
        if one.moves:
            now = {old: now.get(new, new) for old, new in one.moves.items()}
    return found[::-1]


def aim_lines(game: Game[Any], width: int) -> list[Line]:
    """Return how the game is won; the log starts with it and scrolls it away as it grows."""
    aim = about_game(game).aim
    return [((AIM, "title"),), *_wrapped(aim, "quiet", width)] if aim else []


def is_opening(match: Match, mine: Seats) -> bool:
    """Return True until the first turn of a local player is over."""
    actors = [one.actor for one in match.steps() if one.actor != CHANCE]
    own = next((at for at, actor in enumerate(actors) if actor in mine), len(actors))
    return bool(mine) and len(set(actors[own:])) <= 1


def _wrapped(text: str, role: str, width: int) -> Iterator[Line]:
    """Yield the lines of a text; the ones after the first are marked as continuations."""
    first, *rest = wrap(text, width)
    yield ((first, role),)
    yield from ((GOES_ON, (more, role)) for more in rest)


def step_name(match: Match, step: Step, names: Sequence[str]) -> str:
    """Return the name of a step within a sentence: `f7`, `the orange 4`, `bob as leader`."""
    return named(scenes.maker(match).step_name(step), names)


def step_first(match: Match, step: Step, names: Sequence[str]) -> str:
    """Return the name of a step at the start of a sentence; squares stay in lower case."""
    said = step_name(match, step, names)
    return said if said == step else capital(said, names)


def run_of(
    start: Match, seat: Seat, steps: Sequence[str], names: Sequence[str], *, is_known: bool = False
) -> str:
    """Describe several steps of one side in one line, with the seat's name only once.

    With `is_known` the name is left out. A step without a description appears in notation.
    """
    match, said = start, list[str]()
    for step in map(Step, steps):
        after = match.play(seat if seat in match.actors else match.actors[0], step)
        text = narrated(after, names)
        said.append(without_name(names[seat] if said or is_known else "", text) or step)
        match = after
    return "; ".join(said)


def in_motion(after: Match, names: Sequence[str]) -> str:
    """Describe the last step while it is shown, with its number if its turn has several."""
    assert after.before is not None
    assert after.last is not None
    text, actor = narrated(after, names), after.last.actor
    number, least = scenes.maker(after).place_in_turn(after.before.state)
    rest = text if actor == CHANCE else without_name(names[actor], text)
    if rest == text or not number or number > least:
        return text
    return f"{names[int(actor)]} {number}/{least}: {rest}"


def narrated(match: Match, names: Sequence[str]) -> str:
    """Return the last step of a match as a sentence; "" at the start, or if it is not shown."""
    before, last = match.before, match.last
    if before is None or last is None:
        return ""
    return scenes.maker(match).narrate(before.state, last.actor, last.step, match.state, names)


@lru_cache(maxsize=4096)  # a long match is not described again after every step
def told_step(after: Match, names: tuple[str, ...]) -> ToldStep:
    assert after.last is not None
    moves = scenes.last_marks(scenes.maker(after), after).moves
    return ToldStep(after.number, after.last.actor, narrated(after, names), moves)


def last_told(match: Match, names: Sequence[str]) -> ToldStep | None:
    told = (told_step(at, tuple(names)) for at in reversed(match.line()[1:]))
    return next((one for one in told if one.text), None)


def without_name(name: str, text: str) -> str:
    """Return a sentence about a player without the name that it begins with."""
    for head in (f"{name}'s ", f"{name} ") if name else ():
        if text.startswith(head):
            return text[len(head) :]
    return text


def ink_of(actor: Actor, colors: Mapping[int, int]) -> str:
    """Return the role of an actor's steps in the log; `colors` comes from `colors_of`."""
    return "quiet" if actor == CHANCE else f"seat-{colors[actor]}/"


def _numbered(told: ToldStep, text: str, width: int, role: str) -> Iterator[Line]:
    first, *rest = wrap(text, width - NUMBERED)
    yield (f"{told.number:>3} ", role), (first, "")
    yield from (((f"    {more}", ""),) for more in rest)


def result(
    match: Match, end: End | None, names: Sequence[str], you: Seat | None = None
) -> tuple[str, str]:
    """Return who won and why, as addressed to seat `you`; two empty strings if it is not over."""
    ended = outcome_end(match) or end
    if ended is None:
        return "", ""
    who, why = results.result(match.setup, ended, names, you)
    if outcome := match.outcome:
        why = scenes.maker(match).reason(match.state, outcome.reason)
    return IN_A_SENTENCE.get(who, who), why


def winners(match: Match, end: End | None) -> tuple[int, ...]:
    """Return the winners, by the rules or by how the table ended."""
    ended = outcome_end(match) or end
    return results.winners(match.setup, ended) if ended else ()
