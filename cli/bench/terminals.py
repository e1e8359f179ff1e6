"""`kumite bench --start` and `--keys`: tables in pseudo-terminals, compared to a bare Textual app.

POSIX only. Startup is measured as CPU time until the first paint, which other programs on the
machine hardly affect. Keys are measured as elapsed time; compare them to the bare app.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Final, Self

import click

from kumite.cli.saying import say
from kumite.core.errors import KumiteError

if TYPE_CHECKING:
    from resource import struct_rusage

PATIENCE: Final = 30  # s to wait for output
TABLE: Final = b"leave"  # painted last at a table: its list of keys
_BARE: Final = """
from textual.app import App
from textual.widgets import Static
class Bare(App):
    number = 0
    def compose(self):
        yield Static("leave")
    def on_key(self):
        self.number += 1
        self.query_one(Static).update(str(self.number))
Bare().run()
"""
_ARROWS: Final = (b"\x1b[C", b"\x1b[B", b"\x1b[D", b"\x1b[A")
_SIZES: Final = ((80, 24), (160, 50))
_SEATS: Final = "me,bot:1"  # with humans only, the table would ask to reveal secrets
_QUIET: Final = 0.15  # s of silence that end the response to a key
_SETTLED: Final = 0.5  # s of silence after which the first screen is complete


def print_start(games: Sequence[str], runs: int = 7) -> None:
    """Print the median startup times, measured alternately, with ratios to the bare app."""
    bare, tables = measure_start(games, runs)
    say(f"CPU time to the first paint: bare Textual {bare * 1000:.0f} ms")
    for game, own in tables.items():
        say(f"  kumite play {game:8} {own * 1000:4.0f} ms, {own / bare:.2f} times")


def measure_start(games: Sequence[str], runs: int) -> tuple[float, dict[str, float]]:
    """Return the median startup time, in s, of a bare Textual app and of a table of each game."""
    bare: list[float] = []
    tables: dict[str, list[float]] = {game: [] for game in games}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(runs + 1):  # the first run of each only writes bytecode
            bare.append(_start(["-c", _BARE], TABLE, folder))
            for game, spent in tables.items():
                spent.append(_start(["-m", "kumite", "play", game], TABLE, folder))
    return median(bare[1:]), {game: median(spent[1:]) for game, spent in tables.items()}


def _start(arguments: list[str], text: bytes, folder: str) -> float:
    """Return the CPU time, in s, until the terminal shows `text`."""
    with Program(arguments, folder) as program:
        program.wait_for(text)
    return program.used.ru_utime + program.used.ru_stime


@dataclass(frozen=True, slots=True)
class Answer:
    """The response to a key: seconds to its first and last byte, and its length."""

    first: float
    last: float
    count: int


def print_keys(games: Sequence[str], keys: int = 40) -> None:
    """Print the median response to cursor keys at each game's table and in a bare app."""
    say(f"{'a key, median':28} {'first byte':>10} {'last byte':>10} {'bytes':>6}")
    for size in _SIZES:
        _print_key("bare Textual", size, ["-c", _BARE], keys)
        for game in games:
            _print_key(game, size, ["-m", "kumite", "play", game, "--seats", _SEATS], keys)


def _print_key(name: str, size: tuple[int, int], arguments: list[str], keys: int) -> None:
    answers = measure_keys(arguments, size, keys)
    first, last = 1000 * median(a.first for a in answers), 1000 * median(a.last for a in answers)
    where = f"{name} {size[0]}x{size[1]}"
    say(f"{where:28} {first:7.1f} ms {last:7.1f} ms {median(a.count for a in answers):6.0f}")


def measure_keys(arguments: list[str], size: tuple[int, int], keys: int) -> list[Answer]:
    """Return the responses to arrow keys, pressed one at a time, skipping keys without effect.

    Raises:
        ClickException: the program has ended, or no arrow key has an effect.
    """
    found: list[Answer] = []
    with tempfile.TemporaryDirectory() as folder, Program(arguments, folder, size) as program:
        program.wait_for(TABLE)
        while program.read(_SETTLED):
            pass
        for number in range(4 * keys):
            if (answer := _answer(program, _ARROWS[number % len(_ARROWS)])) is not None:
                found.append(answer)
            if len(found) == keys:
                return found
    raise click.ClickException(f"{program.name}: an arrow brings nothing")


def _answer(program: Program, key: bytes) -> Answer | None:
    begun, times, count = perf_counter(), [], 0
    program.press(key)
    while data := program.read(_QUIET):
        times.append(perf_counter() - begun)
        count += len(data)
    return Answer(times[0], times[-1], count) if times else None


class Program:
    """`python ARGUMENTS` in a terminal of `size` (columns, rows), as a context manager."""

    used: struct_rusage  # of the program, set when it has ended

    def __init__(self, arguments: list[str], folder: str, size: tuple[int, int] = (80, 24)) -> None:
        """Start the program; `folder` holds its bytecode, matches and settings.

        Raises:
            KumiteError: this system has no pseudo-terminals.
        """
        try:
            import pty
        except ImportError:
            raise KumiteError("terminals are measured on Linux and macOS alone") from None
        self.name = " ".join(arguments)
        self._pid, self._terminal = pty.fork()
        if self._pid == 0:
            os.environ |= {
                "TERM": "xterm-256color",
                "COLUMNS": str(size[0]),
                "LINES": str(size[1]),
                "NO_MOTION": "1",
                "KUMITE_LOGS": folder,
                "XDG_CONFIG_HOME": folder,
                "PYTHONPYCACHEPREFIX": folder,
            }
            os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # otherwise each start would recompile
            os.execv(sys.executable, [sys.executable, *arguments])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.kill(self._pid, signal.SIGKILL)
        self.used = os.wait4(self._pid, 0)[2]
        os.close(self._terminal)

    def press(self, key: bytes) -> None:
        os.write(self._terminal, key)

    def read(self, patience: float) -> bytes:
        """Return the next output, or nothing after `patience` seconds of silence.

        Raises:
            ClickException: the program has ended.
        """
        if not select.select([self._terminal], [], [], patience)[0]:
            return b""
        try:
            return os.read(self._terminal, 65536)
        except OSError:  # the other end is closed
            raise click.ClickException(f"{self.name} has ended") from None

    def wait_for(self, text: bytes) -> None:
        """Read until `text` appears.

        Raises:
            ClickException: the program ended or went silent before.
        """
        seen = b""
        while text not in seen:
            try:
                data = self.read(PATIENCE)
            except click.ClickException:
                said = seen.decode(errors="replace")
                raise click.ClickException(f"{self.name} ended at once:\n{said}") from None
            if not data:
                raise click.ClickException(f"{self.name} painted nothing in {PATIENCE} s")
            seen += data
