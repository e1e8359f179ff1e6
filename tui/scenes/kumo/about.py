"""What the home screen and the top of a log say of Kumo Hogosha."""

from __future__ import annotations

from kumite.tui.scenes.about import About

ABOUT = About(
    name="Kumo Hogosha",
    seats=(2, 4),
    minutes=30,
    sentence="Wrestlers push a stone off an arena that turns like a wheel.",
    aim="Push the stone over the other side's edge: two wrestlers together can move it.",
)
