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
from kumite.core.games.kitsu.board import NAMES, SQUARES, crossings, path_of, squares_of
from kumite.core.games.kitsu.position import Clan, State
from kumite.core.match import perft
from tests.support.kitsu_positions import (
    DISPATCHES,
    OWES,
    POUNCES,
    legal,
    pieces,
    play,
    position,
    start,
)
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


def half_turned(state: State) -> State:
    """Return the position turned by 180 degrees, the clans exchanged, a turn later."""

    def turned(places: int) -> int:
        return sum(1 << 63 - square for square in squares_of(places))

    spring, autumn = (
        Clan(turned(clan.board), clan.spirit, clan.hand, clan.taken) for clan in state.clans
    )
    across = tuple((season + 2) % 4 for season in state.seasons)
    return State(
        state.variant,
        state.turn + 1,
        tuple(sorted(across)) if len(across) == 4 else across,
        63 - state.at if state.at >= 0 else state.at,
        turned(state.used),
        state.owed,
        turned(state.samurai),
        (autumn, spring),
        state.reason,
    )


def half_turned_step(step: str) -> Step:
    for name in NAMES:
        step = step.replace(name, NAMES[63 - SQUARES[name]].upper())
    return Step(step.lower())


@pytest.mark.parametrize("adjacent", [4, 8])
def test_A1_a_half_turn_with_the_clans_exchanged_maps_every_rule_onto_itself(adjacent: int) -> None:
    line = walk(Setup.of(kitsu, 2, {"adjacent": adjacent}), 21).line()
    assert pieces(half_turned(line[0].state)) == pieces(line[0].state)
    for before, after in pairwise(line):
        turned = half_turned(before.state)
        assert list(legal(turned)) == sorted(map(half_turned_step, legal(before.state)))
        assert after.last is not None
        assert play(turned, half_turned_step(after.last.step)) == half_turned(after.state)


def test_A2_twelve_pieces_wait_in_each_spirit_realm_six_of_each_kind() -> None:
    for clan in start().clans:
        assert (clan.spirit, clan.hand, clan.taken) == ((6, 6), (0, 0), (0, 0))
        assert clan.board.bit_count() == 8


@pytest.mark.parametrize(("piece", "taken"), [("s", (1, 0)), ("f", (0, 1))])
def test_A2_a_piece_is_taken_as_what_it_shows(piece: str, taken: tuple[int, int]) -> None:
    assert play(position(f"Fc6 {piece}b4 fh1"), "c6xb4").clans[0].taken == taken


@pytest.mark.parametrize(
    ("adjacent", "ring"),
    [
        (4, "sa1 fa2 sa3 fb1 Fb2 fb3 sc1 fc2 sc3 fh1"),
        (8, "fa1 fa2 fa3 fb1 Fb2 fb3 fc1 fc2 fc3 fh1"),
    ],
)
def test_A3_adjacent_means_by_a_side_and_by_option_by_a_corner(adjacent: int, ring: str) -> None:
    before = position(
        "sa1 sa2 sa3 sb1 sb3 sc1 sc2 sc3 Fd3 fh1",
        options=f"adjacent={adjacent} limit=100 opening=4",
    )
    assert pieces(play(before, "d3-b2")) == ring


def test_A3_squares_are_adjacent_across_a_border() -> None:
    assert pieces(play(position("Fb3 sd5 se4 sc4 fh8"), "b3-d4")) == "fc4 Fd4 fd5 fe4 fh8"


def test_A4_twins_are_the_same_place_of_the_other_realms_not_a_turned_one() -> None:
    state = play(position("Sa1 fc4 fh1"), "a1-c3")
    assert legal(state) == ("c4~c8", "c4~g4", "c4~g8", "stop")


@pytest.mark.parametrize(
    ("origin", "target", "count"),
    [
        ("d4", "e6", 2),  # d5 d6 e6: Summer, Autumn
        ("c4", "e5", 0),  # d4 e4 e5: Winter, Autumn: counterclockwise
        ("d3", "c5", 1),
        ("c5", "d3", 0),
        ("e5", "d3", 2),  # e4 e3 d3: Winter, Spring
        ("b1", "c3", 0),
        ("a3", "f8", 2),
        ("f8", "a3", 0),
        ("d8", "h4", 2),  # e7 f6 g5 h4: Autumn, Winter
        ("h4", "d8", 0),
        ("d4", "e5", 0),  # over the centre point
        ("a1", "h8", 0),
        ("h1", "a8", 0),
    ],
)
def test_A5_crossings_follow_the_path_square_by_square(
    origin: str, target: str, count: int
) -> None:
    a, b = SQUARES[origin], SQUARES[target]
    assert crossings(a, path_of(a, b)) == count


