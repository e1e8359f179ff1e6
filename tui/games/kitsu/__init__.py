"""Basic information on Kitsu! and its colour roles, available without loading the rules."""

from __future__ import annotations

from typing import Final

from kumite.tui.look.roles import Role
from kumite.tui.scenes.about import About

ABOUT = About(
    name="Kitsu!",
    seats=(2,),
    minutes=20,
    sentence="Samurai slide, Foxes leap, and any piece can turn into the other kind.",
    goal="take 4 alike or get all in play",
    aim=(
        "Capture four Samurai or four Foxes of the other clan, or bring all of your own pieces "
        "into play."
    ),
    trophy="samurai",
    roles=("begins, from Summer", "from Winter"),
    has_first=True,
    forms=(
        ("a5-c3", "move from a5 to c3"),
        ("b6xd5", "move from b6 to d5, and capture there"),
        ("d5>c7", "pounce on with the Fox that has just landed"),
        ("c7>xa6", "pounce, and capture"),
        ("+f", "take a Fox from the Spirit Realm (+s: a Samurai)"),
        ("s@d3", "put a Samurai from the hand on d3 (f@d3: a Fox)"),
        ("e3~a7", "send the piece on e3 to a7"),
        ("stop", "end the move"),
        ("end", "end the turn"),
    ),
)
ROLES: Final = {
    # Open seasons are bright; none has the colour of a seat.
    "spring": Role("seat-3", "seat-3-dim"),
    "summer": Role("seat-2", "seat-2-dim"),
    "autumn": Role("seat-4", "seat-4-dim"),
    "winter": Role("seat-5", "seat-5-dim"),
    "spent": Role("quiet"),  # a piece that cannot be used again
}
