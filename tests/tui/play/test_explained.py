"""Steps explained: what a hint says beside its step."""

from __future__ import annotations

from kumite.core.bots import Choice, Line
from kumite.tui.play import explained
from kumite.tui.puzzles.model import shipped

NAMES = ("ada", "bob")


def test_the_rest_of_a_turn_is_told_in_words() -> None:
    one = next(one for one in shipped("kitsu") if one.answer == ("a6~e6", "e6xg7"))
    step = one.answer[0]
    choice = Choice(step, 1.0, (Line(step, 1.0, 1.0, one.answer),))
    (then,) = [
        point.text
        for point in explained.points(one.start, one.seat, choice, {}, NAMES)
        if point.head == "Then"
    ]
    assert then.startswith("ada's Fox e6 leaps to g7, captures")
    assert "e6xg7" not in then
