"""Roles: what a piece of text is, drawn in the ink and on the paper that themes give it. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


class Role(NamedTuple):
    """How a role is drawn: names of theme colours for ink and paper ("" is the widget's own)."""

    ink: str
    paper: str = ""
    bold: bool = False


_SEATS: Final = range(6)
ROLES: Final[Mapping[str, Role]] = {
    "": Role("foreground"),
    "quiet": Role("quiet"),
    "title": Role("title", bold=True),
    "key": Role("key", bold=True),
    "gain": Role("gain", bold=True),
    "loss": Role("loss", bold=True),
    "label": Role("target"),
    "fits": Role("fits"),
    "outside": Role("fits"),
    "border": Role("quiet"),
    "target": Role("target"),
    "contested": Role("contested", bold=True),
    "city": Role("on-seat", "seat-0", bold=True),
    "stone": Role("on-seat", "contested", bold=True),
    "cursor": Role("background", "foreground", bold=True),
    # Open seasons of Kitsu! glow; none in the colour of its two seats.
    "spring": Role("quiet", "seat-3-dim"),
    "summer": Role("quiet", "seat-2-dim"),
    "autumn": Role("quiet", "seat-4-dim"),
    "winter": Role("quiet", "seat-5-dim"),
    "mover": Role("on-seat", "title", bold=True),  # in mid-move
    "spent": Role("quiet"),  # a piece that cannot serve again
    # Kitsune's cards, and what counts for their clans.
    "blue": Role("seat-1"),
    "orange": Role("seat-4"),
    "card-blue": Role("on-seat", "seat-1", bold=True),
    "card-orange": Role("on-seat", "seat-4", bold=True),
    "card-special": Role("on-seat", "seat-3", bold=True),
    "card-back": Role("on-seat", "quiet"),
    **{f"base-{n}": Role("on-seat", f"seat-{n}", bold=True) for n in _SEATS},
    **{f"flag-{n}": Role(f"seat-{n}", f"seat-{n}-dim") for n in _SEATS},
}
