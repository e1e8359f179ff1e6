"""What players are called: told apart, and never by two numbers in a row."""

from __future__ import annotations

import pytest

from kumite.core.players import shown_names


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (("ada", "bob"), ("ada", "bob")),
        (("ada", "bot:2"), ("ada", "bot 2")),
        (("ada", "bot:2", "bot:2"), ("ada", "bot 2 A", "bot 2 B")),
        (("bot:easy", "ada", "bot:easy"), ("bot easy 1", "ada", "bot easy 2")),
        (("ada", "ada", "bot:2", "bot:1"), ("ada 1", "ada 2", "bot 2", "bot 1")),
    ],
)
def test_names_are_told_apart(names: tuple[str, ...], shown: tuple[str, ...]) -> None:
    assert shown_names(names) == shown
    assert len(set(shown)) == len(shown)
