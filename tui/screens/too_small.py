"""What is shown while the window is too small for a screen: it stays as it is below this one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import events
from textual.screen import Screen

from kumite.tui.timers import Punctual
from kumite.tui.widgets.lines import Lines

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.geometry import Size

    from kumite.tui.scenes.lines import Line


def fits(needed: tuple[int, int], size: Size) -> bool:
    """Return whether a window has so many columns and rows."""
    return size.width >= needed[0] and size.height >= needed[1]


class WindowScreen(Punctual, Screen[None]):
    """A screen that hears of no size but the window's.

    Textual lays a screen out in each size that is told, and then tells it that its size is another
    one now; so two sizes that come close together would answer each other for ever. And of those
    that wait only the last one counts: one told late may have taken the place of the window's.
    """

    async def on_event(self, event: events.Event) -> None:
        """Take the window's size for one that it has no more, unless we are laid out for it."""
        if isinstance(event, events.Resize) and event.size != (size := self.app.size):
            if self.outer_size == size:
                return
            event = events.Resize(size, size)
        await super().on_event(event)


class TooSmall(WindowScreen):
    """Wait until the window is large enough. Whatever is typed meanwhile is ignored."""

    def __init__(self, needed: tuple[int, int]) -> None:
        super().__init__()
        self._needed = needed
        self._has_gone = False

    def compose(self) -> ComposeResult:
        """Say what is needed."""
        yield Lines(*self._said(), id="small")

    def on_resize(self, event: events.Resize) -> None:
        """Go back to the screen as soon as it has room."""
        self._wait(event.size)

    def on_screen_resume(self) -> None:
        """Go back at once, if this was only below another screen."""
        self._wait(self.app.size)

    def _wait(self, size: Size) -> None:
        if self.app.screen is not self or self._has_gone:
            return
        if fits(self._needed, size):
            self._has_gone = True  # more sizes may be told before it is gone
            self.app.pop_screen()
        else:
            for lines in self.query(Lines):  # none while this comes or goes
                lines.show(self._said())

    def _said(self) -> tuple[Line, ...]:
        (columns, rows), size = self._needed, self.app.size
        has = f"at least {columns} by {rows}; it has {size.width} by {size.height}"
        return (
            (("kumite needs a larger window:", "title"),),
            ((has, ""),),
            (("nothing is lost meanwhile", "quiet"),),
        )
