"""Kuzushi on the table: the growing board, hands and scores, gains in words, the first lesson."""

from __future__ import annotations

import re

import pytest

from kumite.core.game import Seat, Setup, Step
from kumite.core.games.kuzushi import rules as kuzushi
from kumite.core.match import Match
from kumite.tui.drawing import grid
from kumite.tui.drawing.pixels import Brush, cells_of
from kumite.tui.drawing.shelves import seat_lines
from kumite.tui.drawing.squares import Marks, square
from kumite.tui.games.kuzushi.lessons import TASKS
from kumite.tui.games.kuzushi.scene import BAR
from kumite.tui.lessons.judging import Task
from kumite.tui.look.glyphs import ASCII, KANJI, LETTERS, Look
from kumite.tui.look.sprites import Skin
from kumite.tui.scenes import Scene, Trace, maker_of
from kumite.tui.scenes.lines import plain
from kumite.tui.scenes.model import RAISED, TURNED, Fallen, scene_text
from tests.support.goldens import check
from tests.support.random_matches import setups, walk
from tests.support.scene_laws import INNER, LOOKS, NAMES, ROWS, play_by_rule, sample

makes = maker_of("kuzushi")
every_setup = pytest.mark.parametrize(
    "setup",
    list(setups(kuzushi)),
    ids=lambda setup: f"{setup.seats}-{'-'.join(map(str, setup.options.values()))}",
)
every_look = pytest.mark.parametrize("look", LOOKS, ids=lambda look: look.name)
SHOWN = {"start": 0, "early": 7, "middle": 24, "end": 1000}  # steps
FRAMES = [(2, "start", KANJI), (3, "early", ASCII), (6, "middle", LETTERS), (4, "end", LETTERS)]


def after(*steps: str) -> Match:
    match = Match.begin(Setup.of(kuzushi))
    for step in steps:
        match = match.play(match.actors[0], Step(step))
    return match


# --- What is shown -----------------------------------------------------------------------------


def shown(seats: int, name: str, look: Look) -> Scene:
    match = play_by_rule(Match.begin(Setup.of(kuzushi, seats)), SHOWN[name])
    return makes.scene(match.state, NAMES[:seats], look, match.state.turn)


@pytest.mark.golden
@pytest.mark.parametrize(("seats", "name", "look"), FRAMES, ids=str)
def test_scenes_look_as_they_did(seats: int, name: str, look: Look) -> None:
    check(f"kuzushi-{seats}-{name}-{look.name}", scene_text(shown(seats, name, look)))


MEETING = after("f7", "e6", "g6")
FRONTIERS = {("g6", "left"), ("f6", "upper")}


def lined(brush: Brush, size: tuple[int, int], marks: grid.BoardMarks) -> set[tuple[str, str]]:
    """Return the squares with a line at their left or upper side, by the sides."""
    board, found = makes.scene(MEETING.state, NAMES[:2], LETTERS, 0).board, set()
    for y, row in enumerate(board.rows):
        lines = grid.rank_rows(board, y, marks, brush, grid.Geometry(*size, 1))
        top, low = cells_of(lines[0]), cells_of(lines[-1])
        for x, cell in enumerate(row):
            at = grid.RANKS + x * size[0]
            if "frontier" in low[at][1]:
                found.add((cell.name, "left"))
            if "frontier" in top[at + size[0] - 1][1]:
                found.add((cell.name, "upper"))
    return found


def test_a_line_separates_cards_of_two_owners_where_nothing_else_is_marked() -> None:
    brush = Brush(Skin())
    found = lined(brush, (10, 5), grid.BoardMarks())
    assert found == FRONTIERS
    for name in {name for name, _ in FRONTIERS}:
        rest = {(one, side) for one, side in FRONTIERS if one != name}
        assert lined(brush, (10, 5), grid.BoardMarks(cursor=name)) == rest
        assert lined(brush, (10, 5), grid.BoardMarks(trace=Trace(changed={name: RAISED}))) <= rest
    for other in (Brush(Skin(), signs="●■"), Brush(Skin(), has_pictures=False), Brush()):
        assert not lined(other, (10, 5), grid.BoardMarks())


@pytest.mark.parametrize("size", [(8, 4), (7, 3), (5, 2)], ids=str)
def test_the_line_is_seen_in_smaller_squares_too(size: tuple[int, int]) -> None:
    """At 80x24, and on wide boards at 120x36."""
    board = makes.scene(MEETING.state, NAMES[:2], LETTERS, 0).board
    rows = grid.board_rows(board, grid.BoardMarks(), Brush(Skin()), grid.Geometry(*size, 1))
    marked = [text for row in rows for text, ink in row if "frontier" in ink]
    assert marked
    assert size == (8, 4) or {*"".join(marked)} == {"▏", "▔"}


