"""What a player's program makes of their table: whose result it is, and when there is none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kumite.core.game import Seat, Setup
from kumite.core.games import find
from kumite.core.log import End, Header
from kumite.core.match import Match
from kumite.core.tournament.pairing import next_round
from kumite.core.tournament.tournament import ROBIN, Player, Result, Tournament
from kumite.net.session import events
from kumite.net.tournament import state
from kumite.net.tournament.state import Terms
from kumite.net.transport import beacons, network
from kumite.net.transport.discovery import Announced
from kumite.net.wire import tournament as wire
from kumite.net.wire.tournament import View
from kumite.tui.play import openings
from kumite.tui.play.lan_table import LanTable
from kumite.tui.play.tournament import OTHER_MATCH, MatchTable, PlayerClient, result_of
from kumite.tui.play.tournament_host import HostClient
from tests.support.fake_peer import WORDS, FakeLan, FakePeer, FakePlan, FakeTournamentPeer, seats
from tests.support.random_matches import walk
from tests.support.waiting import wait_for

SETUP = Setup.of(find("kitsu"), 2)


def table(lan: FakeLan, *told: Any) -> LanTable:
    made = LanTable(lan.peer.opened, lambda _: None)
    for event in (lan.began(), *told):
        made.hear(event)
    return made


@pytest.mark.parametrize("ours", [0, 1])
def test_both_terminals_make_the_same_of_a_match(ours: int) -> None:
    found = set()
    for seed in range(12):
        lan = FakeLan("kitsu", (ours,))
        lan.whole = walk(lan.setup, seed)
        outcome = lan.whole.outcome
        result = result_of(table(lan), Seat(ours))
        expected = {(Seat(0),): Result.FIRST, (Seat(1),): Result.SECOND, (): Result.DRAW}
        assert result is expected[outcome.winners]
        found.add(result)
    assert len(found) > 1


@pytest.mark.parametrize(
    ("end", "result"),
    [
        (End("resigned", (Seat(0),)), Result.SECOND),
        (End("resigned", (Seat(1),)), Result.FIRST),
        (End("time", (Seat(1),)), Result.FIRST),
        (End("agreed"), Result.DRAW),
        (End("adjourned"), None),
        (End("spoiled"), None),
    ],
)
def test_an_end_by_people_or_a_clock_counts_if_it_is_a_result(
    end: End, result: Result | None
) -> None:
    lan = FakeLan("kitsu")
    assert result_of(table(lan), Seat(0)) is None
    assert result_of(table(lan, events.Ended(end)), Seat(0)) is result


def test_a_match_in_which_one_played_on_for_the_other_is_the_organisers_to_decide() -> None:
    lan = FakeLan("kitsu")
    won = events.Ended(End("resigned", (Seat(1),)))
    assert result_of(table(lan, won), Seat(1)) is None  # who hosts it has swapped the seats
    moved = events.SeatMoved(Seat(1), seats(0, 1))
    assert result_of(table(lan, moved, won), Seat(0)) is None
    lost = events.SeatMoved(Seat(0), seats())
    assert result_of(table(lan, lost, won), Seat(0)) is None


def called(host: FakeTournamentPeer) -> PlayerClient:
    """Return the tournament of cy, who is called to play against ada."""
    entered = entering(host)
    call(host)
    return entered


def entering(host: FakeTournamentPeer) -> PlayerClient:
    return PlayerClient(host.opened, lambda message: message.table.hear(message.event))


def call(host: FakeTournamentPeer) -> None:
    t = Tournament(players=tuple(map(Player, ("ada", "bob", "cy", "dee"))))
    t = t.with_round(next_round(t))
    view = View(t, frozenset(range(4)), (wire.STANDS, wire.STANDS), 2)
    host.deliver(state.TournamentChanged(Terms("Friday", SETUP, (600, 5, 60)), view))


def test_there_is_a_table_to_go_to_only_when_it_is_known_where(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    host, peer = FakeTournamentPeer(), FakePeer()
    monkeypatch.setattr(openings, "joining", lambda *_, **__: peer.opened)
    entered = called(host)
    assert (entered.can_go, entered.is_waiting) == (False, True)
    there = wire.TableAt(0, 0, 4000, ("192.168.1.7",), "7-torii-lantern")
    host.deliver(state.TableOpened(there))
    assert entered.can_go
    assert entered.table is not None


@pytest.mark.parametrize(
    ("count", "away", "left_out", "asked"),
    [
        (4, (3,), (), ["start_round"]),  # four play, one of them from nowhere
        (4, (3,), (3,), ["set_presence"]),  # three and the bot, which comes first
        (5, (4,), (4,), ["set_presence", "start_round"]),
    ],
)
def test_the_bot_makes_those_even_who_are_left(
    count: int,
    away: tuple[int, ...],
    left_out: tuple[int, ...],
    asked: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    host = FakeTournamentPeer()
    held = HostClient(FakePlan(host, bot="easy"), lambda message: message.table.hear(message.event))
    brought: list[object] = []
    monkeypatch.setattr(openings, "entering", lambda *_: FakeTournamentPeer().opened)
    held.run_bot = brought.append
    t = Tournament(players=tuple(Player(f"p{n}") for n in range(count)))
    host.deliver(events.Listening(4000, ("192.168.1.20",), "7-torii-lantern"))
    here = frozenset(range(count)) - set(away)
    host.deliver(state.TournamentChanged(Terms("Friday", SETUP, None), View(t, here, ())))
    assert held.away == away
    assert held.can_begin(held.away)
    held.start_round(left_out)
    assert [one[0] for one in host.asked] == asked
    assert len(brought) == ("start_round" not in asked)


def test_a_tournament_is_listed_by_a_key_of_its_own_until_it_is_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One that was over was announced when its organiser looked at it, and asked for a code."""
    announced = list[tuple[str, ...]]()

    class Announcer:
        def __init__(self, key: str, table: Announced) -> None:
            self.key = key
            announced.append((key, table.name))

        def start(self) -> None:
            pass

        def update(self, table: Announced) -> None:
            pass

        def close(self) -> None:
            announced.append((self.key,))

    monkeypatch.setattr(network, "announcer", Announcer)
    key = beacons.listed_as("a" * 16)
    t = Tournament(ROBIN, players=tuple(map(Player, ("ada", "bob", "cy"))))
    views = [View(t, frozenset(), ())]
    while not t.is_over:
        t = t.with_round(next_round(t))
        place = next(at for at, one in enumerate(t.rounds[-1]) if one.is_match)
        t = t.with_result(place, Result.FIRST)
        views.append(View(t, frozenset(), (4, 4)))
    for told in (views, views[-1:]):
        host = FakeTournamentPeer()
        plan = FakePlan(host, is_listed=True)
        held = HostClient(plan, lambda message: message.table.hear(message.event))
        host.deliver(events.Listening(4000, ("192.168.1.20",), "7-torii-lantern"))
        for one in told:
            host.deliver(state.TournamentChanged(Terms("Friday", SETUP, None), one))
        held.close()
    wait_for(lambda: len(announced) > 1, "the end")
    assert announced == [(key, "Friday"), (key,)]


