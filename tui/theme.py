"""Themes: files that map role names to colours, ours and the user's own."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Final

from textual.theme import Theme

from core.errors import KumiteError

OURS: Final = Path(__file__).resolve().parent.parent / "themes"
DEFAULT: Final = "dark"
PREFIX: Final = "kumite-"  # Textual registers themes of its own, some with our names


class BadTheme(KumiteError):
    """A theme file that cannot be used."""

    code = "bad-theme"


def users_folder() -> Path:
    """Return the folder of the user's own themes."""
    from platformdirs import user_config_path

    return user_config_path("kumite", appauthor=False) / "themes"


def names() -> tuple[str, ...]:
    """Return the names of all themes, the user's own included."""
    found = {path.stem for folder in (OURS, users_folder()) for path in folder.glob("*.toml")}
    return tuple(sorted(found))


def load(name: str) -> Theme:
    """Return a theme by name; the user's own comes before ours, roles it lacks come from `dark`.

    Raises:
        BadTheme: there is none of that name, or the file is wrong.
    """
    for folder in (users_folder(), OURS):
        path = folder / f"{name}.toml"
        if path.is_file():
            return _theme(name, path)
    raise BadTheme(f"no theme {name!r}", hint=f"themes: {', '.join(names())}")


def _theme(name: str, path: Path) -> Theme:
    try:
        said = tomllib.loads(path.read_text(encoding="utf-8"))
        base = tomllib.loads((OURS / f"{DEFAULT}.toml").read_text(encoding="utf-8"))
        roles = base["roles"] | said.get("roles", {})
        app = base["app"] | said.get("app", {})
        # The app's own marks must be quiet: nothing on a table blinks or glows.
        roles |= {"block-cursor-background": app["panel"], "footer-key-foreground": roles["key"]}
        return Theme(name=PREFIX + name, dark=bool(said.get("dark", True)), variables=roles, **app)
    except (OSError, TypeError, ValueError, AttributeError) as error:
        raise BadTheme(f"{path}: {error}", hint="themes/dark.toml is an example") from error
