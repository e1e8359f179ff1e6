"""Kumo Hogosha on the table: what is shown and said, and that all of it fits beside the arena."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from random import Random

import pytest

from kumite.core.game import Seat, Step
from kumite.core.games.kumo import rules as kumo
from kumite.core.players import named
from kumite.tui.drawing.grid import (
    RANKS,
    BoardMarks,
    Geometry,
    above,
    board_rows,
    fitting,
    glyphs,
)
from kumite.tui.drawing.pixels import Brush, cells_of
from kumite.tui.drawing.shelves import seat_lines
from kumite.tui.look.glyphs import LETTERS, LOOKS
from kumite.tui.look.sprites import Skin
from kumite.tui.scenes import NO_TRACE, Choice, Trace, maker_of
from kumite.tui.scenes.lines import plain, width
from kumite.tui.scenes.model import (
    TURNED,
    Fallen,
    Happening,
    Outside,
    Portrait,
    Scene,
    Shelf,
    scene_text,
)
from tests.support.goldens import check
from tests.support.kumo_positions import at, begin, crowded, lively, play

makes = maker_of("kumo")
NAMES = ("Ada", "Bob", "Cyd", "Dan")
PANEL = 29  # columns

CLIMB = at(
    "a8 0jump; a9 1grab 0block; b9 1kumo; c4 1kumo; c5 1run 0block",
    turn=7,
    used=0,
    turned="no no",
    prisons="2 3",
    stone="g5",
)
LAST_PUSH = at("e8 0kumo; d8 0kumo; e7 0kumo; d9 1run; b1 0grab; b2 1throw", stone="e9")
SECOND = at("i4 0kumo; h4 0kumo; c3 1block", seats=4, turn=11, turned="no no", stone="i5")
POSITIONS = {
    "2-start": begin(2),
    "4-start": begin(4),
    "2-crowd": crowded(2, "turn"),
    "4-crowd": crowded(4, "hold"),
    "2-climb": CLIMB,
    "2-win": LAST_PUSH,
    "2-over": play(LAST_PUSH, "push:e8+e7"),
    "4-second": SECOND,
}
FRAMES = {"2-start": "kanji", "2-climb": "ascii", "4-crowd": "letters", "2-over": "letters"}


def scene(state: kumo.State, look: str = "letters", you: Seat | None = None) -> Scene:
    return makes.scene(state, NAMES[: len(state.boards)], LOOKS[look], you)


def facts(state: kumo.State) -> list[str]:
    return [plain(line) for line in scene(state).facts]


@pytest.mark.parametrize("seats", [2, 4])
def test_the_arrow_beside_a_player_is_said_to_lead_to_the_camp(seats: int) -> None:
    shelves = scene(begin(seats), "kanji").shelves
    lines = [plain(line) for line in shelves if not isinstance(line, Shelf | Portrait)]
    camps = [line.split("  with")[0] for line in lines if "camp" in line]
    assert [line.split()[-2:] for line in camps] == [
        ["camp", arrow] for arrow in {2: "↓↑", 4: "↓←↑→"}[seats]
    ]


def said(state: kumo.State, step: str) -> str:
    return plain(makes.preview(state, Seat(state.seat), Step(step), LETTERS))


def told(state: kumo.State, step: str) -> str:
    names = NAMES[: len(state.boards)]
    return makes.narrate(state, Seat(state.seat), Step(step), play(state, step), names)


# --- Looks ------------------------------------------------------------------------------------


@pytest.mark.golden
@pytest.mark.parametrize(("name", "look"), FRAMES.items())
def test_the_table_looks_as_it_did(name: str, look: str) -> None:
    check(f"kumo-{name}-{look}", scene_text(scene(POSITIONS[name], look)))


def test_the_cursor_begins_in_the_row_of_who_looks() -> None:
    assert [scene(begin(4), you=Seat(seat)).board.home for seat in range(4)] == [
        "e1",
        "a5",
        "e9",
        "i5",
    ]
    assert scene(begin(2)).board.home == "e1"


def test_stances_are_letters_and_sides_differ_by_case() -> None:
    state = at("a1 0run; b1 0jump; c1 0grab; d1 0throw; e1 0block; f1 0kumo")
    assert [cell.glyph for cell in scene(state).board.rows[-1]][:6] == list("RJGTBK")
    state = at("a1 1run; b1 1jump; c1 1grab; d1 1throw; e1 1block; f1 1kumo", prisons="0 0")
    assert [cell.glyph for cell in scene(state).board.rows[-1]][:6] == list("rjgtbk")


def test_stances_are_one_kanji_each_behind_the_mark_of_a_side() -> None:
    row = "a1 {0}run; b1 {0}jump; c1 {0}grab; d1 {0}throw; e1 {0}block; f1 {0}kumo"
    for side, sign in enumerate("▲△"):
        cells = scene(at(row.format(side)), "kanji").board.rows[-1][:6]
        assert [cell.glyph for cell in cells] == [sign + kanji for kanji in "走跳掴投防雲"]
    (pinned,) = (c for row in scene(CLIMB, "kanji").board.rows for c in row if c.name == "c5")
    assert (pinned.glyph, pinned.mark) == ("▲防", "r")


def trace_of(state: kumo.State, step: str) -> Trace:
    return makes.marks(state, Step(step), play(state, step))


def test_a_push_marks_where_it_came_from_all_that_it_pushed_and_where_the_stone_is() -> None:
    state = at("e7 0kumo; d7 0kumo; e6 0kumo", stone="e8")
    pushed = trace_of(state, "push:e7+e6")
    assert pushed == Trace(
        frozenset({"e6"}),
        frozenset({"e9"}),
        {"e7": TURNED, "e8": TURNED},
        signs={"e6": "e7", "e7": "e8", "e8": "e9"},
    )
    drawn = trace_of(at("e7 0kumo; e6 0kumo", stone="e5"), "pull:e6+e7")
    assert (drawn.left, drawn.reached) == ({"e5"}, {"e8"})
    assert drawn.signs == {"e5": "e6", "e6": "e7", "e7": "e8", "e8": "e9"}
    out = trace_of(LAST_PUSH, "push:e8+e7")  # over the edge: the leader stands where it was
    signs = {"e7": "e8", "e8": "e9"}  # both followed the stone
    assert out == Trace(frozenset({"e7"}), frozenset({"e9"}), {"e8": TURNED}, signs=signs)
    assert trace_of(LAST_PUSH, "e8-f8") == Trace(frozenset({"e8"}), frozenset({"f8"}))


def test_who_throws_is_not_marked_but_who_is_thrown() -> None:
    state = at("d7 0throw; e7 1block", stone="e5")
    assert trace_of(state, "throw:d7:e7-d8") == Trace(frozenset({"e7"}), frozenset({"d8"}))
    state = at("d7 0block; e7 1kumo", stone="e4")
    assert trace_of(state, "block:d7-e7") == Trace(frozenset({"d7"}), frozenset({"e7"}))
    assert trace_of(state, "d7=kumo") == Trace(changed={"d7": TURNED})
    state = at("e1 0throw; e2 1jump", stone="e5")
    fallen = {"e2": Fallen("kumo-jump", 1)}
    caught = Trace(frozenset({"e2"}), frozenset({"e1"}), taken=fallen)
    assert trace_of(state, "throw:e1:e2-x") == caught


@pytest.mark.parametrize("turning", ["cw", "ccw"])
def test_marks_turn_with_the_arena(turning: str) -> None:
    state = at("a2 0run; d7 0kumo", stone="e5")
    walked = play(state, "a2-b2")
    turned = play(walked, turning)
    trace = NO_TRACE.followed_by(trace_of(state, "a2-b2")).followed_by(trace_of(walked, turning))
    ((start, end),) = trace.paths
    assert turned.on(end) == walked.on("b2")
    assert start == ("b9" if turning == "cw" else "h1")
    assert trace.squares == frozenset()  # the turn is the last step: arrows around the arena
    assert trace.signs["a1"] == {"cw": "↻", "ccw": "↺"}[turning]
    board = makes.scene(turned, NAMES[:2], LETTERS, None).board
    ways = BoardMarks(trace=trace).ways(board)  # it is counted as a step of the turn that was
    assert ways["a1"] == f"2{trace.signs['a1']}"
    assert not {"e1", "e9", "a5", "i5"} & {*ways} - {start, end}  # it looks unlike a path


@pytest.mark.parametrize(("turning", "way"), [("cw", "→"), ("ccw", "←")])
def test_arrows_of_a_pull_stay_where_the_arena_turns_after_it(turning: str, way: str) -> None:
    state = at("e7 0kumo; f6 0kumo", stone="e5")
    trace, steps = NO_TRACE, ("f6-e6", "pull:e6+e7", turning)
    for step in steps:
        trace = trace.followed_by(trace_of(state, step))
        state = play(state, step)
    board = makes.scene(state, NAMES[:2], LETTERS, None).board
    ways = BoardMarks(trace=trace).ways(board)
    file = {"cw": "efgh", "ccw": "edcb"}[turning]
    assert [ways[f"{one}5"][-1] for one in file] == [way] * 4
    assert ways["a1"] in ("3↻", "3↺")


def test_a_turning_turns_what_is_shown() -> None:
    before, after = POSITIONS["2-crowd"], play(POSITIONS["2-crowd"], "cw")
    glyphs = [
        [[cell.glyph.rstrip("*") for cell in row] for row in scene(state).board.rows]
        for state in (before, after)
    ]
    turned = [list(row) for row in zip(*reversed(glyphs[0]), strict=True)]
    # The closest rows stay with the table, so only what stands on the arena is compared.
    grounds = {LETTERS.free, *LETTERS.arrows}
    for x in range(9):
        for y in range(9):
            assert turned[y][x] == glyphs[1][y][x] or {turned[y][x], glyphs[1][y][x]} <= grounds


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        (begin(2), ["actions ● ● ● ● ●", "The arena must be turned"]),
        (at("", used=4), ["actions · · · · ●", "The arena has been turned"]),
        (at("", used=5, prisons="2 0"), ["actions · · · · · +2 optional"]),
        (at("", used=4, prisons="1 0"), ["actions · · · · ● +1 optional"]),
        (CLIMB, ["Blockers climb down first"]),
        (begin(4), ["actions ● ● ● +2 optional", "The arena must be turned"]),
        (SECOND, ["actions · ● ● ●", "The arena must be turned"]),
    ],
)
def test_the_panel_says_what_the_turn_owes(state: kumo.State, expected: list[str]) -> None:
    assert [line for line in expected if line not in facts(state)] == []


def test_who_acts_is_told_how_to_turn_the_arena() -> None:
    for state, expected in (
        (begin(2), ["Turn the arena once: Tab"]),
        (begin(4), ["You two turn the arena: Tab"]),
    ):
        told = [plain(line) for line in scene(state, you=Seat(0)).facts]
        assert [line for line in told if "You" in line or "Tab" in line] == expected


def test_the_chips_for_turning_are_lit_until_the_arena_was_turned() -> None:
    roles = {chip.name: chip.role for chip in scene(begin(2)).tray}
    assert roles == {"cw": "title", "ccw": "title", "free": "", "done": ""}
    assert not any(chip.role for chip in scene(at("")).tray)


def test_the_pairs_that_can_move_the_stone_are_listed_and_marked() -> None:
    shown = scene(LAST_PUSH)
    assert " ●  e8+e7 push out pull ↓" in [plain(line) for line in shown.facts]
    marked = {cell.name for row in shown.board.rows for cell in row if cell.mark == "*"}
    assert marked == {"e8", "e7"}  # d9 is taken: d8 cannot follow
    threat = at("e8 0kumo; d8 0kumo; e7 0kumo; f9 1kumo; g9 1kumo", stone="e9")
    assert [line for line in facts(threat) if "+" in line] == [
        " ●  e8+e7 push out pull ↓",
        " ■  f9+g9 push ← pull →, and 1 more, marked *",
    ]
    ring = "d5 0kumo; e4 0kumo; e6 0kumo; f5 0kumo; d4 0kumo; f4 0kumo"
    assert facts(at(ring))[-1].endswith(", and 2 more, marked *")


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_roles_differ_by_glyph(look: str) -> None:
    """The same glyph in two roles would be told apart by colour only."""
    for state in POSITIONS.values():
        roles: dict[str, set[str]] = {}
        for row in makes.scene(state, NAMES[: len(state.boards)], look, None).board.rows:
            for cell in row:
                roles.setdefault(cell.glyph, set()).add(cell.role)
        assert {glyph: found for glyph, found in roles.items() if len(found) > 1} == {}


# --- In words ---------------------------------------------------------------------------------


ALIKE = [  # the sentence says what the preview says before its outlook
    (
        at("c5 0kumo; b5 0kumo", stone="d5"),
        "ccw",
        "turn the arena left; stone to e4  then you can push towards seat 1",
    ),
    (begin(2), "cw", "turn the arena right"),
    (begin(2), "+e1=run", "place a runner on e1  goes two free spaces, also round a corner"),
    (
        at("e4 0kumo; e3 0run"),
        "e3=kumo",
        "your runner e3 becomes a kumo  then you can push towards seat 1",
    ),
    (at("e1 0kumo"), "e1-e2", "your kumo e1 walks to e2"),
    (at("e1 0run", used=4), "run:e1-d2", "your runner e1 runs to d2  ends the turn"),
    (at("c3 0jump; c4 1run; c5 0run"), "jump:c3-c6", "your jumper c3 jumps over 2 to c6"),
    (at("d4 0grab; d3 0run"), "grab:d4:d3-c3", "your grabber d4 moves its friend runner d3 to c3"),
    (
        at("d1 0grab; e1 1run"),
        "grab:d1:e1-x",
        "your grabber d1 grabs the foe's runner e1 into prison  one action more",
    ),
    (
        at("d6 0throw; e6 1kumo; e7 1kumo"),
        "throw:d6:e6-c6",
        "your thrower d6 throws the foe's kumo e6 to c6  stops the foe's push",
    ),
    (
        at("d2 0throw; e2 0run 1block"),
        "throw:d2:e2-c2",
        "your thrower d2 throws the foe's blocker e2 to c2; the runner is loose",
    ),
    (
        at("b3 0block; b4 1run"),
        "block:b3-b4",
        "your blocker b3 climbs onto the foe's runner b4 and pins it",
    ),
    (CLIMB, "off:c5-c6", "your blocker c5 climbs down to c6; the runner is loose"),
    (at("e4 0kumo; d4 0kumo"), "push:e4+d4", "your kumo e4 and d4 push the stone to e6"),
    (at("", prisons="0 1"), "free", "free a Kumotori from prison"),
]
OTHERWISE = [
    (
        LAST_PUSH,
        "push:e8+e7",
        "your kumo e8 and e7 push the stone out  you win",
        "Ada's kumo e8 and e7 push the stone into Bob's camp",
    ),
    (at("", used=5, prisons="1 0"), "done", "end the turn", ""),
    (
        at("i4 0kumo; h4 0kumo", seats=4, stone="i5"),
        "cw",
        "turn the arena right; stone to e1  then you can push towards seat 3",
        "",
    ),
    (
        at("h5 0kumo; g5 0kumo; c3 1block", seats=4, stone="i5"),
        "push:h5+g5",
        "your kumo h5 and g5 push the stone out  you win",
        "Ada's kumo h5 and g5 push the stone into Dan's camp",
    ),
    (
        at("", seats=4, turn=11, prisons="0 2"),
        "free",
        "free a Kumotori from prison",
        "Cyd frees a Kumotori from prison to the board of Cyd",
    ),
    (
        at("c3 0kumo; c4 1run", used=4, turn=200, turned="no no", limit=200),
        "cw",
        "",
        "Bob turns the arena right; the match is drawn",
    ),
]


def as_told(preview: str) -> str:
    """Return the sentence of a step of Ada's that has this preview."""
    what = preview.partition("  ")[0].replace("the foe's", "Bob's")
    if what.startswith("your "):
        return what.replace("your", "Ada's", 1)
    verb, _, rest = what.partition(" ")
    return f"Ada {verb}s {rest}"


