"""A terminal never holds what it must not know: in memory, on its disk, in what came to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from kumite.core.codec import encode
from kumite.core.game import Setup
from kumite.core.games import GAMES
from tests.support.lan_tables import Plan, seated
from tests.support.leak_search import deck_order, held, secrets_of
from tests.support.simulation import Network, Node, live


def table(name: str, seats: int, options: dict[str, Any]) -> Plan:
    # by seed 1 the first two cards that one draws are in another round the last two of the other
    return Plan(2, Setup.of(GAMES[name], seats, options), seats, 1, 0, 10_000)


def going_on(plan: Plan) -> Network:
    net = seated(plan, is_overheard=True)
    for node in net.nodes[: plan.terminals]:
        live(node, Random(f"ignorance {node.name}"), 400)
    return net


@pytest.mark.parametrize(
    ("name", "seats", "options"),
    [
        ("kiriai", 2, {"field": "advanced"}),
        ("kitsune", 2, {}),
        ("kitsune", 4, {}),
    ],
)
def test_nobody_holds_what_he_must_not_know_while_the_match_goes_on(
    name: str, seats: int, options: dict[str, Any]
) -> None:
    net = going_on(table(name, seats, options))
    looked: set[type] = set()
    for _ in range(12):
        net.run(net.now + 2.5)
        if net.host.is_over:
            break
        players = net.nodes[:seats]
        order = deck_order(players) if all_have_all(net) else []
        for node in net.nodes:
            mine = held(node)
            for other in players:
                secrets = order + (secrets_of(other, node) if other is not node else [])
                looked |= {type(secret) for secret in secrets}
                for secret in secrets:
                    assert not mine.has(secret), f"{node.name} holds {secret!r} of {other.name}"
    kinds = {bytes, str, tuple} if name == "kiriai" else {bytes, int, tuple}
    assert looked >= kinds


def all_have_all(net: Network) -> bool:
    return len({node.live.ledger.posted.entered for node in net.nodes}) == 1


def in_memory(node: Node, secret: Any) -> None:
    live = replace(node.live, header=replace(node.live.header, extra=(secret,)))
    node.session = replace(node.session, live=live)


def on_the_disk(node: Node, secret: Any) -> None:
    node.disk += b"..." + encode(secret) + b"..."


def on_its_way(node: Node, secret: Any) -> None:
    node.heard.append(b"?" + encode(("leak", secret)))


@pytest.mark.parametrize("leak", [in_memory, on_the_disk, on_its_way])
@pytest.mark.parametrize(("name", "options"), [("kiriai", {"field": "advanced"}), ("kitsune", {})])
def test_the_search_finds_whatever_leaks(
    name: str, options: dict[str, Any], leak: Callable[[Node, Any], None]
) -> None:
    net = going_on(table(name, 2, options))
    ada, bob = net.nodes[:2]
    while not (bob.live.ledger.secrets.own or deck_order([ada, bob])):
        net.run(net.now + 0.5)
    for secret in secrets_of(bob, ada) + deck_order([ada, bob]):
        kept = ada.session, ada.disk, list(ada.heard)
        assert not held(ada).has(secret)
        leak(ada, secret)
        assert held(ada).has(secret), f"{secret!r} was not found"
        ada.session, ada.disk, ada.heard = kept
    for text in (" ", ",", ""):  # cards are found as a text, too
        for order in deck_order([ada, bob]):
            leak(ada, text.join(order))
            assert held(ada).has(order)


def test_what_came_is_noted_without_its_seals() -> None:
    net = going_on(table("kitsune", 2, {}))
    net.run(net.now + 5)
    live = net.nodes[1].live
    ours = b"\0".join(net.nodes[1].heard)
    assert len(live.posts) > 10
    for post in live.posts:
        assert post.signature in ours
    assert b"kumite" in ours  # what came before the seals
