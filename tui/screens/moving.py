"""Animations on a screen; any key ends them at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textual.timer import Timer

    from kumite.tui.scenes.motion import Frame
    from kumite.tui.screens.base import KumiteScreen


class Moving:
    """The animation of one screen."""

    def __init__(
        self, screen: KumiteScreen, draw: Callable[[Frame], None], done: Callable[[], None]
    ) -> None:
        """Use `draw` for each frame, and `done` for the final picture."""
        self._screen, self._draw, self._done = screen, draw, done
        self._frames: list[Frame] = []
        self._pace = 1.0
        self._timer: Timer | None = None

    @property
    def is_running(self) -> bool:
        return self._timer is not None

    @property
    def seconds(self) -> float:
        return self._pace * sum(frame.seconds for frame in self._frames)

    def begin(self, frames: Sequence[Frame], pace: float) -> None:
        self._stop()
        is_full = self._screen.shell.palette.is_full
        self._frames = [one for one in frames if is_full or not one.is_spare]
        self._pace = pace
        if frames:
            self._next()

    def end(self) -> None:
        """Skip to the final picture."""
        if self.is_running:
            self._stop()
            self._done()

    def _next(self) -> None:
        if not self._frames:
            self.end()
            return
        frame = self._frames.pop(0)
        self._draw(frame)
        self._timer = self._screen.set_timer(max(0.01, frame.seconds * self._pace), self._next)

    def _stop(self) -> None:
        self._frames = []
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
