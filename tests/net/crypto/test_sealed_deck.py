"""The sealed deck: dealt, drawn and audited; every cheat is refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from hashlib import blake2b
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nacl import bindings
from spake2 import ed25519_basic

from kumite.core.errors import LocalError
from kumite.net.crypto.groups import ED25519, Group
from kumite.net.crypto.mental_poker import Cheated
from kumite.net.crypto.sealed_deck import Deal, NotACard
from kumite.net.crypto.transcript import split
from tests.support.cheats import ATTACKS, CHEATS, changed_pass
from tests.support.toy_group import TOY

SEEDS = tuple(blake2b(bytes([n]), digest_size=32).digest() for n in range(6))
NAMES = ("b1", "b1", "b2", "b3", "b3", "b3", "r1", "r2")
CONTEXT = ("0123456789abcdef", 0)
GROUPS = pytest.mark.parametrize("group", [ED25519, TOY], ids=["ed25519", "toy"])
A, B, C = SEEDS[:3]


# --- The sealed deck: honest terminals --------------------------------------------------------


def dealt(terminals: int, group: Group, names: tuple[str, ...] = NAMES) -> Deal:
    deal = Deal.of(names, CONTEXT, terminals, group)
    while deal.turn is not None:
        deal = deal.with_pass(deal.make_pass(SEEDS[deal.turn]))
    return deal


def shares(deal: Deal, position: int) -> list[bytes]:
    return [deal.share(SEEDS[who], who, position) for who in range(deal.terminals)]


def all_keys(deal: Deal) -> list[bytes]:
    return [deal.keys(SEEDS[who], who) for who in range(deal.terminals)]


@GROUPS
@pytest.mark.parametrize("terminals", [2, 3, 6])
def test_a_deck_is_drawn_and_audited(terminals: int, group: Group) -> None:
    deal = dealt(terminals, group)
    drawn = []
    for position in range(len(NAMES)):
        opened = shares(deal, position)
        for who, share in enumerate(opened):
            assert deal.is_share(who, position, share)
            assert deal.is_key(who, deal.keys(SEEDS[who], who), position, share)
            assert not deal.is_key(who, deal.keys(SEEDS[who - 1], who), position, share)
        drawn.append(deal.open(position, opened))
    assert sorted(drawn) == list(range(len(NAMES)))
    assert deal.audit(all_keys(deal)) == tuple(NAMES[card] for card in drawn)


@settings(max_examples=40)
@given(st.lists(st.sampled_from(["b1", "b2", "狐"]), min_size=1, max_size=45), st.integers(2, 6))
def test_a_deck_of_any_cards_keeps_them(names: list[str], terminals: int) -> None:
    deal = dealt(terminals, TOY, tuple(names))
    order = deal.audit(all_keys(deal))
    assert sorted(order) == sorted(names)
    last = len(names) - 1
    assert names[deal.open(last, shares(deal, last))] == order[last]


@GROUPS
def test_the_same_seeds_deal_the_same_again_and_nothing_else_does(group: Group) -> None:
    assert dealt(2, group) == dealt(2, group)
    start = Deal.of(NAMES, CONTEXT, 2, group)
    assert start.make_pass(A) == start.make_pass(A)
    others = [
        Deal.of(NAMES, (CONTEXT[0], 1), 2, group),
        Deal.of(NAMES, CONTEXT, 3, group),
        Deal.of((*NAMES[1:], "b1"), CONTEXT, 2, group),
    ]
    for other in others:
        assert not set(other.decks[0]) & set(start.decks[0])
        assert other.keys(A, 0) != start.keys(A, 1)
    assert start.keys(A, 0) != others[0].keys(A, 0)  # opened keys tell nothing of other decks


def test_every_order_of_three_cards_comes_up() -> None:
    deal = Deal.of(("a", "b", "c"), CONTEXT, 2, TOY)
    found = Counter(tuple(deal._shuffle(A, (bytes([n]),) * 3)[1]) for n in range(240))
    assert len(found) == 6
    assert min(found.values()) > 20


@GROUPS
def test_without_one_share_nobody_draws(group: Group) -> None:
    deal = dealt(3, group)
    for missing in range(3):
        some = shares(deal, 2)
        some[missing] = (1).to_bytes(32, "little")
        with pytest.raises(NotACard):
            deal.open(2, some)


def test_asked_again_over_another_deck_a_terminal_answers_with_other_secrets() -> None:
    first = Deal.of(NAMES, CONTEXT, 2)
    cards = list(first.decks[0])
    cards[0] = ED25519.times(2, cards[0])
    again = replace(first, decks=(tuple(cards),))
    assert not set(first.with_pass(first.make_pass(A)).decks[1]) & set(
        again.with_pass(again.make_pass(A)).decks[1]
    )
    locked = dealt(2, ED25519)
    before = replace(locked, decks=locked.decks[:3], locks=locked.locks[:2])
    other = replace(before, decks=(*before.decks[:2], before.decks[2][::-1]))
    one, two = (deal.read(deal.make_pass(A)) for deal in (before, other))
    assert not set(one.locks) & set(two.locks)
    assert not set(split(one.proof, 32)) & set(split(two.proof, 32))


def test_a_deck_is_used_in_its_order() -> None:
    ready = dealt(2, TOY)
    started = Deal.of(NAMES, CONTEXT, 2, TOY)
    for misuse in (
        lambda: ready.make_pass(A),
        lambda: ready.with_pass(b""),
        lambda: started.share(A, 0, 0),
        lambda: started.audit(all_keys(started)),
        lambda: ready.audit(all_keys(ready)[:1]),
    ):
        with pytest.raises(LocalError):
            misuse()


class Counting(Group):
    """The group, with its costly operations counted."""

    def __init__(self) -> None:
        self.multiplied = self.checked = 0

    def times(self, scalar: int, element: bytes) -> bytes:
        self.multiplied += 1
        return super().times(scalar, element)

    def is_element(self, data: bytes) -> bool:
        self.checked += 1
        return super().is_element(data)


@pytest.mark.parametrize("terminals", [2, 6])
def test_a_deal_costs_so_many_multiplications_a_card(terminals: int) -> None:
    """For each terminal, made once and looked at once; `kumite bench` has the time."""
    names, group = tuple(f"c{n}" for n in range(30)), Counting()
    deal = Deal.of(names, CONTEXT, terminals, group)
    while (turn := deal.turn) is not None:
        deal = deal.with_pass(deal.make_pass(SEEDS[turn]))
    assert 14 * 30 * terminals <= group.multiplied <= (14 * 30 + 10) * terminals
    assert group.checked == 0  # a point that is no element fits no proof
    before = group.multiplied
    shares = [deal.share(SEEDS[who], who, 7) for who in range(terminals)]
    assert deal.open(7, shares) in range(30)
    assert group.multiplied == before + 1


@given(st.integers(1, ED25519.order - 1))
@settings(max_examples=10)
def test_points_are_multiplied_as_an_independent_program_does(scalar: int) -> None:
    point = Deal.of(NAMES, CONTEXT, 2).decks[0][0]
    same = ed25519_basic.bytes_to_element(point).scalarmult(scalar)
    assert ED25519.times(scalar, point) == same.to_bytes()
    assert ED25519.order == ed25519_basic.L


# --- The sealed deck: cheats ------------------------------------------------------------------

MINUS_ONE = bytes.fromhex("ec" + "ff" * 30 + "7f")  # (0, -1), of order 2


def mixed_order() -> bytes:
    """Return a card with a point of order 2 added: PyNaCl before 1.6.2 takes it for a member."""
    return bindings.crypto_core_ed25519_add(Deal.of(NAMES, CONTEXT, 2).decks[0][0], MINUS_ONE)


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda data: data[:-1], "bytes"),
        (lambda data: data + b"\0", "bytes"),
        (lambda data: b"", "0 bytes"),
        (lambda data: data[32:64] + data[32:], "a card twice"),
        (lambda data: bytes(32) + data[32:], "not an element"),
        (lambda data: b"\1" + bytes(31) + data[32:], "not an element"),  # the neutral one
        (lambda data: MINUS_ONE + data[32:], "not an element"),
        (lambda data: b"\xff" * 32 + data[32:], "not an element"),
        (lambda data: mixed_order() + data[32:], "not an element"),
    ],
)
def test_a_pass_that_is_none_is_refused_at_once(
    number: int, spoil: Callable[[bytes], bytes], why: str
) -> None:
    deal = Deal.of(NAMES, CONTEXT, 2)
    for who in (0, 1, 0, 1)[:number]:
        deal = deal.with_pass(deal.make_pass(SEEDS[who]))
    turn = number % 2
    with pytest.raises(Cheated, match=why) as caught:
        deal.with_pass(spoil(deal.make_pass(SEEDS[turn])))
    assert caught.value.who == turn


def is_cheats_turn(deal: Deal, in_pass: int, who: int) -> bool:
    return (in_pass, who) == (1 + (len(deal.decks) - 1) // deal.terminals, deal.turn)


def cheated(cheat: str, in_pass: int, who: int, terminals: int, group: Group) -> Deal:
    """Return a deck in whose shuffling one terminal has cheated, as if no proof had told."""
    deal = Deal.of(NAMES, CONTEXT, terminals, group)
    while deal.turn is not None:
        data = deal.make_pass(SEEDS[deal.turn])
        if is_cheats_turn(deal, in_pass, who):
            data = changed_pass(cheat, deal, SEEDS[who], is_proved=False)
        deal = deal.with_pass(data, is_trusted=True)
    return deal


@pytest.mark.parametrize(("group", "terminals", "who"), [(ED25519, 2, 1), (TOY, 2, 0), (TOY, 4, 2)])
@pytest.mark.parametrize(("in_pass", "cheat"), CHEATS)
def test_a_false_pass_is_refused_at_once_and_names_its_author(
    in_pass: int, cheat: str, who: int, terminals: int, group: Group
) -> None:
    deal = Deal.of(NAMES, CONTEXT, terminals, group)
    while not is_cheats_turn(deal, in_pass, who):
        assert deal.turn is not None
        deal = deal.with_pass(deal.make_pass(SEEDS[deal.turn]), is_trusted=True)
    for is_proved in (False, True):
        data = changed_pass(cheat, deal, SEEDS[who], is_proved=is_proved)
        with pytest.raises(Cheated, match="no proof that it") as caught:
            deal.with_pass(data)
        assert caught.value.who == who
    deal.with_pass(deal.make_pass(SEEDS[who]))


@pytest.mark.parametrize(
    ("group", "terminals", "who"), [(ED25519, 2, 0), (TOY, 2, 1), (TOY, 4, 0), (TOY, 4, 3)]
)
@pytest.mark.parametrize(("in_pass", "cheat"), CHEATS)
def test_the_audit_is_a_second_lock(
    in_pass: int, cheat: str, who: int, terminals: int, group: Group
) -> None:
    """Were a false proof to be believed, the opened keys would still tell."""
    deal = cheated(cheat, in_pass, who, terminals, group)
    opened = all_keys(deal)
    with pytest.raises(Cheated) as caught:
        deal.audit(opened)
    assert caught.value.who == who
    for other in set(range(terminals)) - {who}:
        deal.audit_one(other, opened[other])


@pytest.mark.parametrize("count", [100, pytest.param(1000, marks=pytest.mark.long)])
def test_of_so_many_false_passes_none_is_taken_and_no_honest_one_is_refused(count: int) -> None:
    rng = Random(count)
    for number in range(count):
        name, (in_pass, attack) = rng.choice(list(ATTACKS.items()))
        terminals, group = rng.choice((2, 2, 3)), TOY
        names, cheat = tuple(map(str, range(8))), rng.randrange(terminals)
        deal = Deal.of(names, ("m", number), terminals, group)
        while not is_cheats_turn(deal, in_pass, cheat):
            assert deal.turn is not None
            deal = deal.with_pass(deal.make_pass(SEEDS[deal.turn]), is_trusted=bool(number % 20))
        with pytest.raises(Cheated) as caught:
            deal.with_pass(attack(deal, SEEDS[cheat]))
        assert caught.value.who == cheat, name


@GROUPS
@pytest.mark.parametrize("terminals", [2, 3])
def test_a_pass_of_another_place_is_no_pass_here(terminals: int, group: Group) -> None:
    """Of another match, of another deck, by another terminal, or one's own once more."""
    contexts = [CONTEXT, (CONTEXT[0], 1), ("0123456789abcdee", 0)]
    deals = [Deal.of(NAMES, context, terminals, group) for context in contexts]
    seen: list[bytes] = []
    while (turn := deals[0].turn) is not None:
        made = [deal.make_pass(SEEDS[turn]) for deal in deals]
        for other in (*made[1:], *seen):
            with pytest.raises(Cheated) as caught:
                deals[0].with_pass(other)
            assert caught.value.who == turn
        seen += made
        deals = [deal.with_pass(one) for deal, one in zip(deals, made, strict=True)]


