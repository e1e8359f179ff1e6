"""What the pages say of the code is there: files, folders, links, and names with dots."""

from __future__ import annotations

import re
from pathlib import Path
from pkgutil import resolve_name

import pytest

from tests.support.places import ROOT

PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "ARCHITECTURE.md")),
    *sorted((ROOT / "docs").glob("*.md")),
]
ROOMS = "core|store|net|tui|cli|tools|themes|tests|docs"
every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)


@every_page
def test_every_file_and_folder_that_a_page_names_exists(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for path in re.findall(rf"`((?:{ROOMS})/[\w./]*)`", text):
        if "NAME" in path:  # of any game: one that we have
            path = path.replace("NAME", "kuzushi")
        assert (ROOT / path).exists(), path


def anchors(text: str) -> list[str]:
    """Return by what a link names the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return [re.sub(r"[^\w -]", "", one).lower().replace(" ", "-") for one in headings]


@every_page
def test_every_link_to_a_page_leads_to_it_and_to_its_heading(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)]+)\)", text):
        if target.startswith("https://"):
            continue
        path, _, heading = target.partition("#")
        linked = (page.parent / path) if path else page
        assert linked.exists(), target
        if heading:
            assert heading in anchors(linked.read_text(encoding="utf-8"))


@every_page
def test_every_module_and_what_a_page_names_of_it_exists(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for name in re.findall(rf"`(?:kumite\.)?((?:{ROOMS})\.\w+(?:\.\w+)*)`", text):
        resolve_name(f"kumite.{name}")


def test_every_test_that_a_page_names_exists() -> None:
    tests = {path: path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py")}
    known = {path.stem for path in tests}
    for text in tests.values():
        known |= set(re.findall(r"^(?:async )?def (test_\w+)", text, re.MULTILINE))
    named = {
        (page.name, name)
        for page in PAGES
        for name in re.findall(r"`(test_\w+)(?:\.py)?`", page.read_text(encoding="utf-8"))
    }
    assert len(named) > 50
    assert not {(page, name) for page, name in named if name not in known}


def rows_of_losses() -> list[tuple[str, str, str]]:
    """Return when, what and the proof of each line of the page of losses."""
    text = (ROOT / "docs" / "losses.md").read_text(encoding="utf-8")
    cells = [
        tuple(one.strip() for one in line.strip("|").split("|"))
        for line in text.split("\n")
        if line.startswith("| ") and not line.startswith(("| when", "| ---"))
    ]
    return [(when, what, proof) for when, what, proof in cells]


@pytest.mark.parametrize("row", rows_of_losses(), ids=lambda row: row[0])
def test_what_is_said_of_losses_is_proved_by_a_test_of_that_name(row: tuple[str, str, str]) -> None:
    when, what, proof = row
    assert when
    assert what
    text, found = "", 0
    for name in re.findall("`([^`]+)`", proof):
        if name.endswith(".py"):
            (path,) = (ROOT / "tests").rglob(name)
            text = path.read_text(encoding="utf-8")
        else:
            assert re.search(rf"^(?:async )?def {name}\(", text, re.MULTILINE), name
            found += 1
    assert found


def test_there_is_something_to_look_at() -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    for said in ("core/codes.py", "tui/scenes/maker.py", "docs/rules/NAME.md", "core.game.Game"):
        assert f"`{said}`" in text
