"""Hundreds of wrong command lines: each is refused in one clear line, with status 2."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner, Result

from kumite.cli import app_start
from kumite.cli.main import main
from kumite.core.game import Setup
from kumite.core.games import find
from kumite.core.text import harmless_text
from kumite.tui.play.local_table import LocalTable
from tests.support.bad_arguments import Case, aims, cases, commands
from tests.support.places import ROOT

if TYPE_CHECKING:
    import click

WANTED = 600
FOR_EACH_FILE = (("log", "check"), ("puzzles", "make"))  # a line each; 1 if one cannot be read
STARTED = (  # what a command does once its line was understood
    *("cli.app_start.require_terminal", "tui.app.KumiteApp.run", "gc.disable"),
    *("cli.line_mode.play_local", "cli.line_mode.run"),
    *("cli.arena.run._play", "cli.bench.run.print_bench", "cli.bench.terminals.print_start"),
    *("cli.doctor.print_findings", "cli.engine.serve", "cli.demo.print_demo"),
    "serve.server.run",
)


@pytest.fixture
def right(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> dict[str, str]:
    """Let no command open an app, play or measure, nor write where it matters.

    Return words that commands take.
    """

    def start(*_: Any, **__: Any) -> bool:
        return True

    def sit_down(ctx: click.Context, make: Callable[[], LocalTable], **_: Any) -> None:
        app_start.open_app(ctx, None)
        make().close()

    monkeypatch.setattr("kumite.cli.app_start.open_table", sit_down)
    for name in STARTED:
        monkeypatch.setattr(name if name == "gc.disable" else f"kumite.{name}", start)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KUMITE_LOGS", str(tmp_path / "logs"))
    table = LocalTable.begin(Setup.of(find("kuzushi")), ["ada", "bob"])
    for _ in range(3):
        (actor, *_rest) = table.match.actors
        table.play(actor, table.match.legal(actor)[0])
    log, data = str(table.path), tmp_path / "matches.json"
    table.close()
    CliRunner().invoke(main, ["log", "export", log, "--as", "json", "-o", str(data)])
    assert data.exists()
    logs = dict.fromkeys(("log", "logs", "one", "two", "what"), log)
    return {**logs, "data": str(data), "bots": "easy,easy", "shell": "bash"}


def explained(said: str) -> bool:
    """Return whether something says in one line what is wrong, and nothing steers a terminal."""
    errors = [line for line in said.split("\n") if line.startswith("Error: ")]
    return len(errors) == 1 and len(errors[0]) > len("Error: ") and said == harmless_text(said)


def complaint(case: Case, result: Result) -> str:
    """Return what is wrong with an answer; nothing if nothing is."""
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        return f"a traceback: {result.exception!r}"
    if "Traceback" in result.output:
        return "a traceback was shown"
    if result.exit_code == 0 and not case.is_wrong:
        return ""
    if result.exit_code == 1 and case.words[:2] in FOR_EACH_FILE:
        return "" if result.output == harmless_text(result.output) else "it steers a terminal"
    if result.exit_code != 2:
        return f"status {result.exit_code}: {result.output[-200:]!r}"
    return "" if explained(result.stderr) else f"not one clear line: {result.stderr[-300:]!r}"


@pytest.mark.slow
@pytest.mark.parametrize(
    "seed", [1, *[pytest.param(n, marks=pytest.mark.long) for n in range(2, 6)]]
)
def test_wrong_command_lines_are_refused_in_one_line(right: dict[str, str], seed: int) -> None:
    runner, refused, wrong = CliRunner(), 0, []
    hit: set[str] = set()
    refusing: set[tuple[str, ...]] = set()
    paths = [path for path, _ in commands(main)]
    for case in islice(cases(main, Random(f"bad arguments {seed}"), right), 3 * WANTED):
        result = runner.invoke(main, case.words)
        if said := complaint(case, result):
            wrong.append(f"{[word[:40] for word in case.words]}: {said}")
        elif result.exit_code == 2:
            refused += 1
            refusing |= {path for path in paths if case.words[: len(path)] == path}
        hit.add(case.aim)
        if refused == WANTED:
            break
    assert not wrong, "\n".join(wrong)
    assert refused == WANTED
    assert refusing == set(paths), "each command has refused something"
    assert {aim.name for aim in aims(main)} <= hit, "each parameter was given junk"


@pytest.mark.parametrize(
    "args",
    [
        *("log export LOG --seconds nan", "bench --game zz", "watch LOG 7-torii-lantern"),
        *(f"{command} --name {'n' * 25}" for command in ("join", "host kuzushi", "tournament")),
        *("join --name you", "host kuzushi --name You"),
    ],
)
def test_what_would_not_be_used_is_refused(right: dict[str, str], args: str) -> None:
    done = CliRunner().invoke(main, args.replace("LOG", right["log"]).split())
    assert done.exit_code == 2
    assert explained(done.stderr)


def test_players_behind_the_game_are_told_where_they_belong(right: dict[str, str]) -> None:
    done = CliRunner().invoke(main, ["play", "kitsu", "ada", "bot:2"])
    assert done.exit_code == 2
    assert explained(done.stderr)
    assert "--seats ada,bot:2" in done.stderr
    done = CliRunner().invoke(main, ["tournament", "kitsu", "ada"])
    assert "--seats" not in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("number", range(5))
def test_real_processes_refuse_them_too(number: int, tmp_path: Path) -> None:
    rng = Random(f"processes {number}")
    found = (
        case
        for case in cases(main, rng, {})
        if case.is_wrong and not any({"\ud800", "\0"} & set(word) for word in case.words)
    )
    words = next(found).words
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "KUMITE_LOGS": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-m", "kumite", *words],
        cwd=tmp_path, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == 2, (words, done.stderr)
    assert explained(done.stderr.decode()), (words, done.stderr)
    assert not done.stdout
