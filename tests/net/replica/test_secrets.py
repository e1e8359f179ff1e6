"""How hidden cards and choices come about without a dealer: a law over all games."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from kumite.core.errors import BadNotation
from kumite.core.game import CHANCE, HOLE, SPECTATOR, Seat, Secrets, Setup, pieces
from kumite.core.games import GAMES
from tests.support.random_matches import setups, walk

if TYPE_CHECKING:
    from kumite.core.match import Match

SETUPS = [
    pytest.param(setup, id=f"{game.ID}-{setup.seats}-{number}")
    for game in GAMES.values()
    for number, setup in enumerate(setups(game))
]


def is_drawn_as(secrets: Secrets, before: Match, after: Match, deck: Counter[str]) -> bool:
    """Check a draw; return whether it is one."""
    state, view = before.state, before.game.view(before.state, SPECTATOR)
    step = after.last.step
    masked = secrets.drawn(view, HOLE)
    assert masked == secrets.drawn(state, HOLE)
    if not masked:
        return False
    new = secrets.deck(view)
    assert new == secrets.deck(state)
    if new:
        deck.clear()
        deck.update(new)
    (card,) = pieces(step, masked)
    assert deck[card] > 0, f"{card} is not in the deck any more"
    left = sum(deck.values())
    assert before.odds()[step] == Fraction(deck[card], left), "each card left is equally likely"
    deck[card] -= 1
    assert step == secrets.drawn(view, card)
    assert before.game.seen(state, CHANCE, step, SPECTATOR) == masked
    return True


@pytest.mark.parametrize("setup", SETUPS)
def test_every_chance_step_is_a_draw_a_showing_or_a_public_coin(setup: Setup) -> None:
    secrets, game = setup.game.SECRETS, setup.game
    deck: Counter[str] = Counter()
    hidden: dict[Seat, tuple[str, ...]] = {}  # by seat, the pieces of its last hidden step
    for before, after in pairwise(walk(setup, 1).line()):
        (actor, step), state = (after.last.actor, after.last.step), before.state
        masked = game.seen(state, actor, step, SPECTATOR)
        if secrets is None:
            assert actor != CHANCE
            assert masked == step
            assert len(before.actors) == 1
            assert game.view(state, SPECTATOR) == state
        elif actor != CHANCE:
            if masked != step:
                hidden[actor] = pieces(step, masked)
            for seat in map(Seat, range(setup.seats)):  # a choice is seen by who made it alone
                expected = step if seat == actor else masked
                assert game.seen(state, actor, step, frozenset({seat})) == expected
        else:
            view = game.view(state, SPECTATOR)
            owed = secrets.owed(view)
            assert owed == secrets.owed(state)
            if owed:
                assert before.legal(CHANCE) == (step,)
                shown = tuple(hidden[seat][index] for seat, index in owed)
                assert secrets.shown(view, shown) == step
                assert not secrets.drawn(view, HOLE)
            elif not is_drawn_as(secrets, before, after, deck):
                assert masked == step
                assert game.odds(view) == before.odds()


def test_a_step_with_other_words_around_its_holes_is_no_such_step() -> None:
    assert pieces("b4+shield", "?+shield") == ("b4",)
    assert pieces("high,approach", "?,?") == ("high", "approach")
    assert pieces("b4", "b4") == ()
    with pytest.raises(BadNotation, match="cannot be seen as"):
        pieces("b4+swap", "?+shield")
