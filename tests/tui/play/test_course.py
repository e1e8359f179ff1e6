"""The course of a match: what ends where, turning points, the line of it all."""

from __future__ import annotations

from itertools import pairwise
from statistics import median

import pytest
from rich.cells import cell_len

from kumite.core.game import CHANCE, SPECTATOR, Seat, Setup
from kumite.core.games import GAMES
from kumite.core.match import Match
from kumite.tui import scenes
from kumite.tui.look.glyphs import LOOKS
from kumite.tui.play.course import AHEAD, FOR_GOOD, HERE, THE_END, Course, ending
from kumite.tui.scenes.lines import plain
from tests.core.test_transcripts import recorded
from tests.support.contrast import every_role
from tests.support.random_matches import setups, walk

ALL_EVENTS = {
    "kitsu": {"capture"},
    "kitsune": {"round", "katana", "token"},
    "kumo": {"stone", "prisoner"},
    "kuzushi": {"lead"},
    "kiriai": {"hit"},
}


def replayed(game_id: str, number: int) -> Match:
    transcript = recorded(game_id)[number]
    match = Match.begin(Setup.of(GAMES[game_id], transcript["seats"], transcript["options"]))
    for actor, step in transcript["steps"]:
        match = match.play(actor, step)
    return match


@pytest.mark.parametrize("game_id", GAMES)
def test_every_match_has_parts_that_end_and_an_end(game_id: str) -> None:
    for setup in setups(GAMES[game_id]):
        match = walk(setup, 1)
        course = Course.of(match)
        assert len(course.ends) == len(course.events) == match.number + 1
        assert course.parts == scenes.maker(match).PARTS
        assert course.ends[0] == 0
        assert course.events[0] == ""
        assert course.ends[-1] == len(course.parts)
        assert course.events[-1]
        assert set(course.ends) >= {0, 1}


@pytest.mark.parametrize("game_id", GAMES)
def test_everybody_sees_the_same_course(game_id: str) -> None:
    match = walk(Setup.of(GAMES[game_id]), 2)
    course = Course.of(match)
    for by in (SPECTATOR, frozenset({Seat(0)}), frozenset({Seat(1)})):
        assert Course.of(match.seen_by(by)) == course


def test_each_game_has_the_turning_points_that_it_names() -> None:
    for game_id, expected in ALL_EVENTS.items():
        found: set[str] = set()
        for number in range(len(recorded(game_id))):
            found |= set(Course.of(replayed(game_id, number)).events)
            if found >= expected:
                break
        assert found - {"", THE_END, FOR_GOOD} == expected, game_id
    assert set(ALL_EVENTS) == set(GAMES)


def test_in_kuzushi_a_lead_is_told_only_where_it_is_clear_and_where_it_stays() -> None:
    counts = []
    for number in range(12):
        match = replayed("kuzushi", number)
        course, line = Course.of(match), match.line()
        for at, event in enumerate(course.events):
            *_, second, first = sorted(map(line[at].state.score, range(match.setup.seats)))
            assert event != "lead" or first - second >= 3
        counts.append(sum(map(bool, course.events)))
    assert 2 <= median(counts) <= 6, counts  # of about 38 steps; a lead by one is taken at each


@pytest.mark.parametrize("game_id", ["kitsu", "kitsune", "kuzushi", "kiriai"])
def test_the_end_card_and_the_course_tell_of_the_same_step(game_id: str) -> None:
    told = 0
    for seed in range(8):
        match = walk(Setup.of(GAMES[game_id]), seed)
        found = ending(match, None, ("ada", "bob"))
        if since := dict(found.facts).get(AHEAD):
            at = int(since.partition(":")[0].removeprefix("step "))
            events = Course.of(match).events
            assert events[at]
            assert FOR_GOOD not in events[:at] + events[at + 1 :]
            told += 1
    assert told


@pytest.mark.parametrize("game_id", ["kitsu", "kumo"])
def test_a_turn_ends_where_another_seat_is_to_act(game_id: str) -> None:
    match = walk(Setup.of(GAMES[game_id]), 3)
    ends = Course.of(match).ends
    for before, after in pairwise(match.line()):
        assert bool(ends[after.number]) == (before.actors != after.actors)


