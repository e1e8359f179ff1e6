"""The host is gone for good: another terminal carries the table on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from kumite.core import codes
from kumite.core import table as acts
from kumite.net.crypto import boxes
from kumite.net.session import events, playing, succession
from kumite.net.session.events import Calls, Effect
from kumite.net.session.state import MISSED_AFTER, Reaction
from kumite.net.wire import messages, posts
from kumite.tui.play.network_words import text
from tests.cli.test_proof import checked, saved
from tests.net.session.test_gone import SHORT, lose, table
from tests.support import gone_runs
from tests.support.lan_tables import seated, table_of
from tests.support.simulation import Network, Node, live

IN_LONG = 200


def check(number: int) -> None:
    plan = gone_runs.plan_of(number)
    net, lost = gone_runs.played(plan, is_host=True)
    gone_runs.check(net, plan, lost)


@pytest.mark.slow
@pytest.mark.parametrize("number", gone_runs.EACH_KIND)
def test_a_match_ends_without_its_host_that_is_gone_at_any_moment(number: int) -> None:
    check(number)


@pytest.mark.long
@pytest.mark.parametrize("tenth", range(10))
def test_200_matches_end_without_their_hosts(tenth: int) -> None:
    for number in range(tenth, IN_LONG, 10):
        check(number)


# --- Step by step -----------------------------------------------------------------------------


def say(net: Network, *numbers: int) -> None:
    """Let people say one after the other that the host is gone."""
    for number in numbers:
        net.nodes[number].feed(acts.Offer(posts.GONE))
        net.run(net.now + 3)


def player(net: Network, terminal: int) -> Node:
    return next(node for node in net.nodes if node.live.me == terminal)


def carried_on(terminals: int = 3, **more: Any) -> Network:
    """Return a table whose host is gone, by the word of all others."""
    net = table(terminals, **more)
    lose(net, 0)
    say(net, *range(1, terminals))
    return net


def finish(net: Network, nodes: list[Node]) -> None:
    """Let people play to the end, and check that all have the same match."""
    for node in nodes:
        live(node, Random(node.name), 10_000)
    assert net.run(net.now + 9000, lambda: all(n.is_over and n.live.is_audited for n in nodes))
    net.run(net.now + 5)
    for node in nodes:
        assert node.live.posts == nodes[0].live.posts
        assert node.live.digests == nodes[0].live.digests
        assert not node.told(events.Stopped)


def test_the_first_who_says_that_the_host_is_gone_carries_the_table_on() -> None:
    net = table(4)
    lose(net, 0)
    first, second, third = net.nodes[1:4]
    for node in (first, second, third):
        (away,) = node.told(events.Status.MISSED)
        assert text(away).startswith(
            "ada has been away for a minute. When all of you say: for good"
        )
    second.feed(acts.Offer(posts.GONE))
    net.run(net.now + 3)
    said = "p2 says that ada is gone for good, and would carry the table on"
    for node in (first, third):
        assert text(node.told(events.Offered)[-1]) == said
    assert not second.live.ledger.offer  # nothing is posted before all say so
    first.feed(acts.Answer(True))
    net.run(net.now + 3)
    assert text(second.told(events.Offered)[-1]) == "p1 says so, too"
    assert not second.live.ledger.gone
    third.feed(acts.Answer(True))
    net.run(net.now + 3)
    there = [first, second, third]
    for node in there:
        assert node.live.ledger.host == second.live.me
        assert node.live.ledger.is_gone(0)
        assert text(node.told(events.Gone)[-1]).startswith(
            "All others have said that ada is gone for good; a bot plays on for seat"
        )
    finish(net, there)


@pytest.mark.parametrize("name", ["kuzushi", "kitsune"])
@pytest.mark.parametrize("gone", ["bot", "forfeit"])
def test_it_is_played_to_the_end_or_forfeit_and_the_files_prove_it(
    name: str, gone: str, tmp_path: Path
) -> None:
    net = carried_on(name=name, gone=gone, more={})
    there = net.nodes[1:3]
    if gone == "bot":
        for node in there:
            live(node, Random(node.name), 10_000)
    assert net.run(net.now + 9000, lambda: all(node.is_over for node in there))
    net.run(net.now + 30)
    for node in there:
        status, found = checked(saved(node, tmp_path / node.name))
        assert status == 0, found
        if name == "kitsune" and gone == "bot":
            assert "audited again: all have played fair" in found


def test_a_host_that_is_back_before_all_have_said_so_goes_on_as_if_nothing_had_been() -> None:
    net = table(4)
    lose(net, 0)
    say(net, 2, 1)
    net.restart(net.host)
    net.run(net.now + 5)
    assert text(net.nodes[1].told(events.OfferGone)[-1]) == "ada is there again"
    for node in net.nodes[1:4]:
        assert node.session.succession is None
        assert not node.session.is_host
    finish(net, net.nodes[:4])
    assert not net.host.live.ledger.gone


def test_who_does_not_say_so_ends_it_and_the_host_is_looked_for_again() -> None:
    net = table(4)
    lose(net, 0)
    say(net, 1, 2)
    net.nodes[3].feed(acts.Answer(False))
    net.run(net.now + 5)
    assert text(net.nodes[1].told(events.OfferGone)[-1]) == "p3 does not agree"
    assert text(net.nodes[2].told(events.OfferGone)[-1]) == "Not all say so"
    for node in net.nodes[1:4]:
        assert node.session.succession is None
        assert not node.session.is_host
        assert not node.live.ledger.gone
    net.restart(net.host)
    net.run(net.now + 5)
    finish(net, net.nodes[:4])


def test_of_two_who_say_so_at_once_the_second_gives_way() -> None:
    net = table(4)
    lose(net, 0)
    effects: list[Effect] = []

    def patch(_: Node, effect: Effect) -> Effect:
        effects.append(effect)
        return effect

    one, two, three = (player(net, number) for number in (1, 2, 3))
    two.patch = patch
    for node in (two, one):
        node.feed(acts.Offer(posts.GONE))
    assert two.session.is_host
    net.run(net.now + 5)
    assert not two.session.is_host
    listening = (Calls.LISTEN, Calls.UNLISTEN)
    assert [one for one in effects if one in listening] == [*listening]
    three.feed(acts.Answer(True))
    net.run(net.now + 5)
    assert {node.live.ledger.host for node in (one, two, three)} == {1}
    finish(net, [one, two, three])


def test_what_the_host_had_passed_on_to_one_alone_is_not_lost() -> None:
    net = table(4)
    keeper = net.nodes[3]
    for node in net.nodes[1:3]:
        for line in node.ends.values():
            line.is_cut = True  # nothing arrives there any more
    net.host.feed(acts.Say("the last words"))
    net.run(net.now + 2)
    whole = keeper.live.posts
    lose(net, 0)
    say(net, 1, 2, 3)
    for node in net.nodes[1:4]:
        assert node.live.posts[: len(whole)] == whole
        assert "the last words" in [said.text for said in node.told(events.Said)]
    finish(net, net.nodes[1:4])


def test_what_was_on_its_way_to_the_host_is_posted_to_its_successor() -> None:
    net = table(3)
    net.kill(net.host)
    bob = net.nodes[1]
    bob.feed(acts.Say("is anybody there?"))
    net.run(net.now + MISSED_AFTER + 1)
    say(net, 1, 2)
    for node in net.nodes[1:3]:
        words = [one.body for one in node.live.posts if isinstance(one.body, posts.Say)]
        assert words == [posts.Say("is anybody there?")]
    finish(net, net.nodes[1:3])


@pytest.mark.parametrize("waiting", [1, 2])
def test_who_has_as_much_waiting_for_the_host_as_may_be_can_say_that_it_is_gone(
    waiting: int,
) -> None:
    net = table(3)
    net.kill(net.host)
    for number in range(playing.MAX_WANTS + 2):  # one of them is on its way
        net.nodes[waiting].feed(acts.Say(f"words {number}"))
    assert net.nodes[waiting].told(events.NotDone)[-1].code == codes.FLOOD
    net.run(net.now + MISSED_AFTER + 1)
    say(net, 1, 2)
    for node in net.nodes[1:3]:
        assert node.live.ledger.is_gone(0)
        words = [one.body for one in node.live.posts if isinstance(one.body, posts.Say)]
        assert len(words) == playing.MAX_WANTS + 1
    finish(net, net.nodes[1:3])


def test_who_succeeds_can_be_succeeded() -> None:
    net = carried_on(5)
    lost = player(net, net.nodes[1].live.ledger.host)
    there = [node for node in net.nodes[1:5] if node is not lost]
    net.kill(lost)
    net.run(net.now + MISSED_AFTER + 1)
    for node in there:
        node.feed(acts.Offer(posts.GONE))
        net.run(net.now + 3)
    for node in there:
        assert [one for one, _ in node.live.ledger.gone] == [0, lost.live.me]
    finish(net, there)


def test_somebody_gone_beside_the_host_is_said_with_it() -> None:
    net = table(4)
    lose(net, 0, 3)
    say(net, 1, 2)
    assert not net.nodes[1].live.ledger.gone  # the third has still to come
    net.run(net.now + MISSED_AFTER + 1)
    leader = next(node for node in net.nodes[1:3] if node.session.is_host)
    leader.feed(acts.Offer(posts.GONE))
    net.run(net.now + 3)
    other = net.nodes[2] if leader is net.nodes[1] else net.nodes[1]
    assert text(other.told(events.Offered)[-1]).startswith(
        f"{leader.name} says that ada and p3 are"
    )
    other.feed(acts.Answer(True))
    net.run(net.now + 3)
    assert sorted(one for one, _ in leader.live.ledger.gone) == sorted(
        (0, net.nodes[3].live.me or 0)
    )
    finish(net, net.nodes[1:3])


def test_one_who_was_thought_gone_too_and_comes_is_not_said_any_longer() -> None:
    net = table(4)
    lose(net, 0, 3)
    say(net, 1, 2)
    net.run(net.now + MISSED_AFTER + 1)
    leader = next(node for node in net.nodes[1:3] if node.session.is_host)
    leader.feed(acts.Offer(posts.GONE))
    net.run(net.now + 1)
    net.restart(net.nodes[3])
    net.run(net.now + MISSED_AFTER + 5)  # it misses the host for a minute, then finds the leader
    for node in net.nodes[1:4]:
        if node is not leader:
            node.feed(acts.Offer(posts.GONE))
            net.run(net.now + 2)
    assert [one for one, _ in leader.live.ledger.gone] == [0]
    finish(net, net.nodes[1:4])


@pytest.mark.slow
@pytest.mark.parametrize("who", [1, 2])
@pytest.mark.parametrize("terminals", [3, 4])
def test_any_of_them_may_die_at_any_effect_of_it_and_go_on(terminals: int, who: int) -> None:
    count = 0
    for kill_at in range(who, 150, 10):
        net = table(terminals)
        lose(net, 0)
        there, node = net.nodes[1:terminals], net.nodes[who]
        node.kill_at = node.effects + kill_at
        for one in there:
            gone_runs.say_it(one, Random(f"{kill_at} {one.name}"))
        come_back(net, node)
        net.run(net.now + 45)
        count += node.kill_at < 0
        assert net.run(net.now + 900, lambda those=there: has_moved(those)), kill_at
        assert not any(node.told(events.Stopped) for node in there)
    assert count > 4


def come_back(net: Network, node: Node) -> None:
    """Start a program anew whenever it has died, after a while."""
    if not node.is_alive:
        net.restart(node)
    net.after(40, lambda: come_back(net, node))


def has_moved(those: list[Node]) -> bool:
    """Return whether all have the same posts, and another host."""
    if not all(node.is_alive and node.live.ledger.is_gone(0) for node in those):
        return False
    return len({node.live.posts for node in those}) == 1


def test_nobodys_clock_runs_while_there_is_no_host() -> None:
    net = seated(table_of("kuzushi", 3, 3, options=SHORT, gone="bot", clock=(20, 0, 5)))
    net.run(net.now + 2)
    while net.mover is net.host:
        net.step(net.host)
    before = net.nodes[1].live.ledger.time.left
    lose(net, 0)
    say(net, 1, 2)
    for node in net.nodes[1:3]:
        assert node.live.ledger.is_gone(0)
        assert not node.told(events.Ended)
        assert node.live.ledger.time.left == before
    finish(net, net.nodes[1:3])


def test_at_a_table_that_waits_nobody_looks_for_another_host() -> None:
    net = table(gone="wait")
    lose(net, 0)
    for node in net.nodes[1:3]:
        assert succession.sought(node.session) == (0,)
        node.feed(acts.Offer(posts.GONE))
        assert not node.session.is_host


# --- Attacks ----------------------------------------------------------------------------------


def test_the_key_of_a_line_is_known_to_its_two_ends_alone() -> None:
    net = seated(table_of("kuzushi", 4, 4, gone="bot"))
    by_number = {node.live.me: node.live.ledger for node in net.nodes}
    keys = {
        (one, two): succession.line_key(by_number[one], two)
        for one in range(4)
        for two in range(4)
        if one != two
    }
    for (one, two), key in keys.items():
        assert key == keys[two, one]
    assert len(set(keys.values())) == 6
    assert boxes.line_key(3, boxes.ED25519.base_times(5), "a") == boxes.line_key(
        5, boxes.ED25519.base_times(3), "a"
    )


def test_who_only_announces_to_be_a_successor_learns_nothing_and_is_not_followed() -> None:
    """A terminal that answers in another's place has not its key."""
    net = table(4)
    lose(net, 0)
    impostor, bob = player(net, 1), player(net, 2)
    impostor.feed(acts.Offer(posts.GONE))
    wrong = tuple(replace(place, key=bytes(32)) for place in impostor.session.places)
    host = replace(impostor.session.hosting, places=wrong)
    impostor.session = replace(impostor.session, side=host)
    net.run(net.now + 10)
    assert not bob.told(events.Offered)
    assert bob.session.line.away_since is not None


@pytest.mark.parametrize("meant", [0b0010, 0b0101, 0b1000])
def test_a_successor_can_only_ask_about_the_host_and_others_than_the_asked(meant: int) -> None:
    net = table(4)
    lose(net, 0)
    leader, bob = player(net, 1), player(net, 2)
    leader.feed(acts.Offer(posts.GONE))
    net.run(net.now + 3)
    before = len(bob.told(events.Offered))
    link = bob.session.link(bob.session.line.main)
    assert not succession.is_heard(Reaction(bob.session, net.now, []), link, meant)
    assert len(bob.told(events.Offered)) == before


def test_only_who_has_come_can_answer_and_only_what_was_asked() -> None:
    net = table(4)
    lose(net, 0)
    leader = player(net, 1)
    leader.feed(acts.Offer(posts.GONE))
    net.run(net.now + 3)
    r = Reaction(leader.session, net.now, [])
    succession.answered(r, 2, messages.Agreed(0b0011, 1))
    assert r.s == leader.session
