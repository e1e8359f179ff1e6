"""Rooms: imports point one way, without circles, and what needs no screen or network loads none."""

from __future__ import annotations

import ast
import builtins
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Final

import pytest

from kumite.core.games import NAMES
from tests.support.places import ROOT, parsed

NETWORK = {"asyncio", "socket", "ssl", "select", "selectors", "socketserver", "http", "urllib"}
OUTSIDE = NETWORK | {  # what would make a rule depend on more than its arguments
    "time", "datetime", "calendar", "zoneinfo", "random", "secrets", "uuid",
    "threading", "multiprocessing", "concurrent", "subprocess", "signal", "queue",
    "os", "sys", "io", "pathlib", "tempfile", "shutil", "glob", "logging", "platform", "getpass",
}  # fmt: skip
FLOORS = ("core", "store", "net", "tui", "serve", "cli", "tools")  # from the ground up
TUI_FLOORS = (
    *("settings", "crash", "look", "terminal", "scenes", "lessons", "puzzles", "games", "drawing"),
    *("bots", "play", "export", "plain"),
    *("shell", "widgets", "screens", "app"),
)
NET_FLOORS = ("wire", "crypto", "replica", "session", "tournament", "transport")
SCREENS = (  # may name Textual
    *("tui.app", "tui.terminal", "tui.screens", "tui.widgets", "tui.look.theme"),
    *("tui.play.lan_table", "tui.play.tournament", "tui.play.tournament_host"),
    *("tui.bots.service", "tui.bots.judging", "tui.bots.turns"),
    *("tui.plain.console", "tui.plain.table", "tui.plain.lan", "tui.plain.lobby"),  # run in a loop
    *("tui.plain.analysis", "tui.plain.replay", "tui.plain.tasks", "tui.plain.tournament"),
    *("cli.home", "cli.line_mode"),  # the same
    "cli.bench.run",  # measures the network
    "cli.doctor",  # asks what draws for us which colours there are
    "tui.export.cast",  # the recording is painted by the app's own painter
)
SOCKETS = tuple(
    f"net.transport.{one}"
    for one in (
        *("running", "peer", "tournament_peer", "connections", "sockets", "addresses"),
        *("network", "broker", "beacons", "invites"),
    )
)


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
    left: list[ast.AST] = [parsed(path)]
    while left:
        node = left.pop()
        yield node
        is_typing = (
            isinstance(node, ast.If)
            and isinstance(node.test, ast.Name)
            and node.test.id == "TYPE_CHECKING"
        )
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
    plain = "cli.main cli.engine tui.look.glyphs tui.play.local_table tui.games.kuzushi.scene"
    assert set(plain.split()) <= set(PLAIN)
    assert "core.games" in imported(CORE["core.log.reading"])
    assert "random" not in imported(CORE["core.bots.simple"])  # only for its type
    assert "random" in imported(CORE["core.bots.simple"], is_typing_counted=True)
    assert "tui.app" in imported(PLAIN["cli.app_start"])  # late
    assert {one.removeprefix("kumite.") for one in SCREENS} <= set(ALL)


# --- One way ----------------------------------------------------------------------------------


@pytest.mark.parametrize("room", ["", "net", "tui"])
def test_imports_point_down_types_included(room: str) -> None:
    """Between the packages, and between the folders of two of them."""
    floors = {"": FLOORS, "net": NET_FLOORS, "tui": TUI_FLOORS}[room]
    within = f"{room}." if room else ""
    height = {
        name: floors.index(name.removeprefix(within).split(".")[0])
        for name in ALL
        if name.startswith(within)
    }
    up = [
        f"{name} imports {one}"
        for name in height
        for one in ours(name)
        if height.get(one, 0) > height[name]
    ]
    assert up == []


def test_no_modules_need_each_other_types_included() -> None:
    TopologicalSorter({name: ours(name) for name in ALL}).prepare()  # or a CycleError names them


# --- Games are asked, not told apart ----------------------------------------------------------

NAMING: Final = {  # modules that may name a game, and why
    "core.games": "the registry",
    "cli.arguments": "the game of `kumite play`, if none is named",
    "cli.completing": "the same",
    "cli.bench": "whose speed is measured, if none is named",
    "cli.bench.run": "the same",
}


