"""Matches and positions of Kiri-ai for tests, and the texts of all steps there are."""

from __future__ import annotations

import pytest

from kumite.core.errors import BadNotation, IllegalStep
from kumite.core.game import CHANCE, Actor, Seat, Setup, Step, Value
from kumite.core.games.kiriai import rules as kiriai
from kumite.core.games.kiriai.action import FACES, SPECIALS
from kumite.core.games.kiriai.state import State
from kumite.core.match import Match

RED, BLUE = frozenset({Seat(0)}), frozenset({Seat(1)})


def begin(**options: Value) -> Match:
    return Match.begin(Setup.of(kiriai, 2, options))


def play(match: Match, *steps: str) -> Match:
    """Play steps like `0 charge,high`; without a seat in front it is a step of chance."""
    for said in steps:
        actor, _, step = said.rpartition(" ")
        match = match.play(Seat(int(actor)) if actor else CHANCE, Step(step))
    return match


def dealt(red: str = "kesa", blue: str = "counter", **options: Value) -> Match:
    return play(begin(**options), f"red:{red}", f"blue:{blue}")


def position(
    phase: str, red: str, blue: str, *, field: str = "standard", rounds: int = 40
) -> State:
    """Return a position from its canonical text: red and blue without their names."""
    head = f"kiriai field={field} rounds={rounds}"
    return kiriai.parse(f"{head}\nphase {phase}\nred {red}\nblue {blue}")


STANCES = {"H": "heaven", "E": "earth"}


def showing(red: str, blue: str, step: str, field: str = "standard") -> State:
    """Return a position whose first cards are turned over by `step`; samurai like `2H`, `4E`."""
    faces = step.removeprefix("first:").split("/")
    specials = [face for face in SPECIALS if face not in faces]
    sides = []
    for place, face in zip((red, blue), faces, strict=True):
        special = face if face in SPECIALS else specials.pop()
        plan = f"{face},{'low' if face == 'high' else 'high'}"
        at = f"{place[0]},{STANCES[place[1]]}"
        sides.append(f"at {at} wounds 0 aside - special {special} plan {plan}")
    return position("first round 1", sides[0], sides[1], field=field)


ROUND_1 = ("0 approach,high", "1 high,stance", "first:approach/high", "second:high/stance")


def refusal(state: State, actor: Actor, step: str) -> str:
    """Return the reason `apply` gives, which is that of `why`; empty if it takes the step."""
    reason = kiriai.why(state, actor, Step(step))
    if not reason:
        kiriai.apply(state, actor, Step(step))
        return ""
    with pytest.raises((IllegalStep, BadNotation)) as caught:
        kiriai.apply(state, actor, Step(step))
    assert str(caught.value) == f"kiriai: {reason}"
    return reason


LATE = position(
    "plan round 5",
    "at 2,earth wounds 0 aside approach|retreat spent kesa plan -",
    "at 4,earth wounds 0 aside high special counter plan -",
)

STARTS = [f"{space},{stance}" for space in range(10) for stance in ("heaven", "earth")]
ALL_TEXTS = [
    *(f"{name}:{face}" for name in ("red", "blue") for face in FACES),
    *STARTS,
    *(f"start:{one}/{two}" for one in STARTS for two in STARTS),
    *(f"{one},{two}" for one in FACES for two in FACES),
    *(f"{name}:{one}/{two}" for name in ("first", "second") for one in FACES for two in FACES),
]