@pytest.mark.parametrize("in_pass", [1, 2])
@pytest.mark.parametrize("who", [0, 1])
@pytest.mark.parametrize("kind", ["another_scalar_for_one_card", "a_card_of_its_own"])
def test_a_card_that_is_none_is_seen_when_it_is_drawn(kind: str, who: int, in_pass: int) -> None:
    deal = cheated(kind, in_pass, who, 2, ED25519)
    found = []
    for position in range(len(NAMES)):
        with suppress(NotACard):
            found.append(deal.open(position, shares(deal, position)))
    assert len(found) == len(set(found)) == len(NAMES) - 1


def test_a_share_that_is_not_the_committed_one_is_seen_at_once() -> None:
    deal = dealt(2, ED25519)
    good = deal.share(A, 0, 3)
    assert deal.is_share(0, 3, good)
    bad = [deal.share(A, 0, 4), deal.share(B, 1, 3), deal.share(B, 0, 3), b"", good[:-1], good * 2]
    bad.append((int.from_bytes(good, "little") + ED25519.order).to_bytes(32, "little"))
    bad.append((ED25519.order - int.from_bytes(good, "little")).to_bytes(32, "little"))
    bad += [bytes(32), ED25519.order.to_bytes(32, "little"), b"\xff" * 32]
    assert not any(deal.is_share(0, 3, one) for one in bad)
    assert not deal.is_share(1, 3, good)
    assert not deal.is_share(0, 2, good)


