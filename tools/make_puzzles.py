"""Make puzzles from new matches of bots: `python -m kumite.tools.make_puzzles kitsu --cpu 180`.

They are added to the shipped ones; each was proved when it was found, with what the bots know of
the game. Here another search, by the rules alone, looks for another answer; what is printed at the
end tells how many it has refuted, and of how many it has come to no end.
"""

from __future__ import annotations

import argparse
from itertools import count, islice
from random import Random
from time import process_time
from typing import TYPE_CHECKING, Any, Final

from kumite.core import bots
from kumite.core.bots.search.endgame import Ending
from kumite.core.bots.search.hunt import Hunt
from kumite.core.bots.search.uct import OVER
from kumite.core.game import CHANCE, Seat, Setup
from kumite.core.games import find
from kumite.core.match import Match
from kumite.tools.missed_wins import Plain
from kumite.tui.puzzles.making import GAMES, MODELS, found_in
from kumite.tui.puzzles.model import FOLDER, FORCE, Puzzle, line_of, read

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kumite.core.game import Game, Step

PLAYERS: Final = ("easy", "easy", "random", "medium")
OF_A_MATCH: Final = 2  # puzzles at most: those of one match look alike
THOUGHT: Final = 60  # simulations of a step of these matches
HEAD: Final = "# Made by tools/make_puzzles.py: goal, difficulty, position and answer\n"


def matches(game_id: str, seed: int) -> Iterator[Match]:
    """Yield matches of low levels without end."""
    game = find(game_id)
    while True:
        rng = Random(f"puzzles {seed}")
        match = Match.begin(Setup.of(game))
        players = [bots.find(rng.choice(PLAYERS)) for _ in range(match.setup.seats)]
        while match.actors:
            assert match.actors[0] != CHANCE
            seat = Seat(int(match.actors[0]))
            where = bots.Position(game, match.state, seat, (), match.legal(seat))
            step = players[seat](where, rng, bots.Budget(THOUGHT)).step
            match = match.play(seat, step)
        yield match
        seed += 1


class PlainEnd:
    """The rest of a match for two as it is: every legal step, in the order of the rules."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game

    def mover(self, state: Any) -> int:
        """Return the seat to act, or OVER."""
        actors = self.game.actors(state)
        return int(actors[0]) if actors else OVER

    def following(self, state: Any) -> list[tuple[Step, Any]]:
        """List all steps and the positions after them."""
        game, seat = self.game, Seat(self.mover(state))
        return [(step, game.apply(state, seat, step)) for step in game.legal(state, seat)]

    def result(self, state: Any) -> float:
        """Return what seat 0 has of the win."""
        outcome = self.game.outcome(state)
        assert outcome is not None
        return 1 / len(outcome.winners) if Seat(0) in outcome.winners else 0.0


class Unsure(Exception):
    """The other search has come to no end."""


def first_steps(one: Puzzle, most: int) -> list[Step]:
    """Return the first steps that do what is to be done, as a search by the rules alone finds.

    Raises:
        Unsure: it would take more than so many positions.
    """
    left = count(most, -1)

    def spend() -> None:
        if next(left) < 0:
            raise Unsure

    state = one.start.state
    if one.goal == FORCE:
        worths = Ending(PlainEnd(one.game), spend).worths(state)
        return [step for step, worth in worths if worth == 1.0]
    model = MODELS[one.game.ID]
    plain = Plain(one.game, model, Random(one.id))
    side, turn, found = model.side(state), model.turn(state), []
    for step in one.start.legal(one.seat):
        after = plain.after(state, step)
        goes_on = model.side(after) == side and model.turn(after) == turn
        hunt = Hunt(plain, after) if goes_on else None
        if hunt is not None and step != one.answer[0]:
            hunt.go_on(most, spend)
        is_won = model.has_won(after, side) or (hunt is not None and bool(hunt.win))
        found += [step] * (is_won or step == one.answer[0])
    return found


def main() -> None:
    """Make puzzles until there are enough, or the time is up."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=sorted(GAMES))
    parser.add_argument("--most", type=int, default=50, help="puzzles in all")
    parser.add_argument("--cpu", type=float, default=180.0, help="seconds of the processor")
    parser.add_argument("--check", type=int, default=20_000, help="positions of the other search")
    parser.add_argument("--seed", type=int, default=1, help="of the first match")
    given = parser.parse_args()
    path = FOLDER / f"{given.game}.txt"
    kept = {one.id: one for one in read(path.read_text("utf-8"))} if path.is_file() else {}
    played = refuted = unsure = 0
    for match in matches(given.game, given.seed):
        if process_time() >= given.cpu or len(kept) >= given.most:
            break
        played += 1
        for one in islice(found_in(match), OF_A_MATCH):
            try:
                found = first_steps(one, given.check)
            except Unsure:
                unsure, found = unsure + 1, [one.answer[0]]
            if found == [one.answer[0]]:
                kept[one.id] = one
            else:
                refuted += 1
                print(f"{' '.join(found)} as well: {line_of(one)}", flush=True)
    order = sorted(kept.values(), key=lambda one: (one.level, one.id))
    path.write_text(HEAD + "".join(f"{line_of(one)}\n" for one in order), encoding="utf-8")
    print(
        f"{played} matches, {len(kept)} puzzles; of the new ones {refuted} refuted,"
        f" {unsure} without an end; {process_time():.0f} s"
    )


if __name__ == "__main__":
    main()
