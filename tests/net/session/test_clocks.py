"""Clocks by evidence: who is cut off, suspended, started anew or lies wins nothing by it."""

from __future__ import annotations

from typing import Any

import pytest

from kumite.core.game import Seat, Setup
from kumite.core.games import GAMES
from kumite.core.log import End
from kumite.net.session import events, replication
from kumite.net.session.state import Reaction
from kumite.net.wire import posts
from kumite.net.wire.posts import Body
from kumite.tui.play.network_words import text
from tests.support.lan_tables import opened, with_bob
from tests.support.simulation import Network, Node

SECONDS, AWAY = 100, 60
BOB = Seat(1)  # begins at Kuzushi


def timed(watcher: bool = True, away: int = AWAY) -> Network:
    """A table with clocks at which bob is to act, and somebody looks on."""
    net = opened(seed=2, delay=0.005, clock=(SECONDS, 0, away))
    bob = with_bob(net)
    net.begins(1)
    if watcher:
        net.join("eve", what="watch")
    net.run(8)
    assert net.mover is bob
    return net


def shown(net: Network, node: Node) -> tuple[float, ...]:
    """The ms that its clocks show now."""
    at = node.live.timing
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

    node.does(post)


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
    net.step()
    net.run(net.now + 2)
    assert agree(net)


def test_time_away_is_free_and_taken_from_the_budget_of_the_seat() -> None:
    net = timed()
    net.run(net.now + 5)
    net.out_until = net.now + 40
    net.run(net.out_until + 2)
    net.step()
    for node in net.nodes:
        assert SECONDS - 13 <= node.live.ledger.time.left[BOB] / 1000 <= SECONDS - 5
        assert AWAY - 42 <= node.live.ledger.time.free[BOB] / 1000 <= AWAY - 34
    (away,) = posted(net.host, posts.Away)
    assert (away.number, away.seat) == (1, BOB)


@pytest.mark.parametrize("who", [0, 1])
def test_a_suspended_program_loses_when_its_clock_and_its_free_time_are_over(who: int) -> None:
    """Without its host the table waits: it comes back, and its judge has measured its time."""
    net = timed()
    net.steps(1 - who)
    node = net.nodes[who]
    net.kill(node)  # nothing is heard of it
    net.run(net.now + SECONDS + AWAY - 20)
    assert net.nodes[1 - who].live.ledger.end is None
    net.run(net.now + 50)
    assert net.host.live.ledger.end == (End("time", (BOB,)) if who else None)
    net.restart(node)
    net.run(net.now + 10)
    assert {one.live.ledger.end for one in net.nodes} == {End("time", (who,))}


def test_a_judge_who_lies_stops_the_match_and_nobody_wins() -> None:
    net = timed()
    net.run(net.now + 2)
    forge(net.host, posts.Away(1, BOB, 1000 * (SECONDS + AWAY + 1)))
    net.run(net.now + 2)
    assert net.nodes[1].stop[0] == "clock"
    net = timed()
    net.step()
    forge(net.nodes[1], posts.Away(2, Seat(0), 1000 * (SECONDS + AWAY + 1)))
    net.run(net.now + 2)
    assert net.host.live.ledger.end is None  # the host knows better, and does not enter it
    net.step()
    assert agree(net)


def test_only_its_judge_speaks_of_a_seat() -> None:
    net = timed()
    net.step()
    forge(net.nodes[1], posts.Away(1, BOB, 5))
    net.run(net.now + 2)
    assert net.nodes[1].stop[0] in ("foul", "accused")


def three(away: int) -> Network:
    """A table of three with clocks, at which the host is to act."""
    setup = Setup.of(GAMES["kuzushi"], 3, {"board": "small"})
    net = opened(setup, 3, delay=0.005, clock=(SECONDS, 0, away))
    for name in ("bob", "cy"):
        net.join(name)
        net.run(net.now + 3)
    for node in net.nodes[1:]:
        node.feed(events.SetReady())
    net.run(net.now + 3)
    net.begins()
    while net.mover is not net.host:
        net.step()
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
    net.step(net.host)
    net.run(net.out_until + 0.02)
    for line in net.lines if is_broken else ():
        line.cut()
    net.run(net.out_until + 2)
    for _ in range(4):  # each of them has heard late of a step, or hears of what was said of it
        net.step()
        net.run(net.now + 0.5)
        assert [text(one) for node in net.nodes for one in node.told(events.Stopped)] == []
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
