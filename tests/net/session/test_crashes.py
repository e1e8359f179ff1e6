"""A program that dies at any moment goes on to the same end."""

from __future__ import annotations

from typing import Any

import pytest

from kumite.core import table as acts
from kumite.core.game import CHANCE, Seat, Setup
from kumite.core.games import GAMES
from kumite.net.session import events, replication
from kumite.net.session.state import Reaction
from kumite.net.wire import posts
from tests.support.lan_tables import Plan, check, is_finished, with_bob
from tests.support.simulation import Network, Node


@pytest.mark.parametrize("name", ["kiriai", "kitsune"])
@pytest.mark.parametrize("who", [0, 1])
def test_a_program_that_dies_before_any_single_effect_goes_on_to_the_same_end(
    name: str, who: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Step by step the same choices, so the same match, whenever it dies."""
    deaths(name, who, 5, monkeypatch)


@pytest.mark.long
@pytest.mark.parametrize("name", ["kiriai", "kitsune"])
@pytest.mark.parametrize("who", [0, 1])
def test_it_dies_before_each_effect_in_turn(
    name: str, who: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    deaths(name, who, 1, monkeypatch)


def deaths(name: str, who: int, every: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Clocks stand still: cards are bound to all posts, and so to when these were made."""
    original = replication.signed

    def signed(r: Reaction, body: posts.Body) -> posts.Post:
        epoch = r.live.timing.epoch
        r.time(epoch=r.now)
        post = original(r, body)
        r.time(epoch=epoch)
        return post

    monkeypatch.setattr(replication, "signed", signed)
    whole = scripted(name, who, -1)
    node = whole.nodes[who]
    assert node.effects > node.began_at + 40
    end = end_of(whole)
    for kill_at in range(node.began_at, node.effects, every):
        net = scripted(name, who, kill_at)
        assert net.nodes[who].life == 1, kill_at
        assert end_of(net) == end, kill_at


LENGTH = 3  # turns of people


def scripted(name: str, who: int, kill_at: int) -> Network:
    """Play a few fixed steps and resign; the program of `who` dies before that effect."""
    net = Network(7)
    setup = Setup.of(GAMES[name], 2)
    net.open(events.HostSetup(setup, ("ada",), frozenset({Seat(0)})))
    net.host.start()
    with_bob(net)
    net.nodes[who].kill_at = kill_at
    net.host.feed(events.Order.START)
    while not is_finished(net) and net.now < 500:
        net.run(net.now + 0.5)
        for node in net.nodes:
            if not node.is_alive:
                net.restart(node)
            act(node)
    assert is_finished(net), f"kill_at {kill_at}"
    return net


def act(node: Node) -> None:
    """Make the fixed step of each seat, by the number of its turn; then seat 1 resigns."""
    live = node.session.live
    if live is None or live.me is None or live.ledger.is_over or live.asked or live.wants:
        return
    match, mine = live.ledger.match, live.ledger.seats_of(live.me)
    turn = sum(1 for one in match.steps() if one.actor != CHANCE)
    for seat in match.actors:
        if seat in mine and not live.ledger.has_chosen(Seat(int(seat))):
            if turn >= LENGTH:
                node.feed(acts.Resign(Seat(int(seat))))
                return
            legal = match.legal(seat)
            node.feed(acts.Play(seat, legal[(7 * turn + int(seat)) % len(legal)]))


def end_of(net: Network) -> tuple[Any, ...]:
    """Return the whole match and its end, the same at all terminals."""
    check(net, Plan(7, net.host.live.roster.setup, 2, 0, 0, 0))
    ledger = net.host.live.ledger
    return ledger.match.digest, ledger.end
