"""The way to a LAN table in line mode: a list, a number or an address, and the code."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from kumite.net.transport import discovery
from kumite.net.transport.discovery import Announced, Found, Vanished
from kumite.tui.plain.console import Console
from kumite.tui.plain.lan import ask_code, choose_table
from tests.support.waiting import looks

if TYPE_CHECKING:
    from collections.abc import Callable

FOUND = Found("a", Announced("ada", "kuzushi", "Kuzushi", 1, 4747), ("192.168.1.20",))


class Nearby:
    """Finds one table, and that another has gone."""

    def __init__(self, deliver: Callable[[discovery.News], object]) -> None:
        self._deliver = deliver

    def start(self) -> None:
        self._deliver(FOUND)
        self._deliver(Vanished("b"))

    def close(self) -> None:
        pass


def choose(*typed: str) -> tuple[object, str]:
    said: list[str] = []
    lines = iter(typed)

    def read() -> bytes:
        for _ in looks("the list"):  # a person reads first
            if "1: ada" in "".join(said):
                break
        return "".join(f"{line}\n" for line in lines).encode()

    async def run() -> object:
        return await choose_table(Console(read, said.append, is_terminal=False))

    return asyncio.run(run()), "".join(said)


@pytest.fixture(autouse=True)
def _one_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discovery, "Finder", Nearby)


def test_a_table_is_chosen_by_its_number() -> None:
    place, said = choose("1")
    assert place == (("192.168.1.20",), 4747)
    assert "1: ada, Kuzushi, 1 free, at 192.168.1.20" in said


def test_or_by_an_address_and_a_wrong_one_is_asked_for_again() -> None:
    place, said = choose("a:b:c:d", "10.0.0.7:5000")
    assert place == (("10.0.0.7",), 5000)
    assert "a:b:c:d" in said


def test_or_none_is() -> None:
    assert choose("quit")[0] is None
    assert choose()[0] is None


def test_a_code_is_asked_for_until_it_is_one() -> None:
    said: list[str] = []
    typed = iter([b"nonsense\n7 torii lantern\n"])

    async def run() -> str | None:
        return await ask_code(Console(lambda: next(typed, b""), said.append, is_terminal=False))

    assert asyncio.run(run()) == "7-torii-lantern"
    assert "nonsense" in "".join(said)
