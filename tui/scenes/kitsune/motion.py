"""The motion of Kitsune: a card is laid and turned over, a trick counted, a clan climbs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from kumite.core.games.kitsune.state import MOVES
from kumite.tui.scenes.kitsune.cards import BACK
from kumite.tui.scenes.motion import Frame

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kumite.core.game import Step
    from kumite.tui.scenes.model import Scene
    from kumite.tui.scenes.pictures import Climb, Spread

LAID: Final = 0.16  # s that a card lies face down
SEEN: Final = 0.35  # s until it is counted
COUNTED: Final = 0.28  # s for each line of the count
CLIMBED: Final = 0.11  # s for each space


def frames(before: Scene, after: Scene, step: Step) -> tuple[Frame, ...]:
    """Return how a card was laid; of a complete trick, how it was counted."""
    if MOVES[step].act not in ("play", "show"):
        return ()
    old, new = before.spread, after.spread
    if old is None or new is None or len(old.groups) != len(new.groups):
        return ()
    still = replace(after, climb=before.climb)
    found = [Frame(replace(still, spread=_face_down(old, new)), LAID)]
    is_complete = not any(card.is_place for group in new.groups for card in group.cards)
    if not is_complete:
        return tuple(found)
    for count in range(len(new.words)):
        words = replace(new, words=new.words[: count + 1])
        found.append(Frame(replace(still, spread=words), COUNTED if count else SEEN))
    if before.climb is not None and after.climb is not None:
        climbs = _climbing(before.climb, after.climb)
        found += [Frame(replace(after, climb=climb), CLIMBED) for climb in climbs]
    return tuple(found)


def _face_down(old: Spread, new: Spread) -> Spread:
    """Return the cards on the table, with the back of what has just been laid."""
    groups = tuple(
        replace(group, cards=(BACK,))
        if was.cards[0].is_place and not group.cards[0].is_place
        else was
        for was, group in zip(old.groups, new.groups, strict=True)
    )
    return replace(old, groups=groups)


def _climbing(old: Climb, new: Climb) -> Iterator[Climb]:
    """Yield the climb space by space."""
    ways = [(was.at, now.at) for was, now in zip(old.lanes, new.lanes, strict=True)]
    for step in range(max(now - was for was, now in ways)):
        yield replace(
            new,
            lanes=tuple(
                replace(lane, at=min(now, was + step) if now > was else now)
                for lane, (was, now) in zip(new.lanes, ways, strict=True)
            ),
        )
