"""Branch a match: start a new one from a given position, with players of the user's choice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from kumite.core.log import Log
from kumite.core.match import Played
from kumite.core.players import BOT, bot_name, is_person
from kumite.tui.play.local_table import LocalTable, default_names
from kumite.tui.screens import dialog
from kumite.tui.screens.base import KumiteScreen
from kumite.tui.widgets.form import Row

OPPONENT: Final = "medium"  # the opponent when playing on alone
NOT_NOW: Final = "no"


class BranchPoint(NamedTuple):
    """A position in a saved match; `log` loads it and `number` counts its steps."""

    log: Callable[[], Log]
    number: int


def ask(
    screen: KumiteScreen, names: Sequence[str], origin: BranchPoint, more: Sequence[Played] = ()
) -> None:
    """Ask who plays on from a position (with the steps `more` added), and open the new table."""
    rows = [Row("people", "with people at this keyboard")]
    against = f"you as {{}}, against {bot_name(OPPONENT)}"
    rows += [Row(str(seat), against.format(name)) for seat, name in enumerate(names)]
    number = origin.number + len(more)
    where = f"after step {number}" if number else "from the start"
    question = f"Continue {where}, in a log of its own"

    def answered(who: str) -> None:
        if who != NOT_NOW:
            go_on(screen, names, who, origin, more)

    dialog.ask(screen.app, question, [*rows, Row(NOT_NOW, "not now")], answered)


def go_on(
    screen: KumiteScreen,
    names: Sequence[str],
    who: str,
    origin: BranchPoint,
    more: Sequence[Played] = (),
) -> None:
    """Open a table at a position: for all "people", or for one, by seat number, against bots."""
    with screen.complaining():
        players = _players(names, who)
        table = LocalTable.branch(origin.log(), origin.number, players, more=more)
        screen.shell.open_table(table)


def _players(names: Sequence[str], who: str) -> list[str]:
    people = [
        name if is_person(name) else other
        for name, other in zip(names, default_names(len(names)), strict=True)
    ]
    return [
        name if who in ("people", str(seat)) else f"{BOT}{OPPONENT}"
        for seat, name in enumerate(people)
    ]
