"""Programs in pseudo-terminals, measured by what they write there (POSIX only)."""

from __future__ import annotations

import os
import select
import signal
import sys
from typing import TYPE_CHECKING, Final, Self

import click

from kumite.core.errors import KumiteError

if TYPE_CHECKING:
    from resource import struct_rusage

PATIENCE: Final = 30  # s without a byte
TABLE: Final = b"leave"  # the last of a table that is painted: its keys


class Program:
    """`python ARGUMENTS` on a terminal of `size` (columns, rows), ended when the block is left."""

    used: struct_rusage  # by the program, once it has ended

    def __init__(self, arguments: list[str], folder: str, size: tuple[int, int] = (80, 24)) -> None:
        """Start it; it writes its byte code, its matches and its settings into `folder`.

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
            os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # else each start would compile us anew
            os.execv(sys.executable, [sys.executable, *arguments])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.kill(self._pid, signal.SIGKILL)
        self.used = os.wait4(self._pid, 0)[2]
        os.close(self._terminal)

    def press(self, key: bytes) -> None:
        """Write a key."""
        os.write(self._terminal, key)

    def read(self, patience: float) -> bytes:
        """Return what it writes next; nothing if it has not written for `patience` seconds.

        Raises:
            ClickException: it has ended.
        """
        if not select.select([self._terminal], [], [], patience)[0]:
            return b""
        try:
            return os.read(self._terminal, 65536)
        except OSError:  # the other end is closed
            raise click.ClickException(f"{self.name} has ended") from None

    def wait_for(self, text: bytes) -> None:
        """Read until `text` is written.

        Raises:
            ClickException: it is not.
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
