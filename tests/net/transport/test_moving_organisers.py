"""An organiser of a tournament at another address than before is found again: real mDNS."""

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
from kumite.core.tournament.tournament import SWISS, Result
from kumite.net.session import events
from kumite.net.tournament.host import TournamentHost, resumed
from kumite.net.tournament.host import opened as new_host
from kumite.net.tournament.state import TournamentChanged
from kumite.net.transport import running, tournament_files
from kumite.net.transport.beacons import beacon, tag
from kumite.net.transport.tournament_peer import HostPeer, PlayerPeer
from kumite.net.wire import framing, messages
from kumite.net.wire import tournament as wire
from tests.net.transport.test_moving_hosts import ELSEWHERE, LOOPBACK, Relay, free_port, killed
from tests.support.tournaments import TERMS
from tests.support.waiting import wait_for

NAMES = ("ada", "bob", "cy")
NEW = partial(new_host, TERMS, SWISS, 0)
PATIENT = 40  # s; a silent line is tried again after 3, one that has ended at once


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
        kept, port = tournament_files.last_unfinished(self.into / "host"), free_port()
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
        self._beacon = beacon(tag(tournament_id), self._listener.getsockname()[1], LOOPBACK)
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
    second = view.tournament.rounds[0][0].second
    assert second is not None
    assert view.tournament.points(second) == 2
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
