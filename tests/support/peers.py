"""Peers on real sockets of this machine: a table, who sits at it, and what they are told."""

from __future__ import annotations

import queue
import socket
from collections.abc import Callable
from random import Random
from typing import TypeVar, cast

from kumite.core.game import Seat, Setup
from kumite.core.match import Match
from kumite.net.session.events import (
    Event,
    HostSetup,
    Listening,
    Lobby,
    MatchBegan,
    MatchChanged,
    Status,
    Stopped,
)
from kumite.net.transport.peer import Peer
from tests.support.mk6 import ALL_GAMES
from tests.support.random_matches import choose
from tests.support.told import is_of
from tests.support.waiting import PATIENCE

MK6 = ALL_GAMES["mk6"]  # seat 0 begins, and seats alternate
CODE = "7-torii-lantern"
HERE = "127.0.0.1"
E = TypeVar("E")


def table(setup: Setup | None = None) -> HostSetup:
    return HostSetup(setup or Setup.of(MK6), ("ada",), frozenset({Seat(0)}))


class Inbox:
    """What a peer has told; `of` waits for the next event of a kind."""

    def __init__(self) -> None:
        self.queue: queue.Queue[Event] = queue.Queue()

    def of(self, kind: type[E] | Status) -> E:
        while True:
            event = self.queue.get(timeout=PATIENCE)
            if is_of(event, kind):
                return cast("E", event)
            assert not isinstance(event, Stopped), event


Opener = tuple[Peer, Inbox]


def seated(open_peer: Callable[..., Opener]) -> tuple[Peer, Inbox, Peer, Inbox]:
    host, at_host = open_peer()
    listening = at_host.of(Listening)
    assert listening.addresses == (HERE,)
    assert listening.port == host.port
    joiner, at_joiner = open_peer(listening.port)
    begin(host, at_host, joiner)
    assert at_host.of(MatchBegan).seats == {0}
    assert at_joiner.of(MatchBegan).seats == {1}
    return host, at_host, joiner, at_joiner


def begin(host: Peer, at_host: Inbox, joiner: Peer) -> None:
    while len(at_host.of(Lobby).guests) == 1:
        pass  # the host's table is told as soon as it is open
    joiner.ready()
    while not at_host.of(Lobby).can_start:
        pass
    host.start()


def play(host: Peer, at_host: Inbox, joiner: Peer, at_joiner: Inbox, longest: int = 999) -> Match:
    rng, match = Random(5), Match.begin(Setup.of(MK6))
    while match.actors and match.number < longest:
        actor, step = choose(match, rng)
        (host if actor == 0 else joiner).play(actor, step)
        match = at_host.of(MatchChanged).match
        assert at_joiner.of(MatchChanged).match.digest == match.digest
    return match


GET = b"GET / HTTP/1.1\r\nHost: localhost\r\nUser-Agent: Mozilla/5.0\r\n\r\n"


def raw(port: int) -> socket.socket:
    made = socket.socket()
    made.settimeout(PATIENCE)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)  # small: soon full
    made.connect((HERE, port))
    return made


def until_closed(connection: socket.socket) -> bytes:
    """Return all that comes before the other side closes."""
    data = b""
    while True:
        try:
            chunk = connection.recv(4096)
        except ConnectionResetError:
            return data
        if not chunk:
            return data
        data += chunk
