"""Checks for the fields of messages, and how values become bytes and come back.

A check returns its argument, or raises BadData; limits come first. Each field of a message names
its check in its type: `beat: Annotated[int, number(0, 9)]`, or one of the types below.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import (
    Annotated,
    Any,
    Final,
    Generic,
    TypeAlias,
    TypeVar,
    dataclass_transform,
    get_type_hints,
)

from kumite.core.codec import DIGEST_SIZE, decode, encode
from kumite.core.errors import BadData, LocalError
from kumite.core.game import Packed, Seat, Step, Value
from kumite.core.players import MAX_NAME
from kumite.core.series import LENGTHS, Series
from kumite.core.text import clean

Check: TypeAlias = Callable[[object], Any]
T = TypeVar("T")
S = TypeVar("S", bound=int)

Clock: TypeAlias = tuple[int, int, int]
"""Per seat, in seconds: main time, increment per step, free time for absences."""

MAX_SEATS: Final = 6
MAX_NUMBER: Final = 1_000_000  # steps of a match
MAX_SAY: Final = 200
MAX_TEXT: Final = 300
MAX_TOKEN: Final = 32  # game ids, option names and values, versions, error codes
MAX_STEP: Final = 60  # the longest of all games has 24
MAX_OPTIONS: Final = 32
MAX_DECK: Final = 64  # cards
MAX_ADDRESSES: Final = 8
MAX_ADDRESS: Final = 64  # characters
NOBODY: Final = -1  # where no terminal or player is meant

# Sizes in bytes of the values that net/crypto makes; all other sizes are refused.
SEED: Final = 32
SIGNATURE: Final = 64
SALT: Final = 16  # 2^128 salts: too many to try even if a text is one of two
# A collision of two texts for one 18-byte commitment takes 2^72 tries while the others wait, and a
# second preimage 2^144; a plan with two of them fits into a step of 160 bytes.
COMMITMENT: Final = 18
PART: Final = 16  # one terminal's part of a joint coin
BOX_KEY: Final = 128  # the key of one box, with its proof
SHARE: Final = 32  # an opened key of one position


def _of(kind: type[T], is_right: Callable[[T], bool], expected: str) -> Callable[[object], T]:
    def check(value: object) -> T:
        if type(value) is not kind or not is_right(value):
            raise BadData(f"expected {expected}")
        return value

    return check


def number(low: int, high: int) -> Callable[[object], int]:
    return _of(int, lambda one: low <= one <= high, f"a number from {low} to {high}")


def text(limit: int) -> Callable[[object], str]:
    """Check for a text that is safe to show in a terminal; senders clean theirs."""
    expected = f"a text of at most {limit} characters, without control characters"
    return _of(str, lambda one: len(one) <= limit and clean(one, limit) == one, expected)


def token(limit: int) -> Callable[[object], str]:
    pattern = re.compile(f"[!-~]{{1,{limit}}}")
    expected = f"1 to {limit} ASCII characters without spaces"
    return _of(str, lambda one: pattern.fullmatch(one) is not None, expected)


def blob(low: int, high: int | None = None) -> Callable[[object], bytes]:
    """Check for `low` to `high` bytes (exactly `low` without `high`)."""
    most = low if high is None else high
    expected = f"{low}{f' to {most}' * (most > low)} bytes"
    return _of(bytes, lambda one: low <= len(one) <= most, expected)


def one_of(*known: str) -> Callable[[object], str]:
    return _of(str, lambda one: one in known, f"one of {', '.join(known)}")


def items(value: object, limit: int) -> tuple[object, ...]:
    """Check for an array of at most `limit` values."""
    if type(value) is not tuple or len(value) > limit:
        raise BadData(f"expected at most {limit} values")
    return value


class Packs(Generic[T]):
    """A check for a type that bytes do not have: `to_tuple` makes a plain value of it."""

    def __init__(self, to_tuple: Callable[[T], Packed], check: Callable[[object], T]) -> None:
        self.to_tuple, self._check = to_tuple, check

    def __call__(self, values: object) -> T:
        """Return the field of these values, or raise BadData."""
        return self._check(values)


def many(check: Callable[[object], T], limit: int) -> Callable[[object], tuple[T, ...]]:
    """Check for an array of values that each pass `check`."""

    def checked(value: object) -> tuple[T, ...]:
        return tuple(check(item) for item in items(value, limit))

    pack = getattr(check, "to_tuple", None)
    return checked if pack is None else Packs(lambda found: tuple(map(pack, found)), checked)


def or_none(check: Callable[[object], T]) -> Packs[T | None]:
    """Check for a number that passes `check`, or NOBODY for None."""
    return Packs(
        lambda one: NOBODY if one is None else one,  # type: ignore[arg-type,return-value]
        lambda value: None if value == NOBODY else check(value),
    )


def each(*checks: Check) -> Callable[[object], tuple[Any, ...]]:
    """Check for an array with one value per check."""

    def check(value: object) -> tuple[Any, ...]:
        given = items(value, len(checks))
        if len(given) != len(checks):
            raise BadData(f"expected {len(checks)} values")
        return tuple(one(item) for one, item in zip(checks, given, strict=True))

    return check


match_id = _of(
    str, lambda one: re.fullmatch("[0-9a-f]{16}", one) is not None, "a match id of 16 hex digits"
)
seat = number(0, MAX_SEATS - 1)
index = number(0, MAX_NUMBER)
count = number(1, MAX_NUMBER)
word = token(MAX_TOKEN)
step = token(MAX_STEP)
name = text(MAX_NAME)
long = text(MAX_TEXT)
digest = blob(DIGEST_SIZE)


def ascending(check: Callable[[object], S], limit: int) -> Callable[[object], tuple[S, ...]]:
    """Check for an array of values that each pass `check`, in ascending order."""

    def checked(value: object) -> tuple[S, ...]:
        found = many(check, limit)(value)
        if list(found) != sorted(set(found)):
            raise BadData("expected values in ascending order")
        return found

    return checked


def set_of(check: Callable[[object], S], limit: int) -> Packs[frozenset[S]]:
    ordered = ascending(check, limit)
    return Packs(lambda one: tuple(sorted(one)), lambda value: frozenset(ordered(value)))


def option(value: object) -> tuple[str, Value]:
    """Check for an option's name and value."""
    key, chosen = each(word, lambda one: one)(value)
    return key, (word if type(chosen) is str else number(-(2**31), 2**31 - 1))(chosen)


