"""What a field of a message may hold, and how values of many kinds become bytes and come back.

A check returns the value it was given, or raises BadData; limits come first.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Final, Generic, TypeAlias, TypeVar

from kumite.core.codec import DIGEST_SIZE, decode, encode
from kumite.core.errors import BadData, LocalError
from kumite.core.game import CHANCE
from kumite.core.text import clean

if TYPE_CHECKING:
    from kumite.core.game import Packed, Value

Check: TypeAlias = Callable[[object], Any]
T = TypeVar("T")

Clock: TypeAlias = "tuple[int, int, int]"
"""Of each seat: s, s more for each step, s that its terminal may be away for nothing."""

MAX_SEATS: Final = 6
MAX_NUMBER: Final = 1_000_000  # steps of a match
MAX_NAME: Final = 24  # characters
MAX_SAY: Final = 200
MAX_TEXT: Final = 300
MAX_TOKEN: Final = 32  # game ids, option names and values, versions, error codes
MAX_STEP: Final = 60  # the longest of all games has 24; keeps a step within 150 bytes
MAX_OPTIONS: Final = 32
MAX_DECK: Final = 64  # cards

# Sizes in bytes of what net/crypto makes: the wire lets nothing else through.
SEED: Final = 32
SIGNATURE: Final = 64
SALT: Final = 16  # 2^128 salts: too many to try even if a text is one of two
# To prepare two texts for one commitment of 18 bytes takes 2^72 tries, while the others wait, and
# to find another text later 2^144; a plan with two of them fits into a step of 150 bytes.
COMMITMENT: Final = 18
PART: Final = 16  # of one terminal's part in a joint coin
BOX_KEY: Final = 128  # of what opens one box, with the proof that it does
SHARE: Final = 32  # of an opened key of one position


def number(low: int, high: int) -> Callable[[object], int]:
    """Check for an int from `low` to `high`."""

    def check(value: object) -> int:
        if type(value) is not int or not low <= value <= high:
            raise BadData(f"expected a number from {low} to {high}")
        return value

    return check


def text(limit: int) -> Callable[[object], str]:
    """Check for a text that any terminal may show; senders take out what none should."""

    def check(value: object) -> str:
        if type(value) is not str or len(value) > limit:
            raise BadData(f"expected a text of at most {limit} characters")
        if clean(value, limit) != value:
            raise BadData("expected a text without control characters")
        return value

    return check


def token(limit: int) -> Callable[[object], str]:
    """Check for ASCII without spaces."""

    def check(value: object) -> str:
        if (
            type(value) is not str
            or not 0 < len(value) <= limit
            or not re.fullmatch("[!-~]+", value)
        ):
            raise BadData(f"expected 1 to {limit} ASCII characters without spaces")
        return value

    return check


def blob(low: int, high: int | None = None) -> Callable[[object], bytes]:
    """Check for `low` to `high` bytes (exactly `low` without `high`)."""
    most = low if high is None else high

    def check(value: object) -> bytes:
        if type(value) is not bytes or not low <= len(value) <= most:
            raise BadData(f"expected {low}{f' to {most}' * (most > low)} bytes")
        return value

    return check


def one_of(*known: str) -> Callable[[object], str]:
    """Check for one of these texts."""

    def check(value: object) -> str:
        if type(value) is not str or value not in known:
            raise BadData(f"expected one of {', '.join(known)}")
        return value

    return check


def items(value: object, limit: int) -> tuple[object, ...]:
    """Return an array of at most `limit` values."""
    if type(value) is not tuple or len(value) > limit:
        raise BadData(f"expected at most {limit} values")
    return value


def many(check: Callable[[object], T], limit: int) -> Callable[[object], tuple[T, ...]]:
    """Check for an array of values that each pass `check`."""
    return lambda value: tuple(check(item) for item in items(value, limit))


def each(*checks: Check) -> Callable[[object], tuple[Any, ...]]:
    """Check for an array with one value for each check."""

    def check(value: object) -> tuple[Any, ...]:
        given = items(value, len(checks))
        if len(given) != len(checks):
            raise BadData(f"expected {len(checks)} values")
        return tuple(one(item) for one, item in zip(checks, given, strict=True))

    return check


def match_id(value: object) -> str:
    """Check for the id of a match."""
    if type(value) is not str or not re.fullmatch("[0-9a-f]{16}", value):
        raise BadData("expected a match id of 16 hex digits")
    return value


seat = number(0, MAX_SEATS - 1)
index = number(0, MAX_NUMBER)
count = number(1, MAX_NUMBER)
word = token(MAX_TOKEN)
step = token(MAX_STEP)
name = text(MAX_NAME)
long = text(MAX_TEXT)
digest = blob(DIGEST_SIZE)


def actor(value: object) -> int | str:
    """Check for a seat or `*`."""
    return CHANCE if value == CHANCE else seat(value)


def seats(value: object) -> tuple[int, ...]:
    """Check for seats, ascending."""
    found = many(seat, MAX_SEATS)(value)
    if list(found) != sorted(set(found)):
        raise BadData("expected seats in ascending order")
    return found


def option(value: object) -> tuple[str, Value]:
    """Check for an option's name and value."""
    key, chosen = each(word, lambda one: one)(value)
    return key, (word if type(chosen) is str else number(-(2**31), 2**31 - 1))(chosen)


