"""The player's record: matches and rating, by game."""

from __future__ import annotations

from datetime import date
from typing import Final

from textual.app import ComposeResult

from kumite.store import practice
from kumite.store.library import Library
from kumite.store.record import whole_record
from kumite.tui.play.recorded import NO_PICTURES, puzzle_lines, record_lines
from kumite.tui.scenes.lines import Line
from kumite.tui.screens.reading import ReadingScreen
from kumite.tui.settings import own_names

CHECKING: Final = 1.0  # s spent checking logs; the rest are checked on later visits


class RecordScreen(ReadingScreen):
    """Matches, streaks, openings and ratings from the saved matches, and puzzle results."""

    HELP = """\
A match is rated if you played one seat of it to the end, without hints and without
taking back. Matches with hints are counted separately. Your names are the ones in the settings.
A deleted match no longer counts.

Space turns the page, the arrows scroll by a line. / searches, n finds the next place."""

    def __init__(self) -> None:
        super().__init__("Your record", ())

    def compose(self) -> ComposeResult:
        library = Library()
        left = library.read(seconds=CHECKING)
        names = own_names(self.shell.settings)
        self._record, self._names = whole_record(library.all(), names), names
        self._more: tuple[Line, ...] = ()
        if of_puzzles := puzzle_lines(practice.load(), date.today()):
            self._more = ((), *of_puzzles)
        if left:
            more = f"{left} matches have not been checked yet; they count when you come back."
            self._more += ((), ((more, "quiet"),))
        yield from super().compose()

    def fit_lines(self) -> None:
        super().fit_lines()
        columns, look = self._pager.size.width, self.shell.look
        brush = NO_PICTURES if self.has_class("-print") else self.shell.brush
        lines = record_lines(self._record, self._names, look, brush, columns)
        self._pager.show((*lines, *self._more))
