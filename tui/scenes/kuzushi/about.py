"""What the home screen and the top of a log say of Kuzushi."""

from __future__ import annotations

from kumite.tui.scenes.about import About

ABOUT = About(
    name="Kuzushi",
    seats=(2, 3, 4, 5, 6),
    minutes=20,
    sentence="The board grows while you play, and most cards of your colour win.",
    aim=(
        "Have the most cards on the table when the board is full, or a hand is empty. Where you "
        "have more bases around a square than anybody else, your flag stands."
    ),
)
