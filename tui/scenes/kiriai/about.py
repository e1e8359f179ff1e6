"""What the home screen says of Kiri-ai."""

from __future__ import annotations

from kumite.tui.scenes.about import About

ABOUT = About(
    name="Kiri-ai",
    seats=(2,),
    minutes=10,
    sentence="Two samurai, two secret cards a round, and two hits decide.",
)
