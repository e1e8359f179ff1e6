"""What the lines of a log look like: the header, the steps, the end, and the check of each."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

from kumite.core.errors import BadSetup, KumiteError
from kumite.core.game import Seat, Setup, parse_actor
from kumite.core.games import parse_position
from kumite.core.match import Match
from kumite.core.text import clean

if TYPE_CHECKING:
    from kumite.core.game import Seats

FORMAT: Final = 1
MAGIC: Final = "kumite-log"
SHOWN: Final = 8  # hex digits of a digest in a line
CHECK: Final = 6  # hex digits of a line's check
LONGEST: Final = 300  # characters of a name or a reason as shown
ENDS: Final = ("outcome", "resigned", "agreed", "left", "adjourned", "time", "spoiled", "gone")


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
class Writer:
    """Makes the lines of one log: a chain of checks, and nothing of files."""

    chain: bytes = b""

    def line(self, text: str) -> tuple[Writer, str]:
        """Return the next writer, and the line for `text` with its check and line end."""
        said = clean(text)
        chain = chained(self.chain, said)
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
        _, text = Writer().lines(*header_texts(header), begin)
        return Writer(match.digest), text

    def steps(self, match: Match, since: int) -> tuple[Writer, str]:
        """Return the lines of all steps of `match` after the first `since`."""
        made = [step_text(one) for one in match.line() if one.number > since]
        return self.lines(*made)


def chained(chain: bytes, text: str) -> bytes:
    """Return the chain after a line whose text, without its check, is `text`."""
    data = chain + text.encode("utf-8", "replace")  # a file holds no half characters
    return blake2b(data, digest_size=16, person=b"kumite-log").digest()


def header_texts(header: Header) -> list[str]:
    """Return the lines of a header up to `begin`, without their checks."""
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
        texts.append(f"position {escaped(header.position)}")
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


# --- Texts back to what they say ---------------------------------------------------------------


def parse_by(text: str) -> Seats | None:
    """Return what `by_text` wrote.

    Raises:
        KumiteError: none of the three.
    """
    if text == "*":
        return None
    return frozenset() if text == "-" else frozenset(parse_seats(text))


def parse_seats(text: str) -> tuple[Seat, ...]:
    """Return the seats of `0,2`, none of `-`.

    Raises:
        KumiteError: they are none.
    """
    if text == "-":
        return ()
    actors = [parse_actor(part) for part in text.split(",")]
    if "*" in actors:
        raise KumiteError(f"{text!r} are no seats")
    return tuple(actor for actor in actors if actor != "*")


def parse_end(text: str, setup: Setup) -> End:
    """Return what `end_text` wrote, without its first word.

    Raises:
        KumiteError: it is none, or names seats that the match does not have.
    """
    kind, _, said = text.partition(" ")
    if kind not in ENDS:
        raise KumiteError(f"no end: {text!r}")
    reason, _, seats = said.rpartition(" ")
    end = End(kind, parse_seats(seats), clean(reason))
    if max(end.seats, default=0) >= setup.seats:
        raise KumiteError(f"no seats of this match: {text!r}")
    return end


def escaped(text: str) -> str:
    """Return several lines in one that survives the joining of spaces in a line."""
    return text.replace("%", "%25").replace(" ", "%20").replace("\n", "%0A")


def unescaped(text: str) -> str:
    """Return what `escaped` made one line of."""
    return text.replace("%0A", "\n").replace("%20", " ").replace("%25", "%")
