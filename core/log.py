"""The saved match: text that people can read, mail and diff, one line a step, only ever appended.

    kumite-log 1 ~0c6e55
    match 5f0e2c4a9b71d803 ~…       header: who, what, seen by whom
    game kuzushi 1 ~…               id and version of the rules
    seats 2 ~…
    option board normal ~…
    name 0 ada ~…
    by * ~…                         * complete, - a spectator, 0,2 as these seats saw it
    begin 5be2d7f0 ~…               ends the header: first digits of the match's first digest
    step 1 1 f7 92ab03cc ~…         number, actor, step, first digits of the digest after it
    back 3 ~…                       taken back: the first three steps stay
    note …, say SEAT …              kept and shown, nothing to the rules
    remark 3 …                      somebody's words about the position after step 3
    end outcome cards 1 ~…          or: end resigned|agreed|left|adjourned SEATS
    open 2 b4+shield ~…             after the match: step 2 with nothing hidden
    audit fair ~…                   all is open now, and was played fair; else none|false, and why

Each line ends with a check of six hex digits over all lines before it and itself. The chain starts
anew behind `begin`, from the first digest: so the logs of one match on two terminals are equal from
the first step line on. Kinds of lines that are not known here are kept and skipped.
docs/log-format.md says all of it, and what will never change.

Reading never gives up: a damaged log opens up to the damage, with the line and the reason.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final

from kumite.core.errors import BadLog, BadSetup, KumiteError, NewerLog
from kumite.core.game import Seat, Setup, Step, parse_actor
from kumite.core.games import GAMES, find, parse_position
from kumite.core.match import Match
from kumite.core.text import clean

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from kumite.core.game import Game, Seats, Value

FORMAT: Final = 1
MAGIC: Final = "kumite-log"
SHOWN: Final = 8  # hex digits of a digest in a line
CHECK: Final = 6  # hex digits of a line's check
LONGEST: Final = 300  # characters of a name or a reason as shown
ENDS: Final = ("outcome", "resigned", "agreed", "left", "adjourned", "time", "spoiled")


@dataclass(frozen=True, slots=True)
class Header:
    """What a log says before its first step."""

    match_id: str  # hex, drawn when the match is made; the same on every terminal
    setup: Setup
    names: tuple[str, ...] = ()  # by seat; may be shorter than the seats
    by: Seats | None = None  # whose view it records; None: complete
    position: str = ""  # the canonical text the match began from, if not the game's start
    extra: tuple[str, ...] = ()  # further header lines, kept as they are

    def begin(self) -> Match:
        """Return the match before its first step.

        Raises:
            BadNotation, BadSetup: `position` is none, or of another set-up.
        """
        if not self.position:
            return Match.begin(self.setup, self.by)
        game, position = parse_position(self.position, {self.setup.game.ID: self.setup.game})
        if Setup.of(game, *game.setup_of(position)) != self.setup:
            raise BadSetup("the position does not belong to these seats and options")
        return Match.begin(self.setup, self.by, position)


@dataclass(frozen=True, slots=True)
class End:
    """How the table ended: `outcome` by the rules, else by what people did."""

    kind: str  # one of ENDS
    seats: tuple[Seat, ...] = ()  # the winners of an outcome; else who resigned, left, …
    reason: str = ""  # of an outcome


@dataclass(frozen=True, slots=True)
class Entry:
    """One line after the header: 1-based line number, kind, the rest."""

    line: int
    kind: str
    rest: str


@dataclass(frozen=True, slots=True)
class Damage:
    """Where a log stops to make sense, and why."""

    line: int
    reason: str

    def __str__(self) -> str:
        """Return `line 17: the reason`."""
        return f"line {self.line}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Log:
    """A log as read: the match as far as it is sound, all its lines, and the damage if any."""

    header: Header
    match: Match
    entries: tuple[Entry, ...]
    end: End | None
    damage: Damage | None
    size: int  # characters that are sound; what follows them is damaged
    writer: Writer  # goes on behind the last sound line
    whole: Match | None = None  # with nothing hidden, if its audit has opened everything
    lines: int = 0  # that are sound, the header's included


@dataclass(frozen=True, slots=True)
class Writer:
    """Makes the lines of one log: a chain of checks, and nothing of files."""

    chain: bytes = b""

    def line(self, text: str) -> tuple[Writer, str]:
        """Return the next writer, and the line for `text` with its check and line end."""
        said = clean(text)
        chain = _chained(self.chain, said)
        return Writer(chain), f"{said} ~{chain.hex()[:CHECK]}\n"

    def lines(self, *texts: str) -> tuple[Writer, str]:
        """Return the next writer, and one line for each text."""
        writer, made = self, []
        for text in texts:
            writer, line = writer.line(text)
            made.append(line)
        return writer, "".join(made)

    def header(self, header: Header) -> tuple[Writer, str]:
        """Return the writer for the first entry, and the whole header."""
        match = header.begin()
        begin = f"begin {match.digest.hex()[:SHOWN]}"
        _, text = Writer().lines(*_header_texts(header), begin)
        return Writer(match.digest), text

    def steps(self, match: Match, since: int) -> tuple[Writer, str]:
        """Return the lines of all steps of `match` after the first `since`."""
        made = [step_text(one) for one in match.line() if one.number > since]
        return self.lines(*made)


def _chained(chain: bytes, text: str) -> bytes:
    data = chain + text.encode("utf-8", "replace")  # a file holds no half characters
    return blake2b(data, digest_size=16, person=b"kumite-log").digest()


def _header_texts(header: Header) -> list[str]:
    setup = header.setup
    texts = [
        f"{MAGIC} {FORMAT}",
        f"match {header.match_id}",
        f"game {setup.game.ID} {setup.game.RULES}",
        f"seats {setup.seats}",
    ]
    texts += [f"option {name} {value}" for name, value in sorted(setup.options.items())]
    texts += [f"name {seat} {name}" for seat, name in enumerate(header.names)]
    texts.append(f"by {by_text(header.by)}")
    if header.position:
        texts.append(f"position {_escaped(header.position)}")
    return [*texts, *header.extra]


def step_text(match: Match) -> str:
    """Return the text of the last step of `match`."""
    assert match.last is not None
    digits = match.digest.hex()[:SHOWN]
    return f"step {match.number} {match.last.actor} {match.last.step} {digits}"


def end_text(end: End) -> str:
    """Return the text of an end."""
    seats = ",".join(map(str, end.seats)) or "-"
    return f"end {end.kind} {end.reason} {seats}" if end.reason else f"end {end.kind} {seats}"


def by_text(by: Seats | None) -> str:
    """Return whose view: `*` complete, `-` a spectator, else the seats."""
    if by is None:
        return "*"
    return ",".join(map(str, sorted(by))) or "-"


def parse_by(text: str) -> Seats | None:
    """Return what `by_text` wrote.

    Raises:
        KumiteError: none of the three.
    """
    if text == "*":
        return None
    return frozenset() if text == "-" else frozenset(_seats(text))


def _seats(text: str) -> tuple[Seat, ...]:
    if text == "-":
        return ()
    actors = [parse_actor(part) for part in text.split(",")]
    if "*" in actors:
        raise KumiteError(f"{text!r} are no seats")
    return tuple(actor for actor in actors if actor != "*")


def _escaped(text: str) -> str:
    """Return several lines in one that survives the joining of spaces in a line."""
    return text.replace("%", "%25").replace(" ", "%20").replace("\n", "%0A")


def _unescaped(text: str) -> str:
    return text.replace("%0A", "\n").replace("%20", " ").replace("%25", "%")


# --- Reading ----------------------------------------------------------------------------------


@dataclass(slots=True)
class _Reading:
    """What has been read so far (mutable, inside `read` only)."""

    header: Header
    match: Match
    chain: bytes
    entries: list[Entry] = field(default_factory=list)
    end: End | None = None
    size: int = 0
    opened: dict[int, Step] = field(default_factory=dict)  # by number
    whole: Match | None = None
    lines: int = 0


def read(text: str, games: Mapping[str, Game[Any]] = GAMES) -> Log:
    """Return the log in `text`, checked line by line and step by step.

    Raises:
        BadLog: not even the header is sound.
    """
    header, match, lines, size = _read_header(text, games)
    return _read_lines(_Reading(header, match, match.digest, size=size, lines=lines), text[size:])


def read_on(log: Log, text: str) -> Log:
    """Return a log with what has been written behind its sound lines since it was read."""
    reading = _Reading(log.header, log.match, log.writer.chain, list(log.entries), log.end)
    reading.size, reading.lines, reading.whole = log.size, log.lines, log.whole
    for entry in log.entries:
        if entry.kind == "open":
            _open(reading, entry.rest)
    return _read_lines(reading, text)


def _read_header(text: str, games: Mapping[str, Game[Any]]) -> tuple[Header, Match, int, int]:
    """Return the header, the match before its first step, and how many lines and characters."""
    header_lines, size = _read_header_lines(text)
    header = _header(header_lines, games)
    try:
        match = header.begin()
    except KumiteError as error:
        raise BadLog(
            f"the header's position: {clean(str(error), LONGEST)}", hint=clean(error.hint, LONGEST)
        ) from None
    if header_lines[-1] != f"begin {match.digest.hex()[:SHOWN]}":
        raise BadLog(
            f"line {len(header_lines)}: the header does not fit its first digest",
            hint="it was written with another version of kumite or of the rules",
        )
    return header, match, len(header_lines), size


def _read_lines(reading: _Reading, text: str) -> Log:
    """Read lines until the end or the first that is damaged."""
    damage = None
    for raw in _raw_lines(text):
        number = reading.lines + 1
        try:
            chain, said = _checked(reading.chain, raw)
            kind, _, rest = said.partition(" ")
            _KINDS.get(kind, _skip)(reading, rest)
        except KumiteError as error:
            damage = Damage(number, clean(str(error), LONGEST))
            break
        reading.chain = chain
        reading.entries.append(Entry(number, kind, rest))
        reading.size += len(raw)
        reading.lines = number
    return Log(
        reading.header,
        reading.match,
        tuple(reading.entries),
        reading.end,
        damage,
        reading.size,
        Writer(reading.chain),
        reading.whole,
        reading.lines,
    )


def _read_header_lines(text: str) -> tuple[list[str], int]:
    lines: list[str] = []
    chain, size = b"", 0
    for raw in _raw_lines(text):
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
        raise BadLog("line 1: this is no kumite log", hint=f"a log begins with `{MAGIC} {FORMAT}`")
    raise BadLog(f"line {len(lines) + 1}: the header ends before its `begin` line")


def _check_format(raw: str) -> None:
    """Refuse a newer format by its first words: how its lines end may have changed as well."""
    found = re.match(f"{MAGIC} ([1-9][0-9]{{0,8}})(?: |$)", raw)
    if found and int(found[1]) > FORMAT:
        raise NewerLog(
            f"line 1: format {found[1]} is newer than this kumite, which reads up to {FORMAT}",
            hint="a newer kumite opens it; nothing in the file need be wrong",
        )


def _raw_lines(text: str) -> list[str]:
    """Split at line feeds alone: `splitlines` knows ten more characters that a name may hold."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _checked(chain: bytes, raw: str) -> tuple[bytes, str]:
    """Return the chain after this line, and the line without its check."""
    if not raw.endswith("\n"):
        raise KumiteError("the line is cut off")
    said, mark, check = raw[:-1].rpartition(" ~")
    chain = _chained(chain, said)
    if not mark or check != chain.hex()[:CHECK]:
        raise KumiteError("the line, or one before it, was changed (its check differs)")
    return chain, said


