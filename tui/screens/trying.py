"""A turning point of a match once more: find what was better than what was played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.core.errors import KumiteError
from kumite.store import evaluations
from kumite.tui.bots.judging import answered
from kumite.tui.bots.looking import Worth
from kumite.tui.lessons.model import Task
from kumite.tui.play import narration, reviewed
from kumite.tui.screens.task import TaskScreen, TaskTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kumite.core.game import Step
    from kumite.core.match import Played
    from kumite.tui.bots.review import Review, Turning
    from kumite.tui.scenes import Line

NEAR: Final = 0.03  # of the chance to win; a step that is so near to the better one is as good
THINKING: Final = "A bot looks at what comes of it ..."


class TryTable(TaskTable):
    """The position of a turning point, with its players; nothing follows what is tried."""

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
            is_done=self._is_found,
            hint=f"A bot's choice: {narration.step_name(review.match, turning.better, names)}.",
            praise="",
            solution=(turning.better,),
            why_not=self._why_not,
        )
        super().__init__(review.match.game.ID, task, names)

    def _settle(self) -> None:
        """Leave it to nobody to go on."""

    @property
    def tried(self) -> Step | None:
        """Return the step that is tried."""
        steps = self.match.steps()
        return steps[0].step if steps else None

    @property
    def is_stuck(self) -> bool:
        """Return whether a step is tried: nothing follows, also where others choose as well."""
        return self.tried is not None

    def _is_found(self, before: object, played: Sequence[Played], now: object) -> bool:  # noqa: ARG002
        worth = self.worths.get(played[0].step)
        return worth is not None and (worth.value or 0.0) >= self.turning.had - NEAR

    def _why_not(self, before: object, played: Sequence[Played], now: object) -> str:  # noqa: ARG002
        step = played[0].step
        if step not in self.worths:
            return THINKING
        return reviewed.why_not(self.review, self.turning, step, self.worths[step], self._names)


class TryScreen(TaskScreen):
    """One turning point."""

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
        """Return the table as what it is."""
        assert isinstance(self.table, TryTable)
        return self.table

    @property
    def next_said(self) -> str:
        """Return what Enter does when it is found."""
        return "back to the review"

    def title_line(self) -> Line:
        """Return of which step of which match this is."""
        number = self.trial.turning.number + 1
        done = "   found" if self.is_done else ""
        return (
            (f"{self.table.match.game.TITLE}, step {number}: ", "quiet"),
            ("find what was better", "title"),
            (done, "gain"),
        )

    @property
    def praise(self) -> str:
        """Return what is said of the step that was found."""
        table, step = self.trial, self.trial.tried
        assert step is not None
        worth = table.worths[step].value or 0.0
        return reviewed.praise(table.review, table.turning, step, worth, table.shown_names)

    def action_hint(self) -> None:
        """Show the step, with the cursor on it, as a hint at a table does: nothing is made."""
        super().action_hint()
        if not self.table.match.steps():
            self.advise(self.trial.turning.better)

    def anew(self) -> TryTable:
        """Return the table as it was at first; what is known of steps stays."""
        again = TryTable(self.trial.review, self.trial.turning, self.trial.names)
        again.worths = self.trial.worths
        return again

    def after_step(self) -> None:
        """Let a bot look at a step that is not known yet."""
        super().after_step()
        step = self.trial.tried
        if step is not None and step not in self.trial.worths:
            self.beside(self._judge, step, group="trial")

    async def _judge(self, step: Step) -> None:
        review, table = self.trial.review, self.trial
        kept = evaluations.load(self._match_id, review.simulations)
        looking = review.trial(table.turning, step)
        try:
            worth = await answered(self.shell.bot_service, looking, review.simulations, kept)
        except KumiteError as error:
            self.complain(error)
            return
        evaluations.save(self._match_id, review.simulations, kept)
        table.worths[step] = worth
        self.show_table()
