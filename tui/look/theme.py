"""Themes in Textual's format."""

from __future__ import annotations

from typing import Final

from textual.theme import Theme

from kumite.tui.look.colors import read

PREFIX: Final = "kumite-"  # some of Textual's own themes have the same names


def load(name: str, *, is_few: bool = False) -> Theme:
    """Return a theme by name: the user's own before shipped ones, missing roles from `dark`."""
    found = read(name, is_few=is_few)
    # Textual's own marks must be unobtrusive beside a table.
    quiet = {
        "block-cursor-background": found.app["panel"],
        "footer-key-foreground": found.roles["key"],
    }
    variables = {**found.roles, **quiet}
    return Theme(name=PREFIX + name, dark=found.is_dark, variables=variables, **found.app)
