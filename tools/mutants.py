"""Mutation testing: change the program in many small ways and see which changes the tests notice.

    python -m kumite.tools.mutants --list
    python -m kumite.tools.mutants --results mutants.jsonl
    python -m kumite.tools.mutants --only 17

Each mutant changes one line: a comparison is inverted, a number is one too large, a condition is
negated, or a statement is removed. Mutants are drawn with a seed, equally many from each package,
so a number means the same mutant until a file of its package changes. The tests nearest to the
changed module run in a copy of the tree until one fails; then the mutant is killed. `--results`
names a file of known results, from which an interrupted run resumes.
"""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from random import Random
from time import monotonic
from typing import Final

import click

ROOT: Final = Path(__file__).resolve().parent.parent
PACKAGES: Final = ("core", "net", "store", "tui", "serve", "cli")
COUNT: Final = 127
LIMIT: Final = 120  # s for the tests of one mutant
FEW: Final = 4  # with fewer test files for a module, others in its folder run as well
KILLED, SURVIVED, SLOW = "killed", "survived", "out of time"
TURNED: Final = {
    ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="), ast.In: (" in ", " not in "),
    ast.NotIn: (" not in ", " in "), ast.Is: (" is ", " is not "), ast.IsNot: (" is not ", " is "),
}  # fmt: skip
BY_HAND: Final = (  # that were made by hand once, and that no test noticed
    ("core/table.py", "event != outcome_end(table.match)", "not outcome_end(table.match)"),
    ("core/games/kitsu/bot/kernel.py", "if over != WON:", "if not over:"),
    ("net/wire/fields.py", " and clean(one, limit) == one", ""),
    (
        "store/library.py",
        "(kept[name].size, kept[name].changed) == stamp",
        "kept[name].size == stamp[0]",
    ),
    ("tui/plain/console.py", "harmless(self.spoken(line))", "self.spoken(line)"),
    ("net/transport/journal.py", "            self._synced.now()", "            pass"),
    (
        "tui/games/kiriai/words.py",
        "(*BASIC, *(() if side.spent else (side.special,)))",
        "(*BASIC, side.special)",
    ),
)


@dataclass(frozen=True)
class Mutant:
    """One change: a range of characters in a line, and their replacement."""

    file: str  # relative to the root
    line: int  # from 1
    start: int  # columns, from 0
    end: int
    text: str
    kind: str

    def applied(self, source: str) -> str:
        lines = source.split("\n")
        line = lines[self.line - 1]
        lines[self.line - 1] = line[: self.start] + self.text + line[self.end :]
        return "\n".join(lines)

    def difference(self, source: str) -> str:
        """Return the line before and after."""
        before, after = (text.split("\n")[self.line - 1] for text in (source, self.applied(source)))
        return f"{self.file}:{self.line} ({self.kind})\n-{before}\n+{after}"


# --- Making them ------------------------------------------------------------------------------


def mutants(source: str, file: str) -> list[Mutant]:
    """Return all mutants of the functions in a module, in line order."""
    lines = source.split("\n")
    found: list[Mutant] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for part in node.body:
                for one in ast.walk(part):
                    found += _mutants_of(one, lines, file)
    return sorted(set(found), key=lambda one: (one.line, one.start, one.text))


def _mutants_of(node: ast.AST, lines: list[str], file: str) -> Iterator[Mutant]:
    def made(kind: str, at: ast.expr | ast.stmt, text: str) -> Iterator[Mutant]:
        if at.lineno == at.end_lineno and lines[at.lineno - 1].isascii():
            assert at.end_col_offset is not None
            yield Mutant(file, at.lineno, at.col_offset, at.end_col_offset, text, kind)

    def written(one: ast.expr) -> str:
        return lines[one.lineno - 1][one.col_offset : one.end_col_offset]

    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        before, after = TURNED[type(node.ops[0])]
        right, left = node.comparators[0], node.left
        between = (left.end_col_offset or 0, right.col_offset)
        sign = lines[node.lineno - 1][slice(*between)]
        if node.lineno == node.end_lineno and before.strip() == sign.strip():
            yield from made("comparison", node, f"{written(left)} {after.strip()} {written(right)}")
    elif isinstance(node, ast.BoolOp) and len(node.values) == 2:
        first, second = node.values
        if node.lineno == node.end_lineno:
            whole, start = written(node), node.col_offset
            left_end, begin = (first.end_col_offset or 0) - start, second.col_offset - start
            words = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
            joint = whole[left_end:begin].replace(*words)  # with parentheses, if there are
            yield from made("and, or", node, f"{whole[:left_end]}{joint}{whole[begin:]}")
    elif isinstance(node, ast.If | ast.While | ast.IfExp) and not isinstance(
        node.test, ast.Compare
    ):
        test = node.test
        if "TYPE_CHECKING" not in ast.unparse(test) and test.lineno == test.end_lineno:
            yield from made("condition", test, f"(not ({written(test)}))")
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield from made("truth", node, str(not node.value))
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield from made("number", node, str(node.value + 1))
    elif isinstance(node, ast.AugAssign) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Call | ast.Await)
    ):
        yield from made("statement", node, "pass")


def by_hand() -> list[Mutant]:
    """Return the handmade mutants.

    Raises:
        ValueError: the code of one no longer exists.
    """
    found = []
    for file, before, after in BY_HAND:
        lines = (ROOT / file).read_text("utf-8").split("\n")
        places = [(at, line.find(before)) for at, line in enumerate(lines, 1) if before in line]
        if not places:
            raise ValueError(f"{file} has no {before!r}")
        line, start = places[0]
        found.append(Mutant(file, line, start, start + len(before), after, "by hand"))
    return found


