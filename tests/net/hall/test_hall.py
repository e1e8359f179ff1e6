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
from kumite.core.tournament.event import MOST, ROBIN, Result
from kumite.core.tournament.standing import standing
from kumite.net.hall import organiser, records, talk
from kumite.net.session import events, inputs, opening, refusals
from kumite.net.session.state import Stage
from kumite.net.wire import framing, hall, messages
from tests.support.halls import PAIRS, Halls, is_over
from tests.support.simulation import TOYS

FOUR = ("ada", "bob", "cy", "dee")


def table_of(halls: Halls, player: int, **changes: Any) -> hall.HallTable:
    board = halls.players[player].board
    told = {"round": board.round, "place": board.my_place, "port": 4000, "code": "7-torii-lantern"}
    return hall.HallTable(**{"addresses": ("192.168.1.7",), **told, **changes})


def test_players_enter_with_the_code_and_all_see_who_is_here() -> None:
    halls = Halls(1, *FOUR)
    board = halls.same_everywhere()
    assert [one.name for one in board.tournament.players] == list(FOUR)
    assert board.here == {0, 1, 2, 3}
    assert [one.board.me for one in halls.players] == [0, 1, 2, 3]
    changed = halls.players[0].of(talk.HallChanged)[-1]
    assert (changed.terms.name, changed.terms.setup.game.ID) == ("Friday", "kitsu")
    assert changed.terms.clock == (600, 5, 60)


def test_without_the_code_nobody_enters_and_after_three_tries_it_is_another_one() -> None:
    halls = Halls(2, *FOUR)
    before = halls.organiser.session.door.code
    for number in range(3):
        stranger = halls.enter(f"eve{number}", code="1-torii-lantern")
        halls.rest(3)
        assert [one.code for one in stranger.of(events.Stopped)] == [codes.WRONG_CODE]
    assert len(halls.organiser.board.tournament.players) == 4
    assert halls.organiser.session.door.code != before
    assert halls.organiser.of(events.CodeChanged)


def test_who_comes_to_join_a_table_is_told_that_a_tournament_is_held() -> None:
    halls = Halls(3, "ada")
    code = halls.organiser.session.door.code
    node = halls.add(opening.join(code, "bob", "1", halls.entropy(), **TOYS), "bob")
    node.start()
    halls.rest()
    stopped = next(one for one in node.events if isinstance(one, events.Stopped))
    assert stopped.code == codes.HALL
    assert len(halls.organiser.board.tournament.players) == 1


def test_a_whole_swiss_tournament_with_a_bye() -> None:
    halls = Halls(4, *FOUR, "eli")
    for number in range(3):
        halls.begin_round()
        board = halls.same_everywhere()
        assert board.round == number
        assert sum(state == hall.DECIDED for state in board.states) == 1  # the bye
        halls.play_round()
    board = halls.same_everywhere()
    assert board.tournament.is_over
    rows = standing(board.tournament)
    assert sum(row.points for row in rows) == 2 * 3 * 3
    halls.begin_round()
    assert halls.organiser.of(events.NotDone)[-1].text == "all rounds have been played"


def test_the_place_of_a_table_reaches_the_second_of_the_pair_and_nobody_else() -> None:
    halls = Halls(5, *FOUR)
    halls.begin_round()
    pairing = halls.organiser.board.tournament.rounds[-1][0]
    halls.does(halls.players[pairing.first], talk.OpenTable(table_of(halls, pairing.first)))
    for player, node in enumerate(halls.players):
        found = node.of(talk.TableOpen)
        assert len(found) == (player == pairing.second)
    assert pairing.second is not None
    told = halls.players[pairing.second].of(talk.TableOpen)[0].table
    assert told.addresses == (halls.players[pairing.first].name, "192.168.1.7")  # where it is seen
    assert halls.same_everywhere().states == (hall.STANDS, hall.WAITS)


def test_the_second_of_a_pair_opens_no_table() -> None:
    """Else they could send the first one anywhere, or nowhere."""
    halls = Halls(21, *FOUR)
    halls.begin_round()
    pairing = halls.organiser.board.tournament.rounds[-1][0]
    assert pairing.second is not None
    halls.does(halls.players[pairing.second], talk.OpenTable(table_of(halls, pairing.second)))
    assert halls.same_everywhere().states == (hall.WAITS, hall.WAITS)
    assert not any(node.of(talk.TableOpen) for node in halls.players)


