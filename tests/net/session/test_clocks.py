"""Clocks by evidence: who is cut off, suspended, started anew or lies wins nothing by it."""

from __future__ import annotations

from typing import Any

import pytest

from kumite.core.game import Seat, Setup
from kumite.core.games import GAMES
from kumite.net.session import events, replication
from kumite.net.session.state import Reaction
from kumite.net.wire import posts
from kumite.net.wire.posts import Body
from kumite.tui.play.network_words import text
from tests.support.lan_tables import begins, does, mover, step, stop_of, told, with_bob
from tests.support.simulation import Network, Node

SECONDS, AWAY = 100, 60
BOB = Seat(1)  # begins at Kuzushi


def timed(watcher: bool = True, away: int = AWAY) -> Network:
    """A table with clocks at which bob is to act, and somebody looks on."""
    net = Network(2, delay=0.005)
    setup = Setup.of(GAMES["kuzushi"], 2, {"board": "small"})
    net.open(events.HostSetup(setup, ("ada",), frozenset({Seat(0)}), (SECONDS, 0, away)))
    bob = with_bob(net)
    begins(net, 1)
    if watcher:
        net.join("eve", what="watch")
    net.run(8)
    assert mover(net) is bob
    return net


def shown(net: Network, node: Node) -> tuple[float, ...]:
    """The ms that its clocks show now."""
    at = node.live.timing
    assert at.shown_clocks is not None
    gone = 1000 * (net.now - at.shown_at)
    left = enumerate(at.shown_clocks.left)
    return tuple(max(0, ms - gone) if s in at.shown_clocks.running else ms for s, ms in left)


def agree(net: Network, *nodes: Node) -> bool:
    """Whether all screens show the same time, to 0.3 s."""
    by_seat = zip(*(shown(net, node) for node in nodes or net.nodes), strict=True)
    return all(max(one) - min(one) <= 300 for one in by_seat)


def posted(node: Node, kind: type[Any]) -> list[Any]:
    return [post.body for post in node.live.posts if isinstance(post.body, kind)]


def forge(node: Node, body: Body) -> None:
    """Let a program that is not ours post something."""

    def post(r: Reaction) -> None:
        r.play(wants=(body,))
        replication.advance(r)

    does(node, post)


def test_all_screens_show_the_same_time_whatever_the_lines_do() -> None:
    net = timed()
    for wait, trouble in ((3, None), (2, 0), (4, 1), (30, None), (5, 0)):
        if trouble == 0:
            net.lines[0].cut()
        elif trouble == 1:
            net.out_until = net.now + 20
        net.run(net.now + wait)
        if net.now > net.out_until + 3:
            assert agree(net), [shown(net, node) for node in net.nodes]
    before = shown(net, net.host)[BOB]
    net.run(net.now + 4)
    assert before - shown(net, net.host)[BOB] == pytest.approx(4000, abs=100)
    step(net, mover(net))
    net.run(net.now + 2)
    assert agree(net)


def test_time_away_is_free_and_taken_from_the_budget_of_the_seat() -> None:
    net = timed()
    net.run(net.now + 5)
    net.out_until = net.now + 40
    net.run(net.out_until + 2)
    step(net, mover(net))
    for node in net.nodes:
        assert SECONDS - 13 <= node.live.ledger.time.left[BOB] / 1000 <= SECONDS - 5
        assert AWAY - 42 <= node.live.ledger.time.free[BOB] / 1000 <= AWAY - 34
    (away,) = posted(net.host, posts.Away)
    assert (away.number, away.seat) == (1, BOB)


def test_a_suspended_program_loses_when_its_clock_and_its_free_time_are_over() -> None:
    net = timed()
    bob = net.nodes[1]
    net.kill(bob)  # nothing is heard of it
    net.run(net.now + SECONDS + AWAY - 20)
    assert net.host.live.ledger.end is None
    net.run(net.now + 30)
    for node in (net.host, net.nodes[2]):
        assert node.live.ledger.end is not None
        assert (node.live.ledger.end.kind, node.live.ledger.end.seats) == ("time", (BOB,))
    net.restart(bob)
    net.run(net.now + 5)
    assert bob.live.ledger.end == net.host.live.ledger.end


