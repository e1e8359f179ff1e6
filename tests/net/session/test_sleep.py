"""A computer that sleeps in a timed match: that is its own time away, and nobody is blamed."""

from __future__ import annotations

import asyncio
import os
import time
from typing import TYPE_CHECKING

import pytest

from kumite.core.game import Seat
from kumite.core.log import End
from kumite.net.session import events
from kumite.net.wire import posts
from kumite.store import clock
from kumite.tui.play.network_words import text
from tests.net.session.test_clocks import AWAY, BOB, SECONDS, agree, posted, three, timed

if TYPE_CHECKING:
    from tests.support.simulation import Network, Node

ADA = Seat(0)


def sleep(net: Network, node: Node, seconds: float) -> None:
    """Let a computer sleep, with its clock: what comes is kept for it, and timers ring late."""
    node.asleep_until = net.now + seconds
    net.run(node.asleep_until)


def total(node: Node, seat: Seat) -> float:
    ledger = node.live.ledger
    return (ledger.time.left[seat] + ledger.time.free[seat]) / 1000


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
    before, ours = total(node, seat), total(node, Seat(1 - sleeper))
    sleep(net, node, seconds)
    net.run(net.now + wait)
    net.step(node)
    assert is_blamed(net) == []
    for one in net.nodes:
        assert before - seconds - wait - 10 <= total(one, seat) <= before - seconds - wait + 1.5
        assert total(one, Seat(1 - sleeper)) == ours
        free = one.live.ledger.time.free[seat] / 1000
        assert max(0, AWAY - seconds - 4) <= free <= max(0, AWAY - seconds + 14)
    texts = [text(one) for one in node.told(events.Status.SLEPT)]
    assert any("This computer slept" in text and "free" in text for text in texts)
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
