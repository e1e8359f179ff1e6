"""`kumite tournament`: hold a tournament, with its host here and the tables at the players."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from kumite.cli import app_start
from kumite.cli.arguments import CLOCK, GAME, OPTION, PLAIN, PORT, GameCommand, sendable, setup_of
from kumite.cli.look_options import look_options
from kumite.core.errors import BadSetup
from kumite.core.tournament.tournament import MOST_ROUNDS, ROBIN, SWISS
from kumite.net.tournament.state import SEATS
from kumite.net.transport.tournament_files import to_resume
from kumite.tui.play.terms import parse_clock
from kumite.tui.play.tournaments import CALLED, TournamentPlan, terms

if TYPE_CHECKING:
    from textual.screen import Screen


@look_options
@click.command(cls=GameCommand)
@GAME
@OPTION
@click.option(
    "--name",
    default=CALLED,
    show_default=True,
    callback=sendable,
    help="Its name, up to 24 characters.",
)
@click.option(
    "--robin", "is_robin", is_flag=True, help="Everyone meets everyone, instead of Swiss rounds."
)
@click.option(
    "--rounds", type=click.IntRange(1, MOST_ROUNDS), help="Of Swiss; else enough for one winner."
)
@CLOCK
@click.option("--bot", default="", metavar="LEVEL", help="Plays where one has no opponent: medium.")
@click.option("--unlisted", is_flag=True, help="Do not announce it; others type an address.")
@PORT
@click.option(
    "--resume",
    "resumes",
    is_flag=True,
    help="Continue the last unfinished one, or show the last one.",
)
@PLAIN
@click.pass_context
def tournament(
    ctx: click.Context,
    game: str,
    options: tuple[str, ...],
    name: str,
    is_robin: bool,
    rounds: int | None,
    clock: str,
    bot: str,
    unlisted: bool,
    port: int | None,
    resumes: bool,
    is_plain: bool,
) -> None:
    """Hold a tournament on the LAN: 3 to 32 players, one code, tables for two.

    Others enter with `kumite join`; you play, too, with the key y, or by the word play. Tables open
    by themselves each round. Saved after every change.
    """
    if is_robin and rounds is not None:
        raise BadSetup(
            "a round robin has as many rounds as it takes", hint="leave --rounds out, or --robin"
        )
    what = (
        to_resume() if resumes else terms(setup_of(game, SEATS, options), name, parse_clock(clock))
    )
    system = ROBIN if is_robin else SWISS
    plan = TournamentPlan(what, system, rounds or 0, bot, is_listed=not unlisted, port=port)
    if app_start.wants_lines(is_plain):
        from kumite.cli import line_mode

        line_mode.host_tournament(ctx, plan)
        return

    def screen() -> Screen[None]:
        from kumite.tui.screens.tournament import TournamentHostScreen

        return TournamentHostScreen(plan)

    app_start.open_app(ctx, screen)