def test_a_result_counts_once_both_have_told_it_alike() -> None:
    halls = Halls(6, *FOUR)
    halls.begin_round()
    pairing = halls.organiser.board.tournament.rounds[-1][0]
    first, second = pairing.first, pairing.second
    halls.report(first, Result.FIRST)
    board = halls.same_everywhere()
    assert board.states[0] == hall.TOLD
    assert board.tournament.rounds[-1][0].is_open
    halls.report(second or 0, Result.FIRST)
    board = halls.same_everywhere()
    assert board.states[0] == hall.DECIDED
    assert board.tournament.points(first) == 2
    assert halls.organiser.kept.rounds == ((
        (0, 2, 1, 1), (3, 1, 0, 1),
    ),)  # fmt: skip


@pytest.mark.parametrize(
    "changes",
    [{"result": Result.SECOND}, {"digest": b"x" * 16}, {"match_id": "f" * 16}, {"steps": 8}],
)
def test_two_different_results_are_a_dispute_that_the_organiser_decides(
    changes: dict[str, Any],
) -> None:
    halls = Halls(7, *FOUR)
    halls.begin_round()
    pairing = halls.organiser.board.tournament.rounds[-1][0]
    assert pairing.second is not None
    halls.report(pairing.first, Result.FIRST)
    halls.report(pairing.second, **{"result": Result.FIRST, **changes})
    board = halls.same_everywhere()
    assert board.states[0] == hall.DISPUTED
    assert board.tournament.points(pairing.first) == 0
    halls.does(halls.organiser, talk.Decide(0, Result.DRAW))
    board = halls.same_everywhere()
    assert board.tournament.points(pairing.first) == board.tournament.points(pairing.second) == 1


def test_nobody_reports_for_others() -> None:
    """Dee says, of every match of the round, that its first player has won."""
    halls = Halls(8, *FOUR)
    halls.begin_round()
    board = halls.organiser.board
    dee = board.tournament.pairing_of(3)
    for place in range(5):
        for number in range(3):
            told = hall.Reported(number, place, "0" * 16, int(Result.FIRST), 9, bytes(16))
            halls.does(halls.players[3], talk.Report(told))
            halls.does(halls.players[3], talk.OpenTable(table_of(halls, 3, place=place)))
    board = halls.same_everywhere()
    assert all(one.is_open for one in board.tournament.rounds[-1])
    assert [state != hall.WAITS for state in board.states] == [n == dee for n in range(2)]


def test_a_decided_match_stays_decided_whatever_is_reported() -> None:
    halls = Halls(9, *FOUR)
    halls.begin_round()
    halls.does(halls.organiser, talk.Decide(0, Result.SECOND))
    told = hall.Reported(0, 0, "0" * 16, int(Result.FIRST), 9, bytes(16))
    pairing = halls.organiser.board.tournament.rounds[-1][0]
    for player in (pairing.first, pairing.second):
        assert player is not None
        halls.does(halls.players[player], talk.Report(told))
    assert halls.same_everywhere().tournament.rounds[-1][0].result is Result.SECOND
    halls.does(halls.organiser, talk.Decide(9, Result.DRAW))
    assert "no such match" in halls.organiser.of(events.NotDone)[-1].text


def test_lines_that_are_cut_come_back_and_what_was_told_meanwhile_arrives() -> None:
    halls = Halls(10, *FOUR)
    halls.begin_round()
    pairing = halls.organiser.board.tournament.rounds[-1][0]
    assert pairing.second is not None
    for line in halls.lines:
        line.cut()
    halls.out_until = halls.now + 4
    halls.rest()
    assert halls.organiser.board.here == frozenset()
    halls.report(pairing.first, Result.FIRST)
    halls.report(pairing.second, Result.FIRST)
    halls.rest(10)
    board = halls.same_everywhere()
    assert board.here == {0, 1, 2, 3}
    assert board.tournament.points(pairing.first) == 2
    assert len(board.tournament.players) == 4
    assert halls.players[0].of(events.Away)
    assert halls.players[0].of(events.HeardAgain)


def test_an_organiser_that_was_killed_goes_on_and_its_players_come_back() -> None:
    halls = Halls(11, *FOUR)
    halls.begin_round()
    pairing = halls.organiser.board.tournament.rounds[-1][1]
    assert pairing.second is not None
    halls.does(halls.players[pairing.first], talk.OpenTable(table_of(halls, pairing.first)))
    halls.report(pairing.first, Result.DRAW)
    before, code = halls.organiser.board, halls.organiser.session.door.code
    halls.restart_organiser()
    halls.rest(10)
    assert halls.organiser.session.door.code == code
    board = halls.same_everywhere()
    assert board.tournament == before.tournament
    assert board.here == before.here
    assert board.states == before.states  # told again
    assert len(halls.players[pairing.second].of(talk.TableOpen)) == 2
    halls.report(pairing.second, Result.DRAW)
    assert halls.same_everywhere().tournament.points(pairing.first) == 1