def drawn(seed: int, count: int) -> list[Mutant]:
    """Draw equally many mutants from each package, with random files and kinds."""
    chosen = by_hand()
    each = -(-(count - len(chosen)) // len(PACKAGES))
    for package in PACKAGES:
        rng = Random(f"{seed} {package}")
        files = sorted((ROOT / package).rglob("*.py"))
        kept: set[Mutant] = set()
        while len(kept) < each:
            path = rng.choice(files)
            file = path.relative_to(ROOT).as_posix()
            by_kind: dict[str, list[Mutant]] = {}
            for one in mutants(path.read_text("utf-8"), file):
                by_kind.setdefault(one.kind, []).append(one)
            if by_kind:
                kept.add(rng.choice(by_kind[rng.choice(sorted(by_kind))]))
        chosen += sorted(kept, key=lambda one: (one.file, one.line, one.start))
    return chosen


# --- Running the tests ------------------------------------------------------------------------


def near_tests(file: str, root: Path) -> list[str]:
    """Return the test files for a module, nearest first.

    First come those that import it, then those named after it or its folder; in both groups, those
    that import little else come first. If there are only a few, those in the same folder follow.
    """
    module = "kumite." + file.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
    parent, _, name = module.rpartition(".")
    named = re.compile(
        rf"\b{re.escape(module)}\b|from {re.escape(parent)} import [^\n]*\b{re.escape(name)}\b"
    )
    parts = set(module.split(".")[2:])
    ranks: dict[Path, tuple[int, int, int]] = {}
    for path, imports in _tests(root):
        called = len(parts & set(path.stem.split("_")))
        if (is_importing := bool(named.search(imports))) or called:
            ranks[path] = (1 - is_importing, -called, imports.count("\n"))
    near = Path(file).parent
    while not (root / "tests" / near).is_dir():
        near = near.parent
    for path in (root / "tests" / near).glob("test_*.py") if len(ranks) < FEW else ():
        ranks.setdefault(path, (2, 0, path.stat().st_size))
    return [path.relative_to(root).as_posix() for path in sorted(ranks, key=ranks.__getitem__)]


@cache
def _tests(root: Path) -> list[tuple[Path, str]]:
    """Return all test files with the text of their imports."""
    found = []
    for path in (root / "tests").rglob("test_*.py"):
        text = path.read_text("utf-8")
        found.append((path, "\n".join(line for line in text.split("\n") if "kumite" in line)))
    return found


def run(one: Mutant, tree: Path, limit: float) -> dict[str, object]:
    """Run the tests of a mutant in a copy of the tree; return the result."""
    path = tree / one.file
    source = path.read_text("utf-8")
    begun = monotonic()
    path.write_text(one.applied(source), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-rfE", "-n", "0", "-p", "no:randomly"]
    command += ["-p", "no:cacheprovider", "-m", "not long and not slow"]
    command += near_tests(one.file, tree)
    with subprocess.Popen(
        command, cwd=tree, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}, start_new_session=True,
    ) as tests:  # fmt: skip
        try:
            said, _ = tests.communicate(timeout=limit)
            status = SURVIVED if tests.returncode in (0, 5) else KILLED
        except subprocess.TimeoutExpired:
            os.killpg(tests.pid, signal.SIGKILL)
            said, status = "", SLOW
    path.write_text(source, encoding="utf-8")
    by = re.search(r"^(?:FAILED|ERROR) (\S+)", said, re.MULTILINE)
    return {"status": status, "by": by[1] if by else "", "seconds": round(monotonic() - begun, 1)}


def copied(folder: Path) -> Path:
    """Copy all files tracked by git, preserving links."""
    tree = folder / "tree"
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for name in filter(None, listed.stdout.split("\0")):
        to = tree / name
        to.parent.mkdir(parents=True, exist_ok=True)
        if os.path.lexists(ROOT / name):
            shutil.copy2(ROOT / name, to, follow_symlinks=False)
    return tree


def known(results: Path | None) -> dict[str, dict[str, object]]:
    """Read a results file, keyed by the difference that each mutant makes."""
    if results is None or not results.exists():
        return {}
    rows = map(json.loads, results.read_text("utf-8").splitlines())
    return {row["difference"]: row for row in rows}


@click.command(help=__doc__)
@click.option("--seed", default=1, show_default=True)
@click.option("--count", default=COUNT, show_default=True, help="How many mutants.")
@click.option("--limit", default=float(LIMIT), show_default=True, help="Seconds for each.")
@click.option("--list", "is_list", is_flag=True, help="Show them and run nothing.")
@click.option("--only", multiple=True, type=int, help="Run this one alone, by its number.")
@click.option("--results", type=click.Path(path_type=Path), help="Keep what is found here.")
def main(
    seed: int, count: int, limit: float, is_list: bool, only: tuple[int, ...], results: Path | None
) -> None:
    done = known(results)
    found: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        tree = ROOT if is_list else copied(Path(folder))
        for number, one in enumerate(drawn(seed, count)):
            said = one.difference((ROOT / one.file).read_text("utf-8"))
            if only and number not in only:
                continue
            if is_list:
                click.echo(f"{number} {said}")
                continue
            row = done.get(said)
            if row is None or only:
                row = {"number": number, **asdict(one), "difference": said}
                row |= run(one, tree, limit)
                if results is not None:
                    with results.open("a", encoding="utf-8") as file:
                        file.write(json.dumps(row) + "\n")
            found.append(str(row["status"]))
            by = f" by {row['by']}" if row["by"] else ""
            click.echo(f"{number} {row['status']}{by} in {row['seconds']} s\n{said}\n")
    if found:
        counts = (f"{found.count(status)} {status}" for status in (KILLED, SURVIVED, SLOW))
        click.echo(f"{len(found)} mutants: {', '.join(counts)}")


if __name__ == "__main__":
    main()
