"""The compiled loops of the bots: the same steps, kept on disk, and never an error."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event, Thread
from time import monotonic
from types import SimpleNamespace
from typing import Any

import pytest

from kumite.core import bots
from kumite.core.bots import Choice
from kumite.core.game import Seat, Setup
from kumite.core.games import find
from kumite.core.match import Match
from kumite.tui.bots import kernels, protocol, worker
from tests.support import searches
from tests.support.places import ROOT

LOAD = """
import json
from kumite.tui.bots import kernels
from kumite.core.bots.base import Compiler
print(json.dumps([kernels.load(), sorted(Compiler.models)]))
"""
NUMBA = """
class config:
    DISABLE_JIT = {is_off}
class core:
    class event:
        Listener = object
        register = lambda kind, listener: None
def njit(**_):
    {njit}
"""
NUMPY = """
class Array(list):
    def view(self, kind):
        return self
def zeros(size, kind):
    return [[0] * size[1] for _ in range(size[0])] if isinstance(size, tuple) else [0] * size
def array(values, kind):
    return Array(values)
"""
COMPILED = ["kitsu", "kitsune", "kumo", "kuzushi"]
AS_IT_IS = "return lambda function: function"


def run(arguments: list[str], cache: Path, *, more: Mapping[str, str] | None = None) -> Any:
    """Return what a Python of its own prints as JSON."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache)}
    environment["PYTHONPATH"] = os.pathsep.join([str(ROOT), environment.get("PYTHONPATH", "")])
    del environment[kernels.SWITCH]  # tests are without, this one is not
    done = subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, check=False,
        env=environment | dict(more or {}), cwd=ROOT, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return json.loads(done.stdout)


@pytest.mark.slow
@pytest.mark.numba
def test_compiled_loops_find_what_plain_python_finds_and_are_kept(tmp_path: Path) -> None:
    """One test: to compile takes a while."""
    assert run(["-c", LOAD], tmp_path) == ["", COMPILED]
    kept = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.nb?")}
    assert kept
    expected = json.loads(json.dumps([searches.found(one) for one in searches.positions()]))
    why_not, compiled, found = run(["-m", "tests.support.searches"], tmp_path)
    assert (why_not, compiled) == ("", COMPILED)
    for one, other in zip(found, expected, strict=True):
        assert one == other
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.nb?")} == kept


