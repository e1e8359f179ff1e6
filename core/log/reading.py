"""Read a log line by line and step by step, or skim it without applying the rules.

Reading never gives up: a damaged log opens up to the damage, with the line and the reason.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Final

from kumite.core.errors import BadLog, KumiteError, NewerLog
from kumite.core.game import CHANCE, Setup, Step, Value, parse_actor
from kumite.core.games import GAMES, find
from kumite.core.log.lines import (
    CHECK,
    FORMAT,
    LONGEST,
    MAGIC,
    SHOWN,
    chained,
    parse_by,
    parse_end,
    unescaped,
)
from kumite.core.match import Match
from kumite.core.players import named, shown_names
from kumite.core.table import End, Header, Play, Table, TakeBack, after
from kumite.core.text import clean


@dataclass(frozen=True, slots=True)
class Entry:
    """One line after the header: 1-based line number, kind, the rest."""

    line: int
    kind: str
    rest: str


@dataclass(frozen=True, slots=True)
class Damage:
    """Where a log becomes unreadable, and why."""

    line: int
    reason: str
    # True if no intact line follows, as after a crash or power cut.
    is_tail: bool = field(default=False, compare=False)

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Log:
    """A log as read: the match up to any damage, all intact lines, and the damage."""

    header: Header
    match: Match
    entries: tuple[Entry, ...]
    end: End | None
    damage: Damage | None
    size: int  # characters before the damage
    chain: bytes  # after the last intact line, to continue with a Writer
    whole: Match | None = None  # with nothing hidden, if the audit revealed everything
    lines: int = 0  # intact, including the header's


CHECKED: Final = re.compile(rf"([^\n]*) ~[0-9a-f]{{{CHECK}}}(?=\r?\n|$)")  # a line of a log
_WHOLE: Final = re.compile(rf" ~[0-9a-f]{{{CHECK}}}\r?\n")  # the end of a complete line
MARK: Final = "\ufeff"  # byte order mark, added by some editors


def plain(text: str) -> tuple[str, tuple[str, ...]]:
    """Return a text without a byte order mark and CRLF line ends, and names of those found."""
    named = []
    if text.startswith(MARK):
        text = text.removeprefix(MARK)
        named.append("a byte order mark")
    if text.partition("\n")[0].endswith("\r"):
        text = text.replace("\r\n", "\n")
        named.append("CRLF line ends")
    return text, tuple(named)


# --- Reading -----------------------------------------------------------------------------------


@dataclass(slots=True)
class _Reading:
    """The state of `read` (mutable, used only there)."""

    header: Header
    table: Table
    chain: bytes
    entries: list[Entry] = field(default_factory=list)
    size: int = 0
    opened: dict[int, Step] = field(default_factory=dict)  # by number
    whole: Match | None = None
    lines: int = 0


def read(text: str) -> Log:
    """Return the log in `text`, checked line by line and step by step.

    Raises:
        BadLog: the header is damaged.
    """
    header, match, lines, size = _read_header(text)
    reading = _Reading(header, Table(match), match.digest, size=size, lines=lines)
    return _read_lines(reading, text[size:])


def read_on(log: Log, text: str) -> Log:
    """Return `log` continued with `text`, which was appended after its intact lines."""
    table = Table(log.match, end=log.end)
    reading = _Reading(log.header, table, log.chain, list(log.entries))
    reading.size, reading.lines, reading.whole = log.size, log.lines, log.whole
    for entry in log.entries:
        if entry.kind == "open":
            _open(reading, entry.rest)
    return _read_lines(reading, text)


def _read_header(text: str) -> tuple[Header, Match, int, int]:
    """Return the header, the match before its first step, its lines and its characters."""
    header_lines, size = _read_header_lines(text)
    header = header_of(header_lines)
    try:
        match = header.begin()
    except KumiteError as error:
        raise BadLog(
            f"the header's position: {clean(str(error), LONGEST)}", hint=clean(error.hint, LONGEST)
        ) from None
    if header_lines[-1] != f"begin {match.digest.hex()[:SHOWN]}":
        raise BadLog(
            f"line {len(header_lines)}: the header does not match its first digest",
            hint="it was written by another version of kumite or of the rules",
        )
    return header, match, len(header_lines), size


def _read_lines(reading: _Reading, text: str) -> Log:
    damage, before = None, reading.size
    for raw in raw_lines(text):
        number = reading.lines + 1
        try:
            chain, said = _checked(reading.chain, raw)
            kind, _, rest = said.partition(" ")
            _KINDS.get(kind, _skip)(reading, rest)
        except KumiteError as error:
            rest = text[reading.size - before :]
            said = named(str(error), shown_names(reading.header.names))
            damage = Damage(number, clean(said, LONGEST), not _WHOLE.search(rest))
            break
        reading.chain = chain
        reading.entries.append(Entry(number, kind, rest))
        reading.size += len(raw)
        reading.lines = number
    return Log(
        reading.header,
        reading.table.match,
        tuple(reading.entries),
        reading.table.end,
        damage,
        reading.size,
        reading.chain,
        reading.whole,
        reading.lines,
    )


def _read_header_lines(text: str) -> tuple[list[str], int]:
    lines: list[str] = []
    chain, size = b"", 0
    for raw in raw_lines(text):
        if not lines and not raw.startswith(MAGIC + " "):
            break
        if not lines:
            _check_format(raw)
        try:
            chain, said = _checked(chain, raw)
        except KumiteError as error:
            raise BadLog(f"line {len(lines) + 1}: {error}", hint="the header is damaged") from None
        lines.append(said)
        size += len(raw)
        if said.startswith("begin "):
            return lines, size
    if not lines:
        raise BadLog("line 1: not a kumite log", hint=f"a log begins with `{MAGIC} {FORMAT}`")
    raise BadLog(f"line {len(lines) + 1}: the header ends before its `begin` line")


def _check_format(raw: str) -> None:
    """Refuse a newer format by its first words; how lines end may have changed too."""
    found = re.match(f"{MAGIC} ([1-9][0-9]{{0,8}})(?: |$)", raw)
    if found and int(found[1]) > FORMAT:
        raise NewerLog(
            f"line 1: format {found[1]} is newer than this kumite, which reads up to {FORMAT}",
            hint="open it with a newer kumite; the file is not damaged",
        )


def raw_lines(text: str) -> list[str]:
    """Split only at line feeds: `splitlines` knows ten more characters that a name may have."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _checked(chain: bytes, raw: str) -> tuple[bytes, str]:
    """Return the chain after this line, and the line without its check."""
    if not raw.endswith("\n"):
        raise KumiteError("the line is cut off")
    said, mark, check = raw[:-1].rpartition(" ~")
    chain = chained(chain, said)
    if not mark or check != chain.hex()[:CHECK]:
        raise KumiteError("the line, or one before it, was changed (its check differs)")
    return chain, said


