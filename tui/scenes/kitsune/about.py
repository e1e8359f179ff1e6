"""What the home screen says of Kitsune."""

from __future__ import annotations

from kumite.tui.scenes.about import About

ABOUT = About(
    name="Zenko & Yako",
    seats=(2, 4, 6),
    minutes=30,
    sentence="Two clans of foxes race for wisdom: a card trick moves the stronger one.",
)