names = many(name, MAX_SEATS)
options = many(option, MAX_OPTIONS)


class Shape(Generic[T]):
    """A dataclass of checked fields, as an array; it checks a field itself, too: shapes nest."""

    def __init__(self, kind: type[T], *checks: Check) -> None:
        self._kind, self._checks = kind, checks
        names = (one.name for one in fields(kind))  # type: ignore[arg-type]
        self._fields = tuple(
            (name, one.to_tuple if isinstance(one, Shape | Kinds) else None)
            for name, one in zip(names, checks, strict=True)
        )

    def to_tuple(self, message: T) -> tuple[Packed, ...]:
        """Return the fields of a message as a tuple; their limits are not checked."""
        return tuple(
            values(getattr(message, name)) if values else getattr(message, name)
            for name, values in self._fields
        )

    def __call__(self, values: object) -> T:
        """Return the message of these values.

        Raises:
            BadData: they are no message, or a field breaks a limit.
        """
        given = items(values, len(self._checks))
        if len(given) != len(self._checks):
            raise BadData(f"{self._kind.__name__} with {len(given)} fields")
        try:
            return self._kind(*[check(v) for check, v in zip(self._checks, given, strict=True)])
        except BadData as error:
            raise BadData(f"{self._kind.__name__}: {error}") from None


class Kinds(Generic[T]):
    """The kinds of one sort of message: shapes, each with a number.

    The number of a kind is its place in the table; new ones go to the end.
    """

    def __init__(self, *table: tuple[type[Any], tuple[Check, ...]]) -> None:
        self._shapes = tuple(Shape(kind, *checks) for kind, checks in table)
        self._number = {kind: n for n, (kind, _) in enumerate(table)}
        self._kind = number(0, len(table) - 1)

    def to_tuple(self, message: T) -> tuple[Packed, ...]:
        """Return a message as a tuple of its kind's number and its fields, not checked."""
        at = self._number[type(message)]
        return (at, *self._shapes[at].to_tuple(message))

    def __call__(self, values: object) -> T:
        """Return the message of these values.

        Raises:
            BadData: they are no message, or a field breaks a limit.
        """
        if type(values) is not tuple or not values:
            raise BadData("expected a message")
        return self._shapes[self._kind(values[0])](values[1:])  # type: ignore[no-any-return]

    def checked(self, message: T) -> tuple[Packed, ...]:
        """Return the values of a message that is ours.

        Raises:
            LocalError: it breaks a limit, so that nobody could read it.
        """
        values = self.to_tuple(message)
        try:
            if self(values) != message:
                raise BadData("it reads back as another message")
        except BadData as error:
            raise LocalError(f"{type(message).__name__} cannot be sent: {error}") from error
        return values

    def pack(self, message: T) -> bytes:
        """Return the canonical bytes of a message.

        Raises:
            LocalError: it breaks a limit, so that nobody could read it.
        """
        return encode(self.checked(message))

    def unpack(self, packed: bytes) -> T:
        """Return the message of these bytes.

        Raises:
            BadData: they are no message.
        """
        return self(decode(packed))
