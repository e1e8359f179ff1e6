"""Error codes: constants in one place, each on the page of docs, and no literal anywhere else."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache

from kumite.core import codes
from tests.support.places import ROOT, parsed

CODES = {name: value for name, value in vars(codes).items() if name.isupper()}
ROOMS = ("core", "store", "net", "tui", "serve", "cli", "tools")
FILES = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]
OWN = ROOT / "core" / "codes.py"
OTHER = {  # what takes a code of another kind: that of a table, or of an outcome
    *("join", "_join", "_joined", "joining", "watch", "_open"),
    *("CodeHost", "CodeJoiner", "CodeChanged", "Listening", "Session", "reason"),
    *("enter", "_enter", "entering", "TournamentFile", "TableAt", "code_line"),
}


def texts(node: ast.AST) -> Iterator[str]:
    """Yield the strings that an expression is, or may come to; not those of what it calls."""
    match node:
        case ast.Constant(str(text)):
            yield text
        case ast.IfExp(_, body, other):
            yield from texts(body)
            yield from texts(other)
        case ast.Tuple(parts) | ast.List(parts) | ast.Set(parts):
            for part in parts:
                yield from texts(part)


@cache
def takes_code() -> dict[str, set[int]]:
    """Return which argument is a code, of each function and class that takes one."""
    found: dict[str, set[int]] = {}
    for path in FILES:
        for node in ast.walk(parsed(path)):
            for name, names in signatures(node):
                if "code" in names and name not in OTHER:
                    found.setdefault(name, set()).add(names.index("code"))
    return found


def signatures(node: ast.AST) -> Iterator[tuple[str, list[str]]]:
    """Yield a function with its parameters, a class with its fields or those of its `__init__`."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        if node.name != "__init__":
            yield node.name, [one.arg for one in node.args.args if one.arg not in ("self", "cls")]
    elif isinstance(node, ast.ClassDef):
        fields = [
            one.target.id
            for one in node.body
            if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
        ]
        yield node.name, fields
        for one in node.body:
            if isinstance(one, ast.FunctionDef) and one.name == "__init__":
                yield node.name, [arg.arg for arg in one.args.args if arg.arg != "self"]


def is_code(node: ast.AST) -> bool:
    return (isinstance(node, ast.Name) and node.id == "code") or (
        isinstance(node, ast.Attribute) and node.attr == "code"
    )


def is_constant(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "codes"
    )


def literals(tree: ast.AST, takers: dict[str, set[int]]) -> Iterator[tuple[int, str]]:
    """Yield line and text of every string that is written where a code belongs."""
    for node in ast.walk(tree):
        values: list[ast.AST] = []
        match node:
            case ast.Assign(targets, value) if any(map(is_code, targets)):
                values = [value]
            case ast.AnnAssign(target, _, value) if value is not None and is_code(target):
                values = [value]
            case ast.Compare(left, _, others) if any(map(is_code, [left, *others])):
                values = [left, *others]
            case ast.Call(ast.Name(name) | ast.Attribute(_, name), args, keywords):
                values = [args[at] for at in takers.get(name, ()) if at < len(args)]
                values += [one.value for one in keywords if one.arg == "code"]
            case ast.MatchClass(ast.Name(name) | ast.Attribute(_, name), patterns):
                at = [patterns[at] for at in takers.get(name, ()) if at < len(patterns)]
                values = [one.value for one in at if isinstance(one, ast.MatchValue)]
            case ast.Tuple(parts) | ast.Set(parts) if any(map(is_constant, parts)):
                values = list(parts)
            case ast.Constant(str(text)) if "-" in text and text in CODES.values():
                yield node.lineno, text  # what is a code of several words is one anywhere
        for value in values:
            for text in texts(value):
                if text:
                    yield value.lineno, text


def listed() -> list[str]:
    page = (ROOT / "docs" / "errors.md").read_text(encoding="utf-8")
    return re.findall(r"^\| `([a-z-]+)` \| \S.* \| \S.* \|$", page, flags=re.MULTILINE)


def test_the_page_lists_every_code_once_and_no_other_in_the_order_of_the_source() -> None:
    assert listed() == list(CODES.values())


def test_codes_are_named_alike_and_each_is_there_once() -> None:
    assert len(set(CODES.values())) == len(CODES)
    for name, value in CODES.items():
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", value)
        assert name == value.replace("-", "_").upper()
        assert len(value) <= 32  # fields.MAX_TOKEN: it goes over the LAN


def test_every_code_is_used() -> None:
    used = {
        node.attr
        for path in FILES
        for node in ast.walk(parsed(path))
        if is_constant(node)
        if node.attr.isupper()
    }
    assert used == set(CODES)


def test_no_code_is_written_out() -> None:
    written = [
        f"{path.relative_to(ROOT)}:{line}: {text!r}"
        for path in FILES
        if path != OWN
        for line, text in literals(parsed(path), takes_code())
    ]
    assert written == []


def test_a_code_that_is_written_out_is_found() -> None:
    takers = {"Stop": {1}, "NotDone": {0}}
    for source, text in (
        ('class Late(Error):\n    code = "late"', "late"),
        ('class Late(Error):\n    code: str = "late"', "late"),
        ('t.tell(NotDone("flood", "That is too much"))', "flood"),
        ('send(messages.Stop(0, "full" if seats else "closed", ""))', "full"),
        ('refuse(code="full")', "full"),
        ('if error.code == "digest":\n    pass', "digest"),
        ('FINAL = ("wrong-key",)', "wrong-key"),
        ('FINAL = (codes.WRONG_KEY, "unknown")', "unknown"),
        ('match one:\n    case Stop(_, "full"):\n        pass', "full"),
    ):
        found = list(literals(ast.parse(source), takers))
        assert text in [one for _, one in found], source
    assert not list(literals(ast.parse('NotDone(codes.FLOOD, "late")'), takers))
