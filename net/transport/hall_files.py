"""The files of tournaments: an organiser's, and a player's way back; each is written whole."""

from __future__ import annotations

from contextlib import suppress
from typing import IO, TYPE_CHECKING, Final, NamedTuple

from kumite.core.errors import BadData, BadSetup, KumiteError
from kumite.net.hall import board
from kumite.net.hall.records import MAX_FILE, GuestKept, HallKept, file_name, of_bytes, to_bytes
from kumite.store import system
from kumite.store.log_files import StoreError, cannot, folder
from kumite.store.whole_files import read_bytes, write_whole

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MAX_KNOWN: Final = 64  # files that are looked at, the newest


def tournaments() -> Path:
    """Return the folder of tournaments, beside the saved matches."""
    return folder() / "tournaments"


def write(record: HallKept | GuestKept, into: Path) -> None:
    """Write what lets us come back.

    Raises:
        StoreError: it cannot be written.
    """
    path = into / file_name(record)
    try:
        system.own_folder(into)
        write_whole(path, to_bytes(record), is_own=True)
    except OSError as error:
        raise cannot("write", path, error) from error


def hold(hall_id: str, into: Path) -> IO[bytes]:
    """Return a file that nobody else can hold as long as it is open: one program is the organiser.

    Raises:
        StoreError: another program is, or no file can be made.
    """
    path = into / f"{hall_id}.lock"
    try:
        system.own_folder(into)
        file = system.open_own(path)
    except OSError as error:
        raise cannot("write", path, error) from error
    try:
        system.lock(file)
    except OSError as error:
        file.close()
        raise StoreError(
            "another kumite holds this tournament",
            hint="go on there, or close it first; join it to play",
        ) from error
    return file


def read(path: Path) -> HallKept | GuestKept:
    """Return what a file holds.

    Raises:
        StoreError: it cannot be read.
        BadData: it is none of ours.
    """
    try:
        return of_bytes(read_bytes(path, MAX_FILE))
    except OSError as error:
        raise cannot("read", path, error) from error


def _newest(within: Path, pattern: str) -> list[Path]:
    found = []
    for path in within.glob(pattern):
        with suppress(OSError):
            found.append((-path.stat().st_mtime, path))
    return [path for _, path in sorted(found)[:MAX_KNOWN]]


def known(within: Path | None = None) -> tuple[GuestKept, ...]:
    """Return who we are in the halls where we have been, the newest first."""
    found = []
    for path in _newest(within or tournaments(), "*.guest"):
        with suppress(KumiteError):  # a damaged one costs a way back, not the way in
            record = read(path)
            if isinstance(record, GuestKept):
                found.append(record)
    return tuple(found)


class Unfinished(NamedTuple):
    """A tournament that was organised here and is not over."""

    kept: HallKept
    changed: float  # when, as files count it


def unfinished(within: Path | None = None) -> HallKept:
    """Return the last tournament that was organised here and is not over.

    Raises:
        BadSetup: there is none.
        KumiteError: its file cannot be used.
    """
    for found in _unfinished(within):
        if isinstance(found, KumiteError):
            raise found
        return found.kept
    raise BadSetup(
        "there is no tournament to go on with", hint="`kumite tournament GAME` begins one"
    )


def all_unfinished(within: Path | None = None) -> tuple[list[Unfinished], int]:
    """Return all that are not over, the newest first, and how many files cannot be used."""
    found = list(_unfinished(within))
    sound = [one for one in found if isinstance(one, Unfinished)]
    return sound, len(found) - len(sound)


def _unfinished(within: Path | None) -> Iterator[Unfinished | KumiteError]:
    """Yield those that are not over, the newest first, and what is wrong with others."""
    for path in _newest(within or tournaments(), "*.hall"):
        try:
            record = read(path)
            if not isinstance(record, HallKept):
                raise BadData(f"{path.name} is no file of a tournament")
            if not board.kept_tournament(record).is_over:
                yield Unfinished(record, path.stat().st_mtime)
        except KumiteError as error:
            yield error
        except OSError as error:  # it has gone meanwhile
            yield cannot("read", path, error)
