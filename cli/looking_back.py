"""Commands that look at saved matches in the app: replay, branch."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kumite.cli import line_mode, opening
from kumite.cli.arguments import PATH

if TYPE_CHECKING:
    from textual.screen import Screen


@click.command()
@click.argument("log", type=PATH)
@click.option("--text", "as_text", is_flag=True, help="Print every position instead.")
@line_mode.PLAIN
@click.pass_context
def replay(ctx: click.Context, log: Path, as_text: bool, is_plain: bool) -> None:
    """Replay a saved match."""
    from kumite.store import log_files

    found = log_files.load(log)
    if as_text:
        from kumite.cli.printing import print_replay

        print_replay(found)
        return
    if line_mode.wanted(is_plain):
        line_mode.read_replay(found)
        return

    def screen() -> Screen[None]:
        from kumite.tui.screens.replay import ReplayScreen

        return ReplayScreen(found, log)

    opening.open_app(ctx, screen)


@click.command()
@click.argument("log", type=PATH)
@click.option("--at", "number", type=int, required=True, help="After this step.")
@click.option("--seats", "spec", help="Who goes on: ada,bot:simple (the names of the log)")
@line_mode.PLAIN
@click.pass_context
def branch(ctx: click.Context, log: Path, number: int, spec: str | None, is_plain: bool) -> None:
    """Go on from an earlier step of a saved match, in a log of its own."""
    from kumite.store import log_files
    from kumite.tui.bots.programs import called
    from kumite.tui.play.local_table import LocalTable, seat_names

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
