"""What a server does on the network for its guests' apps, and what it refuses them.

The app's end is here in the same process: net/transport/broker.py as an app uses it, or bytes.
"""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import replace
from random import Random
from secrets import token_hex
from typing import Any

import pytest

from kumite.core import codes
from kumite.net.transport import discovery
from kumite.net.transport.broker import (
    REQUESTS,
    Announce,
    Announcer,
    BrokerClient,
    Connect,
    Find,
    Finder,
    Listen,
    pack_request,
)
from kumite.net.transport.discovery import (
    MATCHES,
    SERVICE,
    Announced,
    Found,
    News,
    NoDiscovery,
    Unanswered,
)
from kumite.net.transport.sockets import NetworkError, listening
from kumite.net.wire.framing import frame
from kumite.serve import broker, lan
from kumite.serve.lan import Lan
from tests.support.servers import HERE, until

FLOOD = """
import socket, sys, time
line, until = socket.socket(fileno=int(sys.argv[1])), time.monotonic() + 8
data = bytes.fromhex(sys.argv[2]) * 100
while time.monotonic() < until:
    line.sendall(data)
"""


class Guest:
    """An app: its connections, and its end of the channel to the server."""

    def __init__(self, number: int) -> None:
        self.broker = BrokerClient(socket.socket(fileno=os.dup(number)))
        self.come: list[tuple[asyncio.StreamReader, asyncio.StreamWriter, str]] = []
        self.gone: list[asyncio.StreamWriter] = []

    async def ask(self, request: Any) -> socket.socket:
        return (await asyncio.to_thread(self.broker.granted, request))[0]

    async def open(self, port: int = 0) -> Any:
        return await self.broker.listen(port, lambda *come: self.come.append(come), 4096)

    async def reach(self, port: int, *addresses: str) -> Any:
        reader, writer = await self.broker.connect(addresses or (HERE,), port, 4096)
        self.gone.append(writer)
        return reader, writer

    async def leave(self) -> None:
        for writer in (*self.gone, *(one for _, one, _ in self.come)):
            writer.transport.abort()
            with suppress(OSError):
                await writer.wait_closed()
        self.broker._channel.close()

    async def refused(self, work: Any) -> str:
        """Return the code of the error that comes of something."""
        with pytest.raises(NetworkError) as refused:
            await work
        return refused.value.code


@asynccontextmanager
async def a_lan() -> AsyncIterator[Lan]:
    shared = Lan(HERE)
    try:
        yield shared
    finally:
        await shared.close()


@asynccontextmanager
async def guests(count: int = 1) -> AsyncIterator[list[Guest]]:
    """Give guests of one server."""
    async with a_lan() as shared, AsyncExitStack() as stack:
        made = [
            Guest(await stack.enter_async_context(broker.brokered(shared))) for _ in range(count)
        ]
        try:
            yield made
        finally:
            for one in made:
                await one.leave()


async def said(reader: asyncio.StreamReader, text: bytes) -> None:
    async with asyncio.timeout(10):
        assert await reader.readexactly(len(text)) == text


async def test_guests_come_to_a_table_of_another_guest_and_all_is_passed_on() -> None:
    async with guests(2) as (ada, bob):
        door = await ada.open()
        reader, writer = await bob.reach(door.port, "192.0.2.1", HERE)
        assert writer.get_extra_info("socket").family == socket.AF_UNIX  # leads nowhere else
        await until(lambda: ada.come, "bob")
        there, back, address = ada.come[0]
        assert address == HERE
        assert back.get_extra_info("socket").family == socket.AF_UNIX
        data = Random(1).randbytes(1 << 20)
        writer.write(data)
        await said(there, data)
        back.write(b"well received")
        back.write_eof()
        await said(reader, b"well received")
        assert await reader.read() == b""
        writer.write(b"thanks")
        await said(there, b"thanks")
        writer.close()
        assert await there.read() == b""
        back.close()
        door.close()


