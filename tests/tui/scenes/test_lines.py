"""Lines of a scene: columns, marked-down text, signs, traces."""

from __future__ import annotations

from itertools import cycle
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kumite.core.game import Seat, Setup, Step
from kumite.core.games import GAMES, find
from kumite.core.games import NAMES as NAMES_OF_GAMES
from kumite.core.match import Match
from kumite.tui.export.rules_page import rules_text
from kumite.tui.look import colors
from kumite.tui.look.glyphs import ASCII, KANJI, LETTERS, Look
from kumite.tui.scenes import NO_TRACE, Trace, last_trace, maker, maker_of
from kumite.tui.scenes.lines import (
    Elastic,
    called,
    fit,
    fold,
    marked_down,
    plain,
    shortened,
    squeezed,
    width,
    wrap,
)
from tests.support.random_matches import short_setup, walk
from tests.support.scene_laws import NAMES, sample, sights

TEXTS = st.text(st.sampled_from("ab 侍é\u0301 "), max_size=40)


@given(TEXTS, st.integers(-5, 12))
def test_a_text_is_wrapped_to_any_width_without_losing_a_sign(text: str, columns: int) -> None:
    lines = wrap(text, columns)
    assert lines
    assert "".join("".join(lines).split()) == "".join(text.split())


@given(TEXTS, st.integers(-5, 12))
def test_a_text_fits_into_any_width(text: str, columns: int) -> None:
    assert len(fit(text, columns)) <= len(text) + max(0, columns)


@pytest.mark.parametrize("sign", ["a", "é", "侍"])
def test_a_pasted_text_is_broken_at_once(sign: str) -> None:
    """What is done to each line may not look at all that comes after it again and again."""
    begun = process_time()
    for break_ in (fit, wrap):
        break_(sign * 10_000, 40)
    fold(((sign * 10_000, ""),), 40)
    assert process_time() - begun < 1


@pytest.mark.parametrize(
    ("columns", "shown"),
    [
        (26, "Benjamin Bartholomew (you)"),
        (18, "Benjamin Ba… (you)"),
        (16, "Benjamin… (you) "),
        (15, "Benjamin Barth…"),
    ],
)
def test_a_long_name_gives_way_to_the_word_that_it_is_ones_own(columns: int, shown: str) -> None:
    assert called("Benjamin Bartholomew", columns, LETTERS, is_you=True) == shown


def test_numbers_stay_beside_a_name_that_need_not_say_that_it_is_yours() -> None:
    """At 60 columns Kuzushi's score and cards stood in a row of their own, below the name."""
    line = ((" ● ", "base-0"), (Elastic("ada (you)"), "title"), ("     1", ""), ("    19", ""))
    assert plain(squeezed(line, 16)) == " ● ada 1 19"
    assert plain(squeezed(line, 17)) == " ● ada (you) 1 19"
    assert plain(squeezed(line, 8)) == " ● ada (you) 1 19"
    bot = ((" ● ", "base-0"), (Elastic("bot easy"), "title"), ("     1", ""), ("    19", ""))
    assert plain(squeezed(bot, 15)) == " ● easy 1 19"
    padded = (bot[0], (Elastic("bot easy  "), "title"), (" ", ""), ("Samurai", ""), (" Foxes", ""))
    assert plain(squeezed(padded, 21)) == " ● easy Samurai Foxes"


def test_a_line_does_not_end_with_a_key_whose_words_stand_in_the_next() -> None:
    line = (("u: take back", "key"), ("   b: go on", "quiet"))
    assert [plain(part).strip() for part in fold(line, 17)] == ["u: take back", "b: go on"]
    assert [plain(part) for part in fold((("abcde: f", ""),), 7)] == ["abcde:", "f"]


# --- Markdown as lines ------------------------------------------------------------------------


@pytest.mark.parametrize("columns", [9, 24, 58, 78])
@pytest.mark.parametrize("game_id", GAMES)
def test_every_word_of_the_rules_is_shown_at_any_width(game_id: str, columns: int) -> None:
    for line in marked_down(rules_text(game_id)):
        rows = fold(line, columns)
        assert all(width(plain(row)) <= columns for row in rows)
        assert "".join(map(plain, rows)).replace(" ", "") == plain(line).replace(" ", "")


@pytest.mark.parametrize("game_id", GAMES)
def test_no_markdown_is_left_in_the_rules(game_id: str) -> None:
    text = "\n".join(map(plain, marked_down(rules_text(game_id))))
    assert not {"`", "**", "```"} & set(text)
    assert "\n\n\n" not in text


def test_lines_break_between_words_and_keep_their_roles() -> None:
    line = (("ab cd ", "key"), ("ef", ""), ("ghij", "title"))
    assert fold(line, 5) == [(("ab cd", "key"),), (("ef", ""), ("ghi", "title")), (("j", "title"),)]
    assert list(map(plain, fold(line, 6, 2))) == ["ab cd", "  efgh", "  ij"]
    assert fold((), 5) == [()]
    assert fold((("日本語", ""),), 4) == [(("日本", ""),), (("語", ""),)]


