"""Minutes of random input over all screens; `--minutes` says how many, `--storm` repeats a seed.

One `Storm` is one process from its start to its end. What must hold: no traceback, an answer within
two seconds, the terminal as it was, no process left, every file sound.
"""

from __future__ import annotations

import os
import secrets
import select
import signal
import sys
import termios
import time
import tomllib
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Final

import pytest

if sys.platform == "win32":
    pytest.skip("pseudo-terminals are a matter of POSIX", allow_module_level=True)

from collections.abc import Callable

from kumite.core.games import GAMES
from kumite.store import log_files
from tests.support.terminal import Terminal
from tests.support.waiting import looks
from tests.tui.terminal.test_decoding import PARTS

LONGEST_ANSWER: Final = 2.0  # s
LOOK: Final = (
    0.2  # s between two looks for it at most; else the machine stood still, for us as well
)
WIDTHS: Final = 20  # that are told in turn: a slow app may not have heard of the last few yet
STUCK: Final = 120.0  # s after which nothing is waited for any more: the machine may be busy
PATIENCE: Final = 60.0  # s in which processes of ours end after the first
MARK: Final = "KUMITE_STORM"  # in the environment of all that one storm has started
KEYS: Final = (
    *(b"\x1b[A", b"\x1b[B", b"\x1b[C", b"\x1b[D", b"\r", b"\t", b"\x1b", b" ", b"\x7f", b"\x1b[Z"),
    *(b"\x1b[H", b"\x1b[F", b"\x1b[5~", b"\x1b[6~", b"\x0c", b"\x03", b":", b"?", b"/", b"n"),
    *(bytes([one]) for one in b"abcdefghijklmnoprstuvwxyzNGM.[]+-0123456789"),
)
# After one of these, new sizes come as bytes and no more by a signal: nobody would answer ours.
NOISE: Final = [part for part in PARTS if b"2048" not in part]
ENDS: Final = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
OPENINGS: Final = (
    (),
    *(("play", game) for game in GAMES),
    *(("play", game, "--seats", "me,bot:easy") for game in GAMES),
    ("host", "kuzushi", "--port", "0", "--unlisted"),
    ("join", "127.0.0.1:1", "7-torii-lantern"),
    ("resume",),
)


class Ended(Exception):
    """The program has ended."""


class Rough(Terminal):
    """A terminal without a screen: what is written is only kept."""

    def read(self, timeout: float) -> int:
        """Take in what comes within `timeout` seconds; return how many bytes."""
        ready, _, _ = select.select([self._fd], [], [], timeout)
        try:
            data = os.read(self._fd, 65536) if ready else b""
        except OSError:  # the other end is closed, or there was nothing after all
            data = b""
        self.written += data
        return len(data)

    def set_size(self, columns: int, rows: int) -> None:
        with suppress(OSError):
            self.resize(columns, rows)

    def push(self, data: bytes) -> None:
        """Write as much as is taken, and read meanwhile: a full line would stop both sides."""
        os.set_blocking(self._fd, False)
        end = time.monotonic() + STUCK
        while data and time.monotonic() < end:
            self.check()
            readable, writable, _ = select.select([self._fd], [self._fd], [], 0.2)
            if readable:
                self.read(0)
            if writable:
                with suppress(BlockingIOError):
                    data = data[os.write(self._fd, data[:512]) :]
        assert not data, f"it takes no more input\n{self.where()}"

    def where(self) -> str:
        """Return where all threads of a program are that does not answer; it ends by that."""
        state = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()[0]
        before = len(self.written)
        self.signal(signal.SIGABRT)
        while self.read(1.0):
            pass
        return f"state {state}\n{self.written[before:].decode(errors='replace')}"

    def check(self) -> None:
        """Wake a program that has been suspended; raise Ended if it has ended."""
        if self.pid == 0:
            raise Ended
        pid, status = os.waitpid(self.pid, os.WNOHANG | os.WUNTRACED)
        if pid and os.WIFSTOPPED(status):
            os.kill(self.pid, signal.SIGCONT)
        elif pid:
            self._status, self.pid = status, 0
            raise Ended

    def wait_for_end(self) -> int:
        end = time.monotonic() + STUCK
        with suppress(Ended):
            while time.monotonic() < end:
                self.check()
                self.read(0.05)
            raise AssertionError(f"it does not end\n{self.where()}")
        while self.read(0.05):
            pass
        return os.waitstatus_to_exitcode(self._status)

    def waited(self) -> float:
        """Return for how many seconds its threads have waited for a core in all.

        All of them: a thread that waits for a core may hold the lock that the main one needs.
        """
        waited = 0
        for thread in Path(f"/proc/{self.pid}/task").glob("*"):  # none: no Linux, or it has ended
            with suppress(OSError, ValueError, IndexError):
                waited += int((thread / "schedstat").read_text().split()[1])
        return waited / 1e9


