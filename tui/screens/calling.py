"""Calls people to the screen: when it is their turn after a wait, when others talk or offer."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Final

from kumite.tui.play.local_table import LocalTable
from kumite.tui.scenes.about import about_game

if TYPE_CHECKING:
    from kumite.tui.screens.views import TableView

ASIDE: Final = 8.0  # s that it stands in the corner of another screen
WAITED: Final = 3.0  # s; whoever has waited shorter for a bot still looks at the screen


class Caller:
    """Who is called to one table screen, of whatever table it shows."""

    def __init__(self, screen: TableView) -> None:
        self._screen = screen
        self._table: object = None
        self._was_due = False
        self._since = 0.0  # when somebody here acted last, or the table was opened

    def follow(self) -> None:
        """Say in the title whose turn it is; call people whose turn has come."""
        screen, table = self._screen, self._screen.table
        is_new = self._table is not table
        is_due = not screen.is_over and table.acting is not None
        if is_new:
            self._table, self._since = table, monotonic()
            self._was_due = isinstance(table, LocalTable)  # those who open it look at it
        if is_due and not self._was_due and self._is_worth_it():
            screen.shell.call(self.name, "your turn")
        if not is_due and self._was_due:
            self._since = monotonic()
        self._was_due = is_due
        mark = screen.shell.look.solid[0] if screen.shell.look.is_drawn else "*"
        screen.shell.entitle(f"{mark} your turn: {self.name}" if is_due else self.name)

    @property
    def name(self) -> str:
        """Return what the game is called, in short."""
        return about_game(self._screen.table.match.game).name

    def _is_worth_it(self) -> bool:
        """Return whether people may look elsewhere by now: bots mostly answer at once."""
        is_lan = not isinstance(self._screen.table, LocalTable)
        return is_lan or monotonic() - self._since >= WAITED or not self._screen.app.app_focus

    def tell(self, text: str) -> None:
        """Call people because somebody else has said or offered something, or time is short.

        They may look at the replay, or read the rules: then it stands in the corner there.
        """
        if self._screen.table.mine:
            self._screen.shell.call(self.name, text)
            if not self._screen.is_on_top:
                self._screen.shell.say_aside(text, ASIDE)
