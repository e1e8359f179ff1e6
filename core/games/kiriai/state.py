"""A position of Kiri-ai: its setup, phases and sides, used by rules.py."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from kumite.core.game import HOLE, Step
from kumite.core.games.kiriai.action import BASIC, CARD, EARTH, FACES, HEAVEN

NAMES: Final = ("red", "blue")  # by seat
SPACES: Final = {"standard": 5, "advanced": 7}  # numbered from 1 at red's end (A1)
LIMITS: Final = (20, 40, 80)  # rounds
DEFEAT: Final = 2  # wounds
STARTS: Final = tuple(  # by seat, on the advanced field (A2)
    tuple(Step(f"{space},{stance}") for space in spaces for stance in (EARTH, HEAVEN))
    for spaces in ((2, 3, 4), (4, 5, 6))
)
PLACED: Final = (f"1,{HEAVEN}", f"5,{HEAVEN}")  # on the standard field

PHASES: Final = ("deal", "start", "unveil", "plan", "first", "second", "over")
UNPLACED: Final = PHASES[:3]  # phases before the samurai are placed
SECRET: Final = f"{HOLE},{HOLE}"  # a start or plan that a view does not show


@dataclass(frozen=True, slots=True)
class Side:
    """One seat's samurai and cards. Its hand is every card that is neither aside nor spent."""

    space: int  # 0 before the start
    stance: str  # empty before the start
    wounds: int
    aside: str  # the basic card set aside, or empty
    special: str  # the special card dealt, spent or not; empty before the deal, `?` if hidden
    spent: bool
    secret: str  # the chosen start or plan not yet shown, with `?` for each hidden part; or empty


@dataclass(frozen=True, slots=True)
class State:
    """A position, complete or a view. Once it is over, the outcome follows from the wounds."""

    field: str
    rounds: int  # the last round allowed
    phase: str
    round: int  # 0 before the first plan
    sides: tuple[Side, Side]


@cache
def plans(aside: str, special: str) -> tuple[Step, ...]:
    """Return the pairs of faces on two different cards of the hand without `aside` (A9).

    `special` is the special card in that hand, or empty.
    """
    hand = [face for face in FACES if CARD[face] in (*BASIC, special) and CARD[face] != aside]
    pairs = [(one, two) for one in hand for two in hand if CARD[one] != CARD[two]]
    return tuple(sorted(Step(f"{one},{two}") for one, two in pairs))
