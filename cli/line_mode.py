"""Opening line mode from the command line: `--plain`, or a terminal that cannot be drawn on."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from kumite.cli.saying import say

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping
    from pathlib import Path

    from kumite.core.game import Seats
    from kumite.core.log import Log
    from kumite.net.session.inputs import HostSetup
    from kumite.net.transport.announcer import Facts
    from kumite.tui.plain.console import Console
    from kumite.tui.play.lan_table import LanTable
    from kumite.tui.play.local_table import LocalTable
    from kumite.tui.play.openings import HallOpening, Opening
    from kumite.tui.play.tournaments import Held
    from kumite.tui.settings import Settings

PLAIN = click.option(
    "--plain",
    "is_plain",
    is_flag=True,
    help="By lines, in words: for screen readers; also with TERM=dumb.",
)


def wanted(is_plain: bool) -> bool:
    """Return whether to talk by lines: it was asked for, or the terminal can do nothing else."""
    if not is_plain and os.environ.get("TERM") == "dumb":
        say("This terminal cannot be drawn on (TERM=dumb): line mode.")
        return True
    return is_plain


def play_local(ctx: click.Context, make: Callable[[], LocalTable]) -> None:
    """Play at a table of this keyboard."""
    settings = _settings(ctx)
    table = make()

    async def run(console: Console) -> None:
        from kumite.tui.bots.service import BotService
        from kumite.tui.plain.table import Desk

        bots = BotService().of_table(table.path)
        await Desk(table, console, bots, settings.think).run()

    _run(run)


def play_lan(
    ctx: click.Context,
    opening: Callable[[Console, Settings], Coroutine[Any, Any, Opening | None]],
    programs: Mapping[str, str] | None = None,
    facts: Facts | None = None,
    entering: Callable[[], HallOpening] | None = None,
) -> None:
    """Open a LAN table, or go to one, and play there; `opening` may ask for the way.

    Where a tournament is held instead of it, `entering` says how to enter.
    """
    settings = _settings(ctx)

    async def run(console: Console) -> None:
        from kumite.tui.plain.lobby import HallThere, Lobby

        way = await opening(console, settings)
        try:
            table = await Lobby(console, way, programs, facts).run() if way is not None else None
        except HallThere:
            if entering is None:
                raise
            await _in_hall(entering(), console, settings)
            return
        if table is not None:
            await _play_at(table, console, settings.think)

    _run(run)


async def _play_at(table: LanTable, console: Console, think: float) -> None:
    from kumite.tui.bots.service import BotService
    from kumite.tui.plain.lan import LanDesk

    await LanDesk(table, console, BotService().of_table(table.path), think).run()


async def _in_hall(opening: HallOpening, console: Console, settings: Settings) -> None:
    from kumite.tui.plain.hall import PlayerTalk
    from kumite.tui.play.hall import EnteredHall

    entered = EnteredHall(opening, console.post, is_open=settings.audit)
    await PlayerTalk(console, entered, settings.think).run()


def organise(ctx: click.Context, held: Held) -> None:
    """Hold a tournament."""
    settings = _settings(ctx)

    async def run(console: Console) -> None:
        from kumite.tui.plain.hall import OrganiserTalk
        from kumite.tui.play.hall import OrganisedHall

        console.begin()
        organised = OrganisedHall(held.opening, console.post, held.bot)
        if held.is_listed:
            from kumite.net.transport.announcer import Announcing

            organised.announce(Announcing(console.post))
        await OrganiserTalk(console, organised, settings.think).run()

    _run(run)


# --- ways to a LAN table --------------------------------------------------------------------------


def host_lan(
    ctx: click.Context,
    table: HostSetup,
    name: str,
    port: int | None,
    is_listed: bool,
    programs: Mapping[str, str],
) -> None:
    """Host a LAN table."""
    from kumite.net.transport.announcer import Facts
    from kumite.tui.play import openings

    async def opening(_: Console, __: Settings) -> Opening:
        return openings.hosting(table, name, port)

    game = table.setup.game
    facts = Facts(name, game.ID, game.TITLE, table.setup.seats - len(table.seats))
    play_lan(ctx, opening, programs, facts if is_listed else None)


def join_lan(
    ctx: click.Context, where: tuple[str, int] | None, code: str, name: str, seats: Seats
) -> None:
    """Join a LAN table; without an address or a code, ask for it."""
    from kumite.tui.play import openings

    ways = []  # to a tournament, should one be held there

    async def opening(console: Console, settings: Settings) -> Opening | None:
        from kumite.tui.plain import lan

        place = await lan.choose_table(console) if where is None else ((where[0],), where[1])
        said = code or (await lan.ask_code(console) if place is not None else None)
        if place is None or not said:
            return None
        ways.append(openings.entering(*place, said, name))
        return openings.joining(*place, said, name, seats, settings.audit)

    play_lan(ctx, opening, entering=lambda: ways[0])


def watch_lan(ctx: click.Context, where: tuple[str, int], code: str, name: str) -> None:
    """Look on at a LAN table; without a code, ask for it."""

    async def opening(console: Console, _: Settings) -> Opening | None:
        from kumite.tui.plain import lan
        from kumite.tui.play import openings

        said = code or await lan.ask_code(console)
        return openings.watching((where[0],), where[1], said, name) if said else None

    play_lan(ctx, opening)


def resume_lan(
    ctx: click.Context, path: Path, at: tuple[str, int] | None, programs: Mapping[str, str]
) -> None:
    """Go on with a LAN match from its log."""

    async def opening(_: Console, __: Settings) -> Opening:
        from kumite.tui.play import openings

        return openings.resuming(path, at)

    play_lan(ctx, opening, programs)


def read_replay(log: Log) -> None:
    """Look at a saved match."""

    async def run(console: Console) -> None:
        from kumite.tui.plain.replay import Reader

        await Reader(log, console).run()

    _run(run)


def _settings(ctx: click.Context) -> Settings:
    """Return the settings, and say what is wrong with them."""
    from kumite.tui.settings import load

    settings, told = load(**ctx.obj)
    for text in told:
        say(text)
    return settings


def _run(run: Callable[[Console], Coroutine[Any, Any, None]]) -> None:
    from kumite.tui.plain.console import talk  # late: it brings a loop

    status = talk(run)
    if status:
        raise SystemExit(status)