class Storm:
    """One process in bad weather."""

    def __init__(self, rng: Random, home: Path) -> None:
        """Use these folders: what one storm leaves there, the next one finds."""
        self.rng, self.home = rng, home
        self.said: list[str] = []  # what was done, for who reads of a failure
        self.slowest = 0.0
        self.answers = 0
        self._mark = f"{rng.getrandbits(64):x}"

    def run(self, seconds: float) -> None:
        """Start a program, rage for so many seconds, and see what is left."""
        rng = self.rng
        opening = rng.choice(OPENINGS)
        logs = sorted((self.home / "logs").glob("*.kumite"))
        if logs and rng.random() < 0.25:
            opening = ("replay", str(rng.choice(logs)))
        size = (rng.randint(20, 140), rng.randint(8, 50))
        self.said.append(f"{opening} at {size}")
        with Rough(*opening, size=size, environment=self.environment()) as terminal:
            try:
                self._rage(terminal, seconds)
                self._finish(terminal)
            except Ended:
                pass
            status = terminal.wait_for_end()
            modes = termios.tcgetattr(terminal.fileno)[3]
            cooked = termios.ICANON | termios.ECHO
            assert modes & cooked == cooked, "its modes are still the app's"
        self._check_end(terminal, status)
        self._check_files()

    def environment(self) -> dict[str, str]:
        """Return folders of its own, a mark for all of its processes, and nobody's terminal."""
        where = {
            "HOME": self.home,
            "KUMITE_LOGS": self.home / "logs",
            "XDG_CONFIG_HOME": self.home / "config",
            "XDG_DATA_HOME": self.home / "data",
            "XDG_STATE_HOME": self.home / "state",
        }
        folders = {name: str(path) for name, path in where.items()}
        still = self.rng.choice(("", "1"))  # with an empty value things move
        return {MARK: self._mark, "PYTHONFAULTHANDLER": "1", "NO_MOTION": still, **folders}

    # --- what happens ---------------------------------------------------------------------------

    def _rage(self, terminal: Rough, seconds: float) -> None:
        self._wait_for(terminal, "the first screen", lambda: len(terminal.written) > 300)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            terminal.check()
            self._act(terminal)
            terminal.read(self.rng.choice((0, 0, 0.01, 0.05)))
            if self.rng.random() < 0.2:
                self._expect_answer(terminal)

    def _act(self, terminal: Rough) -> None:
        rng, way = self.rng, self.rng.random()
        if way < 0.55:
            keys = rng.choices(KEYS, k=rng.randint(1, 12))
            self._push(terminal, b"".join(keys))
        elif way < 0.75:
            self._push(terminal, b"".join(rng.choices(NOISE, k=rng.randint(1, 30))))
            self._push(terminal, b"\x1b[201~\x1b\\")
        elif way < 0.92:
            columns = rng.choice((1, 2, rng.randint(1, 300)))
            self._resize(terminal, columns, rng.choice((1, rng.randint(1, 100))))
        elif way < 0.925:
            self.said.append("a paste of 1 MB")
            text = bytes(rng.choices(b"abc f7 e6\n\r\t\x1b\xe9\xff", k=1000)) * 1000
            self._push(terminal, b"\x1b[200~" + text.replace(b"\x1b", b"") + b"\x1b[201~")
        elif way < 0.95:
            self._push(terminal, b"\x1a")
        else:
            terminal.check()
            sign = rng.choice((signal.SIGWINCH, signal.SIGTSTP, signal.SIGCONT))
            self.said.append(sign.name)
            terminal.signal(sign)

    def _push(self, terminal: Rough, data: bytes) -> None:
        self.said.append(repr(data[:200]))
        terminal.push(data)

    def _resize(self, terminal: Rough, columns: int, rows: int) -> None:
        self.said.append(f"{columns}x{rows}")
        terminal.set_size(columns, rows)

    def _expect_answer(self, terminal: Rough) -> None:
        """See that a new size is answered in time; what the machine kept it waiting is no fault."""
        while terminal.read(0.02):
            pass
        self._resize(terminal, 80 + self.answers % WIDTHS, 24)
        before, waited = len(terminal.written), terminal.waited()
        seconds, looked = 0.0, time.monotonic()

        def took() -> float:
            return seconds - max(0.0, terminal.waited() - waited)

        def is_answered() -> bool:
            nonlocal seconds, looked
            now = time.monotonic()
            seconds, looked = seconds + min(now - looked, LOOK), now
            if len(terminal.written) > before:
                return True
            assert took() < LONGEST_ANSWER, f"no answer for {took():.1f} s\n{terminal.where()}"
            return False

        self._wait_for(terminal, "an answer", is_answered)
        self.answers += 1
        self.slowest = max(self.slowest, took())

    def _wait_for(self, terminal: Rough, what: str, has_come: Callable[[], bool]) -> None:
        end = time.monotonic() + STUCK
        while not has_come():
            terminal.check()
            terminal.read(0.05)
            if time.monotonic() > end:
                raise AssertionError(f"waited in vain for {what}\n{terminal.where()}")

    def _finish(self, terminal: Rough) -> None:
        """End it in one of the ways in which people and systems do."""
        terminal.check()
        way = self.rng.choice((*ENDS, "ctrl+q"))
        self.said.append(f"end by {way!r}")
        if isinstance(way, str):
            terminal.push(b"\x1b[201~\x1b\\\x11")
            end = time.monotonic() + STUCK
            while time.monotonic() < end:
                terminal.check()
                terminal.read(0.3)
                terminal.push(b"\x11")  # a prompt may take the first one
            raise AssertionError(f"it does not end by ctrl+q\n{terminal.where()}")
        terminal.signal(way)

    # --- what must hold -------------------------------------------------------------------------

    def _check_end(self, terminal: Rough, status: int) -> None:
        crashes = list(self.home.rglob("crash-*.txt"))
        assert not crashes, crashes[0].read_text(encoding="utf-8")[-3000:]
        written = bytes(terminal.written)
        assert b"Traceback" not in written, written[-3000:]
        assert b"kumite has made a mistake" not in written, written[-3000:]
        # A signal that comes while the terminal is not the app's own ends it as any program.
        allowed = [0, 2, *(128 + sign for sign in ENDS), *(-sign for sign in ENDS)]
        if b"No match waits" in written:  # told in a line, and no screen was opened
            allowed.append(1)
        assert status in allowed, (status, written[-3000:])
        for on, off in ((b"\x1b[?1049h", b"\x1b[?1049l"), (b"\x1b[?1003h", b"\x1b[?1003l")):
            is_back = written.rfind(on) <= written.rfind(off)
            assert is_back or _is_cut(written, on), (off, status, written[-500:])
        for _ in looks("the end of all its processes", PATIENCE):
            if not self._left():
                break
            time.sleep(0.05)

    def _left(self) -> list[int]:
        """Return the processes that carry our mark and still run."""
        found, mark = [], f"{MARK}={self._mark}".encode()
        for place in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if mark in (place / "environ").read_bytes().split(b"\0"):
                    found.append(int(place.name))
        return found

    def _check_files(self) -> None:
        for path in (self.home / "logs").glob("*.kumite"):
            assert log_files.load(path).damage is None, path
        for path in self.home.rglob("settings.toml"):
            tomllib.loads(path.read_text(encoding="utf-8"))
        assert not list(self.home.rglob("*.part"))


