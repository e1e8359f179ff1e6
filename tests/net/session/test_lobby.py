"""The lobby: talk, names, seats chosen, exchanged and drawn; all see what will be played."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from kumite.core import table as acts
from kumite.core.game import Seat, Seats, Setup
from kumite.core.games import GAMES
from kumite.net.replica.roster import Roster
from kumite.net.session import events, handshake
from kumite.tui.play.network_words import text
from tests.support.lan_tables import opened
from tests.support.simulation import Network, Node

if TYPE_CHECKING:
    import pytest


def gathered(count: int = 4, *names: str, seed: int = 1) -> Network:
    net = opened(Setup.of(GAMES["kitsune"], count), seed, clock=(600, 5, 60))
    net.host.start()
    for name in names or ("bob", "cy", "dee"):
        net.join(name)
        net.run(net.now + 1)
    return net


def lobby(node: Node) -> events.Lobby:
    found: events.Lobby = node.told(events.Lobby)[-1]
    return found


def seats(net: Network) -> dict[str, int]:
    everywhere = [{one.name: min(one.seats) for one in lobby(node).guests} for node in net.nodes]
    assert everywhere.count(everywhere[0]) == len(net.nodes), "all see the same"
    return everywhere[0]


def does(net: Network, node: Node, given: events.Command) -> None:
    node.feed(given)
    net.run(net.now + 1)


def test_talk_in_the_lobby_reaches_all_and_has_its_pace() -> None:
    net = gathered()
    does(net, net.nodes[2], acts.Say("good evening\x1b[2J"))
    does(net, net.host, acts.Say("welcome"))
    for node in net.nodes:
        heard = node.told(events.Said)
        assert [one.name for one in heard] == ["cy", "ada"]
        assert heard[1].text == "welcome"
        assert "\x1b" not in heard[0].text
    for number in range(50):
        net.nodes[1].feed(acts.Say(f"{number}"))
    net.run(net.now + 1)
    said = [one for one in net.host.told(events.Said) if one.name == "bob"]
    assert len(said) <= handshake.PACES[handshake.TALKING].at_once + 1


def test_the_host_sees_its_table_at_once_and_chooses_the_bots_of_free_seats() -> None:
    net = opened(Setup.of(GAMES["kitsune"], 4), 1)
    net.host.start()
    net.run(net.now + 1)
    assert lobby(net.host).free == frozenset({1, 2, 3})
    net.join("bob")
    net.run(net.now + 1)
    does(net, net.host, events.FillSeats("bot:medium"))
    does(net, net.nodes[1], events.FillSeats("bot:strong"))  # only a host can
    for node in net.nodes:
        assert lobby(node).names == ("ada", "bob", "bot:medium", "bot:medium")
    does(net, net.nodes[1], events.SetReady())
    net.begins(2)
    assert net.nodes[1].live.roster.names == ("ada", "bob", "bot:medium", "bot:medium")


def test_two_friends_sit_on_one_side() -> None:
    """Seats of a side are every other one: ada, the host, has the first."""
    net = gathered()
    assert seats(net) == {"ada": 0, "bob": 1, "cy": 2, "dee": 3}
    does(net, net.nodes[1], events.TakeSeat(Seat(2)))
    assert seats(net) == {"ada": 0, "bob": 2, "cy": 1, "dee": 3}
    does(net, net.nodes[1], events.SetReady())
    does(net, net.nodes[3], events.TakeSeat(Seat(2)))  # bob is ready there, and stays
    assert seats(net) == {"ada": 0, "bob": 2, "cy": 1, "dee": 3}
    does(net, net.host, events.TakeSeat(Seat(3)))
    assert seats(net) == {"ada": 3, "bob": 2, "cy": 1, "dee": 0}
    for node in net.nodes[1:]:
        does(net, node, events.SetReady())
    net.begins(2)
    for node in net.nodes:
        assert node.live.roster.names == ("dee", "cy", "bob", "ada")


def test_a_free_seat_is_taken_and_the_old_one_is_free() -> None:
    net = gathered(4, "bob")
    does(net, net.nodes[1], events.TakeSeat(Seat(3)))
    assert seats(net) == {"ada": 0, "bob": 3}
    assert lobby(net.host).free == {1, 2}
    does(net, net.host, events.TakeSeat(Seat(1)))
    assert seats(net) == {"ada": 1, "bob": 3}


def begun(net: Network) -> list[Seats]:
    """Return the seats of each terminal once the match has begun, with a lot."""
    does(net, net.host, events.Order.DRAW_SEATS)
    assert all(lobby(node).has_lots for node in net.nodes)
    assert not lobby(net.host).can_start
    for node in net.nodes[1:]:
        does(net, node, events.SetReady())
    does(net, net.host, events.Order.START)
    return [node.session.live.seats_here for node in net.nodes if node.session.live]


def test_seats_are_drawn_by_lot_from_the_keys_of_all_once_the_match_begins() -> None:
    found = set()
    for seed in range(6):
        net = gathered(seed=seed)
        there = begun(net)
        assert sorted(seat for seats in there for seat in seats) == [0, 1, 2, 3]
        for node, mine in zip(net.nodes, there, strict=True):
            roster = node.session.live.ledger.roster
            assert {roster.names[seat] for seat in mine} == {node.session.name}
        found.add(tuple(map(tuple, there)))
    assert len(found) > 2, "the lot is always the same"


def test_a_host_that_gives_other_seats_than_the_lot_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A host drew the seats alone: it could draw until it liked them."""
    honest, calls = Roster.by_lot, list[int]()

    def drawn(roster: Roster) -> Roster:
        """Exchange two seats in what the host draws; the others check it as it is."""
        calls.append(1)
        found = honest(roster)
        one, two, *rest = found.terminals
        wrong = replace(one, seats=two.seats), replace(two, seats=one.seats), *rest
        return replace(found, terminals=wrong) if len(calls) == 1 else found

    monkeypatch.setattr(Roster, "by_lot", drawn)
    net = gathered()
    begun(net)
    assert all(node.session.live is None for node in net.nodes[1:])
    assert text(net.nodes[1].told(events.Stopped)[-1]) == (
        "The seats differ from those drawn by lot"
    )


