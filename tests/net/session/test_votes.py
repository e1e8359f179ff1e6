"""Votes on the game that is played next at a LAN table."""

from __future__ import annotations

import pytest

from kumite.core import table as acts
from kumite.core.game import Seat
from kumite.net.session import events, replication
from kumite.net.wire import messages, posts
from kumite.tui.play.network_words import text
from tests.support.lan_tables import finish, opened, seated, table_of
from tests.support.simulation import Network, Node


def ended(game: str = "kuzushi", seats: int = 2, **more: int) -> Network:
    net = seated(table_of(game, seats=seats, terminals=seats, **more))
    net.run(net.now + 3)
    net.host.feed(acts.Resign(min(net.host.live.seats_here)))
    net.run(net.now + 3)
    return net


def vote(net: Network, node: Node, game: str, begins: int = 1) -> None:
    node.feed(acts.Offer(posts.VOTE, begins, game))
    net.run(net.now + 1)


def played(net: Network) -> list[str]:
    net.run(net.now + 6)
    return [one.told(events.MatchBegan)[-1].header.setup.game.ID for one in net.nodes]


def test_all_votes_for_one_game_begin_it_and_all_screens_tell_the_votes() -> None:
    net = ended(watchers=1)
    ada, bob, eve = net.nodes
    vote(net, ada, "kumo")
    for node in net.nodes:
        (told,) = node.told(events.Voted)
        assert text(told) == "ada votes for Kumo Hogosha"
        assert told.votes == (("ada", "kumo"),)
        assert told.is_ours == (node is ada)
    assert not bob.told(events.Offered), "nobody is asked before it is decided"
    vote(net, bob, "kumo")
    assert eve.told(events.Voted)[-1].votes == ()
    assert eve.told(events.OfferGone)[-1].answer is events.Answered.AGREED
    assert played(net) == ["kumo"] * 3
    assert ada.told(events.MatchBegan)[-1].header.names[0] == "p1", "the seats move on"
    finish(net)


def test_of_two_the_first_vote_wins_and_the_other_begins_only_with_a_yes() -> None:
    net = ended()
    ada, bob = net.nodes
    vote(net, bob, "kumo")
    vote(net, ada, "kitsu")
    asked = ada.told(events.Offered)[-1]
    assert (asked.game, asked.is_ours, asked.who) == ("kumo", False, "p1")
    assert "The vote: Kumo Hogosha next" in text(asked)
    net.run(net.now + 60)
    assert len(ada.told(events.MatchBegan)) == 1, "nobody is seated without a key of their own"
    ada.feed(acts.Answer(True))
    assert played(net) == ["kumo"] * 2


def test_a_no_to_what_won_opens_the_vote_again() -> None:
    net = ended()
    ada, bob = net.nodes
    vote(net, bob, "kumo")
    vote(net, ada, "kitsu")
    ada.feed(acts.Answer(False))
    net.run(net.now + 1)
    assert text(bob.told(events.OfferGone)[-1]) == "ada declined to play Kumo Hogosha"
    vote(net, bob, "kitsu")
    vote(net, ada, "kitsu")
    assert played(net) == ["kitsu"] * 2


def test_a_vote_can_be_changed_until_a_majority_decides() -> None:
    net = ended("kumo", 4)
    ada, bob, cal, dan = net.nodes
    vote(net, ada, "kitsune")
    vote(net, bob, "kumo")
    vote(net, ada, "kumo")
    assert dan.told(events.Voted)[-1].votes == (("p1", "kumo"), ("ada", "kumo"))
    vote(net, cal, "kitsune")
    assert not dan.told(events.Offered), "two of four are no majority"
    vote(net, cal, "kumo")
    asked = [node.told(events.Offered)[-1].is_ours for node in net.nodes]
    assert asked == [True, True, True, False]
    vote(net, dan, "kitsune")
    assert "another offer" in text(dan.told(events.NotDone)[-1])
    dan.feed(acts.Answer(True))
    assert played(net) == ["kumo"] * 4


