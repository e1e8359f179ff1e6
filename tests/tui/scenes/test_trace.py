"""What stays marked of the last steps: all that the others did since one acted oneself."""

from __future__ import annotations

from kumite.core.game import Seat, Setup, Step
from kumite.core.games import find
from kumite.core.match import Match
from kumite.tui.scenes import NO_TRACE, Trace, last_trace, maker


def played(game: str, seats: int, *steps: str) -> Match:
    match = Match.begin(Setup.of(find(game), seats))
    for step in steps:
        match = match.play(match.actors[0], Step(step))
    return match


def some(*names: str) -> frozenset[str]:
    return frozenset(names)


ROUND = ("h9", "h7", "g8", "i8")  # all seats about the city on h8; seat 1 begins


def test_the_steps_of_all_others_since_ones_own_are_marked() -> None:
    match = played("kuzushi", 4, *ROUND)
    makes = maker(match)
    assert last_trace(makes, match, Seat(1)).reached == some("h7", "g8", "i8")
    assert last_trace(makes, match, Seat(3)).reached == some("i8")
    assert last_trace(makes, match, Seat(0)).reached == some("i8")  # it was their own
    assert last_trace(makes, match).reached == some("i8")  # to a spectator, the last turn
    early = played("kuzushi", 4, *ROUND[:2])
    assert last_trace(makes, early, Seat(0)).reached == some("h9", "h7")  # who has not acted yet
    assert last_trace(makes, played("kuzushi", 4), Seat(0)) == NO_TRACE


def test_a_turn_of_several_steps_is_marked_as_a_whole_where_things_are_now() -> None:
    steps = ("+e1=run", "+d1=kumo", "e1-e2", "cw")
    match = played("kumo", 2, *steps)
    makes = maker(match)
    assert last_trace(makes, match, Seat(1)) == Trace(
        some("a5"), some("b5", "a6"), paths=(("a5", "b5"),)
    )
    assert last_trace(makes, match, Seat(0)) == last_trace(makes, match, Seat(1))
    turned = match.play(Seat(0), Step("ccw"))
    assert last_trace(makes, turned) == Trace(some("e1"), some("e2", "d1"), paths=(("e1", "e2"),))


def test_of_a_square_the_last_thing_is_marked() -> None:
    there = Trace(left=some("a"), reached=some("b"), changed=some("c", "d"))
    back = Trace(left=some("b"), reached=some("a"), changed=some("e"))
    assert there.followed_by(back) == Trace(
        some("b"), some("a"), some("c", "d", "e"), paths=(("b", "a"),)
    )
    assert back.followed_by(Trace(moves={"a": "f", "f": "a"})).reached == some("f")


def test_of_earlier_movements_the_paths_stay_and_only_the_last_one_lights_its_squares() -> None:
    trace = NO_TRACE
    for start, end in (("a1", "b2"), ("b2", "b5"), ("h1", "g3")):
        trace = trace.followed_by(Trace(some(start), some(end)))
    assert trace.squares == some("h1", "g3")
    assert trace.paths == (("a1", "b2"), ("b2", "b5"), ("h1", "g3"))
