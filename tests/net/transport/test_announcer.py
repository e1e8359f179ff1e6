"""What is announced of a table, and when; the network is the test's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from kumite.core.games import GAMES
from kumite.net.session.events import Listening
from kumite.net.transport.announcer import Announcing

if TYPE_CHECKING:
    from kumite.net.transport.discovery import Announced


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Return what is asked of the network."""
    calls: list[Any] = []

    class Announcer:
        def __init__(self, key: str, table: Announced, **_: str) -> None:
            calls.append((len(key), table.free, table.number))

        def start(self) -> None:
            calls.append("start")

        def update(self, table: Announced) -> None:
            calls.append(table.free)

        def close(self) -> None:
            calls.append("close")

    monkeypatch.setattr("kumite.net.transport.discovery.Announcer", Announcer)
    return calls


def test_a_table_is_announced_once_for_each_change(calls: list[Any]) -> None:
    at = Listening(4000, (), "7-torii-lantern")
    announcing = Announcing("ada", calls.append)
    for free in (2, 2, 1, 0):
        announcing.show(GAMES["kuzushi"], free, at)
    announcing.close()
    announcing.close()
    announcing._thread.shutdown(wait=True)
    assert calls == [(16, 2, 7), "start", 1, 0, "close"]
