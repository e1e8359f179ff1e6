"""Saved matches as pictures and recordings: what the table shows, cell by cell."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from html import escape

import pyte
import pytest

from kumite.core.game import Setup
from kumite.core.games import GAMES
from kumite.core.games.kuzushi import rules as kuzushi
from kumite.tui.drawing import grid
from kumite.tui.drawing.pixels import QUADRANTS
from kumite.tui.drawing.tabletop import tabletop_rows
from kumite.tui.export.cast import recording
from kumite.tui.export.sheet import TABLETOP, Paper, ending, sheet, widest
from kumite.tui.export.svg import CELL, EDGE, picture
from kumite.tui.look import colors, glyphs
from kumite.tui.play.replaying import Replay
from kumite.tui.scenes.lines import Line, capital, plain, width
from kumite.tui.screens.replay import ReplayScreen
from kumite.tui.widgets.board import BoardWidget
from kumite.tui.widgets.field import Tabletop
from tests.support.apps import running, told_in_log
from tests.support.exported import DARK, EVERY, KANJI, LETTERS, a_match, log_of
from tests.support.random_matches import walk
from tests.support.shapes import shapes

SVG = "{http://www.w3.org/2000/svg}"


# --- Sheets -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("game_id", "seats"), EVERY)
def test_a_sheet_has_known_roles_and_fits_a_page(game_id: str, seats: int) -> None:
    replay = Replay(log_of(a_match(game_id, seats)))
    for at in range(0, replay.last + 1, max(1, replay.last // 5)):
        for signs in glyphs.LOOKS.values():
            lines = sheet(replay, at, Paper.of(signs, DARK))
            assert widest(lines) <= 132
            for line in lines:
                for text, role in line:
                    assert text
                    assert DARK.pen(role)


@pytest.mark.parametrize("game_id", ["kitsu", "kumo", "kuzushi"])
@pytest.mark.parametrize("size", [(80, 24), (120, 60)], ids=str)
async def test_the_board_on_the_screen_is_what_the_grid_draws(
    game_id: str, size: tuple[int, int]
) -> None:
    screen = ReplayScreen(log_of(a_match(game_id)))
    async with running(lambda: screen, glyphs="kanji", size=size) as (kumite, pilot):
        await pilot.press("t")
        board = screen.query_one(BoardWidget)
        scene = screen.replay.scene(screen.at, kumite.look)
        marks = grid.BoardMarks(trace=screen.replay.trace(screen.at))
        drawn = grid.board_rows(scene.board, marks, kumite.brush, board._geometry)
        assert len(drawn) == board.size.height
        for y, line in enumerate(drawn):
            strip = board.render_line(y)
            assert plain(line) == strip.text
            at = 0
            for text, ink in line:
                pen, style = kumite.palette.pen(ink), strip.crop(at, at + 1)._segments[0].style
                at += width(text)
                if text.strip():
                    assert style.color.get_truecolor().hex == pen.ink


@pytest.mark.parametrize("game_id", ["kitsune", "kiriai"])
async def test_a_sheet_has_the_tabletop_that_is_on_the_screen(game_id: str) -> None:
    screen = ReplayScreen(log_of(a_match(game_id)))
    async with running(lambda: screen, glyphs="kanji", size=(150, 50)) as (kumite, pilot):
        await pilot.press("t")
        top = screen.query_one(Tabletop)
        scene = screen.replay.scene(screen.at, kumite.look)
        size = top.size
        drawn = tabletop_rows(told_in_log(kumite, scene), kumite.brush, size.width, size.height)
        shown = [top.render_line(y).text.rstrip() for y in range(size.height)]
        assert shown == [plain(line).rstrip() for line in drawn]
        lines = sheet(screen.replay, screen.at, KANJI)
        own = tabletop_rows(scene, KANJI.brush, *TABLETOP)
        for line, table in zip(lines, own, strict=False):
            assert plain(line).startswith(plain(table).rstrip())


@pytest.mark.slow
@pytest.mark.parametrize("game_id", GAMES)
def test_the_last_picture_says_who_won_and_no_other_does(game_id: str) -> None:
    replay = Replay(log_of(a_match(game_id)))
    won = capital(replay.result, replay.names)
    label = escape(f". {won}", quote=True)
    assert label in picture(replay, replay.last, LETTERS)
    assert label not in picture(replay, replay.last - 1, LETTERS)
    unfinished = Replay(log_of(replay.line[-2]))
    assert ending(unfinished, unfinished.last) == ""
    if game_id not in ("kuzushi", "kiriai"):  # those are the shortest, a board and cards
        return
    lines = [json.loads(line) for line in recording(replay, LETTERS)]
    screen = pyte.Screen(lines[0]["width"], lines[0]["height"])
    stream, shown = pyte.Stream(screen), []
    for _, kind, said in lines[1:-1]:
        if kind == "o":
            stream.feed(said)
            shown.append(any(won[:60] in row for row in screen.display))
    assert shown == [False] * replay.last + [True]


# --- Pictures ---------------------------------------------------------------------------------


@pytest.mark.parametrize("signs", glyphs.LOOKS.values(), ids=glyphs.LOOKS)
@pytest.mark.parametrize("game_id", GAMES)
def test_a_picture_puts_every_sign_where_its_cell_is(game_id: str, signs: glyphs.Look) -> None:
    replay = Replay(log_of(a_match(game_id)))
    at = replay.last // 2
    root = ET.fromstring(picture(replay, at, Paper.of(signs, DARK)))
    rows: dict[int, dict[int, str]] = {}
    for text in root.iter(f"{SVG}text"):
        said = text.text or ""
        x, y = int(text.attrib["x"]), int(text.attrib["y"])
        assert (x - EDGE) % CELL[0] == 0
        assert int(text.attrib["textLength"]) == width(said) * CELL[0]
        assert "  " not in said  # SVG joins spaces, and would draw the letters apart
        rows.setdefault((y - EDGE) // CELL[1], {})[(x - EDGE) // CELL[0]] = said
    for number, line in enumerate(sheet(replay, at, Paper.of(signs, DARK)), start=2):
        line = tuple((re.sub(f"[{QUADRANTS}]", " ", text), role) for text, role in line)
        drawn, column = "", 0
        for start, said in sorted(rows.get(number, {}).items()):
            drawn += " " * (start - column) + said
            column = start + width(said)
        assert drawn == plain(line).rstrip()
    check_blocks(root, sheet(replay, at, Paper.of(signs, DARK)))
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", ET.tostring(root).decode())
    assert root.attrib["aria-label"].startswith(replay.title)


def check_blocks(root: ET.Element, lines: tuple[Line, ...]) -> None:
    """Check that every quarter of every cell has the colour that a terminal would give it."""
    colored: dict[tuple[float, float], str] = {}
    for path in root.iter(f"{SVG}path"):
        for box in re.findall(r"M(\S+) (\S+)h(\S+)v(\S+)h-\S+z", path.attrib["d"]):
            x, y, wide, high = map(float, box)
            for dx in range(round(2 * wide / CELL[0])):
                for dy in range(round(2 * high / CELL[1])):
                    place = x + dx * CELL[0] / 2, y + dy * CELL[1] / 2
                    colored[place] = path.attrib["fill"]
    for row, line in enumerate(lines, start=2):
        column = 0
        for text, role in line:
            pen = DARK.pen(role)
            for sign in text:
                bits = QUADRANTS.find(sign)
                for n in range(4):
                    left = EDGE + (column + n % 2 / 2) * CELL[0]
                    top = EDGE + (row + n // 2 / 2) * CELL[1]
                    wanted = pen.ink if bits > 0 and bits >> n & 1 else pen.paper
                    assert colored.get((left, top), DARK.pen("").paper) == wanted
                column += width(sign)


def test_a_picture_of_any_theme_has_its_ground() -> None:
    replay = Replay(log_of(a_match("kuzushi")))
    for name in colors.names():
        palette = colors.read(name)
        ground = ET.fromstring(picture(replay, 0, Paper.of(glyphs.LETTERS, palette))).find(
            f"{SVG}rect"
        )
        assert ground.attrib["fill"] == palette.app["background"]


# --- Recordings -------------------------------------------------------------------------------


def check_recording(replay: Replay, lines: list[str], seconds: float = 1.0) -> None:
    """Play a recording in a terminal and compare each frame with the sheet of its position."""
    head, *events = map(json.loads, lines)
    assert head["version"] == 2
    screen = pyte.Screen(head["width"], head["height"])
    stream = pyte.Stream(screen)
    at = -1
    for time, kind, said in events:
        if kind == "m":
            assert said == f"{at + 1}: {replay.course.events[at + 1]}"
            continue
        at += 1
        stream.feed(said)
        if at > replay.last:
            assert time > replay.last * seconds
            break
        assert time == round(at * seconds, 3)
        rows = [row.rstrip() for row in screen.display]
        assert rows[0].strip() == f"{replay.title}  step {at} of {replay.last}"
        for row, line in zip(rows[1:], sheet(replay, at, KANJI), strict=False):
            assert shapes(row) == shapes(f" {plain(line)}")
    assert at == replay.last + 1
    marks = [said for _, kind, said in events if kind == "m"]
    assert len(marks) == sum(map(bool, replay.course.events))


@pytest.mark.slow
def test_a_recording_is_played_in_a_terminal_frame_by_frame() -> None:
    replay = Replay(log_of(a_match("kitsu")))
    lines = list(recording(replay, KANJI, 0.25))
    check_recording(replay, lines, 0.25)
    first, *rest = (len(json.loads(line)[2]) for line in lines[1:] if '"o"' in line)
    assert sum(rest) / len(rest) < first / 3  # only what changed is written


def test_colours_of_a_recording_are_those_of_the_theme() -> None:
    replay = Replay(log_of(walk(Setup.of(kuzushi), 1, longest=3)))
    lines = list(recording(replay, LETTERS))
    screen = pyte.Screen(*(json.loads(lines[0])[key] for key in ("width", "height")))
    stream = pyte.Stream(screen)
    for _, kind, said in map(json.loads, lines[1:-1]):
        stream.feed(said if kind == "o" else "")
    for y, line in enumerate(sheet(replay, 3, LETTERS), start=1):
        x = 1
        for text, role in line:
            pen = DARK.pen(role)
            for sign in text:
                cell = screen.buffer[y][x]
                shown = {f"#{cell.bg}", f"#{cell.fg}"}
                if sign in QUADRANTS[1:]:  # drawn by either colour, in one form or another
                    assert shown >= {pen.ink} if sign == "█" else shown == {pen.ink, pen.paper}
                elif sign == " " and cell.data == "█":
                    assert f"#{cell.fg}" == pen.paper, (y, x, role)
                else:
                    assert f"#{cell.bg}" == pen.paper, (y, x, role)
                    assert sign == " " or f"#{cell.fg}" == pen.ink
                x += width(sign)
