"""Spectators who play in the next match at a LAN table, in the seats of players who have left."""

from __future__ import annotations

import pytest

from kumite.core import table as acts
from kumite.core.codec import decode, encode
from kumite.core.game import Seat, Setup
from kumite.core.games import GAMES
from kumite.core.players import is_person, stand_in
from kumite.net.session import events
from kumite.net.wire import messages, posts
from kumite.tui.play.network_words import text
from tests.support.lan_tables import finish, opened, seated, table_of
from tests.support.simulation import Network, Node


def ended(game: str = "kuzushi", seats: int = 3, *, terminals: int = 3) -> Network:
    """Return a table after a match of ada, p1 and dia; eli and fay look on."""
    net = seated(table_of(game, seats, terminals))
    for name in ("eli", "fay"):
        net.join(name, what=messages.WATCH)
    net.run(net.now + 3)
    resigns(net)
    return net


def resigns(net: Network) -> None:
    net.host.feed(acts.Resign(min(net.host.live.seats_here)))
    net.run(net.now + 5)
    assert net.host.is_over


def wish(net: Network, *nodes: Node, is_ready: bool = True) -> None:
    for node in nodes:
        node.feed(events.SetReady(is_ready))
        net.run(net.now + 1)


def leaves(net: Network, node: Node) -> None:
    node.feed(events.Order.DEPART)
    net.run(net.now + 1)
    net.nodes.remove(node)


def again(net: Network, *answering: Node) -> None:
    net.host.feed(acts.Offer(posts.AGAIN, 1))
    net.run(net.now + 1)
    for node in answering:
        node.feed(acts.Answer(True))
        net.run(net.now + 1)
    net.run(net.now + 6)


def seats(net: Network) -> dict[str, set[str]]:
    """Return the names of the seats that each terminal plays in the current match."""
    match_id, found = net.host.live.roster.match_id, {}
    for node in net.nodes:
        if node.is_alive and not node.session.is_closed:
            began = node.told(events.MatchBegan)[-1]
            assert began.header.match_id == match_id
            assert not node.told(events.Stopped)
            found[node.name] = {began.header.names[seat] for seat in began.seats}
    played = [name for names in found.values() for name in names]
    assert sorted(played) == sorted(net.host.live.roster.names)
    for name, names in found.items():
        assert {one for one in names if is_person(one)} <= {name}
    return found


@pytest.mark.parametrize(("game", "count"), [("kuzushi", 3), ("kumo", 4), ("kitsune", 4)])
def test_a_spectator_who_wishes_gets_the_seat_of_a_player_who_has_left(
    game: str, count: int
) -> None:
    net = ended(game, count, terminals=count)
    *players, dia, eli, _ = net.nodes
    leaves(net, dia)
    wish(net, eli)
    for node in net.nodes:
        is_ours = node is eli
        told = events.Watching(("eli", "fay"), 1, is_ours)
        assert node.told(events.Watching)[-1] == told
    again(net, *players[1:])
    found = seats(net)
    assert found["eli"] == {"eli"}
    assert found["fay"] == set()
    finish(net, 6)
    resigned = net.host.live.roster.match_id
    again(net, *players[1:], eli)  # who is a player now, and is asked
    assert net.host.live.roster.match_id != resigned
    assert seats(net)["eli"] == {"eli"}


@pytest.mark.parametrize("is_leaving", [True, False])
def test_who_takes_a_seat_does_not_take_the_wins_of_who_sat_there(is_leaving: bool) -> None:
    """Who had only looked on read that one match was won."""
    net = ended(seats=2, terminals=2)
    _, bob, eli, _ = net.nodes
    if is_leaving:
        leaves(net, bob)
        wish(net, eli)
        again(net)
    else:
        again(net, bob)
    roster = net.host.live.roster
    score = dict(zip(roster.names, roster.series.won, strict=True))
    assert score == {"ada": 0, ("eli" if is_leaving else bob.name): not is_leaving}
    for node in net.nodes:
        assert node.live.roster.series == roster.series


def test_those_who_stay_are_asked_and_nobody_waits_for_who_has_left() -> None:
    net = ended()
    ada, bob, dia, eli, _ = net.nodes
    old = ada.live.roster.match_id
    leaves(net, dia)
    wish(net, eli)
    again(net)
    assert ada.live.roster.match_id == old, "bob has not agreed"
    bob.feed(acts.Answer(False))
    net.run(net.now + 1)
    assert ada.told(events.OfferGone)[-1].answer is events.Answered.DECLINED
    bob.feed(acts.Offer(posts.AGAIN, 1))
    net.run(net.now + 1)
    ada.feed(acts.Answer(True))
    net.run(net.now + 6)
    assert bob.told(events.OfferGone)[-1].answer is events.Answered.AGREED
    assert seats(net)["eli"] == {"eli"}


