"""Commands that show matches in the app: replay, open, branch."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kumite.cli import opening
from kumite.cli.arguments import NEWEST, PATH, PLAIN
from kumite.cli.look_options import look_options
from kumite.cli.saying import say
from kumite.core.log import Log
from kumite.core.log.sharing import LONGEST, opened
from kumite.store import log_files
from kumite.tui.bots.programs import called
from kumite.tui.play.local_table import LocalTable, seat_names
from kumite.tui.puzzles import model, own
from kumite.tui.puzzles.model import Puzzle

if TYPE_CHECKING:
    from textual.screen import Screen


@look_options
@click.command()
@click.argument("log", type=PATH, default=NEWEST)
@click.option("--text", "as_text", is_flag=True, help="Print every position instead.")
@PLAIN
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
@PLAIN
@click.pass_context
def open_line(
    ctx: click.Context, line: tuple[str, ...], as_text: bool, save: bool, is_plain: bool
) -> None:
    """Open a match or a puzzle that someone sent as a LINE of text: … kumite:1:…

    `kumite log export --as line` makes such lines, and x in a replay or a puzzle. Without LINE it
    is read from standard input.
    """
    text = " ".join(line) or sys.stdin.buffer.read(2 * LONGEST).decode("utf-8", "replace")
    if model.is_line(text):
        is_text = as_text or opening.wants_lines(is_plain)
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

    opening.open_app(ctx, screen)


def _replay(
    ctx: click.Context, found: Log, path: Path | None, *, as_text: bool, is_plain: bool
) -> None:
    if as_text:
        from kumite.cli.printing import print_replay

        print_replay(found)
        return
    if opening.wants_lines(is_plain):
        from kumite.cli import line_mode

        line_mode.read_replay(found)
        return
    opening.open_replay(ctx, found, path)


@look_options
@click.command()
@click.argument("log", type=PATH)
@click.option("--at", "number", type=int, required=True, help="After this step.")
@click.option("--seats", "spec", help="Who continues: ada,bot:easy (default: the names in the log)")
@PLAIN
@click.pass_context
def branch(ctx: click.Context, log: Path, number: int, spec: str | None, is_plain: bool) -> None:
    """Continue from an earlier step of a saved match, in a new log."""
    found = log_files.load(log)
    if spec is None:
        opening.open_table(ctx, lambda: LocalTable.branch(found, number), is_plain=is_plain)
        return
    names, programs = called(seat_names(spec, found.header.setup.seats))
    opening.open_table(
        ctx,
        lambda: LocalTable.branch(found, number, names, programs=programs),
        is_plain=is_plain,
    )
