"""Connecting, listening and discovery: directly, or through the broker for a server's guest."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Sequence
from typing import Any, TypeAlias

from kumite.net.transport import broker, discovery, sockets
from kumite.net.transport.broker import Accept
from kumite.net.transport.discovery import Announced, News

Announcer: TypeAlias = discovery.Announcer | broker.Announcer
Finder: TypeAlias = discovery.Finder | broker.Finder
Listener: TypeAlias = "OwnListener | broker.Listener"


async def connect(
    addresses: Sequence[str], port: int, limit: int
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Return a connection that buffers about `limit` bytes; NetworkError has a text for players."""
    if own := broker.of_process():
        return await own.connect(addresses, port, limit)
    sock = await sockets.connected(addresses, port)
    return await asyncio.open_connection(sock=sock, limit=limit)


class OwnListener:
    """A port on which this process itself listens."""

    def __init__(self, server: asyncio.Server, port: int) -> None:
        self._server, self.port = server, port

    def close(self) -> None:
        loop = self._server.get_loop()
        for sock in self._server.sockets:
            loop.remove_reader(sock)
        loop.call_soon(self._server.close)  # a closed server would lose connections being accepted


async def listen(address: str | None, port: int, accept: Accept, limit: int) -> Listener:
    """Pass each connection at an address or all to `accept`; `limit` and errors as in `connect`."""
    if own := broker.of_process():
        return await own.listen(port, accept, limit)

    def come(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        sockets.hurry(writer.get_extra_info("socket"))
        name = writer.get_extra_info("peername")
        accept(reader, writer, str(name[0]) if name else "")

    sock = sockets.listening(address, port)
    try:
        server = await asyncio.start_server(come, sock=sock, limit=limit, backlog=sockets.BACKLOG)
    except BaseException:
        sock.close()
        raise
    return OwnListener(server, sock.getsockname()[1])


def announcer(
    key: str, table: Announced, *, service: str = discovery.SERVICE, **more: Any
) -> Announcer:
    """Return an announcer for a table; `more` is for a process with its own network."""
    if own := broker.of_process():
        return broker.Announcer(own, key, table, service)
    return discovery.Announcer(key, table, service=service, **more)


def finder(
    deliver: Callable[[News], object],
    *,
    service: str = discovery.SERVICE,
    only: Collection[str] = (),
    **more: Any,
) -> Finder:
    """Return a finder of tables, or of the keys `only`; `more` as in `announcer`."""
    if own := broker.of_process():
        return broker.Finder(own, deliver, service, only)
    return discovery.Finder(deliver, service=service, only=only, **more)