def test_A5_taking_is_compulsory_and_the_kind_is_free() -> None:
    state = play(position("Fd3 fh1"), "d3-c5")
    assert legal(state) == ("+f", "+s")
    assert play(state, "+s").clans[0].hand == (1, 0)
    assert play(state, "+f").clans[0].hand == (0, 1)
    assert play(state, "+f").clans[0].spirit == (6, 5)


def test_A5_an_empty_spirit_realm_gives_nothing() -> None:
    state = position("Fd3 fh1", seat0="spirit s0 f0 hand s1 f0 taken s0 f0")
    assert play(state, "d3-c5").phase == "move"


def test_A6_captured_friends_count_for_nobody() -> None:
    after = play(start(), "a5xb6")
    assert after.clans[0].board.bit_count() == 7
    assert [clan.taken for clan in after.clans] == [(0, 0), (0, 0)]
    assert [clan.spirit for clan in after.clans] == [(6, 6), (6, 6)]


def test_A6_a_pounce_may_capture_a_friend_too() -> None:
    state = play(position("Fb1 Sc4 Sd5 fh1"), "b1-c3 c3>xd5")
    assert state.clans[0].board.bit_count() == 2
    assert state.phase == "take"


def test_A7_a_piece_that_goes_on_clockwise_may_move_again() -> None:
    state = play(position("Fd3 fh1"), "d3-c5 +f c5-e6 +f e6-f4 +s")
    assert state.turn == 1
    assert line_of(state, "open") == "open winter"
    assert play(state, "f4-h3").turn == 2


def test_A7_a_piece_dispatched_into_an_open_season_may_move_there() -> None:
    state = play(position("Sa1 Sc4 fh1"), "a1-c3 c4~g8")
    assert [step for step in legal(state) if step.startswith("g8")] == ["g8-e7", "g8-f6", "g8-h6"]


def test_A7_a_piece_taken_in_this_turn_may_be_beckoned_in_it() -> None:
    state = play(position("Fd3 fh1"), "d3-c5 +s")
    assert "s@c6" in legal(state)
    assert play(state, "s@c6").clans[0].hand == (0, 0)


def test_A8_a_beckoning_may_use_what_a_fox_passes_but_no_leap_off_the_board() -> None:
    state = position("Fa1 fh1", seat0="spirit s6 f5 hand s0 f1 taken s0 f0")
    placed = [step for step in legal(state) if "@" in step]
    assert placed == [f"f@{name}" for name in ("a2", "a3", "b1", "b3", "c1", "c2")]


def test_A8_the_path_of_a_friend_in_a_closed_season_will_do() -> None:
    state = position(
        "Sd1 fh1",
        seat0="spirit s6 f5 hand s0 f1 taken s0 f0",
        open="autumn winter",
        turn="3 seat 0 phase move",
    )
    assert legal(state) == ("end", "f@e2", "f@f3", "f@g4", "f@h5")


def test_A8_a_turn_goes_on_while_only_a_beckoning_is_left() -> None:
    hand = "spirit s5 f6 hand s1 f0 taken s0 f0"
    on = play(position("Fc1 fh1", seat0=hand), "c1-d3")  # on d3 its leaps pass Summer and Winter
    assert (on.turn, line_of(on, "open")) == (1, "open summer autumn winter")
    places = ("c5", "d5", "e1", "e3", "e5", "f2", "f3", "f4")
    assert legal(on) == ("end", *(f"s@{name}" for name in places))
    off = play(position("Fc3 fh1", seat0=hand), "c3-a2")  # on a2 they stay in Spring
    assert off.turn == 2


def test_A9_the_first_move_of_a_turn_must_be_made() -> None:
    assert kitsu.END not in legal(start())
    assert kitsu.END in legal(play(start(), "d6-f5 +f"))
    with pytest.raises(IllegalStep, match="at least one move"):
        play(start(), "end")


def test_A10_leaping_on_uses_up_all_friends_beside_and_a_captured_one_is_forgotten() -> None:
    """It passes c3 (beside c4), b1 (beside a1), a3 (beside a2), and takes c4, beside d4."""
    state = play(position("Fd1 Fc4 Fa1 Fa2 Fd4 fh1"), "d1-c3 c3>b1")
    assert line_of(state, "at") == "at b1 used c4 owed 0"
    state = play(state, "b1>a3")
    assert line_of(state, "at") == "at a3 used a1,c4 owed 0"
    state = play(state, "a3>xc4")
    assert line_of(state, "at") == "at c4 used a1,a2 owed 0"