def instead_of_numba(folder: Path, njit: str, *, is_off: bool = False) -> dict[str, str]:
    """Write a numba whose `njit` does this; return the environment in which it is found."""
    (folder / "numba.py").write_text(NUMBA.format(njit=njit, is_off=is_off))
    (folder / "numpy.py").write_text(NUMPY)
    return {"PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)])}


def test_a_numba_that_works_is_used(tmp_path: Path) -> None:
    more = instead_of_numba(tmp_path, AS_IT_IS)
    assert run(["-c", LOAD], tmp_path / "cache", more=more) == ["", COMPILED]


@pytest.mark.parametrize(
    ("njit", "is_off", "said"),
    [
        ("raise ValueError('too old\\nfor this')", False, "ValueError: too old"),
        ("raise ImportError('llvmlite')", False, "ImportError: llvmlite"),
        (AS_IT_IS, True, "RuntimeError: NUMBA_DISABLE_JIT is set"),
        (
            "return lambda function: (lambda *_: 0) if function.__name__ == 'gain' else function",
            False,
            "RuntimeError: what numba made plays otherwise than plain Python",
        ),
    ],
    ids=["too old", "broken", "switched off", "wrong"],
)
def test_a_numba_that_fails_is_a_reason_and_no_error(
    tmp_path: Path, njit: str, is_off: bool, said: str
) -> None:
    more = instead_of_numba(tmp_path, njit, is_off=is_off)
    compiled = [one for one in COMPILED if one != "kuzushi"] if "gain" in njit else []
    assert run(["-c", LOAD], tmp_path / "cache", more=more) == [said, compiled]


def test_a_folder_that_cannot_be_made_is_a_reason(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file")
    more = instead_of_numba(tmp_path, AS_IT_IS)
    why_not, compiled = run(["-c", LOAD], tmp_path / "cache", more=more)
    assert why_not.startswith("NotADirectoryError: ")
    assert not compiled


def test_the_variable_switches_it_off_and_guests_do_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    more = instead_of_numba(tmp_path, AS_IT_IS)
    off = {kernels.SWITCH: "off"}
    assert run(["-c", LOAD], tmp_path, more=more | off) == ["KUMITE_KERNEL is off", []]
    monkeypatch.delenv(kernels.SWITCH)
    monkeypatch.setenv("KUMITE_GUEST", "127.0.0.1")
    assert kernels.why_not() == "guests' bots do without"


def test_without_numba_nothing_is_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(kernels.SWITCH)
    monkeypatch.setattr(kernels, "find_spec", lambda name: None)
    assert kernels.load() == kernels.why_not() == kernels.MISSING
    assert "numba" not in sys.modules


def test_what_is_compiled_is_kept_by_what_it_was_made_of(monkeypatch: pytest.MonkeyPatch) -> None:
    before = kernels.folder()
    assert kernels.folder() == before
    monkeypatch.setattr(kernels, "FOLDERS", kernels.FOLDERS[:1])
    assert kernels.folder() != before
    assert kernels.folder().parent == before.parent


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> Iterator[SimpleQueue[str]]:
    """Give what is loaded, as it is."""
    queue: SimpleQueue[str] = SimpleQueue()
    monkeypatch.setattr(kernels, "why_not", lambda: "")
    monkeypatch.setattr(kernels, "load", queue.put)
    kernels.begin.cache_clear()
    yield queue
    kernels.begin.cache_clear()


def test_loops_are_loaded_for_games_that_have_some_and_once(loaded: SimpleQueue[str]) -> None:
    for name in ("kiriai", "kuzushi", "kuzushi"):
        kernels.begin(name)
    assert loaded.get(timeout=60) == "kuzushi"
    with pytest.raises(Empty):
        loaded.get(timeout=0.05)


def test_the_process_of_the_bots_loads_where_nobody_asks_for_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given, asked = worker.Input(), {"game": "kuzushi"}
    begun: list[str] = []

    def begin(name: str) -> None:
        begun.append(name)
        assert kernels.MAY_COMPILE.is_set()
        given.requests.put(asked)

    monkeypatch.setattr(kernels, "begin", begin)
    given.requests.put(asked)
    assert worker.awaited(given, "kuzushi") == asked
    assert not begun
    monkeypatch.setattr(worker, "IDLE", 0.01)
    assert worker.awaited(given, "kuzushi") == asked
    assert begun == ["kuzushi"]
    assert not kernels.MAY_COMPILE.is_set()


class TimeFlies(Event):
    """Waits for ever, or, if a time is given, no longer at all."""

    def wait(self, timeout: float | None = None) -> bool:
        return super().wait(None if timeout is None else 0.0)


@pytest.fixture
def compiling(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Thread:
    """Return a thread that begins to compile, while a bot thinks."""
    heard: dict[str, Any] = {}
    event = SimpleNamespace(Listener=object, register=heard.__setitem__)
    numba = SimpleNamespace(
        config=SimpleNamespace(DISABLE_JIT=False),
        core=SimpleNamespace(event=event),
        njit=lambda **_: None,
        locked=lambda: heard["numba:compiler_lock"].on_start(None),
    )
    monkeypatch.setitem(sys.modules, "numba", numba)
    monkeypatch.setitem(sys.modules, "numpy", numba)
    monkeypatch.setattr(kernels, "folder", lambda: tmp_path)
    monkeypatch.setattr(kernels, "MAY_COMPILE", TimeFlies())
    kernels._compiler.__wrapped__()
    thread = Thread(target=heard["numba:run_pass"].on_start, args=(None,), daemon=True)
    thread.start()
    return thread


def test_compiling_pauses_while_a_bot_thinks_however_long_that_takes(compiling: Thread) -> None:
    compiling.join(0.05)
    assert compiling.is_alive()
    kernels.MAY_COMPILE.set()
    compiling.join(60)
    assert not compiling.is_alive()


def test_loading_in_the_background_does_not_end_the_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thought may have begun since the process was idle."""
    monkeypatch.setattr(kernels, "MAY_COMPILE", Event())
    kernels.load("kuzushi")
    assert not kernels.MAY_COMPILE.is_set()


def test_a_search_that_has_to_compile_does_not_wait_for_itself(compiling: Thread) -> None:
    compiling.join(0.05)
    assert compiling.is_alive()
    sys.modules["numba"].locked()  # by this thread, the one that thinks
    compiling.join(60)
    assert not compiling.is_alive()


@pytest.fixture
def slow_compiler(monkeypatch: pytest.MonkeyPatch) -> Iterator[Event]:
    """Load loops for ever, or until this is set."""
    done = Event()
    monkeypatch.setattr(kernels, "why_not", lambda: "")
    monkeypatch.setattr(kernels, "load", lambda _: done.wait())
    monkeypatch.setattr(kernels, "MAY_COMPILE", Event())
    kernels.begin.cache_clear()
    yield done
    done.set()
    kernels.begin.cache_clear()


def asked_for(monkeypatch: pytest.MonkeyPatch, **limits: float | None) -> tuple[int | None, Choice]:
    """Have the bot process look at a position; return what it had the bot look, and its answer."""
    looked: list[int | None] = []

    def look(where: bots.Position, _: object, budget: bots.Budget) -> Choice:
        looked.append(budget.simulations)
        return Choice(where.legal[0])

    monkeypatch.setattr(bots, "find", lambda _: look)
    match = Match.begin(Setup.of(find("kuzushi")))
    fields = protocol.request(bots.Position.of(match, Seat(int(match.actors[0]))))
    fields |= {"id": 1, "bot": "strong", "seed": 1, "begun": monotonic()}
    limits = {"simulations": None, "seconds": None, "early": None} | limits
    return (choice := worker.choose(fields | limits, worker.Input())) and (looked[0], choice)


@pytest.mark.parametrize("simulations", [6_000, 24_000, 60_000])
def test_a_review_goes_on_in_plain_python_until_loops_are_compiled(
    simulations: int, slow_compiler: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says that it was shorter where it would take too long, so that it is asked again."""
    looked, choice = asked_for(monkeypatch, simulations=simulations)
    assert kernels.MAY_COMPILE.is_set()  # meanwhile
    assert looked == min(simulations, 24_000)
    assert choice.looked == (24_000 if simulations > 24_000 else 0)
    slow_compiler.set()
    kernels.begin("kuzushi").join()
    looked, choice = asked_for(monkeypatch, simulations=simulations)
    assert (looked, choice.looked) == (simulations, 0)


@pytest.mark.parametrize(
    "limits",
    [
        {"simulations": 60_000, "seconds": 4.0, "early": 2.0},
        {"seconds": 1.0},
        {},
        {"simulations": 600},
    ],
    ids=["hint", "strong", "level", "glance"],
)
def test_compiling_takes_no_time_of_hints_steps_and_glances(
    limits: dict[str, float], slow_compiler: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked_for(monkeypatch, **limits)
    assert not kernels.MAY_COMPILE.is_set()
    assert not kernels.begin.cache_info().currsize


def test_an_arena_loads_for_bots_that_think(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[str] = []
    monkeypatch.setattr(kernels, "load", loaded.append)
    kernels.load_for("kuzushi", ["easy", "random", "cmd:./mybot"])
    kernels.load_for("kiriai", ["strong"])
    assert not loaded
    kernels.load_for("kuzushi", ["easy", "strong:500"])
    assert loaded == ["kuzushi"]
