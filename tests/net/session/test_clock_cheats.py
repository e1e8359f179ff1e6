"""A terminal that lies about time: charged by what the others measured, and then found out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

from kumite.net.replica import apply, audit
from kumite.net.replica.ledger import Late
from kumite.net.replica.records import Evidence
from kumite.net.session import clocks, events, playing, replication
from kumite.net.session.state import Reaction
from kumite.net.wire import messages, posts
from kumite.net.wire.posts import Body, Post
from kumite.tui.play.network_words import text
from tests.net.session.test_clocks import ADA, AWAY, BOB, SECONDS, forge, left, posted, three, timed

if TYPE_CHECKING:
    from tests.support.simulation import Network, Node

LONG = 95  # s that a cheat thinks


def cheat(
    monkeypatch: pytest.MonkeyPatch, *, is_host: bool, at: Callable[[], int] | None = None
) -> None:
    """Let one side claim that it has not thought at all, and at what times it has posted."""
    spent, signed = playing.clocks.spent, replication.signed

    def forged(r: Reaction, body: Body) -> Post:
        post = signed(r, body)
        if at is None or r.s.is_host is not is_host:
            return post
        post = replace(post, at=at())
        signature = r.live.signer.sign(apply.signed_bytes(r.live.ledger, post))
        return replace(post, signature=signature)

    flags_at = playing.clocks.flags_at
    monkeypatch.setattr(replication, "signed", forged)
    monkeypatch.setattr(
        playing.clocks, "flags_at", lambda s: [] if s.is_host is is_host else flags_at(s)
    )
    monkeypatch.setattr(
        playing.clocks, "spent", lambda r, seat: 0 if r.s.is_host is is_host else spent(r, seat)
    )


def refuse_charges(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the host enter nothing that is said of its time."""
    check = playing._check_now

    def checked(r: Reaction, place: Any, terminal: int, body: Body) -> None:
        if isinstance(body, posts.Away):
            raise Late("no")
        check(r, place, terminal, body)

    monkeypatch.setattr(playing, "_check_now", checked)


def table(terminals: int) -> Network:
    """A table at which the host is to act; with two terminals somebody looks on."""
    net = three(AWAY) if terminals == 3 else timed()
    while net.mover is not net.host:
        net.step()
    return net


def others(net: Network) -> list[Node]:
    return net.nodes[1:]


def think(net: Network, seconds: float) -> None:
    """Let the host think, move, and have the others move."""
    net.run(net.now + seconds)
    net.step(net.host)
    for _ in range(len(net.nodes)):
        if net.host.session.is_closed or net.mover is net.host:
            return
        net.step()


