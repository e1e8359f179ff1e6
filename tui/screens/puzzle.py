"""The screen of one puzzle: a position with a goal to reach."""

from __future__ import annotations

from asyncio import Lock, to_thread
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Final

from textual.binding import Binding

from kumite.core import bots
from kumite.core.errors import KumiteError
from kumite.core.game import Seat, Step
from kumite.store import guest_mode, practice
from kumite.tui.bots import advice
from kumite.tui.bots.judging import Judge
from kumite.tui.bots.looking import Answer, worth_after
from kumite.tui.lessons.judging import Goal, Task
from kumite.tui.play import explained, narration
from kumite.tui.play.local_table import default_names
from kumite.tui.puzzles import making, turns
from kumite.tui.puzzles.model import GOALS, GONE, HOLD, TURN, TURNS, line_of
from kumite.tui.puzzles.own import by_game
from kumite.tui.scenes.lines import fold
from kumite.tui.screens.task import BROADEST, TaskScreen, TaskTable, Text
from kumite.tui.widgets.field import ABOVE_AND_BELOW
from kumite.tui.widgets.lines import Lines

if TYPE_CHECKING:
    from textual.binding import BindingType

    from kumite.core.match import Match
    from kumite.core.table import Table
    from kumite.tui.puzzles.model import Puzzle
    from kumite.tui.scenes import Line

AT_ONCE, LATER, SHOWN = 5, 2, 1  # SM-2 grades
WAYS: Final = 4  # wordings of an answer, longest first
BETWEEN: Final = 4  # rows for gaps and a frame
COPIED: Final = "The puzzle is copied as a line for a chat{{; `kumite open` opens it|}}."
OUT_OF_REACH: Final = "No win is left in this turn; u takes a step back."
ON: Final = "The turn is over, and the match goes on. There is a win in it."


class PuzzleTable(TaskTable):
    """The position of a puzzle; no other player answers the solver's steps."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.refuted: dict[tuple[Step, ...], tuple[str, ...]] = {}  # by attempt: refutations
        # in several wordings, longest first
        self.brevity = 0  # index of the wording to show
        self.lost: set[tuple[Step, ...]] = set()  # beginnings of turns that can no longer win
        names = default_names(puzzle.start.setup.seats)
        task = Task(
            title=GOALS[puzzle.goal],
            text=making.task(puzzle, names),
            position=puzzle.position,
            seat=puzzle.seat,
            goal=Goal(lambda tried: puzzle.is_solved(tried.match), self._why_not),
            hint=narration.run_of(puzzle.start, puzzle.seat, puzzle.answer, names),
            praise="",
            solution=puzzle.answer,
        )
        super().__init__(puzzle.game.ID, task, names)

    def _with_chance(self, table: Table) -> Table:
        """Return the table unchanged: chance is not resolved in a puzzle."""
        return table

    @property
    def is_missed(self) -> bool:
        """Whether the attempt has ended without the answer."""
        return self.is_stuck and not self.is_done

    @property
    def is_decided(self) -> bool:
        return self.puzzle.goal not in TURNS and bool(self.match.steps())

    @property
    def acting(self) -> Seat | None:
        """Return the solver until the puzzle is decided; after that nobody acts."""
        return None if self.is_decided else super().acting

    @property
    def tried(self) -> tuple[Step, ...]:
        """Return the steps that are compared with the answer: the whole turn or its first step."""
        made = tuple(played.step for played in self.match.steps())
        return made if self.puzzle.goal in TURNS else made[:1]

    @property
    def is_stuck(self) -> bool:
        """Whether the puzzle is decided, or the solver is not among the seats to act."""
        return self.is_decided or self.puzzle.seat not in self.match.actors

    @property
    def is_lost(self) -> bool:
        """Whether the turn continues but is known to be unable to win."""
        tried, ends = self.tried, range(1, len(self.tried) + 1)
        return not self.is_stuck and any(tried[:end] in self.lost for end in ends)

    def _why_not(self, *_: object) -> str:
        if self.puzzle.goal == TURN:
            return ON
        said = self.refuted.get(self.tried, ("A bot looks for what comes of it ...",))
        return said[min(self.brevity, len(said) - 1)]


class PuzzleScreen(TaskScreen):
    """One puzzle; once it is solved, Enter leads to the next."""

    HELP = """\
