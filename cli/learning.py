"""`kumite learn` and `kumite rules`: how a game is played."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from kumite.cli import opening
from kumite.cli.arguments import GAME, PLAIN
from kumite.cli.look_options import look_options
from kumite.cli.saying import say
from kumite.core.games import find

if TYPE_CHECKING:
    from textual.screen import Screen


@look_options
@click.command()
@GAME
@PLAIN
@click.pass_context
def learn(ctx: click.Context, game: str, is_plain: bool) -> None:
    """Learn a game by lessons: positions with a task."""
    game_id = find(game).ID
    if opening.wants_lines(is_plain):
        from kumite.cli import line_mode

        line_mode.learn(ctx, game_id)
        return

    def screen() -> Screen[None]:
        from kumite.tui.screens.lessons import LessonsScreen

        return LessonsScreen(game_id)

    opening.open_app(ctx, screen)


@click.command()
@GAME
@click.argument("chapter", nargs=-1)
def rules(game: str, chapter: tuple[str, ...]) -> None:
    """Read the chapters of a game's rules in words.

    CHAPTER is a number or a name; without it all chapters are listed.
    """
    from kumite.tui.export.rules_page import chapters

    found = chapters(find(game).ID)
    wanted = " ".join(chapter).lower()
    for number, (head, text) in enumerate(found.items(), 1):
        if not wanted:
            say(f"{number}  {head}")
        elif wanted in (f"{number}", head.lower()):
            for line in (head, "", *text.split("\n")):
                say(line)
            return
    if wanted:
        raise click.BadParameter(
            f"there is no chapter {wanted!r}: {', '.join(found)}", param_hint="CHAPTER"
        )
    say(f"kumite rules {game} NUMBER reads one of them.")
