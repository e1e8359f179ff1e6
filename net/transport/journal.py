"""Journals: all that a terminal needs to resume a LAN match after any interruption.

A file begins with a line that names its format; then come append-only records: a length (4 bytes),
a check (4) and canonical msgpack. Records that all others depend on (credentials, tickets, the
roster) are written twice. A post has its place in the list, so gaps are known: unreadable records
are skipped, and later ones count again once other terminals have sent the missing posts. A program
holds a lock on the file while it uses it.
"""

from __future__ import annotations

import errno
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Any

from kumite.core.errors import KumiteError
from kumite.core.games import GAMES
from kumite.net.replica.records import MatchStart
from kumite.net.transport import kept
from kumite.net.transport.kept import FORMAT, MOST, unpacked
from kumite.net.wire.posts import Post
from kumite.store import system, whole_files
from kumite.store.background import Synced
from kumite.store.log_files import ASIDE, StoreError, cannot, lock, naming

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from kumite.core.game import Game
    from kumite.net.replica.records import Record


class Journal:
    """The file of one match, readable only by its owner: a terminal's secrets, and all posts."""

    def __init__(self, path: Path, file: IO[bytes], size: int, found: kept.Kept) -> None:
        """Use `create` or `open`."""
        self.path = path
        self.on_failure: Callable[[StoreError], object] = lambda _: None  # in another thread
        self._file = file
        self._size = size  # bytes of complete records
        self._found = found
        self._synced = Synced(file, lambda error: self.on_failure(cannot("write", path, error)))

    @classmethod
    def create(cls, path: Path) -> Journal:
        """Start a new file, or replace one whose match has not begun.

        Raises:
            StoreError: it cannot be written, or contains a match: the host chooses the match id,
                and must not be able to make us overwrite another match.
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
        made = cls(path, file, 0, kept.Kept())
        try:
            made._write(FORMAT)
        except BaseException:
            made.close()
            path.unlink(missing_ok=True)  # leave no partial file
            raise
        return made

    @classmethod
    def open(
        cls, path: Path, games: Mapping[str, Game[Any]] = GAMES
    ) -> tuple[Journal, list[Record]]:
        """Continue a file; return its records too.

        A torn end is truncated. After other damage, the file is copied aside and rewritten with
        everything readable.

        Raises:
            StoreError: it cannot be written, or another program uses it.
            BadData: it is not a journal, or of a game that is not installed.
        """
        file = _opened(path)
        try:
            data = whole_files.read_open(file, path, MOST)
            with naming(path):
                found = kept.read(data, games)
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

        Raises:
            StoreError: it cannot be written, or an earlier record has not reached the disk.
        """
        place = place or self._found.places + 1
        data = self._found.appended(record, place)
        if data:
            self._write(data)
        if isinstance(record, MatchStart):  # once, before anybody learns that we take part
            self._synced.now()
            self._check_disk()
        self._found.note(record, place, data)

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


def _mended(path: Path, file: IO[bytes], data: bytes, found: kept.Kept) -> IO[bytes]:
    """Copy a damaged file aside, and rewrite it with everything readable."""
    whole_files.copy_aside(path, data, ASIDE, is_own=True)
    whole_files.write_whole(path, found.whole, is_own=True)
    again = _opened(path)
    file.close()  # with its lock
    return again


def _holds_match(data: bytes) -> bool:
    """Return True if the file contains more than a table before its match."""
    if FORMAT.startswith(data):
        return False
    try:
        return any(isinstance(one, MatchStart | Post) for one in unpacked(data)[0])
    except KumiteError:  # of another kumite version, or a game that is not installed
        return True
