"""When something is asked again: the steps of SM-2."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kumite.store.practice import HARDEST, PASSED, Memory


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