async def test_who_comes_from_the_network_has_their_own_address() -> None:
    async with guests() as (ada,):
        door = await ada.open()
        reader, writer = await asyncio.open_connection(HERE, door.port, local_addr=("127.0.0.3", 0))
        await until(lambda: ada.come, "somebody")
        assert ada.come[0][2] == "127.0.0.3"
        ada.come[0][1].transport.abort()
        assert await reader.read() == b""  # whom the app cuts is cut
        writer.close()
        door.close()
        with suppress(OSError):  # nobody listens there any longer
            while True:
                await asyncio.sleep(0.01)
                _, writer = await asyncio.open_connection(HERE, door.port)
                writer.close()


async def test_a_port_that_is_taken_or_the_systems_is_refused_in_words() -> None:
    async with guests() as (ada,):
        with listening(HERE, 0) as taken:
            assert await ada.refused(ada.open(taken.getsockname()[1])) == codes.PORT_IN_USE
        assert await ada.refused(ada.open(22)) == codes.NOT_FOR_GUESTS


@pytest.mark.parametrize("address", [HERE, "localhost", "127.0.0.2", "192.0.2.1", "::1"])
async def test_what_is_no_table_is_not_reached(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A service of the host's inner side, say."""
    monkeypatch.setattr(lan, "KNOWN_WITHIN", 0.1)
    async with guests() as (ada,):
        with socket.create_server((HERE, 0)) as service:
            service.setblocking(False)
            refused = await ada.refused(ada.reach(service.getsockname()[1], address))
            assert refused == codes.NOT_FOR_GUESTS
            with pytest.raises(BlockingIOError):
                service.accept()


async def test_a_table_is_no_table_any_longer_when_its_guest_has_gone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lan, "KNOWN_WITHIN", 0.1)
    async with a_lan() as shared, broker.brokered(shared) as number:
        bob = Guest(number)
        async with broker.brokered(shared) as other:
            ada = Guest(other)
            door = await ada.open()
            reader, writer = await bob.reach(door.port)
            await until(lambda: ada.come, "bob")
        assert await reader.read() == b""
        writer.close()
        assert await bob.refused(bob.reach(door.port)) == codes.NOT_FOR_GUESTS
        door.close()
        for one in (ada, bob):
            await one.leave()
        await until(lambda: shared.connections == 0, "the end of the connections")


def only(key: str, news: list[News]) -> Callable[[News], None]:
    """Take the news of one table: other tests have theirs on this machine at the same time."""
    return lambda one: news.append(one) if one.key == key else None


async def test_a_table_that_the_network_announces_is_found_and_reached() -> None:
    async with guests() as (ada,):
        key, news = token_hex(8), list["News"]()
        finder = Finder(ada.broker, only(key, news))
        await asyncio.to_thread(finder.start)
        with socket.create_server((HERE, 0)) as server:
            port = server.getsockname()[1]
            table = Announced("eva", "kitsu", "Kitsu", 1, port, "0.1")
            announcer = discovery.Announcer(key, table, interfaces=(HERE,))
            reaching = asyncio.create_task(ada.reach(port))  # it waits until the table is known
            await asyncio.to_thread(announcer.start)
            _, writer = await reaching
            await until(lambda: Found(key, table, (HERE,)) in news, "the table")
            await asyncio.to_thread(announcer.close)
            await until(lambda: not isinstance(news[-1], Found), "its end")
            writer.close()
        finder.close()


async def test_a_guests_table_is_announced_by_the_server_and_no_other_port_is() -> None:
    async with guests(2) as (ada, bob):
        news, key = list["News"](), token_hex(8)
        finder = Finder(bob.broker, only(key, news))
        await asyncio.to_thread(finder.start)
        door = await ada.open()
        for port, table_of in ((door.port + 1, ada), (door.port, bob)):  # nobody's, another's
            foreign = Announcer(table_of.broker, key, Announced("x", "kitsu", "K", 1, port))
            with pytest.raises(NetworkError):
                await asyncio.to_thread(foreign.start)
        first = Announced("ada", "kitsu", "Kitsu", 3, door.port, "0.1")
        announcer = Announcer(ada.broker, key, first)
        await asyncio.to_thread(announcer.start)
        await until(lambda: [one for one in news if isinstance(one, Found)], "the table")
        assert news == [Found(key, first, (HERE,))]
        later = Announced("ada", "kitsu", "Kitsu", 2, door.port, "0.1")
        await asyncio.to_thread(announcer.update, later)
        await until(lambda: Found(key, later, (HERE,)) in news, "the change")
        announcer.close()
        await until(lambda: not isinstance(news[-1], Found), "the end")
        finder.close()
        door.close()


