"""Whoever comes to an open port: browsers, noise, and who never reads."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

import pytest

from kumite.net.session.events import Listening, MatchBegan
from kumite.net.transport import connections
from kumite.net.wire import framing
from tests.support.peers import GET, Opener, begin, play, raw, seated, until_closed
from tests.support.waiting import PAUSE, looks, wait_for


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
