"""Rooms: imports point one way, without circles, and what needs no screen or network loads none."""

from __future__ import annotations

import ast
import builtins
import json
import os
import subprocess
import sys
from functools import cache
from typing import TYPE_CHECKING

import pytest

from tests.support.places import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NETWORK = {"asyncio", "socket", "ssl", "select", "selectors", "socketserver", "http", "urllib"}
OUTSIDE = NETWORK | {  # what would make a rule depend on more than its arguments
    "time", "datetime", "calendar", "zoneinfo", "random", "secrets", "uuid",
    "threading", "multiprocessing", "concurrent", "subprocess", "signal", "queue",
    "os", "sys", "io", "pathlib", "tempfile", "shutil", "glob", "logging", "platform", "getpass",
}  # fmt: skip
FLOORS = ("core", "store", "net", "tui", "serve", "cli", "tools")  # from the ground up
TUI_FLOORS = (
    *("settings", "crash", "look", "attention", "scenes", "lessons", "puzzles", "drawing"),
    *("bots", "play", "export", "plain"),
    *("timers", "keys", "shell", "widgets", "screens", "incoming", "writer", "driver", "app"),
)
NET_FLOORS = ("wire", "crypto", "replica", "session", "hall", "transport")
SCREENS = (  # may name Textual
    *(
        "tui.app",
        "tui.driver",
        "tui.keys",
        "tui.timers",
        "tui.screens",
        "tui.widgets",
        "tui.look.theme",
        "tui.play.lan_table",
        "tui.play.hall",
        "tui.play.hall_bot",
    ),
    "tui.drawing.painter",
    *(
        "tui.bots.service",
        "tui.bots.process",
        "tui.bots.judging",
        "tui.bots.turns",
        "tui.bots.tutor",
    ),
    *("tui.plain.console", "tui.plain.table", "tui.plain.lan", "tui.plain.lobby"),  # run in a loop
    "tui.plain.hall",
    "cli.bench.lan",  # measures the network
    "cli.doctor",  # asks what draws for us which colours there are
    "tui.export.cast",  # the recording is painted by the app's own painter
)
SOCKETS = tuple(
    f"net.transport.{one}"
    for one in (
        *("running", "peer", "hall_peer", "connections", "sockets", "addresses"),
        *("ways", "errands", "beacons"),
    )
)
SOLVER = ("tools.kiriai_kernels", "tools.kiriai_tree")  # need the extra `solver`


def modules(*rooms: str) -> dict[str, Path]:
    """Return every module of these rooms, `net.wire.fields`, with its file."""
    found = {}
    for room in rooms:
        for path in sorted((ROOT / room).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts).removesuffix(".__init__")] = path
    return found


def is_screen(name: str) -> bool:
    return any(name == one or name.startswith(f"{one}.") for one in SCREENS)


CORE, NET, ALL = modules("core"), modules("net"), modules(*FLOORS)
PLAIN = {name: path for name, path in modules("tui", "cli").items() if not is_screen(name)}
LEAN = {**CORE, **modules("store"), **NET, **PLAIN}


def statements(path: Path, *, is_typing_counted: bool = False) -> Iterator[ast.AST]:
    """Yield all that is run of a module; what stands under `if TYPE_CHECKING` only if counted."""
    left: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while left:
        node = left.pop()
        yield node
        is_typing = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        is_left_out = is_typing and not is_typing_counted
        children = node.orelse if isinstance(node, ast.If) and is_left_out else None
        left += ast.iter_child_nodes(node) if children is None else children


@cache
def imported(path: Path, *, is_typing_counted: bool = False) -> frozenset[str]:
    """Return the full names of all that a module imports, early or late; ours without `kumite.`."""
    names = set()
    for node in statements(path, is_typing_counted=is_typing_counted):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            assert node.module is not None
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    assert not {one.split(".")[0] for one in names} & set(FLOORS), f"{path}: import kumite.…"
    return frozenset(one.removeprefix("kumite.") for one in names)


def ours(name: str) -> frozenset[str]:
    """Return the modules of ours that a module names, for types or to run."""
    named = imported(ALL[name], is_typing_counted=True)
    return frozenset(one for one in named if one in ALL and one != name)


