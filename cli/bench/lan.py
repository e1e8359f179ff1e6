"""`kumite bench`: a step at a LAN table, beside the least that it could cost; and a cut that heals.

Two terminals, each in a process of its own as on two computers, meet on loopback; for the cut
through a relay. The measure of the same run is a bare table: an echo (asyncio, msgpack) for which
both sides apply, digest and save each step, in the same two processes at the same pace; what is
done again and again without a pause takes half as long, on a processor that has it all at hand.
Times are of the system's clock that only goes forward, which processes share.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, sleep
from typing import TYPE_CHECKING, Any, Final, Protocol

from kumite.cli.saying import say
from kumite.core.codec import decode, encode
from kumite.core.game import CHANCE, Seat, Setup
from kumite.core.games import find
from kumite.core.log import Header
from kumite.core.match import Match
from kumite.net.session import events, inputs
from kumite.net.transport.journal import Journal
from kumite.net.transport.peer import Peer
from kumite.net.wire import posts
from kumite.store.log_files import LogFile

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator
    from multiprocessing.connection import Connection

    from kumite.core.game import Actor, Step

HERE: Final = "127.0.0.1"
GAME: Final = "kuzushi"
PATIENCE: Final = 60.0  # s, for anything that is waited for
PREFIX: Final = 2  # bytes of a bare message's length


def print_lan(seconds: float, cut: float) -> None:
    """Measure for about so long, and print; `cut` s is how long a line is away (0: none)."""
    step, bare = step_time(seconds), bare_time(seconds)
    say(
        f"LAN table: a step is seen by the other side after {1000 * step:.2f} ms, "
        f"{step / bare:.1f} times a bare echo\n  for which both sides apply, digest and save it "
        f"({1000 * bare:.2f} ms)"
    )
    if cut:
        say(f"  a cut of {cut:.0f} s healed {healing_time(cut):.2f} s after the line was back")


# --- Another process --------------------------------------------------------------------------


class Other:
    """A process of ours that does one job: it is told and tells values through a pipe."""

    def __init__(self, job: Callable[..., None], *given: object) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self._process = context.Process(target=job, args=(theirs, *given), daemon=True)
        self._process.start()
        theirs.close()

    def hear(self) -> Any:
        """Return what it tells next."""
        if not self.pipe.poll(PATIENCE):
            raise TimeoutError("the other process of the bench says nothing")
        return self.pipe.recv()

    def close(self) -> None:
        """End it."""
        self.pipe.close()
        self._process.join(PATIENCE)


# --- Two terminals, step by step --------------------------------------------------------------


class Side(Protocol):
    """A terminal in this process, or what stands for one."""

    def play(self, actor: Actor, step: Step) -> None:
        """Make a step."""

    def changed(self) -> float:
        """Wait until a step counts here; return when it did, for bare sides: was heard of."""

    def close(self) -> None:
        """End it."""


@dataclass(frozen=True, slots=True)
class Times:
    """When a step was begun, and when each of the two sides was told of it, in s."""

    begun: float
    told: float
    seen: float


def _follow(pipe: Connection, side: Side) -> None:
    """Be the other terminal: make the steps that one is told, and tell when they were told here."""
    pipe.send("ready")
    with suppress(EOFError):
        while True:
            given, start = pipe.recv(), perf_counter()
            if given is not None:
                side.play(*given)
            pipe.send((start, side.changed()))
    side.close()


def _played(side: Side, other: Other, seed: int) -> Iterator[Times]:
    """Play a random match between two sides that have begun it."""
    assert other.hear() == "ready"
    rng, match = Random(seed), Match.begin(Setup.of(find(GAME)))
    while match.actors:
        actor = match.actors[0]
        assert actor != CHANCE
        step = rng.choice(match.legal(actor))
        is_ours = actor == 0
        other.pipe.send(None if is_ours else (actor, step))
        start = perf_counter()
        if is_ours:
            side.play(actor, step)
        told = side.changed()
        theirs, told_there = other.hear()
        yield Times(start, told, told_there) if is_ours else Times(theirs, told_there, told)
        match = match.play(actor, step)
    side.close()
    other.close()


def _times(seconds: float, pair: Callable[[Path], tuple[Side, Other]]) -> list[Times]:
    """Return what whole matches took, one after the other, for about so long."""
    found: list[Times] = []
    begin = perf_counter()
    while not found or perf_counter() - begin < seconds:
        with TemporaryDirectory() as name:
            found += _played(*pair(Path(name)), len(found))
    return found


def step_time(seconds: float) -> float:
    """Return the median of s from a step's key to the other side's news of it."""
    return median(one.seen - one.begun for one in _times(seconds, _table))


def bare_time(seconds: float) -> float:
    """Return the median of s from a step's key to its bare echo, done by both sides."""
    return median(one.told - one.begun for one in _times(seconds, _bare_table))


