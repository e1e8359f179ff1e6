"""The interface of the app for screens and widgets, so that they need not import it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.widget import Widget

    from kumite.core.log import Log
    from kumite.tui.bots.service import BotService
    from kumite.tui.drawing.pixels import Brush
    from kumite.tui.look.colors import Palette
    from kumite.tui.look.glyphs import Look
    from kumite.tui.look.sprites import BadSprite
    from kumite.tui.play.local_seats import LocalSeats
    from kumite.tui.scenes.lines import Line
    from kumite.tui.settings import Settings


class Shell(Protocol):
    """The app as screens and widgets see it."""

    look: Look  # glyphs of this terminal
    palette: Palette  # colours of the theme, in this terminal's depth
    brush: Brush  # draws the pieces
    broken: tuple[BadSprite, ...]  # errors in the skin; the default is drawn instead
    pace: float  # factor for the times of animations; 0: none
    settings: Settings  # call `use` to change them
    layout: str  # the keyboard layout guessed from letters bound nowhere, or ""

    @property
    def bot_service(self) -> BotService: ...
    def use(self, settings: Settings) -> None: ...
    def entitle(self, text: str) -> None: ...
    def call(self, heading: str, text: str) -> None: ...
    def say_aside(self, said: str, seconds: float) -> None: ...
    def paint(self, widget: Widget) -> None: ...
    def forget_keys(self, seconds: float = 0.0) -> None: ...

    # Opening other screens, where importing them would be circular:
    def go_back(self) -> None: ...
    def show_help(self, lines: tuple[Line, ...]) -> None: ...
    def open_table(self, table: LocalSeats) -> None: ...
    def open_review(
        self,
        log: Log,
        eyes: str = "",
        *,
        is_turned: bool = False,
        talk: Callable[[str], str] | None = None,
    ) -> None: ...
