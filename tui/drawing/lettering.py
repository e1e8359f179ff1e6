"""Large letters: a word in half blocks, five pixels high; pure."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from kumite.tui.drawing.pixels import lit_blocks
from kumite.tui.look.sprites import Picture
from kumite.tui.scenes.lines import Line

HIGH: Final = 5  # pixels
ROWS: Final = 3  # cells
_FONT: Final = """
a .#. #.# ### #.# #.#  b ##. #.# ##. #.# ##.  c .## #.. #.. #.. .##  d ##. #.# #.# #.# ##.
e ### #.. ##. #.. ###  f ### #.. ##. #.. #..  g .## #.. #.# #.# .##  h #.# #.# ### #.# #.#
i ### .#. .#. .#. ###  j ..# ..# ..# #.# .#.  k #.# #.# ##. #.# #.#  l #.. #.. #.. #.. ###
o .#. #.# #.# #.# .#.  p ##. #.# ##. #.. #..  q .#. #.# #.# ### ..#  r ##. #.# ##. #.# #.#
s .## #.. .#. ..# ##.  t ### .#. .#. .#. .#.  u #.# #.# #.# #.# ###  v #.# #.# #.# #.# .#.
x #.# #.# .#. #.# #.#  y #.# #.# .#. .#. .#.  z ### ..# .#. #.. ###  - ... ... ### ... ...
0 ### #.# #.# #.# ###  1 .#. ##. .#. .#. ###  2 ##. ..# .#. #.. ###  3 ##. ..# .#. ..# ##.
4 #.# #.# ### ..# ..#  5 ### #.. ##. ..# ##.  6 .## #.. ### #.# ###  7 ### ..# .#. .#. .#.
8 ### #.# ### #.# ###  9 ### #.# ### ..# ##.  n #..# ##.# #.## #..# #..#
+ ... .#. ### .#. ...  m #...# ##.## #.#.# #...# #...#  w #...# #...# #.#.# ##.## #...#
"""


def _letters() -> dict[str, tuple[str, ...]]:
    words = _FONT.split()
    step = HIGH + 1
    found = {words[at]: tuple(words[at + 1 : at + step]) for at in range(0, len(words), step)}
    return found | {" ": ("..",) * HIGH}


LETTERS: Final = _letters()


@lru_cache(maxsize=8)
def large(text: str, ink: str) -> tuple[Line, ...]:
    """Return lower-case letters, digits and hyphens in large type; () if a letter is missing."""
    if not text or any(letter not in LETTERS for letter in text):
        return ()
    rows = [".".join(LETTERS[letter][y] for letter in text) for y in range(HIGH)]
    pixels = Picture.of((ink if one == "#" else "" for one in row) for row in rows)
    return lit_blocks(pixels, pixels.width, ROWS)
