"""What an organiser, and what a player, keeps in a file to come back after anything; pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from kumite.core.codec import decode, encode
from kumite.core.errors import BadData
from kumite.core.tournament.event import MOST
from kumite.net.crypto.pairing import PROOF
from kumite.net.wire import fields, hall
from kumite.net.wire.fields import Kinds, blob, each, many, number

if TYPE_CHECKING:
    from kumite.core.game import Value

FORMAT: Final = 2  # raised when a field changes
BEFORE: Final = 1  # a tournament's had no bot
MAX_BOT: Final = 40  # characters
MAX_FILE: Final = 1 << 20  # bytes
MAX_LOG: Final = 200  # characters of a file's name


@dataclass(frozen=True, slots=True)
class HallKept:
    """The organiser's: the whole tournament, and the key with which each player comes back."""

    hall_id: str
    name: str
    game: str
    rules: int
    options: tuple[tuple[str, Value], ...]
    clock: tuple[int, ...]
    system: str
    length: int
    code: str = field(repr=False)
    port: int  # 0: the usual one
    players: tuple[tuple[str, int, bytes], ...] = field(repr=False)
    rounds: tuple[tuple[tuple[int, int, int, int], ...], ...]
    bot: str = ""  # the level of the one that plays when the players are an odd number


@dataclass(frozen=True, slots=True)
class GuestKept:
    """A player's: who they are in that hall, and the log of their last match there."""

    hall_id: str
    name: str
    ticket: int
    key: bytes = field(repr=False)
    round: int = 0
    place: int = 0
    log: str = ""


_RECORDS: Final[Kinds[Any]] = Kinds(
    (
        HallKept,
        (
            fields.match_id,
            fields.name,
            fields.word,
            fields.index,
            fields.options,
            hall.clock,
            fields.word,
            number(0, hall.MAX_ROUNDS),
            fields.word,
            number(0, 65535),
            many(each(fields.name, hall.flag, blob(PROOF)), MOST),
            many(hall.pairings, hall.MAX_ROUNDS),
            fields.text(MAX_BOT),
        ),
    ),
    (
        GuestKept,
        (
            fields.match_id,
            fields.name,
            number(1, MOST),
            blob(PROOF),
            hall.round_,
            hall.place,
            fields.text(MAX_LOG),
        ),
    ),
)


def file_name(record: HallKept | GuestKept) -> str:
    """Return the name of its file."""
    if isinstance(record, HallKept):
        return f"{record.hall_id}.hall"
    return f"{record.hall_id}-{record.ticket}.guest"


def to_bytes(record: HallKept | GuestKept) -> bytes:
    """Return what is written into the file."""
    return encode((FORMAT, _RECORDS.checked(record)))


def of_bytes(data: bytes) -> HallKept | GuestKept:
    """Return what a file holds.

    Raises:
        BadData: it is no such file, or one of another kumite.
    """
    value = decode(data)
    if type(value) is not tuple or len(value) != 2 or value[0] not in (BEFORE, FORMAT):
        raise BadData("no file of a tournament, or one of another version")
    found: HallKept | GuestKept = _RECORDS(_as_now(value[0], value[1]))
    return found


def _as_now(version: object, values: object) -> object:
    """Return the values of a record of that version as they are now."""
    if version == BEFORE and type(values) is tuple and values[:1] == (0,):
        return (*values, "")
    return values
