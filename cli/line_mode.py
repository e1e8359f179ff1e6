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

    from kumite.net.transport.invites import Invite
    from kumite.tui.play.tournaments import TournamentPlan


def play_local(ctx: click.Context, make: Callable[[], LocalTable]) -> None:
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
    way: Opening,
    programs: Mapping[str, str] | None = None,
    listed_as: str | None = None,
    *,
    has_invite: bool = False,
) -> None:
    """Play at a LAN table that `way` leads to; `listed_as`: the host's name, to announce it."""
    settings = settings_of(ctx)
    run(lambda console: _play_lan(way, console, settings, programs, listed_as, has_invite))


async def _play_lan(
    way: Opening,
    console: Console,
    settings: Settings,
    programs: Mapping[str, str] | None = None,
    listed_as: str | None = None,
    has_invite: bool = False,
) -> None:
    from kumite.tui.plain.lan import LanPlainTable
    from kumite.tui.plain.lobby import Lobby

    table = await Lobby(console, way, programs, listed_as, has_invite=has_invite).run()
    if table is not None:
        bots = BotService().of_table(table.path)
        await LanPlainTable(table, console, bots, settings).run()


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
        from kumite.tui.play.tournament_host import HostClient

        console.begin()
        await PlainHost(console, HostClient(plan, console.post), settings).run()

    run(dialogue)


def join_lan(ctx: click.Context, invite: Invite, name: str, seats: Seats | None) -> None:
    """Join a LAN table in `seats` (any if empty), or its tournament; None: watch the table.

    Choose it from a list, and ask for the code, if they are missing.
    """
    settings = settings_of(ctx)

    async def dialogue(console: Console) -> None:
        from kumite.tui.plain.lan import completed
        from kumite.tui.plain.lobby import TournamentThere

        found = await completed(invite, console)
        if found is None:
            return
        if isinstance(found, Path):
            await _resume(found, None, {}, console, settings)
            return
        if seats is None:
            await _play_lan(openings.watching(*found, name), console, settings)
            return
        way = openings.joining(*found, name, seats, settings.audit)
        try:
            await _play_lan(way, console, settings)
        except TournamentThere:
            await _play_tournament(openings.entering(*found, name), console, settings)

    run(dialogue)


def resume_lan(
    ctx: click.Context, path: Path, at: tuple[str, int] | None, programs: Mapping[str, str]
) -> None:
    """Resume a LAN match from its log, and return to its tournament if it has one."""
    settings = settings_of(ctx)
    run(lambda console: _resume(path, at, programs, console, settings))


async def _resume(
    path: Path,
    at: tuple[str, int] | None,
    programs: Mapping[str, str],
    console: Console,
    settings: Settings,
) -> None:
    if at is None and (ticket := openings.ticket_of(path)) is not None:
        await _play_tournament(openings.returning(ticket), console, settings, resumes=True)
    else:
        way, listed_as = openings.resuming(path, at), openings.hosted_as(path)
        await _play_lan(way, console, settings, programs, listed_as)


def read_replay(log: Log) -> None:
    run(lambda console: Reader(log, console, read().settings).run())


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
