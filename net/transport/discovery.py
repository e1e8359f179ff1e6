"""Announce and find tables on the LAN by mDNS; zeroconf has its own sockets and threads.

Announcements are public and untrusted: names to choose from. Joining takes the code. `table_txt`
and `found_table` are pure; the latter limits and cleans everything received.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias

from kumite.core import codes
from kumite.core.errors import KumiteError
from kumite.core.players import MAX_NAME
from kumite.core.text import clean
from kumite.net.crypto.pairing import NUMBERS
from kumite.net.wire import fields
from kumite.net.wire.fields import MAX_ADDRESSES, MAX_SEATS, MAX_TOKEN, Frozen
from kumite.net.wire.messages import PROTOCOL

if TYPE_CHECKING:
    from kumite.net.tournament.state import TicketFile

SERVICE: Final = "_kumite._tcp.local."
MATCHES: Final = "_kumite-match._tcp.local."  # running matches, see beacons.py
MAX_TABLES: Final = 64  # shown; an attacker could announce any number
MAX_TITLE: Final = 32
MAX_OTHERS: Final = 60  # characters; a TXT property has at most 255 bytes
MAX_SINCE: Final = 2**32 - 1  # s since 1970
MAX_ASKED: Final = 32  # concurrent queries for announcements
MAX_WAITING: Final = 256  # pending queries; the oldest are dropped
LOOK_EVERY: Final = 3.0  # s between checks of this computer's addresses
ASK_AGAIN: Final = 3  # checks after which to repeat queries
ASK: Final = 1000  # ms timeout of a query; answers take 10


class NoDiscovery(KumiteError):
    """mDNS is not available on this machine or network."""

    code = codes.NO_DISCOVERY


Port: TypeAlias = Annotated[int, fields.number(1, 65535)]
Program: TypeAlias = Annotated[str, fields.text(MAX_TOKEN)]


class Announced(Frozen):
    """The public facts about a table, as announced."""

    name: fields.Name  # of its host
    game: Program  # its id
    title: Annotated[str, fields.text(MAX_TITLE)]  # of the game, and how many matches
    free: Annotated[int, fields.number(0, MAX_SEATS)]  # seats
    port: Port
    program: Program = ""
    protocol: Annotated[int, fields.number(0, 10**9)] = PROTOCOL
    number: Annotated[int, fields.number(0, NUMBERS)] = 0  # of its code, or 0
    since: Annotated[int, fields.number(0, MAX_SINCE)] = 0  # s from 1970 by its clock
    is_tournament: fields.Truth = False  # the name is that of a tournament
    others: Annotated[str, fields.text(MAX_OTHERS)] = ""  # names of the other players


TABLE: Final = fields.Shape(Announced)


class Found(Frozen):
    """A new or changed table on the LAN; `key` is constant while it is announced."""

    key: fields.MatchId
    table: Annotated[Announced, TABLE]
    addresses: fields.Addresses  # IPv4 first; link-local ones with their scope

    @property
    def is_ours(self) -> bool:
        """True if it speaks this protocol; of others only protocol and program are known."""
        return self.table.protocol == PROTOCOL


class Awaiting(Found):
    """An open table of others at which we have a seat; `log`: of our unfinished match there."""

    log: Path


class Entered(Found):
    """A listed tournament in which we have a place."""

    ticket: TicketFile


class Vanished(Frozen):
    """The table of that key is no longer announced."""

    key: fields.MatchId


class Unanswered(Vanished):
    """The server of a guest tells nothing more; the key is empty."""


News: TypeAlias = Found | Vanished


# --- TXT records ------------------------------------------------------------------------------


def table_txt(table: Announced) -> dict[str, str]:
    """Return the TXT properties of a table, without its port."""
    return {
        "v": str(table.protocol),
        "p": table.program,
        "n": table.name,
        "g": table.game,
        "t": table.title,
        "s": str(table.free),
        "c": str(table.number),
        "o": str(table.since),
        **({"h": "1"} if table.is_tournament else {}),
        **({"w": table.others} if table.others else {}),
    }


def found_table(
    key: str, txt: Mapping[bytes, bytes | None], addresses: Sequence[str], port: int
) -> Found | None:
    def text(name: str, limit: int) -> str:
        raw = txt.get(name.encode()) or b""
        return clean(raw[: 4 * limit].decode("utf-8", "replace"), limit)

    def number(name: str, limit: int) -> int:
        found = re.fullmatch("[0-9]{1,10}", text(name, 11))
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
    table = Announced(
        *(name, game, title, free, port, text("p", MAX_TOKEN), protocol),
        *(max(0, number("c", NUMBERS)), max(0, number("o", MAX_SINCE))),
        is_tournament=text("h", 1) == "1",
        others=text("w", MAX_OTHERS),
    )
    return Found(key, table, usable)


def _usable(addresses: Sequence[str]) -> tuple[str, ...]:
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


class Mdns:
    """Shared mDNS sockets, reopened whenever this computer's addresses change."""

    def __init__(self, interfaces: Sequence[str] = ()) -> None:
        """Use these interfaces, all if empty; the first user opens them."""
        self.interfaces = tuple(interfaces)
        self.zeroconf: Any = None  # None without a network
        self.at: tuple[str, ...] = ()  # this computer's addresses when it was opened
        self._users: list[_User] = []
        self._lock = Lock()
        self._over = Event()
        self._thread: Thread | None = None

    def add(self, user: _User) -> None:
        """Serve `user`; without a network raise NoDiscovery, and serve it once there is one."""
        with self._lock:
            self._users.append(user)
            if self._thread is None:
                self._thread = Thread(target=self._watch, name="kumite-addresses", daemon=True)
                self._thread.start()
            if self.zeroconf is None:
                self._open(_addresses())
        user.look()

    def remove(self, user: _User) -> None:
        with self._lock, suppress(ValueError):  # it was never added
            self._users.remove(user)

    def close(self) -> None:
        """Close the sockets; takes up to some seconds."""
        self._over.set()
        with self._lock:
            zeroconf, self.zeroconf = self.zeroconf, None
        _close(zeroconf)

    def _watch(self) -> None:
        while not self._over.wait(LOOK_EVERY):
            old = self._renew()
            for user in tuple(self._users):
                with suppress(NoDiscovery):  # retried at the next check
                    user.look()
            _close(old)

    def _renew(self) -> Any:
        """Open new sockets if the addresses have changed; return the old ones, to be closed."""
        now = _addresses()
        with self._lock:
            if self._over.is_set() or (self.zeroconf is not None and now == self.at):
                return None
            old, self.zeroconf = self.zeroconf, None
            with suppress(NoDiscovery):
                self._open(now)
            return old

    def _open(self, at: tuple[str, ...]) -> None:
        if not at:
            raise NoDiscovery(
                "This computer is not connected to a network",
                hint="tables are announced and found as soon as it is",
            )
        if not self._over.is_set():
            self.zeroconf, self.at = _opened(self.interfaces), at


