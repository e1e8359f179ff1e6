"""Puzzles of Kitsune for two: find the card that wins or saves the round, solved exactly.

Without a draw pile nothing is unknown: the unseen cards are the other hand. A card under the shield
and a fetched card are assumed known as well, which only helps the opponent.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import Final

from kumite.core.bots.search.tree import OVER
from kumite.core.game import CHANCE, Seat, Step
from kumite.core.games.kitsune import rules as kitsune
from kumite.core.games.kitsune.state import Kind, State, cards_of, deck_size
from kumite.core.match import Match
from kumite.tui.games.kitsune.picture import word
from kumite.tui.games.kitsune.words import step_name
from kumite.tui.puzzles.making import Puzzles, puzzle_of
from kumite.tui.puzzles.model import DEFEND, GONE, TRICK, Puzzle, TooLong
from kumite.tui.scenes.lines import Names

FEWEST: Final = 3  # steps to choose from; fewer make no puzzle
EXACT: Final = 8_000  # positions of a round that is solved exactly
WON, OPEN, LOST = 1.0, 0.5, 0.0  # values of a round; open: it continues with new cards


class Rest:
    """An exact solver for the rest of a round, with all cards open."""

    def __init__(self, state: State, left: float = inf) -> None:
        """Start from a position in which nobody can draw; search at most `left` positions."""
        self.wins, self._left = state.standing.wins, left
        self._known: dict[State, tuple[float, float]] = {}  # lower and upper bounds of the value

    def worths(self, state: State) -> list[tuple[Step, float]]:
        """Return each step with its value for the mover.

        Raises:
            TooLong: the search would need too many positions.
        """
        mover, found = self.mover(state), []
        for step, after in self.following(state):
            worth = self._worth(after, LOST, WON)
            found.append((step, 1 - worth if mover else worth))
        return found

    def _worth(self, state: State, least: float, most: float) -> float:
        """Return the value of a position for seat 0; outside the bounds, only a bound of it."""
        self._left -= 1
        if self._left < 0:
            raise TooLong
        mover = self.mover(state)
        if mover == OVER:
            return self.result(state)
        low, high = self._known.get(state, (LOST, WON))
        if low >= most or low == high:
            return low
        if high <= least:
            return high
        least, most = begun = max(least, low), min(most, high)
        best = WON if mover else LOST
        for _, after in self.following(state):
            worth = self._worth(after, least, most)
            if mover:
                best, most = min(best, worth), min(most, worth)
            else:
                best, least = max(best, worth), max(least, worth)
            if least >= most:
                break
        self._known[state] = low if best <= begun[0] else best, high if best >= begun[1] else best
        return best

    def mover(self, state: State) -> int:
        """Return the seat to act, or OVER once the round is won or new cards are dealt."""
        if state.standing.wins != self.wins or state.phase in ("deal", "lead", "over"):
            return OVER
        return int(kitsune.actors(state)[0])

    def following(self, state: State) -> list[tuple[Step, State]]:
        """Return the steps and the positions after them, with shielded cards already shown."""
        seat = Seat(self.mover(state))
        return [
            (step, shown(kitsune.apply(state, seat, step))) for step in kitsune.legal(state, seat)
        ]

    def result(self, state: State) -> float:
        """Return 1 if seat 0 has won the round, 0 if it has lost it, else 0.5."""
        if state.standing.wins == self.wins:
            return OPEN
        return WON if state.standing.wins[0] > self.wins[0] else LOST


def shown(state: State) -> State:
    """Return the position after the card under the shield has been turned up."""
    while state.phase == "show":
        (step,) = kitsune.legal(state, CHANCE)
        state = kitsune.apply(state, CHANCE, step)
    return state


def is_open(state: State) -> bool:
    """Return whether a card is to be played and no pile is left to draw from."""
    return (
        state.phase == "play" and state.table.seats == 2 and not deck_size(state.table, state.cards)
    )


def only_card(state: State) -> tuple[Step, float] | None:
    """Return the only step of greatest value, with that value (WON or OPEN).

    Return None if there are several, or if the round is lost anyway.

    Raises:
        TooLong: the search would need too many positions.
    """
    worths = Rest(state, EXACT).worths(state)
    most = max(worth for _, worth in worths)
    best = [step for step, worth in worths if worth == most]
    is_puzzle = len(worths) >= FEWEST and len(best) == 1 and most > LOST
    return (best[0], most) if is_puzzle else None


def what_follows(state: State, step: Step) -> list[tuple[Seat, Step]]:
    """Return the best play after a wrong card, up to the opponent's answer.

    There is no limit, because `only_card` has already searched a larger tree.
    """
    rest = Rest(state)
    seat, now = rest.mover(state), state
    found: list[tuple[Seat, Step]] = []
    while not found or found[-1][0] == seat:
        now = dict(rest.following(now))[found[-1][1] if found else step]
        if rest.mover(now) == OVER:
            break
        best = max(rest.worths(now), key=lambda one: one[1])[0]
        found.append((Seat(rest.mover(now)), best))
    return found


def held(state: State, seat: Seat) -> list[Kind]:
    return list(cards_of(state.cards.hands[1 - seat]))


def in_rounds(match: Match) -> Iterator[Puzzle]:
    """Yield the decisive cards of a match of Kitsune, the earliest of each round first."""
    found: list[Puzzle] = []
    is_far = False
    for one in reversed(match.line()):
        if one.outcome is not None or not is_open(one.state):
            is_far = False  # another deal
            continue
        if is_far:
            continue
        try:
            best = only_card(one.state)
        except TooLong:
            is_far = True  # earlier positions take even longer
            continue
        if best is not None:
            found.append(puzzle_of(one, TRICK if best[1] == WON else DEFEND, best[:1]))
    yield from reversed(found)


def known(one: Puzzle, names: Names) -> str:
    theirs = ", ".join(map(word, held(one.start.state, one.seat)))
    return f"All cards are out, so {names[1 - one.seat]} holds {theirs or 'none'}."


def against(one: Puzzle, step: Step, names: Names) -> str:
    follows, lost = what_follows(one.start.state, step), GONE[one.goal]
    own = ", then ".join(step_name(step) for seat, step in follows if seat == one.seat)
    answers = [step_name(step) for seat, step in follows if seat != one.seat]
    if answers:
        head = f"Even if you continue with {own}," if own else "Then"
        return f"{head} {names[1 - one.seat]} may play {answers[0]}, and {lost}."
    return f"After {step_name(step)} {lost}{' at once' * (not own)}."


PUZZLES = Puzzles(
    finders={TRICK: in_rounds},
    tasks={
        TRICK: "Find the only card that wins this round by force.",
        DEFEND: "Find the only defence: after any other card {other} wins this round by force.",
    },
    known=known,
    against=against,
)