def test_who_leaves_while_the_question_is_open_is_not_waited_for() -> None:
    net = ended()
    _, bob, dia, _, fay = net.nodes
    wish(net, fay)
    again(net, bob)
    leaves(net, dia)
    net.run(net.now + 6)
    assert net.host.told(events.OfferGone)[-1].answer is events.Answered.AGREED
    assert seats(net)["fay"] == {"fay"}


def test_a_broken_line_is_waited_for_like_a_minute_and_its_player_comes_back_to_the_seat() -> None:
    net = ended()
    _, bob, dia, eli, _ = net.nodes
    wish(net, eli)
    old = net.host.live.roster.match_id
    net.kill(dia)
    net.run(net.now + 5)
    again(net, bob)
    assert net.host.live.roster.match_id == old
    net.restart(dia)
    net.run(net.now + 3)
    dia.feed(acts.Answer(True))
    net.run(net.now + 6)
    assert seats(net)[dia.name] == {dia.name}
    resigns(net)
    net.kill(dia)
    wish(net, eli)
    again(net, bob)
    net.run(net.now + 60)
    assert seats(net)["eli"] == {"eli"}


@pytest.mark.parametrize("is_wished", [True, False])
def test_of_a_host_alone_the_spectator_makes_two(is_wished: bool) -> None:
    net = ended("kuzushi", 2, terminals=2)
    _, dia, eli, _ = net.nodes
    old = net.host.live.roster.match_id
    leaves(net, dia)
    wish(net, *[eli] * is_wished)
    again(net)
    if is_wished:
        assert seats(net)["eli"] == {"eli"}
        finish(net, 6)
        return
    refused = net.host.told(events.NotDone)[-1]
    assert (refused.text, refused.hint) == ("nobody else is here", "open another table")
    assert net.host.live.roster.match_id == old
    wish(net, eli)  # it is not too late
    again(net)
    assert seats(net)["eli"] == {"eli"}


def test_votes_of_who_stay_decide_and_the_spectator_gets_a_seat() -> None:
    net = ended()
    ada, bob, dia, eli, _ = net.nodes
    wish(net, eli)
    for node in (dia, ada):
        node.feed(acts.Offer(posts.VOTE, 1, "kitsune" if node is dia else "kuzushi"))
        net.run(net.now + 1)
    leaves(net, dia)
    game = "kuzushi"
    for node in (ada, bob):
        node.feed(acts.Offer(posts.VOTE, 1, game))
        net.run(net.now + 1)
    net.run(net.now + 6)
    assert seats(net)["eli"] == {"eli"}


def test_a_spectator_gets_the_seat_of_a_bot_of_the_host() -> None:
    net = opened(Setup.of(GAMES["kuzushi"], 3))
    net.host.feed(events.FillSeats("bot:easy"))
    bob = net.join("bob")
    net.run(3)
    bob.feed(events.SetReady())
    eli = net.join("eli", what=messages.WATCH)
    net.run(6)
    net.begins()
    assert seats(net)["ada"] == {"ada", "bot:easy"}
    resigns(net)
    again(net, bob)
    assert seats(net)["ada"] == {"ada", "bot:easy"}, "nobody has wished for it"
    resigns(net)
    wish(net, eli)
    again(net, bob)
    assert seats(net) == {"ada": {"ada"}, "bob": {"bob"}, "eli": {"eli"}}


@pytest.mark.parametrize("gone", ["forfeit", "bot"])
@pytest.mark.parametrize("game", ["kuzushi", "kitsune"])
def test_a_seat_that_is_gone_for_good_is_free_in_the_next_match(gone: str, game: str) -> None:
    count = 3 if game == "kuzushi" else 4
    net = seated(table_of(game, count, count, watchers=1, gone=gone))
    *players, eli = net.nodes
    dia = players[-1]
    net.run(net.now + 3)
    net.kill(dia)
    net.run(net.now + 70)
    net.host.feed(acts.Offer(posts.GONE))
    net.run(net.now + 1)
    for node in players[1:-1]:
        node.feed(acts.Answer(True))
        net.run(net.now + 1)
    assert net.host.live.ledger.gone
    if gone == "bot":
        resigns(net)
    net.run(net.now + 5)
    wish(net, eli)
    again(net, *players[1:-1])
    assert seats(net)[eli.name] == {eli.name}
    net.restart(dia)
    net.run(net.now + 10)
    assert seats(net)[dia.name] == set(), "it looks on"


