"""Words in the corner of the screen, which go by themselves."""

from __future__ import annotations

from time import time
from typing import Final

from textual.notifications import Notification

SHORTEST: Final = 0.05  # s


class Notice(Notification):
    """A notice that is shown for some time at least, if it is shown at all.

    Its time may run out between being looked at and being shown. Textual's timers never end if
    they are to wait for less than no time.
    """

    @property
    def time_left(self) -> float:
        """Return for how many s it is still to be shown."""
        return max(SHORTEST, super().time_left)

    @property
    def has_expired(self) -> bool:
        """Return whether its time is over."""
        return self.raised_at + self.timeout <= time()
