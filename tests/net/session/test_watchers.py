"""Those who look on: the table knows of them, and they cannot slow it down."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from kumite.core import table as acts
from kumite.core.game import Setup
from kumite.core.games import GAMES
from kumite.net.session import events, handshake, lobby
from kumite.net.wire import messages, posts
from kumite.tui.play.network_words import reason
from tests.support.lan_tables import agreed, opened, seated, small, table_of

if TYPE_CHECKING:
    from tests.support.simulation import Network, Node

WRONG = b"\7" * 16
A_SECOND = 40  # wrong acknowledgements


def say(node: Node, *said: messages.Message) -> None:
    """Let a program that is not ours send these messages."""
    node.does(lambda r: [r.send(node.session.line.main, one) for one in said])


def looked_at(steps: int) -> Network:
    """A table at which somebody looks on, after so many steps."""
    net = seated(table_of("kitsu", watchers=1))
    net.steps(steps)
    return net


def seconds(net: Network) -> float:
    """How long a second of the table takes, all its terminals together."""
    began = time.process_time()
    net.run(net.now + 1)
    return time.process_time() - began


def test_wrong_acknowledgements_are_talked_about_once_and_cost_the_table_nothing() -> None:
    net = looked_at(60)
    watcher, count = net.nodes[-1], len(net.host.live.posts)
    quiet = min(seconds(net) for _ in range(3))
    say(watcher, messages.Ack(count, WRONG))
    net.run(net.now + 1)
    (desync,) = watcher.told(events.Desync)
    assert desync.number == net.host.live.matches[count].number
    assert net.host.live.desync is None  # the table does not wait for those who look on
    for _ in range(3):  # it is let go, comes back, and does it again
        for number in range(A_SECOND):
            say(watcher, messages.Ack(count - number % 3, WRONG))
        assert seconds(net) < quiet + 0.2, "the match was added up anew 40 times: 4 s"
    assert len(watcher.told(events.Desync)) <= 3
    net.goes_on()


def test_who_looks_on_and_talks_too_much_is_let_go() -> None:
    net = looked_at(4)
    watcher, at_once = net.nodes[-1], handshake.PACES[messages.WATCH].at_once
    say(watcher, *map(messages.Ping, range(at_once // 2)))
    net.run(net.now + 1)
    assert watcher.told(events.Status.AWAY) == []
    say(watcher, *map(messages.Ping, range(2 * at_once)))
    net.run(net.now + 1)
    assert watcher.told(events.Status.AWAY)
    assert [node.told(events.Status.AWAY) for node in net.nodes[:2]] == [[], []]
    net.goes_on()


def test_all_are_told_who_looks_on() -> None:
    net = seated(small())
    assert all(not node.told(events.Watching) for node in net.nodes)
    eve = net.join("eve", what=messages.WATCH)
    net.run(net.now + 2)
    for node in net.nodes:
        assert node.told(events.Watching) == [events.Watching(("eve",))]
    net.kill(eve)
    net.run(net.now + 2)
    for node in net.nodes[:2]:
        assert node.told(events.Watching)[-1] == events.Watching(())
    frank = net.join("frank", what=messages.WATCH)
    net.run(net.now + 2)
    net.lines[1].cut()
    net.run(net.now + 4)
    assert frank.told(events.Watching)[-1] == events.Watching(("frank",))


def test_who_comes_or_comes_back_after_a_match_was_given_up_hears_of_its_end() -> None:
    """They saw a position in which somebody was still to move."""
    net = looked_at(4)
    net.host.feed(acts.Resign(min(net.host.live.seats_of(0))))
    net.run(net.now + 2)
    (ended,) = net.nodes[1].told(events.Ended)
    frank = net.join("frank", what=messages.WATCH)
    net.restart_all(net.nodes[1])
    net.run(net.now + 5)
    assert frank.told(events.Ended) == [ended]
    assert net.nodes[1].told(events.Ended) == [ended] * 2  # before the restart, and after it


def test_all_hear_who_looks_on_in_its_pace_and_no_log_keeps_it() -> None:
    net = seated(small())
    eve, frank = (net.join(name, what=messages.WATCH) for name in ("eve", "frank"))
    net.run(net.now + 2)
    frank.feed(acts.Say("well\x1b[2J played"))
    net.run(net.now + 1)
    for node in net.nodes:
        (heard,) = node.told(events.Said)
        assert (heard.seat, heard.name, heard.is_ours) == (None, "frank", node is frank)
        assert "\x1b" not in heard.text
    for number in range(50):
        eve.feed(acts.Say(f"{number}"))
    net.run(net.now + 1)
    at_once = handshake.PACES[handshake.TALKING].at_once
    assert 1 < len(net.host.told(events.Said)) <= at_once + 2
    assert not any(isinstance(one.body, posts.Say) for one in net.host.live.posts)
    net.goes_on()


def test_no_player_talks_as_one_who_looks_on_and_no_host_for_somebody_who_is_not_there() -> None:
    net = looked_at(4)
    say(net.nodes[1], messages.Say(0, "I only look on"))
    net.run(net.now + 1)
    assert net.host.told(events.Said) == []
    net = looked_at(4)
    net.host.does(lambda r: [r.send_all(messages.Say(7, "somebody says"))])
    net.run(net.now + 1)
    assert all(node.told(events.Said) == [] for node in net.nodes)


def test_a_host_that_was_killed_knows_by_name_who_looks_on() -> None:
    """Who looked on was `somebody` from then on, on their own screen as well."""
    net = seated(small())
    net.join("eve", what=messages.WATCH)
    net.run(net.now + 2)
    host = net.host
    net.restart_all(host)
    net.run(net.now + 5)
    for node in net.nodes:
        assert node.told(events.Watching)[-1] == events.Watching(("eve",))


def test_no_more_look_on_than_the_table_can_bear_and_a_player_still_comes_back() -> None:
    net = seated(small())
    many = [net.join(f"w{at}", what=messages.WATCH) for at in range(lobby.MAX_WATCHERS + 3)]
    net.run(net.now + 5)
    refused = [one for node in many for one in node.told(events.Stopped)]
    assert [one.code for one in refused] == ["crowded"] * 3
    net.lines[0].cut()
    net.run(net.now + 3)
    assert net.host.live.presence == (0, 0)
    assert net.host.told(events.Status.BACK)


def test_who_talks_too_much_in_the_lobby_is_let_go_and_the_others_stay() -> None:
    net = opened(Setup.of(GAMES["kuzushi"], 3))
    net.host.start()
    eve, bob = net.join("eve"), net.join("bob")
    net.run(2)
    before = len(bob.told(events.Lobby))
    say(eve, *(messages.Ready(number % 2) for number in range(1000)))
    net.run(net.now + 0.5)
    assert len(bob.told(events.Lobby)) - before < 80
    net.run(net.now + 1)
    assert "bob" in [one.name for one in net.host.session.places]


@pytest.mark.parametrize("is_killed", [True, False])
def test_who_looks_on_and_misses_the_beginning_of_a_rematch_looks_on_at_that(
    is_killed: bool,
) -> None:
    net = seated(table_of("kuzushi", watchers=1))
    watcher = net.nodes[-1]
    agreed(net, posts.DRAW)
    net.run(net.now + 5)
    old = net.host.live.roster.match_id
    if is_killed:
        net.kill(watcher)
    else:
        watcher.asleep_until = net.now + 40
    agreed(net, posts.AGAIN, 1)
    net.run(net.now + 20)
    assert net.host.live.roster.match_id != old
    net.step()
    if is_killed:
        net.restart(watcher)
    net.run(net.now + 60)
    assert watcher.told(events.Stopped) == []
    assert watcher.live.digests == net.host.live.digests
    net.goes_on()
    assert watcher.live.digests == net.host.live.digests


@pytest.mark.parametrize("is_quiet", [False, True])
def test_talk_while_the_host_is_away_is_shown_at_once_and_sent_when_it_is_back(
    is_quiet: bool,
) -> None:
    net = looked_at(2)
    bob, eve = net.nodes[1], net.nodes[-1]
    bob.feed(acts.Say("hello"))
    net.run(net.now + 1)
    assert [one.is_unsent for one in bob.told(events.Said)] == [False]
    if is_quiet:  # the connection does not break
        net.out_until = net.now + 8
    else:
        net.kill(net.host)
    net.run(net.now + 6)
    bob.feed(acts.Say("are you there?"))
    eve.feed(acts.Say("where is she?"))
    for node, seat in ((bob, 1), (eve, None)):
        said = node.told(events.Said)[-1]
        assert (said.is_unsent, said.is_ours, said.seat) == (True, True, seat)
    if not is_quiet:
        net.restart(net.host)
    net.run(net.now + 8)
    assert "are you there?" in [one.text for one in net.host.told(events.Said)]
    assert [one.text for one in bob.told(events.Said) if not one.is_unsent][1] == "are you there?"


def test_a_spectator_leaves_a_table_that_is_gone_and_waits_for_one_that_comes_back() -> None:
    net = looked_at(2)
    bob, eve = net.nodes[1], net.nodes[-1]
    net.kill(net.host)
    net.run(net.now + 150)
    net.restart(net.host)
    net.run(net.now + 5)
    assert not eve.told(events.Stopped)
    net.goes_on()
    net.kill(net.host)
    net.run(net.now + 610)
    (stopped,) = eve.told(events.Stopped)
    assert reason(stopped)[0] == "The table has not answered for ten minutes"
    assert eve.session.is_closed
    assert not bob.session.is_closed, "a player waits as long as it takes"


@pytest.mark.parametrize("is_quiet", [False, True])
def test_talk_just_before_the_host_is_found_to_be_away_is_shown_then(is_quiet: bool) -> None:
    net = looked_at(2)
    bob = net.nodes[1]
    if is_quiet:
        net.out_until = net.now + 20
    else:
        net.lines[0].is_cut = True  # nobody has noticed it
        net.out_until = net.now + 20
    bob.feed(acts.Say("are you there?"))
    bob.feed(acts.Say("hello?"))
    assert not bob.told(events.Said)
    if not is_quiet:
        net.after(1, lambda: net.lines[0].gone(bob, net.lines[0].ends[0][1]))
    net.run(net.now + 4)
    bob.feed(acts.Say("later"))
    net.run(net.now + 14)  # first it is silent, then quiet
    said = bob.told(events.Said)
    assert [one.text for one in said] == ["are you there?", "hello?", "later"]
    assert all(one.is_unsent and one.is_ours and one.seat == 1 for one in said)
    net.run(net.now + 15)
    heard = [one.text for one in net.host.told(events.Said)]
    assert heard == ["are you there?", "hello?", "later"]