@pytest.mark.parametrize(
    ("state", "step", "preview", "sentence"),
    [*((*row, as_told(row[2])) for row in ALIKE), *OTHERWISE],
)
def test_steps_in_words(state: kumo.State, step: str, preview: str, sentence: str) -> None:
    assert said(state, step) == (preview or said(state, step))
    assert told(state, step) == (sentence or told(state, step))


def test_the_previews_warn_of_what_the_foe_could_do() -> None:
    state = at("e4 0run; e6 1kumo; e7 1kumo")
    assert said(state, "e4-d4") == "your runner e4 walks to d4  the foe can push towards seat 0"


# --- Choosing ---------------------------------------------------------------------------------


BUSY = """a1 0kumo; a2 0kumo; c4 0grab; d4 1run; e1 0run; f2 0jump; f3 1kumo;
g8 1grab; h8 1run 0block"""


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ("free", "the prison of side 1 is empty"),
        ("done", "the turn takes at least 5 actions, so far 1"),
        ("b2", "no Kumotori waits on the board of seat 0"),
        ("e5", "no Kumotori stands on e5"),
        ("d4", "the Kumotori on d4 is of side 1"),
        ("h8", "the blocker on h8 can do nothing but climb down"),
        ("a1 c1", "c1 is not adjacent to a1"),
        ("a1 a2", "the leader on a1 is not adjacent to the stone"),
        ("e1 e4", "e4 is not two steps away from e1"),
        ("f2 f3", "a kumo of side 1 stands on f3"),
        ("f2 f6", "f4 is empty, and a jump goes over an unbroken row of Kumotori"),
        ("c4 f4", "f4 is not adjacent to c4"),
        ("c4 c5", "no Kumotori stands on c5"),
        ("c4 d4 d7", "d7 is not adjacent to d4"),
        ("c4 d4 x", "d4 does not lie at the south edge, which leads to the prison"),
        ("e1 =run", "the Kumotori on e1 shows run already"),
        ("h8 h9", "blockers climb down at the start of a turn, before any action"),
    ],
)
def test_what_is_not_possible_is_explained_by_the_rules(parts: str, reason: str) -> None:
    state = at(BUSY)
    step = makes.step_from_parts(state, Seat(0), tuple(parts.split()))
    assert kumo.why(state, Seat(0), step) == reason


