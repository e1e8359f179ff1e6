"""Tables on the LAN: what is announced and read, hostile announcements, and real mDNS."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from dataclasses import replace
from ipaddress import ip_address
from queue import Queue
from secrets import token_hex
from time import perf_counter
from typing import Any

import pytest
import zeroconf
from hypothesis import given
from hypothesis import strategies as st

from kumite.core.games import GAMES
from kumite.core.text import clean
from kumite.net.session.events import Listening
from kumite.net.transport import discovery
from kumite.net.transport.announcer import Announcing
from kumite.net.transport.discovery import (
    MAX_OTHERS,
    SERVICE,
    Announced,
    Announcer,
    Finder,
    Found,
    News,
    NoDiscovery,
    Vanished,
    found_table,
    table_txt,
)
from kumite.net.wire.fields import MAX_ADDRESSES
from kumite.net.wire.messages import PROTOCOL
from tests.support.waiting import PATIENCE, wait_for

KEY = "00112233aabbccdd"
TABLE = Announced("ada", "kitsu", "Kitsu", 1, 4747, "0.1")


def as_bytes(txt: dict[str, str]) -> dict[bytes, bytes | None]:
    return {name.encode(): value.encode() for name, value in txt.items()}


def read(addresses: tuple[str, ...] = ("192.0.2.1",), port: int = 4747, **txt: str) -> Found | None:
    return found_table(KEY, as_bytes(table_txt(TABLE) | txt), addresses, port)


def test_what_is_announced_is_found() -> None:
    assert read() == Found(KEY, TABLE, ("192.0.2.1",))


@given(
    st.text(max_size=24).map(lambda text: clean(text, 24)),
    st.integers(0, 6),
    st.integers(1, 65535),
    st.booleans(),
    st.integers(0, 999),
    st.integers(0, 2**32 - 1),
    st.lists(st.text(max_size=24), max_size=5),
)
def test_any_table_reads_back(
    name: str, free: int, port: int, is_tournament: bool, number: int, since: int, others: list[str]
) -> None:
    table = replace(TABLE, name=name, free=free, port=port, is_tournament=is_tournament)
    said = clean(", ".join(others), MAX_OTHERS)
    table = replace(table, number=number, since=since, others=said)
    txt = table_txt(table)
    assert all(len(one) + 1 + len(value.encode()) <= 255 for one, value in txt.items())
    found = found_table(KEY, as_bytes(txt), ("192.0.2.1",), port)
    assert found
    assert found.table == table
    assert found.is_ours


def test_of_another_protocol_only_its_version_is_shown() -> None:
    found = read(v=str(PROTOCOL + 1), p="9.9", n="eve", g="\x1b")
    assert found
    assert not found.is_ours
    assert found.table == Announced("", "", "", 0, 4747, "9.9", PROTOCOL + 1)


@pytest.mark.parametrize(
    "txt",
    [{"v": ""}, {"v": "x"}, {"v": "-1"}, {"v": "1" * 20}, {"g": ""}, {"g": "a b"}, {"g": "狐"},
     {"s": ""}, {"s": "-1"}, {"s": "many"}, {"s": "１"}],
)  # fmt: skip
def test_what_breaks_a_limit_is_no_table(txt: dict[str, str]) -> None:
    assert read(**txt) is None


def test_texts_are_cleaned_and_cut() -> None:
    found = read(n="\x1b[31m" + "狐" * 60, t="\n\u202e" + "t" * 90, s="7", w="\x1b" + "w" * 90)
    assert found
    assert found.table.name == "[31m" + "狐" * 20
    assert found.table.title == "t" * 32
    assert found.table.others == "w" * 60
    assert found.table.free == 6


@pytest.mark.parametrize("port", [0, -1, 65536])
def test_without_a_port_there_is_no_table(port: int) -> None:
    assert read(port=port) is None


def test_addresses_are_ranked_and_those_of_no_use_left_out() -> None:
    given_ = (
        "::1", "127.0.0.1", "fe80::1", "fe80::1%4", "2001:db8::1", "10.0.0.2", "0.0.0.0", "::",
        "224.0.0.251", "ff02::fb", "nonsense", "", "10.0.0.2",
    )  # fmt: skip
    found = read(given_)
    assert found
    assert found.addresses == ("10.0.0.2", "2001:db8::1", "fe80::1%4", "127.0.0.1", "::1")
    assert read(("fe80::1", "nonsense")) is None
    many = read(tuple(f"10.0.0.{n}" for n in range(1, 99)))
    assert many
    assert len(many.addresses) == MAX_ADDRESSES


@given(
    st.dictionaries(
        st.sampled_from([b"v", b"p", b"n", b"g", b"t", b"s", b"c", b"o"]) | st.binary(max_size=4),
        st.none() | st.just(b"1") | st.binary(max_size=255),
    ),
    st.lists(st.text(max_size=20) | st.ip_addresses().map(str), max_size=4),
    st.integers(-5, 70_000),
)
def test_any_announcement_is_a_table_within_limits_or_none(
    txt: dict[bytes, bytes | None], addresses: list[str], port: int
) -> None:
    found = found_table(KEY, txt, addresses, port)
    if found:
        table = found.table
        assert 0 < table.port < 65536
        assert 0 <= table.free <= 6
        assert 0 <= table.number <= 999
        for text, limit in ((table.name, 24), (table.title, 32), (table.game, 32)):
            assert text == clean(text, limit)
        assert all(ip_address(one) for one in found.addresses)


def test_a_table_is_announced_once_for_each_change(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Any] = []

    class Recorder:
        def __init__(self, key: str, table: Announced, **_: str) -> None:
            calls.append((len(key), table.free, table.number))

        def __getattr__(self, name: str) -> Callable[..., None]:
            return lambda *given: calls.append((name, *(one.free for one in given)))

    monkeypatch.setattr(discovery, "Announcer", Recorder)
    at = Listening(4000, (), "7-torii-lantern")
    announcing = Announcing("ada", calls.append)
    for free in (2, 2, 1, 0):
        announcing.show(GAMES["kuzushi"], free, at)
    assert announcing._shown.title == "Kuzushi"
    announcing.show(GAMES["kitsune"], 0, at, best_of=3)
    shown = found_table(KEY, as_bytes(table_txt(announcing._shown)), ("10.0.0.1",), 4000)
    assert shown.table.title == "Kitsu: Zenko & Yako, best of 3"
    announcing.close()
    announcing.close()
    announcing._thread.shutdown(wait=True)
    assert calls == [
        (16, 2, 7),
        ("start",),
        ("update", 1),
        ("update", 0),
        ("update", 0),
        ("close",),
    ]


# --- On the network: by loopback, which every machine has -------------------------------------

LOOPBACK = ("127.0.0.1",)


class Heard:
    """An announced table, and what a finder tells of it; other tests announce there, too."""

    def __init__(self, interfaces: tuple[str, ...] = LOOPBACK, service: str = SERVICE) -> None:
        self.key, self._told = token_hex(8), Queue[News]()
        self.finder = Finder(self._told.put, interfaces=interfaces, service=service)
        self.announcer = Announcer(self.key, TABLE, interfaces=interfaces, service=service)

    def next(self) -> News:
        while (one := self._told.get(timeout=PATIENCE)).key != self.key:
            pass
        return one

    def rest(self) -> list[News]:
        left = [self._told.get() for _ in range(self._told.qsize())]
        return [one for one in left if one.key == self.key]

    def close(self) -> None:
        self.announcer.close()
        self.finder.close()


@pytest.fixture
def heard() -> Iterator[Heard]:
    one = Heard()
    yield one
    one.close()


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return this computer's addresses, which change as the test says; mDNS stays on it."""
    at: list[str] = []
    opened = discovery._opened
    monkeypatch.setattr(discovery, "LOOK_EVERY", 0.05)
    monkeypatch.setattr("kumite.net.transport.addresses.interface_addresses", lambda: tuple(at))
    monkeypatch.setattr(discovery, "_opened", lambda given: opened(given or LOOPBACK))
    return at


