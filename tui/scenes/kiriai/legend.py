"""What each sign on the table of Kiri-ai means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kumite.core.games.kiriai.action import EARTH, HEAVEN
from kumite.tui.scenes.kiriai.picture import mark, stance_sign
from kumite.tui.scenes.kiriai.stage import LEFT, SIGNS, TAKEN, struck_from
from kumite.tui.scenes.model import Cell, Sign

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kumite.core.games.kiriai.state import State
    from kumite.tui.look.glyphs import Look


def signs(view: State, names: Sequence[str], look: Look) -> Iterator[Sign]:
    """Yield who is who, the stances, the wounds, and what is written on cards."""
    for seat, name in enumerate(names):
        side = ("from the left", "from the right")[seat]
        yield _sign(f" {mark(seat, look)} ", f"base-{seat}", f"{name}, who comes {side}")
    high, low = (SIGNS[stance] for stance in (HEAVEN, EARTH))
    if not look.is_drawn:
        high, low = (stance_sign(stance, look) for stance in (HEAVEN, EARTH))
    yield _sign(high, "title", "in heaven: the sword is held high; behind a blow: only so")
    yield _sign(low, "title", "in earth: the sword is held low; behind a blow: only so")
    left, taken = (LEFT, TAKEN) if look.is_drawn else (look.free, look.contested)
    yield _sign(left, "loss" if look.is_drawn else "quiet", "a life: who has lost both is beaten")
    yield _sign(taken, "quiet" if look.is_drawn else "loss", "a wound: a life is lost")
    yield _sign(
        "charge|stance", "title", "two ends of one card: who plays one of them uses the card"
    )
    if look.is_drawn:
        yield _sign(struck_from("high"), "title", "a blow strikes at distance 2, in heaven only")
        yield _sign("1 ahead", "title", "a movement by one space, towards the foe")
        yield _sign("1 back", "title", "a movement by one space, away from the foe")
    else:
        yield _sign("[high]", "title", "a card that lies face down")


def _sign(text: str, role: str, said: str) -> Sign:
    return Sign(Cell("", text, role), said)
