"""Compiled loops for the bots, used automatically if numba is installed (the extra `fast`).

They are the bots' modules compiled once more (`Compiler`), with the same results in less time.
`kumite doctor` tells why they are not used; bots then run in plain Python. Compiled code is
kept in the user's cache folder, one folder per version, which can be deleted.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from hashlib import blake2b
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from random import Random
from threading import Event, Lock, Thread, current_thread, main_thread
from typing import TYPE_CHECKING, Any, Final

from platformdirs import user_cache_path

from kumite.core import bots, games
from kumite.core.bots import BotModel, Budget, Choice, Line, Position
from kumite.core.bots.base import Compiler
from kumite.core.game import CHANCE, Seat, Setup
from kumite.core.match import Match
from kumite.core.players import COMMAND
from kumite.store import guest_mode

if TYPE_CHECKING:
    from types import ModuleType


SWITCH: Final = "KUMITE_KERNEL"  # environment variable; `off` disables compiled loops
FOLDERS: Final = ("bots", "games")  # of core: the loops, and the tables compiled into them
EXTRA: Final = 'pip install "kumite[fast]"'
SHORT: Final = 5  # the level whose search tests compiled loops, and
LATE: Final = 25, 32  # steps before further tests: in and at the end of Kuzushi's exact ending
MAY_COMPILE: Final = Event()  # cleared while a bot thinks, so that compiling takes none of its time
MAY_COMPILE.set()
MISSING: Final = "numba is not installed"
THINKING: Final = re.compile(  # modules that exist plain and compiled; all others are shared
    r"kumite\.core\.(bots\.(?!base|chances|anchors|levels|simple)|games\.\w+\.bot\b)"
)
COMPILED: Final = "compiled_"  # prefix of module names
_LOCK: Final = Lock()
_compiled: Final[dict[str, ModuleType]] = {}


def why_not() -> str:
    """Return why nothing can be compiled here, from quick checks only; "" if it can."""
    if os.environ.get(SWITCH) == "off":
        return f"{SWITCH} is off"
    if guest_mode.is_guest():
        return "guests' bots do without"  # a guest has little memory and no cache folder
    if find_spec("numba") is None:
        return MISSING
    return ""


def times_as_fast(game_id: str) -> int:
    """Return how many times as fast as plain Python bots run here, from quick checks only."""
    return 1 if why_not() else _faster(game_id)


def per_second(game_id: str, bot: str) -> int:
    """Return the approximate number of simulations a second, with loops only once loaded."""
    return bots.usual(bot, game_id) * (_faster(game_id) if game_id in Compiler.models else 1)


def _faster(game_id: str) -> int:
    """Return how many times as fast a game's compiled loops are; 1 if it has none."""
    return getattr(bots.MODELS.get(game_id), "FASTER", 1)


def load(*game_ids: str) -> str:
    """Compile the loops of these games (by default of all), or load them from the cache.

    Return why that failed, or "". Compiling all games takes up to a minute, loading a second or
    two.
    """
    with _LOCK:  # the first caller loads, the others wait
        if reason := why_not():
            return reason
        reasons = [_loaded(one) for one in game_ids or bots.MODELS if _faster(one) > 1]
        return next(filter(None, reasons), "")


def load_for(game_id: str, names: Iterable[str]) -> None:
    """Load the loops of a game if one of these bots uses them."""
    ours = (name for name in names if not name.startswith(COMMAND))
    if _faster(game_id) > 1 and any(bots.usual(name, game_id) for name in ours):
        MAY_COMPILE.set()  # whoever asks waits for it
        load(game_id)


@cache
def begin(game_id: str) -> Thread:
    """Load the loops of a game in the background if they help; bots use plain Python until then."""
    thread = Thread(target=load, args=(game_id,), daemon=True)
    if _faster(game_id) > 1 and not why_not():
        thread.start()
    return thread


