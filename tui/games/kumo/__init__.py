"""Basic information on Kumo Hogosha and its colour roles, available without loading the rules."""

from __future__ import annotations

from typing import Final

from kumite.tui.look.roles import Role
from kumite.tui.scenes.about import About

ABOUT = About(
    name="Kumo Hogosha",
    seats=(2, 4),
    minutes=30,
    sentence="Kumotori push a stone off an arena that turns like a wheel.",
    goal="push the stone off the far edge",
    aim="Push the stone over the other side's edge: two Kumotori together can move it.",
    trophy="kumo-kumo",
    roles=("begins",),
    has_first=True,
    forms=(
        ("cw", "turn the arena clockwise (ccw: the other way)"),
        ("+e1=run", "place a Kumotori on e1, in a stance"),
        ("e4=kumo", "give the one on e4 another stance"),
        ("e3-e4", "simple movement from e3 to e4"),
        ("run:e1-d2", "run from e1 to d2"),
        ("jump:c3-c6", "jump over a row, from c3 to c6"),
        ("grab:d4:e4-f4", "with the grabber d4 pull the foe e4 to f4"),
        ("grab:d1:e1-x", "grab the foe e1 into your prison"),
        ("throw:b1:a1-c1", "with the thrower b1 throw the foe a1 to c1"),
        ("block:c4-c5", "climb onto the foe on c5"),
        ("push:e4+e3", "push the stone with the leader e4 and the partner e3 (pull: pull it)"),
        ("off:c5-c6", "climb down from c5 to c6"),
        ("free", "free a prisoner"),
        ("done", "end the turn"),
    ),
)
ROLES: Final = {
    "stone": Role("on-seat", "contested", bold=True),
    **{f"camp-{side}": Role("target", f"seat-{side}-dim") for side in (0, 1)},  # a way into it
}
