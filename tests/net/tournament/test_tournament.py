"""An organiser and players in one process: rounds, cut lines, false results, coming back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kumite.core import codes
from kumite.core.codec import encode
from kumite.core.errors import BadData, BadSetup
from kumite.core.tournament.tournament import (
    MOST,
    ROBIN,
    SWISS,
    Pairing,
    Player,
    Result,
    Tournament,
    standings,
)
from kumite.net.session import events, handshake
from kumite.net.session.lobby import MAX_WATCHERS
from kumite.net.session.state import Stage
from kumite.net.tournament import host, state
from kumite.net.wire import framing, messages
from kumite.net.wire import tournament as wire
from kumite.tui.play.network_words import text
from tests.support.tournaments import TERMS, TournamentNet, is_over

FOUR = ("ada", "bob", "cy", "dee")


def table_of(net: TournamentNet, player: int, **changes: Any) -> wire.TableAt:
    view = net.players[player].view
    told = {"round": view.round, "place": view.my_place, "port": 4000, "code": "7-torii-lantern"}
    return wire.TableAt(**{"addresses": ("192.168.1.7",), **told, **changes})


def test_without_the_code_nobody_enters_and_after_three_tries_it_is_another_one() -> None:
    net = TournamentNet(2, *FOUR)
    before = net.host.session.door.code
    for number in range(3):
        stranger = net.enter(f"eve{number}", code="1-torii-lantern")
        net.rest(3)
        assert [one.code for one in stranger.of(events.Stopped)] == [codes.WRONG_CODE]
    assert len(net.host.view.tournament.players) == 4
    assert net.host.session.door.code != before
    assert net.host.of(events.CodeChanged)


def test_a_whole_swiss_tournament_with_a_bye() -> None:
    net = TournamentNet(4, *FOUR, "eli")
    view = net.same_everywhere()
    assert [one.name for one in view.tournament.players] == [*FOUR, "eli"]
    assert view.here == {0, 1, 2, 3, 4}
    assert [one.view.me for one in net.players] == [0, 1, 2, 3, 4]
    assert net.players[0].of(state.TournamentChanged)[-1].terms == TERMS
    for number in range(3):
        net.begin_round()
        view = net.same_everywhere()
        assert view.round == number
        assert sum(state == wire.DECIDED for state in view.states) == 1  # the bye
        net.play_round()
    view = net.same_everywhere()
    assert view.tournament.is_over
    rows = standings(view.tournament)
    assert sum(row.points for row in rows) == 2 * 3 * 3
    net.begin_round()
    assert net.host.of(events.NotDone)[-1].text == "all rounds have been played"


def test_the_place_of_a_table_reaches_the_second_of_the_pair_and_nobody_else() -> None:
    net = TournamentNet(5, *FOUR)
    net.begin_round()
    first, second = net.pair()
    net.does(net.players[first], table_of(net, first))
    for player, node in enumerate(net.players):
        assert len(node.of(state.TableOpened)) == (player == second)
    told = net.players[second].of(state.TableOpened)[0].table
    assert told.addresses == (net.players[first].name, "192.168.1.7")  # where it is seen
    assert net.same_everywhere().states == (wire.STANDS, wire.WAITS)


def test_only_who_has_no_match_is_told_where_another_pair_plays() -> None:
    net = TournamentNet(5, "ada", "bob", "cy")
    net.begin_round()
    first, _ = net.pair()
    bye = net.host.view.tournament.rounds[-1][1].first
    net.does(net.players[bye], wire.WatchTable(0, 0))  # too early: it opens yet
    net.does(net.players[first], table_of(net, first))
    for player in (bye, first):
        net.does(net.players[player], wire.WatchTable(1, 0))  # a round to come
        net.does(net.players[player], wire.WatchTable(0, 0))
    (shown,) = net.players[bye].of(state.TableOpened)
    assert (shown.table.place, shown.table.port) == (0, 4000)
    assert not net.players[first].of(state.TableOpened)
    net.does(net.players[first], replace(table_of(net, first), port=4001))  # it is opened again
    assert net.players[bye].of(state.TableOpened)[-1].table.port == 4001


def test_the_second_of_a_pair_opens_no_table() -> None:
    """Else they could send the first one anywhere, or nowhere."""
    net = TournamentNet(21, *FOUR)
    net.begin_round()
    _, second = net.pair()
    net.does(net.players[second], table_of(net, second))
    assert net.same_everywhere().states == (wire.WAITS, wire.WAITS)
    assert not any(node.of(state.TableOpened) for node in net.players)


def test_a_result_counts_once_both_have_told_it_alike() -> None:
    net = TournamentNet(6, *FOUR)
    net.begin_round()
    first, second = net.pair()
    net.report(first, Result.FIRST)
    view = net.same_everywhere()
    assert view.states[0] == wire.TOLD
    assert view.tournament.rounds[-1][0].is_open
    net.report(second, Result.FIRST)
    view = net.same_everywhere()
    assert view.states[0] == wire.DECIDED
    assert view.tournament.points(first) == 2
    assert net.host.kept.tournament.rounds == ((
        Pairing(0, 2, Result.FIRST), Pairing(3, 1),
    ),)  # fmt: skip


@pytest.mark.parametrize(
    "changes",
    [{"result": Result.SECOND}, {"digest": b"x" * 16}, {"match_id": "f" * 16}, {"steps": 8}],
)
def test_two_different_results_are_a_dispute_that_the_organiser_decides(
    changes: dict[str, Any],
) -> None:
    net = TournamentNet(7, *FOUR)
    net.begin_round()
    first, second = net.pair()
    net.report(first, Result.FIRST)
    net.report(second, **{"result": Result.FIRST, **changes})
    view = net.same_everywhere()
    assert view.states[0] == wire.DISPUTED
    assert view.tournament.points(first) == 0
    net.decide(Result.DRAW)
    t = net.same_everywhere().tournament
    assert t.points(first) == t.points(second) == 1


def test_nobody_reports_for_others() -> None:
    """Dee says, of every match of the round, that its first player has won."""
    net = TournamentNet(8, *FOUR)
    net.begin_round()
    view = net.host.view
    dee = view.tournament.pairing_of(3)
    for place in range(5):
        for number in range(3):
            told = wire.MatchReport(number, place, "0" * 16, int(Result.FIRST), 9, bytes(16))
            net.does(net.players[3], told)
            net.does(net.players[3], table_of(net, 3, place=place))
    view = net.same_everywhere()
    assert all(one.is_open for one in view.tournament.rounds[-1])
    assert [state != wire.WAITS for state in view.states] == [n == dee for n in range(2)]


def test_a_decided_match_stays_decided_whatever_is_reported() -> None:
    net = TournamentNet(9, *FOUR)
    net.begin_round()
    net.decide(Result.SECOND)
    told = wire.MatchReport(0, 0, "0" * 16, int(Result.FIRST), 9, bytes(16))
    for player in net.pair():
        net.does(net.players[player], told)
    assert net.same_everywhere().tournament.rounds[-1][0].result is Result.SECOND
    net.decide(Result.DRAW, place=9)
    assert "no such match" in net.host.of(events.NotDone)[-1].text


def test_lines_that_are_cut_come_back_and_what_was_told_meanwhile_arrives() -> None:
    net = TournamentNet(10, *FOUR)
    net.begin_round()
    first, second = net.pair()
    for line in net.lines:
        line.cut()
    net.out_until = net.now + 4
    net.rest()
    assert net.host.view.here == frozenset()
    net.report(first, Result.FIRST)
    net.report(second, Result.FIRST)
    net.rest(10)
    view = net.same_everywhere()
    assert view.here == {0, 1, 2, 3}
    assert view.tournament.points(first) == 2
    assert len(view.tournament.players) == 4
    assert net.players[0].of(events.Status.AWAY)
    assert net.players[0].of(events.Status.BACK)


def test_an_organiser_that_was_killed_goes_on_and_its_players_come_back() -> None:
    net = TournamentNet(11, *FOUR)
    net.begin_round()
    first, second = net.pair(1)
    net.does(net.players[first], table_of(net, first))
    net.report(first, Result.DRAW)
    before, code = net.host.view, net.host.session.door.code
    net.kill_host()
    net.rest(5)
    net.restart_host(net.host.kept)
    assert net.host.session.door.code == code
    view = net.same_everywhere()
    assert view.tournament == before.tournament
    assert view.here == before.here
    assert view.states == before.states  # told again
    assert len(net.players[second].of(state.TableOpened)) == 2
    net.report(second, Result.DRAW)
    assert net.same_everywhere().tournament.points(first) == 1


@pytest.mark.parametrize("code", [*sorted(handshake.REFUSALS), "who-knows"])
def test_what_a_stranger_answers_in_the_place_of_the_organiser_ends_nothing(code: str) -> None:
    """Anybody can announce that the organiser has moved, and refuse whoever comes there."""
    net = TournamentNet(24, *FOUR)
    ada = net.players[0]
    before = ada.view
    refuse = framing.PREAMBLE + messages.as_plain(messages.Refuse(code, "no", "go away"))
    ada.feed(events.Opened(900, "10.0.0.9"))  # a second path, beside one that is only slow
    ada.feed(events.Heard(900, refuse))
    net.kill_host()
    net.rest(5)
    for link in (901, 902):
        ada.feed(events.Opened(link, "10.0.0.9"))
        ada.feed(events.Heard(link, refuse))
    assert not is_over(ada)
    assert ada.view == before
    said = [text(one) for one in ada.of(events.Presence) if one.status is not events.Status.BACK]
    assert said[0].endswith("; kumite tries again automatically")
    assert said[1:] == ["Waiting for the host to come back"]
    assert "go away" not in str(said)
    net.restart_host(net.host.kept)
    assert ada.of(events.Status.BACK)
    assert net.same_everywhere().here == {0, 1, 2, 3}
    net.begin_round()
    net.report(0, Result.FIRST)
    assert wire.TOLD in net.host.view.states


def test_who_pretends_to_be_the_organiser_gets_no_player_and_is_not_believed() -> None:
    """The id of a tournament is no secret: an impostor has it, the code, all names, and no key."""
    net = TournamentNet(25, *FOUR)
    net.begin_round()
    node, before = net.host, net.host.view
    kept: state.TournamentFile = node.kept
    keyless = (bytes(32),) * len(kept.keys)
    (pairings,) = kept.tournament.rounds
    won = tuple(replace(one, result=Result.SECOND) for one in pairings)
    invented = replace(kept, keys=keyless, tournament=replace(kept.tournament, rounds=(won,)))
    net.kill_host()
    net.restart_host(invented)
    net.rest(20)
    assert not any(one.stage >= Stage.SEALED for one in node.session.door.links)
    for player in net.players:
        assert player.view == replace(before, me=player.view.me)
        assert not is_over(player)
    net.kill_host()
    net.restart_host(kept)
    assert net.same_everywhere().here == {0, 1, 2, 3}
    net.play_round()
    assert not net.same_everywhere().tournament.is_running


def test_a_player_who_was_killed_comes_back_as_who_they_were() -> None:
    net = TournamentNet(12, *FOUR)
    net.begin_round()
    bob = net.players[1]
    net.does(bob, replace(bob.kept, place=bob.view.my_place or 0, log="x.kumite"))
    net.restart_player(bob)
    net.rest(3)
    assert bob.view.me == 1
    assert bob.kept.log == "x.kumite"
    assert len(net.same_everywhere().tournament.players) == 4


def test_who_comes_from_elsewhere_takes_their_own_place_only() -> None:
    """A second program of bob's goes on in his place; one without his key is somebody else."""
    net = TournamentNet(13, *FOUR)
    again = net.enter("bob", known=[net.players[1].kept])
    net.rest(3)
    assert again.view.me == 1
    assert net.players[1].of(events.Stopped)[-1].code == codes.ELSEWHERE
    other = net.enter("bob")
    net.rest(3)
    assert other.view.me == 4
    assert other.view.tournament.players[4].name == "bob 2"


