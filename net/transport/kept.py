"""The bytes of a table's file: what of them can be read, in which order, and what is added; pure.

A post is written with its place in the list of all. `Cut` says that those from a place on, written
before, are void: others were entered in their stead.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final

from kumite.core.codec import decode, encode
from kumite.core.errors import BadData
from kumite.core.games import GAMES
from kumite.net.replica.ledger import Own
from kumite.net.replica.records import (
    Claim,
    Credentials,
    Evidence,
    Later,
    MatchStart,
    Secret,
    Ticket,
)
from kumite.net.replica.roster import Roster
from kumite.net.wire import fields, messages, posts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kumite.core.game import Game
    from kumite.net.replica.records import Record

FORMAT: Final = b"kumite table 5\n"
READABLE: Final = (  # 4: without the names of those who look on; 3 and 2: of protocols 5 and 4
    FORMAT,
    b"kumite table 4\n",
    b"kumite table 3\n",
    b"kumite table 2\n",
)
MAX_RECORD: Final = 1 << 20  # bytes
CHECK: Final = 4  # bytes of a record's check
FRAME: Final = 4 + CHECK


@dataclass(frozen=True, slots=True)
class Placed:
    """A post with its place, from 1, as it is written."""

    place: int
    post: posts.Post


@dataclass(frozen=True, slots=True)
class Cut:
    """The posts from this place on that were written before are void."""

    place: int


@dataclass
class Kept:
    """What a file holds, and what is known of it to add more (mutable: it grows with the file)."""

    records: list[Record] = field(default_factory=list)  # in the order of the match
    whole: bytes = FORMAT  # the file's bytes without what is broken
    is_broken: bool = False
    head: bytes | None = b""  # all before the match begins; then None
    places: int = 0  # posts of which none is missing
    later: dict[int, posts.Post] = field(default_factory=dict)  # by place, behind a missing one

    def appended(self, record: Record, place: int) -> bytes:
        """Return what is written for a record, a post at its place; nothing if it is there."""
        match record:
            case MatchStart() if self.head is not None:  # all that is read first, a second time
                return packed(record) + self.head + packed(record)
            case posts.Post():
                if self.later.get(place) == record:
                    return b""
                is_other = place <= self.places or place in self.later
                return (_framed(Cut(place)) if is_other else b"") + _framed(Placed(place, record))
            case _:
                return packed(record)

    def note(self, record: Record, place: int, data: bytes) -> None:
        """Note that it is written."""
        match record:
            case MatchStart():
                self.head = None
            case posts.Post():
                if place <= self.places or self.later.pop(place, record) != record:
                    self.later.clear()
                self.places = place
            case _ if self.head is not None:
                self.head += data


def packed(record: Record) -> bytes:
    """Return the bytes of one record; a post's place is the next one."""
    return _framed(record)


def _framed(record: Record | Placed | Cut) -> bytes:
    data = encode(_values(record))
    return len(data).to_bytes(4, "big") + _check(data) + data


def _check(data: bytes) -> bytes:
    return blake2b(data, digest_size=CHECK, person=b"kumite-table").digest()


def unpacked(data: bytes, games: Mapping[str, Game[Any]] = GAMES) -> tuple[list[Record], int]:
    """Return the records of a file's bytes, and how many bytes they take.

    Raises:
        BadData: it is no table's file, one of another kumite, or of a game that is not here.
    """
    found = read(data, games)
    return found.records, len(found.whole)


def read(data: bytes, games: Mapping[str, Game[Any]] = GAMES) -> Kept:
    """Return all that can be read of a file's bytes, up to and beyond what is broken.

    Raises:
        BadData: it is no table's file, one of another kumite, or of a game that is not here.
    """
    line, is_broken = _line(data)
    raws = list(_sound(data, len(line)))
    whole = line + b"".join(raws)
    written = [_record(decode(raw[FRAME:]), games) for raw in raws]
    is_broken = is_broken or whole != data
    if is_broken:
        whole = line + b"".join(_twice(raws, written)) + whole[len(line) :]
    records, places, later = _ordered(written)
    begun = any(isinstance(one, MatchStart) for one in records)
    head = None if begun else whole[len(line) :]
    return Kept(records, whole, is_broken, head, places, later)


def _twice(raws: list[bytes], written: list[Record | Placed | Cut]) -> list[bytes]:
    """Return of what is read first all that is there only once now: the next damage may hit it."""
    begins = [at for at, one in enumerate(written) if isinstance(one, MatchStart)]
    first = raws[: begins[-1] + 1] if begins else []
    return [raw for raw in dict.fromkeys(first) if first.count(raw) == 1]


def _line(data: bytes) -> tuple[bytes, bool]:
    """Return the first line, and whether it was damaged.

    Raises:
        BadData: it is another one.
    """
    line = data[: len(FORMAT)]
    if line in READABLE:
        return line, False
    is_other = line.startswith(FORMAT[:13]) and line.endswith(b"\n")
    flips = int.from_bytes(line, "big") ^ int.from_bytes(FORMAT, "big")
    if len(line) == len(FORMAT) and flips.bit_count() == 1 and not line[13:14].isdigit():
        return FORMAT, True
    if len(line) == len(FORMAT) and flips.bit_count() == 1 and line[13:] == FORMAT[13:]:
        return FORMAT, True
    raise BadData(
        "a table's file of another kumite" if is_other else "no table's file",
        hint="go on with the newest kumite" if is_other else "is the log in its own folder?",
    )