async def test_a_list_that_the_server_ends_says_so() -> None:
    async with guests() as (ada,):
        news = list["News"]()
        finder = Finder(ada.broker, news.append)
        await asyncio.to_thread(finder.start)
        assert finder._stream is not None
        finder._stream.shutdown(socket.SHUT_RDWR)
        await until(lambda: Unanswered("") in news, "the end of the news")
        finder.close()


async def test_many_lost_guests_keep_nobody_from_the_list_or_from_hosting() -> None:
    async with a_lan() as shared:
        left = list[socket.socket]()
        async with AsyncExitStack() as stack:
            for _ in range(24):
                lost = Guest(await stack.enter_async_context(broker.brokered(shared)))
                stream, port = await asyncio.to_thread(lost.broker.granted, Listen(0))
                table = Announced("x", "kitsu", "K", 1, port)
                left += [lost.broker._channel, stream, await lost.ask(Find(SERVICE, ()))]
                for service in (SERVICE, MATCHES):
                    left.append(await lost.ask(Announce(service, token_hex(8), table)))
        async with AsyncExitStack() as stack:  # all of them are killed: nothing is said
            ada = Guest(await stack.enter_async_context(broker.brokered(shared)))
            left.append(await ada.ask(Find(SERVICE, ())))
            stream, port = await asyncio.to_thread(ada.broker.granted, Listen(0))
            table = Announced("ada", "kitsu", "K", 1, port)
            left += [stream, await ada.ask(Announce(SERVICE, token_hex(8), table))]
            await ada.leave()
        for one in left:
            one.close()


async def test_without_mdns_tables_of_the_server_are_reached_and_the_rest_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(_: object) -> None:
        raise NoDiscovery("there is none")

    monkeypatch.setattr(discovery, "_opened", refuse)
    async with guests(2) as (ada, bob):
        finder = Finder(ada.broker, print)
        with pytest.raises(NetworkError):
            await asyncio.to_thread(finder.start)
        door = await ada.open()
        announcer = Announcer(ada.broker, token_hex(8), Announced("x", "kitsu", "K", 1, door.port))
        with pytest.raises(NetworkError):
            await asyncio.to_thread(announcer.start)
        await bob.reach(door.port)
        await until(lambda: ada.come, "bob")
        announcer.close()
        finder.close()
        door.close()


async def test_nobody_takes_the_name_of_a_table_that_another_guest_announces(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lan, "FREE_WITHIN", 0.2)
    async with guests(2) as (ada, bob):
        hers, his, key = await ada.open(), await bob.open(), token_hex(8)
        announcer = Announcer(ada.broker, key, Announced("ada", "kitsu", "K", 1, hers.port))
        await asyncio.to_thread(announcer.start)
        thief = Announcer(bob.broker, key, Announced("ada", "kitsu", "K", 1, his.port))
        with pytest.raises(NetworkError):
            await asyncio.to_thread(thief.start)
        announcer.close()
        monkeypatch.setattr(lan, "FREE_WITHIN", 10.0)
        await asyncio.to_thread(thief.start)  # it is free again
        for one in (thief, hers, his):
            one.close()


async def test_an_app_that_asks_for_too_much_is_refused_and_others_are_not() -> None:
    async with guests(2) as (ada, bob):
        doors = [await ada.open() for _ in range(broker.MOST_TABLES)]
        assert await ada.refused(ada.open()) == codes.SLOW_DOWN
        lines = [
            await ada.ask(Find(SERVICE, ()))
            for _ in range(broker.MOST_REQUESTS - broker.MOST_TABLES)
        ]
        assert await ada.refused(ada.ask(Find(SERVICE, ()))) == codes.SLOW_DOWN
        (await bob.open()).close()
        for one in (*doors, *lines):
            one.close()
        await asyncio.sleep(0.2)
        (await ada.open()).close()  # what has ended counts no longer


