"""Imports point one way, tui → net → core, and what needs no screen loads none."""

from __future__ import annotations

import ast
import builtins
import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
NETWORK = {"asyncio", "socket", "ssl", "select", "selectors", "socketserver", "http", "urllib"}
OUTSIDE = NETWORK | {  # what would make a rule depend on more than its arguments
    "time", "datetime", "calendar", "zoneinfo", "random", "secrets", "uuid",
    "threading", "multiprocessing", "concurrent", "subprocess", "signal", "queue",
    "os", "sys", "io", "pathlib", "tempfile", "shutil", "glob", "logging", "platform", "getpass",
}  # fmt: skip
SCREENS = (
    *(
        "kumite.tui.app",
        "kumite.tui.keys",
        "kumite.tui.lan",
        "kumite.tui.paint",
        "kumite.tui.theme",
        "kumite.tui.screens",
        "kumite.tui.widgets",
    ),
    "kumite.tui.bench.lan",  # measures the network
    *(
        "kumite.tui.minds",
        "kumite.tui.child",
        "kumite.tui.judging",
    ),  # awaited by screens; what they start loads no loop
    "kumite.tui.doctor",  # asks what draws for us which colours there are
    "kumite.tui.export.cast",  # the recording is painted by the app's own painter
)


def modules(*packages: str) -> dict[str, Path]:
    """Return every module of these packages with its file."""
    found = {}
    for package in packages:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found["kumite." + ".".join(parts).removesuffix(".__init__")] = path
    return found


def is_screen(name: str) -> bool:
    return any(name == one or name.startswith(f"{one}.") for one in SCREENS)


CORE, NET = modules("core"), modules("net")
PLAIN = {name: path for name, path in modules("tui").items() if not is_screen(name)}
SOCKETS = ("kumite.net.peer", "kumite.net.sockets", "kumite.net.addresses")
SOLVER = (
    "kumite.tui.bench._kiriai_kernels",
    "kumite.tui.bench._kiriai_tree",
)  # need the extra `solver`
LEAN = {**CORE, **{name: path for name, path in NET.items() if name not in SOCKETS}, **PLAIN}


def statements(path: Path) -> Iterator[ast.AST]:
    """Yield all that is run of a module: not what stands under `if TYPE_CHECKING`."""
    left: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while left:
        node = left.pop()
        yield node
        is_typing = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        children = node.orelse if isinstance(node, ast.If) and is_typing else None
        left += ast.iter_child_nodes(node) if children is None else children


def imported(path: Path) -> set[str]:
    """Return the full names of all modules that a module imports, early or late."""
    names = set()
    for node in statements(path):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            assert node.module is not None
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


def roots(path: Path) -> set[str]:
    """Return the roots of what a module imports; ours with the room: `kumite.core`."""
    return {root_of(name) for name in imported(path)}


def root_of(name: str) -> str:
    return ".".join(name.split(".")[: 2 if name.startswith("kumite.") else 1])


def test_there_is_something_to_look_at() -> None:
    assert {"kumite.core", "kumite.core.games.kuzushi", "kumite.core.bots.simple"} <= set(CORE)
    assert {
        "kumite.net.peer",
        "kumite.net.session",
        "kumite.net.store",
        "kumite.net.tablefile",
    } <= set(NET)
    plain = "cli engine look printing table terminal settings scenes.kuzushi bench.mk6"
    assert {f"kumite.tui.{name}" for name in plain.split()} <= set(PLAIN)
    assert "kumite.core.games" in imported(CORE["kumite.core.log"])
    assert "random" not in imported(CORE["kumite.core.bots.simple"])  # only for its type
    assert "kumite.tui.app" in imported(PLAIN["kumite.tui.cli"])  # late


@pytest.mark.parametrize("name", CORE)
def test_core_imports_core_and_the_standard_library_but_nothing_of_the_world(name: str) -> None:
    others = roots(CORE[name]) - {"kumite.core"}
    third = {root for root in others if root not in {*sys.stdlib_module_names, "kumite"}}
    assert third == ({"msgpack"} if name == "kumite.core.codec" else set())
    assert not others & OUTSIDE


