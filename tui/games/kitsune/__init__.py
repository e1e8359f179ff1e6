"""Basic information on Kitsune and its colour roles, available without loading the rules."""

from __future__ import annotations

from typing import Final

from kumite.tui.look.roles import Role
from kumite.tui.scenes.about import About

ABOUT = About(
    name="Zenko & Yako",
    seats=(2, 4, 6),
    minutes=30,
    sentence="Two clans of foxes race for wisdom: a card trick moves the stronger one.",
    goal="bring your marker to wisdom",
    aim=(
        "Bring your clan's marker to absolute wisdom: each trick moves the clan with the "
        "higher total by the difference."
    ),
    trophy="fox",
    roles=("Zenko", "Yako") * 3,
    forms=(
        ("b4", "play the blue 4 (o4: the orange 4; white, black)"),
        ("katana:o5", "play a Katana that destroys the orange 5"),
        ("o2+shield", "play the orange 2 with a token"),
        ("recall:b6", "fetch the blue 6 of the trick before"),
        ("give:o6", "give the orange 6 to your partner"),
        ("take:shield>ann", "take a token, for the player ann"),
        ("lead:ann", "let ann lead"),
    ),
    seat_after="lead:|>",  # lead:ann, take:shield>ann
)
ROLES: Final = {
    # What counts for a clan, and the cards.
    "blue": Role("seat-1"),
    "orange": Role("seat-4"),
    "card-blue": Role("on-seat", "seat-1", bold=True),
    "card-orange": Role("on-seat", "seat-4", bold=True),
    "card-special": Role("on-seat", "seat-3", bold=True),
    "card-back": Role("on-seat", "quiet"),
}
