"""A retry of a turning point: find the better step."""

from __future__ import annotations

from collections.abc import Sequence

from kumite.core.game import Step
from kumite.tui.bots.judging import Judge
from kumite.tui.bots.review import Review, Turning
from kumite.tui.play.trying import TryTable
from kumite.tui.scenes import Line
from kumite.tui.screens.task import TaskScreen


class TryScreen(TaskScreen):
    """The retry of one turning point."""

    HELP = """\
This is the position before a costly step. Find a better one; the keys are the same as in
a match. A bot examines what you try: where it leads, and whether it is as good as the
best. u takes it back, i shows the step, r the rules. Enter or q returns to the review."""
    LEAVING = "q leads back to the review"
    POINTS_AT_WAY = False  # it would give the answer away

    table: TryTable

    def __init__(
        self, review: Review, turning: Turning, names: Sequence[str], match_id: str
    ) -> None:
        self._match_id = match_id
        super().__init__(TryTable(review, turning, names))

    @property
    def next_said(self) -> str:
        return "back to the review"

    def title_line(self) -> Line:
        number = self.table.turning.number + 1
        done = "   found" if self.is_done else ""
        return (
            (f"{self.table.match.game.TITLE}, step {number}: ", "quiet"),
            ("find what was better", "title"),
            (done, "gain"),
        )

    def action_hint(self) -> None:
        super().action_hint()
        if not self.table.match.steps():
            self.apply(self.model.suggest(self.table.turning.better))
            self.show_words()

    def after_step(self) -> None:
        """Evaluate the tried step in the background if its value is not known."""
        super().after_step()
        step = self.table.tried
        if step is not None and step not in self.table.worths:
            self.beside(self._look_at, step, group="trial")

    async def _look_at(self, step: Step) -> None:
        table, judge = self.table, Judge(self.shell.bot_service, self._match_id)
        looking = table.review.trial(table.turning, step)
        with self.complaining():
            table.worths[step] = await judge.answered(looking, table.review.simulations)
            judge.save()
            self.show_table()
