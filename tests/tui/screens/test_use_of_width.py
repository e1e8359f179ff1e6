"""Hands and stages use the width of their place, at every size from 80x24 on."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

import pytest

from kumite.core.match import Match
from kumite.tui.play.local_table import LocalTable
from kumite.tui.screens.table import TableScreen
from kumite.tui.widgets.field import Tabletop
from kumite.tui.widgets.painted import Painted
from kumite.tui.widgets.tray import TrayWidget
from tests.support.apps import running, uncovered
from tests.support.frames import middle_of
from tests.tui.screens.test_nothing_is_cut import NAMES, SIZES

if TYPE_CHECKING:
    from kumite.tui.app import KumiteApp

LARGE_ENOUGH = SIZES[3:]
USED = 0.85  # of the columns of their place, from the first that is drawn on to the last
# Game, seats, steps; used by the hand, by what lies on the table; of fewer cards, why no more.
FULL = [(*one, USED, USED) for one in (("kitsune", 2, 35), ("kitsune", 4, 35), ("kiriai", 2, 0))]
FEWER = [
    # Each has laid one card down: its place in the hand stays free, so that no other card moves,
    # and nothing but these cards lies on the table.
    ("kitsune", 4, 20, 0.7, 0.75),
    # Seven cards, but some are alike: those lie on each other, and the places at the right stay
    # free for a hand of other cards.
    ("kitsune", 6, 40, 0.7, USED),
    # What was played last may not be played again: two of eight cards are missing.
    ("kiriai", 2, 12, 0.65, USED),
]


def used(widget: Painted, kumite: KumiteApp) -> float:
    """Return the part of a widget's columns between the first and the last that is drawn on."""
    papers = {kumite.palette.color(one).lower() for one in ("paper", "paper-dim")}
    drawn = []
    for row in range(widget.size.height):
        x = 0
        for text, style, _ in widget.render_line(row):
            on = style.bgcolor.name if style is not None and style.bgcolor is not None else ""
            is_paper = on.lower() in papers
            drawn += [x + at for at, one in enumerate(text) if is_paper or one != " "]
            x += len(text)
    return (max(drawn) + 1 - min(drawn)) / widget.size.width


async def uses(match: Match) -> AsyncIterator[tuple[tuple[int, int], float, float]]:
    """Yield how much of their width a hand and what lies on the table use, in each size."""
    table = LocalTable(match, NAMES[: match.setup.seats], None)
    async with running(lambda: TableScreen(table), size=LARGE_ENOUGH[0]) as (kumite, pilot):
        await uncovered(pilot)
        for size in LARGE_ENOUGH:
            await pilot.resize_terminal(*size)
            await pilot.pause()
            screen = kumite.screen
            hand, top = screen.query_one(TrayWidget), screen.query_one(Tabletop)
            assert hand.display
            assert top.display
            yield size, used(hand, kumite), used(top, kumite)


@pytest.mark.parametrize(("game_id", "seats", "steps", "by_hand", "by_top"), [*FULL, *FEWER])
async def test_hands_and_tables_use_the_width_as_far_as_their_cards_go(
    game_id: str, seats: int, steps: int, by_hand: float, by_top: float
) -> None:
    async for size, hand, top in uses(middle_of(game_id, seats, steps)):
        assert hand >= by_hand, size
        assert top >= by_top, size