def _is_cut(written: bytes, on: bytes) -> bool:
    """Return whether the line itself threw away what was on its way: at ctrl+c and ctrl+z it does.

    Once it is no longer raw, which it shows by an echo, a Linux line drops all but the first four
    thousand bytes that nobody has read yet (`isig` in the kernel's n_tty.c), whoever wrote them.
    """
    rest = written[written.rfind(on) :]
    return any(echo in rest for echo in (b"^C", b"^Z"))


SHORT = 9.0  # s in the usual run
ONE = 6.0  # s of one process


def storms(home: Path, seed: str, seconds: float) -> tuple[int, int, float]:
    """Let storm follow storm; return how many, how many answers, and the slowest of these in s."""
    end, number, answers, slowest = time.monotonic() + seconds, 0, 0, 0.0
    while time.monotonic() < end:
        storm = Storm(Random(f"{seed} {number}"), home)
        try:
            storm.run(min(ONE, max(1.0, end - time.monotonic())))
        except BaseException:
            print(
                f"--storm {seed}, number {number}; what was done last:",
                *storm.said[-40:],
                sep="\n  ",
            )
            raise
        number, answers, slowest = number + 1, answers + storm.answers, max(slowest, storm.slowest)
    print(f"seed {seed}: {number} processes, {answers} answers, the slowest {slowest:.2f} s")
    return number, answers, slowest


@pytest.mark.slow
def test_nothing_that_a_terminal_does_breaks_the_app(tmp_path: Path) -> None:
    number, answers, _ = storms(tmp_path, "usual", SHORT)
    assert number >= 2
    assert answers >= 3


@pytest.mark.long
def test_an_hour_of_it(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    seed = request.config.getoption("storm") or secrets.token_hex(4)
    minutes = request.config.getoption("minutes")
    storms(tmp_path, seed, 60 * minutes)
