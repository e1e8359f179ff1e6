"""Journals: all that a terminal needs to resume a LAN match after any interruption.

A file begins with a line that names its format; then come append-only records: a length (4 bytes),
a check (4) and canonical msgpack. Records that all others depend on (credentials, tickets, the
roster) are written twice. A post is written with its place in the list of all, so gaps are known:
unreadable records are skipped, and later ones count again once other terminals have sent the
missing posts. `Cut` voids the earlier posts from a place on, when others were entered instead. A
program holds a lock on the file while it uses it.

The bytes come first, without a file (`Kept`, `read`, `packed`), then `Journal`.
"""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import IO, Annotated, Any, Final

from kumite.core.errors import BadData, KumiteError
from kumite.net.replica.records import (
    Claim,
    Credentials,
    Evidence,
    MatchStart,
    Placed,
    Record,
    Secret,
    Terminal,
    Ticket,
)
from kumite.net.replica.roster import Roster
from kumite.net.wire import fields, posts
from kumite.net.wire.fields import Frozen
from kumite.net.wire.posts import Post
from kumite.store import system, whole_files
from kumite.store.background import Synced
from kumite.store.log_files import StoreError, cannot, lock, naming

NAME: Final = b"kumite table "
FORMAT: Final = NAME + b"1\n"
MAX_RECORD: Final = 1 << 20  # bytes
MOST: Final = 1 << 24  # bytes of a file; a long match takes 1 MB
CHECK: Final = 4  # bytes of a record's check
FRAME: Final = 4 + CHECK


class OtherVersion(BadData):
    """A journal written by another version of kumite."""


class Cut(Frozen):
    """The posts written so far from this place on are void."""

    place: fields.Count


class Start(Frozen):
    """`MatchStart` as written."""

    me: Terminal
    roster: Annotated[bytes, fields.blob(1, 4096)]


_RECORDS: Final[fields.Kinds[Any]] = fields.Kinds(
    Credentials, Ticket, Start, Secret, posts.Post, Evidence, Claim, Placed, Cut
)


@dataclass
class Kept:
    """The content of a file, and what is needed to append to it (mutable)."""

    records: list[Record] = field(default_factory=list)  # in the order of the match
    whole: bytes = FORMAT  # the file's intact bytes
    is_broken: bool = False
    head: bytes | None = b""  # everything before the match; then None
    places: int = 0  # posts before the first missing one
    later: dict[int, posts.Post] = field(default_factory=dict)  # after a missing one, by place

    def add(self, record: Record, place: int) -> bytes:
        """Note a record; return the bytes to append for it, empty if it is already there."""
        match record:
            case MatchStart():
                head, self.head = self.head, None
                data = packed(record)
                return data if head is None else data + head + data  # all before the match again
            case posts.Post():
                before, self.places = self.places, place
                known = self.later.pop(place, None)
                if known == record:
                    return b""
                is_other = place <= before or known is not None
                if is_other:
                    self.later.clear()
                return (packed(Cut(place)) if is_other else b"") + packed(Placed(place, record))
            case _:
                data = packed(record)
                if self.head is not None:
                    self.head += data
                return data


def packed(record: Record | Cut) -> bytes:
    """Return the bytes of one record; a bare post gets the next place."""
    written: object = record
    if isinstance(record, MatchStart):
        written = Start(record.me, record.roster.packed())
    data = _RECORDS.pack(written)
    return len(data).to_bytes(4, "big") + _check(data) + data


def _check(data: bytes) -> bytes:
    return blake2b(data, digest_size=CHECK, person=b"kumite-table").digest()


def read(data: bytes) -> Kept:
    """Return all that is readable in a file, before and after damage, or raise BadData."""
    line, is_broken = _line(data)
    raws = list(_sound(data, len(line)))
    whole = line + b"".join(raws)
    written = [_record(raw[FRAME:]) for raw in raws]
    is_broken = is_broken or whole != data
    if is_broken:
        whole = line + b"".join(_twice(raws, written)) + whole[len(line) :]
    records, places, later = _ordered(written)
    begun = any(isinstance(one, MatchStart) for one in records)
    head = None if begun else whole[len(line) :]
    return Kept(records, whole, is_broken, head, places, later)


def beginning(path: Path) -> tuple[Credentials, MatchStart]:
    """Return how to come back to a table, and the start of its match, without taking the lock.

    Raises:
        BadData: one of them cannot be read.
        OSError: the file cannot be read.
    """
    data, found = whole_files.read_bytes(path, MOST), list[Any]()
    with naming(path):
        for raw in _sound(data, len(_line(data)[0])):
            record = _record(raw[FRAME:])
            found += [record] if isinstance(record, Credentials | MatchStart) else []
            if isinstance(record, MatchStart) and len(found) > 1:
                return found[0], record
        raise BadData("the beginning of the match is lost")


def _twice(raws: list[bytes], written: list[Record | Cut]) -> list[bytes]:
    """Return the first records that now exist only once, to duplicate them again."""
    begins = [at for at, one in enumerate(written) if isinstance(one, MatchStart)]
    first = raws[: begins[-1] + 1] if begins else []
    return [raw for raw in dict.fromkeys(first) if first.count(raw) == 1]


def _line(data: bytes) -> tuple[bytes, bool]:
    """Return the first line, and True if damaged; raise BadData if it is not a journal's."""
    line = data[: len(FORMAT)]
    if line == FORMAT:
        return line, False
    flips = int.from_bytes(line, "big") ^ int.from_bytes(FORMAT, "big")
    is_same = line[13:] == FORMAT[13:] or not line[13:14].isdigit()  # not another number
    if len(line) == len(FORMAT) and flips.bit_count() == 1 and is_same:
        return FORMAT, True
    if line.startswith(NAME) and line.endswith(b"\n"):
        raise OtherVersion(
            "this journal is from another version of kumite", hint="continue with that version"
        )
    raise BadData("not a journal of a LAN match", hint="is the log in its original folder?")


