"""What stays marked of the last steps: all that the others did since one acted oneself."""

from __future__ import annotations

from kumite.core.game import Seat, Setup, Step
from kumite.core.games import find
from kumite.core.match import Match
from kumite.tui.scenes import NO_TRACE, Trace, last_trace, maker
from tests.support.random_matches import short_setup, walk


def played(game: str, seats: int, *steps: str) -> Match:
    match = Match.begin(Setup.of(find(game), seats))
    for step in steps:
        match = match.play(match.actors[0], Step(step))
    return match


def some(*names: str) -> frozenset[str]:
    return frozenset(names)


ROUND = ("h9", "h7", "g8", "i8")  # all seats about the city on h8; seat 1 begins


def test_the_steps_of_all_others_since_ones_own_are_marked_and_the_last_one_in_full() -> None:
    match = played("kuzushi", 4, *ROUND)
    makes = maker(match)
    trace = last_trace(makes, match, Seat(1))
    assert (trace.earlier, trace.reached) == (some("h7", "g8"), some("i8"))
    assert trace.changed == last_trace(makes, match).changed
    assert last_trace(makes, match, Seat(3)).reached == some("i8")
    assert last_trace(makes, match, Seat(0)).reached == some("i8")  # it was their own
    assert last_trace(makes, match).reached == some("i8")  # to a spectator, the last turn
    early = played("kuzushi", 4, *ROUND[:2])
    trace = last_trace(makes, early, Seat(0))  # who has not acted yet
    assert (trace.earlier, trace.reached) == (some("h9"), some("h7"))
    assert last_trace(makes, played("kuzushi", 4), Seat(0)) == NO_TRACE


def test_a_turn_of_several_steps_is_marked_as_a_whole_where_things_are_now() -> None:
    steps = ("+e1=run", "+d1=kumo", "e1-e2", "cw")
    match = played("kumo", 2, *steps)
    makes = maker(match)
    trace = last_trace(makes, match, Seat(1))
    assert (trace.paths, trace.earlier, trace.squares) == ((("a5", "b5"),), some("a6"), some())
    assert trace.signs["a1"] == "↻"
    assert last_trace(makes, match, Seat(0)) == trace
    turned = match.play(Seat(0), Step("ccw"))
    trace = last_trace(makes, turned)
    assert (trace.paths, trace.earlier) == ((("e1", "e2"),), some("d1"))
    assert trace.signs["a1"] == "↺"


def test_at_the_end_only_the_step_that_decided_is_marked() -> None:
    match = walk(short_setup("kitsu", 2), 8)
    assert not match.actors
    assert match.last is not None
    assert match.before is not None
    before = match.before
    assert before.last is not None
    assert before.last.actor == match.last.actor
    makes = maker(match)
    last = makes.marks(before.state, match.last.step, match.state)
    assert last_trace(makes, match) == NO_TRACE.followed_by(last)


def test_of_a_square_the_last_thing_is_marked() -> None:
    there = Trace(left=some("a"), reached=some("b"), changed=some("c", "d"))
    back = Trace(left=some("b"), reached=some("a"), changed=some("e"))
    assert there.followed_by(back) == Trace(some("b"), some("a"), some("e"), paths=(("b", "a"),))
    assert there.followed_by(NO_TRACE) == there
    turned = there.followed_by(Trace(moves={"b": "f"}, signs={"a": "↻"}))
    assert (turned.earlier, turned.squares, turned.signs) == (some("f"), some(), {"a": "↻"})


def test_of_earlier_movements_the_paths_stay_and_only_the_last_one_lights_its_squares() -> None:
    trace = NO_TRACE
    for start, end in (("a1", "b2"), ("b2", "b5"), ("h1", "g3")):
        trace = trace.followed_by(Trace(some(start), some(end)))
    assert trace.squares == some("h1", "g3")
    assert trace.paths == (("a1", "b2"), ("b2", "b5"), ("h1", "g3"))
