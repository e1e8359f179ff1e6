"""Sprites: pictures of pieces, as text files that people can draw; docs/sprites.md says how.

A skin is a folder of such files: `themes/sprites/kumite/samurai.txt` is shipped, and
`sprites/NAME/samurai.txt` in kumite's configuration folder is a user's own. Missing or broken files
are replaced by shipped ones.
"""

from __future__ import annotations

import os
import re
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, reduce
from itertools import islice
from pathlib import Path
from typing import Final

from platformdirs import user_config_path

from kumite.core import codes
from kumite.core.errors import KumiteError
from kumite.store.whole_files import names_or_warn, read_text, reason
from kumite.tui.look import colors

OURS: Final = Path(__file__).resolve().parents[2] / "themes" / "sprites"
DEFAULT: Final = "kumite"
MAX_BYTES: Final = 100_000  # of a file
MAX_SIDE: Final = 96  # pixels
SEAT: Final = "seat"
OWNED: Final = (SEAT, f"{SEAT}-light", f"{SEAT}-dark")  # colours of a piece's owner
ON_MAT: Final = dict(zip(OWNED, ("paper", "white", "ink"), strict=True))
_COLOR: Final = re.compile(r"(\S|shape) = ([a-z][a-z0-9-]*)")
_HEAD: Final = re.compile(r"\[(\d{1,3})x(\d{1,3})( shape)?\]")


class BadSprite(KumiteError):
    """A file of a skin that cannot be used."""

    code = codes.BAD_SPRITE


@dataclass(frozen=True, slots=True)
class Picture:
    """Pixels, the top row first, all rows equally wide: names of colours, "" where transparent."""

    rows: tuple[tuple[str, ...], ...]

    @staticmethod
    def of(rows: Iterable[Iterable[str]]) -> Picture:
        return Picture(tuple(map(tuple, rows)))

    @property
    def width(self) -> int:
        return len(self.rows[0]) if self.rows else 0

    @property
    def height(self) -> int:
        return len(self.rows)


@cache
def owned(picture: Picture, seat: int | None) -> Picture:
    """Return a picture in its owner's colours; None: in the theme's neutral ones."""
    if seat is None:
        return picture
    return recolored(picture, {one: one.replace(SEAT, f"{SEAT}-{seat}") for one in OWNED})


@cache
def on_mat(picture: Picture) -> Picture:
    """Return a picture in paper with dark edges, on a ground in its owner's colour."""
    return recolored(picture, ON_MAT)


def recolored(picture: Picture, colors: Mapping[str, str]) -> Picture:
    return Picture.of((colors.get(one, one) for one in row) for row in picture.rows)


@cache
def in_one(picture: Picture, ink: str, without: frozenset[str] = frozenset()) -> Picture:
    """Return a picture in one colour, without those of its parts that have one of some colours."""
    rows = picture.rows
    return Picture.of((ink if one and one not in without else "" for one in row) for row in rows)


@cache
def pale(picture: Picture) -> Picture:
    """Return every second pixel of a picture, in its owner's colour."""
    return Picture.of(
        (SEAT * (bool(one) and (x + y) % 2 == 0) for x, one in enumerate(row))
        for y, row in enumerate(picture.rows)
    )


