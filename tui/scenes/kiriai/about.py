"""What the home screen and the top of a log say of Kiri-ai."""

from __future__ import annotations

from kumite.tui.scenes.about import About

ABOUT = About(
    name="Kiri-ai",
    seats=(2,),
    minutes=10,
    sentence="Two samurai, two secret cards a round, and two hits decide.",
    aim="Hit the other twice: guess where they will stand, and in what stance.",
)