@pytest.mark.parametrize("code", [*refusals.WORDS, "who-knows"])
def test_what_a_stranger_answers_in_the_place_of_the_organiser_ends_nothing(code: str) -> None:
    """Anybody can announce that the organiser has moved, and refuse whoever comes there."""
    halls = Halls(24, *FOUR)
    ada, desk = halls.players[0], halls.organiser
    before = ada.board
    refuse = framing.PREAMBLE + messages.as_plain(messages.Refuse(code, "no", "go away"))
    ada.feed(inputs.Opened(900, "10.0.0.9"))  # a second path, beside one that is only slow
    ada.feed(inputs.Heard(900, refuse))
    halls.kill(desk)  # type: ignore[arg-type]
    halls.rest(5)
    for link in (901, 902):
        ada.feed(inputs.Opened(link, "10.0.0.9"))
        ada.feed(inputs.Heard(link, refuse))
    assert not is_over(ada)
    assert ada.board == before
    said = [one.text for one in ada.of(events.Away)]
    assert [one for one in said if "tries again by itself" in one] == said
    assert len(said) == 2  # what a stranger says is told once
    assert "go away" not in str(said)
    desk.is_alive = True
    desk.session = organiser.resumed(desk.kept, "1", halls.entropy(), **PAIRS)
    desk.start()
    halls.rest(10)
    assert ada.of(events.HeardAgain)
    assert halls.same_everywhere().here == {0, 1, 2, 3}
    halls.begin_round()
    halls.report(0, Result.FIRST)
    assert hall.TOLD in halls.organiser.board.states


def test_who_pretends_to_be_the_organiser_gets_no_player_and_is_not_believed() -> None:
    """The id of a tournament is no secret: an impostor has it, the code, all names, and no key."""
    halls = Halls(25, *FOUR)
    halls.begin_round()
    node, before = halls.organiser, halls.organiser.board
    kept: records.HallKept = node.kept
    keyless = tuple((name, is_in, bytes(32)) for name, is_in, _ in kept.players)
    (pairings,) = kept.rounds
    won = tuple((first, second, int(Result.SECOND), 1) for first, second, *_ in pairings)
    invented = replace(kept, players=keyless, rounds=(won,))
    halls.kill(node)  # type: ignore[arg-type]
    node.session, node.is_alive = organiser.resumed(invented, "1", halls.entropy(), **PAIRS), True
    node.start()
    halls.rest(30)
    assert not any(one.stage >= Stage.SEALED for one in node.session.door.links)
    for player in halls.players:
        assert player.board == replace(before, me=player.board.me)
        assert not is_over(player)
    halls.kill(node)  # type: ignore[arg-type]
    node.is_alive = True
    node.session = organiser.resumed(kept, "1", halls.entropy(), **PAIRS)
    node.start()
    halls.rest(10)
    assert halls.same_everywhere().here == {0, 1, 2, 3}
    halls.play_round()
    assert not halls.same_everywhere().tournament.is_running


def test_a_player_who_was_killed_comes_back_as_who_they_were() -> None:
    halls = Halls(12, *FOUR)
    halls.begin_round()
    bob = halls.players[1]
    halls.does(bob, talk.KeepLog(0, bob.board.my_place or 0, "x.kumite"))
    halls.restart_player(bob)
    halls.rest(3)
    assert bob.board.me == 1
    assert bob.kept.log == "x.kumite"
    assert len(halls.same_everywhere().tournament.players) == 4


def test_who_comes_from_elsewhere_takes_their_own_place_only() -> None:
    """A second program of bob's goes on in his place; one without his key is somebody else."""
    halls = Halls(13, *FOUR)
    again = halls.enter("bob", known=[halls.players[1].kept])
    halls.rest(3)
    assert again.board.me == 1
    assert halls.players[1].of(events.Stopped)[-1].code == codes.ELSEWHERE
    other = halls.enter("bob")
    halls.rest(3)
    assert other.board.me == 4
    assert other.board.tournament.players[4].name == "bob 2"


def test_the_organiser_takes_out_who_has_gone_and_takes_them_in_again() -> None:
    halls = Halls(14, *FOUR, "eli", "fay")
    halls.does(halls.organiser, talk.SetPresence(5, False))
    halls.begin_round()
    assert halls.same_everywhere().tournament.pairing_of(5) is None
    halls.play_round()
    halls.does(halls.organiser, talk.SetPresence(5, True))
    halls.begin_round()
    assert halls.same_everywhere().tournament.pairing_of(5) is not None