@cache
def outline(picture: Picture, side: int) -> Picture:
    """Return every second pixel of a picture's outline, in its owner's colour.

    The picture is drawn as large as a square of `side` pixels.
    """
    rows = [
        [row[x * picture.width // side] for x in range(side)]
        for row in (picture.rows[y * picture.height // side] for y in range(side))
    ]

    tip = next((x for x, one in enumerate(rows[0]) if one), 0)  # is drawn

    def is_edge(x: int, y: int) -> bool:
        near = ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))
        return not all(0 <= a < side and 0 <= b < side and rows[b][a] for a, b in near)

    def is_drawn(x: int, y: int) -> bool:  # alike at the left and right
        return bool(rows[y][x]) and (min(x, side - 1 - x) + y - tip) % 2 == 0 and is_edge(x, y)

    return Picture.of((SEAT * is_drawn(x, y) for x in range(side)) for y in range(side))


@cache
def mirrored(picture: Picture) -> Picture:
    return Picture.of(row[::-1] for row in picture.rows)


@dataclass(frozen=True, slots=True)
class Sprite:
    """One thing in several sizes, the largest first."""

    pictures: tuple[Picture, ...]
    shapes: tuple[Picture, ...]

    def picture(self, width: int, height: int) -> Picture | None:
        """Return the largest picture that fits into this many pixels."""
        return _fitting(self.pictures, width, height)

    def shape(self, width: int, height: int) -> Picture | None:
        """Return the largest silhouette that fits into this many quarter cells, maybe scaled up."""
        if self.shapes:
            largest = self.shapes[0]
            times = min(width // largest.width, height // largest.height)
            if times > 1:
                return enlarged(largest, times)
        return _fitting(self.shapes, width, height)

    def over(self, other: Sprite) -> Sprite:
        """Return this sprite, completed with the smaller sizes of another."""
        return Sprite(
            self.pictures + _smaller(other.pictures, self.pictures),
            self.shapes + _smaller(other.shapes, self.shapes),
        )


def _fitting(pictures: tuple[Picture, ...], width: int, height: int) -> Picture | None:
    fits = (one for one in pictures if one.width <= width and one.height <= height)
    return next(fits, None)


@cache
def enlarged(picture: Picture, times: int) -> Picture:
    wide = [[one for one in row for _ in range(times)] for row in picture.rows]
    return Picture.of(row for row in wide for _ in range(times))


def _smaller(pictures: tuple[Picture, ...], than: tuple[Picture, ...]) -> tuple[Picture, ...]:
    if not than:
        return pictures
    least = _area(than[-1])
    return tuple(one for one in pictures if _area(one) < least)


def _area(picture: Picture) -> int:
    return picture.width * picture.height


# --- Skins ------------------------------------------------------------------------------------


class Skin:
    """The sprites of a skin, each read when it is first drawn."""

    def __init__(self, name: str = DEFAULT) -> None:
        """Load the skin of that name; raise BadSprite if there is none."""
        if name not in names():
            place, hint = users_folder() / name, f"skins: {', '.join(names())}"
            why = f": {place} is not a folder" if os.path.lexists(place) else ""
            raise BadSprite(f"no skin {name!r}{why}", hint=hint)
        self.name = name
        self.broken: dict[str, BadSprite] = {}  # errors by file; shipped sprites replace these
        self._own = users_folder() / name
        self._read: dict[str, Sprite] = {}

    def sprite(self, name: str) -> Sprite:
        """Return a sprite, completed by the shipped one, or raise KeyError."""
        if name not in self._read:
            self._read[name] = self._find(name)
        return self._read[name]

    def check(self) -> tuple[BadSprite, ...]:
        """Read all of the user's own files now; return their errors, by name."""
        own = _texts(self._own)
        known = shipped() if own else ()
        for name in own:
            if name in known:
                self.sprite(name)
                continue
            near = get_close_matches(name, known, 1)
            hint = f"did you mean {near[0]}.txt?" if near else "docs/sprites.md lists all names"
            where = self._own / f"{name}.txt"
            self.broken[name] = BadSprite(f"{where}: no sprite has this name", hint=hint)
        return tuple(self.broken[name] for name in sorted(self.broken))

    def _find(self, name: str) -> Sprite:
        found = list(self._files(name))
        if not found:
            raise self.broken.get(name) or KeyError(name)
        return reduce(Sprite.over, found)

    def _files(self, name: str) -> Iterator[Sprite]:
        """Yield the sprites of that name: the user's own first, the default skin's last."""
        for folder in dict.fromkeys((self._own, OURS / self.name, OURS / DEFAULT)):
            path = folder / f"{name}.txt"
            try:
                if os.path.lexists(path):
                    yield read(path, colors.known() if folder == self._own else None)
            except BadSprite as error:
                self.broken[name] = error


def usable(name: str) -> tuple[Skin, tuple[BadSprite, ...]]:
    """Return the skin of that name and its errors; the default one if it does not exist."""
    try:
        skin = Skin(name)
    except BadSprite as error:
        return Skin(), (error,)
    return skin, skin.check()


def shipped() -> tuple[str, ...]:
    return tuple(_texts(OURS / DEFAULT))


def users_folder() -> Path:
    return user_config_path("kumite", appauthor=False) / "sprites"


def names() -> tuple[str, ...]:
    found = {
        name
        for folder in (OURS, users_folder())
        for name in names_or_warn(folder)
        if os.path.isdir(folder / name) and name[0] != "."
    }
    return (DEFAULT, *sorted(found - {DEFAULT}))


def _texts(folder: Path) -> list[str]:
    return [name.removesuffix(".txt") for name in names_or_warn(folder, ".txt")]


# --- Files ------------------------------------------------------------------------------------


def read(path: Path, known: Container[str] | None = None) -> Sprite:
    """Read a file of a skin, or raise BadSprite; `known` are the permitted colours (None: any)."""
    try:
        return parse(read_text(path, MAX_BYTES), str(path), known)
    except OSError as error:
        raise BadSprite(f"{path}: {reason(error)}") from error


def parse(text: str, where: str = "sprite", known: Container[str] | None = None) -> Sprite:
    """Parse a sprite, or raise BadSprite with the line."""
    inks: dict[str, str] = {}
    pictures: list[Picture] = []
    shapes: list[Picture] = []
    lines = enumerate(text.splitlines(), start=1)
    for number, line in lines:
        if not line.strip() or line == "#" or line.startswith("# "):
            continue
        if found := _COLOR.fullmatch(line.strip()):
            if known is not None and found[2] not in known:
                hint = "`seat`, or a name in themes/dark.toml, like `gold`"
                raise BadSprite(f"{where}:{number}: no theme has a colour {found[2]!r}", hint=hint)
            inks[found[1]] = found[2]
        elif found := _HEAD.fullmatch(line.strip()):
            letters = {one: name for one, name in inks.items() if one != "shape"}
            if found[3]:
                letters["#"] = inks.get("shape", SEAT)
            size = int(found[1]), int(found[2])
            drawn = _drawn(lines, size, letters, f"{where}:{number}", where)
            (shapes if found[3] else pictures).append(drawn)
        else:
            raise BadSprite(
                f"{where}:{number}: {line[:40]!r} is neither a colour nor a picture's size",
                hint="a colour is `h = seat`, a size `[8x8]` or `[6x4 shape]`",
            )
    if not pictures and not shapes:
        raise BadSprite(f"{where}: no picture in it", hint="a picture begins with its size: [8x8]")
    return Sprite(_largest_first(pictures), _largest_first(shapes))


def _drawn(
    lines: Iterator[tuple[int, str]],
    size: tuple[int, int],
    inks: Mapping[str, str],
    head: str,
    where: str,
) -> Picture:
    """Read the rows of a picture whose size line is at `head`."""
    width, height = size
    if not (0 < width <= MAX_SIDE and 0 < height <= MAX_SIDE):
        raise BadSprite(f"{head}: a side has 1 to {MAX_SIDE} pixels")
    drawn = list(islice(lines, height))
    if len(drawn) < height:
        raise BadSprite(f"{head}: the file ends within this picture")
    return Picture(tuple(_row(row, width, inks, f"{where}:{at}") for at, row in drawn))


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
    return tuple(sorted(pictures, key=_area, reverse=True))
