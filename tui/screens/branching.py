"""Going on from a position that one looks at, as a match of its own, with whom one likes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from kumite.core.errors import KumiteError
from kumite.tui.bots.protocol import COMMAND
from kumite.tui.play.local_seats import BOT
from kumite.tui.widgets.form import Row

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kumite.core.log import Log
    from kumite.core.match import Played
    from kumite.tui.scenes import Line
    from kumite.tui.screens.base import KumiteScreen

OPPONENT: Final = "medium"  # the bot of those who go on alone


class BranchPoint(NamedTuple):
    """A position of a saved match."""

    log: Callable[[], Log]
    number: int


def ask(
    screen: KumiteScreen, names: Sequence[str], origin: BranchPoint, more: Sequence[Played] = ()
) -> None:
    """Ask who goes on from a position and the steps looked at after it, and open their table."""
    from kumite.tui.screens.dialog import Dialog

    def answered(who: str | None) -> None:
        if who and who != "no":
            _open(screen, _players(names, who), origin, more)

    rows = [Row("people", "with people at this keyboard")]
    against = f"you as {{}}, against {BOT}{OPPONENT}"
    rows += [Row(str(seat), against.format(name)) for seat, name in enumerate(names)]
    number = origin.number + len(more)
    question: Line = ((f"Go on from step {number}, in a log of its own", "title"),)
    screen.app.push_screen(Dialog((question,), (*rows, Row("no", "not now"))), answered)


def _players(names: Sequence[str], who: str) -> list[str]:
    """Return who plays by seat: people, or one of them against bots."""
    from kumite.tui.play.local_table import default_names

    people = [
        other if name.startswith((BOT, COMMAND)) else name
        for name, other in zip(names, default_names(len(names)), strict=True)
    ]
    return [
        name if who in ("people", str(seat)) else f"{BOT}{OPPONENT}"
        for seat, name in enumerate(people)
    ]


def _open(
    screen: KumiteScreen, names: Sequence[str], origin: BranchPoint, more: Sequence[Played]
) -> None:
    from kumite.tui.play.local_table import LocalTable
    from kumite.tui.screens.table import TableScreen

    try:
        table = LocalTable.branch(origin.log(), origin.number, names, more=more)
    except KumiteError as error:
        screen.complain(error)
    else:
        screen.app.push_screen(TableScreen(table))
