"""The only defence of Kitsu! and Kumo: after every other turn the other side wins in its next.

The rest of a turn is made in every way, by the rules; turns that come to the same position are one.
Against each of them a win of the other is hunted for to the end (compiled, where that is ready).
What has won against one turn is tried first against the next, as most of them miss the same.
"""

from __future__ import annotations

from importlib import import_module
from random import Random
from typing import TYPE_CHECKING, Any, Final

from kumite.core.bots.base import Budget
from kumite.core.bots.fast import is_ready
from kumite.core.bots.search.hunt import OVER, Hunt
from kumite.tui.puzzles.rounds import TooLong

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kumite.core.bots.search.turns import Hunted, TurnGame
    from kumite.core.game import Game, Step

FEWEST: Final = 8  # turns to choose from; with less it is no puzzle
ENDS: Final = 3_000  # positions of the rest of a turn, that is made in every way
FEARED: Final = 60_000  # positions among which a win against a turn is hunted for
LATE: Final = 1  # turns against which no win is found so, until another one is known
KEPT: Final = 16  # wins that are tried against the next turn


class Defences:
    """What is known of the turns of a match: what wins against each."""

    def __init__(self, game: Game[Any], model: TurnGame) -> None:
        self.game, self.model = game, model
        self.made = 0  # positions of the last hunt
        self._wins: list[tuple[Step, ...]] = []  # of the other, first what won last
        self._known: dict[Any, tuple[Step, ...]] = {}

    def only(self, state: Any) -> Any | None:
        """Return the only end of a turn that can be made from here and is not lost.

        None: there is none, or several, one of them wins, or there is too little to choose from.

        Raises:
            TooLong: there is too much to look at.
        """
        safe, side = self.safe(state), self.model.side(state)
        is_puzzle = len(safe) == 1 and not self.model.has_won(safe[0], side)
        return safe[0] if is_puzzle and len(list(self.ends(state))) >= FEWEST else None

    def safe(self, state: Any) -> list[Any]:
        """Return the ends of a turn after which the other does not win; of several, two.

        Raises:
            TooLong: there is too much to look at.
        """
        found: list[Any] = []
        late: list[Any] = []  # what wins against others may win against these
        for end in list(self.ends(state)):  # all of them first: that they are too many is cheap
            try:
                found += [end] * (not self.is_lost(end))
            except TooLong:
                late.append(end)
            if len(found) > 1 or len(late) > LATE:
                break
        if len(found) < 2 and not all(self._tried(end) for end in late):
            raise TooLong
        return found

    def ends(self, state: Any) -> Iterator[Any]:
        """Yield the positions with which the turn can end, each once.

        Raises:
            TooLong: there is too much to look at.
        """
        yield from (end for end, _ in self._ways(state))

    def way_to(self, state: Any, end: Any) -> tuple[Step, ...]:
        """Return the fewest steps to an end of the turn."""
        return next(way for other, way in self._ways(state) if other == end)

    def _ways(self, state: Any) -> Iterator[tuple[Any, tuple[Step, ...]]]:
        """Yield the ends of the turn, and how each is come to, those first that take least."""
        game, (actor,), seen = self.game, self.game.actors(state), {state}
        level: list[tuple[Any, tuple[Step, ...]]] = [(state, ())]
        while level:
            following: list[tuple[Any, tuple[Step, ...]]] = []
            for now, way in level:
                for step in game.legal(now, actor):
                    after = game.apply(now, actor, step)
                    if after in seen:
                        continue
                    seen.add(after)
                    if len(seen) > ENDS:
                        raise TooLong
                    if game.actors(after) == (actor,):
                        following.append((after, (*way, step)))
                    else:
                        yield after, (*way, step)
            level = following

    def is_lost(self, end: Any) -> bool:
        """Return whether the other wins in its turn; at the end of a match nobody has lost by it.

        Raises:
            TooLong: that is not known after so many positions.
        """
        return self.model.side(end) != OVER and bool(self.win_after(end))

    def win_after(self, end: Any) -> tuple[Step, ...]:
        """Return a turn of the other that wins, () if there is none.

        Raises:
            TooLong: that is not known after so many positions.
        """
        if end not in self._known:
            self._known[end] = self._tried(end) or self._hunted(end)
        return self._known[end]

    def _tried(self, end: Any) -> tuple[Step, ...]:
        """Return one of the wins against other turns, if it wins here as well."""
        for number, win in enumerate(self._wins):
            if self._wins_with(win, end):
                self._wins.insert(0, self._wins.pop(number))
                return win
        return ()

    def _wins_with(self, win: tuple[Step, ...], state: Any) -> bool:
        """Return whether these steps can be made and win."""
        side = self.model.side(state)
        for step in win:
            actors = self.game.actors(state)
            if not actors or self.game.why(state, actors[0], step):
                return False
            state = self.game.apply(state, actors[0], step)
        return self.model.has_won(state, side)

    def _hunted(self, end: Any) -> tuple[Step, ...]:
        """Return a win that is hunted for."""
        hunt, is_over = self._hunt(end)
        self.made = hunt.made
        if not is_over:
            raise TooLong
        if hunt.win:
            self._wins = [hunt.win, *self._wins[: KEPT - 1]]
        return hunt.win

    def _hunt(self, end: Any) -> tuple[Hunted, bool]:
        """Return a hunt, and whether it has come to its end."""
        if not is_ready(self.game.ID):
            plain = Hunt(self.model, end)
            plain.go_on(FEARED, lambda: None)
            return plain, plain.is_over
        from kumite.core.bots.search.compiled import (
            CompiledSearch,
        )  # late: compiled as it is loaded

        loops: Any = import_module(f"kumite.core.bots.{self.game.ID}.ways")
        search = CompiledSearch(loops, self.model, end, Random(0), Budget(None))
        compiled = search.hunt(search.root, FEARED)
        return compiled, compiled.is_over
