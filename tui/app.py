"""The app: one terminal, its theme and glyphs, and the stack of screens."""

from __future__ import annotations

import asyncio
import gc
import os
import sys
import threading
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final

from rich.color import ColorSystem
from rich.text import Text
from textual._compositor import CompositorUpdate
from textual.binding import Binding
from textual.notifications import Notify

from kumite.store import house, system
from kumite.tui import attention
from kumite.tui.drawing.painter import Painter, Repaint
from kumite.tui.drawing.squares import brush_for
from kumite.tui.keys import OrderedKeys
from kumite.tui.look import colors, glyphs, sprites, theme
from kumite.tui.screens.base import KumiteScreen
from kumite.tui.timers import Punctual
from kumite.tui.widgets.notice import Notice

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from textual.binding import BindingType
    from textual.driver import Driver
    from textual.events import CursorPosition
    from textual.filter import LineFilter
    from textual.notifications import SeverityLevel
    from textual.screen import Screen
    from textual.widget import Widget

    from kumite.tui.bots.service import BotService
    from kumite.tui.play.lan_table import PeerEvent
    from kumite.tui.play.local_table import Table
    from kumite.tui.play.replaying import Replay
    from kumite.tui.scenes.lines import Line
    from kumite.tui.settings import Settings
    from kumite.tui.shell import Shell

    def _as_shell(app: KumiteApp) -> Shell:  # mypy proves here what screens count on
        return app


PACES: Final = {"full": 1.0, "short": 0.4, "off": 0.0}  # of motion
STARTED: Final = 1.0  # s; by then the first screen stands (the command line stops the collector)
MOST_TOLD: Final = 3  # of what is wrong in one file; `kumite doctor` tells all
TOLD: Final = 15  # s that something wrong with the settings stands on the screen
QUEUED: Final = 0.5  # s that a bot waits for its turn before it is said
ASKING: Final = 0.1  # s after the first paint, which does not wait for an answer
PROBE_ROW: Final = 1  # from 0; in row 0 an answer could be a function key
PATIENCE: Final = 0.8  # s that ending on a signal may take
STUCK: Final = 5.0  # s after which it is not waited for any more until the app hears of it


def pace_of(motion: str) -> float:
    """Return the pace of motion: 0 where nobody wants it, or the terminal cannot show it."""
    if os.environ.get("NO_MOTION") or os.environ.get("TERM") in colors.UNCOLORED | {"dumb"}:
        return 0.0
    return PACES[motion]


