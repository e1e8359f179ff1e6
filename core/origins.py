"""How logs of one match relate: branches, completion, merging and comparison.

A branch is a separate match that begins with the first steps of another. A header line says so;
older readers keep and skip it:

    from 5f0e2c4a9b71d803 17 ~…     the first 17 steps are those of that match
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Final, NamedTuple

from kumite.core.errors import KumiteError
from kumite.core.game import HOLE, SPECTATOR, Actor, Seats, Step
from kumite.core.log import Header, Log, Writer, end_text, outcome_end, step_text
from kumite.core.match import Match

FROM: Final = "from"
OPEN: Final = "open"
TALK: Final = frozenset({"note", "say", "remark"})


class Origin(NamedTuple):
    """The match and step where a branch starts."""

    match_id: str
    number: int  # of shared steps


def origin(header: Header) -> Origin | None:
    """Return the origin of a branch, None for a match from its own start."""
    for line in header.extra:
        if found := re.fullmatch(f"{FROM} ([0-9a-f]{{1,64}}) (0|[1-9][0-9]{{0,8}})", line):
            return Origin(found[1], int(found[2]))
    return None


def branch(log: Log, number: int, match_id: str, names: Sequence[str]) -> tuple[Header, Match]:
    """Return header and match of a branch after the first `number` steps of a log.

    Raises:
        KumiteError: there is no such step, or the log hides something before it.
    """
    if not 0 <= number <= log.match.number:
        raise KumiteError(
            f"there is no step {number}", hint=f"a number from 0 to {log.match.number}"
        )
    whole = completed(log, number)
    if whole is None:
        raise KumiteError(
            f"this log hides something up to step {number}, so it cannot be continued from there",
            hint="an earlier step, or `kumite log merge` with the other terminals' logs",
        )
    header = log.header
    start = (f"{FROM} {header.match_id} {number}",)
    return Header(match_id, header.setup, tuple(names), None, header.position, start), whole


def opened(log: Log) -> dict[int, Step]:
    """Return the steps revealed after the match (`open N STEP`), by number."""
    found: dict[int, Step] = {}
    for entry in log.entries:
        if entry.kind == OPEN:
            parts = entry.rest.split(" ")
            if len(parts) >= 2 and re.fullmatch("[1-9][0-9]{0,8}", parts[0]):
                found[int(parts[0])] = Step(parts[1])
    return found


def completed(log: Log, number: int | None = None) -> Match | None:
    """Return the match of a log, or its first `number` steps, with nothing hidden.

    None if the log hides something that was not opened after the match.
    """
    found = log.whole or log.match
    match = found if number is None else found.back(number)
    if match.by is None:
        return match
    try:
        return _joined(log.header, None, [match], opened(log))
    except KumiteError:
        return None


def merged(one: Log, two: Log) -> tuple[Header, Match]:
    """Return header and match of what two logs of one match show together.

    The match is complete if nothing stays hidden, else it is the view of the seats of both.

    Raises:
        KumiteError: they are not of one match, are damaged, differ, or one is longer.
    """
    _check_one_match(one, two)
    header, names = one.header, zip_longest(one.header.names, two.header.names, fillvalue="")
    header = replace(header, names=tuple(a or b for a, b in names))
    views, more = [one.match, two.match], {**opened(one), **opened(two)}
    try:
        return replace(header, by=None), _joined(header, None, views, more)
    except KumiteError as error:
        if one.header.by is None or two.header.by is None:
            raise
        by = one.header.by | two.header.by
        if by == one.header.by and by == two.header.by:
            raise KumiteError(
                f"both logs show the same view, and hide something: {error}",
                hint="merge the log of another terminal, or one with a complete audit",
            ) from None
        return replace(header, by=by), _joined(header, by, views, more)


def _check_one_match(one: Log, two: Log) -> None:
    for log in (one, two):
        if log.damage is not None:
            raise KumiteError(
                f"a log is damaged: {log.damage}", hint="run `kumite log repair` on it first"
            )
    if one.header.match_id != two.header.match_id:
        raise KumiteError(
            f"these are logs of two matches: {one.header.match_id} and {two.header.match_id}",
            hint="`kumite log compare` shows where two matches diverge",
        )
    if difference := _in_header(one.header, two.header) or _in_steps(one, two):
        raise KumiteError(f"the logs differ: {difference}", hint="`kumite log compare` shows both")


def _joined(
    header: Header, by: Seats | None, views: Sequence[Match], more: Mapping[int, Step]
) -> Match:
    """Play the match from partial `views` of it, checking that the digests stay the same.

    Raises:
        KumiteError: no view shows what `by` must see of some step.
    """
    match = replace(header, by=by).begin()
    for line in zip(*(view.line()[1:] for view in views), strict=True):
        texts = {one.last.step for one in line if one.last is not None}
        assert line[0].last is not None
        if match.number + 1 in more:
            texts.add(more[match.number + 1])
        match = _play_one(match, line[0].last.actor, texts)
        if any(one.digest != match.digest for one in line):
            raise KumiteError(f"step {match.number} has another digest in the logs")
    return match


def _play_one(match: Match, actor: Actor, texts: set[Step]) -> Match:
    """Play the form of a step with the fewest holes that is legal in `match`."""
    first: KumiteError | None = None
    for text in sorted(texts, key=lambda text: (HOLE in text, text)):
        try:
            return match.play(actor, text)
        except KumiteError as error:
            first = first or error
    assert first is not None
    raise KumiteError(f"step {match.number + 1}: {first}", hint=first.hint)


def merged_text(one: Log, two: Log) -> str:
    """Return the log of `merged`, with the talk of both.

    Raises:
        KumiteError: as `merged`.
    """
    header, match = merged(one, two)
    writer = Writer()
    text = writer.header(header)
    said = [talk(one), talk(two)]
    for now in match.line():
        texts = [step_text(now)] if now.last else []
        texts += dict.fromkeys(line for found in said for line in found.get(now.number, ()))
        text += writer.lines(*texts)
    end = outcome_end(match) or one.end or two.end
    return text + writer.lines(end_text(end)) if end else text


def talk(log: Log) -> dict[int, list[str]]:
    """Return the notes, talk and remarks of a log, by the number of steps before them."""
    found: dict[int, list[str]] = {}
    steps = 0
    for entry in log.entries:
        if entry.kind == "step":
            steps += 1
        elif entry.kind == "back":
            steps = int(entry.rest)
        elif entry.kind in TALK:
            found.setdefault(steps, []).append(f"{entry.kind} {entry.rest}".rstrip())
    return found


# --- Comparing --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Difference:
    """The first difference between two logs."""

    number: int | None  # of the step; None: in the header
    field: str  # `game`, `actor`, `step`, `line 3 of the position`, `end`, …
    one: str
    two: str

    def __str__(self) -> str:
        where = "header" if self.number is None else f"step {self.number}"
        return f"{where}, {self.field}: {self.one or 'nothing'} | {self.two or 'nothing'}"


def compare(one: Log, two: Log) -> Difference | None:
    """Return the first difference of two logs, None if they record the same match.

    Names, match ids and talk are ignored. If the logs are views of different seats, only what both
    show is compared.
    """
    return _in_header(one.header, two.header) or _in_steps(one, two) or _in_end(one, two)


def other_differences(one: Log, two: Log) -> tuple[str, ...]:
    """Describe what differs between two logs of the same match: names, talk, remarks, …"""
    found = []
    if one.header.names != two.header.names:
        found.append(f"names: {_listed(one.header.names)}; {_listed(two.header.names)}")
    kinds = {"talk": "say", "remarks": "remark", "notes": "note", "steps taken back": "back"}
    for said, kind in kinds.items():
        lines = [[entry.rest for entry in log.entries if entry.kind == kind] for log in (one, two)]
        if lines[0] != lines[1]:
            found.append(f"{said}: {len(lines[0])} and {len(lines[1])} lines")
    if origin(one.header) != origin(two.header):
        found.append("origin: one is a branch, or they branch from different places")
    return tuple(found)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) or "none"


def _in_header(one: Header, two: Header) -> Difference | None:
    a, b = one.setup, two.setup
    fields = [
        ("game", a.game.ID, b.game.ID),
        ("seats", str(a.seats), str(b.seats)),
        *((f"option {name}", str(a.options[name]), str(b.options.get(name))) for name in a.options),
        ("first digest", one.begin().digest.hex(), two.begin().digest.hex()),
    ]
    return next((Difference(None, *field) for field in fields if field[1] != field[2]), None)


def _in_steps(one: Log, two: Log) -> Difference | None:
    for a, b in zip_longest(one.match.line(), two.match.line()):
        if a is None or b is None:
            number = (a or b).number
            return Difference(number, "step", _last(a), _last(b))
        if found := _at_step(a, b):
            return found
    return None


def _last(match: Match | None) -> str:
    return f"{match.last.actor} {match.last.step}" if match and match.last else ""


def _at_step(a: Match, b: Match) -> Difference | None:
    if a.last is None or b.last is None:
        return None
    number = a.number
    if a.last.actor != b.last.actor:
        return Difference(number, "actor", str(a.last.actor), str(b.last.actor))
    steps = [a.last.step, b.last.step]
    if a.digest == b.digest:
        is_comparable = a.by == b.by or not any(HOLE in step for step in steps)
        return (
            Difference(number, "step", *steps) if is_comparable and steps[0] != steps[1] else None
        )
    public = [_public(match) for match in (a, b)]
    if public[0] != public[1]:
        return Difference(number, "step", *public)
    game = a.game
    texts = [game.text(game.view(match.state, SPECTATOR)).split("\n") for match in (a, b)]
    for line, (x, y) in enumerate(zip_longest(*texts, fillvalue=""), start=1):
        if x != y:
            return Difference(number, f"line {line} of the position", x, y)
    return Difference(number, "digest", a.digest.hex(), b.digest.hex())


def _public(match: Match) -> str:
    assert match.before is not None
    assert match.last is not None
    return match.game.seen(match.before.state, match.last.actor, match.last.step, SPECTATOR)


def _in_end(one: Log, two: Log) -> Difference | None:
    said = [end_text(log.end) if log.end else "" for log in (one, two)]
    return Difference(one.match.number, "end", *said) if said[0] != said[1] else None
