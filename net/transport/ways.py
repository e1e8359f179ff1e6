"""How this program gets to others: by itself, or as a guest's at a house by what the house does."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Protocol

from kumite.net.transport import discovery, sockets
from kumite.store.house import has_network

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from kumite.net.transport.discovery import Announced, News
    from kumite.net.transport.errands import Accept, House


class Door(Protocol):
    """Where others come in."""

    @property
    def port(self) -> int:
        """Return where it is."""

    def close(self) -> None:
        """Let nobody else come."""


class Announcer(Protocol):
    """Announces one table: discovery.Announcer, or errands.Announcer."""

    def start(self) -> None:
        """Begin to announce."""

    def update(self, table: Announced) -> None:
        """Announce what has changed."""

    def close(self) -> None:
        """Let the table vanish from lists."""


class Finder(Protocol):
    """Finds tables: discovery.Finder, or errands.Finder."""

    def start(self) -> None:
        """Begin to listen."""

    def close(self) -> None:
        """Stop, at once."""


def _house() -> House | None:
    """Return the house that does all this for a guest; None: we have a network ourselves."""
    if has_network():
        return None
    from kumite.net.transport import errands

    return errands.of_process()


async def reached(
    addresses: Sequence[str], port: int, limit: int
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Return a connection to the table there; `limit` bytes of it are read at once.

    Raises:
        NetworkError: there is none, in words for people.
    """
    house = _house()
    if house is not None:
        return await house.reached(addresses, port, limit)
    sock = await sockets.connected(addresses, port)
    return await asyncio.open_connection(sock=sock, limit=limit)


class _OwnDoor:
    def __init__(self, server: asyncio.Server, port: int) -> None:
        self._server, self.port = server, port

    def close(self) -> None:
        loop = self._server.get_loop()
        for sock in self._server.sockets:
            loop.remove_reader(sock)
        loop.call_soon(self._server.close)  # a server that is shut loses whom it is letting in


async def listening(address: str | None, port: int, accept: Accept, limit: int) -> Door:
    """Let others come, to this address or all of ours; each is handed to `accept`.

    `limit` bytes of what they say are read at once.

    Raises:
        NetworkError: this computer does not allow it, in words for people.
    """
    house = _house()
    if house is not None:
        return await house.listening(port, accept, limit)

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
    return _OwnDoor(server, sock.getsockname()[1])


def announcer(
    key: str, table: Announced, *, service: str = discovery.SERVICE, **more: Any
) -> Announcer:
    """Return what announces a table; `more` is for who has a network."""
    house = _house()
    if house is not None:
        return house.announcer(key, table, service)
    if service != discovery.SERVICE:
        more["service"] = service
    return discovery.Announcer(key, table, **more)


def finder(
    deliver: Callable[[News], object],
    *,
    service: str = discovery.SERVICE,
    only: Collection[str] = (),
    **more: Any,
) -> Finder:
    """Return what finds tables, or those of the keys `only`; `more` is for who has a network."""
    house = _house()
    if house is not None:
        return house.finder(deliver, service, only)
    if service != discovery.SERVICE:
        more["service"] = service
    if only:
        more["only"] = only
    return discovery.Finder(deliver, **more)


def interface_addresses() -> tuple[str, ...]:
    """Return the addresses of this machine; at a house they are none of our concern."""
    return discovery.interface_addresses() if has_network() else ()
