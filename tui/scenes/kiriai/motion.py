"""The motion of Kiri-ai: both cards turn over together, then both act, and a wound flashes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from kumite.tui.scenes.motion import Frame

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kumite.core.game import Step
    from kumite.tui.scenes.model import Scene
    from kumite.tui.scenes.pictures import Figure, Spread, Stage

TURNED: Final = 0.15  # s that cards are seen from the edge
READ: Final = 0.7  # s to read them
WALKED: Final = 0.2  # s on each plank
STRUCK: Final = 0.3  # s that a blow stands
FLASH: Final = 0.12  # s of each light on a wound


def frames(before: Scene, after: Scene, step: Step) -> tuple[Frame, ...]:
    """Return how cards were turned over, and what came of them."""
    if not step.startswith(("first:", "second:")) or before.stage is None or after.stage is None:
        return ()
    words = before.stage.words
    still = replace(after, stage=replace(before.stage, figures=before.stage.figures))
    found = [
        Frame(replace(still, spread=_edges(before.spread, after.spread)), TURNED),
        Frame(replace(still, spread=_silent(after.spread)), READ),
    ]
    for stage in _walking(before.stage, after.stage):
        found.append(Frame(replace(after, stage=stage, spread=_silent(after.spread)), WALKED))
    stage = replace(after.stage, words=words)
    hit = [now for was, now in _pairs(before.stage, after.stage) if now.sprite in _HIT]
    found.append(Frame(replace(after, stage=stage, spread=_silent(after.spread)), STRUCK))
    for figure in hit:
        for marked in (frozenset({figure.place}), frozenset[int](), frozenset({figure.place})):
            found.append(Frame(replace(after, stage=replace(stage, marked=marked)), FLASH))
    return tuple(found)


_HIT: Final = ("kiriai-wounded", "kiriai-fallen")


def _pairs(before: Stage, after: Stage) -> list[tuple[Figure, Figure]]:
    return list(zip(before.figures, after.figures, strict=True))


def _silent(spread: Spread | None) -> Spread | None:
    """Return the cards without what is said of them: first one sees, then one reads."""
    return replace(spread, is_silent=True) if spread else None


def _edges(old: Spread | None, new: Spread | None) -> Spread | None:
    """Return the cards on the table, those that turn over seen from the edge."""
    if old is None or new is None:
        return _silent(new)
    groups = []
    for was, now in zip(old.groups, new.groups, strict=True):
        pairs = zip(was.cards, now.cards, strict=False)
        cards = tuple(replace(b, sprite="", title="", note="") if a != b else b for a, b in pairs)
        groups.append(replace(now, cards=cards or now.cards))
    return _silent(replace(new, groups=tuple(groups)))


def _walking(before: Stage, after: Stage) -> Iterator[Stage]:
    """Yield the stage plank by plank, the figures already in their pose."""
    pairs = _pairs(before, after)
    far = max(abs(now.place - was.place) for was, now in pairs)
    for step in range(far):
        figures = tuple(
            replace(now, place=was.place + _toward(now.place - was.place, step))
            for was, now in pairs
        )
        yield replace(before, figures=figures)


def _toward(way: int, step: int) -> int:
    return max(-step, min(step, way))
