"""The lobby of a LAN table in line mode: what is typed is asked of the network, and told."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from queue import SimpleQueue
from typing import Any

import pytest

from kumite.core.errors import KumiteError
from kumite.core.game import Seat, Setup
from kumite.core.games import find
from kumite.net.session import events
from kumite.net.session.events import Event
from kumite.net.transport import network
from kumite.tui.plain.console import Console
from kumite.tui.plain.lobby import LOBBY_HELP, Lobby
from kumite.tui.play import network_words
from kumite.tui.play.lan_table import LanTable
from tests.support.fake_peer import FakePeer, seats

SETUP = Setup.of(find("kuzushi"), 3)
ADA = events.Guest("ada", seats(0), True)
BOB = events.Guest("bob", seats(1), False)
LISTENING = events.Listening(4747, ("192.168.1.20",), "7-torii-lantern")


def gathered(me: int, *, is_ready: bool = False) -> events.Lobby:
    return events.Lobby(
        SETUP,
        (ADA, replace(BOB, is_ready=is_ready)),
        me,
        ("ada", "bob", "bot:easy"),
        seats(2),
        (600, 5, 60),
    )


def talk(
    *typed: str, told: tuple[Event, ...], has_invite: bool = False
) -> tuple[list[tuple[object, ...]], str]:
    """Return what was asked of the network when this was typed after that was told, and said."""
    said: list[str] = []
    peer = FakePeer()
    lines = iter([f"{line}\n".encode() for line in (*typed, "quit")])

    async def run() -> None:
        console = Console(lambda: next(lines, b""), said.append, is_terminal=False)
        lobby = Lobby(console, peer.opened, has_invite=has_invite)
        for event in told:
            lobby.table.hear(event)
        assert await lobby.run() is None

    asyncio.run(run())
    return peer.take(), "".join(said)


@pytest.mark.parametrize(
    ("typed", "asked"),
    [
        ("ready", ("ready", True)),
        ("", ("ready", True)),
        ("seat 3", ("seat", Seat(2))),
        ("SEAT 3", ("seat", Seat(2))),
        ("name Bob the Builder", ("name", "Bob the Builder")),
        ("say Good luck, Ada", ("say", "Good luck, Ada")),
    ],
)
def test_a_guest_types_what_the_screen_has_keys_for(typed: str, asked: tuple[object, ...]) -> None:
    assert asked in talk(typed, told=(gathered(1),))[0]


def test_an_invite_is_one_line_with_addresses_port_and_code() -> None:
    _, said = talk(told=(LISTENING,), has_invite=True)
    assert "kumite join 192.168.1.20:4747 7-torii-lantern" in said.split("\n")
    assert "The table is open" not in said


def test_the_host_begins_draws_seats_and_takes_another_code() -> None:
    told = (LISTENING, gathered(0, is_ready=True))
    asked, said = talk("start", "draw", "code", "code new", "bots strong", told=told)
    assert "The code is 7-torii-lantern.\nType `code new` for another" in said
    assert asked[:4] == [("start",), ("draw",), ("new code",), ("fill", "bot:strong")]
    asked, said = talk("bots best", told=told)
    assert ("fill", "bot:best") not in asked
    assert "for example: bots medium" in said


@pytest.mark.parametrize("typed", ["seat 4", "seat 0", "seat", "seat two", "say", "name", "dance"])
def test_what_cannot_be_done_is_said_and_asked_of_nobody(typed: str) -> None:
    asked, said = talk(typed, told=(gathered(1),))
    assert not [one for one in asked if one[0] not in ("leave", "close")]
    assert "For example" in said or "for example" in said or LOBBY_HELP[0] in said


def test_a_guest_neither_draws_seats_nor_takes_codes() -> None:
    asked, said = talk("draw", "code", told=(gathered(1),))
    assert not [one for one in asked if one[0] not in ("leave", "close")]
    assert LOBBY_HELP[0] in said


def test_a_word_tells_who_is_there_and_how_fast_they_answer() -> None:
    _, said = talk("who", told=(gathered(1), events.Pinged("ada", 9)))
    assert said.count("Seat 1: ada, ready") == 2
    assert "Seat 1: ada, ready, 9 ms." in said


def test_one_reads_what_is_played_who_is_there_and_what_was_said() -> None:
    _, said = talk(told=(gathered(1), events.Said("good luck", name="ada")))
    assert "Kuzushi for 3" in said
    assert "10 min + 5 s a step, 60 s away are free" in said
    assert "Seat 2: bob (you), not ready yet.\nSeat 3: free, or bot easy." in said
    assert "> ada: good luck" in said


def test_one_reads_which_seats_are_bots_and_why_a_seat_cannot_be_taken() -> None:
    ada = events.Guest("ada", seats(0, 2), True)
    lobby = events.Lobby(SETUP, (ada, BOB), 1, ("ada", "bob", "bot:easy"), seats())
    asked, said = talk("seat 3", "seat 1", "seat 2", told=(lobby,))
    assert "Seat 1: ada, ready." in said
    assert "Seat 3: bot easy, ready." in said
    assert "A bot has seat 3." in said
    assert "only ada can exchange it" in said
    assert "You have seat 2 already." in said
    assert not [one for one in asked if one[0] == "seat"]


def test_a_wrong_code_is_told_without_the_advice_that_is_for_who_typed_it() -> None:
    wrong = events.TurnedAway("192.0.2.2", "wrong-code")
    _, said = talk(told=(LISTENING, gathered(0), wrong))
    assert "Somebody at 192.0.2.2 typed a wrong code." in said
    assert "the host's screen" not in said


def test_a_host_whose_table_cannot_be_announced_reads_another_way_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fails(*_: object) -> None:
        raise KumiteError("there is no network")

    monkeypatch.setattr(network, "announcer", fails)
    posted: SimpleQueue[Any] = SimpleQueue()
    table = LanTable(FakePeer().opened, posted.put, listed_as="ada")
    table.hear(LISTENING)
    table.hear(gathered(0))
    told = posted.get(timeout=10).event
    table.close()
    why = ("there is no network", "others can still join by address and code")
    assert network_words.reason(told) == why
    _, said = talk(told=(LISTENING, gathered(0), told))
    assert why[1] in said
