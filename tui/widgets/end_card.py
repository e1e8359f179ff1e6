"""The result card beside the board at the end of a match; closing it shows players and log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kumite.tui.drawing.end_card import Ending, card_lines
from kumite.tui.scenes.lines import Line
from kumite.tui.widgets.field import Field
from kumite.tui.widgets.painted import Painted

if TYPE_CHECKING:
    from textual.strip import Strip


class EndCard(Painted):
    """Shows the result in place of the side panels."""

    DEFAULT_CSS = "EndCard { layer: card; display: none; background: $background; }"

    def __init__(self) -> None:
        super().__init__()
        self._lines: list[Line] = []

    def show(self, ending: Ending | None) -> None:
        """Show an ending; None: nothing."""
        field = self.screen.query_one(Field)
        place = field.make_room(is_ended=ending is not None)
        self._lines = []
        if ending is not None and place is not None:
            brush, look = self.shell.brush, self.look
            self._lines = card_lines(ending, brush, look, place.width, place.height)
            if not self._lines:  # it does not fit
                field.make_room(is_ended=False)
        self.display = bool(self._lines)
        if self._lines and place is not None:
            self.styles.width, self.styles.height = place.width, place.height
            self.styles.offset = (place.x, place.y)
            self.refresh(layout=True)

    def render_line(self, y: int) -> Strip:
        return self.strip(self._lines[y] if y < len(self._lines) else ())