def test_a_suspended_host_loses_by_its_own_clock_too() -> None:
    """It comes back, and its step is worth no more than what its judge has measured."""
    net = timed(watcher=False)
    step(net, mover(net))
    began = net.now
    net.kill(net.host)
    net.run(began + SECONDS + AWAY + 30)
    net.restart(net.host)
    net.run(net.now + 10)
    for node in net.nodes:
        assert node.live.ledger.end is not None
        assert (node.live.ledger.end.kind, node.live.ledger.end.seats) == ("time", (0,))


def test_a_judge_who_lies_stops_the_match_and_nobody_wins() -> None:
    net = timed()
    net.run(net.now + 2)
    forge(net.host, posts.Away(1, BOB, 1000 * (SECONDS + AWAY + 1)))
    net.run(net.now + 2)
    assert stop_of(net.nodes[1])[0] == "clock"
    net = timed()
    step(net, mover(net))
    forge(net.nodes[1], posts.Away(2, Seat(0), 1000 * (SECONDS + AWAY + 1)))
    net.run(net.now + 2)
    assert net.host.live.ledger.end is None  # the host knows better, and does not enter it
    step(net, mover(net))
    assert agree(net)


def test_only_its_judge_speaks_of_a_seat() -> None:
    net = timed()
    step(net, mover(net))
    forge(net.nodes[1], posts.Away(1, BOB, 5))
    net.run(net.now + 2)
    assert stop_of(net.nodes[1])[0] in ("foul", "accused")


def three(away: int) -> Network:
    """A table of three with clocks, at which the host is to act."""
    net = Network(3, delay=0.005)
    setup = Setup.of(GAMES["kuzushi"], 3, {"board": "small"})
    net.open(events.HostSetup(setup, ("ada",), frozenset({Seat(0)}), (SECONDS, 0, away)))
    for name in ("bob", "cy"):
        net.join(name)
        net.run(net.now + 3)
    for node in net.nodes[1:]:
        node.feed(events.SetReady())
    net.run(net.now + 3)
    begins(net)
    while mover(net) is not net.host:
        step(net, mover(net))
    return net


@pytest.mark.parametrize("away", [0, 60])
@pytest.mark.parametrize("silence", [2, 8, 9.5, 12, 50])
@pytest.mark.parametrize("is_broken", [False, True])
def test_who_has_heard_of_a_step_late_believes_since_when_they_were_to_act(
    silence: float, away: int, is_broken: bool
) -> None:
    """The host makes its step as the network is out: its clock for the next one runs at once."""
    net = three(away)
    net.out_until = net.now + silence
    step(net, net.host)
    net.run(net.out_until + 0.02)
    for line in net.lines if is_broken else ():
        line.cut()
    net.run(net.out_until + 2)
    for _ in range(4):  # each of them has heard late of a step, or hears of what was said of it
        step(net, mover(net))
        net.run(net.now + 0.5)
        assert [text(one) for node in net.nodes for one in told(node, events.Stopped)] == []
    assert agree(net), [shown(net, node) for node in net.nodes]


@pytest.mark.parametrize("who", [0, 1])
def test_a_program_that_is_started_anew_keeps_the_running_time(who: int) -> None:
    net = timed()
    net.run(net.now + 20)
    before = shown(net, net.nodes[2])[BOB]
    net.kill(net.nodes[who])
    net.run(net.now + 3)
    net.restart(net.nodes[who])
    net.run(net.now + 4)
    assert agree(net), [shown(net, node) for node in net.nodes]
    assert before - 8000 <= shown(net, net.nodes[who])[BOB] <= before + 300
