"""A terminal that is gone for good: the others say so, and finish without it."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from kumite.core import table as acts
from kumite.core.game import SPECTATOR, Seat
from kumite.net.crypto import boxes, key_shares
from kumite.net.replica import absent, due
from kumite.net.replica.records import Evidence
from kumite.net.session import events, session
from kumite.net.session.state import MISSED_AFTER
from kumite.net.wire import messages, posts
from kumite.tui.play.network_words import text
from tests.cli.test_proof import checked, saved
from tests.support import gone_runs
from tests.support.lan_tables import seated, table_of
from tests.support.simulation import Network, live

IN_LONG = 200
SHORT = {"board": "small"}


def check(number: int) -> None:
    plan = gone_runs.plan_of(number)
    net, lost = gone_runs.played(plan)
    gone_runs.check(net, plan, lost)


@pytest.mark.slow
@pytest.mark.parametrize("number", gone_runs.EACH_KIND)
def test_a_match_ends_without_one_that_is_gone_at_any_moment(number: int) -> None:
    check(number)


@pytest.mark.long
@pytest.mark.parametrize("tenth", range(10))
def test_200_matches_end_without_one_that_is_gone(tenth: int) -> None:
    for number in range(tenth, IN_LONG, 10):
        check(number)


# --- Step by step -----------------------------------------------------------------------------


def table(terminals: int = 3, gone: str = "bot", name: str = "kuzushi", **more: Any) -> Network:
    """Return a table after two steps, at which somebody looks on."""
    net = seated(
        table_of(name, 4 if name == "kitsune" else terminals, terminals, 1, gone=gone), **more
    )
    for _ in range(2):
        net.run(net.now + 3)
        net.step()
    return net


def lose(net: Network, *numbers: int) -> None:
    """Let terminals go, and a minute pass."""
    for number in numbers:
        net.kill(net.nodes[number])
    net.run(net.now + MISSED_AFTER + 1)


def say_gone(net: Network, *there: int) -> None:
    """Let those who are there say that the others are gone."""
    first, *others = (net.nodes[number] for number in there)
    first.feed(acts.Offer(posts.GONE))
    net.run(net.now + 1)
    for node in others:
        node.feed(acts.Answer(True))
    net.run(net.now + 2)


def test_people_are_told_who_has_been_away_for_a_minute_and_what_they_can_do() -> None:
    net = table()
    lost = net.nodes[1]
    net.kill(lost)
    net.run(net.now + MISSED_AFTER - 5)
    for node in (net.host, net.nodes[2]):
        assert not node.told(events.Status.MISSED)
        node.feed(acts.Offer(posts.GONE))
        assert text(node.told(events.NotDone)[-1]) == "nobody has been away for so long"
    net.run(net.now + 10)
    for node in (net.host, net.nodes[2]):
        (away,) = node.told(events.Status.MISSED)
        assert away.seats == net.host.live.seats_of(lost.live.me)
        assert text(away).startswith(
            "p1 has been away for a minute. When all of you say: for good, a bot"
        )
    assert not net.nodes[3].told(events.Status.MISSED)  # who looks on has no say


def test_at_a_table_that_waits_nobody_can_be_gone() -> None:
    net = table(gone="wait")
    lose(net, 1)
    assert not net.host.told(events.Status.MISSED)
    net.host.feed(acts.Offer(posts.GONE))
    assert net.host.told(events.NotDone)[-1].code == "illegal-step"
    assert net.host.live.ledger.offer is None


def test_all_others_must_say_so_by_themselves() -> None:
    net = table(4)
    lose(net, 1)
    net.host.feed(acts.Offer(posts.GONE))
    net.run(net.now + 1)
    assert text(net.nodes[2].told(events.Offered)[-1]) == "ada says that p1 is gone for good"
    net.nodes[2].feed(acts.Answer(True))
    net.run(net.now + 20)
    assert not net.host.live.ledger.gone
    net.nodes[3].feed(acts.Answer(False))
    net.run(net.now + 2)
    assert net.host.live.ledger.offer is None
    say_gone(net, 2, 0, 3)
    assert [one for one, _ in net.host.live.ledger.gone] == [net.nodes[1].live.me]


def test_who_comes_back_in_time_is_not_gone_whatever_the_others_say() -> None:
    net = table(4)
    lose(net, 1)
    net.host.feed(acts.Offer(posts.GONE))
    net.nodes[2].feed(acts.Answer(True))
    net.run(net.now + 1)
    net.restart(net.nodes[1])
    net.run(net.now + 2)
    assert net.host.live.ledger.offer is None
    assert text(net.host.told(events.OfferGone)[-1]) == "p1 is there again"
    net.nodes[3].feed(acts.Answer(True))
    net.host.feed(acts.Offer(posts.GONE))
    net.run(net.now + 2)
    assert not net.host.live.ledger.gone
    net.step()
    assert net.host.live.ledger.match.number == 3


@pytest.mark.parametrize("name", ["kuzushi", "kitsune"])
def test_who_comes_back_too_late_reads_what_has_happened_and_looks_on(name: str) -> None:
    net = table(name=name)
    lost = net.nodes[1]
    lose(net, 1)
    say_gone(net, 0, 2)
    seats = lost.live.seats_of(lost.live.me)
    net.restart(lost)
    net.run(net.now + 3)
    gone = lost.told(events.Gone)[-1]
    assert (gone.seats, gone.ours) == (seats, SPECTATOR)
    assert text(gone) == (
        "All others have said that you are gone for good. A bot plays on for you; you can look on"
    )
    for given in (acts.Say("hello"), acts.Resign(min(seats)), acts.Offer(posts.DRAW)):
        lost.feed(given)
        assert "you can only look on" in text(lost.told(events.NotDone)[-1])
    before = net.host.live.ledger.match.number
    for node in (net.host, net.nodes[2]):
        live(node, Random(node.name), 10_000)
    assert net.run(net.now + 3000, lambda: net.host.is_over)
    net.run(net.now + 5)
    assert net.host.live.ledger.match.number > before
    assert lost.live.posts == net.host.live.posts
    for node in (net.host, net.nodes[2]):
        assert node.told(events.Watching)[-1].names == ("p1", "w0")
    assert not net.host.told(events.Stopped)
    assert not lost.told(events.Stopped)


def test_a_post_that_who_is_gone_had_on_its_way_is_refused_and_blames_nobody() -> None:
    net = table(name="kitsune")
    lost = net.nodes[1]
    net.out_until = net.now + 1  # what it says last does not arrive
    lost.feed(acts.Say("is anybody there?"))
    lose(net, 1)
    say_gone(net, 0, 2)
    net.restart(lost)
    lost.feed(acts.Say("here I am"))
    net.run(net.now + 5)
    for node in net.nodes:
        assert not node.told(events.Stopped)
        assert not [one for one in node.kept if isinstance(one, Evidence)]


def test_clocks_go_on_and_the_judge_of_the_host_is_another_one() -> None:
    """The first joiner judges the host's clock: when it is gone, the next one does."""
    net = seated(table_of("kuzushi", 4, 4, options=SHORT, gone="bot", clock=(600, 5, 60)))
    net.run(20)
    for node in net.nodes:
        live(node, Random(node.name), 10_000, pace=3)
    net.run(30)
    judge = next(node for node in net.nodes if node.live.me == 1)
    net.kill(judge)
    for node in net.nodes:
        gone_runs.say_it(node, Random(node.name))
    there = [node for node in net.nodes if node is not judge]
    assert net.run(5000, lambda: all(node.is_over and node.live.is_audited for node in there))
    net.run(net.now + 5)
    ledger = net.host.live.ledger
    assert ledger.is_gone(1)
    assert ledger.judge(Seat(0)) == 2
    for node in there:
        assert node.live.digests == net.host.live.digests
        assert not node.told(events.Stopped)


