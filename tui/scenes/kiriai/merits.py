"""What a plan at Kiri-ai is good for, in words: the reasons of hints."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Final, NamedTuple

from kumite.core.game import HOLE
from kumite.core.games.kiriai.action import ATTACKS, BASIC, CARD, FACES, SPECIALS, action
from kumite.core.games.kiriai.state import DEFEAT, SPACES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kumite.core.game import Seat, Step
    from kumite.core.games.kiriai.state import State

WAITS: Final = ""  # a face that neither moves nor strikes


def why_good(view: State, seat: Seat, step: Step) -> str:
    """Say which card of a plan would hit who only waits, and how it fares against all plans."""
    if view.phase == "start":
        return ""
    fared, said = _fared(view, seat, step), [_waited(view, seat, step)]
    if fared.hits > fared.hit_by:
        theirs = f"{fared.plans} plans that seat {1 - seat} can have"
        said.append(f"it hits {fared.hits} of the {theirs}, and is hit by {fared.hit_by or 'none'}")
    elif not said[0]:
        said.append(_stands(view, seat, step))
        if fared.hits:
            said.append(f"it hits {fared.hits} of the {fared.plans} plans")
    return "; ".join(filter(None, said))


def _waited(view: State, seat: Seat, step: Step) -> str:
    """Return which card hits an opponent who only waits."""
    spaces, stances = places(view)
    for face in step.split(","):
        faces = (WAITS, face) if seat else (face, WAITS)
        spaces, stances, wounded = action(spaces, stances, faces, SPACES[view.field])
        if wounded >= 0:
            is_last = view.sides[wounded].wounds + 1 == DEFEAT
            hits = "hits and wins" if is_last else "hits"
            return f"{face} {hits} if seat {1 - seat} waits"
    return ""


def _stands(view: State, seat: Seat, step: Step) -> str:
    """Return what is in reach after a plan if the other waits."""
    spaces, stances = places(view)
    for face in step.split(","):
        faces = (WAITS, face) if seat else (face, WAITS)
        spaces, stances, _ = action(spaces, stances, faces, SPACES[view.field])
    apart = spaces[1] - spaces[0]
    mine, theirs = (
        [
            blow
            for blow, (ready, distances) in ATTACKS.items()
            if blow not in SPECIALS and stances[one] in ready and apart in distances
        ]
        for one in (seat, 1 - seat)
    )
    said = f"{apart} apart then if seat {1 - seat} waits"
    if mine:
        return f"{said}: seat {seat}'s {' and '.join(mine)} would reach"
    return said if theirs else f"{said}: out of reach of high, low and balanced"


class _Fared(NamedTuple):
    """How a plan fares against all that the other can have planned."""

    plans: int
    hits: int
    hit_by: int


def _fared(view: State, seat: Seat, step: Step) -> _Fared:
    """Play a plan against every plan that the other may have."""
    plans = hits = hit_by = 0
    for theirs in _answers(view, 1 - seat):
        both = zip(step.split(","), theirs, strict=True)
        wounded = _wounded(view, [(two, one) if seat else (one, two) for one, two in both])
        plans += 1
        hits += 1 - seat in wounded
        hit_by += seat in wounded
    return _Fared(plans, hits, hit_by)


def _wounded(view: State, faces: list[tuple[str, str]]) -> set[int]:
    """Return who is wounded in a round; after the end the second cards stay face down."""
    spaces, stances = places(view)
    found = set()
    for both in faces:
        spaces, stances, wounded = action(spaces, stances, both, SPACES[view.field])
        if wounded >= 0:
            found.add(wounded)
            if view.sides[wounded].wounds + 1 == DEFEAT:
                break
    return found


def _answers(view: State, other: int) -> Iterator[tuple[str, str]]:
    """Yield the plans that the other can have, with any special card that may be in that hand."""
    side, own = view.sides[other], view.sides[1 - other].special
    if side.spent:
        held: tuple[str, ...] = ()
    elif side.special == HOLE:
        held = tuple(card for card in SPECIALS if card != own)
    else:
        held = (side.special,)
    hand = [face for face in FACES if CARD[face] in (*BASIC, *held) and CARD[face] != side.aside]
    for one, two in product(hand, hand):
        if CARD[one] != CARD[two] and not {one, two} <= set(SPECIALS):  # there is one in a hand
            yield one, two


def places(view: State) -> tuple[tuple[int, int], tuple[str, str]]:
    """Return spaces and stances, by seat."""
    red, blue = view.sides
    return (red.space, blue.space), (red.stance, blue.stance)