Do what the text says, with the keys of every table. u takes a step back, m starts
over, i shows the answer. The title says how hard it is: easy ones bot 2 or a weaker one
finds, very hard ones no bot at once. What is solved at the first try comes back after some days,
later each time; what was not, tomorrow. Enter goes on to the next puzzle, q leaves. r
shows the rules, x copies the puzzle as a line of text for a chat, without its answer
in words."""
    LEAVING = "q leaves the puzzle"
    HINT = "the answer"
    POINTS_AT_WAY: ClassVar[bool] = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("x", "copy", "copy as a line", show=False, id="puzzle.copy")
    ]

    def __init__(self, puzzle: Puzzle, said: str = "puzzle") -> None:
        """Show a puzzle; `said` is its name in the title, such as "puzzle of the day"."""
        self._said = said
        self._is_kept = False  # whether a grade was recorded; only the first try counts
        self._way = 0  # index of the answer's wording; higher is shorter
        self._looking = Lock()  # one search at a time for whether the turn can still win
        self._in_a_row = 0  # puzzles solved at the first try, including this one; 0 if it was not
        super().__init__(PuzzleTable(puzzle))

    @property
    def puzzle(self) -> Puzzle:
        return self._table.puzzle

    @property
    def _table(self) -> PuzzleTable:
        assert isinstance(self.table, PuzzleTable)
        return self.table

    def title_line(self) -> Line:
        return (
            (f"{self.puzzle.game.TITLE}, ", "quiet"),
            (self._said, "title"),
            (f": {self.puzzle.difficulty}", "quiet"),
            ("" if not self.is_done else "   found" if self._was_missed else "   solved", "gain"),
        )

    @property
    def praise(self) -> str:
        if self._in_a_row:
            return f"Solved at the first try; {self._in_a_row} in a row."
        return "That is it, but not at the first try. It comes back tomorrow."

    @property
    def told(self) -> Text:
        """Return the task, or that it was failed (for a turn, as soon as that is certain)."""
        return (OUT_OF_REACH, "loss") if self._table.is_lost else super().told

    @property
    def _was_missed(self) -> bool:
        """Whether a grade was recorded and it was not "solved at the first try"."""
        return self._is_kept and not self._in_a_row

    def result_lines(self) -> tuple[Line, ...]:
        """Return the task text and as many of the scene's facts as fit below it."""
        columns = self.field.side_columns
        is_long = self.is_helped or self._table.is_missed
        for self._way in range(WAYS):
            self._table.brevity = self._way
            told = self.told_in(self.field.text_columns) if self.field.is_board else ()
            folded = [part for line in told for part in fold(line, columns or BROADEST)]
            if not (columns and is_long) or len(folded) <= self.rows_left:
                break
        if not told or not columns:
            return told
        facts = [part for line in self.model.scene.facts for part in fold(line, columns)]
        above = self.query_one("#seats", Lines).get_content_height(None, None, columns)
        room = self.app.size.height - ABOVE_AND_BELOW - above - len(told) - BETWEEN
        return (*told, (), *facts[:room]) if room > 0 else told

    def with_hint(self, texts: list[Text]) -> list[Text]:
        """Return the texts with the answer, in the wording that `_way` selects."""
        made = tuple(played.step for played in self.table.match.steps())
        is_on_way = made == self.puzzle.answer[: len(made)]
        head = "The answer:" if is_on_way else "The answer, from the start (m):"
        (words, role), typed, *rest = super().with_hint(texts)
        whole = (f"{head} {words}.", role)
        ways = [whole, typed, *rest], [whole, typed], [whole], [(head, role), typed, *rest]
        return ways[self._way]

    def called(self, binding: Binding) -> str:
        return "answer" if binding.id == "lesson.hint" else super().called(binding)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "analyse" and not self.is_done:
            return False
        return super().check_action(action, parameters)

    def show_table(self) -> None:
        super().show_table()
        if self.is_done or self._table.is_missed:
            self._keep_grade(AT_ONCE if self.is_done else LATER)

    def action_hint(self) -> None:
        self._keep_grade(SHOWN)
        super().action_hint()

    def action_copy(self) -> None:
        """Copy the puzzle as a line of text to the terminal's clipboard (OSC 52)."""
        self.app.copy_to_clipboard(line_of(self.puzzle))
        self.say(guest_mode.suited(COPIED), "quiet")

    def _keep_grade(self, grade: int) -> None:
        if self._is_kept:
            return
        known = practice.load().answered(self.puzzle.id, grade, date.today())
        self._is_kept, self._in_a_row = True, known.row if grade == AT_ONCE else 0
        try:
            practice.save(known)
        except KumiteError as error:
            self.complain(error)
        if self.is_done:
            self.show_words()

    def after_step(self) -> None:
        """Start a bot on refuting a wrong step, or on whether the turn can still win."""
        super().after_step()
        table = self._table
        if self.puzzle.goal == TURN and not table.is_stuck and not table.is_lost:
            self.beside(self._look_on, table.match, table.tried, group="refute")
        elif self.puzzle.goal != TURN and table.is_missed and table.tried not in table.refuted:
            self.beside(self._refute, table.match, table.tried, group="refute")

    async def _look_on(self, match: Match, tried: tuple[Step, ...]) -> None:
        """Report when the turn can no longer win; searches run one at a time."""
        async with self._looking:
            table = self._table
            if table.tried == tried and await to_thread(
                turns.is_out_of_reach, self.puzzle, match.state
            ):
                table.lost.add(tried)
                if table.is_lost:
                    self._keep_grade(LATER)  # no trying each step until one works
                self.show_words()

    async def _refute(self, match: Match, tried: tuple[Step, ...]) -> None:
        table, puzzle = self._table, self.puzzle
        against = making.puzzles_of(puzzle.game.ID).against
        if puzzle.goal == HOLD:
            table.refuted[tried] = await self._win_after(match)
        elif against is None:
            table.refuted[tried] = (await self._asked_of_a_bot(tried[0]),)
        else:
            names = table.shown_names
            table.refuted[tried] = (await to_thread(against, puzzle, tried[0], names),)
        if self._table.refuted is table.refuted:
            self.show_table()

    async def _win_after(self, match: Match) -> tuple[str, ...]:
        """Return the opponent's win after a failed defence, in words and in notation."""
        win = await to_thread(turns.win_after, self.puzzle, match.state)
        other, names = Seat(1 - self.puzzle.seat), self._table.shown_names
        told = narration.run_of(match, other, win, names)
        # The outcome first: the list of steps can be long.
        return f"Then {names[other]} wins: {told}.", f"Then {names[other]} wins: {' '.join(win)}."

    async def _asked_of_a_bot(self, step: Step) -> str:
        table, seat = self._table, self.puzzle.seat
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
            other, feared = worth.answer
            after = self.puzzle.start.play(seat, step)
            lost = GONE[self.puzzle.goal]
            said = f"Then {explained.feared(Answer(after, other, feared), names)}; {lost}."
        return said

    def anew(self) -> PuzzleTable:
        """Return a fresh table that keeps what is known about tried steps."""
        again = PuzzleTable(self.puzzle)
        again.refuted, again.lost = self._table.refuted, self._table.lost
        return again

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


def next_puzzle(game_id: str, before: str = "") -> Puzzle | None:
    """Return the next due or new puzzle of a game after `before`, or None."""
    every = {one.id: one for one in by_game().get(game_id, ()) if one.id != before}
    found = practice.load().following(every, date.today())
    return None if found is None else every[found]
