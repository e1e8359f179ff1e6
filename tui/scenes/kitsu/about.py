"""What the home screen and the top of a log say of Kitsu!."""

from __future__ import annotations

from kumite.tui.scenes.about import About

ABOUT = About(
    name="Kitsu!",
    seats=(2,),
    minutes=20,
    sentence="Samurai slide, Foxes leap, and any piece can turn into the other kind.",
    aim=(
        "Capture four Samurai or four Foxes of the other clan, or bring all of your own pieces "
        "into play."
    ),
)