def roots(path: Path) -> set[str]:
    return {name.split(".")[0] for name in imported(path)}


def test_tests_lie_in_folders_like_those_of_what_they_test() -> None:
    """But for those of whole programs."""
    tests = ROOT / "tests"
    folders = {path.parent.relative_to(tests) for path in tests.rglob("test_*.py")}
    assert len(folders) > 15
    assert all((ROOT / folder).is_dir() for folder in folders if folder.parts != ("whole",))
    assert all((tests / folder / "__init__.py").is_file() for folder in folders)


def test_there_is_something_to_look_at() -> None:
    assert {"core", "core.games.kuzushi.rules", "core.bots.simple"} <= set(CORE)
    assert {"net.transport.peer", "net.session.session", "net.transport.journal"} <= set(NET)
    assert {"store.log_files", "store.library"} <= set(ALL)
    plain = "cli.main cli.engine tui.look.glyphs tui.play.local_table tui.scenes.kuzushi.scene"
    assert set(plain.split()) <= set(PLAIN)
    assert "core.games" in imported(CORE["core.log.reading"])
    assert "random" not in imported(CORE["core.bots.simple"])  # only for its type
    assert "random" in imported(CORE["core.bots.simple"], is_typing_counted=True)
    assert "tui.app" in imported(PLAIN["cli.opening"])  # late
    assert {one.removeprefix("kumite.") for one in SCREENS} <= set(ALL)


# --- One way ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ALL)
def test_imports_point_down_types_included(name: str) -> None:
    floor = FLOORS.index(name.split(".")[0])
    above = set(FLOORS[floor + 1 :])
    assert not {one for one in ours(name) if one.split(".")[0] in above}


@pytest.mark.parametrize("name", [name for name in NET if name != "net"])
def test_net_imports_point_down_types_included(name: str) -> None:
    above = set(NET_FLOORS[NET_FLOORS.index(name.split(".")[1]) + 1 :])
    assert not {one for one in ours(name) if one.startswith("net.") and one.split(".")[1] in above}


@pytest.mark.parametrize("name", [name for name in modules("tui") if name != "tui"])
def test_tui_imports_point_down_types_included(name: str) -> None:
    above = set(TUI_FLOORS[TUI_FLOORS.index(name.split(".")[1]) + 1 :])
    assert not {one for one in ours(name) if one.startswith("tui.") and one.split(".")[1] in above}


