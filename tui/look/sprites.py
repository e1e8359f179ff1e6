"""Sprites: what pieces look like, as text files that people can draw.

A skin is a folder of such files, one for each thing: `themes/sprites/kumite/samurai.txt` is ours,
`sprites/NAME/samurai.txt` in kumite's configuration folder somebody's own. What a skin lacks comes
from ours. A file:

    # A helmet with horns.               a comment: `#` and a space
    h = seat                             a letter and its colour
    g = gold
    shape = gold                         the colour of silhouettes; without it, the owner's

    [8x8]                                a picture, 8 pixels wide and 8 high: two to a cell
    h......h
    …

    [6x4 shape]                          a silhouette: four pixels to a cell, in one colour
    #....#
    …

`.` is transparent. Colours are names of a theme's `[roles]` and `[sprites]`; `seat`, `seat-light`
and `seat-dark` are those of the owner.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kumite.core import codes
from kumite.core.errors import KumiteError

if TYPE_CHECKING:
    from collections.abc import Mapping

OURS: Final = Path(__file__).resolve().parents[2] / "themes" / "sprites"
DEFAULT: Final = "kumite"
MAX_BYTES: Final = 100_000  # of a file
MAX_SIDE: Final = 96  # pixels
SEAT: Final = "seat"
_COLOR: Final = re.compile(r"(\S|shape) = ([a-z][a-z0-9-]*)")
_HEAD: Final = re.compile(r"\[(\d{1,3})x(\d{1,3})( shape)?\]")


class BadSprite(KumiteError):
    """A file of a skin that cannot be used."""

    code = codes.BAD_SPRITE


@dataclass(frozen=True, slots=True)
class Picture:
    """Pixels, the top row first: names of colours, "" where the ground is seen."""

    width: int
    height: int
    rows: tuple[tuple[str, ...], ...]

    def owned(self, seat: int | None) -> Picture:
        """Return the picture in the colours of its owner; nobody's stays as it is."""
        if seat is None:
            return self
        return _owned(self, seat)


@cache
def _owned(picture: Picture, seat: int) -> Picture:
    rows = tuple(
        tuple(f"seat-{seat}{one[4:]}" if one.startswith(SEAT) else one for one in row)
        for row in picture.rows
    )
    return Picture(picture.width, picture.height, rows)


@dataclass(frozen=True, slots=True)
class Sprite:
    """One thing in several sizes, the largest first."""

    pictures: tuple[Picture, ...]
    shapes: tuple[Picture, ...]
    ink: str = SEAT  # of the silhouettes

    def picture(self, width: int, height: int) -> Picture | None:
        """Return the largest picture that fits into so many pixels."""
        return _fitting(self.pictures, width, height)

    def shape(self, width: int, height: int) -> Picture | None:
        """Return the largest silhouette that fits into so many quarters of cells."""
        return _fitting(self.shapes, width, height)


def _fitting(pictures: tuple[Picture, ...], width: int, height: int) -> Picture | None:
    fits = (one for one in pictures if one.width <= width and one.height <= height)
    return next(fits, None)


class Skin:
    """The sprites of a skin, each read when it is first drawn."""

    def __init__(self, name: str = DEFAULT) -> None:
        """Take the skin of that name.

        Raises:
            BadSprite: there is none.
        """
        if name not in names():
            raise BadSprite(f"no skin {name!r}", hint=f"skins: {', '.join(names())}")
        self.name = name
        self.broken: dict[str, BadSprite] = {}  # files that could not be used; ours were
        self._read: dict[str, Sprite] = {}

    def sprite(self, name: str) -> Sprite:
        """Return a sprite; one that its skin lacks, or that is broken there, is ours.

        Raises:
            KeyError: neither has it.
        """
        if name not in self._read:
            self._read[name] = self._find(name)
        return self._read[name]

    def _find(self, name: str) -> Sprite:
        for folder in (users_folder() / self.name, OURS / self.name):
            path = folder / f"{name}.txt"
            try:
                if path.is_file():
                    return read(path)
            except BadSprite as error:
                self.broken[name] = error
        if self.name == DEFAULT and name in self.broken:
            raise self.broken[name]
        path = OURS / DEFAULT / f"{name}.txt"
        if not path.is_file():
            raise KeyError(name)
        return read(path)


def users_folder() -> Path:
    """Return the folder of the user's own skins."""
    from platformdirs import user_config_path

    return user_config_path("kumite", appauthor=False) / "sprites"


def names() -> tuple[str, ...]:
    """Return the names of all skins, ours first."""
    found = {path.name for folder in (OURS, users_folder()) for path in _folders(folder)}
    return (DEFAULT, *sorted(found - {DEFAULT}))


def _folders(folder: Path) -> list[Path]:
    try:
        return [path for path in folder.iterdir() if path.is_dir()]
    except OSError:
        return []


def read(path: Path) -> Sprite:
    """Read a file of a skin.

    Raises:
        BadSprite: it cannot be used; the text says why, with file and line.
    """
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
        if len(content) > MAX_BYTES:
            raise BadSprite(f"{path}: more than {MAX_BYTES} bytes")
        return parse(content.decode("utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise BadSprite(f"{path}: {error}") from error


def parse(text: str, where: str = "sprite") -> Sprite:
    """Return the sprite that a text draws.

    Raises:
        BadSprite: it draws none; the text says why, with the line.
    """
    colors: dict[str, str] = {}
    pictures: list[Picture] = []
    shapes: list[Picture] = []
    lines = enumerate(text.splitlines(), start=1)
    for number, line in lines:
        if not line.strip() or line == "#" or line.startswith("# "):
            continue
        if found := _COLOR.fullmatch(line.strip()):
            colors[found[1]] = found[2]
        elif found := _HEAD.fullmatch(line.strip()):
            width, height = int(found[1]), int(found[2])
            if not (0 < width <= MAX_SIDE and 0 < height <= MAX_SIDE):
                raise BadSprite(f"{where}:{number}: a side has 1 to {MAX_SIDE} pixels")
            pixels = {letter: name for letter, name in colors.items() if letter != "shape"}
            drawn = list(islice(lines, height))
            if len(drawn) < height:
                raise BadSprite(f"{where}:{number}: the file ends within this picture")
            inks = {"#": SEAT} if found[3] else pixels
            rows = tuple(_row(row, width, inks, f"{where}:{at}") for at, row in drawn)
            (shapes if found[3] else pictures).append(Picture(width, height, rows))
        else:
            raise BadSprite(
                f"{where}:{number}: {line[:40]!r} is neither a colour nor a picture's size",
                hint="a colour is `h = seat`, a size `[8x8]` or `[6x4 shape]`",
            )
    if not pictures and not shapes:
        raise BadSprite(f"{where}: no picture in it", hint="a picture begins with its size: [8x8]")
    return Sprite(_largest_first(pictures), _largest_first(shapes), colors.get("shape", SEAT))


def _row(row: str, width: int, inks: Mapping[str, str], where: str) -> tuple[str, ...]:
    row = row.rstrip()
    if len(row) != width:
        raise BadSprite(f"{where}: {len(row)} pixels instead of {width}")
    unknown = next((one for one in row if one != "." and one not in inks), None)
    if unknown is not None:
        known = ", ".join(inks) or "none"
        raise BadSprite(f"{where}: no colour for {unknown!r}", hint=f"letters: {known}, and `.`")
    return tuple("" if one == "." else inks[one] for one in row)


def _largest_first(pictures: list[Picture]) -> tuple[Picture, ...]:
    return tuple(sorted(pictures, key=lambda one: -one.width * one.height))
