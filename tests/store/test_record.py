"""The record: what is counted, for whom, and that nothing but the logs is asked."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from kumite.core.game import Seat, Setup
from kumite.core.games import GAMES
from kumite.core.log import End, Header, Writer, log_text, read
from kumite.core.match import Match
from kumite.core.rating import Rating
from kumite.store.library import Kept, Library
from kumite.store.log_files import SUFFIX
from kumite.store.record import Course, Record, whole_record
from tests.support.random_matches import short_setup, walk

BOTS = {"bot:easy": Rating(1200, 50), "bot:strong": Rating(1900, 50)}
OPEN = Setup.of(GAMES["kuzushi"])
ADA_GAVE_UP = End("resigned", (Seat(0),))
BOB_GAVE_UP = End("resigned", (Seat(1),))


class Folder:
    """A folder that logs are put into, one a day."""

    def __init__(self, path: Path) -> None:
        self.path, self.day = path, 0

    def put(
        self, match: Match, names: tuple[str, ...], end: End | None = None, *lines: str, **more: Any
    ) -> Path:
        """Write a log; `lines` stand between its steps and its end."""
        self.day += 1
        header = Header(f"{self.day:04x}", match.setup, names, **more)
        text = log_text(header, match)
        if end:
            found = read(text)
            shown = f"end {end.kind} {','.join(map(str, end.seats)) or '-'}"
            text += Writer(found.chain).lines(*lines, shown)
        stamp = f"2026-{1 + self.day // 28:02}-{1 + self.day % 28:02}-120000"
        path = self.path / f"{stamp}-x{SUFFIX}"
        path.write_text(text, encoding="utf-8")
        return path

    def rows(self) -> list[Kept]:
        library = Library(self.path)
        library.read()
        return library.all()

    def read(self, *names: str) -> dict[str, Course]:
        return self.whole(*names).courses

    def whole(self, *names: str) -> Record:
        return whole_record(self.rows(), names or ("ada",))


@pytest.fixture(autouse=True)
def _ratings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kumite.store.record.ANCHORS", dict.fromkeys(GAMES, BOTS))


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


def some(number: int = 6) -> Match:
    return walk(OPEN, 1, longest=number)


@pytest.mark.parametrize(
    ("game_id", "seats"), [(game_id, n) for game_id in GAMES for n in GAMES[game_id].SEATS]
)
def test_every_end_by_the_rules_is_counted_as_the_rules_say(
    game_id: str, seats: int, folder: Folder
) -> None:
    points = 0.0
    for seed in range(6):
        match = walk(short_setup(game_id, seats), seed)
        names = ("ada", "bot:easy", "cid", "dan", "eve", "fay")[:seats]
        folder.put(match, names)
        assert match.outcome is not None
        sides = {match.setup.side_of(seat) for seat in match.outcome.winners}
        points += (0 in sides) / len(sides) if sides else 0.5
    course = folder.read()[game_id]
    assert course.all.matches == 6
    assert course.all.points == pytest.approx(points)
    assert len(course.ratings) == 6
    assert course.seats[0].matches == 6
    assert sum(one.matches for one in course.openings.values()) == 6
    partner = "cid" if GAMES[game_id].TEAMS and seats > 2 else ""
    assert "ada" not in course.opponents
    assert partner not in course.opponents
    assert folder.read("nobody") == {}


def test_who_gives_up_has_lost_and_who_agrees_has_shared(folder: Folder) -> None:
    folder.put(some(), ("ada", "bob"), BOB_GAVE_UP)
    folder.put(some(), ("bob", "ada"), BOB_GAVE_UP)
    folder.put(some(), ("bob", "ada"), End("agreed", (Seat(0), Seat(1))))
    course = folder.read()["kuzushi"]
    assert (course.all.won, course.all.lost, course.all.shared) == (1, 1, 1)
    assert (course.seats[0].won, course.seats[1].lost) == (1, 1)
    assert course.opponents["bob"].matches == 3
    assert folder.read("bob")["kuzushi"].all.points == course.all.points


def test_what_is_no_match_of_ones_own_does_not_count(folder: Folder) -> None:
    folder.put(some(), ("ada", "bob"))  # not over
    folder.put(some(), ("ada", "bob"), End("adjourned", (Seat(0), Seat(1))))
    folder.put(some(), ("ada", "ada"), BOB_GAVE_UP)  # against oneself
    folder.put(some(), ("bot:easy", "bot:strong"), BOB_GAVE_UP)  # of an arena
    folder.put(some(), ("bob", "cid"), BOB_GAVE_UP)  # somebody else's
    folder.put(some(), ("bob", "bot:easy"))  # the same, perhaps: it goes on
    folder.put(some(), ("ada", "bob"), BOB_GAVE_UP, extra=("from ab12 3",))  # a branch
    folder.put(some(), ("ada", "bob"), BOB_GAVE_UP, "back 3")
    folder.put(some(), ("ada", "bob"), BOB_GAVE_UP, "note hint: seat 0 before step 4")
    folder.put(walk(Setup.of(GAMES["kuzushi"], 3), 1, longest=6), ("ada", "b", "c"), BOB_GAVE_UP)
    assert folder.read() == {}
    every = {"unfinished": 2, "alone": 1, "branched": 1, "helped": 2, "undecided": 1, "nobody": 1}
    assert folder.whole().left_out == every
    helped = folder.whole().helped["kuzushi"]
    assert (helped.all.matches, helped.opponents["bob"].won) == (2, 2)
    folder.put(some(), ("ada", "bob"), BOB_GAVE_UP, "note analysis of the weather")
    assert folder.read()["kuzushi"].all.won == 1
    assert folder.whole().left_out == every
    path = folder.put(some(), ("ada", "bob"), BOB_GAVE_UP)
    path.write_text(path.read_text("utf-8").replace("step 3", "step 4"), "utf-8")
    assert folder.whole().left_out == {**every, "damaged": 1}
    assert set(folder.whole("dora").left_out) == {"nobody"}


def test_a_copy_of_a_match_does_not_count_twice(folder: Folder) -> None:
    path = folder.put(some(), ("ada", "bot:easy"), ADA_GAVE_UP)
    path.with_name(f"2026-06-01-120000-x{SUFFIX}").write_bytes(path.read_bytes())
    folder.put(some(), ("ada", "bot:easy"), ADA_GAVE_UP)
    assert folder.read()["kuzushi"].all.matches == 2


def test_a_deleted_log_takes_its_match_along(folder: Folder) -> None:
    first = folder.put(some(), ("ada", "bot:easy"), BOB_GAVE_UP)
    folder.put(some(), ("ada", "bot:easy"), ADA_GAVE_UP)
    both = folder.read()["kuzushi"]
    first.unlink()
    one = folder.read()["kuzushi"]
    assert (both.all.matches, one.all.matches, one.all.lost) == (2, 1, 1)
    assert one.rating.points < both.rating.points


def test_names_of_one_person_are_joined_whatever_their_letters(folder: Folder) -> None:
    folder.put(some(), ("Ada", "bob"), BOB_GAVE_UP)
    folder.put(some(), ("A. L.", "bob"), BOB_GAVE_UP)
    assert folder.read("ada")["kuzushi"].all.won == 1
    assert folder.read("ada", "a. l.", "")["kuzushi"].all.won == 2


def test_streaks_are_of_wins_or_of_losses_and_end_with_a_draw(folder: Folder) -> None:
    agreed = End("agreed", (Seat(0), Seat(1)))
    wanted = [(BOB_GAVE_UP, 1), (BOB_GAVE_UP, 2), (ADA_GAVE_UP, -1), (ADA_GAVE_UP, -2)]
    wanted += [(BOB_GAVE_UP, 1), (agreed, 0), (ADA_GAVE_UP, -1)]
    for end, streak in wanted:
        folder.put(some(), ("ada", "bob"), end)
        assert folder.read()["kuzushi"].streak == streak
    assert folder.read()["kuzushi"].longest == 2


def test_a_rating_rises_with_the_strength_of_who_was_beaten(folder: Folder) -> None:
    folder.put(some(), ("ada", "bot:easy"), BOB_GAVE_UP)
    folder.put(some(), ("bob", "bot:strong:500"), BOB_GAVE_UP)  # a level, however long it thinks
    easy, strong = folder.read("ada")["kuzushi"], folder.read("bob")["kuzushi"]
    assert 1500 < easy.rating.points < strong.rating.points
    assert list(strong.opponents) == ["bot:strong"]
    folder.put(some(), ("ada", "bot:2"), BOB_GAVE_UP)
    assert list(folder.read("ada")["kuzushi"].opponents) == ["bot:easy"]  # its usual name


def test_a_long_pause_makes_it_less_certain(folder: Folder) -> None:
    folder.put(some(), ("ada", "bot:easy"), BOB_GAVE_UP)
    folder.put(some(), ("ada", "bot:easy"), ADA_GAVE_UP)
    soon = folder.read()["kuzushi"].rating
    folder.day += 300
    folder.path.joinpath("2026-01-03-120000-x.kumite").rename(
        folder.path / "2027-01-03-120000-x.kumite"
    )
    late = folder.read()["kuzushi"].rating
    assert late.deviation > soon.deviation


def test_the_opening_is_ones_own_first_turn(folder: Folder) -> None:
    match = walk(short_setup("kitsu"), 1)
    folder.put(match, ("ada", "bob"))
    (opening,) = folder.read("ada")["kitsu"].openings
    (answer,) = folder.read("bob")["kitsu"].openings
    assert opening
    assert answer
    said = [one.step for one in match.steps()]
    first = opening.split() + answer.split()
    assert first == said[: len(first)]


def test_the_order_of_files_makes_no_difference(folder: Folder) -> None:
    rng = Random(1)
    for _ in range(12):
        folder.put(
            some(), ("ada", rng.choice(sorted(BOTS))), rng.choice([ADA_GAVE_UP, BOB_GAVE_UP])
        )
    rows = folder.rows()
    wanted = whole_record(rows, ["ada"])
    rng.shuffle(rows)
    assert whole_record(rows, ["ada"]) == wanted
