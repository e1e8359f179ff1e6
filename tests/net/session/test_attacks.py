"""Attacks and races at a LAN table by those who are let in: joiners, watchers, the host."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from kumite.core import table as acts
from kumite.core.errors import LocalError
from kumite.core.game import CHANCE, SPECTATOR, Seat, Setup, Step
from kumite.core.games import GAMES
from kumite.net.crypto import boxes, keys
from kumite.net.replica import apply, due
from kumite.net.replica.ledger import Foul
from kumite.net.replica.records import Own, Secret
from kumite.net.session import clocks, events, joining, lobby, playing, replication, session
from kumite.net.session.events import Send
from kumite.net.session.state import Reaction
from kumite.net.transport import journal
from kumite.net.wire import fields, messages, posts
from kumite.tui.play.network_words import text
from tests.support.bad_points import BAD_POINTS
from tests.support.lan_tables import agreed, finish, opened, seated, small, table_of, with_bob
from tests.support.ledger_round import Round
from tests.support.simulation import Network
from tests.support.toy_group import TOY
from tests.support.variants import variants


def sends_instead(
    monkeypatch: pytest.MonkeyPatch, change: Callable[[messages.Message], messages.Message]
) -> None:
    """Let joiners and hosts send other messages than honest ones would."""
    original = Reaction.send

    def send(self: Reaction, number: int, message: messages.Message) -> None:
        original(self, number, change(message))

    monkeypatch.setattr(Reaction, "send", send)


def test_a_host_whose_names_do_not_fit_its_seats_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    def change(message: messages.Message) -> messages.Message:
        return replace(message, names=()) if isinstance(message, messages.There) else message

    sends_instead(monkeypatch, change)
    net = opened(Setup.of(GAMES["kuzushi"], 3), 1)
    net.host.start()
    net.join("bob")
    net.run(net.now + 1)
    stopped = net.nodes[1].told(events.Stopped)[-1]
    assert stopped.text == "the host's names do not fit its table"


# --- Who only looks on ------------------------------------------------------------------------


@pytest.mark.parametrize("entered", [0, 999])
def test_who_has_not_sat_down_cannot_say_to_be_back(
    monkeypatch: pytest.MonkeyPatch, entered: int
) -> None:
    net = seated(small())
    net.step()
    here = messages.Here("0" * 16, 1, entered, b"\1" * 16, bytes(32))
    sends_instead(monkeypatch, lambda one: here if isinstance(one, messages.Watch) else one)
    net.join("eve", what=messages.WATCH)
    net.run(net.now + 2)
    assert not net.host.session.is_closed
    net.step()
    assert net.host.live.ledger.match.number == 2


def test_a_watcher_that_says_to_be_ahead_ends_no_match(monkeypatch: pytest.MonkeyPatch) -> None:
    net = seated(table_of("kuzushi", watchers=1))
    net.step()
    eve = net.nodes[2]

    def ahead(one: messages.Message) -> messages.Message:
        return replace(one, entered=999) if isinstance(one, messages.Here) else one

    sends_instead(monkeypatch, ahead)
    eve.ends[eve.session.line.main].cut()
    net.run(net.now + 2)
    assert not net.host.session.is_closed
    net.goes_on()


def test_a_watcher_that_differs_and_is_silent_holds_nobody_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    net = seated(table_of("kuzushi", watchers=1))
    monkeypatch.setattr(replication, "answer_position", lambda *_: None)
    net.nodes[2].says(messages.Ack(0, b"\1" * 16))
    net.run(net.now + 1)
    net.goes_on(3)


def test_watchers_that_come_and_go_do_not_fill_the_lobby() -> None:
    net = opened()
    for number in range(70):
        node = net.join(f"w{number}", what=messages.WATCH)
        net.run(net.now + 0.2)
        net.kill(node)
    bob = net.join("bob")
    net.run(net.now + 2)
    assert bob.told(events.Lobby)
    assert not net.host.session.is_closed
    assert len(net.host.session.places) < messages.MAX_GUESTS


# --- Keys, bound before they are shown --------------------------------------------------------


def three(net_seed: int = 1) -> Network:
    """Return a lobby of three terminals, all ready."""
    net = Network(net_seed)
    net.open(events.HostSetup(Setup.of(GAMES["kuzushi"], 3), ("ada",), frozenset({Seat(0)})))
    for name in ("bob", "cy"):
        net.join(name).feed(events.SetReady())
    net.run(5)
    return net


def link_to(net: Network, name: str) -> int:
    """Return the number of the host's connection to somebody in the lobby."""
    (place,) = (one for one in net.host.session.places if one.name == name)
    link = net.host.session.link_of(place.ticket)
    return link.number


