"""The keys of a replay, and what is done with them in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual.binding import Binding

from kumite.tui.widgets.bindings import analyse, branch, escape, positions, review

if TYPE_CHECKING:
    from textual.binding import BindingType

HELP: Final = """\
Right and left go a step forward and back, down and up a turn or a card, PgDn and
PgUp a trick or round (ten steps where there is none), { and } the largest part.
t goes to the next turning point, T to the one before. The line shows them all;
! stands where there is a remark. g asks for a step number; a digit goes to the
next step of that player (1 is the first).
Space plays the match by itself, v turns it backwards, + and - change how fast.
c lets a bot judge every position, and shows the values as a curve: t goes to its
largest changes as well; c again stops, or hides it. a compares the best steps.
o looks back at all of it: how well each chose, where it turned, and another try.
e looks from other eyes, w writes a remark into the log, b goes on from here:
with people or against a bot, in a log of its own. x copies the match up to here as a
line of text for a chat{{, which `kumite open` opens|}}.
At the end a card says who won; Enter puts it aside, and shows it again."""

CARD_KEYS: Final = {  # what the card of the end names, by action
    "to(0)": "from the start",
    "review": "review",
    "values": "values",
    "analyse": "analysis",
    "card": "board",
}

BINDINGS: Final[list[BindingType]] = [
    *positions(
        ("replay.forward", "forward"), ("replay.back", "back"), more=("right,l,", "left,h,")
    ),
    Binding("down,j", "part(1,1)", "a turn on", show=False, id="replay.down"),
    Binding("up,k", "part(1,-1)", "a turn back", show=False, id="replay.up"),
    Binding("pagedown", "part(2,1)", "a larger part on", show=False, id="replay.pagedown"),
    Binding("pageup", "part(2,-1)", "a larger part back", show=False, id="replay.pageup"),
    Binding("right_curly_bracket", "part(9,1)", "the next round", show=False, id="replay.on"),
    Binding("left_curly_bracket", "part(9,-1)", "the round before", show=False, id="replay.before"),
    Binding("home", "to(0)", "start", show=False, id="replay.home"),
    Binding("end", "to(-1)", "end", show=False, id="replay.end"),
    Binding("t", "event(1)", "turning point", id="replay.event"),
    Binding("T", "event(-1)", "turning point before", show=False, id="replay.event_before"),
    Binding("space", "play", "play", id="replay.play"),
    Binding("c", "values", "values", id="replay.values"),
    analyse("replay"),
    review("replay"),
    Binding("e", "eyes", "eyes", id="replay.eyes"),
    branch("replay"),
    Binding("w", "remark", "remark", id="replay.remark"),
    Binding("x", "copy", "copy as a line", show=False, id="replay.copy"),
    Binding("v", "reverse", "play backwards", show=False, id="replay.reverse"),
    Binding("plus,equals_sign", "speed(1)", "faster", show=False, id="replay.faster"),
    Binding("minus", "speed(-1)", "slower", show=False, id="replay.slower"),
    Binding("g", "ask", "step ...", id="replay.ask"),
    *(
        Binding(str(n), f"turn({n - 1})", f"Next step of player {n}", show=False, id=f"replay.{n}")
        for n in range(1, 7)
    ),
    Binding("r", "rules", "rules", show=False, id="replay.rules"),
    Binding("enter", "card", "board or card", show=False, id="replay.card"),
    escape("replay.leave"),
]
