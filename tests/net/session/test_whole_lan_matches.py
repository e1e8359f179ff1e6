"""Whole LAN matches over a simulated network, all from seeds."""

from __future__ import annotations

import pytest

from kumite.net.session import events
from tests.support.lan_tables import check, plan_of, played

CHECKED = 40


@pytest.mark.slow
@pytest.mark.parametrize("tenth", range(10))
def test_whole_matches_over_a_bad_network_end_the_same_for_all(tenth: int) -> None:
    for seed in range(tenth, CHECKED, 10):
        plan = plan_of(seed)
        check(played(plan), plan)


@pytest.mark.parametrize("seed", [19371, 20653])
def test_a_choice_made_before_a_restart_or_a_take_back_blames_nobody(seed: int) -> None:
    """Asked for again after a restart though entered already; or made for another position."""
    plan = plan_of(seed)
    check(played(plan), plan)


@pytest.mark.parametrize("seed", [10402, 15514, 17613])
def test_disks_that_lose_the_middle_of_a_match_blame_nobody(seed: int) -> None:
    """With those away who have it; and where only somebody who looks on has it."""
    plan = plan_of(seed)
    check(played(plan), plan)


def test_a_post_that_was_lost_and_made_again_is_the_same_though_it_says_another_time() -> None:
    plan = plan_of(9639)
    net = played(plan)
    check(net, plan)
    told = (one for node in net.nodes for life in (*node.lives, node.events) for one in life)
    assert not [one for one in told if isinstance(one, events.Stopped)]
