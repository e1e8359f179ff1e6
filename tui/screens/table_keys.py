"""The keys of a table, and what is done with them in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual.binding import Binding

from kumite.tui.play.local_table import LocalTable
from kumite.tui.widgets.bindings import analyse, leave, positions

if TYPE_CHECKING:
    from textual.binding import BindingType

    from kumite.tui.screens.views import TableView

HELP: Final = """\
Move the cursor over the board, or over what lies beside it (Tab goes there and
back). The line below says what a choice would do, or why nothing can be done.
Enter chooses; a step of several parts is made part by part, Esc goes one back.
What the marks mean stands below. [ and ] look back without taking back.
A step can also be typed: press : and write it as in the log. ? shows the rules.
i lets a bot look for a good step: the cursor goes to it, and beside the board it
says why; nothing is made until Enter. a compares the best steps. The log notes both.

While a bot is thinking all keys work; u and q interrupt it. If the program of a
seat fails, b decides who plays on.

The match is saved as it is played. Leaving loses nothing: the home screen and
`kumite resume` go on with it."""

BINDINGS: Final[list[BindingType]] = [
    Binding("enter,space", "uncover", "it is me", id="table.uncover"),
    Binding("enter,space", "go_on", "go on", id="table.go_on"),
    Binding("i", "hint", "hint", id="table.hint"),
    Binding("colon", "type", "type", id="table.type"),
    Binding("u", "take_back", "take back", id="table.back"),
    Binding("question_mark,r", "rules", "rules, help", id="table.rules"),
    Binding("full_stop", "again", "last turn again", show=False, id="table.again"),
    *positions(("table.look_on", "forward"), ("table.look_back", "look back"), show=False),
    analyse("table"),
    Binding("b", "who_plays", "who plays on?", id="table.who"),
    Binding("m", "rematch", "rematch", id="table.rematch"),
    Binding("g", "resign", "give up", show=False, id="table.resign"),
    leave(),
    Binding("tab", "switch", "board or hand", show=False, id="table.switch"),
    Binding("escape", "unchoose", "one part back", show=False, id="table.unchoose"),
]


def is_possible(screen: TableView, action: str) -> bool:
    """Return whether a key does something now; else it is not told of."""
    table, view = screen.table, screen.viewpoint
    possible = {
        "rematch": screen.is_over and isinstance(table, LocalTable),
        "go_on": view.interlude is not None,
        "uncover": table.awaited is not None and view.interlude is None,
        "resign": not screen.is_over,
        "who_plays": table.vacant_to_act() is not None,
        "take_back": isinstance(table, LocalTable) and table.match.number > 0,
    }
    needs_seat = action in ("type", "hint", "analyse")
    return screen.seat is not None if needs_seat else possible.get(action, True)
