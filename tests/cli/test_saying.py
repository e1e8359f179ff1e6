"""What is printed steers no terminal, whatever files and logs are called; errors are one line."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from kumite.cli.main import main
from kumite.core.game import Setup
from kumite.core.games import GAMES
from kumite.core.log import Header, log_text
from kumite.core.text import harmless, harmless_text
from tests.support.places import ROOT
from tests.support.random_matches import walk

SETUP = Setup.of(GAMES["kuzushi"])
TEXT = log_text(Header("ab12", SETUP, ("ada", "bob")), walk(SETUP, 1, longest=4))
EVIL = "a\x1b]0;owned\x07\x1b[2J\u202e\rb"
STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]")


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KUMITE_LOGS", str(tmp_path / EVIL))
    (tmp_path / EVIL).mkdir()
    path = tmp_path / EVIL / f"{EVIL}.kumite"
    path.write_text(TEXT)
    (tmp_path / EVIL / f"{EVIL}2.kumite").write_text("no log")
    (tmp_path / EVIL / f"{EVIL}3.kumite").write_text(TEXT.replace("ada", "eva"))
    return path


@pytest.mark.parametrize(
    "command",
    [
        *(["log", "list"], ["log", "check", "LOG", "LOG2"], ["log", "show", "LOG2"]),
        *(["log", "repair", "LOG3"], ["log", "repair", "LOG"], ["log", "compare", "LOG", "LOG"]),
        *(["log", "export", "LOG", "-o", "OUT"], ["log", "export", "LOG", "-o", "LOG"]),
        *(["resume", "LOG2"], ["replay", "--text", "LOG"], ["play", EVIL], [EVIL], ["log", EVIL]),
        *(["play", "--seats", f"bot:{EVIL}"], ["play", "--option", EVIL], ["join", EVIL]),
        *(["doctor"], [f"--{EVIL}"], ["log", "show", f"--{EVIL}"], ["watch", EVIL]),
        *(["log", "export", "LOG", "--as", EVIL], ["log", "import", "LOG"], ["arena", EVIL]),
    ],
    ids=lambda command: " ".join(command).replace(EVIL, "EVIL"),
)
def test_no_name_steers_a_terminal(
    log: Path, command: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kumite.cli.doctor.discovery", lambda topic: iter(()))
    monkeypatch.setattr("kumite.cli.doctor.discovery.__name__", "discovery", raising=False)
    there = {"LOG": log, "LOG2": log.with_stem(f"{EVIL}2"), "LOG3": log.with_stem(f"{EVIL}3")}
    there["OUT"] = log.with_name(f"{EVIL}.txt")
    done = CliRunner().invoke(main, [str(there.get(one, one)) for one in command])
    assert done.output
    assert not STEERING.search(done.output)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception


def test_what_is_harmless_stays_as_it_is() -> None:
    text = "侍 é 🦊\n\t1. a\u0301"
    assert harmless_text(text) == text
    assert harmless(text) == text.replace("\n", "\ufffd")


def test_a_mistake_of_a_command_is_told_without_a_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(**_: object) -> None:
        raise RuntimeError("the roof fell in")

    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr("kumite.cli.doctor.print_findings", broken)
    done = CliRunner().invoke(main, ["doctor"])
    assert done.exit_code == 1
    assert done.output.startswith("kumite has made a mistake and ended: RuntimeError: the roof")
    assert "Traceback" not in done.output
    (kept,) = tmp_path.glob("kumite/crash-*.txt")
    assert str(kept) in done.output
    assert "Traceback" in kept.read_text()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full here")
@pytest.mark.parametrize(
    "args", [["--help"], ["log", "list"], ["demo", "kuzushi", "--seed", "1"], ["--version"],
             ["log", "show", "LOG"], ["log", "export", "LOG"], ["engine"], ["log", "--help"]],
)  # fmt: skip
def test_output_that_takes_nothing_is_told_in_a_line(tmp_path: Path, args: list[str]) -> None:
    path = tmp_path / "a.kumite"
    path.write_text(TEXT)
    env = os.environ | {"PYTHONPATH": str(ROOT), "KUMITE_LOGS": str(tmp_path)}
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "kumite", *(str(path) if one == "LOG" else one for one in args)],
            stdout=full, stderr=subprocess.PIPE, text=True, env=env, cwd=ROOT, timeout=60,
            input='{"do":"games"}\n', check=False,
        )  # fmt: skip
    assert done.stderr == "Error: cannot write to standard output: No space left on device\n"
    assert done.returncode == 1
