"""Lines of text that hold a match: they come back whole, or are refused in words."""

from __future__ import annotations

import zlib
from base64 import urlsafe_b64encode
from hashlib import blake2b

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kumite.core.game import SPECTATOR, Seat, Setup
from kumite.core.games import GAMES
from kumite.core.log import End, Header, log_text, outcome_end
from kumite.core.log.sharing import LARGEST, MARK, BadShared, opened, shared
from tests.support.random_matches import short_setup, walk

EVERY = [(game_id, seats) for game_id in GAMES for seats in GAMES[game_id].SEATS]
NAMES = ("Ada", "木村 <&>", "a b", "", "ő", "🦊")


@pytest.mark.parametrize(("game_id", "seats"), EVERY)
def test_a_match_comes_back_as_it_was(game_id: str, seats: int) -> None:
    match = walk(short_setup(game_id, seats), 5)
    header = Header("ab12", match.setup, NAMES[:seats], extra=("table secret-file",))
    for some in (match, match.back(match.number // 2), match.back(0)):
        line = shared(header, some, outcome_end(some))
        log = opened(line)
        assert log.match.digest == some.digest
        assert log.header == Header("ab12", match.setup, NAMES[:seats])
        assert log.end == outcome_end(some)
        assert not log.damage
        assert "secret" not in log_text(log.header, log.match)


@pytest.mark.parametrize("game_id", GAMES)
def test_a_view_stays_a_view(game_id: str) -> None:
    whole = walk(short_setup(game_id), 5)
    match = whole.seen_by(SPECTATOR)
    log = opened(shared(Header("ab12", match.setup, by=SPECTATOR), match))
    assert log.header.by == SPECTATOR
    assert log.match.state == match.state


def test_a_position_and_how_a_table_ended_are_shared_as_well() -> None:
    match = walk(Setup.of(GAMES["kuzushi"]), 3).back(12)
    position = GAMES["kuzushi"].text(match.state)
    header = Header("ab12", match.setup, ("ada", "bob"), None, position)
    log = opened(shared(header, header.begin(), End("resigned", (Seat(1),))))
    assert log.match.state == match.state
    assert log.match.number == 0
    assert log.end
    assert log.end.kind == "resigned"


def test_a_line_is_short() -> None:
    """Bytes a step: what a chat takes; the log of the same match has some thirty a step."""
    for game_id in GAMES:
        match = walk(short_setup(game_id), 5)
        line = shared(Header("ab12", match.setup, ("ada", "bob")), match)
        assert len(line) < 200 + 7 * match.number, game_id


def test_a_chat_may_break_and_indent_it() -> None:
    match = walk(short_setup("kitsu"), 5)
    line = shared(Header("ab12", match.setup), match)
    broken = "\n".join(f"  {line[at : at + 70]}\r" for at in range(0, len(line), 70))
    assert opened(broken).match.digest == match.digest


@given(st.integers(0, 10_000), st.characters(min_codepoint=33, max_codepoint=126))
def test_a_changed_or_cut_line_is_refused(at: int, letter: str) -> None:
    match = walk(Setup.of(GAMES["kuzushi"]), 3, longest=12)
    line = shared(Header("ab12", match.setup), match)
    at %= len(line)
    if line[at] != letter:
        with pytest.raises(BadShared):
            opened(line[:at] + letter + line[at + 1 :])
    with pytest.raises(BadShared):
        opened(line[:at])


@given(st.one_of(st.text(max_size=200), st.binary(max_size=60).map(lambda b: sealed(b))))
def test_any_text_is_answered_in_words(text: str) -> None:
    with pytest.raises(BadShared) as told:
        opened(text)
    assert told.value.hint


def sealed(content: bytes) -> str:
    """Return a line whose check is right, as an attacker would make it."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = deflate.compress(content) + deflate.flush()
    check = blake2b(packed, digest_size=4, person=b"kumite-line").digest()
    return f"{MARK}1:{urlsafe_b64encode(check + packed).decode().rstrip('=')}"


HEAD = "match ab\ngame kuzushi 1\nseats 2\nby *"


@pytest.mark.parametrize(
    "content",
    [
        b"a" * (LARGEST + 1),  # a bomb
        b"\xff\xfe",
        b"",
        HEAD.replace("kuzushi", "chess").encode(),
        HEAD.replace("seats 2", "seats 99999999999999999999").encode(),
        HEAD.replace("kuzushi 1", "kuzushi 2").encode(),
        f"{HEAD}\nstep".encode(),
        f"{HEAD}\nstep 0".encode(),
        f"{HEAD}\nstep 0 zz99".encode(),
        f"{HEAD}\nstep 9 a1".encode(),
        f"{HEAD}\nend outcome cards 0".encode(),
        f"{HEAD}\nend lost".encode(),
        f"{HEAD}\nposition nonsense".encode(),
    ],
)
def test_a_line_made_by_an_attacker_is_refused_in_words(content: bytes) -> None:
    with pytest.raises(BadShared) as told:
        opened(sealed(content))
    assert "\n" not in str(told.value)


def test_a_newer_line_says_so() -> None:
    with pytest.raises(BadShared) as told:
        opened("kumite:2:abc")
    assert "newer" in told.value.hint
    assert told.value.code == "bad-shared"