def _header(lines: list[str], games: Mapping[str, Game[Any]]) -> Header:
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
        game_id, _, rules = fields["game"].partition(" ")
        if fields[MAGIC] != str(FORMAT):
            raise BadLog(f"line 1: {clean(fields[MAGIC], LONGEST)!r} is no format of a log")
        game = find(game_id, games)
        if rules != str(game.RULES):
            raise BadLog(f"{game_id} rules {rules} are not those of this kumite ({game.RULES})")
        setup = Setup.of(game, int(fields["seats"]), options)
        by = parse_by(fields["by"])
        if by is not None and max(by, default=0) >= setup.seats:
            raise BadLog(f"the header's seats: by {fields['by']} of {setup.seats}")
        match_id = fields["match"]
        if not re.fullmatch("[0-9a-f]{1,64}", match_id):
            raise BadLog("the header's match id is none")
        shown = [clean(names.get(str(seat), ""), LONGEST) for seat in range(setup.seats)]
        listed = tuple(shown) if names else ()
    except KeyError as error:
        raise BadLog(f"the header has no line {error}") from None
    except ValueError as error:
        raise BadLog(f"the header's seats: {clean(str(error), LONGEST)}") from None
    except KumiteError as error:
        raise BadLog(clean(str(error), LONGEST), hint=error.hint) from None
    return Header(match_id, setup, listed, by, _unescaped(fields.get("position", "")), tuple(extra))