def test_two_of_three_are_waited_for_as_ever() -> None:
    net = table(3)
    lose(net, 1, 2)
    net.host.feed(acts.Offer(posts.GONE))
    said = text(net.host.told(events.NotDone)[-1])
    assert said == "it takes two at the least to say so; the match is kept for later"
    for number in (1, 2):
        net.restart(net.nodes[number])
    net.run(net.now + 3)
    net.step()
    assert net.host.live.ledger.match.number == 3


def test_a_table_of_two_keeps_nothing_of_the_rule() -> None:
    net = seated(table_of("kuzushi", 4, 2, gone="bot"))
    assert net.host.live.roster.gone == "wait"
    assert not [post for post in net.host.live.posts if isinstance(post.body, posts.KeyShares)]


def test_everybody_goes_on_from_the_disk_after_somebody_was_gone() -> None:
    net = table(4, name="kitsune")
    lose(net, 1)
    say_gone(net, 0, 2, 3)
    people = (net.nodes[0], net.nodes[2], net.nodes[3])
    for node in people:
        live(node, Random(node.name), 10_000)
    net.run(net.now + 10)
    net.restart_all(*people)
    for node in people:
        absentees = node.live.ledger.absent.views
        assert [absentee.me for absentee in absentees] == [net.nodes[1].live.me]
    assert net.run(
        net.now + 5000, lambda: all(one.is_over and one.live.is_audited for one in people)
    )
    assert not any(node.told(events.Stopped) for node in people)


