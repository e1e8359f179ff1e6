"""Frames and messages: pairs, limits, and any bytes at all."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import BadData, LocalError
from core.game import Seat, Step
from net import wire
from net.wire import MAX_FRAME, PREAMBLE, Broken, Decoder, clean, frame, pack_message
from tests.random_matches import setups, walk
from tui.bench import ALL_GAMES

if TYPE_CHECKING:
    from net.wire import Message, Received

DIGESTS = st.binary(min_size=16, max_size=16)
SEATS = st.integers(0, 5).map(Seat)
MANY_SEATS = st.sets(SEATS).map(lambda seats: tuple(sorted(seats)))
ASCII = st.characters(min_codepoint=33, max_codepoint=126)
TOKENS = st.text(ASCII, min_size=1, max_size=wire.MAX_TOKEN)
STEPS = st.text(ASCII, min_size=1, max_size=wire.MAX_STEP).map(Step)
NUMBERS = st.integers(1, wire.MAX_NUMBER)
INDEXES = st.integers(0, wire.MAX_NUMBER)


def texts(limit: int) -> st.SearchStrategy[str]:
    return st.text(max_size=limit).map(lambda text: clean(text, limit))


NAMES = texts(wire.MAX_NAME)
OPTIONS = st.tuples(TOKENS, TOKENS | st.integers(-(2**31), 2**31 - 1))
MESSAGES: st.SearchStrategy[Any] = st.one_of(
    st.builds(wire.Hello, st.just(wire.PROTOCOL), TOKENS, NAMES),
    st.builds(wire.Refuse, TOKENS, texts(wire.MAX_TEXT), texts(wire.MAX_TEXT)),
    st.builds(
        wire.Offer,
        TOKENS,
        st.text("0123456789abcdef", min_size=16, max_size=16),
        TOKENS,
        INDEXES,
        st.integers(1, 6),
        st.lists(OPTIONS, max_size=4).map(tuple),
        st.lists(NAMES, max_size=6).map(tuple),
        MANY_SEATS,
    ),
    st.builds(wire.Accept, DIGESTS),
    st.builds(wire.Start),
    st.builds(wire.Played, NUMBERS, SEATS | st.just("*"), STEPS, DIGESTS),
    st.builds(wire.Ack, NUMBERS, DIGESTS),
    st.builds(wire.Say, SEATS, texts(wire.MAX_SAY)),
    st.builds(wire.Resign, SEATS),
    st.builds(wire.Leave),
    st.builds(wire.Over, TOKENS, MANY_SEATS),
    st.builds(wire.Ping, INDEXES),
    st.builds(wire.Pong, INDEXES),
    st.builds(wire.Stop, INDEXES, TOKENS, texts(wire.MAX_TEXT)),
)


def feed_in_pieces(data: bytes, cuts: list[int]) -> list[Received]:
    """Feed `data` cut at those places, and watch what the decoder holds."""
    decoder, found = Decoder(), list[wire.Received]()
    places = [0, *sorted(cut % (len(data) + 1) for cut in cuts), len(data)]
    for start, end in pairwise(places):
        decoder, messages = decoder.feed(data[start:end])
        found += messages
        assert len(decoder.rest) <= MAX_FRAME + wire.LENGTH
        assert not (decoder.is_broken and decoder.rest)
    return found


@settings(deadline=None)  # a busy machine is no fault
@given(MESSAGES)
def test_messages_round_trip_and_have_one_form(message: Message) -> None:
    packed = pack_message(message)
    assert wire.unpack_message(packed) == message
    assert len(packed) <= MAX_FRAME


@settings(deadline=None)
@given(st.lists(MESSAGES, max_size=5), st.lists(st.integers(0, 9999), max_size=20))
def test_how_the_bytes_are_split_makes_no_difference(
    messages: list[Message], cuts: list[int]
) -> None:
    data = PREAMBLE + b"".join(frame(pack_message(message)) for message in messages)
    assert feed_in_pieces(data, cuts) == messages
    assert feed_in_pieces(data, list(range(len(data)))) == messages


HOSTILE = st.one_of(
    st.binary(max_size=200),
    st.binary(max_size=200).map(lambda data: PREAMBLE + data),
    st.binary(min_size=1, max_size=200).map(lambda data: PREAMBLE + frame(data)),
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.integers(-(2**63), 2**64 - 1) | st.binary(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=3), inner),
        max_leaves=10,
    ).map(lambda value: PREAMBLE + frame(msgpack.packb(value)[:MAX_FRAME])),
    st.tuples(MESSAGES, st.integers(0, 9999), st.integers(1, 255)).map(lambda args: spoilt(*args)),
)


def spoilt(message: Message, place: int, flip: int) -> bytes:
    data = bytearray(PREAMBLE + frame(pack_message(message)))
    data[place % len(data)] ^= flip
    return bytes(data)


@settings(deadline=None)
@given(HOSTILE, st.lists(st.integers(0, 9999), max_size=10), st.binary(max_size=50))
def test_any_bytes_end_in_one_broken_or_wait_for_more(
    data: bytes, cuts: list[int], more: bytes
) -> None:
    found = feed_in_pieces(data, cuts)
    assert found == feed_in_pieces(data, []) == feed_in_pieces(data, list(range(len(data))))
    assert not any(isinstance(one, Broken) for one in found[:-1])
    if found and isinstance(found[-1], Broken):
        assert feed_in_pieces(data + more, cuts) == found
        assert 0 < len(found[-1].reason) <= wire.MAX_TEXT
        assert found[-1].reason == clean(found[-1].reason, wire.MAX_TEXT)


def test_a_browser_an_ssh_client_and_a_tls_client_are_recognised_by_their_first_bytes() -> None:
    for start in (b"GET / HTTP/1.1\r\n", b"SSH-2.0-OpenSSH_9.2\r\n", b"\x16\x03\x01\x02\x00"):
        assert feed_in_pieces(start, [1]) == [Broken("it does not begin like kumite")]


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ((1, 2, "text", "hint"), "Refuse: expected 1 to 32 ASCII characters without spaces"),
        ((99,), "expected a number from 0 to 13"),
        (("0",), "expected a number from 0 to 13"),
        ((4, 1), "Start with 1 fields"),
        ((5, 0, 0, "f7", bytes(16)), "Played: expected a number from 1 to 1000000"),
        ((5, 1, 6, "f7", bytes(16)), "Played: expected a number from 0 to 5"),
        ((5, 1, "x", "f7", bytes(16)), "Played: expected a number from 0 to 5"),
        ((5, 1, 0, "f 7", bytes(16)), "Played: expected 1 to 100 ASCII characters without spaces"),
        ((5, 1, 0, "f7\n", bytes(16)), "Played: expected 1 to 100 ASCII characters without spaces"),
        ((5, 1, 0, "", bytes(16)), "Played: expected 1 to 100 ASCII characters without spaces"),
        ((5, 1, 0, "f" * 101, bytes(16)), "Played: expected 1 to 100 ASCII"),
        ((5, 1, 0, "f7", bytes(15)), "Played: expected a digest of 16 bytes"),
        ((5, 1, 0, "f7", "x" * 16), "Played: expected a digest of 16 bytes"),
        ((7, 0, "a" * 201), "Say: expected a text of at most 200 characters"),
        ((10, "left", (1, 0)), "Over: expected seats in ascending order"),
        ((10, "left", (1, 1)), "Over: expected seats in ascending order"),
        ((10, "left", 1), "Over: expected at most 6 values"),
        ((11, -1), "Ping: expected a number from 0 to 1000000"),
    ],
)
def test_each_limit_is_checked_and_named(fields: tuple[Any, ...], reason: str) -> None:
    data = PREAMBLE + frame(msgpack.packb(fields))
    found = feed_in_pieces(data, [])
    assert isinstance(found[0], Broken)
    assert found[0].reason.startswith(reason)


@pytest.mark.parametrize("size", [0, MAX_FRAME + 1, 0xFFFF])
def test_a_frame_of_no_or_too_many_bytes_is_broken_at_its_length(size: int) -> None:
    found = feed_in_pieces(PREAMBLE + size.to_bytes(2, "big"), [])
    assert found == [Broken(f"a frame of {size} bytes; 1 to {MAX_FRAME} are allowed")]


def test_of_a_hello_in_another_protocol_the_first_two_fields_are_read() -> None:
    packed = msgpack.packb((0, 7, "3.1", (1, 2), "new"))
    assert wire.unpack_message(packed) == wire.Hello(7, "3.1", "")
    with pytest.raises(BadData):
        wire.unpack_message(msgpack.packb((0, wire.PROTOCOL, "3.1", "bob", "more")))


def test_the_numbers_of_messages_do_not_change() -> None:
    kinds = [wire.Hello, wire.Refuse, wire.Offer, wire.Accept, wire.Start, wire.Played, wire.Ack]
    kinds += [wire.Say, wire.Resign, wire.Leave, wire.Over, wire.Ping, wire.Pong, wire.Stop]
    assert [kind for kind, _ in wire._KINDS] == kinds


def test_what_the_other_side_would_not_read_is_not_sent() -> None:
    for wrong in (
        wire.Played(1, Seat(0), Step("with space"), bytes(16)),
        wire.Say(Seat(0), "a" * 201),
        wire.Say(Seat(0), "bell\a"),
        wire.Played(1, True, Step("f7"), bytes(16)),  # type: ignore[arg-type]
    ):
        with pytest.raises(LocalError):
            pack_message(wrong)


def test_a_step_takes_at_most_150_bytes() -> None:
    longest = wire.Played(wire.MAX_NUMBER, Seat(5), Step("x" * wire.MAX_STEP), bytes(16))
    assert len(frame(pack_message(longest))) <= 150
    for game in ALL_GAMES.values():
        for setup in setups(game):
            for one in walk(setup, 30).line()[1:]:
                assert one.last is not None
                played = wire.Played(one.number, one.last.actor, one.last.step, one.digest)
                assert len(frame(pack_message(played))) <= 60


@settings(deadline=None)
@given(st.text(max_size=300), st.integers(0, 200))
def test_clean_texts_stay_clean_and_fit(text: str, limit: int) -> None:
    once = clean(text, limit)
    assert clean(once, limit) == once
    assert len(once) <= limit
    assert all(one.isprintable() or ord(one) >= 0xA0 for one in once)
    once.encode()


def test_clean_removes_what_could_deceive_or_upset_a_terminal() -> None:
    assert clean("a\x1b[31mb\r\nc\x9bd", 99) == "a [31mb c d"
    assert clean("rtl \u202egnp.exe \u2066x\u2069", 99) == "rtl gnp.exe x"
    assert clean("\u2694\ufe0f zwj\u200d lone \ud800", 99) == "\u2694 zwj lone"
    assert clean("  侍 と  狐  ", 99) == "侍 と 狐"
