"""The compiled loops of the bots: used by themselves where numba is installed (the extra `fast`).

They find what the plain ones find (core/bots/fast.py), only sooner, so nobody is told of them: why
they are not used is for `kumite doctor`, and the bots think in plain Python. What is compiled stays
in the user's cache folder, a folder for each version of the loops. It may be deleted at any time.
"""

from __future__ import annotations

import os
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from importlib.util import find_spec
from threading import Lock, Thread
from typing import TYPE_CHECKING, Final

from kumite.core import bots, games
from kumite.core.bots import Position, fast
from kumite.core.game import CHANCE, Seat, Setup
from kumite.core.match import Match
from kumite.core.players import COMMAND
from kumite.store import house

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from kumite.core.bots.search.compiled import Loops
    from kumite.core.bots.search.turns import Pass, TurnGame

SWITCH: Final = "KUMITE_KERNEL"  # the variable; `off`: do without
LOOPS: Final = (  # of core: where they are, and the tables that are compiled into them
    *("bots/fast.py", "bots/kitsu/", "bots/kitsune/", "bots/kumo/", "bots/kuzushi/"),
    *("bots/search/", "games/kitsu/", "games/kitsune/", "games/kumo/"),
)
EXTRA: Final = 'pip install "kumite[fast]"'
TRIED: Final = {"kitsu": 600, "kitsune": 60, "kumo": 1000, "kuzushi": 30}
"""Simulations that must find the same."""
FASTER: Final = {"kitsu": 30, "kitsune": 15, "kumo": 30, "kuzushi": 10}  # about so many times
MISSING: Final = "numba is not installed"
_LOCK: Final = Lock()


def why_not() -> str:
    """Say why nothing is to be compiled here, as far as that is seen at once; else ""."""
    if os.environ.get(SWITCH) == "off":
        return f"{SWITCH} is off"
    if house.is_guest():
        return "guests' bots do without"  # a guest has little memory, and no folder for it
    if find_spec("numba") is None:
        return MISSING
    return ""


def times_as_fast(game_id: str) -> int:
    """Return how much faster than plain Python bots think here, as far as is seen at once."""
    return 1 if why_not() else FASTER.get(game_id, 1)


def load(*game_ids: str) -> str:
    """Compile loops of these games, by default of all, or load what was compiled.

    Return why that is not done, "" if it is. The first time it takes most of a minute for all of
    them, later a second or two.
    """
    with _LOCK:  # the first to come loads, others wait
        if reason := why_not():
            return reason
        reasons = [_loaded(one) for one in game_ids or sorted(GAMES)]
        return next(filter(None, reasons), "")


def load_for(game_id: str, names: Iterable[str]) -> None:
    """Load if one of these bots gains by it in this game."""
    ours = (name for name in names if not name.startswith(COMMAND))
    if game_id in GAMES and any(bots.usual(name, game_id) for name in ours):
        load(game_id)


@cache
def begin(game_id: str) -> None:
    """Load beside what goes on, if bots of this game gain by it; until then they do without."""
    if game_id in GAMES and not why_not():
        Thread(target=load, args=(game_id,), daemon=True).start()


def folder() -> Path:
    """Return where these loops are kept once they are compiled."""
    from platformdirs import user_cache_path

    digest = blake2b(digest_size=8)
    for place in LOOPS:
        found = files("kumite.core") / place
        for one in sorted(found.iterdir(), key=lambda one: one.name) if found.is_dir() else [found]:
            if one.is_file():
                digest.update(one.name.encode() + b"\0" + one.read_bytes())
    return user_cache_path("kumite", appauthor=False) / "kernels" / digest.hexdigest()


@cache
def _loaded(game_id: str) -> str:
    """Compile a game's loops; whatever comes between is no error but a reason to do without."""
    try:
        if fast.Compiler.compile is None:
            _give_compiler()
        if not _SAME[game_id]():
            raise RuntimeError("what numba made plays otherwise than plain Python")
    except Exception as error:
        return f"{type(error).__name__}: {error}".splitlines()[0]
    fast.Compiler.ready.add(game_id)
    return ""