@pytest.fixture
def roving(at: list[str]) -> Iterator[Heard]:
    """Return what goes by the addresses of this computer, in a service of its own."""
    one = Heard((), f"_k{token_hex(4)}._tcp.local.")
    yield one
    one.close()


def test_a_table_is_listed_changed_and_gone_at_once(heard: Heard) -> None:
    late = Heard()
    late.key = heard.key
    heard.finder.start()
    began = perf_counter()
    heard.announcer.start()
    assert heard.next() == Found(heard.key, TABLE, LOOPBACK)
    assert perf_counter() - began < 3  # 0.6 s on a quiet machine, the announcing included
    heard.announcer.update(replace(TABLE, free=0))
    assert heard.next() == Found(heard.key, replace(TABLE, free=0), LOOPBACK)
    late.finder.start()
    while late.next() != Found(heard.key, replace(TABLE, free=0), LOOPBACK):
        pass  # on a busy machine the announcement before the change may still be on its way
    late.close()
    heard.announcer.close()
    assert heard.next() == Vanished(heard.key)
    heard.announcer.close()  # again does nothing
    heard.announcer.update(TABLE)
    assert heard.rest() == late.rest() == []  # a closed finder is silent


class Announcement:
    """Stands for zeroconf's ServiceInfo of any name."""

    properties = as_bytes(table_txt(TABLE))
    port = 4747

    def __init__(self, service_type: str, name: str) -> None:
        if "bad" in name:
            raise zeroconf.BadTypeInNameException

    def load_from_cache(self, _: Any) -> bool:
        return True

    def parsed_scoped_addresses(self) -> list[str]:
        return ["10.0.0.2"]