def test_who_wants_another_first_seat_is_asked() -> None:
    net = ended()
    ada, bob = net.nodes
    vote(net, ada, "kumo", 0)
    vote(net, bob, "kumo", 1)
    assert not bob.told(events.Offered)[-1].is_ours
    assert bob.told(events.Offered)[-1].about == "ada"


def test_bots_have_no_vote() -> None:
    net = opened()
    net.host.feed(events.FillSeats("bot:easy"))
    bob = net.join("bot:easy")
    net.run(3)
    bob.feed(events.SetReady())
    net.run(6)
    net.begins()
    net.host.feed(acts.Resign(Seat(0)))
    net.run(net.now + 3)
    if bob.live.roster.names[1].startswith("bot:"):
        vote(net, bob, "kumo")
        assert "bots have no vote" in text(bob.told(events.NotDone)[-1])


@pytest.mark.parametrize(
    ("game", "said"),
    [("chess", "chess"), ("kitsune", "that is your vote already"), ("", "only a vote")],
)
def test_a_vote_that_counts_for_nothing_is_refused(game: str, said: str) -> None:
    """By our own program, and by the host if a changed program sends it all the same."""
    net = ended("kitsune")
    ada, bob = net.nodes
    vote(net, bob, "kitsune")
    vote(net, bob, game)
    assert said in text(bob.told(events.NotDone)[-1])
    for _ in range(2):
        bob.does(lambda r: r.play(wants=(posts.Offer(posts.VOTE, 1, game),)))
        bob.does(replication.advance)
        net.run(net.now + 1)
    assert said in text(bob.told(events.NotDone)[-1])
    assert len(ada.told(events.Voted)) == 1
    assert not ada.session.is_closed
    assert not bob.session.is_closed


def test_an_offer_of_another_game_without_a_vote_is_refused() -> None:
    net = ended()
    net.nodes[1].feed(acts.Offer(posts.AGAIN, 0, "kumo"))
    net.run(net.now + 1)
    assert "only a vote is for a game" in text(net.nodes[1].told(events.NotDone)[-1])


def test_no_vote_before_the_end_nor_by_a_spectator() -> None:
    net = seated(table_of("kuzushi", watchers=1))
    ada, _, eve = net.nodes
    vote(net, ada, "kumo")
    assert "not over" in text(ada.told(events.NotDone)[-1])
    net.host.feed(acts.Resign(Seat(0)))
    net.run(net.now + 3)
    vote(net, eve, "kumo")
    assert "only look on" in text(eve.told(events.NotDone)[-1])
    forged = posts.Post(1, 99, posts.Offer(posts.VOTE, 1, "kumo"), 0, bytes(64), 10**6)
    eve.says(messages.Request(forged))
    net.run(net.now + 2)
    assert not ada.told(events.Voted)
    assert not ada.session.is_closed


def test_a_flood_of_votes_is_limited_and_harms_nobody() -> None:
    net = ended()
    ada, bob = net.nodes
    games = ("kumo", "kitsu")
    for number in range(200):
        bob.feed(acts.Offer(posts.VOTE, 1, games[number % 2]))
        net.run(net.now + 0.05)
    assert len(ada.told(events.Voted)) < 60
    net.run(net.now + 30)
    last = ada.told(events.Voted)[-1].game
    vote(net, ada, last)
    assert played(net) == [last] * 2


def test_votes_and_the_open_question_are_there_after_a_restart() -> None:
    net = ended()
    ada, bob = net.nodes
    vote(net, bob, "kumo")
    net.kill(ada)
    net.restart(ada)
    assert ada.told(events.Voted)[-1].votes == (("p1", "kumo"),)
    net.run(net.now + 10)
    vote(net, ada, "kitsu")
    net.kill(ada)
    net.restart(ada)
    assert ada.told(events.Offered)[-1].game == "kumo"
    net.run(net.now + 10)
    ada.feed(acts.Answer(True))
    assert played(net) == ["kumo"] * 2
