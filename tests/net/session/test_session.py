"""Tables of several terminals: codes, strangers, lobby, coming back, offers, clocks."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kumite.core import table as acts
from kumite.core.errors import BadSetup
from kumite.core.game import CHANCE, Seat, Setup, Step
from kumite.core.games import GAMES
from kumite.core.log import End
from kumite.core.players import is_person, stand_in
from kumite.core.series import Series
from kumite.net.crypto import pairing
from kumite.net.replica.roster import Roster
from kumite.net.session import events, lobby, replication, session
from kumite.net.session.events import Close, Effect, Send, Tell
from kumite.net.session.state import Reaction, Session, Stage
from kumite.net.wire import framing, messages, posts
from kumite.tui.play.lan_table import LanTable
from kumite.tui.play.network_words import reason, text
from tests.net.wire.test_messages import SEALED
from tests.support.lan_tables import (
    Plan,
    agreed,
    check,
    finish,
    is_finished,
    opened,
    plan_of,
    played,
    seated,
    small,
    table_of,
    with_bob,
)
from tests.support.simulation import TOYS, VERSION, Network, Node

# --- Codes and strangers ----------------------------------------------------------------------


def wrong_codes(count: int, addresses: int) -> tuple[Network, int]:
    net = opened()
    tried, refused = 0, 0
    rng = Random(5)
    while tried < count:
        code = pairing.new_code(rng)
        if code == net.host.session.code:
            continue
        node = net.join(f"eve{tried % addresses}", code=code)
        net.run(net.now + 1)
        tried += 1
        (stopped,) = node.told(events.Stopped)
        assert stopped.code in ("wrong-code", "slow-down", "closed"), stopped
        refused += stopped.code == "slow-down"
        net.nodes.pop()
    assert net.host.session.places == ()
    assert all(link.stage < Stage.SEALED for link in net.host.session.links)
    return net, refused


def test_300_wrong_codes_let_nobody_in_and_make_every_address_slower() -> None:
    net, refused = wrong_codes(300, 3)
    assert refused > 250  # most are not even looked at
    assert len(net.host.told(events.CodeChanged)) >= 2
    waits = [net.host.session.hosting.attempts.wait(f"eve{n}", net.now) for n in range(3)]
    assert max(waits) > 10
    good = net.join("bob")
    net.run(net.now + 60)
    assert good.told(events.Lobby) or good.told(events.Stopped)[0].code == "slow-down"


@pytest.mark.long
def test_10000_wrong_codes_let_nobody_in() -> None:
    wrong_codes(10_000, 50)


def test_what_is_no_code_is_refused_before_anything_is_sent() -> None:
    with pytest.raises(pairing.BadCode):
        session.join("torii", "bob", VERSION, b"e" * 32)


def test_a_real_code_pairs_and_a_wrong_one_is_told_only_that_it_is_wrong() -> None:
    net = Network(3)
    net.more = {}
    setup = Setup.of(GAMES["kuzushi"], 2, {"board": "small"})
    net.open(events.HostSetup(setup, ("ada",), frozenset({Seat(0)})))
    right = net.join("bob")
    wrong = net.join("eve", code="1-torii-lantern")
    net.run(5)
    assert right.told(events.Lobby)[-1].guests[1].name == "bob"
    assert wrong.told(events.Stopped)[0].code == "wrong-code"
    assert [one.code for one in net.host.told(events.TurnedAway)] == ["wrong-code"]


def feed(net: Network, number: int, data: bytes) -> list[Effect]:
    """Give the host bytes of a stranger; return what it does."""
    node, before = net.host, session.react(net.host.session, events.Tick(), net.now)[0]
    node.session, effects = session.react(before, events.Heard(number, data), net.now)
    return list(effects)


def knock(net: Network, number: int, now: float = 0.0) -> list[Effect]:
    opening = events.Opened(number, "10.0.0.9")
    net.host.session, effects = session.react(net.host.session, opening, now)
    return list(effects)


@given(st.binary(max_size=300), st.integers(0, 9))
def test_a_stranger_who_greets_wrongly_hears_nothing(data: bytes, head: int) -> None:
    net = opened()
    assert knock(net, 1) == []
    effects = feed(net, 1, framing.PREAMBLE[:head] + data)
    assert not [one for one in effects if isinstance(one, Send)]
    assert net.host.session.places == ()


def test_a_silent_stranger_is_dropped_after_ten_seconds() -> None:
    net = opened()
    knock(net, 1)
    assert session.deadline(net.host.session) == 10.0
    net.host.session, effects = session.react(net.host.session, events.Tick(), 10.0)
    assert effects == (Close(1),)
    assert session.deadline(net.host.session) is None


def test_of_too_many_silent_strangers_the_oldest_makes_room() -> None:
    net = opened()
    for number in range(1, 9):
        assert knock(net, number, number / 10) == []
    assert knock(net, 9, 1.0) == [Close(1)]


def test_another_protocol_is_refused_in_words() -> None:
    net = opened()
    knock(net, 1)
    hello = framing.frame(b"\x94\x00\x63\xa39.9\xa4join")
    (sent, closed, word) = feed(net, 1, framing.PREAMBLE + hello)
    assert b"other-protocol" in sent.data
    assert closed == Close(1)
    assert isinstance(word, Tell)


def test_who_was_turned_away_is_named_by_the_address_that_people_know() -> None:
    net = opened()
    at = events.Opened(1, "::ffff:192.0.2.2")
    net.host.session, _ = session.react(net.host.session, at, 0.0)
    hello = framing.frame(b"\x94\x00\x63\xa39.9\xa4join")
    *_, word = feed(net, 1, framing.PREAMBLE + hello)
    assert word.event.name == "192.0.2.2"


# --- The lobby --------------------------------------------------------------------------------


def test_a_table_needs_a_seat_on_both_sides() -> None:
    setup = Setup.of(GAMES["kuzushi"], 2)
    for seats in (frozenset[Seat](), frozenset({Seat(0), Seat(1)})):
        with pytest.raises(BadSetup):
            session.host(events.HostSetup(setup, (), seats), "ada", VERSION, b"e" * 32)


def test_people_sit_where_they_wish_and_the_rest_stays_the_hosts() -> None:
    net = opened(Setup.of(GAMES["kumo"], 4))
    net.join("bob", seats=[Seat(3)])
    net.run(2)
    net.join("cy", seats=[Seat(3)])
    net.run(4)
    net.join("dee", what=messages.WATCH)
    net.run(6)
    lobby = net.host.told(events.Lobby)[-1]
    assert [one.seats for one in lobby.guests] == [{0}, {3}, {1}, set()]
    assert lobby.free == {2}
    assert not lobby.can_start
    net.host.feed(events.Order.START)
    assert net.host.told(events.NotDone)[-1].code == "not-ready"
    for node in net.nodes[1:3]:
        node.feed(events.SetReady())
    net.run(8)
    net.begins(2)
    began = [node.told(events.MatchBegan)[0] for node in net.nodes]
    assert [one.seats for one in began] == [{0, 2}, {3}, {1}, set()]
    assert began[0].header.names == ("ada", "cy", "ada", "bob")
    assert len({one.words for one in began}) == 1


def test_what_comes_before_or_after_its_time_is_refused_in_words() -> None:
    net = opened()
    net.host.feed(acts.Play(Seat(0), Step("a1")))
    (found,) = net.host.told(events.NotDone)
    assert (found.code, text(found)) == ("not-begun", "The match has not begun")
    net.join("bob").feed(events.SetReady())
    net.run(2)
    net.begins(2)
    late = net.join("cy")
    net.run(6)
    (stopped,) = late.told(events.Stopped)
    assert (stopped.code, text(stopped)) == (
        "full",
        "All seats of this table are taken, or the match has begun",
    )


def test_a_table_may_want_no_watchers() -> None:
    net = opened(has_watchers=False)
    eve = net.join("eve", what=messages.WATCH)
    net.run(5)
    assert eve.told(events.Stopped)[0].code == "no-watchers"


def test_who_leaves_the_lobby_makes_room_at_once_and_who_breaks_off_after_a_while() -> None:
    net = opened()
    bob = net.join("bob")
    net.run(5)
    bob.feed(events.Order.DEPART)
    net.run(6)
    assert net.host.told(events.Lobby)[-1].free == {1}
    cy = net.join("cy")
    net.run(8)
    assert net.host.told(events.Lobby)[-1].free == frozenset()
    net.kill(cy)
    net.run(40)
    assert net.host.told(events.Lobby)[-1].free == {1}


def test_a_host_that_dies_in_the_lobby_is_waited_for_and_then_told_to_have_gone() -> None:
    net = opened()
    bob = net.join("bob")
    net.run(5)
    net.lines[-1].cut()
    net.run(7)
    assert len(bob.told(events.Status.AWAY)) == len(bob.told(events.Status.BACK)) == 1
    bob.feed(events.SetReady())
    net.run(8)
    assert net.host.told(events.Lobby)[-1].can_start
    net.kill(net.host)
    net.run(20)
    assert len(bob.told(events.Status.AWAY)) == 2
    assert not bob.told(events.Stopped)
    net.run(30)
    (stopped,) = bob.told(events.Stopped)
    assert stopped.code == "closed"
    assert reason(stopped)[1]


def test_a_watcher_who_comes_in_mid_match_sees_it_from_the_beginning() -> None:
    net = seated(small())
    net.goes_on(3)
    eve = net.join("eve", what=messages.WATCH)
    net.run(net.now + 2)
    assert eve.live.posts == net.host.live.posts
    assert eve.live.me is None
    net.step()
    assert eve.live.ledger.match.number == 4
    assert eve.told(events.MatchChanged)[-1].match.number == 4
    eve.feed(acts.Play(Seat(0), Step("a1")))
    assert eve.told(events.NotDone)[-1].code == "watching"


# --- Never lost -------------------------------------------------------------------------------


def test_a_quiet_line_is_told_once_ends_nothing_and_heals_within_a_second() -> None:
    net = seated(replace(small(), seed=2))
    net.out_until = net.now + 25
    net.run(net.out_until)
    for node in net.nodes:
        assert len(node.told(events.Status.QUIET)) == 1
    net.run(net.now + 1.0)
    for node in net.nodes:
        assert len(node.told(events.Status.BACK)) == 1
    net.goes_on()


def test_nobody_says_that_a_table_waits_at_which_the_match_is_over() -> None:
    net = opened()
    with_bob(net)
    net.begins(2)
    net.host.feed(acts.Resign(Seat(0)))
    net.run(12)
    assert all(node.live.is_audited for node in net.nodes)
    net.out_until = net.now + 15
    net.run(net.out_until + 1)
    net.lines[-1].cut()
    net.run(net.now + 5)
    for node, who in zip(net.nodes, ("bob", "ada"), strict=True):
        said = {
            text(one) for one in (*node.told(events.Status.QUIET), *node.told(events.Status.AWAY))
        }
        assert said == {f"Nothing is heard from {who}", f"The connection to {who} broke"}


def test_a_quiet_line_that_is_heard_again_stays_the_only_one() -> None:
    """Others were opened meanwhile, and would sooner or later have taken its place."""
    net = seated(small())
    (line,), bob = net.lines, net.nodes[1]
    line.arrivals = [net.now + 15] * 2  # slow, but not broken

    def is_heard() -> bool:
        for other in net.lines[1:]:
            other.arrivals = [net.now + 60] * 2  # slower still
        return bool(bob.told(events.Status.BACK))

    assert net.run(net.now + 20, is_heard)
    assert len(net.lines) > 2
    assert bob.ends == {bob.session.line.main: line}
    assert [link.number for link in bob.session.links] == [bob.session.line.main]
    net.run(net.now + 1, is_heard)
    net.goes_on()


def test_another_path_is_tried_after_three_seconds_and_wins_if_it_is_faster() -> None:
    net = seated(small())
    (line,) = net.lines
    line.arrivals = [net.now + 30] * 2
    began = net.now
    assert net.run(net.now + 10, lambda: len(net.lines) == 2)
    assert 3 <= net.now - began <= 6  # 3 s after the last word, and pings come every two
    net.run(net.now + 2)
    assert net.nodes[1].ends == {net.nodes[1].session.line.main: net.lines[1]}
    assert not any(node.told(events.Status.QUIET) for node in net.nodes)
    net.goes_on()


def test_pings_go_out_every_two_seconds() -> None:
    net = seated(small())
    before = net.host.effects
    net.run(net.now + 60)
    assert 55 <= net.host.effects - before <= 62  # pings of ours, pongs for theirs
    assert not net.host.told(events.Status.QUIET)


def test_a_broken_line_is_back_within_a_second() -> None:
    net = seated(small())
    for line in net.lines:
        line.cut()
    net.run(net.now + 1.0)
    for node in net.nodes:
        assert len(node.told(events.Status.AWAY)) == len(node.told(events.Status.BACK)) == 1
    net.goes_on()


@pytest.mark.parametrize("name", ["kiriai", "kitsune"])
@pytest.mark.parametrize("who", [0, 1])
def test_a_program_that_dies_before_any_single_effect_goes_on_to_the_same_end(
    name: str, who: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Step by step the same choices, so the same match, whenever it dies."""
    deaths(name, who, 5, monkeypatch)