def test_a_tournament_that_closes_is_waited_for_unless_all_is_over() -> None:
    net = TournamentNet(15, *FOUR)
    net.does(net.host, events.Order.DEPART)
    assert is_over(net.host)
    assert not any(map(is_over, net.players))
    net = TournamentNet(15, "ada", "bob", "cy", system=ROBIN)
    for _ in range(3):
        net.begin_round()
        net.play_round()
    net.does(net.host, events.Order.DEPART)
    assert all(map(is_over, net.players))


def test_places_are_limited_and_names_are_cleaned() -> None:
    net = TournamentNet(16, "ada\x1b[2J\n", *(f"p{n}" for n in range(1, MOST)))
    players = net.same_everywhere().tournament.players
    assert len(players) == MOST
    assert players[0].name == "ada [2J"
    late = net.enter("late")
    net.rest(3)
    assert late.view.me is None
    assert len(late.view.tournament.players) == MOST


def test_who_wants_only_to_look_on_is_no_player() -> None:
    net = TournamentNet(32, "ada", "bob", "cy")
    before = net.host.view
    late = net.enter("sora", plays=False)
    net.rest(3)
    assert late.view == net.host.view == before
    assert late.view.me is None
    assert late.disk == b""  # no ticket
    assert net.host.of(events.Watching)[-1].names == ("sora",)
    net.kill(late)
    net.rest(60)
    assert net.host.of(events.Watching)[-1].names == ()


