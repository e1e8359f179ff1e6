"""Logs: one golden text, damage at any byte, lines that lie, names that are odd."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from hashlib import blake2b
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kumite.core.errors import BadLog, NewerLog
from kumite.core.game import SPECTATOR, Seat, Setup, Step
from kumite.core.games import GAMES
from kumite.core.games.kuzushi import rules as kuzushi
from kumite.core.log import (
    Damage,
    End,
    Entry,
    Header,
    Log,
    Writer,
    log_text,
    read,
    read_on,
    skim,
    step_text,
)
from kumite.core.log.lines import escaped, unescaped
from kumite.core.match import Match, Played
from kumite.core.origins import completed, opened, origin, talk
from kumite.core.remarks import remarks
from kumite.core.text import clean
from tests.support.mk6 import ALL_GAMES
from tests.support.places import DATA
from tests.support.random_matches import viewers, walk

GOLDEN = (DATA / "golden.kumite").read_bytes()
SETUP = Setup.of(kuzushi)
HEADER = Header("5f0e2c4a9b71d803", SETUP, ("ada", "Bob Jr. ~ 木"))


def steps(*texts: str) -> list[Played]:
    return [Played(Seat((n + 1) % 2), Step(text)) for n, text in enumerate(texts)]


def opened_data(data: bytes) -> Log:
    """Return the log in the bytes of a file, as net.store reads it."""
    return read(data.decode("utf-8", errors="replace"))


def signed(*lines: str, header: Header = HEADER) -> str:
    """Return a log whose checks are right, whatever its lines say."""
    writer = Writer()
    return writer.header(header) + writer.lines(*lines)


def headed(*lines: str) -> str:
    """Return a log of these header lines, with right checks."""
    return Writer().lines(*lines)


# --- The golden log ---------------------------------------------------------------------------


def test_the_golden_log_is_written_so() -> None:
    match = Match.begin(SETUP).play_all(steps("f7", "e6", "g7+"))
    writer = Writer()
    text = writer.header(HEADER) + writer.steps(match, 0)
    text += writer.lines("say 0 wie schön!", "back 2", "note the\nlight  went\tout ")
    text += writer.steps(match.back(2).play(Seat(1), Step("e7")), 2)
    text += writer.lines("clock 1 59.5", "end resigned 0")
    assert text.encode() == GOLDEN


def test_the_golden_log_is_read_so() -> None:
    log = opened_data(GOLDEN)
    assert log.header == HEADER
    assert log.damage is None
    assert log.size == len(GOLDEN.decode())
    assert log.match.steps() == tuple(steps("f7", "e6", "e7"))
    assert log.end == End("resigned", (Seat(0),))
    assert [entry.line for entry in log.entries] == list(range(10, 19))
    assert [(entry.kind, entry.rest) for entry in log.entries if entry.kind != "step"] == [
        ("say", "0 wie schön!"),
        ("back", "2"),
        ("note", "the light went out"),
        ("clock", "1 59.5"),
        ("end", "resigned 0"),
    ]


def test_a_sound_log_can_be_gone_on_with() -> None:
    text = GOLDEN.decode()
    log = read(text)
    longer = log.match.play(Seat(0), Step("c6"))
    text += Writer(log.chain).steps(longer, log.match.number)
    again = read(text)
    assert again.damage is None
    assert again.match.digest == longer.digest
    assert again.end is None  # who goes on has not resigned


# --- Damage -----------------------------------------------------------------------------------

HEAD = 9  # lines of the golden log's header


@pytest.mark.parametrize("end", ["\r\n", "\r", "\u2028\n"])
def test_other_line_ends_are_damage(end: str) -> None:
    with pytest.raises(BadLog, match=r"^line 1: "):
        read(GOLDEN.decode().replace("\n", end))


@given(
    st.text(max_size=60) | st.binary(max_size=80).map(lambda data: data.decode(errors="replace"))
)
def test_any_other_text_is_no_log_halves_of_characters_included(text: str) -> None:
    for said in (text, f"kumite-log 1 {text}\n", f"kumite-log 1 ~{text}"):
        with pytest.raises(BadLog, match=r"^line 1: ") as caught:
            read(said)
        assert caught.value.code == "bad-log"


# --- Lines with right checks that lie ---------------------------------------------------------

F7 = "step 1 1 f7 759668a8"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("step 1 1 f7 00000000", "after step 1 the positions differ (digest)"),
        ("step 2 1 f7 759668a8", "step 2 after step 0"),
        ("step 01 1 f7 759668a8", "step 01 after step 0"),
        ("step 1 0 f7 759668a8", "it is not ada's turn"),
        ("step 1 * f7 759668a8", "it is not chance's turn"),
        ("step 1 ada f7 759668a8", "'ada' is not an actor"),
        ("step 1 01 f7 759668a8", "'01' is not an actor"),
        ("step 1 ² f7 759668a8", "'²' is not an actor"),
        ("step 1 " + "9" * 5000 + " f7 759668a8", "'9999"),
        ("step 1 1 g7 759668a8", "kuzushi: no card lies next to g7"),
        ("step 1 1 xx 759668a8", "kuzushi: xx is no square"),
        ("step 1 1 ? 759668a8", "? hides something, and this match is complete"),
        ("step 1 1 f7", "malformed step: '1 1 f7'"),
        ("step", "malformed step: ''"),
        ("back 1", "back to step '1' after step 0"),
        ("back -1", "back to step '-1' after step 0"),
        ("back", "back to step '' after step 0"),
        ("back 00", "back to step '00' after step 0"),
        ("back ²", "back to step '²' after step 0"),
        ("back ٠", "back to step '٠' after step 0"),
        ("back " + "9" * 5000, "back to step '9999"),
        ("step 1 1 \x1b[31m 759668a8", "kuzushi: [31m is no square"),
        ("end", "unknown end: ''"),
        ("end won 1", "unknown end: 'won 1'"),
        ("end resigned", "'' is not an actor"),
        ("end resigned *", "'*' is not a list of seats"),
        ("end resigned 2", "this match has no such seats"),
        ("end left 0,5", "this match has no such seats"),
        ("end outcome full 0", "the rules do not end the match so: outcome full"),
        ("end outcome -", "the rules do not end the match so"),
    ],
)
def test_a_lie_is_damage_though_its_check_is_right(line: str, reason: str) -> None:
    log = read(signed("note before", line, "note after"))
    assert log.damage.line == HEAD + 2
    assert reason in log.damage.reason
    assert [entry.rest for entry in log.entries] == ["before"]
    assert log.match.number == 0
    assert log.end is None


def test_a_lie_leaves_what_came_before_it() -> None:
    match = Match.begin(SETUP).play(Seat(1), Step("f7"))
    assert F7.endswith(match.digest.hex()[:8])
    log = read(signed(F7, "end resigned 1", "step 2 0 e6 00000000", "back 0"))
    assert log.damage == Damage(HEAD + 3, "after step 2 the positions differ (digest)")
    assert log.match.digest == match.digest
    assert log.end == End("resigned", (Seat(1),))


numbers = st.sampled_from(
    ["0", "1", "2", "-1", "01", "²", "٣", "9" * 5000, "*", "", "1,0", "0,1,2"]
)
words = st.sampled_from(["f7", "e6", "?", "xx", "759668a8", "full", "-", "~", "%0A", "\ud800"])
kinds = st.sampled_from(["step", "back", "end", "say", "note", "begin", "open", "", "end outcome"])
sentences = st.tuples(kinds, st.lists(numbers | words, max_size=5)).map(
    lambda said: " ".join([said[0], *said[1]])
)


@given(st.lists(sentences, max_size=4))
def test_no_line_with_a_right_check_breaks_the_reader(lines: list[str]) -> None:
    text = signed(F7, *lines)
    log = read(text)
    assert log.entries[0] == Entry(HEAD + 1, "step", F7[5:])
    sound = HEAD + len(log.entries)
    assert sound == HEAD + 1 + len(lines) if log.damage is None else log.damage.line == sound + 1
    assert len("".join(text.splitlines(keepends=True)[:sound])) == log.size


# --- What a log says --------------------------------------------------------------------------


def test_unknown_kinds_are_kept_and_skipped() -> None:
    log = read(signed("open 1 f7 salt", F7, "audit", "Step 2 0 e6", "", "x" * 5000))
    assert log.damage is None
    assert log.match.number == 1
    assert [(entry.kind, entry.rest) for entry in log.entries] == [
        ("open", "1 f7 salt"),
        ("step", F7[5:]),
        ("audit", ""),
        ("Step", "2 0 e6"),
        ("", ""),
        ("x" * 5000, ""),
    ]


def test_unknown_header_lines_are_kept_and_written_again() -> None:
    header = Header("00", SETUP, (), None, "", ("place kitchen table", "weather"))
    text = log_text(header, header.begin())
    found = read(text)
    assert found.header == header
    assert log_text(found.header, found.match) == text


def test_back_takes_back_steps_and_an_end() -> None:
    match = walk(SETUP, 1)
    text = log_text(HEADER, match)
    log = read(text)
    assert log.end == End("outcome", match.outcome.winners, match.outcome.reason)
    for number in (match.number, match.number // 2, 0):
        back = read(text + Writer(log.chain).lines(f"back {number}"))
        assert back.damage is None
        assert back.match.number == number
        assert back.match.digest == match.back(number).digest
        assert back.end is None


@pytest.mark.parametrize(
    ("line", "end"),
    [
        ("resigned 0", End("resigned", (Seat(0),))),
        ("left 0,1", End("left", (Seat(0), Seat(1)))),
        ("agreed -", End("agreed")),
        ("adjourned draw 1", End("adjourned", (Seat(1),), "draw")),
    ],
)
def test_tables_end_in_ways_that_the_rules_do_not_know(line: str, end: End) -> None:
    assert read(signed(f"end {line}")).end == end
    match = Match.begin(SETUP)
    assert log_text(HEADER, match, end).split("\n")[-2].startswith(f"end {line} ~")
    assert read(log_text(HEADER, match, end)).end == end
    assert read(signed(f"end {line}", "note", "say 0 bye")).end == end
    assert read(signed(f"end {line}", F7)).end is None


def test_a_log_is_no_other_whoever_wrote_it_from_the_first_step_on() -> None:
    """The logs of two terminals are compared so: their headers differ, their steps do not."""
    match = walk(SETUP, 2)
    other = Header("ffff", SETUP, ("bob",), frozenset({Seat(1)}), "", ("place garden",))
    one, two = (
        log_text(header, match).split("\nbegin ")[1].split("\n", 1) for header in (HEADER, other)
    )
    assert one[1] == two[1]
    assert one[0] != two[0]  # the check on the `begin` line covers the header


# --- Header -----------------------------------------------------------------------------------

GOOD = ("kumite-log 1", "match 00", "game kuzushi 1", "seats 2", "option board normal", "by *")
BEGIN = "begin 615c2d09"


def test_a_header_may_leave_out_names_and_options() -> None:
    assert read(headed(*GOOD, BEGIN)).header == Header("00", SETUP)
    short = (*GOOD[:4], GOOD[5])
    assert read(headed(*short, BEGIN)).header == Header("00", SETUP)
    assert read(headed(*GOOD[:-1], "by -", BEGIN)).header == Header("00", SETUP, (), SPECTATOR)


@pytest.mark.parametrize(
    ("line", "new", "reason"),
    [
        (0, "kumite-log 2", "line 1: format 2 is newer than this kumite"),
        (2, "game kuzushi 2", "kuzushi rules 2 are newer than this kumite's (1)"),
        (2, "game kuzushi", "kuzushi rules ; this kumite has rules 1"),
        (1, "match ../../x", "the header's match id is invalid"),
        (1, "match", "the header's match id is invalid"),
        (2, "game go 1", "no game 'go'"),
        (3, "seats 7", "kuzushi cannot be played by 7"),
        (3, "seats two", "the header's seats"),
        (3, "seats " + "2" * 5000, "the header's seats"),
        (4, "option board large", "option board cannot be 'large'"),
        (4, "option colour red", "kuzushi has no option 'colour'"),
        (5, "by 0,2", "the header's seats: by 0,2 of 2"),
        (5, "by 0,*", "'0,*' is not a list of seats"),
        (5, "by", "'' is not an actor"),
        (5, "by " + "0" * 5000, "'0000"),
        (1, None, "the header has no line 'match'"),
        (2, None, "the header has no line 'game'"),
        (3, None, "the header has no line 'seats'"),
        (5, None, "the header has no line 'by'"),
        (4, "position nonsense", "the header's position: no game reads this as a position"),
        (4, "position kuzushi%20seats=3%20board=normal%0Aseat%201%0A%207%200C%0A%20%20%20%20g",
         "the header's position: the position does not belong to these seats and options"),
        (4, "position kitsu", "the header's position: "),
        (3, "seats 3", "line 7: the header does not match its first digest"),
        (4, "option board small", "line 7: the header does not match its first digest"),
    ],
)  # fmt: skip
def test_a_header_that_cannot_be_is_refused(line: int, new: str | None, reason: str) -> None:
    lines = [new if n == line else good for n, good in enumerate(GOOD) if n != line or new]
    with pytest.raises(BadLog) as caught:
        read(headed(*map(str, lines), BEGIN))
    assert reason in str(caught.value)
    assert (type(caught.value) is NewerLog) == ("newer than this kumite" in reason)


def test_a_header_needs_its_first_digest() -> None:
    with pytest.raises(BadLog, match=r"^line 7: the header ends before its `begin` line"):
        read(headed(*GOOD))
    with pytest.raises(BadLog, match=r"^line 7: the header does not match its first digest"):
        read(headed(*GOOD, "begin 00000000"))


fields = st.sampled_from(
    ["match", "game", "seats", "option", "name", "by", "position", "kumite-log"]
)
values = st.lists(numbers | words | st.sampled_from(["kuzushi", "board", "normal"]), max_size=3)
claims = st.tuples(fields, values).map(lambda said: " ".join([said[0], *said[1]]))


@given(st.lists(claims, max_size=3), st.randoms(use_true_random=False))
def test_no_header_with_right_checks_breaks_the_reader(lines: list[str], rng: Random) -> None:
    middle = [*GOOD[1:], *lines]
    rng.shuffle(middle)
    try:
        log = read(headed(GOOD[0], *middle, BEGIN))
    except BadLog:
        return
    assert log.match.digest == Match.begin(SETUP).digest


# --- Names ------------------------------------------------------------------------------------


@given(st.lists(st.text(max_size=20), min_size=1, max_size=2), st.text(max_size=30))
def test_names_and_talk_may_hold_any_characters(names: list[str], said: str) -> None:
    header = Header("00", SETUP, tuple(names))
    writer = Writer()
    text = writer.header(header) + writer.lines(f"say 1 {said}", F7)
    log = read(text.encode().decode())
    assert log.header.names == tuple([*map(clean, names)] + [""] * (2 - len(names)))
    assert log.damage is None
    assert log.match.number == 1
    assert text.count("\n") == HEAD - 2 + len(names) + 2


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("", ""),
        (" ", ""),
        ("ada  lovelace\n", "ada lovelace"),
        ("~", "~"),
        ("a ~123456", "a ~123456"),
        ("100%20", "100%20"),
        ("by *", "by *"),
        ("x\nbegin 00000000", "x begin 00000000"),
        ("a\u2028b\u2029c\x85d\x0be\x0cf\x1cg", "a b c d e f g"),
        ("\ud800", ""),
        ("x\udcff", "x"),
        ("\x00\x1b[31m", "[31m"),
        ("\x9b31m\u202egnp", "31mgnp"),
        ("侍 e\u0301 🚀", "侍 e\u0301 🚀"),
        ("?", "?"),
    ],
)
def test_odd_names_stay_in_their_line(name: str, kept: str) -> None:
    header = Header("00", SETUP, (name, "bob"))
    log = read(log_text(header, walk(SETUP, 3)))
    assert log.damage is None
    assert log.header.names == (kept, "bob")


def test_a_log_made_elsewhere_reaches_no_terminal_with_control_characters() -> None:
    evil = "\x1b]0;title\x07\x9b31m\u202e"

    def sign(chain: bytes, *lines: str) -> str:
        """Return lines with right checks, not cleaned as a Writer does."""
        text = ""
        for line in lines:
            chain = blake2b(chain + line.encode(), digest_size=16, person=b"kumite-log").digest()
            text += f"{line} ~{chain.hex()[:6]}\n"
        return text

    named = sign(b"", *GOOD[:5], f"name 0 a{evil}", GOOD[5], BEGIN)
    digest = Match.begin(SETUP).digest
    said = "say 0 \x0b\x0c\x1c\x85\u2028\r"  # no line ends to us
    log = read(named + sign(digest, said, f"end left {evil} 1", f"step 1 1 {evil} 00000000"))
    assert f"{log.entries[0].kind} {log.entries[0].rest}" == said
    assert log.header.names == ("a ]0;title 31m", "")
    assert log.end == End("left", (Seat(1),), "]0;title 31m")
    assert "]0;title 31m is no square" in log.damage.reason
    assert log.damage.reason.isprintable()
    for lines in (
        (*GOOD[:2], f"game {evil} 1", *GOOD[3:]),
        (*GOOD[:3], f"seats {evil}", *GOOD[4:]),
        (*GOOD[:4], f"option board {evil}", GOOD[5]),
        (*GOOD[:5], f"by {evil}"),
        (*GOOD, f"position {evil}"),
        (*GOOD, "position kuzushi%20seats=2%20board=normal%0Aseat%201%0A" + evil),
    ):
        with pytest.raises(BadLog) as caught:
            read(sign(b"", *lines, BEGIN))
        assert str(caught.value).isprintable()
        assert caught.value.hint.isprintable()


# --- Positions --------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ALL_GAMES.values(), ids=ALL_GAMES)
def test_a_log_may_begin_from_a_position_even_one_with_holes(game: Any) -> None:
    setup = Setup.of(game, game.SEATS[-1])
    played = walk(setup, 4, longest=30)
    for by in (None, *viewers(setup.seats)[:4]):
        state = played.state if by is None else game.view(played.state, by)
        header = Header("00", setup, ("100% %20 %0A",), by, game.text(state))
        match = header.begin()
        assert match.state == state
        assert match.digest == Match.begin(setup, by, state).digest
        assert match.digest != Match.begin(setup, by).digest
        if by is None:
            match = match.play(match.actors[0], match.legal(match.actors[0])[0])
        log = read(log_text(header, match))
        assert log.damage is None
        assert log.header.position == header.position
        assert log.match.state == match.state
        assert log.match.digest == match.digest


@given(st.text(st.sampled_from("a %\n205A")))
def test_lines_are_put_into_one_and_taken_apart_again(text: str) -> None:
    one = escaped(text)
    assert not set(one) & {" ", "\n"}
    assert unescaped(one) == text


@pytest.mark.parametrize("said", ["0", "1", "0,1", "-"])
def test_a_finished_log_that_names_another_winner_is_damaged_there(said: str) -> None:
    match = walk(SETUP, 1)
    assert match.outcome is not None
    whole = log_text(HEADER, match)
    won = ",".join(map(str, match.outcome.winners)) or "-"
    sound = whole[: whole.rindex(f"end outcome {match.outcome.reason} {won} ~")]
    end = f"end outcome {match.outcome.reason} {said}"
    text = sound + Writer(read(sound).chain).lines(end)
    found = read(text)
    assert (found.damage is None) == (said == won)
    assert (found.end is None) == (said != won)
    if said != won:
        assert found.damage is not None
        assert "the rules do not end the match so" in str(found.damage)


# --- Every kind of line, damaged at any byte ---------------------------------------------------

MIDDLE = 5  # steps before anything is taken back


@cache
def data_of(game_id: str, audit: str = "sound 0,1") -> bytes:
    """Return a log with every kind of line that there is, and one that there is not."""
    setup = Setup.of(GAMES[game_id])
    match = walk(setup, 1, longest=12)
    seen = match.seen_by(SPECTATOR)
    header = Header(
        "ab12", setup, ("木村", "bob ~ a"), SPECTATOR, "", ("from cd 0", "place garden")
    )
    writer = Writer()
    text = writer.header(header)

    def add(*lines: str) -> None:
        nonlocal text
        text += writer.lines(*lines)

    def steps(match: Match, first: int, last: int) -> None:
        add(*(step_text(match.back(number)) for number in range(first, last + 1)))

    add("note a 木", "say 0 wie schön!", "remark 0 the start")
    steps(seen, 1, MIDDLE)
    add(f"remark {MIDDLE} odd", "back 2", "remark 2 well", "clock 1 59.5")
    steps(seen, 3, seen.number)
    whole = zip(match.steps(), seen.steps(), strict=True)
    add(*(f"open {n} {full.step}" for n, (full, part) in enumerate(whole, 1) if full != part))
    add(f"audit {audit}", "end adjourned 0,1", "note after", "end resigned 1")
    return text.encode()


@pytest.mark.parametrize("game_id", GAMES)
def test_every_kind_of_line_is_read(game_id: str) -> None:
    log = opened_data(data_of(game_id))
    assert log.damage is None
    kinds = {entry.kind for entry in log.entries}
    expected = {"step", "back", "note", "say", "remark", "clock", "audit", "end"}
    assert kinds - {"open"} == expected
    assert ("open" in kinds) == (GAMES[game_id].SECRETS is not None)
    assert remarks(log.entries) == {0: "the start", 2: "well"}
    assert origin(log.header) == ("cd", 0)
    whole = completed(log)
    assert whole.by is None


@pytest.mark.parametrize("game_id", GAMES)
def test_a_log_read_on_from_any_line_is_as_read_at_once(game_id: str) -> None:
    """Also when steps are opened before that line, and audited after it."""
    text = data_of(game_id, "fair").decode()
    once = read(text)
    assert once.damage is None
    assert once.whole is not None
    header = text.index("\n", text.index("\nbegin ") + 1)
    for place in (at for at in range(header, len(text)) if text[at] == "\n"):
        log = read_on(read(text[: place + 1]), text[place + 1 :])
        assert log.whole is not None
        assert log.match.digest == once.match.digest
        assert log.whole.steps() == once.whole.steps()
        assert replace(log, match=once.match, whole=once.whole) == once


@pytest.mark.parametrize("game_id", GAMES)
@settings(max_examples=60)
@given(data=st.data())
def test_a_log_damaged_at_any_byte_opens_up_to_it_and_says_where(
    game_id: str, data: st.DataObject
) -> None:
    sound = data_of(game_id)
    place = data.draw(st.integers(0, len(sound) - 1))
    what = data.draw(st.sampled_from(["cut", "change", "insert", "remove", "swap", "twice"]))
    some = data.draw(st.binary(min_size=1, max_size=3))
    before, one, other, after = lines_at(sound, sound.count(b"\n", 0, place))
    damaged = {
        "cut": sound[:place],
        "change": sound[:place] + some + sound[place + len(some) :],
        "insert": sound[:place] + some + sound[place:],
        "remove": sound[:place] + sound[place + len(some) :],
        "swap": before + other + one + after,
        "twice": before + one + one + other + after,
    }[what]
    same = next(
        (n for n, (a, b) in enumerate(zip(damaged, sound, strict=False)) if a != b),
        min(len(damaged), len(sound)),
    )
    check(sound, damaged, sound[:same].count(b"\n"), is_whole=damaged == sound)


def lines_at(data: bytes, number: int) -> tuple[bytes, bytes, bytes, bytes]:
    """Return what is before a line, it, the next one, and what follows."""
    lines = [*data.splitlines(keepends=True), b""]
    joined = b"".join(lines[:number]), lines[number], lines[number + 1]
    return *joined, b"".join(lines[number + 2 :])


@pytest.mark.parametrize("game_id", ["kuzushi", "kiriai"])
def test_a_log_cut_at_every_byte_opens_up_to_it(game_id: str) -> None:
    sound = data_of(game_id)
    for place in range(0, len(sound), 7):
        check(sound, sound[:place], sound[:place].count(b"\n"), is_whole=False)


def check(sound: bytes, damaged: bytes, lines: int, *, is_whole: bool) -> None:
    """Check that exactly the first `lines` lines are read, and that the next is named."""
    whole = opened_data(sound)
    head = whole.lines - len(whole.entries)
    if lines < head:
        with pytest.raises(BadLog, match=r"^line \d+: "):
            opened_data(damaged)
        return
    log = opened_data(damaged)
    assert log.lines == lines
    assert log.header == whole.header
    assert log.entries == whole.entries[: lines - head]
    kept = b"".join(sound.splitlines(keepends=True)[:lines])
    assert damaged.startswith(kept)
    again = opened_data(kept + Writer(log.chain).lines("note mended").encode())
    assert again.damage is None
    assert again.entries[-1].rest == "mended"
    again = opened_data(kept)
    assert again.damage is None
    assert again.match.digest == log.match.digest
    is_at_its_end = is_whole or damaged == kept
    assert (log.damage is None) == is_at_its_end
    if log.damage is not None:
        assert log.damage.line == lines + 1
    found = skim(damaged.decode("utf-8", errors="replace"))
    assert (found.number, found.end) == (log.match.number, log.end)
    assert (found.damage is None) == (log.damage is None)
    assert opened(log) == opened(again)
    assert talk(log) == talk(again)
    assert (completed(log) is None) == (completed(again) is None)
    assert remarks(log.entries) == remarks(again.entries)
