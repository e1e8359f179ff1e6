"""Peers on real sockets of this machine: whole tables, and what ends them."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from kumite.core.game import Seat, Setup
from kumite.core.games import GAMES
from kumite.core.log import Writer, read
from kumite.net.session import events
from kumite.net.session.events import (
    Ended,
    Event,
    HostSetup,
    Left,
    Listening,
    Lobby,
    MatchBegan,
    MatchChanged,
    Said,
    Stopped,
)
from kumite.net.transport import peer
from kumite.net.transport.peer import Peer
from kumite.net.wire import messages, posts
from kumite.store import log_files, system
from kumite.store.library import Library
from kumite.tui.play.network_words import reason
from tests.support.peers import HERE, Inbox, Opener, begin, play, seated, table
from tests.support.random_matches import choose
from tests.support.waiting import PATIENCE


def from_first_step(path: Path | None) -> str:
    text = path.read_text(encoding="utf-8")
    return text[text.index("\nstep 1 ") :]


def test_a_whole_match_leaves_two_sound_logs_that_are_equal_from_the_first_step(
    open_peer: Callable[..., Opener],
) -> None:
    host, at_host, joiner, at_joiner = seated(open_peer)
    match = play(host, at_host, joiner, at_joiner)
    assert match.outcome is not None
    joiner.say("well played", is_unkept=True)
    said = Said("well played", Seat(1), is_unkept=True)
    assert at_host.of(Said) == at_joiner.of(Said) == said
    joiner.leave()
    assert at_joiner.of(Left).is_closed
    assert not at_host.of(Left).is_closed
    host.leave()
    assert at_host.of(Left).is_closed
    for one in (host, joiner):
        one.close()
        found = read(one.path.read_text(encoding="utf-8"))
        assert found.damage is None
        assert found.match.digest == match.digest
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
        log = log_files.load(one.path)
        assert log.end.kind == "adjourned"
        library = Library(one.path.parent)
        library.read()
        saved = next(kept for kept in library.all() if kept.name == one.path.name)
        assert library.can_go_on(saved)
        table = log_files.table_of(one.path, log.header)
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
            inbox.of(events.Status.AWAY)
            inbox.of(events.Status.BACK)
    rng, match = Random(5), host._session.live.ledger.match
    for _ in range(2):
        actor, step = choose(match, rng)
        (host if actor == 0 else joiner).play(actor, step)
        match = at_host.of(MatchChanged).match
        assert at_joiner.of(MatchChanged).match.digest == match.digest


def test_both_go_on_from_their_logs(
    open_peer: Callable[..., Opener], monkeypatch: pytest.MonkeyPatch
) -> None:
    host, at_host, joiner, at_joiner = seated(open_peer)
    play(host, at_host, joiner, at_joiner, longest=3)
    host.offer(posts.BACK, 2)
    at_joiner.of(events.Offered)
    joiner.answer(True)
    assert at_host.of(MatchChanged).match.number == 2
    assert at_joiner.of(MatchChanged).match.number == 2
    port = host.port
    host.new_code()
    code = at_host.of(events.CodeChanged).code
    monkeypatch.setattr(system, "has_lost_terminal", lambda: True)
    host.close()
    at_joiner.of(events.Status.AWAY)  # not `Left`: it waits
    joiner.close()
    inboxes, again = [Inbox(), Inbox()], []
    for one, inbox in zip((joiner, host), inboxes, strict=True):  # the joiner comes first
        again.append(Peer.resume(one.path, inbox.queue.put))
        if one is host:  # what friends were sent stays good
            assert inbox.of(events.Listening).code == code
        assert inbox.of(MatchBegan).match.number == 2
    assert again[1].port in (port, 0) or again[1].port == port
    for inbox in inboxes:
        inbox.of(events.Status.BACK)
    again[1].play(*choose(again[1]._session.live.ledger.match, Random(5)))
    assert inboxes[0].of(MatchChanged).match.number == 3
    for peer_ in again:
        peer_.close()
        found = log_files.load(peer_.path)
        assert (found.match.number, found.damage) == (3, None)


def test_who_cannot_write_a_log_is_stopped_with_a_reason_and_the_table_waits(
    open_peer: Callable[..., Opener], tmp_path: Path
) -> None:
    no_folder = tmp_path / "file"
    no_folder.write_text("")
    _, at_host = open_peer()
    _, at_joiner = open_peer(at_host.of(Listening).port, logs=no_folder)
    assert len(at_host.of(Lobby).guests) == 1
    stopped = at_joiner.of(Stopped)
    assert stopped.code == "log-file"
    assert "KUMITE_LOGS" in reason(stopped)[1]
    assert at_host.queue.empty()  # it waits for somebody else


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
    host._thread.join(PATIENCE)
    assert not host._thread.is_alive()
    assert [type(fault) for fault in faults] == [ZeroDivisionError]


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
        text = one.path.read_text()
        found = read(text)
        assert found.damage is None
        assert found.whole.by is None
        assert found.whole.digest == found.match.digest
        assert "?" not in " ".join(step.step for step in found.whole.steps())
        assert "?" in " ".join(step.step for step in found.match.steps())
        lines = Writer(found.chain).lines("open 1 no-such-step", "audit fair")
        assert read(text + lines).damage is not None
