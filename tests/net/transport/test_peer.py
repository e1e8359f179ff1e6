"""Peers on real sockets of this machine: whole tables, strangers, and everything that can fail."""

from __future__ import annotations

import os
import queue
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, TypeVar

import pytest

from kumite.cli.bench import ALL_GAMES
from kumite.core.errors import BadSetup
from kumite.core.game import Seat, Setup
from kumite.core.games import GAMES
from kumite.core.log import read
from kumite.core.match import Match
from kumite.net.session import events
from kumite.net.session.events import (
    Ended,
    Left,
    Listening,
    Lobby,
    MatchBegan,
    MatchChanged,
    Said,
    Stopped,
)
from kumite.net.session.inputs import HostSetup
from kumite.net.transport import connections, peer, sockets
from kumite.net.transport.addresses import PORT, own_addresses, parse_address
from kumite.net.transport.peer import Peer
from kumite.net.wire import framing, messages, posts
from kumite.store import log_files
from kumite.store.library import Library
from tests.support.places import ROOT
from tests.support.random_matches import choose
from tests.support.waiting import PATIENCE, PAUSE, looks, wait_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kumite.net.session.events import Event

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

    def of(self, kind: type[E]) -> E:
        while True:
            event = self.queue.get(timeout=PATIENCE)
            if isinstance(event, kind):
                return event
            assert not isinstance(event, Stopped), event


Opener = tuple[Peer, Inbox]


@pytest.fixture
def open_peer(tmp_path: Path) -> Iterator[Callable[..., Opener]]:
    """Open peers on this machine; all are closed, and their threads gone, when the test ends."""
    opened: list[Peer] = []

    def host(given: HostSetup | None = None, **more: Any) -> Opener:
        inbox = Inbox()
        more = {"port": 0, "address": HERE, "logs": tmp_path, **more}
        opened.append(Peer.host(given or table(), "ada", inbox.queue.put, **more))
        return opened[-1], inbox

    def join(port: int, address: str = HERE, **more: Any) -> Opener:
        inbox = Inbox()
        more = {"logs": tmp_path, "games": ALL_GAMES, **more}
        code = more.pop("code", "") or next(
            (one._session.code for one in opened if one.port == port and one._session.is_host), CODE
        )
        opened.append(Peer.join(address, port, code, "bob", inbox.queue.put, **more))
        return opened[-1], inbox

    def open_(port: int = 0, *args: Any, **more: Any) -> Opener:
        return join(port, *args, **more) if port else host(*args, **more)

    yield open_
    for one in opened:
        one.close()
        assert one._thread is not None
        assert not one._thread.is_alive()


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
    at_host.of(Lobby)
    joiner.ready()
    assert at_host.of(Lobby).can_start
    host.start()


def play(host: Peer, at_host: Inbox, joiner: Peer, at_joiner: Inbox, longest: int = 999) -> Match:
    rng, match = Random(5), Match.begin(Setup.of(MK6))
    while match.actors and match.number < longest:
        actor, step = choose(match, rng)
        (host if actor == 0 else joiner).play(actor, step)
        match = at_host.of(MatchChanged).match
        assert at_joiner.of(MatchChanged).match.digest == match.digest
    return match


def from_first_step(path: Path | None) -> str:
    assert path is not None
    text = path.read_text(encoding="utf-8")
    return text[text.index("\nstep 1 ") :]


def test_a_whole_match_leaves_two_sound_logs_that_are_equal_from_the_first_step(
    open_peer: Callable[..., Opener],
) -> None:
    host, at_host, joiner, at_joiner = seated(open_peer)
    match = play(host, at_host, joiner, at_joiner)
    assert match.outcome is not None
    joiner.say("well played")
    assert at_host.of(Said) == at_joiner.of(Said) == Said(Seat(1), "well played")
    joiner.leave()
    assert at_joiner.of(Left).is_closed
    assert not at_host.of(Left).is_closed
    host.leave()
    assert at_host.of(Left).is_closed
    for one in (host, joiner):
        one.close()
        assert one.path is not None
        found = read(one.path.read_text(encoding="utf-8"), ALL_GAMES)
        assert found.damage is None
        assert found.match.digest == match.digest
        assert found.end is not None
        assert found.end.kind == "outcome"
    assert from_first_step(host.path) == from_first_step(joiner.path)
    for inbox in (at_host, at_joiner):
        assert inbox.queue.empty()  # nothing after the last event


