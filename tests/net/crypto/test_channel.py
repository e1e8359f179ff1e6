"""Sealed frames: whatever is changed, repeated, left out or cut does not open."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kumite.core.errors import LocalError
from kumite.net.crypto import channel
from kumite.net.crypto.channel import BadSeal, Opener, Sealer, Unsealed
from kumite.net.wire.framing import LENGTH, MAX_FRAME

KEY = bytes(range(32))
FRAMES = st.lists(st.binary(min_size=1, max_size=60), min_size=1, max_size=6)


def sealed(frames: list[bytes], key: bytes = KEY) -> list[bytes]:
    sealer = Sealer(key)
    return [sealer.seal(one) for one in frames]


def opened(data: bytes, key: bytes = KEY) -> tuple[Unsealed, ...]:
    return Opener(key).feed(data)


@given(FRAMES, st.lists(st.integers(0, 999), max_size=8))
def test_frames_open_however_they_are_split(frames: list[bytes], cuts: list[int]) -> None:
    data = b"".join(sealed(frames))
    opener, found = Opener(KEY), list[Unsealed]()
    places = [0, *sorted(cut % (len(data) + 1) for cut in cuts), len(data)]
    for start, end in pairwise(places):
        found += opener.feed(data[start:end])
    assert found == frames
    assert not opener._rest


def test_vectors() -> None:
    one, two = sealed([b"kumite", b"kumite"])
    assert [one.hex(), two.hex()] == VECTORS


VECTORS: list[str] = [
    "001673cd2f58d98392e36ea65845c11cb245e47a1f27e564",
    "0016022911b0456f9c52cb4cd7f6d79557ad2a14ac101950",
]


@pytest.mark.parametrize("size", [1, 100, MAX_FRAME])
def test_a_seal_adds_18_bytes(size: int) -> None:
    (frame,) = sealed([bytes(size)])
    assert len(frame) == size + 18
    assert opened(frame) == (bytes(size),)


@settings(max_examples=300)
@given(FRAMES, st.data())
def test_a_changed_byte_ends_the_link_there(frames: list[bytes], data: st.DataObject) -> None:
    parts = sealed(frames)
    stream = bytearray(b"".join(parts))
    at = data.draw(st.integers(0, len(stream) - 1))
    stream[at] ^= data.draw(st.integers(1, 255))
    whole = next(n for n in range(len(parts)) if sum(map(len, parts[: n + 1])) > at)
    opener = Opener(KEY)
    found = opener.feed(bytes(stream)) + opener.feed(bytes(70_000))
    assert found[:whole] == tuple(frames[:whole])
    assert isinstance(found[whole], BadSeal)
    assert len(found) == whole + 1
    assert opener.feed(b"".join(parts)) == ()
    assert not opener._rest


@pytest.mark.parametrize(
    "order",
    [(1,), (0, 0), (0, 2), (1, 0), (0, 1, 1)],
    ids=["first", "twice", "gap", "swap", "late"],
)
def test_what_is_repeated_left_out_or_out_of_order_does_not_open(order: tuple[int, ...]) -> None:
    parts = sealed([b"a", b"b", b"c"])
    found = opened(b"".join(parts[n] for n in order))
    assert isinstance(found[-1], BadSeal)
    assert found[:-1] == (b"a", b"b")[: len(found) - 1]


def test_frames_of_another_key_or_direction_do_not_open() -> None:
    (found,) = opened(sealed([b"a"], KEY[::-1])[0])
    assert isinstance(found, BadSeal)


def test_a_cut_within_a_frame_is_seen() -> None:
    (frame,) = sealed([b"abc"])
    for end in range(1, len(frame)):
        opener = Opener(KEY)
        assert opener.feed(frame[:end]) == ()
        assert opener._rest


@pytest.mark.parametrize("size", [0, 1, 16])
def test_frames_too_short_for_a_seal_are_refused(size: int) -> None:
    opener = Opener(KEY)
    (found,) = opener.feed(size.to_bytes(LENGTH, "big"))
    assert isinstance(found, BadSeal)
    assert str(size) in found.reason


@given(st.lists(st.binary(max_size=3000), max_size=8))
def test_bytes_from_anywhere_open_nothing_and_fill_nothing(chunks: list[bytes]) -> None:
    opener, found = Opener(KEY), list[Unsealed]()
    for chunk in chunks:
        found += opener.feed(chunk)
        assert len(opener._rest) <= LENGTH + MAX_FRAME + 16
    assert all(isinstance(one, BadSeal) for one in found)
    assert len(found) <= 1


def test_a_key_seals_no_more_frames_than_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = sealed([b"a", b"b", b"c"])
    monkeypatch.setattr(channel, "MAX_FRAMES", 2)
    sealer = Sealer(KEY)
    assert [sealer.seal(b"a"), sealer.seal(b"b")] == parts[:2]
    with pytest.raises(LocalError, match="reconnect"):
        sealer.seal(b"c")
    assert isinstance(opened(b"".join(parts))[-1], BadSeal)


@pytest.mark.parametrize("size", [0, MAX_FRAME + 1])
def test_frames_of_no_size_are_our_mistake(size: int) -> None:
    with pytest.raises(LocalError):
        Sealer(KEY).seal(bytes(size))


@pytest.mark.parametrize("key", [b"", KEY[1:], KEY + b"\0"])
def test_keys_of_another_size_are_our_mistake(key: bytes) -> None:
    with pytest.raises(LocalError):
        Sealer(key)
    with pytest.raises(LocalError):
        Opener(key)