def test_only_the_hosts_people_may_have_lots_drawn() -> None:
    net = gathered()
    does(net, net.nodes[1], events.Order.DRAW_SEATS)
    assert not lobby(net.host).has_lots


def test_who_is_called_the_same_is_told_apart_and_may_be_called_otherwise() -> None:
    net = gathered(4, "ada", "ada")
    assert set(seats(net)) == {"ada (host)", "ada (guest 1)", "ada (guest 2)"}
    does(net, net.nodes[1], events.Rename("bob"))
    assert set(seats(net)) == {"ada (host)", "bob", "ada (guest)"}
    does(net, net.host, events.Rename("zoe"))
    assert set(seats(net)) == {"zoe", "bob", "ada"}


def test_all_see_what_will_be_played() -> None:
    net = gathered()
    for node in net.nodes:
        assert lobby(node).clock == (600, 5, 60)
        assert lobby(node).setup.options == lobby(net.host).setup.options


def test_nobody_is_called_as_a_bot_is() -> None:
    """A bot would play for a person of that name, and all others would take it for one."""
    net = gathered(4, "bot:easy", "cmd:./mybot")
    assert set(seats(net)) == {"ada", "bot easy", "cmd ./mybot"}
    does(net, net.host, events.Rename("bot:8"))
    assert set(seats(net)) == {"bot 8", "bot easy", "cmd ./mybot"}


def test_all_learn_how_fast_the_others_answer_before_the_match_and_nothing_after_it() -> None:
    """The host of each guest, a guest of the host; from the pings that keep connections alive."""
    net = gathered(4, "bob", "cy")
    net.run(net.now + 5)
    for node, others in zip(net.nodes, ({"bob", "cy"}, {"ada"}, {"ada"}), strict=True):
        pinged = node.told(events.Pinged)
        assert {one.name for one in pinged} == others
        assert all(1 <= one.ms < 2000 for one in pinged)
    for node in net.nodes[1:]:
        does(net, node, events.SetReady())
    does(net, net.host, events.Order.START)
    before = [len(node.told(events.Pinged)) for node in net.nodes]
    net.run(net.now + 10)
    assert [len(node.told(events.Pinged)) for node in net.nodes] == before
