"""Addresses of tables: this computer's own, and those that people type."""

from __future__ import annotations

import socket
import struct
from contextlib import suppress
from ipaddress import IPv6Address
from typing import TYPE_CHECKING, Any, Final

from kumite.core.errors import BadSetup

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

PORT: Final = 47470
NOWHERE: Final = ("127.0.0.1",)  # the addresses of a computer without a network


def interfaces() -> list[tuple[int, str]]:
    """Return number and name of each network interface."""
    try:
        return socket.if_nameindex()
    except (OSError, AttributeError):
        return []


def own_addresses() -> tuple[str, ...]:
    """Return the addresses of this computer to tell the other person, the likeliest first.

    Link-local IPv6 addresses have this computer's name of the interface, which is of no use to
    others: they are there only if there is nothing else.
    """
    found = [one for one in dict.fromkeys(_own_addresses()) if not one.startswith("127.")]
    if not any("." in one for one in found):
        with suppress(OSError):  # slow where names are asked for over the network
            infos = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
            found += [str(info[4][0]) for info in infos]
            found = [one for one in dict.fromkeys(found) if not one.startswith("127.")]
    return of_use(found) or NOWHERE


def of_use(addresses: Sequence[str]) -> tuple[str, ...]:
    """Return the addresses that others can use; those with an interface of ours if none can."""
    return tuple(one for one in addresses if "%" not in one) or tuple(addresses)


def _own_addresses() -> Iterator[str]:
    """Ask the system which address it would send from; nothing is sent."""
    v4, v6 = socket.AF_INET, socket.AF_INET6
    yield from _source(v4, ("192.0.2.1", 9))  # as to the Internet (RFC 5737: belongs to nobody)
    found = [index for index, _ in interfaces()]
    for index in found:  # a LAN without a way out has only these
        option = struct.pack("@4s4si", b"", b"", index)  # struct ip_mreqn
        yield from _source(v4, ("224.0.0.1", 9), option)
    yield from _source(v6, ("2001:db8::1", 9, 0, 0))
    for index in found:
        yield from _source(v6, ("ff02::1", 9, 0, index))


def _source(family: int, place: tuple[Any, ...], option: bytes = b"") -> Iterator[str]:
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as sock:
        if option:
            sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, option)
        sock.connect(place)
        numbers = socket.NI_NUMERICHOST | socket.NI_NUMERICSERV
        yield socket.getnameinfo(sock.getsockname(), numbers)[0]


def address_text(host: str, port: int) -> str:
    """Return host and port as they are typed: the usual port is left out."""
    if port == PORT:
        return host
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def typed_places(addresses: Sequence[str], port: int) -> list[str]:
    """Return how others type the way to a program that listens at these addresses."""
    return [address_text(one, port) for one in of_use(addresses)]


def parse_address(text: str) -> tuple[str, int]:
    """Return host and port of `HOST`, `HOST:PORT`, `[IPV6]:PORT` or `IPV6%SCOPE`.

    `parse_address("[fe80::1%eth0]:4000")` is `("fe80::1%eth0", 4000)`.

    Raises:
        BadSetup: it is none of them.
    """
    said = text.strip()
    if said.startswith("["):
        host, closed, rest = said[1:].partition("]")
        port = (rest[1:] or "?") if rest.startswith(":") else rest and "?"
        is_host = bool(closed) and _is_ipv6(host)
    elif said.count(":") > 1:
        host, port, is_host = said, "", _is_ipv6(said)
    else:
        host, colon, port = said.partition(":")
        port = port or (colon and "?")
        is_host = bool(host) and all(one.isalnum() or one in ".-_" for one in host)
    if not is_host or not _is_port(port):
        raise BadSetup(
            f"{text!r} is no address of a table",
            hint=f"192.168.1.20, or with its port 192.168.1.20:{PORT}, or [fe80::1%eth0]:{PORT}",
        )
    return host, int(port) if port else PORT


def _is_ipv6(text: str) -> bool:
    try:
        IPv6Address(text)
    except ValueError:
        return False
    return True


def _is_port(text: str) -> bool:
    return not text or (text.isascii() and text.isdigit() and 0 < int(text) < 65536)