def test_sides_are_called_by_the_names_of_their_players() -> None:
    assert named("a runner of side 1 stands on e4", NAMES[:2]) == "a runner of Bob stands on e4"
    assert named("side 0 holds 2 already", NAMES) == "Ada and Cyd holds 2 already"


def test_a_reader_is_addressed_with_their_side() -> None:
    assert named("seat 2 can take side 1's run", NAMES, 2) == "you can take Bob and Dan's run"
    assert named("seat 1 hits seat 0's run", NAMES, 0) == "Bob hits your run"
    assert named("side 1 can pull", NAMES, 3) == "you can pull"


@pytest.mark.parametrize(
    "parts",
    ["e1 e1", "c4 d4 d4", "b1 b1", "b1 c2", "e1 cw", "c4 push", "e1 x", "=run", "c4 d4 push"],
)
def test_parts_that_mean_nothing_are_no_step(parts: str) -> None:
    assert makes.step_from_parts(at(BUSY), Seat(0), tuple(parts.split())) == ""


# --- Laws over random matches -----------------------------------------------------------------


def test_buttons_of_a_turn_say_where_the_stone_will_lie() -> None:
    def labels(state: kumo.State) -> list[str]:
        return [chip.text for chip in scene(state, "kanji").tray[:2]]

    still = ["turn arena right ↻", "turn arena left ↺"]
    for turned in ("no no", "yes no"):  # it can be turned more than once
        state = at("", stone="e8", turned=turned)
        assert {"cw", "ccw"} <= set(kumo.legal(state, Seat(0)))
        assert labels(state) == ["turn right ↻ stone to h5", "turn left ↺ stone to b5"]
    assert labels(at("", stone="e5", turned="no no")) == still  # in the middle it stays where it is


