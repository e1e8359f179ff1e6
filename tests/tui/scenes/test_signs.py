"""What each sign on a table means is told in its help: all that is seen in whole matches."""

from __future__ import annotations

from itertools import cycle

import pytest

from kumite.core.game import Setup
from kumite.core.games import NAMES as NAMES_OF_GAMES
from kumite.core.games import find
from kumite.tui.look import colors
from kumite.tui.look.glyphs import ASCII, KANJI, LETTERS, Look
from kumite.tui.scenes import maker_of
from tests.support.random_matches import walk
from tests.support.scene_laws import NAMES, sample, sights

TABLES = [(game, seats) for game in NAMES_OF_GAMES for seats in find(game).SEATS]


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_all_that_is_seen_on_a_board_is_told(game: str, seats: int) -> None:
    makes, names = maker_of(game), NAMES[:seats]
    for seen, you in sights(walk(Setup.of(find(game), seats), 1)):
        for match, look in zip(sample(seen, 8), cycle((LETTERS, ASCII, KANJI)), strict=False):
            told = [sign.cell for sign in makes.signs(match.state, names, look)]
            written = "".join(cell.glyph for cell in told) + look.free + " "
            board = makes.scene(match.state, names, look, you).board
            for cell in (cell for row in board.rows for cell in row if cell.ground):
                assert cell.sprite in {one.sprite for one in told} | {""}
                assert cell.owner in {one.owner for one in told} | {None}
                assert kind(cell.mark) in {kind(one.mark) for one in told}
                assert cell.sprite or set(cell.glyph) <= set(written)


def kind(mark: str) -> str:
    """Return a mark; of letters, that it is one: each says who is below a blocker."""
    return "letter" if mark.isalpha() else mark


@pytest.mark.parametrize("look", [LETTERS, ASCII], ids=lambda look: look.name)
@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_signs_can_be_drawn_and_each_says_something_else(game: str, seats: int, look: Look) -> None:
    match, dark = walk(Setup.of(find(game), seats), 1), colors.read("dark")
    makes = maker_of(game)
    signs = list(makes.signs(match.state, NAMES[:seats], look))
    assert len({sign.said for sign in signs}) == len(signs)
    assert bool(signs) == ("signs" in vars(makes))  # a game need not have any
    for cell, said, _ in signs:
        assert dark.pen(cell.role)
        assert said.isascii()
        assert look is LETTERS or (cell.glyph + cell.mark).isascii()
