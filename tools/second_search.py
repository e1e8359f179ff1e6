"""Look at puzzles a second time: by the rules alone, to the end or twenty times longer.

Where the first search may have left something out, this one leaves out nothing but what cannot be
(in Kumo, more pushes than there are actions), in an order of chance. Of a defence it makes every
turn anew and has a win played out against each but one; after that one it looks for another.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count
from random import Random
from typing import TYPE_CHECKING, Any, Final

from kumite.core.bots.search.hunt import Hunt
from kumite.core.bots.search.uct import OVER
from kumite.core.game import CHANCE, Seat
from kumite.core.games.kiriai.action import SPECIALS
from kumite.core.games.kiriai.state import DEFEAT
from kumite.core.match import Match
from kumite.tools.missed_wins import Plain
from kumite.tui.puzzles import rounds
from kumite.tui.puzzles.defences import Defences
from kumite.tui.puzzles.making import MODELS, only_first
from kumite.tui.puzzles.model import DEFEND, FORCE, HOLD, TRICK, TURN, TURNS, Puzzle

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kumite.core.game import Step

LONGER: Final = 20  # times as many positions as the first search looked at
LEAST: Final = 20_000  # positions
MOST: Final = 3_000_000  # positions; a puzzle that would need more is not kept
WHOLE, LONG, REFUTED, UNSURE = "whole", "longer", "refuted", "unsure"
AGREED: Final = frozenset({WHOLE, LONG})


class _Spent(Exception):
    """The second search has looked at as much as it may."""


def verdict(one: Puzzle) -> tuple[str, int]:
    """Return what a second search says of a puzzle, and how many positions it has looked at.

    It agrees after all there is (WHOLE), or of a turn after LONGER times as much as the first
    (LONG); it refutes the answer, or would need more than MOST (UNSURE).
    """
    is_partial = one.goal in TURNS  # what goes through part of a turn says something, too
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
    """Return how many positions of a turn the first search looked at."""
    model = MODELS[one.game.ID]
    if one.goal == HOLD:
        known = Defences(one.game, model)
        known.win_after(one.held)
        return known.made
    made = count()

    def spend() -> None:
        next(made)

    only_first(model, one.start.state, spend)
    return next(made)


def _turn(one: Puzzle, spend: Callable[[], None]) -> bool:
    """Return whether no other first step is found that wins in the turn."""
    model = MODELS[one.game.ID]
    plain = Plain(one.game, model, Random(one.id))
    state = one.start.state
    side, turn = model.side(state), model.turn(state)
    for step in one.start.legal(one.seat):
        if step == one.answer[0]:
            continue
        after = plain.after(state, step)
        if model.has_won(after, side):
            return False
        if model.side(after) == side and model.turn(after) == turn:
            hunt = Hunt(plain, after)
            while not hunt.is_over:
                hunt.go_on(hunt.made + MOST, spend)
            if hunt.win:
                return False
    return True


def _hold(one: Puzzle, spend: Callable[[], None]) -> bool:
    """Return whether a win is played out against all turns but one, and none found after it."""
    end, ends, model = one.held, _ends(one.start), MODELS[one.game.ID]
    known = Defences(one.game, model)
    known.safe(one.start.state)
    for other in ends.values():
        if other.state == end:
            continue
        after = other
        for step in known.win_after(other.state):
            after = after.play(after.actors[0], step)
        if after.outcome is None or after.outcome.winners != (1 - one.seat,):
            return False
    hunt = Hunt(Plain(one.game, model, Random(one.id)), end)
    while not hunt.is_over:
        hunt.go_on(hunt.made + MOST, spend)
    return end in ends and not hunt.win


def _ends(start: Match) -> dict[Any, Match]:
    """Return a match for every position with which the turn can end, by that position."""
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
    """Return whether one step alone wins, all played out in the order of the rules."""
    game, known = one.game, dict[Any, bool]()

    def is_won(state: Any) -> bool:
        """Return whether the seat of the puzzle wins alone, whatever the other plays."""
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
    """Return whether one card alone wins (or saves) the round: plainly, nothing is remembered."""
    rest = rounds.Rest(one.start.state)
    least = rounds.WON if one.goal == TRICK else rounds.OPEN

    def is_had(state: Any) -> bool:
        """Return whether the seat of the puzzle has at least that, whatever the other plays."""
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
    """Return whether one plan alone is safe, every round played by a match."""
    safe = []
    for step in one.start.legal(one.seat):
        worst = max(after.sides[one.seat].wounds for after in _rounds_after(one, step, spend))
        safe += [step] * (worst < DEFEAT)
    return safe == [one.answer[0]]


def _rounds_after(one: Puzzle, step: Step, spend: Callable[[], None]) -> Iterator[Any]:
    """Yield the positions after a round, by what the other may hold and plan."""
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
    """Return the text of a position in which a seat holds another special."""
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
