"""Puzzles of games of long turns: the only win in a turn, and the only defence.

Only win: an exhaustive search proves that no other first step wins. Only defence: all ends of the
turn are generated, merging equal positions, and the opponent's win is searched exhaustively for
each. A win against one turn is tried first against the next, because most turns fail to the same
win.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from random import Random
from typing import TYPE_CHECKING, Any, Final

from kumite.core import bots
from kumite.core.bots.search.frontier import OVER
from kumite.core.game import Game, Seat, Step
from kumite.core.match import Match
from kumite.tui.puzzles.making import Puzzles, choose, puzzle_of
from kumite.tui.puzzles.model import HARDEST, HOLD, TURN, Puzzle, TooLong, puzzle

if TYPE_CHECKING:
    from kumite.core.bots.search.loops import TurnGame

FEWEST, MOST = 2, 8  # steps of a winning turn
HUNTED: Final = 60_000  # positions searched for a win
PROVED: Final = 200_000  # positions searched to prove that it is the only one
CHOICES: Final = 8  # possible turns; with fewer it is not a puzzle
ENDS: Final = 3_000  # positions generated for the rest of a turn
FEARED: Final = 60_000  # positions searched for a win against a turn
LATE: Final = 1  # turns with an inconclusive search
KEPT: Final = 16  # wins to try against the next turn
DEFENDED: Final = 4000  # simulations per step of a bot's defence


class Defences:
    """The known wins against the turns of a match; searches may raise TooLong."""

    def __init__(self, game: Game[Any], model: TurnGame) -> None:
        self.game, self.model = game, model
        self.made = 0  # positions of the last hunt
        self._wins: list[tuple[Step, ...]] = []  # of the opponent, the latest first
        self._known: dict[Any, tuple[Step, ...]] = {}

    def only(self, state: Any) -> Any | None:
        """Return the only end of a turn that does not lose.

        None: there is none, or several, it wins, or there are fewer than CHOICES turns.
        """
        safe, side = self.safe(state), self.model.side(state)
        is_puzzle = len(safe) == 1 and not self.model.has_won(safe[0], side)
        return safe[0] if is_puzzle and len(list(self.ends(state))) >= CHOICES else None

    def safe(self, state: Any) -> list[Any]:
        """Return the ends of a turn that do not lose, at most two."""
        found: list[Any] = []
        late: list[Any] = []  # try wins against other turns on these later
        for end in list(self.ends(state)):  # list all first: detecting too many is cheap
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
        """Yield the possible final positions of the turn, without duplicates."""
        yield from (end for end, _ in self._ways(state))

    def way_to(self, state: Any, end: Any) -> tuple[Step, ...]:
        return next(way for other, way in self._ways(state) if other == end)

    def _ways(self, state: Any) -> Iterator[tuple[Any, tuple[Step, ...]]]:
        """Yield the ends of the turn with their steps, the shortest first."""
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
        """Return True if the opponent wins in the next turn; False at the end of a match."""
        return self.model.side(end) != OVER and bool(self.win_after(end))

    def win_after(self, end: Any) -> tuple[Step, ...]:
        """Return a winning turn of the opponent, () if there is none."""
        if end not in self._known:
            self._known[end] = self._tried(end) or self._hunted(end)
        return self._known[end]

    def _tried(self, end: Any) -> tuple[Step, ...]:
        """Return a win against another turn that wins here as well."""
        for number, win in enumerate(self._wins):
            if self._wins_with(win, end):
                self._wins.insert(0, self._wins.pop(number))
                return win
        return ()

    def _wins_with(self, win: tuple[Step, ...], state: Any) -> bool:
        side = self.model.side(state)
        for step in win:
            actors = self.game.actors(state)
            if not actors or self.game.why(state, actors[0], step):
                return False
            state = self.game.apply(state, actors[0], step)
        return self.model.has_won(state, side)

    def _hunted(self, end: Any) -> tuple[Step, ...]:
        hunt = self.model.hunt(end, FEARED)
        self.made = hunt.made
        if not hunt.is_over:
            raise TooLong
        if not hunt.is_won:
            return ()
        win = self.model.win_by(end, hunt.moves)
        self._wins = [win, *self._wins[: KEPT - 1]]
        return win


# --- Finding in matches -----------------------------------------------------------------------


def in_turns(match: Match) -> Iterator[Puzzle]:
    game, last = match.game, object()
    for one in match.line():
        if one.state.turn != last and one.outcome is None:
            last = one.state.turn
            if (found := only_win(game, one.state)) is not None:
                yield found


def only_win(game: Game[Any], state: Any) -> Puzzle | None:
    model = turn_game(game.ID)
    hunt = model.hunt(state, HUNTED)
    way = model.win_by(state, hunt.moves) if hunt.is_won else ()
    while len(way) >= FEWEST:
        if len(way) <= MOST and only_first(model, state)[0] == (way[0],):
            return puzzle(game, state, TURN, way, HARDEST)
        state, way = model.after(state, way[0]), way[1:]
    return None


def only_first(model: TurnGame, state: Any) -> tuple[tuple[Step, ...], int]:
    """Return the only winning first step, if found, and the number of positions searched."""
    found: list[Step] = []
    side, made = model.side(state), 0
    for step in model.legal(state):
        after = model.after(state, step)
        if model.has_won(after, side):
            found.append(step)
        elif model.side(after) == side and after.turn == state.turn:
            hunt = model.hunt(after, PROVED - made)
            made += hunt.made
            if not hunt.is_over:
                return (), made
            found += [step] * hunt.is_won
        if len(found) > 1:
            return (), made
    return tuple(found), made


def turn_game(game_id: str) -> TurnGame:
    model: Any = bots.model_of(game_id)
    game: TurnGame = model.GAME
    return game


def in_defences(match: Match) -> Iterator[Puzzle]:
    """Yield positions with one defence, at most one per turn, as played or as a bot plays."""
    known = Defences(match.game, turn_game(match.game.ID))
    begun = (one for one in match.line() if one.outcome is None)
    turns = [[*turn] for _, turn in groupby(begun, lambda one: one.state.turn)]
    for played, following in pairwise(turns):
        found = _earliest(known, played)
        if found is None and _is_lost(known, following[0]):
            found = _earliest(known, _defended(played[0]))
        if found is not None:
            yield found


def _is_lost(known: Defences, after: Match) -> bool:
    try:
        return known.is_lost(after.state)
    except TooLong:
        return False


def _defended(first: Match) -> list[Match]:
    seat, line, rng = Seat(int(first.actors[0])), [first], Random(first.digest.hex())
    while line[-1].actors == (seat,):
        step = choose(line[-1], seat, "strong", DEFENDED, rng)
        line.append(line[-1].play(seat, step))
    return line[:-1]


def _earliest(known: Defences, turn: Sequence[Match]) -> Puzzle | None:
    found = None
    for one in reversed(turn):
        try:
            if len(known.safe(one.state)) > 1:
                break  # then there are several earlier too
            if (end := Defences(known.game, known.model).only(one.state)) is not None:
                found = puzzle_of(one, HOLD, known.way_to(one.state, end))
        except TooLong:
            break  # earlier positions take even longer
    return found


# --- Refutations -------------------------------------------------------------------------------


def win_after(one: Puzzle, end: object) -> Sequence[Step]:
    """Return the opponent's win after a wrong defence, which the proof has found."""
    known = Defences(one.game, turn_game(one.game.ID))
    try:
        return known.win_after(end)
    except TooLong:
        known.safe(one.start.state)
        return known.win_after(end)


def is_out_of_reach(one: Puzzle, state: object) -> bool:
    """Return True if it is proved that the rest of a turn cannot win."""
    try:
        return not Defences(one.game, turn_game(one.game.ID)).win_after(state)
    except TooLong:
        return False


PUZZLES = Puzzles(
    finders={TURN: in_turns, HOLD: in_defences},
    tasks={
        TURN: "Win in this turn.",
        HOLD: "Find the only defence: {other} wins in the next turn unless this one stops it.",
    },
)
