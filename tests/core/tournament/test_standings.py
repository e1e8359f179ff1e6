"""Standings: the sum of the results, with ties broken as the handbook does."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kumite.core.tournament.tournament import (
    POINTS,
    ROBIN,
    SWISS,
    Pairing,
    Player,
    Result,
    Tournament,
    half,
    quarter,
    standings,
)
from tests.core.tournament.test_pairing import decided, of


@settings(deadline=None, max_examples=40)
@given(count=st.integers(3, 16), rounds=st.integers(0, 3), seed=st.integers(0, 999))
def test_the_standing_is_the_sum_of_the_results(count: int, rounds: int, seed: int) -> None:
    rng = Random(seed)
    t = of(count, rng.choice((SWISS, ROBIN)))
    for _ in range(min(rounds, t.planned)):
        t = decided(t, rng)
    rows = standings(t)
    results = [one for pairings in t.rounds for one in pairings]
    assert sum(row.points for row in rows) == sum(sum(POINTS[one.result]) for one in results)
    assert sorted(row.player for row in rows) == list(range(count))
    assert [row.points for row in rows] == sorted((row.points for row in rows), reverse=True)
    assert rows[0].place == 1
    assert all(row.place <= at for at, row in enumerate(rows, 1))


def test_ties_are_broken_by_whom_one_has_met() -> None:
    """Four players, worked out by hand."""
    t = Tournament(SWISS, 2, tuple(map(Player, "abcd")), (
        (Pairing(0, 2, Result.FIRST), Pairing(3, 1, Result.SECOND)),
        (Pairing(1, 0, Result.DRAW), Pairing(2, 3, Result.FIRST)),
    ))  # fmt: skip
    # a: beat c (1), drew with b (1½): 1½ points, Buchholz 2½, Sonneborn 1 + 0.75
    # b: beat d (0), drew with a (1½): 1½ points, Buchholz 1½, Sonneborn 0 + 0.75
    first, second, third, last = standings(t)
    assert (first.player, first.points, first.buchholz, first.sonneborn) == (0, 3, 5, 7)
    assert (second.player, second.points, second.buchholz, second.sonneborn) == (1, 3, 3, 3)
    assert (third.player, last.player) == (2, 3)
    assert [first.place, second.place, third.place, last.place] == [1, 2, 3, 4]
    assert (half(first.points), quarter(first.sonneborn)) == ("1½", "1.75")


def test_nobody_stands_before_another_whom_nothing_tells_apart() -> None:
    assert [row.place for row in standings(of(3))] == [1, 1, 1]


def test_a_bye_counts_as_against_somebody_with_as_many_points() -> None:
    t = Tournament(SWISS, 2, tuple(map(Player, "abc")), (
        (Pairing(0, 1, Result.FIRST), Pairing(2, None, Result.FIRST)),
    ))  # fmt: skip
    by_player = {row.player: row for row in standings(t)}
    assert by_player[2].buchholz == 2
    assert by_player[2].sonneborn == 4
    assert by_player[2].wins == 0
    assert by_player[0].wins == 1


@pytest.mark.parametrize(
    ("points", "said"), [(0, "0"), (1, "½"), (2, "1"), (3, "1½"), (20, "10"), (21, "10½")]
)
def test_half_points_are_written_as_people_do(points: int, said: str) -> None:
    assert half(points) == said
