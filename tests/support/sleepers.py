"""Programs that sleep with their computer: stopped, and their clocks as a suspend leaves them.

The kernel's CLOCK_BOOTTIME counts a suspend and CLOCK_MONOTONIC does not. A process that is only
stopped would see both go on, so its `time.monotonic` is put back by each pause; its wall clock can
be put forward, as by a time server or a journey.
"""

from __future__ import annotations

import os
import signal
import struct
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.talk import Talk

_FORM: Final = "dd"  # s that the monotonic clock is behind, s that the wall clock is ahead
_PATCH: Final = f"""
import mmap, os, struct, time

with open(os.environ["KUMITE_TEST_SLEEPS"], "rb") as file:
    shared = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
monotonic, wall = time.monotonic, time.time
time.monotonic = lambda: monotonic() - struct.unpack_from("{_FORM}", shared)[0]
time.time = lambda: wall() + struct.unpack_from("{_FORM}", shared)[1]
"""


class Sleeper:
    """The clocks of one computer; `environment` gives them to programs that begin there."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        (folder / "sitecustomize.py").write_text(_PATCH, "utf-8")
        self._file = folder / "clocks"
        self._slept, self._ahead = 0.0, 0.0
        self._write()
        self.environment = {"PYTHONPATH": str(folder), "KUMITE_TEST_SLEEPS": str(self._file)}

    def stop(self, talk: Talk) -> None:
        talk.process.send_signal(signal.SIGSTOP)

    def wake(self, talk: Talk, seconds: float, ahead: float = 0.0) -> None:
        """Let it go on after a sleep of so long, the wall clock put forward by `ahead` s."""
        self._slept += seconds
        self._ahead += ahead
        self._write()
        talk.process.send_signal(signal.SIGCONT)

    def _write(self) -> None:
        """Overwrite the file in place: the program has mapped it."""
        number = os.open(self._file, os.O_WRONLY | os.O_CREAT, 0o600)
        os.write(number, struct.pack(_FORM, self._slept, self._ahead))
        os.close(number)