def _give_compiler() -> None:
    """Let numba compile the loops that are imported from now on, or find them in the folder."""
    import numba
    import numpy

    cache = folder()
    cache.mkdir(parents=True, exist_ok=True)
    if numba.config.DISABLE_JIT:
        raise RuntimeError("NUMBA_DISABLE_JIT is set")
    numba.config.CACHE_DIR = str(cache)
    compiler = numba.njit(cache=True, error_model="numpy")
    fast.Compiler.compile, fast.Compiler.numpy = compiler, numpy


def _is_kuzushi_same() -> bool:
    """Compile all loops of Kuzushi; return whether they find the same."""
    from random import Random

    from kumite.core.bots.kuzushi.compiled import CompiledSearch, compile_all  # compiled here
    from kumite.core.bots.kuzushi.game import game_on
    from kumite.core.bots.kuzushi.model import PlainSearch

    board, place = game_on(6), (1, (0, 0), (0, 0), False)
    compile_all(board, place, Random(0))
    found = []
    for search in (PlainSearch(board, place), CompiledSearch(board, place)):
        search.simulate(Random(0), lambda done: done >= TRIED["kuzushi"], 0)
        found.append(search.ranked())
    return found[0] == found[1]


def _is_kitsu_same() -> bool:
    """Compile all loops of Kitsu!; return whether they find the same."""
    from kumite.core.bots.kitsu import ways  # compiled here
    from kumite.core.bots.kitsu.model import GAME, PASSES

    return _are_turns_same("kitsu", ways, GAME, PASSES)


def _is_kumo_same() -> bool:
    """Compile all loops of Kumo Hogosha; return whether they find the same."""
    from kumite.core.bots.kumo import ways  # compiled here
    from kumite.core.bots.kumo.model import GAME, PASSES

    return _are_turns_same("kumo", ways, GAME, PASSES)


def _are_turns_same(game_id: str, loops: Loops, game: TurnGame, passes: Sequence[Pass]) -> bool:
    """Return whether a search of turns from the start finds the same by both loops."""
    from random import Random

    from kumite.core.bots.base import Budget
    from kumite.core.bots.chances import Fit
    from kumite.core.bots.search.compiled import CompiledSearch  # compiled here
    from kumite.core.bots.search.turns import PlainSearch, compare

    setup, budget = Setup.of(games.find(game_id)), Budget(TRIED[game_id])
    state = setup.game.start(setup.seats, setup.options)
    plain = PlainSearch(game, Random(0), budget)
    arrays = CompiledSearch(loops, game, state, Random(0), budget)
    found = compare(plain, state, passes, Fit())
    return compare(arrays, arrays.root, passes, Fit()) == found


def _is_kitsune_same() -> bool:
    """Compile all loops of Kitsune; return whether they find the same."""
    from random import Random

    from kumite.core.bots.base import Budget
    from kumite.core.bots.chances import Fit
    from kumite.core.bots.kitsune import compiled, model  # compiled here

    for seats in (2, 4):
        position, budget = first_choice("kitsune", seats), Budget(TRIED["kitsune"])
        knowledge = model.known_at(position)
        plain = model.plain(position, knowledge, Random(0), budget, Fit())
        if compiled.think(position, knowledge, Random(0), budget, Fit()) != plain:
            return False
    return True


_SAME: Final[Mapping[str, Callable[[], bool]]] = {
    "kitsu": _is_kitsu_same,
    "kitsune": _is_kitsune_same,
    "kumo": _is_kumo_same,
    "kuzushi": _is_kuzushi_same,
}
GAMES: Final = frozenset(_SAME)
"""Those whose bots have loops that can be compiled."""


def first_choice(game_id: str, seats: int) -> Position:
    """Return what the first seat to choose is asked, after the last of what chance can do."""
    match = Match.begin(Setup.of(games.find(game_id), seats))
    while match.actors == (CHANCE,):
        match = match.play(CHANCE, match.legal(CHANCE)[-1])
    seat = Seat(int(match.actors[0]))
    own = frozenset({seat})
    view, seen = match.game.view(match.state, own), match.seen_by(own).steps()
    return Position(match.game, view, seat, seen, match.legal(seat))
