"""Posts that a disk has lost come back from the others; who cannot write is told to all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from kumite.core import table as acts
from kumite.core.game import Seat
from kumite.net.replica.records import Evidence, Secret
from kumite.net.session import events, replication
from kumite.net.session.state import Reaction
from kumite.net.transport import journal
from kumite.net.wire import messages, posts
from kumite.tui.play.network_words import text
from tests.support.lan_tables import (
    check,
    come_back,
    is_finished,
    is_settled,
    plan_of,
    played,
    seated,
    table_of,
)
from tests.support.simulation import Network, Node, live


def without(node: Node, is_lost: Callable[[int, object], bool]) -> None:
    """Take records out of a terminal's file, by their number among those of their kind."""
    counts: dict[type, int] = {}
    data, places, file = journal.FORMAT, 0, journal.Kept()
    for one in node.kept:
        counts[type(one)] = counts.get(type(one), 0) + 1
        places += isinstance(one, posts.Post)
        if is_lost(counts[type(one)], one):
            continue
        data += file.add(one, places or 1)
    node.disk = data


def after_steps(steps: int, *table: int) -> Network:
    """Return a table of Kuzushi of so many seats, terminals and spectators, after some steps."""
    net = seated(table_of("kuzushi", *table))
    net.steps(steps)
    return net


def all_die(net: Network) -> None:
    for node in net.nodes:
        net.kill(node)


def lose_last(node: Node, many: int) -> None:
    count = sum(isinstance(one, posts.Post) for one in node.kept)
    without(node, lambda n, one: isinstance(one, posts.Post) and n > count - many)


def other(net: Network, node: Node) -> None:
    """Let a seat of this terminal make its last legal step, where `step` makes the first."""
    match = node.live.ledger.match
    seat = next(s for s in match.actors if s in node.live.ledger.seats_of(node.live.me))
    node.feed(acts.Play(seat, match.legal(seat)[-1]))
    net.run(net.now + 1)


def nobody_accused(net: Network) -> None:
    for node in net.nodes:
        for told_ in (*node.lives, node.events):
            for one in told_:
                assert not isinstance(one, events.Stopped), (node.name, one)
        assert not [one for one in node.kept if isinstance(one, Evidence)]


@pytest.mark.parametrize("terminals", [2, 3])
@pytest.mark.parametrize("lost", [1, 2, 5, 100])
def test_what_a_host_has_lost_its_joiners_give_back(terminals: int, lost: int) -> None:
    net = after_steps(7, terminals, terminals, 1)
    before = net.host.live.posts
    net.kill(net.host)
    lose_last(net.host, lost)
    net.restart(net.host)
    assert len(net.host.live.posts) == max(0, len(before) - lost)
    net.run(net.now + 5)
    assert net.host.live.posts == before
    net.step()
    for node in net.nodes:
        assert node.live.posts[: len(before)] == before
        assert node.live.ledger.match.number == 8
    nobody_accused(net)


def test_who_only_looks_on_gives_back_what_both_others_have_lost() -> None:
    net = after_steps(6, 2, 2, 1)
    before = net.host.live.posts
    for node in net.nodes[:2]:
        net.kill(node)
        lose_last(node, 3)
    for node in net.nodes[:2]:
        net.restart(node)
    net.run(net.now + 5)
    assert net.host.live.posts == net.nodes[1].live.posts == before
    nobody_accused(net)


def third_and_fourth(node: Node) -> None:
    without(node, lambda n, one: isinstance(one, posts.Post) and n in (3, 4))


def last_three(node: Node) -> None:
    lose_last(node, 3)