def _step(reading: _Reading, rest: str) -> None:
    parts = rest.split(" ")
    if len(parts) != 4:
        raise KumiteError(f"no step: {rest!r}")
    number, actor, step, digits = parts
    if number != str(reading.match.number + 1):
        raise KumiteError(f"step {number} after step {reading.match.number}")
    match = reading.match.play(parse_actor(actor), Step(step))
    if match.digest.hex()[:SHOWN] != digits:
        raise KumiteError(f"after step {number} the positions differ (digest)")
    reading.match = match
    reading.end = None


def _back(reading: _Reading, rest: str) -> None:
    if not re.fullmatch("0|[1-9][0-9]{0,8}", rest) or int(rest) > reading.match.number:
        raise KumiteError(f"back to step {rest!r} after step {reading.match.number}")
    reading.match = reading.match.back(int(rest))
    reading.end = None


def _end(reading: _Reading, rest: str) -> None:
    end = parse_end(rest, reading.match.setup)
    if end.kind == "outcome" and end != outcome_end(reading.match):
        raise KumiteError(f"the rules do not end the match so: {rest!r}")
    reading.end = end


def parse_end(text: str, setup: Setup) -> End:
    """Return what `end_text` wrote, without its first word.

    Raises:
        KumiteError: it is none, or names seats that the match does not have.
    """
    kind, _, said = text.partition(" ")
    if kind not in ENDS:
        raise KumiteError(f"no end: {text!r}")
    reason, _, seats = said.rpartition(" ")
    end = End(kind, _seats(seats), clean(reason))
    if max(end.seats, default=0) >= setup.seats:
        raise KumiteError(f"no seats of this match: {text!r}")
    return end


