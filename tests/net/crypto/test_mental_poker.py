"""Commitments, coins, the sealed deck and the keys of a match: laws, vectors, every cheat."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from hashlib import blake2b
from itertools import permutations
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nacl import bindings
from spake2 import ed25519_basic

from kumite.core.errors import LocalError
from kumite.net.crypto import keys, mental_poker
from kumite.net.crypto.keys import (
    BadBox,
    Signer,
    box,
    box_public,
    derive,
    is_signed,
    open_box,
    words,
)
from kumite.net.crypto.mental_poker import (
    ED25519,
    LOCK,
    Cheated,
    Deal,
    Ed25519,
    NotACard,
    choose,
    coin,
    commit,
    is_opening,
)
from kumite.net.wire import fields
from tests.support.toy_group import TOY

if TYPE_CHECKING:
    from collections.abc import Callable

    from kumite.net.crypto.keys import Part
    from kumite.net.crypto.mental_poker import Group

SEEDS = tuple(blake2b(bytes([n]), digest_size=32).digest() for n in range(6))
NAMES = ("b1", "b1", "b2", "b3", "b3", "b3", "r1", "r2")
CONTEXT = ("0123456789abcdef", 0)
GROUPS = pytest.mark.parametrize("group", [ED25519, TOY], ids=["ed25519", "toy"])
A, B, C = SEEDS[:3]

PARTS = st.lists(st.integers(0, 2**63) | st.text("abc", max_size=4) | st.binary(max_size=8))


# --- Derived secrets --------------------------------------------------------------------------


@given(PARTS, PARTS)
def test_other_contexts_give_other_secrets(one: list[Part], two: list[Part]) -> None:
    assert (derive(A, "x", *one) == derive(A, "x", *two)) == (one == two)


def test_a_secret_depends_on_seed_label_context_and_size() -> None:
    same = derive(A, "salt", 1)
    assert same == derive(A, "salt", 1)
    others = {derive(B, "salt", 1), derive(A, "part", 1), derive(A, "salt", 2), derive(A, "salt")}
    assert len(others | {same}) == 5
    assert not same.startswith(derive(A, "salt", 1, size=16))


def test_a_seed_of_another_size_is_our_mistake() -> None:
    with pytest.raises(LocalError, match="32 bytes, not 31"):
        derive(A[1:], "salt")


# --- Commitments ------------------------------------------------------------------------------

SALT = derive(A, "salt", 7, size=fields.SALT)
WHERE = ("0123456789abcdef", 1, 7)


@given(st.text(), st.text())
def test_a_commitment_opens_with_its_text_only(text: str, other: str) -> None:
    made = commit(SALT, *WHERE, text=text)
    assert len(made) == fields.COMMITMENT
    assert is_opening(made, SALT, *WHERE, text=other) == (text == other)


def test_a_commitment_opens_with_its_salt_and_in_its_context_only() -> None:
    made = commit(SALT, *WHERE, text="kesa")
    assert is_opening(made, SALT, *WHERE, text="kesa")
    assert not is_opening(made, derive(B, "salt", 7, size=16), *WHERE, text="kesa")
    assert not is_opening(made, SALT, WHERE[0], 2, 7, text="kesa")  # copied by somebody else
    assert not is_opening(made, SALT, *WHERE, 1, text="kesa")


@pytest.mark.parametrize("salt", [b"", SALT[1:], SALT + b"\0", bytes(100)])
def test_a_salt_of_another_size_opens_nothing(salt: bytes) -> None:
    assert not is_opening(commit(SALT, text="kesa"), salt, text="kesa")
    with pytest.raises(LocalError):
        commit(salt, text="kesa")


def test_a_text_that_cannot_be_packed_opens_nothing() -> None:
    assert not is_opening(bytes(32), SALT, text="\ud800")


# --- Joint coins ------------------------------------------------------------------------------


def test_each_part_of_a_coin_and_their_order_and_place_count() -> None:
    parts = [derive(seed, "part", 3, size=fields.PART) for seed in SEEDS[:3]]
    coins = {coin(order, *CONTEXT, 3) for order in permutations(parts)}
    coins |= {coin(parts, *CONTEXT, 4), coin(parts[:2], *CONTEXT, 3), coin(parts[:2], parts[2])}
    assert len(coins) == 6 + 3
    flipped = bytes([parts[1][0] ^ 1]) + parts[1][1:]
    assert coin([parts[0], flipped, parts[2]], *CONTEXT, 3) not in coins


@pytest.mark.parametrize("size", [0, 15, 17])
def test_who_opens_a_part_of_another_size_is_named(size: int) -> None:
    with pytest.raises(Cheated, match="part of a coin") as caught:
        coin([bytes(16), bytes(size), bytes(16)])
    assert caught.value.who == 1


@pytest.mark.parametrize("odds", ["1", "1/2 1/2", "1/3 2/3", "1/7 0 4/7 2/7", "1/6 1/10 1/15 2/3"])
def test_a_choice_has_exactly_its_odds(odds: str) -> None:
    many, shares = 3000, [Fraction(one) for one in odds.split()]
    found = Counter(choose(shares, derive(A, "choose", n)) for n in range(many))
    assert all(found[index] == 0 for index, one in enumerate(shares) if not one)
    chi = sum((found[i] - many * p) ** 2 / (many * p) for i, p in enumerate(shares) if p)
    assert chi < 20  # of at most 3 degrees of freedom: passed by all but 1 in 5,000


def test_numbers_below_a_bound_are_all_alike_also_beyond_a_block() -> None:
    numbers = mental_poker._Numbers(A)
    assert Counter(numbers.below(5) for _ in range(5000)).keys() == set(range(5))
    assert numbers.below(1) == 0
    big = [numbers.below(3 << 1100) for _ in range(40)]
    assert max(big) > 2 << 1100
    assert min(big) < 1 << 1100


@pytest.mark.parametrize("odds", ["1/2", "1/2 1/2 1/2", "3/2 -1/2"])
def test_odds_that_are_none_are_our_mistake(odds: str) -> None:
    with pytest.raises(LocalError):
        choose([Fraction(one) for one in odds.split()], A)


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
        assert all(deal.is_share(who, position, share) for who, share in enumerate(opened))
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
    before = replace(locked, decks=locked.decks[:3], locks=())
    other = replace(before, decks=(*before.decks[:2], before.decks[2][::-1]))
    one, two = before.make_pass(A), other.make_pass(A)
    size = len(NAMES) * 32
    assert not set(mental_poker._split(one[size:], LOCK)) & set(
        mental_poker._split(two[size:], LOCK)
    )


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


class Counting(Ed25519):
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
def test_a_deal_costs_two_multiplications_a_card_for_each_terminal(terminals: int) -> None:
    """And one check of every card that somebody else has touched; `kumite bench` has the time."""
    names, group = tuple(f"c{n}" for n in range(30)), Counting()
    deal = Deal.of(names, CONTEXT, terminals, group)
    while (turn := deal.turn) is not None:
        deal = deal.with_pass(deal.make_pass(SEEDS[turn]))
    assert group.multiplied == 2 * 30 * terminals
    assert group.checked == 2 * 30 * terminals
    shares = [deal.share(SEEDS[who], who, 7) for who in range(terminals)]
    assert deal.open(7, shares) in range(30)
    assert group.multiplied == 2 * 30 * terminals + 1


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
        (lambda data: bytes(32) + data[32:], "no element"),
        (lambda data: b"\1" + bytes(31) + data[32:], "no element"),  # the neutral one
        (lambda data: MINUS_ONE + data[32:], "no element"),
        (lambda data: b"\xff" * 32 + data[32:], "no element"),
        (lambda data: mixed_order() + data[32:], "no element"),
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


Points = list[bytes]
Locks = list[bytes]


class Cheat:
    """How a terminal changes its honest pass, by what it may know."""

    def __init__(self, group: Group, deal: Deal, who: int) -> None:
        self.group, self.deal, self.who = group, deal, who
        self.before = deal.decks[-1]

    def times(self, scalar: int, point: bytes) -> bytes:
        return self.group.times(scalar, point)

    def no_shuffle(self, deck: Points, locks: Locks) -> None:
        deck[:] = [self.times(12345, point) for point in self.before]

    def sorted_by_hand(self, deck: Points, locks: Locks) -> None:
        deck[0], deck[1] = deck[1], deck[0]

    def a_card_of_its_own(self, deck: Points, locks: Locks) -> None:
        deck[0] = self.group.hashed(bytes(range(32)))

    def another_scalar_for_one_card(self, deck: Points, locks: Locks) -> None:
        deck[3] = self.times(2, deck[3])

    def a_repeated_card(self, deck: Points, locks: Locks) -> None:
        deck[0] = self.times(98765, deck[4])

    def marked_cards(self, deck: Points, locks: Locks) -> None:
        """Two positions that differ by a known factor, which later passes keep."""
        deck[2] = self.times(2, deck[5])
        deck[6] = self.times(4, deck[5])

    def a_card_from_an_older_deck(self, deck: Points, locks: Locks) -> None:
        deck[7] = self.times(3, self.deal.decks[0][7])

    def moved_with_its_lock(self, deck: Points, locks: Locks) -> None:
        deck[0], deck[1], locks[0], locks[1] = deck[1], deck[0], locks[1], locks[0]

    def a_false_commitment(self, deck: Points, locks: Locks) -> None:
        locks[5] = bytes(LOCK)

    def moved_commitments(self, deck: Points, locks: Locks) -> None:
        locks[0], locks[1] = locks[1], locks[0]

    def somebody_elses_commitments(self, deck: Points, locks: Locks) -> None:
        locks[:] = self.deal.locks[0] if self.deal.locks else [bytes(LOCK)] * len(locks)


BOTH = [
    "sorted_by_hand",
    "a_card_of_its_own",
    "another_scalar_for_one_card",
    "a_repeated_card",
    "marked_cards",
    "a_card_from_an_older_deck",
]
SECOND = [
    "moved_with_its_lock",
    "a_false_commitment",
    "moved_commitments",
    "somebody_elses_commitments",
]
CHEATS = [(1, name) for name in ["no_shuffle", *BOTH]] + [(2, name) for name in BOTH + SECOND]


def cheated(kind: str, in_pass: int, who: int, terminals: int, group: Group) -> Deal:
    """Return a deck in whose shuffling one terminal has cheated and the others were honest."""
    deal = Deal.of(NAMES, CONTEXT, terminals, group)
    while deal.turn is not None:
        data, turn = deal.make_pass(SEEDS[deal.turn]), deal.turn
        if (in_pass, who) == (1 + (len(deal.decks) - 1) // terminals, turn):
            end = len(NAMES) * group.size
            deck = list(mental_poker._split(data[:end], group.size))
            locks = list(mental_poker._split(data[end:], LOCK))
            getattr(Cheat(group, deal, who), kind)(deck, locks)
            assert data != b"".join(deck + locks)
            data = b"".join(deck + locks)
        deal = deal.with_pass(data)
    return deal


@GROUPS
@pytest.mark.parametrize(("terminals", "who"), [(2, 0), (2, 1), (4, 0), (4, 2), (4, 3)])
@pytest.mark.parametrize(("in_pass", "kind"), CHEATS)
def test_the_audit_names_who_has_cheated_and_nobody_else(
    in_pass: int, kind: str, who: int, terminals: int, group: Group
) -> None:
    deal = cheated(kind, in_pass, who, terminals, group)
    opened = all_keys(deal)
    with pytest.raises(Cheated) as caught:
        deal.audit(opened)
    assert caught.value.who == who
    for other in set(range(terminals)) - {who}:
        deal.audit_one(other, opened[other])


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
    assert not any(deal.is_share(0, 3, one) for one in bad)
    assert not deal.is_share(1, 3, good)
    assert not deal.is_share(0, 2, good)


def test_committed_to_a_share_that_is_no_number_of_the_group_a_card_stays_closed() -> None:
    deal = dealt(2, ED25519)
    for no_key in (bytes(32), ED25519.order.to_bytes(32, "little"), b"\xff" * 32):
        locks = (deal._lock(0, 0, no_key), *deal.locks[0][1:])
        false = replace(deal, locks=(locks, deal.locks[1]))
        assert false.is_share(0, 0, no_key)
        with pytest.raises(NotACard):
            false.open(0, [no_key, deal.share(B, 1, 0)])
        with pytest.raises(Cheated, match="commitments") as caught:
            false.audit(all_keys(false))
        assert caught.value.who == 0


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


# --- Signatures, boxes, words -----------------------------------------------------------------


@given(st.binary(max_size=200), st.binary(max_size=200))
def test_a_signature_is_of_one_text_by_one_signer(data: bytes, other: bytes) -> None:
    signer = Signer.of(A)
    made = signer.sign(data)
    assert len(made) == fields.SIGNATURE
    assert is_signed(signer.public, data, made)
    assert is_signed(signer.public, other, made) == (data == other)
    assert not is_signed(Signer.of(B).public, data, made)


@given(st.binary(max_size=70), st.binary(max_size=70))
def test_bytes_from_anywhere_sign_nothing(public: bytes, signature: bytes) -> None:
    assert not is_signed(public, b"data", signature)
    assert not is_signed(Signer.of(A).public, b"data", signature)


@pytest.mark.parametrize("public", [bytes(32), b"\1" + bytes(31), MINUS_ONE])
def test_weak_keys_sign_nothing(public: bytes) -> None:
    assert not is_signed(public, b"data", b"\1" + bytes(63))


def test_a_signer_shows_no_secret() -> None:
    signer = Signer.of(A)
    assert signer._secret.hex() not in repr(signer)
    assert repr(signer._secret) not in repr(signer)


@given(st.binary(max_size=300))
def test_a_box_opens_for_its_reader_in_its_context(data: bytes) -> None:
    sealed = box(A, box_public(B), *CONTEXT, data=data)
    assert len(sealed) == len(data) + keys.BOX_OVERHEAD
    assert open_box(B, box_public(A), *CONTEXT, sealed=sealed) == data


def test_a_box_opens_for_nobody_else_and_nowhere_else() -> None:
    sealed = box(A, box_public(B), *CONTEXT, data=b"plan")
    for seed, sender, context in (
        (C, A, CONTEXT),
        (B, C, CONTEXT),
        (A, B, CONTEXT),  # sent back
        (B, A, (CONTEXT[0], 1)),
        (B, A, (*CONTEXT, 0)),
    ):
        with pytest.raises(BadBox):
            open_box(seed, box_public(sender), *context, sealed=sealed)


@given(st.integers(0, 19), st.integers(1, 255))
def test_a_changed_box_opens_no_more(at: int, by: int) -> None:
    sealed = bytearray(box(A, box_public(B), *CONTEXT, data=b"plan"))
    sealed[at] ^= by
    with pytest.raises(BadBox):
        open_box(B, box_public(A), *CONTEXT, sealed=bytes(sealed))


@given(st.binary(max_size=40), st.binary(max_size=40))
def test_bytes_from_anywhere_are_no_box_and_no_key(public: bytes, sealed: bytes) -> None:
    with pytest.raises(BadBox):
        open_box(B, public, sealed=sealed)
    if len(public) != 32:
        with pytest.raises(BadBox):
            box(B, public, data=b"")


@pytest.mark.parametrize("public", [bytes(32), b"\1" + bytes(31)])
def test_keys_that_make_every_secret_zero_are_refused(public: bytes) -> None:
    with pytest.raises(BadBox):
        box(A, public, data=b"")


def test_boxes_repeat_only_if_all_of_them_does() -> None:
    made = {
        box(A, box_public(B), "m", 1, data=b"plan"),
        box(A, box_public(B), "m", 1, data=b"plan"),  # again, after a crash
        box(A, box_public(B), "m", 1, data=b"flan"),
        box(A, box_public(B), "m", 2, data=b"plan"),
        box(B, box_public(A), "m", 1, data=b"plan"),
        box(A, box_public(C), "m", 1, data=b"plan"),
    }
    assert len({one[:16] for one in made}) == len({one[16:] for one in made}) == 5


def test_the_words_differ_if_a_key_the_order_or_the_match_does() -> None:
    publics = [Signer.of(seed).public for seed in SEEDS]
    same = words(publics, "m")
    assert same == words(tuple(publics), "m")
    assert len({same, words(publics[::-1], "m"), words(publics[:5], "m"), words(publics, "n")}) == 4


# --- Vectors: other versions of this program make the same bytes ------------------------------


def hexed(data: bytes) -> str:
    return blake2b(data, digest_size=8).hexdigest()


def test_vectors() -> None:
    parts = [derive(seed, "part", 3, size=fields.PART) for seed in SEEDS[:2]]
    tossed = coin(parts, *CONTEXT, 3)
    odds = [Fraction(1, 3), Fraction(1, 6), Fraction(1, 2)]
    deal = dealt(2, ED25519)
    signer = Signer.of(A)
    found = {
        "derive": derive(A, "salt", 7, size=16).hex(),
        "commit": commit(SALT, *WHERE, text="kesa").hex(),
        "coin": tossed.hex(),
        "choose": "".join(str(choose(odds, derive(A, "choose", n))) for n in range(12)),
        "card": deal.decks[0][0].hex(),
        "decks": [hexed(b"".join(deck)) for deck in deal.decks],
        "locks": [hexed(b"".join(locks)) for locks in deal.locks],
        "share": deal.share(A, 0, 3).hex(),
        "keys": deal.keys(A, 0).hex(),
        "order": " ".join(deal.audit(all_keys(deal))),
        "signer": signer.public.hex(),
        "signed": hexed(signer.sign(b"kumite")),
        "box": box(A, box_public(B), *CONTEXT, data=b"plan").hex(),
        "words": "-".join(words([signer.public], "m")),
    }
    assert found == VECTORS


VECTORS: dict[str, object] = {
    "derive": "e3d51dc03cb6ce7da215de312b0cdf4f",
    "commit": "58447392e8e7d50267346bb6e78ef424d787",
    "coin": "c6b97b43cf239a692ee69c2047bc2ed6c7970ee1f033e2261a26d1f7eea32b90",
    "choose": "220212202221",
    "card": "775adda6da412ae40aa762f94c2e2ae13a9ab5cd1c8eda33e15a110e5502b2cc",
    "decks": [
        "427df555ab7237a1",
        "bc2067177b70b7dd",
        "d33fe2175050d55c",
        "ee51b785845a955d",
        "670070a7b1f6fd8d",
    ],
    "locks": ["463a04ea5d532c36", "8309ef85574b59d6"],
    "share": "2ac1e8e59d5e67f4ee53bd8f2d79f3edb1c04f89d943af037f2d987ac9106c0e",
    "keys": "e22fa978bb42cd1c4712bd30e76b92cd89382f17b2c8b60669b50884282fde29",
    "order": "r1 b1 b1 r2 b3 b3 b2 b3",
    "signer": "6c053604c0ebce972ca746791226e887557bad6ca5535d3b9c9a42d372885692",
    "signed": "70dfb40a3d7dbcaa",
    "box": "0936c6dd120d85ad15da0156787eeb9897b575a2",
    "words": "pigeon-linen-snow",
}
