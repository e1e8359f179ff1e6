"""The app: settings, theme, glyphs, terminal and the stack of screens."""

from __future__ import annotations

import asyncio
import gc
import os
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from rich.color import ColorSystem
from rich.text import Text
from textual.binding import Binding, BindingType
from textual.screen import Screen

from kumite.store import guest_mode, system, warned
from kumite.tui import crash
from kumite.tui.drawing.pixels import brush_for
from kumite.tui.look import colors, glyphs, sprites, theme
from kumite.tui.scenes.lines import Line
from kumite.tui.screens import key_map
from kumite.tui.screens.base import KumiteScreen
from kumite.tui.terminal import osc
from kumite.tui.terminal.app import ASK_WIDTHS, TerminalApp

if TYPE_CHECKING:
    from kumite.core.log import Log
    from kumite.tui.bots.service import BotService
    from kumite.tui.play.lan_table import PeerEvent
    from kumite.tui.play.local_seats import LocalSeats
    from kumite.tui.settings import Settings
    from kumite.tui.shell import Shell

    def _as_shell(app: KumiteApp) -> Shell:  # lets mypy check that the app is a Shell
        return app


PACES: Final = {"full": 1.0, "short": 0.4, "off": 0.0}  # of motion
STARTED: Final = 1.0  # s until the first screen is up (the command line disables gc)
MOST_TOLD: Final = 3  # messages shown about one file; `kumite doctor` lists all
TOLD: Final = 15  # s that a warning about the settings is shown
QUEUED: Final = 0.5  # s that a bot must wait in the queue before it is mentioned
PATIENCE: Final = 0.8  # s that exiting on a signal may take
GO_ON: Final = "The match is saved; `kumite resume` continues it."
STUCK: Final = 5.0  # s after which to exit even if the app has not handled the signal


def pace_of(motion: str) -> float:
    """Return the pace of motion; 0 if it is unwanted or the terminal cannot show it."""
    if os.environ.get("NO_MOTION") or os.environ.get("TERM") in colors.UNCOLORED | {"dumb"}:
        return 0.0
    return PACES[motion]


