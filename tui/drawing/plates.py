"""Signs of two compared steps, on a plate: a cross and a tick.

They have the format of sprites, but are fixed, because text uses the same two shapes.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from kumite.tui.drawing.pixels import lay
from kumite.tui.look.sprites import Picture, Sprite, parse
from kumite.tui.scenes.model import BAD, GOOD

_DRAWN: Final = {
    BAD: """
w = white
r = red

[12x12]
.wwwwwwwwww.
wwwwwwwwwwww
wwrrwwwwrrww
wwrrrwwrrrww
wwwrrrrrrwww
wwwwrrrrwwww
wwwwrrrrwwww
wwwrrrrrrwww
wwrrrwwrrrww
wwrrwwwwrrww
wwwwwwwwwwww
.wwwwwwwwww.

[7x7]
.wwwww.
wrwwwrw
wwrwrww
wwwrwww
wwrwrww
wrwwwrw
.wwwww.

[5x5]
wwwww
wrwrw
wwrww
wrwrw
wwwww
""",
    GOOD: """
w = white
g = leaf-dark

[12x12]
.wwwwwwwwww.
wwwwwwwwwwww
wwwwwwwwwggw
wwwwwwwwgggw
wwwwwwwwggww
wggwwwwgggww
wgggwwwggwww
wwgggwgggwww
wwwgggggwwww
wwwwgggwwwww
wwwwwgwwwwww
.wwwwwwwwww.

[7x7]
.wwwww.
wwwwwgw
wwwwwgw
wgwwgww
wwgwgww
wwwgwww
.wwwww.

[5x5]
wwwww
wwwgw
wgwgw
wwgww
wwwww
""",
}


@cache
def plate(role: str) -> Sprite:
    return parse(_DRAWN[role], f"plate {role}")


def plate_ink(role: str) -> str:
    return f"background/{role}!"


def with_plate(square: Picture, role: str, *, is_taken: bool) -> Picture:
    """Return a square with a sign in its middle, or in a corner if it is occupied."""
    width, height = square.width, square.height
    room = (width * 5 // 8, height * 5 // 8) if is_taken else (width - 1, height - 1)
    picture = plate(role).picture(*room)
    if picture is None:
        return square
    rows = [list(row) for row in square.rows]
    across, down = width - picture.width, height - picture.height
    lay(rows, picture, *((across, 0) if is_taken else (across // 2, down // 2)))
    return Picture.of(rows)
