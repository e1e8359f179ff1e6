"""Players that are programs. A bot is given a view and cannot cheat.

    choose(view, seen_steps, legal, rng, budget) -> Choice

`BOTS` is the only place to register one. `budget` counts what a bot may try; the simple ones below
need none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

from core.bots import simple
from core.errors import BadSetup

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

    from core.game import Game, Seat, Step
    from core.match import Played


@dataclass(frozen=True, slots=True)
class Position:
    """What a bot is asked about: its view, and how it came about."""

    game: Game[Any]
    view: Any
    seat: Seat
    seen: Sequence[Played]  # the steps so far as this seat saw them
    legal: tuple[Step, ...]  # what it may play, never empty


class Bot(Protocol):
    """A player that is a program."""

    def __call__(self, position: Position, rng: Random, budget: int) -> Step:
        """Return one of `position.legal`; the same for the same `rng` and budget."""


BOTS: Final[Mapping[str, Bot]] = {"random": simple.at_random, "simple": simple.one_step_ahead}


def find(name: str) -> Bot:
    """Return the bot of that name.

    Raises:
        BadSetup: there is none; the hint lists them.
    """
    if name not in BOTS:
        raise BadSetup(f"no bot {name!r}", hint=f"bots: {', '.join(BOTS)}")
    return BOTS[name]
