"""The files of tournaments: a host's state and a player's credentials, each written as a whole."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, Final, TypeAlias, TypeVar

from kumite.core.errors import BadData, BadSetup, KumiteError
from kumite.net.tournament.state import (
    MAX_FILE,
    Finished,
    Kept,
    Record,
    TicketFile,
    TournamentFile,
    of_bytes,
    to_bytes,
)
from kumite.store import log_files, system
from kumite.store.log_files import StoreError, cannot, folder, lock, naming
from kumite.store.warned import warn
from kumite.store.whole_files import names_or_warn, read_bytes, require_file, write_whole

FOLDER: Final = "tournaments"
MAX_KNOWN: Final = 64  # files that are read, the newest


F = TypeVar("F", TournamentFile, TicketFile, Finished)
Hosted: TypeAlias = tuple[TournamentFile, float]  # with the time of the file's last change
Listed: TypeAlias = tuple[Kept, float]
Damaged: TypeAlias = tuple[Path, KumiteError]


def tournaments() -> Path:
    return folder() / FOLDER


def write(record: Record, into: Path) -> None:
    """Write a record to its file, or raise StoreError."""
    path = into / record.file_name
    try:
        system.own_folder(into)
        write_whole(path, to_bytes(record), is_own=True)
    except OSError as error:
        raise cannot("write", path, error) from error


def hold(tournament_id: str, into: Path) -> IO[bytes]:
    """Return a lock that only one program can hold for this tournament, or raise StoreError."""
    path = into / f"{tournament_id}.lock"
    try:
        system.own_folder(into)
        require_file(path)
        file = system.open_own(path)
    except OSError as error:
        raise cannot("write", path, error) from error
    hint = "continue there, or close it first; join it to play"
    lock(file, path, StoreError("another kumite holds this tournament", hint=hint))
    return file


def known(within: Path | None = None) -> tuple[TicketFile, ...]:
    """Return our credentials in earlier tournaments, the newest first."""
    return tuple(one for one, _ in _readable(within, TicketFile))


def finished(within: Path | None = None) -> list[tuple[Finished, float]]:
    """Return the tournaments of others that are over, as our players saw them, newest first."""
    return [*_readable(within, Finished)]


def of_match(log: Path) -> TicketFile | None:
    """Return the ticket of the tournament in which the match of a log was played, if any."""
    found = known(log.parent / FOLDER)
    return next((one for one in found if one.log == log.name), None)


def hosted(within: Path | None = None) -> tuple[list[Hosted], list[Damaged]]:
    """Return the tournaments hosted here, unfinished and newest first, and the damaged files."""
    kept: list[Hosted] = []
    damaged: list[Damaged] = []
    for path, one, changed in _read(within, TournamentFile):
        if isinstance(one, KumiteError):
            damaged.append((path, one))
        else:
            kept.append((one, changed))
    return sorted(kept, key=lambda one: one[0].tournament.is_over), damaged


def discard(path: Path) -> None:
    """Move the file of a tournament into the bin beside it, or raise StoreError."""
    with hold(path.stem, path.parent):
        log_files.discard(path)


def in_bin() -> list[Path]:
    return log_files.in_bin(tournaments(), "")


def restore() -> Path:
    """Bring back the last tournament deleted, or raise StoreError."""
    return log_files.restore(tournaments(), "")


def empty_bin() -> int:
    """Delete all tournaments in the bin; return how many there were, or raise StoreError."""
    return log_files.empty_bin(tournaments(), "")


def to_resume(within: Path | None = None) -> TournamentFile:
    """Return the last unfinished tournament hosted here, else the last that is over.

    Raise KumiteError if there is none, or it cannot be used.
    """
    over = None
    for _, one, _ in _read(within, TournamentFile):
        if isinstance(one, KumiteError):
            raise one
        if not one.tournament.is_over:
            return one
        over = over or one
    if over is not None:
        return over
    raise BadSetup("there is no tournament to continue", hint="`kumite tournament GAME` begins one")


def _readable(within: Path | None, kind: type[F]) -> Iterator[tuple[F, float]]:
    for _, one, changed in _read(within, kind):
        if isinstance(one, KumiteError):  # a damaged file must not prevent us from entering
            warn(str(one))
        else:
            yield one, changed


def _read(within: Path | None, kind: type[F]) -> Iterator[tuple[Path, F | KumiteError, float]]:
    """Yield the files of a kind: path, record or the error of a damaged one, and time."""
    into, found = within or tournaments(), []
    for path in map(into.joinpath, names_or_warn(into, kind.SUFFIX)):
        with suppress(OSError):
            found.append((-path.stat().st_mtime, path))
    for changed, path in sorted(found)[:MAX_KNOWN]:
        try:
            with naming(path):
                record = of_bytes(read_bytes(path, MAX_FILE))
            if not isinstance(record, kind):
                raise BadData(f"{path.name} is no file of a tournament")
        except KumiteError as error:
            yield path, error, -changed
        except OSError as error:
            yield path, cannot("read", path, error), -changed
        else:
            yield path, record, -changed
