"""How the steps of Kitsu! are written."""

from __future__ import annotations

from typing import Final

FORMS: Final = (
    ("a5-c3", "move from a5 to c3"),
    ("b6xd5", "move from b6 to d5, and capture there"),
    ("d5>c7", "pounce on with the Fox that has just landed"),
    ("c7>xa6", "pounce, and capture"),
    ("+f", "take a Fox from the Spirit Realm (+s: a Samurai)"),
    ("s@d3", "put a Samurai from the hand on d3 (f@d3: a Fox)"),
    ("e3~a7", "send the piece on e3 to a7"),
    ("stop", "end the move"),
    ("end", "end the turn"),
)
