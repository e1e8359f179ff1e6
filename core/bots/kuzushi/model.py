"""How Kuzushi is thought about: UCT with playouts on plain integers, max-n for three to six seats.

A move is a square, or `~square` for turning over the flag there. The rules are those of
core.games.kuzushi without its texts and checks; a test holds them against each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final, TypeAlias

from kumite.core.bots.base import Choice, Line
from kumite.core.bots.search.uct import OVER, Node, ranked, search
from kumite.core.game import Seat, Step
from kumite.core.games.kuzushi.rules import CARDS, Grid, State, grid, island, squares_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from kumite.core.bots.base import Budget, Position

SIMULATIONS: Final = {"medium": 250, "strong": 3000}
MIXES: Final = False
GREED: Final = 4.0  # of `easy`: how much likelier a move is for each card that it brings
WIDEN: Final = 0.5  # with few simulations only greedy moves are looked at, and each often enough
MARGIN: Final = 0.25  # how much of a score is the lead; the rest is who wins

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
        """Play at random to the end and return the scores."""
        turn, first_bases, first_flags, over = place
        bases, flags = list(first_bases), list(first_flags)
        random, seats = rng.random, len(bases)
        stride, city = 2 * self.grid.limit, 1 << self.grid.city
        while not over:
            cards = city
            for squares in bases:
                cards |= squares
            for squares in flags:
                cards |= squares
            beside = cards << stride | cards >> stride | cards << 1 | cards >> 1
            new = beside & ~cards & self.grid.window(cards)
            own = flags[turn]
            fresh = new.bit_count()
            index = int(random() * (fresh + own.bit_count()))
            left = new
            if index >= fresh:
                left, index = own, index - fresh
            for _ in range(index):
                left &= left - 1
            square = (left & -left).bit_length() - 1
            over = self.lay(turn, square, bases, flags)
            turn = turn + 1 if turn + 1 < seats else 0
        return self.scores(bases, flags)

    def scores(self, bases: Sequence[int], flags: Sequence[int]) -> list[float]:
        """Return the score of each seat at the end: the win, and a little for the lead."""
        points = [(b | f).bit_count() for b, f in zip(bases, flags, strict=True)]
        points[0] += 1
        most = max(points)
        best = [seat for seat, count in enumerate(points) if count == most]
        if len(best) > 1:
            state = State(self.grid.limit, _NOBODY, tuple(bases), tuple(flags))
            islands = {seat: island(state, seat) for seat in best}
            best = [seat for seat in best if islands[seat] == max(islands.values())]
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


@cache
def game_on(limit: int) -> KuzushiGame:
    """Return the game on boards of that size."""
    return KuzushiGame(grid(limit), limit * limit)


def step_of(board: KuzushiGame, move: int) -> Step:
    """Return the text of a move."""
    names = board.grid.names
    return Step(f"{names[~move]}+" if move < 0 else names[move])


def easy(position: Position, rng: Random) -> Choice:
    """Lay cards: the more of its own a move brings at once, the likelier it is."""
    board, place = game_on(position.view.limit), place_of(position.view)
    turn = place[0]
    moves = board.moves(place)
    weights = []
    for move in moves:
        after = board.after(place, move)
        weights.append(GREED ** (after[1][turn] | after[2][turn]).bit_count())
    return Choice(step_of(board, rng.choices(moves, weights)[0]))


def think(position: Position, rng: Random, budget: Budget) -> Sequence[Line]:
    """Search from the position."""
    board = game_on(position.view.limit)

    def lines(root: Node[Place, int]) -> Sequence[Line]:
        return [Line(step_of(board, move), value, share) for move, value, share in ranked(root)]

    return lines(search(board, place_of(position.view), rng, budget, WIDEN, lines))
