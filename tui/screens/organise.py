"""What is settled before a tournament: game, system, rounds, clock, a bot for an odd number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.core.tournament.event import MOST_ROUNDS, ROBIN, SWISS
from kumite.net.hall.board import SEATS
from kumite.net.transport.addresses import PORT
from kumite.store import house
from kumite.tui.play import tournaments
from kumite.tui.screens.hall import OrganiserScreen
from kumite.tui.screens.setup import (
    BOT_WORDS,
    GO,
    HOW,
    LEVELS,
    SetupScreen,
    clock_of,
    clock_rows,
    match_rows,
    setup_of,
)
from kumite.tui.widgets.form import ON_OFF, Row

if TYPE_CHECKING:
    from collections.abc import Mapping

SYSTEMS: Final = {SWISS: "Swiss rounds", ROBIN: "round robin"}
ENOUGH: Final = "0"
NO_BOT: Final = "none"
HELD: Final = Row("", "How it is held")


class OrganiseScreen(SetupScreen):
    """The form."""

    HEADING = "Organise a tournament"
    HELP = """\
Settle here what is played and how; then the hall opens, and its code is shown. 3 to 32
players join with it, each from a terminal of their own. With Swiss rounds those with
as many points meet; in a round robin, good for up to 6, everybody meets everybody.

A clock is worth having: without one the slowest match decides when a round ends."""

    def rows_for(self, values: Mapping[str, str]) -> list[Row]:
        """Return button, game, name, what the rounds are like, clock, options."""
        (game, _), options, _ = match_rows(values)
        go_help = "Enter opens it and shows the code for the players."
        name = values.get("name", tournaments.CALLED)
        called = "What it is called, also on the list of what is open on the LAN."
        return [
            Row(GO, "Open the hall", go_help, is_button=True),
            Row("", ""),
            game,
            Row("name", "Name", called, value=name, is_text=True),
            HELD,
            *_held_rows(values),
            HOW,
            *clock_rows(values),
            *options,
        ]

    def done(self, values: Mapping[str, str]) -> None:
        """Open the hall."""
        bot, port = values["bot"], values.get("port")
        held = tournaments.begun(
            setup_of({**values, "seats": f"{SEATS}"}),
            values["name"],
            clock_of(values),
            values["system"],
            int(values.get("rounds", ENOUGH)),
            bot="" if bot == NO_BOT else bot,
            is_listed=values.get("listed", ON_OFF[0]) == ON_OFF[0],
            port=None if port is None else int(port),
        )
        self.app.switch_screen(OrganiserScreen.of(held))


def _held_rows(values: Mapping[str, str]) -> list[Row]:
    """Return the rows that only a tournament has."""
    system = values.get("system", SWISS)
    system_help = "Swiss: those with as many points meet. Robin: everybody meets everybody."
    rows = [
        Row("system", "System", system_help, tuple(SYSTEMS), system, words=tuple(SYSTEMS.values()))
    ]
    if system == SWISS:
        counts = [f"{number}" for number in range(1, MOST_ROUNDS + 1)]
        said = ("enough for one winner", *(f"{one} round{'s' * (one != '1')}" for one in counts))
        rounds_help = "At most; enough for one winner: 3 for 8 players, 5 for 32."
        rounds = values.get("rounds", ENOUGH)
        rows.append(Row("rounds", "Rounds", rounds_help, (ENOUGH, *counts), rounds, words=said))
    bot_help = "With an odd number of players one has a bye, or plays against this bot."
    bots = NO_BOT, *LEVELS
    bot_words = ("has a bye", *(f"plays {one}" for one in BOT_WORDS))
    bot = values.get("bot", NO_BOT)
    rows.append(Row("bot", "Who is left over", bot_help, bots, bot, words=bot_words))
    return rows if house.is_guest() else [*rows, *_port_rows(values)]


def _port_rows(values: Mapping[str, str]) -> list[Row]:
    """Return the rows of how players come in; those of guests of a house do by its list alone."""
    listed_help = "Whether it appears on the LAN by itself; else players type an address."
    listed = values.get("listed", ON_OFF[0])
    ports, words = (f"{PORT}", "0"), (f"{PORT}, the usual one", "any that is free")
    port_help = "Where the players come in; a firewall must let it through."
    port = values.get("port", ports[0])
    return [
        Row("listed", "Announced", listed_help, ON_OFF, listed),
        Row("port", "Port", port_help, ports, port, words=words),
    ]
