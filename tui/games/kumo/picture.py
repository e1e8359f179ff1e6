"""How Kumotori and the stone are drawn, and the legend of their signs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from kumite.core.games.kumo.rules import State
from kumite.core.games.kumo.state import BLOCK, CAMPS, EAST, KUMO, NORTH, RUN, SOUTH, STANCES, WEST
from kumite.core.text import listed
from kumite.tui.games.kumo.words import CALLED, DOES
from kumite.tui.look.glyphs import SIDES, Look
from kumite.tui.scenes.lines import Names
from kumite.tui.scenes.model import Cell, Sign

KANJI: Final = dict(zip(STANCES, "走跳掴投防雲", strict=True))
STONE_KANJI: Final = "石"
MOVER: Final = "*"  # mark of a Kumotori that can move the stone
ARROWS: Final = {WEST: 0, EAST: 1, NORTH: 2, SOUTH: 3}  # indices into `look.arrows`
_GROUND: Final = "arena-a"


def glyph(side: int, stance: int, look: Look) -> str:
    return look.sign(SIDES[side] + KANJI[STANCES[stance]], letter(side, stance))


def wrestler(
    name: str,
    side: int,
    stance: int,
    look: Look,
    ground: str = _GROUND,
    mark: str = "",
    role: str = "",
) -> Cell:
    """Return the named square with a Kumotori on it, and a mark in a corner."""
    return Cell(
        name,
        glyph(side, stance, look),
        f"base-{side}",
        mark=mark,
        sprite=f"kumo-{STANCES[stance]}",
        owner=side,
        ground=ground,
        badge=mark,
        badge_role=role,
        mat=f"mat-{side}",
    )


def letter(side: int, stance: int) -> str:
    first = STANCES[stance][0]
    return first if side else first.upper()


def signs(view: State, names: Names, look: Look) -> Iterator[Sign]:
    """Yield the signs of stances, sides, marks, the stone and the edges."""
    for stance, name in enumerate(STANCES):
        yield Sign(wrestler("", 0, stance, look), f"{CALLED[stance]}: {DOES[name]}", CALLED[stance])
    for side in (0, 1):
        whose = listed(names[side::2])
        yield Sign(wrestler("", side, RUN, look), f"a Kumotori of {whose}")
    yield Sign(
        wrestler("", 0, KUMO, look, mark=MOVER, role="mover"),
        "can move the stone now, together with a partner",
    )
    yield Sign(
        wrestler("", 0, BLOCK, look, mark=letter(1, RUN), role="base-1"),
        "has pinned a foe: the letter is the stance of the one below",
    )
    stone = look.sign(STONE_KANJI, look.single)
    yield Sign(
        Cell("", stone, "kumo.stone", sprite="kumo-stone", ground=_GROUND),
        "the stone: over the edge into a foe's camp it wins",
        "stone",
    )
    for seat, camp in enumerate(CAMPS[len(names)]):
        side = seat & 1
        arrow = look.arrows[ARROWS[camp]]
        yield Sign(
            Cell("", arrow, f"flag-{side}", ground=f"edge-{side}-a"),
            f"the row along the camp of {names[seat]}",
        )