def keys_of(net: Network, name: str) -> tuple[bytes, bytes]:
    """Return the public keys of somebody in the lobby."""
    (node,) = (one for one in net.nodes if one.name == name)
    return boxes.public_keys(node.session.credentials.seed)


def test_no_match_begins_before_the_keys_are_bound() -> None:
    """Else a host could try keys in the place of others' until the three words fit."""
    net = three()
    bob = net.nodes[1]
    places = tuple(replace(one, keys=keys_of(net, one.name)) for one in net.host.session.places)
    host = replace(net.host.session.hosting, places=places)
    net.host.session = replace(net.host.session, side=host)
    net.host.does(lobby._begin_if_all)
    net.run(net.now + 2)
    assert bob.session.live is None
    assert bob.told(events.Stopped)


def test_the_three_words_come_from_nothing_that_is_chosen_after_the_keys_are_shown() -> None:
    """Else a host could try names until they fit, with other keys in the place of ours."""
    said = set()
    for name in ("ada", "eve"):
        net = three()
        net.host.session = replace(net.host.session, name=name)
        net.begins()
        assert net.nodes[1].live.roster.terminals[0].name == name
        said |= {node.told(events.MatchBegan)[0].words for node in net.nodes}
    assert len(said) == 1
    other = three(2)
    other.begins()
    assert other.host.told(events.MatchBegan)[0].words not in said


def test_keys_once_shown_are_never_bound_to_others() -> None:
    """Who has seen all keys must not bind anybody to another choice of them."""
    net = three()
    bob = net.nodes[1]
    ours = keys.binding(keys_of(net, "bob"))
    for first in (b"\0", b"\1"):
        assert not bob.session.is_closed
        net.host.says(messages.Bound((first * 32, ours)), link_to(net, "bob"))
        net.run(net.now + 1)
    assert bob.session.is_closed
    assert bob.told(events.Stopped)


@pytest.mark.parametrize("bad", ["small 0, encoding 0", "small 1, encoding 0", "mixed 3"])
@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("who", [0, 1])
def test_no_match_begins_with_a_key_that_is_no_point_of_the_group(
    monkeypatch: pytest.MonkeyPatch, who: int, place: int, bad: str
) -> None:
    net = three()
    cheat, original = net.nodes[who].session.credentials, boxes.public_keys

    def public_keys(seed: bytes) -> tuple[bytes, bytes]:
        made = [*original(seed)]
        if seed == cheat.seed:
            made[place] = BAD_POINTS[bad]
        return made[0], made[1]

    monkeypatch.setattr(boxes, "public_keys", public_keys)
    if who:  # says anew to which keys it is bound
        net.nodes[who].does(joining.introduce)
        net.nodes[who].feed(events.SetReady())
    net.run(net.now + 2)
    net.begins()
    assert all(node.session.live is None for node in net.nodes if node is not net.nodes[who])


def test_a_match_that_begins_before_the_invitation_to_it_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begin = messages.Begin(1, seated(small()).host.live.roster.packed())
    sends_instead(monkeypatch, lambda one: begin if isinstance(one, messages.Invite) else one)
    net = opened()
    bob = net.join("bob")
    net.run(2)
    assert bob.stop[0] == "bad-setup"


