"""How long a table takes to its first paint, beside a bare Textual app in the same run.

Each start is a process in a pseudo-terminal, ended as soon as it has painted (POSIX only). What
counts is the CPU time that it has used by then: other programs on the machine change that little.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import tempfile
from statistics import median
from typing import TYPE_CHECKING, Final

import click

from kumite.cli.saying import say
from kumite.core.errors import KumiteError

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
_TABLE: Final = b"leave"  # the last of a table that is painted: its keys
_PATIENCE: Final = 30  # s without a byte


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
                spent.append(_start(["-m", "kumite", "play", game], _TABLE, folder))
    return median(bare[1:]), {game: median(spent[1:]) for game, spent in tables.items()}


def _start(arguments: list[str], text: bytes, folder: str) -> float:
    """Return the seconds of CPU time from spawn to `text` on the terminal."""
    try:
        import pty
    except ImportError:
        raise KumiteError("starts are measured on Linux and macOS alone") from None
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ |= {
            "TERM": "xterm-256color",
            "KUMITE_LOGS": folder,
            "LINES": "24",
            "COLUMNS": "80",
            "PYTHONPYCACHEPREFIX": folder,
        }
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # else each start would compile us anew
        os.execv(sys.executable, [sys.executable, *arguments])
    try:
        _wait_for(text, terminal, " ".join(arguments))
    finally:
        os.kill(pid, signal.SIGKILL)
        used = os.wait4(pid, 0)[2]
        os.close(terminal)
    return used.ru_utime + used.ru_stime


def _wait_for(text: bytes, terminal: int, command: str) -> None:
    """Read what is painted until `text` is there."""
    seen = b""
    while text not in seen:
        if not select.select([terminal], [], [], _PATIENCE)[0]:
            raise click.ClickException(f"{command} painted nothing in {_PATIENCE} s")
        try:
            seen += os.read(terminal, 65536)
        except OSError:  # the other end is closed
            said = seen.decode(errors="replace")
            raise click.ClickException(f"{command} ended at once:\n{said}") from None
