"""How Kuzushi is thought about: UCT with playouts, max-n for three to six seats, and exact ends."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Final, Protocol

from kumite.core.bots.base import Choice, Line, Skill, noticed
from kumite.core.bots.chances import fit_of
from kumite.core.bots.fast import is_ready
from kumite.core.bots.kuzushi.game import MARGIN, WIDEN, game_on, place_of, step_of
from kumite.core.bots.search.endgame import Ending
from kumite.core.bots.search.uct import Node, ranked, simulate

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from random import Random

    from kumite.core.bots.base import Budget, Position
    from kumite.core.bots.kuzushi.game import KuzushiGame, Place

LEVELS: Final = (
    *(Skill(lapses=0.65), Skill(lapses=0.4), Skill(60, lapses=0.2), Skill(150)),
    *(Skill(350), Skill(1000), Skill(2200), Skill(6000)),
)
MIXES: Final = False
MISSED: Final = (0.6, 0.8)  # of `beginner`: how often a new base, a turn is overlooked
WON: Final = 1000.0  # more than any lead

# Near the end of a match of two the tree is left for an exact search, and gone on with if that
# takes too long: so many simulations, then so many positions at most.
STAGES: Final = ((60, 600), (300, 4_000), (900, 12_000), (4_000, 60_000), (20_000, 400_000))
EXACT: Final = 10  # of these positions take as long as a simulation
UNBOUNDED: Final = 1 << 62


def beginner(position: Position, rng: Random) -> Choice:
    """Take the most cards at once, of the moves that are seen; turning over is often not."""
    board, place = game_on(position.view.limit), place_of(position.view)
    some = set(noticed(position, rng, lambda step: MISSED[step.endswith("+")]).legal)
    turn = place[0]
    cards = {
        step: (after[1][turn] | after[2][turn]).bit_count()
        for move, after in board.following(place)
        if (step := step_of(board, move)) in some
    }
    most = max(cards.values())
    return Choice(rng.choice([step for step, count in cards.items() if count == most]))


def easy(position: Position, rng: Random) -> Choice:
    """Lay cards so as to lead by most after the reply that takes most back, ties at random."""
    board, place = game_on(position.view.limit), place_of(position.view)
    values = {move: _replied(board, after, place[0]) for move, after in board.following(place)}
    best = max(values.values())
    moves = [move for move, value in values.items() if value == best]
    return Choice(step_of(board, rng.choice(moves)))


def _replied(board: KuzushiGame, place: Place, seat: int) -> float:
    """Return by how much a seat leads at least once the next one has replied."""
    if place[3]:
        return WON if seat in board.best(place[1], place[2]) else -WON
    return float(min(_lead(after, seat) for _, after in board.following(place)))


def _lead(place: Place, seat: int) -> int:
    """Return how many cards more than the strongest other a seat has."""
    counts = [(b | f).bit_count() for b, f in zip(place[1], place[2], strict=True)]
    return counts.pop(seat) - max(counts)


class Search(Protocol):
    """The searches from a position; `PlainSearch`, or `compiled.CompiledSearch`, finds the same."""

    def simulate(self, rng: Random, is_over: Callable[[int], bool], done: int) -> int:
        """Let the tree grow until it `is_over`; return how many simulations have been made."""

    def ranked(self) -> list[tuple[int, float, float]]:
        """Return move, value and share of the visits, the most visited first."""

    def worths(self, look: Callable[[], None]) -> list[tuple[int, float]]:
        """Return what each move is worth exactly; `look` is called for each position."""


class PlainSearch:
    """The searches in plain Python."""

    def __init__(self, board: KuzushiGame, place: Place) -> None:
        self.board = board
        self.root: Node[Place, int] = Node(place, board.mover(place))
        self.root.enter(board)

    def simulate(self, rng: Random, is_over: Callable[[int], bool], done: int) -> int:
        """See `Search.simulate`."""
        return simulate(self.board, self.root, rng, is_over, WIDEN, done)

    def ranked(self) -> list[tuple[int, float, float]]:
        """See `Search.ranked`."""
        return ranked(self.root)

    def worths(self, look: Callable[[], None]) -> list[tuple[int, float]]:
        """See `Search.worths`."""
        return Ending(self.board, look).worths(self.root.state)


def search_from(board: KuzushiGame, place: Place) -> Search:
    """Return the searches from a position: compiled ones, if they are ready."""
    if not is_ready("kuzushi"):
        return PlainSearch(board, place)
    from kumite.core.bots.kuzushi.compiled import CompiledSearch  # late: compiled as it is loaded

    return CompiledSearch(board, place)


class _Unsolved(Exception):
    """An exact search has taken its share, or all that there was."""


class Thought:
    """One thought: a tree that grows, and near the end exact searches in between."""

    def __init__(self, board: KuzushiGame, place: Place, rng: Random, budget: Budget) -> None:
        self.board, self.rng, self.budget = board, rng, budget
        self.seats = len(place[1])
        self.search = search_from(board, place)
        self.wins = board.wins(place)
        self.done = 0  # simulations, or exact positions for them
        self.is_over = False

    def grow(self, simulations: int) -> None:
        """Let the tree grow by so many simulations."""
        until = self.done + simulations

        def is_over(done: int) -> bool:
            self.is_over = self.budget.is_spent(done)
            return self.is_over or done >= until

        self.done = self.search.simulate(self.rng, is_over, self.done)

    def solved(self, positions: int) -> dict[int, float]:
        """Return what each move is worth exactly, nothing if it takes too many positions."""
        made = count(1)

        def look() -> None:
            number = next(made)
            if number % EXACT == 0:
                self.is_over = self.is_over or self.budget.is_spent(self.done)
                self.done += 1
            if self.is_over or number > positions:
                raise _Unsolved

        try:
            return dict(self.search.worths(look))
        except _Unsolved:
            return {}

    def lines(self, exact: Mapping[int, float] | None = None) -> Sequence[Line]:
        """Return the moves, the best first: by the tree, or by what they are worth exactly."""
        found = self.search.ranked()
        if not exact:
            return [
                Line(step_of(self.board, move), self.chance(value), share)
                for move, value, share in found
            ]
        looked = {move: share for move, _, share in found}
        best = max(exact.values())
        shares = {move: looked.get(move, 0.0) + 0.01 for move in exact if exact[move] == best}
        whole = sum(shares.values())
        order = sorted(exact, key=lambda move: (exact[move], shares.get(move, 0.0)), reverse=True)
        return [
            Line(
                step_of(self.board, move),
                exact[move],
                shares.get(move, 0.0) / whole,
                (step_of(self.board, move),) if move in self.wins else (),
            )
            for move in order
        ]

    def chance(self, score: float) -> float:
        """Return the chance to win that a score stands for: what is a lead in it is left out."""
        even = 1 / self.seats
        share = (score - MARGIN * even) / (1 - MARGIN)
        return fit_of("kuzushi", self.seats, self.done).chance(share, even)


def think(position: Position, rng: Random, budget: Budget) -> Sequence[Line]:
    """Search from the position; near the end of a match of two, exactly if it can be done."""
    board, place = game_on(position.view.limit), place_of(position.view)
    thought = Thought(board, place, rng, budget)
    if thought.wins and not budget.is_spent(0):
        return thought.lines(dict.fromkeys(thought.wins, 1.0))
    budget.show(thought.lines)
    for simulations, positions in STAGES if board.is_near_end(place) else ():
        thought.grow(simulations)
        if not thought.is_over and (exact := thought.solved(positions)):
            return thought.lines(exact)
        if thought.is_over:
            break
    else:
        thought.grow(UNBOUNDED)
    return thought.lines()
