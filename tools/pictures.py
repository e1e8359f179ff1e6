"""Draw the README's pictures from real screens: `make pictures`."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random
from typing import Final

from rich.style import Style

from kumite.core.bots.levels import find as bot
from kumite.core.game import Seat, Seats, Setup
from kumite.core.games import find
from kumite.core.log import Header, log_text, read
from kumite.core.match import Match
from kumite.tools.bot_matches import positions
from kumite.tui.app import KumiteApp
from kumite.tui.export.film import film
from kumite.tui.export.sheet import Paper
from kumite.tui.export.svg import document
from kumite.tui.look import colors
from kumite.tui.look.colors import Pen
from kumite.tui.look.glyphs import LETTERS
from kumite.tui.play.local_table import LocalTable
from kumite.tui.play.replaying import Replay
from kumite.tui.scenes.lines import Line, line_width
from kumite.tui.screens.table import TableScreen
from kumite.tui.settings import Settings

DOCS: Final = Path(__file__).resolve().parent.parent / "docs"
NAMES: Final = ("ada", "bot:easy", "cho", "bot:medium")
SIZE: Final = (100, 32)
LONGEST: Final = 200  # steps of a match that is shown whole


class Shown(LocalTable):
    """A table at which only the first seat has a human player."""

    @property
    def mine(self) -> Seats:
        """Return the seat whose perspective is shown."""
        return frozenset({Seat(0)})


def played(game_id: str, seats: int, steps: int, seed: int) -> Match:
    """Play easy bots until the first seat is to act after at least `steps` steps, or the end."""
    match = Match.begin(Setup.of(find(game_id), seats))
    return next(
        match
        for match, _ in positions(match, [bot("easy")] * seats, Random(seed))
        if not match.actors or (match.number >= steps and 0 in match.actors)
    )


def screen_picture(app: KumiteApp, label: str) -> str:
    """Return the screen as SVG, with kanji aligned to columns."""
    plain, styles = app.palette.pen(""), dict[str, Style]()
    lines: list[Line] = []
    for row in app.screen._compositor.render_strips():
        line = []
        for text, style, _ in row:
            key = str(style or "")
            styles.setdefault(key, style or Style())
            line.append((text, key))
        lines.append(tuple(line))

    def pen(key: str) -> Pen:
        style = styles.get(key, Style())
        ink, paper = (
            color.get_truecolor().hex if color and not color.is_default else usual
            for color, usual in ((style.color, plain.ink), (style.bgcolor, plain.paper))
        )
        return Pen(*((paper, ink) if style.reverse else (ink, paper)), bool(style.bold))

    columns = max(map(line_width, lines), default=1)
    return document(lines, lambda key: pen(key) if key else plain, columns, label)


async def draw(name: str, app: KumiteApp, keys: list[str]) -> None:
    """Write a screenshot of the app after some keys."""
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press(*keys)
        await pilot.pause()
        picture = screen_picture(app, f"kumite: {name}")
        (DOCS / f"{name}.svg").write_text(picture, encoding="utf-8")


async def draw_table(game_id: str, seats: int, steps: int, seed: int, keys: list[str]) -> None:
    """Write a screenshot of a table after some steps, with the cursor moved by `keys`."""
    table = Shown(played(game_id, seats, steps, seed), NAMES[:seats], None)
    app = KumiteApp(Settings(glyphs="letters", motion="off"), lambda: TableScreen(table))
    await draw(game_id, app, keys)


def draw_film(game_id: str, seed: int) -> None:
    """Write an animation of a whole match between easy bots."""
    match = played(game_id, 2, LONGEST, seed)
    log = read(log_text(Header("f11f", match.setup, NAMES[: match.setup.seats]), match))
    text = film(Replay(log), Paper.of(LETTERS, colors.read(colors.DEFAULT)), 1.5)
    (DOCS / f"{game_id}-film.svg").write_text(text, encoding="utf-8")


async def main() -> None:
    settings = Settings(glyphs="letters", lan=False)
    await draw("home", KumiteApp(settings), ["right", "right", "right", "right"])
    draw_film("kitsu", 9)
    await draw_table("kuzushi", 4, 28, 7, ["n", "n", "n"])
    await draw_table("kitsu", 2, 12, 5, ["n", "enter", "n"])
    await draw_table("kumo", 2, 30, 3, ["n", "enter", "n"])
    await draw_table("kitsune", 4, 52, 2, ["n"])
    await draw_table("kiriai", 2, 9, 4, ["n", "n", "n", "enter", "n"])


if __name__ == "__main__":
    asyncio.run(main())
