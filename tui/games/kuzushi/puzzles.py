"""Puzzles of Kuzushi for two: near the end, find the only step that wins by force.

The ending is solved exactly.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any, Final

from kumite.core.game import Step
from kumite.core.games.kuzushi.bot import kernel, model
from kumite.core.match import Match
from kumite.tui.puzzles.making import Puzzles, puzzle_of
from kumite.tui.puzzles.model import FORCE, Puzzle, TooLong

EXACT: Final = 25_000  # positions of an ending that is solved exactly


def in_ends(match: Match) -> Iterator[Puzzle]:
    """Yield the puzzles at the end of a match of Kuzushi, earliest first."""
    found = []
    for one in reversed(match.line()):
        try:
            step = None if one.outcome is not None else only_winner(one.state)
        except TooLong:
            break  # earlier positions take even longer
        if step is not None:
            found.append(puzzle_of(one, FORCE, (step,)))
    yield from reversed(found)


def only_winner(state: Any) -> Step | None:
    """Return the only step of Kuzushi that wins by force, or None.

    Also return None if a step wins the match at once, which is too easy.

    Raises:
        TooLong: the end is too far away to be solved.
    """
    place = kernel.place_of(state)
    if model.wins(place):
        return None
    worths = model.exact(state, EXACT)
    if not worths:
        raise TooLong
    best = [move for move, worth in worths.items() if worth == 1.0]
    return model.step_of(place, best[0]) if len(best) == 1 and len(worths) > 1 else None


def mirrored(step: str) -> Iterator[str]:
    """Yield a step in all eight ways in which a board of normal size may lie around its city, f6.

    The rules know no direction: the order of the neighbours matters only to a tie's island (A9).
    """
    right, up = ord(step[0]) - ord("f"), int(step[1:].rstrip("+")) - 6
    for x, y in product((right, -right), (up, -up)):
        for file, rank in ((x, y), (y, x)):
            yield f"{chr(ord('f') + file)}{6 + rank}{'+' * step.endswith('+')}"


PUZZLES = Puzzles(
    finders={FORCE: in_ends},
    tasks={
        FORCE: "Find the only step that wins by force. After any other step the win can be taken "
        "from you."
    },
    mirrored=mirrored,
)
