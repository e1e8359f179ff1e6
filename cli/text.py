"""Commands that need no app: demo, engine, arena, doctor, bench."""

from __future__ import annotations

import sys
from io import TextIOWrapper
from typing import TYPE_CHECKING

import click

from kumite.cli import completing
from kumite.cli.arguments import (
    FOLDER,
    GAME,
    OPTION,
    PATH,
    GameCommand,
    Seconds,
    seats_of,
    seats_option,
    setup_of,
)
from kumite.core.games import find

if TYPE_CHECKING:
    from pathlib import Path


@click.command(cls=GameCommand)
@GAME
@seats_option("How many, or who: bot:easy,cmd:./mybot")
@click.option("--seed", type=int, help="The same match again.")
@OPTION
def demo(game: str, spec: str | None, seed: int | None, options: tuple[str, ...]) -> None:
    """Let bots play, as plain text; two simple ones if you name none."""
    from kumite.cli.printing import print_demo
    from kumite.core.players import is_person
    from kumite.tui.bots.programs import called
    from kumite.tui.play.local_table import seat_names, split_names

    seats, said = seats_of(spec)
    for name in split_names(said) if said else ():
        if is_person(name):
            raise click.BadParameter(
                f"{name!r} is neither a number of seats nor a bot", param_hint="--seats"
            )
    setup = setup_of(game, seats, options)
    names, programs = called(seat_names(said, setup.seats)) if said else ((), {})
    print_demo(setup, seed, names, programs)


@click.command()
def engine() -> None:
    """Answer other programs: one JSON object a line in, one a line out."""
    from kumite.cli.engine import serve

    for stream in (sys.stdin, sys.stdout):  # whatever the locale, bytes that are no UTF-8 included
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace", newline="\n")
    serve(sys.stdin, sys.stdout)


@click.command(cls=GameCommand)
@click.argument("game", shell_complete=completing.games)
@click.argument("bots", nargs=-1, metavar="BOT BOT...", shell_complete=completing.bots)
@click.option("--seats", type=int, help="How many play.")
@OPTION
@click.option("--matches", type=click.IntRange(1), default=100, show_default=True, help="In all.")
@click.option("--seed", type=int, default=1, show_default=True, help="Other matches.")
@click.option(
    "--opening",
    type=click.IntRange(0),
    default=0,
    metavar="STEPS",
    help="Steps by chance first; each opening is played from all seats.",
)
@click.option("--jobs", type=click.IntRange(1), help="How many at once (as many as cores).")
@click.option("--scheduler", metavar="HOST:PORT", help="Play on the workers of a Dask scheduler.")
@click.option("--results", type=PATH, help="The file of results, to begin or to go on with.")
@click.option("--logs", type=FOLDER, metavar="DIR", help="Keep a log of each match played.")
@click.option("--json", "is_json", is_flag=True, help="Print the tables as JSON.")
def arena(
    game: str, bots: tuple[str, ...], seats: int | None, options: tuple[str, ...], matches: int,
    seed: int, opening: int, jobs: int | None, scheduler: str | None, results: Path | None,
    logs: Path | None, is_json: bool,
) -> None:  # fmt: skip
    """Let bots play against each other, and tell how good they are.

    BOT is a level, 1 to 8 (easy, medium and strong are 2, 5 and 8), or random; strong:500 has 500
    simulations for a step, and cmd:./mybot is a program. Seats are shared evenly. The same command
    again goes on where it was stopped, and adds matches if --matches is more.
    """
    from kumite.cli.arena.playing import Plan
    from kumite.cli.arena.run import print_arena
    from kumite.store.system import cores

    print_arena(
        Plan.of(setup_of(game, seats, options), bots, seed, opening),
        matches,
        jobs or cores(),
        scheduler=scheduler,
        path=results,
        logs=logs,
        is_json=is_json,
    )


@click.command()
@click.option("--json", "is_json", is_flag=True, help="Print the findings as JSON.")
@click.pass_context
def doctor(ctx: click.Context, is_json: bool) -> None:
    """Tell what this terminal and this network can do."""
    from kumite.cli.doctor import print_findings

    if not print_findings(is_json=is_json):
        ctx.exit(1)


@click.command()
@click.argument("shell", type=click.Choice(completing.SHELLS))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print what SHELL runs to complete commands, games, bots, logs.

    bash: eval "$(kumite completion bash)" in ~/.bashrc; zsh likewise in ~/.zshrc; fish: write it to
    ~/.config/fish/completions/kumite.fish.
    """
    click.echo(completing.script(ctx.find_root().command, shell))


@click.command()
@click.pass_context
def man(ctx: click.Context) -> None:
    """Print the manual page: kumite man | man -l -"""
    program = ctx.find_root().command
    assert isinstance(program, click.Group)
    click.echo(completing.manual(program), nl=False)


@click.command()
@click.option(
    "--seconds", type=Seconds(0.01, 3600), default=1.0, help="How long to measure each game."
)
@click.option("--start", is_flag=True, help="Measure the time to the first paint instead.")
@click.option("--keys", is_flag=True, help="Measure the time from a key to the screen instead.")
@click.option("--game", "games", multiple=True, help="Of these two: whose table (kuzushi, kitsu).")
def bench(seconds: float, start: bool, keys: bool, games: tuple[str, ...]) -> None:
    """Measure speed, as ratios to plain integers or to a bare Textual app."""
    found = [find(game).ID for game in games or ("kuzushi", "kitsu")]
    if start:
        from kumite.cli.bench.start import print_start

        print_start(found)
    if keys:
        from kumite.cli.bench.keys import print_keys

        print_keys(found)
    if not start and not keys:
        from kumite.cli.bench.run import print_bench

        print_bench(seconds)