def test_strange_names_are_ignored_and_a_flood_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zeroconf, "ServiceInfo", Announcement)
    told: list[News] = []
    finder = Finder(told.append)
    finder._zeroconf = object()
    added, removed = zeroconf.ServiceStateChange.Added, zeroconf.ServiceStateChange.Removed

    def change(key: str, how: zeroconf.ServiceStateChange) -> None:
        finder._changed(finder._zeroconf, discovery.SERVICE, f"{key}.{discovery.SERVICE}", how)

    for key in ("", "ada", "\x1b[2J", KEY.upper(), KEY + "0", f"{KEY}\n"):
        change(key, added)
        change(key, removed)
    assert told == []
    for number in range(200):
        change(f"{number:016x}", added)
    assert len(told) == discovery.MAX_TABLES
    change(f"{199:016x}", removed)
    assert len(told) == discovery.MAX_TABLES
    change(f"{0:016x}", removed)
    change(f"{199:016x}", added)
    assert [one.key for one in told[-2:]] == [f"{0:016x}", f"{199:016x}"]


SILENT_SERVICE = "_kumitetest._tcp.local."


def names_alone(count: int, first: int = 0) -> None:
    """Announce so many names behind which there is nothing, as anybody on a LAN can."""
    names = [f"{number:016x}.{SILENT_SERVICE}" for number in range(first, first + count)]
    said = zeroconf.DNSOutgoing(0x8400)  # an answer that nobody has asked for
    for name in names:
        said.add_answer_at_time(zeroconf.DNSPointer(SILENT_SERVICE, 12, 1, 4500, name), 0)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("127.0.0.1"))
        for packet in said.packets():
            sock.sendto(packet, ("224.0.0.251", 5353))


