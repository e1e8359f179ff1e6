"""What is played at a table, in words: the game, its options and the clock. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kumite.core.game import Setup


def terms(setup: Setup, clock: Sequence[int]) -> str:
    """Return the game, for how many, its options, and the clock: empty if there is none."""
    away = [f"{clock[2]} s away are free"] if clock else []
    said = ", ".join([*options_and_clock(setup, clock), *away])
    return f"{setup.game.TITLE} for {setup.seats}: {said}"


def options_and_clock(setup: Setup, clock: Sequence[int]) -> list[str]:
    """Return the options and the clock, each in some words."""
    said = [f"{name} {value}" for name, value in sorted(setup.options.items())]
    return [*said, f"{clock[0] // 60} min + {clock[1]} s a step" if clock else "no clock"]
