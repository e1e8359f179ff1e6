"""The loops of turns.py on the arrays of ways.py, for games whose own loops are compiled.

A game's module `ways` has them, as `Loops` says; the search here asks for time, keeps hunts and
makes steps of moves. It finds what `turns.PlainSearch` finds.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Protocol

from kumite.core.bots.fast import LARGE, SMALL, longer, zeros
from kumite.core.bots.search import turns, ways
from kumite.core.bots.search.hunt import OVER
from kumite.core.bots.search.stream import give_back, stream_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from random import Random

    from kumite.core.bots.base import Budget, Line
    from kumite.core.bots.chances import Fit
    from kumite.core.bots.fast import Ints
    from kumite.core.bots.search.turns import Pass, Turn, TurnGame
    from kumite.core.bots.search.ways import Ways
    from kumite.core.game import Step

TOGETHER: Final = 512  # positions that are made before it is asked again whether there is time
FEW: Final = 64  # positions that a hunt has place for at first
MANY: Final = 2048  # and a beam
WIDTH: Final = 128  # of a beam, at first
TURNS: Final = 1024
KEPT: Final = 1 << 19  # positions of all hunts together, 100 to 130 bytes each
ALL: Final = 1 << 62


class Loops(Protocol):
    """A game's positions as arrays, and its two loops; the module `ways` in its folder."""

    def place_of(self, state: Any) -> Ints:
        """Return a position of the rules as an array."""

    def step_of(self, move: int) -> Step:
        """Return the text of a move."""

    def side(self, place: Ints) -> int:
        """Return 0 or 1, whose side has the turn; OVER at the end."""

    def work_of(self) -> Any:
        """Return room to work in."""

    def look(self, ways: Ways, stream: Ints, until: int, work: Any) -> bool:
        """Make positions of a beam until it is so many; return whether all turns have ended."""

    def follow(self, place: Ints, moves: Ints, work: Any) -> float:
        """Return the value of a turn of these moves, NO_TURN if they are none; `place` is lost."""

    def set_out(self, ways: Ways, root: Ints, work: Any) -> None:
        """Let a hunt begin."""

    def hunt(self, ways: Ways, most: int, until: int, work: Any) -> bool:
        """Make positions of a hunt; return whether it is `most` or over, False if it pauses."""


def think(
    loops: Loops,
    game: TurnGame,
    state: Any,
    rng: Random,
    budget: Budget,
    passes: Sequence[Pass],
    fit: Fit,
) -> list[Line]:
    """Return what `turns.think` would."""
    search = CompiledSearch(loops, game, state, rng, budget)
    try:
        return turns.compare(search, search.root, passes, fit)
    finally:
        give_back(rng, search.stream)


class CompiledHunt:
    """A hunt, as a `turns.Hunted`; what it has seen can be forgotten, and is found again then."""

    def __init__(self, loops: Loops, root: Ints, work: Any) -> None:
        self.made = 0
        self.is_won = False
        self.is_over = False  # whether there is nothing left to look at
        self.moves: tuple[int, ...] = ()  # to the win, but those that the game finds itself
        self.win: tuple[Step, ...] = ()  # written where the search begins; elsewhere nobody asks
        self._loops, self._root, self._work = loops, root, work
        self._ways: Ways | None = None

    @property
    def room(self) -> int:
        """Return for how many positions it has place."""
        return 0 if self._ways is None else len(self._ways.come)

    def forget(self) -> None:
        """Give the place back."""
        self._ways = None

    def go_on(self, most: int, until: int) -> bool:
        """Make positions; return whether it is `most` in all or over, False if it goes on."""
        found = self._ways or self._again()
        is_done = bool(self._loops.hunt(found, most, until, self._work))
        self.made = int(found.at[ways.MADE])
        self.is_won = bool(found.at[ways.END] != ways.NONE)
        self.is_over = self.is_won or bool(is_done and self.made < most)
        if self.is_won:
            number, last = int(found.at[ways.END]), int(found.at[ways.LAST])
            self.moves = (*moves_to(found, number), *(() if last == ways.NONE else (last,)))
        self._ways = ways.with_room(found, is_beam=False)
        return is_done

    def _again(self) -> Ways:
        """Return the positions that were made before."""
        found = ways.ways_of(len(self._root), FEW)
        self._loops.set_out(found, self._root, self._work)
        while found.at[ways.MADE] < self.made:
            self._loops.hunt(found, ALL, self.made, self._work)
            found = ways.with_room(found, is_beam=False)
        return found


def moves_to(found: Ways, number: int) -> tuple[int, ...]:
    """Return the moves that led from the beginning to a position."""
    moves = []
    while number:
        moves.append(int(found.move[number]))
        number = int(found.come[number])
    return tuple(moves[::-1])


