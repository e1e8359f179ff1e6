"""One terminal at a table: a running session (running.py) of net/session, and its files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from importlib import metadata
from pathlib import Path
from secrets import token_bytes
from typing import Any, Final, NamedTuple, TypeAlias

from kumite.core import table as acts
from kumite.core.errors import BadSetup
from kumite.core.log import End, Header
from kumite.core.match import Match
from kumite.net.crypto.pairing import BadCode, parse_code
from kumite.net.replica.records import Credentials, Record
from kumite.net.session import events, replication, session
from kumite.net.session.events import Effect, Event, HostSetup, Keep, Save
from kumite.net.session.state import Session
from kumite.net.transport.addresses import PORT
from kumite.net.transport.journal import Journal
from kumite.net.transport.running import Running, posting
from kumite.store import system, whole_files
from kumite.store.log_files import LogFile, StoreError, folder, load, table_of
from kumite.store.warned import warn

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
    def beside(cls, path: Path) -> tuple[MatchFiles, list[Record]]:
        """Open the journal beside a log and return its records, or raise KumiteError."""
        place = table_of(path, load(path).header)
        if place is None:
            hint = "`kumite resume` continues local matches"
            raise BadSetup(f"{path.name} is not the log of a LAN match", hint=hint)
        files = cls(path.parent)
        with suppress(OSError):  # 0 if the clock of the system was set back
            files.idle = max(0.0, datetime.now().timestamp() - place.stat().st_mtime)
        files._journal, records = Journal.open(place)
        files._journal.on_failure = files._failed
        return files, records

    def reopen_log(self, path: Path) -> None:
        """Continue the log, or raise StoreError or BadLog."""
        self._log, _ = LogFile.reopen(path)
        self.path = path

    def keep(self, record: Record, place: int = 0) -> None:
        """Add a record, or raise StoreError; credentials begin a new journal."""
        if isinstance(record, Credentials):
            if self._journal is not None:
                self._journal.close()
            name = replication.file_name(record.match_id, record.ticket)
            self._journal = Journal.create(self._into / name)
            self._journal.on_failure = self._failed
        assert self._journal is not None
        self._journal.add(record, place)

    def save(self, record: Header | Match | End | str) -> None:
        """Write to the log or raise StoreError; a header begins one, a match adds its steps."""
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

    def save_place(self, place: Place) -> None:
        if self._journal is not None:  # else before the first match
            save_place(self._journal.path, place)

    def load_place(self) -> Place:
        assert self._journal is not None
        return load_place(self._journal.path)

    def _failed(self, error: StoreError) -> None:
        self.on_failure(error)

    def close(self) -> None:
        for file in (self._log, self._journal):
            if file is not None:
                file.close()


class Place(NamedTuple):
    """Where a host is, and its code if it is this terminal."""

    addresses: tuple[str, ...] = ()
    port: int = PORT
    code: str = ""


def save_place(beside: Path, place: Place) -> None:
    """Save where the host is, beside the file with which we return to it."""
    text = f"{place.port} {' '.join(place.addresses)}\n{place.code}\n"
    with suppress(OSError):
        path = beside.with_suffix(".at")
        whole_files.write_whole(path, text.encode(), is_own=True)
        system.narrow(path)


def load_place(beside: Path) -> Place:
    """Return the place saved beside a file, or the default if it is unknown."""
    try:
        text = whole_files.read_text(path := beside.with_suffix(".at"), MOST_AT)
        where, _, code = text.partition("\n")
        port, *addresses = where.split()
        return Place(tuple(addresses), int(port), parse_code(code) if code.strip() else "")
    except FileNotFoundError:
        pass
    except (OSError, ValueError, BadCode) as error:
        said = error if isinstance(error, BadCode) else whole_files.reason(error)
        warn(f"cannot read the host's address from {path}: {said}")
    return Place()


Deliver: TypeAlias = "Callable[[Event], object]"
"""Receives events in the network's thread; must not block."""


