"""Ways to a table: addresses, what listens on them, and what keeps one out."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Sequence
from ipaddress import ip_address

import ifaddr
import pytest

from kumite.core.errors import BadSetup
from kumite.core.game import Setup
from kumite.net.session.events import HostSetup, Listening, Lobby, MatchBegan, Stopped
from kumite.net.transport import addresses, sockets
from kumite.net.transport.addresses import (
    PORT,
    interface_addresses,
    own_addresses,
    parse_address,
    typed_places,
    zoned,
)
from kumite.net.transport.connections import Connections
from kumite.net.transport.peer import Peer
from kumite.net.wire import framing
from kumite.net.wire.fields import MAX_ADDRESSES
from kumite.tui.play.network_words import reason
from tests.support.peers import GET, HERE, MK6, Inbox, Opener, begin, table, until_closed
from tests.support.waiting import PATIENCE


def test_what_keeps_a_table_from_opening_is_told_with_a_way_out(
    open_peer: Callable[..., Opener],
) -> None:
    _, at_host = open_peer()
    taken = at_host.of(Listening).port
    for port, address, code in (
        (taken, HERE, "port-in-use"),
        (taken, None, "port-in-use"),
        (0, "198.51.100.7", "cannot-listen"),
    ):
        inbox = Inbox()
        one = Peer.host(table(), "ada", inbox.queue.put, port=port, address=address)
        stopped = inbox.of(Stopped)
        assert stopped.code == code
        assert reason(stopped)[1]
        one.close()
    with pytest.raises(BadSetup):
        Peer.host(HostSetup(Setup.of(MK6), (), frozenset()), "ada", inbox.queue.put)


def test_what_keeps_a_joiner_out_is_told_with_a_way_out(
    open_peer: Callable[..., Opener], monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server((HERE, 0)) as gone:
        unused = gone.getsockname()[1]
    for address, code in ((HERE, "refused"), ("x" * 70, "unknown-name"), ("255.255.255.255", "")):
        _, inbox = open_peer(unused, address)
        stopped = inbox.of(Stopped)
        assert stopped.code == code or (not code and stopped.code in ("unreachable", "refused"))
        assert reason(stopped)[1]
    monkeypatch.setattr(sockets, "CONNECT_TIME", 1.0)
    with socket.create_server((HERE, 0), backlog=0) as full:  # nobody accepts: nobody answers
        port = full.getsockname()[1]
        crowd = [socket.socket() for _ in range(3)]
        for one in crowd:
            one.setblocking(False)
            one.connect_ex((HERE, port))
        _, inbox = open_peer(port)
        assert inbox.of(Stopped).code == "no-answer"
        for one in crowd:
            one.close()


async def test_three_hundred_can_wait_while_a_table_looks_at_none_of_them() -> None:
    """A flood fills what the system holds for us; whoever finds it full waits for seconds."""
    running: set[asyncio.Task[None]] = set()
    connections = Connections(lambda _: None, lambda work: running.add(asyncio.create_task(work)))
    port = await connections.listen(HERE, 0)
    crowd = [socket.create_connection((HERE, port), timeout=PATIENCE) for _ in range(300)]
    await asyncio.sleep(0)
    for one in crowd:
        one.close()
    connections.stop_listening()
    for task in running:
        task.cancel()


def test_a_server_that_is_no_table_is_named(open_peer: Callable[..., Opener]) -> None:
    with socket.create_server((HERE, 0)) as server:
        server.settimeout(PATIENCE)
        _, inbox = open_peer(server.getsockname()[1])
        connection, _ = server.accept()
        with connection:
            assert connection.recv(100).startswith(framing.PREAMBLE)
            connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            assert inbox.of(Stopped).code == "no-table"


def test_without_an_address_a_host_listens_on_all_of_them(open_peer: Callable[..., Opener]) -> None:
    _, at_host = open_peer(address=None)
    listening = at_host.of(Listening)
    assert listening.addresses == own_addresses()
    places = [HERE, *(one for one in listening.addresses if "." in one)]
    if socket.has_dualstack_ipv6():
        places += ["::1", *(one for one in interface_addresses() if "%" in one)]
    for place in places:
        with socket.create_connection((place, listening.port), timeout=PATIENCE) as stranger:
            stranger.sendall(GET)
            assert until_closed(stranger) == b""
    _, at_joiner = open_peer(listening.port, places[-1])  # link-local with its scope, if there is
    at_joiner.of(Lobby)


def test_a_table_is_reached_by_whichever_of_its_addresses_answers(
    open_peer: Callable[..., Opener],
) -> None:
    """The first ones are of a network that is not here: TEST-NET-1 (RFC 5737), and no name."""
    host, at_host = open_peer()
    port = at_host.of(Listening).port
    joiner, at_joiner = open_peer(port, "192.0.2.1", others=("no.such.name.invalid", HERE))
    begin(host, at_host, joiner)
    assert at_joiner.of(MatchBegan).seats == {1}


def test_own_addresses_are_addresses_without_loopback_unless_there_is_nothing_else() -> None:
    found = own_addresses()
    assert found
    assert len(set(found)) == len(found)
    for one in found:
        assert parse_address(one) == (one, PORT)
        socket.getaddrinfo(one, PORT, flags=socket.AI_NUMERICHOST)
    assert not any(one.startswith("127.") for one in found) or found == ("127.0.0.1",)
    announced = interface_addresses()
    assert len({ip_address(one).is_loopback for one in announced}) == 1


@pytest.fixture
def computer(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Let this computer have these interfaces, each with its addresses."""

    def make(default: str = "", **interfaces: Sequence[str]) -> None:
        adapters = []
        for index, (name, texts) in enumerate(interfaces.items(), 1):
            ips = [
                ifaddr.IP((one, 0, index) if ":" in one else one, 64 if ":" in one else 24, name)
                for one in texts
            ]
            adapters.append(ifaddr.Adapter(name, name.replace("_", "-"), ips, index))
        monkeypatch.setattr(ifaddr, "get_adapters", lambda: adapters)
        monkeypatch.setattr(addresses, "_is_usable", lambda *_: True)
        monkeypatch.setattr(addresses, "_source", lambda *_: default)

    return make


