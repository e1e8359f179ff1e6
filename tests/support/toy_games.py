"""Games with chance and choices at the same time: as much of them as a session sees."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from kumite.core.errors import BadData, BadNotation, IllegalStep
from kumite.core.game import (
    CHANCE,
    Actor,
    Option,
    Options,
    Outcome,
    Packed,
    Seat,
    Seats,
    Secrets,
    Step,
)


@dataclass(frozen=True)
class Toy:
    """Who acts at each number is written in `script`.

    A letter of the script: `0` or `1` that seat, `f` chance with one outcome, `c` chance with two,
    `b` both seats at the same time. A position is the number of steps so far.
    """

    script: str
    RULES: int = 1
    ID: str = "toy"
    TITLE: str = "Toy"
    SEATS: tuple[int, ...] = (2,)
    OPTIONS: tuple[Option, ...] = ()
    SECRETS: Secrets | None = None

    def start(self, seats: int, options: Options) -> int:
        return 0

    def setup_of(self, state: int) -> tuple[int, Options]:
        return 2, {}

    def actors(self, state: int) -> tuple[Actor, ...]:
        if state == len(self.script):
            return ()
        who = self.script[state]
        if who in "fc":
            return (CHANCE,)
        return (Seat(0), Seat(1)) if who == "b" else (Seat(int(who)),)

    def legal(self, state: int, actor: Actor) -> tuple[Step, ...]:
        if actor not in self.actors(state):
            return ()
        return (Step("x"),) if self.script[state] == "f" else (Step("x"), Step("y"))

    def apply(self, state: int, actor: Actor, step: Step) -> int:
        if step not in self.legal(state, actor):
            raise IllegalStep(f"toy: no {step} now")
        return state + 1

    def why(self, state: int, actor: Actor, step: Step) -> str:
        return "" if step in self.legal(state, actor) else "no"

    def odds(self, state: int) -> Mapping[Step, Fraction]:
        steps = self.legal(state, CHANCE)
        return {step: Fraction(1, len(steps)) for step in steps}

    def outcome(self, state: int) -> Outcome | None:
        return Outcome((), "over") if state == len(self.script) else None

    def view(self, state: int, by: Seats) -> int:
        return state

    def seen(self, state: int, actor: Actor, step: Step, by: Seats) -> Step:
        return step

    def pack(self, state: int) -> Packed:
        return state

    def unpack(self, packed: Packed) -> int:
        if type(packed) is not int:
            raise BadData("no toy")
        return packed

    def text(self, state: int) -> str:
        return f"toy {state}"

    def parse(self, text: str) -> int:
        if not text.startswith("toy "):
            raise BadNotation("no toy")
        return int(text[4:])
