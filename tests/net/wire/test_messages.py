"""Frames and messages: pairs, limits, and any bytes at all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import FrozenInstanceError
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kumite.core import gone
from kumite.core.codec import encode
from kumite.core.errors import BadData, LocalError
from kumite.core.game import Seat, Setup
from kumite.core.games import GAMES
from kumite.core.text import clean
from kumite.core.tournament.tournament import (
    MOST,
    ROBIN,
    SWISS,
    Pairing,
    Player,
    Result,
    Tournament,
)
from kumite.net.crypto.channel import Sealer
from kumite.net.crypto.sealed_deck import Deal
from kumite.net.wire import fields, framing, messages, posts, tournament
from kumite.net.wire.fields import COMMITMENT, SHARE
from tests.support.ledger_round import Round
from tests.support.random_matches import setups, walk
from tests.support.toy_group import TOY

ASCII = st.characters(min_codepoint=33, max_codepoint=126)
TOKENS = st.text(ASCII, min_size=1, max_size=fields.MAX_TOKEN)
STEPS = st.text(ASCII, min_size=1, max_size=fields.MAX_STEP)
INDEXES = st.integers(0, fields.MAX_NUMBER)
SEATS = st.integers(0, 5).map(Seat)
SEAT_SETS = st.frozensets(SEATS)
MANY_SEATS = st.sets(SEATS).map(lambda seats: tuple(sorted(seats)))
KEYS = st.binary(min_size=32, max_size=32)
COMMITMENTS = st.binary(min_size=COMMITMENT, max_size=COMMITMENT)
DIGESTS = st.binary(min_size=16, max_size=16)
FLAGS = st.booleans()


def texts(limit: int) -> st.SearchStrategy[str]:
    return st.text(max_size=limit).map(lambda text: clean(text, limit))


NAMES, LONGS = texts(fields.MAX_NAME), texts(fields.MAX_TEXT)
COUNTS, FEW = st.integers(1, 99), st.integers(0, 99)
PROOFS = st.binary(min_size=128, max_size=128)
SIGNATURES = st.binary(min_size=64, max_size=64)
CLOCKS = st.sampled_from([None, (60, 5, 60)])
IDS = st.text("0123456789abcdef", min_size=16, max_size=16)


def some(of: st.SearchStrategy[Any], most: int = 3) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(of, max_size=most).map(tuple)


OPTIONS = some(st.tuples(TOKENS, TOKENS | st.integers(-(2**31), 2**31 - 1)))
PLAYERS = st.integers(0, MOST - 1)
SWISS_ROUNDS = st.permutations(range(9)).flatmap(
    lambda order: st.tuples(*(
        st.builds(
            Pairing, st.just(one), st.sampled_from((None, other)), st.sampled_from(Result), FLAGS
        )
        for one, other in zip(order[::2], order[1::2], strict=False)
    ))
)  # fmt: skip
TOURNAMENTS = st.builds(
    Tournament,
    st.sampled_from((SWISS, ROBIN)),
    PLAYERS,
    st.lists(st.builds(Player, NAMES, FLAGS), min_size=9, max_size=MOST).map(tuple),
    some(SWISS_ROUNDS, 9),
)
BODIES: st.SearchStrategy[Any] = st.one_of(
    st.builds(posts.Play, COUNTS, SEATS, STEPS, some(COMMITMENTS), st.integers(0, posts.MAX_SPENT)),
    st.builds(posts.Promise, COUNTS, COMMITMENTS),
    st.builds(posts.Coin, COUNTS, DIGESTS),
    st.builds(posts.Shuffle, FEW, st.binary(min_size=1, max_size=99)),
    st.builds(posts.Shares, INDEXES, INDEXES, some(KEYS)),
    st.builds(posts.Spoiled, COUNTS),
    st.builds(posts.Say, texts(fields.MAX_SAY)),
    st.builds(posts.Resign, SEATS),
    st.builds(posts.Flag, SEATS),
    st.builds(posts.Offer, st.sampled_from(posts.OFFERS), INDEXES, texts(fields.MAX_TOKEN)),
    st.builds(posts.Answer, COUNTS, FLAGS),
    st.builds(posts.DeckKeys, FEW, KEYS),
    st.builds(posts.Reveal, FLAGS, st.just(())),
    st.builds(posts.BoxOpened, COUNTS, SEATS, PROOFS),
    st.builds(posts.Closed, INDEXES, DIGESTS),
    st.builds(posts.KeyShares, some(KEYS), some(st.binary(min_size=80, max_size=80), 5)),
    st.builds(posts.KeyShare, SEATS, KEYS),
    st.builds(posts.ShareOpened, SEATS, PROOFS),
)
POSTS = st.builds(
    posts.Post, SEATS, COUNTS, BODIES, INDEXES, SIGNATURES, st.integers(0, posts.MAX_AT)
)
PLAIN: st.SearchStrategy[Any] = st.one_of(
    st.builds(messages.Hello, st.just(messages.PROTOCOL), TOKENS, TOKENS),
    st.builds(messages.Refuse, TOKENS, LONGS, LONGS),
    st.builds(messages.Pair, st.binary(min_size=1, max_size=256)),
    st.builds(messages.Back, IDS, FEW, st.binary(min_size=1, max_size=256)),
)
SEALED: st.SearchStrategy[Any] = st.one_of(
    st.builds(
        messages.Invite, TOKENS, IDS, TOKENS, INDEXES, LONGS, st.integers(1, 6), OPTIONS, CLOCKS,
        FLAGS, FEW, st.sampled_from(gone.RULES), st.integers(1, 5),
    ),
    st.builds(messages.Sit, NAMES, MANY_SEATS, st.integers(1, 6), KEYS),
    st.builds(messages.Watch, NAMES),
    st.builds(
        messages.There, some(st.builds(messages.Guest, NAMES, SEAT_SETS, FLAGS)),
        st.integers(0, 4), some(NAMES, 6), SEAT_SETS, FLAGS,
    ),
    st.builds(messages.Ready, FLAGS),
    st.builds(messages.Bound, some(KEYS, 6)),
    st.builds(messages.PublicKeys, KEYS, KEYS),
    st.builds(messages.Begin, st.integers(-1, 5), st.binary(min_size=1, max_size=99)),
    st.builds(messages.Here, IDS, FLAGS, FEW, DIGESTS, KEYS),
    st.builds(messages.Lacking, INDEXES),
    st.builds(messages.Held, POSTS),
    st.builds(messages.Request, POSTS),
    st.builds(messages.Entered, POSTS),
    st.builds(messages.Refused, COUNTS, TOKENS, LONGS),
    st.builds(messages.Ack, FEW, DIGESTS),
    st.builds(messages.PositionCheck, FEW, st.binary(max_size=99)),
    st.builds(messages.Presence, st.integers(-1, 5), st.integers(0, 3)),
    st.builds(messages.Ping, INDEXES),
    st.builds(messages.Pong, INDEXES),
    st.builds(messages.Bye),
    st.builds(
        messages.Stop, SEATS, INDEXES, KEYS, INDEXES, TOKENS, LONGS, st.integers(-1, 5), SIGNATURES
    ),
    st.builds(messages.Decline, TOKENS),
    st.builds(tournament.Welcome, IDS, NAMES, TOKENS, INDEXES, OPTIONS, CLOCKS),
    st.builds(tournament.Enter, NAMES),
    st.builds(
        tournament.View, TOURNAMENTS, st.frozensets(PLAYERS), some(st.integers(0, 4), 9), PLAYERS
    ),
    st.builds(
        tournament.TableAt, st.integers(0, 30), PLAYERS, st.integers(1, 65535), some(TOKENS, 8),
        TOKENS,
    ),
    st.builds(
        tournament.MatchReport, st.integers(0, 30), PLAYERS, IDS, st.integers(1, 3), INDEXES,
        DIGESTS,
    ),
)  # fmt: skip


@given(PLAIN)
def test_plain_messages_round_trip_within_their_limit(message: messages.Plain) -> None:
    packed = messages.PLAIN.pack(message)
    assert messages.plain_of(packed) == message
    assert framing.first_frame(messages.as_plain(message), framing.MAX_PLAIN) == packed


@given(SEALED)
def test_sealed_messages_round_trip_within_their_limit(message: messages.Message) -> None:
    packed = messages.SEALED.pack(message)
    assert messages.SEALED.unpack(packed) == message
    assert len(packed) <= framing.MAX_FRAME


@given(SEALED, st.integers(0, 9999), st.integers(1, 255))
def test_a_spoilt_message_is_another_one_or_refused(
    message: messages.Message, place: int, flip: int
) -> None:
    data = bytearray(messages.SEALED.pack(message))
    data[place % len(data)] ^= flip
    try:
        found = messages.SEALED.unpack(bytes(data))
    except BadData:
        return
    assert found != message


@pytest.mark.parametrize("size", [0, framing.MAX_PLAIN + 1, 65_535])
def test_a_frame_of_no_or_too_many_bytes_is_refused_at_its_length(size: int) -> None:
    with pytest.raises(BadData, match=f"a frame of {size} bytes"):
        framing.first_frame(size.to_bytes(2, "big"), framing.MAX_PLAIN)


def test_the_largest_tournament_fits_into_a_frame() -> None:
    players = tuple(Player("語" * fields.MAX_NAME) for _ in range(MOST))
    pairings = tuple(Pairing(n, n + MOST // 2, Result.NEITHER) for n in range(MOST // 2))
    t = Tournament(SWISS, MOST - 1, players, (pairings,) * (MOST - 1))
    view = tournament.View(t, frozenset(range(MOST)), (4,) * (MOST // 2), 31)
    assert len(messages.SEALED.pack(view)) <= 8000


def test_a_round_that_pairs_somebody_twice_or_nobody_is_refused() -> None:
    for second in (0, 9):
        t = Tournament(SWISS, 0, (Player("a"), Player("b")), ((Pairing(0, second),),))
        view = tournament.View(t, frozenset(), (0,), 0)
        with pytest.raises(BadData, match="pairs a player twice, or an unknown one"):
            messages.SEALED(messages.SEALED.to_tuple(view))


def test_a_frame_that_is_not_complete_waits() -> None:
    whole = messages.as_plain(messages.Pair(b"123"))
    for size in range(len(whole)):
        assert framing.first_frame(whole[:size], framing.MAX_PLAIN) is None
    assert framing.first_frame(whole + b"more", framing.MAX_PLAIN) == whole[2:]


def test_of_a_hello_in_another_protocol_the_first_two_fields_are_read() -> None:
    packed = encode((0, messages.PROTOCOL + 1, "9.9", ("a", "new", "field"), 7))
    assert messages.plain_of(packed) == messages.Hello(messages.PROTOCOL + 1, "9.9", "?")
    with pytest.raises(BadData):
        messages.plain_of(encode((0, messages.PROTOCOL, "9.9", ("a", "new", "field"), 7)))


def test_the_numbers_of_messages_do_not_change() -> None:
    assert messages.SEALED.to_tuple(messages.Bye()) == (17,)
    assert messages.SEALED.to_tuple(messages.Ping(3)) == (15, 3)
    assert messages.SEALED.to_tuple(tournament.Enter("a", True)) == (26, "a", True)
    assert messages.PLAIN.to_tuple(messages.Pair(b"x")) == (2, b"x")
    assert messages.PLAIN.to_tuple(messages.Refuse("a", "b", "c"))[0] == 1


def test_what_the_other_side_would_not_read_is_not_sent() -> None:
    with pytest.raises(LocalError):
        messages.SEALED.pack(messages.Ack(-1, b"0" * 16))
    with pytest.raises(LocalError):
        messages.PLAIN.pack(messages.Pair(b""))


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_step_takes_at_most_160_bytes_on_the_wire(game: Any) -> None:
    """With signature, seal and frame; what is hidden is short, but has commitments."""
    for setup in setups(game):
        longest = max((len(one.step) for one in walk(setup, 2, 60).steps()), default=0)
        assert longest <= 24
    for name in ("x" * 24, "?,?", "recall:?"):
        play = posts.Play(
            999, Seat(5), name, (b"c" * COMMITMENT,) * name.count("?"), posts.MAX_SPENT
        )
        assert sealed_size(posts.Post(5, 999, play, 9999, b"s" * 64, posts.MAX_AT)) <= 160


def sealed_size(post: posts.Post) -> int:
    """Return how many bytes a post takes on the wire, with signature, seal and frame."""
    return len(Sealer(b"k" * 32).seal(messages.SEALED.pack(messages.Entered(post))))


@pytest.mark.parametrize("game_id", ["kiriai", "kitsune"])
def test_a_card_drawn_takes_at_most_600_bytes_on_the_wire(game_id: str) -> None:
    """From each terminal the key of the place; of a hand of cards at once, so many keys."""
    shares = posts.Shares(99, 63, (b"k" * SHARE,))
    assert sealed_size(posts.Post(5, 9999, shares, 99_999, b"s" * 64, posts.MAX_AT)) <= 200
    for seats in GAMES[game_id].SEATS:
        table = Round.of(Setup.of(GAMES[game_id], seats), seats, TOY)
        table.work()
        dealt = [post for post in table.entered if isinstance(post.body, posts.Shares)]
        assert dealt
        for post in dealt:
            assert sealed_size(post) <= 130 + 36 * len(post.body.keys)


def test_the_largest_deck_with_its_proofs_fits_into_a_post() -> None:
    deal = Deal.of(tuple(map(str, range(fields.MAX_DECK))), ("m",), 1)
    for _ in range(2):
        made = deal.make_pass(bytes(32))
        post = posts.Post(5, 9999, posts.Shuffle(99, made), 99_999, b"s" * 64, posts.MAX_AT)
        assert messages.SEALED.unpack(messages.SEALED.pack(messages.Entered(post))).post == post
        deal = deal.with_pass(made)


@pytest.mark.parametrize(
    "sign", ["\x00", "\x07", "\x1b[2J", "\x7f", "\x9b", "\n", "\u202e", "\ud800"]
)
@pytest.mark.parametrize("check", [fields.name, fields.long], ids=["name", "text"])
def test_a_text_that_would_steer_a_terminal_is_refused(
    check: Callable[[object], str], sign: str
) -> None:
    for text in (sign, f"ada{sign}", f"{sign}ada", f"a{sign}b"):
        with pytest.raises(BadData, match="without control characters"):
            check(text)
    assert check("Bashō 木 ~") == "Bashō 木 ~"


def test_a_message_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        messages.Ping(1).beat = 2