def test_a_host_cannot_begin_over_and_over_until_the_words_fit() -> None:
    net = three()
    seen: set[tuple[bytes, bytes]] = set()
    while not any(node.session.is_closed for node in net.nodes[1:]):
        net.host.does(lobby.start)
        while net.host.session.hosting.is_beginning and not (shown := keys_shown(net)):
            net.run(net.queue[0][0])
            if any(node.session.is_closed for node in net.nodes[1:]):
                break
        seen |= shown
        net.host.does(lobby.begin_anew)
        net.run(net.now + 1)
        assert len(seen) <= 2 * joining.MAX_SHOWN


def keys_shown(net: Network) -> set[tuple[bytes, bytes]]:
    return {one.keys for one in net.host.session.places if one.keys}


def test_a_host_begins_no_other_match_than_it_has_offered() -> None:
    net = three()
    host = net.host.session.hosting
    other = replace(host, table=replace(host.table, clock=(1, 0, 60)))
    net.host.session = replace(net.host.session, side=other)
    net.begins()
    for node in net.nodes[1:]:
        assert node.session.live is None
        assert node.told(events.Stopped)[-1].code == "bad-setup"


@pytest.mark.parametrize("who", [1, 2])
def test_a_line_that_breaks_while_keys_are_shown_keeps_no_table_from_beginning(who: int) -> None:
    net = three()
    node = net.nodes[who]
    line = node.ends[node.session.line.main]
    at = next(number for number, one in net.host.ends.items() if one is line)
    line.is_cut = True
    net.host.feed(events.Order.START)
    line.gone(node, node.session.line.main)  # the host does not notice: no end of it comes through
    net.run(net.now + 3)
    assert net.host.ends.get(at) is not line
    net.begins()
    assert all(one.session.live is not None for one in net.nodes)
    assert all(one.live.roster == net.host.live.roster for one in net.nodes)


def test_who_looks_on_and_leaves_keeps_no_table_from_beginning() -> None:
    net = three()
    eve = net.join("eve", what=messages.WATCH)
    net.run(net.now + 1)
    net.host.feed(events.Order.START)
    eve.feed(events.Order.DEPART)
    net.kill(eve)
    net.nodes.remove(eve)
    net.run(net.now + 5)
    assert all(one.session.live is not None for one in net.nodes)


def test_who_leaves_while_keys_are_shown_takes_nobody_along() -> None:
    net = three()
    bob, cy = net.nodes[1:]
    net.host.feed(events.Order.START)
    cy.feed(events.Order.DEPART)
    net.run(net.now + 5)
    assert not bob.session.is_closed
    assert net.host.told(events.Lobby)[-1].can_start
    net.begins()
    assert bob.live.roster == net.host.live.roster


# --- Races of honest terminals ----------------------------------------------------------------


def test_a_difference_that_a_restart_has_mended_holds_nobody_up() -> None:
    net = seated(small())
    net.step()
    bob = net.nodes[1]
    bob.says(messages.Ack(bob.live.ledger.posted.entered, b"\1" * 16))
    bob.patch = lambda node, effect: None if isinstance(effect, Send) else effect
    net.run(net.now + 1)
    net.kill(bob)
    bob.patch = None
    net.restart(bob)
    net.run(net.now + 2)
    net.goes_on(2)


def test_who_goes_on_with_the_match_before_leaves_this_one_alone() -> None:
    net = seated(small())
    bob = net.nodes[1]
    net.step()
    agreed(net, posts.DRAW)
    disk = bob.disk
    agreed(net, posts.AGAIN, 1)
    net.run(net.now + 5)
    assert len(bob.told(events.MatchBegan)) == 2
    net.step()
    net.kill(bob)
    now, bob.disk = bob.disk, disk
    net.restart(bob)
    net.run(net.now + 3)
    assert not net.host.session.is_closed
    assert bob.told(events.Stopped)[-1].code == "other-match"
    net.kill(bob)
    bob.events.clear()
    bob.disk = now
    net.restart(bob)
    net.run(net.now + 3)
    net.goes_on()


