"""What the proofs are made of: sums of points, generators, transcripts; and vectors of them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kumite.core.errors import BadData, LocalError
from kumite.net.crypto import lock_proof, shuffle_proof
from kumite.net.crypto.groups import ED25519, Group, combined, generators
from kumite.net.crypto.transcript import Transcript, split
from tests.net.crypto.test_proofs import ABOUT, GROUPS, KEY, cards, locked, shuffled
from tests.support.bad_points import BAD_POINTS
from tests.support.forger import total
from tests.support.toy_group import TOY

VECTORS = Path(__file__).parents[2] / "data" / "proofs.json"


# --- The parts --------------------------------------------------------------------------------


@GROUPS
def test_what_is_no_element_or_taken_no_times_is_refused(group: Group) -> None:
    good = cards(group, 2)
    both = combined(group, [(3, good[0]), (-1, good[1])])
    assert both == total(group, [(3, good[0]), (group.order - 1, good[1])])
    for bad in (bytes(group.size), b"\xff" * group.size, b"", good[0] + good[1]):
        with pytest.raises(BadData, match="not an element"):
            combined(group, [(1, good[0]), (2, bad)])
    for nothing in (0, group.order, -2 * group.order):
        with pytest.raises(BadData, match="by nothing"):
            combined(group, [(1, good[0]), (nothing, good[1])])
        with pytest.raises(LocalError):
            group.times(nothing, good[0])


@pytest.mark.parametrize("bad", BAD_POINTS.values(), ids=BAD_POINTS)
def test_points_outside_the_subgroup_are_refused(bad: bytes) -> None:
    assert not ED25519.is_element(bad)
    with pytest.raises(BadData, match="not an element"):
        ED25519.times(7, bad)


@GROUPS
def test_generators_are_elements_that_differ_and_stay(group: Group) -> None:
    few, many = generators(group, 3), generators(group, 64)
    assert few.first == many.first
    assert few.others == many.others[:3]
    points = {many.first, *many.others, group.base}
    assert len(points) == 66
    assert all(map(group.is_element, points))
    assert few.total == total(group, [(1, one) for one in few.others])


def test_a_transcript_answers_by_all_that_was_said_and_in_which_order() -> None:
    def answer(*said: tuple[Any, ...], label: str = "x") -> tuple[Any, ...]:
        made = Transcript(label, ED25519, *ABOUT)
        for one in said:
            made.say(*one)
        return (
            made.challenge(),
            made.weights("card", 2),
            made.weights("step", 2),
            made.secrets(KEY).one(),
        )

    first = answer(("cards", b"a", b"b"))
    assert first == answer(("cards", b"a", b"b"))
    different = [
        answer(),
        answer(label="y"),
        answer(("cards", b"ab")),
        answer(("cards", b"b", b"a")),
        answer(("cards", b"a"), ("cards", b"b")),
        answer(("other", b"a", b"b")),
    ]
    for other in different:
        assert all(one != two for one, two in zip(first, other, strict=True))
    assert first[1] != first[2]
    assert all(0 < one <= 2**128 for one in first[1])


def test_a_secret_number_serves_one_statement() -> None:
    """Two answers with one of them would give the factor and the permutation away."""
    used = set()
    for seed in range(1, 4):
        for about in (ABOUT, (*ABOUT, 1)):
            statement = replace(shuffled(TOY, 3, seed)[0], about=about)
            used |= set(statement.transcript().secrets(KEY).many(5))
            used |= set(statement.transcript().secrets(bytes(32)).many(5))
    assert len(used) == 3 * 2 * 2 * 5


# --- Vectors: other programs make and check the same bytes --------------------------------------


def vector(count: int) -> dict[str, Any]:
    statement, scalar, places = shuffled(ED25519, count)
    locking, factor, keys = locked(ED25519, count)
    bases = generators(ED25519, count)
    return {
        "about": [ABOUT[0], ABOUT[1], ABOUT[2].hex()],
        "generators": [one.hex() for one in (bases.first, *bases.others)],
        "before": [one.hex() for one in statement.before],
        "shuffle": {
            "scalar": str(scalar),
            "places": places,
            "after": [one.hex() for one in statement.after],
            "factor": statement.factor.hex(),
            "proof": shuffle_proof.prove(statement, scalar, places, KEY).packed().hex(),
        },
        "lock": {
            "scalar": str(factor),
            "keys": [str(key) for key in keys],
            "after": [one.hex() for one in locking.after],
            "factor": locking.factor.hex(),
            "locks": [one.hex() for one in locking.locks],
            "proof": lock_proof.prove(locking, factor, keys, KEY).packed().hex(),
        },
    }


@pytest.mark.parametrize("at", [0, 1])
def test_vectors(at: int) -> None:
    """The secrets give the same bytes, and the bytes alone are taken."""
    known = json.loads(VECTORS.read_text())[at]
    count = len(known["before"])
    assert vector(count) == known
    about = (known["about"][0], known["about"][1], bytes.fromhex(known["about"][2]))
    before = split(bytes.fromhex("".join(known["before"])), 32)
    for module, name in ((shuffle_proof, "shuffle"), (lock_proof, "lock")):
        one, rest = known[name], []
        if name == "lock":
            rest = [split(bytes.fromhex("".join(one["locks"])), 32)]
        after = split(bytes.fromhex("".join(one["after"])), 32)
        statement = module.Statement(
            ED25519, about, before, after, bytes.fromhex(one["factor"]), *rest
        )
        proof = module.Proof.of(bytes.fromhex(one["proof"]), count, ED25519)
        assert module.is_proved(statement, proof)
