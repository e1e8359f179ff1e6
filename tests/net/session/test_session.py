"""Tables of several terminals: codes, strangers, lobby, coming back, offers, clocks."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kumite.core import table as acts
from kumite.core.errors import BadSetup
from kumite.core.game import Seat, Setup, Step
from kumite.core.games import GAMES
from kumite.core.log import End
from kumite.net.crypto import pairing
from kumite.net.session import events, session
from kumite.net.session.events import Close, Effect, Send, Tell
from kumite.net.session.state import Stage
from kumite.net.wire import framing, messages, posts
from kumite.tui.play.lan_table import LanTable
from kumite.tui.play.network_words import reason, text, turned_away
from tests.net.wire.test_messages import SEALED
from tests.support.lan_tables import (
    agreed,
    check,
    finish,
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
    assert (stopped.code, text(stopped)) == ("begun", "The match at this table has begun")


def test_who_finds_all_seats_taken_reads_it_and_the_host_who_came() -> None:
    net = opened()
    net.join("bob")
    net.run(2)
    dan = net.join("dan")
    net.run(5)
    assert text(dan.told(events.Stopped)[0]) == "All seats of this table are taken"
    said, _ = turned_away(net.host.told(events.TurnedAway)[0])
    assert said == "dan would have liked to play: all seats are taken"


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
