"""Run an arena: play the missing matches with a progress bar, then print the tables."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import click

from kumite.cli import completing
from kumite.cli.arena import pool
from kumite.cli.arena.playing import Job, Plan, cycle
from kumite.cli.arena.report import lines, summary
from kumite.cli.arena.results import Results, usual_path
from kumite.cli.arguments import FILE, FOLDER, OPTION, GameCommand, setup_of
from kumite.cli.saying import say, say_json
from kumite.core.errors import KumiteError
from kumite.store.system import cores
from kumite.store.whole_files import reason

STOPPED = 130  # exit status after Ctrl+C


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
@click.option("--results", type=FILE, help="The file of results, new or to continue.")
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
    plan = Plan.of(setup_of(game, seats, options), bots, seed, opening)
    kept = Results(plan, usual_path(plan) if results is None else results)
    with closing(kept):
        is_stopped = False
        try:
            _play(plan, kept, matches, jobs or cores(), scheduler, logs)
        except KeyboardInterrupt:
            is_stopped = True
        found = [kept.found[number] for number in sorted(kept.found) if number < matches]
        told = summary(plan, found)
        if is_json:
            say_json(told)
        else:
            say(*lines(told))
        _say(f"results in {kept.path}")
        size = len(cycle(plan.setup, len(bots)))
        if matches % size:
            _say(
                f"Every bot has had every seat equally often after each {size} matches: "
                f"--matches {-(-matches // size) * size}"
            )
    if is_stopped:
        _say(f"Stopped after {len(found)} of {matches} matches. The same command continues.")
        raise SystemExit(STOPPED)


def _play(
    plan: Plan,
    results: Results,
    matches: int,
    workers: int,
    scheduler: str | None,
    logs: Path | None,
) -> None:
    """Play the missing matches; save each log, then its result, as soon as a match ends."""
    seatings = cycle(plan.setup, len(plan.bots))
    numbers = [number for number in range(matches) if number not in results.found]
    jobs = (
        Job(plan, number, seatings[number % len(seatings)], logs is not None) for number in numbers
    )
    if not numbers:
        return
    if logs is not None:
        with _keeping(logs):
            logs.mkdir(parents=True, exist_ok=True)
    running = pool.run(jobs, min(workers, len(numbers)), scheduler, _say)
    bar = click.progressbar(
        length=matches, label=plan.game, file=sys.stderr, show_pos=True, show_percent=False
    )
    with closing(running), bar:
        bar.update(matches - len(numbers))
        for result, text in running:
            if logs is not None:
                path = logs / f"{plan.game}-{plan.digest()}-{result.number:05}.kumite"
                with _keeping(path):
                    path.write_text(text, encoding="utf-8", newline="\n")
            results.add(result)
            bar.update(1)


@contextmanager
def _keeping(path: Path) -> Iterator[None]:
    """Say which log or folder of logs cannot be written."""
    try:
        yield
    except OSError as error:
        hint = "--logs DIR names another folder"
        raise KumiteError(f"cannot write {path}: {reason(error)}", hint=hint) from error


def _say(text: str) -> None:
    say(text, err=True)
