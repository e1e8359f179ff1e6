"""Keys that several widgets or screens share, and what is done with them.

Every binding has an id that begins with its owner: by these ids people change keys (settings).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual.binding import Binding

if TYPE_CHECKING:
    from textual.binding import BindingType


JUMP: Final = "jump(1)"
CHOOSE: Final = "choose"


def cursor(owner: str, left: str = "left", right: str = "right") -> list[BindingType]:
    """Return the keys that move a cursor, by `move(columns, rows)`."""
    return [
        Binding("up,k", "move(0,-1)", "up", show=False, id=f"{owner}.up"),
        Binding("down,j", "move(0,1)", "down", show=False, id=f"{owner}.down"),
        Binding("left,h", "move(-1,0)", left, show=False, id=f"{owner}.left"),
        Binding("right,l", "move(1,0)", right, show=False, id=f"{owner}.right"),
    ]


def choosing(owner: str) -> list[BindingType]:
    """Return the keys that move a cursor among what can be chosen, and choose it."""
    return [
        *cursor(owner),
        Binding("n", JUMP, "next choice", id=f"{owner}.next"),
        Binding("N", "jump(-1)", "choice before", show=False, id=f"{owner}.previous"),
        Binding("enter,space", CHOOSE, "choose", id=f"{owner}.choose"),
    ]


def positions(
    on: tuple[str, str],
    back: tuple[str, str],
    *,
    more: tuple[str, str] = ("", ""),
    show: bool = True,
) -> list[BindingType]:
    """Return the keys that look at the position after or before, by `look(1)` and `look(-1)`.

    `on` and `back` are (id, description) each; `more` are other keys for the two, with commas.
    """
    keys = (f"{more[0]}right_square_bracket", f"{more[1]}left_square_bracket")
    return [
        Binding(keys[0], "look(1)", on[1], show=show, id=on[0]),
        Binding(keys[1], "look(-1)", back[1], show=show, id=back[0]),
    ]


def analyse(owner: str) -> Binding:
    """Return the key that compares the best steps of a position."""
    return Binding("a", "analyse", "analyse", id=f"{owner}.analyse")


def branch(owner: str) -> Binding:
    """Return the key that goes on from a position, as a match of its own."""
    return Binding("b", "branch", "go on", id=f"{owner}.branch")


def review(owner: str, *, show: bool = False) -> Binding:
    """Return the key that looks back at a match."""
    return Binding("o", "review", "review", show=show, id=f"{owner}.review")


def escape(id: str, description: str = "back", *, show: bool = False) -> Binding:  # noqa: A002
    """Return the other key that leaves a screen, beside `q`."""
    return Binding("escape", "back", description, show=show, id=id)


def leave() -> Binding:
    """Return the key that leaves a screen, called so where a match is left with it."""
    return Binding("q", "back", "leave", id="screen.back")
