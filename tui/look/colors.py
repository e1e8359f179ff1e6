"""Theme files as plain colours, for drawing without Textual."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from platformdirs import user_config_path

from kumite.core import codes
from kumite.core.errors import KumiteError
from kumite.store.whole_files import names_or_warn
from kumite.tui.look import theme_files
from kumite.tui.look.roles import role_of

OURS: Final = Path(__file__).resolve().parents[2] / "themes"
DEFAULT: Final = "dark"
FEW: Final = "sixteen"
STRONG: Final = "contrast"
AUTO: Final = "auto"  # the theme that fits the terminal's colours
UNCOLORED: Final = frozenset({"vt52", "vt100", "vt102", "vt220", "vt320"})  # terminals, by TERM
OVER: Final = "/"  # `seat-0/felt`: a foreground on a background
BOLD: Final = "!"  # `seat-0/felt!` is bold


class BadTheme(KumiteError):
    """A theme that does not exist."""

    code = codes.BAD_THEME


def users_folder() -> Path:
    return user_config_path("kumite", appauthor=False) / "themes"


def names() -> tuple[str, ...]:
    found = {name for folder in (OURS, users_folder()) for name in names_or_warn(folder, ".toml")}
    return tuple(sorted(name.removesuffix(".toml") for name in found))


def fitting(name: str, *, has_colors: bool, has_many: bool) -> str:
    """Resolve a theme name: `auto` selects one for the terminal's colours.

    `has_many`: 256 or more; `has_colors` false: NO_COLOR, or a monochrome terminal, where no other
    theme shows whose a piece is. `dark` and `contrast` rounded to sixteen colours would put red on
    red, so they become the theme made for them.
    """
    if not has_colors:
        return "mono"
    if name in (DEFAULT, STRONG) and not has_many:
        return FEW
    return name if name != AUTO else DEFAULT if has_many else FEW


class Pen(NamedTuple):
    """Drawing colours as `#rrggbb`, or as `color(N)` of a terminal's 256."""

    ink: str
    paper: str
    is_bold: bool


@dataclass(frozen=True)
class Palette:
    """One theme: colours by name, for a colour depth."""

    is_dark: bool
    app: Mapping[str, Any]  # of the app's frame: background, foreground, …
    roles: Mapping[str, str]
    drawn: Mapping[str, str] = field(default_factory=dict)  # of grounds, sprites and marks
    numbers: Mapping[str, int] = field(default_factory=dict)  # by hand, of 256; {} in full colour
    games: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # what differs in a game
    has_pictures: bool = True  # whether its colours are enough for pictures of pieces
    has_signs: bool = False  # whether a sign says whose a piece is, as colours do not
    wrong: tuple[str, ...] = ()  # what is not used of its file, each with line and reason
    is_full: bool = True  # whether the terminal has more than 256 colours

    def of(self, game_id: str) -> Palette:
        """Return the palette with the colours that the theme has for this game alone."""
        own = self.games.get(game_id)
        if not own:
            return self
        numbers = {name: number for name, number in self.numbers.items() if name not in own}
        return replace(self, roles={**self.roles, **own}, numbers=numbers)

    def color(self, name: str) -> str:
        """Return a colour by name, or raise KeyError."""
        if name in self.numbers:
            return f"color({self.numbers[name]})"
        for part in (self.roles, self.drawn, self.app):
            if name in part:
                return str(part[name])
        raise KeyError(name)

    def pen(self, role: str) -> Pen:
        """Return the colours of a role or an ink on the app's background; "" is plain.

        A role has its own name (`title`); an ink is `FOREGROUND/BACKGROUND`, like `seat-0/felt`,
        with `!` after it if bold. Each side may be empty.
        """
        if OVER in role:
            ink, _, paper = role.removesuffix(BOLD).partition(OVER)
            return Pen(
                self.color(ink or "foreground"),
                self.color(paper or "background"),
                role.endswith(BOLD),
            )
        name, paper, is_bold = role_of(role)
        return Pen(self.color(name), self.color(paper or "background"), is_bold)


def read(name: str, *, is_full: bool = True, is_few: bool = False) -> Palette:
    """Return a theme by name: the user's own before shipped ones; missing colours come from `dark`.

    With `is_full` false it is for terminals of 256 colours, with `is_few` of sixteen. Invalid
    entries are ignored, and listed in `wrong`.

    Raises:
        BadTheme: there is none of that name.
    """
    for folder in (users_folder(), OURS):
        path = folder / f"{name}.toml"
        if name in names() and os.path.lexists(path):
            return _palette(path, is_full, is_few)
    raise BadTheme(f"no theme {name!r}", hint=f"themes: {', '.join(names())}")


def wrong() -> tuple[str, ...]:
    return tuple(said for name in names() for said in read(name).wrong)


@cache
def known() -> frozenset[str]:
    base = theme_files.read(OURS / f"{DEFAULT}.toml")
    return frozenset(name for part in base.colors.values() for name in part)


def _one_of_16(number: int) -> str:
    """Return a colour that is rounded to this one of a terminal's sixteen."""
    parts = (170 * (number >> bit & 1) + 85 * (number >> 3) for bit in range(3))
    return "#" + "".join(f"{part:02x}" for part in parts)


def _palette(path: Path, is_full: bool, is_few: bool) -> Palette:
    ours = OURS / f"{DEFAULT}.toml"
    base = theme_files.read(ours)
    own = base if path == ours else theme_files.check(path, base)
    few = own.numbers.get(theme_files.FEW, {}) if is_few else {}
    exact = {name: _one_of_16(number) for name, number in few.items()}
    app, roles, grounds, sprites = (
        {one: exact.get(one, color) for one, color in part.items()}
        for part in ({**base.colors[one], **own.colors.get(one, {})} for one in theme_files.COLORS)
    )
    by_hand = {name for part in own.colors.values() for name in part}
    usual = base.numbers[theme_files.NUMBERS]
    numbers = {name: n for name, n in usual.items() if name not in by_hand}
    numbers |= own.numbers.get(theme_files.NUMBERS, {})
    return Palette(
        own.switches.get("dark", True),
        app,
        roles,
        grounds | sprites,
        {} if is_full else {name: n for name, n in numbers.items() if name not in few},
        own.games,
        own.switches.get("pictures", True),
        own.switches.get("signs", False),
        own.wrong,
        is_full,
    )
