"""Laws of pairing and standings: of tournaments of any size, whatever the results are."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kumite.core.errors import BadSetup
from kumite.core.tournament import pairing
from kumite.core.tournament.pairing import can_pair, next_round
from kumite.core.tournament.tournament import (
    MOST,
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

RESULTS = (Result.FIRST, Result.SECOND, Result.DRAW, Result.NEITHER)
BERGER = {  # FIDE Handbook C.05, annex 1
    4: ("1-4 2-3", "4-3 1-2", "2-4 3-1"),
    6: ("1-6 2-5 3-4", "6-4 5-3 1-2", "2-6 3-1 4-5", "6-5 1-4 2-3", "3-6 4-2 5-1"),
}


def of(count: int, system: str = SWISS, length: int = 0) -> Tournament:
    return Tournament(system, length, tuple(Player(f"p{n}") for n in range(count)))


def decided(t: Tournament, rng: Random) -> Tournament:
    """Return it with its next round, and any results of it."""
    t = t.with_round(next_round(t))
    for place, one in enumerate(t.rounds[-1]):
        if one.is_open:
            t = t.with_result(place, rng.choice(RESULTS))
    return t


def whole(t: Tournament, rng: Random) -> Tournament:
    while not t.is_over:
        t = decided(t, rng)
    return t


def test_a_round_robin_goes_by_bergers_tables() -> None:
    for count, rounds in BERGER.items():
        t = whole(of(count, ROBIN), Random(1))
        said = [
            " ".join(f"{one.first + 1}-{(one.second or 0) + 1}" for one in pairings)
            for pairings in t.rounds
        ]
        assert tuple(said) == rounds


@pytest.mark.parametrize("count", range(3, MOST + 1))
def test_in_a_round_robin_all_meet_once_and_sit_evenly(count: int) -> None:
    t = whole(of(count, ROBIN), Random(count))
    assert all(t.has_met(one, other) == 1 for one, other in combinations(range(count), 2))
    assert all(t.has_met(one, None) == count % 2 for one in range(count))
    assert all(abs(sum(t.seats(one))) <= 1 for one in range(count))


@settings(deadline=None, max_examples=15)
@given(count=st.integers(3, MOST), length=st.integers(0, 16), seed=st.integers(0, 999))
def test_in_a_swiss_nobody_meets_twice_and_nobody_has_two_byes(
    count: int, length: int, seed: int
) -> None:
    t = whole(of(count, SWISS, length), Random(seed))
    assert len(t.rounds) == t.planned >= 1
    for pairings in t.rounds:
        seen = [n for one in pairings for n in (one.first, one.second) if n is not None]
        assert sorted(seen) == list(range(count))
        assert sum(one.second is None for one in pairings) == count % 2
    assert all(t.has_met(one, other) <= 1 for one, other in combinations(range(count), 2))
    assert all(t.has_met(one, None) <= 1 for one in range(count))
    if t.planned <= (count - 1).bit_length():
        assert all(abs(sum(t.seats(one))) <= 2 for one in range(count))


@pytest.mark.parametrize("seed", [227, 398])
def test_nobody_sits_too_one_sidedly_where_that_has_to_be_looked_after(seed: int) -> None:
    rng = Random(seed)
    assert rng.randint(4, 12) == 10
    t = of(10, SWISS, 16)
    while not t.is_over:
        t = t.with_round(next_round(t))
        for place in range(5):
            t = t.with_result(place, rng.choice(RESULTS[:3]))
    assert max(abs(sum(t.seats(one))) for one in range(10)) <= 2


@settings(deadline=None, max_examples=60)
@given(count=st.integers(4, 12), seed=st.integers(0, 9999))
def test_who_comes_and_who_goes_is_paired_as_far_as_it_can_be(count: int, seed: int) -> None:
    rng = Random(seed)
    t = of(count, SWISS, 6)
    while not t.is_over:
        before = t
        pairings = next_round(t)
        here = [n for one in pairings for n in (one.first, one.second) if n is not None]
        assert sorted(here) == list(t.present)
        met = [t.has_met(one.first, one.second) for one in pairings]
        if any(met):
            assert not exists(before)
        t = decided(t, rng)
        if rng.random() < 0.3 and len(t.present) > 3:
            t = t.with_presence(rng.choice(t.present), False)
        if rng.random() < 0.2 and not t.is_over:
            t = t.with_player("late")


def exists(t: Tournament) -> bool:
    """Return whether there is a round in which nobody meets again: all are tried."""

    def rest(left: tuple[int, ...], has_bye: bool) -> bool:
        if not left:
            return True
        one, *others = left
        if not has_bye and not t.has_met(one, None) and rest(tuple(others), True):
            return True
        return any(
            not t.has_met(one, other) and rest(tuple(n for n in others if n != other), has_bye)
            for other in others
        )

    return rest(t.present, has_bye=len(t.present) % 2 == 0)


def test_the_first_round_pairs_the_upper_half_with_the_lower() -> None:
    assert next_round(of(6)) == (Pairing(0, 3), Pairing(4, 1), Pairing(2, 5))


def test_those_with_as_many_points_meet_and_the_last_has_the_bye() -> None:
    t = of(5).with_round(next_round(of(5)))
    assert t.rounds[0][-1] == Pairing(4, None, Result.FIRST)
    t = t.with_result(0, Result.FIRST).with_result(1, Result.FIRST)
    first, second, bye = next_round(t)
    assert {first.first, first.second} == {0, 3} or {first.first, first.second} == {0, 4}
    assert bye.second is None
    assert bye.first != 4
    assert second.is_match


def test_a_round_waits_for_its_results_and_for_players() -> None:
    with pytest.raises(BadSetup, match="takes 3 players"):
        next_round(of(2))
    t = of(4).with_round(next_round(of(4)))
    with pytest.raises(BadSetup, match="not over yet"):
        next_round(t)
    over = whole(of(4), Random(3))
    with pytest.raises(BadSetup, match="all rounds"):
        next_round(over)
    with pytest.raises(BadSetup, match="this tournament is over"):
        over.with_player("late")


def test_who_has_left_a_round_robin_loses_the_rest_of_it() -> None:
    t = decided(of(4, ROBIN), Random(1)).with_presence(3, False)
    walkover = next(one for one in next_round(t) if one.has(3))
    assert not walkover.is_open
    assert not walkover.is_match
    assert walkover.points(3) == 0
    with pytest.raises(BadSetup, match="takes nobody in"):
        t.with_player("late")


@settings(deadline=None)
@given(size=st.integers(0, 8), edges=st.sets(st.tuples(st.integers(0, 7), st.integers(0, 7))))
def test_whether_all_can_be_paired_is_told_rightly(size: int, edges: set[tuple[int, int]]) -> None:
    def may(one: int | None, other: int | None) -> bool:
        return (one, other) in edges or (other, one) in edges

    def all_tried(left: tuple[int, ...]) -> bool:
        if not left:
            return True
        one, *others = left
        return any(
            may(one, other) and all_tried(tuple(n for n in others if n != other))
            for other in others
        )

    assert can_pair(range(size), may) == all_tried(tuple(range(size)))


def test_names_are_told_apart_and_places_are_limited() -> None:
    t = Tournament()
    for name in ("ada", "ada", "ada", ""):
        t = t.with_player(name)
    assert [one.name for one in t.players] == ["ada", "ada 2", "ada 3", "somebody"]
    for _ in range(MOST - 4):
        t = t.with_player("x" * 24)
    assert len({one.name for one in t.players}) == MOST
    assert max(len(one.name) for one in t.players) <= 24
    with pytest.raises(BadSetup, match="places for 32"):
        t.with_player("late")
    assert pairing.PRIME == 2**61 - 1


# --- Standings ------------------------------------------------------------------------------------


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
