"""Three computers whose links come, go and change address, and which sleep, while they play on.

`--minutes` says for how long, `--storm` repeats a seed.
"""

from __future__ import annotations

import secrets
import sys
from contextlib import ExitStack
from random import Random
from typing import TYPE_CHECKING

import pytest

if sys.platform != "linux":
    pytest.skip("network namespaces are Linux's", allow_module_level=True)

from tests.support.networks import Lan
from tests.support.roving import Roving

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.long
@pytest.mark.netns
def test_three_computers_play_on_whatever_becomes_of_their_links(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    seed = request.config.getoption("storm") or secrets.token_hex(4)
    minutes = request.config.getoption("minutes")
    with Lan("ada", "bob", "cid") as lan, ExitStack() as ends:
        roving = Roving(lan, tmp_path, Random(seed), ends)
        try:
            roving.run(60 * minutes)
        except BaseException:
            print(f"--storm {seed}; what was done last:", *roving.done[-40:], sep="\n  ")
            raise
        print(f"seed {seed}:", *roving.figures, sep="\n  ")