class KumiteApp(TerminalApp[None]):
    """Manages the stack of screens; they do everything else."""

    TITLE = "kumite"
    CSS_PATH = "kumite.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", "quit kumite", show=False, id="app.quit", priority=True),
        Binding("ctrl+z", "suspend_process", "suspend kumite", show=False, id="app.suspend"),
        Binding(
            "ctrl+l", "redraw", "redraw the screen", show=False, id="app.redraw", priority=True
        ),
    ]

    def __init__(
        self,
        settings: Settings,
        opening: Callable[[], Screen[None]] | None = None,
        told: tuple[str, ...] = (),
    ) -> None:
        """Start with the screen that `opening` makes, or with the home screen.

        `told` has warnings about the settings file.
        """
        super().__init__()
        self.opening = opening
        self._told = told
        self._titled = ""  # the terminal title set by the app
        self._bot_service: BotService | None = None
        self._will_say_queue = False
        self._asked += ASK_WIDTHS * (glyphs.hoped(settings.glyphs) is not None)
        self.use(settings)
        self.animation_level = "none"  # a board game stands still, and frames cost bytes over ssh

    def use(self, settings: Settings) -> None:
        """Apply these settings; a KumiteError says that there is no such theme or glyph set."""
        depth = self.depth
        has_colors = not self.no_color and os.environ.get("TERM") not in colors.UNCOLORED
        has_many = has_colors and depth >= ColorSystem.EIGHT_BIT
        is_few = depth < ColorSystem.EIGHT_BIT
        name = colors.fitting(settings.theme, has_colors=has_colors, has_many=has_many)
        chosen, found = theme.load(name, is_few=is_few), glyphs.choose(settings.glyphs)
        if self.are_widths_proved:
            found = glyphs.hoped(settings.glyphs) or found
        found = replace(found, counts_cards=settings.counter)
        self.settings, self.look = settings, found
        self.pace = pace_of(settings.motion)
        self.palette = colors.read(name, is_full=depth is ColorSystem.TRUECOLOR, is_few=is_few)
        skin, self.broken = sprites.usable(settings.skin)
        self.brush = brush_for(skin, found, self.palette, has_many=has_many)
        self.register_theme(chosen)
        self.theme = chosen.name
        self.set_keymap(dict(settings.keys))
        for screen in self.screen_stack if self.is_running else ():
            if isinstance(screen, KumiteScreen):
                screen.draw_anew()

    @property
    def bot_service(self) -> BotService:
        """Return the bot service; its process starts when a bot first has to think."""
        if self._bot_service is None:
            from kumite.tui.bots.service import BotService  # late: a table of people needs no bots

            self._bot_service = BotService()
            self._bot_service.queue.on_move(self._queue_moved)
        return self._bot_service

    def _queue_moved(self) -> None:
        """Report soon that a bot is queued on a server; most waits end before that."""
        if not self._will_say_queue:
            self._will_say_queue = True
            self.set_timer(QUEUED, self._say_queued)

    def _say_queued(self) -> None:
        self._will_say_queue = False
        words = self.bot_service.queue.words()
        for screen in self.screen_stack:
            if isinstance(screen, KumiteScreen) and screen.is_whole:
                screen.say_queued(words)

    def on_unmount(self) -> None:
        """Stop the bots and restore the terminal title, however the app ends."""
        warned.listen(None)
        if self._titled:
            self.tell_terminal(osc.GIVE_BACK_TITLE)
        if self._bot_service is not None:
            self._bot_service.close()

    def home(self) -> Screen[None]:
        from kumite.tui.screens.home import HomeScreen

        return HomeScreen(asks_name=not self.is_headless and not guest_mode.is_guest())

    def get_default_screen(self) -> Screen[None]:
        return self.first_screen(self.opening() if self.opening else self.home())

    def go_back(self) -> None:
        """Leave the top screen; the last one ends the app if a command opened it, or goes home."""
        if len(self.screen_stack) > 1:
            self.pop_screen()
        elif self.opening is not None:
            self.exit()
        else:
            self.switch_screen(self.home())

    def exit(self, *args: Any, **options: Any) -> None:
        """Print how to continue an unfinished match; no more after a signal: no one may read it."""
        tables = (getattr(screen, "table", None) for screen in self.screen_stack)
        can_resume = any(getattr(table, "can_resume", False) for table in tables)
        if can_resume and not (options.get("return_code") or guest_mode.is_guest()):
            options.setdefault("message", GO_ON)
        super().exit(*args, **options)

    def show_help(self, lines: tuple[Line, ...]) -> None:
        from kumite.tui.screens.reading import HelpScreen

        self.push_screen(HelpScreen(lines))

    def open_table(self, table: LocalSeats) -> None:
        from kumite.tui.screens.table import TableScreen

        self.push_screen(TableScreen(table))

    def open_review(
        self,
        log: Log,
        eyes: str = "",
        *,
        is_turned: bool = False,
        talk: Callable[[str], str] | None = None,
    ) -> None:
        from kumite.tui.play.replaying import Replay
        from kumite.tui.screens.review import ReviewScreen

        self.push_screen(ReviewScreen(Replay(log, eyes), is_turned=is_turned, talk=talk))

    def before_key(self) -> None:
        if isinstance(self.screen, KumiteScreen):
            self.screen.before_key()

    # --- calling people -----------------------------------------------------------------------

    def entitle(self, text: str) -> None:
        """Set the terminal's window title; on exit, the old one is restored."""
        if not (self.settings.title and self.can_be_told) or text == self._titled:
            return
        first, self._titled = not self._titled, text
        self.tell_terminal(f"{osc.KEEP_TITLE if first else ''}{osc.title(text)}")

    def call(self, heading: str, text: str) -> None:
        """Alert the local players by the bell, and by a notification without the focus."""
        if not self.can_be_told:
            return
        if self.settings.bell:
            self.tell_terminal(osc.BELL)
        if self.settings.notices and not self.app_focus:
            self.tell_terminal(osc.notice(heading, text))

    def on_peer_event(self, message: PeerEvent) -> None:
        """Pass a network event to its table, in the app's thread."""
        message()

    # --- the terminal -------------------------------------------------------------------------

    async def run_async(self, **options: Any) -> None:
        """Run the app; once it has ended, a signal exits the program at once."""
        try:
            await super().run_async(**options)
        finally:
            if not self.is_headless:
                system.end_at_once()

    def on_mount(self) -> None:
        """Handle signals so that the terminal is always restored, and redraw after a suspension."""
        if not self.is_headless:
            at_last = partial(self._exit_after, STUCK)
            system.on_ending(asyncio.get_running_loop(), self._end, at_last)
        self.set_timer(STARTED, gc.enable)
        self.call_after_refresh(self._tell_wrong)
        self.app_resume_signal.subscribe(self, lambda _: self.action_redraw())

    def _tell_wrong(self) -> None:
        """Warn about broken settings, theme or skin; defaults are used instead."""
        if self.broken:
            first, more = self.broken[0], len(self.broken) - 1
            text = str(first).removeprefix(f"{sprites.users_folder()}{os.sep}")
            rest = f" (and {more} more)" if more else ""
            self._warn(f"{text}{rest}; our own is drawn. `kumite doctor` tells all.")
        for said in (*self._told, *self.palette.wrong[:MOST_TOLD]):
            self._warn(said)
        warned.listen(lambda said: self.call_later(self._warn, said))  # from any thread
        if self.settings.keys:
            self.set_timer(STARTED, self._check_keys)

    def _warn(self, said: str) -> None:
        self.say_aside(guest_mode.told(said), TOLD, "warning")

    def _check_keys(self) -> None:
        """Warn about invalid keys in the settings, after the first screen is up."""
        for said in key_map.wrong(self.settings.keys)[:MOST_TOLD]:
            self._warn(f"settings: {said}")

    def _end(self, sign: int) -> None:
        """Exit in an orderly way, with a time limit: writing to a lost terminal may block."""
        self._exit_after(PATIENCE, sign)
        self.exit(return_code=128 + sign)

    def _exit_after(self, seconds: float, sign: int) -> None:
        watchdog = threading.Timer(seconds, self._exit_at_once, (128 + sign,))
        watchdog.daemon = True
        watchdog.start()

    def _exit_at_once(self, status: int) -> None:
        try:
            if restore_terminal := getattr(self._driver, "restore_terminal", None):  # in our driver
                restore_terminal()
        finally:
            os._exit(status)

    def _fatal_error(self) -> None:
        """Show a one-screen crash report that names the file with the rest."""
        error = sys.exc_info()[1] or self._exception
        assert error is not None
        told = Text(crash.report(error, self._saved()), no_wrap=True, overflow="ignore")
        self._exit_renderables.append(told)  # the terminal wraps long lines itself
        self._close_messages_no_wait()

    def _saved(self) -> list[Path]:
        tables = (getattr(screen, "table", None) for screen in self.screen_stack)
        paths = (getattr(table, "path", None) for table in tables)
        return [path for path in paths if path is not None]

    def on_proof(self) -> None:
        self.use(self.settings)  # with the preferred glyphs and colours, now known to be there

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hide suspension from server guests: they have no shell."""
        if action == "suspend_process" and guest_mode.is_guest():
            return False
        return super().check_action(action, parameters)

    def action_suspend_process(self) -> None:
        if not guest_mode.is_guest():
            super().action_suspend_process()

    def open_url(self, url: str, *, new_tab: bool = True) -> None:
        """Open a page in the browser; refused to server guests, as it would open on the host."""
        guest_mode.refuse("open pages")
        super().open_url(url, new_tab=new_tab)

    def action_help_quit(self) -> None:
        """Explain ctrl+c, which quits other programs."""
        self.say_aside("ctrl+q quits kumite; nothing is lost", 3.0)
