"""Each test of the app has folders of its own: its matches are in `tmp_path` itself.

Evaluations that are shipped would answer in the place of tests' own bots.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from textual.css.stylesheet import Stylesheet

from kumite.net.transport import discovery
from kumite.tui.bots import first_looks, judging


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUMITE_LOGS", str(tmp_path))
    for kind in ("config", "data", "state"):
        monkeypatch.setenv(f"XDG_{kind.upper()}_HOME", str(tmp_path / kind))


@pytest.fixture(autouse=True)
def nothing_shipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_looks, "LATEST", -1)


class Silent:
    """An announcer that nobody hears, and a finder that finds nothing."""

    def __init__(self, *_: object, **__: object) -> None: ...

    def start(self) -> None: ...

    def close(self) -> None: ...


@pytest.fixture(autouse=True)
def no_discovery(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep tables of other tests away, and threads that would look for them in the next test."""
    for name in ("Announcer", "Finder"):
        monkeypatch.setattr(discovery, name, Silent)


@pytest.fixture
def no_glance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Judge each position of a match once, in the order of the match."""
    monkeypatch.setattr(judging, "lengths", lambda review: [review.simulations])


@pytest.fixture(autouse=True, scope="session")
def one_stylesheet() -> Iterator[None]:
    """Parse the style sheets once: all apps of the tests have the same ones."""
    parse, parsed = Stylesheet._parse_rules, {}

    def parse_once(self: Stylesheet, *source: Any, **more: Any) -> Any:
        key = (source, *more.items(), *self._variables.items())
        if key not in parsed:
            parsed[key] = parse(self, *source, **more)
        return parsed[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Stylesheet, "_parse_rules", parse_once)
        yield
