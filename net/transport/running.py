"""A session in a thread of its own, with its own loop: inputs come, and its effects go.

A stalled terminal stops the app's loop, and the other side must still hear a heartbeat.
"""

from __future__ import annotations

import asyncio
import threading
from abc import ABC, abstractmethod
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from kumite.core import codes
from kumite.core.errors import KumiteError
from kumite.net.session import events, inputs
from kumite.net.session.effects import Close, Connect, Listen, Send, Tell, Unlisten
from kumite.net.transport.addresses import NOWHERE, PORT, own_addresses
from kumite.net.transport.beacons import LOOK_EVERY, WayBack
from kumite.net.transport.connections import LINGER, Connections
from kumite.net.transport.sockets import NetworkError
from kumite.store import house

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine, Sequence

    from kumite.net.session.state import Session

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class StateMachine(Generic[S]):
    """What a kind of session does: first, about an input, and when it wants to hear of the time."""

    begin: Callable[[S, float], tuple[S, Sequence[Any]]]
    react: Callable[[S, Any, float], tuple[S, Sequence[Any]]]
    deadline: Callable[[S], float | None]
    line: Callable[[S], Session]  # the part of it that has the connections


class Running(ABC, Generic[S]):
    """The thread of one session, which is a state machine; its files, its subclass knows.

    Its methods may be called from any thread and return at once; answers are events, handed to
    `deliver` in the network's thread. The last one is Stopped, or Left with `is_closed`.
    """

    addresses: tuple[str, ...]  # where the host is, for who comes to it
    port: int  # while something is open: where it listens; of who comes, the host's

    def __init__(
        self,
        machine: StateMachine[S],
        begun: S,
        deliver: Callable[[Any], object],
        mdns: Sequence[str] | None,
    ) -> None:
        """Prepare; `_start` begins.

        `mdns`: the interfaces on which we announce what is under way here, or look for a host that
        has moved; () for all, None for neither.
        """
        self.addresses: tuple[str, ...] = ()
        self.port = 0
        self._listens_at = 0  # the port, while others may come
        self._machine, self._session = machine, begun
        self._deliver = deliver
        self._way = None if mdns is None else WayBack(mdns)
        self._connections = Connections(self._feed, self._spawn)
        self._tasks: set[asyncio.Task[None]] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._bug: Exception | None = None
        self._loop = asyncio.new_event_loop()
        self._done = asyncio.Event()
        self._thread: threading.Thread | None = None

    # --- What its subclass adds ---------------------------------------------------------------

    @abstractmethod
    def _do_more(self, effect: Any) -> None:
        """Do an effect that is about files."""

    def _moved(self) -> None:
        """Note that the host is at other addresses, or at another port, than it was."""

    def _release(self) -> None:
        """Close files, once the thread ends."""

    # --- What people do -----------------------------------------------------------------------

    def leave(self) -> None:
        """Leave politely; a second time does nothing."""
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

    # --- The thread ---------------------------------------------------------------------------

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
            await self._connections.end()
            if self._way is not None:
                self._way.close()
            self._release()
        if self._bug is not None:
            raise self._bug

    async def _open(self, opening: Callable[[], Awaitable[None]]) -> None:
        try:
            await opening()
        except KumiteError as error:
            self._feed(inputs.Failed(error))
        else:
            self._react(self._machine.begin)

    async def _listen(
        self, address: str | None, port: int, code: str, *, or_any: bool = False
    ) -> None:
        """Let others come, at this port; `or_any`: or at another, if it is in use."""
        address = house.own_address() or address  # a guest's tables are where their house is
        try:
            self._listens_at = await self._connections.listen(address, port)
        except NetworkError as error:
            if not or_any or error.code != codes.PORT_IN_USE:
                raise
            self._listens_at = await self._connections.listen(address, 0)
        self.port = self._listens_at
        addresses = (address,) if address else own_addresses()
        self._deliver(events.Listening(self.port, addresses, code))
        if not address:
            self._spawn(self._watch_addresses(addresses))

    async def _watch_addresses(self, told: tuple[str, ...]) -> None:
        """Tell where we listen whenever this computer has other addresses."""
        while not self._done.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(self._done.wait(), LOOK_EVERY)
            now = await asyncio.to_thread(own_addresses)  # slow where names are asked for
            if now in (told, NOWHERE) or self._done.is_set():
                continue
            told = now
            self._deliver(events.Listening(self.port, now, self._line.code))

    async def _listen_here(self) -> None:
        """Let others come, as this terminal would carry the table on."""
        try:
            await self._listen(None, PORT, self._line.code, or_any=True)
        except KumiteError as error:
            self._feed(inputs.Failed(error))
        else:
            self._follow()

    async def _nothing(self) -> None:
        """Open nothing: who comes connects when the session says so."""

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

    def _post(self, command: Any) -> None:
        self._call(partial(self._feed, command))

    def _call(self, function: Callable[[], None]) -> None:
        with suppress(RuntimeError):  # the loop is closed: it is over
            self._loop.call_soon_threadsafe(function)

    # --- Reacting -----------------------------------------------------------------------------

    @property
    def _line(self) -> Session:
        """Return the part of the session that has the connections."""
        return self._machine.line(self._session)

    def _feed(self, given: Any) -> None:
        """Let the session react, and do what it says."""
        self._react(lambda s, now: self._machine.react(s, given, now))

    def _fail(self, bug: Exception) -> None:
        """Stop because of our own bug; the end of the thread raises it again."""
        if self._bug is None:
            self._bug = bug
            self._done.set()
            text = f"kumite has made a mistake of its own: {bug!r}"
            stopped = events.Stopped(codes.LOCAL_MISUSE, text, "please report it, with the log")
            with suppress(Exception):  # `deliver` may be what is broken
                self._deliver(stopped)

    def _react(self, how: Callable[[S, float], tuple[S, Sequence[Any]]]) -> None:
        if self._bug is not None:
            return
        try:
            self._session, effects = how(self._session, self._loop.time())
            self._do_all(effects)
        except Exception as error:
            self._fail(error)

    def _do_all(self, effects: Sequence[Any]) -> None:
        for effect in effects:
            try:
                self._do(effect)
            except KumiteError as error:  # a file cannot be written
                if not self._line.is_closed:  # then nothing that follows may be sent
                    self._feed(inputs.Failed(error))
                    return
                self._deliver(events.NotDone(error.code, str(error), error.hint))
        if self._timer is not None:
            self._timer.cancel()
        deadline = self._machine.deadline(self._session)
        if deadline is not None:
            self._timer = self._loop.call_at(deadline, self._feed, inputs.Tick())
        if self._line.is_closed:
            self._done.set()
        self._follow()

    def _do(self, effect: Any) -> None:
        match effect:
            case Send(link):
                self._connections.send(link, effect.frames())
            case Tell(event):
                self._deliver(event)
            case Connect():
                host, known = self._line.host, (self.addresses, self.port)
                tries = ((host, known),) if self._way is None else self._way.places(host, known)
                for to, place in tries:
                    self._spawn(self._connections.connect(to, place))
            case Listen():
                self._spawn(self._listen_here())
            case Unlisten():
                self._connections.stop_listening()
                self._listens_at = 0
            case Close(link):
                self._connections.close(link)
            case _:
                self._do_more(effect)

    def _follow(self) -> None:
        """Follow a host to where the present connection leads; look for one that is gone."""
        line = self._line
        wire, known = self._connections.wires.get(line.main), (self.addresses, self.port)
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
