"""The record in lines: it fits, it adds up, and it can be read without colours."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from kumite.core.rating import Rating
from kumite.store.record import Course, Rated, Tally
from kumite.tui.drawing.squares import Brush
from kumite.tui.look.glyphs import ASCII, LETTERS, Look
from kumite.tui.look.sprites import Skin
from kumite.tui.play.recorded import (
    CURVE,
    NOTHING,
    WHY,
    curve,
    medals,
    record_data,
    record_lines,
)
from kumite.tui.scenes.lines import line_width, plain


def a_course(matches: int) -> Course:
    course = Course(longest=4, streak=2)
    for number in range(matches):
        for tally in (
            course.all,
            course.opponents["bot:easy" if number % 2 else "木村" * 20],
            course.seats[number % 2],
            course.openings["b6xd5 d5>c7 c7>xb5 b5>xd4 stop" if number % 3 else "e4"],
        ):
            tally.add(float(number % 2), 600.0)
        when = datetime(2026, 1, 1 + number, tzinfo=UTC)
        course.ratings.append(Rated(when, Rating(1500 + 10 * number, 100)))
    return course


@pytest.mark.parametrize("look", [LETTERS, ASCII], ids=["letters", "ascii"])
def test_it_fits_into_eighty_columns_and_says_what_was_played(look: Look) -> None:
    lines = record_lines({"kuzushi": a_course(8), "kitsu": a_course(2)}, look)
    said = [plain(line) for line in lines]
    assert max(map(line_width, lines)) <= 78
    assert said[0] == "Kuzushi"  # played most
    assert "8 matches: 4 won, 4 lost; 2 wins in a row; the longest row was 4" in said[2]
    assert any("bot easy" in line and "100% of 4" in line for line in said)
    assert look.is_drawn or all(line.isascii() for line in said if "木" not in line)


@pytest.mark.parametrize("columns", [58, 78, 98])
def test_with_pictures_it_has_a_curve_and_medals_and_fits(columns: int) -> None:
    lines = record_lines({"kuzushi": a_course(8)}, brush=Brush(Skin()), columns=columns)
    said = [plain(line).rstrip() for line in lines]
    rows = lines[next(n for n, text in enumerate(said) if text.endswith(" 1570")) :]
    assert max(map(line_width, rows)) <= columns
    assert any(text.endswith(" 1500") for text in said)
    assert any("Against" in text for text in said)
    assert [text for text in said if "4 in a row" in text and "bot easy" in text]
    assert {"orange", "key"} <= {ink for row in rows for _, one in row for ink in one.split("/")}


def test_medals_are_given_for_wins_in_a_row_and_for_the_strongest_levels_beaten() -> None:
    course = Course(longest=6)
    won, lost = Tally(won=1), Tally(lost=3)
    course.opponents.update({f"bot:{n}": won for n in ("1", "easy", "3", "6", "8", "random")})
    course.opponents.update({"木村": won, "bot:7": lost})
    assert medals(course) == [("6 in a row", 2), ("bot strong", 1), ("bot 6", 2), ("bot 3", 3)]
    assert medals(Course(longest=2)) == []


def test_without_matches_it_says_how_to_begin() -> None:
    assert plain(record_lines({})[0]) == NOTHING
    assert plain(record_lines({}, names=("ada", "lovelace"))[1]) == (
        "Counted are matches in which you are called ada or lovelace."
    )


def test_it_says_how_many_matches_are_left_out_and_why() -> None:
    every = dict.fromkeys(WHY, 1) | {"helped": 12}
    for courses in ({}, {"kuzushi": a_course(8)}):
        lines = record_lines(courses, names=("ada",), left_out=every)
        assert max(map(line_width, lines)) <= 78
        assert " ".join(map(plain, lines)).endswith(
            "Not counted: 12 matches with a hint, or with a step taken back; 1 that went on from "
            "another one; 1 with you in several seats; 1 in which nobody has a name of yours; "
            "1 without a result; 1 with a damaged log; 1 without an end."
        )
    told = record_lines({}, left_out=every, helped={"kuzushi": a_course(8)})
    said = " ".join(map(plain, told))
    assert "With hints or steps taken back, and not rated: Kuzushi 4 of 8 won." in said
    assert "Not counted: 1 match that went on" in said
    alone = record_lines({}, left_out={"unfinished": 1})
    assert plain(alone[-1]) == "Not counted: 1 match without an end."
    assert len(record_lines({}, left_out={})) == 1


@pytest.mark.parametrize("number", [1, 2, 47, 48, 500])
@pytest.mark.parametrize("steps", [LETTERS.heights, ASCII.heights])
def test_a_curve_begins_low_and_ends_high(number: int, steps: str) -> None:
    drawn = plain(curve([1000.0 + at for at in range(number)], steps))
    shape = drawn.split("  ")[0]
    assert len(shape) == min(number, CURVE)
    assert list(shape) == sorted(shape, key=steps.index)
    assert number < 3 or (shape[0], shape[-1]) == (steps[0], steps[-1])


def test_the_data_add_up() -> None:
    data = record_data({"kuzushi": a_course(6)})["kuzushi"]
    assert data["matches"] == data["won"] + data["lost"] + data["shared"] == 6
    assert sum(one["matches"] for one in data["seats"].values()) == 6
    assert len(data["ratings"]) == 6
    assert Tally().matches == 0
