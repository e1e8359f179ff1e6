"""What is played at a table, in words: the game, its options and the clock. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kumite.core.game import Setup


def terms(setup: Setup, clock: Sequence[int]) -> str:
    """Return the game, for how many, its options, and the clock: empty if there is none."""
    said = [f"{name} {value}" for name, value in sorted(setup.options.items())]
    if clock:
        base, step, away = clock
        said.append(f"{base // 60} min + {step} s a step, {away} s away are free")
    else:
        said.append("no clock")
    return f"{setup.game.TITLE} for {setup.seats}: {', '.join(said)}"