def test_a_paragraph_is_one_line_and_a_point_of_a_list_another() -> None:
    page = "# Aim\n\nOne\ntwo.\n- three\n  four\n- five\n\n```\n a  b\n c\n```\n\nsix"
    assert [plain(line) for line in marked_down(page)] == [
        "Aim", "", "One two.", "- three four", "- five", "", "     a  b", "     c", "", "six",
    ]  # fmt: skip


# --- Signs in the help ------------------------------------------------------------------------


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


# --- What stays marked of the last steps ------------------------------------------------------


def played(game: str, seats: int, *steps: str) -> Match:
    match = Match.begin(Setup.of(find(game), seats))
    for step in steps:
        match = match.play(match.actors[0], Step(step))
    return match


def some(*names: str) -> frozenset[str]:
    return frozenset(names)


ROUND = ("h9", "h7", "g8", "i8")  # all seats about the city on h8; seat 1 begins


def test_the_steps_of_all_others_since_ones_own_are_marked_and_the_last_one_in_full() -> None:
    match = played("kuzushi", 4, *ROUND)
    makes = maker(match)
    trace = last_trace(makes, match, Seat(1))
    assert (trace.earlier, trace.reached) == (some("h7", "g8"), some("i8"))
    assert trace.changed == last_trace(makes, match).changed
    assert last_trace(makes, match, Seat(3)).reached == some("i8")
    assert last_trace(makes, match, Seat(0)).reached == some("i8")  # it was their own
    assert last_trace(makes, match).reached == some("i8")  # to a spectator, the last turn
    early = played("kuzushi", 4, *ROUND[:2])
    trace = last_trace(makes, early, Seat(0))  # who has not acted yet
    assert (trace.earlier, trace.reached) == (some("h9"), some("h7"))
    assert last_trace(makes, played("kuzushi", 4), Seat(0)) == NO_TRACE


def test_a_turn_of_several_steps_is_marked_as_a_whole_where_things_are_now() -> None:
    steps = ("+e1=run", "+d1=kumo", "e1-e2", "cw")
    match = played("kumo", 2, *steps)
    makes = maker(match)
    trace = last_trace(makes, match, Seat(1))
    assert (trace.paths, trace.earlier, trace.squares) == ((("a5", "b5"),), some("a6"), some())
    assert trace.signs["a1"] == "↻"
    assert last_trace(makes, match, Seat(0)) == trace
    turned = match.play(Seat(0), Step("ccw"))
    trace = last_trace(makes, turned)
    assert (trace.paths, trace.earlier) == ((("e1", "e2"),), some("d1"))
    assert trace.signs["a1"] == "↺"


def test_paths_are_those_of_the_last_turn_alone() -> None:
    """With four, one saw the numbers of three turns, and could not tell whose they were."""
    match = played("kumo", 4, "+e1=run", "e1-e2", "cw", "cw", "cw")
    makes = maker(match)
    own = last_trace(makes, match, Seat(2))
    match = match.play(match.actors[0], Step("+a5=run")).play(match.actors[0], Step("a5-b5"))
    trace = last_trace(makes, match, Seat(2))
    assert len(own.paths) == len(trace.paths) == 1
    assert trace.paths == (("a5", "b5"),)
    assert {end for _, end in own.paths} <= trace.earlier


def test_at_the_end_only_the_step_that_decided_is_marked() -> None:
    match = walk(short_setup("kitsu", 2), 8)
    assert not match.actors
    assert match.last is not None
    assert match.before is not None
    before = match.before
    assert before.last.actor == match.last.actor
    makes = maker(match)
    last = makes.marks(before.state, match.last.step, match.state)
    assert last_trace(makes, match) == NO_TRACE.followed_by(last)


def test_of_a_square_the_last_thing_is_marked() -> None:
    there = Trace(left=some("a"), reached=some("b"), changed=some("c", "d"))
    back = Trace(left=some("b"), reached=some("a"), changed=some("e"))
    assert there.followed_by(back) == Trace(some("b"), some("a"), some("e"), paths=(("b", "a"),))
    assert there.followed_by(NO_TRACE) == there
    turned = there.followed_by(Trace(moves={"b": "f"}, signs={"a": "↻"}))
    assert (turned.earlier, turned.squares, turned.signs) == (some("f"), some(), {"a": "↻"})


def test_of_earlier_movements_the_paths_stay_and_only_the_last_one_lights_its_squares() -> None:
    trace = NO_TRACE
    for start, end in (("a1", "b2"), ("b2", "b5"), ("h1", "g3")):
        trace = trace.followed_by(Trace(some(start), some(end)))
    assert trace.squares == some("h1", "g3")
    assert trace.paths == (("a1", "b2"), ("b2", "b5"), ("h1", "g3"))


def test_two_bots_are_told_apart_where_their_names_do_not_fit() -> None:
    said = {shortened(f"bot strong {one}", 10, LETTERS) for one in (1, 2)}
    assert said == {"strong 1  ", "strong 2  "}, "not `bot stron…` twice"
    assert shortened("bot easy", 10, LETTERS) == "bot easy  "
