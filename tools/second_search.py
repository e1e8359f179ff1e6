"""Check puzzles with a second search, by the rules alone: to the end, or twenty times longer.

The first search may prune; this one, in random order, prunes only the impossible (in Kumo, more
pushes than actions). For a defence it generates every turn, plays out a win against all but one,
and searches for a win against that one, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import count
from random import Random
from typing import Any, Final

from kumite.core.bots.search.tree import OVER
from kumite.core.game import CHANCE, Seat, Step
from kumite.core.games.kiriai.action import SPECIALS
from kumite.core.games.kiriai.state import DEFEAT
from kumite.core.match import Match
from kumite.tools.missed_wins import has_win
from kumite.tui.games.kitsune import puzzles as rounds
from kumite.tui.puzzles.model import DEFEND, FORCE, HOLD, TRICK, TURN, TURNS, Puzzle
from kumite.tui.puzzles.turns import Defences, only_first, turn_game

LONGER: Final = 20  # times as many positions as the first search
LEAST: Final = 20_000  # positions
MOST: Final = 3_000_000  # positions; a puzzle that would need more is dropped
WHOLE, LONG, REFUTED, UNSURE = "whole", "longer", "refuted", "unsure"
AGREED: Final = frozenset({WHOLE, LONG})


class _Spent(Exception):
    """The second search has used up its positions."""


def verdict(one: Puzzle) -> tuple[str, int]:
    """Return the verdict on a puzzle, and the number of positions searched.

    It is WHOLE if a complete search agrees, LONG if a search of a turn agrees after LONGER times as
    many positions as the first, UNSURE if more than MOST would be needed; otherwise it refutes the
    answer.
    """
    is_partial = one.goal in TURNS  # even an incomplete search of a turn is some evidence
    most = max(LEAST, LONGER * _first_search(one)) if is_partial else MOST
    left = count(min(most, MOST), -1)
    made = count(1)
    last = 0

    def spend() -> None:
        nonlocal last
        last = next(made)
        if next(left) <= 0:
            raise _Spent

    try:
        agrees = _SEARCHES[one.game.ID, one.goal](one, spend)
    except _Spent:
        return LONG if is_partial and last >= most else UNSURE, last
    return WHOLE if agrees else REFUTED, last


def _first_search(one: Puzzle) -> int:
    """Return the number of positions of a turn in the first search."""
    model = turn_game(one.game.ID)
    if one.goal != HOLD:
        return only_first(model, one.start.state)[1]
    known = Defences(one.game, model)
    known.win_after(one.held)
    return known.made


def _turn(one: Puzzle, spend: Callable[[], None]) -> bool:
    """Return whether no other first step is found to win within the turn."""
    state, rng = one.start.state, Random(one.id)
    for step in one.start.legal(one.seat):
        after = one.start.play(one.seat, step)
        if step == one.answer[0]:
            continue
        if after.outcome is not None and one.seat in after.outcome.winners:
            return False
        is_on = after.outcome is None and after.state.turn == state.turn
        if is_on and has_win(one.game, after.state, rng, spend):
            return False
    return True


def _hold(one: Puzzle, spend: Callable[[], None]) -> bool:
    """Return whether only the answer holds: a win is found against every other turn."""
    end, ends = one.held, _ends(one.start)
    known = Defences(one.game, turn_game(one.game.ID))
    known.safe(one.start.state)
    for other in ends.values():
        if other.state == end:
            continue
        after = other
        for step in known.win_after(other.state):
            after = after.play(after.actors[0], step)
        if after.outcome is None or after.outcome.winners != (1 - one.seat,):
            return False
    return end in ends and not has_win(one.game, end, Random(one.id), spend)


def _ends(start: Match) -> dict[Any, Match]:
    """Return a match for every position in which the turn can end, keyed by position."""
    (seat,), left, seen, ends = start.actors, [start], {start.state}, dict[Any, Match]()
    while left:
        match = left.pop()
        for step in match.legal(seat):
            after = match.play(seat, step)
            if after.actors != (seat,):
                ends.setdefault(after.state, after)
            elif after.state not in seen:
                seen.add(after.state)
                left.append(after)
    return ends


def _force(one: Puzzle, spend: Callable[[], None]) -> bool:
    """Return whether exactly one step wins, playing out everything in the order of the rules."""
    game, known = one.game, dict[Any, bool]()

    def is_won(state: Any) -> bool:
        """Return whether the puzzle's seat wins alone by force."""
        spend()
        outcome = game.outcome(state)
        if outcome is not None:
            return outcome.winners == (one.seat,)
        if state not in known:
            (mover,) = game.actors(state)
            steps = game.legal(state, mover)
            ways = (is_won(game.apply(state, mover, step)) for step in steps)
            known[state] = any(ways) if mover == one.seat else all(ways)
        return known[state]

    start = one.start.state
    steps = game.legal(start, one.seat)
    winning = [step for step in steps if is_won(game.apply(start, one.seat, step))]
    return winning == [one.answer[0]]


