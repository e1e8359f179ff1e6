"""Minutes of random input over all screens; `--minutes` says how many, `--storm` repeats a seed."""

from __future__ import annotations

import secrets
import sys
import time
from random import Random
from typing import TYPE_CHECKING

import pytest

if sys.platform == "win32":
    pytest.skip("pseudo-terminals are a matter of POSIX", allow_module_level=True)

from tests.support.storm import Storm

if TYPE_CHECKING:
    from pathlib import Path

SHORT = 15.0  # s in the usual run
ONE = 6.0  # s of one process


def storms(home: Path, seed: str, seconds: float) -> tuple[int, int, float]:
    """Let storm follow storm; return how many, how many answers, and the slowest of these in s."""
    end, number, answers, slowest = time.monotonic() + seconds, 0, 0, 0.0
    while time.monotonic() < end:
        storm = Storm(Random(f"{seed} {number}"), home)
        try:
            storm.run(min(ONE, max(1.0, end - time.monotonic())))
        except BaseException:
            print(
                f"--storm {seed}, number {number}; what was done last:",
                *storm.said[-40:],
                sep="\n  ",
            )
            raise
        number, answers, slowest = number + 1, answers + storm.answers, max(slowest, storm.slowest)
    print(f"seed {seed}: {number} processes, {answers} answers, the slowest {slowest:.2f} s")
    return number, answers, slowest


@pytest.mark.slow
def test_nothing_that_a_terminal_does_breaks_the_app(tmp_path: Path) -> None:
    number, answers, _ = storms(tmp_path, "usual", SHORT)
    assert number >= 2
    assert answers >= 3


@pytest.mark.long
def test_an_hour_of_it(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    seed = request.config.getoption("storm") or secrets.token_hex(4)
    minutes = request.config.getoption("minutes")
    storms(tmp_path, seed, 60 * minutes)