class KumiteApp(Punctual, OrderedKeys[None]):
    """Show one screen after the other; everything else is theirs."""

    TITLE = "kumite"
    CSS_PATH = "kumite.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", "quit kumite", show=False, id="app.quit", priority=True),
        Binding("ctrl+z", "suspend_process", "suspend kumite", show=False, id="app.suspend"),
        Binding("ctrl+l", "redraw", "draw the screen anew", show=False, id="app.redraw"),
    ]

    def __init__(
        self,
        settings: Settings,
        opening: Callable[[], Screen[None]] | None = None,
        told: tuple[str, ...] = (),
    ) -> None:
        """Open with the screen that `opening` makes, or with the home screen.

        `told` is what there is to say of the settings.
        """
        super().__init__()
        self.opening = opening
        self._told = told
        self._titled = ""  # what the terminal's title says of us
        self._bot_service: BotService | None = None
        self._will_say_queue = False
        charset = getattr(sys.__stderr__, "encoding", None) or "utf-8"  # Textual draws there
        self._painter = Painter(charset, not self.no_color)
        self._widths: list[int] | None = None  # the terminal's answers; None: it was not asked
        self._will_ask = glyphs.hoped(settings.glyphs) is not None  # once something is painted
        self.use(settings)
        self.animation_level = "none"  # a board game stands still; and frames cost bytes over ssh

    def get_driver_class(self) -> type[Driver]:
        """Return what reads from the terminal and writes to it: ours where there is Textual's."""
        found = super().get_driver_class()
        if found.__name__ != "LinuxDriver":  # Windows', or one that TEXTUAL_DRIVER names
            return found
        from kumite.tui.driver import TerminalDriver

        return TerminalDriver

    def use(self, settings: Settings) -> None:
        """Take these settings from now on.

        Raises:
            KumiteError: there is no such theme or glyph set.
        """
        depth = self.console._color_system or ColorSystem.TRUECOLOR
        has_colors = not self.no_color and os.environ.get("TERM") not in colors.UNCOLORED
        has_many = has_colors and depth >= ColorSystem.EIGHT_BIT
        name = colors.fitting(settings.theme, has_colors=has_colors, has_many=has_many)
        chosen, found = theme.load(name), glyphs.choose(settings.glyphs)
        if self._are_widths_proved:
            found = glyphs.hoped(settings.glyphs) or found
        self.settings, self.look = settings, found
        self.pace = pace_of(settings.motion)
        self.palette = colors.read(name, is_full=depth is ColorSystem.TRUECOLOR)
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
        """Return the bots; their process is started when one of them has to think."""
        if self._bot_service is None:
            from kumite.tui.bots.service import BotService  # late: a table of people needs none

            self._bot_service = BotService()
            self._bot_service.queue.on_move(self._queue_moved)
        return self._bot_service

    def _queue_moved(self) -> None:
        """Say soon that a bot waits for its turn in a house: most wait too briefly to say it."""
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
        """End the bots, however the app ends; give the terminal its own title back."""
        if self._titled:
            self._tell_terminal(attention.GIVE_BACK_TITLE)
        if self._bot_service is not None:
            self._bot_service.close()

    @property
    def _are_widths_proved(self) -> bool:
        return self._widths == [cells for _, cells in glyphs.PROBE]

    @staticmethod
    def home() -> Screen[None]:
        """Return a new home screen."""
        from kumite.tui.screens.home import HomeScreen

        return HomeScreen()

    def get_default_screen(self) -> Screen[None]:
        """Return the first screen: below it no blank one is laid out and painted."""
        screen = self.opening() if self.opening else self.home()
        screen._push_result_callback(self, None)  # `switch_screen` takes off what a push puts on
        return screen

    def go_back(self) -> None:
        """Leave the screen on top; below the last one is the home screen."""
        if len(self.screen_stack) > 1:
            self.pop_screen()
        else:
            self.switch_screen(self.home())

    def show_help(self, lines: tuple[Line, ...]) -> None:
        """Show the help of a screen on top of it."""
        from kumite.tui.screens.reading import HelpScreen

        self.push_screen(HelpScreen(lines))

    def open_table(self, table: Table) -> None:
        """Show a table on top of the present screen."""
        from kumite.tui.screens.table import TableScreen

        self.push_screen(TableScreen(table))

    def open_review(self, replay: Replay) -> None:
        """Look back at a match, from the eyes that look at it, on top of the present screen."""
        from kumite.tui.screens.review import ReviewScreen

        self.push_screen(ReviewScreen(replay))

    def before_key(self) -> None:
        """Let nothing move under a key."""
        if isinstance(self.screen, KumiteScreen):
            self.screen.before_key()

    def paint(self, widget: Widget) -> None:
        """Show at once what has changed on a widget, instead of some messages later."""
        if self.screen_stack and isinstance(self.screen, KumiteScreen):
            self.screen.paint(widget)

    def after_key(self) -> None:
        """Paint all that a key has changed."""
        if self.screen_stack and isinstance(self.screen, KumiteScreen):
            self.screen.after_key()

    # --- calling people -----------------------------------------------------------------------

    def entitle(self, text: str) -> None:
        """Give the terminal's window a title; its own comes back when we end."""
        if not (self.settings.title and self._can_be_told) or text == self._titled:
            return
        first, self._titled = not self._titled, text
        self._tell_terminal(f"{attention.KEEP_TITLE if first else ''}{attention.title(text)}")

    def call(self, heading: str, text: str) -> None:
        """Call whoever belongs to this terminal: by a bell, by a notice if they look elsewhere."""
        if not self._can_be_told:
            return
        if self.settings.bell:
            self._tell_terminal(attention.BELL)
        if self.settings.notices and not self.app_focus:
            self._tell_terminal(attention.notice(heading, text))

    @property
    def _can_be_told(self) -> bool:
        return self._driver is not None and attention.listens(os.environ.get("TERM", ""))

    def _tell_terminal(self, said: str) -> None:
        if self._driver is not None:
            self._driver.write(said)

    def on_peer_event(self, message: PeerEvent) -> None:
        """Take in what the network tells, in our thread."""
        message.table.hear(message.event)

    # --- the terminal -------------------------------------------------------------------------

    async def run_async(self, **options: Any) -> None:
        """Run until it is left; a signal that comes when all is over ends the program at once."""
        try:
            await super().run_async(**options)
        finally:
            if not self.is_headless:
                system.end_at_once()

    def on_mount(self) -> None:
        """Leave the terminal as it was whatever ends us, and draw anew when we come back."""
        if not self.is_headless:
            at_last = partial(self._exit_after, STUCK)
            system.on_ending(asyncio.get_running_loop(), self._end, at_last)
        self.set_timer(STARTED, gc.enable)
        self.call_after_refresh(self._tell_wrong)
        self.app_resume_signal.subscribe(self, lambda _: self.action_redraw())

    def _tell_wrong(self) -> None:
        """Say what is wrong with settings, theme and skin: the app goes on with our own."""
        if self.broken:
            first, more = self.broken[0], len(self.broken) - 1
            text = str(first).removeprefix(f"{sprites.users_folder()}{os.sep}")
            rest = f" (and {more} more)" if more else ""
            self._warn(f"{text}{rest}; our own is drawn. `kumite doctor` tells all.")
        for said in (*self._told, *self.palette.wrong[:MOST_TOLD]):
            self._warn(said)
        if self.settings.keys:
            self.set_timer(STARTED, self._check_keys)

    def _warn(self, said: str) -> None:
        self.say_aside(house.told(said), TOLD, "warning")

    def _check_keys(self) -> None:
        """Tell of keys in the settings that change nothing; the first screen need not wait."""
        from kumite.tui.screens import key_map

        for said in key_map.wrong(self.settings.keys)[:MOST_TOLD]:
            self._warn(f"settings: {said}")

    def _end(self, sign: int) -> None:
        """End in good order; but a terminal that is gone may never take what is written to it."""
        self._exit_after(PATIENCE, sign)
        self.exit(return_code=128 + sign)

    def _exit_after(self, seconds: float, sign: int) -> None:
        """End the program by then, whatever it is doing."""
        watchdog = threading.Timer(seconds, self._exit_at_once, (128 + sign,))
        watchdog.daemon = True
        watchdog.start()

    def _exit_at_once(self, status: int) -> None:
        try:
            if put_right := getattr(self._driver, "put_right", None):  # ours has it
                put_right()
        finally:
            os._exit(status)

    def _fatal_error(self) -> None:
        """Leave a report of one screen, and say where the rest of it lies."""
        from kumite.tui import crash

        error = sys.exc_info()[1] or self._exception
        assert error is not None
        told = Text(crash.report(error, self._saved()), no_wrap=True, overflow="ignore")
        self._exit_renderables.append(told)  # the terminal itself breaks lines that are too long
        self._close_messages_no_wait()

    def _saved(self) -> list[Path]:
        """Return the logs of the tables that are open."""
        tables = (getattr(screen, "table", None) for screen in self.screen_stack)
        paths = (getattr(table, "path", None) for table in tables)
        return [path for path in paths if path is not None]

    def _ask_widths(self) -> None:
        """Ask the terminal where its cursor stands after each glyph in doubt.

        A terminal that never answers keeps the glyphs that it has.
        """
        if self._driver is None:
            return
        self._widths = []
        place = f"\x1b[{PROBE_ROW + 1};1H"
        asked = "".join(f"{place}{glyph}\x1b[6n" for glyph, _ in glyphs.PROBE)
        self._driver.write(f"\x1b7\x1b[8m{asked}\x1b8")  # hidden, and at once painted over
        self._painter.forget_row(PROBE_ROW)
        self.screen.refresh(layout=True)

    def on_cursor_position(self, event: CursorPosition) -> None:
        """Take the glyphs that were hoped for, if the terminal shows them as wide as we count."""
        if self._widths is None or event.y != PROBE_ROW or len(self._widths) == len(glyphs.PROBE):
            return
        self._widths.append(event.x)
        if self._are_widths_proved:
            self.use(self.settings)

    def refresh_css(self, animate: bool = True) -> None:
        """Style everything anew; before the first screen, only take the colours of the theme."""
        if self.screen_stack:
            super().refresh_css(animate)
        else:  # else the style sheet would be parsed twice
            self.stylesheet.set_variables(self.get_css_variables())

    def export_screenshot(
        self,
        *,
        title: str | None = None,
        simplify: bool = False,  # noqa: ARG002
    ) -> str:
        """Return the screen as SVG, with kanji in their columns."""
        from kumite.tui.screens.snapshot import screen_picture

        strips = self.screen._compositor.render_strips()
        return screen_picture(strips, self.palette, title or self.title)

    def action_redraw(self) -> None:
        """Draw every cell, whatever we believe the terminal to show."""
        self._painter.forget()
        self.screen.refresh(layout=True)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hide from a guest of a house what they have no shell for."""
        if action == "suspend_process" and house.is_guest():
            return False
        return super().check_action(action, parameters)

    def action_suspend_process(self) -> None:
        """Give way to the shell; a guest of a house has none who could wake us again."""
        if not house.is_guest():
            super().action_suspend_process()

    def open_url(self, url: str, *, new_tab: bool = True) -> None:
        """Open a page in a browser, which at a house would be the host's."""
        house.refuse("open pages")
        super().open_url(url, new_tab=new_tab)

    def action_help_quit(self) -> None:
        """Answer ctrl+c, which quits elsewhere."""
        self.say_aside("ctrl+q quits kumite; nothing is lost", 3.0)

    def say_aside(self, said: str, seconds: float, severity: SeverityLevel = "information") -> None:
        """Say something in the corner, once for as long as it stands there."""
        if all(one.message != said or one.has_expired for one in self._notifications):
            self._on_notify(Notify(Notice(said, "", severity, seconds)))

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return none: colours are true ones, of which the painter makes what the terminal has.

        Textual puts each line of each widget through its filters at each picture.
        """
        return ()

    def _display(self, screen: Screen[object], renderable: object) -> None:
        """Hand the terminal only what differs from what it shows (see drawing/painter.py)."""
        if isinstance(renderable, CompositorUpdate) and not self.is_headless:
            renderable = Repaint(self._painter, renderable, *self.size)
        super()._display(screen, renderable)  # type: ignore[arg-type]
        if self._will_ask and not self.is_headless and screen.is_mounted:
            self._will_ask = False
            self.set_timer(ASKING, self._ask_widths)
