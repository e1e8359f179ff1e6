"""Commands that open a local table: play, resume."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from kumite.cli import opening
from kumite.cli.arguments import (
    GAME,
    LOTS,
    OPTION,
    PATH,
    PLAIN,
    SEATS_TOLD,
    GameCommand,
    address_of,
    seats_option,
    setup_of,
)
from kumite.cli.look_options import look_options
from kumite.cli.saying import say
from kumite.cli.seats import bots_of, seats_of
from kumite.core.game import Seat
from kumite.core.log import Log
from kumite.store import log_files
from kumite.store.library import Library
from kumite.tui.bots.programs import called
from kumite.tui.play import first
from kumite.tui.play.local_table import LocalTable, names_in, seat_names


@look_options
@click.command(cls=GameCommand)
@GAME
@seats_option(f"How many, or their names: {SEATS_TOLD}")
@LOTS
@OPTION
@PLAIN
@click.pass_context
def play(
    ctx: click.Context,
    game: str,
    spec: str | None,
    has_lots: bool,
    options: tuple[str, ...],
    is_plain: bool,
) -> None:
    """Open a table at this keyboard."""
    seats, names = seats_of(spec)
    setup = setup_of(game, seats, options)
    who, programs = called(seat_names(names, setup.seats))
    who = first.by_lot(who) if has_lots else who
    opening.open_table(
        ctx, lambda: LocalTable.begin(setup, who, programs=programs), is_plain=is_plain
    )


@look_options
@click.command()
@click.argument("log", type=PATH, required=False)
@click.option("--at", metavar="HOST:PORT", help="Where the host of a LAN table is now.")
@click.option("--bots", default="", metavar="SEAT:BOT", help="Bots that continue: 2:cmd:./mybot")
@PLAIN
@click.pass_context
def resume(ctx: click.Context, log: Path | None, at: str | None, bots: str, is_plain: bool) -> None:
    """Continue a match: LOG, or the newest unfinished one.

    At a LAN table everybody does this: the host listens again, and the others come back.
    """
    if log is None:
        library = Library()
        found = library.newest(library.can_go_on)
        if found is None:
            unread = f" {len(library.problems)} cannot be read." if library.problems else ""
            raise click.ClickException(f"No match waits to be gone on with.{unread}")
        log = library.path(found.name)
    saved = log_files.load(log)
    path, header = log, saved.header
    names = names_in(header)
    by_bots, programs = bots_of(bots, len(names), names)
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
            "over the LAN only the same bot can continue in a seat, by the same name",
            param_hint="--bots",
        )
    where = address_of(at) if at else None
    if opening.wants_lines(is_plain):
        from kumite.cli import line_mode

        line_mode.resume_lan(ctx, path, where, programs)
        return

    opening.open_lobby(ctx, lambda lobby: lobby.resuming(path, where, programs))


def _asked_to_cut(saved: Log, path: Path) -> bool:
    """Ask whether a damaged log may be truncated.

    Raises:
        StoreError: the answer is no, or there is no terminal to ask on.
    """
    damage = saved.damage
    if damage is None or damage.is_tail:
        return False
    refusal = log_files.damaged(path, damage)
    if not _can_ask():
        raise refusal
    say(f"{path}: {damage}", refusal.hint)
    question = (
        f"Continue after step {saved.match.number}? What comes after it is kept beside the log."
    )
    if not click.confirm(question):
        raise refusal
    return True


def _can_ask() -> bool:
    return sys.stdin.isatty()
