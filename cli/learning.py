"""`kumite learn` and `kumite rules`: how a game is played."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from kumite.cli import app_start
from kumite.cli.arguments import GAME, PLAIN, GamesCommand
from kumite.cli.look_options import look_options
from kumite.cli.saying import say
from kumite.core.games import find

if TYPE_CHECKING:
    from textual.screen import Screen


@look_options
@click.command(cls=GamesCommand)
@GAME
@PLAIN
@click.pass_context
def learn(ctx: click.Context, game: str, is_plain: bool) -> None:
    """Learn a game by lessons: positions with a task."""
    game_id = find(game).ID
    if app_start.wants_lines(is_plain):
        from kumite.cli import line_mode

        line_mode.learn(ctx, game_id)
        return

    def screen() -> Screen[None]:
        from kumite.tui.screens.lessons import LessonsScreen

        return LessonsScreen(game_id)

    app_start.open_app(ctx, screen)


@click.command(cls=GamesCommand)
@GAME
@click.argument("chapter", nargs=-1)
def rules(game: str, chapter: tuple[str, ...]) -> None:
    """Read the chapters of a game's rules in words.

    CHAPTER is a number or a name; without it all chapters are listed.
    """
    from kumite.tui.export.rules_page import chapter_lines

    say(*chapter_lines(find(game).ID, " ".join(chapter)))