def test_A10_a_used_friend_alone_gives_no_further_pounce() -> None:
    once = play(position("Fb1 Fc4 fh1"), "b1-c3")
    assert once.phase == "pounce"
    again = play(once, "c3>b5 +f")  # beside nobody: over
    assert again.phase == "move"
    back = play(position("Fb1 Fc4 Fd3 Se5 fh1"), "b1-c3 c3>d5 +f d5>b4")
    assert (back.phase, pieces(back)) == ("move", "Fb4 Sc4 Fd3 Se5 fh1")


def test_A10_the_start_of_the_move_uses_nobody() -> None:
    beside = play(position("Fb1 Fa1 fh1"), "b1-c3")
    assert beside.phase == "move"
    both = position("Fb1 Fc2 fh1", options="adjacent=8 limit=100 opening=4")  # c2 is beside both
    assert line_of(play(both, "b1-c3"), "at") == "at c3 used - owed 0"


def test_A11_only_the_end_of_a_chain_flips_and_never_the_mover() -> None:
    landed = play(position("Fb1 Fc4 sb3 fh1"), "b1-c3")
    assert pieces(landed) == "sb3 Fc3 Fc4 fh1"
    assert pieces(play(landed, "c3>d1")) == "sb3 Fc4 Fd1 fh1"
    assert pieces(play(landed, "stop")) == "fb3 Fc3 Sc4 fh1"


def test_A12_a_dispatch_sends_one_flipped_piece_that_flips_nothing_where_it_arrives() -> None:
    state = play(position("Sa1 fc4 Fb3 sb7 sc7 fh1"), "a1-c3")
    assert state.phase == "dispatch"
    assert pieces(state) == "Sb3 sb7 Sc3 sc4 sc7 fh1"
    assert {step[:2] for step in legal(state)} == {"b3", "c4", "st"}
    after = play(state, "c4~c8")
    assert pieces(after) == "Sb3 sb7 Sc3 sc7 sc8 fh1"
    assert after.phase == "move"


def test_A12_there_is_no_dispatch_without_an_empty_twin_or_by_a_fox() -> None:
    full = position("Sa1 fc4 sc8 sg4 sg8 Fb6")
    assert play(full, "a1-c3").phase == "move"
    assert play(position("Fb1 fc4 Fb6 fh1"), "b1-c3").phase == "move"


def test_A13_a_beckoned_piece_flips_captures_crosses_and_pounces_nothing() -> None:
    state = position("Fa2 sa4 Fb6 fh1", seat0="spirit s6 f5 hand s0 f1 taken s0 f0")
    after = play(state, "f@a3")
    assert pieces(after) == "Fa2 Fa3 sa4 Fb6 fh1"
    assert (after.phase, after.clans[0].spirit) == ("move", (6, 5))


def test_A13_the_last_piece_wins_only_if_the_spirit_realm_is_empty() -> None:
    last = "hand s1 f0 taken s0 f0"
    won = play(position("Fb2 fh1", seat0=f"spirit s0 f0 {last}"), "s@b4")
    assert kitsu.outcome(won) == Outcome((Seat(0),), "spirits")
    not_yet = play(position("Fb2 fh1", seat0=f"spirit s1 f0 {last}"), "s@b4")
    assert kitsu.outcome(not_yet) is None


def test_A14_taking_the_last_piece_on_the_board_wins() -> None:
    rout = play(position("Sa4 fb5"), "a4xb5")
    assert kitsu.outcome(rout) == Outcome((Seat(0),), "rout")


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


def test_A16_by_option_the_first_turn_has_one_move_and_the_second_four() -> None:
    state = play(start(opening=1), "d6-f5 +f")
    assert (state.turn, line_of(state, "open")) == (2, "open spring summer autumn winter")
    state = play(state, "h3-f2")
    assert (state.turn, line_of(state, "open")) == (2, "open spring summer autumn")
    assert play(start(), "d6-f5 +f").turn == 1


@pytest.mark.parametrize(
    ("steps", "seasons"),
    [
        ("b2-a4", "summer autumn winter"),
        ("b6-a8", "autumn winter spring"),
        ("f6-h7", "winter spring summer"),
        ("f2-h1", "spring summer autumn"),
        ("f6-h7 b2-a4", "summer"),
        ("f6-h7 f2-h1 b6-a8", ""),
        ("b6-a8 f2-h1", "spring"),
        ("b6-a8 f6-h7 b2-a4", ""),
    ],
)
def test_a_move_leaves_the_seasons_open_that_come_after_its_own(steps: str, seasons: str) -> None:
    state = play(position("Fb2 Fb6 Ff6 Ff2 fd8"), steps)
    if seasons:
        assert line_of(state, "open") == f"open {seasons}"
    else:
        assert state.turn == 2


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
