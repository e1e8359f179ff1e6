"""The files of a LAN match: the log, its journal, and the table's last address."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from kumite.core.errors import BadSetup
from kumite.core.games import GAMES
from kumite.core.log import End, Header
from kumite.core.match import Match
from kumite.net.replica.records import Credentials
from kumite.net.session import replication
from kumite.net.transport.journal import Journal
from kumite.store import system, whole_files
from kumite.store.log_files import LogFile, load, table_of
from kumite.store.warned import warn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from kumite.core.game import Game
    from kumite.net.replica.records import Record
    from kumite.store.log_files import StoreError


MOST_AT: Final = 4096  # bytes of the file with the table's last address


class MatchFiles:
    """The files of consecutive matches at a table, in one folder."""

    def __init__(self, into: Path) -> None:
        """Begin without files; the session says when there is something to save."""
        self.on_failure: Callable[[StoreError], object] = lambda _: None  # in another thread
        self.path: Path | None = None  # of the log, once the match has begun
        self.idle = 0.0  # s since the last record, when resuming
        self._into = into
        self._log: LogFile | None = None
        self._journal: Journal | None = None

    @classmethod
    def beside(
        cls, path: Path, games: Mapping[str, Game[Any]] = GAMES
    ) -> tuple[MatchFiles, list[Record]]:
        """Open the journal beside a log; return its records too.

        Raises:
            StoreError, BadLog, BadData, BadSetup: it is missing or cannot be used.
        """
        place = table_of(path, load(path, games).header)
        if place is None:
            hint = "`kumite resume` continues local matches"
            raise BadSetup(f"{path.name} is not the log of a LAN match", hint=hint)
        files = cls(path.parent)
        files.idle = _age(place)
        files._journal, records = Journal.open(place, games)
        files._journal.on_failure = files._failed
        return files, records

    def reopen_log(self, path: Path, games: Mapping[str, Game[Any]] = GAMES) -> None:
        """Continue the log.

        Raises:
            StoreError, BadLog: it cannot be used.
        """
        self._log, _ = LogFile.reopen(path, games)
        self.path = path

    def keep(self, record: Record, addresses: Iterable[str], port: int, place: int = 0) -> None:
        """Add a record to the journal; credentials begin a new journal and address file.

        Raises:
            StoreError: it cannot be written.
        """
        if isinstance(record, Credentials):
            if self._journal is not None:
                self._journal.close()
            name = replication.file_name(record.match_id, record.ticket)
            self._journal = Journal.create(self._into / name)
            self._journal.on_failure = self._failed
            self.save_place(addresses, port)
        assert self._journal is not None
        self._journal.add(record, place)

    def save(self, record: Header | Match | End | str) -> None:
        """Write to the log: a header begins a new one, a match adds its steps.

        Raises:
            StoreError: it cannot be written.
        """
        if isinstance(record, Header):
            if self._log is not None:
                self._log.close()
            self._log = LogFile.create(record, record.begin(), self._into)
            self.path = self._log.path
            return
        assert self._log is not None
        match record:
            case Match():
                self._log.sync(record)
            case End():
                self._log.end(record)
            case line:
                self._log.add(line)

    def save_place(self, addresses: Iterable[str], port: int) -> None:
        if self._journal is None:  # before the first match
            return
        text = f"{port} {' '.join(addresses)}\n"
        with suppress(OSError):
            place = self._journal.path.with_suffix(".at")
            whole_files.write_whole(place, text.encode(), is_own=True)
            system.narrow(place)

    def load_place(self, port: int) -> tuple[tuple[str, ...], int]:
        """Return the saved addresses and port of the table; none and `port` if unknown."""
        assert self._journal is not None
        try:
            text = whole_files.read_text(place := self._journal.path.with_suffix(".at"), MOST_AT)
            said, *addresses = text.split()
            return tuple(addresses), int(said)
        except FileNotFoundError:
            pass
        except (OSError, ValueError) as error:
            warn(f"cannot read the table's address from {place}: {whole_files.reason(error)}")
        return (), port

    def _failed(self, error: StoreError) -> None:
        self.on_failure(error)

    def close(self) -> None:
        for file in (self._log, self._journal):
            if file is not None:
                file.close()


def _age(path: Path) -> float:
    """Return the seconds since a file was written; 0 if the system clock was set back."""
    with suppress(OSError):
        return max(0.0, datetime.now().timestamp() - path.stat().st_mtime)
    return 0.0