def test_a_stone_that_went_over_an_edge_lies_in_the_camp_there() -> None:
    over = play(LAST_PUSH, "push:e8+e7")
    last = Happening(LAST_PUSH, Seat(0), Step("push:e8+e7"), over)
    board = makes.scene(over, NAMES[:2], LETTERS, None, (last,)).board
    north, south = map(plain, board.edges)
    assert (north, south) == ("the stone in Bob's camp", "↓ camp of Ada ↓")
    assert board.outside is not None
    assert board.outside[:2] == (0, 4)  # above the file in which it was pushed
    assert board.turned().outside == Outside(1, 4, board.outside.cell)
    assert [plain(edge) for edge in board.turned().edges] == [south, north]
    for wide, edges, drawn in ((8, 2, "▜███▛"), (7, 1, "▐▀▌"), (4, 1, "▐▀▌"), (3, 1, "◎")):
        (line, *_) = above(board, Brush(Skin()), Geometry(wide, 2, 1, edges))[::-1]
        assert drawn in plain(line)
        assert "Bob's camp" in plain(line)
        middle = plain(line).index(drawn) + len(drawn) // 2
        assert middle == RANKS + 4 * wide + (wide - 1) // 2
    line, *_ = above(board, Brush(Skin()), Geometry(10, 5, 2))  # the labels of files alone
    assert "e▐▀▌" in plain(line)
    for edges in (2, 0):  # whole, in its colours
        rows = above(board, Brush(Skin()), Geometry(10, 5, 2, edges))
        rim = [ink for row in rows for text, ink in row if set(text) & set("▟▙▜▛▐▌")]
        colours = {ink.partition("/")[0] for ink in rim}
        assert colours == {"stone-light", "stone", *["stone-dark"] * (edges > 0)}


