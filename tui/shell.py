"""The interface of the app for screens and widgets, so that they need not import it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from textual.widget import Widget

    from kumite.tui.bots.service import BotService
    from kumite.tui.drawing.pixels import Brush
    from kumite.tui.look.colors import Palette
    from kumite.tui.look.glyphs import Look
    from kumite.tui.look.sprites import BadSprite
    from kumite.tui.play.local_seats import LocalSeats
    from kumite.tui.play.replaying import Replay
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
    def bot_service(self) -> BotService:
        """Return the app's bot service."""

    def use(self, settings: Settings) -> None:
        """Apply these settings.

        Raises:
            KumiteError: there is no such theme or glyph set.
        """

    def entitle(self, text: str) -> None:
        """Set the terminal's window title."""

    def call(self, heading: str, text: str) -> None:
        """Alert the local players by the bell, and by a notification without the focus."""

    def say_aside(self, said: str, seconds: float) -> None:
        """Show a message in the corner of the current screen, for `seconds`."""

    def paint(self, widget: Widget) -> None:
        """Paint a widget's changes now rather than with the next frame."""

    def forget_keys(self) -> None:
        """Discard pending keys: they were meant for something no longer shown."""

    # --- opening other screens, where importing them would be circular -------------------------

    def go_back(self) -> None:
        """Leave the top screen."""

    def show_help(self, lines: tuple[Line, ...]) -> None:
        """Open the help of a screen."""

    def open_table(self, table: LocalSeats) -> None:
        """Open a table on top of the current screen."""

    def open_review(self, replay: Replay) -> None:
        """Open the review of a match, in the replay's view, on top of the current screen."""
