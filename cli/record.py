"""`kumite record`: the player's past matches, and how well they played."""

from __future__ import annotations

from datetime import date

import click

from kumite.cli import completing
from kumite.cli.arguments import GamesCommand
from kumite.cli.saying import say, say_json
from kumite.core.games import find
from kumite.store import practice
from kumite.store.library import Library
from kumite.store.record import whole_record
from kumite.tui import settings
from kumite.tui.play.recorded import puzzle_lines, record_data, record_lines
from kumite.tui.scenes.lines import plain


@click.command(cls=GamesCommand)
@click.argument("game", required=False, shell_complete=completing.games)
@click.option("--name", "names", multiple=True, help="Yours, instead of that of the settings.")
@click.option("--json", "is_json", is_flag=True, help="Print it as JSON.")
def record(game: str | None, names: tuple[str, ...], is_json: bool) -> None:
    """Tell what you have played and how well, from the saved matches.

    A match is rated if you played one seat of it to an end, without hints and without taking back.
    """
    only = find(game).ID if game else None
    library = Library()
    library.read()
    if library.problems:
        say(f"{len(library.problems)} cannot be read: `kumite log list` says why", err=True)
    mine = names or settings.own_names(settings.read().settings)
    kept = [one for one in library.all() if only in (None, one.game)]
    found = whole_record(kept, mine)
    if is_json:
        say_json(record_data(found.courses))
        return
    of_puzzles = () if only else puzzle_lines(practice.load(), date.today())
    for line in (*record_lines(found, mine), *[()] * bool(of_puzzles), *of_puzzles):
        say(plain(line).rstrip())