def _sound(data: bytes, at: int) -> Iterator[bytes]:
    """Yield the records whose checks are right, skipping everything between them."""
    while at + FRAME < len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        end = at + FRAME + size
        is_whole = 0 < size <= MAX_RECORD and end <= len(data)
        if is_whole and _check(data[at + FRAME : end]) == data[at + 4 : at + FRAME]:
            yield data[at:end]
            at = end
        else:
            at += 1


def _ordered(written: list[Record | Cut]) -> tuple[list[Record], int, dict[int, posts.Post]]:
    """Return the records in match order, the number of consecutive posts, and later ones."""
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
                pass  # a duplicate
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
    records += [Placed(at, by_place[at]) for at in sorted(by_place)]
    return records, places, by_place


def _record(packed: bytes) -> Record | Cut:
    """Parse a record, or raise BadData."""
    found: Record | Cut | Start = _RECORDS.unpack(packed)
    if isinstance(found, Start):
        return MatchStart(Roster.of(found.roster), found.me)
    return found


class Journal:
    """The file of one match, readable only by its owner: a terminal's secrets, and all posts."""

    def __init__(self, path: Path, file: IO[bytes], size: int, found: Kept) -> None:
        """Use `create` or `open`."""
        self.path = path
        self.on_failure: Callable[[StoreError], object] = lambda _: None  # in another thread
        self._file = file
        self._size = size  # bytes of complete records
        self._found = found
        self._synced = Synced(file, lambda error: self.on_failure(cannot("write", path, error)))

    @classmethod
    def create(cls, path: Path) -> Journal:
        """Start a new file, or replace one whose match has not begun, or raise StoreError.

        The host chooses the match id, and must not be able to make us overwrite another match.
        """
        try:
            system.own_folder(path.parent)
            whole_files.require_file(path)
            file = system.open_own(path)
        except OSError as error:
            raise cannot("write", path, error) from error
        lock(file, path)  # first: it may be another program's
        try:
            is_taken = _holds_match(whole_files.read_open(file, path, MOST))
        except OSError as error:
            file.close()
            raise cannot("read", path, error) from error
        if is_taken:
            file.close()
            raise StoreError(
                f"{path} already contains a match",
                hint="the host reuses the id of an older table; do not play there",
            )
        file.seek(0)
        file.truncate()
        made = cls(path, file, 0, Kept())
        try:
            made._write(FORMAT)
        except BaseException:
            made.close()
            path.unlink(missing_ok=True)  # leave no partial file
            raise
        return made

    @classmethod
    def open(cls, path: Path) -> tuple[Journal, list[Record]]:
        """Continue a file; return its records too.

        A torn end is truncated. After other damage, the file is copied aside and rewritten with
        everything readable. Raise BadData as `read`, and StoreError if another program uses it.
        """
        file = _opened(path)
        try:
            data = whole_files.read_open(file, path, MOST)
            with naming(path):
                found = read(data)
            if found.is_broken:
                file = _mended(path, file, data, found)
            size = len(found.whole)
            file.seek(size)
            file.truncate()
        except OSError as error:
            file.close()
            raise cannot("use", path, error) from error
        except BaseException:
            file.close()
            raise
        return cls(path, file, size, found), found.records

    def add(self, record: Record, place: int = 0) -> None:
        """Write one record; a post at its place in the list, by default the next.

        Raise StoreError if it cannot be written, or an earlier one has not reached the disk.
        """
        place = place or self._found.places + 1
        data = self._found.add(record, place)
        if data:
            self._write(data)
        if isinstance(record, MatchStart):  # once, before anybody learns that we take part
            self._synced.now()
            self._check_disk()

    def _write(self, data: bytes) -> None:
        self._check_disk()
        rest = memoryview(data)
        try:
            while rest:
                count = self._file.write(rest)
                if not count:
                    raise OSError(errno.EIO, "the disk accepts no more data")
                rest = rest[count:]
        except OSError as error:
            with suppress(OSError):  # drop the partial record; readers skip it otherwise
                self._file.truncate(self._size)
                self._file.seek(self._size)
            raise cannot("write", self.path, error) from error
        self._size += len(data)
        self._synced.later()  # a power cut must not lose the secrets needed to resume

    def _check_disk(self) -> None:
        if self._synced.failure is not None:
            raise cannot("write", self.path, self._synced.failure)

    def close(self) -> None:
        self._synced.close()


def _opened(path: Path) -> IO[bytes]:
    try:
        whole_files.require_file(path)
        file = path.open("r+b", buffering=0)
        system.narrow(path)
    except OSError as error:
        raise cannot("open", path, error) from error
    lock(file, path)
    return file


def _mended(path: Path, file: IO[bytes], data: bytes, found: Kept) -> IO[bytes]:
    """Copy a damaged file aside, and rewrite it with everything readable."""
    whole_files.copy_aside(path, data)
    whole_files.write_whole(path, found.whole, is_own=True)
    again = _opened(path)
    file.close()  # with its lock
    return again


def _holds_match(data: bytes) -> bool:
    """Return True if the file contains more than a table before its match."""
    if FORMAT.startswith(data):
        return False
    try:
        return any(isinstance(one, MatchStart | Post) for one in read(data).records)
    except KumiteError:  # of another kumite version, or a game that is not installed
        return True