def test_what_is_due_is_posted_once_after_a_restart() -> None:
    """Words were on their way when the program died; its first post afterwards was another."""
    net = seated(table_of("kitsune"))
    bob = net.nodes[1]
    while not (bob.live.asked is not None and isinstance(bob.live.asked.body, posts.Shares)):
        assert net.queue
        net.run(net.queue[0][0])
    # the host hears words under the number that the keys have
    number = bob.live.asked.number
    r = Reaction(bob.session, net.now, [])
    words = replication.signed(r, posts.Say("hello"))
    assert words.number == number
    net.host.does(lambda r: replication.enter(r, words, is_checked=True))
    net.run(net.now + 5)
    assert not net.host.session.is_closed
    finish(net)


def test_a_choice_that_was_taken_back_is_not_made_again_by_a_restart() -> None:
    """Somebody plays a card face down, and takes it back before all cards are turned up."""
    net = seated(table_of("kitsune"))
    rng, hidden = Random(1), []
    while not (hidden and net.host.live.ledger.match.actors != (CHANCE,)):
        net.run(net.now + 3)
        node = net.mover
        match, me = node.live.ledger.match, node.live.me
        seat = next(one for one in match.actors if one in node.live.ledger.seats_of(me))
        legal = match.legal(seat)
        hidden = [one for one in legal if one.endswith("+shield")]
        tokens = [one for one in legal if one.startswith("take:shield")]
        node.feed(acts.Play(seat, rng.choice(hidden or tokens or legal)))
        net.run(net.now + 1)
    agreed(net, posts.BACK, match.number)
    assert net.host.live.ledger.match.number == match.number
    net.kill(node)
    net.restart(node)
    net.run(net.now + 5)
    assert node.live.ledger.match.number == match.number
    assert not node.live.wants


def test_a_clock_that_has_run_out_is_posted_once_and_not_hurried() -> None:
    net = opened(clock=(5, 0, 60))
    bob = with_bob(net)
    net.begins(2)
    assert net.mover is bob
    ((flag_at, _),) = clocks.flags_at(bob.session)
    made, effects = session.react(bob.session, events.Tick(), flag_at)
    assert any(isinstance(one, Send) for one in effects)
    due = session.deadline(made)
    assert due > flag_at  # else it would look at the clock again and again until the host answers


def test_who_differs_and_does_not_say_where_is_named_after_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    net = seated(small())
    answer = messages.Ping(1)
    sends_instead(
        monkeypatch, lambda one: answer if isinstance(one, messages.PositionCheck) else one
    )
    net.nodes[1].says(messages.Ack(0, b"\1" * 16))
    net.run(net.now + 100)
    assert not net.host.session.is_closed
    net.run(net.now + 60)
    assert net.host.stop == ("digest", {1})


def test_nothing_is_played_while_it_is_asked_what_differs(monkeypatch: pytest.MonkeyPatch) -> None:
    net = seated(table_of("kuzushi", 3, 3))
    while net.mover is net.host:
        net.step()
    player = net.mover
    (other,) = (node for node in net.nodes[1:] if node is not player)
    monkeypatch.setattr(replication, "answer_position", lambda *_: None)  # `other` does not answer
    number = net.host.live.ledger.match.number
    other.says(messages.Ack(len(net.host.live.posts), b"\1" * 16))
    net.run(net.now + 1)
    net.step(player)
    net.run(net.now + 1)
    assert player.told(events.NotDone)
    assert net.host.live.ledger.match.number == number
    assert not net.host.session.is_closed


