"""Programs killed at random: nothing that was shown as made is lost, and every file opens."""

from __future__ import annotations

import secrets
import sys
from random import Random
from typing import TYPE_CHECKING

import pytest

if sys.platform == "win32":
    pytest.skip("SIGKILL is a matter of POSIX", allow_module_level=True)

from tests.support import kills

if TYPE_CHECKING:
    from pathlib import Path

USUAL = (*["a_match"] * 4, *["a_change_of_settings"] * 3, *["an_export"] * 2, "a_lan_table")


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(USUAL)))
def test_what_was_shown_is_there_after_a_kill(tmp_path: Path, number: int) -> None:
    getattr(kills, USUAL[number])(Random(f"kill {number}"), tmp_path / "home")


@pytest.mark.long
def test_a_thousand_kills(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    seed = request.config.getoption("storm") or secrets.token_hex(4)
    for number in range(request.config.getoption("kills")):
        way = kills.WAYS[number % len(kills.WAYS)]
        try:
            way(Random(f"{seed} {number}"), tmp_path / str(number))
        except BaseException:
            print(f"--storm {seed}: kill {number}, of {way.__name__}")
            raise
