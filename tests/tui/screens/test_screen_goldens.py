"""Whole tables as they were looked at: the text, and which colours each cell has.

In some sizes and themes the colours are kept as a digest only: a page of letters a size is enough
to see which colours have changed, and where.
"""

from __future__ import annotations

from hashlib import blake2b
from itertools import chain
from typing import TYPE_CHECKING, cast

import pytest
from rich.cells import cell_len

from kumite.core.game import CHANCE, Setup
from kumite.core.games import find
from kumite.core.match import Match
from kumite.tui.app import KumiteApp
from kumite.tui.play.local_table import LocalTable
from kumite.tui.screens.table import TableScreen
from kumite.tui.settings import Settings
from tests.support.apps import settled, uncovered
from tests.support.goldens import check
from tests.support.waiting import looks

if TYPE_CHECKING:
    from rich.style import Style
    from textual.pilot import Pilot

NAMES = ("ada", "武蔵坊弁慶", "cyd", "dan", "eve", "fay")
TABLES = {  # game, seats, steps after which both clans, sides or hands are well mixed
    "kitsu-2": 9,
    "kitsune-2": 38,
    "kitsune-6": 40,
    "kumo-2": 12,
    "kumo-4": 17,
    "kuzushi-2": 16,
    "kuzushi-6": 30,
    "kiriai-2": 12,
}
SMALL, LARGE = (80, 24), (120, 40)
WAYS = [
    *((SMALL, theme, "letters") for theme in ("dark", "mono")),
    *((SMALL, "dark", glyphs) for glyphs in ("ascii", "kanji")),
    *((LARGE, theme, "letters") for theme in ("dark", "mono")),
    (LARGE, "dark", "ascii"),
]
DIGESTED = [
    ((160, 50), "light", "letters"),
    ((72, 22), "contrast", "letters"),
    ((60, 20), "sixteen", "letters"),
]
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
MARKS = LETTERS + "".join(map(chr, range(0xC0, 0x250)))  # pictures have many colours


def middle_of(table: str) -> Match:
    """Play the same steps on every Python, until a person is to act."""
    game, seats = table.split("-")
    match = Match.begin(Setup.of(find(game), int(seats)))
    while match.number < TABLES[table] or CHANCE in match.actors:
        actor = match.actors[match.number % len(match.actors)]
        legal = match.legal(actor)
        match = match.play(actor, legal[7 * match.number % len(legal)])
    assert match.outcome is None
    return match


def styled(app: KumiteApp) -> str:
    """Return text and, below, a letter for the style of each cell, and what the letters mean."""
    found: dict[str, str] = {}
    text, styles = [], []
    for strip in app.screen._compositor.render_strips():
        text.append(strip.text.rstrip())
        cells = "".join(
            found.setdefault(said, MARKS[len(found)] if found else " ") * cell_len(part)
            for part, style, _ in strip
            for said in [called(part, style)]
        )
        assert len(cells) == app.size.width
        styles.append(cells.rstrip())
    legend = (f"{mark!r} {said}" for said, mark in found.items())
    return "\n".join(chain(text, ["-" * app.size.width], styles, ["-" * app.size.width], legend))


def digested(styles: str, rows: int) -> str:
    """Return what `styled` does with all but the text as a digest."""
    lines = styles.split("\n")
    digest = blake2b("\n".join(lines[rows:]).encode(), digest_size=8).hexdigest()
    return "\n".join((*lines[:rows], lines[rows], f"styles {digest}"))


def called(text: str, style: Style | None) -> str:
    """Return a style in words; of blanks only the ground can be seen."""
    assert style is not None
    ink, paper = (color.name if color else "-" for color in (style.color, style.bgcolor))
    if text.isspace():
        return f"blank on {paper}"
    return f"{'bold ' * bool(style.bold)}{ink} on {paper}"


every_table = pytest.mark.parametrize("table", TABLES)


def ways(found: list[tuple[tuple[int, int], str, str]]) -> pytest.MarkDecorator:
    """Return the mark of a test that is run in each size, theme and glyph set."""
    said = [f"{size[0]}-{theme}-{glyphs}" for size, theme, glyphs in found]
    return pytest.mark.parametrize(("size", "theme", "glyphs"), found, ids=said)


async def seen(table: str, size: tuple[int, int], theme: str, glyphs: str) -> str:
    """Return a table in the middle of a match, with the cursor moved on, in text and styles."""
    match = middle_of(table)
    names = NAMES[: match.setup.seats]
    app = KumiteApp(
        Settings(theme=theme, glyphs=glyphs),
        lambda: TableScreen(LocalTable(match, names, None)),
    )
    async with app.run_test(size=size) as pilot:
        screen = app.screen
        assert isinstance(screen, TableScreen)
        await uncovered(pilot)
        await pilot.press("n")
        return await rested(pilot)


async def rested(pilot: Pilot[None]) -> str:
    """Return what is shown once nothing more comes: a layout may bring another one."""
    app = cast("KumiteApp", pilot.app)
    shown = styled(app)
    for _ in looks("a screen that rests"):
        await pilot.pause(0.02)
        await settled(app.screen)
        before, shown = shown, styled(app)
        if before == shown:
            break
    return shown


@ways(WAYS)
@every_table
async def test_tables_look_as_they_did(
    table: str, size: tuple[int, int], theme: str, glyphs: str
) -> None:
    check(f"tables/{table}-{size[0]}-{theme}-{glyphs}", await seen(table, size, theme, glyphs))


@ways(DIGESTED)
@every_table
async def test_tables_of_other_sizes_and_themes_look_as_they_did(
    table: str, size: tuple[int, int], theme: str, glyphs: str
) -> None:
    text = digested(await seen(table, size, theme, glyphs), size[1])
    check(f"tables/{table}-{size[0]}-{theme}-{glyphs}", text)
