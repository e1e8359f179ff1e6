"""What the home screen and the top of a log say of Kitsune."""

from __future__ import annotations

from kumite.tui.scenes.about import About

ABOUT = About(
    name="Zenko & Yako",
    seats=(2, 4, 6),
    minutes=30,
    sentence="Two clans of foxes race for wisdom: a card trick moves the stronger one.",
    aim=(
        "Bring your clan's marker to the end of the track: each trick moves the clan with the "
        "higher total by the difference."
    ),
)
