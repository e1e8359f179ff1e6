"""A turning point of a review, to be tried again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kumite.core.game import Step
from kumite.tui.bots.looking import Worth
from kumite.tui.bots.review import Review, Turning
from kumite.tui.lessons.judging import Attempt, Goal, Task
from kumite.tui.play import narration, reviewed
from kumite.tui.play.tasks import TaskTable

NEAR: Final = 0.03  # loss of winning chance at which a step still counts as just as good
THINKING: Final = "A bot looks at what comes of it ..."


class TryTable(TaskTable):
    """The position of a turning point; no other player answers what is tried."""

    DRAWS, SHOWS_WAY = False, False

    def __init__(
        self,
        review: Review,
        turning: Turning,
        names: Sequence[str],
        worths: dict[Step, Worth] | None = None,
    ) -> None:
        """`worths`: the values of steps tried before."""
        self.review, self.turning = review, turning
        self.worths = worths or {turning.better: Worth(turning.had)}
        self._names = tuple(names)
        game = turning.match.game
        task = Task(
            title="find what was better",
            text=reviewed.asked(turning, names),
            position=game.text(turning.match.state),
            seat=turning.seat,
            goal=Goal(self._is_found, self._why_not),
            hint=f"A bot's choice: {narration.step_name(turning.match, turning.better, names)}.",
            praise="",
            solution=(turning.better,),
        )
        super().__init__(game.ID, task, names)

    @property
    def tried(self) -> Step | None:
        steps = self.match.steps()
        return steps[0].step if steps else None

    @property
    def is_stuck(self) -> bool:
        """True if a step was tried; one is all there is, even where others act too."""
        return self.tried is not None

    def _is_found(self, tried: Attempt[object]) -> bool:
        worth = self.worths.get(tried.steps[0])
        return worth is not None and (worth.value or 0.0) >= self.turning.had - NEAR

    def _why_not(self, tried: Attempt[object]) -> str:
        step = tried.steps[0]
        if step not in self.worths:
            return THINKING
        return reviewed.why_not(self.turning, step, self.worths[step], self._names)

    def anew(self) -> TryTable:
        return TryTable(self.review, self.turning, self._names, self.worths)

    @property
    def praise(self) -> str:
        step = self.tried
        assert step is not None
        worth = self.worths[step].value or 0.0
        return reviewed.praise(self.turning, step, worth, self.shown_names)
