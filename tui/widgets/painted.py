"""What all our widgets share: lines of (text, role), and roles that only themes give a colour.

Roles are not Textual component classes: resolving thirty of those for every widget takes a tenth of
the time to the first paint.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

from kumite.tui.look.colors import OVER
from kumite.tui.look.roles import ROLES

if TYPE_CHECKING:
    from kumite.tui.keys import Handled
    from kumite.tui.look.glyphs import Look
    from kumite.tui.scenes.lines import Line
    from kumite.tui.shell import Shell


class Painted(Widget):
    """A widget that draws lines of (text, role)."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        self._role_styles: dict[str, Style] = {}
        super().__init__(id=id)

    @property
    def shell(self) -> Shell:
        """Return the app, as we have it."""
        return cast("Shell", self.app)

    @property
    def look(self) -> Look:
        """Return the glyphs of this terminal."""
        return self.shell.look

    def role_style(self, role: str) -> Style:
        """Return the style that the theme gives a role or an ink; "" is plain.

        A role without a paper stands on the ground of the widget.
        """
        style = self._role_styles.get(role)
        if style is None:
            style = self.rich_style  # blended from all ancestors each time: 0.1 ms
            palette = self.shell.palette
            if OVER in role:
                ink, paper, bold = palette.pen(role)
                style += Style(color=ink, bgcolor=paper, bold=bold)
            elif role:
                name, ground, bold = ROLES[role]
                on = palette.color(ground) if ground else None
                style += Style(color=palette.color(name), bgcolor=on, bold=bold)
            self._role_styles[role] = style
        return style

    def on_handled(self, message: Handled) -> None:
        """Show at once what a key has changed here: what it brings about elsewhere comes later."""
        if message.target is self and message.rounds:
            self.shell.paint(self)

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
