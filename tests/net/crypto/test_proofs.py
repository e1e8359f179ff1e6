"""The proofs of passes over a deck: every true one is taken, and no false one, whoever makes it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kumite.core.errors import BadData
from kumite.net.crypto import lock_proof, shuffle_proof
from kumite.net.crypto.groups import ED25519, Group
from kumite.net.crypto.transcript import SCALAR, Transcript
from tests.support.forger import LockForger, Matrix, ShuffleForger, permuting
from tests.support.toy_group import TOY

GROUPS = pytest.mark.parametrize("group", [ED25519, TOY], ids=["ed25519", "toy"])
KEY = b"k" * 32
ABOUT = ("0123456789abcdef", 0, b"who")
MINUS_ONE = bytes.fromhex("ec" + "ff" * 30 + "7f")  # (0, -1), of order 2
NEUTRAL = b"\1" + bytes(31)

Shuffled = tuple[shuffle_proof.Statement, int, list[int]]
Locked = tuple[lock_proof.Statement, int, list[int]]


def cards(group: Group, count: int) -> tuple[bytes, ...]:
    return tuple(group.hashed(bytes([n]) * 32) for n in range(1, count + 1))


def shuffled(group: Group, count: int, seed: int = 1) -> Shuffled:
    rng, before = Random(seed), cards(group, count)
    scalar, places = rng.randrange(1, group.order), rng.sample(range(count), count)
    after = tuple(group.times(scalar, before[place]) for place in places)
    made = shuffle_proof.Statement(group, ABOUT, before, after, group.base_times(scalar))
    return made, scalar, places


def locked(group: Group, count: int, seed: int = 1) -> Locked:
    rng, before = Random(seed), cards(group, count)
    scalar, *keys = (rng.randrange(1, group.order) for _ in range(count + 1))
    undo = pow(scalar, -1, group.order)
    after = tuple(
        group.times(key * undo % group.order, card) for key, card in zip(keys, before, strict=True)
    )
    locks, factor = tuple(map(group.base_times, keys)), group.base_times(scalar)
    return lock_proof.Statement(group, ABOUT, before, after, factor, locks), scalar, keys


def is_taken(statement: Any, proof: Any) -> bool:
    """Whether the proof comes through its bytes and is a proof."""
    module: Any = shuffle_proof if isinstance(proof, shuffle_proof.Proof) else lock_proof
    try:
        again = module.Proof.of(proof.packed(), len(statement.before), statement.group)
        assert again == proof
        return bool(module.is_proved(statement, again))
    except BadData:
        return False


# --- What is true -----------------------------------------------------------------------------


@GROUPS
@pytest.mark.parametrize("count", [1, 2, 5, 30])
def test_what_is_true_is_proved(group: Group, count: int) -> None:
    statement, scalar, places = shuffled(group, count)
    proof = shuffle_proof.prove(statement, scalar, places, KEY)
    assert is_taken(statement, proof)
    assert len(proof.packed()) == shuffle_proof.size_for(count, group)
    locking, scalar, keys = locked(group, count)
    made = lock_proof.prove(locking, scalar, keys, KEY)
    assert is_taken(locking, made)
    assert len(made.packed()) == lock_proof.size_for(count, group)


@settings(max_examples=30)
@given(st.integers(1, 12), st.integers(0, 2**32))
def test_any_shuffle_and_any_keys_are_proved(count: int, seed: int) -> None:
    statement, scalar, places = shuffled(TOY, count, seed)
    assert is_taken(statement, shuffle_proof.prove(statement, scalar, places, KEY))
    locking, scalar, keys = locked(TOY, count, seed)
    assert is_taken(locking, lock_proof.prove(locking, scalar, keys, KEY))


@GROUPS
def test_an_independent_prover_of_the_same_equations_is_believed(group: Group) -> None:
    statement, scalar, places = shuffled(group, 4)
    forger = ShuffleForger(group, ABOUT, statement.before, scalar, permuting(places))
    assert forger.statement() == statement
    assert is_taken(statement, forger.proof())
    locking, scalar, keys = locked(group, 4)
    assert is_taken(locking, LockForger(locking, scalar, keys).proof())


def test_thirty_cards_are_proved_in_so_many_bytes() -> None:
    """With the cards themselves; a frame has 65,519."""
    points = 30 + 1 + 2 * 30
    assert shuffle_proof.size_for(30, ED25519) + 31 * 32 == 32 * (points + 6 + 30) == 4064
    assert lock_proof.size_for(30, ED25519) + 60 * 32 == 32 * (60 + 2 + 30) == 2944


# --- What has been changed --------------------------------------------------------------------


def others(group: Group, point: bytes) -> list[bytes]:
    """Return what could be put in the place of a point: others of the group, and none."""
    made = [group.times(2, point), group.times(group.order - 1, point), group.hashed(b"x" * 32)]
    none = [bytes(group.size), b"\xff" * group.size]
    return made + none + ([NEUTRAL, MINUS_ONE] if group.size == 32 else [])


def put(values: tuple[Any, ...], at: int, value: object) -> tuple[Any, ...]:
    return (*values[:at], value, *values[at + 1 :])


def changes(group: Group, value: Any) -> Iterator[Any]:
    """Return other values of a field: of each of its parts, and of their order."""
    if isinstance(value, bytes):
        yield from others(group, value)
    elif isinstance(value, int):
        yield from ((value + 1) % group.order or 1, group.order - value, 1, group.order - 1)
    else:
        for at, one in enumerate(value):
            for other in changes(group, one):
                yield put(value, at, other)
            if at and type(one) is type(value[at - 1]):
                yield put(put(value, at, value[at - 1]), at - 1, one)
                yield put(value, at, value[at - 1])


def mutated(group: Group, whole: Any, fields: tuple[str, ...]) -> Iterator[Any]:
    for name in fields:
        for other in changes(group, getattr(whole, name)):
            if isinstance(getattr(whole, name), shuffle_proof.Witness):
                other = shuffle_proof.Witness(*other)
            yield replace(whole, **{name: other})


@GROUPS
def test_a_shuffle_proof_with_any_field_changed_is_refused(group: Group) -> None:
    statement, scalar, places = shuffled(group, 3)
    proof = shuffle_proof.prove(statement, scalar, places, KEY)
    fields = ("permutation", "chain", "challenge", "responses")
    for other in mutated(group, proof, fields):
        assert not is_taken(statement, other), other
    for many in changes(group, proof.responses.moved):
        responses = proof.responses._replace(moved=many)
        assert not is_taken(statement, replace(proof, responses=responses))
    for other in mutated(group, statement, ("before", "after", "factor")):
        assert not is_taken(other, proof), other


@GROUPS
def test_a_lock_proof_with_any_field_changed_is_refused(group: Group) -> None:
    statement, scalar, keys = locked(group, 3)
    proof = lock_proof.prove(statement, scalar, keys, KEY)
    for other in mutated(group, proof, ("challenge", "factor", "keys")):
        assert not is_taken(statement, other), other
    for other in mutated(group, statement, ("before", "after", "factor", "locks")):
        assert not is_taken(other, proof), other


@GROUPS
def test_every_bit_of_a_proof_counts(group: Group) -> None:
    shuffling, scalar, places = shuffled(group, 2)
    locking, other, keys = locked(group, 2)
    for statement, proof in (
        (shuffling, shuffle_proof.prove(shuffling, scalar, places, KEY)),
        (locking, lock_proof.prove(locking, other, keys, KEY)),
    ):
        module: Any = shuffle_proof if statement is shuffling else lock_proof
        data = proof.packed()
        for at in range(0, 8 * len(data), 7):
            bad = bytearray(data)
            bad[at // 8] ^= 1 << at % 8
            try:
                found = module.Proof.of(bytes(bad), 2, group)
                assert not module.is_proved(statement, found), at
            except BadData:
                pass


@pytest.mark.parametrize("module", [shuffle_proof, lock_proof])
def test_bytes_of_another_size_or_numbers_outside_the_group_are_no_proof(module: Any) -> None:
    size = module.size_for(2, ED25519)
    for wrong in (b"", bytes(size - 1), bytes(size + 1), b"\1" * (size - SCALAR)):
        with pytest.raises(BadData, match=f"a proof of {len(wrong)} bytes for 2 cards"):
            module.Proof.of(wrong, 2, ED25519)
    start = b"\1" * (size - SCALAR)
    module.Proof.of(b"\1" * size, 2, ED25519)
    for number in (0, ED25519.order, 2**256 - 1):  # and none is written in two ways
        with pytest.raises(BadData, match="out of range"):
            module.Proof.of(start + number.to_bytes(32, "little"), 2, ED25519)


@GROUPS
@pytest.mark.parametrize(
    "about",
    [
        (),
        ABOUT[:2],
        (*ABOUT, 0),
        ("0123456789abcdee", *ABOUT[1:]),
        (ABOUT[0], 1, ABOUT[2]),
        (*ABOUT[:2], b"hwo"),
        (*ABOUT[:2], "who"),
    ],
)
def test_a_proof_of_another_place_is_none_here(group: Group, about: tuple[Any, ...]) -> None:
    statement, scalar, places = shuffled(group, 3)
    proof = shuffle_proof.prove(statement, scalar, places, KEY)
    assert not is_taken(replace(statement, about=about), proof)
    locking, scalar, keys = locked(group, 3)
    made = lock_proof.prove(locking, scalar, keys, KEY)
    assert not is_taken(replace(locking, about=about), made)


def test_a_proof_of_another_deck_of_the_same_cards_is_none_here() -> None:
    one, other = shuffled(ED25519, 4, 1), shuffled(ED25519, 4, 2)
    proof = shuffle_proof.prove(*other, KEY)
    assert is_taken(other[0], proof)
    assert not is_taken(one[0], proof)


# --- What is false, by whoever knows all the equations -----------------------------------------

HALF = pow(2, -1, ED25519.order)

# Which of the six equations refuses it, and it alone.
FALSE: dict[str, tuple[int, Matrix]] = {
    "a card twice as large, another half": (0, [[2, 0, 0], [0, HALF, 0], [0, 0, 1]]),
    "linear combinations": (1, [[2, -1, 0], [-1, 2, 0], [0, 0, 1]]),
    "another combination": (1, [[1, 1, -1], [1, -1, 1], [-1, 1, 1]]),
}


def is_refused_by(
    monkeypatch: pytest.MonkeyPatch, forger: ShuffleForger, equations: set[int]
) -> None:
    """Check that these equations refuse a proof, and that without them it would be taken."""
    statement, proof = forger.statement(), forger.proof()
    assert not is_taken(statement, proof)
    real = shuffle_proof._expected

    def without(*args: Any) -> tuple[bytes, ...]:
        found, said = real(*args), forger.announced
        return tuple(said[k] if k in left else one for k, one in enumerate(found))

    monkeypatch.setattr(shuffle_proof, "_expected", without)
    for missing in equations:
        left = equations - {missing}
        assert not is_taken(statement, proof), missing
    left = equations
    assert is_taken(statement, proof)


@pytest.mark.parametrize("name", FALSE)
def test_matrices_that_do_not_permute_are_refused(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    equation, matrix = FALSE[name]
    forger = ShuffleForger(ED25519, ABOUT, cards(ED25519, 3), 12345, matrix)
    is_refused_by(monkeypatch, forger, {equation})


@pytest.mark.parametrize(("times", "equations"), [(1, {1, 3}), (2, {0, 1, 3})])
def test_a_card_in_two_places_is_refused_by_several_equations(
    times: int, equations: set[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = cards(ED25519, 3)
    after = tuple(ED25519.times(times * n, before[0]) for n in (1, 2)) + before[2:]
    matrix = [[1, 0, 0], [times, 0, 0], [0, 0, 1]]
    forger = ShuffleForger(ED25519, ABOUT, before, 12345, matrix, after)
    is_refused_by(monkeypatch, forger, equations)


@pytest.mark.parametrize(
    "change",
    [
        lambda y: (ED25519.times(2, y[0]), *y[1:]),
        lambda y: (ED25519.hashed(b"m" * 32), *y[1:]),
        lambda y: (y[1], y[0], y[2]),
        lambda y: (ED25519.times(3, y[1]), *y[1:]),
        lambda y: (y[0], ED25519.times(2, y[0]), ED25519.times(4, y[0])),
        lambda y: (ED25519.plus(y[0], y[1]), *y[1:]),
    ],
    ids=["marked", "its own card", "swapped", "a copy", "marked cards", "a combination"],
)
def test_other_cards_than_the_committed_permutation_gives_are_refused(
    change: Callable[[tuple[bytes, ...]], tuple[bytes, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    statement, scalar, places = shuffled(ED25519, 3)
    after = change(statement.after)
    forger = ShuffleForger(ED25519, ABOUT, statement.before, scalar, permuting(places), after=after)
    is_refused_by(monkeypatch, forger, {3})
    made = replace(statement, after=after)
    assert not is_taken(made, shuffle_proof.prove(made, scalar, places, KEY))


def test_another_factor_than_that_of_the_cards_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    statement, scalar, places = shuffled(ED25519, 3)
    factor = ED25519.base_times(scalar + 1)
    for answered, equation in ((scalar, 4), (scalar + 1, 3)):
        forger = ShuffleForger(
            ED25519, ABOUT, statement.before, scalar, permuting(places), (), factor, answered
        )
        with monkeypatch.context() as patch:
            is_refused_by(patch, forger, {equation})


def test_a_chain_that_jumps_to_where_it_should_end_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    matrix = [[2, -1, 0], [-1, 2, 0], [0, 0, 1]]
    forger = ShuffleForger(ED25519, ABOUT, cards(ED25519, 3), 12345, matrix, broken_link=2)
    is_refused_by(monkeypatch, forger, {5})


def test_a_permutation_other_than_the_one_committed_to_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It answers for an honest shuffle; but the commitment is to another one."""

    class Other(ShuffleForger):
        def proof(self) -> shuffle_proof.Proof:
            honest, self.matrix = self.matrix, permuting([1, 0, 2])
            original = Transcript.say

            def say(transcript: Transcript, label: str, *said: Any) -> None:
                original(transcript, label, *said)
                if label == "permutation":
                    self.matrix = honest

            with monkeypatch.context() as patch:
                patch.setattr(Transcript, "say", say)
                return super().proof()

    statement, scalar, places = shuffled(ED25519, 3)
    assert places != [1, 0, 2]
    forger = Other(ED25519, ABOUT, statement.before, scalar, permuting(places))
    is_refused_by(monkeypatch, forger, {2})


