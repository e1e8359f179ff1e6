"""Steps explained: what a hint says beside its step."""

from __future__ import annotations

from kumite.core.bots import Choice, Line
from kumite.tui.play import explained
from tests.support.puzzles import SENT_TO_LEAP

NAMES = ("ada", "bob")


def test_the_rest_of_a_turn_is_told_in_words() -> None:
    one = SENT_TO_LEAP
    step = one.answer[0]
    choice = Choice(step, 1.0, (Line(step, 1.0, 1.0, one.answer),))
    (then,) = [
        point.text
        for point in explained.points(one.start, one.seat, choice, {}, NAMES)
        if point.head == "Then"
    ]
    assert then.startswith("Fox e6 leaps to g7, captures")
    assert "e6xg7" not in then
