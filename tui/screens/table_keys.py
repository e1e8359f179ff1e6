"""The keys of a table, and what is done with them in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual.binding import Binding

from kumite.store import house
from kumite.tui.play.local_table import LocalTable
from kumite.tui.widgets.bindings import analyse, leave, positions, review

if TYPE_CHECKING:
    from textual.binding import BindingType

    from kumite.tui.screens.views import TableView

HELP: Final = """\
Move the cursor over the board, or over what lies beside it (Tab goes there and
back). The line below says what a choice would do, or why nothing can be done.
Enter chooses; a step of several parts is made part by part, Esc goes one back.
What all signs on the table mean stands below the keys (End goes there).
[ and ] look back without taking back.
A step can also be typed: press : and write it as in the log. ? shows the rules.
f turns the board round, so that one sees it from the other side.
i lets a bot look for a good step: the cursor goes to it, and beside the board it
says why; i again says what it leads to, and what the next best lacks. Nothing is made
until Enter. a compares the best steps. A tutor, if you want one (set-up, settings),
warns once before a step that costs much. The log notes all three.

Where people at one keyboard have secrets, a cover hides the table until the one who
is to act presses the key that it names; it hears nothing until all keys are at rest.

While a bot is thinking all keys work; u and q interrupt it. If the program of a
seat fails, b decides who plays on.

When a match is over, a card says who has won and why; v puts it aside and shows it
again. o looks back at it: how well each chose, where it turned, and another try at that.
p replays the match, a has a bot judge all of it{{; s keeps a picture of the last position,
S one that plays the match (both are SVG files beside the saved match)|}}.

The match is saved as it is played. Leaving loses nothing: the home screen {{and
`kumite resume` go|goes}} on with it."""

AT_THE_END: Final = ("review", "replay", "keep_picture", "keep_film", "card")  # actions
FROM_THE_END: Final = (*AT_THE_END, "analyse", "rematch")
UNDER_COVER: Final = ("back", "help", "rules", "take_back")  # nothing of them is a secret
BINDINGS: Final[list[BindingType]] = [
    Binding("enter,space", "go_on", "go on", id="table.go_on"),
    Binding("i", "hint", "hint", id="table.hint"),
    # What is named last goes first where the line of keys has no room.
    Binding("u", "take_back", "take back", id="table.back"),
    Binding("colon", "type", "type", id="table.type"),
    Binding("question_mark,r", "rules", "rules, help", id="table.rules"),
    Binding("full_stop", "again", "last turn again", show=False, id="table.again"),
    *positions(("table.look_on", "forward"), ("table.look_back", "look back"), show=False),
    analyse("table"),
    Binding("b", "who_plays", "who plays on?", id="table.who"),
    Binding("m", "rematch", "rematch", id="table.rematch"),
    review("table", show=True),
    Binding("p", "replay", "replay", id="table.replay"),
    Binding("s", "keep_picture", "keep a picture", show=False, id="table.picture"),
    Binding("S", "keep_film", "keep a film", show=False, id="table.film"),
    Binding("v", "card", "board or card", show=False, id="table.card"),
    Binding("f", "turn_board", "turn the board round", show=False, id="table.turn"),
    Binding("g", "resign", "give up", show=False, id="table.resign"),
    leave(),
    Binding("tab", "switch", "board or hand", show=False, id="table.switch"),
    Binding("escape", "unchoose", "one part back", show=False, id="table.unchoose"),
]


def is_possible(screen: TableView, action: str) -> bool:
    """Return whether a key does something now; else it is not told of. Few do under a cover."""
    table, view = screen.table, screen.viewpoint
    if screen.is_covered and action not in UNDER_COVER:
        return False
    if view.interlude and screen.is_over and action in FROM_THE_END:
        return False  # what is still to be seen is not told by the keys
    if screen.is_over and action in ("analyse", "review"):
        return table.path is not None
    match action:  # asked of every key whenever one thing changes: only what it asks is looked at
        case "type" | "hint" | "analyse":
            return screen.seat is not None
        case "rematch":
            return screen.is_over and isinstance(table, LocalTable)
        case "go_on":
            return view.interlude is not None
        case _ if action in AT_THE_END:
            is_file = action in ("keep_picture", "keep_film")
            is_at_the_end = screen.is_over and screen.is_in_present
            return is_at_the_end and not (is_file and house.is_guest())
        case "resign":
            return not screen.is_over
        case "turn_board":
            return screen.is_ready and screen.field.is_board
        case "who_plays":
            return table.vacant_to_act() is not None
        case "take_back":
            return isinstance(table, LocalTable) and table.match.number > 0
    return True