def header_of(lines: list[str]) -> Header:
    """Parse header lines; the last one, `begin`, is ignored.

    Raises:
        BadLog: they are invalid.
        NewerLog: they are from a later kumite.
    """
    fields: dict[str, str] = {}
    options: dict[str, Value] = {}
    names: dict[str, str] = {}
    extra: list[str] = []
    for line in lines[:-1]:
        kind, _, rest = line.partition(" ")
        if kind in ("option", "name"):
            key, _, value = rest.partition(" ")
            (options if kind == "option" else names)[key] = value
        elif kind in (MAGIC, "match", "game", "seats", "by", "position"):
            fields[kind] = rest
        else:
            extra.append(line)
    try:
        game_id, _, rest = fields["game"].partition(" ")
        rules, _, package = rest.partition(" ")
        if fields[MAGIC] != str(FORMAT):
            raise BadLog(f"line 1: unknown log format {clean(fields[MAGIC], LONGEST)!r}")
        if package and game_id not in GAMES:
            raise BadLog(
                f"the game {clean(game_id, LONGEST)} is not installed",
                hint=f"the package {clean(package, LONGEST)} had it; install it if you trust it",
            )
        game = find(game_id)
        if re.fullmatch("[1-9][0-9]{0,8}", rules) and int(rules) > game.RULES:
            raise NewerLog(
                f"{game_id} rules {rules} are newer than this kumite's ({game.RULES})",
                hint="open it with a newer kumite; the file is not damaged",
            )
        if rules != str(game.RULES):
            raise BadLog(f"{game_id} rules {rules}; this kumite has rules {game.RULES}")
        setup = Setup.of(game, int(fields["seats"]), options)
        by = parse_by(fields["by"])
        if by is not None and max(by, default=0) >= setup.seats:
            raise BadLog(f"the header's seats: by {fields['by']} of {setup.seats}")
        match_id = fields["match"]
        if not re.fullmatch("[0-9a-f]{1,64}", match_id):
            raise BadLog("the header's match id is invalid")
        shown = [clean(names.get(str(seat), ""), LONGEST) for seat in range(setup.seats)]
        listed = tuple(shown) if names else ()
    except KeyError as error:
        raise BadLog(f"the header has no line {error}") from None
    except ValueError:
        seats = clean(fields["seats"], 60)
        raise BadLog(f"the header's seats: {seats!r} is not a number") from None
    except NewerLog:
        raise
    except KumiteError as error:
        raise BadLog(clean(str(error), LONGEST), hint=error.hint) from None
    return Header(match_id, setup, listed, by, unescaped(fields.get("position", "")), tuple(extra))


def _step(reading: _Reading, rest: str) -> None:
    """Play a step; one behind an end makes that void."""
    parts = rest.split(" ")
    if len(parts) != 4:
        raise KumiteError(f"malformed step: {rest!r}")
    number, actor, step, digits = parts
    before = reading.table.match.number
    if number != str(before + 1):
        raise KumiteError(f"step {number} after step {before}")
    table = after(replace(reading.table, end=None), Play(parse_actor(actor), Step(step)))
    if table.match.digest.hex()[:SHOWN] != digits:
        raise KumiteError(f"after step {number} the positions differ (digest)")
    reading.table = table


