"""Tables' files: what a terminal keeps of a LAN match to go on from it after anything.

A file begins with a line that names its format; then come records, only appended: a length
(4 bytes), a check (4) and canonical msgpack. What is needed to read all others (credentials,
tickets, the roster) is written twice. A post has its place in the list, so that it is known what is
missing: what cannot be read is passed over, and what stands behind it counts again as soon as
others have given the missing posts back. A program that goes on with a file holds a lock on it.
"""

from __future__ import annotations

import errno
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Any

from kumite.core.errors import KumiteError
from kumite.core.games import GAMES
from kumite.net.replica.records import MatchStart
from kumite.net.transport import kept
from kumite.net.transport.kept import FORMAT, READABLE, unpacked
from kumite.net.wire.posts import Post
from kumite.store import system, whole_files
from kumite.store.background import Synced
from kumite.store.log_files import ASIDE, StoreError, cannot, lock

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from kumite.core.game import Game
    from kumite.net.replica.records import Record


class Journal:
    """The file of one match, readable by its owner alone: a terminal's secrets, and all posts."""

    def __init__(self, path: Path, file: IO[bytes], size: int, found: kept.Kept) -> None:
        """Use `create` or `open`."""
        self.path = path
        self.on_failure: Callable[[StoreError], object] = lambda _: None  # in another thread
        self._file = file
        self._size = size  # of what is whole in it
        self._found = found
        self._synced = Synced(file, lambda error: self.on_failure(cannot("write", path, error)))

    @classmethod
    def create(cls, path: Path) -> Journal:
        """Start a new file, also in the place of one whose match has not begun.

        Raises:
            StoreError: it cannot be written, or holds a match: the host names the match, and must
                not make us overwrite another with the same name.
        """
        try:
            system.own_folder(path.parent)
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
        made = cls(path, file, 0, kept.Kept())
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

        What was torn off at its end is cut. Of a file with other damage a copy is set aside, and
        all that can be read is written anew.

        Raises:
            StoreError: it cannot be written, or another program has it.
            BadData: it is no table's file, or of a game that is not here.
        """
        file = _opened(path)
        try:
            data = file.read()
            found = kept.read(data, games)
            if found.is_broken:
                file = _mended(path, file, data, found)
            size = len(found.whole)
            file.seek(size)
            file.truncate()
        except OSError as error:
            file.close()
            raise cannot("write", path, error) from error
        except BaseException:
            file.close()
            raise
        return cls(path, file, size, found), found.records

    def add(self, record: Record, place: int = 0) -> None:
        """Write one record, all of it; of a post its place in the list, by itself the next.

        Raises:
            StoreError: it cannot be written, or what was written before has not reached the disk.
        """
        place = place or self._found.places + 1
        data = self._found.appended(record, place)
        if data:
            self._write(data)
        if isinstance(record, MatchStart):  # once, and before anybody hears that we are in it
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
                    raise OSError(errno.EIO, "the disk takes nothing more")
                rest = rest[count:]
        except OSError as error:
            with suppress(OSError):  # no half record stays; if one does, it is passed over
                self._file.truncate(self._size)
                self._file.seek(self._size)
            raise cannot("write", self.path, error) from error
        self._size += len(data)
        self._synced.later()  # without its secrets nobody comes back after a power cut

    def _check_disk(self) -> None:
        if self._synced.failure is not None:
            raise cannot("write", self.path, self._synced.failure)

    def close(self) -> None:
        """Close the file."""
        self._synced.close()


def _opened(path: Path) -> IO[bytes]:
    """Open and lock a file that is there, for its owner alone."""
    try:
        file = path.open("r+b", buffering=0)
        system.narrow(path)
    except OSError as error:
        raise cannot("open", path, error) from error
    lock(file, path)
    return file


def _mended(path: Path, file: IO[bytes], data: bytes, found: kept.Kept) -> IO[bytes]:
    """Set a copy of a damaged file aside, and write what could be read in its place."""
    whole_files.copy_aside(path, data, ASIDE, is_own=True)
    whole_files.write_whole(path, found.whole, is_own=True)
    again = _opened(path)
    file.close()  # with its lock
    return again


def _holds_match(data: bytes) -> bool:
    """Return whether these bytes of a file are more than a table's before its match."""
    if any(one.startswith(data) for one in READABLE):
        return False
    try:
        return any(isinstance(one, MatchStart | Post) for one in unpacked(data)[0])
    except KumiteError:  # of another kumite, or of a game that is not here
        return True