def folder() -> Path:
    digest = blake2b(digest_size=8)
    for place in FOLDERS:
        root = files("kumite.core") / place
        for one in sorted(root.rglob("*.py")):  # type: ignore[attr-defined]
            digest.update(one.name.encode() + b"\0" + one.read_bytes())
    return user_cache_path("kumite", appauthor=False) / "kernels" / digest.hexdigest()


@cache
def _loaded(game_id: str) -> str:
    """Compile a game's loops; return any error as a reason to use plain Python."""
    try:
        model = compiled(f"kumite.core.games.{game_id}.bot.model")
        seats = games.find(game_id).SEATS
        tests = [first_choice(game_id, number) for number in seats[:2]]
        tests += [first_choice(game_id, seats[0], number) for number in LATE]
        for position in tests:
            expected = _played(bots.MODELS[game_id], position)  # first, see `loops_of`
            if _played(model, position) != expected:
                raise RuntimeError("what numba made plays otherwise than plain Python")
    except Exception as error:
        return f"{type(error).__name__}: {error}".splitlines()[0]
    Compiler.models[game_id] = model
    return ""


@cache
def compiled(name: str) -> Any:
    return import_compiled(name, *_compiler())


@cache
def _compiler() -> tuple[Callable[[Any], Any], Any]:
    """Return numba's compiler, set to cache in `folder`, and numpy."""
    import numba
    import numpy

    cache = folder()
    cache.mkdir(parents=True, exist_ok=True)
    if numba.config.DISABLE_JIT:
        raise RuntimeError("NUMBA_DISABLE_JIT is set")

    class Pauses(numba.core.event.Listener):  # type: ignore[misc]
        def on_start(self, _: object) -> None:
            if current_thread() is main_thread():  # a search compiles, and waits for the other
                MAY_COMPILE.set()
            MAY_COMPILE.wait()

        def on_end(self, _: object) -> None:
            pass

    for kind in ("numba:compiler_lock", "numba:run_pass"):
        numba.core.event.register(kind, Pauses())
    numba.config.CACHE_DIR = str(cache)
    return numba.njit(cache=True, error_model="numpy"), numpy


def _played(model: BotModel, position: Position) -> tuple[Choice, Sequence[Line]]:
    """Return what a glance and a short search choose, which also triggers compilation."""
    budget = Budget(model.LEVELS[SHORT - 1].simulations)
    return model.easy(position, Random(0)), model.think(position, Random(0), budget)


def import_compiled(name: str, compile_: Callable[[Any], Any], numpy: Any) -> ModuleType:
    """Return a module whose loops, and those it uses, are compiled when first called.

    Not concurrently: meanwhile, other imports of these modules get the compiled ones.
    """
    plain = _taken_out(name)
    sys.modules.update(_compiled)
    Compiler.compile, Compiler.numpy = compile_, numpy
    try:
        return import_module(name)
    finally:
        Compiler.compile = Compiler.numpy = None
        _compiled.update(_taken_out(name))
        _rename_types()
        sys.modules.update(plain)
        for name, module in plain.items():  # as an import would have set it
            parent, _, own = name.rpartition(".")
            setattr(sys.modules[parent], own, module)


def _taken_out(also: str) -> dict[str, ModuleType]:
    """Remove the modules that exist plain and compiled, so that the next import reloads them."""
    names = [name for name in sys.modules if name == also or THINKING.match(name)]
    return {name: sys.modules.pop(name) for name in names}


def _rename_types() -> None:
    """Give compiled types unique module names: numba's cache identifies types by name."""
    for name, module in _compiled.items():
        alias = COMPILED + name.replace(".", "_")  # no dots: there is no such package
        sys.modules[alias] = module
        for one in vars(module).values():
            if isinstance(one, type) and one.__module__ == name:
                one.__module__ = alias


def first_choice(game_id: str, seats: int, after: int = 0) -> Position:
    """Return the first choice after some steps, if all players always take the last legal one."""
    match = Match.begin(Setup.of(games.find(game_id), seats))
    while match.actors == (CHANCE,) or match.number < after:
        match = match.play(match.actors[0], match.legal(match.actors[0])[-1])
    return Position.of(match, Seat(int(match.actors[0])))