def test_a_hall_that_closes_is_waited_for_unless_all_is_over() -> None:
    halls = Halls(15, *FOUR)
    halls.does(halls.organiser, inputs.Depart())
    assert is_over(halls.organiser)
    assert not any(map(is_over, halls.players))
    halls = Halls(15, "ada", "bob", "cy", system=ROBIN)
    for _ in range(3):
        halls.begin_round()
        halls.play_round()
    halls.does(halls.organiser, inputs.Depart())
    assert all(map(is_over, halls.players))


def test_places_are_limited_and_names_are_cleaned() -> None:
    halls = Halls(16, "ada\x1b[2J\n", *(f"p{n}" for n in range(1, MOST)))
    players = halls.same_everywhere().tournament.players
    assert len(players) == MOST
    assert players[0].name == "ada [2J"
    late = halls.enter("late")
    halls.rest(3)
    assert late.of(events.Stopped)[-1].code == codes.FULL


def test_who_says_too_much_is_let_go_and_costs_the_others_nothing() -> None:
    halls = Halls(17, *FOUR)
    eve = halls.players[3]
    for _ in range(200):
        eve.feed(talk.OpenTable(hall.HallTable(0, 0, 1, (), "x")))
    halls.rest(0.2)
    assert 3 not in halls.organiser.board.here
    assert halls.organiser.board.here >= {0, 1, 2}


def messages_of_anybody() -> st.SearchStrategy[Any]:
    number = st.integers(0, 40)
    report = st.builds(
        hall.Reported, st.integers(0, 30), st.integers(0, 31), st.just("0" * 16),
        st.integers(1, 3), number, st.just(bytes(16)),
    )  # fmt: skip
    table = st.builds(
        hall.HallTable, st.integers(0, 30), st.integers(0, 31), st.integers(1, 65535),
        st.just(("a",)), st.just("x"),
    )  # fmt: skip
    pairing = st.tuples(
        st.integers(0, 31), st.integers(-1, 31), st.integers(0, 4), number.map(bool).map(int)
    )
    board = st.builds(
        hall.Hall, st.integers(0, 31), number.map(lambda n: n % 31),
        st.lists(st.just(("x", 1, 1)), max_size=4).map(tuple),
        st.lists(st.lists(pairing, max_size=3).map(tuple), max_size=2).map(tuple),
        st.lists(st.integers(0, 4), max_size=3).map(tuple),
    )  # fmt: skip
    return st.one_of(
        report, table, board, st.just(hall.Enter("x")), st.just(messages.Ready(1)),
        st.just(messages.Bye()), st.builds(messages.Pong, number),
    )  # fmt: skip


@settings(deadline=None, max_examples=60)
@given(st.lists(messages_of_anybody(), min_size=1, max_size=6), st.booleans())
def test_whatever_is_said_the_hall_goes_on(said: list[Any], is_by_organiser: bool) -> None:
    halls = Halls(18, "ada", "bob", "cy")
    halls.begin_round()
    by, to = halls.organiser, halls.players[0]
    if not is_by_organiser:
        by, to = to, by
    link = next(one for one in by.session.door.links if one.ticket == 1 or not is_by_organiser)
    for message in said:
        end = by.ends.get(link.number)
        if end is not None:
            end.send(by, link.sealer.seal(messages.SEALED.pack(message)))  # type: ignore[arg-type]
    halls.rest(5)
    if not is_by_organiser:
        board = halls.organiser.board
        assert [one.name for one in board.tournament.players] == ["ada", "bob", "cy"]
        assert {1, 2} <= board.here
        assert board.tournament.points(0) in (0, 2)  # of a bye


def test_files_read_back_and_anything_else_is_refused() -> None:
    halls = Halls(19, *FOUR)
    halls.begin_round()
    for node in (halls.organiser, halls.players[0]):
        assert records.to_bytes(node.kept) == node.disk
        assert records.file_name(node.kept).startswith(node.kept.hall_id)
        for data in (b"", node.disk[:-1], node.disk + b"x", encode((2, (0,))), encode(7)):
            with pytest.raises(BadData):
                records.of_bytes(data)
    assert "key" not in repr(halls.players[0].kept)
    assert halls.organiser.session.door.code not in repr(halls.organiser.kept)


def test_a_hall_of_another_version_of_the_game_is_not_entered() -> None:
    halls = Halls(20, "ada")
    kept = halls.organiser.kept
    with pytest.raises(BadSetup, match="by rules 999"):
        organiser.resumed(replace(kept, rules=999), "1", bytes(32))
