"""Errors of weak levels are counted under the kind of the better step."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kumite.core.bots import Position
from kumite.core.match import Match
from kumite.tools import oversights
from kumite.tui.puzzles.model import Puzzle, shipped

SIMULATIONS = 30_000  # enough for the exact end


def won_by(answer_ends: str) -> Puzzle:
    """Return the shortest end of Kuzushi that one step alone wins, a flip or a base."""
    some = [one for one in shipped("kuzushi") if one.answer[0][-1] in answer_ends]
    return max(some, key=lambda one: sum(map(int.bit_count, one.start.state.bases)))


@pytest.mark.parametrize(("answer_ends", "kind"), [("+", "flip"), ("0123456789", oversights.OTHER)])
def test_a_lost_win_is_an_error_of_the_kind_of_the_step_that_wins(
    answer_ends: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = won_by(answer_ends)
    match, seat = one.start, one.seat
    where = Position.of(match, seat)
    wrong = next(step for step in where.legal if step != one.answer[0])
    played = {step: match.play(seat, step) for step in (wrong, one.answer[0])}

    def counts(after: Match) -> dict[str, int]:
        def positions(*_: object) -> Iterator[tuple[Match, Position | None]]:
            yield match, where
            yield after, None

        monkeypatch.setattr(oversights, "positions", positions)
        found = oversights.counted("kuzushi", "1", 1 + seat, SIMULATIONS)
        return {name: found[name] for name in (oversights.CHOICES, "flip", "far", oversights.OTHER)}

    none = {oversights.CHOICES: 1, "flip": 0, "far": 0, oversights.OTHER: 0}
    assert counts(played[one.answer[0]]) == none
    assert counts(played[wrong]) == none | {kind: 1}
    assert oversights.better(where, wrong, SIMULATIONS) == one.answer[0]