def _round(one: Puzzle, spend: Callable[[], None]) -> bool:
    """Return whether exactly one card wins (or saves) the round, without a transposition table."""
    rest = rounds.Rest(one.start.state)
    least = rounds.WON if one.goal == TRICK else rounds.OPEN

    def is_had(state: Any) -> bool:
        """Return whether the puzzle's seat can force at least this result."""
        spend()
        mover = rest.mover(state)
        if mover == OVER:
            worth = rest.result(state)
            return (1 - worth if one.seat else worth) >= least
        ways = (is_had(after) for _, after in rest.following(state))
        return any(ways) if mover == one.seat else all(ways)

    return [step for step, after in rest.following(one.start.state) if is_had(after)] == [
        one.answer[0]
    ]


def _duel(one: Puzzle, spend: Callable[[], None]) -> bool:
    """Return whether exactly one plan is safe, playing every round as a match."""
    safe = []
    for step in one.start.legal(one.seat):
        worst = max(after.sides[one.seat].wounds for after in _rounds_after(one, step, spend))
        safe += [step] * (worst < DEFEAT)
    return safe == [one.answer[0]]


def _rounds_after(one: Puzzle, step: Step, spend: Callable[[], None]) -> Iterator[Any]:
    """Yield the positions after a round, for each special and plan of the opponent."""
    game, text = one.game, one.position
    side = one.start.state.sides[1 - one.seat]
    own = one.start.state.sides[one.seat].special
    others = [side.special] if side.spent else [card for card in SPECIALS if card != own]
    for special in others:
        position = game.parse(_with_special(text, 1 - one.seat, special))
        match = Match.begin(one.start.setup, None, position).play(one.seat, step)
        for other in match.legal(Seat(1 - one.seat)):
            spend()
            after = match.play(Seat(1 - one.seat), other)
            while after.actors == (CHANCE,) and after.state.phase in ("first", "second"):
                (shown,) = after.odds()
                after = after.play(CHANCE, shown)
            yield after.state


def _with_special(text: str, seat: int, special: str) -> str:
    lines = text.split("\n")
    at = next(i for i, line in enumerate(lines) if line.startswith(("red", "blue")[seat]))
    words = lines[at].split(" ")
    if "special" in words:
        words[words.index("special") + 1] = special
    lines[at] = " ".join(words)
    return "\n".join(lines)


_SEARCHES: Final[Mapping[tuple[str, str], Callable[[Puzzle, Callable[[], None]], bool]]] = {
    ("kitsu", TURN): _turn,
    ("kumo", TURN): _turn,
    ("kitsu", HOLD): _hold,
    ("kumo", HOLD): _hold,
    ("kuzushi", FORCE): _force,
    ("kitsune", TRICK): _round,
    ("kitsune", DEFEND): _round,
    ("kiriai", DEFEND): _duel,
}
