"""A position of Kiri-ai in words: where both samurai stand, their wounds and cards, your hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kumite.core.game import HOLE
from kumite.core.games.kiriai.action import ATTACKS, BASIC, CARD
from kumite.core.games.kiriai.state import DEFEAT, NAMES, SECRET, SPACES, UNPLACED, Side, State
from kumite.tui.scenes.kiriai.picture import distance_of
from kumite.tui.scenes.sentences import joined

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kumite.core.game import Seat


def position(view: State, names: Sequence[str], you: Seat | None) -> Iterator[str]:
    """Yield the round and the distance, a sentence for each samurai, and the hand of `you`."""
    apart = distance_of(view)
    if apart is None:
        yield f"The strip has {SPACES[view.field]} spaces; nobody stands on it yet."
    else:
        yield f"Round {view.round} of {view.rounds}; the samurai are {apart} apart."
    for seat, (name, side) in enumerate(zip(names, view.sides, strict=True)):
        yield f"{name}, {NAMES[seat]}: " + joined(_side(view, side))
    if apart is not None and view.phase != "over":
        yield f"What strikes at {apart}: {', '.join(_reaching(apart)) or 'nothing'}."
    if you is not None and apart is not None:
        yield f"Your hand: {', '.join(_hand(view.sides[you]))}."


def _side(view: State, side: Side) -> Iterator[str]:
    if view.phase not in UNPLACED:
        yield f"on space {side.space} in {side.stance}"
    yield f"{side.wounds} of {DEFEAT} wounds"
    if side.aside:
        yield f"{side.aside.replace('|', ' and ')} set aside"
    if side.special:
        special = "a special card" if side.special == HOLE else side.special
        yield f"{special}, {'spent' if side.spent else 'not spent'}"
    if side.secret:
        yield _chosen(view, side)


def _chosen(view: State, side: Side) -> str:
    """Say what is chosen: in secret, or as far as it is known."""
    first, _, second = side.secret.partition(",")
    if view.phase in UNPLACED:
        return "has chosen a start" if side.secret == SECRET else f"begins on {first} in {second}"
    if HOLE not in side.secret:
        return f"plans {first}, then {second}"
    return "has planned" if first == HOLE else f"{first} was played, one card is to come"


def _reaching(apart: int) -> Iterator[str]:
    for face, (stances, distances) in ATTACKS.items():
        if apart in distances:
            yield face if len(stances) > 1 else f"{face} in {stances[0]}"


def _hand(side: Side) -> Iterator[str]:
    """Yield the cards that can be planned; two faces of one card belong together."""
    gone = {side.aside, *(CARD.get(face, "") for face in side.secret.split(","))}
    for card in (*BASIC, *(() if side.spent else (side.special,))):
        if card not in gone and card:
            yield card.replace("|", " or ")
