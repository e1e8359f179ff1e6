"""The bot model of Kuzushi: UCT with playouts (max^n for three to six seats), and exact endings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from typing import TYPE_CHECKING, Final

from kumite.core.bots.base import Budget, Choice, Line, Position, Skill
from kumite.core.bots.chances import fit_of
from kumite.core.bots.fast import SMALL, Ints, zeros
from kumite.core.game import Step
from kumite.core.games.kuzushi.bot import kernel
from kumite.core.games.kuzushi.bot.kernel import MARGIN, SIZE, STRIDE
from kumite.core.games.kuzushi.rules import CARDS, State

if TYPE_CHECKING:
    from random import Random


MIXES: Final = False
FASTER: Final = 10  # approximate speedup when compiled
MISSED: Final = {"flip": 0.9, "far": 0.6}
FAR: Final = 2  # squares from the last card
WON: Final = 1000.0  # more than any lead

# Near the end of a match for two, tree search alternates with an exact search: each stage runs this
# many simulations, then an exact search of EXACT times as many positions.
NEAR_END: Final = 9  # cards, until a hand is empty or the board full
STAGES: Final = (60, 300, 900, 4_000, 20_000)
EXACT: Final = 5  # positions of the exact search that take as long as a simulation
TOGETHER: Final = 50  # simulations (or EXACT positions each) between two checks of the clock
UNBOUNDED: Final = 1 << 62


def kind(position: Position, step: Step) -> str:
    if step.endswith("+"):
        return "flip"
    files, ranks = ord(step[0]), int(step[1:])
    if position.seen:
        last = position.seen[-1].step
        if max(abs(files - ord(last[0])), abs(ranks - int(last[1:].rstrip("+")))) > FAR:
            return "far"
    return ""


def beginner(position: Position, rng: Random) -> Choice:
    """Take the most cards at once, whatever the others can take back."""
    return _most(position, rng, lambda after, seat: _cards(after)[seat])


LEVELS: Final = (
    Skill(overlooks=1, lapses=0.85, beginner=beginner),
    Skill(overlooks=0.65, lapses=0.36, beginner=beginner),
    *(Skill(90, overlooks=0.07), Skill(230, overlooks=0.03)),
    *(Skill(420), Skill(1000), Skill(2200), Skill(6000)),
)


def easy(position: Position, rng: Random) -> Choice:
    """Maximize the lead after the best reply, ties at random."""
    return _most(position, rng, _replied)


def _most(position: Position, rng: Random, worth: Callable[[Ints, int], float]) -> Choice:
    """Choose the legal step whose position is worth most to its seat, ties at random."""
    place = kernel.place_of(position.view)
    values = {
        step: worth(after, place[kernel.TURN])
        for move, after in following(place)
        if (step := step_of(place, move)) in position.legal
    }
    most = max(values.values())
    return Choice(rng.choice([step for step, value in values.items() if value == most]))


def _replied(place: Ints, seat: int) -> float:
    """Return a seat's lead after the best reply of the next seat."""
    if place[kernel.ENDED]:
        return WON if seat in winners(place) else -WON
    return float(min(_lead(after, seat) for _, after in following(place)))


def _lead(place: Ints, seat: int) -> int:
    """Return a seat's lead over its strongest rival, in cards."""
    counts = _cards(place)
    return counts.pop(seat) - max(counts)


def _cards(place: Ints) -> list[int]:
    return list(place[kernel.LAID : kernel.LAID + place[kernel.SEATS]])


def following(place: Ints) -> list[tuple[int, Ints]]:
    """Return the moves with the resulting positions, highest gain first."""
    found: list[tuple[int, Ints]] = []
    moves = zeros(SMALL, SIZE)
    for index in range(kernel.order(place, moves)):
        after = copy(place)
        kernel.lay(after, moves[index] % SIZE)
        found.append((moves[index] % SIZE, after))
    return found


def winners(place: Ints) -> list[int]:
    work = kernel.work_of(place)
    kernel.winners(place, work)
    return [seat for seat in range(place[kernel.SEATS]) if work.wins[seat]]


