"""A task on a prepared position: one tries steps, is told why they miss it, and takes them back.

Lessons are made of tasks (lesson.py), and so is the try at what was better (trying.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final, TypeAlias

from textual.binding import Binding

from kumite.core.game import CHANCE, Setup, Step
from kumite.core.games import GAMES
from kumite.core.match import Match
from kumite.tui.play.local_table import LocalTable, default_names
from kumite.tui.scenes.lines import glued
from kumite.tui.screens.table import TableScreen
from kumite.tui.screens.table_keys import AT_THE_END
from kumite.tui.widgets.lines import Lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.binding import BindingType

    from kumite.core.game import Seats
    from kumite.tui.lessons.model import Task
    from kumite.tui.scenes import Line


Text: TypeAlias = tuple[str, str]  # what is said, and its role

BROADEST: Final = 100  # columns of text that are read with ease


class TaskTable(LocalTable):
    """A prepared position; only the learner acts, nothing is saved."""

    def __init__(self, game_id: str, task: Task, names: Sequence[str] = ()) -> None:
        game = GAMES[game_id]
        position = game.parse(task.position)
        setup = Setup.of(game, *game.setup_of(position))
        by = frozenset({task.seat}) if "?" in task.position else None
        self.task = task
        self.start = Match.begin(setup, by, position)
        super().__init__(self.start, names or default_names(setup.seats), None)

    @property
    def mine(self) -> Seats:
        """Return the learner's seat."""
        return frozenset({self.task.seat})

    @property
    def is_done(self) -> bool:
        """Return whether the task is done."""
        steps = self.match.steps()
        return bool(steps) and self.task.is_done(self.start.state, steps, self.match.state)

    @property
    def way(self) -> tuple[str, ...]:
        """Return the learner's own steps of a way to do it, as they are typed."""
        match, own = self.start, []
        for step in map(Step, self.task.solution):
            is_chance = CHANCE in match.actors
            own += [step] * (not is_chance)
            match = match.play(CHANCE if is_chance else self.task.seat, step)
        return tuple(own)

    @property
    def is_missed(self) -> bool:
        """Return whether as many steps were made as it takes, or none is left, in vain."""
        made = sum(played.actor == self.task.seat for played in self.match.steps())
        return not self.is_done and bool(made) and (self.is_stuck or made >= len(self.way))

    @property
    def why_not(self) -> str:
        """Return why what was done does not do it."""
        return self.task.why_not(self.start.state, self.match.steps(), self.match.state)

    @property
    def is_stuck(self) -> bool:
        """Return whether the learner cannot go on here."""
        actors = self.match.actors
        return not actors or any(actor not in (CHANCE, self.task.seat) for actor in actors)


