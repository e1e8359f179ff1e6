"""How long a table takes to its first paint, beside a bare Textual app in the same run.

Each start is a process in a pseudo-terminal, timed from its spawn to the text that it paints first
(POSIX only).
"""

from __future__ import annotations

import os
import pty
import select
import sys
import tempfile
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Final

import click

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
_QUIT: Final = b"\x11"  # ctrl+q


_TABLE: Final = b"leave"  # the last of a table that is painted: its keys


def print_start(games: Sequence[str], runs: int = 7) -> None:
    """Print the medians of some starts, taken in turn, and each game's ratio to the bare app."""
    bare: list[float] = []
    tables: dict[str, list[float]] = {game: [] for game in games}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(runs + 1):  # the first of each writes byte code
            bare.append(_start(["-c", _BARE], b"the first paint", folder))
            for game, spent in tables.items():
                spent.append(_start(["-m", "kumite", "play", game], _TABLE, folder))
    unit = median(bare[1:])
    click.echo(f"first paint: bare Textual {unit * 1000:.0f} ms")
    for game, spent in tables.items():
        own = median(spent[1:])
        click.echo(f"  kumite play {game:8} {own * 1000:4.0f} ms, {own / unit:.2f} times")


def _start(arguments: list[str], text: bytes, logs: str) -> float:
    """Return the seconds from spawn to `text` on the terminal."""
    begin = perf_counter()
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ |= {
            "TERM": "xterm-256color",
            "KUMITE_LOGS": logs,
            "LINES": "24",
            "COLUMNS": "80",
        }
        os.execv(sys.executable, [sys.executable, *arguments])
    seen = b""
    while text not in seen:
        if not select.select([terminal], [], [], 30)[0]:
            raise click.ClickException(f"{' '.join(arguments)} painted nothing in 30 s")
        try:
            seen += os.read(terminal, 65536)
        except OSError:  # the other end is closed
            said = seen.decode(errors="replace")
            raise click.ClickException(f"{' '.join(arguments)} ended at once:\n{said}") from None
    spent = perf_counter() - begin
    os.write(terminal, _QUIT)
    while select.select([terminal], [], [], 5)[0]:
        try:
            if not os.read(terminal, 65536):
                break
        except OSError:  # the other end is closed
            break
    os.waitpid(pid, 0)
    os.close(terminal)
    return spent
