"""Kuzushi on plain integers: the game as the searches play it, without texts and checks.

A move is a square, or `~square` for turning over the flag there. The rules are those of
core.games.kuzushi; a test holds them against each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final, TypeAlias

from kumite.core.bots.kuzushi import two
from kumite.core.bots.search.uct import OVER
from kumite.core.game import Seat, Step
from kumite.core.games.kuzushi.rules import CARDS, Grid, State, grid, island, squares_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

WIDEN: Final = 0.5  # with few simulations only greedy moves are looked at, and each often enough
MARGIN: Final = 0.25  # how much of a score is the lead; the rest is who wins
TWO: Final = 2  # seats of most matches, played on integers alone (two.py)
NEAR_END: Final = 9  # cards, until a hand is empty or the board full: see model.STAGES

Place: TypeAlias = tuple[int, tuple[int, ...], tuple[int, ...], bool]
"""Turn, bases by seat, flags by seat, is it over: a State for one size of board."""


def place_of(state: State) -> Place:
    """Return the position as the search has it."""
    return int(state.turn), state.bases, state.flags, False


@dataclass(frozen=True, slots=True)
class KuzushiGame:
    """Kuzushi on a board of one size, as an `OpenGame`."""

    grid: Grid
    full: int  # squares of a full board

    def mover(self, place: Place) -> int:
        """Return whose turn it is."""
        return OVER if place[3] else place[0]

    def options(self, place: Place) -> tuple[int, int]:
        """Return the squares for a new base, and the flags that may be turned over."""
        turn, bases, flags, _ = place
        cards, stride = 1 << self.grid.city, 2 * self.grid.limit
        for squares in bases + flags:
            cards |= squares
        beside = cards << stride | cards >> stride | cards << 1 | cards >> 1
        return beside & ~cards & self.grid.window(cards), flags[turn]

    def moves(self, place: Place) -> Sequence[int]:
        """List the moves, those first that gain most cards at once; nearer to the city if equal."""
        turn, bases, flags, _ = place
        if len(bases) == TWO:
            sides = list(zip(bases, flags, strict=True))
            return two.in_order(self.grid.limit, sides[turn], sides[1 - turn])
        new, flips = self.options(place)
        found = [*squares_of(new), *(~square for square in squares_of(flips))]
        gains = [self.gain(place, move) for move in found]
        order = sorted(range(len(found)), key=gains.__getitem__, reverse=True)
        return [found[index] for index in order]

    def gain(self, place: Place, move: int) -> int:
        """Return by how many cards more than the strongest other the mover would lead."""
        after = self.after(place, move)
        counts = [(b | f).bit_count() for b, f in zip(after[1], after[2], strict=True)]
        mine = counts.pop(place[0])
        firm = after[1][place[0]].bit_count() - (place[1][place[0]]).bit_count()
        return 4 * (2 * mine - sum(counts) - max(counts)) + firm

    def following(self, place: Place) -> list[tuple[int, Place]]:
        """List the moves with the positions after them, those first that gain most cards."""
        turn = place[0]
        new, flips = self.options(place)
        moves = [*squares_of(new), *(~square for square in squares_of(flips))]
        found = [(self.after(place, move), move) for move in moves]
        leads = [
            (standing(after[1], after[2], turn), index) for index, (after, _) in enumerate(found)
        ]
        leads.sort(reverse=True)
        return [(found[index][1], found[index][0]) for _, index in leads]

    def after(self, place: Place, move: int) -> Place:
        """Return the position after a move."""
        turn, bases, flags, _ = place
        new_bases, new_flags = list(bases), list(flags)
        over = self.lay(turn, move, new_bases, new_flags)
        following = turn if over else (turn + 1) % len(bases)
        return following, tuple(new_bases), tuple(new_flags), over

    def lay(self, turn: int, move: int, bases: list[int], flags: list[int]) -> bool:
        """Carry a move out on the lists; return whether the match is over then."""
        square = ~move if move < 0 else move
        grid = self.grid
        bases[turn] |= 1 << square
        flags[turn] &= ~(1 << square)
        solid = 1 << grid.city
        for squares in bases:
            solid |= squares
        cards = solid
        for squares in flags:
            cards |= squares
        window = -1
        for neighbour in grid.around[square]:
            bit = 1 << neighbour
            if bit & solid:
                continue
            if not bit & cards:
                if window < 0:
                    window = grid.window(cards)
                if not bit & window:
                    continue
            self._mark(turn, bit, grid.near[neighbour], bases, flags)
        own = bases[turn].bit_count() + flags[turn].bit_count()
        if own >= CARDS:
            return True
        return 1 + sum(map(int.bit_count, bases)) + sum(map(int.bit_count, flags)) == self.full

    def _mark(self, turn: int, bit: int, near: int, bases: list[int], flags: list[int]) -> None:
        """Re-evaluate one neighbour; only `turn` has more bases than before."""
        mine = (near & bases[turn]).bit_count()
        most = 0
        for seat, squares in enumerate(bases):
            if seat != turn:
                count = (near & squares).bit_count()
                if count > most:
                    most = count
        if mine < most:
            return  # who held the square still does, or nobody does
        for seat in range(len(flags)):
            if seat != turn:
                flags[seat] &= ~bit
        if mine == most:
            flags[turn] &= ~bit
        elif bases[turn].bit_count() + flags[turn].bit_count() < CARDS:
            flags[turn] |= bit

    def playout(self, place: Place, rng: Random) -> Sequence[float]:
        """Play to the end and return the scores; each move is the better one of two at random."""
        turn, first_bases, first_flags, over = place
        if len(first_bases) == TWO and not over:
            sides = list(zip(first_bases, first_flags, strict=True))
            ends = two.play_out(self.grid.limit, sides[turn], sides[1 - turn], rng.random)
            return self.scores(*zip(*(ends if turn == 0 else reversed(ends)), strict=True))
        bases, flags = list(first_bases), list(first_flags)
        random, seats = rng.random, len(bases)
        while not over:
            new, own = self.options((turn, tuple(bases), tuple(flags), False))
            fresh = new.bit_count()
            whole = fresh + own.bit_count()
            index, other = int(random() * whole), int(random() * whole)
            then, over = self._laid(turn, index, fresh, new, own, bases, flags)
            if other != index:
                also, is_over = self._laid(turn, other, fresh, new, own, bases, flags)
                if standing(*also, turn) > standing(*then, turn):
                    then, over = also, is_over
            bases, flags = then
            turn = turn + 1 if turn + 1 < seats else 0
        return self.scores(bases, flags)

    def _laid(
        self, turn: int, index: int, fresh: int, new: int, own: int,
        bases: Sequence[int], flags: Sequence[int],
    ) -> tuple[tuple[list[int], list[int]], bool]:  # fmt: skip
        """Return the cards after the move of that number, and whether the match is over."""
        left = new
        if index >= fresh:
            left, index = own, index - fresh
        for _ in range(index):
            left &= left - 1
        cards = list(bases), list(flags)
        return cards, self.lay(turn, (left & -left).bit_length() - 1, *cards)

    def is_near_end(self, place: Place) -> bool:
        """Return whether it is worth while to look for the end exactly."""
        _, bases, flags, over = place
        laid = [(b | f).bit_count() for b, f in zip(bases, flags, strict=True)]
        left = min(CARDS - max(laid), self.full - 1 - sum(laid))
        return len(bases) == 2 and not over and left <= NEAR_END

    def wins(self, place: Place) -> frozenset[int]:
        """Return the moves that end the match with a win of the mover alone."""
        return frozenset(
            move
            for move, (_, bases, flags, over) in self.following(place)
            if over and self.best(bases, flags) == [place[0]]
        )

    def result(self, place: Place) -> float:
        """Return what seat 0 has of the win at the end."""
        best = self.best(place[1], place[2])
        return 1 / len(best) if 0 in best else 0.0

    def best(self, bases: Sequence[int], flags: Sequence[int]) -> list[int]:
        """Return who has won at the end: the most cards, then the largest island, else shared."""
        points = [(b | f).bit_count() for b, f in zip(bases, flags, strict=True)]
        points[0] += 1
        most = max(points)
        best = [seat for seat, count in enumerate(points) if count == most]
        if len(best) > 1:
            state = State(self.grid.limit, _NOBODY, tuple(bases), tuple(flags))
            islands = {seat: island(state, seat) for seat in best}
            best = [seat for seat in best if islands[seat] == max(islands.values())]
        return best

    def scores(self, bases: Sequence[int], flags: Sequence[int]) -> list[float]:
        """Return the score of each seat at the end: the win, and a little for the lead."""
        points = [(b | f).bit_count() for b, f in zip(bases, flags, strict=True)]
        points[0] += 1
        most = max(points)
        best = self.best(bases, flags)
        second = sorted(points)[-2]
        lead = MARGIN / self.full
        mean = 1 / len(points)
        return [
            (1 - MARGIN) * ((1 / len(best)) if seat in best else 0.0)
            + MARGIN * mean
            + lead * (count - (second if count == most else most))
            for seat, count in enumerate(points)
        ]


_NOBODY: Final = Seat(0)  # islands do not ask whose turn it is


def standing(bases: Sequence[int], flags: Sequence[int], seat: int) -> int:
    """Return how well a seat stands: its own cards count twice, the strongest other's once."""
    counts = [(b | f).bit_count() for b, f in zip(bases, flags, strict=True)]
    return 2 * counts.pop(seat) - max(counts)


@cache
def game_on(limit: int) -> KuzushiGame:
    """Return the game on boards of that size."""
    return KuzushiGame(grid(limit), limit * limit)


def step_of(board: KuzushiGame, move: int) -> Step:
    """Return the text of a move."""
    names = board.grid.names
    return Step(f"{names[~move]}+" if move < 0 else names[move])