@pytest.mark.parametrize("terminals", [2, 3])
def test_a_host_that_says_it_has_not_thought_is_charged_and_then_found_out(
    terminals: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    net = table(terminals)
    cheat(monkeypatch, is_host=True, at=count(1).__next__)
    think(net, LONG)
    for node in net.nodes:
        assert SECONDS + AWAY - LONG - 2 <= left(node, ADA) <= SECONDS + AWAY - LONG + 2
    assert not any(node.told(events.Stopped) for node in net.nodes)
    think(net, 20)
    for node in others(net):
        (stopped,) = node.told(events.Stopped)
        assert (stopped.code, stopped.seats) == ("clock", {ADA}), text(stopped)
        assert "ada" in text(stopped)
        assert "21 s" in text(stopped)


def test_a_clock_that_does_not_grow_is_proved_by_the_signed_post(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    net = table(2)
    cheat(monkeypatch, is_host=True, at=lambda: 0)
    think(net, LONG)
    think(net, LONG)
    for node in others(net):
        stopped = node.told(events.Stopped)[-1]
        assert (stopped.code, stopped.seats) == ("foul", {ADA})
        (kept,) = [one.post for one in node.kept if isinstance(one, Evidence)]
        assert audit.foul_of(node.live.ledger, kept) is not None


@pytest.mark.parametrize("terminals", [2, 3])
def test_a_host_that_refuses_to_be_charged_ends_the_match(
    terminals: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    net = table(terminals)
    refuse_charges(monkeypatch)
    cheat(monkeypatch, is_host=True)
    think(net, LONG)
    assert net.nodes[1].stop == ("clock", {ADA})


def test_a_host_whose_judge_keeps_quiet_is_found_out_by_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    net = table(3)
    refuse_charges(monkeypatch)
    cheat(monkeypatch, is_host=True)
    monkeypatch.setattr(playing, "refused", lambda *_: None)  # bob is a friend of ada's
    for _ in range(2):
        think(net, LONG)
    assert net.nodes[2].told(events.Stopped)[-1].code == "clock"


def test_a_host_cannot_think_while_it_holds_a_joiners_step_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    net = timed()
    bob = net.nodes[1]
    held = hold(monkeypatch)
    monkeypatch.setattr(clocks, "is_judge", lambda live, seat: live.me != 0 and seat == ADA)
    net.step(bob)
    net.run(net.now + 40)
    net.host.does(held[0])
    monkeypatch.undo()
    net.step(net.host)  # and it refuses to be charged: its own clock has only begun to run
    assert bob.stop == ("clock", {ADA})
    assert left(bob, BOB) >= SECONDS + AWAY - 10


def test_a_host_wins_no_time_by_holding_a_step_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its clock would say that bob is still thinking."""
    net = timed(watcher=False)
    bob = net.nodes[1]
    hold(monkeypatch)
    net.step(bob)
    net.run(net.now + SECONDS + AWAY + 10)
    assert bob.stop[0] == "clock"
    assert bob.live.ledger.end is None


def hold(monkeypatch: pytest.MonkeyPatch) -> list[Callable[[Reaction], None]]:
    """Let the host put aside what it is asked to enter; return what it does not do."""
    held: list[Callable[[Reaction], None]] = []
    request = playing._requested

    def put_aside(_: Reaction, *what: Any) -> None:
        held.append(lambda r: request(r, *what))

    monkeypatch.setattr(playing, "_requested", put_aside)
    return held


def test_a_host_cannot_talk_down_what_others_have_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """It tells them again and again that it has only begun to think."""
    net = table(2)
    cheat(monkeypatch, is_host=True)
    for _ in range(LONG):
        net.run(net.now + 1)
        running = messages.Running(net.host.live.ledger.match.number, ((ADA, 0, 0, 0),))
        net.host.does(lambda r, running=running: r.send_all(running))
    net.step(net.host)
    for node in net.nodes:
        assert left(node, ADA) <= SECONDS + AWAY - LONG + 3


def test_a_judge_cannot_charge_what_was_said_already(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bob has thought for 30 s and said so; ada says that he was away for as long besides."""
    net = timed(watcher=False)
    bob = net.nodes[1]
    net.run(net.now + 30)
    net.step(bob)
    forge(net.host, posts.Away(1, BOB, 29_000))
    net.run(net.now + 1)
    assert bob.stop[0] == "clock"


def test_a_joiner_who_says_nothing_of_their_thinking_is_charged_each_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    net = timed()
    bob = net.nodes[1]
    cheat(monkeypatch, is_host=False, at=count(0).__next__)
    for spent in (LONG, LONG + 50):
        net.run(net.now + (LONG if spent == LONG else 50))
        net.step(bob)
        for node in net.nodes:
            assert left(node, BOB) <= SECONDS + AWAY - spent + 3
        net.step(net.host)
    net.run(net.now + 60)
    assert net.host.live.ledger.end.seats == (BOB,)


@pytest.mark.parametrize("number", [2, 3])
def test_a_joiner_who_accuses_an_honest_host_charges_nothing(number: int) -> None:
    net = table(2)
    net.run(net.now + 10)
    net.step(net.host)
    forge(net.nodes[1], posts.Away(number, ADA, 1000 * LONG))
    net.run(net.now + 2)
    assert not net.host.told(events.Stopped)
    for node in (net.host, net.nodes[2]):
        assert left(node, ADA) >= SECONDS + AWAY - 12
        assert not posted(node, posts.Away)


def test_a_step_is_charged_once_and_soon() -> None:
    """Each charge may be a little more than others have measured; they do not add up."""
    net = timed(watcher=False)
    bob = net.nodes[1]
    net.steps(10)
    before = left(bob, BOB)
    for number in (1, 9, 9, 10, 12):
        away = posts.Away(number, BOB, 4000)
        if number != 9 or before != left(bob, BOB):
            with pytest.raises(Late):
                net.host.does(lambda r, away=away: enter(r, away))
        else:
            net.host.does(lambda r, away=away: enter(r, away))
        net.run(net.now + 1)
    assert left(bob, BOB) == before - 4


def enter(r: Reaction, body: Body) -> None:
    replication.enter(r, replication.signed(r, body), is_checked=True)


def test_a_judge_who_charges_a_little_more_each_time_is_found_out() -> None:
    net = timed(watcher=False, away=10)
    bob = net.nodes[1]
    for number in range(1, 12, 2):
        if bob.session.is_closed:
            break
        net.step(bob)
        forge(net.host, posts.Away(number, BOB, 4500))
        net.run(net.now + 0.5)
        net.step(net.host)
    assert bob.told(events.Stopped)[-1].code == "clock"
    assert left(bob, BOB) >= SECONDS - 10


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("skew", [0.0, 7200.0])
def test_a_slow_line_and_other_clocks_accuse_nobody(seed: int, skew: float) -> None:
    """300 ms each way at the mean, up to seconds; and a clock that runs from elsewhere."""
    net = timed()
    net.rng.seed(seed)
    net.delay = 0.3
    bob = net.nodes[1]
    timing = replace(bob.live.timing, epoch=bob.live.timing.epoch - skew)
    bob.session = replace(bob.session, live=replace(bob.live, timing=timing))
    for number in range(12):
        net.run(net.now + 0.5 + 4 * net.rng.random())
        net.step()
        net.run(net.now + 4)
        assert not any(node.told(events.Stopped) for node in net.nodes), number
    for seat in (ADA, BOB):
        plays = [one for one in posted(net.host, posts.Play) if one.seat == seat]
        assert net.host.live.ledger.time.left[seat] == 1000 * SECONDS - sum(p.spent for p in plays)
