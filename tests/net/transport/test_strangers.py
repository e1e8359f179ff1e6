"""Whoever comes to an open port: browsers, noise, who never reads, and floods from elsewhere."""

from __future__ import annotations

import gc
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

from kumite.core.game import Seat, Setup
from kumite.core.games import GAMES
from kumite.net.session import events
from kumite.net.session.events import HostSetup, Listening, MatchBegan
from kumite.net.transport import connections
from kumite.net.transport.peer import Peer
from kumite.net.wire import framing, messages
from tests.support.peers import GET, HERE, Opener, begin, play, raw, seated, until_closed
from tests.support.places import ROOT
from tests.support.told import is_of
from tests.support.waiting import PAUSE, looks, wait_for

NEWCOMERS = 8


def test_whatever_strangers_send_they_get_nothing_and_the_table_waits_and_plays_on(
    open_peer: Callable[..., Opener],
) -> None:
    rng = Random(7)
    host, at_host = open_peer()
    port = at_host.of(Listening).port
    tls, noise, other = b"\x16\x03\x01\x02\x00\x01\x00", b"\xff" * 9, b"kumite/2\n"
    for said in (GET, tls, framing.PREAMBLE + noise, other):
        with raw(port) as browser:
            browser.sendall(said)
            assert until_closed(browser) == b""
    for number in range(100):
        head = framing.PREAMBLE[: rng.randrange(len(framing.PREAMBLE) + 1)]
        said = head + bytes([rng.randrange(250), 255]) + rng.randbytes(rng.randrange(300))
        with raw(port) as stranger:
            cut = rng.randrange(len(said))
            with suppress(OSError):  # the host has cut us off already
                stranger.sendall(said[:cut])
                stranger.sendall(said[cut:])
                stranger.shutdown(socket.SHUT_WR)
            if number % 2:  # every other one does not wait
                assert until_closed(stranger) == b"", said
    silent = [raw(port) for _ in range(12)]  # the oldest make room
    assert until_closed(silent[0]) == b""
    joiner, at_joiner = open_peer(port)
    begin(host, at_host, joiner)
    at_joiner.of(MatchBegan)
    with raw(port) as browser:  # and in mid-match
        browser.sendall(GET)
        assert until_closed(browser) == b""
    at_host.of(MatchBegan)
    play(host, at_host, joiner, at_joiner, longest=4)
    for one in silent:
        one.close()


def test_who_never_reads_is_cut_off_and_the_table_goes_on(
    open_peer: Callable[..., Opener], monkeypatch: pytest.MonkeyPatch
) -> None:
    limit = 20_000
    monkeypatch.setattr(connections, "MAX_BEHIND", limit)
    host, at_host, joiner, at_joiner = seated(open_peer)
    with raw(host.port) as deaf:
        place, found = deaf.getsockname(), list[tuple[int, Any]]()
        for _ in looks("the connection"):
            found = [one for one in list(host._connections.wires.items()) if at(one[1]) == place]
            if found:
                break
            time.sleep(PAUSE)
        ((number, wire_),) = found
        waiting: list[int] = []
        for _ in range(400):  # more than the system's own buffers hold
            host._call(lambda: host._connections.send(number, b"x" * limit))
            host._call(lambda: waiting.append(wire_.writer.transport.get_write_buffer_size()))
        wait_for(lambda: len(waiting) == 400, "all to be written or dropped")
        assert max(waiting) <= 2 * limit
        assert wire_.writer.is_closing()
    play(host, at_host, joiner, at_joiner, longest=4)


def at(wire_: Any) -> Any:
    return wire_.writer.get_extra_info("peername")


# --- Floods: newcomers get in, players play on ----------------------------------------------------


@contextmanager
def flooded(kind: str, port: int) -> Iterator[None]:
    command = [sys.executable, "-m", "tests.support.flooder", kind, str(port)]
    program = subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert program.stdout.readline() == "flooding\n"
    time.sleep(1.0)  # it fills all the places it can get
    try:
        yield
    finally:
        program.communicate()
        assert program.returncode == 0


class Guest:
    """A peer and all that it is told."""

    def __init__(self) -> None:
        self.told: list[events.Event] = []
        self.peer: Peer

    def of(self, kind: Any) -> list[events.Event]:
        return [one for one in self.told if is_of(one, kind)]

    @property
    def is_in(self) -> bool:
        return bool(self.of(events.Lobby) or self.of(MatchBegan))

    @property
    def is_over(self) -> bool:
        return self.is_in or bool(self.of(events.Stopped))


@pytest.fixture
def guests(tmp_path: Path) -> Iterator[list[Guest]]:
    """A host (first), and whoever else is added; all are closed in the end."""
    host = Guest()
    setup = Setup.of(GAMES["kitsune"], 2)
    table = HostSetup(setup, ("ada",), frozenset({Seat(0)}))
    host.peer = Peer.host(table, "ada", host.told.append, port=0, address=HERE, logs=tmp_path)
    wait_for(lambda: host.of(Listening), "the table")
    made = [host]
    yield made
    for one in made:
        one.peer.close()


def come(guests: list[Guest], tmp_path: Path, what: str = messages.WATCH) -> Guest:
    one, host = Guest(), guests[0].peer
    code, name = host._session.code, f"p{len(guests)}"
    into = tmp_path / name
    one.peer = Peer.join(HERE, host.port, code, name, one.told.append, what=what, logs=into)
    guests.append(one)
    return one


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["silent", "begun", "returns"])
def test_newcomers_get_in_through_a_flood(guests: list[Guest], tmp_path: Path, kind: str) -> None:
    with flooded(kind, guests[0].peer.port):
        began = time.monotonic()
        newcomers = [come(guests, tmp_path) for _ in range(NEWCOMERS)]
        wait_for(lambda: all(one.is_over for one in newcomers), "the newcomers")
        assert [one.of(events.Stopped) for one in newcomers if not one.is_in] == []
        print(f"{kind}: {NEWCOMERS} in {time.monotonic() - began:.2f} s")


def test_a_player_comes_back_through_a_flood(guests: list[Guest], tmp_path: Path) -> None:
    host, player = guests[0], come(guests, tmp_path, messages.JOIN)
    wait_for(lambda: player.is_in, "the lobby")
    player.peer.ready()
    wait_for(lambda: any(one.can_start for one in host.of(events.Lobby)), "the player")
    host.peer.start()
    wait_for(lambda: player.of(MatchBegan), "the match")
    with flooded("begun", host.peer.port):
        for wire in list(player.peer._connections.wires.values()):
            player.peer._call(wire.writer.transport.abort)
        wait_for(lambda: player.of(events.Status.AWAY), "the broken line")
        wait_for(lambda: player.of(events.Status.BACK), "the way back")


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("is_cut", [False, True])
def test_who_is_let_in_while_the_table_closes_leaves_nothing_open(
    guests: list[Guest], is_cut: bool
) -> None:
    host = guests[0].peer
    host._call(lambda: time.sleep(0.3))  # all that follows is one turn of the loop
    coming = [socket.create_connection((HERE, host.port)) for _ in range(NEWCOMERS)]
    if is_cut:
        host._call(host._cut)
    host.close()
    for one in coming:
        one.settimeout(5.0)
        with one, suppress(ConnectionResetError):
            assert one.recv(1) == b""
    guests.clear()
    del host
    gc.collect()  # what is still open is said here