def test_resigning_and_leaving_reach_the_other_side_and_both_logs(
    open_peer: Callable[..., Opener],
) -> None:
    host, at_host, joiner, at_joiner = seated(open_peer)
    play(host, at_host, joiner, at_joiner, longest=3)
    joiner.resign(Seat(1))
    assert at_host.of(Ended).end.kind == at_joiner.of(Ended).end.kind == "resigned"
    for one in (host, joiner):
        one.close()
        assert "end resigned 1 ~" in from_first_step(one.path)
    host, at_host, joiner, at_joiner = seated(open_peer)
    play(host, at_host, joiner, at_joiner, longest=3)
    host.close()
    assert at_joiner.of(Left).is_closed
    joiner.close()
    for one in (host, joiner):
        assert one.path is not None
        log = log_files.load(one.path, ALL_GAMES)
        assert log.end is not None
        assert log.end.kind == "adjourned"
        library = Library(one.path.parent, ALL_GAMES)
        library.read()
        saved = next(kept for kept in library.all() if kept.name == one.path.name)
        assert library.can_go_on(saved)
        table = log_files.table_of(one.path, log.header)
        assert table is not None
        assert table.stat().st_mode & 0o777 == 0o600


def cut(one: Peer) -> None:
    """Break all connections of a peer, as a network would."""
    for wire_ in list(one._connections.wires.values()):
        one._call(wire_.writer.transport.abort)


def test_a_broken_connection_is_back_within_a_second(open_peer: Callable[..., Opener]) -> None:
    host, at_host, joiner, at_joiner = seated(open_peer)
    play(host, at_host, joiner, at_joiner, longest=2)
    for one in (host, joiner):
        cut(one)
        for inbox in (at_host, at_joiner):
            inbox.of(events.Away)
            inbox.of(events.HeardAgain)
    rng, match = Random(5), host._session.live.ledger.match  # type: ignore[union-attr]
    for _ in range(2):
        actor, step = choose(match, rng)
        (host if actor == 0 else joiner).play(actor, step)
        match = at_host.of(MatchChanged).match
        assert at_joiner.of(MatchChanged).match.digest == match.digest


def test_both_go_on_from_their_logs(open_peer: Callable[..., Opener], tmp_path: Path) -> None:
    host, at_host, joiner, at_joiner = seated(open_peer)
    play(host, at_host, joiner, at_joiner, longest=3)
    host.offer(posts.BACK, 2)
    at_joiner.of(events.Offered)
    joiner.answer(True)
    assert at_host.of(MatchChanged).match.number == 2
    assert at_joiner.of(MatchChanged).match.number == 2
    port = host.port
    for one in (host, joiner):
        one.close()
    inboxes, again = [Inbox(), Inbox()], []
    for one, inbox in zip((joiner, host), inboxes, strict=True):  # the joiner comes first
        assert one.path is not None
        again.append(Peer.resume(one.path, inbox.queue.put, games=ALL_GAMES))
        assert inbox.of(MatchBegan).match.number == 2
    assert again[1].port in (port, 0) or again[1].port == port
    for inbox in inboxes:
        inbox.of(events.HeardAgain)
    again[1].play(*choose(again[1]._session.live.ledger.match, Random(5)))  # type: ignore[union-attr]
    assert inboxes[0].of(MatchChanged).match.number == 3
    for peer_ in again:
        peer_.close()
        assert peer_.path is not None
        found = log_files.load(peer_.path, ALL_GAMES)
        assert (found.match.number, found.damage) == (3, None)


# A terminal as a program of its own: it plays the first legal step whenever it may.
PROGRAM = """
import sys, time
from pathlib import Path
from kumite.core.game import Seat, Setup
from kumite.core.games import GAMES
from kumite.net.session import events
from kumite.net.session.inputs import HostSetup
from kumite.net.transport.peer import Peer
what, folder, port, code = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
def deliver(event):
    if isinstance(event, events.Listening):
        print("listening", event.port, event.code, flush=True)
    elif isinstance(event, events.Lobby) and what == "host" and event.can_start:
        peers[0].start()
    elif isinstance(event, events.MatchChanged):
        print("step", event.match.number, flush=True)
    elif isinstance(event, events.Stopped):
        print("stopped", event.text, flush=True)
peers = []
logs = list(folder.glob("*.kumite"))
if logs:
    peers.append(Peer.resume(logs[0], deliver))
elif what == "host":
    table = HostSetup(Setup.of(GAMES["kitsune"], 2), ("ada",), frozenset({Seat(0)}))
    peers.append(Peer.host(table, "ada", deliver, port=0, address="127.0.0.1", logs=folder))
else:
    peers.append(Peer.join("127.0.0.1", port, code, "bob", deliver, logs=folder))
    peers[0].ready()
while True:
    time.sleep(0.02)
    live = peers[0]._session.live
    if live is None:
        continue
    match, mine = live.ledger.match, live.ledger.seats_of(live.me)
    if not match.actors and live.is_audited:
        print("over", match.digest.hex(), flush=True)
        break
    for seat in match.actors:
        if seat in mine and not live.ledger.has_chosen(seat) and not live.asked:
            peers[0].play(seat, match.legal(seat)[0])
time.sleep(1.5)
peers[0].close()
"""