@every_setup
def test_only_the_squares_near_the_cards_are_shown_and_all_that_can_be_chosen(setup: Setup) -> None:
    limit = setup.seats + (4 if setup.options["board"] == "normal" else 3)
    shapes: list[tuple[int, int]] = []
    for match in walk(setup, 4).line():
        board = makes.scene(match.state, NAMES[: setup.seats], LETTERS, None).board
        names = {cell.name for row in board.rows for cell in row}
        left, right, low, high = match.state.grid.box(match.state.cards)
        cards = {f"{chr(97 + f)}{r + 1}" for f in (left, right) for r in (low, high)}
        assert names >= cards | {
            step.removesuffix("+") for a in match.actors for step in match.legal(a)
        }
        assert board.home in names
        assert len(board.rows) <= limit + 1
        assert len(board.columns) <= limit + 1
        labels = [(file, rank) for rank, _ in board.ranks for file, _ in board.columns]
        cells = [cell for row in board.rows for cell in row]
        pairs = zip(cells, labels, strict=True)
        assert all(cell.name in ("", f"{file}{rank}") for cell, (file, rank) in pairs)
        if not shapes or shapes[-1] != (len(board.columns), len(board.rows)):
            shapes.append((len(board.columns), len(board.rows)))
    assert len(shapes) <= 7, "squares change their size too often"


@pytest.mark.parametrize(("seats", "size"), [(2, (8, 4)), (4, (7, 3)), (6, (5, 2))])
def test_on_a_small_screen_a_match_begins_with_large_squares(
    seats: int, size: tuple[int, int]
) -> None:
    state = kuzushi.start(seats, {"board": "normal"})
    board = makes.scene(state, NAMES[:seats], LETTERS, None).board
    assert grid.fitting(board, INNER, ROWS)[:2] == size


@every_look
def test_every_card_of_every_seat_has_a_glyph_of_its_own(look: Look) -> None:
    rest = look.single, look.free, look.target, look.contested
    assert len({*look.solid, *look.hollow, *rest}) == 16


@every_setup
def test_what_can_be_chosen_is_what_is_free_and_ones_own_flags(setup: Setup) -> None:
    for match in sample(walk(setup, 3)):
        for seat in match.actors:
            scene = makes.scene(match.state, NAMES[: setup.seats], LETTERS, Seat(int(seat)))
            cells = {cell.name: cell for row in scene.board.rows for cell in row if cell.name}
            for step in match.legal(seat):
                (part,) = makes.parts(step)
                free = (LETTERS.free, LETTERS.contested)
                wanted = (LETTERS.hollow[int(seat)],) if step.endswith("+") else free
                assert cells[part].glyph in wanted


def test_a_step_marks_the_base_and_every_square_whose_flag_it_changes() -> None:
    match = after("f7", "e6")
    marked = makes.marks(match.before.state, Step("e6"), match.state)
    raised, fallen = dict.fromkeys(("e5", "d6"), RAISED), {"e7": Fallen("flag", 1)}
    assert marked == Trace(reached=frozenset({"e6"}), changed=raised, taken=fallen)
    turned = match.play(Seat(1), Step("g7+"))
    marked = makes.marks(match.state, Step("g7+"), turned.state)
    assert (marked.reached, marked.changed["g7"]) == ({"g7"}, TURNED)


# --- Words -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("steps", "step", "said"),
    [
        ([], "f7", "lay a base on f7  score 0 → 4  +3 flags"),
        (["f7"], "e6", "lay a base on e6  score 1 → 4  +2 flags  seat 1 loses 1"),
        (["f7", "e6"], "g7+", "turn the g7 flag  score 3 → 6  +3 flags"),
    ],
)
def test_a_preview_says_what_is_gained_and_lost(steps: list[str], step: str, said: str) -> None:
    match = after(*steps)
    seat = match.state.turn
    assert plain(makes.preview(match.state, seat, Step(step), LETTERS)) == said


def test_a_step_is_told_with_names() -> None:
    match = after("f7", "e6")
    said = makes.narrate(match.before.state, Seat(0), Step("e6"), match.state, ("ada", "bob"))
    assert said == "ada lays e6, new flags e5 d6, bob loses e7"


# --- The lesson --------------------------------------------------------------------------------

