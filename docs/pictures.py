"""Draw the README's pictures from real screens: `make pictures`."""

from __future__ import annotations

import asyncio
from pathlib import Path

from core.game import Seat, Setup
from core.games import find
from core.match import Match
from tui.app import KumiteApp
from tui.screens.table import TableScreen
from tui.settings import Settings
from tui.table import LocalTable

HERE = Path(__file__).parent


async def main() -> None:
    """Write `kuzushi.svg`: a match of three in a large terminal."""
    match = Match.begin(Setup.of(find("kuzushi"), 3))
    while match.number < 14:
        seat = Seat(int(match.actors[0]))
        match = match.play(seat, match.legal(seat)[match.number * 7 % len(match.legal(seat))])
    table = LocalTable(match, ("Ada", "Bashō", "Chiyo"), None)
    app = KumiteApp(Settings(glyphs="symbols"), lambda: TableScreen(table))
    async with app.run_test(size=(100, 32)) as pilot:
        await pilot.press("n", "n", "n")
        (HERE / "kuzushi.svg").write_text(app.export_screenshot(title="kumite"), encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(main())
