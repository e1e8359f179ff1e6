"""A session in its own thread and event loop: feeds it inputs and executes its effects.

A stalled terminal stops the app's loop, but the other side must still get heartbeats.
"""

from __future__ import annotations

import asyncio
import threading
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from typing import Any, Concatenate, Generic, ParamSpec, TypeAlias, TypeVar

from kumite.core import codes
from kumite.core.errors import KumiteError
from kumite.net.session import events
from kumite.net.session.events import Calls, Close, Send, Tell
from kumite.net.session.state import Session
from kumite.net.transport.addresses import PORT, own_addresses
from kumite.net.transport.beacons import HostRecovery
from kumite.net.transport.connections import LINGER, Connections
from kumite.net.transport.discovery import LOOK_EVERY
from kumite.net.transport.sockets import NetworkError
from kumite.store import clock, guest_mode, system

Opening: TypeAlias = Callable[[], Awaitable[None]]
S = TypeVar("S")
P = ParamSpec("P")


def posting(kind: Callable[P, object]) -> Callable[Concatenate[Running[Any], P], None]:
    """Return a method that posts an input of this kind to the session."""

    def post(peer: Running[Any], /, *args: P.args, **more: P.kwargs) -> None:
        peer._call(peer._feed, kind(*args, **more))

    return post


