"""Beams and hunts for the search of whole turns (turns.py).

This module keeps the budget, remembers hunts and converts moves to steps. The inner loops are in
frontier.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from kumite.core.bots.base import Budget
from kumite.core.bots.fast import LARGE, SMALL, Ints, longer, stream_of, zeros
from kumite.core.bots.search import frontier
from kumite.core.bots.search.frontier import OVER, SEEN, WIN, Frontier, Loops, TurnRules, Work
from kumite.core.game import Game, Step

if TYPE_CHECKING:
    from random import Random


TOGETHER: Final = 512  # positions made between two checks of the budget
FEW: Final = 64  # initial capacity of a hunt
MANY: Final = 2048  # initial capacity of a beam
WIDTH: Final = 128  # initial width of a beam
TURNS: Final = 1024
KEPT: Final = 1 << 19  # total capacity of all hunts; a position takes 100 to 130 bytes
ALL: Final = 1 << 62


class Spent(Exception):
    """The budget is spent: stop at once with the results so far."""


class Turn(NamedTuple):
    """A complete turn."""

    value: float  # of the position after it, for the side that made the turn
    moves: tuple[int, ...]
    place: Ints  # the position after it


class TurnGame:
    """A two-sided game with long turns and no secrets; states are those of its rules."""

    def __init__(self, game: Game[Any], rules: TurnRules) -> None:
        self.game, self.rules, self.loops = game, rules, frontier.loops_of(rules)

    def side(self, state: Any) -> int:
        """Return 0 or 1, the side to move; OVER at the end."""
        actors = self.game.actors(state)
        return int(actors[0]) % 2 if actors else OVER

    def has_won(self, state: Any, side: int) -> bool:
        outcome = self.game.outcome(state)
        return outcome is not None and side in {seat % 2 for seat in outcome.winners}

    def legal(self, state: Any) -> list[Step]:
        rules, work = self.rules, frontier.work_of(self.rules)
        count = rules.options(rules.place_of(state), work.moves, work.room)
        return [rules.step_of(int(move)) for move in work.moves[:count]]

    def after(self, state: Any, step: Step) -> Any:
        return self.game.apply(state, self.game.actors(state)[0], step)

    def hunt(self, state: Any, most: int) -> Hunt:
        """Search at most `most` positions for a win within the turn."""
        hunt = Hunt(self.loops, self.rules.place_of(state), frontier.work_of(self.rules))
        while not hunt.go_on(most, ALL):
            pass
        return hunt

    def win_by(self, state: Any, moves: Sequence[int]) -> tuple[Step, ...]:
        """Return the steps of a win that begins with these moves."""
        steps = [self.rules.step_of(move) for move in moves]
        for step in steps:
            state = self.after(state, step)
        room = self.rules.room_of()
        while (side := self.side(state)) != OVER:  # the game sees the rest by itself
            for step in self.game.legal(state, self.game.actors(state)[0]):
                after = self.after(state, step)
                if self.has_won(after, side) or (
                    self.side(after) == side and self._goes_on(after, room)
                ):
                    break
            steps.append(step)
            state = after
        return tuple(steps)

    def _goes_on(self, state: Any, room: Ints) -> bool:
        """Return whether the unfinished move can be completed to a win."""
        place = self.rules.place_of(state)
        return self.rules.is_moving(place) and self.rules.hope(place, room) == SEEN


class Hunt:
    """A best-first search for a win in the rest of a turn, which also keeps quiet first steps.

    A beam drops weak-looking positions, and wins often begin with those. A hunt visits each
    position of the turn once, nearest to a win first, and prunes only positions from which the game
    rules out a win this turn. Its memory may be released; it is rebuilt when the hunt resumes.
    """

    def __init__(self, loops: Loops, root: Ints, work: Work) -> None:
        self.made = 0
        self.is_won = False
        self.is_over = False  # whether no position is left to expand
        self.moves: tuple[int, ...] = ()  # moves to the win, except those the game sees itself
        self._loops, self._root, self._work = loops, root, work
        self._front: Frontier | None = None

    @property
    def room(self) -> int:
        """Return the number of positions allocated."""
        return 0 if self._front is None else len(self._front.come)

    def forget(self) -> None:
        self._front = None

    def go_on(self, most: int, until: int) -> bool:
        """Make positions up to `until`; return True at `most` or at the end, False on a pause."""
        front = self._front or self._again()
        is_done = bool(self._loops.hunt(front, most, until, self._work))
        self.made = int(front.at[frontier.MADE])
        self.is_won = bool(front.at[frontier.END] != frontier.NONE)
        self.is_over = self.is_won or bool(is_done and self.made < most)
        if self.is_won:
            number, last = int(front.at[frontier.END]), int(front.at[frontier.LAST])
            self.moves = (*moves_to(front, number), *(() if last == frontier.NONE else (last,)))
        self._front = frontier.with_room(front, is_beam=False)
        return is_done

    def _again(self) -> Frontier:
        """Rebuild the positions after they were released."""
        front = frontier.frontier_of(len(self._root), FEW)
        self._loops.set_out(front, self._root, self._work)
        while front.at[frontier.MADE] < self.made:
            self._loops.hunt(front, ALL, self.made, self._work)
            front = frontier.with_room(front, is_beam=False)
        return front


def moves_to(front: Frontier, number: int) -> tuple[int, ...]:
    moves = []
    while number:
        moves.append(int(front.move[number]))
        number = int(front.come[number])
    return tuple(moves[::-1])


class TurnSearch:
    """One search with its budget, beams and hunts; positions are arrays."""

    def __init__(self, model: TurnGame, state: Any, rng: Random, budget: Budget) -> None:
        self.budget, self.done = budget, 0
        self.stream, self.root = stream_of(rng), model.rules.place_of(state)
        self.step_of = model.rules.step_of
        self._loops, self._model, self._state = model.loops, model, state
        self._work = frontier.work_of(model.rules)
        # One beam for answers and replies and one for the root, whose turns are read while answers
        # are searched.
        self._beams = [frontier.frontier_of(len(self.root), MANY, WIDTH, TURNS) for _ in range(2)]
        self._hunts: dict[object, Hunt] = {}
        self._lost: set[object] = set()  # positions in which the side to move can win this turn
        self._room = 0  # capacity of all hunts
        self._spare = 0  # positions left before the next check of the budget

    def key(self, place: Ints) -> object:
        return tuple(map(int, place))

    def side(self, place: Ints) -> int:
        """Return 0 or 1, the side to move; OVER at the end."""
        rules = self._model.rules
        return rules.side_of(place) if rules.turn_of(place) else OVER

    def win(self, moves: Sequence[int]) -> tuple[Step, ...]:
        """Return the steps of a win from the root that begins with these moves."""
        return self._model.win_by(self._state, moves)

    def _spend(self, made: int) -> None:
        self.done += made
        self._spare -= made

    def _ask(self) -> None:
        """Check the budget once the granted positions are used up; raise Spent if it is empty."""
        if self._spare == 0:
            self._spare = self.budget.spare(self.done, TOGETHER)
            if self._spare == 0:
                raise Spent

    def hunt(self, place: Ints, most: int) -> Hunt:
        """Return the hunt from this position, continued up to `most` positions in total."""
        key = self.key(place)
        hunt = self._hunts.get(key)
        if hunt is None:
            hunt = self._hunts[key] = Hunt(self._loops, place, self._work)
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
        if hunt.is_over:
            hunt.forget()
        self._tidy(hunt, hunt.room - room)
        return hunt

    def _tidy(self, hunt: Hunt, more: int) -> None:
        """Release the memory of other hunts, except the root's, if the total is too large."""
        self._room += more
        if self._room > KEPT:
            first = self.key(self.root)
            for key, one in self._hunts.items():
                if one is not hunt and key != first:
                    self._room -= one.room
                    one.forget()

    def turns(self, place: Ints, width: int, most: int) -> Iterator[Turn]:
        """Search complete turns with a beam; yield up to `most`, best first, without known losses.

        The search runs before the first turn is yielded. An iterator stays valid until the next
        call for the root, or, away from the root, until any other call away from the root.
        """
        # One extra, because the best turn so far may prove lost while the others are read.
        kept = most + len(self._lost) + 1
        which = int(self.key(place) == self.key(self.root))
        beam = self._beams[which]
        if width > len(beam.more) or kept > len(beam.ended):
            beam = frontier.frontier_of(len(place), MANY, 2 * width, 2 * kept)
        frontier.begin(beam, place, width, kept)
        is_done = False
        while not is_done:
            made = int(beam.at[frontier.MADE])
            is_done = self._loops.look(beam, self.stream, made + self._spare, self._work)
            self._spend(int(beam.at[frontier.MADE]) - made)
            # Stored before the budget check, which may raise: the old beam is too small for `at`.
            self._beams[which] = beam = beam if is_done else frontier.with_room(beam, is_beam=True)
            if not is_done:
                self._ask()
        return islice(self._found(beam), most)

    def _found(self, beam: Frontier) -> Iterator[Turn]:
        """Yield the complete turns of a beam, except those with a known winning answer."""
        for index in range(beam.at[frontier.ENDED]):
            number = int(beam.ended[index])
            place: Ints = zeros(LARGE, len(self.root))
            frontier.fetch(beam, number, place)
            if self.key(place) not in self._lost:
                yield Turn(float(beam.worth[number]), moves_to(beam, number), place)

    def follow(self, place: Ints, moves: tuple[int, ...]) -> float | None:
        """Return the value of the turn with these moves; None if they are illegal or incomplete."""
        self._ask()
        self._spend(1)
        given = zeros(SMALL, len(moves))
        given[:] = moves
        value = float(self._loops.follow(longer(place, len(place)), given, self._work))
        if value >= WIN:
            self._lost.add(self.key(place))
        return None if value == frontier.NO_TURN else value
