"""The lobby: talk, names, seats chosen, exchanged and drawn; all see what will be played."""

from __future__ import annotations

from kumite.core.game import Seat, Setup
from kumite.core.games import GAMES
from kumite.net.session import doorway, events, inputs, notices
from tests.support.lan_tables import opened, told
from tests.support.simulation import Network, Node


def gathered(count: int = 4, *names: str) -> Network:
    net = opened(Setup.of(GAMES["kitsune"], count), clock=(600, 5, 60))
    net.host.start()
    for name in names or ("bob", "cy", "dee"):
        net.join(name)
        net.run(net.now + 1)
    return net


def lobby(node: Node) -> events.Lobby:
    found: events.Lobby = told(node, events.Lobby)[-1]
    return found


def seats(net: Network) -> dict[str, int]:
    everywhere = [{one.name: min(one.seats) for one in lobby(node).guests} for node in net.nodes]
    assert everywhere.count(everywhere[0]) == len(net.nodes), "all see the same"
    return everywhere[0]


def does(net: Network, node: Node, given: inputs.Command) -> None:
    node.feed(given)
    net.run(net.now + 1)


def test_talk_in_the_lobby_reaches_all_and_has_its_pace() -> None:
    net = gathered()
    does(net, net.nodes[2], inputs.Speak("good evening\x1b[2J"))
    does(net, net.host, inputs.Speak("welcome"))
    for node in net.nodes:
        heard = told(node, events.Talked)
        assert [one.name for one in heard] == ["cy", "ada"]
        assert heard[1].text == "welcome"
        assert "\x1b" not in heard[0].text
    for number in range(50):
        net.nodes[1].feed(inputs.Speak(f"{number}"))
    net.run(net.now + 1)
    said = [one for one in told(net.host, events.Talked) if one.name == "bob"]
    assert len(said) <= doorway.PACES[doorway.TALKING].at_once + 1


def test_two_friends_sit_on_one_side() -> None:
    """Seats of a side are every other one: ada, the host, has the first."""
    net = gathered()
    assert seats(net) == {"ada": 0, "bob": 1, "cy": 2, "dee": 3}
    does(net, net.nodes[1], inputs.TakeSeat(Seat(2)))
    assert seats(net) == {"ada": 0, "bob": 2, "cy": 1, "dee": 3}
    does(net, net.nodes[1], inputs.SetReady())
    does(net, net.nodes[3], inputs.TakeSeat(Seat(2)))  # bob is ready there, and stays
    assert seats(net) == {"ada": 0, "bob": 2, "cy": 1, "dee": 3}
    does(net, net.host, inputs.TakeSeat(Seat(3)))
    assert seats(net) == {"ada": 3, "bob": 2, "cy": 1, "dee": 0}
    for node in net.nodes[1:]:
        does(net, node, inputs.SetReady())
    does(net, net.host, inputs.StartMatch())
    net.run(net.now + 2)
    for node in net.nodes:
        assert node.live.roster.names == ("dee", "cy", "bob", "ada")


def test_a_free_seat_is_taken_and_the_old_one_is_free() -> None:
    net = gathered(4, "bob")
    does(net, net.nodes[1], inputs.TakeSeat(Seat(3)))
    assert seats(net) == {"ada": 0, "bob": 3}
    assert lobby(net.host).free == {1, 2}
    does(net, net.host, inputs.TakeSeat(Seat(1)))
    assert seats(net) == {"ada": 1, "bob": 3}


def test_seats_are_drawn_by_lot_and_all_say_anew_that_they_are_ready() -> None:
    net = gathered()
    for node in net.nodes[1:]:
        does(net, node, inputs.SetReady())
    found = set()
    for _ in range(8):
        does(net, net.host, inputs.DrawSeats())
        assert not lobby(net.host).can_start
        assert sorted(seats(net).values()) == [0, 1, 2, 3]
        found.add(tuple(seats(net).values()))
    assert len(found) > 3
    drawn = seats(net)
    does(net, net.nodes[1], inputs.DrawSeats())  # only the host's people may
    assert seats(net) == drawn


def test_who_is_called_the_same_is_told_apart_and_may_be_called_otherwise() -> None:
    net = gathered(4, "ada", "ada")
    assert set(seats(net)) == {"ada (host)", "ada (guest 1)", "ada (guest 2)"}
    does(net, net.nodes[1], inputs.Rename("bob"))
    assert set(seats(net)) == {"ada (host)", "bob", "ada (guest)"}
    does(net, net.host, inputs.Rename("zoe"))
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
    does(net, net.host, inputs.Rename("bot:8"))
    assert set(seats(net)) == {"bot 8", "bot easy", "cmd ./mybot"}


def test_sentences_agree_in_number_with_who_is_at_a_terminal() -> None:
    """Every notice that begins with somebody: of one who plays, of two at one keyboard."""
    texts = notices.OFFERS.values()
    for text in (one for one in texts if one.startswith("{who}")):
        more = {"number": 3, "seat": "cid", "gone": "cid", "gone_is": "is"}
        one, two = (notices.said(text, who, **more) for who in ("ada", "ada and bob"))
        verb = one.removeprefix("ada ").split()[0].strip(":")
        plural = two.removeprefix("ada and bob ").split()[0].strip(":")
        assert verb in (plural, f"{plural}s"), text
        assert "{" not in one + two