class Peer(Running["Session"]):
    """A terminal at a LAN table; create one with `host`, `join` or `resume`.

    Each action of a player is an input of the session (net/session/events.py). If it is rejected,
    the event `NotDone` gives the reason.
    """

    machine = session

    def __init__(
        self, begun: Session, deliver: Deliver, logs: Path | None, mdns: Sequence[str] | None
    ) -> None:
        super().__init__(begun, deliver, mdns)
        self._use(MatchFiles(folder() if logs is None else logs))

    @classmethod
    def host(
        cls,
        table: HostSetup,
        name: str,
        deliver: Deliver,
        *,
        port: int = PORT,
        address: str | None = None,
        logs: Path | None = None,
        mdns: Sequence[str] | None = None,
    ) -> Peer:
        """Open a table at a port (0: any); raise BadSetup if it suits no LAN."""
        made = session.host(table, name, program(), token_bytes(32))
        peer = cls(made, deliver, logs, mdns)
        peer._start(partial(peer._listen, address, port))
        return peer

    @classmethod
    def join(
        cls,
        address: str,
        port: int,
        code: str,
        name: str,
        deliver: Deliver,
        *,
        others: Iterable[str] = (),
        logs: Path | None = None,
        mdns: Sequence[str] | None = None,
        **more: Any,
    ) -> Peer:
        """Connect to the table at that address, as a player or spectator.

        `others`: alternative addresses. `more`: see `session.join`. Raise BadCode if it is none.
        """
        made = session.join(code, name, program(), token_bytes(32), **more)
        peer = cls(made, deliver, logs, mdns)
        peer.addresses, peer.port = (address, *others), port
        peer._start()
        return peer

    @classmethod
    def resume(
        cls,
        path: Path,
        deliver: Deliver,
        at: tuple[str, int] | None = None,
        mdns: Sequence[str] | None = None,
    ) -> Peer:
        """Continue a match from its log (a joiner `at` this address), or raise KumiteError."""
        files, records = MatchFiles.beside(path)
        try:
            place = files.load_place()
            made = session.resume(records, program(), token_bytes(32), code=place.code)
            files.reopen_log(path)
        except BaseException:
            files.close()
            raise
        peer = cls(made, deliver, path.parent, mdns)
        peer._use(files)
        peer.addresses, peer.port = ((at[0],), at[1]) if at else place[:2]
        has_moved = made.live is not None and made.live.me != 0  # away from the first host
        if made.live is not None:
            files.save(made.live.ledger.match)
        listen = partial(peer._listen, None, peer.port, or_any=has_moved)
        peer._start(listen if made.is_host else None)
        return peer

    @property
    def path(self) -> Path | None:
        return self._files.path

    def _use(self, files: MatchFiles) -> None:
        self._files = files
        files.on_failure = lambda error: self._call(self._feed, events.Failed(error))

    # --- Actions of players ---------------------------------------------------------------------

    ready = posting(events.SetReady)
    start = posting(lambda: events.Order.START)
    take_seat = posting(events.TakeSeat)
    rename = posting(events.Rename)
    fill_seats = posting(events.FillSeats)
    draw_seats = posting(lambda: events.Order.DRAW_SEATS)
    new_code = posting(lambda: events.Order.NEW_CODE)
    play = posting(acts.Play)
    say = posting(acts.Say)
    offer = posting(acts.Offer)
    answer = posting(acts.Answer)
    resign = posting(acts.Resign)

    # --- The session --------------------------------------------------------------------------

    @property
    def _line(self) -> Session:
        return self._session

    def _begin(self, s: Session, now: float) -> session.Next:
        return session.begin(s, now, self._files.idle)

    def _release(self) -> None:
        self._files.close()

    def _moved(self) -> None:
        code = self._session.code if self._session.is_host else ""
        self._files.save_place(Place(self.addresses, self.port, code))

    def _do_more(self, effect: Effect) -> None:
        match effect:
            case Keep(record, place):
                self._files.keep(record, place)
                if isinstance(record, Credentials):
                    self._moved()
            case Save(record):
                self._files.save(record)


def program() -> str:
    """Return this version of kumite, as sent to other terminals."""
    try:
        return metadata.version("kumite")
    except metadata.PackageNotFoundError:  # run from a checkout
        return "0"
