"""What depends on the machine: tests that need a browser are never left out without a word."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tests import browser

if TYPE_CHECKING:
    import pytest


def _must_be_left_out() -> bool:
    """Without a browser, unless KUMITE_BROWSER says that there must be one."""
    return not browser.found() and not os.environ.get("KUMITE_BROWSER")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not _must_be_left_out():
        return
    out = [item for item in items if item.get_closest_marker("browser")]
    if out:
        config.hook.pytest_deselected(items=out)
        items[:] = [item for item in items if item not in out]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if _must_be_left_out():
        terminalreporter.write_line(
            f"NOT RUN: the page of a match in a browser; {browser.HINT}", yellow=True
        )