@pytest.mark.parametrize("seconds", [0, 200, 1000])
@pytest.mark.parametrize(
    ("name", "lose", "joiner_loses"),
    [
        ("kuzushi", third_and_fourth, None),  # what stands behind shows that there was more
        ("kuzushi", last_three, None),
        ("kuzushi", last_three, third_and_fourth),
        ("kitsune", last_three, None),  # where posts are due without any person
    ],
)
def test_a_host_whose_file_has_a_gap_waits_for_what_is_missing_however_long_it_takes(
    name: str,
    lose: Callable[[Node], None],
    joiner_loses: Callable[[Node], None] | None,
    seconds: float,
) -> None:
    """Else there could be two posts for one place, and the match would stop for ever."""
    net = seated(table_of(name))
    net.run(net.now + 5)
    net.steps(8 if name == "kuzushi" else 0)
    before, bob = net.host.live.posts, net.nodes[1]
    all_die(net)
    lose(net.host)
    if joiner_loses is not None:
        joiner_loses(bob)
    net.restart(net.host)
    count = len(net.host.live.posts)
    net.host.feed(acts.Say("is anybody there?"))
    net.run(net.now + seconds)
    assert len(net.host.live.posts) == count < len(before)
    net.restart(bob)
    net.run(net.now + 5)
    assert net.host.live.posts == bob.live.posts
    assert net.host.live.posts[: len(before)] == before
    assert isinstance(net.host.live.posts[len(before)].body, posts.Say)
    nobody_accused(net)


def test_a_host_that_has_filled_its_gap_waits_for_the_others_no_longer() -> None:
    net = after_steps(7, 3, 3)
    all_die(net)
    without(net.host, lambda n, one: isinstance(one, posts.Post) and n == 3)
    net.restart(net.host)
    net.restart(net.nodes[1])  # and the third never comes back
    net.run(net.now + 200)
    net.host.feed(acts.Say("shall we?"))
    net.run(net.now + 1)
    assert [len(node.live.posts) for node in net.nodes[:2]] == [8, 8]
    nobody_accused(net)


def test_one_that_dies_while_it_gives_posts_back_is_waited_for() -> None:
    given = set()
    for dies_before in range(4, 16):
        net = after_steps(8)
        before, bob = net.host.live.posts, net.nodes[1]
        all_die(net)
        lose_last(net.host, 6)
        net.restart(net.host)
        net.host.feed(acts.Say("is anybody there?"))
        bob.kill_at = bob.effects + dies_before
        net.restart(bob)
        net.run(net.now + 200)
        given.add(len(net.host.live.posts) - len(before))
        net.restart(bob)
        net.run(net.now + 5)
        assert net.host.live.posts[:-1] == before
        nobody_accused(net)
    assert {-6, -3, 1} <= given  # nothing, a part, all


@pytest.mark.parametrize("lost", [1, 3])
def test_a_host_that_goes_on_without_one_of_two_accuses_nobody_later(lost: int) -> None:
    """One has taken the only copy of a post along; others were made since: no one is to blame."""
    net = after_steps(5, 3, 3)
    all_die(net)
    for node in net.nodes[:2]:
        lose_last(node, lost)
        net.restart(node)
    net.run(net.now + replication.TOGETHER + 5)
    net.host.feed(acts.Say("is anybody there?"))
    net.run(net.now + 1)
    net.restart(net.nodes[2])
    net.run(net.now + 5)
    for node in net.nodes:
        assert node.stop == ("host-behind", frozenset())


@pytest.mark.parametrize("lost", [1, 3])
@pytest.mark.parametrize("is_there", [True, False])
def test_who_looked_on_is_told_that_others_were_made_and_blames_nobody(
    lost: int, *, is_there: bool
) -> None:
    """Both who play have lost the same posts, and one who looks on has the only copy."""
    net = after_steps(6, 2, 2, 1)
    all_die(net)
    for node in net.nodes[:2]:
        lose_last(node, lost)
        net.restart(node)
    net.run(net.now + 5)
    for _ in range(1 + lost * is_there):
        other(net, net.mover)
    looker = net.nodes[2]
    net.restart(looker)
    links = net.host.links
    net.run(net.now + 30)
    assert looker.stop == ("host-behind", frozenset())
    assert net.host.links <= links + 2  # it does not come again and again
    for node in net.nodes[:2]:
        assert not node.told(events.Stopped)
    net.step()


