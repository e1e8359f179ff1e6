"""What lies in the middle of a table without a board. Only looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.strip import Strip

from kumite.tui.drawing.tabletop import tabletop_rows
from kumite.tui.widgets.painted import Painted

if TYPE_CHECKING:
    from kumite.tui.scenes.lines import Line
    from kumite.tui.scenes.model import Scene


class Tabletop(Painted):
    """Draw a climb, a stage, cards, as large as the widget is."""

    def __init__(self, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._scene: Scene | None = None
        self._has_hand = False
        self._rows: tuple[Line, ...] = ()
        self._drawn: object = None  # what the rows were drawn for

    def show(self, scene: Scene, *, has_hand: bool) -> None:
        """Show what a scene has on the table; `has_hand`: a hand lies below it."""
        if (scene, has_hand) != (self._scene, self._has_hand):
            self._scene, self._has_hand = scene, has_hand
            self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw one line."""
        if self._scene is None:
            return Strip.blank(self.size.width)
        brush, size = self.shell.brush, self.size
        wanted = (self._scene, self._has_hand, brush, size)
        if wanted != self._drawn:
            self._rows = tabletop_rows(
                self._scene, brush, size.width, size.height, has_hand=self._has_hand
            )
            self._drawn = wanted
        return self.strip(self._rows[y] if y < len(self._rows) else ())
