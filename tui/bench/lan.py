"""`kumite bench`: a step at a LAN table, beside the least that it could cost; and a cut that heals.

Two terminals, each in a process of its own as on two computers, meet on loopback; for the cut
through a relay. The measure of the same run: a bare echo (asyncio, msgpack) between two processes,
and what both sides have to do by hand for a step (apply, digest, save in log and table's file).
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
from typing import TYPE_CHECKING, Any, Final

import click

from core.codec import decode, encode
from core.game import CHANCE, Seat, Setup
from core.games import find
from core.log import Header
from core.match import Match
from net import events, posts
from net.peer import Peer
from net.store import LogFile
from net.tablefile import TableFile

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator
    from multiprocessing.connection import Connection

    from core.game import Actor, Step

HERE: Final = "127.0.0.1"
GAME: Final = "kuzushi"
PATIENCE: Final = 60.0  # s, for anything that is waited for
PREFIX: Final = 2  # bytes of an echoed message's length


def print_lan(seconds: float, cut: float) -> None:
    """Measure for about so long, and print; `cut` s is how long a line is away (0: none)."""
    step, echo = step_time(seconds), echo_time(seconds)
    hand = hand_time(seconds)
    least = echo + 2 * hand
    click.echo(
        f"LAN table: a step is seen by the other side after {1000 * step:.2f} ms, "
        f"{step / least:.1f} times a bare echo\n  ({1000 * echo:.2f} ms) "
        f"and both sides' apply, digest and save ({1000 * hand:.2f} ms each)"
    )
    if cut:
        click.echo(
            f"  a cut of {cut:.0f} s healed {healing_time(cut):.2f} s after the line was back"
        )


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


# --- A table ----------------------------------------------------------------------------------


@dataclass(slots=True)
class Side:
    """A terminal in this process, and what it was told, each with the time."""

    peer: Peer
    told: SimpleQueue[tuple[float, events.Event]]

    def wait(self, kind: type[Any]) -> tuple[float, Any]:
        """Return the next event of that kind, and when it was told."""
        while True:
            when, event = self.told.get(timeout=PATIENCE)
            if isinstance(event, kind):
                return when, event


def _noted(queue: SimpleQueue[tuple[float, events.Event]]) -> Callable[[events.Event], None]:
    return lambda event: queue.put((perf_counter(), event))


def _opened(folder: Path) -> tuple[Side, events.Listening]:
    queue: SimpleQueue[tuple[float, events.Event]] = SimpleQueue()
    table = events.Table(Setup.of(find(GAME)), ("ada",), frozenset({Seat(0)}))
    peer = Peer.host(table, "ada", _noted(queue), port=0, address=HERE, logs=folder)
    host = Side(peer, queue)
    return host, host.wait(events.Listening)[1]


def _joined(port: int, code: str, folder: Path) -> Side:
    queue: SimpleQueue[tuple[float, events.Event]] = SimpleQueue()
    joiner = Side(Peer.join(HERE, port, code, "bob", _noted(queue), logs=folder), queue)
    joiner.wait(events.Lobby)
    joiner.peer.ready()
    return joiner


def _begun(host: Side) -> None:
    while not host.wait(events.Lobby)[1].can_start:
        pass
    host.peer.start()
    host.wait(events.Began)


def _join(pipe: Connection, port: int, code: str, folder: Path) -> None:
    """Be the other terminal: make the steps that one is told, and tell when one sees a step."""
    joiner = _joined(port, code, folder)
    joiner.wait(events.Began)
    pipe.send(0.0)
    with suppress(EOFError):
        while True:
            given, start = pipe.recv(), perf_counter()
            if given is not None:
                joiner.peer.play(*given)
            when, _ = joiner.wait(events.MatchChanged)
            pipe.send(when if given is None else start)
    joiner.peer.close()


def _steps(seed: int) -> Iterator[tuple[Actor, Step]]:
    """Return the steps of a random match."""
    rng, match = Random(seed), Match.begin(Setup.of(find(GAME)))
    while match.actors:
        actor = match.actors[0]
        assert actor != CHANCE
        step = rng.choice(match.legal(actor))
        yield actor, step
        match = match.play(actor, step)


def step_time(seconds: float) -> float:
    """Return the median of s from a step's key to the other side's news of it."""
    took: list[float] = []
    begin = perf_counter()
    while not took or perf_counter() - begin < seconds:
        with TemporaryDirectory() as name:
            host, listening = _opened(Path(name, "ada"))
            joiner = Other(_join, listening.port, listening.code, Path(name, "bob"))
            _begun(host)
            joiner.hear()
            for actor, step in _steps(len(took)):
                is_ours = actor == 0
                joiner.pipe.send(None if is_ours else (actor, step))
                start = perf_counter()
                if is_ours:
                    host.peer.play(actor, step)
                seen, _ = host.wait(events.MatchChanged)
                told = joiner.hear()
                took.append(told - start if is_ours else seen - told)
            joiner.close()
            host.peer.close()
    return median(took)


def hand_time(seconds: float) -> float:
    """Return the median of s that one side needs to apply, digest and save a step."""
    took: list[float] = []
    begin = perf_counter()
    setup = Setup.of(find(GAME))
    while not took or perf_counter() - begin < seconds:
        with TemporaryDirectory() as name:
            match, folder = Match.begin(setup), Path(name)
            log, table = (
                LogFile.create(Header("00", setup), match, folder),
                TableFile.create(folder / "bench.table"),
            )
            for number, (actor, step) in enumerate(_steps(len(took)), start=1):
                post = posts.Post(
                    0, number, posts.Play(number, Seat(int(actor)), step, (), 0), 0, b""
                )
                start = perf_counter()
                match = match.play(actor, step)
                log.sync(match)
                table.add(post)
                took.append(perf_counter() - start)
            log.close()
            table.close()
    return median(took)


# --- A bare echo ------------------------------------------------------------------------------


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


def echo_time(seconds: float) -> float:
    """Return the median of s from a thread that says something to its having it back.

    The message is packed and unpacked on each way, as a step's is that a joiner makes: asked for at
    the host, and entered.
    """
    other, here = Other(_echo), _Thread()
    back: SimpleQueue[Any] = SimpleQueue()

    async def hear(reader: asyncio.StreamReader) -> None:
        with suppress(asyncio.IncompleteReadError):
            while True:
                back.put(await _receive(reader))

    reader, writer = here.run(asyncio.open_connection(HERE, other.hear()))
    asyncio.run_coroutine_threadsafe(hear(reader), here.loop)
    message, took = (1, 2, "g7", b"\0" * 64), list[float]()
    begin = perf_counter()
    while not took or perf_counter() - begin < seconds:
        start = perf_counter()
        here.loop.call_soon_threadsafe(_send, writer, message)
        back.get(timeout=PATIENCE)
        took.append(perf_counter() - start)
    here.run(_ended(writer))
    here.close()
    other.close()
    return median(took)


def _echo(pipe: Connection) -> None:
    """Say everything again to one who comes, until he goes."""

    async def serve() -> None:
        is_over = asyncio.Event()

        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            with suppress(asyncio.IncompleteReadError):
                while True:
                    _send(writer, await _receive(reader))
            await _ended(writer)
            is_over.set()

        async with await asyncio.start_server(answer, HERE, 0) as server:
            pipe.send(server.sockets[0].getsockname()[1])
            await is_over.wait()

    asyncio.run(serve())


def _send(writer: asyncio.StreamWriter, message: Any) -> None:
    data = encode(message)
    writer.write(len(data).to_bytes(PREFIX, "big") + data)


async def _receive(reader: asyncio.StreamReader) -> Any:
    size = int.from_bytes(await reader.readexactly(PREFIX), "big")
    return decode(await reader.readexactly(size))


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
            side.peer.close()
    relay.close()
    return healed