@pytest.mark.parametrize("name", CORE)
def test_core_calls_nothing_that_reads_prints_or_differs_from_run_to_run(name: str) -> None:
    called = {
        node.func.id
        for node in statements(CORE[name])
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    forbidden = {"open", "print", "input", "hash", "id", "eval", "exec", "compile", "breakpoint"}
    assert not called & forbidden
    assert forbidden <= set(vars(builtins))


@pytest.mark.parametrize("name", NET)
def test_net_imports_no_tui_and_three_files_have_the_sockets(name: str) -> None:
    names = roots(NET[name])
    assert not names & {"kumite.tui", "kumite.themes", "textual", "rich", "click", "tests"}
    if name == "kumite.net.peer":
        assert {"asyncio", "socket", "threading"} <= names
    elif name == "kumite.net.sockets":
        assert names & (NETWORK | {"threading", "time"}) == {"asyncio", "socket"}
    elif name == "kumite.net.addresses":
        assert names & (NETWORK | {"threading", "time"}) == {"socket"}
    else:
        assert not names & (NETWORK | {"threading", "time"})


@pytest.mark.parametrize(
    ("library", "users"),
    [
        ("nacl", {"kumite.net.fair", "kumite.net.keys"}),
        ("cryptography", {"kumite.net.keys", "kumite.net.pairing", "kumite.net.seals"}),
        ("spake2", {"kumite.net.pairing"}),
        ("zeroconf", {"kumite.net.finding"}),
        ("ifaddr", {"kumite.net.finding"}),
    ],
)
def test_few_modules_name_what_only_a_table_on_the_lan_needs(library: str, users: set[str]) -> None:
    everything = modules("core", "net", "tui")
    assert {name for name, path in everything.items() if library in roots(path)} == users


@pytest.mark.parametrize("name", PLAIN)
def test_what_is_no_screen_names_no_textual(name: str) -> None:
    assert not roots(PLAIN[name]) & {"textual", "asyncio", "tests"}
    assert not {one for one in imported(PLAIN[name]) if one.split(".")[0] == "rich"}


@pytest.mark.parametrize("name", [name for name in modules("tui") if is_screen(name)])
def test_screens_leave_sockets_and_files_of_the_lan_to_net(name: str) -> None:
    assert not roots(modules("tui")[name]) & (NETWORK - {"asyncio"})


# --- In a fresh interpreter -------------------------------------------------------------------

SCRIPT = """
import importlib, json, os, sys, traceback
for name in sys.argv[1:]:
    out, into = os.pipe()
    child = os.fork()  # each module in an interpreter that has imported nothing of ours yet
    if child == 0:
        os.close(out)
        with os.fdopen(into, "w") as pipe:
            try:
                importlib.import_module(name)
                error = ""
            except BaseException:
                error = traceback.format_exc()
            json.dump([error, sorted(sys.modules)], pipe)
        os._exit(0)
    os.close(into)
    with os.fdopen(out) as pipe:
        print(json.dumps([name, *json.loads(pipe.read())]), flush=True)
    os.waitpid(child, 0)
"""


@cache
def loaded() -> dict[str, set[str]]:
    """Return what each lean module has loaded when it alone has been imported."""
    names = [name for name in LEAN if name not in ("kumite.tui.__main__", *SOLVER)]
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *names], capture_output=True, text=True, check=True,
        cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)}, timeout=120,
    )  # fmt: skip
    found = {}
    for line in done.stdout.splitlines():
        name, error, here = json.loads(line)
        assert not error, f"{name} cannot be imported alone:\n{error}"
        found[name] = set(here)
    assert list(found) == names
    return found


def test_each_module_imports_alone_and_loads_no_screen_and_no_socket() -> None:
    for name, here in loaded().items():
        drawing = {"textual", "rich.console", "rich.segment", "rich.style", "rich.text"}
        assert not here & (drawing | {"asyncio", "hypothesis", "pytest"}), name
        if not name.startswith(
            "kumite.tui"
        ):  # importlib.metadata brings a socket into the command line
            assert not here & {"socket", "select"}, name


def test_core_loads_neither_net_nor_tui_nor_chance_nor_threads() -> None:
    for name in CORE:
        ours = {root_of(one) for one in loaded()[name]}
        assert not ours & {"kumite.net", "kumite.tui", "kumite.themes", "click", "platformdirs"}, (
            name
        )
        assert not ours & {"random", "secrets", "threading", "subprocess", "logging"}, name
        if "msgpack" not in ours:  # it looks at times itself
            assert "datetime" not in ours, name


def test_what_only_a_table_on_the_lan_needs_is_loaded_late() -> None:
    for name, here in loaded().items():
        assert not here & {"nacl", "cryptography", "spake2", "zeroconf", "ifaddr"}, name


def test_net_loads_no_tui() -> None:
    for name in NET:
        if name not in SOCKETS:
            assert not any(root_of(one) == "kumite.tui" for one in loaded()[name]), name
