"""The command line explains and completes itself, speaks JSON, and refuses what has no end."""

from __future__ import annotations

import io
import json
import time
from pathlib import Path
from typing import Any

import pytest
from click.shell_completion import ShellComplete

from kumite.cli import app_start, completing, doctor
from kumite.cli.engine import serve
from kumite.cli.main import COMMANDS, main
from kumite.core.bots.levels import LEVELS, NAMED
from kumite.core.game import Setup
from kumite.core.games import GAMES
from kumite.core.log import Header, log_text
from tests.support.bad_arguments import commands
from tests.support.commands import kumite
from tests.support.random_matches import walk

SETUP = Setup.of(GAMES["kuzushi"])
TEXT = log_text(Header("ab12", SETUP, ("ada", "bob")), walk(SETUP, 1, longest=4))


@pytest.fixture
def log(folder: Path) -> Path:
    folder.mkdir()
    path = folder / "2026-01-01-000000-a.kumite"
    path.write_text(TEXT)
    return path


def run(*args: object, status: int = 0) -> str:
    return kumite(*args, status=status).output


@pytest.mark.parametrize("command", [path for path, _ in commands(main)], ids=" ".join)
def test_h_is_help_everywhere(command: tuple[str, ...]) -> None:
    assert run(*command, "-h") == run(*command, "--help")


def test_the_list_of_commands_says_what_they_say() -> None:
    """It is told without importing them."""
    below = {path[0]: one for path, one in commands(main) if len(path) == 1}
    assert list(below) == sorted(COMMANDS)
    for name, (_, told) in COMMANDS.items():
        assert (below[name].help or "").split("\n")[0] == told
        assert told in " ".join(run("--help").split())


@pytest.mark.parametrize("command", ["play", "host", "demo", "arena"])
def test_help_knows_the_game_that_is_named(command: str) -> None:
    assert "Kumo Hogosha: seats, and --option NAME=VALUE" in (said := run(command, "kumo", "-h"))
    for option in GAMES["kumo"].OPTIONS:
        assert f"  {option.name} " in said
    assert "GAME is one of" in run(command, "-h")


@pytest.mark.parametrize(
    ("command", "usage", "told"),
    [
        ("play", "[GAME]", "kiriai; kuzushi if you name none. --help behind it tells its options."),
        ("record", "[GAME]", "kiriai; all of them if you name none."),
        ("arena", "GAME BOT", "kiriai. --help behind it tells its options."),
    ],
)
def test_help_says_what_is_meant_if_no_game_is_named(command: str, usage: str, told: str) -> None:
    """It was "kuzushi" of `record`, too, which counts all, and of `arena`, which needs one."""
    said = " ".join(run(command, "-h").split())
    assert f"{command} [OPTIONS] {usage}" in said
    assert said.endswith(told)


@pytest.mark.parametrize("command", [path for path, _ in commands(main)], ids=" ".join)
def test_no_line_of_help_is_broken_by_the_terminal(command: tuple[str, ...]) -> None:
    """The last of the options for looks was torn at 80 columns: `--t`, `heme`."""
    assert max(map(len, run(*command, "-h").split("\n"))) <= 80


def test_what_all_commands_share_is_explained_once() -> None:
    """The help of each command explained the seven options of looks again."""
    told = [run(*path, "-h") for path, _ in commands(main)]
    assert sum("Leave the mouse" in one for one in told) == 1
    assert "--theme" in run("play", "-h")
    assert completed("play", "--th") == ["--think", "--theme"]


def completed(*args: str) -> list[str]:
    """Return what is offered for the last of these words."""
    shell = ShellComplete(main, {}, "kumite", "_KUMITE_COMPLETE")
    return [one.value for one in shell.get_completions(list(args[:-1]), args[-1])]


