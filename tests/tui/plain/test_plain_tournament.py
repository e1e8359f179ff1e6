"""The tournament in line mode: what is typed, asked of the network, and said."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from kumite.core.game import Setup
from kumite.core.games import find
from kumite.core.tournament.pairing import next_round
from kumite.core.tournament.tournament import ROBIN, Player, Result, Tournament
from kumite.net.session import events
from kumite.net.tournament.state import TableOpened, Terms, TournamentChanged
from kumite.net.wire import tournament as wire
from kumite.net.wire.tournament import View
from kumite.tui.plain.console import Console
from kumite.tui.plain.tournament import PlainHost, PlainPlayer
from kumite.tui.play import openings
from kumite.tui.play.tournament import PlayerClient
from kumite.tui.play.tournament_host import HostClient
from kumite.tui.settings import Settings, own_name
from tests.support.fake_peer import FakePeer, FakePlan, FakeTournamentPeer

TERMS = Terms("Friday", Setup.of(find("kitsu"), 2), None)
LISTENING = events.Listening(4000, ("192.168.1.20",), "7-torii-lantern")
BEGUN = Tournament(players=tuple(map(Player, ("ada", "bob", "cy", "dee"))))
ALL_HERE = View(BEGUN, frozenset(range(4)), ())

THREE = Tournament(players=tuple(map(Player, ("ada", "bob", "cy"))))
ROUND = THREE.with_round(next_round(THREE))
BYE = next(one.first for one in ROUND.rounds[-1] if one.second is None)
MATCH = next(at for at, one in enumerate(ROUND.rounds[-1]) if one.second is not None)
RUNNING = tuple(wire.STANDS if one.second is not None else wire.DECIDED for one in ROUND.rounds[-1])
OF_A_ROUND = View(ROUND, frozenset(range(3)), RUNNING, BYE)


def talk(
    client: Any,
    told: Sequence[Any],
    *typed: str,
    then: Callable[[Any], object] = lambda _: 0,
    has_played: bool = False,
) -> tuple[list[tuple[object, ...]], str]:
    """Return what was asked of the network when this was typed after that was told, and said."""
    said: list[str] = []
    peer = FakeTournamentPeer()
    lines = iter([f"{line}\n".encode() for line in (*typed, "quit")])

    async def run() -> None:
        console = Console(lambda: next(lines, b""), said.append, is_terminal=False)
        console.begin()
        is_host = client is HostClient
        plan = FakePlan(peer, has_played=has_played)
        made = client(plan if is_host else peer.opened, console.post)
        dialogue = (PlainHost if is_host else PlainPlayer)(console, made, Settings(think=0.1))
        for one in told:
            made.hear(TournamentChanged(TERMS, one) if isinstance(one, View) else one)
        then(dialogue)
        await dialogue.run()

    asyncio.run(run())
    return peer.asked[:-1], "".join(said)


@pytest.mark.parametrize(
    ("here", "typed", "asked"),
    [
        (4, "start", [("start_round",)]),
        (3, "start", []),
        (3, "start anyway", [("start_round",)]),
        (3, "start without", [("set_presence", 3, False), ("start_round",)]),
        (3, "start later", []),
    ],
)
def test_a_round_with_somebody_away_begins_only_when_that_is_wanted(
    here: int, typed: str, asked: list[tuple[object, ...]]
) -> None:
    told = LISTENING, replace(ALL_HERE, here=frozenset(range(here)))
    found, said = talk(HostClient, told, typed)
    assert found == asked
    is_asked = (here, typed) == (3, "start")
    assert ("dee is away. `start anyway` begins all the same." in said) is is_asked


def test_it_is_said_why_there_are_more_rounds() -> None:
    t = BEGUN.with_round(next_round(BEGUN))
    for place in range(2):
        t = t.with_result(place, Result.FIRST)
    before = View(t, frozenset(range(4)), (wire.DECIDED, wire.DECIDED))
    now = replace(before, tournament=t.with_player("eve"))
    _, said = talk(HostClient, (LISTENING, before, now))
    assert "eve came in, and 5 players take 3 rounds instead of 2." in said


def test_who_comes_too_late_reads_why() -> None:
    _, said = talk(PlayerClient, (replace(OF_A_ROUND, tournament=replace(ROUND, system=ROBIN)),))
    assert "takes nobody later" not in said
    _, said = talk(PlayerClient, (View(replace(ROUND, system=ROBIN), frozenset(), RUNNING),))
    assert "It has begun, and a round robin takes nobody later. You look on." in said


def test_a_player_reads_that_the_other_one_is_away() -> None:
    t = BEGUN.with_round(next_round(BEGUN))
    _, said = talk(PlayerClient, (View(t, frozenset({1, 2, 3}), (wire.WAITS,) * 2, 2),))
    assert "ada is away; your table waits. The organiser can decide the match." in said


def test_who_has_a_bye_is_told_how_to_look_on_and_does_so_by_a_word() -> None:
    typed = "watch", f"watch {MATCH + 1}", "watch 7"
    asked, said = talk(PlayerClient, (OF_A_ROUND,), *typed)
    assert asked[:2] == [("watch_table", 0, MATCH)] * 2
    assert "You have no match now. Type watch to look on at another." in said
    assert f"Which match? There are: watch {MATCH + 1}." in said
    busy = replace(OF_A_ROUND, me=ROUND.rounds[-1][MATCH].first)
    asked, said = talk(PlayerClient, (busy,), "watch")
    assert ("watch_table", 0, MATCH) not in asked
    assert "No match can be watched now." in said


def test_a_player_reads_why_their_table_did_not_open(monkeypatch: pytest.MonkeyPatch) -> None:
    table = FakePeer()
    monkeypatch.setattr(openings, "joining", lambda *_, **__: table.opened)
    second = ROUND.rounds[-1][MATCH].second
    there = wire.TableAt(0, MATCH, 4000, ("::1",), "7-torii-lantern")
    told = replace(OF_A_ROUND, me=second), TableOpened(there)
    gone = events.Stopped("refused", "No table is open at ::1", "ask them")

    def tell(dialogue: PlainPlayer) -> None:
        dialogue.client.player.table.hear(gone)

    _, said = talk(PlayerClient, told, then=tell)
    assert "ada against bob. Its table opens automatically." in said
    assert "ada against bob. Your table: No table is open at ::1. ask them" in said


def test_the_organiser_takes_part_by_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    own, entered = FakeTournamentPeer(), list[tuple[object, ...]]()
    monkeypatch.setattr(openings, "entering", lambda *way: entered.append(way) or own.opened)
    talk(HostClient, (LISTENING,), has_played=True)
    assert len(entered) == 1  # back in their own tournament
    entered.clear()
    typed = "watch", "play", "play", "go"
    _, said = talk(HostClient, (LISTENING, replace(ALL_HERE, here=frozenset())), *typed)
    assert entered == [(("localhost",), 4000, "7-torii-lantern", own_name(Settings()))]
    assert "Type play first" in said
    assert "You take part already." in said
    assert "There is no table to go to now." in said
    assert own.asked == [("close",)] * 2


def test_a_table_that_is_to_be_watched_is_closed_with_the_tournament_or_for_another_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    closed: list[int] = []

    def watching(*way: Any) -> object:
        return lambda _: SimpleNamespace(close=lambda: closed.append(way[1]))

    monkeypatch.setattr(openings, "joining", watching)

    def watch(dialogue: PlainPlayer) -> None:
        dialogue.client.watch(MATCH)
        for port in (4001, 4002):
            table = wire.TableAt(0, MATCH, port, ("::1",), "7-torii-lantern")
            dialogue.client.hear(TableOpened(table))
        closed.append(0)

    talk(PlayerClient, (OF_A_ROUND,), then=watch)
    assert closed == [4001, 0, 4002]


@pytest.mark.parametrize("mine", [(), (0,)])
def test_ones_own_match_goes_before_one_that_is_watched(mine: tuple[int, ...]) -> None:
    left: list[bool] = []

    def sit_down(dialogue: PlainPlayer) -> None:
        there: Any = SimpleNamespace(
            lan=SimpleNamespace(mine=mine), leave=lambda: left.append(True)
        )
        dialogue._at = there
        dialogue.client.seat_down(there.lan)
        assert dialogue._next is there.lan
        dialogue._next = None  # it is no table to play at

    talk(PlayerClient, (), then=sit_down)
    assert left == [True] * (not mine)
