"""Count errors of weak levels by what they overlooked: `python -m kumite.tools.oversights kitsu`.

Each level plays against `2`, and `strong` judges each of its choices. A choice that costs 10 % or
more is an error. It is counted under the kind of the better step (`kind` of the game's bot model),
or under `other`: the better step was easy to see, but what it was good for was not.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Final

import click

from kumite.core import bots
from kumite.core.game import Seat, Setup, Step
from kumite.core.games import find
from kumite.core.match import Match
from kumite.tools.bot_matches import positions
from kumite.tui.bots import kernels

COSTLY: Final = 0.1
OTHER: Final = "other"
CHOICES: Final = "choices"


def better(where: bots.Position, step: Step, simulations: int) -> Step | None:
    """Return the better step if `step` was an error, else None."""
    lines = bots.find("strong")(where, Random(0), bots.Budget(simulations)).lines
    if not lines or lines[0].step == step:
        return None
    value = next((line.value for line in lines if line.step == step), None)
    if value is None:
        value = _after(where, step, simulations)
    return lines[0].step if lines[0].value - value >= COSTLY else None


def _after(where: bots.Position, step: Step, simulations: int) -> float:
    """Return the win probability of the seat after its step, in a game of two sides."""
    game, seat = where.game, where.seat
    state = game.apply(where.view, seat, step)
    if outcome := game.outcome(state):
        return float(seat in outcome.winners)
    mover = Seat(int(game.actors(state)[0]))
    then = bots.Position(game, state, mover, (), game.legal(state, mover))
    value = bots.find("strong")(then, Random(0), bots.Budget(simulations)).value or 0.0
    return value if mover == seat else 1 - value


def counted(game_id: str, level: str, matches: int, simulations: int) -> Counter[str]:
    model, found = bots.model_of(game_id), Counter[str]()
    assert model is not None
    for number in range(matches):
        rng, seat = Random(f"oversights {number}"), number % 2
        players = [bots.find(level if at == seat else "2") for at in (0, 1)]
        last = None
        for match, where in positions(Match.begin(Setup.of(find(game_id))), players, rng):
            if last is not None and match.last is not None:
                found[CHOICES] += 1
                if step := better(last, match.last.step, simulations):
                    found[model.kind(last, step) or OTHER] += 1
            is_asked = where is not None and where.seat == seat and len(where.legal) > 1
            last = where if is_asked else None
    return found


@click.command(help=__doc__)
@click.argument("games", nargs=-1, required=True)
@click.option("--levels", default="1234")
@click.option("--matches", default=20)
@click.option("--simulations", default=12000)
def main(games: tuple[str, ...], levels: str, matches: int, simulations: int) -> None:
    for game_id in games:
        kernels.load_for(game_id, ["strong"])
        for level in levels:
            found = counted(game_id, level, matches, simulations)
            errors = sum(found.values()) - found[CHOICES]
            kinds = ", ".join(f"{kind} {n}" for kind, n in found.most_common() if kind != CHOICES)
            print(f"{game_id} {level}: {errors} of {found[CHOICES]} choices: {kinds}", flush=True)


if __name__ == "__main__":
    main()
