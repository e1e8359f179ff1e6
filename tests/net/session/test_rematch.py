"""The next match at a LAN table: seats, score, another game, and players whom a bot replaced."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from kumite.core import table as acts
from kumite.core.game import Seat, Setup
from kumite.core.games import GAMES
from kumite.core.players import is_person, stand_in
from kumite.core.series import Series
from kumite.net.replica.ledger import Ledger
from kumite.net.replica.roster import Roster
from kumite.net.session import events, lobby
from kumite.net.wire import messages, posts
from kumite.tui.play.network_words import text
from tests.support.lan_tables import agreed, finish, opened, seated, small, table_of, with_bob
from tests.support.simulation import Network


def test_after_a_draw_the_next_match_has_seats_changed_and_other_keys() -> None:
    net = seated(table_of("kitsune"))
    net.run(net.now + 3)
    agreed(net, posts.DRAW)
    old = net.host.live.roster
    assert net.host.live.ledger.end is not None
    agreed(net, posts.AGAIN, 1)
    net.run(net.now + 5)
    for node in net.nodes:
        began = node.told(events.MatchBegan)
        assert len(began) == 2
        assert began[1].seats == {(seat + 1) % 2 for seat in began[0].seats}
    new = net.host.live.roster
    assert new.match_id != old.match_id
    assert new.names == old.names[::-1]
    assert {one.verify_key for one in new.terminals}.isdisjoint(
        one.verify_key for one in old.terminals
    )
    finish(net)


@pytest.mark.parametrize("begins", [0, 1, 2])
def test_who_gets_the_first_seat_of_a_rematch_is_agreed_on(begins: int) -> None:
    net = seated(table_of("kuzushi", 3))
    agreed(net, posts.DRAW)
    old = net.host.live.roster.names
    net.host.feed(acts.Offer(posts.AGAIN, 3))  # there is no such seat
    net.run(net.now + 1)
    assert "there is no seat 4" in text(net.host.told(events.NotDone)[-1])
    agreed(net, posts.AGAIN, begins)
    assert f"play again: {old[begins]}" in text(net.nodes[1].told(events.Offered)[-1])
    net.run(net.now + 5)
    assert net.host.live.roster.names == (*old[begins:], *old[:begins])


def test_a_series_counts_its_matches_and_the_next_one_starts_anew() -> None:
    net = opened(series=Series(best_of=3))
    bob = with_bob(net)
    eve = net.join("eve", what=messages.WATCH)
    net.run(net.now + 2)
    assert bob.told(events.Lobby)[-1].best_of == 3
    net.begins()
    scores = []
    for seat in (0, 0, 0):  # ada's, bob's, ada's: the seats move on by one
        resigns = next(n for n in (net.host, bob) if Seat(seat) in n.live.seats_here)
        resigns.feed(acts.Resign(Seat(seat)))
        net.run(net.now + 3)
        agreed(net, posts.AGAIN, 1)
        net.run(net.now + 5)
        net.kill(net.host)  # the score is in what every terminal keeps
        net.restart(net.host)
        net.run(net.now + 10)
        series = {node.told(events.MatchBegan)[-1].series for node in net.nodes}
        assert len(series) == 1, "all are told the same, who looks on too"
        scores.append(series.pop())
    assert scores == [Series(3, (1, 0)), Series(3, (1, 1)), Series(3)]
    assert eve.told(events.MatchBegan)[-1].header.names == ("bob", "ada")
    net.host.feed(acts.Resign(Seat(1)))
    net.run(net.now + 3)
    for node in (net.host, bob):
        node.feed(acts.Offer(posts.VOTE, 0, "kumo"))
    net.run(net.now + 5)
    ends = [node.told(events.MatchBegan)[-1].series for node in net.nodes]
    assert ends == [Series()] * 3, "nobody has asked for a best of 3 of another game"


def test_a_host_that_changes_the_score_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    net = seated(table_of("kuzushi"))
    agreed(net, posts.DRAW)
    honest = lobby.next_match

    def vain(ledger: Ledger, *more: Any) -> tuple[Setup, Series]:
        setup, series = honest(ledger, *more)
        return setup, replace(series, won=(5, 0)) if ledger.me == 0 else series

    monkeypatch.setattr(lobby, "next_match", vain)
    agreed(net, posts.AGAIN, 1)
    net.run(net.now + 5)
    assert "changed the score" in net.nodes[1].told(events.Stopped)[-1].text


def test_another_game_follows_with_the_same_people_and_their_score() -> None:
    net = seated(table_of("kuzushi", watchers=1))
    net.host.feed(acts.Resign(Seat(0)))
    net.run(net.now + 2)
    for node in net.nodes[:2]:
        node.feed(acts.Offer(posts.VOTE, 0, "kumo"))
    net.run(net.now + 6)
    for node in net.nodes:
        began = node.told(events.MatchBegan)[-1]
        assert began.header.setup == Setup.of(GAMES["kumo"], 2)
        assert began.series == Series(1, (0, 1))
    finish(net)


def stood_in(runner: int) -> Network:
    """Return a table of three whose last one went away: a bot of `runner` played on to a draw."""
    net = seated(table_of("kuzushi", 3, 3))
    one, gone = net.nodes[runner], net.nodes[2]
    seat = min(gone.live.seats_here)
    net.kill(gone)
    net.run(net.now + 30)
    answering = net.nodes[1 - runner]
    for kind, number in ((posts.SEAT, int(seat)), (posts.DRAW, 0)):
        one.feed(acts.Offer(kind, number))
        net.run(net.now + 1)
        answering.feed(acts.Answer(True))
        net.run(net.now + 2)
    assert one.is_over
    return net


def begins_again(net: Network) -> Roster:
    """Let the first two agree on a rematch; return its roster."""
    for node, act in ((net.host, acts.Offer(posts.AGAIN, 1)), (net.nodes[1], acts.Answer(True))):
        node.feed(act)
        net.run(net.now + 1)
    net.run(net.now + 5)
    return net.host.live.roster


def check_seats(net: Network) -> None:
    """Nobody here plays the seat of another person, and every seat is played by one terminal."""
    nodes = [node for node in net.nodes if node.is_alive]
    for node in nodes:
        assert not node.told(events.Stopped)
        began = node.told(events.MatchBegan)[-1]
        assert began.header.match_id == net.host.live.roster.match_id
        people = {began.header.names[seat] for seat in began.seats}
        assert {one for one in people if is_person(one)} <= {node.name}
    played = [seat for node in nodes for seat in node.live.seats_here]
    assert sorted(played) == [0, 1, 2]


@pytest.mark.parametrize("runner", [0, 1])
def test_a_rematch_begins_without_who_was_replaced_and_the_bot_stays_in_the_seat(
    runner: int,
) -> None:
    net = stood_in(runner)
    name = net.nodes[2].name
    old, new = net.host.live.roster, begins_again(net)
    assert old.match_id != new.match_id
    assert stand_in(name) in new.names
    assert name not in new.names
    seat = Seat(new.names.index(stand_in(name)))
    assert seat in net.nodes[runner].live.seats_here
    check_seats(net)
    net.restart(net.nodes[2])  # after the beginning: it looks on
    net.run(net.now + 10)
    check_seats(net)
    assert net.nodes[2].told(events.MatchBegan)[-1].replaced == {seat}
    net.restart_all(net.nodes[2])
    assert net.nodes[2].told(events.MatchBegan)[-1].replaced == {seat}
    net.restart_all(net.nodes[runner])
    check_seats(net)
    for node, act in ((net.host, acts.Offer(posts.DRAW)), (net.nodes[1], acts.Answer(True))):
        node.feed(act)
        net.run(net.now + 2)
    newest = begins_again(net)  # it is here now, and has its seat again
    assert name in newest.names
    check_seats(net)
    finish(net)


@pytest.mark.parametrize("runner", [0, 1])
def test_who_was_replaced_and_is_back_at_the_end_has_the_seat_in_the_rematch(runner: int) -> None:
    net = stood_in(runner)
    net.restart(net.nodes[2])
    net.run(net.now + 10)
    new = begins_again(net)
    assert sorted(new.names) == sorted(node.name for node in net.nodes)
    check_seats(net)
    finish(net)


@pytest.mark.parametrize("at", [0.0, 0.03, 0.06, 0.1, 0.15, 0.2, 0.3])
@pytest.mark.parametrize("is_leaving", [True, False])
def test_who_was_replaced_comes_or_goes_while_the_rematch_begins(
    at: float, is_leaving: bool
) -> None:
    net = stood_in(1)
    gone = net.nodes[2]
    if is_leaving:
        net.restart(gone)
        net.run(net.now + 10)
    change = net.kill if is_leaving else net.restart
    net.host.feed(acts.Offer(posts.AGAIN, 1))
    net.run(net.now + 1)
    net.nodes[1].feed(acts.Answer(True))
    net.after(at, lambda: change(gone))
    net.run(net.now + 10)
    if is_leaving and gone.name in net.host.live.roster.names:
        return  # the match had begun
    check_seats(net)


def test_of_two_the_one_who_is_left_waits_for_the_other_before_a_rematch() -> None:
    net = seated(small())
    gone = net.nodes[1]
    seat = min(gone.live.seats_here)
    net.kill(gone)
    net.run(net.now + 30)
    net.host.feed(acts.Offer(posts.SEAT, int(seat)))
    net.run(net.now + 1)
    net.host.feed(acts.Offer(posts.DRAW))
    net.run(net.now + 1)
    net.host.feed(acts.Offer(posts.AGAIN, 1))
    net.run(net.now + 1)
    assert "nobody else is here" in text(net.host.told(events.NotDone)[-1])
    net.restart(gone)
    net.run(net.now + 10)
    net.host.feed(acts.Offer(posts.AGAIN, 1))
    net.run(net.now + 5)
    for node in net.nodes:
        (one,) = node.live.seats_here
        assert node.live.roster.names[one] == node.name
