"""What the home screen says of Kuzushi."""

from __future__ import annotations

from kumite.tui.scenes.about import About

ABOUT = About(
    name="Kuzushi",
    seats=(2, 3, 4, 5, 6),
    minutes=20,
    sentence="The board grows while you play, and most cards of your colour win.",
)
