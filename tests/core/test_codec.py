"""The codec: canonical bytes of values, and nothing but what can be canonical."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kumite.core.codec import DIGEST_SIZE, decode, digest, encode
from kumite.core.errors import BadData
from kumite.core.game import Packed

ints = st.integers(-(1 << 63), (1 << 64) - 1)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
packed = st.recursive(
    ints | texts | st.binary(max_size=40), lambda parts: st.lists(parts).map(tuple), max_leaves=20
)


@given(packed)
def test_values_round_trip(value: Packed) -> None:
    data = encode(value)
    again = decode(data)
    assert again == value
    assert type(again) is type(value)
    assert encode(again) == data


@given(packed, packed)
def test_equal_bytes_mean_equal_values(one: Packed, other: Packed) -> None:
    assert (encode(one) == encode(other)) == (one == other)


@pytest.mark.parametrize(
    ("value", "data"),
    [
        (0, "00"),
        (127, "7f"),
        (128, "cc80"),
        (-1, "ff"),
        (-33, "d0df"),
        (65536, "ce00010000"),
        ((1 << 64) - 1, "cfffffffffffffffff"),
        (-(1 << 63), "d38000000000000000"),
        ("", "a0"),
        ("é", "a2c3a9"),
        ("x" * 32, "d920" + "78" * 32),
        (b"", "c400"),
        (b"\xff", "c401ff"),
        ((), "90"),
        ((1, ("f7", b"\0")), "920192a26637c40100"),
    ],
)
def test_the_bytes_are_these_forever(value: Packed, data: str) -> None:
    assert encode(value).hex() == data
    assert decode(bytes.fromhex(data)) == value


class Suit(IntEnum):
    KEY = 1


def nested(depth: int) -> tuple[Any, ...]:
    value: tuple[Any, ...] = ()
    for _ in range(depth - 1):
        value = (value,)
    return value


@pytest.mark.parametrize(
    "value",
    [
        0.0,
        1.5,
        float("nan"),
        None,
        True,
        False,
        [],
        {},
        frozenset(),
        Suit.KEY,
        bytearray(b"x"),
        memoryview(b"x"),
        1j,
        object(),
        1 << 64,
        -(1 << 63) - 1,
        "\ud800",
        msgpack.ExtType(1, b""),
        nested(33),
        (1, (2, [3])),
        ((True,),),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_has_no_canonical_bytes_is_refused(value: Any) -> None:
    with pytest.raises(BadData):
        encode(value)


def test_arrays_in_arrays_go_as_deep_as_any_position_needs() -> None:
    assert decode(encode(nested(32))) == nested(32)
    with pytest.raises(BadData):
        decode(b"\x91" * 32 + b"\x90")
    with pytest.raises(BadData):
        decode(b"\x91" * 5_000_000 + b"\x90")


@pytest.mark.parametrize(
    "data",
    [
        "",
        "cc05",  # 5 in two bytes
        "cd0080",
        "d0ff",
        "d3ffffffffffffffff",  # -1 in nine
        "d900",  # the empty text in two
        "d90161",
        "c50001ff",
        "dc0000",
        "0000",  # two values
        "92",  # cut off
        "a2c3",
        "a1ff",  # no UTF-8
        "a3eda080",  # a surrogate
        "c0",
        "c2",
        "c3",
        "c1",
        "80",
        "8101a0",
        "8190a0",
        "ca00000000",
        "cb0000000000000000",
        "d40100",
        "d6ff00000000",  # a time
        "91c0",
        "ddffffffff",  # four billion values
        "c6ffffffff",
    ],
)
def test_other_bytes_are_refused(data: str) -> None:
    with pytest.raises(BadData):
        decode(bytes.fromhex(data))


@given(st.binary(max_size=60))
def test_any_bytes_are_refused_or_canonical(data: bytes) -> None:
    try:
        value = decode(data)
    except BadData:
        return
    assert encode(value) == data


@given(packed, st.data())
def test_no_value_has_a_second_encoding_near_its_own(value: Packed, draw: st.DataObject) -> None:
    data = bytearray(encode(value))
    where = draw.draw(st.integers(0, len(data) - 1))
    data[where] ^= draw.draw(st.integers(1, 255))
    try:
        assert decode(bytes(data)) != value
    except BadData:
        return


def test_the_digest_is_this_forever() -> None:
    assert DIGEST_SIZE == len(digest(())) == 16
    assert digest((1, "kuzushi", (b"\xff",))).hex() == "b601dd75f176c04896a67a810314aa1c"