class Running(ABC, Generic[S]):
    """The thread of a session, which is a state machine; subclasses handle its files.

    Methods may be called from any thread and return immediately; answers are events, passed to
    `deliver` in the network's thread. The last one is Stopped, or Left with `is_closed`.
    """

    machine: Any  # the module with the state machine's `begin`, `react` and `deadline`
    addresses: tuple[str, ...]  # of the host, on a joiner
    port: int  # that a host listens on; on a joiner, the host's

    def __init__(
        self, begun: S, deliver: Callable[[Any], object], mdns: Sequence[str] | None
    ) -> None:
        """Prepare; `_start` begins.

        `mdns`: the interfaces on which to announce our match, or to look for a moved host; () for
        all, None for neither.
        """
        self.addresses: tuple[str, ...] = ()
        self.port = 0
        self._listens_at = 0  # the port while listening, else 0
        self._session = begun
        self._deliver = deliver
        self._way = None if mdns is None else HostRecovery(mdns)
        self._connections = Connections(self._feed, self._spawn)
        self._tasks: set[asyncio.Task[None]] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._bug: Exception | None = None
        self._loop = clock.new_loop()
        self._done = asyncio.Event()
        self._thread: threading.Thread | None = None

    # --- For subclasses -----------------------------------------------------------------------

    @property
    @abstractmethod
    def _line(self) -> Session:
        """The part of the session that has the connections."""

    def _begin(self, s: S, now: float) -> tuple[S, Sequence[Any]]:
        return self.machine.begin(s, now)  # type: ignore[no-any-return]

    @abstractmethod
    def _do_more(self, effect: Any) -> None: ...

    def _moved(self) -> None:
        """Called when the host's addresses, port or code have changed."""

    def _release(self) -> None:
        """Close files when the thread ends."""

    # --- Actions of players ---------------------------------------------------------------------

    leave = posting(lambda: events.Order.DEPART)  # politely; a second time does nothing
    vanish = posting(lambda: events.Order.VANISH)

    def close(self, timeout: float = 2.0) -> None:
        """Leave and wait for the thread to end; kill it after `timeout` s.

        Nobody chose to leave if our terminal's line broke: the others wait as after a crash.
        """
        (self.vanish if system.has_lost_terminal() else self.leave)()
        if self._thread is None or self._thread is threading.current_thread():
            return
        self._thread.join(timeout)
        if self._thread.is_alive():
            self._call(self._cut)
            self._thread.join(LINGER)

    # --- The thread ---------------------------------------------------------------------------

    def _start(self, opening: Opening | None = None) -> None:
        """Begin, after `opening`; a joiner opens nothing, but connects when the session says so."""
        self._thread = threading.Thread(
            target=self._run, args=(opening,), name="kumite-net", daemon=True
        )
        self._thread.start()

    def _run(self, opening: Opening | None) -> None:
        try:
            self._loop.run_until_complete(self._main(opening))
        finally:
            self._loop.close()

    async def _main(self, opening: Opening | None) -> None:
        opener = self._spawn(self._open(opening))
        try:
            await self._done.wait()
        finally:
            opener.cancel()
            self._connections.stop_listening()
            if self._timer is not None:
                self._timer.cancel()
            if self._tasks:  # they end soon, see Connections.close
                await asyncio.wait(self._tasks, timeout=2 * LINGER)
            self._cut()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            await self._connections.end()
            if self._way is not None:
                self._way.close()
            self._release()
        if self._bug is not None:
            raise self._bug

    async def _open(self, opening: Opening | None) -> None:
        try:
            if opening is not None:
                await opening()
        except KumiteError as error:
            self._feed(events.Failed(error))
        else:
            self._react(self._begin)

    async def _listen(self, address: str | None, port: int, *, or_any: bool = False) -> None:
        """Accept connections on this port, or with `or_any` on another one if it is in use."""
        address = guest_mode.own_address() or address  # a guest's tables are on their server
        try:
            self._listens_at = await self._connections.listen(address, port)
        except NetworkError as error:
            if not or_any or error.code != codes.PORT_IN_USE:
                raise
            self._listens_at = await self._connections.listen(address, 0)
        self.port = self._listens_at
        addresses = (address,) if address else own_addresses()
        self._deliver(events.Listening(self.port, addresses, self._line.code))
        if not address:
            self._spawn(self._watch_addresses(addresses))

    async def _watch_addresses(self, told: tuple[str, ...]) -> None:
        while not self._done.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(self._done.wait(), LOOK_EVERY)
            now = own_addresses()
            if now != told and not self._done.is_set():
                told = now
                self._deliver(events.Listening(self.port, now, self._line.code))

    async def _listen_here(self) -> None:
        """Listen, because this terminal may take over as host."""
        try:
            await self._listen(None, PORT, or_any=True)
        except KumiteError as error:
            self._feed(events.Failed(error))
        else:
            self._follow()

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
        self._done.set()
        for task in self._tasks:
            task.cancel()

    def _call(self, function: Callable[..., None], *given: Any) -> None:
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(function, *given)

    # --- Reacting -----------------------------------------------------------------------------

    def _feed(self, given: Any) -> None:
        self._react(self.machine.react, given)

    def _fail(self, bug: Exception) -> None:
        """Stop because of an internal error; the end of the thread raises it again."""
        if self._bug is None:
            self._bug = bug
            self._done.set()
            text = f"internal error of kumite: {bug!r}"
            stopped = events.Stopped(codes.LOCAL_MISUSE, text, "please report it, with the log")
            with suppress(Exception):  # `deliver` may be what is broken
                self._deliver(stopped)

    def _react(self, how: Callable[..., tuple[S, Sequence[Any]]], *given: Any) -> None:
        if self._bug is not None:
            return
        try:
            self._session, effects = how(self._session, *given, self._loop.time())
            self._do_all(effects)
        except Exception as error:
            self._fail(error)

    def _do_all(self, effects: Sequence[Any]) -> None:
        for effect in effects:
            try:
                self._do(effect)
            except KumiteError as error:  # a file cannot be written
                if not self._line.is_closed:  # then nothing that follows may be sent
                    self._feed(events.Failed(error))
                    return
                self._deliver(events.NotDone(error.code, str(error), error.hint))
        if self._timer is not None:
            self._timer.cancel()
        deadline = self.machine.deadline(self._session)
        if deadline is not None:
            self._timer = self._loop.call_at(deadline, self._feed, events.Tick())
        if self._line.is_closed:
            self._done.set()
        self._follow()

    def _do(self, effect: Any) -> None:
        match effect:
            case Send(link):
                self._connections.send(link, effect.frames())
            case Tell(event):
                self._deliver(event)
                if isinstance(event, events.CodeChanged):
                    self._moved()
            case Calls.CONNECT:
                host, known = self._line.host, (self.addresses, self.port)
                tries = ((host, known),) if self._way is None else self._way.places(host, known)
                for to, place in tries:
                    self._spawn(self._connections.connect(to, place))
            case Calls.LISTEN:
                self._spawn(self._listen_here())
            case Calls.UNLISTEN:
                self._connections.stop_listening()
                self._listens_at = 0
            case Close(link):
                self._connections.close(link)
            case _:
                self._do_more(effect)

    def _follow(self) -> None:
        """Follow the host to the current connection's address; look for a lost one."""
        line = self._line
        wire, known = self._connections.wires.get(line.line.main), (self.addresses, self.port)
        place = known
        if line.is_host and line.live is not None and line.live.me == line.host:
            place = (), self._listens_at or self.port
        elif wire is not None and wire.made is not None and wire.made[0] == line.host:
            place = wire.made[1]
        if place != known:
            self.addresses, self.port = place
            self._moved()
        if self._way is not None:
            self._way.follow(line, self._listens_at)
