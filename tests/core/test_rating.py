"""Ratings: the example of the source, and what must hold of any results."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kumite.core.rating import WIDEST, Rating, Result, aged, rated

RATINGS = st.builds(
    Rating, st.integers(400, 2800).map(float), st.floats(30, WIDEST), st.floats(0.03, 0.12)
)
RESULTS = st.lists(
    st.builds(Result, RATINGS, st.sampled_from((0.0, 0.25, 0.5, 1.0))), min_size=1, max_size=6
)


def test_the_example_of_the_source() -> None:
    results = [
        Result(Rating(1400, 30), 1),
        Result(Rating(1550, 100), 0),
        Result(Rating(1700, 300), 0),
    ]
    after = rated(Rating(1500, 200, 0.06), results)
    assert after.points == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


@given(RATINGS, RESULTS)
def test_a_better_score_never_lowers_it(own: Rating, results: list[Result]) -> None:
    better = [Result(results[0].opponent, 1.0), *results[1:]]
    worse = [Result(results[0].opponent, 0.0), *results[1:]]
    assert rated(own, better).points > rated(own, worse).points


@given(RATINGS, RESULTS)
def test_a_result_tells_something_and_time_forgets_it(own: Rating, results: list[Result]) -> None:
    after = rated(own, results)
    at_most = aged(Rating(own.points, own.deviation, after.volatility), 1).deviation
    assert 0 < after.deviation < at_most or at_most == WIDEST
    assert after.deviation < aged(after, 30).deviation <= WIDEST or after.deviation == WIDEST
    assert aged(after, 30).points == after.points


def test_without_results_nothing_changes() -> None:
    assert rated(Rating(), []) == Rating()
    assert not Rating().is_settled
    assert Rating(1500, 50).range == (1400, 1600)