async def test_connections_beyond_what_an_app_may_have_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(broker, "CONNECTIONS", 2)
    monkeypatch.setattr(broker, "AGAIN", 0.05)
    async with guests() as (ada,):
        door = await ada.open()
        writers = [(await asyncio.open_connection(HERE, door.port))[1] for _ in range(3)]
        await until(lambda: len(ada.come) == 2, "two of them")
        await asyncio.sleep(0.2)
        assert len(ada.come) == 2
        ada.come[0][1].transport.abort()
        writers[0].close()
        await until(lambda: len(ada.come) == 3, "the third")
        for writer in writers:
            writer.close()
        door.close()


async def test_who_asks_without_end_is_heard_slowly_and_others_at_once() -> None:
    async with guests(2) as (ada, bob):
        channel, is_over = ada.broker._channel, threading.Event()

        def flood() -> None:
            with suppress(OSError):
                while not is_over.is_set():
                    channel.send(pack_request(1, Listen(0)))

        flooding = asyncio.create_task(asyncio.to_thread(flood))
        try:
            await asyncio.sleep(0.3)
            async with asyncio.timeout(2):
                (await bob.open()).close()
        finally:
            is_over.set()
            await flooding


async def test_who_writes_without_end_to_what_they_announce_keeps_nobody_waiting() -> None:
    """A loop that always finds something to read never lets the others have their turn."""
    async with guests(2) as (ada, bob):
        door = await ada.open()
        mine = Announced("x", "kitsu", "K", 1, door.port)
        announcer = Announcer(ada.broker, token_hex(8), mine)
        await asyncio.to_thread(announcer.start)
        line = announcer._stream
        nothing = frame(REQUESTS.pack(Announce(SERVICE, token_hex(8), replace(mine, port=1))))
        flooding = subprocess.Popen(
            [sys.executable, "-c", FLOOD, str(line.fileno()), nothing.hex()],
            pass_fds=[line.fileno()],
        )
        await asyncio.sleep(0.5)
        (await bob.open()).close()
        assert flooding.poll() is None
        flooding.kill()
        flooding.wait()
        announcer.close()
        door.close()


async def test_connections_are_begun_at_a_pace() -> None:
    async with guests() as (ada,):
        door = await ada.open()
        begun = asyncio.get_running_loop().time()
        for _ in range(14):
            await ada.reach(door.port)
        assert asyncio.get_running_loop().time() - begun > 1
        await until(lambda: len(ada.come) == 14, "all of them")
        door.close()


async def test_nonsense_of_any_kind_does_no_harm() -> None:
    rng = Random(3)
    async with guests() as (ada,):
        channel = ada.broker._channel
        requests = [pack_request(9, Connect((HERE,), 22)), pack_request(9, Listen(0))]
        with open(os.devnull, "rb") as file:
            for number in range(60):
                data = bytearray(rng.choice([*requests, rng.randbytes(1900), b"", b"\xff" * 9]))
                for _ in range(rng.randrange(3) if data else 0):
                    data[rng.randrange(len(data))] = rng.randrange(256)
                files = [] if number % 5 else [file.fileno()] * 3  # which nobody takes
                await asyncio.to_thread(socket.send_fds, channel, [data], files)
        line = await ada.ask(Find(SERVICE, ()))
        line.sendall(rng.randbytes(5000))
        door = await ada.open()
        door._stream.send(rng.randbytes(5000))
        announcer = Announcer(ada.broker, token_hex(8), Announced("x", "kitsu", "K", 1, door.port))
        await asyncio.to_thread(announcer.start)
        announcer._stream.sendall(rng.randbytes(5000))
        reader, writer = await ada.reach(door.port)
        await until(lambda: ada.come, "who comes")
        writer.close()
        assert await ada.come[0][0].read() == b""
        ada.come[0][1].close()
        assert await reader.read() == b""
        for one in (line, announcer, door):
            one.close()
