"""Addresses of tables: this computer's own, and typed ones."""

from __future__ import annotations

import re
import socket
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final

from kumite.core.errors import BadSetup
from kumite.net.wire.fields import MAX_ADDRESSES
from kumite.store import guest_mode, system

PORT: Final = 47470
NOWHERE: Final = ("127.0.0.1",)  # the addresses of a computer without a network

TAILSCALE: Final = ip_network("100.64.0.0/10")

LAN, VPN, INNER, LOOPBACK = range(4)  # kinds, the most likely first
VPNS: Final = re.compile(
    r"(tun|tap|utun|wg|ppp|ipsec|zt)\d|tailscale|zerotier|nordlynx|proton|wireguard|openvpn|.*vpn",
    re.IGNORECASE,
)
INNERS: Final = re.compile(  # networks of containers and virtual machines, and Apple's AirDrop
    r"docker|br-[0-9a-f]{12}|veth|virbr|vnet|vmnet|vboxnet|vethernet|podman|cni|flannel|cali|lxc"
    r"|lxd|incusbr|bridge\d{3}|awdl|llw",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Own:
    """An address of this computer."""

    text: str  # an IPv6 link-local one with its zone, fe80::1%2
    interface: str
    kind: int  # LAN, VPN, INNER or LOOPBACK
    is_link_local: bool


def here() -> list[Own]:
    """Return the usable addresses of this computer, the most likely first.

    IPv4 comes before IPv6, and the system's default source address before others.
    """
    import ifaddr

    likely = {_source(socket.AF_INET, "192.0.2.1"), _source(socket.AF_INET6, "2001:db8::1")}
    found: list[tuple[tuple[object, ...], Own]] = []
    for adapter in ifaddr.get_adapters():
        name = adapter.nice_name
        places = [(one.ip, 0) if isinstance(one.ip, str) else one.ip[::2] for one in adapter.ips]
        is_default = any(text in likely for text, _ in places)
        for text, zone in places:
            one = ip_address(text)
            if not _is_usable(name, text, zone):
                continue
            kind = LOOPBACK if one.is_loopback else _kind(name)
            said = f"{text}%{zone}" if zone and one.is_link_local else text
            own = Own(said, name, kind, one.is_link_local)
            rank = (kind, own.is_link_local, one.version, not is_default, text not in likely)
            found.append(((*rank, not one.is_private), own))
    return [own for _, own in sorted(found, key=lambda one: one[0])]


def _kind(interface: str) -> int:
    return VPN if VPNS.match(interface) else INNER if INNERS.match(interface) else LAN


def _source(family: int, to: str) -> str:
    """Return the system's default source address towards the Internet; nothing is sent."""
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as sock:
        sock.connect((to, 9))  # a documentation address that nobody owns
        return str(sock.getsockname()[0])
    return ""


def _is_usable(interface: str, address: str, zone: int) -> bool:
    """Return True if an address can be bound; a new IPv6 one cannot for 1 to 2 s.

    Most systems remove an interface's addresses when it loses its link; Linux keeps some, so check.
    """
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as sock:
        sock.bind((address, 0, 0, zone) if family == socket.AF_INET6 else (address, 0))
        return system.has_link(sock.fileno(), interface)
    return False


def _of_use(found: Sequence[Own]) -> list[Own]:
    """Return the reachable addresses: container and loopback ones only if there are no others."""
    most = max(VPN, min((one.kind for one in found), default=VPN))
    return [one for one in found if one.kind <= most]


def interface_addresses() -> tuple[str, ...]:
    """Return the addresses to announce; link-local IPv6 ones have their zone."""
    return tuple(one.text for one in _of_use(here()))[:MAX_ADDRESSES]


def own_addresses() -> tuple[str, ...]:
    """Return the addresses to tell the other player, the most likely first.

    One IPv4 and one IPv6 address per interface. Link-local ones are included only if the LAN has no
    others, and without their zone, which names an interface of this computer. NOWHERE without a
    network.
    """
    found = [one for one in _of_use(here()) if one.kind != LOOPBACK]
    if any(one.kind == LAN and not one.is_link_local for one in found):
        found = [one for one in found if not one.is_link_local]
    first = {(one.interface, ":" in one.text): one for one in reversed(found)}
    return tuple(one.text.partition("%")[0] for one in found if one in first.values()) or NOWHERE


def zoned(address: str) -> tuple[str, ...]:
    """Return a link-local IPv6 address with the zone of each interface it may be behind.

    Players type it as another computer shows it, with a zone of that computer or none. Any other
    address, or one with a zone of this computer, is returned unchanged.
    """
    bare, _, zone = address.partition("%")
    if not (_is_ipv6(bare) and IPv6Address(bare).is_link_local):
        return (address,)
    zones = [one.text.partition("%")[2] for one in here() if "%" in one.text]
    with suppress(OSError, AttributeError):
        if zone in zones or str(socket.if_nametoindex(zone)) in zones:
            return (address,)
    return tuple(f"{bare}%{one}" for one in dict.fromkeys(zones))


def address_text(host: str, port: int) -> str:
    """Return host and port as they are typed, omitting the default port."""
    if port == PORT:
        return host
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def tailscale_address() -> str:
    """Return this computer's address in its Tailscale network, "" if it has none."""
    found = (one.text for one in here() if one.kind == VPN and ":" not in one.text)
    return next((one for one in found if ip_address(one) in TAILSCALE), "")


def typed_places(addresses: Sequence[str], port: int) -> list[tuple[str, str]]:
    """Return how others type each of our addresses, and "VPN" for a VPN's."""
    vpns = {one.text for one in here() if one.kind == VPN} if guest_mode.has_network() else ()
    return [(address_text(one, port), "VPN" if one in vpns else "") for one in addresses]


def parse_address(text: str) -> tuple[str, int]:
    """Return host and port of `HOST`, `HOST:PORT`, `[IPV6]:PORT` or `IPV6%SCOPE`.

    `parse_address("[fe80::1%eth0]:4000")` is `("fe80::1%eth0", 4000)`. Raise BadSetup for others.
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
    is_port = not port or (port.isascii() and port.isdigit() and 0 < int(port) < 65536)
    if not is_host or not is_port:
        raise BadSetup(
            f"{text!r} is not the address of a table",
            hint=f"192.168.1.20, or with its port 192.168.1.20:{PORT}, or [fe80::1%eth0]:{PORT}",
        )
    return host, int(port) if port else PORT


def _is_ipv6(text: str) -> bool:
    try:
        IPv6Address(text)
    except ValueError:
        return False
    return True
