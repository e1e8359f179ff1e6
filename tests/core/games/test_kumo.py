"""Kumo Hogosha: the worked examples and numbers of its rules, its decisions and refusals."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kumite.core.errors import BadNotation, IllegalStep
from kumite.core.game import Outcome, Seat, Step
from kumite.core.games.kumo import rules as kumo
from kumite.core.games.kumo.state import SQUARES, STANCES
from kumite.core.match import perft
from tests.support.kumo_positions import at, begin, legal, play
from tests.support.places import DATA

EXAMPLES = DATA / "kumo_examples.txt"
WORDS = ("position", "becomes", "play", "legal")


def why(state: kumo.State, step: str) -> str:
    """Return why a step is refused, having checked that it is."""
    reason = kumo.why(state, Seat(state.seat), Step(step))
    assert step not in legal(state)
    with pytest.raises((IllegalStep, BadNotation)) as caught:
        play(state, step)
    assert str(caught.value) == f"kumo: {reason}"
    return reason


# --- The worked examples of the rules ---------------------------------------------------------


def examples() -> Iterator[tuple[str, list[str]]]:
    """Yield the name and the lines of each example; one that begins with `play` gets a position."""
    position: list[str] = []
    for part in EXAMPLES.read_text().split("=== ")[1:]:
        name, *lines = part.splitlines()
        if lines[0] == "position":
            end = next(n for n, line in enumerate(lines) if n and line.split()[0] in WORDS)
            position = lines[:end]
            yield name, lines
        else:
            yield name, position + lines


@pytest.mark.parametrize("lines", [pytest.param(lines, id=name) for name, lines in examples()])
def test_worked_examples_of_the_rules(lines: list[str]) -> None:
    state = begin()
    starts = [n for n, line in enumerate(lines) if line.split()[0] in WORDS]
    for first, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        word, *about = lines[first].split()
        said = lines[first + 1 : end]
        if word == "position":
            state = kumo.parse("\n".join(said))
            assert kumo.text(state).split("\n") == said
        elif word == "becomes":
            assert kumo.text(state).split("\n") == said
        elif word == "play":
            state = play(state, *about)
        else:
            steps = " ".join(said).replace("(none)", "").split()
            assert f"({len(steps)})" == about[-1]
            assert legal(state, "" if len(about) == 1 else about[0]) == steps


def test_there_are_all_the_examples() -> None:
    names = [name for name, _ in examples()]
    assert len(names) == 29
    assert {name.split(".")[0] for name in names} == {str(number) for number in range(1, 16)}


@pytest.mark.parametrize("seats", [2, 4])
def test_step_sequences_up_to_length_3_are_those_of_the_rules(seats: int) -> None:
    assert perft(kumo, begin(seats), 3) == (56, 3196, 186758)


@pytest.mark.long
@pytest.mark.parametrize(("seats", "longest"), [(2, 11207835), (4, 7475489)])
def test_step_sequences_up_to_length_4_are_those_of_the_rules(seats: int, longest: int) -> None:
    assert perft(kumo, begin(seats), 4) == (56, 3196, 186758, longest)


# --- Decisions --------------------------------------------------------------------------------


def test_A4_the_basic_actions_are_compulsory() -> None:
    state = begin()
    for used in range(5):
        assert state.used == used
        assert why(state, "done") == f"the turn takes at least 5 actions, so far {used}"
        state = play(state, "cw")
    assert (state.seat, state.used) == (1, 0)


def test_A5_the_last_action_turns_the_arena_or_wins_another_one() -> None:
    state = at("d1 0grab; e1 1run", used=4, turned="no no")
    assert legal(state) == ["ccw", "cw", "grab:d1:e1-x"]
    late = "the arena must be turned in this turn, and this would be its last action"
    assert why(state, "+a1=run") == why(state, "grab:d1:e1-f1") == late
    state = at("d1 0grab; e1 1run", used=7, turned="no no", prisons="3 0")
    assert legal(state) == ["ccw", "cw"]  # no ninth action
    assert why(state, "grab:d1:e1-x") == late
    state = at("e9 0kumo; d9 0kumo", used=4, turned="no no", stone="f9")
    assert legal(state) == ["ccw", "cw"]
    state = at("e8 0kumo; e7 0kumo; d8 0kumo", used=4, turned="no no", stone="e9")
    assert legal(state) == ["ccw", "cw", "push:e8+d8", "push:e8+e7"]  # the match is over then
    assert kumo.outcome(play(state, "push:e8+d8")) == Outcome((Seat(0),), "stone")


def test_A6_each_prisoner_is_worth_an_action_up_to_eight() -> None:
    assert [at("", prisons=f"{held} 0").most() for held in range(7)] == [5, 6, 7, 8, 8, 8, 8]
    state = at("d1 0grab; e1 1run", used=4)
    assert play(state, "grab:d1:e1-e2").seat == 1
    state = play(state, "grab:d1:e1-x")
    assert (state.seat, state.used, state.most(), state.least) == (0, 5, 6, 5)
    assert play(state, "cw").seat == play(state, "done").seat == 1


def test_A7_placing_needs_a_free_space() -> None:
    state = at("a1 0run; b1 1run; c1 1jump 0block", stone="d1", used=1)
    assert {step[1:3] for step in legal(state, "+")} == {"e1", "f1", "g1", "h1", "i1"}
    assert why(state, "+a1=run") == "a run of side 0 stands on a1"
    assert why(state, "+c1=run") == "a block of side 0 stands on c1"
    assert why(state, "+d1=run") == "the stone lies on d1"


def test_A8_the_same_kumotori_acts_any_number_of_times() -> None:
    state = play(begin(), "+e1=run", "run:e1-e3", "run:e3-c3", "c3-c4", "cw")
    assert state.on("d7") == ((0, "run"),)
    assert state.seat == 1


@pytest.mark.parametrize("stance", STANCES)
def test_A9_grab_throw_and_block_stand_firm(stance: str) -> None:
    state = at(f"e1 0{stance}")
    walks = ["e1-d1", "e1-e2", "e1-f1"]
    if stance in ("grab", "throw", "block"):
        assert not legal(state, "e1-")
        assert why(state, "e1-e2") == f"a {stance} as on e1 stands firm and cannot walk"
    else:
        assert legal(state, "e1-") == walks


def test_A10_a_run_is_exactly_two_steps_through_free_spaces() -> None:
    state = at("e1 0run; e2 1grab; f1 1grab; d1 0grab")
    assert not legal(state, "run")
    assert why(state, "run:e1-f2") == "a grab of side 1 stands on e2"  # and one on f1
    state = at("e1 0run; e2 1grab; f2 0grab; a9 0throw")
    assert legal(state, "run") == ["run:e1-c1", "run:e1-d2", "run:e1-g1"]
    assert why(state, "run:e1-e3") == "a grab of side 1 stands on e2"
    assert why(state, "run:e1-f2") == "a grab of side 0 stands on f2"
    assert why(state, "run:e1-e1") == "e1 is not two steps away from e1"
    assert why(state, "run:e1-d1") == "d1 is not two steps away from e1"
    assert why(state, "run:a9-c9") == "the Kumotori on a9 shows throw, not run"


def test_A11_a_jump_goes_over_a_row_of_either_side_but_not_over_the_stone() -> None:
    state = at("e1 0jump; e2 1run; e3 0grab; e4 1grab 0block; f1 0run; d1 1run; c1 1run; b1 0run")
    assert legal(state, "jump") == ["jump:e1-a1", "jump:e1-g1"]
    assert why(state, "jump:e1-e6") == "the stone on e5 cannot be jumped"
    assert why(state, "jump:e1-e5") == "the stone lies on e5"
    assert why(state, "jump:e1-c1") == "a run of side 1 stands on c1"
    assert why(state, "jump:e1-h1") == (
        "g1 is empty, and a jump goes over an unbroken row of Kumotori"
    )
    behind = "does not lie straight behind a row that begins next to the jumper"
    for goal in ("d2", "d1", "e1"):
        assert why(state, f"jump:e1-{goal}") == f"{goal} {behind}"
    assert legal(at("e1 0jump; e2 1run; e3 0grab; e4 1grab 0block", stone="a9"), "jump") == [
        "jump:e1-e5"
    ]
    assert not legal(at("h1 0jump; i1 0run"), "jump")  # no space behind


def test_A12_a_grab_moves_round_the_piece_and_a_throw_round_the_thrower() -> None:
    state = at("d4 0grab; d5 0run; f4 0throw; f3 1run", stone="a9")
    assert legal(state, "grab") == ["grab:d4:d5-c5", "grab:d4:d5-d6", "grab:d4:d5-e5"]
    assert legal(state, "throw") == ["throw:f4:f3-e4", "throw:f4:f3-f5", "throw:f4:f3-g4"]
    after = play(state, "throw:f4:f3-f5")
    assert after.on("f5") == ((1, "run"),)
    assert after.on("f4") == ((0, "throw"),)
    assert why(state, "throw:f4:f3-f2") == "f2 is not adjacent to f4"
    assert why(state, "grab:d4:d5-c4") == "c4 is not adjacent to d5"
    assert why(state, "grab:d4:d5-d4") == "a grab of side 0 stands on d4"
    assert why(state, "grab:d4:f3-f2") == "f3 is not adjacent to d4"
    assert why(state, "grab:d4:c4-c5") == "no Kumotori stands on c4"
    assert why(at("d4 0grab; a1 1run", stone="d5"), "grab:d4:d5-d6") == "no Kumotori stands on d5"


def test_A13_only_foes_go_to_prison_and_only_over_an_own_edge() -> None:
    state = at("b2 0grab; b1 1run; c2 0run; h1 0throw; h2 1jump; a8 0grab; a9 1run")
    assert [step for step in legal(state) if step.endswith("x")] == [
        "grab:b2:b1-x",
        "throw:h1:h2-x",
    ]
    edge = "does not lie at the south edge, which leads to the prison"
    assert why(state, "grab:a8:a9-x") == f"a9 {edge}"  # the foe's own and a neutral edge
    assert why(state, "grab:b2:c2-x") == "the piece on c2 is no foe; only foes go to prison"
    state = play(state, "throw:h1:h2-x")
    assert (state.prisons, state.on("h2")) == ((1, 0), ())
    pieces = "b2 1grab; b1 0run; g9 1throw; g8 0run; h8 1grab; h9 0run"
    state = at(pieces, turn=6, turned="no yes")  # the north edge is that of side 1
    assert [step for step in legal(state) if step.endswith("x")] == [
        "grab:h8:h9-x",
        "throw:g9:g8-x",
        "throw:g9:h9-x",
    ]


def test_A14_a_block_pins_a_lone_foe_outside_the_ring() -> None:
    state = at("d3 0block; d4 1run; c3 1grab; e3 0run; d2 1jump 0block", used=2)
    assert legal(state, "block") == ["block:d3-c3"]
    assert (
        why(state, "block:d3-d4")
        == "d4 lies in the ring round the stone, where nobody can be pinned"
    )
    assert why(state, "block:d3-e3") == "no foe stands alone on e3"
    assert why(state, "block:d3-d2") == "no foe stands alone on d2"
    assert why(state, "block:d3-c4") == "c4 is not adjacent to d3"
    after = play(state, "block:d3-c3")
    assert after.on("c3") == ((1, "grab"), (0, "block"))
    assert after.on("d3") == ()


def test_A15_a_pinned_one_can_do_nothing_and_is_out_of_reach() -> None:
    state = at("c5 1run 0block; d5 1grab; c6 1kumo 0block", stone="i9", turn=6, turned="no no")
    pinned = "the Kumotori on c5 is pinned by a blocker"
    assert why(state, "c5-c4") == why(state, "c5=kumo") == why(state, "run:c5-a5") == pinned
    assert legal(state, "grab") == ["grab:d5:c5-b5", "grab:d5:c5-c4"]
    after = play(state, "grab:d5:c5-b5")
    assert (after.on("c5"), after.on("b5")) == (((1, "run"),), ((0, "block"),))
    assert legal(after, "run:c5")


def test_A15_a_blocker_only_climbs_down_and_can_be_thrown_by_its_own_side() -> None:
    state = at("c5 1run 0block; d5 0throw", stone="i9")
    nothing = "the blocker on c5 can do nothing but climb down"
    assert why(state, "c5=run") == why(state, "c5-c4") == why(state, "block:c5-c4") == nothing
    after = play(state, "throw:d5:c5-e5")
    assert (after.on("c5"), after.on("e5")) == (((1, "run"),), ((0, "block"),))


def test_A15_neither_of_a_pair_counts_for_a_push() -> None:
    state = at("e4 0kumo; e3 0kumo 1block; d4 0run", turn=5)
    assert not legal(state, "pu")
    assert why(state, "push:e4+e3") == "the Kumotori on e3 is pinned by a blocker"


def test_A16_blockers_climb_down_first_and_free_of_charge() -> None:
    pieces = "c4 1run 0block; g4 1jump 0block"
    state = at(pieces, used=0, turned="no no")
    assert {step[:6] for step in legal(state)} == {"off:c4", "off:g4"}
    assert why(state, "cw") == "the blocker on c4 must climb down first"
    state = play(state, "off:g4-h4")
    assert why(state, "cw") == "the blocker on c4 must climb down first"
    state = play(state, "off:c4-b4")
    assert (state.used, state.on("b4"), state.on("c4")) == (0, ((0, "block"),), ((1, "run"),))
    assert not legal(state, "off")
    assert len(legal(state)) > 50


def test_A16_a_blocker_shut_in_stays_and_is_due_again_next_turn() -> None:
    pieces = "a9 1grab 0block; a8 1run; b9 1run"
    state = at(pieces, used=0, turned="no no")
    assert not legal(state, "off")
    assert why(state, "off:a9-a8") == "a run of side 1 stands on a8"
    state = play(state, "cw", "cw", "cw", "cw", "ccw")  # a1 now, shut in by b1 and a2
    state = play(state, "b1-c1", "cw", "cw", "cw", "cw")
    assert legal(state) == ["off:a1-b1"]


def test_A16_no_blocker_climbs_down_later_in_the_turn() -> None:
    state = at("c4 1run 0block", used=1)
    assert (
        why(state, "off:c4-c3") == "blockers climb down at the start of a turn, before any action"
    )
    state = at("c4 1run 0block", used=0, turned="no no")
    assert why(state, "off:c4-e4") == "e4 is not adjacent to c4"
    assert why(state, "off:c5-c6") == "no blocker of side 0 stands on c5"


def test_A16_with_hold_climbing_down_is_an_action_at_any_time() -> None:
    state = at("c4 1run 0block", used=0, turned="no no", block="hold")
    assert legal(state, "off") == ["off:c4-b4", "off:c4-c3", "off:c4-c5", "off:c4-d4"]
    assert "cw" in legal(state)
    assert play(state, "off:c4-b4").used == 1
    assert play(state, "cw", "cw", "cw", "cw", "off:c4-b4").seat == 1
    assert why(at("c4 1run 0block", used=4, turned="no no", block="hold"), "off:c4-b4") == (
        "the arena must be turned in this turn, and this would be its last action"
    )


def test_A17_the_two_go_along_and_the_stone_pushes_nobody_aside() -> None:
    state = at("e4 0kumo; d4 0kumo; f4 0run; e3 0kumo")
    assert legal(state, "pu") == ["pull:e4+e3", "push:e4+d4", "push:e4+e3"]
    after = play(state, "push:e4+d4")
    assert SQUARES[after.stone] == "e6"
    assert (after.on("e5"), after.on("d5"), after.on("e4")) == (((0, "kumo"),), ((0, "kumo"),), ())
    after = play(state, "pull:e4+e3")
    assert SQUARES[after.stone] == "e4"
    assert (after.on("e2"), after.on("e3")) == (((0, "kumo"),), ((0, "kumo"),))
    assert why(state, "pull:e4+d4") == "the leader cannot move south: a kumo of side 0 stands on e3"
    assert why(state, "push:e3+e4") == "the leader on e3 is not adjacent to the stone"
    assert why(state, "push:e4+f4") == "the Kumotori on f4 shows run, not kumo"
    assert why(state, "push:e4+c4") == "no Kumotori stands on c4"
    blocked = at("e4 0kumo; e3 0kumo; e6 1run")
    assert why(blocked, "push:e4+e3") == "the stone cannot move north: a run of side 1 stands on e6"
    blocked = at("e4 0kumo; d4 0kumo; d5 1run; a1 0kumo")
    assert why(blocked, "push:e4+d4") == (
        "the partner cannot move north: a run of side 1 stands on d5"
    )
    assert why(blocked, "push:e4+a1") == "a1 is not adjacent to e4"
    assert why(at("e2 0kumo; e1 0kumo", stone="e3"), "pull:e2+e1") == (
        "the partner on e1 would leave the arena"
    )


@pytest.mark.parametrize(
    ("seats", "side", "exits"), [(2, 0, "north"), (2, 1, "south"), (4, 0, "we"), (4, 1, "ns")]
)
def test_A18_the_stone_leaves_only_towards_a_camp_of_the_foe(
    seats: int, side: int, exits: str
) -> None:
    lanes = {
        "north": ("e9", "e8", "e7"),
        "south": ("e1", "e2", "e3"),
        "west": ("a5", "b5", "c5"),
        "east": ("i5", "h5", "g5"),
    }
    turn = (5 if seats == 2 else 9) + side
    for edge, (stone, leader, partner) in lanes.items():
        pieces = f"{leader} {side}kumo; {partner} {side}kumo"
        state = at(pieces, seats=seats, turn=turn, turned="no no", stone=stone)
        step = f"push:{leader}+{partner}"
        if edge == exits or edge[0] in exits:
            after = play(state, step)
            winners = tuple(Seat(seat) for seat in range(side, seats, 2))
            assert kumo.outcome(after) == Outcome(winners, "stone")
            assert (kumo.actors(after), legal(after)) == ((), [])
            assert after.used == state.used + 1
            assert kumo.text(after).endswith(f"over stone {','.join(map(str, winners))}")
        else:
            assert why(state, step) == f"no camp of the foe lies beyond the {edge} edge"


def test_A19_teammates_share_eight_actions() -> None:
    state = begin(4)
    assert (state.least, state.most(), state.must_turn) == (3, 5, False)
    state = play(state, "+a1=run", "+b1=run")
    assert why(state, "done") == "the turn takes at least 3 actions, so far 2"
    state = play(state, "+c1=run", "a1-a2", "a2-a3")  # five end the turn
    assert (state.seat, state.spent) == (1, (5, 0))
    state = play(state, "cw", "cw", "cw", "done")
    assert (state.seat, state.spent, state.turned) == (2, (5, 3), (False, True))
    assert (state.least, state.most(), state.must_turn) == (3, 3, True)
    state = play(state, "+a9=run", "+b9=run")
    assert legal(state) == ["ccw", "cw"]
    state = play(state, "cw")
    assert (state.seat, state.spent, state.turned) == (3, (0, 3), (False, True))
    assert (state.least, state.most(), state.must_turn) == (5, 5, False)


def test_A20_the_prison_of_a_team_holds_two() -> None:
    state = at("b1 0grab; a1 1run; c1 0grab; d1 1run", seats=4, prisons="1 0", turned="no no")
    state = play(state, "grab:b1:a1-x")
    assert state.prisons == (2, 0)
    assert why(state, "grab:c1:d1-x") == "the prison of side 0 holds 2 already"


def test_A20_both_own_edges_serve_for_prison() -> None:
    pieces = "b9 0grab; a9 1run; b1 0grab; a1 1run; a5 0grab; a4 1run"
    state = at(pieces, seats=4, turned="no no")
    assert [step for step in legal(state) if step.endswith("x")] == ["grab:b1:a1-x", "grab:b9:a9-x"]
    assert why(state, "grab:a5:a4-x") == (
        "a4 does not lie at the south or north edge, which leads to the prison"
    )


def test_A20_each_places_from_the_own_board_on_the_own_row() -> None:
    state = begin(4)
    assert why(state, "+a9=run") == "seat 0 places on its closest row, a1 to i1, not on a9"
    state = play(state, "+a1=run", "+b1=run", "+c1=run")
    assert why(state, "+d1=run") == "no Kumotori waits on the board of seat 0"
    state = play(state, "done")
    assert why(state, "+b3=run") == "seat 1 places on its closest row, a1 to a9, not on b3"
    assert why(state, "a1=jump") == "the Kumotori on a1 is of side 0"
    state = play(state, "cw", "cw", "cw", "done")  # a1, b1, c1 lie on i1, i2, i3 now
    assert state.boards == (0, 3, 3, 3)
    assert legal(state, "i2")  # seat 2 moves what its teammate placed


def test_A22_changing_stance_means_another_one() -> None:
    state = at("e4 0kumo; e3 1run")
    assert legal(state, "e4=") == [
        "e4=block", "e4=grab", "e4=jump", "e4=run", "e4=throw",
    ]  # fmt: skip
    assert why(state, "e4=kumo") == "the Kumotori on e4 shows kumo already"
    assert why(state, "e3=jump") == "the Kumotori on e3 is of side 1"
    assert play(state, "e4=run").on("e4") == ((0, "run"),)


# --- Refusals ---------------------------------------------------------------------------------


def test_other_refusals_say_why() -> None:
    state = at("e3 0run; d3 0grab; f3 1run", prisons="1 0")
    assert why(state, "e3-e5") == "e5 is not adjacent to e3"
    assert why(state, "e3-d3") == "a grab of side 0 stands on d3"
    assert why(state, "a5-a6") == "no Kumotori stands on a5"
    assert why(state, "e5-e6") == "no Kumotori stands on e5"
    assert why(state, "free") == "the prison of side 1 is empty"
    assert why(state, "throw:d3:e3-d4") == "the Kumotori on d3 shows grab, not throw"
    assert why(state, "block:e3-f3") == "the Kumotori on e3 shows run, not block"
    assert kumo.why(state, Seat(1), Step("cw")) == "it is the turn of seat 0"
    done = at("", used=5, prisons="1 0", turned="no no")
    assert why(done, "done") == "the arena must be turned in this turn"


@pytest.mark.parametrize(
    "step",
    ["", "e3", "e3-", "e0-e1", "j1-i1", "e3-e10", "E3-e4", "+e1=Run", "+e1", "e4=", "run e1-e3",
     "run:e1", "grab:d4:e4", "grab:d4:e4-", "grab:x:e4-e5", "block:c4-x", "push:e4-e3", "off:c5",
     "cw ", "cw\n", "done!", "turn", "free:1", "?", "e3-e4-e5", "+e1=run+e2=run", "e٣-e4"],
)  # fmt: skip
def test_what_is_no_step_is_bad_notation(step: str) -> None:
    with pytest.raises(BadNotation) as caught:
        play(begin(), step)
    assert "is no step" in why(begin(), step)
    assert caught.value.hint.startswith("steps look like cw, ")  # it stands right behind the reason
