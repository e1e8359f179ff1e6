"""The terms of a match in words: game, options, clock, and what happens if players leave. Pure."""

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
"""What happens to the seats of a player who is gone, as options in a form."""

PRICE: Final = "all others but one (two at least) can read a hand if they cheat together"
"""The risk of letting a bot play on in games with hands; see docs/gone.md."""

_IF_GONE: Final = "If all others say that a player is gone for good,"


def terms(setup: Setup, clock: Sequence[int]) -> str:
    """Return the game, the number of players, the options and the clock; `clock` may be empty."""
    away = [f"{clock[2]} s away are free"] if clock else []
    said = ", ".join([*options_and_clock(setup, clock), *away])
    return f"{setup.game.TITLE} for {setup.seats}: {said}"


def options_said(setup: Setup) -> list[str]:
    """Return the options that matter for this number of seats, in words."""
    options = (one for one in setup.game.OPTIONS if one.matters(setup.seats))
    return [one.said(setup.options[one.name]) for one in options]


def options_and_clock(setup: Setup, clock: Sequence[int]) -> list[str]:
    return [
        *options_said(setup),
        f"{clock[0] // 60} min + {clock[1]} s a step" if clock else "no clock",
    ]


def if_gone(setup: Setup, gone: str) -> str:
    """Return what happens to seats of players who are gone, and the risk; "" if all wait."""
    if gone == WAIT or setup.seats < FEWEST:
        return ""
    if gone == FORFEIT:
        return f"{_IF_GONE} that player forfeits"
    is_dear = gone == BOT and setup.game.SECRETS is not None
    return f"{_IF_GONE} a bot plays on" + f". Price: {PRICE}" * is_dear
