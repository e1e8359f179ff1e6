"""A task on a prepared position: the player tries steps and learns why they fail.

Used by lessons (lessons.py), puzzles (puzzles.py) and retries of turning points (review.py).
"""

from __future__ import annotations

from itertools import zip_longest
from typing import ClassVar, Final, TypeAlias

from textual.binding import Binding, BindingType

from kumite.tui.drawing.lettering import ROWS, large
from kumite.tui.drawing.panel import filled
from kumite.tui.play.table_model import AT_THE_END
from kumite.tui.play.tasks import TaskTable
from kumite.tui.scenes import Line
from kumite.tui.scenes.lines import ended, glued, line_width
from kumite.tui.screens.table import TableScreen
from kumite.tui.widgets.lines import Lines

Text: TypeAlias = tuple[str, str]  # a text and its role

BESIDE: Final = 3  # columns between large letters and the praise
LEAST_PRAISE: Final = 24  # columns of praise beside them
BROADEST: Final = 100  # widest comfortable line of text, in columns


class TaskScreen(TableScreen):
    """One task."""

    RESULT = "the task"
    FACES_OWN_CAMP = False  # a position is drawn as its task describes it
    HAS_TUTOR = False  # the task itself explains mistakes
    HINT: ClassVar[str] = "a hint"  # name of the hint
    POINTS_AT_WAY: ClassVar[bool] = True  # whether the cursor starts on the solution's first part
    IN_HELP_ONLY = frozenset({"table.type", "table.rules", "lesson.again"})
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space", "next", "go on", id="lesson.next", priority=True),
        Binding("i", "hint", "hint", id="lesson.hint"),
        Binding("m", "again", "start over", id="lesson.again"),
        # A task is not part of the rules, so ? shows help; r shows the rules.
        Binding("question_mark", "help", "help", id="lesson.help"),
    ]

    table: TaskTable
    is_helped = False
    _pointed_at: object = None  # the position for which the cursor was placed
    _was_moving = False  # when the last key was pressed

    @property
    def is_done(self) -> bool:
        return self.table.is_done and self.model.interlude is None

    @property
    def is_decided(self) -> bool:
        return self.is_done

    @property
    def is_shown_done(self) -> bool:
        """True if the task is done and the praise can be read: after the motion."""
        return self.is_done and not self.moving.is_running

    def before_key(self) -> None:
        self._was_moving = self.moving.is_running
        super().before_key()

    def with_hint(self, texts: list[Text]) -> list[Text]:
        """Return `texts` preceded by the hint and how to type the solution."""
        table = self.table
        how = "Or" if table.way_left or not table.SHOWS_WAY else "m starts over; then"
        typed = f"{how} type :{' '.join(table.way_left or table.way)}"
        return [(table.hint, "title"), (typed, "quiet"), *texts]

    def result_lines(self) -> tuple[Line, ...]:
        """Return the task text if there is a board; otherwise it is shown below the table."""
        if not self.field.is_board:
            return ()
        columns = self.field.text_columns
        told = self.told_in(columns)
        is_tight = self.is_helped or self.has_class("-print")
        if is_tight and self.field.side_columns and len(told) > self.rows_left:
            told = self._squeezed(told, columns)
        return told

    @property
    def rows_left(self) -> int:
        """Return the number of free rows beside the board."""
        side = self.query_one("#side")
        others = [one for one in side.children if one.display and one.id not in ("facts", "log")]
        frame = 2 * self.field.is_framed
        return side.size.height - frame - sum(one.outer_size.height for one in others)

    def _squeezed(self, told: tuple[Line, ...], columns: int) -> tuple[Line, ...]:
        """Return a hint and its task without empty rows.

        If there is no room, the first sentences of the task are dropped, below a hint all but the
        last one: it is the instruction.
        """
        text = " ".join(self.told[0].split())
        rows = glued(text, columns)
        head = [line for line in told if line][: -len(rows)]
        room = max(1, self.rows_left - len(head))
        if head and len(rows) > room:
            rows = glued(text.split(". ")[-1], columns)
        while len(rows) > room and ". " in text:
            text = text.partition(". ")[2]
            rows = glued(text, columns)
        return (*head, *(((row, ""),) for row in rows))

    def told_in(self, columns: int) -> tuple[Line, ...]:
        """Return the task, the praise or the reason for failure, after the hint if one is shown."""
        texts, moment = [self.told], self._moment_in(columns)
        if self.is_helped and not self.is_done:
            texts = self.with_hint(texts)
        gap = [()] * self.field.is_board  # rows are scarce below a table
        lines: list[Line] = []
        for text, role in texts:
            lines += gap * bool(lines)
            if moment and not gap:
                room = columns - line_width(moment[0]) - BESIDE
                praise = (((part, role),) for part in glued(text, room))
                both = zip_longest(moment, praise, fillvalue=())
                wide = line_width(moment[0]) + BESIDE
                return tuple((*filled(one, wide), *other) for one, other in both)
            lines += [((part, role),) for part in glued(text, columns)]
        return (*moment, (), *lines) if moment else tuple(lines)

    @property
    def moment(self) -> str:
        """The word that a finished task shows in large letters."""
        return "done"

    def _moment_in(self, columns: int) -> tuple[Line, ...]:
        """Return that word where it leaves room for the praise, else ()."""
        drawn = large(self.moment, "gain") if self.is_shown_done and self.look.is_drawn else ()
        is_board, praise = self.field.is_board, self.told[0]
        room = columns - bool(not is_board) * (LEAST_PRAISE + BESIDE)
        if not drawn or line_width(drawn[0]) > room or self.has_class("-print"):
            return ()
        has_room = not is_board or ROWS + 1 + len(glued(praise, columns)) <= self.rows_left
        return drawn if has_room else ()

    @property
    def told(self) -> Text:
        table = self.table
        if self.is_done:
            return table.praise, "gain"
        if table.is_missed and not self.model.interlude:
            return f"{table.why_not} u takes it back.", "loss"
        return table.task.text, ""

    @property
    def _below(self) -> tuple[Line, ...]:
        return () if self.field.is_board else self.told_in(min(BROADEST, self.app.size.width - 4))

    @property
    def company_rows(self) -> int:
        return len(self._below)

    def show_title(self) -> None:
        """Show the title, without its first part if there is no room for it."""
        columns, line = self.app.size.width - 2, self.title_line()
        if line_width(line) > columns:
            line = line[1:]
        self.query_one("#title", Lines).show([ended(line, columns, self.look)])

    def help_lines(self) -> tuple[Line, ...]:
        """Return the help, in large print after the task, of which only the end may fit there."""
        if not self.has_class("-print"):
            return super().help_lines()
        task = " ".join(self.table.task.text.split())
        return (((task, "title"),), (), *super().help_lines())

    def show_words(self) -> None:
        super().show_words()
        self.query_one("#company", Lines).show(self._below)

    def ending(self) -> None:
        """Return None: a won match does not end a task."""

    def show_log(self) -> None:
        self.query_one("#log", Lines).display = False

    def hover_line(self, name: str) -> Line:
        """Return what to do next once no more steps are possible, else the usual hint."""
        if self.model.interlude:
            return super().hover_line(name)
        if self.is_done:
            return (("Done.", "gain"), (f"  Enter: {self.next_said}", "quiet"))
        if self.table.is_stuck:
            return (
                (f"u: take back   m: start over   i: {self.HINT}   (no way on from here)", "key"),
            )
        return super().hover_line(name)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "next":
            return self.is_done or self.model.interlude is not None
        if action == "hint":
            return not self.is_done
        if action == "analyse" and not self.is_done:
            return False
        if action in ("rematch", "resign", *AT_THE_END):
            return False
        return super().check_action(action, parameters)

    @property
    def next_said(self) -> str:
        return "go on"

    def action_next(self) -> None:
        if self.model.interlude:
            self.action_go_on()
        elif not self._was_moving:  # else this key ended the motion, and the praise is new
            self.go_on()

    def go_on(self) -> None:
        self.action_back()

    def show_table(self) -> None:
        super().show_table()
        step, is_new = self.table.next_on_way, self._pointed_at is not self.model.seen
        if self.POINTS_AT_WAY and is_new and step is not None and self.model.choice is not None:
            self._pointed_at = self.model.seen
            first = self.model.choice.parts.get(step, ())
            if len(first) > 1:  # a one-part step would give the answer away
                name = first[0]
                is_card = self.field.board.place(name) is None  # it would, too
                others = self.model.choice.targets - {name}
                cards = (one.name for one in self.model.scene.tray if one.name in others)
                self.field.point(next(cards, name) if is_card else name)
                self.show_hint()

    def action_again(self) -> None:
        self.is_helped = False
        self.sit_at(self.table.anew())

    def action_hint(self) -> None:
        self.is_helped = True
        self.fit_table()
        self.show_words()

    def point_at_way(self) -> None:
        """Choose the hint's step as in a match, so that Enter makes it."""
        step, choice = self.table.next_on_way, self.model.choice
        if step is not None and choice is not None and step in choice.legal:
            self.apply(self.model.suggest(step))
