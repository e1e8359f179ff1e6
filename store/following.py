"""A log that somebody else is writing: asked often, read only as far as it has grown."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from kumite.core import log
from kumite.core.games import GAMES
from kumite.store.log_files import StoreError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from kumite.core.game import Game


class Followed:
    """A log file being followed; `log` is what was read last."""

    def __init__(self, path: Path, games: Mapping[str, Game[Any]] = GAMES) -> None:
        """Read it once.

        Raises:
            StoreError: it cannot be read.
            BadLog: not even its header is there.
        """
        self.path = path
        self._games = games
        self._seen = (-1, -1)  # size and time of change when it was read last
        self._sound = 0  # bytes of its sound lines
        self._begin()

    def poll(self) -> bool:
        """Read what is new; return whether there is anything.

        Raises:
            StoreError, BadLog: it cannot be read any more.
        """
        stamp = self._stamp()
        if stamp == self._seen:
            return False
        old = self.log
        if stamp[0] < self._sound:  # somebody has put another file in its place
            self._begin()
        else:
            self._seen = stamp
            self._take(self._bytes(self._sound), old)
        return (self.log.lines, self.log.damage) != (old.lines, old.damage)

    def _begin(self) -> None:
        self._seen, self._sound = self._stamp(), 0
        data = self._bytes(0)
        self._take(data, None)

    def _take(self, data: bytes, old: log.Log | None) -> None:
        """Read `data`, which stands behind the sound lines."""
        text = data.decode("utf-8", errors="replace")
        found = log.read(text, self._games) if old is None else log.read_on(old, text)
        sound = text[: found.size - (old.size if old else 0)]
        self._sound += len(sound.encode())
        if "\n" not in text[len(sound) :]:  # a line that is being written is no damage
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
            with self.path.open("rb") as file:
                file.seek(start)
                return file.read()
        except OSError as error:
            raise self._lost(error) from error

    def _lost(self, error: OSError) -> StoreError:
        reason = error.strerror or type(error).__name__
        return StoreError(
            f"cannot follow {self.path}: {reason}", hint="`kumite log list` shows all"
        )
