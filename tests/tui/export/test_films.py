"""Matches that move: the film (an animated SVG) and the GIF, frame by frame."""

from __future__ import annotations

import re
import sys
import xml.etree.ElementTree as ET
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner
from PIL import Image

from kumite.cli.main import main
from kumite.core.game import Setup
from kumite.core.games import GAMES
from kumite.core.log import log_text
from kumite.tui.export import gif as drawing
from kumite.tui.export import reel as reels
from kumite.tui.export.film import film
from kumite.tui.export.gif import gif
from kumite.tui.export.reel import LAST, MOST, Cell, reel, shown_steps
from kumite.tui.export.sheet import sheet, written
from kumite.tui.export.svg import CELL, EDGE
from kumite.tui.play.replaying import Replay
from kumite.tui.scenes.lines import plain
from tests.support.exported import DARK, KANJI, LETTERS, a_match, log_of
from tests.support.random_matches import walk

SVG = "{http://www.w3.org/2000/svg}"
BLOCKS = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"


class Canvas:
    """What is seen of a film: a colour for each quarter of a cell, texts over them."""

    def __init__(self, ground: str) -> None:
        self.ground = ground
        self.colors: dict[tuple[int, int], str] = {}
        self.texts: dict[tuple[int, int], tuple[str, str]] = {}  # sign and ink by column and row

    def draw(self, part: ET.Element) -> None:
        if part.tag == f"{SVG}path":
            for box in re.findall(r"M(\d+) (\d+)h(\d+)v(\d+)h-\d+z", part.get("d", "")):
                x, y, wide, high = map(int, box)
                for place in ((x + i, y + j) for i in range(wide) for j in range(high)):
                    self.colors[place] = part.get("fill", "")
                    self.texts.pop((place[0] // 2, place[1] // 2), None)
        elif part.tag == f"{SVG}text":
            column = (int(part.get("x", "")) - EDGE) // CELL[0]
            row = (int(part.get("y", "")) - EDGE) // CELL[1]
            said = part.text or ""
            wide = int(part.get("textLength", "")) // CELL[0] // len(said)
            for at, sign in enumerate(said):
                if sign != " ":
                    self.texts[column + at * wide, row] = sign, part.get("fill", "")
        for inner in part:
            self.draw(inner)

    def cell(self, column: int, row: int) -> tuple[object, ...]:
        places = [(2 * column + i, 2 * row + j) for j in (0, 1) for i in (0, 1)]
        quarters = [self.colors.get(place, self.ground) for place in places]
        return (*quarters, self.texts.get((column, row)))


def meant(cell: Cell) -> tuple[object, ...]:
    pen = DARK.pen(cell.role)
    bits = BLOCKS.find(cell.sign) if cell.sign else 0
    quarters = [pen.ink if bits > 0 and bits >> n & 1 else pen.paper for n in range(4)]
    return (*quarters, (cell.sign, pen.ink) if bits < 0 else None)


def layers(text: str) -> tuple[list[ET.Element], list[list[ET.Element]], dict[str, float]]:
    """Return what is there from the start, what comes step by step, and when, in hundredths."""
    root = ET.fromstring(text)
    style = root.findtext(f"{SVG}style") or ""
    rule = r"@keyframes (k\d+)\{0%\{visibility:hidden\}([\d.e+-]+)%,to\{visibility:visible\}\}"
    first, later, times = [], [], {}
    begins = {name: float(moment) for name, moment in re.findall(rule, style)}
    for part in root:
        named = re.match(r"animation-name:(k\d+)", part.get("style", ""))
        if named:
            later.append(list(part))
            times[named[1]] = begins[named[1]]
        elif part.tag in (f"{SVG}g", f"{SVG}text"):
            first.append(part)
    return first, later, times


@pytest.mark.slow
@pytest.mark.parametrize("game_id", GAMES)
def test_a_film_shows_every_position_cell_by_cell(game_id: str) -> None:
    match = a_match(game_id, GAMES[game_id].SEATS[-1])
    replay = Replay(log_of(match.back(min(match.number, 10))))
    shown = reel(replay, KANJI)
    first, later, times = layers(film(replay, KANJI))
    canvas = Canvas(DARK.pen("").paper)
    for part in first:
        canvas.draw(part)
    to_come = iter(zip(times.values(), later, strict=True))
    for frame, runs in shown.changes(DARK):
        if frame.begins and runs:
            moment, layer = next(to_come)
            assert moment == pytest.approx(100 * frame.begins / shown.seconds, rel=1e-3)
            for part in layer:
                canvas.draw(part)
        for y, row in enumerate(frame.rows):
            assert [canvas.cell(x, y) for x in range(shown.columns)] == [*map(meant, row)], y
    assert next(to_come, None) is None


@pytest.mark.slow
@pytest.mark.parametrize("eyes", ["open", "1", "spectator"])
def test_a_film_shows_what_its_eyes_see(eyes: str) -> None:
    replay = Replay(log_of(a_match("kitsune", 2)), eyes)
    for at, frame in zip(shown_steps(replay), reel(replay, LETTERS).frames, strict=True):
        rows = ["".join(cell.sign for cell in row).rstrip() for row in frame.rows]
        table = [plain(written(line, LETTERS.look)).rstrip() for line in sheet(replay, at, LETTERS)]
        assert rows[2 : 2 + len(table)] == table


@pytest.mark.slow
def test_a_film_has_nothing_from_elsewhere_and_can_stand_still() -> None:
    text = film(Replay(log_of(a_match("kitsu"))), LETTERS)
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
    assert not re.search("<script|<image|<foreignObject|@import|url\\(|@font-face| on[a-z]+=", text)
    assert "prefers-reduced-motion" in text


def test_a_step_takes_its_time_and_the_last_position_longer() -> None:
    replay = Replay(log_of(a_match("kuzushi")))
    shown = reel(replay, LETTERS, 0.4)
    assert {round(frame.seconds, 6) for frame in shown.frames[:-1]} == {0.4}
    assert shown.frames[-1].seconds == LAST
    for one, two in pairwise(shown.frames):
        assert one.begins + one.seconds == pytest.approx(two.begins)


def test_cards_are_dealt_quickly_and_what_both_show_is_not() -> None:
    dealt = reel(Replay(log_of(a_match("kitsune", 2))), LETTERS)
    assert [frame.seconds for frame in dealt.frames[2:8]] == [reels.DEALT] * 6
    match = a_match("kiriai")
    duel = reel(Replay(log_of(match)), LETTERS)
    for one, frame in zip(match.line()[:-1], duel.frames, strict=False):
        if one.last is not None and one.last.step.startswith(("first:", "second:")):
            assert frame.seconds == 1.0


def test_a_long_match_leaves_steps_out_but_not_the_last() -> None:
    match = walk(Setup.of(GAMES["kumo"]), 2, 2 * MOST + 5)
    steps = shown_steps(Replay(log_of(match)))
    assert len(steps) <= MOST + 1
    assert (steps[0], steps[-1]) == (0, match.number)


def pixels(image: Image.Image, column: int, row: int) -> set[tuple[int, ...]]:
    x, y = drawing.EDGE + column * drawing.CELL[0], drawing.EDGE + row * drawing.CELL[1]
    cut = image.crop((x, y, x + drawing.CELL[0], y + drawing.CELL[1]))
    return {color for _, color in cut.getcolors()}


@pytest.mark.slow
@pytest.mark.parametrize("game_id", ["kitsu", "kiriai"])
def test_a_gif_shows_the_same_frames_as_long(game_id: str) -> None:
    match = a_match(game_id)
    replay = Replay(log_of(match.back(min(match.number, 12))))
    shown = reel(replay, LETTERS, 0.5)
    with Image.open(BytesIO(gif(replay, LETTERS, 0.5))) as image:
        assert getattr(image, "n_frames") == len(shown.frames)  # noqa: B009
        assert image.info["loop"] == 0
        for number, frame in enumerate(shown.frames):
            image.seek(number)
            assert image.info["duration"] == round(1000 * frame.seconds)
            seen = image.convert("RGB")
            for y, row in enumerate(frame.rows):
                for x, cell in enumerate(row):
                    pen = DARK.pen(cell.role)
                    used = {tuple(bytes.fromhex(color[1:])) for color in pen[:2]}
                    here = pixels(seen, x, y)
                    if cell.sign == " ":
                        assert here == {tuple(bytes.fromhex(pen.paper[1:]))}
                    elif cell.sign in BLOCKS and cell.sign:
                        assert here <= used
                    elif cell.sign:
                        assert tuple(bytes.fromhex(pen.paper[1:])) in here
                        assert len(here) > 1, cell


def test_without_pillow_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = log_of(a_match("kitsu"))
    path = tmp_path / "x.kumite"
    path.write_text(log_text(log.header, log.match), encoding="utf-8")
    monkeypatch.delitem(sys.modules, "kumite.tui.export.gif")
    monkeypatch.setitem(sys.modules, "PIL", None)
    done = CliRunner().invoke(main, ["log", "export", str(path), "--as", "gif", "-o", str(path)])
    assert done.exit_code == 2
    assert "a GIF needs Pillow" in done.stderr
    assert 'pip install "kumite[gif]"' in done.stderr
