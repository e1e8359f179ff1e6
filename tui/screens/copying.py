"""A match copied as one line of text, for a chat: `kumite open` opens it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kumite.core.errors import KumiteError
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
        self.say(f"The match{upto} is copied as a line for a chat; `kumite open` opens it.")