@pytest.mark.parametrize(("system", "left"), [(SWISS, 0), (ROBIN, 0), (ROBIN, 1)])
def test_who_comes_too_late_to_play_changes_nothing_and_looks_on(system: str, left: int) -> None:
    net = TournamentNet(31, "ada", "bob", "cy", system=system)
    for number in range(net.host.view.tournament.planned)[::-1]:
        net.begin_round()
        if number == left:
            break
        net.play_round()
    this, round_ = net.host.view.pairings, net.host.view.round
    place = next(at for at, one in enumerate(this) if one.is_match)
    player = this[place].first
    net.does(net.players[player], table_of(net, player))
    if not left:
        net.play_round()
    before = net.host.view
    assert before.tournament.is_over is not bool(left)
    late = net.enter("sora")
    net.rest(3)
    assert late.view == net.host.view == before
    assert late.disk == b""  # no ticket
    net.does(late, wire.WatchTable(round_, place))
    assert len(late.of(state.TableOpened)) == 1
    net.does(late, wire.WatchTable(round_, 9))
    for number in range(MAX_WATCHERS):
        last = net.enter(f"s{number}")
        net.rest(3)
    assert last.of(events.Stopped)[-1].code == codes.CROWDED
    assert net.host.view == before
    net.does(net.host, events.Order.DEPART)
    assert late.of(events.Left)


