"""Clocks by evidence: who is cut off, suspended, started anew or lies wins nothing by it."""

from __future__ import annotations

import asyncio
import os
import time
from typing import Any

import pytest

from kumite.core.game import Seat, Setup
from kumite.core.games import GAMES
from kumite.core.log import End
from kumite.net.session import events, replication
from kumite.net.session.state import Reaction
from kumite.net.wire import posts
from kumite.net.wire.posts import Body
from kumite.store import clock
from kumite.tui.play.network_words import text
from tests.support.lan_tables import opened, with_bob
from tests.support.simulation import Network, Node

SECONDS, AWAY = 100, 60
ADA, BOB = Seat(0), Seat(1)  # bob begins at Kuzushi


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


def left(node: Node, seat: Seat) -> float:
    """The s that a seat has, with the free time."""
    time = node.live.ledger.time
    return (time.left[seat] + time.free[seat]) / 1000


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


# --- A computer that sleeps: that is its own time away, and nobody is blamed -------------------


def sleep(net: Network, node: Node, seconds: float) -> None:
    """Let a computer sleep, with its clock: what comes is kept for it, and timers ring late."""
    node.asleep_until = net.now + seconds
    net.run(node.asleep_until)


def table(mover_is: int) -> Network:
    net = timed()
    for _ in range(2):  # so that each knows how the clock of the other runs
        net.step()
    while net.nodes.index(net.mover) != mover_is:
        net.step()
    return net


def is_blamed(net: Network) -> list[str]:
    return [text(one) for node in net.nodes for one in node.told(events.Stopped)]


@pytest.mark.parametrize("sleeper", [0, 1])
@pytest.mark.parametrize("seconds", [8, 17, 40, 91])
@pytest.mark.parametrize("wait", [0.5, 8])
def test_who_sleeps_while_they_are_to_act_pays_for_it_and_the_match_goes_on(
    sleeper: int, seconds: float, wait: float
) -> None:
    net = table(sleeper)
    node, seat = net.nodes[sleeper], Seat(sleeper)
    net.run(net.now + 5)
    before, ours = left(node, seat), left(node, Seat(1 - sleeper))
    sleep(net, node, seconds)
    net.run(net.now + wait)
    net.step(node)
    assert is_blamed(net) == []
    for one in net.nodes:
        assert before - seconds - wait - 10 <= left(one, seat) <= before - seconds - wait + 1.5
        assert left(one, Seat(1 - sleeper)) == ours
        free = one.live.ledger.time.free[seat] / 1000
        assert max(0, AWAY - seconds - 4) <= free <= max(0, AWAY - seconds + 14)
    texts = [text(one) for one in node.told(events.Status.SLEPT)]
    assert any("this computer slept" in text and "free" in text for text in texts)
    net.steps(3)
    net.run(net.now + 3)
    assert is_blamed(net) == []
    assert agree(net)


@pytest.mark.parametrize("sleeper", [0, 1])
@pytest.mark.parametrize("seconds", [8, 40, 91, 400])
def test_who_sleeps_while_another_is_to_act_costs_that_one_only_what_they_think(
    sleeper: int, seconds: float
) -> None:
    net = table(1 - sleeper)
    other, seat = net.nodes[1 - sleeper], Seat(1 - sleeper)
    net.run(net.now + 5)
    node = net.nodes[sleeper]
    node.asleep_until = net.now + seconds
    net.run(net.now + 2)
    net.step(other)
    net.run(node.asleep_until + 2)
    assert is_blamed(net) == []
    live = net.host.live
    assert live.ledger.time.left[seat] >= 1000 * (SECONDS - 15)
    if sleeper == 0:  # its step has waited for the host to wake: nothing is known of that time
        assert live.ledger.end is None
        assert live.ledger.time.free[seat] >= 1000 * (AWAY - 10)
    elif seconds > SECONDS + AWAY + 10:
        assert live.ledger.end == End("time", (BOB,))
    else:
        assert live.ledger.end is None
        net.step(node)
        assert is_blamed(net) == []


@pytest.mark.parametrize("sleeper", [0, 1])
def test_who_sleeps_longer_than_clock_and_free_time_loses_by_their_own_clock(sleeper: int) -> None:
    net = table(sleeper)
    sleep(net, net.nodes[sleeper], SECONDS + AWAY + 30)
    net.run(net.now + 10)
    assert is_blamed(net) == []
    for node in net.nodes:
        assert node.live.ledger.end == End("time", (sleeper,))


def test_a_host_that_sleeps_takes_no_time_from_who_thinks_meanwhile() -> None:
    """Bob thinks on, and moves after the host has woken: his free time, then his clock."""
    net = table(1)
    sleep(net, net.host, 91)
    net.run(net.now + 5)
    assert not net.host.told(events.Status.QUIET)
    net.step(net.nodes[1])
    assert is_blamed(net) == []
    assert posted(net.host, posts.Away) == []
    assert net.host.live.ledger.time.left[BOB] >= 1000 * (SECONDS - 91 + AWAY - 12)


@pytest.mark.parametrize("sleeper", [0, 1, 2])
@pytest.mark.parametrize("seconds", [8, 40])
def test_at_a_table_of_three_nobody_is_blamed_either(sleeper: int, seconds: float) -> None:
    net = three(AWAY)
    for _ in range(3):
        node = net.nodes[sleeper]
        node.asleep_until = net.now + seconds
        net.run(net.now + 2)
        if net.mover is not node:
            net.step()
        net.run(node.asleep_until + 6)
        net.step()
        net.run(net.now + 2)
        assert is_blamed(net) == []
    assert agree(net)


def test_who_sleeps_in_the_lobby_sits_there_as_before() -> None:
    net = timed()
    cy = net.join("cy", what="watch")
    net.run(net.now + 3)
    sleep(net, cy, 40)
    net.run(net.now + 5)
    assert not cy.told(events.Stopped)
    cy.feed(events.Order.DEPART)


@pytest.mark.skipif(not hasattr(time, "CLOCK_BOOTTIME"), reason="only Linux tells the two apart")
def test_our_clock_is_the_one_that_runs_while_a_computer_sleeps() -> None:
    assert abs(clock.now() - time.clock_gettime(time.CLOCK_BOOTTIME)) < 0.1
    assert os.name == "posix"


def test_timers_of_our_loops_ring_after_a_sleep_and_not_that_much_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asleep = 0.0
    real = time.clock_gettime

    async def main() -> float:
        nonlocal asleep
        rang = asyncio.Event()
        asyncio.get_running_loop().call_later(300, rang.set)
        begun = time.monotonic()
        asyncio.get_running_loop().call_soon(wake)
        await rang.wait()
        return time.monotonic() - begun

    def wake() -> None:
        nonlocal asleep
        asleep = 400.0

    monkeypatch.setattr(time, "clock_gettime", lambda which: real(which) + asleep)
    with asyncio.Runner(loop_factory=clock.new_loop) as runner:
        assert runner.run(asyncio.wait_for(main(), 700)) < 5
