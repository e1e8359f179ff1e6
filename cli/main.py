"""The command group `kumite`. It imports no Textual, so help and text output are fast."""

from __future__ import annotations

import sys
from functools import partial
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import Final

import click
from click.shell_completion import CompletionItem

from kumite.cli.arguments import PLAIN, CommandGroup
from kumite.cli.look_options import look_options
from kumite.cli.saying import say
from kumite.core.plugins import Plugins
from kumite.store import warned

GROUPS: Final = {  # groups of commands as listed in the help: module and first line of each
    "Play": {
        "play": ("play.play", "Open a table at this keyboard."),
        "resume": ("play.resume", "Continue a match: LOG, or the newest unfinished one."),
        "open": (
            "play.open_line",
            "Open a match or a puzzle that someone sent as a LINE of text: … kumite:1:…",
        ),
        "learn": ("learning.learn", "Learn a game by lessons: positions with a task."),
        "puzzles": ("puzzles.puzzles_group", "Solve positions with one best turn."),
        "rules": ("learning.rules", "Read the chapters of a game's rules in words."),
        "record": (
            "record.record",
            "Tell what you have played and how well, from the saved matches.",
        ),
    },
    "Look back": {
        "replay": ("play.replay", "Replay a saved match."),
        "branch": ("play.branch", "Continue from an earlier step of a saved match, in a new log."),
        "log": ("log_commands.log_group", "Look into saved matches."),
    },
    "Together": {
        "host": ("lan.host", "Host a LAN table; others join it with the code that it shows."),
        "join": ("lan.join", "Join a LAN table; without arguments, choose from the open ones."),
        "watch": ("lan.watch", "Look on at a match that is being played."),
        "tournament": (
            "tournament.tournament",
            "Hold a tournament on the LAN: 3 to 32 players, one code, tables for two.",
        ),
        "serve": (
            "serving.serve",
            "Let guests play here who have nothing installed, over ssh or in a browser.",
        ),
    },
    "Programs": {
        "demo": ("demo.demo", "Let bots play, as plain text; two simple ones if you name none."),
        "arena": (
            "arena.run.arena",
            "Let bots play against each other, and tell how good they are.",
        ),
        "engine": (
            "engine.engine",
            "Answer other programs: one JSON object a line in, one a line out.",
        ),
        "bench": (
            "bench.bench",
            "Measure speed, as ratios to plain integers or to a bare Textual app.",
        ),
        "doctor": ("doctor.doctor", "Tell what this terminal and this network can do."),
        "completion": (
            "completing.completion",
            "Print what SHELL runs to complete commands, games, bots, logs.",
        ),
        "man": ("completing.man", "Print the manual page: kumite man | man -l -"),
    },
}
COMMANDS: Final = {name: told for group in GROUPS.values() for name, told in group.items()}


class Commands(CommandGroup):
    """All commands; a command's module is imported when the command is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name][0].rpartition(".")
        command = getattr(import_module(f"kumite.cli.{module}"), name)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, group in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(name, told) for name, (_, told) in group.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        found = [
            CompletionItem(name, help=told)
            for name, (_, told) in sorted(COMMANDS.items())
            if name.startswith(incomplete)
        ]
        return [*found, *click.Command.shell_complete(self, ctx, incomplete)]


def _show_version(ctx: click.Context, _: click.Parameter, is_wanted: bool) -> None:
    if not is_wanted or ctx.resilient_parsing:
        return
    from importlib.metadata import PackageNotFoundError, version  # a tenth of the startup time

    try:
        number = version("kumite")
    except PackageNotFoundError:  # `python -m kumite` in a checkout
        number = "not installed"
    commit = _commit()
    say(f"kumite, version {number}" + f" (commit {commit})" * bool(commit))
    ctx.exit()


def _commit() -> str:
    """Return the commit of a checkout, with `-dirty` if files differ from it; "" elsewhere."""
    root = Path(__file__).resolve().parent.parent
    if not (root / ".git").exists():
        return ""
    import subprocess

    asked = ("git", "-C", str(root), "describe", "--always", "--dirty", "--exclude=*")
    try:
        return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):  # no git, or a checkout of somebody else
        return ""


@click.group(
    cls=Commands,
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
@PLAIN
@click.pass_context
def main(ctx: click.Context, is_plain: bool) -> None:
    """Japanese duels in one terminal program."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a name may not exist in the terminal's encoding
    Plugins.warn = warned.warn
    warned.listen(partial(say, err=True))
    if ctx.invoked_subcommand is None:
        from kumite.cli import app_start

        if app_start.wants_lines(is_plain):
            from kumite.cli.home import home

            home(ctx)
        else:
            app_start.open_app(ctx, None)
