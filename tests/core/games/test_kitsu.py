"""Kitsu!: the worked examples and numbers of its rules, its decisions, refusals and texts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random

import pytest

from kumite.core.copying import replace
from kumite.core.errors import BadNotation, IllegalStep
from kumite.core.game import Outcome, Seat, Setup, Step
from kumite.core.games.kitsu import rules as kitsu
from kumite.core.games.kitsu.board import NAMES
from kumite.core.games.kitsu.position import State
from kumite.core.match import perft
from tests.support.kitsu_positions import DISPATCHES, OWES, POUNCES, legal, play, position, start
from tests.support.places import DATA
from tests.support.random_matches import walk

EXAMPLES = (DATA / "kitsu_examples.txt").read_text()
LINES_OF_A_POSITION = 15


def line_of(state: State, word: str) -> str:
    return next(line for line in kitsu.text(state).split("\n") if line.startswith(word))


# --- The worked examples ----------------------------------------------------------------------


def examples() -> Iterator[tuple[str, str, list[str]]]:
    """Yield name, position and commands of each example; indented lines go on."""
    for block in EXAMPLES.split("\n== ")[1:]:
        name, *lines = block.replace("\n  ", " ").strip().split("\n")
        yield (
            name.replace(" ", "-"),
            "\n".join(lines[:LINES_OF_A_POSITION]),
            lines[LINES_OF_A_POSITION:],
        )


ALL_EXAMPLES = list(examples())


def test_no_worked_example_is_lost() -> None:
    assert len(ALL_EXAMPLES) == 18
    commands = [line.split()[0] for *_, lines in ALL_EXAMPLES for line in lines]
    counts = [commands.count(word) for word in ("do", "illegal", "legal", "shows")]
    assert counts == [32, 6, 21, 72]


@pytest.mark.parametrize(
    ("text", "commands"),
    [example[1:] for example in ALL_EXAMPLES],
    ids=[example[0] for example in ALL_EXAMPLES],
)
def test_worked_examples_hold(text: str, commands: list[str]) -> None:
    state = kitsu.parse(text)
    assert kitsu.text(state) == text
    for line in commands:
        command, _, rest = line.partition(" ")
        match command:
            case "legal":
                count, _, steps = rest.partition(":")
                assert legal(state) == tuple(steps.split())
                assert len(legal(state)) == int(count)
            case "illegal":
                with pytest.raises(IllegalStep):
                    play(state, rest)
            case "do":
                state = play(state, rest)
            case "shows":
                assert rest in kitsu.text(state).split("\n")
            case _:
                pytest.fail(f"no command: {line}")


# Counted by an independent program, with boards as dictionaries of names.
PERFT = [
    ({}, (52, 599, 7774, 123325, 1700626)),
    ({"adjacent": 8}, (52, 635, 8250, 132326, 1859020)),
    ({"opening": 1}, (52, 943, 16705, 196343, 2960676)),
]
every_count = pytest.mark.parametrize(("options", "counts"), PERFT, ids=["4", "8", "opening"])


@every_count
def test_perft_counts_from_the_start(options: dict[str, int], counts: tuple[int, ...]) -> None:
    assert perft(kitsu, start(**options), 4) == counts[:4]


@pytest.mark.long
@every_count
def test_deep_perft_counts(options: dict[str, int], counts: tuple[int, ...]) -> None:
    assert perft(kitsu, start(**options), 5) == counts


# --- The decisions ----------------------------------------------------------------------------


def test_A7_a_piece_that_goes_on_clockwise_may_move_again() -> None:
    state = play(position("Fd3 fh1"), "d3-c5 +f c5-e6 +f e6-f4 +s")
    assert state.turn == 1
    assert line_of(state, "open") == "open winter"
    assert play(state, "f4-h3").turn == 2


def test_a_turn_in_which_nothing_can_be_done_any_more_ends_by_itself() -> None:
    ended = 0
    for seed in range(8):
        for before, after in pairwise(walk(Setup.of(kitsu), seed).line()):
            assert before.legal(before.actors[0]) != ("end",)
            is_next = after.actors not in ((), before.actors)
            ended += is_next and after.last is not None and after.last.step != "end"
    assert ended


def test_A9_the_first_move_of_a_turn_must_be_made() -> None:
    assert kitsu.END not in legal(start())
    assert kitsu.END in legal(play(start(), "d6-f5 +f"))
    with pytest.raises(IllegalStep, match="at least one move"):
        play(start(), "end")


@pytest.mark.parametrize(("piece", "reason"), [("s", "samurai"), ("f", "foxes")])
def test_A14_the_fourth_of_a_kind_goes_before_the_rout(piece: str, reason: str) -> None:
    state = position(f"Sa4 {piece}b5", seat0="spirit s6 f6 hand s0 f0 taken s3 f3")
    won = play(state, "a4xb5")
    assert kitsu.outcome(won) == Outcome((Seat(0),), reason)
    assert kitsu.parse(kitsu.text(won)) == won


@pytest.mark.parametrize("limit", [40, 60, 100, 200])
def test_A15_the_last_turn_ends_in_a_draw_also_without_a_step(limit: int) -> None:
    lines = {"options": f"adjacent=4 limit={limit} opening=4", "open": "summer autumn"}
    last = position("Sa4 fb5 fb4", turn=f"{limit} seat 1 phase move", **lines)
    for step in ("end", "b5-c3"):
        over = play(last, step)
        assert kitsu.outcome(over) == Outcome((), "limit")
        assert over.turn == limit
        assert kitsu.actors(over) == legal(over) == ()
    before = position("Sa4 fb5 fb4", turn=f"{limit - 1} seat 0 phase move", **lines)
    assert kitsu.outcome(play(before, "end")) is None


def test_A15_a_win_in_the_last_turn_counts() -> None:
    state = position("Sa4 fb5", turn="99 seat 0 phase move")
    last = position("sa4 Fb5", turn="100 seat 1 phase move")
    assert kitsu.outcome(play(state, "a4xb5")) == Outcome((Seat(0),), "rout")
    assert kitsu.outcome(play(last, "a4xb5")) == Outcome((Seat(1),), "rout")


# --- Refusals ---------------------------------------------------------------------------------

MIDDLE = position(
    "Sa1 Fc4 Fd3 sc6 fh1 Fe6",
    open="spring summer",
    turn="5 seat 0 phase move",
    seat0="spirit s6 f5 hand s0 f1 taken s0 f0",
)
REFUSALS = [
    (start(), "e4xd5", "the Samurai on e4 belongs to seat 1"),
    (start(), "a1-a2", "no piece stands on a1"),
    (start(), "end", "a turn has at least one move, and none has been made"),
    (start(), "stop", "no move is under way that could stop"),
    (start(), "+s", "nothing is taken from the Spirit Realm: no piece has just crossed"),
    (start(), "e3~a7", "a piece is sent away only when a Samurai has just ended its move"),
    (start(), "a6>c7", "a Fox pounces only right after it has landed beside a friend"),
    (start(), "s@c4", "no Samurai is in the hand"),
    (start(), "a5-a4", "the Samurai on a5 slides diagonally: not to a4"),
    (start(), "a5-a5", "the Samurai on a5 slides diagonally: not to a5"),
    (start(), "a6-c8", "the Fox on a6 leaps two squares straight, one aside: not to c8"),
    (start(), "a5-b6", "a piece stands on b6: capturing it is written with x"),
    (start(), "a5xb4", "no piece stands on b4 to be captured"),
    (start(), "a5-c7", "the Samurai on a5 is blocked by the piece on b6"),
    (start(), "d5xf3", "the Samurai on d5 is blocked by the piece on e4"),
    (MIDDLE, "e6-g5", "e6 lies in Autumn; this turn can only continue in Spring or Summer"),
    (MIDDLE, "f@e5", "e5 lies in Autumn; this turn can only continue in Spring or Summer"),
    (MIDDLE, "f@c6", "a piece stands on c6"),
    (MIDDLE, "f@a8", "a8 lies on no path of a friend"),
    (MIDDLE, "s@c5", "no Samurai is in the hand"),
    (OWES, "+f", "no Fox is left in the Spirit Realm"),
    (OWES, "stop", "first seat 0 takes a piece from its Spirit Realm, for crossing seasons"),
    (OWES, "end", "first seat 0 takes a piece"),
    (POUNCES, "end", "the Fox on c3 has to pounce on from there, or stop"),
    (POUNCES, "c3-d1", "the Fox on c3 has to pounce on from there, or stop"),
    (POUNCES, "c4>d2", "the Fox on c3 has to pounce on from there, or stop"),
    (POUNCES, "c3>b5", "a piece stands on b5: capturing it is written with x"),
    (POUNCES, "c3>xd1", "no piece stands on d1 to be captured"),
    (POUNCES, "c3>d4", "the Fox on c3 leaps two squares straight, one aside: not to d4"),
    (DISPATCHES, "end", "the Samurai on c3 has to send away an adjacent piece, or stop"),
    (DISPATCHES, "d4~d8", "d4 is not adjacent to the Samurai on c3"),
    (DISPATCHES, "c3~c7", "c3 is not adjacent to the Samurai on c3"),
    (DISPATCHES, "d3~d7", "no piece stands on d3"),
    (DISPATCHES, "c4~c5", "c5 is no twin of c4: the same place in another realm"),
    (DISPATCHES, "c4~g4", "a piece stands on g4"),
]


@pytest.mark.parametrize(("state", "step", "reason"), REFUSALS, ids=[r[1] for r in REFUSALS])
def test_what_is_illegal_is_refused_with_its_reason(state: State, step: Step, reason: str) -> None:
    assert kitsu.why(state, state.seat, step).startswith(reason)
    with pytest.raises(IllegalStep, match=f"kitsu: {reason.split('(')[0]}".replace("+", ".")):
        kitsu.apply(state, state.seat, step)


@pytest.mark.parametrize(
    "step",
    [
        *("a5", "a5-i4", "a5-c9", "a0-b2", "A5-C3", "a5c3", "a5--c3", "a5-xc3", "a5x>c3", "+"),
        *("+x", "+sf", "x@d3", "s@", "s@d9", "e3~", "Stop", "stop ", "end\n", "?", "", "a5-c3?"),
        *("a5-c3-e1", "é5-c3", "a5~?", "?@d3"),
    ],
)
def test_what_the_grammar_does_not_know_is_no_notation(step: Step) -> None:
    with pytest.raises(BadNotation, match="is no step of Kitsu!"):
        kitsu.apply(start(), Seat(0), step)


def test_the_other_seat_is_told_whose_turn_it_is() -> None:
    assert kitsu.why(start(), Seat(1), Step("e4xd5")) == "it is the turn of seat 0"
    with pytest.raises(IllegalStep):
        kitsu.apply(start(), Seat(1), Step("e4xd5"))


VOCABULARY = tuple(
    [f"{a}{mark}{b}" for a in NAMES for b in NAMES for mark in ("-", "x", ">", ">x", "~")]
    + [f"{kind}@{name}" for kind in "sf" for name in NAMES]
    + ["+s", "+f", "stop", "end"]
)


@pytest.mark.parametrize("adjacent", [4, 8])
def test_of_all_texts_of_the_grammar_the_legal_ones_and_no_others_are_taken(adjacent: int) -> None:
    rng = Random(22)
    line = walk(Setup.of(kitsu, 2, {"adjacent": adjacent}), 22).line()
    seen = set()
    for match in rng.sample(line[:-1], 12):
        state = match.state
        seen.add(state.phase)
        steps = set(legal(state))
        taken = {text for text in VOCABULARY if not kitsu.why(state, state.seat, Step(text))}
        assert taken == steps
        for text in rng.sample(VOCABULARY, 200):
            if text not in steps:
                with pytest.raises(IllegalStep):
                    kitsu.apply(state, state.seat, Step(text))
    assert {"move", "pounce"} <= seen


# --- Texts ------------------------------------------------------------------------------------

GOOD = kitsu.text(POUNCES)
BAD_LINES = [
    (1, "options adjacent=5 limit=100 opening=4"),
    (1, "options adjacent=4 limit=99 opening=4"),
    (1, "options adjacent=4 limit=100"),
    (2, "turn 0 seat 1 phase pounce"),
    (2, "turn 101 seat 0 phase pounce"),
    (2, "turn 1 seat 1 phase pounce"),
    (2, "turn 1 seat 0 phase move"),
    (3, "open spring summer autumn winter"),
    (3, "open spring autumn"),
    (3, "open winter autumn"),
    (3, "open autumn  winter"),
    (3, "open monsoon"),
    (4, "at d1 used - owed 0"),
    (4, "at b5 used - owed 0"),
    (4, "at c4 used - owed 3"),
    (4, "at c3 used b5 owed 0"),
    (4, "at c3 used c4 owed 0"),
    (4, "at c3 used - owed 9"),
    (4, "at c3 used c3 owed 0"),
    (4, "at i9 used - owed 0"),
    (5, "seat 0 spirit s7 f6 hand s0 f0 taken s0 f0"),
    (5, "seat 0 spirit s6 f6 hand s7 f0 taken s0 f0"),
    (5, "seat 0 spirit s6 f6 hand s0 f0 taken s4 f0"),
    (5, "seat 0 spirit s0 f0 hand s0 f0 taken s0 f0"),
    (5, "seat 1 spirit s6 f6 hand s0 f0 taken s0 f0"),
    (6, "seat 1 spirit s6 f6 hand s0 f0 taken s0 f9"),
    (6, "seat 1 spirit s6 f6 hand s0 f0 taken s-1 f0"),
    (7, "8 ........."),
    (8, "8 ........"),
    (9, "6 ....?..."),
    (15, "outcome samurai winners 0"),
    (15, "outcome tea winners 0"),
    (15, "outcome - winners 0"),
    (15, "outcome"),
]


@pytest.mark.parametrize(("number", "line"), BAD_LINES, ids=str)
def test_a_text_that_is_no_position_is_refused_with_a_line(number: int, line: str) -> None:
    lines = GOOD.split("\n")
    assert kitsu.parse(GOOD) == POUNCES
    lines[number - 1] = line
    with pytest.raises(BadNotation, match=f"line {number} of the position"):
        kitsu.parse("\n".join(lines))


def test_no_clan_has_more_than_twenty_pieces_on_the_board() -> None:
    twenty = " ".join(f"S{name}" for name in NAMES[:20])
    assert position(f"{twenty} fh8").clans[0].board.bit_count() == 20
    with pytest.raises(BadNotation, match="line 5 of the position belongs to a clan"):
        position(f"{twenty} Sh7 fh8")


def test_a_text_may_end_its_lines_with_spaces_but_not_go_on() -> None:
    assert kitsu.parse(GOOD.replace("\n", "  \n") + "\n") == POUNCES
    for text in ("", "\n", GOOD + "\nmore", GOOD.removesuffix("\noutcome -"), "8 ........"):
        with pytest.raises(BadNotation, match="line"):
            kitsu.parse(text)


@pytest.mark.parametrize(
    "state",
    [
        play(position("Sa4 fb5"), "a4xb5"),
        play(position("Fb2 fh1", seat0="spirit s0 f0 hand s1 f0 taken s0 f0"), "s@b4"),
        play(position("Sa4 fb5", turn="100 seat 1 phase move", open="summer"), "end"),
        OWES,
        DISPATCHES,
    ],
    ids=lambda state: state.reason or state.phase,
)
def test_a_position_of_another_kind_is_refused(state: State) -> None:
    assert kitsu.parse(kitsu.text(state)) == state
    for reason in ("samurai", "foxes", "rout", "spirits", "limit", "", "tea"):
        if reason != state.reason:
            with pytest.raises(BadNotation):
                kitsu.parse(kitsu.text(replace(state, reason=reason)))
