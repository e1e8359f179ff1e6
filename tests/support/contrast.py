"""Colours as a terminal shows them, and how much two of them differ."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from colorsys import rgb_to_hls
from functools import cache
from importlib import import_module
from typing import NamedTuple, TypeAlias

from rich.color import Color, ColorSystem
from rich.color_triplet import ColorTriplet

from kumite.core.games import NAMES
from kumite.tui.look import colors
from kumite.tui.look.colors import Palette
from kumite.tui.look.roles import ROLES, Role
from kumite.tui.scenes.lines import Line

TEXT = 4.5  # least contrast of what is read
PIECE = 3.0  # and of a piece

Rgb: TypeAlias = "ColorTriplet | tuple[int, int, int]"
Pixel: TypeAlias = tuple[str, Rgb, Rgb]
"""A piece of text, its ink, its paper."""


class Depth(NamedTuple):
    """A theme in as many colours as a terminal has."""

    theme: str
    system: ColorSystem

    @property
    def palette(self) -> Palette:
        return _read(self.theme, self.system)

    @property
    def has_many(self) -> bool:
        return self.system is not ColorSystem.STANDARD

    def rgb(self, color: str) -> Rgb:
        """Return what the terminal shows of a colour; one of the sixteen as it is named."""
        found = Color.parse(color)
        if self.system is ColorSystem.EIGHT_BIT:
            found = found.downgrade(self.system)
        return found.get_truecolor()

    def pixels(self, rows: Iterable[Line]) -> Iterator[Pixel]:
        """Yield each piece of text as it is shown; of a blank, its paper twice."""
        for row in rows:
            for text, role in row:
                ink, paper = _pen(self, role)
                yield text, paper if text.isspace() else ink, paper


@cache
def _read(theme: str, system: ColorSystem) -> Palette:
    is_few = system is ColorSystem.STANDARD
    return colors.read(theme, is_full=system is ColorSystem.TRUECOLOR, is_few=is_few)


@cache
def _pen(depth: Depth, role: str) -> tuple[Rgb, Rgb]:
    ink, paper, _ = depth.palette.pen(role)
    return depth.rgb(ink), depth.rgb(paper)


COLOURED = ("dark", "light", "contrast")
DEPTHS = (
    *(Depth(name, ColorSystem.TRUECOLOR) for name in (*COLOURED, "mono")),
    *(Depth(name, ColorSystem.EIGHT_BIT) for name in (*COLOURED, "mono")),
    *(Depth(name, ColorSystem.STANDARD) for name in ("sixteen", "mono")),
)


def ratio(one: Rgb, other: Rgb) -> float:
    """Return the contrast as WCAG 2 counts it, 1 to 21."""
    low, high = sorted(map(luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


def luminance(color: Rgb) -> float:
    parts = (one / 255 for one in color)
    red, green, blue = (x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def hue(color: Rgb) -> float | None:
    """Return the hue in degrees; None of a grey, which has none."""
    turn, light, strong = rgb_to_hls(*(one / 255 for one in color))
    return 360 * turn if strong > 0.2 and 0.1 < light < 0.9 else None


def every_role() -> Mapping[str, Role]:
    folders = {name: import_module(f"kumite.tui.games.{name}") for name in NAMES}
    own = {
        f"{name}.{role}": found
        for name, folder in folders.items()
        for role, found in getattr(folder, "ROLES", {}).items()
    }
    return {**ROLES, **own}


# --- Sixteen colours --------------------------------------------------------------------------

FEW = sorted({colors.fitting(name, has_colors=True, has_many=False) for name in colors.names()})
FAINT_SEATS = {  # what no usual terminal shows better: on white only four colours can be read
    "light": {"seat-4", "seat-5"},
    "sixteen": {"seat-3"},  # purple
}
SIXTEEN = {  # what usual terminals show as the sixteen colours
    "xterm": "000000 cd0000 00cd00 cdcd00 0000ee cd00cd 00cdcd e5e5e5"
    " 7f7f7f ff0000 00ff00 ffff00 5c5cff ff00ff 00ffff ffffff",
    "linux": "000000 aa0000 00aa00 aa5500 0000aa aa00aa 00aaaa aaaaaa"
    " 555555 ff5555 55ff55 ffff55 5555ff ff55ff 55ffff ffffff",
    "windows": "0c0c0c c50f1f 13a10e c19c00 0037da 881798 3a96dd cccccc"
    " 767676 e74856 16c60c f9f1a5 3b78ff b4009e 61d6d6 f2f2f2",
    "vscode": "000000 cd3131 0dbc79 e5e510 2472c8 bc3fbc 11a8cd e5e5e5"
    " 666666 f14c4c 23d18b f5f543 3b8eea d670d6 29b8db ffffff",
    "gnome": "171421 c01c28 26a269 a2734c 12488b a347ba 2aa1b3 d0cfcc"
    " 5e5c64 f66151 33da7a e9ad0c 2a7bde c061cb 33c7de ffffff",
}


def one_of_sixteen(color: str, terminal: str) -> Rgb:
    """Return what a terminal of sixteen colours shows of a colour."""
    number = Color.parse(color).downgrade(ColorSystem.STANDARD).number
    return Color.parse(f"#{SIXTEEN[terminal].split()[number or 0]}").get_truecolor()
