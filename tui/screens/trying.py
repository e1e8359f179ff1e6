"""A retry of a turning point: find the better step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.tui.bots.judging import Judge
from kumite.tui.bots.looking import Worth
from kumite.tui.lessons.judging import Goal, Task
from kumite.tui.play import narration, reviewed
from kumite.tui.play.tasks import TaskTable
from kumite.tui.screens.task import TaskScreen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kumite.core.game import Step
    from kumite.core.table import Table
    from kumite.tui.bots.review import Review, Turning
    from kumite.tui.lessons.judging import Attempt
    from kumite.tui.scenes import Line

NEAR: Final = 0.03  # loss of winning chance at which a step still counts as just as good
THINKING: Final = "A bot looks at what comes of it ..."


class TryTable(TaskTable):
    """The position of a turning point; no other player answers what is tried."""

    def __init__(self, review: Review, turning: Turning, names: Sequence[str]) -> None:
        self.review, self.turning = review, turning
        self.worths: dict[Step, Worth] = {turning.better: Worth(turning.had)}
        self._names = tuple(names)
        position = review.seen(turning.number, turning.seat).state
        task = Task(
            title="find what was better",
            text=reviewed.asked(review, turning, names),
            position=review.match.game.text(position),
            seat=turning.seat,
            goal=Goal(self._is_found, self._why_not),
            hint=f"A bot's choice: {narration.step_name(review.match, turning.better, names)}.",
            praise="",
            solution=(turning.better,),
        )
        super().__init__(review.match.game.ID, task, names)

    def _with_chance(self, table: Table) -> Table:
        """Return the table unchanged: chance is not resolved here."""
        return table

    @property
    def tried(self) -> Step | None:
        steps = self.match.steps()
        return steps[0].step if steps else None

    @property
    def is_stuck(self) -> bool:
        """Whether a step was tried; one is all there is, even where others act too."""
        return self.tried is not None

    def _is_found(self, tried: Attempt[object]) -> bool:
        worth = self.worths.get(tried.steps[0])
        return worth is not None and (worth.value or 0.0) >= self.turning.had - NEAR

    def _why_not(self, tried: Attempt[object]) -> str:
        step = tried.steps[0]
        if step not in self.worths:
            return THINKING
        return reviewed.why_not(self.review, self.turning, step, self.worths[step], self._names)


class TryScreen(TaskScreen):
    """The retry of one turning point."""

    HELP = """\
This is the position before a step that cost much. Find what was better, with the keys
of every table. A bot looks at what you try: what it leads to, and whether it is as
good. u takes it back, i shows the step, r the rules, Enter or q leads back to the
review."""
    LEAVING = "q leads back to the review"
    POINTS_AT_WAY = False  # it would give the answer away

    def __init__(
        self, review: Review, turning: Turning, names: Sequence[str], match_id: str
    ) -> None:
        self._match_id = match_id
        super().__init__(TryTable(review, turning, names))

    @property
    def trial(self) -> TryTable:
        assert isinstance(self.table, TryTable)
        return self.table

    @property
    def next_said(self) -> str:
        return "back to the review"

    def title_line(self) -> Line:
        number = self.trial.turning.number + 1
        done = "   found" if self.is_done else ""
        return (
            (f"{self.table.match.game.TITLE}, step {number}: ", "quiet"),
            ("find what was better", "title"),
            (done, "gain"),
        )

    @property
    def praise(self) -> str:
        table, step = self.trial, self.trial.tried
        assert step is not None
        worth = table.worths[step].value or 0.0
        return reviewed.praise(table.review, table.turning, step, worth, table.shown_names)

    def action_hint(self) -> None:
        super().action_hint()
        if not self.table.match.steps():
            self.apply(self.model.suggest(self.trial.turning.better))
            self.show_words()

    def anew(self) -> TryTable:
        """Return a fresh table that keeps the values of tried steps."""
        again = TryTable(self.trial.review, self.trial.turning, self.trial.names)
        again.worths = self.trial.worths
        return again

    def after_step(self) -> None:
        """Evaluate the tried step in the background if its value is not known."""
        super().after_step()
        step = self.trial.tried
        if step is not None and step not in self.trial.worths:
            self.beside(self._look_at, step, group="trial")

    async def _look_at(self, step: Step) -> None:
        review, table = self.trial.review, self.trial
        judge = Judge(self.shell.bot_service, self._match_id)
        looking = review.trial(table.turning, step)
        with self.complaining():
            table.worths[step] = await judge.answered(looking, review.simulations)
            judge.save()
            self.show_table()
