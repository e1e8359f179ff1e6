"""Boxes that only their reader can open, and that it can also open before everybody."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kumite.net.crypto import boxes
from kumite.net.crypto.groups import ED25519
from kumite.net.crypto.keys import BadBox
from tests.support.bad_points import BAD_POINTS

ADA, BOB, EVE = b"a" * 32, b"b" * 32, b"e" * 32
CONTEXT = ("0123456789abcdef", "shown", 7, 0, 1)
READER = boxes.public(BOB)


@given(st.binary(max_size=200))
def test_its_reader_opens_a_box_and_then_everybody_can(data: bytes) -> None:
    sealed = boxes.box(ADA, READER, *CONTEXT, data=data)
    assert len(sealed) == len(data) + boxes.LID
    assert boxes.is_box(sealed)
    key = boxes.key_of(BOB, *CONTEXT, sealed=sealed)
    assert boxes.is_key(key, READER, *CONTEXT, sealed=sealed)
    assert boxes.open_with(key, READER, *CONTEXT, sealed=sealed) == data


def test_a_key_opens_one_box_and_no_other() -> None:
    one, two = (boxes.box(ADA, READER, *CONTEXT, data=data) for data in (b"one", b"two"))
    key = boxes.key_of(BOB, *CONTEXT, sealed=one)
    assert not boxes.is_key(key, READER, *CONTEXT, sealed=two)
    with pytest.raises(BadBox):
        boxes.open_with(key, READER, *CONTEXT, sealed=two)


def test_nobody_but_the_reader_can_make_its_key() -> None:
    """Not who made the box either: they know S, and prove nothing."""
    sealed = boxes.box(ADA, READER, *CONTEXT, data=b"plan")
    right = boxes.key_of(BOB, *CONTEXT, sealed=sealed)
    for key in (
        boxes.key_of(EVE, *CONTEXT, sealed=sealed),
        boxes.key_of(BOB, *CONTEXT[:-1], 2, sealed=sealed),
        ED25519.base + right[32:],
        bytes(128),
        right[:-1],
    ):
        assert not boxes.is_key(key, READER, *CONTEXT, sealed=sealed)


@given(st.integers(0, 127), st.integers(1, 255))
def test_a_changed_key_is_none(at: int, flip: int) -> None:
    sealed = boxes.box(ADA, READER, *CONTEXT, data=b"plan")
    key = bytearray(boxes.key_of(BOB, *CONTEXT, sealed=sealed))
    key[at] ^= flip
    assert not boxes.is_key(bytes(key), READER, *CONTEXT, sealed=sealed)


@given(st.integers(0, 51), st.integers(1, 255))
def test_a_box_that_was_changed_opens_to_nothing_and_its_reader_can_show_that(
    at: int, flip: int
) -> None:
    sealed = bytearray(boxes.box(ADA, READER, *CONTEXT, data=b"plan"))
    sealed[at] ^= flip
    given_ = bytes(sealed)
    if not boxes.is_box(given_):  # all can see that
        with pytest.raises(BadBox):
            boxes.key_of(BOB, *CONTEXT, sealed=given_)
        return
    key = boxes.key_of(BOB, *CONTEXT, sealed=given_)
    assert boxes.is_key(key, READER, *CONTEXT, sealed=given_)
    with pytest.raises(BadBox):
        boxes.open_with(key, READER, *CONTEXT, sealed=given_)


def test_the_same_box_comes_again_and_another_shares_nothing_with_it() -> None:
    made = [boxes.box(ADA, READER, *CONTEXT, data=data) for data in (b"one", b"one", b"two")]
    assert made[0] == made[1]
    assert made[0][:32] != made[2][:32]


@pytest.mark.parametrize("key", BAD_POINTS.values(), ids=BAD_POINTS)
def test_what_is_no_point_of_the_group_is_neither_key_nor_box(key: bytes) -> None:
    assert not boxes.is_public(key)
    assert not boxes.is_box(key + bytes(16))
    with pytest.raises(BadBox):
        boxes.box(ADA, key, *CONTEXT, data=b"plan")
    with pytest.raises(BadBox):
        boxes.key_of(BOB, *CONTEXT, sealed=key + bytes(16))
