"""A terminal never holds what it must not know: in memory, on its disk, in what came to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass, fields, is_dataclass, replace
from random import Random
from types import FunctionType, MethodType, ModuleType
from typing import Any, Final

import pytest

from kumite.core.codec import encode
from kumite.core.game import HOLE, SPECTATOR, Setup, pieces
from kumite.core.games import GAMES
from kumite.net.wire import posts
from tests.support.lan_tables import Plan, seated
from tests.support.simulation import Network, Node, live

OPAQUE: Final = (type, ModuleType, FunctionType, MethodType, type(None), bool, float)
FEW: Final = 3  # cards: fewer in a row may be a coincidence
SMALL: Final = 1 << 16  # numbers below may be anything


@dataclass(frozen=True)
class Held:
    """What a terminal holds: every number, every group of texts, all texts and bytes in a row."""

    numbers: frozenset[int]
    groups: frozenset[tuple[str, ...]]
    data: bytes

    def has(self, secret: object) -> bool:
        """Whether it holds a secret: bytes, a text, a number, or cards in any usual form."""
        match secret:
            case bytes():
                return secret in self.data
            case str():
                return secret.encode() in self.data
            case int():
                return secret in self.numbers or encode(secret) in self.data
            case tuple():
                joined = [between.join(secret).encode() for between in (" ", ",", "")]
                packed = [encode(secret)[1:], *joined]  # the first byte says how many there are
                return secret in self.groups or any(one in self.data for one in packed)
        raise TypeError(secret)


def held(node: Node) -> Held:
    """Return all that a terminal has in memory and in its file, and all that has come to it."""
    numbers: set[int] = set()
    groups: set[tuple[str, ...]] = set()
    found: list[bytes] = [node.disk, *node.heard]
    left: list[Any] = [node.session, node.events]
    seen: set[int] = set()
    while left:
        one = left.pop()
        if isinstance(one, OPAQUE) or id(one) in seen:
            continue
        seen.add(id(one))
        match one:
            case int():
                numbers.add(int(one))
            case str():
                found.append(one.encode())
            case bytes() | bytearray():
                found.append(bytes(one))
            case _:
                inside = list(parts(one))
                if inside and all(isinstance(part, str) for part in inside):
                    groups.add(tuple(inside))
                left += inside
    return Held(frozenset(numbers), frozenset(groups), b"\0".join(found))


def parts(one: Any) -> Iterator[Any]:
    """Yield what an object is made of."""
    if isinstance(one, Mapping):
        yield from one.keys()
        yield from one.values()
    elif isinstance(one, tuple | list | Set):
        yield from one
    elif is_dataclass(one):
        yield from (getattr(one, part.name) for part in fields(one))
    for kind in type(one).__mro__:
        for name in getattr(kind, "__slots__", ()):
            if hasattr(one, name):
                yield getattr(one, name)
    yield from getattr(one, "__dict__", {}).values()


def secrets_of(other: Node, node: Node) -> list[object]:
    """Return what `node` must not know of what `other` knows now."""
    ledger, match = other.live.ledger, other.live.ledger.match
    assert ledger.me is not None
    game, state = match.game, match.state
    found: list[object] = [ledger.seed, other.session.entropy]
    found += [deck.deal.keys(ledger.seed, ledger.me) for deck in ledger.secrets.decks]
    shown = {
        salt
        for post in other.live.posts
        if isinstance(post.body, posts.Shown)
        for salt, _ in post.body.pieces
    }
    known = {text for seen in node.live.ledger.match.steps() for text in (seen.step,)}
    known |= {own.step for own in node.live.ledger.secrets.own}
    for own in ledger.secrets.own:
        found += [salt for salt in own.salts if salt not in shown]
        if not shown.intersection(own.salts) and own.step not in known:
            found += [
                own.step,
                pieces(own.step, HOLE.join(["", *[","] * (len(own.salts) - 1), ""])),
            ]
    public = game.view(state, SPECTATOR)
    found += differing(game.pack(state), game.pack(public))
    for line, seen in zip(game.text(state).split("\n"), game.text(public).split("\n"), strict=True):
        words, masks = line.split(), seen.split()
        start = next((at for at, mask in enumerate(masks) if mask == HOLE), len(words))
        if len(words[start:]) >= FEW and line != seen:
            found.append(tuple(words[start:]))
    return found


def differing(full: Any, public: Any) -> list[object]:
    """Return the large numbers of a packed position that its public view does not have.

    Not sets of one card: who has ever held that card has the same number somewhere.
    """
    if isinstance(full, tuple) and isinstance(public, tuple):
        pairs = zip(full, public, strict=True)
        return [secret for ours, theirs in pairs for secret in differing(ours, theirs)]
    is_secret = type(full) is int and full >= SMALL and full != public and full.bit_count() > 1
    return [full] if is_secret else []


def deck_order(nodes: list[Node]) -> list[object]:
    """Return the cards that nobody has drawn yet, in their order: only all together know it."""
    ledger = nodes[0].live.ledger
    if not ledger.secrets.decks or not ledger.secrets.decks[-1].deal.is_ready:
        return []
    deck = ledger.secrets.decks[-1]
    order = []
    for place in range(deck.drawn + len(deck.run), len(deck.deal.names)):
        shares = [
            deck.deal.share(node.live.ledger.seed, who, place) for who, node in enumerate(nodes)
        ]
        order.append(deck.deal.names[deck.deal.open(place, shares)])
    return [tuple(order)] if len(order) >= FEW else []


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
    [("kiriai", 2, {"field": "advanced"}), ("kitsune", 2, {}), ("kitsune", 4, {})],
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
