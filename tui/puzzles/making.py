"""Puzzles found in matches: positions with one best step, and the proof that there is no other.

In Kitsu! and Kumo for two a win in the turn, with one first step from which it can be come to: all
others are hunted through to their ends. In Kuzushi for two, near its end, the one step after which
the win cannot be taken away: all is played out in every way. Nothing here is an estimate.
"""

from __future__ import annotations

from itertools import count
from random import Random
from typing import TYPE_CHECKING, Any, Final

from kumite.core import bots
from kumite.core.bots.kitsu.model import KitsuGame
from kumite.core.bots.kumo.model import KumoGame
from kumite.core.bots.kumo.worth import judge
from kumite.core.bots.kuzushi.model import game_on, place_of, step_of
from kumite.core.bots.search.endgame import Ending
from kumite.core.bots.search.hunt import Hunt
from kumite.tui.puzzles.model import FORCE, HARDEST, TURN, Puzzle, puzzle

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kumite.core.bots.search.hunt import HuntGame
    from kumite.core.game import Game, Step
    from kumite.core.match import Match

FEWEST, MOST = 2, 8  # steps of a turn that wins
HUNTED: Final = 60_000  # positions among which a win is looked for
PROVED: Final = 200_000  # positions that may be looked at to prove that there is no other
EXACT: Final = 15_000  # positions of an end that is played out
LEVELS: Final = (1, 2, 5, 8)  # that are asked whether they see it
THOUGHT: Final = 3000  # simulations of each
MODELS: Final[dict[str, HuntGame]] = {"kitsu": KitsuGame(), "kumo": KumoGame(judge)}
GAMES: Final = (*MODELS, "kuzushi")


def found_in(match: Match) -> Iterator[Puzzle]:
    """Yield the puzzles of a match, at most one of a turn."""
    game = match.game
    if game.ID not in GAMES or match.setup.seats != 2 or match.by is not None:
        return
    if game.ID == "kuzushi":
        yield from _ends(match)
        return
    last: object = None
    for one in match.line():
        turn = MODELS[game.ID].turn(one.state)
        if turn != last and one.outcome is None:
            last = turn
            if (found := only_win(game, one.state)) is not None:
                yield found


def _ends(match: Match) -> Iterator[Puzzle]:
    """Yield the puzzles of the end of a match of Kuzushi, the one furthest from it first."""
    found = []
    for one in reversed(match.line()):
        try:
            step = None if one.outcome is not None else only_winner(one.state)
        except TooLong:
            break  # what comes before takes longer still
        if step is not None:
            found.append(_puzzle(match.game, one.state, FORCE, (step,)))
    yield from reversed(found)


def only_win(game: Game[Any], state: Any) -> Puzzle | None:
    """Return the puzzle of a position, or of one later in its turn, if there is any."""
    model = MODELS[game.ID]
    hunt = Hunt(model, state)
    hunt.go_on(HUNTED, _nothing)
    way = hunt.win
    while len(way) >= FEWEST:
        if len(way) <= MOST and only_first(model, state) == (way[0],):
            return _puzzle(game, state, TURN, way)
        state, way = model.after(state, way[0]), way[1:]
    return None


def only_first(model: HuntGame, state: Any) -> tuple[Step, ...]:
    """Return the first step of all wins in the turn; () if there are several, or it is not sure."""
    side, turn, left, found = model.side(state), model.turn(state), PROVED, []
    for step in model.legal(state):
        after = model.after(state, step)
        if model.has_won(after, side):
            found.append(step)
        elif model.side(after) == side and model.turn(after) == turn:
            hunt = Hunt(model, after)
            hunt.go_on(left, _nothing)
            left -= hunt.made
            if not hunt.is_over:
                return ()
            found += [step] * bool(hunt.win)
        if len(found) > 1:
            return ()
    return tuple(found)


def only_winner(state: Any) -> Step | None:
    """Return the only step of Kuzushi that wins by force, None if there are several, or none.

    One that ends the match at once is too easy.

    Raises:
        TooLong: the end is too far away to be played out.
    """
    board, place = game_on(state.limit), place_of(state)
    if board.wins(place):
        return None
    made = count(1)

    def spend() -> None:
        if next(made) > EXACT:
            raise TooLong

    worths = Ending(board, spend).worths(place)
    best = [move for move, worth in worths if worth == 1.0]
    return step_of(board, best[0]) if len(best) == 1 and len(worths) > 1 else None


class TooLong(Exception):
    """An end is too far away to be played out."""


def _puzzle(game: Game[Any], state: Any, goal: str, way: Sequence[Step]) -> Puzzle:
    made = puzzle(game, state, goal, way, HARDEST)
    return puzzle(game, state, goal, way, _level(made))


def _level(one: Puzzle) -> int:
    """Return the weakest level that finds the answer, HARDEST if none does."""
    return next((level for level in LEVELS if _finds(level, one)), HARDEST)


def _finds(level: int, one: Puzzle) -> bool:
    """Return whether a level does what is to be done, step after step."""
    match, rng, game = one.start, Random(one.id), one.game
    for _ in one.answer:
        legal = match.legal(one.seat)
        where = bots.Position(game, match.state, one.seat, match.steps(), legal)
        budget = bots.Budget(THOUGHT if level > LEVELS[1] else None)
        match = match.play(one.seat, bots.find(str(level))(where, rng, budget).step)
        if one.is_solved(match):
            return True
        if match.actors != (one.seat,):
            return False
    return False


def _nothing() -> None:
    """Let a hunt go on."""