def game_names(tree: ast.AST) -> set[str]:
    """Return the ids of games that a module has as a string, or imports something of."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.add(node.value)
        elif isinstance(node, ast.Import):
            found.update(part for alias in node.names for part in alias.name.split("."))
        elif isinstance(node, ast.ImportFrom):
            found.update((node.module or "").split("."), (alias.name for alias in node.names))
    return found & set(NAMES)


def test_nothing_decides_by_the_name_of_a_game_outside_of_its_folders() -> None:
    """Of tools, which are for one game or another, not: nobody needs them to add one."""
    naming = {
        name
        for name, path in ALL.items()
        if not name.startswith(("core.games.", "tui.games.", "tools")) and game_names(parsed(path))
    }
    assert naming == set(NAMING)


@pytest.mark.parametrize(
    "code",
    [
        'if game == "kuzushi": pass',
        'TABLE = {("kuzushi", 2): 1}',
        'match game:\n    case "kuzushi": pass',
        "from kumite.core.games.kuzushi.rules import legal",
        "from kumite.tui.games import kuzushi",
        "import kumite.core.games.kuzushi.bot",
    ],
)
def test_every_way_to_name_a_game_is_seen(code: str) -> None:
    assert game_names(ast.parse(code)) == {"kuzushi"}


# --- What each room may name ------------------------------------------------------------------


def test_core_imports_core_and_the_standard_library_but_nothing_of_the_world() -> None:
    for name, path in CORE.items():
        others = roots(path) - {"core", "kumite"}
        third = {root for root in others if root not in sys.stdlib_module_names}
        assert third == ({"msgpack"} if name == "core.codec" else set()), name
        assert not others & OUTSIDE, name


def test_core_calls_nothing_that_reads_prints_or_differs_from_run_to_run() -> None:
    forbidden = {"open", "print", "input", "hash", "id", "eval", "exec", "compile", "breakpoint"}
    called = {
        f"{name} calls {node.func.id}"
        for name, path in CORE.items()
        for node in statements(path)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        if node.func.id in forbidden
    }
    assert called == set()
    assert forbidden <= set(vars(builtins))


NET_NEEDS = {  # of sockets, threads and time
    "net.transport.running": {"asyncio", "threading"},
    "net.transport.connections": {"asyncio"},
    "net.transport.network": {"asyncio"},
    "net.transport.sockets": {"asyncio", "socket"},
    "net.transport.broker": {"asyncio", "socket", "threading"},
    "net.transport.discovery": {"asyncio", "threading"},
    "net.transport.beacons": {"threading"},
    "net.transport.addresses": {"socket"},
    "net.transport.announcer": {"time"},
    "net.transport.invites": {"time"},
}


def test_only_transport_knows_sockets_and_threads() -> None:
    for name, path in NET.items():
        names = roots(path)
        assert not names & {"themes", "textual", "rich", "click", "tests"}, name
        assert names & (NETWORK | {"threading", "time"}) == NET_NEEDS.get(name, set()), name


@pytest.mark.parametrize(
    ("library", "users"),
    [
        ("nacl", {"net.crypto.groups", "net.crypto.keys"}),
        ("cryptography", {"net.crypto.keys", "net.crypto.pairing", "net.crypto.channel"}),
        ("spake2", {"net.crypto.pairing"}),
        ("zeroconf", {"net.transport.discovery"}),
        ("ifaddr", {"net.transport.addresses"}),
    ],
)
def test_few_modules_name_what_only_a_table_on_the_lan_needs(library: str, users: set[str]) -> None:
    assert {name for name, path in ALL.items() if library in roots(path)} == users


def test_what_is_no_screen_names_no_textual() -> None:
    for name, path in PLAIN.items():
        assert not roots(path) & {"textual", "rich", "asyncio", "tests"}, name


def test_screens_leave_sockets_and_files_of_the_lan_to_net() -> None:
    for name in filter(is_screen, modules("tui")):
        awaited = {"asyncio", *(["selectors"] if name == "tui.terminal.driver" else ())}
        assert not roots(ALL[name]) & (NETWORK - awaited), name


# --- In a fresh interpreter -------------------------------------------------------------------

SCRIPT = """
import importlib, json, os, sys, traceback
above = json.load(sys.stdin)
def visit(name):
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        return
    error = ""
    try:
        importlib.import_module(f"kumite.{name}")
    except BaseException:
        error = traceback.format_exc()
    here = sorted(sys.modules)
    os.write(1, (json.dumps([name, error, here]) + chr(10)).encode())
    for one in above[name]:
        visit(one)
    os._exit(0)
