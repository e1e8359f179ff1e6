"""Commands of LAN tables: host, join, watch."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kumite.cli import line_mode, opening
from kumite.cli.arguments import (
    GAME,
    NAME,
    OPTION,
    GameCommand,
    address_of,
    bots_of,
    code_of,
    seat_list,
    setup_of,
)
from kumite.core.game import Seat
from kumite.core.gone import FEWEST, RULES, WAIT

if TYPE_CHECKING:
    from textual.screen import Screen


@click.command(cls=GameCommand)
@GAME
@click.option("--seats", type=int, help="How many play.")
@OPTION
@NAME
@click.option("--mine", default="1", show_default=True, help="The seats you play: 1 or 1,3.")
@click.option("--bots", default="", metavar="SEAT:BOT", help="Your bots: 2:strong,3:cmd:./mybot")
@click.option(
    "--clock",
    default="none",
    metavar="M+S",
    help="10+5: minutes each + s a step; +60: s to be away.",
)
@click.option(
    "--gone",
    type=click.Choice(RULES),
    default=WAIT,
    show_default=True,
    help="Of three terminals and more: what becomes of who is gone for good.",
)
@click.option("--no-watchers", is_flag=True, help="Nobody may look on.")
@click.option("--unlisted", is_flag=True, help="Do not announce the table; others type an address.")
@click.option("--port", type=click.IntRange(0, 65535), help="Where to listen (47470).")
@line_mode.PLAIN
@click.pass_context
def host(
    ctx: click.Context,
    game: str,
    seats: int | None,
    options: tuple[str, ...],
    name: str | None,
    mine: str,
    bots: str,
    clock: str,
    gone: str,
    no_watchers: bool,
    unlisted: bool,
    port: int | None,
    is_plain: bool,
) -> None:
    """Host a LAN table; others join it with the code that it shows."""
    from kumite.tui.play.clocks import parse_clock
    from kumite.tui.play.local_table import lan_table
    from kumite.tui.settings import read

    settings = read().settings
    setup, who = setup_of(game, seats, options), name or _own_name()
    played = seat_list(mine, "--mine")
    by_bots, programs = bots_of(bots, range(setup.seats))
    free = frozenset(map(Seat, range(setup.seats))) - played - by_bots.keys()
    if out := sorted((played | by_bots.keys()) - frozenset(range(setup.seats))):
        raise click.BadParameter(f"there is no seat {out[0] + 1}", param_hint="--mine, --bots")
    if gone != WAIT and setup.seats < FEWEST:
        raise click.BadParameter("that takes three seats at the least", param_hint="--gone")
    table = lan_table(
        setup,
        who,
        free,
        by_bots,
        parse_clock(clock),
        has_watchers=settings.watchers and not no_watchers,
        is_open=settings.audit,
        gone=gone,
    )

    if line_mode.wanted(is_plain):
        line_mode.host_lan(ctx, table, who, port, not unlisted, programs)
        return

    def screen() -> Screen[None]:
        from kumite.tui.screens.lobby import LobbyScreen

        return LobbyScreen.hosting(table, who, port, not unlisted, programs)

    opening.open_app(ctx, screen)


@click.command()
@click.argument("address", metavar="[HOST[:PORT]]", required=False)
@click.argument("code", metavar="[CODE]", nargs=-1)
@NAME
@click.option("--mine", default="", help="The seats you wish to play, such as 1,3.")
@line_mode.PLAIN
@click.pass_context
def join(
    ctx: click.Context,
    address: str | None,
    code: tuple[str, ...],
    name: str | None,
    mine: str,
    is_plain: bool,
) -> None:
    """Join a LAN table; without HOST, choose from those that are open.

    HOST, PORT and CODE are what the hosting terminal shows: 192.168.1.20 7-torii-lantern
    """
    wished = seat_list(mine, "--mine") if mine else frozenset()
    if line_mode.wanted(is_plain):
        where = address_of(address) if address is not None else None
        line_mode.join_lan(ctx, where, code_of(code), name or _own_name(), wished)
        return
    if address is None:

        def listing() -> Screen[None]:
            from kumite.tui.screens.joining import JoinScreen

            return JoinScreen(name or "")

        opening.open_app(ctx, listing)
        return
    (host, port), said = address_of(address), code_of(code)

    def screen() -> Screen[None]:
        from kumite.tui.screens.lobby import LobbyScreen

        return LobbyScreen.joining((host,), port, said, name or _own_name(), wished)

    opening.open_app(ctx, screen)


@click.command()
@click.argument("what", metavar="LOG|HOST[:PORT]")
@click.argument("code", metavar="[CODE]", nargs=-1)
@click.option("--text", "as_text", is_flag=True, help="LOG: print the steps as they come instead.")
@NAME
@line_mode.PLAIN
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

    LOG is the file that another kumite is writing, which is only read. At a LAN table
    (HOST[:PORT] and its code) you see what everybody may see.
    """
    from kumite.store.log_files import SUFFIX

    if as_text or what.endswith(SUFFIX) or _is_file(what):
        if code:
            raise click.BadParameter("only a table has one, and this is a log", param_hint="CODE")
        _watch_log(ctx, Path(what), as_text or line_mode.wanted(is_plain))
        return
    (host, port), said = address_of(what), code_of(code)
    if line_mode.wanted(is_plain):
        line_mode.watch_lan(ctx, (host, port), said, name or _own_name())
        return

    def screen() -> Screen[None]:
        from kumite.tui.screens.lobby import LobbyScreen

        return LobbyScreen.watching((host,), port, said, name or _own_name())

    opening.open_app(ctx, screen)


def _is_file(text: str) -> bool:
    """Return whether a text names a file; it may be too long for one, or have signs none has."""
    try:
        return Path(text).is_file()
    except (OSError, ValueError):
        return False


def _watch_log(ctx: click.Context, log: Path, as_text: bool) -> None:
    from kumite.store.following import Followed

    followed = Followed(log)
    if as_text:
        from kumite.cli.printing import print_as_written

        print_as_written(followed)
        return

    def screen() -> Screen[None]:
        from kumite.tui.screens.replay import ReplayScreen

        return ReplayScreen(followed.log, followed=followed)

    opening.open_app(ctx, screen)


def _own_name() -> str:
    from kumite.tui.settings import own_name, read

    return own_name(read().settings)