def _clock(value: object) -> Clock | None:
    if value == ():
        return None
    main, increment, free = each(*(number(0, 1_000_000),) * 3)(value)
    return main, increment, free


addresses = many(token(MAX_ADDRESS), MAX_ADDRESSES)
names = many(name, MAX_SEATS)
options = many(option, MAX_OPTIONS)
clock = Packs[Clock | None](lambda one: one or (), _clock)
seats = ascending(seat, MAX_SEATS)
truth = Packs(int, lambda value: number(0, 1)(value) == 1)


Index: TypeAlias = Annotated[int, index]
Count: TypeAlias = Annotated[int, count]
Truth: TypeAlias = Annotated[bool, truth]
Word: TypeAlias = Annotated[str, word]
Name: TypeAlias = Annotated[str, name]
Long: TypeAlias = Annotated[str, long]
MatchId: TypeAlias = Annotated[str, match_id]
Digest: TypeAlias = Annotated[bytes, digest]
Key: TypeAlias = Annotated[bytes, blob(32)]
ASeat: TypeAlias = Annotated[Seat, seat]
AStep: TypeAlias = Annotated[Step, step]
Seats: TypeAlias = Annotated[tuple[Seat, ...], seats]
SeatSet: TypeAlias = Annotated[frozenset[Seat], set_of(seat, MAX_SEATS)]
Options: TypeAlias = Annotated[tuple[tuple[str, Value], ...], options]
ClockOrNone: TypeAlias = Annotated[Clock | None, clock]
BestOf: TypeAlias = Annotated[int, number(1, max(LENGTHS))]
GameOrNone: TypeAlias = Annotated[str, text(MAX_TOKEN)]
Addresses: TypeAlias = Annotated[tuple[str, ...], addresses]


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Frozen:
    """The base of messages, posts, events and records: each subclass is a frozen dataclass."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True)(cls)


class Message(Frozen):
    """A message between two terminals that have proved the code."""


class Shape(Generic[T]):
    """A dataclass of checked fields, as an array; it is itself a check, so shapes nest."""

    def __init__(self, kind: type[T], *checks: Check) -> None:
        """`checks`: of the fields in order, if their types do not name them (classes of core)."""
        self._kind, types = kind, get_type_hints(kind, include_extras=True)
        names = [one.name for one in fields(kind)]  # type: ignore[arg-type]
        self._checks = checks or tuple(types[name].__metadata__[0] for name in names)
        packs = (getattr(check, "to_tuple", None) for check in self._checks)
        self._fields = tuple(zip(names, packs, strict=True))

    def to_tuple(self, message: T) -> tuple[Packed, ...]:
        """Return the fields of a message as a tuple, unchecked."""
        return tuple(
            values(getattr(message, name)) if values else getattr(message, name)
            for name, values in self._fields
        )

    def __call__(self, values: object) -> T:
        """Return the message of these values, or raise BadData."""
        given = items(values, len(self._checks))
        if len(given) != len(self._checks):
            raise BadData(f"{self._kind.__name__} with {len(given)} fields")
        try:
            return self._kind(*[check(v) for check, v in zip(self._checks, given, strict=True)])
        except BadData as error:
            raise BadData(f"{self._kind.__name__}: {error}") from None


SERIES: Final = Shape(Series, number(1, max(LENGTHS)), many(index, MAX_SEATS), index)


class Kinds(Generic[T]):
    """A tagged union of types; the number of each is its place: append new ones at the end."""

    def __init__(self, *kinds: type[Any]) -> None:
        self._shapes = tuple(map(Shape[Any], kinds))
        self._number = {kind: n for n, kind in enumerate(kinds)}
        self._kind = number(0, len(kinds) - 1)

    def to_tuple(self, message: T) -> tuple[Packed, ...]:
        """Return the number of a message's type and its fields, unchecked."""
        at = self._number[type(message)]
        return (at, *self._shapes[at].to_tuple(message))

    def __call__(self, values: object) -> T:
        """Return the message of these values, or raise BadData."""
        if type(values) is not tuple or not values:
            raise BadData("expected a message")
        return self._shapes[self._kind(values[0])](values[1:])  # type: ignore[no-any-return]

    def checked(self, message: T) -> tuple[Packed, ...]:
        """Return the values of an outgoing message; raise LocalError if nobody could read it."""
        values = self.to_tuple(message)
        try:
            if self(values) != message:
                raise BadData("it reads back as another message")
        except BadData as error:
            raise LocalError(f"{type(message).__name__} cannot be sent: {error}") from error
        return values

    def pack(self, message: T) -> bytes:
        """Return the canonical bytes of an outgoing message, or raise LocalError."""
        return encode(self.checked(message))

    def unpack(self, packed: bytes) -> T:
        """Parse a message, or raise BadData."""
        return self(decode(packed))
