"""Basic information on Kiri-ai, available without loading its rules."""

from __future__ import annotations

from kumite.tui.scenes.about import About

ABOUT = About(
    name="Kiri-ai",
    seats=(2,),
    minutes=10,
    sentence="Two samurai, two secret cards a round, and two hits decide.",
    goal="hit the other twice",
    aim="Hit the other twice: guess where they will stand, and in what stance.",
    trophy="kiriai-won",
    roles=("red", "blue"),
    forms=(
        ("charge,high", "plan two cards, the first and the second"),
        ("3,earth", "choose where to start, and in which stance"),
    ),
)
