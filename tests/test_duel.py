"""A whole LAN match between two apps in one process, by keys on both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.game import Seat, Setup
from core.games import find
from net import store
from tests.apps import app, frame, shown, until
from tui.screens.lan_table import LanTableScreen
from tui.screens.lobby import LobbyScreen

if TYPE_CHECKING:
    from pathlib import Path

    import pytest
    from textual.pilot import Pilot

SETUP = Setup.of(find("kuzushi"), 2, {"board": "small"})


def screen(pilot: Pilot[None]) -> LanTableScreen:
    assert isinstance(pilot.app.screen, LanTableScreen)
    return pilot.app.screen


def is_at_table(pilot: Pilot[None]) -> bool:
    return isinstance(pilot.app.screen, LanTableScreen) and pilot.app.screen.is_ready


async def test_two_apps_play_a_match_to_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KUMITE_LOGS", str(tmp_path))
    hosting = app(lambda: LobbyScreen.hosting(SETUP, "ada", frozenset({Seat(0)}), 0))
    async with hosting.run_test(size=(80, 24)) as ada:
        lobby = hosting.screen
        assert isinstance(lobby, LobbyScreen)
        await until(ada, lambda: "kumite join" in frame(hosting), "the table never opened")
        assert lobby._table is not None
        port = lobby._table.peer.port
        joining = app(lambda: LobbyScreen.joining("127.0.0.1", port, "bob"))
        async with joining.run_test(size=(80, 24)) as bob:
            pilots = {Seat(0): ada, Seat(1): bob}
            for pilot in pilots.values():
                await until(pilot, lambda p=pilot: is_at_table(p), "no match")
            assert "waiting for bob" in shown(hosting, "title")
            number = 0
            while actors := screen(ada).table.match.actors:
                seat = Seat(int(actors[0]))
                other = ada if seat == 1 else bob
                await other.press("enter")  # not his turn: nothing happens
                await pilots[seat].press("n", "enter")
                number += 1
                for pilot in pilots.values():
                    await until(
                        pilot,
                        lambda p=pilot, n=number: screen(p).table.match.number == n,
                        f"step {number} did not arrive",
                    )
            for kumite in (hosting, joining):
                assert "The match is over" in shown(kumite, "title")
            assert shown(hosting, "facts") == shown(joining, "facts")
            assert screen(ada).table.match.digest == screen(bob).table.match.digest
            final = screen(ada).table.match.digest
            await bob.press("q")
            await until(ada, lambda: screen(ada).lan.closed, "leaving was not heard")
            assert "bob has left" in shown(hosting, "hint")
    texts = [path.read_text() for path in tmp_path.glob("*.kumite")]
    assert len(texts) == 2
    first, second = (text[text.index("\nstep 1 ") :] for text in texts)
    assert first == second
    for path in tmp_path.glob("*.kumite"):
        log = store.load(path)
        assert log.damage is None
        assert log.match.digest == final


async def test_a_table_that_is_not_there_is_said_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KUMITE_LOGS", str(tmp_path))
    kumite = app(lambda: LobbyScreen.joining("127.0.0.1", 1, "bob"))
    async with kumite.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "q: back" in frame(kumite), "no word")
        assert "Nobody has a table open at 127.0.0.1, port 1" in frame(kumite)


async def test_leaving_in_the_middle_asks_and_tells_the_other_side(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KUMITE_LOGS", str(tmp_path))
    hosting = app(lambda: LobbyScreen.hosting(SETUP, "ada", frozenset({Seat(0)}), 0))
    async with hosting.run_test(size=(80, 24)) as ada:
        await until(ada, lambda: "kumite join" in frame(hosting), "the table never opened")
        assert isinstance(hosting.screen, LobbyScreen)
        assert hosting.screen._table is not None
        port = hosting.screen._table.peer.port
        joining = app(lambda: LobbyScreen.joining("127.0.0.1", port, "bob"))
        async with joining.run_test(size=(80, 24)) as bob:
            await until(bob, lambda: is_at_table(bob), "no match")
            await bob.press("n", "enter")
            await bob.press("q", "enter")  # no, stay
            assert isinstance(joining.screen, LanTableScreen)
            await bob.press("q", "down", "enter")
            await until(ada, lambda: "bob has left" in frame(hosting), "not told")
            assert shown(hosting, "facts") == "The match was left\nbob left the table"