class _User(ABC):
    """A task on mDNS sockets that restarts on new ones."""

    def __init__(self, interfaces: Sequence[str], on: Mdns | None) -> None:
        self._mdns, self._is_alone = on or Mdns(interfaces), on is None
        self._zeroconf: Any = None  # the sockets in use
        self._turn = Lock()  # held while it begins or ends
        self._is_closed = False

    @abstractmethod
    def _begin(self, zeroconf: Any) -> None: ...

    @abstractmethod
    def _end(self, zeroconf: Any) -> None: ...

    def start(self) -> None:
        """Begin, which takes up to some seconds; without a network as `Mdns.add`."""
        self._mdns.add(self)

    def look(self) -> None:
        """Move to the currently open sockets; raise NoDiscovery if they cannot be used."""
        from zeroconf import Error

        with self._turn:
            old, new = self._zeroconf, None if self._is_closed else self._mdns.zeroconf
            if new is old:
                return
            self._zeroconf = new
            try:
                if old is not None and not old.done:
                    with suppress(Error, OSError, RuntimeError):  # its network has gone
                        self._end(old)
                if new is not None:
                    self._begin(new)
            except (Error, OSError, RuntimeError) as error:
                self._zeroconf = None
                raise _no_discovery(error) from error

    def close(self) -> None:
        self._is_closed = True
        self._mdns.remove(self)
        self.look()
        if self._is_alone:
            self._mdns.close()