@pytest.mark.parametrize("who", range(3))
def test_who_opens_other_keys_is_named(who: int) -> None:
    deal = dealt(3, TOY)
    others = [deal.keys(SEEDS[5], who), deal.keys(SEEDS[who], 5), bytes(32), b"", bytes(31)]
    others += [all_keys(deal)[who - 1]]
    for other in others:
        opened = all_keys(deal)
        opened[who] = other
        with pytest.raises(Cheated) as caught:
            deal.audit(opened)
        assert caught.value.who == who


def test_an_accusation_names_people_by_number_and_says_what_to_do() -> None:
    error = Cheated(1, "its shuffle changed cards")
    assert str(error).startswith("terminal 2 ")
    assert error.code == "cheated"
    assert error.hint


# --- Vectors: other versions of this program make the same bytes ------------------------------


def hexed(data: bytes) -> str:
    return blake2b(data, digest_size=8).hexdigest()


def test_vectors() -> None:
    deal = dealt(2, ED25519)
    found = {
        "card": deal.decks[0][0].hex(),
        "decks": [hexed(b"".join(deck)) for deck in deal.decks],
        "locks": [hexed(b"".join(locks)) for locks in deal.locks],
        "pass": hexed(Deal.of(NAMES, CONTEXT, 2).make_pass(A)),
        "share": deal.share(A, 0, 3).hex(),
        "keys": deal.keys(A, 0).hex(),
        "order": " ".join(deal.audit(all_keys(deal))),
    }
    assert found == {
        "card": "775adda6da412ae40aa762f94c2e2ae13a9ab5cd1c8eda33e15a110e5502b2cc",
        "decks": [
            "427df555ab7237a1",
            "bc2067177b70b7dd",
            "d33fe2175050d55c",
            "ee51b785845a955d",
            "670070a7b1f6fd8d",
        ],
        "locks": ["b46369281cfac15b", "0621333b33085824", "0942cb47e225c999", "0fa1e24d10040829"],
        "pass": "f4a84f29fec90d10",
        "share": "2ac1e8e59d5e67f4ee53bd8f2d79f3edb1c04f89d943af037f2d987ac9106c0e",
        "keys": "e22fa978bb42cd1c4712bd30e76b92cd89382f17b2c8b60669b50884282fde29",
        "order": "r1 b1 b1 r2 b3 b3 b2 b3",
    }
