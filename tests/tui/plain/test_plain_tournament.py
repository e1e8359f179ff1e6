"""The tournament in line mode: what is typed, asked of the network, and said."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from kumite.core.game import Setup
from kumite.core.games import find
from kumite.core.tournament.pairing import next_round
from kumite.core.tournament.tournament import Player, Result, Tournament
from kumite.net.session import events
from kumite.net.tournament.state import TableOpened, Terms, TournamentChanged
from kumite.net.wire import tournament as wire
from kumite.net.wire.tournament import View
from kumite.tui.plain.console import Console
from kumite.tui.plain.tournament import PlainHost, PlainPlayer
from kumite.tui.play import openings
from kumite.tui.play.tournament import HostClient, PlayerClient
from kumite.tui.settings import Settings, own_name
from tests.support.fake_peer import FakeTournamentPeer

TERMS = Terms("Friday", Setup.of(find("kitsu"), 2), None)
BEGUN = Tournament(players=tuple(map(Player, ("ada", "bob", "cy", "dee"))))


LISTENING = events.Listening(4000, ("192.168.1.20",), "7-torii-lantern")


def organiser(*typed: str, told: tuple[View, ...]) -> tuple[list[tuple[object, ...]], str]:
    """Return what was asked of the network when this was typed after that was told, and said."""
    said: list[str] = []
    host = FakeTournamentPeer()
    lines = iter([f"{line}\n".encode() for line in (*typed, "quit")])

    async def run() -> None:
        console = Console(lambda: next(lines, b""), said.append, is_terminal=False)
        console.begin()
        talk = PlainHost(console, HostClient(host.opened, console.post), Settings(think=0.1))
        talk.client.hear(LISTENING)
        for view in told:
            talk.client.hear(TournamentChanged(TERMS, view))
        await talk.run()

    asyncio.run(run())
    return host.asked[:-1], "".join(said)


@pytest.mark.parametrize(
    ("typed", "asked"),
    [
        ("start", []),
        ("start anyway", [("start_round",)]),
        ("start without", [("set_presence", 3, False), ("start_round",)]),
        ("start later", []),
    ],
)
def test_a_round_with_somebody_away_begins_only_when_that_is_wanted(
    typed: str, asked: list[tuple[object, ...]]
) -> None:
    found, said = organiser(typed, told=(View(BEGUN, frozenset({0, 1, 2}), ()),))
    assert found == asked
    assert ("dee is away. `start anyway` begins all the same." in said) is (typed == "start")


def test_with_all_here_a_round_begins_at_once() -> None:
    asked, _ = organiser("start", told=(View(BEGUN, frozenset(range(4)), ()),))
    assert asked == [("start_round",)]


def test_it_is_said_why_there_are_more_rounds() -> None:
    t = BEGUN.with_round(next_round(BEGUN))
    for place in range(2):
        t = t.with_result(place, Result.FIRST)
    states = (wire.DECIDED, wire.DECIDED)
    before = View(t, frozenset(range(4)), states)
    now = replace(before, tournament=t.with_player("eve"))
    _, said = organiser(told=(before, now))
    assert "eve came in, and 5 players take 3 rounds instead of 2." in said


def test_a_player_reads_that_the_other_one_is_away() -> None:
    said: list[str] = []
    t = BEGUN.with_round(next_round(BEGUN))

    async def run() -> None:
        console = Console(lambda: b"", said.append, is_terminal=False)
        entered = PlayerClient(FakeTournamentPeer().opened, console.post)
        PlainPlayer(console, entered, Settings(think=0.1))
        entered.hear(TournamentChanged(TERMS, View(t, frozenset({1, 2, 3}), (wire.WAITS,) * 2, 2)))

    asyncio.run(run())
    assert "ada is away; your table waits. The organiser can decide the match." in "".join(said)


THREE = Tournament(players=tuple(map(Player, ("ada", "bob", "cy"))))
ROUND = THREE.with_round(next_round(THREE))
BYE = next(one.first for one in ROUND.rounds[-1] if one.second is None)
MATCH = next(at for at, one in enumerate(ROUND.rounds[-1]) if one.second is not None)
RUNNING = tuple(wire.STANDS if one.second is not None else wire.DECIDED for one in ROUND.rounds[-1])


def player(*typed: str, me: int) -> tuple[list[tuple[object, ...]], str]:
    """Return what a player's terminal asked while a match ran and this was typed, and said."""
    said: list[str] = []
    peer = FakeTournamentPeer()
    lines = iter([f"{line}\n".encode() for line in (*typed, "quit")])

    async def run() -> None:
        console = Console(lambda: next(lines, b""), said.append, is_terminal=False)
        console.begin()
        entered = PlayerClient(peer.opened, console.post)
        talk = PlainPlayer(console, entered, Settings())
        entered.hear(TournamentChanged(TERMS, View(ROUND, frozenset(range(3)), RUNNING, me)))
        await talk.run()

    asyncio.run(run())
    return peer.asked, "".join(said)


