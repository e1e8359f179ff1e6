"""Frames on a screen, one after the other. Whatever is pressed ends them at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kumite.tui.play import motion

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual.timer import Timer

    from kumite.core.match import Match
    from kumite.tui.scenes import Scene
    from kumite.tui.scenes.motion import Frame
    from kumite.tui.screens.views import ScreenView, TableView


class Moving:
    """What is moving on one screen."""

    def __init__(
        self, screen: ScreenView, draw: Callable[[Scene], None], done: Callable[[], None]
    ) -> None:
        """Draw each frame by `draw`; `done` draws what is there after the last one."""
        self._screen, self._draw, self._done = screen, draw, done
        self._frames: list[Frame] = []
        self._pace = 1.0
        self._timer: Timer | None = None

    @property
    def is_running(self) -> bool:
        """Return whether something is moving."""
        return self._timer is not None

    @property
    def seconds(self) -> float:
        """Return how long it goes on."""
        return self._pace * sum(frame.seconds for frame in self._frames)

    def begin(self, frames: Sequence[Frame], pace: float) -> None:
        """Show frames, each for its seconds times `pace`; what was moving is at its end."""
        self._stop()
        is_full = self._screen.shell.palette.is_full
        self._frames = [one for one in frames if is_full or not one.is_spare]
        self._pace = pace
        if frames:
            self._next()

    def end(self) -> None:
        """Show at once what is there after the last frame."""
        if self.is_running:
            self._stop()
            self._done()

    def _next(self) -> None:
        if not self._frames:
            self.end()
            return
        frame = self._frames.pop(0)
        self._draw(frame.scene)
        self._timer = self._screen.set_timer(max(0.01, frame.seconds * self._pace), self._next)

    def _stop(self) -> None:
        self._frames = []
        if self._timer is not None:
            self._timer.stop()
            self._timer = None


class Others:
    """What the others do at a table, shown as it happens."""

    def __init__(self, screen: TableView) -> None:
        self._screen = screen
        self._drawn: Match | None = None  # what the eyes at the table have seen last
        self.moving = Moving(screen, lambda scene: screen.field.draw(scene), screen.show_still)

    def follow(self) -> None:
        """Show the steps of others since the table was drawn last."""
        screen, drawn = self._screen, self._drawn
        self._drawn = seen = screen.seen
        if screen.viewpoint.behind or screen.is_covered:
            self.moving.end()
            return
        steps = motion.new_steps(drawn, seen, screen.table.mine)
        is_new = drawn is not None and drawn.number < seen.number
        if screen.viewpoint.interlude and is_new and seen not in steps[-1:]:
            steps.append(seen)  # what one's own step brings about is no less to be seen
        self._show(steps)

    def show_again(self) -> bool:
        """Show their last turn again; return whether there was any."""
        steps = motion.last_turn(self._screen.seen, self._screen.table.mine)
        self._show(steps)
        return bool(steps)

    def _show(self, steps: Sequence[Match]) -> None:
        screen, pace = self._screen, self._screen.shell.pace
        if steps and pace:
            names, look = screen.table.shown_names, screen.look
            frames = motion.frames(screen.makes, steps, names, look, screen.you)
            self.moving.begin(frames, pace)