def test_names_behind_which_there_is_nothing_keep_nobody_waiting() -> None:
    heard = Heard(service=SILENT_SERVICE)
    finder = heard.finder
    finder.start()
    names_alone(60)
    wait_for(lambda: finder._asking, "the first question")
    began = perf_counter()
    heard.announcer.start()
    assert isinstance(heard.next(), Found)
    assert perf_counter() - began < 5  # one after the other they took a second each
    wait_for(lambda: not finder._asking, "all questions", 10)
    names_alone(60, 100)
    wait_for(lambda: finder._asking, "questions again")
    began = perf_counter()
    finder.close()
    assert perf_counter() - began < 0.1
    heard.close()
    assert heard._told.empty()


def test_a_network_that_comes_up_later_is_used(at: list[str], roving: Heard) -> None:
    for start in (roving.finder.start, roving.announcer.start):
        with pytest.raises(NoDiscovery, match="not connected to a network"):
            start()
    roving.announcer.update(replace(TABLE, free=0))
    at[:] = LOOPBACK
    assert roving.next() == Found(roving.key, replace(TABLE, free=0), LOOPBACK)


def test_other_addresses_are_announced_and_what_only_the_old_network_knew_vanishes(
    at: list[str], roving: Heard
) -> None:
    at[:] = ["127.0.0.1"]
    key, finder, gone = roving.key, roving.finder, "ff" * 8
    finder.start()
    roving.announcer.start()
    assert isinstance(roving.next(), Found)
    before = finder._zeroconf
    finder._known[gone] = Found(gone, TABLE, ("192.168.1.20",))
    at[:] = ["127.0.0.2"]
    roving.key = gone
    assert roving.next() == Vanished(gone)
    moved = Found(key, TABLE, ("127.0.0.2",))
    wait_for(lambda: finder._known.get(key) == moved, "the new address")
    assert finder._zeroconf is not before
    wait_for(lambda: before.done, "the old sockets to be closed")
    at[:] = []
    roving.key = key
    while roving.next() != Vanished(key):
        pass
    wait_for(lambda: finder._zeroconf is None, "the sockets to be closed")


def test_what_was_asked_in_vain_is_asked_again(
    at: list[str], roving: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cable that is pulled behind the next switch changes no address here."""
    at[:] = LOOPBACK
    finder, sent = roving.finder, zeroconf.Zeroconf.async_send
    roving.announcer.start()
    with monkeypatch.context() as patch:
        patch.setattr(zeroconf.Zeroconf, "async_send", lambda *_, **__: None)
        finder.start()
        browser = finder._browser
        wait_for(lambda: finder._browser is not browser, "other questions")
    assert zeroconf.Zeroconf.async_send is sent
    assert roving.next() == Found(roving.key, TABLE, LOOPBACK)
    wait_for(lambda: finder._looks > 4 * discovery.ASK_AGAIN, "more questions")
    assert roving.rest() == []  # what is known is not told again


def test_without_a_network_there_is_another_way(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_: Any) -> None:
        raise OSError(19, "No such device")

    monkeypatch.setattr(zeroconf, "Zeroconf", refuse)
    for one in (Announcer(KEY, TABLE), Finder(print)):
        with pytest.raises(NoDiscovery, match="No such device") as caught:
            one.start()
        one.close()  # or it would look again for a network, and find what other tests announce
        assert "HOST:PORT" in caught.value.hint


def test_without_ipv6_it_is_done_with_ipv4(monkeypatch: pytest.MonkeyPatch) -> None:
    real, asked = zeroconf.Zeroconf, []

    def only_v4(**how: Any) -> zeroconf.Zeroconf:
        asked.append(how["ip_version"])
        if how["ip_version"] != zeroconf.IPVersion.V4Only:
            raise OSError(97, "Address family not supported by protocol")
        return real(**how)

    monkeypatch.setattr(zeroconf, "Zeroconf", only_v4)
    finder = Finder(print, interfaces=LOOPBACK)
    finder.start()
    finder.close()
    assert asked == [zeroconf.IPVersion.All, zeroconf.IPVersion.V4Only]
