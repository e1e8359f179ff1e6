"""Effects: what the peer does for a session, in this order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from kumite.core.log import End, Header
    from kumite.core.match import Match
    from kumite.net.crypto.channel import Sealer
    from kumite.net.replica.records import Record
    from kumite.net.session.events import Event


@dataclass(frozen=True, slots=True)
class Send:
    """Send bytes over a connection, sealed if it has a sealer.

    They are sealed when they go out: seals count, and what comes before may have failed, so that
    these never go out.
    """

    link: int
    data: bytes
    sealer: Sealer | None = None

    def frames(self) -> bytes:
        """Return what goes out, once."""
        return self.data if self.sealer is None else self.sealer.seal(self.data)


@dataclass(frozen=True, slots=True)
class Keep:
    """Write to the table's file, from which this terminal can go on after anything."""

    record: Record
    place: int = 0  # of a post in the match's list, from 1


@dataclass(frozen=True, slots=True)
class Save:
    """Write to the log: a header begins it, a match brings its steps, an end, or any other line."""

    record: Header | Match | End | str


@dataclass(frozen=True, slots=True)
class Tell:
    """Hand an event to the app."""

    event: Event


@dataclass(frozen=True, slots=True)
class Connect:
    """Try to reach the host (once more), and those who may carry the table on (succession.py)."""


@dataclass(frozen=True, slots=True)
class Listen:
    """Let others come to this terminal, which carries the table on."""


@dataclass(frozen=True, slots=True)
class Unlisten:
    """Let nobody else come: this terminal is a joiner again."""


@dataclass(frozen=True, slots=True)
class Close:
    """End a connection once everything sent over it is out."""

    link: int


Effect: TypeAlias = Send | Keep | Save | Tell | Connect | Listen | Unlisten | Close
Effects: TypeAlias = tuple[Effect, ...]
