"""Sprites: every file of ours draws, and a broken one is named with line and reason."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kumite.tui.look import colors, sprites
from kumite.tui.look.sprites import OURS, SEAT, BadSprite, Skin, owned, parse, read

FILES = sorted((OURS / sprites.DEFAULT).glob("*.txt"))
BOARD = ("samurai", "fox", "city", "base", "flag", "kumo-stone", "kumo-run")
GOOD = "# a dot\nh = seat\n\n[2x2]\nh.\n.h\n[4x2 shape]\n#..#\n.##.\n"


def test_there_is_something_to_look_at() -> None:
    assert len(FILES) > 50
    assert {f"{name}.txt" for name in BOARD} <= {path.name for path in FILES}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_file_of_ours_draws_in_colours_that_every_theme_has(path: Path) -> None:
    sprite = read(path)
    used = {one for picture in sprite.pictures for row in picture.rows for one in row if one}
    used |= {one for shape in sprite.shapes for row in shape.rows for one in row if one}
    assert used <= colors.known()
    for theme in colors.names():
        for is_full in (True, False):
            palette = colors.read(theme, is_full=is_full)
            for name in used:
                for seat in range(6):
                    owned = f"seat-{seat}{name[4:]}" if name.startswith(SEAT) else name
                    assert palette.color(owned)


@pytest.mark.parametrize("name", BOARD)
def test_pieces_of_boards_have_a_picture_or_a_shape_for_every_square(name: str) -> None:
    sprite = Skin().sprite(name)
    for width, height in ((8, 8), (10, 10), (12, 12), (16, 16), (20, 20)):
        found = sprite.picture(width, height)
        assert found.height * 2 > height
    for width, height in ((6, 4), (8, 6), (10, 6), (20, 12), (30, 18)):  # of quarters of cells
        shape = sprite.shape(width, height)
        assert (shape.width, shape.height) == (width, height)


FACES = sorted({path.stem for path in OURS.rglob("kiriai-card-*.txt")} - {"kiriai-card-back"})


@pytest.mark.parametrize("name", FACES)
def test_no_picture_of_a_card_touches_its_edges(name: str) -> None:
    """Halves of one card lie side by side; a hat at the edge looks cut."""
    for picture in read(OURS / sprites.DEFAULT / f"{name}.txt").pictures:
        assert not any(row[0] or row[-1] for row in picture.rows)


def test_an_owner_gives_a_picture_its_colours() -> None:
    picture = parse("a = seat\nb = seat-dark\nc = gold\n[4x1]\nabc.").pictures[0]
    assert owned(picture, 3).rows == (("seat-3", "seat-3-dark", "gold", ""),)
    assert owned(picture, None) is picture
    assert colors.read("dark").color("seat") != colors.read("dark").color("seat-0")


def test_only_the_colours_of_the_owner_are_changed() -> None:
    picture = parse("a = seat\nb = seat-1\nc = seat-1-dim\n[3x1]\nabc").pictures[0]
    assert owned(picture, 0).rows == (("seat-0", "seat-1", "seat-1-dim"),)


def test_silhouettes_have_colours_and_are_as_large_as_there_is_room() -> None:
    sprite = parse("k = ink\nshape = gold\n[2x2 shape]\n#.\n#k\n")
    assert sprite.shapes[0].rows == (("gold", ""), ("gold", "ink"))
    assert sprite.shape(1, 2) is None
    assert sprite.shape(3, 3) is sprite.shapes[0]
    twice = sprite.shape(5, 4)
    assert twice.rows == 2 * (("gold", "gold", "", ""),) + 2 * (("gold", "gold", "ink", "ink"),)


def test_what_a_sprite_lacks_in_small_sizes_comes_from_another() -> None:
    other = parse("a = gold\n[2x2]\naa\naa\n[4x4]\naaaa\naaaa\naaaa\naaaa\n[2x2 shape]\n##\n##\n")
    mine = parse("b = ink\n[3x3]\nbbb\nbbb\nbbb\n").over(other)
    assert [one.width for one in mine.pictures] == [3, 2]
    assert mine.shapes == other.shapes


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no picture"),
        ("h = seat\n", "no picture"),
        ("h = seat\n[2x2]\nhh\n", ":2: the file ends"),
        ("h = seat\n[2x2]\nhh\n\n", ":4: 0 pixels instead of 2"),
        ("h = seat\n[2x2]\nhhh\nhh\n", ":3: 3 pixels instead of 2"),
        ("h = seat\n[2x2]\nhx\nhh\n", ":3: no colour for 'x'"),
        ("[2x2 shape]\n#h\n##\n", ":2: no colour for 'h'"),
        ("h = Seat\n", ":1: 'h = Seat' is neither"),
        ("[0x2]\n", ":1: a side has 1 to 96"),
        ("[97x2]\n", ":1: a side has 1 to 96"),
        ("what\n", ":1: 'what' is neither"),
        ("# ours\nh = sea\n", ":2: no theme has a colour 'sea'"),
    ],
)
def test_a_broken_file_is_named_with_line_and_reason(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "fox.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadSprite) as error:
        read(path, colors.known())
    assert said in str(error.value)
    assert str(path) in str(error.value)


@given(st.binary(max_size=300))
def test_any_bytes_are_a_sprite_or_a_reason(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    with suppress(BadSprite):
        sprite = parse(text)
        assert sprite.pictures or sprite.shapes


def test_files_too_large_or_unreadable_are_refused(tmp_path: Path) -> None:
    large = tmp_path / "large.txt"
    large.write_bytes(b"# " + b"x" * sprites.MAX_BYTES)
    with pytest.raises(BadSprite, match="larger than"):
        read(large)
    latin = tmp_path / "latin.txt"
    latin.write_bytes(GOOD.encode() + b"\xe9")
    with pytest.raises(BadSprite, match=r"latin\.txt"):
        read(latin)
    (tmp_path / "folder").mkdir()
    with pytest.raises(BadSprite, match="folder"):
        read(tmp_path / "folder")


def test_a_skin_is_a_folder_and_what_it_lacks_or_breaks_is_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sprites, "users_folder", lambda: tmp_path)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "fox.txt").write_text(GOOD, encoding="utf-8")
    (tmp_path / "mine" / "samurai.txt").write_text("[2x2]\n", encoding="utf-8")
    assert sprites.names() == ("kumite", "mine")
    skin = Skin("mine")
    assert skin.sprite("fox") == parse(GOOD)
    ours = Skin()
    assert skin.sprite("samurai") == ours.sprite("samurai")
    assert skin.sprite("flag") == ours.sprite("flag")
    assert list(skin.broken) == ["samurai"]
    assert "samurai.txt:1" in str(skin.broken["samurai"])
    assert ours.broken == {}
    with pytest.raises(KeyError):
        skin.sprite("dragon")
    with pytest.raises(BadSprite, match="no skin 'theirs'"):
        Skin("theirs")
    found, (missing,) = sprites.usable("theirs")
    assert found.name == sprites.DEFAULT
    assert str(missing) == "no skin 'theirs'"


def test_all_that_is_wrong_with_a_skin_is_found_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sprites, "users_folder", lambda: tmp_path)
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "fox.txt").write_text(GOOD, encoding="utf-8")
    (mine / "moon.txt").write_text("m = cheese\n", encoding="utf-8")
    (mine / "flagg.txt").write_text(GOOD, encoding="utf-8")
    (mine / "flag.txt").mkdir()
    (mine / "samurai.txt").symlink_to(mine / "nothing")
    (mine / "read me").write_text("no sprite", encoding="utf-8")
    skin, broken = sprites.usable("mine")
    assert [str(one).removeprefix(f"{mine}/") for one in broken] == [
        "flag.txt: it is a folder, not a file",
        "flagg.txt: no sprite has this name",
        "moon.txt:1: no theme has a colour 'cheese'",
        "samurai.txt: No such file or directory",
    ]
    assert broken[1].hint == "did you mean flag.txt?"
    for name in sprites.shipped():
        assert skin.sprite(name).pictures
    assert sprites.usable(sprites.DEFAULT)[1] == ()