def test_who_talks_without_end_is_not_listened_to() -> None:
    net = seated(small())
    bob = net.nodes[1]
    for number in range(100):
        bob.feed(acts.Say(f"words {number}"))
        net.run(net.now + 0.1)
    said = len(net.host.told(events.Said))
    assert 20 <= said <= 30
    assert bob.told(events.NotDone)
    net.run(net.now + 10)
    bob.feed(acts.Say("sorry"))
    net.run(net.now + 1)
    assert net.host.told(events.Said)[-1].text == "sorry"


# --- Seats of who is away ---------------------------------------------------------------------


def test_nobody_takes_the_seat_of_who_is_there() -> None:
    for who in (0, 1):
        net = seated(small())
        net.nodes[who].feed(acts.Offer(posts.SEAT, 1 - who))
        net.run(net.now + 1)
        assert net.nodes[who].told(events.NotDone)
        assert net.host.live.ledger.roster.players == (0, 1)


def test_the_host_lets_nobody_take_the_seat_of_who_is_there() -> None:
    net = seated(table_of("kuzushi", 3, 3))
    bob = net.nodes[1]
    (seat,) = net.nodes[2].live.ledger.seats_of(net.nodes[2].live.me)
    bob.does(lambda r: playing.want(r, posts.Offer(posts.SEAT, seat)))  # by a changed program
    net.run(net.now + 1)
    assert net.host.live.ledger.offer is None


def test_a_step_on_its_way_from_a_seat_that_was_taken_over_is_only_late() -> None:
    net = seated(small())
    node = net.mover
    if node is net.host:
        net.step(node)
        node = net.mover
    assert node is net.nodes[1]
    seat = min(node.live.ledger.seats_of(1))
    net.out_until = net.now + 30
    match = node.live.ledger.match
    node.feed(acts.Play(seat, match.legal(seat)[0]))
    net.lines[-1].cut()
    net.run(net.now + 29)
    net.host.feed(acts.Offer(posts.SEAT, int(seat)))
    assert net.host.live.ledger.offer is None
    assert net.host.live.ledger.roster.players == (0, 0)
    net.run(net.now + 10)
    assert not any(one.told(events.Stopped) for one in net.nodes)
    assert node.live.ledger.roster.players == (0, 0)
    for speaker in net.nodes:  # each as before, whoever plays the seat
        speaker.feed(acts.Say("hello"))
        net.run(net.now + 1)
    assert [one.seat for one in net.host.told(events.Said)] == [0, 1]


def test_who_comes_back_to_a_seat_that_was_taken_over_reads_why_they_look_on() -> None:
    net = seated(small())
    lost = net.nodes[1]
    seat = min(lost.live.ledger.seats_of(1))
    net.kill(lost)
    net.run(net.now + 30)
    net.host.feed(acts.Offer(posts.SEAT, int(seat)))
    net.restart(lost)
    net.run(net.now + 5)
    moved = lost.told(events.SeatMoved)[-1]
    assert (moved.seat, moved.seats) == (seat, SPECTATOR)
    name, host = lost.live.roster.names[seat], net.host.name
    assert text(moved) == f"A bot at {host}'s computer plays on for {name}"


def test_who_had_two_seats_reads_of_both() -> None:
    net = seated(table_of("kuzushi", 4, 2))
    lost = net.nodes[1]
    seats = sorted(lost.live.ledger.seats_of(1))
    assert len(seats) == 2
    net.kill(lost)
    net.run(net.now + 30)
    for seat in seats:
        net.host.feed(acts.Offer(posts.SEAT, int(seat)))
        net.run(net.now + 1)
    net.restart(lost)
    net.run(net.now + 5)
    before = len(lost.told(events.SeatMoved))
    net.kill(lost)
    net.run(net.now + 5)
    net.restart(lost)  # and again, when it is known from the start
    net.run(net.now + 5)
    assert [one.seat for one in lost.told(events.SeatMoved)[before:]] == seats
    assert len(net.host.told(events.SeatMoved)) == 2