class Announcer(_User):
    """Announces one table until `close`; calls block up to some seconds, so use a thread.

    `key` is random for each table (8 bytes as 16 hex digits), so the name needs no probing, and the
    table is listed immediately.
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
        """Announce on these interfaces, all if empty, or `on` shared sockets."""
        super().__init__(interfaces, on)
        self._key, self._table, self._service = key, table, service
        self._info: Any = None  # the current announcement

    def update(self, table: Announced) -> None:
        with self._turn:
            self._table = table
            if self._zeroconf is not None:
                self._info = self._made()
                self._zeroconf.update_service(self._info)

    def _begin(self, zeroconf: Any) -> None:
        self._info = self._made()
        zeroconf.register_service(self._info, cooperating_responders=True)

    def _end(self, zeroconf: Any) -> None:
        zeroconf.unregister_service(self._info)  # the goodbye removes it from lists immediately

    def _made(self) -> Any:
        from zeroconf import ServiceInfo

        return ServiceInfo(
            self._service,
            f"{self._key}.{self._service}",
            port=self._table.port,
            properties=table_txt(self._table),
            server=f"{self._key}.local.",
            # The receiver adds the scope of a link-local address: its own receiving interface.
            parsed_addresses=[one.split("%")[0] for one in self._mdns.interfaces or self._mdns.at],
        )


class Finder(_User):
    """Reports tables that come, change and go to `deliver`, in its own thread, until `close`."""

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
        """Find up to `most` tables, or only the keys `only`; `on` uses shared sockets."""
        super().__init__(interfaces, on)
        self._deliver, self._service = deliver, service
        self._only, self._most = only, most
        self._known: dict[str, Found] = {}
        self._doubtful: set[str] = set()  # found on sockets that are now closed
        self._looks = 0  # since these sockets were opened
        self._waiting: list[str] = []  # names to query, the newest last
        self._asking = 0  # running queries
        self._lock = Lock()  # zeroconf reports changes in one thread, and answers in another
        self._browser: Any = None

    def close(self) -> None:
        """Stop immediately: nothing more is delivered, and cleanup runs in the background."""
        self._is_closed = True
        Thread(target=super().close, name="finder's end", daemon=True).start()

    def look(self) -> None:
        """Look for tables on the currently open sockets; repeat the query from time to time."""
        before = self._zeroconf
        super().look()
        if self._zeroconf is not before:
            return
        self._looks += 1
        if self._looks == 1:
            for key in tuple(self._doubtful):
                self._tell(key, None)
        if self._looks % ASK_AGAIN == 0:  # zeroconf stops after 14 s, and packets may be lost
            self._ask_again()

    def _ask_again(self) -> None:
        with self._turn:
            if self._zeroconf is not None and not self._zeroconf.done:
                old = self._browser
                self._begin(self._zeroconf)
                old.cancel()

    def _begin(self, zeroconf: Any) -> None:
        from zeroconf import DNSQuestionType, ServiceBrowser

        # Multicast answers (QM): of two programs on one machine only one gets a unicast answer.
        self._browser = ServiceBrowser(
            zeroconf, self._service, handlers=[self._changed], question_type=DNSQuestionType.QM
        )

    def _end(self, zeroconf: Any) -> None:  # noqa: ARG002
        with self._lock:
            self._doubtful, self._looks = set(self._known), 0
            self._waiting, self._asking = [], 0
        self._browser.cancel()

    def _changed(self, zeroconf: Any, service_type: str, name: str, state_change: Any) -> None:
        """Handle a change without blocking; query unknown names later."""
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
        """Query the newest pending name first: names alone cost an attacker nothing."""
        with self._lock:
            is_over = self._is_closed or zeroconf is not self._zeroconf
            if is_over or not self._waiting or self._asking >= MAX_ASKED:
                return
            self._asking += 1
            name = self._waiting.pop()
        from asyncio import run_coroutine_threadsafe

        run_coroutine_threadsafe(self._ask(zeroconf, name), zeroconf.loop)

    async def _ask(self, zeroconf: Any, name: str) -> None:
        info = _info_of(self._service, name)
        try:
            is_known = info is not None and await info.async_request(zeroconf, ASK)
        finally:
            with self._lock:
                self._asking -= zeroconf is self._zeroconf
        self._tell(name.removesuffix(f".{self._service}"), info if is_known else None)
        self._ask_next(zeroconf)

    def _tell(self, key: str, info: Any) -> None:
        found = None
        if info is not None:
            addresses = info.parsed_scoped_addresses()
            found = found_table(key, info.properties, addresses, info.port or 0)
        with self._lock:
            known = self._known.get(key)
            is_more = known is None and len(self._known) >= self._most
            self._doubtful.discard(key)
            if self._is_closed or found == known or is_more:
                return
            if found:
                self._known[key] = found
            else:
                del self._known[key]
        self._deliver(found or Vanished(key))


def _info_of(service_type: str, name: str) -> Any:
    """Return a service info to query, None if the name is invalid."""
    from zeroconf import Error, ServiceInfo

    try:
        return ServiceInfo(service_type, name)
    except Error:
        return None


def _addresses() -> tuple[str, ...]:
    from kumite.net.transport.addresses import interface_addresses  # late: it knows sockets

    return interface_addresses()


def _opened(interfaces: Sequence[str]) -> Any:
    from zeroconf import IPVersion, Zeroconf

    from kumite.net.transport.addresses import here

    where = list(interfaces) or [one.text for one in here()]
    failure: Exception | None = None
    for version in (IPVersion.All, IPVersion.V4Only):  # a kernel without IPv6 refuses All
        try:
            return Zeroconf(interfaces=where, ip_version=version, use_asyncio=False)
        except (OSError, RuntimeError) as error:  # the second: an address has gone
            failure = error
    raise _no_discovery(failure) from failure


def _close(zeroconf: Any) -> None:
    from zeroconf import Error

    if zeroconf is not None:
        with suppress(Error, OSError, RuntimeError):  # its network has gone
            zeroconf.close()


def _no_discovery(failure: Exception | None) -> NoDiscovery:
    return NoDiscovery(
        f"tables cannot be announced or found on this network: {failure}",
        hint="join by address and code: kumite join HOST:PORT CODE",
    )
