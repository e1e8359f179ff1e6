"""LAN tables for tests, and what people do at them step by step."""

from __future__ import annotations

from typing import Any

from kumite.core.game import Seat, Setup
from kumite.core.games import GAMES
from kumite.net.session import events, inputs
from tests.support.simulation import Network, Node, Plan


def table_of(name: str, seats: int = 2, terminals: int = 2, watchers: int = 0, **more: Any) -> Plan:
    options = more.pop("options", {})
    return Plan(1, Setup.of(GAMES[name], seats, options), terminals, watchers, 0, 10_000)


def small() -> Plan:
    return table_of("kuzushi", options={"board": "small"})


def opened(setup: Setup | None = None, seed: int = 1, **more: Any) -> Network:
    net = Network(seed)
    given = setup or Setup.of(GAMES["kuzushi"], 2, {"board": "small"})
    net.open(inputs.HostSetup(given, ("ada",), frozenset({Seat(0)}), **more))
    return net


def told(node: Node, kind: type[Any]) -> list[Any]:
    return [one for one in node.events if isinstance(one, kind)]


def step(net: Network, node: Node) -> None:
    """Let a seat of this terminal make its first legal step, and let it arrive."""
    match = node.live.ledger.match
    seat = next(s for s in match.actors if s in node.live.ledger.seats_of(node.live.me))
    node.feed(inputs.MakeStep(seat, match.legal(seat)[0]))
    net.run(net.now + 1)


def mover(net: Network) -> Node:
    actors = net.host.live.ledger.match.actors
    return next(n for n in net.nodes if n.live.ledger.seats_of(n.live.me) & set(actors))


def agreed(net: Network, kind: str, number: int = 0) -> None:
    net.host.feed(inputs.Propose(kind, number))
    net.run(net.now + 1)
    assert told(net.nodes[1], events.Offered)[-1].kind == kind
    for node in net.nodes[1:]:
        node.feed(inputs.Reply(True))
    net.run(net.now + 2)