def _open(reading: _Reading, rest: str) -> None:
    """Keep a step in full; whether it fits, the audit line tells."""
    if found := re.fullmatch("([1-9][0-9]{0,8}) ([!-~]+)", rest):
        reading.opened[int(found[1])] = Step(found[2])


def _audit(reading: _Reading, rest: str) -> None:
    if rest != "fair":
        return
    whole = replace(reading.header, by=None).begin()
    for number, played in enumerate(reading.match.steps(), 1):
        whole = whole.play(played.actor, reading.opened.get(number, played.step))
    if whole.digest != reading.match.digest:
        raise KumiteError("what was opened is another match than was played")
    reading.whole = whole


def _skip(reading: _Reading, rest: str) -> None:
    """Keep a line whose kind says nothing to the rules."""


_KINDS: Final[Mapping[str, Callable[[_Reading, str], None]]] = {
    "step": _step,
    "back": _back,
    "end": _end,
    "open": _open,
    "audit": _audit,
}


def outcome_end(match: Match) -> End | None:
    """Return the end that the rules give `match`, None while it goes on."""
    outcome = match.outcome
    return End("outcome", outcome.winners, outcome.reason) if outcome else None


def log_text(header: Header, match: Match, end: End | None = None) -> str:
    """Return a whole log at once, with the outcome if the rules have ended the match."""
    writer, text = Writer().header(header)
    writer, steps = writer.steps(match, 0)
    end = end or outcome_end(match)
    return text + steps + (writer.line(end_text(end))[1] if end else "")


# --- Skimming ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Skim:
    """What the lines of a log say when the rules are not asked: for lists of many logs."""

    header: Header
    number: int  # steps
    end: End | None
    damage: Damage | None


def skim(text: str, games: Mapping[str, Game[Any]] = GAMES) -> Skim:
    """Return what a log says of itself: its checks are verified, its steps are not played.

    Raises:
        BadLog: not even the header is sound.
    """
    header, match, line, size = _read_header(text, games)
    chain, steps, end, damage = match.digest, 0, None, None
    for raw in _raw_lines(text[size:]):
        line += 1
        try:
            chain, said = _checked(chain, raw)
            kind, _, rest = said.partition(" ")
            if kind == "step":
                steps, end = steps + 1, None
            elif kind == "back":
                if not re.fullmatch("[0-9]{1,9}", rest):
                    raise KumiteError(f"back to step {rest!r}")
                steps, end = int(rest), None
            elif kind == "end":
                end = parse_end(rest, header.setup)
        except KumiteError as error:
            damage = Damage(line, clean(str(error), LONGEST))
            break
    return Skim(header, steps, end, damage)
