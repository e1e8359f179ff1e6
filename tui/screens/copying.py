"""Where one goes from a replay: its match as one line of text for a chat, its review, its rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kumite.core.errors import KumiteError
from kumite.store import house
from kumite.tui.screens.base import KumiteScreen

if TYPE_CHECKING:
    from kumite.tui.play.replaying import Replay


class Copying(KumiteScreen):
    """A screen that shows step `at` of a replay."""

    replay: Replay
    at: int

    def action_copy(self) -> None:
        """Hand the match up to here to the terminal's clipboard (OSC 52)."""
        from kumite.tui.export.line import line_of  # late: few copy

        try:
            line = line_of(self.replay, self.at)
        except KumiteError as error:
            self.complain(error)
            return
        self.app.copy_to_clipboard(line)
        upto = "" if self.at == self.replay.last else f" up to step {self.at}"
        then = house.suited("{{; `kumite open` opens it|}}")
        self.say(f"The match{upto} is copied as a line for a chat{then}.")

    def look_back(self) -> None:
        """Look back at the match from the eyes that look at it."""
        from kumite.tui.play.replaying import Replay

        self.shell.open_review(Replay(self.replay.log, self.replay.eyes.key))

    def action_rules(self) -> None:
        """Show the rules of this game."""
        from kumite.tui.screens.reading import RulesScreen

        game = self.replay.log.match.game
        chapter = self.replay.makes.chapter(self.replay.line[self.at].state)
        self.app.push_screen(RulesScreen(game.ID, game.TITLE, chapter, self.help_lines()))