@pytest.mark.parametrize("is_seated", [True, False])
def test_who_says_to_have_posts_and_gives_none_holds_nobody_up_for_long(*, is_seated: bool) -> None:
    net = after_steps(1, 2, 2, 1)
    liar = net.nodes[1 if is_seated else 2]
    liar.says(messages.Ack(50, bytes(16)))
    net.run(net.now + replication.TOGETHER + 1)
    if is_seated:
        assert net.host.stop == ("unexpected", {Seat(1)})
    else:
        assert not net.host.told(events.Stopped)
        net.step()
        assert net.host.live.ledger.match.number == 2


@pytest.mark.parametrize("is_seated", [True, False])
def test_nobody_smuggles_in_a_post_that_its_author_has_not_signed(*, is_seated: bool) -> None:
    net = after_steps(1, 2, 2, 1)
    liar, before = net.nodes[1 if is_seated else 2], net.host.live.posts
    liar.says(messages.Ack(50, bytes(16)))
    net.run(net.now + 0.2)
    false = posts.Post(0, len(before) + 1, posts.Resign(Seat(0)), 0, bytes(64), 0)
    liar.says(messages.Held(false))
    net.run(net.now + 1)
    assert net.host.live.posts == before
    assert not net.host.live.ledger.is_over
    assert bool(net.host.told(events.Stopped)) is is_seated


def test_a_post_that_is_lost_in_the_middle_costs_nothing_that_is_behind_it() -> None:
    net = after_steps(6)
    before = net.host.live.posts
    net.kill(net.host)
    third = journal.packed(journal.Placed(3, before[2]))
    at = net.host.disk.index(third)
    net.host.disk = net.host.disk[: at + 9] + b"?" + net.host.disk[at + 10 :]
    bob = net.nodes[1]
    net.kill(bob)
    lose_last(bob, 3)  # so that only the host has the last ones, behind what it has lost
    net.restart(net.host)
    assert len(net.host.live.posts) == 2
    net.restart(bob)
    net.run(net.now + 5)
    assert net.host.live.posts == bob.live.posts == before
    nobody_accused(net)


@pytest.mark.parametrize("name", ["kiriai", "kitsune"])
def test_a_choice_whose_record_is_lost_comes_back_from_the_seed(name: str) -> None:
    net = seated(table_of(name, 2, 2))
    for node in net.nodes:
        live(node, Random(f"lost {node.name}"), 14)
    net.run(net.now + 3000, lambda: bool(net.nodes[1].live.ledger.secrets.own))
    for _ in range(4):
        for node in net.nodes:
            net.kill(node)
            without(node, lambda n, one: isinstance(one, Secret))
            net.restart(node)
        net.run(net.now + 4)
    assert net.run(net.now + 3000, lambda: is_finished(net))
    assert net.host.told(events.Audited)[-1].verdict.is_sound
    nobody_accused(net)


# --- A full disk ------------------------------------------------------------------------------


def all_go_on(net: Network) -> None:
    """Let all start their programs anew where they stopped, and play to the end."""
    for node in net.nodes:
        come_back(node, Random(node.name))
        live(node, Random(node.name), 20)
    assert net.run(net.now + 3000, lambda: is_settled(net))
    assert not [one for node in net.nodes for one in node.kept if isinstance(one, Evidence)]


@pytest.mark.parametrize("who", [0, 1])
def test_the_others_read_that_a_disk_is_full_and_all_go_on_when_it_is_not(who: int) -> None:
    net = after_steps(1, 3, 3, 1)
    node, name = net.nodes[who], ("ada", "p1")[who]
    node.full_until = net.now + 30
    net.step()
    assert node.stop[0] == "disk-full"
    said = f"The disk of {name} is full; the match is kept up to here"
    for other in net.nodes:
        if other is node:
            continue
        if who:  # they wait for it, and the table stays
            assert [text(one) for one in other.told(events.Left)] == [said]
            assert not other.session.is_closed
        else:
            (stopped,) = other.told(events.Stopped)
            assert (stopped.code, text(stopped), stopped.seats) == ("disk-full", said, frozenset())
    all_go_on(net)


