"""Questions about the position by lines: what they say agrees with the scene, in every game."""

from __future__ import annotations

from pathlib import Path

import pytest

from kumite.core.games import GAMES
from kumite.tui.plain import words
from kumite.tui.plain.exploring import NO_SQUARES, QUESTIONS, Explorer
from kumite.tui.play.local_table import LocalTable
from kumite.tui.play.table_model import TableModel
from tests.support.frames import middle_of
from tests.tui.plain.test_plain_table import talk

NAMES = ("ada", "bob", "cyd", "dan", "eve", "fay")
MIDDLES = [
    (game_id, seats, steps)
    for game_id, game in GAMES.items()
    for seats in (min(game.SEATS), max(game.SEATS))
    for steps in (0, 25)
]


def explorer(game_id: str, seats: int, steps: int) -> Explorer:
    match = middle_of(game_id, seats, steps)
    model = TableModel.open(LocalTable(match, NAMES[:seats], None), words.LOOK)
    model, _ = model.uncover() if model.awaited is not None else (model, ())
    return Explorer(model.follow(words.LOOK)[0])


@pytest.mark.parametrize(("game_id", "seats", "steps"), MIDDLES)
def test_every_question_is_answered_in_every_game(game_id: str, seats: int, steps: int) -> None:
    asked = explorer(game_id, seats, steps)
    for word, question in QUESTIONS.items():
        for about in ("e5", "d1", "9", "e", "b1", "charge", "nonsense", ""):
            said = list(question.ask(asked, about))
            assert all(said), (word, about)
            assert said or word in ("score", "reach"), (word, about)


@pytest.mark.parametrize(
    ("game_id", "seats", "steps"),
    [one for one in MIDDLES if one[0] in ("kitsu", "kumo", "kuzushi")],
)
def test_pieces_are_named_with_their_owners_wherever_they_are_asked_for(
    game_id: str, seats: int, steps: int
) -> None:
    asked = explorer(game_id, seats, steps)
    listed = " ".join((*asked.pieces(own=True), *asked.pieces(own=False)))
    for rank, row in zip(asked.board.ranks, asked.board.rows, strict=True):
        (of_row,) = asked.line(rank[0].strip())
        for cell in row:
            if not cell.name:
                continue
            (what,) = asked.what(cell.name)
            assert what.startswith(f"{cell.name}: ")
            if cell.sprite and cell.owner is not None:
                owned = f"{NAMES[cell.owner]}'s "
                assert what.startswith(f"{cell.name}: {owned}")
                assert f"{cell.name} {owned}" in of_row
                assert f" {cell.name}" in listed
            elif not cell.sprite:
                assert what.startswith(f"{cell.name}: empty")
                assert f"{cell.name} " not in of_row


def test_around_a_corner_are_three_squares_and_around_another_square_eight() -> None:
    asked = explorer("kitsu", 2, 0)
    assert list(asked.around("a7")) == ["Around a7: a6 ada's Fox, b6 ada's Fox."]
    assert "no pieces" in next(iter(asked.around("a1")))


@pytest.mark.parametrize(
    ("game_id", "step"), [("kitsu", "c5-b4"), ("kumo", "+e1=run"), ("kuzushi", "d5")]
)
def test_why_says_what_would_be_said_of_the_step_and_makes_none(
    game_id: str, step: str, tmp_path: Path
) -> None:
    said = talk(tmp_path, game_id, f"why {step}\nwhy e9e9\nlog\nquit\n".encode())
    can, cannot = said.split("> why e9e9")
    assert f"It can be made.\n{step}: " in can
    assert "e9e9" in cannot
    assert "No step has been made yet." in cannot


def test_what_has_no_squares_or_cards_says_so_instead_of_nothing() -> None:
    duel = explorer("kiriai", 2, 25)
    for answer in (duel.line("1"), duel.pieces(own=True), duel.what("1"), duel.around("1")):
        assert list(answer) == [NO_SQUARES]
    assert "Enter alone tells the position" in next(iter(explorer("kuzushi", 2, 25).hand()))


def test_what_cannot_be_chosen_now_is_said_to_be_so() -> None:
    (said,) = explorer("kumo", 2, 0).hand()
    assert "cw, turn arena right;" in said
    assert "free, free a prisoner (not now)" in said


def test_why_alone_gives_an_example(tmp_path: Path) -> None:
    assert "For example: why e5-e6." in talk(tmp_path, "kuzushi", b"why\n")
