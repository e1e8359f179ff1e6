"""Hunt for a win within one turn: quiet first steps are kept as long as a win may follow them.

A beam drops what looks poor, and the way to a win often begins so. A hunt goes through the
positions of one turn, those first that are nearest to a win, each once however it was come to, and
leaves out only those from which the game says that the turn can no longer win.
"""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import count
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kumite.core.game import Step

Way: TypeAlias = "tuple[Way, Step] | None"
"""Steps from the beginning of a hunt, the last one outermost; None: none."""
OVER: Final = -1  # the side that has the turn at the end


class HuntGame(Protocol):
    """A game of two sides without secrets, as a hunt asks it."""

    def side(self, state: Any) -> int:
        """Return 0 or 1, whose side has the turn; OVER at the end."""

    def turn(self, state: Any) -> object:
        """Return what differs from turn to turn."""

    def legal(self, state: Any) -> Sequence[Step]:
        """List the steps of who is to act."""

    def tries(self, state: Any) -> Sequence[Step]:
        """List those of them that a win in the turn can begin with, others perhaps as well."""

    def after(self, state: Any, step: Step) -> Any:
        """Return the position after a legal step."""

    def has_won(self, state: Any, side: int) -> bool:
        """Return whether the match is over and that side has won it."""

    def key(self, state: Any) -> object:
        """Return what two positions have in common that need not both be looked at."""

    def finish(self, state: Any) -> tuple[Step, ...]:
        """Return a win that the game finds without a search, () if it sees none."""

    def hope(self, state: Any) -> float | None:
        """Return how far whoever has the turn is from winning in it; None: out of reach.

        What is nearer is looked at before. What is out of reach is not looked at, so None has to be
        certain; of a position in which `finish` sees no win it is asked after that.
        """


class Hunt:
    """A search for a win in the rest of a turn; it can be left and gone on with."""

    def __init__(self, game: HuntGame, state: Any) -> None:
        """Begin at a position that is not over."""
        self.game = game
        self.side, self.turn = game.side(state), game.turn(state)
        self.win: tuple[Step, ...] = ()  # the rest of the turn, if a win has been found
        self.moves: tuple[Step, ...] = ()  # the same, but what the game has found without a search
        self.made = 0  # positions
        self._number = count()  # of equal hopes the one that came first is first
        self._seen = {game.key(state)}
        self._open: list[tuple[float, int, Any, Way]] = []
        self._push(state, None)

    @property
    def is_won(self) -> bool:
        """Return whether a win has been found."""
        return bool(self.win)

    @property
    def is_over(self) -> bool:
        """Return whether there is nothing left to look at: a win is found, or there is none."""
        return bool(self.win) or not self._open

    def go_on(self, most: int, spend: Callable[[], None]) -> bool:
        """Look until `most` positions have been made in all; return whether there is a win.

        `spend` is called before each, and may raise: the hunt is not to be gone on with then.
        """
        while self._open and not self.win and self.made < most:
            _, _, state, way = heappop(self._open)
            self._look(state, way, spend)
        return bool(self.win)

    def _look(self, state: Any, way: Way, spend: Callable[[], None]) -> None:
        game, seen = self.game, self._seen
        for step in game.tries(state):
            spend()
            self.made += 1
            after = game.after(state, step)
            if game.side(after) != self.side or game.turn(after) != self.turn:
                if game.has_won(after, self.side):
                    self.win = self.moves = steps_of((way, step))
                    return
                continue
            key = game.key(after)
            if key not in seen:
                seen.add(key)
                self._push(after, (way, step))
                if self.win:
                    return

    def _push(self, state: Any, way: Way) -> None:
        end = self.game.finish(state)
        if end:
            self.moves = steps_of(way)
            self.win = (*self.moves, *end)
            return
        hope = self.game.hope(state)
        if hope is not None:
            heappush(self._open, (hope, next(self._number), state, way))


def steps_of(way: Way) -> tuple[Step, ...]:
    """Return the steps of a way in their order."""
    steps = []
    while way is not None:
        way, step = way
        steps.append(step)
    return tuple(reversed(steps))
