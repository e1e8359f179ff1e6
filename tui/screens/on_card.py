"""Where the card at the end of a match lies on a screen, and which keys it names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.geometry import Region

from kumite.tui.screens.base import key_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from textual.geometry import Size

    from kumite.tui.screens.views import ScreenView

ABOVE, BELOW = 1, 2  # rows that the card leaves free: the title; hint and keys


def region_over(size: Size) -> Region:
    """Return the part of a window over which a card may lie."""
    return Region(0, ABOVE, size.width, size.height - ABOVE - BELOW)


def keys_of(screen: ScreenView, said: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return (key, what is said of it) of the actions that are possible now."""
    bound = {one.action: key_name(one.key) for one in screen.bound_now()}
    return tuple((bound[name], text) for name, text in said.items() if name in bound)