def test_who_left_before_opening_secrets_keeps_the_seat_and_is_not_accused() -> None:
    """Else a host who has cheated could give it away, and nothing would be audited."""
    net = seated(table_of("kitsune", 4, 4, watchers=1))
    *players, dia, eli = net.nodes
    net.run(net.now + 3)
    leaves(net, dia)
    resigns(net)
    old = net.host.live.roster.match_id
    wish(net, eli)
    again(net, *players[1:])
    assert net.host.live.roster.match_id == old
    for node in net.nodes:
        assert not node.told(events.Audited)
        assert not node.told(events.SeatMoved)


# --- Attacks ----------------------------------------------------------------------------------


def test_who_wishes_twice_gets_one_seat_and_is_told_of_once() -> None:
    net = ended()
    _, bob, dia, eli, _ = net.nodes
    leaves(net, dia)
    wish(net, eli, eli, eli)
    assert [one.willing for one in net.host.told(events.Watching)] == [0, 0, 1]
    eli.says(messages.Ready(True))
    again(net, bob)
    assert seats(net)["eli"] == {"eli"}


def test_of_two_for_one_seat_the_first_gets_it_and_the_other_looks_on() -> None:
    net = ended()
    _, bob, dia, eli, fay = net.nodes
    leaves(net, dia)
    wish(net, fay, eli)
    assert net.host.told(events.Watching)[-1] == events.Watching(("fay", "eli"), 2)
    again(net, bob)
    found = seats(net)
    assert (found["fay"], found["eli"]) == ({"fay"}, set())
    net.goes_on(2)
    assert eli.live.digests == net.host.live.digests


def test_a_wish_takes_no_seat_of_who_is_here() -> None:
    net = ended()
    _, bob, dia, eli, fay = net.nodes
    wish(net, eli, fay)
    again(net, bob, dia)
    found = seats(net)
    assert [found[node.name] for node in (bob, dia)] == [{bob.name}, {dia.name}]
    assert found["eli"] == found["fay"] == set()
    assert net.host.told(events.Watching)[-1].willing == 0, "it was for that match"


@pytest.mark.parametrize("is_leaving", [True, False])
def test_a_wish_is_void_once_who_wished_leaves_or_takes_it_back(is_leaving: bool) -> None:
    net = ended()
    _, bob, dia, eli, _ = net.nodes
    leaves(net, dia)
    wish(net, eli)
    if is_leaving:
        leaves(net, eli)
    else:
        wish(net, eli, is_ready=False)
    assert net.host.told(events.Watching)[-1].willing == 0
    again(net, bob)
    assert "eli" not in net.host.live.roster.names
    assert stand_in(dia.name) in net.host.live.roster.names
    seats(net)


def test_a_host_cannot_give_away_a_seat_before_its_secrets_are_open() -> None:
    net = seated(table_of("kitsune", 4, 4))
    _, bob, *_ = net.nodes
    net.run(net.now + 3)
    (seat,) = bob.live.seats_here
    net.host.feed(acts.Resign(min(net.host.live.seats_here)))
    net.host.feed(acts.Offer(posts.SEAT, seat))
    net.run(net.now + 5)
    for node in net.nodes:
        assert node.told(events.NotDone) if node is net.host else not node.told(events.SeatMoved)
        (audited,) = node.told(events.Audited)
        assert audited.verdict.is_sound


def test_a_wish_during_the_match_counts_for_nothing() -> None:
    net = seated(table_of("kuzushi", 3, 3, watchers=1))
    eli = net.nodes[-1]
    wish(net, eli)
    eli.says(messages.Ready(True))
    net.run(net.now + 1)
    assert [one.willing for one in net.host.told(events.Watching)] == [0]
    net.goes_on()
    resigns(net)
    assert net.host.live.willing == 0


def test_a_wish_is_no_vote_and_agrees_to_nothing() -> None:
    net = ended()
    ada, _, dia, eli, _ = net.nodes
    old = ada.live.roster.match_id
    leaves(net, dia)
    wish(net, eli)
    for act in (acts.Offer(posts.AGAIN, 1), acts.Offer(posts.VOTE, 1, "kuzushi")):
        eli.feed(act)
    again(net)
    eli.feed(acts.Answer(True))
    net.run(net.now + 6)
    assert ada.live.roster.match_id == old
    assert ada.live.ledger.offer.agreed == {0}
    for _ in range(3):  # by a program that is not ours
        eli.says(messages.Request(posts.Post(2, 99, posts.Answer(1, True), 0, bytes(64), 10**6)))
    net.run(net.now + 3)
    assert ada.live.ledger.offer.agreed == {0}
    assert not ada.session.is_closed


