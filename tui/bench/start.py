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
from typing import Final

import click

_BARE: Final = """
from textual.app import App
from textual.widgets import Static
class Bare(App):
    def compose(self):
        yield Static("the first paint")
Bare().run()
"""
_QUIT: Final = b"\x11"  # ctrl+q


def print_start(runs: int = 7) -> None:
    """Print the medians of some starts, taken in turn, and their ratio."""
    bare, kumite = [], []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(runs + 1):  # the first of each writes byte code
            bare.append(_start(["-c", _BARE], b"the first paint", folder))
            kumite.append(_start(["-m", "tui", "play", "kuzushi"], b"score", folder))
    a, b = median(bare[1:]), median(kumite[1:])
    click.echo(
        f"first paint: bare Textual {a * 1000:.0f} ms, kumite play {b * 1000:.0f} ms, {b / a:.2f}"
    )


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
        seen += os.read(terminal, 65536)
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
