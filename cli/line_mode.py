"""Line mode for the command line: used with `--plain`, or if the terminal cannot be drawn on."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kumite.cli.saying import say
from kumite.core.game import Seats
from kumite.core.log import Log
from kumite.tui.bots.review import Review
from kumite.tui.bots.service import BotService
from kumite.tui.plain import tasks
from kumite.tui.plain.analysis import PlainMatch
from kumite.tui.plain.console import Console, talk
from kumite.tui.plain.replay import Reader
from kumite.tui.play import openings
from kumite.tui.play.local_table import LocalTable
from kumite.tui.play.openings import Opening, PlayerOpening
from kumite.tui.play.replaying import Replay
from kumite.tui.settings import Settings, load, read, rights

if TYPE_CHECKING:
    import click

    from kumite.net.session.events import HostSetup
    from kumite.net.transport.invites import Invite
    from kumite.tui.play.lan_table import LanTable
    from kumite.tui.play.tournaments import TournamentPlan


def play_local(ctx: click.Context, make: Callable[[], LocalTable]) -> None:
    """Play at a local table."""
    settings = settings_of(ctx)
    table = make()

    async def dialogue(console: Console) -> None:
        bots = BotService().of_table(table.path)
        await PlainMatch(table, console, bots, settings).run()

    run(dialogue)


def learn(ctx: click.Context, game_id: str) -> None:
    settings = settings_of(ctx)
    run(lambda console: tasks.learn(game_id, console, settings))


def solve(ctx: click.Context, game_id: str) -> None:
    settings = settings_of(ctx)
    run(lambda console: tasks.solve(game_id, console, settings))


def play_lan(
    ctx: click.Context,
    opening: Callable[[Console, Settings], Coroutine[Any, Any, Opening | None]],
    programs: Mapping[str, str] | None = None,
    listed_as: str | None = None,
    entering: Callable[[], PlayerOpening] | None = None,
    has_invite: bool = False,
) -> None:
    """Open or join a LAN table and play there; `opening` may ask for the connection.

    If the host runs a tournament instead, `entering` returns how to enter it.
    """
    settings = settings_of(ctx)

    async def dialogue(console: Console) -> None:
        from kumite.tui.plain.lobby import Lobby, TournamentThere

        way = await opening(console, settings)
        try:
            if way is None:
                return
            table = await Lobby(console, way, programs, listed_as, has_invite=has_invite).run()
        except TournamentThere:
            if entering is None:
                raise
            await _play_tournament(entering(), console, settings)
            return
        if table is not None:
            await _play_at(table, console, settings)

    run(dialogue)


async def _play_at(table: LanTable, console: Console, settings: Settings) -> None:
    from kumite.tui.plain import lan

    await lan.LanPlainTable(table, console, BotService().of_table(table.path), settings).run()


async def _play_tournament(
    opening: PlayerOpening, console: Console, settings: Settings, *, resumes: bool = False
) -> None:
    from kumite.tui.plain.tournament import PlainPlayer
    from kumite.tui.play.tournament import PlayerClient

    client = PlayerClient(opening, console.post, **rights(settings))
    player = PlainPlayer(console, client, settings)
    if resumes:
        client.resume()
    await player.run()


def host_tournament(ctx: click.Context, plan: TournamentPlan) -> None:
    settings = settings_of(ctx)

    async def dialogue(console: Console) -> None:
        from kumite.tui.plain.tournament import PlainHost
        from kumite.tui.play.tournament import HostClient

        console.begin()
        await PlainHost(console, HostClient(plan, console.post), settings).run()

    run(dialogue)


# --- Connecting to a LAN table --------------------------------------------------------------------


def host_lan(
    ctx: click.Context,
    table: HostSetup,
    name: str,
    port: int | None,
    is_listed: bool,
    programs: Mapping[str, str],
    has_invite: bool,
) -> None:
    async def opening(_: Console, __: Settings) -> Opening:
        return openings.hosting(table, name, port)

    play_lan(ctx, opening, programs, name if is_listed else None, has_invite=has_invite)


def join_lan(ctx: click.Context, invite: Invite, name: str, seats: Seats) -> None:
    """Join a LAN table; choose it from a list and ask for the code if they are missing."""
    from kumite.tui.plain import lan

    ways = []  # to a tournament, if there is one

    async def opening(console: Console, settings: Settings) -> Opening | None:
        found = await lan.completed(invite, console)
        if found is None:
            return None
        ways.append(openings.entering(*found, name))
        return openings.joining(*found, name, seats, settings.audit)

    play_lan(ctx, opening, entering=lambda: ways[0])


def watch_lan(ctx: click.Context, invite: Invite, name: str) -> None:
    """Watch a LAN table; ask for the code if it is missing."""
    from kumite.tui.plain import lan

    async def opening(console: Console, _: Settings) -> Opening | None:
        found = await lan.completed(invite, console)
        return openings.watching(*found, name) if found is not None else None

    play_lan(ctx, opening)


def resume_lan(
    ctx: click.Context, path: Path, at: tuple[str, int] | None, programs: Mapping[str, str]
) -> None:
    """Resume a LAN match from its log, and return to its tournament if it has one."""
    if at is None and (ticket := openings.ticket_of(path)) is not None:
        way, settings = openings.returning(ticket), settings_of(ctx)
        run(lambda console: _play_tournament(way, console, settings, resumes=True))
        return

    async def opening(_: Console, __: Settings) -> Opening:
        return openings.resuming(path, at)

    play_lan(ctx, opening, programs)


def read_replay(log: Log) -> None:
    async def dialogue(console: Console) -> None:
        await Reader(log, console, read().settings).run()

    run(dialogue)


def review(ctx: click.Context, replay: Replay, found: Review) -> None:
    settings = settings_of(ctx)
    run(lambda console: tasks.review(replay, found, console, settings))


def settings_of(ctx: click.Context) -> Settings:
    """Return the settings, and print what is wrong with them."""
    settings, told = load(**ctx.obj)
    for text in told:
        say(text)
    return settings


def run(dialogue: Callable[[Console], Coroutine[Any, Any, None]]) -> None:
    status = talk(dialogue)
    if status:
        raise SystemExit(status)