def test_both_programs_are_killed_in_the_middle_and_go_on(tmp_path: Path) -> None:
    folders = (tmp_path / "ada", tmp_path / "bob")

    def started(what: str, port: str = "0", code: str = CODE) -> subprocess.Popen[str]:
        folder = folders[what == "join"]
        folder.mkdir(exist_ok=True)
        return subprocess.Popen(
            [sys.executable, "-c", PROGRAM, what, str(folder), port, code],
            stdout=subprocess.PIPE, text=True, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)},
        )  # fmt: skip

    def until(program: subprocess.Popen[str], begins: str) -> list[str]:
        assert program.stdout is not None
        for line in program.stdout:
            assert not line.startswith("stopped"), line
            if line.startswith(begins):
                return line.split()
        raise AssertionError(f"never {begins}")

    host = started("host")
    _, port, code = until(host, "listening")
    joiner = started("join", port, code)
    until(joiner, "step 30")
    for program in (host, joiner):
        program.kill()
        program.communicate(timeout=PATIENCE)
    again = [started("join"), started("host")]
    ends = {until(program, "over")[1] for program in again}
    assert len(ends) == 1
    for program in again:
        program.communicate(timeout=PATIENCE)
    logs = [log_files.load(next(folder.glob("*.kumite"))) for folder in folders]
    assert {log.match.digest.hex() for log in logs} == ends
    assert all(log.damage is None and log.end is not None for log in logs)
    assert any(entry.kind == "audit" and entry.rest == "fair" for entry in logs[0].entries)


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


GET = b"GET / HTTP/1.1\r\nHost: localhost\r\nUser-Agent: Mozilla/5.0\r\n\r\n"


def test_a_browser_gets_nothing_and_the_table_still_works(
    open_peer: Callable[..., Opener],
) -> None:
    host, at_host = open_peer()
    port = at_host.of(Listening).port
    for said in (
        GET,
        b"\x16\x03\x01\x02\x00\x01\x00",
        framing.PREAMBLE + b"\xff" * 9,
        b"kumite/2\n",
    ):
        with raw(port) as browser:
            browser.sendall(said)
            assert until_closed(browser) == b""
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


def test_whatever_strangers_send_the_table_waits_on(open_peer: Callable[..., Opener]) -> None:
    rng = Random(7)
    host, at_host = open_peer()
    port = at_host.of(Listening).port
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
    joiner, at_joiner = open_peer(port)
    begin(host, at_host, joiner)
    at_host.of(MatchBegan)
    at_joiner.of(MatchBegan)
    play(host, at_host, joiner, at_joiner, longest=4)


def test_a_third_terminal_is_told_that_the_table_is_taken(
    open_peer: Callable[..., Opener],
) -> None:
    host, at_host, joiner, at_joiner = seated(open_peer)
    _, at_third = open_peer(host.port)
    stopped = at_third.of(Stopped)
    assert stopped.code == "full"
    assert stopped.hint
    play(host, at_host, joiner, at_joiner, longest=2)


def test_who_cannot_write_a_log_is_stopped_with_a_reason_and_the_table_waits(
    open_peer: Callable[..., Opener], tmp_path: Path
) -> None:
    no_folder = tmp_path / "file"
    no_folder.write_text("")
    _, at_host = open_peer()
    _, at_joiner = open_peer(at_host.of(Listening).port, logs=no_folder)
    stopped = at_joiner.of(Stopped)
    assert stopped.code == "log-file"
    assert "KUMITE_LOGS" in stopped.hint
    assert at_host.queue.empty()  # it waits for somebody else


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
        assert stopped.hint
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
        assert stopped.hint
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


def test_a_server_that_is_no_table_is_named(open_peer: Callable[..., Opener]) -> None:
    with socket.create_server((HERE, 0)) as server:
        server.settimeout(PATIENCE)
        _, inbox = open_peer(server.getsockname()[1])
        connection, _ = server.accept()
        with connection:
            assert connection.recv(100).startswith(framing.PREAMBLE)
            connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            assert inbox.of(Stopped).code == "no-table"


