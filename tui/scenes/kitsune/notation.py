"""How the steps of Kitsu: Zenko and Yako are written; seats are counted from 0 here."""

from __future__ import annotations

from typing import Final

FORMS: Final = (
    ("b4", "play the blue 4 (o4: the orange 4; white, black)"),
    ("katana:o5", "play a Katana that destroys the orange 5"),
    ("o2+shield", "play the orange 2 with a token"),
    ("recall:b6", "fetch the blue 6 of the trick before"),
    ("give:o6", "give the orange 6 to your partner"),
    ("take:shield>2", "take a token, for the seat 2"),
    ("lead:2", "let the seat 2 lead"),
)
