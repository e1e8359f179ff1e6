"""Waiting for the other terminal, until the match begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.errors import KumiteError
from net import events
from net.peer import PORT
from tui.lan import LanTable
from tui.screens.base import KumiteScreen
from tui.screens.lan_table import LanTableScreen
from tui.widgets.lines import Lines

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import ComposeResult

    from core.game import Seats, Setup
    from tui.app import KumiteApp
    from tui.scenes import Line


class LobbyScreen(KumiteScreen):
    """An open table, or the way to one."""

    HELP = """\
The hosting terminal shows its addresses; the other one joins with
`kumite join ADDRESS`, or by `Join a LAN table` on its home screen. The match
begins by itself when both are there. q gives it up."""

    def __init__(self, opening: Callable[[KumiteApp], LanTable], title: str) -> None:
        """Use `hosting` or `joining`."""
        super().__init__()
        self._opening = opening
        self._title = title
        self._table: LanTable | None = None

    @classmethod
    def hosting(cls, setup: Setup, name: str, seats: Seats, port: int = PORT) -> LobbyScreen:
        """Open a table at which this terminal plays `seats`."""
        names = tuple(name if seat in seats else "" for seat in range(setup.seats))
        table = events.Table(setup, names, seats)
        return cls(
            lambda app: LanTable.host(table, app.post_message, port),
            f"A table of {setup.game.TITLE} for {setup.seats}",
        )

    @classmethod
    def joining(cls, address: str, port: int, name: str) -> LobbyScreen:
        """Go to the table at that address."""
        return cls(
            lambda app: LanTable.join(address, port, name, app.post_message),
            f"Joining {address} port {port}",
        )

    def compose(self) -> ComposeResult:
        """Lay out title, text and keys."""
        yield Lines(((self._title, "title"),), id="head")
        yield Lines(id="text")
        yield Lines(id="hint")
        yield Lines(id="keys")

    def on_mount(self) -> None:
        """Begin."""
        self._tell((("One moment ...", ""),))
        try:
            self._table = self._opening(self.kumite)
        except KumiteError as error:
            self._refuse(str(error), error.hint)
        else:
            self._table.listener = self.heard

    def _tell(self, *lines: Line) -> None:
        self.query_one("#text", Lines).show(lines)

    def _refuse(self, text: str, hint: str) -> None:
        self._tell(((text, "loss"),), ((hint, "quiet"),), (), (("q: back", ""),))

    def heard(self, event: events.Event) -> None:
        """Show how far it has come; once the match begins, go to its table."""
        match event:
            case events.Listening(port, addresses):
                self._tell(
                    (("Waiting for the other terminal. There, type", ""),),
                    (),
                    *(((f"    kumite join {one}:{port}", "title"),) for one in addresses),
                    (),
                    (("or choose `Join a LAN table` and write the address.", "quiet"),),
                    (("The match begins when somebody joins.", "quiet"),),
                )
            case events.TurnedAway() as away:
                self.say(f"{away.name or 'somebody'} could not join: {away.text}", "loss")
            case events.Began():
                self._begin()
            case events.Stopped() as stopped:
                self._refuse(stopped.text, stopped.hint)
            case _:
                pass

    def _begin(self) -> None:
        assert self._table is not None
        table, self._table = self._table, None
        self.app.switch_screen(LanTableScreen(table))

    def on_unmount(self) -> None:
        """Close the table, unless the match has begun on it."""
        if self._table is not None:
            self._table.close()
