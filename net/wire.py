"""Bytes on the wire and the messages in them; pure, limits first.

Both directions are alike: a preamble, then frames: a length (2 bytes, big-endian) and one message
as canonical msgpack `[kind, field, …]` (core.codec: arrays, ints, strings, bytes; nothing else).
The joiner speaks first; a host says nothing to who has not greeted it properly.

What never changes, so that any two versions can tell each other that they differ: the preamble, the
frames, `Hello`'s first two fields and `Refuse`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from core.codec import DIGEST_SIZE, decode, encode
from core.errors import BadData, LocalError
from core.game import CHANCE, Seat, Step
from core.text import clean as clean

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.game import Actor, Packed, Value

PROTOCOL: Final = 1  # raised when a message, or what it means, changes
PREAMBLE: Final = b"kumite/1\n"
LENGTH: Final = 2  # bytes of a frame's length

MAX_FRAME: Final = 4096  # bytes; an offer for six seats with long names takes under 1,000
MAX_SEATS: Final = 6
MAX_NUMBER: Final = 1_000_000  # steps of a match
MAX_NAME: Final = 24  # characters
MAX_SAY: Final = 200
MAX_TEXT: Final = 300
MAX_TOKEN: Final = 32  # game ids, option names and values, versions, error codes
MAX_STEP: Final = 100  # keeps a step within 150 bytes
MAX_OPTIONS: Final = 32


# --- Messages ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Hello:
    """Joiner: I speak this protocol, am this program, and go by this name."""

    protocol: int
    program: str
    name: str


@dataclass(frozen=True, slots=True)
class Refuse:
    """Either: no table for the two of us, for this reason."""

    code: str
    text: str
    hint: str


@dataclass(frozen=True, slots=True)
class Offer:
    """Host: this is the table; `yours` are the seats of who reads this."""

    program: str
    match_id: str
    game: str
    rules: int
    seats: int
    options: tuple[tuple[str, Value], ...]
    names: tuple[str, ...]
    yours: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Accept:
    """Joiner: I know this game and take these seats; the digest of the start, as I make it."""

    digest: bytes


@dataclass(frozen=True, slots=True)
class Start:
    """Host: everybody is here, the match begins."""


@dataclass(frozen=True, slots=True)
class Played:
    """A step was made: from the host it counts, from a joiner it asks to be entered."""

    number: int  # of steps after it, as in the log: the first is 1
    actor: Actor
    step: Step  # as the reader may see it: the text of `seen`, never a hidden one
    digest: bytes  # of the match after it


@dataclass(frozen=True, slots=True)
class Ack:
    """The step of that number is saved here, and the match after it has this digest."""

    number: int
    digest: bytes


@dataclass(frozen=True, slots=True)
class Say:
    """Words; like a step, they count once the host has sent them."""

    seat: Seat
    text: str


@dataclass(frozen=True, slots=True)
class Resign:
    """Joiner: this seat of mine resigns."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Leave:
    """Joiner: I should like to leave. Host, once the match is over: we part."""


@dataclass(frozen=True, slots=True)
class Over:
    """Host: people have ended the match; `kind` as in the log."""

    kind: str
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Ping:
    """Are you there? Sent every few seconds, whatever else is said."""

    beat: int


@dataclass(frozen=True, slots=True)
class Pong:
    """I am: the answer to the Ping of that number."""

    beat: int


@dataclass(frozen=True, slots=True)
class Stop:
    """Either: I cannot go on with you; `number` is the step it is about, or 0."""

    number: int
    code: str
    text: str


Message: TypeAlias = (
    Hello
    | Refuse
    | Offer
    | Accept
    | Start
    | Played
    | Ack
    | Say
    | Resign
    | Leave
    | Over
    | Ping
    | Pong
    | Stop
)


@dataclass(frozen=True, slots=True)
class Broken:
    """What came is no message of ours; nothing after it is read. Never sent."""

    reason: str


Received: TypeAlias = Message | Broken


# --- What a field may hold: each returns the value, or raises BadData -------------------------


def _number(low: int, high: int) -> Callable[[object], int]:
    def check(value: object) -> int:
        if type(value) is not int or not low <= value <= high:
            raise BadData(f"expected a number from {low} to {high}")
        return value

    return check


def _text(limit: int) -> Callable[[object], str]:
    def check(value: object) -> str:
        if type(value) is not str or len(value) > limit:
            raise BadData(f"expected a text of at most {limit} characters")
        return clean(value, limit)

    return check


def _token(limit: int) -> Callable[[object], str]:
    def check(value: object) -> str:
        if (
            type(value) is not str
            or not 0 < len(value) <= limit
            or not re.fullmatch("[!-~]+", value)
        ):
            raise BadData(f"expected 1 to {limit} ASCII characters without spaces")
        return value

    return check


def _digest(value: object) -> bytes:
    if type(value) is not bytes or len(value) != DIGEST_SIZE:
        raise BadData(f"expected a digest of {DIGEST_SIZE} bytes")
    return value


def _match_id(value: object) -> str:
    if type(value) is not str or not re.fullmatch("[0-9a-f]{16}", value):
        raise BadData("expected a match id of 16 hex digits")
    return value


_seat = _number(0, MAX_SEATS - 1)


def _actor(value: object) -> int | str:
    return CHANCE if value == CHANCE else _seat(value)


def _seats(value: object) -> tuple[int, ...]:
    items = _items(value, MAX_SEATS)
    seats = tuple(_seat(item) for item in items)
    if list(seats) != sorted(set(seats)):
        raise BadData("expected seats in ascending order")
    return seats


def _names(value: object) -> tuple[str, ...]:
    return tuple(map(_text(MAX_NAME), _items(value, MAX_SEATS)))


