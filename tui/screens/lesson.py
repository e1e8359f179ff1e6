"""Lessons: a task after the other on prepared positions, judged by the rules themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from textual.binding import Binding

from kumite.core.errors import KumiteError
from kumite.core.game import CHANCE, Setup, Step
from kumite.core.games import GAMES
from kumite.core.match import Match
from kumite.store import progress
from kumite.tui.lessons import LESSONS
from kumite.tui.play.local_table import LocalTable, default_names
from kumite.tui.scenes.lines import wrap
from kumite.tui.screens.lessons_after import LEVEL, table_after
from kumite.tui.screens.table import TableScreen
from kumite.tui.screens.table_keys import AT_THE_END
from kumite.tui.widgets.lines import Lines

if TYPE_CHECKING:
    from textual.binding import BindingType

    from kumite.core.game import Seats
    from kumite.tui.lessons.model import Task
    from kumite.tui.scenes import Line


BROADEST: Final = 100  # columns of text that are read with ease


class LessonTable(LocalTable):
    """A prepared position; only the learner acts, nothing is saved."""

    def __init__(self, game_id: str, task: Task) -> None:
        game = GAMES[game_id]
        position = game.parse(task.position)
        setup = Setup.of(game, *game.setup_of(position))
        by = frozenset({task.seat}) if "?" in task.position else None
        names = default_names(setup.seats)
        self.task = task
        self.start = Match.begin(setup, by, position)
        super().__init__(self.start, names, None)

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


class LessonScreen(TableScreen):
    """One task of a lesson."""

    HELP = """\
Do what the text beside the board says, with the keys of every table. u takes back,
i shows one way to do it, m starts over, Enter goes on when it is done; what was
learnt is kept. q leads back to the list of tasks."""
    RESULT = "the task"
    LEAVING = "q leads back to the list of tasks"
    IN_HELP_ONLY = frozenset({"table.type", "lesson.again"})
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space", "next", "go on", id="lesson.next", priority=True),
        Binding("i", "hint", "hint", id="lesson.hint"),
        Binding("m", "again", "start over", id="lesson.again"),
    ]

    def __init__(self, game_id: str, number: int = 0) -> None:
        self.game_id, self.number = game_id, number
        self._is_helped = False
        self._pointed: object = None  # the position for which the cursor was put somewhere
        super().__init__(LessonTable(game_id, LESSONS[game_id].TASKS[number]))

    @property
    def lesson(self) -> LessonTable:
        """Return the table as what it is."""
        assert isinstance(self.table, LessonTable)
        return self.table

    @property
    def is_done(self) -> bool:
        """Return whether the task is done, and all that came of it has been seen."""
        return self.lesson.is_done and self.viewpoint.interlude is None

    def title_line(self) -> Line:
        """Return which task of which lesson this is, and whether it is done."""
        count = len(LESSONS[self.game_id].TASKS)
        game = self.table.match.game.TITLE
        done = "   done" if self.is_done else ""
        return (
            (f"{game}, lesson {self.number + 1} of {count}: ", "quiet"),
            (self.lesson.task.title, "title"),
            (done, "gain"),
        )

    def result_lines(self) -> tuple[Line, ...]:
        """Return the task in place of the facts, beside a board; else it stands below the table."""
        return self._told_in(self.field.text_columns) if self.field.is_board else ()

    def _told_in(self, columns: int) -> tuple[Line, ...]:
        """Return the task, or what has been learnt, or why it was missed; first of all a hint."""
        lesson, task = self.lesson, self.lesson.task
        if self.is_done:
            texts = [(task.praise, "gain")]
        elif lesson.is_missed and not self.viewpoint.interlude:
            texts = [(f"{lesson.why_not} u takes it back.", "loss")]
        else:
            texts = [(task.text, "")]
        if self._is_helped and not self.is_done:
            typed = f"Typed: {' '.join(lesson.way)}"
            texts = [(task.hint, "title"), (typed, "quiet"), *texts]
        gap = [()] * self.field.is_board  # below a table, rows are dear
        lines: list[Line] = []
        for text, role in texts:
            lines += gap * bool(lines)
            lines += [((part, role),) for part in wrap(text, columns)]
        return tuple(lines)

    @property
    def _below(self) -> tuple[Line, ...]:
        """Return what stands below the table."""
        return () if self.field.is_board else self._told_in(min(BROADEST, self.app.size.width - 4))

    @property
    def company_rows(self) -> int:
        """Return how many rows stand below the table."""
        return len(self._below)

    def show_words(self) -> None:
        """Say what there is to say, also below the table."""
        super().show_words()
        self.query_one("#company", Lines).show(self._below)

    def ending(self) -> None:
        """Show no card: a lesson that ends with a match won goes on."""

    def show_log(self) -> None:
        """Show no log: there is a text to read."""
        self.query_one("#log", Lines).display = False

    def hover_line(self, name: str) -> Line:
        """Return what to do next, if it is not a step of the task."""
        if self.viewpoint.interlude:
            return super().hover_line(name)
        if self.is_done:
            return (("Done.", "gain"), (f"  Enter: {self._next_said}", "quiet"))
        if self.lesson.is_stuck:
            return (("u: take back   m: start over   i: a hint", "key"),)
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
    def _is_last(self) -> bool:
        return self.number + 1 == len(LESSONS[self.game_id].TASKS)

    @property
    def _next_said(self) -> str:
        return f"now play against bot {LEVEL}" if self._is_last else "go on"

    def action_next(self) -> None:
        """Go to the next task; after the last, to a match against an easy bot."""
        if self.viewpoint.interlude:
            self.action_go_on()
            return
        if not self._is_last:
            self.app.switch_screen(LessonScreen(self.game_id, self.number + 1))
            return
        try:
            table = table_after(self.game_id, self.shell)
        except KumiteError as error:
            self.complain(error)
        else:
            self.app.switch_screen(TableScreen(table))

    def show_table(self) -> None:
        """Show the position, at first with the cursor on the piece with which one begins."""
        super().show_table()
        if self.is_done:
            try:
                progress.mark_done(self.game_id, self.lesson.task.title)
            except KumiteError as error:
                self.complain(error)
        if self._pointed is not self.lesson.start and self.choice is not None:
            self._pointed = self.lesson.start
            first = self.choice.parts.get(Step(self.lesson.way[0]), ())
            if len(first) > 1:  # a step of one part would be the answer
                self.field.point(first[0])
                self.show_hint()

    def action_again(self) -> None:
        """Begin the task anew."""
        self.table = LessonTable(self.game_id, self.lesson.task)
        self._is_helped = False
        self.show_table()

    def action_hint(self) -> None:
        """Help, below the task: it stays there until the task is done."""
        self._is_helped = True
        self.fit_table(self.app.size)
        self.show_words()
