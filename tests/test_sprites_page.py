"""docs/sprites.md: its pictures are drawn from today's files, its table is true, its skin works."""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest

from kumite.tools.sprite_sheets import FOLDER, GROUPS, SCALE, Group, group_of, sheet
from kumite.tui.drawing.pixels import Brush
from kumite.tui.drawing.squares import UNMARKED, square
from kumite.tui.look import sprites
from kumite.tui.look.sprites import Picture, Skin
from kumite.tui.scenes.lines import plain
from kumite.tui.scenes.model import Cell
from tests.support.places import ROOT

UNIT = SCALE // 2  # of a silhouette, which is half as wide
PAGE = (ROOT / "docs" / "sprites.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group.name)
def test_pictures_are_drawn_from_the_files_as_they_are(group: Group) -> None:
    drawn, now = (FOLDER / f"{group.name}.svg").read_text(encoding="utf-8"), sheet(group)
    assert drawn == now, changes(drawn, now)
    assert f"](sprites/{group.name}.svg)" in PAGE
    names = {name for name in sprites.shipped() if group_of(name) is group}
    assert names
    assert set(re.findall(r">([a-z0-9-]+)</text>", drawn)) == names


def pixels(sheet: str) -> dict[str, tuple[str, ...]]:
    """Return the rows of pixels of each sprite of a sheet: a letter for each colour."""
    found = {}
    for part in sheet.split("<text ")[1:]:
        name = re.search(r">([a-z0-9-]+)</text>", part)
        assert name is not None
        boxes = [
            (letter, *map(int, box))
            for letter, path in zip(
                string.ascii_letters, re.findall(r' d="(.*)"', part), strict=False
            )
            for box in re.findall(r"M(\d+) (\d+)h(\d+)v(\d+)", path)
        ]
        left, top = min(x for _, x, *_ in boxes), min(y for _, _, y, *_ in boxes)
        wide, high = max(x + w for _, x, _, w, _ in boxes), max(y + h for _, _, y, _, h in boxes)
        rows = [["."] * ((wide - left) // UNIT) for _ in range((high - top) // SCALE)]
        for letter, x, y, w, _ in boxes:
            at = slice((x - left) // UNIT, (x - left + w) // UNIT)
            rows[(y - top) // SCALE][at] = letter * (w // UNIT)
        found[name[1]] = tuple("".join(row) for row in rows)
    return found


def changes(before: str, after: str) -> str:
    """Return the pictures that have changed, before and after; those that came or went, too."""
    was, now = pixels(before), pixels(after)
    said = ["`make pictures` draws it anew, if it is meant"]
    for name in sorted(was.keys() | now.keys()):
        if was.get(name) != now.get(name):
            for when, rows in (("before", was.get(name, ())), ("after", now.get(name, ()))):
                said += [f"{name} {when}:", *rows]
    return "\n".join(said)


def test_a_pixel_that_has_changed_is_shown_before_and_after() -> None:
    """Of the sprite whose pixel it is, and of no other."""
    now = sheet(GROUPS[0])
    other = re.sub(r'd="M(\d+) (\d+)h4v4h-4z', r'd="', now, count=1)
    assert other != now
    said = changes(other, now).split("\n")
    assert [line for line in said if line.endswith(":")] == ["fox before:", "fox after:"]
    before, after = said[2 : len(said) // 2 + 1], said[len(said) // 2 + 2 :]
    assert len(before) == len(after)
    (row,) = (pair for pair in zip(before, after, strict=True) if pair[0] != pair[1])
    assert row[0].count(".") == row[1].count(".") + SCALE // UNIT
    assert changes(now, now).count("\n") == 0


@pytest.mark.parametrize("name", sprites.shipped())
def test_the_page_names_every_sprite_with_its_sizes(name: str) -> None:
    sprite = Skin().sprite(name)
    row = re.search(rf"^\| `{name}` \| [^|]+ \| ([^|]*) \| ([^|]*) \|$", PAGE, re.MULTILINE)
    assert row is not None
    assert row[1].split() == [size_of(one) for one in sprite.pictures]
    assert row[2].split() == [size_of(one) for one in sprite.shapes]


def size_of(picture: Picture) -> str:
    return f"{picture.width}x{picture.height}"


@pytest.mark.parametrize("name", sprites.shipped())
def test_silhouettes_of_ours_have_two_colours_a_cell(name: str) -> None:
    for shape in Skin().sprite(name).shapes:
        for y in range(0, shape.height, 2):
            for x in range(0, shape.width, 2):
                corners = {one for row in shape.rows[y : y + 2] for one in row[x : x + 2]}
                assert len(corners) <= 2, (size_of(shape), x, y)


def test_the_skin_of_the_page_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (example,) = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)
    monkeypatch.setattr(sprites, "users_folder", lambda: tmp_path)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "fox.txt").write_text(example, encoding="utf-8")
    skin, broken = sprites.usable("mine")
    assert broken == ()
    ours = Skin().sprite("fox")
    mine = skin.sprite("fox")
    assert size_of(mine.pictures[0]) == "8x8"
    assert mine.pictures[0] not in ours.pictures
    assert skin.sprite("samurai") == Skin().sprite("samurai")
    cell = Cell("c4", "F", "base-1", sprite="fox", owner=1, ground="summer-a")
    rows = square(cell, UNMARKED, Brush(skin), 10, 5)
    assert rows is not None
    assert rows[0][:2] == ((" ", "/summer-a"), ("▀", "summer-a/white"))
    assert any(ink.endswith("/seat-1-dark") for row in rows for _, ink in row)
    small = square(cell, UNMARKED, Brush(skin), 5, 2)
    assert small is not None
    assert plain(small[0]) == " ▙▄▟ "
    assert small[0][0] == (" ▙", "white/summer-a")