def test_values_are_completed(log: Path) -> None:
    assert completed("play", "ki") == ["kitsu", "kitsune", "kiriai"]
    assert completed("record", "ku") == ["kumo", "kuzushi"]
    assert completed("--theme", "d") == ["dark"]
    assert completed("play", "--glyphs", "") == ["auto", "kanji", "letters", "ascii"]
    assert completed("play", "kuzushi", "--option", "board=s") == ["board=small"]
    assert completed("play", "kumo", "--seats", "") == ["2", "4", *bots_of("")]
    assert completed("play", "--seats", "ada,bot:st") == ["ada,bot:strong"]
    assert completed("arena", "kitsu", "strong", "e") == ["easy"]
    assert str(log) in completed("log", "show", "2026")
    assert str(log) in completed("resume", str(log)[:-4])
    assert "completion" in completed("comp")


def bots_of(before: str) -> list[str]:
    return [f"{before}bot:{level}" for level in (*LEVELS, *NAMED, "random")]


@pytest.mark.parametrize("shell", completing.SHELLS)
def test_each_shell_gets_its_script(shell: str) -> None:
    assert "_KUMITE_COMPLETE" in run("completion", shell)


def test_the_manual_has_every_command_and_option() -> None:
    page = run("man")
    assert page.startswith(".TH KUMITE 1")
    for path, _ in [*commands(main)][1:]:
        assert f".SS kumite {' '.join(path)}" in page
    assert r"\-\-scheduler" in page
    assert not [line for line in page.split("\n") if line.startswith("'")]


def test_logs_and_findings_are_told_as_json(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (log.parent / "bad.kumite").write_text("no log")
    listed = json.loads(run("log", "list", "--json"))
    (one,) = listed["logs"]
    assert (one["path"], one["number"], one["game"]) == (str(log), 4, "kuzushi")
    assert set(listed["problems"]) == {"bad.kumite"}
    sound, bad = json.loads(run("log", "check", "--json", log, log.parent / "bad.kumite", status=1))
    assert (sound["is_sound"], sound["steps"], sound["line"]) == (True, 4, None)
    assert (bad["is_sound"], bad["code"]) == (False, "bad-log")
    shown = json.loads(run("log", "show", "--json", log))
    assert [step["number"] for step in shown["steps"]] == [1, 2, 3, 4]
    few = ("--json", "--simulations", "1", log)
    assert "judged" in json.loads(kumite("log", "analyse", *few).stdout)
    players = json.loads(kumite("log", "review", *few).stdout)["players"]
    assert [one["seat"] for one in players] == [1, 2]
    assert sum(one["choices"] for one in players) <= 4
    finding = doctor.Finding(doctor.OK, "x", "y")
    monkeypatch.setattr(doctor, "examine", lambda: iter([finding]))
    assert json.loads(run("doctor", "--json")) == [
        {"mark": "ok", "topic": "x", "text": "y", "hint": ""}
    ]


def test_over_ssh_without_a_terminal_the_option_that_asks_for_one_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SSH_CONNECTION", "1 2 3 4")
    with pytest.raises(app_start.NoTerminal) as caught:
        app_start.require_terminal()
    assert "ssh -t HOST kumite" in caught.value.hint


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf", "x", "1e9"])
def test_seconds_without_a_meaning_are_refused(seconds: str) -> None:
    said = run("bench", "--seconds", seconds, status=2)
    assert said.strip().split("\n")[-1].startswith("Error: Invalid value for '--seconds'")
    run("--think", seconds, "log", "list", status=2)


class Slow(io.StringIO):
    """Input whose last line comes a moment after the others."""

    def __next__(self) -> str:
        line = super().__next__()
        if "stop" in line:
            time.sleep(0.3)
        return line


def test_a_count_without_end_is_stopped() -> None:
    asked: list[dict[str, Any]] = [
        {"do": "stop"},
        {"do": "new", "game": "kuzushi"},
        {"do": "perft", "depth": 100},
        {"do": "stop"},
        {"do": "perft", "depth": 1},
    ]
    out = io.StringIO()
    start = time.monotonic()
    serve(Slow("".join(f"{json.dumps(one)}\n" for one in asked)), out)
    assert time.monotonic() - start < 10
    answers = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [answer["ok"] for answer in answers] == [True, True, False, True, True]
    assert answers[2]["code"] == "stopped"
    assert answers[4]["counts"] == [4]
