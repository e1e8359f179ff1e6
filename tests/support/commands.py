"""Commands of kumite, run in this process or in one of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner, Result

from kumite.cli.main import main
from tests.support.places import ROOT


def kumite(*args: object, given: str = "", status: int | None = 0) -> Result:
    """Run a command, and check that it ends with this status (None: any) and no traceback."""
    done = CliRunner().invoke(main, [str(one) for one in args], input=given)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    assert status in (None, done.exit_code), done.output
    return done


def started(
    *args: object, given: str = "", status: int | None = 0, cwd: Path = ROOT, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own, without a terminal."""
    done = subprocess.run(
        [sys.executable, "-m", "kumite", *map(str, args)],
        input=given, capture_output=True, encoding="utf-8", errors="surrogateescape",
        timeout=60, check=False, cwd=cwd, env=os.environ | {"PYTHONPATH": str(ROOT)} | environment,
    )  # fmt: skip
    assert "Traceback" not in done.stderr, done.stderr
    assert status in (None, done.returncode), done.stderr
    return done
