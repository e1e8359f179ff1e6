"""What is announced of a table, and when; the network is the test's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from kumite.net.transport import announcer
from kumite.net.transport.announcer import Announcing, Facts
from tests.support.waiting import wait_for

if TYPE_CHECKING:
    from kumite.net.transport.discovery import Announced


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Return what is asked of the network."""
    calls: list[Any] = []

    class Announcer:
        def __init__(self, key: str, table: Announced) -> None:
            calls.append((len(key), table.free))

        def start(self) -> None:
            calls.append("start")

        def update(self, table: Announced) -> None:
            calls.append(table.free)

        def close(self) -> None:
            calls.append("close")

    monkeypatch.setattr("kumite.net.transport.discovery.Announcer", Announcer)
    return calls


def test_a_table_is_announced_once_for_each_change(calls: list[Any]) -> None:
    announcing = Announcing(calls.append)
    for free in (2, 2, 1, 0):
        announcing.show(Facts("ada", "kuzushi", "Kuzushi", free), 4000)
    announcing.close()
    announcing.close()
    announcing._thread.shutdown(wait=True)
    assert calls == [(16, 2), "start", 1, 0, "close"]


def test_a_table_is_announced_anew_when_this_computer_has_other_addresses(
    calls: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    at = ["192.168.1.20"]
    monkeypatch.setattr(announcer, "LOOK_EVERY", 0.01)
    monkeypatch.setattr("kumite.net.transport.discovery.interface_addresses", lambda: tuple(at))
    announcing = Announcing(calls.append)
    announcing.show(Facts("Friday", "kuzushi", "Kuzushi", 6, is_hall=True), 4000)
    wait_for(lambda: calls == [(16, 6), "start"], "the first time")
    at[:] = ["10.0.0.3"]
    wait_for(lambda: calls[2:] == ["close", (16, 6), "start"], "the new address")
    announcing.show(Facts("Friday", "kuzushi", "Kuzushi", 5, is_hall=True), 4000)
    announcing.close()
    announcing._thread.shutdown(wait=True)
    assert calls[5:] == [5, "close"]
