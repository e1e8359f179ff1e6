"""The lessons of a game: its tasks, which of them are done, and the way from there to a match."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar, Final

from kumite.core.games import GAMES
from kumite.store import progress
from kumite.tui.lessons import LESSONS
from kumite.tui.screens.banner import BannerFormScreen
from kumite.tui.screens.lessons_after import level_after, screen_against
from kumite.tui.widgets.bindings import escape
from kumite.tui.widgets.form import Row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.binding import BindingType


PLAY: Final = "play"
SENTENCES: Final = re.compile(r"(?<=[.!?]) ")


class LessonsScreen(BannerFormScreen):
    """The list; the cursor stands on the first task that has still to be done."""

    HELP = """\
Enter begins a task; what has been done is marked, and kept for the next time. The last
row leads to a match, at first against the weakest bot, then against the next."""
    BINDINGS: ClassVar[list[BindingType]] = [escape("lessons.back", show=True)]

    def __init__(self, game_id: str) -> None:
        self.game_id = game_id
        super().__init__()

    @property
    def banner_title(self) -> str:
        """Return the game and how much of it has been done."""
        tasks = LESSONS[self.game_id].TASKS
        count = len(progress.done(self.game_id) & {task.title for task in tasks})
        return f"{GAMES[self.game_id].TITLE}: lessons, {count} of {len(tasks)} done"

    def rows(self) -> Sequence[Row]:
        """Return the tasks, then the match."""
        done = progress.done(self.game_id)
        tick = "done" if not self.shell.look.is_drawn else f"{self.shell.look.solid[0]} done"
        wide = max(len(task.title) for task in LESSONS[self.game_id].TASKS)
        tasks = [
            Row(
                str(number),
                f"{number + 1:>2}  {task.title:<{wide}}",
                SENTENCES.split(" ".join(task.text.split()))[-1],  # what is to be done
                line=((f"   {tick}", "gain"),) if task.title in done else (),
            )
            for number, task in enumerate(LESSONS[self.game_id].TASKS)
        ]
        level = level_after(self.game_id, self.shell)
        match = Row(PLAY, f"    a match against bot {level}", "All that you have learnt, at once.")
        return [*tasks, Row("", ""), match]

    def on_screen_resume(self) -> None:
        """Show what has been done meanwhile, and go to what comes next."""
        if not self.query("#form"):
            return
        done = progress.done(self.game_id)
        self.show_again()
        left = [n for n, task in enumerate(LESSONS[self.game_id].TASKS) if task.title not in done]
        self.form.go(str(left[0]) if left else PLAY)
        self.selected(self.form.row)

    def chosen(self, key: str) -> None:
        """Begin a task, or the match."""
        if key == PLAY:
            level = level_after(self.game_id, self.shell)
            self.app.push_screen(screen_against(self.game_id, level, self.shell))
            return
        from kumite.tui.screens.lesson import LessonScreen

        self.app.push_screen(LessonScreen(self.game_id, int(key)))