def wins(place: Ints) -> list[int]:
    """Return the moves that end the match with a win of the mover alone."""
    seat = place[kernel.TURN]
    ends = ((move, after) for move, after in following(place) if after[kernel.ENDED])
    return [move for move, after in ends if winners(after) == [seat]]


def step_of(place: Ints, move: int) -> Step:
    name = f"{chr(ord('a') + move % STRIDE)}{move // STRIDE}"
    return Step(name if place[move] == kernel.FREE else name + "+")


def is_near_end(place: Ints) -> bool:
    """Return whether an exact search is worth trying."""
    full = place[kernel.LIMIT] ** 2 - place[kernel.TABLE]
    left = min(full, CARDS - max(_cards(place)))
    return place[kernel.SEATS] == 2 and not place[kernel.ENDED] and left <= NEAR_END


def exact(state: State, positions: int) -> dict[int, float]:
    """Return the exact value of each move in a match for two; {} if it takes more positions."""
    return kernel.worths(kernel.ending_of(state, positions), positions)


class Thought:
    """A search that alternates tree search with exact searches near the end."""

    def __init__(self, state: State, rng: Random, budget: Budget) -> None:
        self.state, self.rng, self.budget = state, rng, budget
        self.place = kernel.place_of(state)
        self.tree = kernel.search_from(state)
        self.wins = wins(self.place)
        self.done = 0  # simulations, with exact positions converted to them
        self.is_over = False

    def grow(self, simulations: int) -> None:
        until = self.done + simulations

        def is_over(done: int) -> bool:
            self.is_over = self.budget.is_spent(done)
            return self.is_over or done >= until

        self.done = self.tree.simulate(self.rng, is_over, self.done)

    def solved(self, simulations: int) -> dict[int, float]:
        """Return the exact value of each move; {} if that takes too long."""
        begun = self.done
        search = kernel.ending_of(self.state, EXACT * simulations)
        while (left := begun + simulations - self.done) and not self.is_over:
            spare = self.budget.spare(self.done, min(left, TOGETHER))
            self.is_over = not spare
            self.done += spare
            if spare and (worths := kernel.worths(search, EXACT * (self.done - begun))):
                return dict(worths)
        return {}

    def lines(self, exact: Mapping[int, float] | None = None) -> Sequence[Line]:
        """Return the moves, best first: by the tree, or by their exact values."""
        found = self.tree.ranked()
        if not exact:
            return [
                Line(step_of(self.place, move), self.chance(value), share)
                for move, value, share in found
            ]
        looked = {move: share for move, _, share in found}
        most = max(exact.values())
        shares = {move: looked.get(move, 0.0) + 0.01 for move in exact if exact[move] == most}
        whole = sum(shares.values())
        order = sorted(exact, key=lambda move: (exact[move], shares.get(move, 0.0)), reverse=True)
        return [
            Line(
                step := step_of(self.place, move),
                exact[move],
                shares.get(move, 0.0) / whole,
                (step,) if move in self.wins else (),
            )
            for move in order
        ]

    def chance(self, score: float) -> float:
        """Return the win probability of a score, ignoring its part for the lead."""
        seats = self.place[kernel.SEATS]
        even = 1 / seats
        share = (score - MARGIN * even) / (1 - MARGIN)
        return fit_of("kuzushi", seats, self.done).chance(share, even)


def think(position: Position, rng: Random, budget: Budget) -> Sequence[Line]:
    """Search a position; near the end of a match for two, exactly if possible."""
    thought = Thought(position.view, rng, budget)
    if thought.wins and not budget.is_spent(0):
        return thought.lines(dict.fromkeys(thought.wins, 1.0))
    budget.show(thought.lines)
    for simulations in STAGES if is_near_end(thought.place) else ():
        thought.grow(simulations)
        if not thought.is_over and (exact := thought.solved(simulations)):
            return thought.lines(exact)
        if thought.is_over:
            break
    else:
        thought.grow(UNBOUNDED)
    return thought.lines()
