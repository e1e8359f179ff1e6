"""Puzzles found in matches: positions with one best step, and the proof that there is no other.

Each game has its finder. Kitsu! and Kumo: a win in the turn that begins in one way only: all others
are hunted through to their ends; and the only turn after which the other cannot win in the next
(defences.py). Kuzushi: near the end the one step after which the win cannot be
taken away: all is played out in every way. Kitsune: the card that wins or saves the round
(rounds.py). Kiri-ai: the only plan that is safe (duels.py). All for two players, and nothing here
is an estimate.
"""

from __future__ import annotations

from itertools import count, groupby, pairwise
from random import Random
from typing import TYPE_CHECKING, Any, Final

from kumite.core import bots
from kumite.core.bots.kitsu.model import KitsuGame
from kumite.core.bots.kumo.model import KumoGame
from kumite.core.bots.kumo.worth import judge
from kumite.core.bots.kuzushi.game import game_on, place_of, step_of
from kumite.core.bots.search.endgame import Ending
from kumite.core.bots.search.hunt import Hunt
from kumite.core.game import Seat
from kumite.tui.puzzles import duels, rounds
from kumite.tui.puzzles.defences import Defences
from kumite.tui.puzzles.model import DEFEND, FORCE, HARDEST, HOLD, TRICK, TURN, Puzzle, puzzle
from kumite.tui.puzzles.rounds import TooLong

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from kumite.core.bots.search.hunt import HuntGame
    from kumite.core.bots.search.turns import TurnGame
    from kumite.core.game import Game, Step
    from kumite.core.match import Match

FEWEST, MOST = 2, 8  # steps of a turn that wins
HUNTED: Final = 60_000  # positions among which a win is looked for
PROVED: Final = 200_000  # positions that may be looked at to prove that there is no other
EXACT: Final = 25_000  # positions of an end that is played out
LEVELS: Final = range(1, HARDEST)  # that are asked whether they see it
TRIES: Final = 3  # of each; it sees what it finds in most of them
DEFENDED: Final = 4000  # simulations of a step that may be better than the one that was played
MOST_STEPS: Final = 40  # of a turn that defends, which need not be the shortest
THOUGHT: Final = 3000  # simulations of a step, at most
MODELS: Final[dict[str, TurnGame]] = {"kitsu": KitsuGame(), "kumo": KumoGame(judge)}


def found_in(match: Match) -> Iterator[Puzzle]:
    """Yield the puzzles of a match, with the weakest level that sees each."""
    if match.setup.seats == 2 and match.by is None:
        for finder in FINDERS.get(match.game.ID, {}).values():
            for one in finder(match):
                yield measured(one)


def _puzzle(match: Match, goal: str, way: Sequence[Step]) -> Puzzle:
    return puzzle(match.game, match.state, goal, way, HARDEST)


# --- Kitsu! and Kumo Hogosha ------------------------------------------------------------------


def _in_turns(match: Match) -> Iterator[Puzzle]:
    """Yield wins in a turn, at most one of each."""
    game, last = match.game, object()
    for one in match.line():
        turn = MODELS[game.ID].turn(one.state)
        if turn != last and one.outcome is None:
            last = turn
            if (found := only_win(game, one.state)) is not None:
                yield found


def only_win(game: Game[Any], state: Any) -> Puzzle | None:
    """Return the puzzle of a position, or of one later in its turn, if there is any."""
    model = MODELS[game.ID]
    hunt = Hunt(model, state)
    hunt.go_on(HUNTED, nothing)
    way = hunt.win
    while len(way) >= FEWEST:
        if len(way) <= MOST and only_first(model, state) == (way[0],):
            return puzzle(game, state, TURN, way, HARDEST)
        state, way = model.after(state, way[0]), way[1:]
    return None


def only_first(
    model: HuntGame, state: Any, spend: Callable[[], None] = lambda: None
) -> tuple[Step, ...]:
    """Return the first step of all wins in the turn; () if there are several, or it is not sure.

    `spend` is called for every position that is looked at.
    """
    side, turn, left, found = model.side(state), model.turn(state), PROVED, []
    for step in model.legal(state):
        after = model.after(state, step)
        if model.has_won(after, side):
            found.append(step)
        elif model.side(after) == side and model.turn(after) == turn:
            hunt = Hunt(model, after)
            hunt.go_on(left, spend)
            left -= hunt.made
            if not hunt.is_over:
                return ()
            found += [step] * bool(hunt.win)
        if len(found) > 1:
            return ()
    return tuple(found)


def _defences(match: Match) -> Iterator[Puzzle]:
    """Yield positions with one defence, at most one of each turn: as it was played, or better."""
    model = MODELS[match.game.ID]
    known = Defences(match.game, model)
    begun = (one for one in match.line() if one.outcome is None)
    turns = [[*turn] for _, turn in groupby(begun, lambda one: model.turn(one.state))]
    for played, following in pairwise(turns):
        found = _earliest(known, played)
        if found is None and _is_lost(known, following[0]):
            found = _earliest(known, _defended(played[0]))
        if found is not None:
            yield found


