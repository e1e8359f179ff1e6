"""Decisions that code and tests of a game cite stand on its rules page, and no others."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from kumite.core.games import GAMES
from tests.support.places import ROOT

NUMBER = r"[A-Z][1-9][0-9]?"  # A7 a decision, F2 a fact; squares and cards are lower case
RANGE = rf"\b({NUMBER}) to ({NUMBER})\b"
every_game = pytest.mark.parametrize("game_id", GAMES)


def own_files(game_id: str) -> list[Path]:
    folders = [ROOT / room / game_id for room in ("core/games", "tui/games")]
    files = [path for folder in folders for path in folder.rglob("*.py")]
    tests = [*(ROOT / "tests").rglob(f"test_{game_id}.py")]
    tests += (ROOT / "tests").rglob(f"test_{game_id}_*.py")
    return [*files, *tests]


def said(source: str) -> Iterator[str]:
    """Yield what a source says to its readers: comments, docstrings, and the names of tests.

    Other strings are data: a hexadecimal number, or a step that somebody typed in capitals.
    """
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.string
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Expr(ast.Constant(str(text))):
                yield text
            case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) if name.startswith("test_"):
                yield name.replace("_", " ")


def cited(source: str) -> set[str]:
    """Return the numbers that a source cites one by one: a range cites nothing, it only counts."""
    texts = [re.sub(RANGE, "", text) for text in said(source)]
    return {number for text in texts for number in re.findall(rf"\b{NUMBER}\b", text)}


def decided(page: str) -> list[str]:
    """Return the numbers of the decisions on a page, in its order; `?` for a point without one."""
    _, _, section = page.partition("\n## House decisions\n")
    points = re.findall(r"^- (.*)$", section, re.MULTILINE)
    found = [re.fullmatch(rf"({NUMBER}): \S.*", point) for point in points]
    return [match[1] if match else "?" for match in found]


def page_of(game_id: str) -> str:
    return (ROOT / "docs" / "rules" / f"{game_id}.md").read_text(encoding="utf-8")


@every_game
def test_what_is_cited_is_on_the_page_and_what_is_on_the_page_is_cited(game_id: str) -> None:
    found = {path: cited(path.read_text(encoding="utf-8")) for path in own_files(game_id)}
    numbers = decided(page_of(game_id))
    for path, citations in found.items():
        assert citations <= set(numbers), path
    assert set(numbers) == set().union(*found.values())


@every_game
def test_decisions_stand_on_the_page_once_and_in_order(game_id: str) -> None:
    numbers = decided(page_of(game_id))
    assert "?" not in numbers
    assert numbers == sorted(set(numbers), key=lambda number: (number[0], int(number[1:])))


@every_game
def test_the_first_and_last_number_that_the_rules_name_are_those_of_the_page(game_id: str) -> None:
    rules = ROOT / "core" / "games" / game_id / "rules.py"
    docstring = ast.get_docstring(ast.parse(rules.read_text(encoding="utf-8"))) or ""
    numbers = decided(page_of(game_id))
    ranges = re.findall(RANGE, docstring)
    assert bool(ranges) == bool(numbers)  # a page need not have decisions
    for first, last in ranges:
        of_letter = [number for number in numbers if number[0] == first[0]]
        assert (first, last) == (of_letter[0], of_letter[-1])
    assert {first[0] for first, _ in ranges} == {number[0] for number in numbers}


def test_a_citation_is_told_from_data() -> None:
    source = '''"""Of a game (A1, A2), whose decisions are A1 to A9; `a7` is a square."""
SIZE = 9  # A3
"""The size (fact F2)."""
TYPED = ("A5-C3", "F8", "0xB4")  # and what `#B6C7` is

def test_A10_a_run_is_two_steps() -> None:
    """Run."""
'''
    assert cited(source) == {"A1", "A2", "A3", "F2", "A10"}


def test_a_decision_on_a_page_has_a_number_and_a_sentence() -> None:
    page = "\n## Your turn\n\n- A1: no.\n\n## House decisions\n\n- A2: yes.\n- A3:\n- F1: so.\n"
    assert decided(page) == ["A2", "?", "F1"]
