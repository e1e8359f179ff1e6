"""Frames on a screen, one after the other. Whatever is pressed ends them at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual.screen import Screen
    from textual.timer import Timer

    from kumite.tui.scenes import Scene
    from kumite.tui.scenes.motion import Frame


class Moving:
    """What is moving on one screen."""

    def __init__(
        self, screen: Screen[None], draw: Callable[[Scene], None], done: Callable[[], None]
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
        self._frames, self._pace = list(frames), pace
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
