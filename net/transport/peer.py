"""One terminal on the network: the thread in which a session's inputs come and its effects go.

The network has its own thread with its own loop: a stalled terminal stops the app's loop, and the
other side must still hear a heartbeat. What is to be done is decided in net/session; this file
asks it, and does the effects in order: on connections.py, on files.py, and by telling the app.
"""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from functools import partial
from importlib import metadata
from secrets import token_bytes
from typing import TYPE_CHECKING, Any, TypeAlias

from kumite.core import codes
from kumite.core.errors import KumiteError
from kumite.core.games import GAMES
from kumite.net.session import events, inputs, opening, session
from kumite.net.session.effects import Close, Connect, Effects, Keep, Save, Send, Tell
from kumite.net.transport.addresses import PORT, own_addresses
from kumite.net.transport.beacons import WayBack
from kumite.net.transport.connections import LINGER, Connections
from kumite.net.transport.files import MatchFiles
from kumite.net.wire import messages
from kumite.store import house
from kumite.store.log_files import folder

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
    from pathlib import Path

    from kumite.core.game import Actor, Game, Seat, Step
    from kumite.net.session.effects import Effect
    from kumite.net.session.events import Event
    from kumite.net.session.inputs import Command, HostSetup, Input
    from kumite.net.session.state import Session

Deliver: TypeAlias = "Callable[[Event], object]"
"""Takes an event in the network's thread, and does not keep it waiting."""


