"""Themes as Textual wants them."""

from __future__ import annotations

from typing import Final

from textual.theme import Theme

from kumite.tui.look.colors import DEFAULT, OURS, BadTheme, names, read, users_folder

__all__ = ["DEFAULT", "OURS", "BadTheme", "load", "names", "users_folder"]

PREFIX: Final = "kumite-"  # Textual registers themes of its own, some with our names


def load(name: str) -> Theme:
    """Return a theme by name; the user's own comes before ours, roles it lacks come from `dark`.

    Raises:
        BadTheme: there is none of that name.
    """
    found = read(name)
    # The app's own marks must be quiet: nothing on a table blinks or glows.
    quiet = {
        "block-cursor-background": found.app["panel"],
        "footer-key-foreground": found.roles["key"],
    }
    variables = {**found.roles, **quiet}
    return Theme(name=PREFIX + name, dark=found.is_dark, variables=variables, **found.app)
