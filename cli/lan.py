"""Commands of LAN tables: host, join, watch."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kumite.cli import app_start, arguments
from kumite.cli.look_options import look_options
from kumite.cli.seats import bots_of, seat_list
from kumite.core.game import Seat, Seats
from kumite.core.gone import FEWEST, RULES, WAIT
from kumite.core.series import LENGTHS, Series
from kumite.store.following import Followed
from kumite.store.log_files import SUFFIX
from kumite.tui.play import openings
from kumite.tui.play.local_table import lan_table
from kumite.tui.play.terms import parse_clock
from kumite.tui.settings import own_name, read

if TYPE_CHECKING:
    from textual.screen import Screen

    from kumite.net.session.events import HostSetup


@look_options
@click.command(cls=arguments.GameCommand)
@arguments.GAME
@click.option("--seats", type=int, help="How many play.")
@arguments.OPTION
@arguments.NAME
@arguments.LOTS
@click.option("--mine", default="1", show_default=True, help="The seats you play: 1 or 1,3.")
@click.option("--bots", default="", metavar="SEAT:BOT", help="Your bots: 2:strong,3:cmd:./mybot")
@arguments.CLOCK
@click.option(
    "--gone",
    type=click.Choice(RULES),
    default=WAIT,
    show_default=True,
    help="With three or more terminals: what happens to players who are gone for good.",
)
@click.option(
    "--best-of",
    type=click.Choice([str(n) for n in LENGTHS]),
    default="1",
    help="Play a series: the first to win most of 3 or 5 matches wins it.",
)
@click.option("--no-watchers", is_flag=True, help="Allow no spectators.")
@click.option("--unlisted", is_flag=True, help="Do not announce the table; others type an address.")
@click.option(
    "--invite",
    "has_invite",
    is_flag=True,
    help="Copy and show a line for a chat with all addresses and the code; with --plain: print it.",
)
@arguments.PORT
@arguments.PLAIN
@click.pass_context
def host(
    ctx: click.Context,
    game: str,
    seats: int | None,
    options: tuple[str, ...],
    name: str | None,
    has_lots: bool,
    mine: str,
    bots: str,
    clock: str,
    gone: str,
    best_of: str,
    no_watchers: bool,
    unlisted: bool,
    has_invite: bool,
    port: int | None,
    is_plain: bool,
) -> None:
    """Host a LAN table; others join it with the code that it shows."""
    settings, setup = read().settings, arguments.setup_of(game, seats, options)
    played = seat_list(mine, "--mine")
    by_bots, programs = bots_of(bots, setup.seats)
    free = frozenset(map(Seat, range(setup.seats))) - played - by_bots.keys()
    if out := sorted((played | by_bots.keys()) - frozenset(range(setup.seats))):
        raise click.BadParameter(f"there is no seat {out[0] + 1}", param_hint="--mine, --bots")
    if gone != WAIT and setup.seats < FEWEST:
        raise click.BadParameter("that takes three seats at the least", param_hint="--gone")
    time = parse_clock(clock)

    def table(who: str) -> HostSetup:
        return replace(
            lan_table(setup, who, free, by_bots),
            clock=time,
            has_watchers=settings.watchers and not no_watchers,
            is_open=settings.audit,
            gone=gone,
            has_lots=has_lots,
            series=Series(int(best_of)),
            is_listed=not unlisted,
        )

    table(own_name(settings))  # what is wrong is said before anything else

    if app_start.wants_lines(is_plain):
        from kumite.cli import home, line_mode

        who = home.called(name)
        way = openings.hosting(table(who), who, port)
        line_mode.play_lan(ctx, way, programs, None if unlisted else who, has_invite=has_invite)
        return

    def screen(who: str) -> Screen[None]:
        from kumite.tui.screens.lobby import LobbyScreen

        given = table(who), who, port, programs
        return LobbyScreen.hosting(*given, copies_invite=has_invite)

    app_start.open_named(ctx, name, screen)


@look_options
@click.command()
@click.argument("words", metavar="[HOST[:PORT]] [CODE]", nargs=-1)
@arguments.NAME
@click.option("--mine", default="", help="The seats you wish to play, such as 1,3.")
@arguments.PLAIN
@click.pass_context
def join(
    ctx: click.Context, words: tuple[str, ...], name: str | None, mine: str, is_plain: bool
) -> None:
    """Join a LAN table; without arguments, choose from the open ones.

    The code alone finds a table of this network: 7-torii-lantern. With an address it is joined
    anywhere: 192.168.1.20 7-torii-lantern, or the whole line that the host sent you.
    """
    wished = seat_list(mine, "--mine") if mine else frozenset()
    _go(ctx, words, name, wished, is_plain=is_plain)


@look_options
@click.command()
@click.argument("what", metavar="LOG|HOST[:PORT]|CODE")
@click.argument("code", metavar="[CODE]", nargs=-1)
@click.option("--text", "as_text", is_flag=True, help="LOG: print the steps as they come instead.")
@arguments.NAME
@arguments.PLAIN
@click.pass_context
def watch(
    ctx: click.Context,
    what: str,
    code: tuple[str, ...],
    as_text: bool,
    name: str | None,
    is_plain: bool,
) -> None:
    """Look on at a match that is being played.

    LOG is the file that another kumite is writing, which is only read. At a LAN table (its code,
    and HOST[:PORT] on another network) you see what everybody may see.
    """
    if as_text or what.endswith(SUFFIX) or _is_file(what):
        if code:
            raise click.BadParameter("only a table has one, and this is a log", param_hint="CODE")
        is_text, followed = as_text or app_start.wants_lines(is_plain), Followed(Path(what))
        if not is_text:
            app_start.open_replay(ctx, followed.log, followed=followed)
            return
        from kumite.cli.printing import print_as_written

        print_as_written(followed)
        return
    _go(ctx, (what, *code), name, None, is_plain=is_plain)


def _go(
    ctx: click.Context,
    words: tuple[str, ...],
    name: str | None,
    seats: Seats | None,
    *,
    is_plain: bool,
) -> None:
    """Join a table in `seats`, any if empty; None: look on. Without words show the open ones."""
    from kumite.net.transport.invites import parse_invite

    invite = parse_invite(" ".join(words))
    if app_start.wants_lines(is_plain):
        from kumite.cli import home, line_mode

        line_mode.join_lan(ctx, invite, home.called(name), seats)
        return

    def screen(who: str) -> Screen[None]:
        if words:
            from kumite.tui.screens.lobby import LobbyScreen

            return LobbyScreen.joining(*invite, who, seats)
        from kumite.tui.screens.open_list import JoinScreen

        return JoinScreen(who)

    app_start.open_named(ctx, name, screen)


def _is_file(text: str) -> bool:
    """Return whether a text names an existing file; it may be too long or invalid as a path."""
    try:
        return Path(text).is_file()
    except (OSError, ValueError):
        return False
