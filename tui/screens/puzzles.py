"""The list of puzzles: the puzzle of the day, and the next one of each game."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING, ClassVar, Final

from kumite.core.errors import KumiteError
from kumite.core.games import GAMES
from kumite.store import practice
from kumite.tui.play.tasks import PuzzleTable, next_puzzle
from kumite.tui.puzzles.model import daily, games
from kumite.tui.puzzles.own import by_game
from kumite.tui.scenes.lines import width
from kumite.tui.screens.form_screen import BannerFormScreen
from kumite.tui.screens.puzzle import PuzzleScreen
from kumite.tui.widgets.bindings import escape
from kumite.tui.widgets.form import Row

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from textual.binding import BindingType

    from kumite.store.practice import Practice
    from kumite.tui.scenes.lines import Line

DAILY: Final = "daily"
NAME: Final = 22  # columns of a game's name
BESIDE: Final = 10  # columns for the edges, before a row and behind a name
NEXT: Final = "The next puzzle: what is due again, then new ones, the easier first."


class PuzzlesScreen(BannerFormScreen):
    """The solver's progress, and the puzzles to go on with."""

    HELP = """\
Enter begins the puzzle of the day, or the next one of a game: first what is due again,
then what is new, the easier ones first. What is solved at the first try comes back
after 1 day, 6 days, and then at growing distances; what was not, tomorrow. `3 back in
4+ days` says that the first of three comes back in four days."""
    BINDINGS: ClassVar[list[BindingType]] = [escape("puzzles.back", show=True)]

    def __init__(self, game_id: str = "") -> None:
        """Put the cursor on a game's row, if one is named."""
        self._game = game_id
        super().__init__()

    @property
    def banner_title(self) -> str:
        kept = practice.load()
        if not kept.longest:  # no streak to show yet
            return "Puzzles: one best turn, one try"
        said = f"Puzzles: {kept.row} solved in a row; {kept.longest} at best"
        days = kept.days_at(date.today() - timedelta(days=1))
        return said + f"; on {days} days running" * (days > 1)

    def rows(self) -> Sequence[Row]:
        kept, today = practice.load(), date.today()
        rows = []
        if (one := daily(today)) is not None:
            is_done = one.id in kept.known and kept.known[one.id].due > today
            line: Line = (("   done", "gain"),) if is_done else ()
            label = f"{'of the day':<12}{one.game.TITLE}"
            rows += [Row(DAILY, label, "The same for everybody today.", line=line), Row("", "")]
        for game_id, puzzles in by_game().items():
            every = [puzzle.id for puzzle in puzzles]
            said = _fared(kept, every, today, self.app.size.width - NAME - BESIDE)
            label = f"{GAMES[game_id].TITLE:<{NAME}}"
            rows.append(Row(game_id, label, NEXT, line=((f"   {said}", "quiet"),)))
        return rows or [Row("", "There are no puzzles.")]

    def pictured(self, row: Row) -> PuzzleTable | None:
        puzzle = daily(date.today()) if row.key == DAILY else row.key and next_puzzle(row.key)
        return PuzzleTable(puzzle) if puzzle else None

    def fit_lines(self) -> None:
        super().fit_lines()
        if self.query("#form"):
            self.show_again()

    def on_screen_resume(self) -> None:
        if not self.query("#form"):
            return
        self.show_again()
        if self._game in games():
            self.form.go(self._game)
            self._game = ""
        self.selected(self.form.row)

    def chosen(self, key: str) -> None:
        """Open a puzzle.

        Raises:
            KumiteError: none is left for today.
        """
        if key == DAILY:
            found = daily(date.today())
            assert found is not None
            self.app.push_screen(PuzzleScreen(found, "puzzle of the day"))
            return
        following = next_puzzle(key)
        if following is None:
            raise KumiteError("none is new, and none is due today", hint="come back tomorrow")
        self.app.push_screen(PuzzleScreen(following))


def _fared(kept: Practice, puzzles: Sequence[str], today: date, columns: int) -> str:
    """Summarise progress with puzzles; parts that do not fit are dropped, not cut."""
    due, new = len(kept.due(puzzles, today)), sum(one not in kept.known for one in puzzles)
    again, of = f"{due} again, " * bool(due), f" of {len(puzzles)}"
    later = _later(kept, puzzles, today)
    ways = (f"{of}{later}", later, of)
    return next(
        (said for way in ways if width(said := f"{again}{new} new{way}") <= columns),
        f"{again}{new} new",
    )


def _later(kept: Practice, puzzles: Iterable[str], today: date) -> str:
    days = [(kept.known[one].due - today).days for one in puzzles if one in kept.known]
    later = [number for number in days if number > 0]
    if not later:
        return ""
    several, first = len(later) > 1, min(later)
    if first == 1:
        return f", {len(later)} back{', first' * several} tomorrow"
    return f", {len(later)} back in {first}{'+' * several} days"