class TaskScreen(TableScreen):
    """One task."""

    RESULT = "the task"
    HAS_TUTOR = False  # what misses the task is told by the task
    HINT: ClassVar[str] = "a hint"  # what a hint is here
    POINTS_AT_WAY: ClassVar[bool] = True  # whether the cursor stands where the way begins
    IN_HELP_ONLY = frozenset({"table.type", "table.rules", "lesson.again"})
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space", "next", "go on", id="lesson.next", priority=True),
        Binding("i", "hint", "hint", id="lesson.hint"),
        Binding("m", "again", "start over", id="lesson.again"),
        # What is asked here is no part of the rules: those stay at r.
        Binding("question_mark", "help", "help", id="lesson.help"),
    ]

    def __init__(self, table: TaskTable) -> None:
        self.is_helped = False
        self._pointed: object = None  # the position for which the cursor was put somewhere
        super().__init__(table)

    @property
    def task_table(self) -> TaskTable:
        """Return the table as what it is."""
        assert isinstance(self.table, TaskTable)
        return self.table

    @property
    def is_done(self) -> bool:
        """Return whether the task is done, and all that came of it has been seen."""
        return self.task_table.is_done and self.viewpoint.interlude is None

    @property
    def praise(self) -> str:
        """Return what is said when it is done."""
        return self.task_table.task.praise

    def with_hint(self, texts: list[Text]) -> list[Text]:
        """Return what is said with a hint: first of all that, and how it is typed."""
        table = self.task_table
        typed = f"Or type :{' '.join(table.way)}"
        return [(table.task.hint, "title"), (typed, "quiet"), *texts]

    def result_lines(self) -> tuple[Line, ...]:
        """Return the task in place of the facts, beside a board; else it stands below the table."""
        if not self.field.is_board:
            return ()
        columns = self.field.text_columns
        told = self.told_in(columns)
        if self.is_helped and self.field.side_columns and len(told) > self.rows_left:
            told = self._squeezed(told, columns)
        return told

    @property
    def rows_left(self) -> int:
        """Return how many rows beside the board nothing else takes."""
        side = self.query_one("#side")
        others = [one for one in side.children if one.display and one.id not in ("facts", "log")]
        frame = 2 * self.field.is_framed
        return side.size.height - frame - sum(one.outer_size.height for one in others)

    def _squeezed(self, told: tuple[Line, ...], columns: int) -> tuple[Line, ...]:
        """Return a hint and its task without empty rows; what is to be done comes last, and stays.

        Sentences of the task that have no room are left out, the first ones first.
        """
        text = " ".join(self.told[0].split())
        rows = glued(text, columns)
        head = [line for line in told if line][: -len(rows)]
        room = max(1, self.rows_left - len(head))
        while len(rows) > room and ". " in text:
            text = text.partition(". ")[2]
            rows = glued(text, columns)
        return (*head, *(((row, ""),) for row in rows))

    def told_in(self, columns: int) -> tuple[Line, ...]:
        """Return the task, or what has been learnt, or why it was missed; first of all a hint."""
        texts = [self.told]
        if self.is_helped and not self.is_done:
            texts = self.with_hint(texts)
        gap = [()] * self.field.is_board  # below a table, rows are dear
        lines: list[Line] = []
        for text, role in texts:
            lines += gap * bool(lines)
            lines += [((part, role),) for part in glued(text, columns)]
        return tuple(lines)

    @property
    def told(self) -> Text:
        """Return the task, or what has been learnt, or why it was missed."""
        table = self.task_table
        if self.is_done:
            return self.praise, "gain"
        if table.is_missed and not self.viewpoint.interlude:
            return f"{table.why_not} u takes it back.", "loss"
        return table.task.text, ""

    @property
    def _below(self) -> tuple[Line, ...]:
        """Return what stands below the table."""
        return () if self.field.is_board else self.told_in(min(BROADEST, self.app.size.width - 4))

    @property
    def company_rows(self) -> int:
        """Return how many rows stand below the table."""
        return len(self._below)

    def show_words(self) -> None:
        """Say what there is to say, also below the table."""
        super().show_words()
        self.query_one("#company", Lines).show(self._below)

    def ending(self) -> None:
        """Show no card: a task that ends with a match won goes on."""

    def show_log(self) -> None:
        """Show no log: there is a text to read."""
        self.query_one("#log", Lines).display = False

    def hover_line(self, name: str) -> Line:
        """Return what to do next, if it is not a step of the task."""
        if self.viewpoint.interlude:
            return super().hover_line(name)
        if self.is_done:
            return (("Done.", "gain"), (f"  Enter: {self.next_said}", "quiet"))
        if self.task_table.is_stuck:
            return ((f"u: take back   m: start over   i: {self.HINT}", "key"),)
        return super().hover_line(name)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Let Enter go on only when the task is done."""
        if action == "next":
            return self.is_done or self.viewpoint.interlude is not None
        if action == "hint":
            return not self.is_done
        if action in ("rematch", "resign", *AT_THE_END):
            return False
        return super().check_action(action, parameters)

    @property
    def next_said(self) -> str:
        """Return what Enter does when the task is done."""
        return "go on"

    def action_next(self) -> None:
        """Go on from an interlude, or from a task that is done."""
        if self.viewpoint.interlude:
            self.action_go_on()
        else:
            self.go_on()

    def go_on(self) -> None:
        """Go where one goes when the task is done."""
        self.action_back()

    def show_table(self) -> None:
        """Show the position, at first with the cursor on the piece with which one begins."""
        super().show_table()
        table = self.task_table
        is_new = self._pointed is not table.start
        if self.POINTS_AT_WAY and is_new and self.choice is not None:
            self._pointed = table.start
            first = self.choice.parts.get(Step(table.way[0]), ())
            if len(first) > 1:  # a step of one part would be the answer
                self.field.point(first[0])
                self.show_hint()

    def action_again(self) -> None:
        """Begin the task anew."""
        self.table = self.anew()
        self.is_helped = False
        self.show_table()

    def anew(self) -> TaskTable:
        """Return the table as it was at first."""
        return TaskTable(self.table.match.game.ID, self.task_table.task)

    def action_hint(self) -> None:
        """Help, below the task: it stays there until the task is done."""
        self.is_helped = True
        self.fit_table(self.app.size)
        self.show_words()
