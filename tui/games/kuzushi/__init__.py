"""Basic information on Kuzushi and its colour roles, available without loading the rules."""

from __future__ import annotations

from typing import Final

from kumite.tui.look.roles import Role
from kumite.tui.scenes.about import About

ABOUT = About(
    name="Kuzushi",
    seats=(2, 3, 4, 5, 6),
    minutes=20,
    sentence="The board grows while you play, and most cards of your colour win.",
    goal="have the most cards at the end",
    aim=(
        "Have the most cards on the table when the board is full, or a hand is empty. Where you "
        "have more bases around a square than anybody else, your flag stands."
    ),
    trophy="base",
    roles=("lays the city", "begins"),
    has_first=True,
    forms=(("g7", "lay a base on g7"), ("g7+", "turn your own flag on g7 into a base")),
)
ROLES: Final = {
    "city": Role("on-seat", "seat-0", bold=True),
    "outside": Role("fits"),
    **{f"bar-{seat}": Role(f"seat-{seat}") for seat in range(6)},
}
