"""The card that decides a round of Kitsune for two: all that can still be played is played out.

Without a draw pile nothing is unknown: the cards that one does not see are the other hand. A card
under the shield and what is fetched are taken as known too, which only helps the other.
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Final

from kumite.core.bots.search.endgame import Ending
from kumite.core.bots.search.uct import OVER
from kumite.core.game import CHANCE, Seat
from kumite.core.games.kitsune import rules as kitsune
from kumite.core.games.kitsune.state import cards_of, deck_size

if TYPE_CHECKING:
    from kumite.core.game import Step
    from kumite.core.games.kitsune.state import Kind, State

FEWEST: Final = 3  # steps to choose from; with less it is no puzzle
EXACT: Final = 8_000  # positions of a round that is played out
WON, OPEN, LOST = 1.0, 0.5, 0.0  # what a round can be worth; open: it goes on with new cards


class TooLong(Exception):
    """The end of the round is too far away to be played out."""


class Rest:
    """The rest of a round, with all cards open, as an `EndingGame`."""

    def __init__(self, state: State) -> None:
        """Begin at a position in which nobody can draw any more."""
        self.wins = state.standing.wins

    def mover(self, state: State) -> int:
        """Return the seat to act, or OVER: the round is won, or new cards are dealt."""
        if state.standing.wins != self.wins or state.phase in ("deal", "lead", "over"):
            return OVER
        return int(kitsune.actors(state)[0])

    def following(self, state: State) -> list[tuple[Step, State]]:
        """List the steps and the positions after them, what chance only shows already shown."""
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
    """Return the position after a card that lay under the shield was turned up."""
    while state.phase == "show":
        (step,) = kitsune.legal(state, CHANCE)
        state = kitsune.apply(state, CHANCE, step)
    return state


def is_open(state: State) -> bool:
    """Return whether somebody is to play a card, and nothing is left to be drawn."""
    return (
        state.phase == "play" and state.table.seats == 2 and not deck_size(state.table, state.cards)
    )


def only_card(state: State) -> tuple[Step, float] | None:
    """Return the only step that is worth most, and whether it wins the round or saves it.

    None if there are several such, or nothing is to be saved.

    Raises:
        TooLong: the round would have to be played out too far.
    """
    made = count(1)

    def look() -> None:
        if next(made) > EXACT:
            raise TooLong

    worths = Ending(Rest(state), look).worths(state)
    most = max(worth for _, worth in worths)
    best = [step for step, worth in worths if worth == most]
    is_puzzle = len(worths) >= FEWEST and len(best) == 1 and most > LOST
    return (best[0], most) if is_puzzle else None


def what_follows(state: State, step: Step) -> list[tuple[Seat, Step]]:
    """List what is best for both after a step that is not the only card, up to the other's answer.

    Whoever has asked has come to an end here before: `only_card` looks at more.
    """
    rest = Rest(state)
    ending, seat, now = Ending(rest, lambda: None), rest.mover(state), state
    found: list[tuple[Seat, Step]] = []
    while not found or found[-1][0] == seat:
        now = dict(rest.following(now))[found[-1][1] if found else step]
        if rest.mover(now) == OVER:
            break
        best = max(ending.worths(now), key=lambda one: one[1])[0]
        found.append((Seat(rest.mover(now)), best))
    return found


def held(state: State, seat: Seat) -> list[Kind]:
    """List the cards that the other holds."""
    return list(cards_of(state.cards.hands[1 - seat]))
