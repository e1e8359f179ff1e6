"""The app: one terminal, its theme and glyphs, and the stack of screens."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
import threading
from typing import TYPE_CHECKING, ClassVar, Final

from textual._compositor import CompositorUpdate
from textual.binding import Binding

from tui import look, theme
from tui.keys import OrderedKeys
from tui.paint import Painter, Repaint

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.binding import BindingType
    from textual.screen import Screen

    from tui.lan import Heard
    from tui.settings import Settings


STARTED: Final = 1.0  # s; by then the first screen stands (the command line stops the collector)
PATIENCE: Final = 2.0  # s that ending on a signal may take


class KumiteApp(OrderedKeys[None]):
    """Show one screen after the other; everything else is theirs."""

    TITLE = "kumite"
    CSS_PATH = "kumite.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", "quit kumite", show=False, id="app.quit", priority=True),
        Binding("ctrl+l", "redraw", "draw the screen anew", show=False, id="app.redraw"),
    ]

    def __init__(
        self, settings: Settings, opening: Callable[[], Screen[None]] | None = None
    ) -> None:
        """Open with the screen that `opening` makes, or with the home screen."""
        super().__init__()
        self.opening = opening
        charset = getattr(sys.__stderr__, "encoding", None) or "utf-8"  # Textual draws there
        self._painter = Painter(charset, not self.no_color)
        self.use(settings)
        self.animation_level = "none"  # a board game stands still; and frames cost bytes over ssh

    def use(self, settings: Settings) -> None:
        """Take these settings from now on.

        Raises:
            KumiteError: there is no such theme or glyph set.
        """
        chosen, glyphs = theme.load(settings.theme), look.choose(settings.glyphs)
        self.settings, self.look = settings, glyphs
        self.register_theme(chosen)
        self.theme = chosen.name
        self.set_keymap(dict(settings.keys))

    @staticmethod
    def home() -> Screen[None]:
        """Return a new home screen."""
        from tui.screens.home import HomeScreen

        return HomeScreen()

    def go_back(self) -> None:
        """Leave the screen on top; under the last one is the home screen, under that the end."""
        if len(self.screen_stack) > 2:
            self.pop_screen()
        else:
            self.switch_screen(self.home())

    def on_heard(self, message: Heard) -> None:
        """Take in what the network tells, in our thread."""
        message.table.hear(message.event)

    # --- the terminal -------------------------------------------------------------------------

    def on_mount(self) -> None:
        """Leave the terminal as it was whatever ends us, and draw anew when we come back."""
        loop = asyncio.get_running_loop()
        if not self.is_headless:
            for sign in (signal.SIGTERM, signal.SIGHUP):
                loop.add_signal_handler(sign, self._end, sign)
        self.set_timer(STARTED, gc.enable)
        self.app_resume_signal.subscribe(self, lambda _: self.action_redraw())
        self.push_screen(self.opening() if self.opening else self.home())

    def _end(self, sign: int) -> None:
        """End in good order; but a terminal that is gone may never take what is written to it."""
        watchdog = threading.Timer(PATIENCE, os._exit, (128 + sign,))
        watchdog.daemon = True
        watchdog.start()
        self.exit()

    def action_redraw(self) -> None:
        """Draw every cell, whatever we believe the terminal to show."""
        self._painter.forget()
        self.screen.refresh(layout=True)

    def action_help_quit(self) -> None:
        """Answer ctrl+c, which quits elsewhere."""
        self.notify("ctrl+q quits kumite; nothing is lost", timeout=3)

    def _display(self, screen: Screen[object], renderable: object) -> None:
        """Hand the terminal only what differs from what it shows (see tui.paint)."""
        if isinstance(renderable, CompositorUpdate) and not self.is_headless:
            renderable = Repaint(self._painter, renderable, *self.size)
        super()._display(screen, renderable)  # type: ignore[arg-type]
