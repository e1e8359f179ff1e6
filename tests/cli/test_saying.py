"""What is printed steers no terminal, whatever files and logs are called; errors are one line."""

from __future__ import annotations

import os
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
    "args", [["--help"], ["demo", "kuzushi", "--seed", "1"], ["log", "show", "LOG"], ["engine"]],
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
