"""`kumite puzzles`: solve positions with one best turn in the app, or make them from matches."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from kumite.cli import app_start
from kumite.cli.arguments import PATH, PLAIN, CommandGroup
from kumite.cli.look_options import look_options
from kumite.cli.saying import say
from kumite.core.errors import KumiteError
from kumite.core.games import find
from kumite.store import log_files, practice
from kumite.store.library import Library
from kumite.tui.bots import kernels
from kumite.tui.puzzles import own

if TYPE_CHECKING:
    from textual.screen import Screen

BEGIN: Final = "Begin at the puzzles of this game."


class PuzzleCommands(CommandGroup):
    """The puzzle commands, and one for each game, which opens the list at that game."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        found = super().get_command(ctx, cmd_name)
        if found is not None or ctx.resilient_parsing:
            return found
        game_id = find(cmd_name).ID

        def solve(is_plain: bool) -> None:
            if app_start.wants_lines(is_plain):
                from kumite.cli import line_mode

                line_mode.solve(ctx, game_id)
            else:
                app_start.open_app(ctx, _listing(game_id))

        command = click.Command(cmd_name, callback=solve, help=BEGIN)
        return look_options(PLAIN(command))


@look_options
@click.group(
    "puzzles",
    cls=PuzzleCommands,
    invoke_without_command=True,
    subcommand_metavar="[GAME | COMMAND ...]",
)
@PLAIN
@click.pass_context
def puzzles_group(ctx: click.Context, is_plain: bool) -> None:
    """Solve positions with one best turn.

    What is solved comes back at growing distances; there is one for each day, too. GAME: begin at
    those of a game.
    """
    if ctx.invoked_subcommand is not None:
        return
    if not app_start.wants_lines(is_plain):
        app_start.open_app(ctx, _listing())
        return
    known, today = practice.load(), date.today()
    for game_id, puzzles in own.by_game().items():
        due = known.due({one.id for one in puzzles}, today)
        say(f"puzzles {game_id}: {len(puzzles)}, {len(due)} to be solved again today")


def _listing(game_id: str = "") -> Callable[[], Screen[None]]:
    """Return a function that makes the list of puzzles, starting at a game's row."""

    def screen() -> Screen[None]:
        from kumite.tui.screens.puzzles import PuzzlesScreen

        return PuzzlesScreen(game_id)

    return screen


@puzzles_group.command("make")
@click.argument("logs", type=PATH, nargs=-1)
@click.pass_context
def make(ctx: click.Context, logs: tuple[Path, ...]) -> None:
    """Make puzzles of LOGS, or of all saved matches.

    A position becomes one if it is proved that one step, or one turn, alone does it: in Kitsu! and
    Kumo a win in the turn, or the only turn after which the other cannot win in the next; near the
    end of Kuzushi the step that wins by force; in Kitsu: Zenko & Yako the card that wins or saves
    a round; in Kiri-ai the only safe plan; all for two players. They are kept beside the saved
    matches. A match takes up to a minute; Ctrl+C keeps what was found. The status is 1 if a log
    cannot be read.
    """
    from kumite.tui.puzzles.making import found_in

    library = Library()
    library.read()
    unread = 0
    for path in logs or [library.path(one.name) for one in library.all()]:
        try:
            match = log_files.load(path).match
        except KumiteError as error:
            say(str(error), err=True)  # the error names the file
            unread += 1
            continue
        kernels.load_for(match.game.ID, ["strong"])  # compiled hunts are much faster
        for one in found_in(match):
            if own.add(one):
                say(f"{path}: {one.game.TITLE}, {one.goal}, difficulty {one.level}")
    say(f"you have {len(own.read_all())} of your own")
    ctx.exit(min(unread, 1))
