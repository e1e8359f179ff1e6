"""Evaluations that are shipped would answer in the place of tests' own bots."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from textual.css.stylesheet import Stylesheet

from kumite.tui.bots import first_looks, judging


@pytest.fixture(autouse=True)
def nothing_shipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_looks, "LATEST", -1)


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
