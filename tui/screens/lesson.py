"""Lessons: a task after the other on prepared positions, judged by the rules themselves."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from kumite.core.errors import KumiteError
from kumite.store import progress
from kumite.tui.lessons import LESSONS
from kumite.tui.screens.lessons_after import level_after, screen_against
from kumite.tui.screens.task import TaskScreen, TaskTable

if TYPE_CHECKING:
    from kumite.tui.scenes import Line


class LessonScreen(TaskScreen):
    """One task of a lesson."""

    HELP = """\
Do what the text beside the board says, with the keys of every table. u takes back,
i shows one way to do it, m starts over, Enter goes on when it is done; what was
learnt is kept. r shows the rules, q leads back to the list of tasks."""
    LEAVING = "q leads back to the list of tasks"

    def __init__(self, game_id: str, number: int = 0) -> None:
        self.game_id, self.number = game_id, number
        super().__init__(TaskTable(game_id, LESSONS[game_id].TASKS[number]))

    def title_line(self) -> Line:
        """Return which task of which lesson this is, and whether it is done."""
        count = len(LESSONS[self.game_id].TASKS)
        game = self.table.match.game.TITLE
        done = "   done" if self.is_done else ""
        return (
            (f"{game}, lesson {self.number + 1} of {count}: ", "quiet"),
            (self.task_table.task.title, "title"),
            (done, "gain"),
        )

    @property
    def _is_last(self) -> bool:
        return self.number + 1 == len(LESSONS[self.game_id].TASKS)

    @property
    def next_said(self) -> str:
        """Return what comes next."""
        if not self._is_last:
            return "go on"
        return f"now play against bot {self._level}"

    @cached_property
    def _level(self) -> str:
        return level_after(self.game_id, self.shell)

    def go_on(self) -> None:
        """Go to the next task; after the last, to a match."""
        if not self._is_last:
            self.app.switch_screen(LessonScreen(self.game_id, self.number + 1))
            return
        try:
            screen = screen_against(self.game_id, self._level, self.shell)
        except KumiteError as error:
            self.complain(error)
        else:
            self.app.switch_screen(screen)

    def show_table(self) -> None:
        """Show the position; what has been learnt is kept."""
        super().show_table()
        if self.is_done:
            try:
                progress.mark_done(self.game_id, self.task_table.task.title)
            except KumiteError as error:
                self.complain(error)
