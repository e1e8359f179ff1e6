"""The table of a match over the LAN: the same screen, told by the network."""

from __future__ import annotations

from typing import TYPE_CHECKING

from net import events
from tui.screens.table import TableScreen

if TYPE_CHECKING:
    from tui.lan import LanTable


class LanTableScreen(TableScreen):
    """A match with another terminal."""

    HELP = TableScreen.HELP.replace(
        "Leaving loses nothing: the home screen and\n`kumite resume` go on with it.",
        "Leaving adjourns it; all keep\ntheir logs. g gives the match up.",
    )

    def __init__(self, table: LanTable) -> None:
        super().__init__(table)
        self.lan = table
        self.is_left = False
        table.listener = self.heard

    def heard(self, event: events.Event) -> None:
        """Show what the network told."""
        if not self.is_ready or self.is_left:
            return  # before: the table knows, and is shown when we are; after: nobody looks
        match event:
            case events.MatchChanged() | events.Began():
                self.show_table()
            case events.NotDone(_, text, hint):
                self.show_table()
                self._tell(text, hint)
            case (
                events.Quiet(text=text)
                | events.Away(text=text)
                | events.HeardAgain(text=text)
                | events.Stalled(text=text)
                | events.Offered(text=text)
                | events.OfferGone(text=text)
                | events.Audited(text=text)
            ):
                self.say(text, "quiet")
            case events.Said(seat, text):
                self.say(f"{self.table.names[seat]}: {text}", "title")
            case events.Ended(text=text) | events.Left(text=text):
                self.show_table()
                self._tell(text, "")
            case events.Stopped() as stopped:
                self.show_table()
                self._tell(stopped.text, stopped.hint)
            case _:
                pass

    def _leave(self) -> None:
        self.is_left = True
        super().action_back()

    def _tell(self, text: str, hint: str) -> None:
        self.hint(((text, "loss"), (f"  {hint}" if hint else "", "quiet")))

    def action_back(self) -> None:
        """Leave; ask first in mid-match."""
        if self.is_over or self.lan.closed:
            self._leave()
            return
        from tui.screens.dialog import Dialog
        from tui.widgets.form import Row

        def answered(answer: str | None) -> None:
            if answer == "yes":
                self._leave()

        self.app.push_screen(
            Dialog(
                (
                    (("Leave the table?", "title"),),
                    (("That adjourns the match; all keep their logs.", ""),),
                ),
                (Row("no", "No, stay"), Row("yes", "Yes, leave")),
            ),
            answered,
        )
