"""Puzzles: the list with the puzzle of the day, and the screen of one, with a goal to reach."""

from __future__ import annotations

from asyncio import Lock, to_thread
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from functools import cached_property
from typing import ClassVar, Final

from textual.binding import Binding, BindingType

from kumite.core import bots
from kumite.core.errors import KumiteError
from kumite.core.game import Step
from kumite.core.games import GAMES
from kumite.core.match import Match
from kumite.store import practice
from kumite.store.practice import Practice
from kumite.tui.bots import advice
from kumite.tui.bots.judging import Judge
from kumite.tui.bots.looking import worth_after
from kumite.tui.play import explained, narration
from kumite.tui.play.tasks import AT_ONCE, LATER, NO_WIN, SHOWN, PuzzleTable, next_puzzle
from kumite.tui.puzzles import turns
from kumite.tui.puzzles.model import GONE, TURN, Puzzle, daily, games, line_of
from kumite.tui.puzzles.own import by_game
from kumite.tui.scenes import Scene
from kumite.tui.scenes.lines import Line, fold, width
from kumite.tui.screens.form_screen import BannerFormScreen
from kumite.tui.screens.reading import show_copied
from kumite.tui.screens.task import BROADEST, TaskScreen, Text
from kumite.tui.widgets.bindings import escape
from kumite.tui.widgets.field import ABOVE_AND_BELOW
from kumite.tui.widgets.form import Row
from kumite.tui.widgets.lines import Lines

DAILY: Final = "daily"
NAME: Final = 22  # columns of a game's name
BESIDE: Final = 6  # columns before a row and behind a name
NEXT: Final = "The next puzzle: those due for review, then new ones, easiest first."


class PuzzlesScreen(BannerFormScreen):
    """The solver's progress, and the next puzzle of each game."""

    HELP = """\
Enter starts the puzzle of the day, or a game's next puzzle: first those due for review,
then new ones, easiest first. A puzzle solved at the first try is due again after 1 day,
then 6 days, then ever later; one that you missed is due tomorrow. `3 back in 4+ days`
means that three puzzles will be due again, the first one in four days."""
    BINDINGS: ClassVar[list[BindingType]] = [escape("puzzles.back", show=True)]

    def __init__(self, game_id: str = "") -> None:
        """Put the cursor on a game's row, if one is named."""
        self._game = game_id
        super().__init__()

    def heading(self) -> Line:
        kept = practice.load()
        said = "Puzzles: one best turn, one try"
        if kept.longest:
            days = kept.days_at(date.today() - timedelta(days=1))
            said = f"Puzzles: {kept.row} solved in a row; {kept.longest} at best"
            said += f"; on {days} days running" * (days > 1)
        return ((said, "title"),)

    def rows(self) -> Sequence[Row]:
        kept, today = practice.load(), date.today()
        one = daily(today)
        known = kept.known.get(one.id)
        line: Line = ()
        if known is not None and known.due > today:
            line = (("   missed", "loss"),) if known.is_missed else (("   done", "gain"),)
        label = f"{'of the day':<12}{one.game.TITLE}"
        rows = [Row(DAILY, label, "The same for everyone today.", line=line), Row("", "")]
        for game_id, puzzles in by_game().items():
            every = [puzzle.id for puzzle in puzzles]
            whole = _fared(kept, every, today, BROADEST)
            said = _fared(kept, every, today, self.form_columns - NAME - BESIDE)
            more = f"{whole}. {NEXT}" if said != whole else NEXT
            label = f"{GAMES[game_id].TITLE:<{NAME}}"
            rows.append(Row(game_id, label, more, line=((f"   {said}", "quiet"),)))
        return rows

    def pictured(self, row: Row) -> Scene | None:
        puzzle = daily(date.today()) if row.key == DAILY else row.key and next_puzzle(row.key)
        return self.scene_of(PuzzleTable(puzzle)) if puzzle else None

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
        if key == DAILY:
            self.app.push_screen(PuzzleScreen(daily(date.today()), "puzzle of the day"))
            return
        following = next_puzzle(key)
        if following is None:
            raise KumiteError("none is new, and none is due today", hint="come back tomorrow")
        self.app.push_screen(PuzzleScreen(following))


