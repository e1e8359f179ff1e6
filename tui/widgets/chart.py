"""The course of a match among the side panels."""

from __future__ import annotations

from typing import Final

from kumite.core.match import Match
from kumite.tui.drawing.chart import SMALLEST, chart
from kumite.tui.drawing.places import FRAME
from kumite.tui.scenes.maker import maker
from kumite.tui.scenes.model import Tally
from kumite.tui.scenes.tallies import scores_over
from kumite.tui.widgets.field import LOG_ROWS, Field
from kumite.tui.widgets.lines import Lines

LEAST: Final = 5  # rows where the log has eight lines
SMALL: Final = 3  # and where it has three
LOGS: Final = (LOG_ROWS, 5, 4)  # rows of a log of eight lines, of three and of two
AIRY: Final = 13  # least rows of a chart, besides as many as are left between two panels


class Chart(Lines):
    """Draws how the score went, where the side has rows that nothing else there needs."""

    def __init__(self) -> None:
        super().__init__(id="chart")
        self._tallies: dict[bytes, tuple[Tally, ...]] = {}  # by digest, of the positions so far

    def draw(self, match: Match, view: object) -> None:
        """Draw the scores of `match` so far, the last as in `view`, which the table shows."""
        field, side = self.screen.query_one(Field), self.screen.query_one("#side")
        size, columns = self.app.size, field.side_columns
        logs = [*side.query("#log, .-log")]
        # By their contents: while a window changes its size, they still have their old ones.
        others = [
            one.get_content_height(size, size, columns) + FRAME
            for one in side.children
            if one.display and one not in logs and not one.has_class("-empty") and one is not self
        ]
        free, gap = field.side_rows - sum(others) - FRAME, 2
        long, short, least = (free - rows * bool(logs) for rows in LOGS)
        while gap and long - gap * (len(others) + 1) < AIRY + gap:
            gap -= 1
        rows = min(field.side_rows // 2, long - gap * (len(others) + 1))
        low = max(SMALLEST, short)
        line = match.line() if field.is_framed and least >= SMALLEST else ()
        scores = scores_over(line, self._tallies, has_course=True) if line else []
        if rows < LEAST and side.query(".-log"):  # a list to choose from is never low
            rows = 0
        elif rows < LEAST:  # both are low
            rows = min(LEAST, low, max(SMALL, low // 2 + 1, len(scores) + 1))
        makes = maker(match)
        for (_, values), one in zip(scores, makes.tallies(view), strict=False):
            values[-1] = one.drawn
        is_drawn = 0 < len(scores) < rows + (rows == SMALLEST)
        side.set_class(gap == 1, "-airy").set_class(gap == 2, "-airier")
        side.set_class(is_drawn, "-charted")
        if is_drawn:
            self.border_title = makes.COURSE
            tally = self._tallies[match.digest][0]
            levels = tally.whole, tally.most
            self.show(chart(scores, columns, rows, self.look, self.shell.brush.signs, *levels))
