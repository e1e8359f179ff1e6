"""Tables on the LAN, announced and found by mDNS (zeroconf); the sockets and threads are its own.

What is announced is public and believed by nobody: a name to choose by. Joining takes the code.
`table_txt` and `found_table` are pure; everything received is limited and cleaned there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import ip_address
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from kumite.core import codes
from kumite.core.errors import KumiteError
from kumite.core.text import clean
from kumite.net.wire.fields import MAX_NAME, MAX_SEATS, MAX_TOKEN
from kumite.net.wire.messages import PROTOCOL

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

SERVICE: Final = "_kumite._tcp.local."
MATCHES: Final = "_kumite-match._tcp.local."  # what is under way, see beacons.py
MAX_TABLES: Final = 64  # shown at once; a stranger could announce any number
MAX_ADDRESSES: Final = 8  # of one table
MAX_TITLE: Final = 32
MAX_ASKED: Final = 32  # announcements asked for at the same time
MAX_WAITING: Final = 256  # to be asked for; of more the oldest are forgotten
ASK: Final = 1000  # ms to ask for the rest of an announcement; answers take 10


class NoDiscovery(KumiteError):
    """This machine or network has no mDNS for us."""

    code = codes.NO_DISCOVERY


@dataclass(frozen=True, slots=True)
class Announced:
    """What a table tells everybody of itself."""

    name: str  # of the person who opened it
    game: str  # its id
    title: str  # of the game
    free: int  # seats
    port: int
    program: str = ""
    protocol: int = PROTOCOL
    is_hall: bool = False  # the name is that of a tournament


@dataclass(frozen=True, slots=True)
class Found:
    """A table on the LAN, new or changed; `key` is the same as long as it is announced."""

    key: str
    table: Announced
    addresses: tuple[str, ...]  # IPv4 first; link-local ones with their scope, ready to connect to

    @property
    def is_ours(self) -> bool:
        """Whether it speaks this protocol; of others only protocol and program are known."""
        return self.table.protocol == PROTOCOL


@dataclass(frozen=True, slots=True)
class Vanished:
    """The table of that key is not announced any more."""

    key: str


News: TypeAlias = Found | Vanished


# --- What is announced, as bytes and back -----------------------------------------------------


def table_txt(table: Announced) -> dict[str, str]:
    """Return the TXT properties of a table; the port is announced beside them."""
    return {
        "v": str(table.protocol),
        "p": table.program,
        "n": table.name,
        "g": table.game,
        "t": table.title,
        "s": str(table.free),
        **({"h": "1"} if table.is_hall else {}),
    }


def found_table(
    key: str, txt: Mapping[bytes, bytes | None], addresses: Sequence[str], port: int
) -> Found | None:
    """Return the table that was announced so, or None if that is none of ours."""

    def text(name: str, limit: int) -> str:
        raw = txt.get(name.encode()) or b""
        return clean(raw[: 4 * limit].decode("utf-8", "replace"), limit)

    def number(name: str, limit: int) -> int:
        found = re.fullmatch("[0-9]{1,9}", text(name, 10))
        return min(int(found[0]), limit) if found else -1

    protocol, usable = number("v", 10**9), _usable(addresses)
    if not 0 < port < 65536 or protocol < 0 or not usable:
        return None
    if protocol != PROTOCOL:
        other = Announced("", "", "", 0, port, text("p", MAX_TOKEN), protocol)
        return Found(key, other, usable)
    game, free = text("g", MAX_TOKEN), number("s", MAX_SEATS)
    if not re.fullmatch("[!-~]+", game) or free < 0:
        return None
    name, title = text("n", MAX_NAME), text("t", MAX_TITLE)
    is_hall = text("h", 1) == "1"
    table = Announced(name, game, title, free, port, text("p", MAX_TOKEN), is_hall=is_hall)
    return Found(key, table, usable)


def _usable(addresses: Sequence[str]) -> tuple[str, ...]:
    """Return the addresses to try, the likeliest first."""
    ranked = set()
    for one in addresses:
        try:
            address = ip_address(one)
        except ValueError:
            continue
        is_near = address.version == 6 and address.is_link_local
        if not (address.is_multicast or address.is_unspecified or (is_near and "%" not in one)):
            ranked.add((address.is_loopback, address.version, is_near, one))
    return tuple(one for *_, one in sorted(ranked))[:MAX_ADDRESSES]


# --- On the network ---------------------------------------------------------------------------


def interface_addresses() -> tuple[str, ...]:
    """Return the addresses of this machine: IPv4, then IPv6, link-local ones with their scope.

    Those that only this machine can reach are left out, unless there are no others.
    """
    import ifaddr

    found = []
    for adapter in ifaddr.get_adapters():
        for one in adapter.ips:
            if isinstance(one.ip, str):
                found.append(one.ip)
            else:
                address, _, scope = one.ip
                found.append(f"{address}%{scope}" if scope else address)
    usable = _usable(found)
    return tuple(one for one in usable if not ip_address(one).is_loopback) or usable


class Mdns:
    """Sockets for mDNS, which several announcers and finders may share."""

    def __init__(self, interfaces: Sequence[str]) -> None:
        """Open them; it takes a moment.

        Raises:
            NoDiscovery: there is no network.
        """
        self.interfaces = tuple(interfaces)
        self.zeroconf = _opened(interfaces)

    def close(self) -> None:
        """End all that goes on there; it takes up to some seconds."""
        self.zeroconf.unregister_all_services()
        self.zeroconf.close()


class Announcer:
    """Announces one table until `close`; its calls take up to some seconds: not for an event loop.

    `key` is new for each opening of a table (8 random bytes as 16 hex digits), so nobody is asked
    whether the name is free, and the table is listed at once.
    """

    def __init__(
        self,
        key: str,
        table: Announced,
        *,
        interfaces: Sequence[str] = (),
        service: str = SERVICE,
        on: Mdns | None = None,
    ) -> None:
        """Announce on these interfaces, all if there are none; or `on` sockets that are shared."""
        self._key, self._table = key, table
        self._interfaces = on.interfaces if on else interfaces
        self._service, self._shared = service, on
        self._zeroconf: Any = None
        self._info: Any = None  # what is announced now

    def start(self) -> None:
        """Begin to announce.

        Raises:
            NoDiscovery: there is no network to announce on.
        """
        from zeroconf import Error

        self._zeroconf = self._shared.zeroconf if self._shared else _opened(self._interfaces)
        self._info = self._made()
        try:
            self._zeroconf.register_service(self._info, cooperating_responders=True)
        except (Error, OSError) as error:
            if self._shared:  # nothing of ours is there
                self._zeroconf = None
            self.close()
            raise _no_discovery(error) from error

    def update(self, table: Announced) -> None:
        """Announce what has changed."""
        self._table = table
        if self._zeroconf:
            self._info = self._made()
            self._zeroconf.update_service(self._info)

    def close(self) -> None:
        """Say goodbye, so that the table vanishes from lists at once."""
        zeroconf, self._zeroconf = self._zeroconf, None
        if zeroconf and self._shared:
            zeroconf.unregister_service(self._info)
        elif zeroconf:
            zeroconf.unregister_all_services()
            zeroconf.close()

    def _made(self) -> Any:
        from zeroconf import ServiceInfo

        return ServiceInfo(
            self._service,
            f"{self._key}.{self._service}",
            port=self._table.port,
            properties=table_txt(self._table),
            server=f"{self._key}.local.",
            # The scope of a link-local address is the reader's: it knows where it heard of us.
            parsed_addresses=[
                one.split("%")[0] for one in self._interfaces or interface_addresses()
            ],
        )


class Finder:
    """Tells `deliver` of tables that appear, change and vanish, until `close`.

    `deliver` is called in a thread of the finder: hand over to your own there, and return soon.
    """

    def __init__(
        self,
        deliver: Callable[[News], object],
        *,
        interfaces: Sequence[str] = (),
        service: str = SERVICE,
        only: Collection[str] = (),
        on: Mdns | None = None,
        most: int = MAX_TABLES,
    ) -> None:
        """Find so many tables, or those of the keys `only`; `on` shared sockets, or our own."""
        self._deliver, self._service = deliver, service
        self._interfaces, self._shared = interfaces, on
        self._only, self._most = only, most
        self._known: set[str] = set()
        self._waiting: list[str] = []  # names of which little is known, the newest last
        self._asking = 0  # names being asked for
        self._lock = Lock()  # zeroconf tells of changes in one thread, and answers in another
        self._zeroconf: Any = None
        self._browser: Any = None
        self._is_closed = False

    def start(self) -> None:
        """Begin to listen and ask; takes a moment.

        Raises:
            NoDiscovery: there is no network to ask on.
        """
        from zeroconf import DNSQuestionType, ServiceBrowser

        shared = self._shared
        zeroconf = self._zeroconf = shared.zeroconf if shared else _opened(self._interfaces)
        # Answers to all (QM): of two programs on one machine, one alone hears an answer to itself.
        self._browser = ServiceBrowser(
            zeroconf,
            self._service,
            handlers=[self._changed],
            question_type=DNSQuestionType.QM,
        )
        if self._is_closed:  # meanwhile
            self._end()

    def close(self) -> None:
        """Stop, at once: nothing is delivered any more, and what is left ends by itself."""
        self._is_closed = True
        Thread(target=self._end, name="finder's end", daemon=True).start()

    def _end(self) -> None:
        with self._lock:
            browser, self._browser = self._browser, None
            zeroconf, self._zeroconf = self._zeroconf, None
        if browser:
            browser.cancel()
        if zeroconf and not self._shared:
            zeroconf.close()

    def _changed(self, zeroconf: Any, service_type: str, name: str, state_change: Any) -> None:
        """Take in a change, and return at once: what is not known yet is asked for elsewhere."""
        key = name.removesuffix(f".{service_type}")
        if not re.fullmatch("[0-9a-f]{16}", key) or key not in (self._only or (key,)):
            return
        info = None if state_change.name == "Removed" else _info_of(service_type, name)
        if info is None or info.load_from_cache(zeroconf):
            self._tell(key, info)
            return
        with self._lock:
            self._waiting = [*self._waiting[1 - MAX_WAITING :], name]
        self._ask_next(zeroconf)

    def _ask_next(self, zeroconf: Any) -> None:
        """Ask for what waits, the newest first: names alone cost a stranger nothing."""
        with self._lock:
            if self._is_closed or not self._waiting or self._asking >= MAX_ASKED:
                return
            self._asking += 1
            name = self._waiting.pop()
        from asyncio import run_coroutine_threadsafe

        run_coroutine_threadsafe(self._ask(zeroconf, name), zeroconf.loop)

    async def _ask(self, zeroconf: Any, name: str) -> None:
        """Ask for one announcement, in zeroconf's own loop."""
        info = _info_of(self._service, name)
        try:
            is_known = info is not None and await info.async_request(zeroconf, ASK)
        finally:
            with self._lock:
                self._asking -= 1
        self._tell(name.removesuffix(f".{self._service}"), info if is_known else None)
        self._ask_next(zeroconf)

    def _tell(self, key: str, info: Any) -> None:
        found = None
        if info is not None:
            addresses = info.parsed_scoped_addresses()
            found = found_table(key, info.properties, addresses, info.port or 0)
        with self._lock:
            is_known = key in self._known
            if self._is_closed or (not is_known and (not found or len(self._known) >= self._most)):
                return
            (self._known.add if found else self._known.discard)(key)
        self._deliver(found or Vanished(key))


def _info_of(service_type: str, name: str) -> Any:
    """Return what holds an announcement; None if that is not a sound name."""
    from zeroconf import Error, ServiceInfo

    try:
        return ServiceInfo(service_type, name)
    except Error:
        return None


def _opened(interfaces: Sequence[str]) -> Any:
    from zeroconf import InterfaceChoice, IPVersion, Zeroconf

    where = list(interfaces) or InterfaceChoice.All
    failure: OSError | None = None
    for version in (IPVersion.All, IPVersion.V4Only):  # a kernel without IPv6 refuses the first
        try:
            return Zeroconf(interfaces=where, ip_version=version, use_asyncio=False)
        except OSError as error:
            failure = error
    raise _no_discovery(failure) from failure


def _no_discovery(failure: Exception | None) -> NoDiscovery:
    return NoDiscovery(
        f"tables cannot be announced or found on this network: {failure}",
        hint="join by address and code: kumite join HOST:PORT CODE",
    )
