"""The part of the app that depends on the terminal: its abilities, and how frames reach it."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from functools import partial
from time import time
from typing import Final

from rich.color import ColorSystem
from textual import constants
from textual._compositor import CompositorUpdate
from textual.driver import Driver
from textual.events import CursorPosition
from textual.filter import LineFilter
from textual.notifications import Notification, Notify, SeverityLevel
from textual.screen import Screen
from textual.widget import Widget

from kumite.tui.look import glyphs
from kumite.tui.terminal import osc
from kumite.tui.terminal.driver import Answered, TerminalDriver
from kumite.tui.terminal.keys import OrderedKeys, Result
from kumite.tui.terminal.painter import Painter, Repaint
from kumite.tui.terminal.timers import Punctual

ASKING: Final = 0.1  # s after the first paint
PROBE_ROW: Final = 1  # from 0; an answer for row 0 could be mistaken for a function key
PLACE: Final = f"\x1b[{PROBE_ROW + 1};1H"
ASK_WIDTHS: Final = "".join(f"{PLACE}{glyph}\x1b[6n" for glyph, _ in glyphs.PROBE)
SHORTEST: Final = 0.05  # s, of a notice


class Notice(Notification):
    """A notice with a minimum duration.

    Its time may run out between being checked and being shown, and Textual's timers never end if
    their delay is negative.
    """

    @property
    def time_left(self) -> float:
        return max(SHORTEST, super().time_left)

    @property
    def has_expired(self) -> bool:
        return self.raised_at + self.timeout <= time()


class TerminalApp(Punctual, OrderedKeys[Result]):
    """Writes only changed cells; asks the terminal for its colours and the width of our glyphs."""

    def __init__(self) -> None:
        super().__init__()
        charset = getattr(sys.__stderr__, "encoding", None) or "utf-8"  # Textual draws there
        self._painter = Painter(charset, not self.no_color)
        self._widths: list[int] = []  # the terminal's answers
        term, is_known = os.environ.get("TERM", ""), constants.COLOR_SYSTEM != "auto"
        if osc.has_full_colour(term) and not is_known:
            self.console._color_system = ColorSystem.TRUECOLOR
        is_less = self.depth < ColorSystem.TRUECOLOR and not self.no_color
        asks_depth = is_less and not is_known and osc.answers(term)
        self._asked = osc.ASK_DEPTH * asks_depth  # after the first paint

    def get_driver_class(self) -> type[Driver]:
        """Return our driver instead of Textual's Linux driver."""
        found = super().get_driver_class()
        if found.__name__ != "LinuxDriver":  # on Windows, or set by TEXTUAL_DRIVER
            return found
        return TerminalDriver

    @property
    def depth(self) -> ColorSystem:
        return self.console._color_system or ColorSystem.TRUECOLOR

    def first_screen(self, screen: Screen[None]) -> Screen[None]:
        """Return a screen as the default one, so that no blank screen is laid out below it."""
        screen._push_result_callback(self, None)  # `switch_screen` pops the callback of a push
        return screen

    def refresh_css(self, animate: bool = True) -> None:
        """Restyle everything; before the first screen, only load the theme's colours."""
        if self.screen_stack:
            super().refresh_css(animate)
        else:  # else the style sheet would be parsed twice
            self.stylesheet.set_variables(self.get_css_variables())

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return none: the painter converts true colours to the terminal's.

        Textual applies its filters to each line of each widget in each frame.
        """
        return ()

    def _display(self, screen: Screen[object], renderable: object) -> None:
        if isinstance(renderable, CompositorUpdate) and not self.is_headless:
            types = getattr(self.focused, "is_writing", False)
            cursor = self.cursor_position if types else None
            renderable = Repaint(self._painter, renderable, *self.size, cursor)
        super()._display(screen, renderable)  # type: ignore[arg-type]
        if self._asked and not self.is_headless and screen.is_mounted:
            self.set_timer(ASKING, partial(self._ask, self._asked))
            self._asked = ""

    def paint(self, widget: Widget) -> None:
        """Paint a widget's changes now rather than with the next frame.

        Does nothing if the widget changes size: that needs a layout of the whole screen.
        """
        is_seen = widget.is_attached and widget.display and widget.screen is self.screen
        if is_seen and widget._repaint_required and not widget._layout_required:
            widget._repaint_required = False  # otherwise Textual would repaint it again
            self.screen._dirty_widgets.add(widget)
            self.screen._on_timer_update()

    def after_key(self) -> None:
        """Paint the remaining changes of a key without waiting for the next frame.

        The hint for the square under the cursor arrives with the key's last messages.
        """
        if self.screen_stack:
            # Queued twice, so that messages the widgets have yet to send are handled first.
            screen = self.screen
            screen.call_later(screen.call_later, screen._on_timer_update)

    def on_resize(self) -> None:
        """Draw everything: the terminal has cut what it showed, even if its size is back."""
        self._painter.forget()
        if self.screen_stack:
            self.screen.refresh(layout=True)

    def action_redraw(self) -> None:
        self._painter.forget()
        self.screen.refresh(layout=True)

    def say_aside(self, said: str, seconds: float, severity: SeverityLevel = "information") -> None:
        """Show a notice in the corner, unless the same one is visible."""
        if all(one.message != said or one.has_expired for one in self._notifications):
            self._on_notify(Notify(Notice(said, "", severity, seconds)))

    # --- what the terminal can show -------------------------------------------------------------

    @property
    def are_widths_proved(self) -> bool:
        return self._widths == [cells for _, cells in glyphs.PROBE]

    def on_proof(self) -> None:
        """Called when the terminal shows more colours or glyphs than was known."""

    def _ask(self, asked: str) -> None:
        """Ask for full colour, and where the cursor is after each ambiguous glyph.

        Terminals need not answer. What one of them shows is hidden, and painted over immediately.
        """
        if self._driver is not None:
            self._driver.write(f"\x1b7{PLACE}\x1b[8m{asked}\x1b8")
            self._painter.forget_row(PROBE_ROW)
            self.screen.refresh(layout=True)

    def on_answered(self, event: Answered) -> None:
        if self.depth < ColorSystem.TRUECOLOR and osc.FULL_ANSWER.fullmatch(event.text):
            self.console._color_system = ColorSystem.TRUECOLOR
            self.on_proof()

    def on_cursor_position(self, event: CursorPosition) -> None:
        if event.y == PROBE_ROW and len(self._widths) < len(glyphs.PROBE):
            self._widths.append(event.x)
            if self.are_widths_proved:
                self.on_proof()

    # --- the window's title, a bell, a notice -------------------------------------------------

    @property
    def can_be_told(self) -> bool:
        """True if the terminal supports titles, bells and notices."""
        return self._driver is not None and osc.is_supported(os.environ.get("TERM", ""))

    def tell_terminal(self, said: str) -> None:
        if self._driver is not None:
            self._driver.write(said)