@pytest.mark.parametrize(
    ("push", "stone", "edge"),
    [("e8+e7", "e9", 0), ("b8+b7", "b9", 0), ("b5+c5", "a5", 2), ("h5+g5", "i5", 3)],
)
@pytest.mark.parametrize("size", [(3, 1), (5, 2), (8, 4), (14, 7)], ids=str)
@pytest.mark.parametrize("is_turned", [False, True])
def test_the_stone_lies_beside_the_square_that_it_left(
    push: str, stone: str, edge: int, size: tuple[int, int], is_turned: bool
) -> None:
    """With four it goes over the left and right edges, too, and was not seen there."""
    pair = "; ".join(f"{square} 0kumo" for square in push.split("+"))
    state = at(pair, stone=stone, seats=2 if edge == 0 else 4)
    last = Happening(state, Seat(0), Step(f"push:{push}"), play(state, f"push:{push}"))
    names = NAMES[: len(state.boards)]
    board = makes.scene(last.after, names, LETTERS, None, (last,)).board
    board = board.turned() if is_turned else board
    assert board.outside is not None
    assert board.outside.edge == edge ^ is_turned
    assert board.outside.square(board).name == stone
    arrow = "↑↓←→"[edge ^ is_turned]
    trace = makes.marks(state, last.step, last.after)
    ways = BoardMarks(trace=trace).ways(board)
    assert {ways[name] for name in (stone, *push.split("+"))} == {arrow}
    x, y = board.place(stone) or (0, 0)
    brushes = Brush(Skin()), Brush(Skin(), has_pictures=False, signs="●■")
    for brush, spare in product(brushes, range(5)):
        most = size[0] * 9 + 2 * RANKS, size[1] * 9 + 1 + spare
        geometry = fitting(board, *most)
        rows = board_rows(board, BoardMarks(trace=trace), brush, geometry)
        assert len(rows) == geometry.rows(board)
        assert {width(plain(row)) for row in rows} == {geometry.columns(board)}
        ranks = "".join(plain(row)[:RANKS] for row in rows)
        assert re.sub("[^1-9]", "", ranks) == "987654321"[:: -1 if is_turned else 1]
        letters = "abcdefghi"[:: -1 if is_turned else 1]
        rims = [*rows[: geometry.top], *rows[geometry.top + 9 * geometry.height :]]
        labels = [
            "".join(plain(row)[RANKS:][(geometry.width - 1) // 2 :: geometry.width]) for row in rims
        ]
        labels = [one[:9] for one in labels]
        if geometry.edges or geometry.labels == 1:
            assert labels.count(letters) == geometry.labels
        else:  # one row shows what a camp's name covers in the other
            assert all(letter in pair for letter, *pair in zip(letters, *labels, strict=True))
            assert all("camp" in plain(row) or "Bob" in plain(row) for row in rims)
        found = {
            geometry.place(column, at)
            for at, row in enumerate(rows)
            for column, (text, ink) in enumerate(cells_of(row))
            if text != " " and re.search("stone|contested", ink)
        }
        beyond = ((x, y - 1), (x, y + 1), (x - 1, y), (x + 1, y))[edge ^ is_turned]
        assert beyond in found
        assert all(0 <= one < 9 for place in found - {beyond} for one in place)


def test_the_panel_shows_the_kinds_where_there_is_room() -> None:
    shown = scene(begin(2))
    for columns, rows, is_told in ((42, 34, True), (29, 34, False), (42, 20, True)):
        told = "\n".join(map(plain, seat_lines(shown, Brush(Skin()), columns, rows)))
        assert ("kumo block grab jump" in " ".join(told.split())) == is_told
        assert "reserve" in told  # pieces that wait come first
    assert plain(shown.letters[0]) == "Run Jump Grab Throw Block"
    assert scene(begin(2), "ascii").letters == ()


def test_a_stone_that_leaves_is_seen_in_one_place_at_a_time() -> None:
    over = play(LAST_PUSH, "push:e8+e7")
    last = Happening(LAST_PUSH, Seat(0), Step("push:e8+e7"), over)
    after = makes.scene(over, NAMES[:2], LETTERS, None, (last,))
    for frame in makes.frames(scene(LAST_PUSH), after, last.step):
        lies = [cell.name for row in frame.scene.board.rows for cell in row if "stone" in cell.role]
        assert bool(lies) != bool(frame.scene.board.outside)


def test_with_four_a_camp_names_its_mate_and_every_edge_its_owner() -> None:
    board = makes.scene(at("", stone="e5", seats=4), NAMES[:4], LETTERS, None).board
    assert [plain(edge) for edge in board.edges] == [
        "↑ camp of Cyd, with Ada ↑",
        "↓ camp of Ada, with Cyd ↓",
    ]
    notes = {cell.name: cell.notes[0] for row in board.rows for cell in row if cell.notes}
    assert notes == {"a5": "← Bob", "i5": "Dan →"}


def test_with_four_an_edge_names_its_owner_in_a_narrow_square_and_mates_look_like_no_player() -> (
    None
):
    names = "Ada", "bot medium", "Cyd", "bot 3"
    shown = makes.scene(at("", stone="e5", seats=4), names, LETTERS, None)
    notes = {cell.name: cell.notes for row in shown.board.rows for cell in row if cell.notes}
    assert notes["i5"] == ("bot 3 →", "bot 3", "→")
    assert notes["a5"] == ("← bot medium", "bot medium", "medium", "medi…", "←")
    players = {role for line in shown.seats[1:5] for _, role in line if role.startswith("base-")}
    assert players == {"base-0", "base-1"}
    assert {role for line in shown.seats[5:] for _, role in line} == {"quiet"}


def crowds() -> Iterator[kumo.State]:
    """Yield positions of lively matches that begin with a crowd round the stone."""
    rng = Random(2)
    for seats, block in product(kumo.SEATS, ("turn", "hold")):
        state = crowded(seats, block)
        while kumo.actors(state):
            yield state
            state = play(state, lively(state, rng))


def test_whatever_is_chosen_wrongly_has_a_reason_and_all_chips_fit_into_the_panel() -> None:
    names = {cell.name for row in scene(begin(2)).board.rows for cell in row}
    tray = {chip.name: chip.text for chip in scene(begin(2)).tray}
    for state in Random(2).sample(list(crowds()), 60):
        seat = Seat(state.seat)
        choice = Choice.of(makes, kumo.legal(state, seat))
        some = [one for one in sorted(choice.targets) if choice.step_at(one) is None]
        for now in (choice, *(choice.with_part(part) for part in some[:4])):
            for part in names - now.targets:
                tried = makes.step_from_parts(state, seat, (*now.chosen, part))
                assert tried == "" or kumo.why(state, seat, tried)
            loose = now.targets - names - set(tray)
            texts = [*tray.values(), *(makes.label(part, LETTERS) for part in loose)]
            # All chips that there can be at once leave some lines of the panel to the log.
            assert sum(len(text) + 3 for text in texts) <= 5 * PANEL


def test_in_one_row_the_cursor_is_brackets_on_the_mat_of_a_piece() -> None:
    board = makes.scene(at("e5 0kumo; e6 0kumo", stone="e7"), NAMES[:2], LETTERS, None).board
    (cell,) = (one for row in board.rows for one in row if one.name == "e6")
    assert cell.mark == "*"
    (row,) = glyphs(cell, BoardMarks(cursor="e6"), 3, 1, "", Brush(Skin()))
    assert plain(row) == "[K]"
    assert all("mat-0" in ink for _, ink in row)
    (row,) = glyphs(cell, BoardMarks(targets=frozenset({"e6"})), 3, 1, "", Brush(Skin()))
    assert plain(row) == "▎K*"  # its letter is in the middle of its tile, and no mark is left out
    assert all("mat-0" in ink for _, ink in row)
    few = Brush(Skin(), has_pictures=False, signs="●■")
    for marks, said in (
        (BoardMarks(cursor="e6"), "[K]"),
        (BoardMarks(targets=frozenset({"e6"})), ">K*"),
    ):
        (row,) = glyphs(cell, marks, 3, 1, "", few)
        assert plain(row) == said


def test_partners_have_the_sign_of_their_side() -> None:
    for seats, said in ((2, {""}), (4, {LETTERS.solid[0], LETTERS.solid[1]})):
        state = at("e5 0kumo; e6 1kumo", stone="e7", seats=seats)
        board = makes.scene(state, NAMES[:seats], LETTERS, None).board
        assert {one.sign for row in board.rows for one in row if one.mat} == said
