"""Commitments, coins, the sealed deck and the keys of a match: laws, vectors, every cheat."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from hashlib import blake2b
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kumite.core.errors import LocalError
from kumite.net.crypto import mental_poker
from kumite.net.crypto.keys import Part, Signer, derive, is_signed, words
from kumite.net.crypto.mental_poker import Cheated, choose, coin, commit, is_opening
from kumite.net.wire import fields
from tests.net.crypto.test_sealed_deck import CONTEXT, SEEDS, A, B
from tests.support.bad_points import BAD_POINTS

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
    numbers = mental_poker.Numbers(A)
    assert Counter(numbers.below(5) for _ in range(5000)).keys() == set(range(5))
    assert numbers.below(1) == 0
    big = [numbers.below(3 << 1100) for _ in range(40)]
    assert max(big) > 2 << 1100
    assert min(big) < 1 << 1100


@pytest.mark.parametrize("odds", ["1/2", "1/2 1/2 1/2", "3/2 -1/2"])
def test_odds_that_are_none_are_our_mistake(odds: str) -> None:
    with pytest.raises(LocalError):
        choose([Fraction(one) for one in odds.split()], A)


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


SMALL = [one for name, one in BAD_POINTS.items() if "mixed" not in name]


@pytest.mark.parametrize("weak", SMALL)
def test_weak_keys_sign_nothing(weak: bytes) -> None:
    assert not is_signed(weak, b"data", b"\1" + bytes(63))
    assert not is_signed(weak, b"data", weak + bytes(32))
    assert not is_signed(Signer.of(A).public, b"data", weak + bytes(32))


def test_a_signer_shows_no_secret() -> None:
    signer = Signer.of(A)
    assert signer._secret.hex() not in repr(signer)
    assert repr(signer._secret) not in repr(signer)


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
    signer = Signer.of(A)
    found = {
        "derive": derive(A, "salt", 7, size=16).hex(),
        "commit": commit(SALT, *WHERE, text="kesa").hex(),
        "coin": tossed.hex(),
        "choose": "".join(str(choose(odds, derive(A, "choose", n))) for n in range(12)),
        "signer": signer.public.hex(),
        "signed": hexed(signer.sign(b"kumite")),
        "words": "-".join(words([signer.public], "m")),
    }
    assert found == VECTORS


VECTORS: dict[str, object] = {
    "derive": "e3d51dc03cb6ce7da215de312b0cdf4f",
    "commit": "58447392e8e7d50267346bb6e78ef424d787",
    "coin": "c6b97b43cf239a692ee69c2047bc2ed6c7970ee1f033e2261a26d1f7eea32b90",
    "choose": "220212202221",
    "signer": "6c053604c0ebce972ca746791226e887557bad6ca5535d3b9c9a42d372885692",
    "signed": "70dfb40a3d7dbcaa",
    "words": "pigeon-linen-snow",
}
