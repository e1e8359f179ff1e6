"""Positions of Kitsune for tests, and what their texts say."""

from __future__ import annotations

from kumite.core.game import Actor, Step
from kumite.core.games.kitsune import rules as kitsune
from kumite.core.games.kitsune.state import State


def line(state: State, key: str) -> str:
    """Return what the canonical text of `state` says in its line `key`; `-` if it has none."""
    if key == "actors":
        return " ".join(map(str, kitsune.actors(state))) or "-"
    lines = (one.partition(" ") for one in kitsune.text(state).split("\n"))
    return next((rest for word, _, rest in lines if word == key), "-")


def play(state: State, *steps: tuple[Actor, str]) -> State:
    for actor, step in steps:
        assert step in kitsune.legal(state, actor), kitsune.why(state, actor, Step(step))
        state = kitsune.apply(state, actor, Step(step))
    return state


LINES = ("kitsune", "phase", "leader", "wins", "marks", "tricks", "available", "held", "trick")
LINES = (*LINES, "last", "hand", "gifts", "deck", "discard", "recalled")


def at(*lines: str) -> State:
    """Return the position of these lines in any order; without them: 4 seats, phase `play`."""
    words = {one.split()[0] for one in lines}
    given = [*lines, *(one for one in ("kitsune 4", "phase play") if one.split()[0] not in words)]
    given.sort(key=lambda one: (LINES.index(one.split()[0].rstrip("012345")), one))
    return kitsune.parse("\n".join(given))


def steps(state: State) -> str:
    (actor,) = kitsune.actors(state)
    return " ".join(kitsune.legal(state, actor))


HANDS = (  # four hands of the first trick after a deal
    "hand0 b1 b3 b4 o2 o3 white",
    "hand1 b2 black o1 o1 o4 white",
    "hand2 b1 b2 b5 b6 katana o2",
    "hand3 b1 black katana o1 o5 o6",
)

FREE = ("leader 0", "held 2:shield", "trick b6 o1", *HANDS[:2], "hand2 b1 b2 katana", "hand3 o5")
BOUND = ("leader 0", "trick b3 black", "hand0 b1", "hand1 o1", "hand2 b1 o2 white", "hand3 o5")
