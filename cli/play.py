"""Commands that open a match: play, resume, replay, open, branch."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kumite.cli import app_start, arguments
from kumite.cli.look_options import look_options
from kumite.cli.saying import say
from kumite.cli.seats import bots_of, seats_of
from kumite.core.game import Seat
from kumite.core.log import Log
from kumite.core.log.sharing import LONGEST, opened
from kumite.store import log_files
from kumite.store.library import Library
from kumite.tui.bots.programs import called
from kumite.tui.play import first
from kumite.tui.play.local_table import LocalTable, names_in, seat_names

if TYPE_CHECKING:
    from textual.screen import Screen

    from kumite.tui.puzzles.model import Puzzle


@look_options
@click.command(cls=arguments.GameCommand)
@arguments.GAME
@arguments.seats_option(f"How many, or their names: {arguments.SEATS_TOLD}")
@arguments.LOTS
@arguments.OPTION
@arguments.PLAIN
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
    setup = arguments.setup_of(game, seats, options)
    who, programs = called(seat_names(names, setup.seats))
    who = first.by_lot(who) if has_lots else who
    app_start.open_table(
        ctx, lambda: LocalTable.begin(setup, who, programs=programs), is_plain=is_plain
    )


@look_options
@click.command()
@click.argument("log", type=arguments.PATH, required=False)
@click.option("--at", metavar="HOST:PORT", help="Where the host of a LAN table is now.")
@click.option("--bots", default="", metavar="SEAT:BOT", help="Bots that continue: 2:cmd:./mybot")
@arguments.PLAIN
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
        app_start.open_table(
            ctx, lambda: LocalTable.resume(path, who, programs, may_cut=may_cut), is_plain=is_plain
        )
        return
    if by_bots.items() - dict(enumerate(names)).items():
        raise click.BadParameter(
            "over the LAN only the same bot can continue in a seat, by the same name",
            param_hint="--bots",
        )
    where = None
    if at:
        from kumite.net.transport.addresses import parse_address

        where = parse_address(at)
    if app_start.wants_lines(is_plain):
        from kumite.cli import line_mode

        line_mode.resume_lan(ctx, path, where, programs)
        return

    def screen() -> Screen[None]:
        from kumite.tui.screens.lobby import LobbyScreen

        return LobbyScreen.resuming(path, where, programs)

    app_start.open_app(ctx, screen)


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


# --- Looking back -----------------------------------------------------------------------------


@look_options
@click.command()
@click.argument("log", type=arguments.PATH, default=arguments.NEWEST)
@click.option("--text", "as_text", is_flag=True, help="Print every position instead.")
@arguments.PLAIN
@click.pass_context
def replay(ctx: click.Context, log: Path, as_text: bool, is_plain: bool) -> None:
    """Replay a saved match.

    LOG is the newest if you name none.
    """
    _replay(ctx, log_files.load(log), log, as_text=as_text, is_plain=is_plain)


@look_options
@click.command("open")
@click.argument("line", nargs=-1)
@click.option("--text", "as_text", is_flag=True, help="Print every position instead.")
@click.option("--save", is_flag=True, help="Keep it with your own, and open nothing.")
@arguments.PLAIN
@click.pass_context
def open_line(
    ctx: click.Context, line: tuple[str, ...], as_text: bool, save: bool, is_plain: bool
) -> None:
    """Open a match or a puzzle that someone sent as a LINE of text: … kumite:1:…

    `kumite log export --as line` makes such lines, and x in a replay or a puzzle. Without LINE it
    is read from standard input.
    """
    from kumite.tui.puzzles import model

    text = " ".join(line) or sys.stdin.buffer.read(2 * LONGEST).decode("utf-8", "replace")
    if model.is_line(text):
        is_text = as_text or app_start.wants_lines(is_plain)
        _open_puzzle(ctx, model.parsed(text), is_text=is_text, save=save)
        return
    found = opened(text)
    if not save:
        _replay(ctx, found, None, as_text=as_text, is_plain=is_plain)
        return
    made = log_files.LogFile.create(found.header, found.match)
    if found.end:
        made.end(found.end)
    made.close()
    say(str(made.path))


def _open_puzzle(ctx: click.Context, one: Puzzle, *, is_text: bool, save: bool) -> None:
    """Save a puzzle, print it without its answer, or open it in the app."""
    if save:
        from kumite.tui.puzzles import own

        is_new = own.add(one)
        say(f"{one.game.TITLE}: kept with your own puzzles" if is_new else "you have it already")
        return
    if is_text:
        from kumite.cli.printing import print_puzzle

        print_puzzle(one)
        return

    def screen() -> Screen[None]:
        from kumite.tui.screens.puzzles import PuzzleScreen

        return PuzzleScreen(one)

    app_start.open_app(ctx, screen)


def _replay(
    ctx: click.Context, found: Log, path: Path | None, *, as_text: bool, is_plain: bool
) -> None:
    if as_text:
        from kumite.cli.printing import print_replay

        print_replay(found)
        return
    if app_start.wants_lines(is_plain):
        from kumite.cli import line_mode

        line_mode.read_replay(ctx, found)
        return
    app_start.open_replay(ctx, found, path)


@look_options
@click.command()
@click.argument("log", type=arguments.PATH)
@click.option("--at", "number", type=int, required=True, help="After this step.")
@click.option("--seats", "spec", help="Who continues: ada,bot:easy (default: the names in the log)")
@arguments.PLAIN
@click.pass_context
def branch(ctx: click.Context, log: Path, number: int, spec: str | None, is_plain: bool) -> None:
    """Continue from an earlier step of a saved match, in a new log."""
    found = log_files.load(log)
    if spec is None:
        app_start.open_table(ctx, lambda: LocalTable.branch(found, number), is_plain=is_plain)
        return
    names, programs = called(seat_names(spec, found.header.setup.seats))
    app_start.open_table(
        ctx, lambda: LocalTable.branch(found, number, names, programs=programs), is_plain=is_plain
    )
