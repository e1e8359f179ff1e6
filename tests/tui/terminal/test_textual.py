"""What is relied on inside Textual is listed in docs/terminal.md, and is there in this version."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from importlib import import_module

from tests.support.places import ROOT

LISTED = re.findall(
    r"^    ((?:textual|rich)\.\S+?)\.(\w+)(?:\((.*)\))?$",
    (ROOT / "docs" / "terminal.md").read_text(encoding="utf-8"),
    re.MULTILINE,
)
FILES = [
    *(ROOT / "tui" / "terminal").glob("*.py"),
    ROOT / "tui/app.py",
    ROOT / "tui/screens/base.py",
]


def parts_of(owner: str) -> object:
    try:
        return import_module(owner)
    except ModuleNotFoundError:
        module, _, name = owner.rpartition(".")
        return getattr(import_module(module), name)


def has_attribute(owner: type, name: str) -> bool:
    """Return whether a class has a member of that name, or one of its methods sets it."""
    ours = [one for one in owner.__mro__ if one.__module__.startswith(("textual", "rich"))]
    return hasattr(owner, name) or any(
        re.search(rf"self\.{name}\b[^=\n]*=", inspect.getsource(one)) for one in ours
    )


def test_all_that_is_listed_is_there_with_the_same_parameters() -> None:
    assert len(LISTED) > 40
    wrong = []
    for owner, name, parameters in LISTED:
        part = parts_of(owner)
        found = getattr(part, name, None)
        if callable(found):
            names = [
                one.name
                for one in inspect.signature(found).parameters.values()
                if one.name != "self" and one.kind is not one.VAR_POSITIONAL
            ]
            if ", ".join(names) != parameters:
                wrong.append(f"{owner}.{name}({', '.join(names)})")
        elif not (isinstance(part, type) and has_attribute(part, name)):
            wrong.append(f"{owner}.{name} is gone")
    assert not wrong, "\n".join(wrong)


def foreign(tree: ast.Module) -> Iterator[str]:
    """Yield the private names that a module uses and does not define."""
    own = set()
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.Name(id=name):
                own.add(name)
            case ast.Attribute(attr=name, value=ast.Name("self"), ctx=ast.Store()):
                own.add(name)
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr=name) if re.match("_[a-z]", name) and name not in own:
                yield name
            case ast.ImportFrom(module=str(module)) if module.startswith("textual._"):
                yield from (one.name for one in node.names)


def test_all_that_is_used_is_listed() -> None:
    listed = {name for _, name, _ in LISTED} | {owner.rpartition(".")[2] for owner, _, _ in LISTED}
    listed |= {"CompositorUpdate"}  # what both updates are
    used = {one for path in FILES for one in foreign(ast.parse(path.read_text(encoding="utf-8")))}
    assert used <= listed, used - listed
    assert {"_dirty_widgets", "_skip", "ChopsUpdate"} <= used
