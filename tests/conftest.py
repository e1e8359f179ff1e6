"""What depends on the machine: tests that need more than it has are never left out without a word.

`browser` needs Chromium, `cluster` Dask. Each can be asked for by a variable; then its tests run,
and fail if it is not there.
"""

from __future__ import annotations

import os
from importlib.util import find_spec
from typing import TYPE_CHECKING

from tests import browser

if TYPE_CHECKING:
    import pytest


def _left_out() -> dict[str, str]:
    """Return the marks whose tests cannot run and need not, each with what to say of it."""
    found = {}
    if not browser.found() and not os.environ.get("KUMITE_BROWSER"):
        found["browser"] = f"the page of a match in a browser; {browser.HINT}"
    if find_spec("distributed") is None and not os.environ.get("KUMITE_CLUSTER"):
        found["cluster"] = 'an arena on a Dask cluster; pip install "kumite[cluster]"'
    return found


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    marks = _left_out()
    out = [item for item in items if any(map(item.get_closest_marker, marks))]
    if out:
        config.hook.pytest_deselected(items=out)
        items[:] = [item for item in items if item not in out]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for said in _left_out().values():
        terminalreporter.write_line(f"NOT RUN: {said}", yellow=True)
