"""One terminal on the network: the sockets, the thread and the log file under a session.

The network has its own thread with its own loop: a stalled terminal stops the app's loop, and the
other side must still hear a heartbeat. What is to be done is decided in net.session; this file
reads, asks it, and does the effects in order.
"""

from __future__ import annotations

import asyncio
import socket
import threading
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from importlib import metadata
from secrets import token_bytes
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from kumite.core.errors import BadSetup, KumiteError
from kumite.core.games import GAMES
from kumite.core.log import End, Header
from kumite.core.match import Match
from kumite.net.replica.records import Credentials
from kumite.net.session import events, inputs, opening, replication, session
from kumite.net.session.effects import Close, Connect, Effects, Keep, Save, Send, Tell
from kumite.net.transport import sockets
from kumite.net.transport.addresses import PORT, own_addresses
from kumite.net.transport.journal import Journal
from kumite.net.wire import messages
from kumite.store.log_files import LogFile, folder, load, table_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping
    from pathlib import Path

    from kumite.core.game import Actor, Game, Seat, Step
    from kumite.net.replica.records import Record
    from kumite.net.session.effects import Effect
    from kumite.net.session.events import Event
    from kumite.net.session.inputs import Command, HostSetup, Input
    from kumite.net.session.state import Session

CHUNK: Final = 4096  # bytes read at once
TRIES: Final = 4  # connections being made at the same time
MAX_BEHIND: Final = 4 << 20  # bytes that wait for one terminal to read them
LINGER: Final = 0.5  # s for the last words to get out before a connection is cut

Deliver: TypeAlias = "Callable[[Event], object]"
"""Takes an event in the network's thread, and does not keep it waiting."""


@dataclass(slots=True)
class _Wire:
    """A connection (mutable: the socket's side of it)."""

    writer: asyncio.StreamWriter
    has_spoken: bool = False
    is_closing: bool = False


