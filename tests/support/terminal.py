"""A kumite process in a pseudo-terminal, read through an emulated screen (POSIX only)."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import sys
import termios
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Self

import pyte

from tests.support.places import ROOT
from tests.support.shapes import shapes
from tests.support.waiting import Watched, looks, wait_for

QUESTIONS = (b"\x1b[?2026$p", b"\x1b[?2048$p", b"\x1bP$qm\x1b\\", b"\x1bP+q524742\x1b\\")
QUIET = 0.1  # s without output after which a screen counts as settled

KEYS = {
    "up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D",
    "enter": "\r", "tab": "\t", "escape": "\x1b", "space": " ", "backspace": "\x7f",
    "home": "\x1b[H", "end": "\x1b[F", "pagedown": "\x1b[6~", "pageup": "\x1b[5~",
    "ctrl+q": "\x11", "ctrl+l": "\x0c", "ctrl+c": "\x03",
}  # fmt: skip


def _look_for_no_tables(config: Path) -> None:
    """Let the home screen open no sockets: tables of other tests would appear on it."""
    path = config / "kumite" / "settings.toml"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("lan = false\n", encoding="utf-8")


class Terminal(Watched):
    """Run `kumite ARGS` on a screen of `size` (columns, rows); `environment` is added to ours."""

    def __init__(
        self,
        *args: str,
        size: tuple[int, int] = (80, 24),
        environment: Mapping[str, str] | None = None,
        command: tuple[str, ...] = ("-m", "kumite"),
    ) -> None:
        self.screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self.screen)
        self.written = bytearray()  # everything the program has written
        not_ours = ("TEXTUAL", "SSH_", "COLUMNS", "LINES")  # the latter would overrule our size
        env = {k: v for k, v in os.environ.items() if not k.startswith(not_ours)}
        env |= {"TERM": "xterm-256color", "COLORTERM": "", "PYTHONPATH": str(ROOT)}
        env |= dict(environment or {})
        self.logs = Path(env.get("KUMITE_LOGS", "."))
        if config := env.get("XDG_CONFIG_HOME"):
            _look_for_no_tables(Path(config))
        self._status = 0
        self.pid, self._fd = pty.fork()
        if self.pid == 0:
            os.chdir(ROOT)
            os.execve(sys.executable, [sys.executable, *command, *args], env)
        self.resize(*size)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def resize(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self._fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.screen.resize(rows, columns)

    @property
    def fileno(self) -> int:
        return self._fd

    def read(self, timeout: float) -> int:
        """Take in what comes within `timeout` seconds; return how many bytes (0: nothing)."""
        ready, _, _ = select.select([self._fd], [], [], timeout)
        if not ready:
            return 0
        try:
            data = os.read(self._fd, 65536)
        except OSError:  # the other end is closed
            return 0
        self.written += data
        for question in QUESTIONS:  # pyte takes them for text
            data = data.replace(question, b"")
        self._stream.feed(data)
        return len(data)

    def settle(self, quiet: float = QUIET) -> int:
        """Read until nothing has come for `quiet` seconds; return how many bytes came.

        A program that waits for its turn on a busy machine has not settled, however long it takes.
        """
        total = 0
        for _ in looks("a screen that stays as it is"):
            count = self.read(quiet)
            if not count and not self._is_busy():
                break
            total += count
        return total

    def _is_busy(self) -> bool:
        """Return whether a thread of the program runs or would like to, where Linux tells."""
        states = set()
        for path in Path(f"/proc/{self.pid}/task").glob("*/stat"):
            with suppress(OSError):  # it has ended
                states.add(path.read_text().rpartition(")")[2].split()[0])
        return not states.isdisjoint("RD")

    def press(self, *keys: str) -> int:
        """Press keys one after the other, each after the screen has settled; return the bytes."""
        total = 0
        for key in keys:
            os.write(self._fd, KEYS.get(key, key).encode())
            total += self.settle()
        return total

    def type(self, *keys: str) -> None:
        os.write(self._fd, "".join(KEYS.get(key, key) for key in keys).encode())

    def send(self, data: bytes) -> None:
        os.write(self._fd, data)

    @property
    def text(self) -> str:
        """Return the screen as lines without spaces at their ends."""
        return "\n".join(line.rstrip() for line in self.screen.display)

    @property
    def shapes(self) -> str:
        """Return the screen, alike where it looks alike: either colour of a cell may be the ink."""
        return shapes(self.text)

    def wait_exit(self) -> int:
        """Read until the program has ended; return its exit status."""
        assert self.wait_until(self._has_ended), f"the program did not end:\n{self.text}"
        return os.waitstatus_to_exitcode(self._status)

    def has_stopped(self) -> bool:
        """Return whether the program was suspended since it was asked last."""
        pid, status = os.waitpid(self.pid, os.WNOHANG | os.WUNTRACED)
        return bool(pid) and os.WIFSTOPPED(status)

    def _has_ended(self) -> bool:
        pid, self._status = os.waitpid(self.pid, os.WNOHANG)
        if pid:
            self.pid = 0
        return bool(pid)

    def signal(self, sign: int) -> None:
        os.kill(self.pid, sign)

    def hang_up(self) -> None:
        """Close the terminal, as a closed window does, and wait for the program's end."""
        os.close(self._fd)
        self._fd = -1
        wait_for(self._has_ended, "the end of the program")

    def kill(self) -> None:
        """End the program at once, if it still runs."""
        if self.pid:
            os.kill(self.pid, 9)
            os.waitpid(self.pid, 0)
            self.pid = 0
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1