# --- Offers -----------------------------------------------------------------------------------


def test_a_yes_counts_for_the_offer_that_was_seen_and_for_no_other() -> None:
    """The host withdraws what bob has said yes to, and enters another offer before that yes."""
    net = seated(small())
    net.step()
    host, bob = net.host, net.nodes[1]
    host.feed(acts.Offer(posts.BACK, 0))
    net.run(net.now + 1)
    bob.feed(acts.Answer(True))  # on its way
    host.feed(acts.Answer(False))
    host.feed(acts.Offer(posts.DRAW))
    net.run(net.now + 1)
    assert not net.host.is_over
    assert bob.told(events.NotDone)


# --- The host's order -------------------------------------------------------------------------


def test_a_host_that_shows_two_terminals_different_posts_is_found_out_by_the_next() -> None:
    """It resigns for one alone, to have its own cards opened, and plays on with the other."""
    one = Round.of(Setup.of(GAMES["kitsune"], 4), 4, TOY)
    one.work()
    other = replace(one, ledgers=list(one.ledgers))
    other.post(0, posts.Resign(Seat(0)))
    assert isinstance(due.due(other.ledgers[1]), posts.Closed)
    for author in (0, 1):
        other.post(author, other.due(author))
    assert due.due(other.ledgers[1]) is None  # nothing is opened before all have signed the end
    with pytest.raises(Foul, match="signature") as found:
        apply.enter(one.ledgers[2], other.signed(1, posts.Say("my keys are open")))
    assert found.value.terminal == 0


MADE = posts.Post(0, 1, posts.Play(1, Seat(0), Step("a1"), (), 5), 1, b"s", 5)


@pytest.mark.parametrize("where", [one for one, _ in variants(MADE) if one != ".signature"])
def test_a_host_that_shows_two_joiners_other_posts_is_found_out_by_the_next(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It signs its step twice, one field of the second is another one, and plays on with both."""
    net = seated(table_of("kuzushi", 3, 3))
    net.step()
    host, forked, original = net.host, [], Reaction.send
    alone = host.session.links[-1].number

    def send(self: Reaction, number: int, message: messages.Message) -> None:
        if self.s.is_host and number == alone and isinstance(message, messages.Entered):
            post = message.post
            if post.author == 0 and isinstance(post.body, posts.Play) and not forked:
                other, ledger = dict(variants(post))[where], self.live.ledger
                said = apply.signed_bytes(ledger, other)
                forked.append(replace(other, signature=self.live.signer.sign(said)))
                message = messages.Entered(forked[0])
        original(self, number, message)

    monkeypatch.setattr(Reaction, "send", send)
    joiners = net.nodes[1:]
    for _ in range(5):
        if not any(node.session.is_closed for node in joiners):
            net.step()
    assert forked
    found = [one for node in joiners for one in node.told(events.Stopped) if one.code == "foul"]
    assert found
    assert all(one.seats == {0} for one in found)


def test_a_post_is_signed_after_no_more_than_there_is() -> None:
    table_ = Round.of(Setup.of(GAMES["kuzushi"], 2), 2)
    early = replace(table_.signed(1, posts.Say("hello")), seen=1)
    assert table_.named(1, early, "signature") == 0
    table_.post(0, posts.Say("hello"))
    late = table_.signed(1, posts.Say("hello"))
    table_.post(0, posts.Say("and more"))
    apply.enter(table_.ledgers[0], late)  # it was on its way


def test_what_nobody_could_read_is_not_even_signed() -> None:
    """Else a table without guests would keep it, and could not be gone on with."""
    net = seated(small())
    with pytest.raises(LocalError):
        net.host.does(lambda r: replication.signed(r, posts.Say("x" * (fields.MAX_SAY + 1))))
    own = Own(Step("?"), (), ())
    with pytest.raises(LocalError):
        journal.packed(Secret(posts.Play(0, Seat(0), Step("?"), (), 0), own))
