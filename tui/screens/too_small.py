"""The message for a window that is too small; the screen below stays unchanged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import events
from textual.screen import Screen

from kumite.store import guest_mode
from kumite.tui.terminal.timers import Punctual
from kumite.tui.widgets.lines import Lines

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.geometry import Size

    from kumite.tui.scenes.lines import Line


def fits(needed: tuple[int, int], size: Size) -> bool:
    """Whether a window has at least `needed` columns and rows."""
    return size.width >= needed[0] and size.height >= needed[1]


class WindowScreen(Punctual, Screen[None]):
    """A screen that only ever gets the window's size.

    Textual lays a screen out for every Resize it receives, then sends another one with its new
    size, so two different sizes in quick succession would trigger each other endlessly. Of
    queued sizes only the last survives, and a late one may have replaced the window's.
    """

    async def on_event(self, event: events.Event) -> None:
        """Replace an outdated size by the window's, or drop it if the layout is up to date."""
        if isinstance(event, events.Resize) and event.size != (size := self.app.size):
            if self.outer_size == size:
                return
            event = events.Resize(size, size)
        await super().on_event(event)


class TooSmall(WindowScreen):
    """Wait until the window is large enough, ignoring all keys."""

    def __init__(self, needed: tuple[int, int]) -> None:
        super().__init__()
        self._needed = needed
        self._has_gone = False

    def compose(self) -> ComposeResult:
        yield Lines(*self._said(), id="small")

    def on_resize(self, event: events.Resize) -> None:
        self._wait(event.size)

    def on_screen_resume(self) -> None:
        """Close at once if the window became large enough while another screen was on top."""
        self._wait(self.app.size)

    def _wait(self, size: Size) -> None:
        if self.app.screen is not self or self._has_gone:
            return
        if fits(self._needed, size):
            self._has_gone = True  # more sizes may arrive before it closes
            self.app.pop_screen()
        else:
            for lines in self.query(Lines):  # there are none while this screen opens or closes
                lines.show(self._said())

    def _said(self) -> tuple[Line, ...]:
        (columns, rows), size = self._needed, self.app.size
        has = f"at least {columns} by {rows}; it has {size.width} by {size.height}"
        return (
            (("kumite needs a larger window:", "title"),),
            ((has, ""),),
            (("nothing is lost meanwhile", "quiet"),),
            ((guest_mode.suited("{{by lines, in any window: kumite --plain|}}"), "quiet"),),
        )
