"""Kitsu! on the table: what is shown, how steps are chosen and told, over whole matches."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from kumite.core.game import Seat, Setup, Step
from kumite.core.games import GAMES
from kumite.core.games.kitsu import rules as kitsu
from kumite.core.games.kitsu.board import SEASONS
from kumite.core.games.kitsu.position import State
from kumite.tui.drawing.pixels import brush_for
from kumite.tui.drawing.squares import UNMARKED, Marks, plate, square
from kumite.tui.look import colors
from kumite.tui.look.glyphs import ASCII, KANJI, LETTERS, Look
from kumite.tui.look.sprites import Skin
from kumite.tui.scenes import NO_TRACE, Trace, maker_of
from kumite.tui.scenes.lines import abbreviated, plain
from kumite.tui.scenes.model import TURNED, Cell, Fallen, Scene, scene_text
from tests.support.goldens import check
from tests.support.kitsu_positions import pieces, play, position, start
from tests.support.random_matches import setups, walk
from tests.support.scene_laws import LOG, LOOKS, ROWS

if TYPE_CHECKING:
    from kumite.core.match import Match

makes = maker_of("kitsu")

NAMES = ("Ada", "Bob")
HEIGHT, TRAY = 2, 2  # rows of a square on a small screen, and of the tray

CHAIN = position("Fb1 Sc4 Sd3 Se5 fh1")  # example 6 of the rules
LATE = position(
    "Sa3 Fb2 Sc6 Fg6 Sh2 fb5 sd8 fe1 sg3",
    turn="41 seat 0 phase move",
    open="autumn winter",
    seat0="spirit s0 f0 hand s1 f0 taken s3 f2",
    seat1="spirit s2 f0 hand s1 f3 taken s1 f3",
)
SHOWN = {
    "start": start(),
    "dispatch": play(start(), "d5xe4"),
    "take": play(position("Fc4 Fd3 Fd4 fh1"), "d4-e6"),
    "pounce": play(CHAIN, "b1-c3 c3>d5 +f"),
    "late": LATE,
    "over": play(LATE, "h2xg3"),
}
FRAMES = {"start": LETTERS, "take": ASCII, "pounce": KANJI, "late": LETTERS, "over": LETTERS}


def shown(view: State, look: Look = LETTERS, you: int | None = 0) -> Scene:
    return makes.scene(view, NAMES, look, None if you is None else Seat(you))


def hint(view: State, step: str) -> str:
    return plain(makes.preview(view, view.seat, Step(step), LETTERS))


def log(view: State, steps: str) -> list[str]:
    lines = []
    for step in steps.split():
        after = play(view, step)
        lines.append(makes.narrate(view, view.seat, Step(step), after, NAMES))
        view = after
    return lines


# --- What is shown ----------------------------------------------------------------------------


@pytest.mark.golden
@pytest.mark.parametrize(("name", "look"), FRAMES.items(), ids=str)
def test_scenes_look_as_they_did(name: str, look: Look) -> None:
    view = SHOWN[name]
    check(f"kitsu-{name}-{look.name}", scene_text(shown(view, look, view.seat)))


def test_every_scene_fits_beside_the_squares_of_a_small_screen() -> None:
    played = [match.state for match in walk(Setup.of(kitsu), 1).line()]
    for view in (*SHOWN.values(), *played):
        for look in LOOKS:
            scene = shown(view, look, view.seat)
            assert 8 * HEIGHT + 1 + len(scene.picture) + TRAY <= ROWS
            assert len(scene.seats) + len(scene.facts) + 2 + LOG + TRAY <= ROWS


def test_the_panel_says_which_sign_is_whose_where_there_are_no_colours() -> None:
    lines = [plain(line) for line in makes.scene(start(), NAMES, LETTERS, Seat(0)).seats]
    assert [line[1] for line in lines if line[3:].startswith(NAMES)] == list(LETTERS.solid[:2])


def test_a_samurai_keeps_its_capital_also_in_the_title() -> None:
    dues = {makes.scene(view, NAMES, LETTERS, Seat(0)).due for view in SHOWN.values()}
    assert "e4 may send a neighbour" in dues
    assert "move in any season" in dues


def test_open_seasons_are_lit_by_glyph_and_by_role() -> None:
    view = play(start(), "d5xe4 stop")
    board = shown(view).board
    cells = {cell.name: cell for row in board.rows for cell in row}
    grounds = {name: (cells[name].glyph, cells[name].role) for name in ("a1", "a8", "h8", "h1")}
    assert grounds == {
        "a1": (LETTERS.quarters[0], "kitsu.spring"),
        "a8": (LETTERS.faint[1], "fits"),
        "h8": (LETTERS.quarters[2], "kitsu.autumn"),
        "h1": (LETTERS.quarters[3], "kitsu.winter"),
    }


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: look.name)
def test_the_ground_of_each_realm_lit_or_not_has_a_glyph_of_its_own(look: Look) -> None:
    assert len({*look.quarters, *look.faint, look.target, *"SFsf"}) == 13


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: look.name)
@pytest.mark.parametrize("seed", range(4))
def test_at_the_end_the_whole_board_is_lit_and_no_season_is_called_shut(
    seed: int, look: Look
) -> None:
    view = walk(Setup.of(GAMES["kitsu"]), seed).state
    assert view.reason
    scene = makes.scene(view, NAMES, look, None)
    cells = [cell for row in scene.board.rows for cell in row]
    assert {cell.ground[:-2] for cell in cells} == set(SEASONS)
    free = {cell.glyph for cell in cells if not cell.sprite}
    assert free <= set(look.quarters)
    for text, role in (span for edge in scene.board.edges for span in edge):
        assert "-shut" not in role
        assert not re.search(r"\b(shut|open)\b", text)
    assert not any("open seasons" in one for one in makes.position(view, NAMES, None))


def test_the_moving_piece_and_the_friends_used_up_stand_out() -> None:
    scene = shown(SHOWN["pounce"])
    seen = {cell.name: (cell.role, cell.mark) for row in scene.board.rows for cell in row}
    assert [name for name, shown in seen.items() if shown == ("mover", "*")] == ["d5"]
    assert [name for name, shown in seen.items() if shown == ("kitsu.spent", "-")] == ["c4", "d3"]
    assert sum(bool(mark) for _, mark in seen.values()) == 3
    assert "- used to pounce: c4 d3" in [plain(line) for line in scene.facts]


def test_pieces_differ_by_letter_as_in_the_rules() -> None:
    cells = {cell.name: cell for row in shown(start()).board.rows for cell in row}
    glyphs = {name: (cells[name].glyph, cells[name].role) for name in ("a5", "a6", "h4", "h3")}
    assert glyphs == {
        "a5": ("S", "base-0"),
        "a6": ("F", "flag-0"),
        "h4": ("s", "base-1"),
        "h3": ("f", "flag-1"),
    }


def test_a_step_marks_the_squares_it_has_left_and_come_to_and_what_it_has_turned() -> None:
    view = start()
    for step, *squares in (("d5xe4", "d5", "e4", "e3 f4"), ("f4~b4", "f4", "b4", "")):
        after = play(view, step)
        marked = makes.marks(view, Step(step), after)
        left, reached, turned = (frozenset(names.split()) for names in squares)
        taken = {"e4": Fallen("samurai", 1, "s", "Samurai")} if "x" in step else {}
        assert marked == Trace(left, reached, dict.fromkeys(turned, TURNED), taken=taken)
        view = after
    assert makes.marks(view, Step("end"), view) == NO_TRACE


def test_the_tray_is_the_hand_of_the_one_who_looks() -> None:
    trays = [[chip.text for chip in shown(LATE, LETTERS, you).tray] for you in (0, 1, None)]
    assert trays == [["Samurai ×1"], ["Samurai ×1", "Foxes ×3"], []]
    assert [chip.name for chip in shown(LATE, LETTERS, 1).tray] == ["s", "f"]


def test_who_may_be_sent_away_is_not_marked_as_a_capture() -> None:
    squares = frozenset(cell.name for row in shown(LATE).board.rows for cell in row if cell.name)
    assert len(shown(LATE).captures(squares)) == 4
    sent = shown(SHOWN["dispatch"], you=SHOWN["dispatch"].seat)
    assert sent.captures(squares) == frozenset()


def test_a_clan_that_is_near_to_winning_is_marked() -> None:
    marked = [text for line in shown(LATE).seats for text, role in line if role == "contested"]
    assert marked == ["      0", "     0", "      1", "     0", "   ■■■·", "  ●●●·"]


# --- Choosing ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("view", "step", "said"),
    [
        (start(), "d5xe4", "Samurai d5 slides to e4  captures Samurai 1/4  flips e3 f4"),
        (start(), "d5xc6", "Samurai d5 slides to c6  captures own Fox  flips b6 c5 d6"),
        (start(), "b6-a8", "Fox b6 leaps to a8  ends the turn"),
        (SHOWN["take"], "+s", "Take a Samurai to the hand  1 more"),
        (CHAIN, "b1-c3", "Fox b1 leaps to c3  may pounce"),
        (play(CHAIN, "b1-c3"), "c3>d5", "Fox c3 pounces to d5  crosses: 1 to the hand  may pounce"),
        (play(CHAIN, "b1-c3"), "stop", "Stop  flips c4 d3"),
        (play(start(), "d5xe4"), "e3~a3", "Send their Samurai e3 to a3 in Spring"),
        (play(start(), "d5xe4"), "stop", "Stop here, sending no neighbour"),
        (LATE, "end", "End the turn  skips Autumn Winter"),
        (LATE, "h2-g1", "Samurai h2 slides to g1  ends the turn  skips Autumn"),
        (LATE, "g6-h4", "Fox g6 leaps to h4"),
        (position("Fd4 fh1"), "d4-e6", "Fox d4 leaps to e6  crosses: 2 to the hand"),
        (LATE, "s@g1", "Put a Samurai on g1  you win"),
        (LATE, "h2xg3", "Samurai h2 slides to g3  captures Samurai 4/4  you win"),
    ],
)
def test_the_preview_says_what_a_step_does(view: State, step: str, said: str) -> None:
    assert hint(view, step) == said


# --- The log ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("view", "steps", "lines"),
    [
        (
            start(),
            "d5xe4 f4~b4 e4xc6 stop f3-d2 +s end",
            [
                "Ada's Samurai d5 slides to e4, captures Bob's Samurai (1/4), flips e3 f4",
                "Ada sends Bob's Fox f4 to b4",
                "Ada's Samurai e4 slides to c6, captures own Fox, flips b6 c5 d6",
                "Ada's Samurai c6 sends nobody",
                "Bob's Fox f3 leaps to d2, crosses: 1 to the hand",
                "Bob takes a Samurai",
                "Bob ends the turn",
            ],
        ),
        (
            CHAIN,
            "b1-c3 c3>d5 +f stop",
            [
                "Ada's Fox b1 leaps to c3",
                "Ada's Fox c3 pounces to d5, crosses: 1 to the hand",
                "Ada takes a Fox",
                "Ada's Fox d5 stops, flips e5",
            ],
        ),
        (LATE, "g6-h4", ["Ada's Fox g6 leaps to h4"]),
        (LATE, "s@g1", ["Ada puts a Samurai on g1, the last one waiting"]),
        (LATE, "h2xg3", ["Ada's Samurai h2 slides to g3, captures Bob's Samurai (4/4)"]),
        (
            position("Sa4 Fb2 fb5"),
            "a4xb5",
            ["Ada's Samurai a4 slides to b5, captures Bob's Fox (1/4), the last one on the board"],
        ),
    ],
    ids=["turn", "pounces", "quiet", "spirits", "samurai", "rout"],
)
def test_the_log_tells_each_step_in_a_sentence(view: State, steps: str, lines: list[str]) -> None:
    assert log(view, steps) == lines


# --- Whole matches ----------------------------------------------------------------------------


MATCHES = [
    pytest.param(setup, id=" ".join(f"{name}={value}" for name, value in setup.options.items()))
    for setup in setups(kitsu)
]


def positions(setup: Setup, every: int = 1) -> Iterator[tuple[Match, Match]]:
    """Yield each `every`th position of random matches, with the one after it."""
    for seed in range(3):
        yield from list(pairwise(walk(setup, seed, 300).line()))[::every]


@pytest.mark.parametrize("setup", MATCHES)
def test_previews_agree_with_what_comes_of_a_step(setup: Setup) -> None:
    """Wins, captures, crossings and flips of the step made, counted by the texts of the board."""
    for match, after in positions(setup):
        state, step = match.state, after.last.step
        said = plain(makes.preview(state, state.seat, step, LETTERS))
        won = state.seat in after.state.winners
        assert ("you win" in said) == won
        own = sum(after.state.clans[state.seat].taken) - sum(state.clans[state.seat].taken)
        assert bool(re.search(r"captures (Samurai|Fox) \d", said)) == bool(own)
        assert ("captures own" in said) == ("x" in step and not own)
        if step[0] in "abcdefgh" and "~" not in step:
            crossed = re.search(r"crosses: (\d)", said)
            assert (int(crossed[1]) if crossed else 0) == after.state.owed
        if not after.state.owed:
            assert flips_in(said) == turned(pieces(state), pieces(after.state), step)


def flips_in(said: str) -> int:
    """Count the flips that a preview names: `flips c5 d4`, or `flips c5 d4 e3 +2`."""
    found = re.search(r"flips((?: [a-h][1-8])+)(?: \+(\d))?", said)
    return len(found[1].split()) + int(found[2] or 0) if found else 0


def turned(before: str, after: str, step: str) -> int:
    """Count the pieces that show the other kind than before, without the one that has moved."""
    was, now = ({one[1:]: one[0] for one in board.split()} for board in (before, after))
    moved = makes.parts(Step(step))
    return sum(
        letter.isupper() == now[name].isupper() and letter != now[name]
        for name, letter in was.items()
        if name in now and name not in moved
    )


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: look.name)
@pytest.mark.parametrize("name", SHOWN)
def test_the_seasons_beside_each_other_do_not_touch(name: str, look: Look) -> None:
    for (left, _), (right, _) in shown(SHOWN[name], look).picture:
        assert left.endswith(" ")
        assert left[-2] in look.arrows
        assert not right.startswith(" ")


@pytest.mark.parametrize("look", [LETTERS, KANJI])
def test_the_letter_of_a_captured_piece_is_explained_by_the_help(look: Look) -> None:
    marked = [
        makes.marks(play(state, before), Step(step), play(state, f"{before} {step}".strip()))
        for state, before, step in ((start(), "", "d5xe4"), (CHAIN, "b1-c3", "c3>d5"))
    ]
    for (fallen,) in (one.taken.values() for one in marked if one.taken):
        told = [
            one
            for one in makes.signs(start(), NAMES, look)
            if f"×{fallen.letter}" in one.cell.glyph
        ]
        (sign,) = told
        assert sign.cell.role == plate(Marks(fallen=fallen))
        assert fallen.sprite in sign.said.lower()
        assert NAMES[fallen.owner] in sign.said
    assert any(one.taken for one in marked)


def test_in_few_colours_each_open_season_has_a_sign_of_its_own_and_a_colour() -> None:
    cells = [
        Cell("c4", LETTERS.quarters[n], f"kitsu.{one}", ground=f"{one}-a")
        for n, one in enumerate(SEASONS)
    ]
    brush = brush_for(Skin(), LETTERS, colors.read("sixteen"))
    drawn = [square(cell, UNMARKED, brush, 5, 2) for cell in cells]
    signs = [next(span for row in rows for span in row if span[0].strip()) for rows in drawn]
    assert len({text for text, _ in signs}) == len({ink.split("/")[0] for _, ink in signs}) == 4


def test_where_the_panel_is_narrow_each_season_has_its_name_and_its_way() -> None:
    view = walk(Setup.of(GAMES["kitsu"], 2), 1, 9).state
    board = makes.scene(view, NAMES, LETTERS, None).board
    short = [plain(abbreviated(line)) for line in board.edges]
    assert all(len(line) <= 18 for line in short)
    assert [line.split()[1::2] for line in short] == [["→", "↓"], ["↑", "←"]]