class Peer:
    """A terminal at a LAN table; make one with `host`, `join`, `watch` or `resume`.

    Its methods may be called from any thread and return at once; answers are events, handed to
    `deliver` in the network's thread. The last one is Stopped, or Left with `is_closed`.
    """

    addresses: tuple[str, ...]  # a joiner's host: it is tried at all of them
    port: int  # while the table is open: where it listens; a joiner's is the host's

    def __init__(
        self, begun: Session, deliver: Deliver, logs: Path | None, mdns: Sequence[str] | None
    ) -> None:
        """Use `host`, `join`, `watch` or `resume`.

        `mdns`: the interfaces on which a match is announced, or its host looked for; () for all,
        None for neither.
        """
        self.addresses: tuple[str, ...] = ()
        self.port = 0
        self._session = begun
        self._deliver = deliver
        self._use(MatchFiles(folder() if logs is None else logs))
        self._connections = Connections(self._feed, self._spawn)
        self._way = None if mdns is None else WayBack(mdns)
        self._tasks: set[asyncio.Task[None]] = set()
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
        mdns: Sequence[str] | None = None,
    ) -> Peer:
        """Open a table and wait for others; port 0 takes any that is free.

        Raises:
            BadSetup: the table cannot be played over a LAN.
        """
        peer = cls(opening.host(table, name, program(), token_bytes(32)), deliver, logs, mdns)
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
        mdns: Sequence[str] | None = None,
    ) -> Peer:
        """Go to the table at that address and sit down, on these seats or so many.

        `others`: more addresses at which it may be. `is_open`: whether our secrets may be opened
        when the match is over.

        Raises:
            BadCode: it is no code.
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
        peer = cls(made, deliver, logs, mdns)
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
        mdns: Sequence[str] | None = None,
    ) -> Peer:
        """Go to the table at that address and look on.

        Raises:
            BadCode: it is no code.
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
            mdns=mdns,
        )

    @classmethod
    def resume(
        cls,
        path: Path,
        deliver: Deliver,
        at: tuple[str, int] | None = None,
        games: Mapping[str, Game[Any]] = GAMES,
        mdns: Sequence[str] | None = None,
    ) -> Peer:
        """Go on with a match from its log: the host listens again, a joiner goes back (to `at`).

        Raises:
            StoreError, BadLog, BadData: the log, or the table's file beside it, cannot be used.
        """
        files, records = MatchFiles.beside(path, games)
        try:
            made = opening.resume(records, program(), token_bytes(32), games=games)
            files.reopen_log(path, games)
        except BaseException:
            files.close()
            raise
        peer = cls(made, deliver, path.parent, mdns)
        peer._use(files)
        peer.addresses, peer.port = ((at[0],), at[1]) if at else files.load_place(PORT)
        if made.live is not None:
            files.save(made.live.ledger.match)
        begins = partial(peer._listen, None, peer.port) if made.is_host else peer._nothing
        peer._start(begins)
        return peer

    @property
    def path(self) -> Path | None:
        """Return where the log file is, None before the match has begun."""
        return self._files.path

    def _use(self, files: MatchFiles) -> None:
        self._files = files
        files.on_failure = lambda error: self._call(partial(self._feed, inputs.Failed(error)))

    # --- What people do -------------------------------------------------------------------------

    def ready(self, is_ready: bool = True) -> None:
        """Be ready to begin, or not any longer."""
        self._post(inputs.SetReady(is_ready))

    def start(self) -> None:
        """Begin the match (host); `NotDone` says why not."""
        self._post(inputs.StartMatch())

    def take_seat(self, seat: Seat) -> None:
        """Move to another seat before the match."""
        self._post(inputs.TakeSeat(seat))

    def rename(self, name: str) -> None:
        """Be called otherwise, before the match."""
        self._post(inputs.Rename(name))

    def draw_seats(self) -> None:
        """Have all seats drawn by lot before the match (host)."""
        self._post(inputs.DrawSeats())

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
        """Offer something (of posts.OFFERS) to the others."""
        self._post(inputs.Propose(kind, number))

    def answer(self, is_yes: bool) -> None:
        """Answer the offer that stands; its author takes it back with a no."""
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
            self._connections.stop_listening()
            if self._timer is not None:
                self._timer.cancel()
            if self._tasks:  # they end by themselves, see Connections.close
                await asyncio.wait(self._tasks, timeout=2 * LINGER)
            self._cut()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            self._files.close()
            if self._way is not None:
                self._way.close()
        if self._bug is not None:
            raise self._bug

    async def _open(self, opening: Callable[[], Awaitable[None]]) -> None:
        try:
            await opening()
        except KumiteError as error:
            self._feed(inputs.Failed(error))
        else:
            idle = self._files.idle
            self._react(lambda s, now: session.begin(s, now, idle))

    async def _listen(self, address: str | None, port: int) -> None:
        address = house.own_address() or address
        self.port = await self._connections.listen(address, port)
        addresses = (address,) if address else own_addresses()
        self._deliver(events.Listening(self.port, addresses, self._session.code))

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
            stopped = events.Stopped(codes.LOCAL_MISUSE, text, "please report it, with the log")
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
        self._follow()

    def _follow(self) -> None:
        """Follow a host to where the present connection leads; look for one that is gone."""
        wire = self._connections.wires.get(self._session.main)
        known = self.addresses, self.port
        if wire is not None and wire.place not in (None, known):
            assert wire.place is not None
            self.addresses, self.port = wire.place
            self._files.save_place(self.addresses, self.port)
        if self._way is not None:
            self._way.follow(self._session, self.port)

    def _do(self, effect: Effect) -> None:
        match effect:
            case Send(link):
                self._connections.send(link, effect.frames())
            case Keep(record, place):
                self._files.keep(record, self.addresses, self.port, place)
            case Save(record):
                self._files.save(record)
            case Tell(event):
                self._deliver(event)
            case Connect():
                known = self.addresses, self.port
                for to in self._way.places(known) if self._way is not None else (known,):
                    self._spawn(self._connections.connect(*to))
            case Close(link):
                self._connections.close(link)


def program() -> str:
    """Return the version of kumite, as it is told to the other terminal."""
    try:
        return metadata.version("kumite")
    except metadata.PackageNotFoundError:  # run from a checkout
        return "0"
