"""A host that is at another address than before is found again: real sockets, real mDNS."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from kumite.core.game import Seat, Setup
from kumite.core.games import GAMES
from kumite.net.session import clocks, events
from kumite.net.session.events import HostSetup
from kumite.net.transport import beacons
from kumite.net.transport.peer import Peer
from kumite.net.transport.running import Running
from kumite.net.wire import posts
from tests.support.told import is_of
from tests.support.waiting import wait_for

LOOPBACK = ("127.0.0.1",)
ELSEWHERE = "127.0.0.2"


class Relay:
    """Another way to a host, which can fall silent as a pulled cable does: nothing is closed."""

    def __init__(self, port: int) -> None:
        self._to, self._is_silent = port, threading.Event()
        self._listener = socket.create_server((ELSEWHERE, 0))
        self.port = self._listener.getsockname()[1]
        self._open = [self._listener]
        threading.Thread(target=self._accept, daemon=True).start()

    def silence(self) -> None:
        self._is_silent.set()

    def close(self) -> None:
        self._is_silent.set()
        for one in self._open:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)  # wakes the threads that wait for it
            one.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                if self._is_silent.is_set():
                    self._open.append(near)
                    continue
                far = socket.create_connection(("127.0.0.1", self._to))
                self._open += [near, far]
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=self._pass, args=(one, other), daemon=True).start()

    def _pass(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):  # closed at the end of the test
            while data := one.recv(4096):
                if self._is_silent.is_set():
                    return
                other.sendall(data)


def killed(peer: Running[Any]) -> None:
    """End a program without a word."""
    peer._call(peer._cut)
    wait_for(lambda: peer._thread and not peer._thread.is_alive(), "the end")


def free_port() -> int:
    with socket.create_server(("", 0)) as taken:
        port: int = taken.getsockname()[1]
    return port


class Table:
    """A host and a joiner in mid-match, the joiner by a relay at another address."""

    def __init__(self, into: Path) -> None:
        self.into, self.at_host, self.at_joiner = into, list[events.Event](), list[events.Event]()
        setup = HostSetup(Setup.of(GAMES["kitsune"], 2), ("ada",), frozenset({Seat(0)}))
        told, logs = self.at_host.append, into / "ada"
        self.host = Peer.host(setup, "ada", told, port=0, logs=logs, mdns=LOOPBACK)
        wait_for(lambda: self.host.port, "the table")
        self.relay = Relay(self.host.port)
        way = ELSEWHERE, self.relay.port, self.host._session.code, "bob", self.at_joiner.append
        self.joiner = Peer.join(*way, logs=into / "bob", mdns=LOOPBACK)
        wait_for(lambda: any(isinstance(one, events.Lobby) for one in self.at_joiner), "the lobby")
        self.joiner.ready()
        wait_for(lambda: self.host._session.places[0].is_ready, "bob")
        self.host.start()
        wait_for(lambda: self.joiner._session.live, "the match")

    def has_heard(self, text: str) -> bool:
        return any(isinstance(one, events.Said) and one.text == text for one in self.at_joiner)

    def close(self) -> None:
        for one in (self.joiner, self.host):
            one.close()
        self.relay.close()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path)
    yield made
    made.close()


def test_a_path_that_falls_silent_is_replaced_and_a_host_started_anew_elsewhere_is_found(
    table: Table,
) -> None:
    assert table.joiner.addresses == (ELSEWHERE,)
    table.host.say("hello")
    wait_for(lambda: table.has_heard("hello"), "the first words")
    table.relay.silence()
    table.host.say("are you there?")
    wait_for(lambda: table.has_heard("are you there?"), "the other path", 30)
    assert "127.0.0.1" in table.joiner.addresses
    assert table.joiner.port == table.host.port
    (kept,) = (table.into / "bob").glob("*.at")  # a program that is started anew knows it, too
    assert kept.read_text().split()[0] == str(table.host.port)
    path, port, again = table.host.path, free_port(), list[events.Event]()
    assert path is not None
    killed(table.host)
    table.host = Peer.resume(path, again.append, ("", port), mdns=LOOPBACK)
    wait_for(lambda: any(is_of(one, events.Status.BACK) for one in again), "bob", 40)
    table.host.say("here I am")
    wait_for(lambda: table.has_heard("here I am"), "its words")
    assert table.joiner.port == port


def test_who_announces_a_match_falsely_is_tried_in_turn_with_the_others() -> None:
    seeker, known = beacons.HostRecovery(LOOPBACK), (("10.0.0.1",), 1)
    assert seeker.places(0, known) == ((0, known),)
    seeker._tags = {beacons.tag("0" * 16): 0, beacons.tag("0" * 16, 2): 2}
    true, false = (("10.0.0.2",), 2), (("10.0.0.3",), 3)
    seeker._found = {0: (true, false), 2: (true,)}
    tried = [seeker.places(0, known) for _ in range(4)]
    first = (0, known), (0, false), (2, true)
    assert tried == [first, ((0, known), (0, true), (2, true))] * 2


def test_without_its_host_two_others_find_each_other_and_play_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clocks, "MISSED_AFTER", 1.0)
    told = {name: list[events.Event]() for name in ("ada", "bob", "cy", "again")}
    setup = HostSetup(Setup.of(GAMES["kuzushi"], 3), ("ada",), frozenset({Seat(0)}), gone="bot")
    ada = Peer.host(setup, "ada", told["ada"].append, port=0, logs=tmp_path / "ada", mdns=LOOPBACK)
    wait_for(lambda: ada.port, "the table")
    bob, cy = (
        Peer.join(
            *("127.0.0.1", ada.port, ada._session.code, name, told[name].append),
            logs=tmp_path / name,
            mdns=LOOPBACK,
        )
        for name in ("bob", "cy")
    )
    for one in (bob, cy):
        one.ready()
    wait_for(lambda: [place.is_ready for place in ada._session.places] == [True, True], "both")
    ada.start()
    wait_for(lambda: all(one._session.live for one in (bob, cy)), "the match")
    wait_for(lambda: not bob._session.live.ledger.is_sharing, "what they leave each other")  # type: ignore[union-attr]
    killed(ada)
    for one in (bob, cy):
        wait_for(lambda one=one: one._session.live.missed, "a minute", 30)  # type: ignore[misc]
    bob.offer(posts.GONE)
    wait_for(lambda: any(isinstance(one, events.Offered) for one in told["cy"]), "bob", 40)
    cy.answer(True)
    wait_for(lambda: any(isinstance(one, events.Gone) for one in told["cy"]), "the others")
    assert bob._session.is_host
    wait_for(lambda: cy.port == bob.port != ada.port, "the new place")
    kept = [*(tmp_path / "bob").glob("*.at"), *(tmp_path / "cy").glob("*.at")]
    here = {str(bob.port)}  # it is written once it is known
    wait_for(lambda: {one.read_text().split()[0] for one in kept} == here, "both to note it")
    path = bob.path
    assert path is not None
    killed(bob)  # and it goes on from its file, as the host that it is now
    bob = Peer.resume(path, told["again"].append, mdns=LOOPBACK)
    wait_for(lambda: any(is_of(one, events.Status.BACK) for one in told["again"]), "cy", 40)
    bob.say("here I am")
    wait_for(
        lambda: any(isinstance(one, events.Said) and "here I am" in one.text for one in told["cy"]),
        "its words",
    )
    for one in (cy, bob):
        one.close()
