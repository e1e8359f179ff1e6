"""Remarks, branches, completed and merged logs, comparison: what logs say of one match."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kumite.core.errors import KumiteError
from kumite.core.game import HOLE, SPECTATOR, Seat, Seats, Setup
from kumite.core.games import GAMES
from kumite.core.games.kuzushi import rules as kuzushi
from kumite.core.log import End, Header, Log, Writer, end_text, log_text, read, step_text
from kumite.core.match import Match
from kumite.core.origins import branch, compare, completed, merged, merged_text, origin, talk
from kumite.core.remarks import LONGEST, remark_text, remarks
from tests.support.random_matches import choose, walk

SETUP = Setup.of(kuzushi)
WITH_SECRETS = [game_id for game_id in GAMES if GAMES[game_id].SECRETS is not None]


def header(setup: Setup, by: Seats | None = None, **more: object) -> Header:
    return Header("ab12", setup, ("ada", "bob", "cyd", "dan")[: setup.seats], by, **more)


def log_of(match: Match, *lines: str, by: Seats | None = None) -> Log:
    """Return the log of a match as `by` have seen it, with more lines at its end."""
    seen = match if by is None else match.seen_by(by)
    log = read(log_text(header(match.setup, by), seen))
    assert log.damage is None
    return read(log_text(header(match.setup, by), seen) + Writer(log.chain).lines(*lines))


# --- Remarks ----------------------------------------------------------------------------------


def test_the_last_remark_on_a_step_stands_and_an_empty_one_takes_it_away() -> None:
    match = walk(SETUP, 1, longest=6)
    log = log_of(
        match, remark_text(3, "good"), remark_text(0, "the start"), remark_text(3, "no,\nbad  "),
        remark_text(5, "odd"), remark_text(5, ""),
    )  # fmt: skip
    assert log.damage is None
    assert remarks(log.entries) == {0: "the start", 3: "no, bad"}
    assert list(remarks(log.entries)) == [0, 3]


def test_a_remark_goes_with_the_step_that_is_taken_back() -> None:
    log = log_of(walk(SETUP, 1, longest=6), "remark 3 stays", "remark 5 goes", "back 4")
    assert remarks(log.entries) == {3: "stays"}


@pytest.mark.parametrize(
    "line", ["remark", "remark x y", "remark 7 late", "remark 01 y", "remark -1"]
)
def test_what_is_no_remark_says_nothing(line: str) -> None:
    log = log_of(walk(SETUP, 1, longest=6), line)
    assert log.damage is None
    assert remarks(log.entries) == {}


def test_a_remark_that_is_too_long_is_refused_with_its_length() -> None:
    assert remark_text(1, "x" * LONGEST)
    with pytest.raises(KumiteError, match=f"the remark has {LONGEST + 1} characters"):
        remark_text(1, "x" * (LONGEST + 1))


@given(st.integers(0, 6), st.text(max_size=LONGEST))
def test_any_text_can_be_a_remark(number: int, said: str) -> None:
    log = log_of(walk(SETUP, 1, longest=6), remark_text(number, said))
    assert log.damage is None
    assert remark_text(number, remarks(log.entries).get(number, "")) == remark_text(number, said)


# --- Branches ---------------------------------------------------------------------------------


@pytest.mark.parametrize("game_id", GAMES)
def test_a_branch_begins_with_the_steps_of_its_origin_and_remembers_it(game_id: str) -> None:
    match = walk(Setup.of(GAMES[game_id]), 3)
    log = log_of(match)
    for number in (0, match.number // 2, match.number):
        head, start = branch(log, number, "ffff", ("eve", "bot:simple"))
        assert start.digest == match.back(number).digest
        again = read(log_text(head, start))
        assert again.damage is None
        assert origin(again.header) == ("ab12", number)
        assert again.header.names == ("eve", "bot:simple")
    assert origin(log.header) is None


def test_a_branch_keeps_the_position_that_its_origin_began_from() -> None:
    game = SETUP.game
    position = game.text(walk(SETUP, 1, longest=4).state)
    head = header(SETUP, position=position)
    match = head.begin()
    match = match.play(*choose(match, Random(1)))
    found, start = branch(read(log_text(head, match)), 1, "ffff", ())
    assert read(log_text(found, start)).match.digest == match.digest


@pytest.mark.parametrize("number", [-1, 7, 1000])
def test_a_branch_after_a_step_that_is_not_there_is_refused(number: int) -> None:
    with pytest.raises(KumiteError, match="there is no step"):
        branch(log_of(walk(SETUP, 1, longest=6)), number, "ffff", ())


@pytest.mark.parametrize("extra", ["from", "from x 1", "from ab -1", "from ab 01", "from ab 1 2"])
def test_a_header_line_that_names_no_origin_is_kept_and_says_nothing(extra: str) -> None:
    log = read(log_text(header(SETUP, extra=(extra,)), Match.begin(SETUP)))
    assert log.header.extra == (extra,)
    assert origin(log.header) is None


@pytest.mark.parametrize("game_id", WITH_SECRETS)
def test_nobody_goes_on_from_what_a_log_hides(game_id: str) -> None:
    match = walk(Setup.of(GAMES[game_id]), 3)
    log = log_of(match, by=SPECTATOR)
    assert any(HOLE in one.step for one in log.match.steps())
    with pytest.raises(KumiteError, match="hides something up to step") as caught:
        branch(log, match.number, "ffff", ())
    assert "log merge" in caught.value.hint


# --- Completed and merged ---------------------------------------------------------------------


@pytest.mark.parametrize("game_id", GAMES)
def test_opened_steps_complete_a_log(game_id: str) -> None:
    match = walk(Setup.of(GAMES[game_id]), 4)
    seen = match.seen_by(SPECTATOR).steps()
    lines = [
        f"open {number} {full.step}"
        for number, (full, part) in enumerate(zip(match.steps(), seen, strict=True), start=1)
        if full != part
    ]
    log = log_of(match, *lines, by=SPECTATOR)
    whole = completed(log)
    assert whole.by is None
    assert whole.steps() == match.steps()
    if lines:
        assert completed(log_of(match, *lines[1:], by=SPECTATOR)) is None
        assert completed(log_of(match, "open x y", "open", *lines, by=SPECTATOR)) is not None


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("game_id", GAMES)
def test_two_terminals_logs_make_one_of_all_that_both_have_seen(game_id: str, seed: int) -> None:
    for seats in GAMES[game_id].SEATS:
        if seats > 4:
            continue
        match = walk(Setup.of(GAMES[game_id], seats), seed)
        half = frozenset(map(Seat, range(seats // 2)))
        rest = frozenset(map(Seat, range(seats))) - half
        logs = [log_of(match, f"say 0 hello from {len(by)}", by=by) for by in (half, rest)]
        log = read(merged_text(*logs))
        assert log.damage is None
        assert log.match.digest == match.digest
        by = log.header.by
        expected = match if by is None else match.seen_by(by)
        assert by is None or by == half | rest
        assert log.match.steps() == expected.steps()
        assert "say 0 hello" in str(talk(log))
        assert merged(logs[1], logs[0])[1].steps() == log.match.steps()


def test_what_cannot_be_merged_is_refused_with_a_reason() -> None:
    match = walk(SETUP, 1)
    log = log_of(match)
    other = read(log_text(Header("cd", SETUP), match))
    with pytest.raises(KumiteError, match="two matches: ab12 and cd"):
        merged(log, other)
    with pytest.raises(KumiteError, match=r"the logs differ: step 1, "):
        merged(log, log_of(walk(SETUP, 2)))
    with pytest.raises(KumiteError, match=r"the logs differ: step 5, step: . .*nothing"):
        merged(log, log_of(match.back(4)))
    with pytest.raises(KumiteError, match="a log is damaged: line "):
        merged(log, read(log_text(header(SETUP), match)[:-3]))
    secret = walk(Setup.of(GAMES[WITH_SECRETS[0]]), 1)
    hidden = log_of(secret, by=SPECTATOR)
    with pytest.raises(KumiteError, match="both logs show the same"):
        merged(hidden, hidden)


def test_a_false_opening_is_noticed() -> None:
    match = walk(Setup.of(GAMES["kiriai"]), 1)
    seen = match.seen_by(SPECTATOR).steps()
    number = next(n for n, one in enumerate(seen, start=1) if HOLE in one.step)
    whole = match.line()
    actor = whole[number].last.actor
    other = next(one for one in whole[number - 1].legal(actor) if one != whole[number].last.step)
    assert completed(log_of(match, f"open {number} {other}", by=SPECTATOR)) is None


# --- Comparing --------------------------------------------------------------------------------


@pytest.mark.parametrize("game_id", GAMES)
def test_logs_of_one_match_are_the_same_whoever_saw_it(game_id: str) -> None:
    match = walk(Setup.of(GAMES[game_id]), 5)
    logs = [log_of(match), *(log_of(match, by=by) for by in (SPECTATOR, frozenset({Seat(1)})))]
    for one in logs:
        for two in logs:
            assert compare(one, two) is None


def test_the_first_difference_is_named_with_step_field_and_both_sides() -> None:
    match = walk(SETUP, 1)
    log = log_of(match)
    before = match.back(3)
    actor, other = before.actors[0], before.legal(before.actors[0])
    step = next(one for one in other if one != match.back(4).last.step)
    found = compare(log, log_of(before.play(actor, step)))
    assert (found.number, found.field, found.two) == (4, "step", step)
    cut = compare(log, log_of(match.back(5)))
    assert (cut.number, cut.field, cut.two) == (6, "step", "")
    given_up = read(log_text(header(SETUP), before, End("resigned", (Seat(0),))))
    end = compare(given_up, log_of(before))
    assert end is not None
    assert str(end) == "step 3, end: end resigned 0 | nothing"


@pytest.mark.parametrize(
    ("setup", "field"),
    [
        (Setup.of(GAMES["kitsu"]), "game"),
        (Setup.of(kuzushi, 3), "seats"),
        (Setup.of(kuzushi, 2, {"board": "small"}), "option board"),
    ],
)
def test_headers_that_differ_are_named(setup: Setup, field: str) -> None:
    found = compare(log_of(Match.begin(SETUP)), log_of(Match.begin(setup)))
    assert found.number is None
    assert found.field == field


def test_another_start_is_a_difference_and_so_is_a_secret_that_nobody_saw() -> None:
    start = header(SETUP, position=SETUP.game.text(walk(SETUP, 1, longest=4).state))
    found = compare(log_of(Match.begin(SETUP)), read(log_text(start, start.begin())))
    assert found.field == "first digest"
    setup = Setup.of(GAMES["kiriai"])
    match = Match.begin(setup)
    while len(match.actors) < 2:
        match = match.play(match.actors[0], sorted(match.odds())[0])
    one, two = (match.play(Seat(0), step) for step in match.legal(Seat(0))[:2])
    assert one.digest == two.digest
    found = compare(log_of(one), log_of(two))
    assert found.field == "step"
    assert compare(log_of(one), log_of(two, by=SPECTATOR)) is None


def test_positions_that_differ_after_the_same_step_are_told_line_by_line() -> None:
    """No sound log leads there; a program with other rules would."""
    match = walk(SETUP, 1, longest=2)
    log = log_of(match)
    other = match.back(1)
    flags = (0, 0)
    state = replace(match.state, flags=flags)
    wrong = replace(match, state=state, digest=b"x" * 16, before=other)
    found = compare(log, replace(log, match=wrong))
    assert found.number == 2
    assert found.field.startswith("line ")
    assert found.field.endswith(" of the position")
    last = replace(match, digest=b"x" * 16)
    assert compare(log, replace(log, match=last)).field == "digest"


def test_talk_stands_by_its_step() -> None:
    match = walk(SETUP, 1, longest=4)
    writer, end = Writer(), end_text(End("left", (Seat(0),)))
    lines = "note hi", step_text(match.back(1)), "say 0 yes", "back 0", "remark 0 so", end
    log = read(writer.header(header(SETUP)) + writer.lines(*lines))
    assert talk(log) == {0: ["note hi", "remark 0 so"], 1: ["say 0 yes"]}
