"""What is played at a table, in words: the game, its options, the clock, who is gone. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.core.gone import BOT, FEWEST, FORFEIT, WAIT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kumite.core.game import Setup

GONE: Final = {
    WAIT: "wait for them",
    BOT: "a bot plays on",
    FORFEIT: "they forfeit",
}
"""What becomes of a seat whose terminal is gone for good, as the choices are read."""

PRICE: Final = "all others but one (two at least) can read a hand if they cheat together"
"""What a bot that plays on costs where there are hands, at any time: see docs/gone.md."""

_IF_GONE: Final = "If all others say that a player is gone for good,"


def terms(setup: Setup, clock: Sequence[int]) -> str:
    """Return the game, for how many, its options, and the clock: empty if there is none."""
    away = [f"{clock[2]} s away are free"] if clock else []
    said = ", ".join([*options_and_clock(setup, clock), *away])
    return f"{setup.game.TITLE} for {setup.seats}: {said}"


def options_said(setup: Setup) -> list[str]:
    """Return the options that matter for so many seats in words, in the order of the game."""
    options = (one for one in setup.game.OPTIONS if one.matters(setup.seats))
    return [one.said(setup.options[one.name]) for one in options]


def options_and_clock(setup: Setup, clock: Sequence[int]) -> list[str]:
    """Return the options and the clock, each in some words."""
    return [
        *options_said(setup),
        f"{clock[0] // 60} min + {clock[1]} s a step" if clock else "no clock",
    ]


def if_gone(setup: Setup, gone: str) -> str:
    """Return in a sentence what becomes of who is gone for good, and its price; "" if all wait."""
    if gone == WAIT or setup.seats < FEWEST:
        return ""
    if gone == FORFEIT:
        return f"{_IF_GONE} that player forfeits"
    is_dear = gone == BOT and setup.game.SECRETS is not None
    return f"{_IF_GONE} a bot plays on" + f". Price: {PRICE}" * is_dear
