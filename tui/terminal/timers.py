"""One-shot timers that fire even on a busy machine.

Textual skips calls whose time has passed, which is right for repeating timers, but loses a one-shot
call if the machine stalls just as the timer begins. Losing the one for the app's size lost every
later size.
"""

from __future__ import annotations

from typing import Any

from textual.message_pump import MessagePump
from textual.timer import Timer


class Punctual(MessagePump):
    """Sets such timers, for the app, its screens, and widgets."""

    def set_timer(self, *args: Any, **options: Any) -> Timer:
        timer = super().set_timer(*args, **options)
        timer._skip = False
        return timer
