"""Make puzzles from new matches of bots: `python -m kumite.tools.make_puzzles kitsu --cpu 180`.

They are added to the shipped ones; each was proved when it was found. What is printed at the end
tells how many other searches, by the rules alone, have not found another answer to (Kitsu!, Kumo),
or have found the same (Kuzushi).
"""

from __future__ import annotations

import argparse
from random import Random
from time import process_time
from typing import TYPE_CHECKING, Final

from kumite.core import bots
from kumite.core.bots.search.hunt import Hunt
from kumite.core.game import CHANCE, Seat, Setup
from kumite.core.games import find
from kumite.core.match import Match
from kumite.tools.missed_wins import Plain
from kumite.tui.puzzles.making import GAMES, MODELS, found_in
from kumite.tui.puzzles.model import FOLDER, Puzzle, line_of, read

if TYPE_CHECKING:
    from collections.abc import Iterator

PLAYERS: Final = ("easy", "easy", "random", "medium")
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


def has_other(one: Puzzle, most: int) -> bool:
    """Return whether a search by the rules alone finds a win that begins in another way."""
    model = MODELS[one.game.ID]
    plain = Plain(one.game, model, Random(one.id))
    state = one.start.state
    side, turn = model.side(state), model.turn(state)
    others = [step for step in one.start.legal(one.seat) if step != one.answer[0]]
    for step in others:
        after = plain.after(state, step)
        if model.has_won(after, side):
            return True
        goes_on = model.side(after) == side and model.turn(after) == turn
        if goes_on and Hunt(plain, after).go_on(most // len(others), lambda: None):
            return True
    return False


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
    played = refuted = 0
    for match in matches(given.game, given.seed):
        if process_time() >= given.cpu or len(kept) >= given.most:
            break
        played += 1
        for one in found_in(match):
            if given.game in MODELS and has_other(one, given.check):
                refuted += 1
                print(f"another answer: {line_of(one)}", flush=True)
            elif len(kept) < given.most:
                kept[one.id] = one
    order = sorted(kept.values(), key=lambda one: (one.level, one.id))
    path.write_text(HEAD + "".join(f"{line_of(one)}\n" for one in order), encoding="utf-8")
    print(f"{played} matches, {len(kept)} puzzles, {refuted} refuted; {process_time():.0f} s")


if __name__ == "__main__":
    main()
