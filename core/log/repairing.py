"""Repair a log: keep lines after the damage if later digests prove them.

The checks are chained, so one changed letter invalidates all later ones. But each step line has the
digest of the match after it: if a step is legal and its digest right, then all steps up to it are
the ones that were played, whatever happened to the lines between.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from kumite.core.errors import KumiteError
from kumite.core.game import CHANCE, Step, parse_actor
from kumite.core.log.lines import SHOWN, Writer, parse_end, step_text
from kumite.core.log.reading import CHECKED, Log, raw_lines, read
from kumite.core.match import Match
from kumite.core.table import outcome_end


@dataclass(frozen=True, slots=True)
class Repaired:
    """A sound log made from a damaged one."""

    text: str
    match: Match
    lost: tuple[int, ...]  # numbers of dropped lines
    unproved: int  # lines of talk and notes, kept unverified
    guessed: tuple[int, ...]  # steps reconstructed from the digest of the next one


@dataclass(slots=True)
class _Work:
    """The state of `repaired` (mutable, used only there)."""

    writer: Writer
    match: Match
    made: list[str]
    lost: list[int] = field(default_factory=list)
    waiting: list[tuple[int, str, Match]] = field(default_factory=list)  # `back` lines, unproved
    guessed: list[int] = field(default_factory=list)
    words: set[str] = field(default_factory=set)  # in the lines dropped since the last step
    unproved: int = 0

    def add(self, text: str) -> None:
        self.made.append(self.writer.lines(text))


def repaired(text: str) -> Repaired | None:
    """Return a sound log with everything provable from `text`; None if nothing is damaged.

    Raises:
        BadLog: the header is damaged.
    """
    found = read(text)
    if found.damage is None:
        return None
    work = _Work(Writer(found.chain), found.match, [text[: found.size]])
    for number, raw in enumerate(raw_lines(text[found.size :]), found.lines + 1):
        said = raw.removesuffix("\n").removesuffix("\r")
        sound = CHECKED.fullmatch(said)
        if sound is None or not _take(work, number, sound[1], is_first=number == found.lines + 1):
            work.lost.append(number)
            work.words.update(said.split(" "))
    work.lost += [number for number, _, _ in work.waiting]
    note = f"note repaired: {found.damage}"
    if work.unproved:
        note += f"; {work.unproved} lines of text after it are not proved"
    work.add(note)
    made = "".join(work.made)
    after = read(made).damage
    if after is not None:  # the audit needs a lost line
        made = _without_audit(found, work)
    return Repaired(made, work.match, tuple(sorted(work.lost)), work.unproved, tuple(work.guessed))


def _take(work: _Work, number: int, said: str, *, is_first: bool) -> bool:
    """Add a line if it is proved or only text; return True if it was added."""
    kind, _, rest = said.partition(" ")
    if kind == "step":
        return _take_step(work, rest)
    if kind == "back":
        before = work.waiting[-1][2] if work.waiting else work.match
        if not rest.isdecimal() or len(rest) > 9 or int(rest) > before.number:
            return False
        work.waiting.append((number, said, before.back(int(rest))))
        return True
    if kind == "end" and rest.startswith("outcome"):
        end = outcome_end(work.match)
        if end is None or _end_of(rest, work.match) != end:
            return False
    elif (kind == "end" and _end_of(rest, work.match) is None) or is_first:
        return False  # the first line after the damage is the changed one
    else:
        work.unproved += 1
    work.add(said)
    return True


def _end_of(rest: str, match: Match) -> object:
    try:
        return parse_end(rest, match.setup)
    except KumiteError:
        return None


def _take_step(work: _Work, rest: str) -> bool:
    """Add a step if its digest is right, either before or after some pending `back` lines."""
    parts = rest.split(" ")
    if len(parts) != 4 or not parts[0].isdecimal() or len(parts[0]) > 9:
        return False
    for at in range(len(work.waiting), -1, -1):
        before = work.waiting[at - 1][2] if at else work.match
        is_next = int(parts[0]) == before.number + 1
        match = before if is_next else _step_lost(before, parts, work.words)
        after = None if match is None else _played(match, parts)
        if match is None or after is None:
            continue
        for _, said, _ in work.waiting[:at]:
            work.add(said)
        work.lost += [number for number, _, _ in work.waiting[at:]]
        work.waiting.clear()
        work.words.clear()
        if match is not before:
            work.add(step_text(match))
            work.guessed.append(match.number)
        work.add(f"step {rest}")
        work.match = after
        return True
    return False


def _step_lost(match: Match, parts: list[str], words: set[str]) -> Match | None:
    """Return the match after the one lost step, if it is unambiguous.

    The public digest does not determine a secret step; then `words` of the broken line must.
    """
    if int(parts[0]) != match.number + 2:
        return None
    found = [one for one in _between(match) if _played(one, parts) is not None]
    if len(found) > 1:
        found = [one for one in found if one.last is not None and one.last.step in words]
    return found[0] if len(found) == 1 else None


def _played(match: Match, parts: list[str]) -> Match | None:
    number, actor, step, digits = parts
    if number != str(match.number + 1):
        return None
    try:
        after = match.play(parse_actor(actor), Step(step))
    except KumiteError:
        return None
    return after if after.digest.hex()[:SHOWN] == digits else None


def _between(match: Match) -> Iterator[Match]:
    """Yield the match after each step that the lost line may have recorded."""
    for actor in match.actors:
        try:
            steps = sorted(match.odds()) if actor == CHANCE else match.legal(actor)
            yield from (match.play(actor, step) for step in steps)
        except KumiteError:  # the legal steps depend on what this log hides
            continue


def _without_audit(found: Log, work: _Work) -> str:
    first, *lines = work.made
    said = (line.rpartition(" ~")[0] for line in lines)
    kept = (one for one in said if one.partition(" ")[0] not in ("open", "audit"))
    return first + Writer(found.chain).lines(*kept)
