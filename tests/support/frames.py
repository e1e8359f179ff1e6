"""Whole screens as text that a person can read: what is written, and in which colours."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import cast

import pytest
from rich.cells import cell_len
from rich.style import Style
from textual.pilot import Pilot

from kumite.core.game import CHANCE, Setup
from kumite.core.games import find
from kumite.core.match import Match
from kumite.tui.app import KumiteApp
from kumite.tui.look.sprites import SEAT, Picture, Skin, Sprite
from tests.support.apps import settled
from tests.support.waiting import looks

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
MARKS = LETTERS + "".join(map(chr, range(0xC0, 0x250)))  # pictures have many colours


def middle_of(game_id: str, seats: int, steps: int = 30) -> Match:
    """Play the same steps on every Python, until a person is to act."""
    match = Match.begin(Setup.of(find(game_id), seats))
    while match.actors and (match.number < steps or CHANCE in match.actors):
        actor = match.actors[match.number % len(match.actors)]
        legal = match.legal(actor)
        match = match.play(actor, legal[7 * match.number % len(legal)])
    return match


def cells(app: KumiteApp) -> list[list[tuple[str, Style]]]:
    """Return each character of the screen with its style, row by row."""
    rows = []
    for strip in app.screen._compositor.render_strips():
        row = []
        for text, style, _ in strip:
            assert style is not None
            row += [(one, style) for one in text]
        rows.append(row)
    return rows


def without_pixels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fill every sprite with its owner's colour, so that no pixel of ours changes a frame."""
    whole = Skin.sprite

    def sprite(self: Skin, name: str) -> Sprite:
        found = whole(self, name)
        return Sprite(*(tuple(map(filled, some)) for some in (found.pictures, found.shapes)))

    monkeypatch.setattr(Skin, "sprite", sprite)


def filled(one: Picture) -> Picture:
    return replace(one, rows=((SEAT,) * one.width,) * one.height)


def frame_of(app: KumiteApp) -> str:
    """Return text and, below, a letter for the style of each character, and what letters mean."""
    found: dict[str, str] = {}
    text, styles = [], []
    for row in cells(app):
        text.append("".join(one for one, _ in row).rstrip())
        letters = (
            cell_len(one) * found.setdefault(said(one, style), MARKS[len(found)] if found else " ")
            for one, style in row
        )
        styles.append("".join(letters).rstrip())
    legend = (f"{mark!r} {name}" for name, mark in found.items())
    line = "-" * app.size.width
    return "\n".join(chain(text, [line], styles, [line], legend))


def said(text: str, style: Style) -> str:
    """Return a style in words; of blanks only the ground can be seen."""
    ink, paper = (color.name if color else "-" for color in (style.color, style.bgcolor))
    if text.isspace():
        return f"blank on {paper}"
    return f"{'bold ' * bool(style.bold)}{ink} on {paper}"


async def rested(pilot: Pilot[None]) -> str:
    """Return what is shown once nothing more comes: a layout may bring another one."""
    app = cast("KumiteApp", pilot.app)
    shown = frame_of(app)
    for _ in looks("a screen that rests"):
        await pilot.pause(0.02)
        await settled(app.screen)
        before, shown = shown, frame_of(app)
        if before == shown:
            break
    return shown