for one in above[""]:
    visit(one)
"""


def imported_first(name: str) -> frozenset[str]:
    """Return the lean modules that a module imports at its top, whatever happens."""
    top = [one for one in parsed(ALL[name]).body if isinstance(one, ast.ImportFrom)]
    named = {f"{one.module}.{alias.name}" for one in top for alias in one.names}
    named |= {str(one.module) for one in top}
    return frozenset(one.removeprefix("kumite.") for one in named) & set(LEAN) - {name}


@cache
def depth(name: str) -> int:
    return 1 + max(map(depth, imported_first(name)), default=0)


def loaded() -> dict[str, set[str]]:
    """Return what each lean module has loaded when it alone has been imported.

    A module is imported in a fork of an interpreter that has imported nothing but one of those
    which it imports itself, and what that one needs.
    """
    names = [name for name in LEAN if name not in SOCKETS]
    above: dict[str, list[str]] = {"": [], **{name: [] for name in names}}
    for name in names:
        above[max(imported_first(name) & set(names), key=depth, default="")].append(name)
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], input=json.dumps(above), capture_output=True, text=True,
        check=True, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)}, timeout=900,
    )  # fmt: skip
    found = {}
    for line in done.stdout.splitlines():
        name, error, here = json.loads(line)
        assert not error, f"{name} cannot be imported alone:\n{error}"
        found[name] = {one.removeprefix("kumite.") for one in here}
    assert set(found) == set(names)
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


@pytest.mark.slow
def test_each_module_imports_alone_and_loads_only_what_it_may() -> None:
    """All in one test: to import each of them in a fresh interpreter is what takes the time."""
    for name, here in loaded().items():
        check_screens(name, here)
        check_late(name, here)
        if name in CORE:
            check_core(name, here)
        if name in NET:
            check_net(name, here)


# --- Late imports -----------------------------------------------------------------------------

ROW = re.compile(r"\| ((?:`[\w.]+`(?:, )?)+) \|")


def allowed_late() -> set[str]:
    """Return what the table of late imports in CONTRIBUTING.md names, ours without `kumite.`."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = ROW.findall(text.partition("## Late imports")[2])
    return {name for row in rows for name in re.findall(r"`([\w.]+)`", row)}


def late(path: Path) -> set[str]:
    """Return the modules that functions of a module import."""
    found = set()
    for node in ast.walk(parsed(path)):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        for one in ast.walk(node):
            if isinstance(one, ast.Import):
                found |= {alias.name for alias in one.names}
            elif isinstance(one, ast.ImportFrom):
                assert one.module is not None
                names = {
                    f"{one.module}.{alias.name}".removeprefix("kumite.") for alias in one.names
                }
                found |= names & set(ALL) or {one.module.removeprefix("kumite.")}
    return found


@cache
def late_imports() -> dict[str, set[str]]:
    return {name: late(path) for name, path in ALL.items() if not name.startswith("tools")}


def test_functions_import_only_what_saves_time_or_is_not_everywhere() -> None:
    allowed = allowed_late()
    found = {
        f"{name} imports {one}"
        for name, imported in late_imports().items()
        for one in imported
        if not {one, *prefixes(one)} & allowed
    }
    assert not found, "import it at the top, or measure it and list it in CONTRIBUTING.md"


def test_every_late_import_that_is_listed_is_made() -> None:
    made = {
        way for found in late_imports().values() for one in found for way in (one, *prefixes(one))
    }
    assert allowed_late() <= made
    assert {"tui.screens", "numba", "net"} <= allowed_late()


def prefixes(name: str) -> Iterator[str]:
    """Yield the packages that a module lies in."""
    while "." in name:
        name = name.rpartition(".")[0]
        yield name
