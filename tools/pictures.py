"""Draw the README's pictures from real screens: `make pictures`."""

from __future__ import annotations

import asyncio
from pathlib import Path

from kumite.core.game import Seat, Setup
from kumite.core.games import find
from kumite.core.match import Match
from kumite.tui.app import KumiteApp
from kumite.tui.play.local_table import LocalTable
from kumite.tui.screens.table import TableScreen
from kumite.tui.settings import Settings

DOCS = Path(__file__).resolve().parent.parent / "docs"


async def draw(name: str, seats: int, steps: int, stride: int, keys: list[str]) -> None:
    """Write the table of a game after some steps, with the cursor where `keys` bring it."""
    match = Match.begin(Setup.of(find(name), seats))
    while match.number < steps:
        seat = Seat(int(match.actors[0]))
        legal = match.legal(seat)
        match = match.play(seat, legal[match.number * stride % len(legal)])
    table = LocalTable(match, ("Ada", "Bashō", "Chiyo")[:seats], None)
    app = KumiteApp(Settings(glyphs="letters"), lambda: TableScreen(table))
    async with app.run_test(size=(90, 32)) as pilot:
        await pilot.press(*keys)
        picture = app.export_screenshot(title=f"kumite play {name}")
        (DOCS / f"{name}.svg").write_text(picture, encoding="utf-8")


async def main() -> None:
    """Draw all pictures."""
    await draw("kuzushi", 3, 14, 7, ["n", "n", "n"])
    await draw("kitsu", 2, 7, 5, ["n", "enter", "n"])


if __name__ == "__main__":
    asyncio.run(main())