def _back(reading: _Reading, rest: str) -> None:
    before = reading.table.match.number
    if not re.fullmatch("0|[1-9][0-9]{0,8}", rest) or int(rest) > before:
        raise KumiteError(f"back to step {rest!r} after step {before}")
    reading.table = after(reading.table, TakeBack(int(rest)))


def _end(reading: _Reading, rest: str) -> None:
    reading.table = after(reading.table, parse_end(rest, reading.header.setup))


def _open(reading: _Reading, rest: str) -> None:
    """Keep a revealed step; `_audit` checks it."""
    if found := re.fullmatch("([1-9][0-9]{0,8}) ([!-~]+)", rest):
        reading.opened[int(found[1])] = Step(found[2])


def _audit(reading: _Reading, rest: str) -> None:
    if rest != "fair":
        return
    whole = replace(reading.header, by=None).begin()
    for number, played in enumerate(reading.table.match.steps(), 1):
        whole = whole.play(played.actor, reading.opened.get(number, played.step))
    if whole.digest != reading.table.match.digest:
        raise KumiteError("the revealed steps are not the ones that were played")
    reading.whole = whole


def _skip(reading: _Reading, rest: str) -> None:
    """Ignore a line that does not affect the match."""


_KINDS: Final[Mapping[str, Callable[[_Reading, str], None]]] = {
    "step": _step,
    "back": _back,
    "end": _end,
    "open": _open,
    "audit": _audit,
}


# --- Skimming ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Skim:
    """A summary of a log made without applying the rules, for lists of many logs."""

    header: Header
    number: int  # steps
    end: End | None
    damage: Damage | None
    first: tuple[str, ...] = ()  # the first steps of seats, each as `SEAT STEP`; at most FIRST
    is_helped: bool = False  # a player took a step back or used a bot before the end


FIRST: Final = 24
_HELP: Final = ("hint:", "analysis:")  # prefixes of notes about help by a bot


def is_help(kind: str, rest: str) -> bool:
    """Return whether a line tells of a step taken back, or of help by a bot."""
    return kind == "back" or (kind == "note" and rest.startswith(_HELP))


def skim(text: str) -> Skim:
    """Summarise a log: verify its checks, but do not play its steps.

    Raises:
        BadLog: the header is damaged.
    """
    header, match, line, size = _read_header(text)
    found, damage, chain = _Skimmed(header.setup), None, match.digest
    for raw in raw_lines(text[size:]):
        line += 1
        try:
            chain, said = _checked(chain, raw)
            found.take(*said.partition(" ")[::2])
        except KumiteError as error:
            is_tail = not _WHOLE.search(text[size:])
            damage = Damage(line, clean(str(error), LONGEST), is_tail)
            break
        size += len(raw)
    first = tuple(played for _, played in found.first)
    return Skim(header, found.steps, found.end, damage, first, found.is_helped)


@dataclass(slots=True)
class _Skimmed:
    """The state of `skim` (mutable, used only there)."""

    setup: Setup
    steps: int = 0
    end: End | None = None
    first: list[tuple[int, str]] = field(default_factory=list)  # with their numbers
    is_helped: bool = False

    def take(self, kind: str, rest: str) -> None:
        if kind == "step":
            self.steps, self.end = self.steps + 1, None
            played = rest.rpartition(" ")[0].partition(" ")[2]
            if len(self.first) < FIRST and not played.startswith(CHANCE):
                self.first.append((self.steps, played))
        elif kind == "back":
            if not re.fullmatch("[0-9]{1,9}", rest):
                raise KumiteError(f"back to step {rest!r}")
            self.steps, self.end, self.is_helped = int(rest), None, True
            self.first = [one for one in self.first if one[0] <= self.steps]
        elif kind == "end":
            self.end = parse_end(rest, self.setup)
        elif kind == "note" and rest.startswith(_HELP):
            self.is_helped = self.is_helped or self.end is None


def glance(first: str, last: str = "") -> Skim:
    """Summarise a log from its first and last lines, without verifying any check.

    Raises:
        BadLog: the header is invalid.
    """
    head, begin, body = first.partition("\nbegin ")
    if not begin or not head.startswith(f"{MAGIC} "):
        _read_header_lines(first)  # raises, saying what is wrong
    _check_format(head)
    header = header_of([*(line.rpartition(" ~")[0] for line in head.split("\n")), begin])
    body = "\n" + (last or body).rpartition("\n")[0]
    at, steps, end = _last(body, "step", "back"), 0, None
    with suppress(KumiteError, ValueError):
        if at:
            steps = int(body[at:].split(" ", 2)[1][:9])
        if (found := _last(body[at:], "end")) and (line := CHECKED.match(body, at + found)):
            end = parse_end(line[1].partition(" ")[2], header.setup)
    is_cut = not (last or first).endswith("\n")
    damage = Damage(0, "the last line is cut off", is_tail=True) if is_cut else None
    return Skim(header, steps, end, damage)


def _last(body: str, *kinds: str) -> int:
    """Return where the last line of one of these kinds begins; 0 if there is none."""
    return max(body.rfind(f"\n{kind} ") + 1 for kind in kinds)