WAYS: Final = 4  # wordings of an answer, longest first
BETWEEN: Final = 4  # rows for gaps and a frame
OUT_OF_REACH: Final = f"{NO_WIN}; u takes a step back."


class PuzzleScreen(TaskScreen):
    """One puzzle; once it is solved, Enter leads to the next."""

    HELP = """\
Do what the text says; the keys are the same as in a match. u takes a step back, m starts
over, i gives a hint about the answer, and i again all of it. The title shows the
difficulty: how few levels of bots find the answer, or how many replies have to be tried. A
puzzle solved at the first try is due again after a few days, each time later; one that you
missed is due tomorrow. Enter goes to the next puzzle, q leaves. r shows the rules, x copies
the puzzle for a chat as a line of text, without its answer."""
    LEAVING = "q leaves the puzzle"
    HINT = "the answer"
    POINTS_AT_WAY: ClassVar[bool] = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("x", "copy", "copy as a line", show=False, id="puzzle.copy")
    ]

    table: PuzzleTable

    def __init__(self, puzzle: Puzzle, said: str = "puzzle") -> None:
        """Show a puzzle; `said` is its name in the title, such as "puzzle of the day"."""
        self._said = said
        self._way = 0  # index of the answer's wording; higher is shorter
        self._clue = ""  # the first hint, while it is shown
        self._looking = Lock()  # one search at a time for whether the turn can still win
        super().__init__(PuzzleTable(puzzle))

    @property
    def puzzle(self) -> Puzzle:
        return self.table.puzzle

    @property
    def moment(self) -> str:
        return "found" if self.table.is_graded and not self.table.in_a_row else "solved"

    def title_line(self) -> Line:
        return (
            (f"{self.puzzle.game.TITLE}, ", "quiet"),
            (self._said, "title"),
            (f": {self.puzzle.difficulty}", "quiet"),
            (f"   {self.moment}" * self.is_shown_done, "gain"),
        )

    @property
    def told(self) -> Text:
        """Return the task, or that it was failed (for a turn, as soon as that is certain)."""
        return (OUT_OF_REACH, "loss") if self.table.is_lost else super().told

    def result_lines(self) -> tuple[Line, ...]:
        """Return the task text and as many of the scene's facts as fit below it."""
        columns = self.field.side_columns
        is_long = self.is_helped or self.table.is_missed
        for self._way in range(WAYS):
            self.table.brevity = self._way
            told = self.told_in(self.field.text_columns) if self.field.is_board else ()
            folded = [part for line in told for part in fold(line, columns or BROADEST)]
            if not (columns and is_long) or len(folded) <= self.rows_left:
                break
        if not told or not columns:
            return told
        facts = [
            part for line in self.field.facts(self.model.scene) for part in fold(line, columns)
        ]
        above = self.query_one("#seats", Lines).get_content_height(None, None, columns)
        room = self.app.size.height - ABOVE_AND_BELOW - above - len(told) - BETWEEN
        return (*told, (), *facts[:room]) if room > 0 else told

    def with_hint(self, texts: list[Text]) -> list[Text]:
        """Return the texts with the answer's beginning, or all of it as `_way` words it."""
        if self._clue:
            return [(f"{self._clue}; i again shows the answer.", "title"), *texts]
        made = tuple(played.step for played in self.table.match.steps())
        is_on_way = made == self.puzzle.answer[: len(made)]
        head = "The answer:" if is_on_way else "The answer, from the start (m):"
        (words, role), typed, *rest = super().with_hint(texts)
        whole = (f"{head} {words}.", role)
        ways = [whole, typed, *rest], [whole, typed], [whole], [(head, role), typed, *rest]
        return ways[self._way]

    @property
    def _has_clue(self) -> bool:
        is_on_way = self.table.next_on_way is not None and self.model.choice is not None
        return is_on_way and not self.is_helped

    def called(self, binding: Binding) -> str:
        if binding.id == "lesson.hint":
            return "hint" if self._has_clue else "answer"
        return super().called(binding)

    def show_table(self) -> None:
        super().show_table()
        if self.is_done or self.table.is_missed:
            self._keep_grade(AT_ONCE if self.is_done else LATER)

    def action_hint(self) -> None:
        step, choice = self.table.next_on_way, self.model.choice
        self._clue = ""
        if self._has_clue and step is not None and choice is not None:
            self._clue = self.table.clue(self.model.scene, choice)
            if len(parts := choice.parts.get(step, ())) > 1:
                self.field.point(parts[0])
        else:
            self._keep_grade(SHOWN)
        super().action_hint()

    def action_copy(self) -> None:
        show_copied(self.app, "The puzzle", line_of(self.puzzle))

    def _keep_grade(self, grade: int) -> None:
        if not self.table.is_graded:
            with self.complaining():
                self.table.grade(grade)
            if self.is_done:
                self.show_words()

    def after_step(self) -> None:
        """Start a bot on refuting a wrong step, or on whether the turn can still win."""
        super().after_step()
        table = self.table
        if self.puzzle.goal == TURN and not table.is_stuck and not table.is_lost:
            self.beside(self._look_on, table.match, table.tried, group="refute")
        elif self.puzzle.goal != TURN and table.is_missed and table.tried not in table.refuted:
            self.beside(self._refute, table.match, table.tried, group="refute")

    async def _look_on(self, match: Match, tried: tuple[Step, ...]) -> None:
        """Report when the turn can no longer win; searches run one at a time."""
        async with self._looking:
            table = self.table
            if table.tried == tried and await to_thread(
                turns.is_out_of_reach, self.puzzle, match.state
            ):
                table.lost.add(tried)
                if table.is_lost:
                    self._keep_grade(LATER)  # no trying each step until one works
                self.show_words()

    async def _refute(self, match: Match, tried: tuple[Step, ...]) -> None:
        table = self.table
        found = await to_thread(table.refutation, match)
        table.refuted[tried] = found or (await self._asked_of_a_bot(tried[0]),)
        if self.table.refuted is table.refuted:
            self.show_table()

    async def _asked_of_a_bot(self, step: Step) -> str:
        table, seat = self.table, self.puzzle.seat
        looking = worth_after(self.puzzle.start, seat, step)
        simulations = bots.usual(advice.LEVEL, self.puzzle.game.ID)
        names = table.shown_names
        called = narration.step_first(self.puzzle.start, step, names)
        try:
            worth = await Judge(self.shell.bot_service).answered(looking, simulations)
        except KumiteError as error:
            self.complain(error)
            return f"{called} is not it."
        said = f"{called} does not hold the win."
        if worth.answer is not None:
            lost = GONE[self.puzzle.goal]
            said = f"Then {explained.feared(worth.answer, names)}; {lost}."
        return said

    @property
    def next_said(self) -> str:
        return "the next puzzle" if self._following is not None else "back"

    @cached_property
    def _following(self) -> Puzzle | None:
        """Return the next puzzle for today, or None."""
        return next_puzzle(self.puzzle.game.ID, self.puzzle.id)

    def go_on(self) -> None:
        """Go to the next puzzle, or back if none is left for today."""
        if self._following is None:
            self.action_back()
        else:
            self.app.switch_screen(PuzzleScreen(self._following))


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
    later = [
        kept.known[one] for one in puzzles if one in kept.known and kept.known[one].due > today
    ]
    if not later:
        return ""
    count, first = len(later), (min(one.due for one in later) - today).days
    missed = sum(one.is_missed for one in later)
    which = (
        f"{count} missed," if missed == count else f"{count}{f' ({missed} missed)' * (missed > 0)}"
    )
    if first == 1:
        return f", {which} back{', first' * (count > 1)} tomorrow"
    return f", {which} back in {first}{'+' * (count > 1)} days"
