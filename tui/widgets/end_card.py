"""The card at the end of a match, over its board: it can be put aside to look at that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.geometry import Offset

from kumite.tui.drawing.end_card import MARGIN, Ending, card_lines, whole_at
from kumite.tui.scenes.lines import line_width
from kumite.tui.widgets.painted import Painted

if TYPE_CHECKING:
    from textual.geometry import Region
    from textual.strip import Strip

    from kumite.tui.scenes.lines import Line


class EndCard(Painted):
    """Show how a match ended, at the right, where words are; of the board, all that has room."""

    DEFAULT_CSS = "EndCard { layer: card; display: none; background: $background; }"

    def __init__(self, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._lines: list[Line] = []

    def show(self, ending: Ending | None, keys: tuple[tuple[str, str], ...], over: Region) -> None:
        """Show an ending over a region; None: nothing."""
        if ending is not None:
            self._lines = card_lines(ending, keys, self.look, over.width, over.height)
        self.display = ending is not None and bool(self._lines)
        if not self.display:
            return
        wide, high = line_width(self._lines[0]), len(self._lines)
        columns = range(over.x, over.right - wide - MARGIN + 1)
        left = whole_at(self._lines, columns, self._seams())
        # What would be left of words between card and edge looks like a fault.
        self.styles.width, self.styles.height = over.right - left, high
        self.styles.offset = Offset(left, over.y + (over.height - high) // 2)
        self.refresh(layout=True)

    def _seams(self) -> set[int]:
        """Return the columns where something below the card begins or ends."""
        below = (one.region for one in self.screen.query("*") if one is not self)
        return {column for region in below for column in (region.x, region.right)}

    def render_line(self, y: int) -> Strip:
        """Draw one line."""
        return self.strip(self._lines[y] if y < len(self._lines) else ())