def test_who_says_too_much_is_let_go_and_costs_the_others_nothing() -> None:
    net = TournamentNet(17, *FOUR)
    eve = net.players[3]
    for _ in range(200):
        eve.feed(wire.TableAt(0, 0, 1, (), "x"))
    net.rest(0.2)
    assert 3 not in net.host.view.here
    assert net.host.view.here >= {0, 1, 2}


def messages_of_anybody() -> st.SearchStrategy[Any]:
    number = st.integers(0, 40)
    report = st.builds(
        wire.MatchReport, st.integers(0, 30), st.integers(0, 31), st.just("0" * 16),
        st.integers(1, 3), number, st.just(bytes(16)),
    )  # fmt: skip
    table = st.builds(
        wire.TableAt, st.integers(0, 30), st.integers(0, 31), st.integers(1, 65535),
        st.just(("a",)), st.just("x"),
    )  # fmt: skip
    player = st.integers(0, 31)
    pairing = st.builds(Pairing, player, st.none() | player, st.sampled_from(Result), st.booleans())
    tournament = st.builds(
        Tournament, st.just(SWISS), number.map(lambda n: n % 31),
        st.lists(st.just(Player("x")), max_size=4).map(tuple),
        st.lists(st.lists(pairing, max_size=3).map(tuple), max_size=2).map(tuple),
    )  # fmt: skip
    states = st.lists(st.integers(0, 4), max_size=3).map(tuple)
    view = st.builds(wire.View, tournament, st.frozensets(player, max_size=4), states, player)
    return st.one_of(
        report, table, view, st.just(wire.Enter("x", True)), st.just(messages.Ready(1)),
        st.just(messages.Bye()), st.builds(messages.Pong, number),
    )  # fmt: skip


@settings(deadline=None, max_examples=60)
@given(st.lists(messages_of_anybody(), min_size=1, max_size=6), st.booleans())
def test_whatever_is_said_the_tournament_goes_on(said: list[Any], is_by_organiser: bool) -> None:
    net = TournamentNet(18, "ada", "bob", "cy")
    net.begin_round()
    by, to = net.host, net.players[0]
    if not is_by_organiser:
        by, to = to, by
    link = next(one for one in by.session.door.links if one.ticket == 1 or not is_by_organiser)
    for message in said:
        end = by.ends.get(link.number)
        if end is not None:
            end.send(by, link.sealer.seal(encode(messages.SEALED.to_tuple(message))))
    net.rest(5)
    if not is_by_organiser:
        view = net.host.view
        assert [one.name for one in view.tournament.players] == ["ada", "bob", "cy"]
        assert {1, 2} <= view.here
        assert view.tournament.points(0) in (0, 2)  # of a bye


def test_files_read_back_and_anything_else_is_refused() -> None:
    net = TournamentNet(19, *FOUR)
    net.begin_round()
    for node in (net.host, net.players[0]):
        assert state.to_bytes(node.kept) == node.disk
        assert node.kept.file_name.startswith(net.host.kept.welcome.tournament_id)
        for data in (b"", node.disk[:-1], node.disk + b"x", encode((1, (0,))), encode(7)):
            with pytest.raises(BadData):
                state.of_bytes(data)
    assert "key" not in repr(net.players[0].kept)
    assert net.host.session.door.code not in repr(net.host.kept)


def test_a_tournament_of_another_version_of_the_game_is_not_entered() -> None:
    net = TournamentNet(20, "ada")
    kept = net.host.kept
    with pytest.raises(BadSetup, match="by rules 999"):
        host.resumed(replace(kept, welcome=replace(kept.welcome, rules=999)), "1", bytes(32))