def changed_locking(group: Group, kind: str) -> LockForger:
    """Return a locking pass in which something is false, and who proves it all the same."""
    statement, scalar, keys = locked(group, 3)
    after, locks, undo = statement.after, statement.locks, pow(scalar, -1, group.order)
    match kind:
        case "another factor":  # it has taken another number off
            scalar += 1
            undo = pow(scalar, -1, group.order)
            after = tuple(
                group.times(k * undo % group.order, y)
                for k, y in zip(keys, statement.before, strict=True)
            )
        case "a false lock":
            locks = put(locks, 1, group.base_times(77))
        case "swapped locks":
            locks = (locks[1], locks[0], locks[2])
        case "a card under another key":
            after = put(after, 1, group.times(77, after[1]))
        case "swapped cards":
            after = (after[1], after[0], after[2])
        case "swapped with their locks":
            after, locks = (after[1], after[0], after[2]), (locks[1], locks[0], locks[2])
            keys = [keys[1], keys[0], keys[2]]
        case "a copy":
            after = put(after, 1, group.times(keys[1] * undo % group.order, statement.before[0]))
        case "a combination":
            sum_ = group.plus(statement.before[0], statement.before[1])
            after = put(after, 1, group.times(keys[1] * undo % group.order, sum_))
        case _:
            raise AssertionError(kind)
    return LockForger(replace(statement, after=after, locks=locks), scalar, keys)


