"""The command line: the group of all commands. Imports no Textual: help and text come at once."""

from __future__ import annotations

import sys
from io import TextIOWrapper
from typing import Final

import click

from kumite.cli import lan, looking_back, opening, play, serving, text
from kumite.cli.arguments import CommandGroup, GameCommand
from kumite.cli.log_commands import log_group
from kumite.cli.look_options import look_options
from kumite.cli.puzzles import puzzles_group
from kumite.cli.record import record
from kumite.cli.saying import say
from kumite.cli.tournament import tournament
from kumite.core.games import GAMES

WITH_APP: Final = (
    play.play, play.resume, lan.host, lan.join, lan.watch, tournament,
    looking_back.replay, looking_back.open_line, looking_back.branch, puzzles_group,
)  # fmt: skip
WITHOUT: Final = (
    text.demo,
    text.engine,
    text.arena,
    text.doctor,
    text.bench,
    log_group,
    record,
    serving.serve,
    text.completion,
    text.man,
)


def _show_version(ctx: click.Context, _: click.Parameter, is_wanted: bool) -> None:
    if not is_wanted or ctx.resilient_parsing:
        return
    from importlib.metadata import PackageNotFoundError, version  # a tenth of all start-up

    try:
        number = version("kumite")
    except PackageNotFoundError:  # `python -m kumite` in a checkout
        number = "not installed"
    say(f"kumite, version {number}")
    ctx.exit()


@click.group(
    cls=CommandGroup,
    invoke_without_command=True,
    epilog="Without a command: the app.",
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and exit.",
)
@look_options
@click.pass_context
def main(ctx: click.Context) -> None:
    """Japanese duels in one terminal program."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a name may not exist in the terminal's encoding
    if ctx.invoked_subcommand is None:
        opening.open_app(ctx, None)


def games_told(game: click.Parameter, command: click.Command) -> str:
    """Return which games a command takes, and what it does if none is named."""
    told = f"GAME is one of {', '.join(GAMES)}"
    if not game.required:
        usual = game.default if isinstance(game.default, str) else "all of them"
        told += f"; {usual} if you name none"
    options = " --help behind it tells its options." * isinstance(command, GameCommand)
    return f"{told}.{options}"


for _command in WITH_APP:
    look_options(_command)
for _command in (*WITH_APP, *WITHOUT):
    for _param in _command.params:
        if _param.name == "game":
            _command.epilog = games_told(_param, _command)
    main.add_command(_command)
