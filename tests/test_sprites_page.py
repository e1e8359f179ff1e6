"""docs/sprites.md: its pictures are drawn from today's files, its table is true, its skin works."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kumite.tools.pictures import FOLDER, GROUPS, Group, group_of, sheet
from kumite.tui.drawing.pixels import Brush
from kumite.tui.drawing.squares import UNMARKED, square
from kumite.tui.look import sprites
from kumite.tui.look.sprites import Picture, Skin
from kumite.tui.scenes.lines import plain
from kumite.tui.scenes.model import Cell
from tests.support.places import ROOT

PAGE = (ROOT / "docs" / "sprites.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group.name)
def test_pictures_are_drawn_from_the_files_as_they_are(group: Group) -> None:
    drawn, now = (FOLDER / f"{group.name}.svg").read_text(encoding="utf-8"), sheet(group)
    if drawn != now:
        pytest.fail(f"`make pictures` draws it anew, if it is meant:{changed(drawn, now)}", False)
    assert f"](sprites/{group.name}.svg)" in PAGE
    names = {name for name in sprites.shipped() if group_of(name) is group}
    assert names
    assert set(re.findall(r">([a-z0-9-]+)</text>", drawn)) == names


def changed(before: str, after: str) -> str:
    """Return what surrounds the pixels that differ, before and after, a letter for each colour."""
    old, new = pixels(before), pixels(after)
    differ = [at for at in old.keys() | new.keys() if old.get(at) != new.get(at)]
    (left, right), (top, bottom) = (
        (min(side) - 8, max(side) + 9) for side in zip(*differ, strict=True)
    )
    colours = sorted({*old.values(), *new.values()})
    letter = dict(zip(colours, "abcdefghijklmnopqrstuvwxyz", strict=False))
    rows = [
        "   ".join(
            "".join(letter.get(one.get((x, y), ""), ".") for x in range(left, right))
            for one in (old, new)
        )
        for y in range(top, bottom)
    ]
    return "\n".join(("", *rows))


def pixels(svg: str) -> dict[tuple[int, int], str]:
    """Return the colour of each pixel of a sheet of sprites, four units wide in its SVG."""
    found = dict[tuple[int, int], str]()
    for colour, path in re.findall(r'fill="(#\w+)" d="([^"]*)"', svg):
        for run in re.findall(r"M(\d+) (\d+)h(\d+)v(\d+)", path):
            x, y, width, height = (int(one) // 4 for one in run)
            here = ((x + i, y + j) for i in range(width) for j in range(height))
            found |= dict.fromkeys(here, colour)
    return found


@pytest.mark.parametrize("name", sprites.shipped())
def test_the_page_names_every_sprite_with_its_sizes(name: str) -> None:
    sprite = Skin().sprite(name)
    row = re.search(rf"^\| `{name}` \| [^|]+ \| ([^|]*) \| ([^|]*) \|$", PAGE, re.MULTILINE)
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
    assert rows[0][:2] == ((" ", "/summer-a"), ("▀", "summer-a/white"))
    assert any(ink.endswith("/seat-1-dark") for row in rows for _, ink in row)
    small = square(cell, UNMARKED, Brush(skin), 5, 2)
    assert plain(small[0]) == " ▙▄▟ "
    assert small[0][0] == (" ▙", "white/summer-a")