def circles() -> list[list[str]]:
    """Return the sets of modules that need each other, types included (Tarjan's algorithm)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found = []

    def visit(name: str) -> None:
        index[name] = low[name] = len(index)
        stack.append(name)
        for one in sorted(ours(name)):
            if one not in index:
                visit(one)
                low[name] = min(low[name], low[one])
            elif one in stack:
                low[name] = min(low[name], index[one])
        if low[name] == index[name]:
            ring = stack[stack.index(name) :]
            del stack[stack.index(name) :]
            if len(ring) > 1:
                found.append(sorted(ring))

    for name in ALL:
        if name not in index:
            visit(name)
    return found


def test_no_modules_need_each_other_types_included() -> None:
    assert circles() == []


# --- What each room may name ------------------------------------------------------------------


@pytest.mark.parametrize("name", CORE)
def test_core_imports_core_and_the_standard_library_but_nothing_of_the_world(name: str) -> None:
    others = roots(CORE[name]) - {"core", "kumite"}
    third = {root for root in others if root not in sys.stdlib_module_names}
    assert third == ({"msgpack"} if name == "core.codec" else set())
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
def test_only_transport_knows_sockets_and_threads(name: str) -> None:
    names = roots(NET[name])
    assert not names & {"themes", "textual", "rich", "click", "tests"}
    if name == "net.transport.running":
        assert names & (NETWORK | {"threading", "time"}) == {"asyncio", "threading"}
    elif name in ("net.transport.connections", "net.transport.ways"):
        assert names & (NETWORK | {"threading", "time"}) == {"asyncio"}
    elif name == "net.transport.sockets":
        assert names & (NETWORK | {"threading", "time"}) == {"asyncio", "socket"}
    elif name == "net.transport.errands":
        assert names & (NETWORK | {"threading", "time"}) == {"asyncio", "socket", "threading"}
    elif name == "net.transport.discovery":
        assert names & (NETWORK | {"threading", "time"}) == {"asyncio", "threading"}
    elif name in ("net.transport.announcer", "net.transport.beacons"):
        assert names & (NETWORK | {"threading", "time"}) == {"threading"}
    elif name == "net.transport.addresses":
        assert names & (NETWORK | {"threading", "time"}) == {"socket"}
    else:
        assert not names & (NETWORK | {"threading", "time"})


@pytest.mark.parametrize(
    ("library", "users"),
    [
        ("nacl", {"net.crypto.groups", "net.crypto.keys"}),
        ("cryptography", {"net.crypto.keys", "net.crypto.pairing", "net.crypto.channel"}),
        ("spake2", {"net.crypto.pairing"}),
        ("zeroconf", {"net.transport.discovery"}),
        ("ifaddr", {"net.transport.discovery"}),
    ],
)
def test_few_modules_name_what_only_a_table_on_the_lan_needs(library: str, users: set[str]) -> None:
    assert {name for name, path in ALL.items() if library in roots(path)} == users


@pytest.mark.parametrize("name", PLAIN)
def test_what_is_no_screen_names_no_textual(name: str) -> None:
    assert not roots(PLAIN[name]) & {"textual", "asyncio", "tests"}
    assert not {one for one in imported(PLAIN[name]) if one.split(".")[0] == "rich"}


@pytest.mark.parametrize("name", [name for name in modules("tui") if is_screen(name)])
def test_screens_leave_sockets_and_files_of_the_lan_to_net(name: str) -> None:
    awaited = {"asyncio", "selectors"} if name == "tui.driver" else {"asyncio"}  # of the terminal
    assert not roots(ALL[name]) & (NETWORK - awaited)


# --- In a fresh interpreter -------------------------------------------------------------------

SCRIPT = """
import importlib, json, os, sys, traceback
import dataclasses, functools, hashlib, re, typing  # of the library, as all do: saves time
for name in sys.argv[1:]:
    out, into = os.pipe()
    child = os.fork()  # each module in an interpreter that has imported nothing of ours yet
    if child == 0:
        os.close(out)
        with os.fdopen(into, "w") as pipe:
            try:
                importlib.import_module(f"kumite.{name}")
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


def loaded() -> dict[str, set[str]]:
    """Return what each lean module has loaded when it alone has been imported."""
    names = [name for name in LEAN if name not in SOCKETS]
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *names], capture_output=True, text=True, check=True,
        cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)}, timeout=900,
    )  # fmt: skip
    found = {}
    for line in done.stdout.splitlines():
        name, error, here = json.loads(line)
        assert not error, f"{name} cannot be imported alone:\n{error}"
        found[name] = {one.removeprefix("kumite.") for one in here}
    assert list(found) == names
    return found


def check_screens(name: str, here: set[str]) -> None:
    drawing = {"textual", "rich.console", "rich.segment", "rich.style", "rich.text"}
    assert not here & (drawing | {"asyncio", "hypothesis", "pytest"}), name
    if name.split(".")[0] not in ("tui", "cli"):  # importlib.metadata brings a socket
        assert not here & {"socket", "select"}, name


def check_core(name: str, here: set[str]) -> None:
    roots_here = {one.split(".")[0] for one in here}
    assert not roots_here & {"store", "net", "tui", "cli", "themes", "click", "platformdirs"}, name
    assert not roots_here & {"random", "secrets", "threading", "subprocess", "logging"}, name
    if "msgpack" not in here:  # it looks at times itself
        assert "datetime" not in roots_here, name


def check_net(name: str, here: set[str]) -> None:
    assert not any(one.split(".")[0] == "tui" for one in here), name


def check_late(name: str, here: set[str]) -> None:
    """Let what only a table on the LAN needs be loaded when there is one."""
    assert not here & {"nacl", "cryptography", "spake2", "zeroconf", "ifaddr"}, name


def test_each_module_imports_alone_and_loads_only_what_it_may() -> None:
    """All in one test: to import each of them in a fresh interpreter is what takes the time."""
    for name, here in loaded().items():
        check_screens(name, here)
        check_late(name, here)
        if name in CORE:
            check_core(name, here)
        if name in NET:
            check_net(name, here)