LO = ("127.0.0.1", "::1")


def test_the_lan_comes_before_a_vpn_and_containers_are_told_to_nobody(
    computer: Callable[..., None],
) -> None:
    computer(
        "10.8.0.2",  # all goes through the VPN
        lo=LO,
        docker0=("172.17.0.1", "fe80::1"),
        br_0123456789ab=("172.18.0.1",),
        tun0=("10.8.0.2",),
        tailscale0=("100.64.0.3", "fd7a::3"),
        wlan0=("192.168.1.20", "2001:db9::2", "2001:db9::3", "fe80::2"),
    )
    told = ("192.168.1.20", "2001:db9::2", "10.8.0.2", "100.64.0.3", "fd7a::3")
    assert own_addresses() == told
    assert typed_places(told[:3:2], 4000) == [("192.168.1.20:4000", ""), ("10.8.0.2:4000", "VPN")]
    assert set(told) < set(interface_addresses())
    assert not [one for one in interface_addresses() if one.startswith("172.")]


def test_of_two_lans_the_one_with_the_way_out_comes_first(computer: Callable[..., None]) -> None:
    computer("192.168.1.20", lo=LO, eth0=("10.0.0.5",), wlan0=("192.168.1.20",))
    assert own_addresses() == ("192.168.1.20", "10.0.0.5")


def test_the_lan_is_announced_however_many_bridges_there_are(computer: Callable[..., None]) -> None:
    bridges = {f"br_{number:012x}": (f"172.{number}.0.1",) for number in range(17, 30)}
    computer(lo=LO, **bridges, eth0=("192.168.1.20",))
    assert interface_addresses() == ("192.168.1.20",)
    computer(lo=LO, **bridges)  # nothing else, in a virtual machine say
    assert len(interface_addresses()) == MAX_ADDRESSES


def test_link_local_addresses_are_told_only_if_the_lan_has_no_others_and_without_our_zone(
    computer: Callable[..., None],
) -> None:
    computer(lo=LO, eth0=("192.0.2.7", "fd00::2", "fe80::1"))
    assert own_addresses() == ("192.0.2.7", "fd00::2")
    assert interface_addresses() == ("192.0.2.7", "fd00::2", "fe80::1%2")
    computer(lo=LO, eth0=("fe80::1",), wg0=("10.8.0.2",))
    assert own_addresses() == ("fe80::1", "10.8.0.2")


def test_without_a_network_there_is_this_computer_alone(computer: Callable[..., None]) -> None:
    computer(lo=LO)
    assert own_addresses() == ("127.0.0.1",)
    assert interface_addresses() == LO
    computer()
    assert own_addresses() == ("127.0.0.1",)
    assert interface_addresses() == ()


def test_a_link_local_address_is_looked_for_on_each_interface(
    computer: Callable[..., None],
) -> None:
    """It is typed as the host shows it, or with the host's zone."""
    computer(lo=LO, eth0=("192.168.1.20", "fe80::1"), wlan0=("fe80::2",))
    assert zoned("fe80::9") == ("fe80::9%2", "fe80::9%3")
    assert zoned("fe80::9%wlp3s0") == ("fe80::9%2", "fe80::9%3")
    assert zoned("fe80::9%3") == ("fe80::9%3",)
    for one in ("192.168.1.20", "fd00::9", "ada.local", "169.254.1.1"):
        assert zoned(one) == (one,)
    computer(lo=LO)
    assert zoned("fe80::9") == ()


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("192.168.1.20", ("192.168.1.20", PORT)),
        ("192.168.1.20:4000", ("192.168.1.20", 4000)),
        (" ada.local ", ("ada.local", PORT)),
        ("ada:1", ("ada", 1)),
        ("::1", ("::1", PORT)),
        ("fe80::1%eth0", ("fe80::1%eth0", PORT)),
        ("[fe80::1%eth0]:4000", ("fe80::1%eth0", 4000)),
        ("[::1]", ("::1", PORT)),
    ],
)
def test_addresses_are_read(text: str, address: tuple[str, int]) -> None:
    assert parse_address(text) == address


@pytest.mark.parametrize(
    "text",
    ["", ":4000", "ada:", "ada:x", "ada:0", "ada:65536", "ada:+1", "ada:٣", "a b", "http://ada:80/",
     "[::1]:", "[::1]4", "[::1", "[ada]:4000", "1:2:3", "fe80::1:2:3:4:5:6:7:8:9"],
)  # fmt: skip
def test_what_is_no_address_is_refused_with_examples(text: str) -> None:
    with pytest.raises(BadSetup) as caught:
        parse_address(text)
    assert "192.168.1.20" in caught.value.hint
