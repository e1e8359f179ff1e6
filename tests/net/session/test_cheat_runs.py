"""Every kind of cheating with a deck, against two and three honest terminals, from seeds."""

from __future__ import annotations

import pytest

from tests.support.cheat_runs import KINDS, Plan, outcome

IN_LONG = 1000


def check(seed: int) -> None:
    plan = Plan.of(seed, is_real=None if seed >= 100 else False)
    found = outcome(plan)
    assert found.is_in_time, (plan, found)
    assert found.accused == (), (plan, found)


@pytest.mark.slow
def test_each_kind_of_cheating_is_named_where_it_happens_and_nobody_else() -> None:
    for seed in range(30):
        check(seed)
    assert {Plan.of(seed).kind for seed in range(30)} == set(KINDS)


@pytest.mark.long
@pytest.mark.parametrize("tenth", range(10))
def test_1000_runs_of_cheats(tenth: int) -> None:
    for seed in range(100 + tenth, 100 + IN_LONG, 10):
        check(seed)