@pytest.mark.long
@pytest.mark.parametrize("name", ["kiriai", "kitsune"])
@pytest.mark.parametrize("who", [0, 1])
def test_it_dies_before_each_effect_in_turn(
    name: str, who: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    deaths(name, who, 1, monkeypatch)


def deaths(name: str, who: int, every: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Clocks stand still: cards are bound to all posts, and so to when these were made."""
    original = replication.signed

    def signed(r: Reaction, body: posts.Body) -> posts.Post:
        epoch = r.live.timing.epoch
        r.time(epoch=r.now)
        post = original(r, body)
        r.time(epoch=epoch)
        return post

    monkeypatch.setattr(replication, "signed", signed)
    whole = scripted(name, who, -1)
    node = whole.nodes[who]
    assert node.effects > node.began_at + 40
    end = end_of(whole)
    for kill_at in range(node.began_at, node.effects, every):
        net = scripted(name, who, kill_at)
        assert net.nodes[who].life == 1, kill_at
        assert end_of(net) == end, kill_at


LENGTH = 3  # turns of people


def scripted(name: str, who: int, kill_at: int) -> Network:
    """Play a few fixed steps and resign; the program of `who` dies before that effect."""
    net = Network(7)
    setup = Setup.of(GAMES[name], 2)
    net.open(events.HostSetup(setup, ("ada",), frozenset({Seat(0)})))
    net.host.start()
    with_bob(net)
    net.nodes[who].kill_at = kill_at
    net.host.feed(events.Order.START)
    while not is_finished(net) and net.now < 500:
        net.run(net.now + 0.5)
        for node in net.nodes:
            if not node.is_alive:
                net.restart(node)
            act(node)
    assert is_finished(net), f"kill_at {kill_at}"
    return net


def act(node: Node) -> None:
    """Make the fixed step of each seat, by the number of its turn; then seat 1 resigns."""
    live = node.session.live
    if live is None or live.me is None or live.ledger.is_over or live.asked or live.wants:
        return
    match, mine = live.ledger.match, live.ledger.seats_of(live.me)
    turn = sum(1 for one in match.steps() if one.actor != CHANCE)
    for seat in match.actors:
        if seat in mine and not live.ledger.has_chosen(Seat(int(seat))):
            if turn >= LENGTH:
                node.feed(acts.Resign(Seat(int(seat))))
                return
            legal = match.legal(seat)
            node.feed(acts.Play(seat, legal[(7 * turn + int(seat)) % len(legal)]))


def end_of(net: Network) -> tuple[Any, ...]:
    """Return the whole match and its end, the same at all terminals."""
    check(net, Plan(7, net.host.live.roster.setup, 2, 0, 0, 0))
    ledger = net.host.live.ledger
    return ledger.match.digest, ledger.end


def test_a_host_that_leaves_adjourns_and_all_go_on_from_their_disks() -> None:
    net = seated(table_of("kiriai"))
    net.run(net.now + 2)
    net.host.feed(events.Order.DEPART)
    net.run(net.now + 2)
    assert net.nodes[1].told(events.Left)[-1].is_closed
    for node in net.nodes:
        node.is_alive = False
        node.ends.clear()
        node.events.clear()
        net.restart(node)
    net.run(net.now + 3)
    finish(net, 30)


@pytest.mark.parametrize("who", [0, 1])
def test_whose_line_breaks_is_waited_for_and_both_find_each_other_by_themselves(who: int) -> None:
    """The table closed for the others when the host's ssh connection broke."""
    net = seated(table_of("kiriai"))
    net.run(net.now + 2)
    gone, other = net.nodes[who], net.nodes[1 - who]
    gone.feed(events.Order.VANISH)
    gone.is_alive = False
    net.run(net.now + 5)
    assert not other.told(events.Left)
    assert other.told(events.Presence)[-1].status is events.Status.AWAY
    gone.ends.clear()
    gone.events.clear()
    net.restart(gone)
    net.run(net.now + 10)
    assert other.told(events.Presence)[-1].status is events.Status.BACK
    finish(net, 30)


def table_at(node: Node) -> LanTable:
    """Return the table that people see at a terminal."""
    table = LanTable(lambda _: None, print)
    for event in node.events:
        table.hear(event)
    return table


@pytest.mark.parametrize("who", [0, 1])
def test_who_comes_back_has_the_choice_that_waits_for_others(who: int) -> None:
    """One's plan counted, and the screen asked for it again with a full hand."""
    net = seated(table_of("kiriai"))
    net.run(net.now + 2)
    node, plan = net.nodes[who], Step("approach,stance")
    node.feed(acts.Play(Seat(who), plan))
    net.run(net.now + 1)
    node.events.clear()
    net.restart_all(node)
    table, other = table_at(node), table_at(net.nodes[1 - who])
    assert table.chosen == {Seat(who): plan}
    assert table.foreseen(table.match).number == table.match.number + 1
    assert table.acting is None
    assert set(other.chosen) == {Seat(who)}
    assert other.chosen[Seat(who)] != plan
    net.restart_all(net.nodes[1 - who])
    assert set(table_at(net.nodes[1 - who]).chosen) == {Seat(who)}


def test_who_comes_back_has_the_choice_that_the_host_does_not_know_yet() -> None:
    net = seated(table_of("kiriai"))
    net.run(net.now + 2)
    bob, plan = net.nodes[1], Step("approach,stance")
    net.kill(net.host)
    bob.feed(acts.Play(Seat(1), plan))
    bob.events.clear()
    net.restart_all(bob)
    table = table_at(bob)
    assert table.is_sending
    assert table.acting is None
    net.restart_all(net.host)
    table = table_at(bob)
    assert table.chosen == {Seat(1): plan}
    assert not table.is_sending


# --- What people agree on ---------------------------------------------------------------------


def test_a_step_is_taken_back_when_all_agree() -> None:
    net = seated(small())
    net.goes_on(3)
    agreed(net, posts.BACK, 1)
    for node in net.nodes:
        assert node.live.ledger.match.number == 1
        assert node.told(events.MatchChanged)[-1].played is None
        assert node.told(events.OfferGone)[-1].answer is events.Answered.AGREED


def test_a_choice_that_waits_for_the_host_is_forgotten_when_steps_are_taken_back() -> None:
    """It was made in a position that is no more, though its number may come to fit another."""
    net = seated(small())
    bob = net.nodes[1]
    net.steps(2)
    assert net.mover is bob
    seat, legal = Seat(1), bob.live.ledger.match.legal(Seat(1))
    net.host.feed(acts.Offer(posts.BACK, 1))
    net.run(net.now + 1)
    net.told = lambda node, event: again(net.host, node, event)

    def again(ada: Node, node: Node, event: events.Event) -> None:
        """Play at once where a step of ada was taken back, before bob can have heard of it."""
        if node is ada and isinstance(event, events.MatchChanged) and event.played is None:
            net.after(0.0, lambda: ada.feed(acts.Play(Seat(0), event.match.legal(Seat(0))[1])))

    bob.feed(acts.Answer(True))
    bob.feed(acts.Play(seat, legal[0]))  # waits until the host has heard the answer
    net.run(net.now + 5)
    for node in net.nodes:
        assert node.live.ledger.match.number == 2
        assert not node.told(events.NotDone)
    bob.feed(acts.Play(seat, bob.live.ledger.match.legal(seat)[-1]))
    net.run(net.now + 1)
    assert {node.live.ledger.match.number for node in net.nodes} == {3}


def test_all_hear_who_agrees_to_an_offer() -> None:
    net = seated(table_of("kuzushi", 3, 3))
    net.goes_on(3)
    net.host.feed(acts.Offer(posts.DRAW))
    net.run(net.now + 1)
    net.nodes[2].feed(acts.Answer(True))
    net.run(net.now + 1)
    for node in net.nodes:
        assert [text(one) for one in node.told(events.Offered)] == [
            "ada offers a draw",
            "p2 agrees",
        ]


def test_an_offer_can_be_refused() -> None:
    net = seated(small())
    net.host.feed(acts.Offer(posts.DRAW))
    net.run(net.now + 1)
    net.nodes[1].feed(acts.Answer(False))
    net.run(net.now + 1)
    for node in net.nodes:
        assert node.told(events.OfferGone)[-1].answer is events.Answered.DECLINED
        assert not node.is_over


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

    def vain(s: Session, *more: Any) -> tuple[Setup, Series]:
        setup, series = honest(s, *more)
        return setup, replace(series, won=(5, 0)) if s.is_host else series

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


def test_the_clock_of_who_thinks_runs_and_not_while_the_line_is_away() -> None:
    net = opened(seed=2, clock=(30, 5, 60))
    node = with_bob(net)  # seat 1 begins at Kuzushi
    net.begins(2)
    assert net.mover is node
    net.kill(net.host)
    net.run(40)
    net.restart(net.host)
    net.run(45)
    net.step(node)
    left = net.host.live.ledger.time.left[1]
    assert 35_000 - 12_000 < left < 35_000
    net.run(net.now + 40)
    for one in net.nodes:
        assert one.live.ledger.end == End("time", (0,))
        assert one.told(events.Ended)


# --- Hostile messages -------------------------------------------------------------------------

BEFORE = [seated(small()), seated(table_of("kitsune", watchers=1)), opened()]


@given(st.integers(0, 2), st.integers(0, 2), st.lists(SEALED, min_size=1, max_size=4))
def test_no_messages_whatever_make_a_session_raise(
    which: int, who: int, messages: list[messages.Message]
) -> None:
    nodes = BEFORE[which].nodes
    node = nodes[who % len(nodes)]
    s = node.session
    for message in messages:
        live_links = [one for one in s.links if one.opener is not None]
        if not live_links:
            break
        r = session.Reaction(s, node.net.now, [])
        session._message(r, live_links[0], message)
        s = r.s
    assert node.session is not s or not s.links or messages


@given(st.integers(0, 1), st.integers(0, 1), st.binary(min_size=1, max_size=200))
def test_bytes_that_were_not_sealed_only_break_the_line(which: int, who: int, data: bytes) -> None:
    net = seated(small()) if which == 0 else seated(table_of("kiriai"))
    node = net.nodes[who]
    number = node.session.links[0].number
    node.feed(events.Heard(number, len(data).to_bytes(2, "big") + data))
    if len(data) > 16:
        assert node.session.link(number) is None
    net.run(net.now + 2)
    assert all(n.session.live is not None and not n.session.is_closed for n in net.nodes)
    assert [len(n.session.links) for n in net.nodes] == [1, 1] or len(data) <= 16


@pytest.mark.slow
def test_matches_with_real_cryptography() -> None:
    for seed in range(1000, 1008):
        plan = plan_of(seed)
        check(played(plan, {}), plan)


@pytest.mark.long
def test_1000_matches_with_real_cryptography() -> None:
    for seed in range(2000, 3000):
        plan = plan_of(seed)
        check(played(plan, {}), plan)


@pytest.mark.long
@pytest.mark.parametrize("hundredth", range(100))
def test_19000_matches_with_the_toy_group(hundredth: int) -> None:
    for seed in range(3000 + hundredth, 22_000, 100):
        plan = plan_of(seed)
        check(played(plan, TOYS), plan)


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
