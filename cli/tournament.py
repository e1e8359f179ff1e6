"""The command of tournaments: a hall on this computer, tables on the players'."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from kumite.cli import line_mode, opening
from kumite.cli.arguments import GAME, OPTION, GameCommand, sendable, setup_of
from kumite.core.errors import BadSetup
from kumite.core.tournament.event import MOST_ROUNDS, ROBIN, SWISS

if TYPE_CHECKING:
    from textual.screen import Screen


@click.command(cls=GameCommand)
@GAME
@OPTION
@click.option(
    "--name",
    default="Tournament",
    show_default=True,
    callback=sendable,
    help="What it is called; 24 characters.",
)
@click.option(
    "--robin", "is_robin", is_flag=True, help="Everybody meets everybody, instead of Swiss rounds."
)
@click.option(
    "--rounds", type=click.IntRange(1, MOST_ROUNDS), help="Of Swiss; else enough for one winner."
)
@click.option(
    "--clock",
    default="none",
    metavar="M+S",
    help="10+5: minutes each + s a step; +60: s to be away.",
)
@click.option("--bot", default="", metavar="LEVEL", help="Plays where one has no opponent: medium.")
@click.option("--unlisted", is_flag=True, help="Do not announce it; others type an address.")
@click.option("--port", type=click.IntRange(0, 65535), help="Where to listen (47470).")
@click.option("--resume", "resumes", is_flag=True, help="Go on with the last one that is not over.")
@line_mode.PLAIN
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

    Others enter with `kumite join`; you can, too, from a second terminal. Their tables open by
    themselves each round. Saved after every change.
    """
    from kumite.net.hall.board import SEATS
    from kumite.tui.play import tournaments
    from kumite.tui.play.clocks import parse_clock

    if is_robin and rounds is not None:
        raise BadSetup(
            "a round robin has as many rounds as it takes", hint="leave --rounds out, or --robin"
        )
    if resumes:
        from kumite.net.transport.hall_files import unfinished

        kept = unfinished()
        held = tournaments.gone_on(kept, bot=bot, is_listed=not unlisted, port=port)
    else:
        held = tournaments.begun(
            setup_of(game, SEATS, options),
            name,
            parse_clock(clock),
            ROBIN if is_robin else SWISS,
            rounds or 0,
            bot=bot,
            is_listed=not unlisted,
            port=port,
        )
    if line_mode.wanted(is_plain):
        line_mode.organise(ctx, held)
        return

    def screen() -> Screen[None]:
        from kumite.tui.screens.hall import OrganiserScreen

        return OrganiserScreen.of(held)

    opening.open_app(ctx, screen)
