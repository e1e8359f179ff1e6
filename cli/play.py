"""Commands that open a table at this keyboard: play, resume."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kumite.cli import line_mode, opening
from kumite.cli.arguments import (
    GAME,
    OPTION,
    PATH,
    SEATS_TOLD,
    GameCommand,
    address_of,
    bots_of,
    seats_of,
    seats_option,
    setup_of,
)
from kumite.cli.saying import say
from kumite.core.game import Seat

if TYPE_CHECKING:
    from textual.screen import Screen

    from kumite.core.log import Log


@click.command(cls=GameCommand)
@GAME
@seats_option(f"How many, or their names: {SEATS_TOLD}")
@OPTION
@line_mode.PLAIN
@click.pass_context
def play(
    ctx: click.Context, game: str, spec: str | None, options: tuple[str, ...], is_plain: bool
) -> None:
    """Open a table at this keyboard."""
    seats, names = seats_of(spec)
    setup = setup_of(game, seats, options)
    from kumite.tui.bots.programs import called
    from kumite.tui.play.local_table import LocalTable, seat_names

    who, programs = called(seat_names(names, setup.seats))
    opening.open_table(
        ctx, lambda: LocalTable.begin(setup, who, programs=programs), is_plain=is_plain
    )


@click.command()
@click.argument("log", type=PATH, required=False)
@click.option("--at", metavar="HOST:PORT", help="Where the host of a LAN table is now.")
@click.option("--bots", default="", metavar="SEAT:BOT", help="Bots that go on: 2:cmd:./mybot")
@line_mode.PLAIN
@click.pass_context
def resume(ctx: click.Context, log: Path | None, at: str | None, bots: str, is_plain: bool) -> None:
    """Go on with a match: LOG, or the newest that is not finished.

    At a LAN table everybody does this: the host listens again, and the others come back.
    """
    from kumite.store import log_files
    from kumite.tui.play.local_table import LocalTable, names_in

    if log is None:
        from kumite.store.library import Library

        library = Library()
        found = library.newest(library.can_go_on)
        if found is None:
            raise click.ClickException("No match waits to be gone on with.")
        log = library.path(found.name)
    saved = log_files.load(log)
    path, header = log, saved.header
    names = names_in(header)
    by_bots, programs = bots_of(bots, names)
    if header.by is None:
        if at is not None:
            raise click.BadParameter("this match was played at one keyboard", param_hint="--at")
        who = [by_bots.get(Seat(seat), name) for seat, name in enumerate(names)]
        may_cut = _asked_to_cut(saved, path)
        opening.open_table(
            ctx,
            lambda: LocalTable.resume(path, who, programs, may_cut=may_cut),
            is_plain=is_plain,
        )
        return
    if by_bots.items() - dict(enumerate(names)).items():
        raise click.BadParameter(
            "over the LAN only its program goes on in a seat, by the same name",
            param_hint="--bots",
        )
    where = address_of(at) if at else None
    if line_mode.wanted(is_plain):
        line_mode.resume_lan(ctx, path, where, programs)
        return

    def screen() -> Screen[None]:
        from kumite.tui.screens.lobby import LobbyScreen

        return LobbyScreen.resuming(path, where, programs)

    opening.open_app(ctx, screen)


def _asked_to_cut(saved: Log, path: Path) -> bool:
    """Ask whether a damaged log may be cut; it may not where nobody can be asked.

    Raises:
        StoreError: it may not.
    """
    damage = saved.damage
    if damage is None or damage.is_tail:
        return False
    from kumite.store.log_files import damaged

    refusal = damaged(path, damage)
    if not _can_ask():
        raise refusal
    say(f"{path}: {damage}\n{refusal.hint}")
    question = f"Go on after step {saved.match.number}? What comes after it is kept beside the log."
    if not click.confirm(question):
        raise refusal
    return True


def _can_ask() -> bool:
    return sys.stdin.isatty()
