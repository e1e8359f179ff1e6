"""Follow a log that another program is writing; each poll reads only what is new."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from kumite.core import log
from kumite.store import whole_files
from kumite.store.log_files import MOST, StoreError, naming


class Followed:
    """A followed log file; `log` is its last state."""

    def __init__(self, path: Path) -> None:
        """Read it once; raise StoreError if unreadable, BadLog if its header is damaged."""
        self.path = path
        self._seen = (-1, -1)  # size and modification time at the last read
        self._sound = 0  # bytes of its intact lines
        self._begin()

    def poll(self) -> bool:
        """Read new lines; return True if there were any. Raises StoreError or BadLog."""
        stamp = self._stamp()
        if stamp == self._seen:
            return False
        old = self.log
        if stamp[0] < self._sound:  # the file was replaced
            self._begin()
        else:
            self._seen = stamp
            self._take(self._bytes(self._sound), old)
        return (self.log.lines, self.log.damage) != (old.lines, old.damage)

    def _begin(self) -> None:
        self._seen, self._sound = self._stamp(), 0
        data = self._bytes(0)
        with naming(self.path):
            self._take(data, None)

    def _take(self, data: bytes, old: log.Log | None) -> None:
        """Read `data`, which follows the intact lines."""
        text = data.decode("utf-8", errors="replace")
        found = log.read(text) if old is None else log.read_on(old, text)
        sound = text[: found.size - (old.size if old else 0)]
        self._sound += len(sound.encode())
        if "\n" not in text[len(sound) :]:  # an incomplete last line is not damage yet
            found = replace(found, damage=None)
        self.log = found

    def _stamp(self) -> tuple[int, int]:
        try:
            stat = self.path.stat()
        except OSError as error:
            raise self._lost(error) from error
        return stat.st_size, stat.st_mtime_ns

    def _bytes(self, start: int) -> bytes:
        try:
            with whole_files.opened(self.path) as file:
                file.seek(start)
                return whole_files.read_open(file, self.path, MOST)
        except OSError as error:
            raise self._lost(error) from error

    def _lost(self, error: OSError) -> StoreError:
        return StoreError(
            f"cannot follow {self.path}: {whole_files.reason(error)}",
            hint="`kumite log list` shows all",
        )
