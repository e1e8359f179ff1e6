"""Theme files as plain colours: for whatever draws without Textual."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from kumite.core import codes
from kumite.core.errors import KumiteError
from kumite.tui.look.roles import ROLES

if TYPE_CHECKING:
    from collections.abc import Mapping

OURS: Final = Path(__file__).resolve().parents[2] / "themes"
DEFAULT: Final = "dark"
ON: Final = "|"  # `flag-0|border` is the ink of a border on the paper of a flag


class BadTheme(KumiteError):
    """A theme file that cannot be used."""

    code = codes.BAD_THEME


def users_folder() -> Path:
    """Return the folder of the user's own themes."""
    from platformdirs import user_config_path

    return user_config_path("kumite", appauthor=False) / "themes"


def names() -> tuple[str, ...]:
    """Return the names of all themes, the user's own included."""
    found = {path.stem for folder in (OURS, users_folder()) for path in folder.glob("*.toml")}
    return tuple(sorted(found))


class Pen(NamedTuple):
    """How a role is drawn: colours as `#rrggbb`."""

    ink: str
    paper: str
    is_bold: bool


@dataclass(frozen=True, slots=True)
class Palette:
    """One theme: colours by name."""

    is_dark: bool
    app: Mapping[str, Any]  # of the app's frame: background, foreground, …
    roles: Mapping[str, str]

    def pen(self, role: str) -> Pen:
        """Return how a role is drawn on the app's background; "" is plain."""
        under, _, over = role.partition(ON)
        colors = {**self.app, **self.roles}
        ink, paper, is_bold = colors["foreground"], colors["background"], False
        if under:
            found = ROLES[under]
            ink, is_bold = colors[found.ink], found.bold
            paper = colors[found.paper] if found.paper else paper
        return Pen(colors[ROLES[over].ink], paper, False) if over else Pen(ink, paper, is_bold)


def read(name: str) -> Palette:
    """Return a theme by name; the user's own comes before ours, roles it lacks come from `dark`.

    Raises:
        BadTheme: there is none of that name, or the file is wrong.
    """
    for folder in (users_folder(), OURS):
        path = folder / f"{name}.toml"
        if path.is_file():
            return _palette(path)
    raise BadTheme(f"no theme {name!r}", hint=f"themes: {', '.join(names())}")


def _palette(path: Path) -> Palette:
    try:
        said = tomllib.loads(path.read_text(encoding="utf-8"))
        base = tomllib.loads((OURS / f"{DEFAULT}.toml").read_text(encoding="utf-8"))
        roles = base["roles"] | said.get("roles", {})
        app = base["app"] | said.get("app", {})
        return Palette(bool(said.get("dark", True)), app, roles)
    except (OSError, TypeError, ValueError, AttributeError) as error:
        raise bad(path, error) from error


def bad(where: object, error: Exception) -> BadTheme:
    """Return the error for a theme that cannot be used."""
    return BadTheme(f"{where}: {error}", hint="themes/dark.toml is an example")
