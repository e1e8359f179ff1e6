"""The lines of a log: the header, the steps, the end, and the check of each line."""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

from kumite.core.errors import KumiteError
from kumite.core.game import Seat, Seats, Setup, parse_actor
from kumite.core.games import package_of
from kumite.core.match import Match
from kumite.core.table import ENDS, End, Header, outcome_end
from kumite.core.text import clean

FORMAT: Final = 1
MAGIC: Final = "kumite-log"
SHOWN: Final = 8  # hex digits of a digest in a line
CHECK: Final = 6  # hex digits of a line's check
LONGEST: Final = 300  # characters of a name or a reason as shown


class Writer:
    """Makes the lines of one log, whose checks form a chain; does no I/O."""

    def __init__(self, chain: bytes = b"") -> None:
        """Continue after the line with this chain."""
        self._chain = chain

    def lines(self, *texts: str) -> str:
        """Return one line per text, cleaned, with its check and line end."""
        made = []
        for said in map(clean, texts):
            self._chain = chained(self._chain, said)
            made.append(f"{said} ~{self._chain.hex()[:CHECK]}\n")
        return "".join(made)

    def header(self, header: Header) -> str:
        """Return the whole header, after which the chain restarts."""
        match = header.begin()
        text = self.lines(*header_texts(header), f"begin {match.digest.hex()[:SHOWN]}")
        self._chain = match.digest
        return text

    def steps(self, match: Match, since: int) -> str:
        """Return the lines of all steps after the first `since`."""
        return self.lines(*(step_text(one) for one in match.line() if one.number > since))


def chained(chain: bytes, text: str) -> bytes:
    """Return the chain after a line with this `text`, without its check."""
    data = chain + text.encode("utf-8", "replace")  # lone surrogates cannot be saved
    return blake2b(data, digest_size=16, person=b"kumite-log").digest()


def header_texts(header: Header) -> list[str]:
    """Return the lines of a header up to `begin`, without their checks."""
    setup = header.setup
    texts = [
        f"{MAGIC} {FORMAT}",
        f"match {header.match_id}",
        f"game {setup.game.ID} {setup.game.RULES} {package_of(setup.game.ID)}".rstrip(),
        f"seats {setup.seats}",
    ]
    texts += [f"option {name} {value}" for name, value in sorted(setup.options.items())]
    texts += [f"name {seat} {name}" for seat, name in enumerate(header.names)]
    texts.append(f"by {by_text(header.by)}")
    if header.position:
        texts.append(f"position {escaped(header.position)}")
    return [*texts, *header.extra]


def step_text(match: Match) -> str:
    """Return the line of the last step of `match`, without its check."""
    assert match.last is not None
    digits = match.digest.hex()[:SHOWN]
    return f"step {match.number} {match.last.actor} {match.last.step} {digits}"


def end_text(end: End) -> str:
    """Return the line of an end, without its check."""
    seats = ",".join(map(str, end.seats)) or "-"
    return f"end {end.kind} {end.reason} {seats}" if end.reason else f"end {end.kind} {seats}"


def by_text(by: Seats | None) -> str:
    """Return the view as text: `*` complete, `-` a spectator, else the seats."""
    if by is None:
        return "*"
    return ",".join(map(str, sorted(by))) or "-"


def log_text(header: Header, match: Match, end: End | None = None) -> str:
    """Return a whole log, with `end` or else the outcome by the rules."""
    writer, end = Writer(), end or outcome_end(match)
    text = writer.header(header) + writer.steps(match, 0)
    return text + writer.lines(end_text(end)) if end else text


# --- Parsing -----------------------------------------------------------------------------------


def parse_by(text: str) -> Seats | None:
    """Parse the text of `by_text`.

    Raises:
        KumiteError: none of the three forms.
    """
    if text == "*":
        return None
    return frozenset() if text == "-" else frozenset(parse_seats(text))


def parse_seats(text: str) -> tuple[Seat, ...]:
    """Parse seats like `0,2`, or `-` for none.

    Raises:
        KumiteError: not a list of seats.
    """
    if text == "-":
        return ()
    actors = [parse_actor(part) for part in text.split(",")]
    if "*" in actors:
        raise KumiteError(f"{text!r} is not a list of seats")
    return tuple(actor for actor in actors if actor != "*")


def parse_end(text: str, setup: Setup) -> End:
    """Parse the text of `end_text`, without its first word.

    Raises:
        KumiteError: malformed, or it names seats that the match does not have.
    """
    kind, _, said = text.partition(" ")
    if kind not in ENDS:
        raise KumiteError(f"unknown end: {text!r}")
    reason, _, seats = said.rpartition(" ")
    end = End(kind, parse_seats(seats), clean(reason))
    if max(end.seats, default=0) >= setup.seats:
        raise KumiteError(f"this match has no such seats: {text!r}")
    return end


def escaped(text: str) -> str:
    """Return several lines as one that contains no spaces or line feeds."""
    return text.replace("%", "%25").replace(" ", "%20").replace("\n", "%0A")


def unescaped(text: str) -> str:
    return text.replace("%0A", "\n").replace("%20", " ").replace("%25", "%")