def test_who_has_a_bye_is_told_how_to_look_on_and_does_so_by_a_word() -> None:
    asked, said = player("watch", f"watch {MATCH + 1}", "watch 7", me=BYE)
    assert asked[:2] == [("watch_table", 0, MATCH)] * 2
    assert "You have no match now. Type watch to look on at another." in said
    assert f"Which match? There are: watch {MATCH + 1}." in said
    asked, said = player("watch", me=ROUND.rounds[-1][MATCH].first)
    assert ("watch_table", 0, MATCH) not in asked
    assert "No match can be watched now." in said


def test_the_organiser_takes_part_by_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    entered: list[tuple[object, ...]] = []

    def entering(*way: object) -> object:
        entered.append(way)
        return FakeTournamentPeer().opened

    monkeypatch.setattr(openings, "entering", entering)
    _, said = organiser("watch", "play", "play", "go", told=(View(BEGUN, frozenset(), ()),))
    assert entered == [(("localhost",), 4000, "7-torii-lantern", own_name(Settings()))]
    assert "Type play first" in said
    assert "You take part already." in said
    assert "There is no table to go to now." in said


def test_a_table_that_is_to_be_watched_is_closed_with_the_tournament_or_for_another_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    closed: list[int] = []

    def watching(*way: Any) -> object:
        return lambda _: SimpleNamespace(close=lambda: closed.append(way[1]))

    async def run() -> None:
        console = Console(lambda: b"quit\n", lambda _: None, is_terminal=False)
        console.begin()
        entered = PlayerClient(FakeTournamentPeer().opened, console.post)
        talk = PlainPlayer(console, entered, Settings())
        entered.hear(TournamentChanged(TERMS, View(ROUND, frozenset(range(3)), RUNNING, BYE)))
        for port in (4001, 4002):
            there = wire.TableAt(0, MATCH, port, ("localhost",), "7-torii-lantern")
            entered.hear(TableOpened(there))
        assert closed == [4001]
        await talk.run()

    monkeypatch.setattr(openings, "watching", watching)
    asyncio.run(run())
    assert closed == [4001, 4002]


@pytest.mark.parametrize("mine", [(), (0,)])
def test_ones_own_match_goes_before_one_that_is_watched(mine: tuple[int, ...]) -> None:
    left: list[bool] = []

    async def run() -> None:
        console = Console(lambda: b"", lambda _: None, is_terminal=False)
        entered = PlayerClient(FakeTournamentPeer().opened, console.post)
        talk = PlainPlayer(console, entered, Settings())
        there: Any = SimpleNamespace(
            lan=SimpleNamespace(mine=mine), leave=lambda: left.append(True)
        )
        talk._at = there
        entered.seat_down(there.lan)
        assert talk._next is there.lan

    asyncio.run(run())
    assert left == [True] * (not mine)
