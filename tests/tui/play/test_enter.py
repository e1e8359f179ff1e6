"""What the line says of Enter is what Enter does, wherever the cursor can be."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from kumite.core.game import CHANCE, Setup
from kumite.core.games import GAMES
from kumite.core.players import named
from kumite.core.table import Play
from kumite.tui.play import table_words
from kumite.tui.play.table_model import Show, TableModel, Tell
from kumite.tui.play.table_words import ALONE, ENTER, hover
from kumite.tui.scenes.lines import plain
from tests.support.random_matches import walk
from tests.tui.play.test_table_model import at, followed

SAMPLED = 10  # positions of a match


def models(game_id: str) -> Iterator[TableModel]:
    """Yield tables of random positions, and each of them with one and two parts chosen."""
    for seats in GAMES[game_id].SEATS[:2]:
        rng = Random(f"{game_id} {seats}")
        line = walk(Setup.of(GAMES[game_id], seats), seats, 120).line()
        some = [one for one in line if one.actors and one.actors[0] != CHANCE]
        for match in rng.sample(some, min(SAMPLED, len(some))):
            model = followed(at(match, *("ann", "ben", "cyd", "dan")[:seats]).uncover()[0])
            for _ in range(3):
                yield model
                choice = model.choice
                assert choice is not None
                parts = [one for one in sorted(choice.targets) if not choice.step_at(one)]
                if not parts:
                    break
                model, _ = model.pick(rng.choice(parts))


def places(model: TableModel) -> set[str]:
    """Return every place of the cursor: all squares, and all that lies beside the board."""
    cells = {cell.name for row in model.scene.board.rows for cell in row if cell.name}
    lying = {chip.name for chip in model.scene.tray}
    return cells | lying | {one.name for one in table_words.chips(model, model.targets)}


@pytest.mark.parametrize("game_id", GAMES)
def test_enter_does_what_the_line_says(game_id: str) -> None:
    """In Kitsu! the line said `nothing to choose here`, and Enter made a step."""
    seen = {"step": 0, "part": 0, "ending": 0, "nothing": 0}
    for model in models(game_id):
        for name in places(model):
            line = hover(model, name)
            kind = enter(model, name, plain(line))
            assert (line[0] in (ENTER, ALONE)) == (kind != "nothing"), (name, line)
            seen[kind] += 1
    assert seen["step"] > 10
    assert seen["nothing"] > 10
    assert (seen["ending"] > 0) == (game_id == "kitsu")


def enter(model: TableModel, name: str, said: str) -> str:
    """Choose what the cursor is on; return what comes of it, which has to have been `said`."""
    seat, choice, makes = model.seat, model.choice, model.makes
    assert seat is not None
    assert choice is not None
    now, effects = model.pick(name)
    if isinstance(effects[0], Tell):  # asks once
        now, effects = now.pick(name)
    made = [one.step for one in effects if isinstance(one, Play)]
    if made and now.typed[1:]:
        assert made == [makes.ending(model.seen.state, seat)]
        assert said.startswith(f"Enter: {model.label(made[0])}, then ")
        return "ending"
    if made:
        assert makes.parts(made[0], choice.legal) == (*choice.chosen, name)
        told = plain(makes.preview(model.seen.state, seat, made[0], model.look))
        assert named(told, model.table.shown_names) in said
        return "step"
    if now.choice != choice:
        assert now.choice is not None
        assert now.choice.chosen == (*choice.chosen, name)
        return "part"
    assert now == model
    assert effects == (Show("hint", name),)
    return "nothing"