def test_in_a_round_robin_under_way_a_bot_that_is_there_counts() -> None:
    host = FakeTournamentPeer()
    held = HostClient(FakePlan(host, bot="easy"), lambda message: message.table.hear(message.event))
    terms, t = Terms("Friday", SETUP, None), Tournament(ROBIN)
    for name, can_begin in (("ada", False), ("bob", False), ("cy", True), ("bot:easy", True)):
        t = t.with_player(name)
        host.deliver(state.TournamentChanged(terms, View(t, frozenset(range(3)), ())))
        assert held.can_begin() is can_begin
    t = t.with_round(next_round(t)).with_result(0, Result.FIRST).with_result(1, Result.FIRST)
    for one, can_begin in ((2, True), (1, False)):
        t = t.with_presence(one, False)
        host.deliver(state.TournamentChanged(terms, View(t, frozenset(range(3)), (4, 4))))
        assert held.can_begin() is can_begin


@pytest.mark.parametrize("is_back", [False, True])
def test_a_match_that_had_begun_is_gone_on_with_whatever_its_clocks_show(
    is_back: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "x.kumite").write_text("")
    host, peer, resumed = FakeTournamentPeer(), FakePeer(), list[str]()
    monkeypatch.setattr(openings, "resuming", lambda path: resumed.append(path.name) or peer.opened)
    host.last_match = (0, 0, "x.kumite")
    if is_back:  # the organiser answers once the match is over
        entered = entering(host)
        entered.resume()
    else:
        entered = called(host)
    assert resumed == ["x.kumite"]
    shown: list[LanTable] = []
    entered.seat_down = shown.append
    header = Header("0123456789abcdef", SETUP, ("ada", "cy"), seats(1))
    match = Match.begin(SETUP, seats(1))
    peer.deliver(events.MatchBegan(header, match, seats(1), WORDS, (1000, 2000)))
    assert shown == [entered.table]
    peer.deliver(events.Ended(End("resigned", (Seat(1),))))
    if is_back:
        assert not host.asked[1:]
        call(host)
        assert resumed == ["x.kumite"]
        assert entered.table is shown[0]
    (report,) = [one[1] for one in host.asked if one[0] == "report"]
    assert (report.result, report.match_id) == (Result.FIRST, header.match_id)


