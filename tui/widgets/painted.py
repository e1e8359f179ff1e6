"""What all our widgets share: roles as component classes, so that only themes hold colours."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from rich.segment import Segment
from textual.strip import Strip
from textual.widget import Widget

if TYPE_CHECKING:
    from rich.style import Style

    from tui.scenes.model import Line

_SEATS: Final = range(6)
_STYLES: Final = {
    "quiet": "color: $quiet",
    "title": "color: $title; text-style: bold",
    "key": "color: $key; text-style: bold",
    "gain": "color: $gain; text-style: bold",
    "loss": "color: $loss; text-style: bold",
    "label": "color: $target",
    "fits": "color: $fits",
    "outside": "color: $fits",
    "target": "color: $target",
    "contested": "color: $contested; text-style: bold",
    "city": "color: $on-seat; background: $seat-0; text-style: bold",
    "cursor": "color: $background; background: $foreground; text-style: bold",
    # Open seasons of Kitsu! glow; none in the colour of its two seats.
    "spring": "color: $quiet; background: $seat-3-dim",
    "summer": "color: $quiet; background: $seat-2-dim",
    "autumn": "color: $quiet; background: $seat-4-dim",
    "winter": "color: $quiet; background: $seat-5-dim",
    "mover": "color: $on-seat; background: $title; text-style: bold underline",  # in mid-move
    "spent": "color: $quiet",  # a piece that cannot serve again
    **{f"base-{n}": f"color: $on-seat; background: $seat-{n}; text-style: bold" for n in _SEATS},
    **{f"flag-{n}": f"color: $seat-{n}; background: $seat-{n}-dim" for n in _SEATS},
}


class Painted(Widget):
    """A widget that draws lines of (text, role)."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"role--{role}" for role in _STYLES}
    DEFAULT_CSS = "\n".join(
        f"Painted > .role--{role} {{ {style}; }}" for role, style in _STYLES.items()
    )

    def role_style(self, role: str) -> Style:
        """Return the style that the theme gives a role; "" is plain."""
        return self.get_component_rich_style(f"role--{role}") if role else self.rich_style

    def strip(self, line: Line) -> Strip:
        """Return a line cut or filled to the width of the widget."""
        segments = [Segment(text, self.role_style(role)) for text, role in line if text]
        return Strip(segments).adjust_cell_length(self.size.width, self.rich_style).simplify()