def _is_lost(known: Defences, after: Match) -> bool:
    """Return whether a win after a turn is known."""
    try:
        return known.is_lost(after.state)
    except TooLong:
        return False


def _defended(first: Match) -> list[Match]:
    """Return the positions of the turn that a bot would play from here."""
    seat, line, rng = Seat(int(first.actors[0])), [first], Random(first.digest.hex())
    while line[-1].actors == (seat,):
        step = _choose(line[-1], seat, "strong", DEFENDED, rng)
        line.append(line[-1].play(seat, step))
    return line[:-1]


def _earliest(known: Defences, turn: Sequence[Match]) -> Puzzle | None:
    """Return the puzzle of the first position of a turn from which there is one defence."""
    found = None
    for one in reversed(turn):
        try:
            if len(known.safe(one.state)) > 1:
                break  # and so there are several before
            if (end := Defences(known.game, known.model).only(one.state)) is not None:
                found = _puzzle(one, HOLD, known.way_to(one.state, end))
        except TooLong:
            break  # what comes before takes longer still
    return found


# --- Kuzushi ----------------------------------------------------------------------------------


def _ends(match: Match) -> Iterator[Puzzle]:
    """Yield the puzzles of the end of a match of Kuzushi, the one furthest from it first."""
    found = []
    for one in reversed(match.line()):
        try:
            step = None if one.outcome is not None else only_winner(one.state)
        except TooLong:
            break  # what comes before takes longer still
        if step is not None:
            found.append(_puzzle(one, FORCE, (step,)))
    yield from reversed(found)


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

    def look() -> None:
        if next(made) > EXACT:
            raise TooLong

    worths = Ending(board, look).worths(place)
    best = [move for move, worth in worths if worth == 1.0]
    return step_of(board, best[0]) if len(best) == 1 and len(worths) > 1 else None


# --- Kitsune and Kiri-ai ----------------------------------------------------------------------


def _in_rounds(match: Match) -> Iterator[Puzzle]:
    """Yield the decisive cards of a match of Kitsune, of each round the earliest one first."""
    found: list[Puzzle] = []
    is_far = False
    for one in reversed(match.line()):
        if one.outcome is not None or not rounds.is_open(one.state):
            is_far = False  # another deal
            continue
        if is_far:
            continue
        try:
            best = rounds.only_card(one.state)
        except TooLong:
            is_far = True  # what comes before takes longer still
            continue
        if best is not None:
            found.append(_puzzle(one, TRICK if best[1] == rounds.WON else DEFEND, best[:1]))
    yield from reversed(found)


def _in_duels(match: Match) -> Iterator[Puzzle]:
    """Yield the rounds of Kiri-ai in which one plan alone is safe."""
    for one in match.line():
        if one.outcome is None and duels.is_open(one.state):
            step = duels.only_safe(one.state)
            if step is not None:
                yield _puzzle(one, DEFEND, (step,))


FINDERS: Final[Mapping[str, Mapping[str, Callable[[Match], Iterator[Puzzle]]]]] = {
    "kitsu": {TURN: _in_turns, HOLD: _defences},
    "kumo": {TURN: _in_turns, HOLD: _defences},
    "kuzushi": {FORCE: _ends},
    "kitsune": {TRICK: _in_rounds},
    "kiriai": {DEFEND: _in_duels},
}
"""By game, and by what is looked for."""


# --- How hard it is ---------------------------------------------------------------------------


def measured(one: Puzzle) -> Puzzle:
    """Return a puzzle with the weakest level that finds its answer, HARDEST if none does."""
    level = next((level for level in LEVELS if _sees(level, one)), HARDEST)
    return puzzle(one.game, one.start.state, one.goal, one.answer, level)


def _sees(level: int, one: Puzzle) -> bool:
    """Return whether a level finds the answer in most of its tries."""
    found = missed = 0
    while 2 * max(found, missed) < TRIES:
        if _finds(level, one, Random(f"{one.id} {found + missed}")):
            found += 1
        else:
            missed += 1
    return found > missed


def _finds(level: int, one: Puzzle, rng: Random) -> bool:
    """Return whether a level does what is to be done, step after step, as its seat sees it."""
    match, game, name = one.start, one.game, str(level)
    thought = min(THOUGHT, bots.usual(name, game.ID)) or None
    for _ in range(MOST_STEPS) if one.goal == HOLD else one.answer:
        match = match.play(one.seat, _choose(match, one.seat, name, thought, rng))
        if one.is_solved(match):
            return True
        if match.actors != (one.seat,):
            return False
    return False


def _choose(match: Match, seat: Seat, name: str, thought: int | None, rng: Random) -> Step:
    """Return what a bot plays, as its seat sees the match."""
    seen = match.seen_by(frozenset({seat}))
    where = bots.Position(match.game, seen.state, seat, seen.steps(), seen.legal(seat))
    return bots.find(name)(where, rng, bots.Budget(thought)).step


def nothing() -> None:
    """Let a search go on."""
