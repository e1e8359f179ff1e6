"""A run of an arena: the matches that are still to be played, a progress bar, the tables."""

from __future__ import annotations

import json
import sys
from contextlib import closing
from typing import TYPE_CHECKING

import click

from kumite.cli.arena import pool
from kumite.cli.arena.playing import Job
from kumite.cli.arena.report import lines, summary
from kumite.cli.arena.results import Results, usual_path
from kumite.cli.arena.schedule import cycle
from kumite.cli.saying import say
from kumite.core.errors import KumiteError

if TYPE_CHECKING:
    from pathlib import Path

    from kumite.cli.arena.playing import Plan

STOPPED = 130  # exit status of what Ctrl+C has ended


def print_arena(
    plan: Plan,
    matches: int,
    workers: int,
    *,
    scheduler: str | None = None,
    path: Path | None = None,
    logs: Path | None = None,
    is_json: bool = False,
) -> None:
    """Play what of the first `matches` matches has not been played, and print the tables.

    Raises:
        KumiteError: the results cannot be kept, or the matches cannot be played.
        SystemExit: with status 130, after Ctrl+C; what was played is kept.
    """
    results = Results(plan, usual_path(plan) if path is None else path)
    with closing(results):
        is_stopped = False
        try:
            _play(plan, results, matches, workers, scheduler, logs)
        except KeyboardInterrupt:
            is_stopped = True
        found = [results.found[number] for number in sorted(results.found) if number < matches]
        told = summary(plan, found)
        if is_json:
            say(json.dumps(told))
        else:
            say("\n".join(lines(told)))
        _say(f"results in {results.path}")
        _say_evenness(plan, matches)
    if is_stopped:
        _say(f"Stopped after {len(found)} of {matches} matches. The same command goes on.")
        raise SystemExit(STOPPED)


def _play(
    plan: Plan,
    results: Results,
    matches: int,
    workers: int,
    scheduler: str | None,
    logs: Path | None,
) -> None:
    """Play what is missing; each result is kept as it comes, its log before it."""
    seatings = cycle(plan.setup, len(plan.bots))
    numbers = [number for number in range(matches) if number not in results.found]
    jobs = (
        Job(plan, number, seatings[number % len(seatings)], logs is not None) for number in numbers
    )
    if not numbers:
        return
    if logs is not None:
        _make(logs)
    running = pool.run(jobs, min(workers, len(numbers)), scheduler, _say)
    bar = click.progressbar(
        length=matches, label=plan.game, file=sys.stderr, show_pos=True, show_percent=False
    )
    with closing(running), bar:
        bar.update(matches - len(numbers))
        for result, text in running:
            if logs is not None:
                _write(logs / f"{plan.game}-{plan.digest()}-{result.number:05}.kumite", text)
            results.add(result)
            bar.update(1)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _no_logs(folder, error) from error


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise _no_logs(path, error) from error


def _no_logs(path: Path, error: OSError) -> KumiteError:
    return KumiteError(
        f"cannot write {path}: {error.strerror or error}", hint="--logs DIR names another folder"
    )


def _say(text: str) -> None:
    say(text, err=True)


def _say_evenness(plan: Plan, matches: int) -> None:
    size = len(cycle(plan.setup, len(plan.bots)))
    if matches % size:
        _say(
            f"Every bot has had every seat equally often after each {size} matches: "
            f"--matches {-(-matches // size) * size}"
        )
