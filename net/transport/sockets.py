"""Sockets of a peer: listening, connecting, and error messages."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from kumite.core import codes
from kumite.core.errors import KumiteError
from kumite.net.transport.addresses import zoned

if TYPE_CHECKING:
    from aiohappyeyeballs import AddrInfoType

BACKLOG: Final = 512  # pending connections; a flood fills them
CONNECT_TIME: Final = 6.0  # s for all addresses of a table
NEXT_AFTER: Final = 0.25  # s without an answer before the next address is tried too
TRIES: Final = 8  # addresses


class NetworkError(KumiteError):
    """A table cannot listen or connect; each cause has its own code."""

    def __init__(self, code: str, text: str, *, hint: str) -> None:
        super().__init__(text, hint=hint)
        self.code = code


def listening(address: str | None, port: int) -> socket.socket:
    """Return a socket that listens at an address or at all (IPv6, IPv4), or raise NetworkError."""
    try:
        return _listening(address, port)
    except OSError as error:
        raise _cannot_listen(error, address, port) from error


def _listening(address: str | None, port: int) -> socket.socket:
    if address is not None:
        family, _, _, _, place = socket.getaddrinfo(address, port, type=socket.SOCK_STREAM)[0]
        return socket.create_server(place, family=family)
    if socket.has_dualstack_ipv6():
        try:
            return socket.create_server(("", port), family=socket.AF_INET6, dualstack_ipv6=True)
        except OSError as error:
            if error.errno not in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT):
                raise
    return socket.create_server(("", port))


async def connected(addresses: Sequence[str], port: int) -> socket.socket:
    """Connect to the first address of the table that answers; raise NetworkError if none does."""
    from aiohappyeyeballs import start_connection

    found: list[AddrInfoType] = []
    for address in [place for one in addresses for place in zoned(one) or (one,)]:
        try:
            found += await _known(address, port)
        except NetworkError:
            if len(addresses) == 1:
                raise
    if not found:
        raise _unknown(addresses[0])
    try:
        async with asyncio.timeout(CONNECT_TIME):
            sock = await start_connection(found[:TRIES], happy_eyeballs_delay=NEXT_AFTER)
    except OSError as error:
        raise _cannot_connect(error, " or ".join(addresses), port) from error
    hurry(sock)
    return sock


def hurry(sock: socket.socket) -> None:
    """Disable Nagle's algorithm; asyncio does not for accepted sockets, which name no protocol."""
    with suppress(OSError):  # already closed
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


async def _known(address: str, port: int) -> Sequence[AddrInfoType]:
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(CONNECT_TIME):
            return await loop.getaddrinfo(address, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise _unknown(address) from error


def _unknown(address: str) -> NetworkError:
    return NetworkError(
        codes.UNKNOWN_NAME,
        f"Cannot find a computer named {address!r}",
        hint="type the address that the host's kumite shows, like 192.168.1.20",
    )


def _cannot_listen(error: OSError, address: str | None, port: int) -> NetworkError:
    match error.errno:
        case errno.EADDRINUSE:
            return NetworkError(
                codes.PORT_IN_USE,
                f"Port {port} is in use on this computer",
                hint=f"another kumite may have a table open; close it, or use port {port + 1}",
            )
        case errno.EACCES:
            return NetworkError(
                codes.PORT_FORBIDDEN,
                f"This computer does not let programs listen on port {port}",
                hint="use a port from 1024 to 65535",
            )
    return NetworkError(
        codes.CANNOT_LISTEN,
        f"Cannot listen on {address or 'this computer'}, port {port}: {_reason(error)}",
        hint="use an address of this computer, or none to listen on all of them",
    )


def _cannot_connect(error: OSError, address: str, port: int) -> NetworkError:
    where = f"{address}, port {port}"
    if isinstance(error, TimeoutError) or error.errno == errno.ETIMEDOUT:
        return NetworkError(
            codes.NO_ANSWER,
            f"No answer from {where}",
            hint="check that both are in the same network (guest Wi-Fi isolates computers) and "
            f"that the host's firewall allows port {port}",
        )
    if isinstance(error, ConnectionRefusedError):
        return NetworkError(
            codes.REFUSED,
            f"No table is open at {where}",
            hint="check that the host's kumite is waiting and shows this port; a firewall may "
            "refuse, too",
        )
    return NetworkError(
        codes.UNREACHABLE,
        f"Cannot reach {where}: {_reason(error)}",
        hint="check that both computers are in the same network",
    )


def _reason(error: OSError) -> str:
    return error.strerror or type(error).__name__
