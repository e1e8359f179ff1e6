"""The searches of model.py on the arrays of kernel.py and ending.py, which can be compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.core.bots.kuzushi import ending, kernel
from kumite.core.bots.search.tree import CompiledTree

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from kumite.core.bots.kuzushi.game import KuzushiGame, Place

TOGETHER: Final = 256  # positions of an exact search that are looked at before they are told


class CompiledSearch:
    """The searches from a position, as a `Search`."""

    def __init__(self, board: KuzushiGame, place: Place) -> None:
        given = kernel.board_of(board.grid, len(place[1]))
        root, work = kernel.place_of(given, board.grid.city, place), kernel.work_of(given)
        self._board, self._root, self._work = given, root, work
        self._tree = CompiledTree(  # no method of ours, so that nothing holds itself
            board.mover(place),
            lambda tree, stream, times: kernel.grow(tree, stream, times, given, root, work),
        )

    def simulate(self, rng: Random, is_over: Callable[[int], bool], done: int) -> int:
        """See `Search.simulate`."""
        return self._tree.simulate(rng, is_over, done)

    def ranked(self) -> list[tuple[int, float, float]]:
        """See `Search.ranked`."""
        return self._tree.ranked()

    def worths(self, look: Callable[[], None]) -> list[tuple[int, float]]:
        """See `Search.worths`; `look` may be called late: at most for `TOGETHER` positions."""
        end = ending.ending_of(self._board, self._root, self._work)
        looked, is_known = 0, False
        while not is_known:
            is_known = ending.go_on(self._board, end, looked + TOGETHER, self._work)
            for _ in range(end.at[ending.LOOKED] - looked):
                look()
            looked = end.at[ending.LOOKED]
            end = ending.with_room(end)
        turn, count = self._root[self._board.turn], end.listed[0]
        found = zip(end.moves[0][:count], end.worths[:count], strict=True)
        return [(int(move), float(1 - worth if turn else worth)) for move, worth in found]


def compile_all(board: KuzushiGame, place: Place, rng: Random) -> None:
    """Call every loop once: from then on all is compiled."""
    search = CompiledSearch(board, place)
    search.simulate(rng, lambda done: done > 0, 0)
    end = ending.ending_of(search._board, search._root, search._work)
    ending.go_on(search._board, end, 1, search._work)
    ending.refill(end, end)