def test_the_log_and_its_check_say_who_was_gone(tmp_path: Path) -> None:
    net = table(name="kitsune", more={})
    lose(net, 1)
    say_gone(net, 0, 2)
    net.nodes[2].feed(acts.Resign(min(net.nodes[2].live.seats_of(net.nodes[2].live.me))))
    net.run(net.now + 5)
    assert "note gone for good, say all others: p1" in net.host.lines
    assert net.host.lines[-1] == "audit fair"
    status, said_of = checked(saved(net.host, tmp_path))
    assert status == 0
    assert "p1 was declared gone by all others, signed" in said_of
    assert "audited again: all have played fair" in said_of


def test_where_who_is_gone_forfeits_the_log_says_why_there_is_no_audit(tmp_path: Path) -> None:
    net = table(name="kitsune", gone="forfeit", more={})
    lose(net, 1)
    say_gone(net, 0, 2)
    (ended,) = net.host.told(events.Ended)
    assert text(ended) == "p1 did not come back, and all others confirmed it"
    assert ended.end.kind == "gone"
    status, said_of = checked(saved(net.host, tmp_path))
    assert status == 0
    assert "p1 went before opening secrets: no audit" in said_of


def test_a_wrong_share_stops_the_match_and_its_author_is_proven_false(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reader opens its box; the others need not believe either of them."""
    original = absent._own_shares

    def own_shares(ledger: Any, me: int) -> posts.KeyShares:
        will = original(ledger, me)
        if me != 2:
            return will
        context = key_shares.box_context(ledger.roster.match_id, 2, 1)
        key = ledger.roster.terminals[1].box_key
        wrong = boxes.box(ledger.seed, key, *context, data=bytes(31) + b"\x01")
        return posts.KeyShares(will.points, (will.boxes[0], wrong))

    monkeypatch.setattr(absent, "_own_shares", own_shares)
    net = seated(table_of("kitsune", 4, 3, 1, gone="bot"), {})
    net.run(net.now + 5)
    false = next(node for node in net.nodes if node.live.me == 2)
    for node in net.nodes[:3]:
        if node is not false:
            assert node.stop == ("foul", false.live.seats_of(2))
    monkeypatch.undo()
    for number, node in enumerate(net.nodes[:3]):
        if node is not false:
            into = tmp_path / str(number)
            into.mkdir()
            status, said_of = checked(saved(node, into))
            assert status == 1
            assert f"proven: {false.name} has played false: what it has left another" in said_of


FALSE: dict[str, messages.Message] = {
    "a claim": messages.Stop(1, 0, bytes(32), 0, "foul", "", 0, bytes(64)),
    "another position": messages.Ack(5, b"x" * 16),
    "posts that there are not": messages.Ack(500, bytes(16)),
    "a post unsigned": messages.Request(posts.Post(1, 9, posts.Say("hi"), 0, bytes(64), 0)),
    "another's post": messages.Request(posts.Post(0, 9, posts.Say("hi"), 0, bytes(64), 0)),
    "what a host says": messages.Presence(0, messages.LEFT),
    "that it leaves": messages.Bye(),
}


@pytest.mark.parametrize("kind", FALSE)
def test_who_is_gone_and_comes_back_cannot_stop_the_match(kind: str) -> None:
    net = table()
    lost = net.nodes[1]
    lose(net, 1)
    say_gone(net, 0, 2)
    net.restart(lost)
    net.run(net.now + 2)
    lost.says(FALSE[kind])
    net.run(net.now + 200)
    for node in (net.host, net.nodes[2]):
        assert not node.told(events.Stopped)
        assert not node.told(events.Desync)
        assert not node.told(events.Left)
    before = net.host.live.ledger.match.number
    net.step()
    assert net.host.live.ledger.match.number > before


def test_who_is_gone_owes_nothing_and_a_host_waits_for_it_no_more() -> None:
    net = table()
    lose(net, 1)
    say_gone(net, 0, 2)
    net.kill(net.host)
    net.restart(net.host)
    net.run(net.now + 3)
    assert not net.host.session.awaited
    assert net.nodes[1].live.me not in due.owing(net.host.live.ledger)
    assert session.deadline(net.host.session) is not None
    assert Seat(0) in net.host.live.seats_here