def test_a_flood_of_wishes_is_limited_and_the_table_goes_on() -> None:
    net = ended()
    _, bob, dia, eli, _ = net.nodes
    leaves(net, dia)
    before = len(bob.told(events.Watching))
    for number in range(200):
        if eli.session.line.main and eli.session.link(eli.session.line.main):
            eli.says(messages.Ready(number % 2 == 0))
        net.run(net.now + 0.05)
    assert len(bob.told(events.Watching)) - before < 40
    again(net, bob)
    seats(net)


@pytest.mark.parametrize("said", [("yes",), (2,), (), (1, 1)])
def test_a_malformed_wish_breaks_its_own_line_only(said: tuple[object, ...]) -> None:
    net = ended()
    _, bob, dia, eli, _ = net.nodes
    leaves(net, dia)
    kind, _ = decode(messages.SEALED.pack(messages.Ready(True)))
    number = eli.session.line.main
    link = eli.session.link(number)
    eli.ends[number].send(eli, link.sealer.seal(encode((kind, *said))))
    net.run(net.now + 5)
    assert eli.told(events.Status.AWAY)
    assert net.host.live.willing == 0
    again(net, bob)
    assert "eli" not in net.host.live.roster.names
    assert not bob.session.is_closed


def test_a_host_that_counts_more_wishes_than_spectators_harms_nobody() -> None:
    net = ended()
    net.host.does(lambda r: r.send_all(messages.Watching(("eli",), 9)))
    net.run(net.now + 1)
    assert all(not node.session.is_closed for node in net.nodes)
    assert not any(node.told(events.Watching)[-1].is_ours for node in net.nodes)


def test_a_player_cannot_wish_for_another_seat() -> None:
    net = ended()
    _, bob, dia, _, _ = net.nodes
    leaves(net, dia)
    bob.feed(events.SetReady())
    net.run(net.now + 1)
    assert net.host.live.willing == 0
    assert not bob.session.is_closed
    again(net, bob)
    assert seats(net)[bob.name] == {bob.name}


def test_who_wishes_and_never_sits_down_delays_the_others_for_seconds_only() -> None:
    net = ended()
    _, bob, dia, eli, _ = net.nodes
    leaves(net, dia)
    wish(net, eli)
    old = net.host.live.roster.match_id
    eli.asleep_until = net.now + 300
    again(net, bob)
    assert net.host.live.roster.match_id == old
    net.run(net.now + 15)
    roster = net.host.live.roster
    assert roster.match_id != old
    assert stand_in("eli") in roster.names
    net.run(net.now + 400)
    assert seats(net)["eli"] == set()
    assert eli.told(events.MatchBegan)[-1].replaced


@pytest.mark.parametrize("at", [0.0, 0.03, 0.06, 0.1, 0.15, 0.2, 0.3])
def test_who_has_wished_goes_while_the_next_match_begins(at: float) -> None:
    net = ended()
    _, bob, dia, eli, _ = net.nodes
    leaves(net, dia)
    wish(net, eli)
    net.host.feed(acts.Offer(posts.AGAIN, 1))
    net.run(net.now + 1)
    bob.feed(acts.Answer(True))
    net.after(at, lambda: net.kill(eli))
    net.run(net.now + 20)
    if "eli" not in net.host.live.roster.names:  # else the match had begun
        seats(net)


def test_a_namesake_does_not_get_the_seat_of_a_player_who_is_back() -> None:
    net = seated(table_of("kuzushi", 3, 3))
    ada, bob, dia = net.nodes
    seat = min(dia.live.seats_here)
    net.kill(dia)
    net.run(net.now + 30)
    ada.feed(acts.Offer(posts.SEAT, int(seat)))
    net.run(net.now + 1)
    bob.feed(acts.Answer(True))
    net.run(net.now + 1)
    resigns(net)
    false = net.join(dia.name, what=messages.WATCH)
    net.run(net.now + 2)
    net.restart_all(false)
    net.restart(dia)
    net.run(net.now + 10)
    wish(net, false)
    again(net, bob)
    assert dia.live.seats_here
    assert not false.live.seats_here


def test_no_joiner_and_no_host_in_mid_match_gives_a_seat_to_a_bot_alone() -> None:
    net = ended()
    _, bob, dia, _, _ = net.nodes
    seat = int(min(dia.live.seats_here))
    bob.feed(acts.Offer(posts.SEAT, seat))
    net.run(net.now + 1)
    assert "the match is over" in text(bob.told(events.NotDone)[-1])
    net.host.feed(acts.Offer(posts.SEAT, seat))
    net.run(net.now + 1)
    assert "the player of this seat is there" in text(net.host.told(events.NotDone)[-1])
    assert dia.live.seats_here == {Seat(seat)}
