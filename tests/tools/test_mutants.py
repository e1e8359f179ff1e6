"""Mutants: each is one small change that can be read, the same by the same seed, and tested."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from kumite.tools import mutants
from kumite.tools.mutants import Mutant

SOURCE = '''\
"""A module."""
LIMIT = 3


def may(a, b):
    """Say."""
    if a < 2 and not b:
        print("x")
        return True
    return False if b else a is None
'''


def changes(source: str = SOURCE) -> set[tuple[str, str]]:
    """Return the lines before and after each mutant of a text."""
    found = set()
    for one in mutants.mutants(source, "x.py"):
        _, before, after = one.difference(source).split("\n")
        found.add((before[1:].strip(), after[1:].strip()))
    return found


def test_each_is_one_change_of_a_line_within_a_function() -> None:
    test = "if a < 2 and not b:"
    assert changes() == {
        (test, "if a <= 2 and not b:"),
        (test, "if a < 3 and not b:"),
        (test, "if a < 2 or not b:"),
        (test, "if (not (a < 2 and not b)):"),
        ('print("x")', "pass"),
        ("return True", "return False"),
        ("return False if b else a is None", "return True if b else a is None"),
        ("return False if b else a is None", "return False if (not (b)) else a is None"),
        ("return False if b else a is None", "return False if b else a is not None"),
    }


def test_parentheses_stay() -> None:
    source = "def may(a):\n    return a or (b := a.next)\n"
    assert changes(source) == {("return a or (b := a.next)", "return a and (b := a.next)")}


def test_they_are_drawn_by_a_seed_from_every_package_and_can_be_read_by_python() -> None:
    found = mutants.drawn(1, mutants.COUNT)
    few = [mutants.drawn(seed, 20) for seed in (1, 1, 2)]
    assert few[0] == few[1] != few[2]
    assert len(set(found)) == len(found) >= 120
    by_package = Counter(one.file.split("/")[0] for one in found if one.kind != "by hand")
    assert set(by_package) == set(mutants.PACKAGES)
    assert min(by_package.values()) >= 19
    for one in found:
        source = (mutants.ROOT / one.file).read_text("utf-8")
        assert ast.parse(one.applied(source))
        assert one.applied(source) != source
        assert mutants.near_tests(one.file, mutants.ROOT)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Return a tree of one module and one test of it."""
    (tmp_path / "core").mkdir()
    (tmp_path / "core" / "x.py").write_text(SOURCE)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_x.py").write_text(
        "import sys\nsys.path.insert(0, 'core')\nfrom x import may\n# kumite.core.x\n"
        "def test_it():\n    assert may(1, 0)\n    assert not may(2, 0)\n"
    )
    return tmp_path


def test_a_change_that_a_test_notices_is_killed_and_another_survives(tree: Path) -> None:
    line = SOURCE.split("\n").index("    if a < 2 and not b:") + 1
    for text, status in (("a <= 2", "killed"), ("a < 1.5", "survived")):
        one = Mutant("core/x.py", line, 7, 12, text, "comparison")
        found = mutants.run(one, tree, 60)
        assert found["status"] == status
        assert found["by"] == "tests/test_x.py::test_it" * (status == "killed")
        assert (tree / "core" / "x.py").read_text() == SOURCE


def test_they_are_listed_with_their_numbers() -> None:
    done = CliRunner().invoke(mutants.main, ["--list", "--only", "7"])
    assert done.exit_code == 0
    number, before, after = done.output.strip().split("\n")
    assert number.startswith("7 core/")
    assert (before[0], after[0]) == ("-", "+")
