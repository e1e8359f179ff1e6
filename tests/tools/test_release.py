"""A release is refused if its version, its changelog or its notices are not in order."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from kumite.tools.release import problems, screen, with_links_to
from tests.support.places import ROOT

FILES = ("pyproject.toml", "CHANGELOG.md", "NOTICE", "serve/web.py")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "serve").mkdir()
    for name in FILES:
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def test_the_tree_could_be_released_but_for_its_version(tree: Path) -> None:
    assert problems(tree, is_dry=True) == []
    (said,) = problems(tree, is_dry=False)
    assert "CHANGELOG.md has no changes under" in said


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        ("pyproject.toml", 'version = "0.1.0"', 'version = "0.1"', "not MAJOR.MINOR.PATCH"),
        ("CHANGELOG.md", "\n- ", "\n", "no changes under Unreleased"),
        ("NOTICE", "fonts/", "font/", "licence of fonts/RobotoMono-VariableFont_wght.ttf"),
        ("serve/web.py", '"css/', '"css/other-', "licence of css/other-xterm.css"),
    ],
)
def test_what_is_not_in_order_is_named(
    tree: Path, name: str, old: str, new: str, said: str
) -> None:
    path = tree / name
    path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")
    assert any(said in one for one in problems(tree, is_dry=True))


def test_a_changelog_with_version_and_date_is_in_order(tree: Path) -> None:
    path = tree / "CHANGELOG.md"
    path.write_text(path.read_text("utf-8").replace("## Unreleased", "## 0.1.0 - 2026-12-01"))
    assert problems(tree, is_dry=False) == []


def test_a_screen_is_waited_for_and_what_ends_without_it_is_named(tmp_path: Path) -> None:
    shows = (sys.executable, "-c", "import os, time; print(os.environ['HOME']); time.sleep(60)")
    with screen(tmp_path, *shows, shown=str(tmp_path), cwd=tmp_path) as (took, said):
        assert 0 < took < 15
        assert str(tmp_path) in said
    with (
        pytest.raises(SystemExit, match=r"does not show 'Kuzushi'.*\n.*nothing"),
        screen(tmp_path, sys.executable, "-c", "print('nothing')"),
    ):
        pass


def test_on_an_index_readme_has_its_pictures_and_pages() -> None:
    text = with_links_to("https://example.org/v1", (ROOT / "README.md").read_text("utf-8"))
    assert "](https://example.org/v1/docs/kitsu-film.svg)" in text
    assert "](docs/" not in text
    kept = "[a](https://x.org), [b](#games), [c](mailto:a@b)"
    assert with_links_to("https://example.org/v1/", kept) == kept
    assert with_links_to("", "[a](docs/b.md)") == "[a](docs/b.md)"
