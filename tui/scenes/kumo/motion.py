"""The motion of Kumo: pieces walk and are pushed; the arena turns like a wheel."""

from __future__ import annotations

from dataclasses import replace
from math import cos, radians, sin
from typing import TYPE_CHECKING, Final

from kumite.tui.scenes.motion import Frame, after_with, board_frames

if TYPE_CHECKING:
    from kumite.core.game import Step
    from kumite.tui.scenes.model import Cell, Scene

TURNS: Final = {"cw": 1, "ccw": -1}  # the steps that turn the arena, and which way
ANGLES: Final = (30, 60)  # degrees at which it is seen on its way
TURNING: Final = 0.12  # s for each of them


def frames(before: Scene, after: Scene, step: Step) -> tuple[Frame, ...]:
    """Return how a step came about."""
    if step not in TURNS:
        return board_frames(before, after)
    way = TURNS[step]
    return (
        Frame(before, TURNING),
        *(Frame(_turned(before, way * angle), TURNING, angle != ANGLES[-1]) for angle in ANGLES),
    )


def _turned(scene: Scene, degrees: int) -> Scene:
    """Return the arena with all that stands on it turned about its middle."""
    rows = scene.board.rows
    middle, turn = (len(rows) - 1) / 2, radians(degrees)
    cells: dict[str, Cell] = {
        cell.name: replace(cell, sprite="", owner=None, glyph=" ", mark="", badge="")
        for row in rows
        for cell in row
        if cell.sprite
    }
    for y, row in enumerate(rows):
        for x, cell in enumerate(row):
            if cell.sprite:
                right, down = x - middle, y - middle
                to_x = _nearest(middle + right * cos(turn) - down * sin(turn), len(row))
                to_y = _nearest(middle + right * sin(turn) + down * cos(turn), len(rows))
                there = rows[to_y][to_x]
                cells[there.name] = replace(
                    cells.get(there.name, there),
                    sprite=cell.sprite,
                    owner=cell.owner,
                    glyph=cell.glyph,
                    role=cell.role,
                )
    return after_with(scene, cells)


def _nearest(at: float, size: int) -> int:
    return max(0, min(size - 1, round(at)))