@pytest.mark.parametrize(
    ("setup", "clock", "seat", "is_ready"),
    [
        (SETUP, (600, 5, 60), 1, True),
        (SETUP, (600, 5, 60), 0, False),
        (SETUP, (1, 0, 0), 1, False),
        (SETUP, (), 1, False),
        (Setup.of(find("kitsu"), 2, {"limit": 60}), (600, 5, 60), 1, False),
        (Setup.of(find("kuzushi"), 2), (600, 5, 60), 1, False),
    ],
)
def test_a_table_that_offers_another_match_is_left(
    setup: Setup, clock: tuple[int, ...], seat: int, is_ready: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, peer = FakeTournamentPeer(), FakePeer()
    monkeypatch.setattr(openings, "joining", lambda *_, **__: peer.opened)
    entered = called(host)
    host.deliver(state.TableOpened(wire.TableAt(0, 0, 4000, ("192.168.1.7",), "7-torii-lantern")))
    guests = (events.Guest("ada", seats(1 - seat), True), events.Guest("cy", seats(seat), False))
    peer.deliver(events.Lobby(setup, guests, 1, ("ada", "cy"), seats(), clock))
    assert peer.asked == ([("ready", True)] if is_ready else [("close",)])
    shown: list[LanTable] = []
    entered.seat_down = shown.append
    if is_ready:  # and then another one begins
        header = Header("0123456789abcdef", SETUP, ("ada", "cy"), seats(1))
        match = Match.begin(SETUP, seats(1))
        peer.deliver(events.MatchBegan(header, match, seats(1), WORDS, (1000, 1000)))
        assert peer.asked[-1] == ("close",)
        assert not shown
        return
    assert (entered.said == (OTHER_MATCH, True)) is not is_ready


def test_no_bot_plays_on_for_somebody_who_is_away() -> None:
    lan = FakeLan("kitsu")
    away = events.Presence(events.Status.AWAY, seats(1), "bob")
    assert table(lan, away).stood_for == 1

    class Within:
        def follow(self, *_: object) -> None:
            pass

    made = MatchTable(Within(), FakePeer().opened, lambda _: None)
    for event in (lan.began(), away):
        made.hear(event)
    assert made.troubles
    assert made.stood_for is None
