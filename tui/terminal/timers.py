"""One-shot timers that fire even on a busy machine.

Textual skips calls whose time has passed, which is right for repeating timers, but loses a one-shot
call if the machine stalls just as the timer begins. Losing the one for the app's size lost every
later size.
"""

from __future__ import annotations

from textual.message_pump import MessagePump
from textual.timer import Timer, TimerCallback


class Punctual(MessagePump):
    """Sets such timers, for the app, its screens, and widgets."""

    def set_timer(
        self,
        delay: float,
        callback: TimerCallback | None = None,
        *,
        name: str | None = None,
        pause: bool = False,
    ) -> Timer:
        timer = super().set_timer(delay, callback, name=name, pause=pause)
        timer._skip = False
        return timer
