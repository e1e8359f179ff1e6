"""Line mode for the command line: used with `--plain`, or if the terminal cannot be drawn on."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from kumite.cli.saying import say
from kumite.core.game import Seats
from kumite.core.log import Log
from kumite.tui.bots.review import Review
from kumite.tui.plain import tasks
from kumite.tui.plain.analysis import PlainMatch
from kumite.tui.plain.console import Console, talk
from kumite.tui.plain.replay import Reader
from kumite.tui.play import openings
from kumite.tui.play.local_table import LocalTable
from kumite.tui.play.openings import Opening, PlayerOpening
from kumite.tui.play.replaying import Replay
from kumite.tui.settings import Settings, load, rights

if TYPE_CHECKING:
    import click

    from kumite.net.transport.invites import Invite
    from kumite.tui.play.tournaments import TournamentPlan

Talk: TypeAlias = Callable[[Console, Settings], Coroutine[Any, Any, None]]


def run(ctx: click.Context, dialogue: Talk) -> None:
    settings = settings_of(ctx)
    talk(lambda console: dialogue(console, settings))


def settings_of(ctx: click.Context) -> Settings:
    """Return the settings, and print what is wrong with them."""
    settings, told = load(**ctx.obj)
    for text in told:
        say(text)
    return settings


def play_local(ctx: click.Context, make: Callable[[], LocalTable]) -> None:
    run(ctx, lambda console, settings: PlainMatch(make(), console, settings).run())


def learn(ctx: click.Context, game_id: str) -> None:
    run(ctx, partial(tasks.learn, game_id))


def solve(ctx: click.Context, game_id: str) -> None:
    run(ctx, partial(tasks.solve, game_id))


def read_replay(ctx: click.Context, log: Log) -> None:
    run(ctx, lambda console, settings: Reader(log, console, settings).run())


def review(ctx: click.Context, replay: Replay, found: Review) -> None:
    run(ctx, partial(tasks.review, replay, found))


def play_lan(
    ctx: click.Context,
    way: Opening,
    programs: Mapping[str, str],
    listed_as: str | None,
    *,
    has_invite: bool,
) -> None:
    """Play at a LAN table that `way` leads to; `listed_as`: the host's name, to announce it."""
    about = partial(_play_lan, programs=programs, listed_as=listed_as, has_invite=has_invite)
    run(ctx, partial(about, way))


async def _play_lan(way: Opening, console: Console, settings: Settings, **about: Any) -> None:
    from kumite.tui.plain.lan import LanPlainTable
    from kumite.tui.plain.lobby import Lobby

    table = await Lobby(console, way, **about).run()
    if table is not None:
        await LanPlainTable(table, console, settings).run()


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
    async def dialogue(console: Console, settings: Settings) -> None:
        from kumite.tui.plain.tournament import PlainHost
        from kumite.tui.play.tournament_host import HostClient

        console.begin()
        await PlainHost(console, HostClient(plan, console.post), settings).run()

    run(ctx, dialogue)


def join_lan(ctx: click.Context, invite: Invite, name: str, seats: Seats | None) -> None:
    """Join a LAN table in `seats` (any if empty), or its tournament; None: watch the table.

    Choose it from a list, and ask for the code, if they are missing.
    """

    async def dialogue(console: Console, settings: Settings) -> None:
        from kumite.tui.plain.lan import completed
        from kumite.tui.plain.lobby import TournamentThere

        found = await completed(invite, console)
        if isinstance(found, Path):
            await _resume(found, None, {}, console, settings)
        elif found is not None:
            way = openings.joining(*found, name, seats, settings.audit)
            try:
                await _play_lan(way, console, settings)
            except TournamentThere:
                if seats is None:
                    raise
                await _play_tournament(openings.entering(*found, name), console, settings)

    run(ctx, dialogue)


def resume_lan(
    ctx: click.Context, path: Path, at: tuple[str, int] | None, programs: Mapping[str, str]
) -> None:
    """Resume a LAN match from its log, and return to its tournament if it has one."""
    run(ctx, partial(_resume, path, at, programs))


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
        await _play_lan(way, console, settings, programs=programs, listed_as=listed_as)
