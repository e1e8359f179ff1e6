"""Tables' files: what a terminal keeps of a LAN match to go on from it after anything.

A file begins with a line that names its format; then come records, only appended: a length
(4 bytes), a check (4) and canonical msgpack. What a killed program has left half written is cut
off. A program that goes on with a file holds a lock on it.
"""

from __future__ import annotations

from contextlib import suppress
from hashlib import blake2b
from typing import IO, TYPE_CHECKING, Any, Final

from kumite.core.codec import decode, encode
from kumite.core.errors import BadData, KumiteError
from kumite.core.games import GAMES
from kumite.net.replica.ledger import Own
from kumite.net.replica.records import Claim, Credentials, Evidence, MatchStart, Secret, Ticket
from kumite.net.replica.roster import Roster
from kumite.net.wire import fields, messages, posts
from kumite.store import system
from kumite.store.background import sync_later
from kumite.store.log_files import StoreError, cannot, lock

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from kumite.core.game import Game
    from kumite.net.replica.records import Record

FORMAT: Final = b"kumite table 4\n"
READABLE: Final = (FORMAT, b"kumite table 3\n", b"kumite table 2\n")  # of protocols 5 and 4
MAX_RECORD: Final = 1 << 20  # bytes
CHECK: Final = 4  # bytes of a record's check


class Journal:
    """The file of one match, readable by its owner alone: a terminal's secrets, and all posts."""

    def __init__(self, path: Path, file: IO[bytes]) -> None:
        """Use `create` or `open`."""
        self.path = path
        self._file = file

    @classmethod
    def create(cls, path: Path) -> Journal:
        """Start a new file, also in the place of one whose match has not begun.

        Raises:
            StoreError: it cannot be written, or holds a match: the host names the match, and must
                not make us overwrite another with the same name.
        """
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            file = system.open_own(path)
        except OSError as error:
            raise cannot("write", path, error) from error
        lock(file, path)  # first: it may be another program's
        if _holds_match(file.read()):
            file.close()
            raise StoreError(
                f"{path} holds a match already",
                hint="the host opens a table under the name of an older one; do not play there",
            )
        file.seek(0)
        file.truncate()
        made = cls(path, file)
        try:
            made._write(FORMAT)
        except BaseException:
            made.close()
            path.unlink(missing_ok=True)  # nothing half made is left
            raise
        return made

    @classmethod
    def open(
        cls, path: Path, games: Mapping[str, Game[Any]] = GAMES
    ) -> tuple[Journal, list[Record]]:
        """Go on with a file; return its records, too.

        Raises:
            StoreError: it cannot be written, or another program has it.
            BadData: it is no table's file, or of a game that is not here.
        """
        try:
            file = path.open("r+b", buffering=0)
        except OSError as error:
            raise cannot("open", path, error) from error
        lock(file, path)
        try:
            records, size = unpacked(file.read(), games)
            file.seek(size)
            file.truncate()
        except BaseException:
            file.close()
            raise
        return cls(path, file), records

    def add(self, record: Record) -> None:
        """Write one record.

        Raises:
            StoreError: it cannot be written.
        """
        self._write(packed(record))
        sync_later(self.path)  # without its secrets nobody comes back after a power cut

    def _write(self, data: bytes) -> None:
        try:
            self._file.write(data)
        except OSError as error:
            raise cannot("write", self.path, error) from error

    def close(self) -> None:
        """Close the file."""
        with suppress(OSError):
            self._file.close()


def _check(data: bytes) -> bytes:
    return blake2b(data, digest_size=CHECK, person=b"kumite-table").digest()


def packed(record: Record) -> bytes:
    """Return what is appended to a file for a record."""
    data = encode(_values(record))
    return len(data).to_bytes(4, "big") + _check(data) + data


def unpacked(data: bytes, games: Mapping[str, Game[Any]] = GAMES) -> tuple[list[Record], int]:
    """Return the sound records of a file's bytes, and how many bytes they take.

    Raises:
        BadData: it is no table's file, one of another kumite, or of a game that is not here.
    """
    if not data.startswith(READABLE):
        is_other = data.startswith(FORMAT[:13])
        raise BadData(
            "a table's file of another kumite" if is_other else "no table's file",
            hint="go on with the newest kumite" if is_other else "is the log in its own folder?",
        )
    found: list[Record] = []
    at = len(FORMAT)
    while len(data) >= at + 8:
        size = int.from_bytes(data[at : at + 4], "big")
        record = data[at + 8 : at + 8 + size]
        if size > MAX_RECORD or len(record) < size or _check(record) != data[at + 4 : at + 8]:
            break
        found.append(_record(decode(record), games))
        at += 8 + size
    return found, at


def _holds_match(data: bytes) -> bool:
    """Return whether these bytes of a file are more than a table's before its match."""
    if any(one.startswith(data) for one in READABLE):
        return False
    try:
        return any(isinstance(one, MatchStart) for one in unpacked(data)[0])
    except KumiteError:  # of another kumite, or of a game that is not here
        return True


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
_START = fields.each(_OPTIONAL, fields.blob(1, 4096))
_OWN = fields.each(
    fields.step,
    fields.many(fields.blob(fields.COMMITMENT), fields.MAX_DECK),
    fields.many(fields.blob(fields.SALT), fields.MAX_DECK),
)


def _values(record: Record) -> Any:
    """Return a record as a tuple to be packed; its number comes first."""
    match record:
        case Credentials():
            r = record
            flags = (int(r.is_open), int(r.has_watchers))
            return (0, (r.table_id, r.match_id, r.ticket, r.key, r.seed, *flags, r.name, r.seats))
        case Ticket(number, terminal, key):
            return (1, (number, -1 if terminal is None else terminal, key))
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


def _record(value: Any, games: Mapping[str, Game[Any]]) -> Record:
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
            number, terminal, key = _TICKET(ticket)
            return Ticket(number, None if terminal < 0 else terminal, key)
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
    raise BadData("no record of a table")