def _sound(data: bytes, at: int) -> Iterator[bytes]:
    """Yield the records whose checks are right; what is between them is passed over."""
    while at + FRAME < len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        end = at + FRAME + size
        is_whole = 0 < size <= MAX_RECORD and end <= len(data)
        if is_whole and _check(data[at + FRAME : end]) == data[at + 4 : at + FRAME]:
            yield data[at:end]
            at = end
        else:
            at += 1


def _ordered(
    written: list[Record | Placed | Cut],
) -> tuple[list[Record], int, dict[int, posts.Post]]:
    """Return the records in the order of the match, how many posts they are, and later ones."""
    place = 0
    others: list[tuple[int, Record]] = []
    by_place: dict[int, posts.Post] = {}
    records: list[Record] = []
    for one in written:
        match one:
            case Cut(first):
                by_place = {at: post for at, post in by_place.items() if at < first}
                place = min(place, first - 1)
            case posts.Post() | Placed():
                place, post = (one.place, one.post) if isinstance(one, Placed) else (place + 1, one)
                by_place[place] = post
            case Credentials() | Ticket() | MatchStart() if any(one == it for _, it in others):
                pass  # the copy
            case _:
                others.append((place, one))
    others.sort(key=lambda one: (one[0], not isinstance(one[1], Credentials)))
    places = next(n for n in range(1, len(by_place) + 2) if n not in by_place) - 1
    at = 0
    for number in range(places + 1):
        if number:
            records.append(by_place.pop(number))
        while at < len(others) and (others[at][0] <= number or number == places):
            records.append(others[at][1])
            at += 1
    records += [Later(at, by_place[at]) for at in sorted(by_place)]
    return records, places, by_place


_OPTIONAL = fields.number(-1, fields.MAX_SEATS - 1)
_CREDENTIALS = fields.each(
    fields.match_id,
    fields.match_id,
    fields.index,
    fields.blob(0, 64),
    fields.blob(32),
    fields.number(0, 1),
    fields.number(0, 1),
    fields.name,
    fields.seats,
)
_TICKET = fields.each(fields.index, _OPTIONAL, fields.blob(0, 64))
_NAMED = fields.each(fields.index, _OPTIONAL, fields.blob(0, 64), fields.name)
_START = fields.each(_OPTIONAL, fields.blob(1, 4096))
_OWN = fields.each(
    fields.step,
    fields.many(fields.blob(fields.COMMITMENT), fields.MAX_DECK),
    fields.many(fields.blob(fields.SALT), fields.MAX_DECK),
)


def _values(record: Record | Placed | Cut) -> Any:
    """Return a record as a tuple to be packed; its number comes first."""
    match record:
        case Credentials():
            r = record
            flags = (int(r.is_open), int(r.has_watchers))
            return (0, (r.table_id, r.match_id, r.ticket, r.key, r.seed, *flags, r.name, r.seats))
        case Ticket(number, terminal, key, name):
            place = -1 if terminal is None else terminal
            return (1, (number, place, key, name) if name else (number, place, key))
        case MatchStart(roster, me):
            return (2, (-1 if me is None else me, roster.packed()))
        case Secret(play, own):
            return (3, posts.BODIES.checked(play), (own.step, own.commitments, own.salts))
        case posts.Post():
            return (4, posts.POST.to_tuple(record))
        case Evidence(post):
            return (5, posts.POST.to_tuple(post))
        case Claim(stop):
            return (6, messages.SEALED.checked(stop))
        case Placed(place, post) | Later(place, post):
            return (7, place, posts.POST.to_tuple(post))
        case Cut(place):
            return (8, place)


def _record(value: Any, games: Mapping[str, Game[Any]]) -> Record | Placed | Cut:
    """Return the record of these values.

    Raises:
        BadData: they are no record.
    """
    match value:
        case (0, how):
            table, match_id, ticket, key, seed, is_open, has_watchers, name, seats = _CREDENTIALS(
                how
            )
            flags = bool(is_open), bool(has_watchers)
            return Credentials(table, match_id, ticket, key, seed, flags[0], name, seats, flags[1])
        case (1, ticket):
            is_named = isinstance(ticket, tuple) and len(ticket) == 4
            number, terminal, key, *name = (_NAMED if is_named else _TICKET)(ticket)
            return Ticket(number, None if terminal < 0 else terminal, key, *name)
        case (2, start):
            me, packed = _START(start)
            return MatchStart(Roster.of(packed, games), None if me < 0 else me)
        case (3, body, own):
            play = posts.BODIES(body)
            if isinstance(play, posts.Play):
                return Secret(play, Own(*_OWN(own)))
        case (4, post):
            return posts.POST(post)
        case (5, post):
            return Evidence(posts.POST(post))
        case (6, said):
            stop = messages.SEALED(said)
            if isinstance(stop, messages.Stop):
                return Claim(stop)
        case (7, place, post):
            return Placed(fields.count(place), posts.POST(post))
        case (8, place):
            return Cut(fields.count(place))
    raise BadData("no record of a table")