class CompiledSearch:
    """The loops of one search, as a `turns.Search`; positions are arrays."""

    def __init__(
        self, loops: Loops, game: TurnGame, state: Any, rng: Random, budget: Budget
    ) -> None:
        self.budget, self.done, self.is_over = budget, 0, False
        self.stream, self.root = stream_of(rng), loops.place_of(state)
        self.side, self.step_of = loops.side, loops.step_of
        self._loops, self._game, self._state = loops, game, state
        self._key = self.key(self.root)
        self._work = loops.work_of()
        # Of answers and replies, and of one's own turns: these are told while answers are found.
        self._beams = [ways.ways_of(len(self.root), MANY, WIDTH, TURNS) for _ in range(2)]
        self._hunts: dict[object, CompiledHunt] = {}
        self._lost: set[object] = set()  # positions from which whoever has the turn wins in it
        self._room = 0  # of all hunts
        self._spare = 0  # positions that may be made before the budget is asked again

    def key(self, place: Ints) -> object:
        """See `Search.key`."""
        return tuple(map(int, place))

    def _spend(self, made: int) -> None:
        """Count positions that were made."""
        self.done += made
        self._spare -= made

    def _ask(self) -> None:
        """Ask the budget whether to go on, if no more positions may be made before that."""
        if self._spare == 0:
            self._spare = 0 if self.is_over else self.budget.spare(self.done, TOGETHER)
            if self._spare == 0:
                raise turns.Spent

    def hunt(self, place: Ints, most: int) -> CompiledHunt:
        """See `Search.hunt`."""
        key = self.key(place)
        hunt = self._hunts.get(key)
        if hunt is None:
            hunt = self._hunts[key] = CompiledHunt(self._loops, place, self._work)
        elif hunt.is_over or hunt.made >= most:
            return hunt
        room = hunt.room
        while True:
            made = hunt.made
            is_done = hunt.go_on(most, made + self._spare)
            self._spend(hunt.made - made)
            if is_done:
                break
            self._ask()
        if hunt.is_won:
            self._lost.add(key)
            hunt.win = self._told(hunt.moves) if key == self._key else ()
        if hunt.is_over:
            hunt.forget()
        self._tidy(hunt, hunt.room - room)
        return hunt

    def _tidy(self, hunt: CompiledHunt, more: int) -> None:
        """Let all but this hunt and the first forget what they have seen, if it is too much."""
        self._room += more
        if self._room > KEPT:
            for key, one in self._hunts.items():
                if one is not hunt and key != self._key:
                    self._room -= one.room
                    one.forget()

    def _told(self, moves: Sequence[int]) -> tuple[Step, ...]:
        """Return the steps of a win that begins with these moves."""
        game, state = self._game, self._state
        steps = [self.step_of(move) for move in moves]
        for step in steps:
            state = game.after(state, step)
        return (*steps, *(() if game.side(state) == OVER else game.finish(state)))

    def turns(self, place: Ints, width: int, most: int) -> Iterator[Turn]:
        """See `Search.turns`."""
        # One more: the best turn so far may turn out to be lost before the others are told.
        kept = most + len(self._lost) + 1
        which = int(self.key(place) == self._key)
        beam = self._beams[which]
        if width > len(beam.more) or kept > len(beam.ended):
            beam = ways.ways_of(len(place), MANY, 2 * width, 2 * kept)
        ways.begin(beam, place, width, kept)
        is_done = False
        while not is_done:
            made = int(beam.at[ways.MADE])
            is_done = self._loops.look(beam, self.stream, made + self._spare, self._work)
            self._spend(int(beam.at[ways.MADE]) - made)
            # Kept before it is asked: what it grew from is too small for what `at` says.
            self._beams[which] = beam = beam if is_done else ways.with_room(beam, is_beam=True)
            if not is_done:
                self._ask()
        return islice(self._found(beam), most)

    def _found(self, beam: Ways) -> Iterator[Turn]:
        """Yield the whole turns of a beam, but those that an answer is known to win against."""
        for index in range(beam.at[ways.ENDED]):
            number = int(beam.ended[index])
            place: Ints = zeros(LARGE, len(self.root))
            ways.fetch(beam, number, place)
            if self.key(place) not in self._lost:
                yield turns.Turn(float(beam.worth[number]), moves_to(beam, number), place)

    def follow(self, place: Ints, moves: tuple[int, ...]) -> float | None:
        """See `Search.follow`."""
        self._ask()
        self._spend(1)
        given = zeros(SMALL, len(moves))
        for index, move in enumerate(moves):
            given[index] = move
        value = float(self._loops.follow(longer(place, len(place)), given, self._work))
        if value >= turns.WIN:
            self._lost.add(self.key(place))
        return None if value == ways.NO_TURN else value
