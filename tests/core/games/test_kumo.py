"""Kumo Hogosha: the worked examples and numbers of its rules, its decisions and refusals."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kumite.core.errors import BadNotation, IllegalStep
from kumite.core.game import Outcome, Seat, Step
from kumite.core.games.kumo import rules as kumo
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


def test_A8_the_same_kumotori_acts_any_number_of_times() -> None:
    state = play(begin(), "+e1=run", "run:e1-e3", "run:e3-c3", "c3-c4", "cw")
    assert state.on("d7") == ((0, "run"),)
    assert state.seat == 1


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


# --- Refusals ---------------------------------------------------------------------------------

LATE = "the arena must be turned in this turn, and this would be its last action"
BEHIND = "does not lie straight behind a row that begins next to the jumper"
PINNED = "the Kumotori on c5 is pinned by a blocker"
ROW = at("e1 0jump; e2 1run; e3 0grab; e4 1grab 0block; f1 0run; d1 1run; c1 1run; b1 0run")
RUNNER = at("e1 0run; e2 1grab; f2 0grab; a9 0throw")
GRIPS = at("d4 0grab; d5 0run; f4 0throw; f3 1run", stone="a9")
EDGES = at("b2 0grab; b1 1run; c2 0run; h1 0throw; h2 1jump; a8 0grab; a9 1run")
BLOCKER = at("d3 0block; d4 1run; c3 1grab; e3 0run; d2 1jump 0block", used=2)
ON_TOP = at("c5 1run 0block; d5 0throw", stone="i9")
BELOW = at("c5 1run 0block; d5 1grab; c6 1kumo 0block", stone="i9", turn=6, turned="no no")
CLIMBING = at("c4 1run 0block; g4 1jump 0block", used=0, turned="no no")
PUSHERS = at("e4 0kumo; d4 0kumo; f4 0run; e3 0kumo")
TEAM = at("b1 0grab; a1 1run; c1 0grab; d1 1run", seats=4, prisons="2 0", turned="no no")
OTHERS = at("e3 0run; d3 0grab; f3 1run", prisons="1 0")
BEGUN = play(begin(4), "+a1=run", "+b1=run")

REFUSALS = [
    # A4, A5: the basic actions are compulsory, and the last one turns the arena.
    (begin(), "done", "the turn takes at least 5 actions, so far 0"),
    (at("", used=5, prisons="1 0", turned="no no"), "done",
     "the arena must be turned in this turn"),
    (at("d1 0grab; e1 1run", used=4, turned="no no"), "+a1=run", LATE),
    (at("d1 0grab; e1 1run", used=4, turned="no no"), "grab:d1:e1-f1", LATE),
    (at("d1 0grab; e1 1run", used=7, turned="no no", prisons="3 0"), "grab:d1:e1-x", LATE),
    # A7: placing needs a free space.
    (at("a1 0run; c1 1jump 0block"), "+a1=run", "a runner of side 0 stands on a1"),
    (at("a1 0run; c1 1jump 0block"), "+c1=run", "a blocker of side 0 stands on c1"),
    (at("", stone="d1"), "+d1=run", "the stone lies on d1"),
    # A9: those who grab, throw and block stand firm.
    (at("e1 0grab"), "e1-e2", "the grabber on e1 stands firm and cannot walk"),
    (at("e1 0throw"), "e1-e2", "the thrower on e1 stands firm and cannot walk"),
    (at("e1 0block"), "e1-e2", "the blocker on e1 stands firm and cannot walk"),
    # A10: a run is two steps over free spaces.
    (at("e1 0run; e2 1grab; f1 1grab"), "run:e1-f2", "a grabber of side 1 stands on e2"),
    (RUNNER, "run:e1-e3", "a grabber of side 1 stands on e2"),
    (RUNNER, "run:e1-f2", "a grabber of side 0 stands on f2"),
    (RUNNER, "run:e1-e1", "e1 is not two steps away from e1"),
    (RUNNER, "run:e1-d1", "d1 is not two steps away from e1"),
    (RUNNER, "run:a9-c9", "the Kumotori on a9 shows throw, not run"),
    # A11: a jump goes over an unbroken row, but not over the stone.
    (ROW, "jump:e1-e6", "the stone on e5 cannot be jumped"),
    (ROW, "jump:e1-e5", "the stone lies on e5"),
    (ROW, "jump:e1-c1", "a runner of side 1 stands on c1"),
    (ROW, "jump:e1-h1", "g1 is empty, and a jump goes over an unbroken row of Kumotori"),
    (ROW, "jump:e1-d2", f"d2 {BEHIND}"),
    (ROW, "jump:e1-d1", f"d1 {BEHIND}"),
    (ROW, "jump:e1-e1", f"e1 {BEHIND}"),
    # A12: a grab moves round the piece, and a throw round the thrower.
    (GRIPS, "throw:f4:f3-f2", "f2 is not adjacent to f4"),
    (GRIPS, "grab:d4:d5-c4", "c4 is not adjacent to d5"),
    (GRIPS, "grab:d4:d5-d4", "a grabber of side 0 stands on d4"),
    (GRIPS, "grab:d4:f3-f2", "f3 is not adjacent to d4"),
    (GRIPS, "grab:d4:c4-c5", "no Kumotori stands on c4"),
    (at("d4 0grab; a1 1run", stone="d5"), "grab:d4:d5-d6", "no Kumotori stands on d5"),
    # A13: only foes go to prison, and only over an own edge.
    (EDGES, "grab:a8:a9-x", "a9 does not lie at the south edge, which leads to the prison"),
    (EDGES, "grab:b2:c2-x", "the piece on c2 is no foe; only foes go to prison"),
    # A14: a block pins a lone foe outside the ring.
    (BLOCKER, "block:d3-d4", "d4 lies in the ring round the stone, where nobody can be pinned"),
    (BLOCKER, "block:d3-e3", "no foe stands alone on e3"),
    (BLOCKER, "block:d3-d2", "no foe stands alone on d2"),
    (BLOCKER, "block:d3-c4", "c4 is not adjacent to d3"),
    # A15: neither of a pair can do anything, but the blocker can climb down.
    (BELOW, "c5-c4", PINNED),
    (BELOW, "c5=kumo", PINNED),
    (BELOW, "run:c5-a5", PINNED),
    (ON_TOP, "c5=run", "the blocker on c5 can do nothing but climb down"),
    (ON_TOP, "c5-c4", "the blocker on c5 can do nothing but climb down"),
    (ON_TOP, "block:c5-c4", "the blocker on c5 can do nothing but climb down"),
    (at("e4 0kumo; e3 0kumo 1block; d4 0run"), "push:e4+e3",
     "the Kumotori on e3 is pinned by a blocker"),
    # A16: blockers climb down first, and later not at all.
    (CLIMBING, "cw", "the blocker on c4 must climb down first"),
    (play(CLIMBING, "off:g4-h4"), "cw", "the blocker on c4 must climb down first"),
    (CLIMBING, "off:c4-e4", "e4 is not adjacent to c4"),
    (CLIMBING, "off:c5-c6", "no blocker of side 0 stands on c5"),
    (at("a9 1grab 0block; a8 1run; b9 1run", used=0, turned="no no"), "off:a9-a8",
     "a runner of side 1 stands on a8"),
    (at("c4 1run 0block"), "off:c4-c3",
     "blockers climb down at the start of a turn, before any action"),
    (at("c4 1run 0block", used=4, turned="no no", block="hold"), "off:c4-b4", LATE),
    # A17: two go along with the stone, and it pushes nobody aside.
    (PUSHERS, "pull:e4+d4", "the leader cannot move south: a kumo of side 0 stands on e3"),
    (PUSHERS, "push:e3+e4", "the leader on e3 is not adjacent to the stone"),
    (PUSHERS, "push:e4+f4", "the Kumotori on f4 shows run, not kumo"),
    (PUSHERS, "push:e4+c4", "no Kumotori stands on c4"),
    (at("e4 0kumo; e3 0kumo; e6 1run"), "push:e4+e3",
     "the stone cannot move north: a runner of side 1 stands on e6"),
    (at("e4 0kumo; d4 0kumo; d5 1run"), "push:e4+d4",
     "the partner cannot move north: a runner of side 1 stands on d5"),
    (at("e4 0kumo; a1 0kumo"), "push:e4+a1", "a1 is not adjacent to e4"),
    (at("e2 0kumo; e1 0kumo", stone="e3"), "pull:e2+e1",
     "the partner on e1 would leave the arena"),
    # A19, A20: with 4 seats, shared actions, prisons of two, and own rows.
    (BEGUN, "done", "the turn takes at least 3 actions, so far 2"),
    (TEAM, "grab:c1:d1-x", "the prison of side 0 holds 2 already"),
    (at("a5 0grab; a4 1run", seats=4, turned="no no"), "grab:a5:a4-x",
     "a4 does not lie at the south or north edge, which leads to the prison"),
    (begin(4), "+a9=run", "seat 0 places on its closest row, a1 to i1, not on a9"),
    (play(BEGUN, "+c1=run"), "+d1=run", "no Kumotori waits on the board of seat 0"),
    (play(BEGUN, "+c1=run", "done"), "+b3=run",
     "seat 1 places on its closest row, a1 to a9, not on b3"),
    (play(BEGUN, "+c1=run", "done"), "a1=jump", "the Kumotori on a1 is of side 0"),
    # A22: changing stance means another one.
    (at("e4 0kumo; e3 1run"), "e4=kumo", "the Kumotori on e4 shows kumo already"),
    (at("e4 0kumo; e3 1run"), "e3=jump", "the Kumotori on e3 is of side 1"),
    (OTHERS, "e3-e5", "e5 is not adjacent to e3"),
    (OTHERS, "e3-d3", "a grabber of side 0 stands on d3"),
    (OTHERS, "a5-a6", "no Kumotori stands on a5"),
    (OTHERS, "e5-e6", "no Kumotori stands on e5"),
    (OTHERS, "free", "the prison of side 1 is empty"),
    (OTHERS, "throw:d3:e3-d4", "the Kumotori on d3 shows grab, not throw"),
    (OTHERS, "block:e3-f3", "the Kumotori on e3 shows run, not block"),
]  # fmt: skip


@pytest.mark.parametrize(("state", "step", "reason"), REFUSALS, ids=[row[1] for row in REFUSALS])
def test_a_refusal_says_why(state: kumo.State, step: str, reason: str) -> None:
    assert why(state, step) == reason


def test_the_other_seat_is_told_whose_turn_it_is() -> None:
    assert kumo.why(begin(), Seat(1), Step("cw")) == "it is the turn of seat 0"


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
    assert caught.value.hint == "cw: cw; ccw: ccw; place: +a1=block"