def test_leaving_works_at_any_time_and_twice(open_peer: Callable[..., Opener]) -> None:
    host, inbox = open_peer()
    host.leave()
    host.leave()
    inbox.of(Left)
    host.close()
    host.close()
    host.say("nobody hears this")
    with socket.create_server((HERE, 0), backlog=0) as server:
        joiner, inbox = open_peer(server.getsockname()[1])
        joiner.close()
        inbox.of(Left)


def test_a_fault_of_the_app_ends_the_table_and_is_not_hidden(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    faults: list[BaseException | None] = []
    monkeypatch.setattr(threading, "excepthook", lambda args: faults.append(args.exc_value))

    def deliver(event: Event) -> None:
        raise ZeroDivisionError(type(event).__name__)

    host = Peer.host(table(), "ada", deliver, port=0, address=HERE, logs=tmp_path)
    assert host._thread is not None
    host._thread.join(PATIENCE)
    assert not host._thread.is_alive()
    assert [type(fault) for fault in faults] == [ZeroDivisionError]


def test_without_an_address_a_host_listens_on_all_of_them(
    open_peer: Callable[..., Opener],
) -> None:
    _, at_host = open_peer(address=None)
    listening = at_host.of(Listening)
    assert listening.addresses == own_addresses()
    places = [HERE, *(one for one in listening.addresses if "." in one)]
    if socket.has_dualstack_ipv6():
        places += ["::1", *(one for one in listening.addresses if "%" in one)]
    for place in places:
        with socket.create_connection((place, listening.port), timeout=PATIENCE) as stranger:
            stranger.sendall(GET)
            assert until_closed(stranger) == b""
    _, at_joiner = open_peer(listening.port, places[-1])  # link-local with its scope, if there is
    at_joiner.of(Lobby)


def test_own_addresses_are_addresses_without_loopback_unless_there_is_nothing_else() -> None:
    found = own_addresses()
    assert found
    assert len(set(found)) == len(found)
    for one in found:
        assert parse_address(one) == (one, PORT)
        socket.getaddrinfo(one, PORT, flags=socket.AI_NUMERICHOST)
    assert not any(one.startswith("127.") for one in found) or found == ("127.0.0.1",)


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


def test_the_version_that_is_told_fits_into_a_greeting() -> None:
    messages.as_plain(messages.Hello(messages.PROTOCOL, peer.program(), messages.JOIN))


def test_a_log_completed_by_its_audit_opens_as_the_whole_match(
    open_peer: Callable[..., Opener],
) -> None:
    setup = Setup.of(GAMES["kiriai"], 2)
    host, at_host = open_peer(0, HostSetup(setup, ("ada",), frozenset({Seat(0)})))
    joiner, at_joiner = open_peer(at_host.of(Listening).port)
    begin(host, at_host, joiner)
    for one, inbox in ((host, at_host), (joiner, at_joiner)):
        match, seat = inbox.of(MatchBegan).match, Seat(int(one is joiner))
        while seat not in match.actors:
            match = inbox.of(MatchChanged).match
        one.play(seat, match.legal(seat)[-1])
    while not any("?" in one.step for one in match.steps()):
        match = at_joiner.of(MatchChanged).match
    joiner.resign(Seat(1))
    for one, inbox in ((host, at_host), (joiner, at_joiner)):
        assert inbox.of(events.Audited).verdict.is_sound
        one.close()
        assert one.path is not None
        text = one.path.read_text()
        found = read(text)
        assert found.damage is None
        assert found.whole is not None
        assert found.whole.by is None
        assert found.whole.digest == found.match.digest
        assert "?" not in " ".join(step.step for step in found.whole.steps())
        assert "?" in " ".join(step.step for step in found.match.steps())
        _, lines = found.writer.lines("open 1 no-such-step", "audit fair")
        assert read(text + lines).damage is not None


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


def test_a_table_is_reached_by_whichever_of_its_addresses_answers(
    open_peer: Callable[..., Opener],
) -> None:
    """The first ones are of a network that is not here: TEST-NET-1 (RFC 5737), and no name."""
    host, at_host = open_peer()
    port = at_host.of(Listening).port
    joiner, at_joiner = open_peer(port, "192.0.2.1", others=("no.such.name.invalid", HERE))
    begin(host, at_host, joiner)
    assert at_joiner.of(MatchBegan).seats == {1}
