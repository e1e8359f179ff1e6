"""What a guest's app asks of its house's network, and what it is told; pure, limits first.

A guest's process has no network of its own (serve/inside.py). A wish is a datagram; its answer is
another one, with an open file by which the rest comes:

Reach       a frame that grants or refuses, then the bytes of the connection, both ways
Listen      of each who comes ADDRESS bytes that say from where, and a file with their bytes
Announce    a frame that grants or refuses; of every change another Announce goes back
Find        a frame that grants or refuses, then others: what has Appeared, changed, or Gone
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from kumite.core.codec import decode, encode
from kumite.core.text import clean
from kumite.net.transport.discovery import (
    MATCHES,
    SERVICE,
    Found,
    Vanished,
    found_table,
    table_txt,
)
from kumite.net.wire import fields
from kumite.net.wire.fields import Kinds, Shape, each, many, number, one_of
from kumite.net.wire.framing import LENGTH, MAX_PLAIN, first_frame, frame
from kumite.net.wire.hall import MAX_ADDRESS, addresses

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kumite.core.errors import KumiteError
    from kumite.net.transport.discovery import Announced, News

LONGEST: Final = 2000  # bytes of a datagram; macOS has 2,048
ADDRESS: Final = MAX_ADDRESS  # bytes of each who comes
MAX_TXT: Final = 8
MAX_VALUE: Final = 64
MAX_ASKED: Final = 2**31 - 1

Txt: TypeAlias = "tuple[tuple[str, str], ...]"


@dataclass(frozen=True, slots=True)
class Reach:
    """Connect us to the table there, at whichever of these addresses answers first."""

    addresses: tuple[str, ...]
    port: int


@dataclass(frozen=True, slots=True)
class Listen:
    """Let others come to a table of ours, at this port; 0: any."""

    port: int


@dataclass(frozen=True, slots=True)
class Announce:
    """Tell everybody of a table of ours, by mDNS."""

    service: str
    key: str
    port: int
    txt: Txt


@dataclass(frozen=True, slots=True)
class Find:
    """Tell us of the tables that are announced, or of those."""

    service: str
    only: tuple[str, ...]  # their keys; none: all


Wish: TypeAlias = Reach | Listen | Announce | Find


@dataclass(frozen=True, slots=True)
class Granted:
    """It is done, or begins; of Listen, at that port."""

    port: int


@dataclass(frozen=True, slots=True)
class Refused:
    """It cannot be, and why: an error as it is told to people."""

    code: str
    text: str
    hint: str


@dataclass(frozen=True, slots=True)
class Appeared:
    """A table is announced, or what is said of it has changed."""

    key: str
    addresses: tuple[str, ...]
    port: int
    txt: Txt


@dataclass(frozen=True, slots=True)
class Gone:
    """It is announced no longer."""

    key: str


Told: TypeAlias = Granted | Refused | Appeared | Gone


_service = one_of(SERVICE, MATCHES)
_port, _any_port = number(1, 65535), number(0, 65535)
_txt = many(each(fields.word, fields.text(MAX_VALUE)), MAX_TXT)

WISHES: Final[Kinds[Wish]] = Kinds(
    (Reach, (addresses, _port)),
    (Listen, (_any_port,)),
    (Announce, (_service, fields.match_id, _port, _txt)),
    (Find, (_service, many(fields.match_id, fields.MAX_SEATS))),
)
TOLD: Final[Kinds[Told]] = Kinds(
    (Granted, (_any_port,)),
    (Refused, (fields.word, fields.long, fields.long)),
    (Appeared, (fields.match_id, addresses, _port, _txt)),
    (Gone, (fields.match_id,)),
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A wish, with a number by which its answer is known."""

    number: int
    wish: Wish


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer to the wish of that number."""

    number: int
    told: Told


ASKED: Final = Shape(Asked, number(0, MAX_ASKED), WISHES)
ANSWERED: Final = Shape(Answered, number(0, MAX_ASKED), TOLD)


def pack_asked(number: int, wish: Wish) -> bytes:
    """Return the datagram of a wish."""
    return encode((number, WISHES.checked(wish)))


def unpack_asked(packed: bytes) -> Asked:
    """Return the wish of these bytes.

    Raises:
        BadData: they are none.
    """
    return ASKED(decode(packed))


def pack_answered(number: int, told: Told) -> bytes:
    """Return the datagram of an answer."""
    return encode((number, TOLD.checked(told)))


def unpack_answered(packed: bytes) -> Answered:
    """Return the answer of these bytes.

    Raises:
        BadData: they are none.
    """
    return ANSWERED(decode(packed))


def refusal(error: KumiteError) -> Refused:
    """Return what is told of an error."""
    text, hint = (clean(one, fields.MAX_TEXT) for one in (str(error), error.hint))
    return Refused(error.code, text, hint)


class Frames:
    """Bytes of a line as they come, cut into what they say (mutable)."""

    def __init__(self) -> None:
        self._left = b""

    def take(self, data: bytes) -> Iterator[bytes]:
        """Yield each frame that is complete with these bytes.

        Raises:
            BadData: one is too long.
        """
        self._left += data
        while (packed := first_frame(self._left, MAX_PLAIN)) is not None:
            self._left = self._left[LENGTH + len(packed) :]
            yield packed


# --- tables, as they are told of --------------------------------------------------------------


def announce(key: str, table: Announced, service: str) -> Announce:
    """Return the wish to announce a table."""
    return Announce(service, key, table.port, tuple(table_txt(table).items()))


def told_of(news: News) -> bytes:
    """Return the frame that tells of a table."""
    match news:
        case Found(key, table, addresses):
            txt = tuple(table_txt(table).items())
            return frame(TOLD.pack(Appeared(key, addresses, table.port, txt)))
        case Vanished(key):
            return frame(TOLD.pack(Gone(key)))


def table_of(said: Appeared | Announce, at: Sequence[str]) -> Found | None:
    """Return the table that is told of, at these addresses; None if there is nothing sound."""
    txt = {name.encode(): value.encode() for name, value in said.txt}
    return found_table(said.key, txt, at, said.port)


def news_of(told: Told) -> News | None:
    """Return what is new about tables, if that was told."""
    match told:
        case Appeared(addresses=addresses):
            return table_of(told, addresses)
        case Gone(key):
            return Vanished(key)
    return None