# --- A table ----------------------------------------------------------------------------------


@dataclass(slots=True)
class Terminal:
    """A terminal in this process, and what it was told, each with the time."""

    peer: Peer
    told: SimpleQueue[tuple[float, events.Event]]

    def wait(self, kind: type[Any]) -> tuple[float, Any]:
        """Return the next event of that kind, and when it was told."""
        while True:
            when, event = self.told.get(timeout=PATIENCE)
            if isinstance(event, kind):
                return when, event

    def play(self, actor: Actor, step: Step) -> None:
        """Make a step."""
        self.peer.play(actor, step)

    def changed(self) -> float:
        """Wait until a step counts here; return when it did."""
        return self.wait(events.MatchChanged)[0]

    def close(self) -> None:
        """Leave."""
        self.peer.close()


def _noted(queue: SimpleQueue[tuple[float, events.Event]]) -> Callable[[events.Event], None]:
    return lambda event: queue.put((perf_counter(), event))


def _opened(folder: Path) -> tuple[Terminal, events.Listening]:
    queue: SimpleQueue[tuple[float, events.Event]] = SimpleQueue()
    table = inputs.HostSetup(Setup.of(find(GAME)), ("ada",), frozenset({Seat(0)}))
    peer = Peer.host(table, "ada", _noted(queue), port=0, address=HERE, logs=folder)
    host = Terminal(peer, queue)
    return host, host.wait(events.Listening)[1]


def _joined(port: int, code: str, folder: Path) -> Terminal:
    queue: SimpleQueue[tuple[float, events.Event]] = SimpleQueue()
    joiner = Terminal(Peer.join(HERE, port, code, "bob", _noted(queue), logs=folder), queue)
    joiner.wait(events.Lobby)
    joiner.peer.ready()
    return joiner


def _begun(host: Terminal) -> None:
    while not host.wait(events.Lobby)[1].can_start:
        pass
    host.peer.start()
    host.wait(events.MatchBegan)


def _table(folder: Path) -> tuple[Side, Other]:
    host, listening = _opened(folder / "ada")
    joiner = Other(_join, listening.port, listening.code, folder / "bob")
    _begun(host)
    return host, joiner


def _join(pipe: Connection, port: int, code: str, folder: Path) -> None:
    joiner = _joined(port, code, folder)
    joiner.wait(events.MatchBegan)
    _follow(pipe, joiner)


# --- A bare table -----------------------------------------------------------------------------


