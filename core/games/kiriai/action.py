"""The cards of Kiri-ai, and how one action resolves two of them.

This module works on plain values, so that it serves complete positions and views alike. The order
of play and secrets are in rules.py.
"""

from __future__ import annotations

from functools import cache
from typing import Final

# --- Cards -------------------------------------------------------------------------------------

HEAVEN: Final = "heaven"
EARTH: Final = "earth"

BASIC: Final = ("approach|retreat", "charge|stance", "high", "low", "balanced")
SPECIALS: Final = ("counter", "kesa", "zantetsu")
CARD: Final = {face: card for card in (*BASIC, *SPECIALS) for face in card.split("|")}  # by face
FACES: Final = tuple(sorted(CARD))

RANK: Final = {"charge": 0, "approach": 1, "retreat": 1, "stance": 2}  # the lower moves first
REACH: Final = {"charge": 2, "approach": 1}  # spaces toward the opponent
ATTACKS: Final = {  # the attacker's stances, and the distances
    "high": ((HEAVEN,), (2,)),
    "low": ((EARTH,), (1,)),
    "balanced": ((HEAVEN, EARTH), (0,)),
    "kesa": ((HEAVEN,), (0, 1)),
    "zantetsu": ((EARTH,), (2, 3)),
}
STANCE_AFTER: Final = {"kesa": EARTH, "zantetsu": HEAVEN}  # whether or not the blow succeeds (A10)

# --- One action --------------------------------------------------------------------------------


@cache
def action(
    spaces: tuple[int, int], stances: tuple[str, str], faces: tuple[str, str], last: int
) -> tuple[tuple[int, int], tuple[str, str], int]:
    """Return spaces and stances after two faces, and the seat they wound (-1: neither).

    All are by seat; `last` is the last space of the field.
    """
    spaces, stances = _movement(spaces, stances, faces, last)
    distance = spaces[1] - spaces[0]
    red, blue = (_succeeds(faces[seat], stances[seat], distance) for seat in (0, 1))
    wounded = -1
    if red != blue:  # both succeed: a clash (A12)
        attacker = 0 if red else 1
        wounded = attacker if faces[1 - attacker] == "counter" else 1 - attacker  # A11
    after = [STANCE_AFTER.get(faces[seat], stances[seat]) for seat in (0, 1)]
    return spaces, (after[0], after[1]), wounded


def _succeeds(face: str, stance: str, distance: int) -> bool:
    if face not in ATTACKS:
        return False
    good_stances, distances = ATTACKS[face]
    return stance in good_stances and distance in distances


def _movement(
    spaces: tuple[int, int], stances: tuple[str, str], faces: tuple[str, str], last: int
) -> tuple[tuple[int, int], tuple[str, str]]:
    """Resolve the movement cards: heaven before earth, then by rank (A3, A4)."""
    movers = [seat for seat in (0, 1) if faces[seat] in RANK]
    if len(movers) == 2:
        order = [(stances[seat] != HEAVEN, RANK[faces[seat]]) for seat in (0, 1)]
        if order[0] == order[1] and faces[0] == faces[1] and faces[0] in REACH:
            far = min(REACH[faces[0]], (spaces[1] - spaces[0]) // 2)  # both move equally far (A5)
            return (spaces[0] + far, spaces[1] - far), stances
        # If one retreats while the other approaches, the retreat comes first to make room (A6).
        movers.sort(key=lambda seat: (order[seat], faces[seat] != "retreat"))
    for seat in movers:
        spaces, stances = _moved(seat, faces[seat], spaces, stances, last)
    return spaces, stances


def _moved(
    seat: int, face: str, spaces: tuple[int, int], stances: tuple[str, str], last: int
) -> tuple[tuple[int, int], tuple[str, str]]:
    """Resolve one movement card: never past the opponent or the field's end (A7, A8)."""
    red, blue = spaces
    if face == "stance":
        turned = EARTH if stances[seat] == HEAVEN else HEAVEN
        return spaces, (stances[0], turned) if seat else (turned, stances[1])
    if face == "retreat":
        return (red, min(last, blue + 1)) if seat else (max(1, red - 1), blue), stances
    far = min(REACH[face], blue - red)
    return (red, blue - far) if seat else (red + far, blue), stances
