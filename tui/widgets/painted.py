"""What all our widgets share: lines of (text, role), and roles that only themes give a colour.

Roles are not Textual component classes: resolving thirty of those for every widget takes a tenth of
the time to the first paint.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, cast

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tui.app import KumiteApp
    from tui.look import Look
    from tui.scenes.model import Line


class Role(NamedTuple):
    """How a role is drawn: names of theme colours for ink and paper ("" is the widget's own)."""

    ink: str
    paper: str = ""
    bold: bool = False


_SEATS: Final = range(6)
ROLES: Final[Mapping[str, Role]] = {
    "quiet": Role("quiet"),
    "title": Role("title", bold=True),
    "key": Role("key", bold=True),
    "gain": Role("gain", bold=True),
    "loss": Role("loss", bold=True),
    "label": Role("target"),
    "fits": Role("fits"),
    "outside": Role("fits"),
    "border": Role("quiet"),
    "target": Role("target"),
    "contested": Role("contested", bold=True),
    "city": Role("on-seat", "seat-0", bold=True),
    "stone": Role("on-seat", "contested", bold=True),
    "cursor": Role("background", "foreground", bold=True),
    # Open seasons of Kitsu! glow; none in the colour of its two seats.
    "spring": Role("quiet", "seat-3-dim"),
    "summer": Role("quiet", "seat-2-dim"),
    "autumn": Role("quiet", "seat-4-dim"),
    "winter": Role("quiet", "seat-5-dim"),
    "mover": Role("on-seat", "title", bold=True),  # in mid-move
    "spent": Role("quiet"),  # a piece that cannot serve again
    # Kitsune's cards, and what counts for their clans.
    "blue": Role("seat-1"),
    "orange": Role("seat-2"),
    "card-blue": Role("on-seat", "seat-1", bold=True),
    "card-orange": Role("on-seat", "seat-2", bold=True),
    "card-special": Role("on-seat", "seat-4", bold=True),
    "card-back": Role("on-seat", "quiet"),
    **{f"base-{n}": Role("on-seat", f"seat-{n}", bold=True) for n in _SEATS},
    **{f"flag-{n}": Role(f"seat-{n}", f"seat-{n}-dim") for n in _SEATS},
}


class Painted(Widget):
    """A widget that draws lines of (text, role)."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        self._role_styles: dict[str, Style] = {}
        super().__init__(id=id)

    @property
    def look(self) -> Look:
        """Return the glyphs of this terminal."""
        return cast("KumiteApp", self.app).look

    def role_style(self, role: str) -> Style:
        """Return the style that the theme gives a role; "" is plain."""
        style = self._role_styles.get(role)
        if style is None:
            style = self.rich_style  # blended from all ancestors each time: 0.1 ms
            if role:
                ink, paper, bold = ROLES[role]
                colors = self.app.theme_variables
                style += Style(
                    color=colors[ink], bgcolor=colors[paper] if paper else None, bold=bold
                )
            self._role_styles[role] = style
        return style

    def notify_style_update(self) -> None:
        """Forget styles that a theme or a rule has changed."""
        self._role_styles.clear()
        super().notify_style_update()

    def strip(self, line: Line) -> Strip:
        """Return a line cut or filled to the width of the widget."""
        for sign, plain in self.look.punctuation:
            line = tuple((text.replace(sign, plain), role) for text, role in line)
        segments = [Segment(text, self.role_style(role)) for text, role in line if text]
        return Strip(segments).adjust_cell_length(self.size.width, self.role_style("")).simplify()
