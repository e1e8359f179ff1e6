"""Hosts of tables and organisers at other addresses than before are found again: real mDNS."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from kumite.core import codes
from kumite.core.game import Seat, Setup
from kumite.core.games import GAMES
from kumite.core.tournament.tournament import SWISS, Result
from kumite.net.session import clocks, events
from kumite.net.session.events import HostSetup
from kumite.net.tournament.host import TournamentHost, resumed
from kumite.net.tournament.host import opened as new_host
from kumite.net.tournament.state import TournamentChanged
from kumite.net.transport import beacons, running, tournament_files
from kumite.net.transport.peer import Peer
from kumite.net.transport.running import Running
from kumite.net.transport.tournament_peer import HostPeer, PlayerPeer
from kumite.net.wire import framing, messages, posts
from kumite.net.wire import tournament as wire
from tests.support.told import is_of
from tests.support.tournaments import TERMS
from tests.support.waiting import wait_for

LOOPBACK = ("127.0.0.1",)
ELSEWHERE = "127.0.0.2"
NAMES = ("ada", "bob", "cy")
NEW = partial(new_host, TERMS, SWISS, 0)
PATIENT = 40  # s; a silent line is tried again after 3, one that has ended at once


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
    wait_for(lambda: not bob._session.live.ledger.is_sharing, "what they leave each other")
    killed(ada)
    for one in (bob, cy):
        wait_for(lambda one=one: one._session.live.missed, "a minute", 30)
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


# --- Tournaments ----------------------------------------------------------------------------------


class Party:
    """An organiser, and players who have come by a relay at another address."""

    def __init__(self, into: Path) -> None:
        self.into, self.told = into, {name: list[Any]() for name in ("host", *NAMES)}
        self.host = self.hold(NEW)
        wait_for(lambda: self.of("host", events.Listening), "the tournament")
        self.code = self.of("host", events.Listening)[0].code
        self.relay = Relay(self.host.port)
        self.players: list[PlayerPeer] = []
        for name in NAMES:  # in this order, by which the first round is paired
            self.players.append(self.enter(name))
            wait_for(lambda: self.here() == len(self.players), name)

    def of(self, name: str, kind: type[Any]) -> list[Any]:
        return [one for one in self.told[name] if isinstance(one, kind)]

    def here(self) -> int:
        views = self.of("host", TournamentChanged)
        return len(views[-1].view.here) if views else 0

    def state(self, name: str) -> tuple[int, ...]:
        found = self.of(name, TournamentChanged)
        return found[-1].view.states if found else ()

    def hold(self, make: Callable[[str, bytes], TournamentHost], port: int = 0) -> HostPeer:
        told, into = self.told["host"], self.into / "host"
        return HostPeer(make, told.append, port=port, into=into, mdns=LOOPBACK)

    def enter(self, name: str) -> PlayerPeer:
        told, into = self.told[name], self.into / name
        way = (ELSEWHERE,), self.relay.port, self.code, name
        return PlayerPeer(*way, told.append, into=into, mdns=LOOPBACK)

    def kill_host(self) -> None:
        """End the organiser's program without a word."""
        killed(self.host)
        self.relay.silence()

    def resume_elsewhere(self) -> int:
        """Go on with the tournament at another port; return it."""
        kept, port = tournament_files.to_resume(self.into / "host"), free_port()
        self.told["host"].clear()
        self.host = self.hold(partial(resumed, kept), port)
        return port

    def close(self) -> None:
        for one in (*self.players, self.host):
            one.close()
        self.relay.close()


@pytest.fixture
def party(tmp_path: Path) -> Iterator[Party]:
    made = Party(tmp_path)
    yield made
    made.close()


class Liar:
    """Somebody who announces a tournament as theirs, and refuses or keeps silent."""

    def __init__(self, tournament_id: str) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.came = 0
        self._open = [self._listener]
        self._beacon = beacons.beacon(
            beacons.tag(tournament_id), self._listener.getsockname()[1], LOOPBACK
        )
        threading.Thread(target=self._refuse, daemon=True).start()

    def _refuse(self) -> None:
        said = messages.Refuse(codes.UNKNOWN, "The host does not know you", "go away")
        with suppress(OSError):
            while True:
                line, _ = self._listener.accept()
                self.came += 1
                self._open.append(line)
                if self.came % 2:
                    line.sendall(framing.PREAMBLE + messages.as_plain(said))

    def close(self) -> None:
        self._beacon.close()
        for one in self._open:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()


def test_an_organiser_started_anew_at_another_port_is_found_also_beside_a_liar(
    party: Party,
) -> None:
    party.host.start_round()
    wait_for(lambda: all(party.state(name) for name in NAMES), "the round")
    assert all(one.addresses == (ELSEWHERE,) for one in party.players)
    liar = Liar(party.host._session.file.welcome.tournament_id)
    party.kill_host()
    wait_for(lambda: liar.came >= 4, "players who believe the liar", PATIENT)
    port = party.resume_elsewhere()
    wait_for(lambda: party.here() == len(NAMES), "all to come back", PATIENT)
    # The organiser sees somebody come before they have heard of it.
    wait_for(lambda: {one.port for one in party.players} == {port}, "all to note the port")
    assert all("127.0.0.1" in one.addresses for one in party.players)
    for name in NAMES:
        assert not party.of(name, events.Stopped)
        assert not [one for one in party.of(name, events.Left) if one.is_closed]
    for player in party.players[:2]:
        player.report(wire.MatchReport(0, 0, "0" * 16, int(Result.SECOND), 9, bytes(16)))
    wait_for(lambda: party.state("host")[0] == wire.DECIDED, "both reports")
    view = party.of("host", TournamentChanged)[-1].view
    assert [one.name for one in view.tournament.players] == list(NAMES)
    assert view.tournament.points(view.tournament.rounds[0][0].second) == 2
    liar.close()


def test_whoever_listens_is_told_of_other_addresses_with_the_code_of_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at, told = ["192.168.1.20"], list[Any]()
    monkeypatch.setattr(running, "LOOK_EVERY", 0.01)
    monkeypatch.setattr(running, "own_addresses", lambda: tuple(at))
    host = HostPeer(NEW, told.append, port=0, into=tmp_path)

    def heard(kind: type[Any]) -> list[Any]:
        return [one for one in told if isinstance(one, kind)]

    try:
        wait_for(lambda: heard(events.Listening), "the tournament")
        host.new_code()
        wait_for(lambda: heard(events.CodeChanged), "a code")
        code = heard(events.CodeChanged)[-1].code
        for number, now in enumerate(("127.0.0.1", "10.0.0.3"), 1):  # no network, another one
            at[:] = [now]
            wait_for(lambda n=number: len(heard(events.Listening)) > n, f"the address {now}")
            assert heard(events.Listening)[-1] == events.Listening(host.port, (now,), code)
    finally:
        host.close()
