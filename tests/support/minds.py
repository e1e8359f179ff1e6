"""Tables at which a fake mind thinks, and what is seen of its thoughts."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from kumite.core.game import CHANCE, Setup
from kumite.core.games import GAMES
from kumite.core.match import Match
from kumite.tui.play.local_table import LocalTable, default_names
from kumite.tui.screens.table import TableScreen
from kumite.tui.widgets.form import Form
from tests.support.apps import app, frame, until
from tests.support.fake_player import FakePlayer
from tests.support.random_matches import choose

if TYPE_CHECKING:
    from textual.pilot import Pilot

    from kumite.tui.app import KumiteApp

TABLES = [
    (one, seats)
    for one in GAMES
    for seats in sorted({*GAMES[one].SEATS[:: len(GAMES[one].SEATS) - 1 or 1]})
]


def minded(kumite: KumiteApp, mind: FakePlayer | None = None) -> FakePlayer:
    """Let a fake mind think for the app."""
    found = mind or FakePlayer()
    kumite._bot_service = found  # type: ignore[assignment]
    return found


def the_table(kumite: KumiteApp) -> TableScreen:
    assert isinstance(kumite.screen, TableScreen)
    return kumite.screen


def middle(game_id: str, seats: int) -> Match:
    """Return a match in which a seat has a choice, some steps from the start."""
    rng = Random(f"{game_id} {seats}")
    match = Match.begin(Setup.of(GAMES[game_id], seats))
    while match.number < 12 or match.actors[0] == CHANCE or len(match.legal(match.actors[0])) < 2:
        match = match.play(*choose(match, rng))
    return match


def opened(match: Match, glyphs: str = "letters") -> KumiteApp:
    names = default_names(match.setup.seats)
    return app(lambda: TableScreen(LocalTable(match, names, None)), glyphs)


async def hinted(pilot: Pilot[None], kumite: KumiteApp) -> None:
    await until(pilot, lambda: "Hint:" in frame(kumite), "a hint")


def listed(kumite: KumiteApp) -> list[str]:
    form = kumite.screen.query_one(Form)
    return [form.render_line(y).text.strip() for y in range(form.size.height)]


def thought_out(kumite: KumiteApp) -> bool:
    text = frame(kumite)
    return "A lottery" in text or "16 s of thought" in text
