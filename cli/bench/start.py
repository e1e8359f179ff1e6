"""How long a table takes to its first paint, beside a bare Textual app in the same run.

What counts is the CPU time that a process has used by then: other programs on the machine change
that little.
"""

from __future__ import annotations

import tempfile
from statistics import median
from typing import TYPE_CHECKING, Final

from kumite.cli.bench.terminals import TABLE, Program
from kumite.cli.saying import say

if TYPE_CHECKING:
    from collections.abc import Sequence

_BARE: Final = """
from textual.app import App
from textual.widgets import Static
class Bare(App):
    def compose(self):
        yield Static("the first paint")
Bare().run()
"""


def print_start(games: Sequence[str], runs: int = 7) -> None:
    """Print the medians of some starts, taken in turn, and each game's ratio to the bare app."""
    bare, tables = measure(games, runs)
    say(f"CPU time to the first paint: bare Textual {bare * 1000:.0f} ms")
    for game, own in tables.items():
        say(f"  kumite play {game:8} {own * 1000:4.0f} ms, {own / bare:.2f} times")


def measure(games: Sequence[str], runs: int) -> tuple[float, dict[str, float]]:
    """Return the median seconds of a bare Textual app, and of a table of each game."""
    bare: list[float] = []
    tables: dict[str, list[float]] = {game: [] for game in games}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(runs + 1):  # the first of each writes byte code
            bare.append(_start(["-c", _BARE], b"the first paint", folder))
            for game, spent in tables.items():
                spent.append(_start(["-m", "kumite", "play", game], TABLE, folder))
    return median(bare[1:]), {game: median(spent[1:]) for game, spent in tables.items()}


def _start(arguments: list[str], text: bytes, folder: str) -> float:
    """Return the seconds of CPU time from spawn to `text` on the terminal."""
    with Program(arguments, folder) as program:
        program.wait_for(text)
    return program.used.ru_utime + program.used.ru_stime