@GROUPS
@pytest.mark.parametrize(
    ("kind", "equations"),
    [
        ("another factor", {0}),
        ("a false lock", {2}),
        ("swapped locks", {1, 2}),
        ("a card under another key", {4}),
        ("swapped cards", {4}),
        ("swapped with their locks", {4}),
        ("a copy", {4}),
        ("a combination", {4}),
    ],
)
def test_locks_on_other_cards_or_with_other_keys_are_refused(
    kind: str, equations: set[int], group: Group, monkeypatch: pytest.MonkeyPatch
) -> None:
    forger = changed_locking(group, kind)
    proof = forger.proof()
    assert not is_taken(forger.statement, proof)
    made = lock_proof.prove(forger.statement, forger.scalar, forger.keys, KEY)
    assert not is_taken(forger.statement, made)
    original = Transcript.say

    def say(transcript: Transcript, label: str, *said: Any) -> None:
        if label == "announced":
            true = forger.announced
            wrong = {k for k, (one, two) in enumerate(zip(said, true, strict=True)) if one != two}
            assert wrong == equations
            said = true
        original(transcript, label, *said)

    monkeypatch.setattr(Transcript, "say", say)
    assert is_taken(forger.statement, proof)


def test_errors_of_two_cards_do_not_make_up_for_each_other() -> None:
    """One card is taken too often and another too seldom; their weights are not known before."""
    statement, scalar, keys = locked(ED25519, 3)
    extra = ED25519.hashed(b"e" * 32)
    less = ED25519.times(ED25519.order - 1, extra)
    after = (
        ED25519.plus(statement.after[0], extra),
        ED25519.plus(statement.after[1], less),
        statement.after[2],
    )
    made = replace(statement, after=after)
    assert not is_taken(made, LockForger(made, scalar, keys).proof())
