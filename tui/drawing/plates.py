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


def with_plate(square: Picture, role: str) -> Picture:
    """Return an empty square with a sign in its middle."""
    picture = plate(role).picture(square.width - 1, square.height - 1)
    if picture is None:
        return square
    rows = [list(row) for row in square.rows]
    lay(rows, picture, (square.width - picture.width) // 2, (square.height - picture.height) // 2)
    return Picture.of(rows)
