"""How long a cursor step takes from key to screen, and its bytes, beside a bare Textual app.

A machine that has something else to do is measured as well: compare with the bare app's line, in
which a key changes one number.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Final

import click

from kumite.cli.bench.terminals import TABLE, Program
from kumite.cli.saying import say

if TYPE_CHECKING:
    from collections.abc import Sequence

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
_SEATS: Final = "me,bot:1"  # people alone would be asked to uncover their secrets
_QUIET: Final = 0.15  # s after which nothing more comes of a key
_SETTLED: Final = 0.5  # s after which a first screen stands


@dataclass(frozen=True, slots=True)
class Answer:
    """What a key brought: seconds to its first and to its last byte, and how many bytes."""

    first: float
    last: float
    count: int


def print_keys(games: Sequence[str], keys: int = 40) -> None:
    """Print the medians of some cursor steps at each game's table, and of a bare app's keys."""
    say(f"{'a key, median':28} {'first byte':>10} {'last byte':>10} {'bytes':>6}")
    for size in _SIZES:
        _print("bare Textual", size, ["-c", _BARE], keys)
        for game in games:
            _print(game, size, ["-m", "kumite", "play", game, "--seats", _SEATS], keys)


def _print(name: str, size: tuple[int, int], arguments: list[str], keys: int) -> None:
    answers = measure(arguments, size, keys)
    first, last = 1000 * median(a.first for a in answers), 1000 * median(a.last for a in answers)
    where = f"{name} {size[0]}x{size[1]}"
    say(f"{where:28} {first:7.1f} ms {last:7.1f} ms {median(a.count for a in answers):6.0f}")


def measure(arguments: list[str], size: tuple[int, int], keys: int) -> list[Answer]:
    """Return what each of so many arrows brought, one at a time; those that move nothing are not.

    Raises:
        ClickException: the program has ended, or no arrow brings anything.
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
