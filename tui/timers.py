"""Timers that call once, and do so on a busy machine, too.

Textual leaves out calls whose time has passed, which is right for what comes again and again; one
call is lost by it for ever, if the machine stands still for a moment just when the timer begins.
With that of the app's size went every later size.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message_pump import MessagePump

if TYPE_CHECKING:
    from textual.timer import Timer, TimerCallback


class Punctual(MessagePump):
    """What sets such timers: the app, its screens, a widget."""

    def set_timer(
        self,
        delay: float,
        callback: TimerCallback | None = None,
        *,
        name: str | None = None,
        pause: bool = False,
    ) -> Timer:
        """Call once after so many seconds, or as soon as the machine can."""
        timer = super().set_timer(delay, callback, name=name, pause=pause)
        timer._skip = False
        return timer
