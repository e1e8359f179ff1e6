"""Key bindings shared by several widgets or screens.

The id of a binding begins with its owner; players change keys by these ids (settings).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from textual.binding import Binding, BindingType
from textual.keys import _character_to_key

JUMP: Final = "jump(1)"
CHOOSE: Final = "choose"
ARROWS: Final = {"left": "←", "right": "→", "up": "↑", "down": "↓"}
WORDS: Final = {"escape": "Esc", "pageup": "PgUp", "pagedown": "PgDn"}
KEYS: Final = ARROWS | WORDS | {_character_to_key(sign): sign for sign in "?:./+-=[]{}"}
STUDIES: Final = {
    "analyse": ("a", "analyse"),
    "branch": ("b", "play from here"),
    "review": ("o", "review"),
}


def key_name(key: str, *, is_ascii: bool = False) -> str:
    """Return a key's display name; arrows are spelled out if `is_ascii`."""
    if key in KEYS and (not is_ascii or KEYS[key].isascii()):
        return KEYS[key]
    return key.capitalize() if len(key) > 1 and "+" not in key else key


def key_at(left: str, right: str, keys: Mapping[str, str], *, is_line: bool) -> str:
    """Return the key that a click between `left` and `right` means: the last one named before it.

    `keys` are those bound, by name. `is_line`: on the line of keys. In other texts a letter counts
    after a gap only, as in `leo asks  y: yes`: before, it can be the name of who says something.
    """
    *gaps, begun = left.split("  ")
    word, _, rest = right.partition("  ")[0].partition(" ")
    before, after = f"{begun}{word}".split(), rest.split()
    first = [*before, *after][:1]
    for said in (*reversed(before), *after):
        name = said.rstrip(":;,")
        is_head = [said] == first and (is_line or (bool(gaps) and said != name))
        if name in keys and (is_head or len(name) > 1 or not name.isalnum()):
            return keys[name]
    return ""


def cursor(owner: str, left: str = "left", right: str = "right") -> list[BindingType]:
    return [
        Binding("up,k", "move(0,-1)", "up", show=False, id=f"{owner}.up"),
        Binding("down,j", "move(0,1)", "down", show=False, id=f"{owner}.down"),
        Binding("left,h", "move(-1,0)", left, show=False, id=f"{owner}.left"),
        Binding("right,l", "move(1,0)", right, show=False, id=f"{owner}.right"),
    ]


def choosing(owner: str) -> list[BindingType]:
    return [
        *cursor(owner),
        Binding("n", JUMP, "next choice", id=f"{owner}.next"),
        Binding("N", "jump(-1)", "previous choice", show=False, id=f"{owner}.previous"),
        Binding("enter,space", CHOOSE, "choose", id=f"{owner}.choose"),
    ]


def positions(
    on: tuple[str, str],
    back: tuple[str, str],
    *,
    more: tuple[str, str] = ("", ""),
    show: bool = True,
) -> list[BindingType]:
    """Return the keys for the next and previous position: `look(1)` and `look(-1)`.

    `on` and `back` are (id, description) each; `more` are additional keys for them, ending with
    commas.
    """
    keys = (f"{more[0]}right_square_bracket", f"{more[1]}left_square_bracket")
    return [
        Binding(keys[0], "look(1)", on[1], show=show, id=on[0]),
        Binding(keys[1], "look(-1)", back[1], show=show, id=back[0]),
    ]


def study(owner: str, action: str, *, show: bool = True) -> Binding:
    """Return the key with which a match is studied: analysed, reviewed, played on from here."""
    key, said = STUDIES[action]
    return Binding(key, action, said, show=show, id=f"{owner}.{action}")


def escape(id: str, description: str = "back", *, show: bool = False) -> Binding:  # noqa: A002
    return Binding("escape", "back", description, show=show, id=id)


def leave() -> Binding:
    return Binding("q", "back", "leave", id="screen.back")