def test_a_capture_takes_a_piece_off_the_board() -> None:
    match = replayed("kitsu", 0)
    events = Course.of(match).events
    for before, after in pairwise(match.line()):
        pieces = [state.pieces.bit_count() for state in (before.state, after.state)]
        assert (events[after.number] == "capture") == (pieces[1] < pieces[0])


def test_tricks_of_two_are_two_cards_and_rounds_end_with_one() -> None:
    match = replayed("kitsune", 0)
    course = Course.of(match)
    assert course.parts == ("card", "trick", "round")
    cards = 0
    for before, after in pairwise(match.line()):
        end = course.ends[after.number]
        if end >= 2:
            assert after.state.standing.tricks == before.state.standing.tricks + 1
        if end >= 3:
            assert sum(after.state.standing.wins) == sum(before.state.standing.wins) + 1
        if after.last is not None and after.last.actor == CHANCE:
            continue
        cards += end == 1
    assert cards


@pytest.mark.parametrize("field", ["standard", "advanced"])
def test_rounds_of_kiriai_are_counted_as_the_game_counts_them(field: str) -> None:
    match = walk(Setup.of(GAMES["kiriai"], 2, {"field": field}), 5)
    rounds = sum(end == 2 for end in Course.of(match).ends)
    assert rounds == match.state.round  # the choice of starts is none


# --- Going along it ---------------------------------------------------------------------------

COURSE = Course(("turn", "round"), (0, 0, 1, 0, 2, 1, 0, 2), ("", "", "", "hit", "", "", "", "end"))


@pytest.mark.parametrize(
    ("at", "kind", "by", "to"),
    [(0, 1, 1, 2), (2, 1, 1, 4), (2, 2, 1, 4), (4, 2, 1, 7), (7, 1, 1, 7),
     (7, 1, -1, 5), (7, 2, -1, 4), (4, 2, -1, 0), (3, 1, -1, 2), (0, 1, -1, 0)],
)  # fmt: skip
def test_the_next_end_of_a_part(at: int, kind: int, by: int, to: int) -> None:
    assert COURSE.next_end(at, kind, by) == to


@pytest.mark.parametrize(
    ("at", "by", "to"), [(0, 1, 3), (3, 1, 7), (7, 1, None), (7, -1, 3), (3, -1, None)]
)
def test_the_next_turning_point(at: int, by: int, to: int | None) -> None:
    assert COURSE.next_event(at, by) == to


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
@pytest.mark.parametrize("columns", [1, 5, 8, 20])
def test_the_line_has_a_column_for_each_position_or_as_many_for_all(look, columns: int) -> None:
    for at in range(8):
        line = COURSE.line(at, columns, look, {1})
        assert cell_len(plain(line)) == (columns if columns > 8 else min(columns, 8))
        assert plain(line).count(look.solid[0] if look.is_drawn else HERE) == 1
        assert {role for _, role in line} <= set(every_role())
        assert look.name != "ascii" or plain(line).isascii()
    assert plain(COURSE.line(0, 8, LOOKS["ascii"], {1})) == "@!-x|--x"
    assert plain(COURSE.line(7, 4, LOOKS["ascii"], {1})) == "!x|@"


def test_a_match_without_a_step_has_a_line_of_one_column() -> None:
    course = Course.of(Match.begin(Setup.of(GAMES["kuzushi"])))
    assert plain(course.line(0, 40, LOOKS["ascii"])) == "@"
    assert course.next_end(0, 1, 1) == 0
    assert course.next_event(0, 1) is None


def test_the_last_position_is_in_the_last_column_of_a_broad_line() -> None:
    """It ended at three quarters of a broad screen: the columns that were left had no place."""
    for columns in (9, 15, 80, 218):
        line = plain(COURSE.line(7, columns, LOOKS["letters"]))
        assert cell_len(line) == columns
        assert line[-1] == LOOKS["letters"].solid[0]