class Peer:
    """A terminal at a LAN table; make one with `host`, `join`, `watch` or `resume`.

    Its methods may be called from any thread and return at once; answers are events, handed to
    `deliver` in the network's thread. The last one is Stopped, or Left with `is_closed`.
    """

    addresses: tuple[str, ...]  # a joiner's host: it is tried at all of them
    port: int  # while the table is open: where it listens; a joiner's is the host's
    path: Path | None  # the log file, once the match has begun

    def __init__(self, begun: Session, deliver: Deliver, logs: Path | None) -> None:
        """Use `host`, `join`, `watch` or `resume`."""
        self.addresses: tuple[str, ...] = ()
        self.port = 0
        self.path = None
        self._session = begun
        self._deliver = deliver
        self._logs = folder() if logs is None else logs
        self._log: LogFile | None = None
        self._table: Journal | None = None
        self._wires: dict[int, _Wire] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._links = 0  # connections so far, for their numbers
        self._tries = 0  # connections being made
        self._server: asyncio.Server | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._bug: Exception | None = None
        self._loop = asyncio.new_event_loop()
        self._done = asyncio.Event()
        self._thread: threading.Thread | None = None

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
    ) -> Peer:
        """Open a table and wait for others; port 0 takes any that is free.

        Raises:
            BadSetup: the table cannot be played over a LAN.
        """
        peer = cls(opening.host(table, name, program(), token_bytes(32)), deliver, logs)
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
        seats: Iterable[Seat] = (),
        count: int = 1,
        is_open: bool = True,
        what: str = messages.JOIN,
        logs: Path | None = None,
        games: Mapping[str, Game[Any]] = GAMES,
    ) -> Peer:
        """Go to the table at that address and sit down, on these seats or so many.

        `others`: more addresses at which it may be. `is_open`: whether our secrets may be opened
        when the match is over.

        Raises:
            BadCode: that is no code.
        """
        made = opening.join(
            code,
            name,
            program(),
            token_bytes(32),
            what=what,
            seats=seats,
            count=count,
            is_open=is_open,
            games=games,
        )
        peer = cls(made, deliver, logs)
        peer.addresses, peer.port = (address, *others), port
        peer._start(peer._nothing)
        return peer

    @classmethod
    def watch(
        cls,
        address: str,
        port: int,
        code: str,
        name: str,
        deliver: Deliver,
        *,
        others: Iterable[str] = (),
        logs: Path | None = None,
        games: Mapping[str, Game[Any]] = GAMES,
    ) -> Peer:
        """Go to the table at that address and look on.

        Raises:
            BadCode: that is no code.
        """
        return cls.join(
            address,
            port,
            code,
            name,
            deliver,
            others=others,
            what=messages.WATCH,
            logs=logs,
            games=games,
        )

    @classmethod
    def resume(
        cls,
        path: Path,
        deliver: Deliver,
        at: tuple[str, int] | None = None,
        games: Mapping[str, Game[Any]] = GAMES,
    ) -> Peer:
        """Go on with a match from its log: the host listens again, a joiner goes back (to `at`).

        Raises:
            StoreError, BadLog, BadData: the log, or the table's file beside it, cannot be used.
        """
        place = table_of(path, load(path, games).header)
        if place is None:
            hint = "`kumite resume` goes on with matches of one keyboard"
            raise BadSetup(f"{path.name} is not the log of a LAN match", hint=hint)
        kept, records = Journal.open(place, games)
        try:
            made = opening.resume(records, program(), token_bytes(32), games=games)
            log, _ = LogFile.reopen(path, games)
        except BaseException:
            kept.close()
            raise
        peer = cls(made, deliver, path.parent)
        peer._table, peer._log, peer.path = kept, log, path
        peer.addresses, peer.port = ((at[0],), at[1]) if at else peer._load_place()
        if made.live is not None:
            log.sync(made.live.ledger.match)
        begins = partial(peer._listen, None, peer.port) if made.is_host else peer._nothing
        peer._start(begins)
        return peer

    def ready(self, is_ready: bool = True) -> None:
        """Be ready to begin, or not any longer."""
        self._post(inputs.SetReady(is_ready))

    def start(self) -> None:
        """Begin the match (host); `NotDone` says why not."""
        self._post(inputs.StartMatch())

    def new_code(self) -> None:
        """Make another code (host)."""
        self._post(inputs.NewCode())

    def play(self, actor: Actor, step: Step) -> None:
        """Make a step; `MatchChanged` says when it counts, `NotDone` why it cannot be made."""
        self._post(inputs.MakeStep(actor, step))

    def say(self, text: str) -> None:
        """Say something to everybody at the table."""
        self._post(inputs.Speak(text))

    def offer(self, kind: str, number: int = 0) -> None:
        """Offer something (net.posts.OFFERS) to the others."""
        self._post(inputs.Propose(kind, number))

    def answer(self, is_yes: bool) -> None:
        """Answer the offer that stands; who made it takes it back with a no."""
        self._post(inputs.Reply(is_yes))

    def resign(self, seat: Seat) -> None:
        """Resign for a seat of this terminal."""
        self._post(inputs.GiveUp(seat))

    def leave(self) -> None:
        """Leave the table politely; a second time does nothing."""
        self._post(inputs.Depart())

    def close(self, timeout: float = 2.0) -> None:
        """Leave if need be, and wait until the thread has ended; after `timeout` s cut it off."""
        self.leave()
        if self._thread is None or self._thread is threading.current_thread():
            return
        self._thread.join(timeout)
        if self._thread.is_alive():
            self._call(self._cut)
            self._thread.join(LINGER)

    # --- The thread ----------------------------------------------------------------------------

    def _start(self, opening: Callable[[], Awaitable[None]]) -> None:
        self._thread = threading.Thread(
            target=self._run, args=(opening,), name="kumite-net", daemon=True
        )
        self._thread.start()

    def _run(self, opening: Callable[[], Awaitable[None]]) -> None:
        try:
            self._loop.run_until_complete(self._main(opening))
        finally:
            self._loop.close()

    async def _main(self, opening: Callable[[], Awaitable[None]]) -> None:
        opener = self._spawn(self._open(opening))
        try:
            await self._done.wait()
        finally:
            opener.cancel()
            if self._server is not None:
                self._server.close()
            if self._timer is not None:
                self._timer.cancel()
            if self._tasks:  # they end by themselves, see _close
                await asyncio.wait(self._tasks, timeout=2 * LINGER)
            self._cut()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            for file in (self._log, self._table):
                if file is not None:
                    file.close()
        if self._bug is not None:
            raise self._bug

    async def _open(self, opening: Callable[[], Awaitable[None]]) -> None:
        try:
            await opening()
        except KumiteError as error:
            self._feed(inputs.Failed(error))
        else:
            self._react(lambda s, now: session.begin(s, now))

    async def _nothing(self) -> None:
        """Open nothing: a joiner connects when the session says so."""

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, Exception):
            self._fail(error)

    def _cut(self) -> None:
        """End everything now."""
        self._done.set()
        for task in self._tasks:
            task.cancel()

    def _post(self, command: Command) -> None:
        self._call(partial(self._feed, command))

    def _call(self, function: Callable[[], None]) -> None:
        with suppress(RuntimeError):  # the loop is closed: the table is over
            self._loop.call_soon_threadsafe(function)

    # --- Reacting ------------------------------------------------------------------------------

    def _feed(self, given: Input) -> None:
        """Let the session react, and do what it says."""
        self._react(lambda s, now: session.react(s, given, now))

    def _fail(self, bug: Exception) -> None:
        """Stop because of our own bug; the end of the thread raises it again."""
        if self._bug is None:
            self._bug = bug
            self._done.set()
            text = f"kumite has made a mistake of its own: {bug!r}"
            stopped = events.Stopped("local-misuse", text, "please report it, with the log")
            with suppress(Exception):  # `deliver` may be what is broken
                self._deliver(stopped)

    def _react(self, how: Callable[[Session, float], session.Next]) -> None:
        if self._bug is not None:
            return
        try:
            self._session, effects = how(self._session, self._loop.time())
            self._do_all(effects)
        except Exception as error:
            self._fail(error)

    def _do_all(self, effects: Effects) -> None:
        for effect in effects:
            try:
                self._do(effect)
            except KumiteError as error:  # a file cannot be written
                if not self._session.is_closed:  # then nothing that follows may be sent
                    self._feed(inputs.Failed(error))
                    return
                self._deliver(events.NotDone(error.code, str(error), error.hint))
        if self._timer is not None:
            self._timer.cancel()
        deadline = session.deadline(self._session)
        if deadline is not None:
            self._timer = self._loop.call_at(deadline, self._feed, inputs.Tick())
        if self._session.is_closed:
            self._done.set()

    def _do(self, effect: Effect) -> None:
        match effect:
            case Send(link, data):
                self._send(link, data)
            case Keep(record):
                self._keep(record)
            case Save(record):
                self._save(record)
            case Tell(event):
                self._deliver(event)
            case Connect():
                self._spawn(self._connect())
            case Close(link):
                self._close(link)

    def _keep(self, record: Record) -> None:
        if isinstance(record, Credentials):
            if self._table is not None:
                self._table.close()
            name = replication.file_name(record.match_id, record.ticket)
            self._table = Journal.create(self._logs / name)
            self._save_place()
        assert self._table is not None
        self._table.add(record)

    def _save(self, record: Header | Match | End | str) -> None:
        if isinstance(record, Header):
            if self._log is not None:
                self._log.close()
            self._log = LogFile.create(record, record.begin(), self._logs)
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

    def _save_place(self) -> None:
        """Write down where the table is, beside what lets us come back to it."""
        assert self._table is not None
        text = f"{self.port} {' '.join(self.addresses)}\n"
        with suppress(OSError):
            self._table.path.with_suffix(".at").write_text(text, encoding="utf-8")

    def _load_place(self) -> tuple[tuple[str, ...], int]:
        assert self._table is not None
        try:
            text = self._table.path.with_suffix(".at").read_text(encoding="utf-8")
            port, *addresses = text.split()
            return tuple(addresses), int(port)
        except (OSError, ValueError):
            return (), PORT

    # --- Connections ---------------------------------------------------------------------------

    def _send(self, link: int, data: bytes) -> None:
        wire = self._wires.get(link)
        if wire is None or wire.is_closing or wire.writer.is_closing():
            return  # it is gone; `Gone` has been said, or will be
        wire.writer.write(data)
        wire.has_spoken = True
        if wire.writer.transport.get_write_buffer_size() > MAX_BEHIND:
            wire.writer.transport.abort()  # who does not read may come back and ask again

    def _close(self, link: int) -> None:
        """End a connection when everything is out.

        To close at once could destroy what the other side has not read yet, so we end our own
        direction, and wait a little for theirs to end.
        """
        wire = self._wires.get(link)
        if wire is None:
            return
        wire.is_closing = True
        if not wire.has_spoken:
            wire.writer.transport.abort()
            return
        with suppress(OSError):
            wire.writer.write_eof()
        self._loop.call_later(LINGER, wire.writer.transport.abort)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._links += 1
        self._spawn(self._read(self._links, reader, writer))

    async def _read(
        self, link: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        wire = self._wires[link] = _Wire(writer)
        try:
            # asyncio does it only for sockets that name their protocol, and our listener's do not
            writer.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            name = writer.get_extra_info("peername")
            self._feed(inputs.Opened(link, str(name[0]) if name else ""))
            while data := await reader.read(CHUNK):
                if wire.is_closing:
                    continue  # waiting for the end only
                self._feed(inputs.Heard(link, data))
                await writer.drain()  # who does not read our answers is not heard further
        except OSError:
            pass  # broken is the same as ended: the session says what it means
        finally:
            del self._wires[link]
            self._feed(inputs.Gone(link))
            writer.close()
            self._loop.call_later(LINGER, writer.transport.abort)
            with suppress(OSError):
                await writer.wait_closed()

    async def _listen(self, address: str | None, port: int) -> None:
        sock = sockets.listening(address, port)
        try:
            self._server = await asyncio.start_server(self._accept, sock=sock, limit=CHUNK)
        except BaseException:
            sock.close()
            raise
        self.port = sock.getsockname()[1]
        addresses = (address,) if address else own_addresses()
        self._deliver(events.Listening(self.port, addresses, self._session.code))

    async def _connect(self) -> None:
        """Reach the host; a session that has been there before tries several at once."""
        if self._tries >= TRIES:
            return
        self._tries += 1
        try:
            reader, writer = await sockets.reached(self.addresses or ("",), self.port, CHUNK)
        except KumiteError as error:
            self._feed(inputs.Unreached(error))
        else:
            self._accept(reader, writer)
        finally:
            self._tries -= 1


def program() -> str:
    """Return the version of kumite, as it is told to the other terminal."""
    try:
        return metadata.version("kumite")
    except metadata.PackageNotFoundError:  # run from a checkout
        return "0"