def _options(value: object) -> tuple[tuple[str, Value], ...]:
    return tuple(map(_option, _items(value, MAX_OPTIONS)))


def _option(value: object) -> tuple[str, Value]:
    pair = _items(value, 2)
    if len(pair) != 2:
        raise BadData("expected an option's name and value")
    name, chosen = pair
    is_text = type(chosen) is str
    return _OPTION_NAME(name), _OPTION_NAME(chosen) if is_text else _OPTION_NUMBER(chosen)


_OPTION_NAME: Final = _token(MAX_TOKEN)
_OPTION_NUMBER: Final = _number(-(2**31), 2**31 - 1)


def _items(value: object, limit: int) -> tuple[object, ...]:
    if type(value) is not tuple or len(value) > limit:
        raise BadData(f"expected at most {limit} values")
    return value


_name, _say, _long, _word = _text(MAX_NAME), _text(MAX_SAY), _text(MAX_TEXT), _token(MAX_TOKEN)
_count, _index = _number(1, MAX_NUMBER), _number(0, MAX_NUMBER)
_Check: TypeAlias = "Callable[[object], Any]"

# The number of a message is its place in this table; new ones go to the end.
_KINDS: Final[tuple[tuple[type[Any], tuple[_Check, ...]], ...]] = (
    (Hello, (_index, _word, _name)),
    (Refuse, (_word, _long, _long)),
    (
        Offer,
        (_word, _match_id, _word, _index, _number(1, MAX_SEATS), _options, _names, _seats),
    ),
    (Accept, (_digest,)),
    (Start, ()),
    (Played, (_count, _actor, _token(MAX_STEP), _digest)),
    (Ack, (_count, _digest)),
    (Say, (_seat, _say)),
    (Resign, (_seat,)),
    (Leave, ()),
    (Over, (_word, _seats)),
    (Ping, (_index,)),
    (Pong, (_index,)),
    (Stop, (_index, _word, _long)),
)
_kind = _number(0, len(_KINDS) - 1)
_NUMBER: Final = {kind: number for number, (kind, _) in enumerate(_KINDS)}
_FIELDS: Final = {kind: tuple(one.name for one in fields(kind)) for kind, _ in _KINDS}


# --- Messages to bytes and back ---------------------------------------------------------------


def pack_message(message: Message) -> bytes:
    """Return the canonical bytes of a message, without the frame around it.

    Raises:
        LocalError: it breaks a limit, so the other side would not read it.
    """
    kind = type(message)
    values: tuple[Packed, ...] = tuple(getattr(message, name) for name in _FIELDS[kind])
    try:
        packed = encode((_NUMBER[kind], *values))
        if unpack_message(packed) != message or len(packed) > MAX_FRAME:
            raise BadData("it reads back as another message")
    except BadData as error:
        raise LocalError(f"{kind.__name__} cannot be sent: {error}") from error
    return packed


def unpack_message(packed: bytes) -> Message:
    """Return the message that `pack_message` packed.

    Raises:
        BadData: it is none, or one of its fields breaks a limit.
    """
    value = decode(packed)
    if type(value) is not tuple or not value:
        raise BadData("expected a message")
    kind, checks = _KINDS[_kind(value[0])]
    values = value[1:]
    if kind is Hello and len(values) >= 2 and values[0] != PROTOCOL:
        values = (*values[:2], "")  # of another protocol, only these two are known
    if len(values) != len(checks):
        raise BadData(f"{kind.__name__} with {len(values)} fields")
    try:
        message: Message = kind(*(check(v) for check, v in zip(checks, values, strict=True)))
    except BadData as error:
        raise BadData(f"{kind.__name__}: {error}") from None
    return message


def frame(packed: bytes) -> bytes:
    """Return `packed` with its length in front."""
    return len(packed).to_bytes(LENGTH, "big") + packed


@dataclass(frozen=True, slots=True)
class Decoder:
    """Reads one direction of a connection; a value, fed with whatever came.

    How the bytes are split makes no difference. It holds less than one frame.
    """

    rest: bytes = b""
    is_greeted: bool = False
    is_broken: bool = False

    def feed(self, data: bytes) -> tuple[Decoder, tuple[Received, ...]]:
        """Return the decoder after `data`, and what is complete now; `Broken` is the last ever."""
        if self.is_broken:
            return self, ()
        buffer, at, is_greeted = self.rest + data, 0, self.is_greeted
        found: list[Received] = []
        try:
            if not is_greeted:
                start = buffer[: len(PREAMBLE)]
                if not PREAMBLE.startswith(start):
                    raise BadData("it does not begin like kumite")
                if start != PREAMBLE:
                    return Decoder(buffer), ()
                at, is_greeted = len(PREAMBLE), True
            while (packed := _framed(buffer, at)) is not None:
                at += LENGTH + len(packed)
                found.append(unpack_message(packed))
        except BadData as error:
            broken = Broken(clean(str(error), MAX_TEXT))
            return Decoder(is_greeted=is_greeted, is_broken=True), (*found, broken)
        return Decoder(buffer[at:], is_greeted), tuple(found)


def _framed(buffer: bytes, at: int) -> bytes | None:
    """Return what the frame that begins at `at` holds, None if it is not complete.

    Raises:
        BadData: its length breaks the limit.
    """
    if len(buffer) < at + LENGTH:
        return None
    size = int.from_bytes(buffer[at : at + LENGTH], "big")
    if not 0 < size <= MAX_FRAME:
        raise BadData(f"a frame of {size} bytes; 1 to {MAX_FRAME} are allowed")
    end = at + LENGTH + size
    return buffer[at + LENGTH : end] if len(buffer) >= end else None