SOLVING = (
    ("Lay a base", "d7 f5 f9 h7"),
    ("Send flags back", "e8 g8"),
    ("Take a contested square", "d7 e8"),
    ("Turn a flag over", "e5+ f4+ g5+"),
    ("Build in pairs", "e4 g4"),
    ("Mind the limit", "e4 f3 f4+ g4"),
    ("The last card", "i6 k9"),
    ("Fill the board and win", "c2"),
)


@pytest.mark.parametrize(
    ("task", "solving"), [(task, said) for task, (_, said) in zip(TASKS, SOLVING, strict=True)]
)
def test_the_tasks_of_the_lesson_are_done_by_these_steps(task: Task, solving: str) -> None:
    assert dict(SOLVING)[task.title] == solving
    state = kuzushi.parse(task.position)
    first = Match.begin(Setup.of(kuzushi, *kuzushi.setup_of(state)), None, state)
    done = []
    for step in first.legal(task.seat):
        now = first.play(task.seat, step)
        if task.is_done(now):
            done.append(step)
    assert " ".join(done) == solving


def test_the_numbers_that_the_lesson_tells_are_right() -> None:
    behind, ahead = (kuzushi.parse(task.position) for task in (TASKS[-1], TASKS[-2]))
    assert [behind.score(seat) for seat in (0, 1)] == [10, 12]
    won = kuzushi.apply(behind, Seat(0), Step("c2"))
    assert [won.score(seat) for seat in (0, 1)] == [13, 12]
    assert [ahead.score(seat) for seat in (0, 1)] == [19, 15]
    assert ahead.hand(0) == 1


@pytest.mark.parametrize("seats", [2, 3])
def test_flags_have_hollow_signs_where_signs_tell_whose_they_are(seats: int) -> None:
    brush = Brush(Skin(), has_pictures=False, signs=LETTERS.solid)
    board = shown(seats, "early" if seats == 3 else "start", LETTERS).board
    pieces = [cell for row in board.rows for cell in row if cell.owner is not None]
    for cell in pieces:
        rows = square(cell, Marks(), brush, 7, 3) or ()
        told = "".join(map(plain, rows))
        solid, hollow = (signs[cell.owner or 0] for signs in (LETTERS.solid, LETTERS.hollow))
        assert (hollow in told, solid in told) == (cell.sprite == "flag", cell.sprite != "flag")
    notes = {cell.notes for row in board.rows for cell in row if cell.role == "contested"}
    assert notes <= {(LETTERS.contested,)}


@pytest.mark.parametrize(
    ("seats", "columns", "rows", "high"), [(4, 33, 21, 5), (2, 18, 17, 5), (4, 21, 17, 0)]
)
def test_score_and_cards_left_are_one_bar_where_there_is_room(
    seats: int, columns: int, rows: int, high: int
) -> None:
    match = walk(Setup.of(kuzushi, seats), 2, 10)
    names = ("ada", "bot medium 1", "bot medium 2", "bot easy")[:seats]
    shown = makes.scene(match.state, names, LETTERS, Seat(0))
    lines = seat_lines(shown, Brush(Skin()), columns, rows)
    bars = [line for line in lines if "█" in plain(line)]
    assert len(lines) == (high or seats + 1)
    assert len(bars) == seats * bool(high)
    for seat, line in enumerate(bars):
        score, left = match.state.score(seat), match.state.hand(seat)
        done, rest = ((text, ink) for text, ink in line if set(text) <= set("█▌") and text)
        assert (done[1], rest[1]) == (f"kuzushi.bar-{seat}", "quiet")
        assert len(done[0] + rest[0]) == BAR
        assert abs(len(rest[0]) / BAR - left / (score + left)) < 1 / BAR
        assert re.findall(r"\d+", plain(line))[-2:] == [str(score), str(left)]
    assert seat_lines(shown, Brush(), columns, rows) == shown.seats


@pytest.mark.parametrize("seats", kuzushi.SEATS)
def test_where_no_bar_has_room_one_is_behind_the_numbers(seats: int) -> None:
    state = walk(Setup.of(kuzushi, seats), 2, 8 * seats).state
    lines = makes.scene(state, [f"bot {seat}" for seat in range(seats)], LETTERS, Seat(0)).seats
    for seat, (*_, done, rest) in enumerate(lines[1:]):
        score, left = state.score(seat), state.hand(seat)
        assert (done[1], rest[1]) == (f"base-{seat}", "")
        assert [*map(int, f"{done[0]}{rest[0]}".split())] == [score, left]
        assert abs(len(done[0]) / len(done[0] + rest[0]) - score / (score + left)) < 1 / 8