class _Thread:
    """A thread with its own event loop, as each terminal's network has it."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Return what `work` comes to over there."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(PATIENCE)

    def close(self) -> None:
        """End it, and what still runs there."""
        self.run(self._cancel())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()
        self.loop.close()

    async def _cancel(self) -> None:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)


class Bare:
    """What stands for a terminal: it applies, digests and saves each step, and says it again.

    No pairing, sealed frames, signatures or order: of two that trust each other, on a perfect line.
    """

    def __init__(self, folder: Path) -> None:
        setup = Setup.of(find(GAME))
        self._match = Match.begin(setup)
        self._log = LogFile.create(Header("00", setup), self._match, folder)
        self._table = Journal.create(folder / "bare.table")
        self._thread = _Thread()
        self._told: SimpleQueue[float] = SimpleQueue()
        self._is_met = threading.Event()
        self._writer: asyncio.StreamWriter | None = None
        self._server: asyncio.Server | None = None

    def listen(self) -> int:
        """Let the other side come; return the port."""
        self._server = self._thread.run(asyncio.start_server(self._hear, HERE, 0))
        return int(self._server.sockets[0].getsockname()[1])

    def connect(self, port: int) -> None:
        """Go to the other side."""
        streams = self._thread.run(asyncio.open_connection(HERE, port))
        asyncio.run_coroutine_threadsafe(self._hear(*streams), self._thread.loop)

    def play(self, actor: Actor, step: Step) -> None:
        """Make a step."""
        self._is_met.wait(PATIENCE)
        self._thread.loop.call_soon_threadsafe(self._make, actor, step)

    def changed(self) -> float:
        """Wait until a step or its echo is heard; return when it was."""
        return self._told.get(timeout=PATIENCE)

    def close(self) -> None:
        """End it."""
        assert self._writer is not None
        self._thread.run(_ended(self._writer))
        if self._server is not None:
            self._thread.run(_closed(self._server))
        self._thread.close()
        self._log.close()
        self._table.close()

    def _make(self, actor: Actor, step: Step) -> None:
        number = self._match.number + 1
        self._match = self._match.play(actor, step)
        play = posts.Play(number, Seat(int(actor)), step, (), 0)
        self._table.add(posts.Post(0, number, play, 0, b""))
        self._log.sync(self._match)
        assert self._writer is not None
        data = encode((number, actor, step, self._match.digest))
        self._writer.write(len(data).to_bytes(PREFIX, "big") + data)

    async def _hear(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        self._is_met.set()
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                size = int.from_bytes(await reader.readexactly(PREFIX), "big")
                said: Any = decode(await reader.readexactly(size))
                if said[0] > self._match.number:
                    self._make(said[1], said[2])
                assert said[3] == self._match.digest
                self._told.put(perf_counter())


def _bare_table(folder: Path) -> tuple[Side, Other]:
    side = Bare(folder / "ada")
    return side, Other(_bare_join, side.listen(), folder / "bob")


def _bare_join(pipe: Connection, port: int, folder: Path) -> None:
    side = Bare(folder)
    side.connect(port)
    _follow(pipe, side)


async def _ended(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()


async def _closed(server: asyncio.Server) -> None:
    server.close()
    await asyncio.sleep(0)


# --- A line that is cut -----------------------------------------------------------------------


class Relay:
    """Passes bytes on between two ports of this machine; while it is cut, nobody gets through."""

    def __init__(self) -> None:
        self._thread, self._to = _Thread(), 0
        self._is_cut = False
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()

    def open(self, port: int) -> int:
        """Pass on to `port`; return the port to come to."""
        self._to = port
        self._server = self._thread.run(asyncio.start_server(self._accept, HERE, 0))
        return int(self._server.sockets[0].getsockname()[1])

    def cut(self) -> None:
        """Break every connection, and let nobody through."""
        self._thread.run(self._cut(True))

    def mend(self) -> None:
        """Let everybody through again."""
        self._thread.run(self._cut(False))

    def close(self) -> None:
        """End everything."""
        self.cut()
        if self._server is not None:
            self._thread.run(_closed(self._server))
        self._thread.close()

    async def _cut(self, is_cut: bool) -> None:
        self._is_cut = is_cut
        for writer in self._writers if is_cut else ():
            writer.transport.abort()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._is_cut:
            writer.transport.abort()
            return
        far_reader, far_writer = await asyncio.open_connection(HERE, self._to)
        await asyncio.gather(self._pass(reader, far_writer), self._pass(far_reader, writer))

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        with suppress(OSError):
            while data := await reader.read(1 << 16):
                writer.write(data)
                await writer.drain()
        self._writers.discard(writer)
        await _ended(writer)


def healing_time(cut: float) -> float:
    """Return how many s after a cut line is back both terminals have found each other again."""
    relay = Relay()
    with TemporaryDirectory() as folder:
        host, listening = _opened(Path(folder, "ada"))
        port = relay.open(listening.port)
        sides = (host, _joined(port, listening.code, Path(folder, "bob")))
        _begun(host)
        relay.cut()
        for side in sides:
            side.wait(events.Away)
        sleep(cut)
        relay.mend()
        start = perf_counter()
        healed = max(side.wait(events.HeardAgain)[0] for side in sides) - start
        for side in sides:
            side.close()
    relay.close()
    return healed
