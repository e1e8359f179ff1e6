"""Questions about the position by lines: what they say agrees with the scene, in every game."""

from __future__ import annotations

import re

import pytest

from kumite.core.game import Setup
from kumite.core.games import GAMES, find
from kumite.core.match import Match
from kumite.core.players import named
from kumite.tui.games.kitsune.picture import TOKEN_USES
from kumite.tui.plain import words
from kumite.tui.plain.exploring import NO_SQUARES, QUESTIONS, SHORT_WHY, Explorer
from kumite.tui.play.local_table import LocalTable
from kumite.tui.play.table_model import TableModel
from tests.support.frames import middle_of
from tests.tui.plain.test_plain_table import talk

NAMES = ("ada", "bob", "cyd", "dan", "eve", "fay")
MIDDLES = [
    (game_id, seats, steps)
    for game_id, game in GAMES.items()
    for seats in sorted({min(game.SEATS), max(game.SEATS)})
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
def test_why_says_what_would_be_said_of_the_step_and_makes_none(game_id: str, step: str) -> None:
    said = talk(game_id, f"why {step}\nwhy e9e9\nlog\nquit\n".encode())
    can, cannot = said.split("> why e9e9")
    assert f"It can be made.\n{step}: " in can
    assert "e9e9" in cannot
    assert "No step has been made yet." in cannot


def test_what_has_no_squares_says_so_instead_of_nothing() -> None:
    duel = explorer("kiriai", 2, 25)
    for answer in (duel.line("1"), duel.around("1")):
        assert list(answer) == [NO_SQUARES]


@pytest.mark.parametrize(
    ("game_id", "asked", "said"),
    [
        ("kiriai", "counter", "counter, Counterattack: a blow that would hit you"),
        ("kiriai", "Zan", "zantetsu, Zan-Tetsu: strikes at distance 2 or 3"),
        ("kiriai", "balanced strike", "balanced, Balanced Strike: strikes at distance 0"),
        ("kiriai", "1", "There is no '1' here. There are approach, "),
        ("kiriai", "", "There are approach, "),
        ("kitsune", "katana", "katana, the Katana: destroys an open number"),
        ("kitsune", "white kitsune", "white, the White Kitsune: blue and orange change"),
        ("kitsune", "recall", "recall, the recall token: fetch a card"),
    ],
)
def test_a_card_or_token_is_explained_by_its_name_or_a_beginning_of_it(
    game_id: str, asked: str, said: str
) -> None:
    """Also one that the others hold, or that nobody holds now."""
    (told,) = explorer(game_id, 2, 0).what(asked)
    assert told.startswith(said)


def test_a_goal_is_told_with_the_score_however_large_the_numbers_beside_it_are() -> None:
    zenko, _ = explorer("kitsune", 2, 25).score()
    assert re.fullmatch(r"Zenko: \d of 2 rounds, \d+ of 12 spaces\.", zenko)


SPOKEN = [
    ("kitsu", "c5 b4", "c5-b4"),
    ("kitsu", "d6 e4", "d6xe4"),
    ("kumo", "e1 run", "+e1=run"),
    ("kuzushi", "lay a base on f5", "f5"),
    ("kiriai", "Approach then High Strike", "approach,high"),
    ("kiriai", "high stance", "high,stance"),
]


@pytest.mark.parametrize(("game_id", "said", "step"), SPOKEN)
def test_a_step_is_understood_as_it_is_spoken(game_id: str, said: str, step: str) -> None:
    model = explorer(game_id, 2, 0).model
    assert model.seat is not None
    assert words.meant(model.seen, model.seat, said, NAMES[:2]) == step


@pytest.mark.parametrize("game_id", GAMES)
def test_every_step_may_be_typed_as_it_is_named_and_no_beginning_with_two_ends(
    game_id: str,
) -> None:
    asked = explorer(game_id, 2, 0)
    seen, seat = asked.model.seen, asked.model.seat
    assert seat is not None
    for step in seen.legal(seat):
        order = asked.model.makes.order(seen.state, seat, step)
        assert words.meant(seen, seat, named(order, NAMES), NAMES[:2]) in (step, None)
        assert words.meant(seen, seat, step[:1], NAMES[:2]) in (step, None)
    assert words.meant(seen, seat, "nonsense", NAMES[:2]) is None


@pytest.mark.parametrize("game_id", ["kitsune", "kiriai"])
def test_who_wants_to_hear_little_hears_what_a_choice_depends_on(game_id: str) -> None:
    gist = words.gist(explorer(game_id, 2, 25).model)
    assert gist
    assert set(gist) <= set(explorer(game_id, 2, 25)._position())
    said = talk(game_id, b"brief\nturn\nquit\n", "ada,bot:1")
    assert re.search(r"> turn\nYour turn: .*\n(Trick|Round) 1 of ", said)


@pytest.mark.parametrize("game_id", ["kitsune", "kiriai"])
def test_without_squares_the_lines_of_the_position_are_mine_or_theirs(game_id: str) -> None:
    asked = explorer(game_id, 2, 0)
    mine, theirs = (" ".join(asked.pieces(own=own)) for own in (True, False))
    assert "ada" in mine
    assert "Your hand: " in mine
    assert "Your hand" not in theirs
    assert "bob" in theirs


@pytest.mark.parametrize(
    ("game_id", "beside"),
    [
        ("kitsu", "in hand 0 Samurai and 1 Fox"),
        ("kitsune", "Free tokens: +3"),
        ("kumo", "1 Kumotori waiting"),
        ("kuzushi", "1 card left"),
        ("kiriai", "High Strike set aside"),
    ],
)
def test_tokens_are_what_lies_beside_the_board(game_id: str, beside: str) -> None:
    said = " ".join(explorer(game_id, 2, 25).tokens())
    assert beside in said
    for of_the_board in ("Samurai on", "bases on", "runner on", "marker on", "on space"):
        assert of_the_board not in said


THREATS = {
    "kitsu": "ada has b6 capturing d5 or c1 capturing e3 or c5 capturing e3: it captures bob's Fox",
    "kitsune": "Zenko need 8 spaces more to win the round",
    "kumo": "Nothing that the others could do within two steps costs you anything.",
}


@pytest.mark.parametrize("game_id", THREATS)
def test_threats_are_what_the_others_could_do_once_the_turn_is_over(game_id: str) -> None:
    said = " ".join(explorer(game_id, 2, 25).threats())
    assert THREATS[game_id] in said
    assert "threatens" not in said, "which costs nothing yet"
    assert said.startswith("Suppose you end your turn with ") is (game_id != "kitsune")


def test_what_every_step_brings_threatens_nobody() -> None:
    """Each base in Kuzushi scores; what takes most is told."""
    _, *said = explorer("kuzushi", 2, 0).threats()
    assert said == [
        "ada has c6: it brings 3 flags, removes bob's flag on d6, and takes the lead.",
        "ada has d5: it brings 2 flags, removes bob's flags on e5 and d6, and takes the lead.",
        "ada has d7: it brings 2 flags, removes bob's flags on d6 and e7, and takes the lead.",
        "ada has e4: it brings 3 flags, removes bob's flag on e5, and takes the lead.",
        "ada has e8: it brings 3 flags, removes bob's flag on e7, and takes the lead.",
    ]


def test_a_duel_threatens_the_blows_that_the_other_may_hold() -> None:
    """ada holds Counterattack, so bob has one of the two other special cards."""
    said = list(explorer("kiriai", 2, 0).threats())
    assert said == [
        "bob could strike after Approach, at distance 3: Zan-Tetsu in Earth.",
        "bob could strike after Charge, at distance 2: High Strike in Heaven, Zan-Tetsu in Earth.",
    ]


def test_short_forms_ask_the_same_questions_and_stand_in_the_help() -> None:
    shorts = [one.short for one in QUESTIONS.values()]
    assert len({*shorts, SHORT_WHY}) == len(shorts) + 1
    said = talk("kitsu", b"help\nwhat e4\nw e4\nw echo 4\nr 3\ny e9e9\nquit\n")
    assert said.count("\ne4: bob's Samurai; a Samurai slides along a diagonal") == 3
    assert "\nRow 3: e3 bob's Fox" in said
    assert "e9e9" in said.split("> y e9e9")[1]
    for word, one in QUESTIONS.items():
        assert re.search(rf"\n  {word}\b.* {one.short} ", said), word


def test_what_is_no_step_is_explained_if_it_is_a_thing() -> None:
    token = next(iter(TOKEN_USES))
    said = talk("kitsune", f"\n? {token}\nwhat {token}\n? 9zz\nquit\n".encode())
    assert said.count(f"\n{token}, ") == 2
    assert "No step that can be made begins with '9zz'." in said


@pytest.mark.parametrize(
    ("how", "spoken"),
    [
        ("signs", "a5: e4, flips d5 e4 (c5-d4)."),
        ("letters", "a 5: e 4, flips d 5 e 4 (c5-d4)."),
        ("words", "alfa 5: echo 4, flips delta 5 echo 4 (c5-d4)."),
    ],
)
def test_squares_are_spoken_and_steps_stay_as_they_are_typed(how: str, spoken: str) -> None:
    written = "a5: e4, flips d5 e4 (c5-d4)."
    assert words.spoken(written, how) == spoken
    for step in ("+e1=run", "grab:d4:e4-f4", "push:e4+e3", "s@d3", "g7+", "b6xd5", "81e117.kumite"):
        assert words.spoken(step, how) == step
    assert words.heard("what echo 5") == words.heard("what e 5") == "what e5"
    assert words.heard("Charlie 5 delta 4") == "c5 d4"
    assert words.heard("row 3") == "row 3"
    assert words.heard("d4-e6, +s, +f") == "d4-e6 +s +f", "as a hint lists them"


@pytest.mark.parametrize("game", GAMES)
def test_cards_are_not_spoken_as_squares_whatever_was_told_before(game: str) -> None:
    match = Match.begin(Setup.of(find(game), 2))
    has_squares = game != "kitsune"  # there, b3 is a blue 3
    said = words.speaker(match, ("ada", "bob"), "letters")("b3 here")
    assert said == ("b 3 here" if has_squares else "b3 here")


def test_what_cannot_be_chosen_now_is_said_to_be_so() -> None:
    (said,) = explorer("kumo", 2, 0).hand()
    assert "cw, turn arena right;" in said
    assert "free, free a prisoner (not now)" in said


def test_why_alone_gives_an_example() -> None:
    assert "For example: why e5-e6." in talk("kuzushi", b"why\n")


def test_what_tells_what_each_stance_of_kumo_can_do() -> None:
    said = talk("kumo", b"what runner\nquit\n", "ada,bot:1")
    assert "runner, goes two free spaces, also round a corner." in said