@pytest.mark.parametrize("who", [0, 1])
def test_a_full_disk_that_has_also_lost_posts_is_told_and_accused_of_nothing(who: int) -> None:
    """What it says of itself is signed with fewer posts than it has once made."""
    net = after_steps(7, 3, 3, 1)
    node = net.nodes[who]
    net.kill(node)
    lose_last(node, 5)
    node.full_until = net.now + 30
    net.restart(node)
    net.run(net.now + 10)
    assert node.told(events.Stopped)[0].code == "disk-full"
    for other_ in net.nodes:
        for stopped in other_.told(events.Stopped):
            assert (stopped.code, stopped.seats) == ("disk-full", frozenset()), other_.name
    all_go_on(net)


def test_a_terminal_that_cannot_take_part_any_more_is_not_called_a_cheat() -> None:
    net = after_steps(1, 3, 3)
    net.nodes[1].says(messages.Decline("bad-setup"))
    net.run(net.now + 1)
    for node in (net.host, net.nodes[2]):
        assert not node.told(events.Stopped)
    assert text(net.host.told(events.Left)[0]) == "p1 cannot come back into this match"


@pytest.mark.slow
@pytest.mark.parametrize("tenth", range(5))
def test_matches_on_bad_disks_end_the_same_for_all(tenth: int) -> None:
    for seed in range(30_000 + tenth, 30_020, 5):
        plan = replace(plan_of(seed), faults=5)
        check(played(plan), plan)


def test_what_was_signed_already_is_posted_again_as_it_was() -> None:
    """Signed anew it would say a later time: two posts by one author for one place."""
    net = seated(table_of("kuzushi", 2, 2))
    bob = net.nodes[1]
    early = replication.signed(Reaction(bob.session, net.now, []), posts.Say("hello"))
    net.run(net.now + 5)
    r = Reaction(bob.session, net.now, [])
    r.play(later={len(r.live.posts) + 2: early})
    assert replication._next(r) == early


def is_play(post: posts.Post) -> bool:
    return isinstance(post.body, posts.Play)


@pytest.mark.parametrize("lost", [1, 2, 3])
@pytest.mark.parametrize("name", ["kitsune", "kiriai", "kuzushi"])
def test_who_has_lost_the_same_post_says_the_same_again_and_nothing_in_its_stead(
    name: str, lost: int
) -> None:
    """What stood behind it is theirs already: another post of that number would be a second one."""
    net = seated(table_of(name, 2, 2))
    net.run(net.now + 5)
    for _ in range(4):
        if {0, 1} & set(net.host.live.ledger.match.actors):
            net.step()
    before = net.host.live.posts
    for node in net.nodes:
        net.kill(node)
        without(node, lambda n, one: isinstance(one, posts.Post) and n == lost)
    for node in (net.nodes[1], net.host):
        net.restart(node)
        node.feed(acts.Say("is anybody there?"))
        net.run(net.now + 0.1)
    net.run(net.now + 15)
    other = next(node for node in net.nodes if node.live.me != before[lost - 1].author)
    known, again = (
        [post.body for post in those if post.author == other.live.me and is_play(post)]
        for those in (before, other.live.posts)
    )
    assert again[: len(known)] == known[: len(again)]
    for node in net.nodes:
        live(node, Random(node.name), 10_000)
    assert net.run(net.now + 5000, lambda: all(node.is_over for node in net.nodes))
    net.run(net.now + 5)
    assert net.nodes[1].live.posts == net.host.live.posts
    nobody_accused(net)


def test_a_host_who_came_back_alone_reads_why_nothing_happens() -> None:
    net = after_steps(4, 2, 2, 0)
    all_die(net)
    net.restart(net.host)
    net.run(net.now + 90)
    before = len(net.host.events)
    net.host.feed(acts.Say("hello"))
    net.host.feed(acts.Offer(posts.SEAT, 1))
    said, refused = net.host.events[before:]
    assert said == events.Said("hello", Seat(0), net.host.name, is_ours=True, is_unsent=True)
    assert isinstance(refused, events.NotDone)
    assert "nobody else is back yet" in text(refused)
    net.restart(net.nodes[1])
    net.run(net.now + 20)
    assert events.Said("hello", Seat(0)) in net.nodes[1].events
