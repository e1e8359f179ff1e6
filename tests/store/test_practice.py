"""What is remembered of puzzles: what is due, rows and days; a broken file says nothing."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kumite.core.errors import KumiteError
from kumite.store import practice, warned
from kumite.store.practice import FILE, HARDEST, PASSED, Memory, Practice

TODAY = date(2026, 3, 1)


def day(number: int) -> date:
    return TODAY + timedelta(days=number)


def test_what_was_failed_comes_back_tomorrow_and_what_was_solved_later_and_later() -> None:
    kept = Practice().answered("a", 5, day(0)).answered("b", 2, day(0))
    assert kept.following(["a", "b", "c"], day(0)) == "c"  # nothing is due: something new
    assert kept.following(["a", "b"], day(0)) is None
    assert kept.due(["a", "b", "c"], day(1)) == ["a", "b"]
    kept = kept.answered("a", 5, day(1)).answered("b", 5, day(1))
    assert kept.due(["a", "b"], day(2)) == ["b"]
    assert kept.due(["a", "b"], day(7)) == ["b", "a"]  # what has waited longest is first
    assert kept.following(["a", "b", "c"], day(7)) == "b"


def test_a_row_ends_with_what_was_failed_and_the_longest_stays() -> None:
    kept = Practice()
    for grade in (5, 5, 5, 1, 5):
        kept = kept.answered("a", grade, TODAY)
    assert (kept.row, kept.longest) == (1, 3)


def test_days_are_counted_once_each_and_end_with_one_left_out() -> None:
    kept = Practice()
    for number, days in ((0, 1), (0, 1), (1, 2), (2, 3), (4, 1)):
        kept = kept.answered("a", 5, day(number))
        assert kept.days == days
    assert kept.days_at(day(4)) == 1
    assert kept.days_at(day(5)) == 0
    assert kept.answered("b", 2, day(5)).days == 1  # what is failed is no day


@pytest.fixture(autouse=True)
def _folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("KUMITE_LOGS", str(tmp_path))


def test_it_is_kept_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert practice.load() == Practice()
    kept = Practice().answered("a", 5, TODAY).answered("b", 2, TODAY)
    practice.save(kept)
    assert practice.load() == kept
    sound = (tmp_path / FILE).read_text()
    changes = (('"row": 0', '"row": []'), ("2026-03-01", "2026-13-01"), ('"format": 1', '"f": 1'))
    for bad in ("", "[]", "{", *(sound.replace(*change) for change in changes)):
        (tmp_path / FILE).write_text(bad)
        assert practice.load() == Practice()
    monkeypatch.setenv("KUMITE_LOGS", str(tmp_path / FILE))
    with pytest.raises(KumiteError):
        practice.save(kept)


@pytest.mark.parametrize("fault", ["damaged", "newer", "a folder"])
def test_what_cannot_be_read_is_kept_beside_and_never_written_over(
    tmp_path: Path, fault: str
) -> None:
    path = tmp_path / FILE
    if fault == "a folder":
        path.mkdir()
    else:
        path.write_text("{" if fault == "damaged" else '{"format": 2}')
    assert practice.load() == Practice()
    kept = Practice().answered("a", 5, TODAY)
    practice.save(kept)
    assert practice.load() == kept
    assert path.with_name(f"{FILE}.unreadable").exists()
    reason, place = warned.heard()
    assert str(path) in reason
    assert place == f"{path} is kept as {FILE}.unreadable"


# --- The steps of SM-2 -------------------------------------------------------------------------


def test_what_is_known_at_once_comes_back_after_1_6_17_and_49_days() -> None:
    """I(1) = 1, I(2) = 6, then I(n) = I(n-1) * EF, which grows by 0.1 with each 5."""
    memory, days = Memory(), []
    for _ in range(4):
        memory = memory.after(5)
        days.append(memory.days)
    assert days == [1, 6, 17, 49]
    assert memory.ease == pytest.approx(2.9)


def test_a_grade_of_4_leaves_the_ease_and_3_makes_it_harder() -> None:
    assert Memory().after(4).ease == pytest.approx(2.5)
    assert Memory().after(3).ease == pytest.approx(2.36)


def test_what_was_failed_begins_anew_with_the_same_ease() -> None:
    memory = Memory().after(5).after(5).after(2)
    assert (memory.times, memory.days, memory.ease) == (0, 1, pytest.approx(2.7))
    assert memory.after(5).days == 1
    assert memory.after(5).after(5).days == 6


@given(st.lists(st.integers(0, 5), max_size=20))
def test_it_never_gets_harder_than_the_hardest_and_distances_grow(grades: list[int]) -> None:
    memory = Memory()
    for grade in grades:
        before, memory = memory, memory.after(grade)
        assert memory.ease >= HARDEST
        assert memory.days >= 1
        assert grade < PASSED or memory.days >= before.days or before.times == 0
