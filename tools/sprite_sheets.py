"""Draw the pictures of docs/sprites.md from the built-in sprite files: `make pictures`."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Final, NamedTuple

from kumite.tui.look import colors
from kumite.tui.look.sprites import Picture, Skin, owned, shipped

FOLDER: Final = Path(__file__).resolve().parent.parent / "docs" / "sprites"
SCALE: Final = 4  # units per pixel; a cell is two pixels high
WIDE: Final = 960  # units
GAP: Final = 12
LABEL: Final = 22  # units above the pictures, for the name
OWNER: Final = 0  # the seat in whose colours pieces are drawn


class Group(NamedTuple):
    """Sprites that are shown together."""

    name: str  # of the file
    prefixes: tuple[str, ...]  # of its sprites' names
    ground: str  # background, by its name in a theme


GROUPS: Final = (
    Group("kitsu", ("samurai", "fox"), "summer-a"),
    Group("kumo", ("kumo-",), "arena-a"),
    Group("kuzushi", ("city", "base", "flag"), "field-b"),
    Group("kitsune", ("kitsune-",), "paper"),
    Group("kiriai-cards", ("kiriai-card-",), "paper"),
    Group("kiriai", ("kiriai-",), "stage-5"),
    Group("home", ("crest-", "home-", "wordmark", "moon", "pine", "torii"), "stage-1"),
)


def group_of(name: str) -> Group:
    """Return the first group that matches a sprite's name."""
    return next(group for group in GROUPS if name.startswith(group.prefixes))


def sheet(group: Group) -> str:
    palette, skin = colors.read(colors.DEFAULT), Skin()
    ink = "ink" if group.ground in ("paper", "arena-a") else "paper"
    parts: list[str] = []
    x, y, row = GAP, GAP, 0
    for name in (one for one in shipped() if group_of(one) is group):
        sprite = skin.sprite(name)
        shown = [(owned(one, OWNER), SCALE) for one in sprite.pictures]
        shown += [(owned(one, OWNER), SCALE // 2) for one in sprite.shapes]
        wide = max(sum(one.width * unit + GAP for one, unit in shown), 9 * len(name) + GAP)
        high = LABEL + SCALE * max(one.height for one, _ in shown)
        if x + wide > WIDE and x > GAP:
            x, y, row = GAP, y + row + GAP, 0
        parts.append(
            f'<text x="{x}" y="{y + 14}" fill="{palette.color(ink)}">{escape(name)}</text>'
        )
        left = x
        for one, unit in shown:
            top = y + high - SCALE * one.height
            parts += _drawn(one, left, top, unit, palette)
            left += one.width * unit + GAP
        x, row = x + wide, max(row, high)
    high = y + row + GAP
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {high}" '
            f'font-family="ui-monospace, monospace" font-size="14">',
            f'<rect width="{WIDE}" height="{high}" fill="{palette.color(group.ground)}"/>',
            *parts,
            "</svg>",
            "",
        ]
    )


def _drawn(
    picture: Picture, left: int, top: int, unit: int, palette: colors.Palette
) -> Iterator[str]:
    """Yield a path for each colour of a picture whose pixels are `unit` wide."""
    boxes: dict[str, list[str]] = {}
    for y, row in enumerate(picture.rows):
        x = 0
        for color, run in groupby(row):
            size = len(list(run))
            if color:
                box = f"M{left + x * unit} {top + y * SCALE}h{size * unit}v{SCALE}h-{size * unit}z"
                boxes.setdefault(color, []).append(box)
            x += size
    for color, parts in boxes.items():
        ink = palette.color(color)
        yield f'<path shape-rendering="crispEdges" fill="{ink}" d="{"".join(parts)}"/>'


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for group in GROUPS:
        (FOLDER / f"{group.name}.svg").write_text(sheet(group), encoding="utf-8")


if __name__ == "__main__":
    main()
