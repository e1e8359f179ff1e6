"""What a screen or a widget may ask of the app that shows it: so none of them imports the app."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from textual.widget import Widget

    from kumite.tui.bots.service import BotService
    from kumite.tui.drawing.squares import Brush
    from kumite.tui.look.colors import Palette
    from kumite.tui.look.glyphs import Look
    from kumite.tui.look.sprites import BadSprite
    from kumite.tui.play.local_table import Table
    from kumite.tui.play.replaying import Replay
    from kumite.tui.scenes.lines import Line
    from kumite.tui.settings import Settings


class Shell(Protocol):
    """The app, as far as screens and widgets know it."""

    look: Look  # the glyphs of this terminal
    palette: Palette  # the colours of the theme, in the depth of this terminal
    brush: Brush  # what pieces are drawn with here
    broken: tuple[BadSprite, ...]  # what is wrong with the skin; ours is drawn instead
    pace: float  # of motion: a factor of its times; 0: nothing moves
    settings: Settings  # to change them, `use` others

    @property
    def bot_service(self) -> BotService:
        """Return the bots of this program."""

    def use(self, settings: Settings) -> None:
        """Take these settings from now on.

        Raises:
            KumiteError: there is no such theme or glyph set.
        """

    def entitle(self, text: str) -> None:
        """Give the terminal's window a title."""

    def call(self, heading: str, text: str) -> None:
        """Call whoever belongs to this terminal: by a bell, by a notice if they look elsewhere."""

    def say_aside(self, said: str, seconds: float) -> None:
        """Say something in the corner of whatever screen there is, for so many s."""

    def paint(self, widget: Widget) -> None:
        """Show at once what has changed on a widget, instead of some messages later."""

    def forget_keys(self) -> None:
        """Throw away the keys that wait: they were meant for what is no longer shown."""

    # --- to other screens, where an import would go round -------------------------------------

    def go_back(self) -> None:
        """Leave the screen on top."""

    def show_help(self, lines: tuple[Line, ...]) -> None:
        """Show the help of a screen on top of it."""

    def open_table(self, table: Table) -> None:
        """Show a table on top of the present screen."""

    def open_review(self, replay: Replay) -> None:
        """Look back at a match, from the eyes that look at it, on top of the present screen."""
