"""Log files: where saved matches lie, and writing them as they are played.

Every line is written and flushed when it is made, so a killed program loses no finished step. A
file belongs to one program at a time: whoever goes on with it holds a lock on it.
"""

from __future__ import annotations

import errno
import os
import re
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex
from typing import IO, TYPE_CHECKING, Any, Final

from kumite.core import codes, log
from kumite.core.errors import BadLog, KumiteError
from kumite.core.games import GAMES
from kumite.core.remarks import remark_text
from kumite.store import system, whole_files
from kumite.store.background import sync_later

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kumite.core.game import Game
    from kumite.core.match import Match

SUFFIX: Final = ".kumite"
ASIDE: Final = "damaged"  # behind the name of a copy of what was cut
ANEW: Final = "note the file was deleted or replaced while the match was played; this one is new"
END: Final = 4096  # bytes at each end of a log that tell what it is and how it ended
FULL: Final = frozenset({errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)})
MOST: Final = 16 << 20  # bytes of a log; a long match has 0.1 MB


class StoreError(KumiteError):
    """A log file that cannot be written, found or taken over."""

    code = codes.LOG_FILE


class DiskFull(StoreError):
    """A file that cannot be written because no space is left."""

    code = codes.DISK_FULL


def folder() -> Path:
    """Return the folder of saved matches: $KUMITE_LOGS, else one in the user's data folder."""
    if own := os.environ.get("KUMITE_LOGS"):
        return Path(own)
    from platformdirs import user_data_path

    return user_data_path("kumite", appauthor=False) / "matches"


def new_match_id() -> str:
    """Return a fresh random id, 16 hex digits."""
    return token_hex(8)


class LogFile:
    """One match being written: `sync` brings the file up to date with a match."""

    def __init__(self, path: Path, file: IO[str], header: log.Header, match: Match) -> None:
        """Use `create` or `reopen`."""
        self.path = path
        self.header = header
        self._file = file
        self._writer = log.Writer()
        self._saved = match  # the file's steps are exactly those of this match
        self._end: log.End | None = None
        self._texts: list[str] = []  # all that the file holds

    @classmethod
    def create(cls, header: log.Header, match: Match, into: Path | None = None) -> LogFile:
        """Start a new file with the header and all steps that `match` already has.

        Raises:
            StoreError: the folder or file cannot be written.
        """
        directory = folder() if into is None else into
        stamp = datetime.now(UTC).strftime("%Y-%m-%d-%H%M%S")
        whose = "" if header.by is None else "-" + log.by_text(header.by).replace(",", "")
        name = f"{stamp}-{header.setup.game.ID}-{header.match_id[:6]}{whose}{SUFFIX}"
        try:
            system.own_folder(directory)
            file = _created(directory / name)
        except OSError as error:
            raise cannot("write", directory / name, error) from error
        made = cls(directory / name, file, header, match)
        try:
            lock(file, directory / name)
            made._writer, text = log.Writer().header(header)
            made._saved = match.back(0)
            made._write(text)
            made.sync(match)
        except BaseException:  # nothing half made is left
            made.close()
            (directory / name).unlink(missing_ok=True)
            raise
        sync_later(made.path)
        return made

    @classmethod
    def reopen(
        cls, path: Path, games: Mapping[str, Game[Any]] = GAMES, *, may_cut: bool = False
    ) -> tuple[LogFile, log.Log]:
        """Go on with a file; a line that was never finished is cut off, and kept beside it.

        With `may_cut` that is done with whole lines, too, from the first that is damaged.

        Raises:
            StoreError: it cannot be written, another program is writing it, or it is damaged.
            BadLog: not even its header can be read.
        """
        text, found = read_text(path), None  # first: opening what is no file would wait for ever
        try:
            file = path.open("r+", encoding="utf-8", newline="\n", errors="replace")
            system.narrow(path)
            system.own_folder(path.parent)
        except OSError as error:
            raise cannot("open", path, error) from error
        lock(file, path)
        try:
            text = read_text(path)  # once more, now that nobody else can change it
            found = log.read(text, games)
            if found.damage is not None:
                if not (found.damage.is_tail or may_cut):
                    raise damaged(path, found.damage)
                _cut(path, file, found.lines)
        except BaseException:
            file.close()  # with its lock
            raise
        file.seek(0, os.SEEK_END)
        made = cls(path, file, found.header, found.match)
        made._writer, made._end, made._texts = found.writer, found.end, [text[: found.size]]
        return made, found

    def sync(self, match: Match) -> None:
        """Write what `match` has more (steps) or less (a `back` line) than the file."""
        common = _common(self._saved, match)
        if common < self._saved.number:
            self.add(f"back {common}")
        self._writer, text = self._writer.steps(match, common)
        self._saved = match
        if text or common < match.number:
            self._end = None
        self._write(text)
        end = log.outcome_end(match)
        if end is not None:
            self.end(end)

    def end(self, end: log.End) -> None:
        """Write how the table ended, once.

        What a full disk did not take waits in the file's buffer, and is tried again.
        """
        if end != self._end:
            self._end = end
            self.add(log.end_text(end))
        self._flush()
        sync_later(self.path)  # a match that is over survives a power cut

    def say(self, seat: int, text: str) -> None:
        """Write what somebody said."""
        self.add(f"say {seat} {text}")

    def add(self, text: str) -> None:
        """Write one line of any kind."""
        self._writer, line = self._writer.line(text)
        self._write(line)

    def close(self) -> None:
        """Close the file; nothing is waiting to be written, or its error was raised already."""
        with suppress(OSError):
            self._file.close()

    def _write(self, text: str) -> None:
        if not text:
            return
        try:
            is_gone = bool(self._texts) and not self._is_there()
            if is_gone:
                self._begin_anew()
            self._file.write(text)
            self._file.flush()
        except OSError as error:
            raise cannot("write", self.path, error) from error
        self._texts.append(text)
        if is_gone:
            self.add(ANEW)

    def _flush(self) -> None:
        try:
            self._file.flush()
        except OSError as error:
            raise cannot("write", self.path, error) from error

    def _is_there(self) -> bool:
        """Return whether the file by our name is still the one we write, as long as we left it."""
        try:
            named, open_ = self.path.stat(), os.fstat(self._file.fileno())
        except FileNotFoundError:
            return False
        is_other = (named.st_dev, named.st_ino) != (open_.st_dev, open_.st_ino)
        return not is_other and open_.st_size >= sum(map(len, self._texts))

    def _begin_anew(self) -> None:
        """Write all into a new file: somebody has deleted or replaced ours while we play."""
        path = self.path
        if os.path.lexists(path):
            path = path.with_name(f"{path.stem}-{token_hex(2)}{SUFFIX}")
        file = _created(path)
        lock(file, path)
        self._file.close()
        self._file, self.path = file, path
        file.write("".join(self._texts))


def _created(path: Path) -> IO[str]:
    """Make a log that its owner alone may read: hands and plans are in it."""
    return os.fdopen(system.create_own(path), "w", encoding="utf-8", newline="\n")


def _cut(path: Path, file: IO[str], lines: int) -> None:
    """Leave so many lines of a file; all that it held is kept beside it."""
    data = path.read_bytes()
    size = 0
    for _ in range(lines):
        size = data.index(b"\n", size) + 1
    try:
        whole_files.copy_aside(path, data, ASIDE, is_own=True)
        file.truncate(size)  # at once: what stays is not written anew
    except OSError as error:
        raise cannot("write", path, error) from error


def damaged(path: Path, damage: log.Damage) -> StoreError:
    """Return the error of a log that nobody should go on with as it is."""
    return StoreError(
        f"the log is damaged: {damage}", hint=f"kumite log repair {path} makes a sound one"
    )


def _common(old: Match, new: Match) -> int:
    """Return how many first steps two matches share."""
    number = min(old.number, new.number)
    a, b = old.back(number), new.back(number)
    while a is not b and a.digest != b.digest:
        assert a.before is not None
        assert b.before is not None
        a, b = a.before, b.before
    return a.number


def cannot(verb: str, path: Path, error: OSError | ValueError) -> StoreError:
    """Return the error of a file that cannot be used, with a way out."""
    reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
    if getattr(error, "errno", None) in FULL:
        return DiskFull(f"cannot {verb} {path}: {reason}", hint="make room, then `kumite resume`")
    return StoreError(
        f"cannot {verb} {path}: {reason}", hint="KUMITE_LOGS=FOLDER names another folder"
    )


def lock(file: IO[Any], path: Path) -> None:
    """Hold the file against a second kumite; where the system has no such locks, do nothing."""
    try:
        system.lock(file)
    except OSError as error:
        file.close()
        raise StoreError(
            f"another kumite is playing {path.name}", hint="go on there, or close it first"
        ) from error


def load(path: Path, games: Mapping[str, Game[Any]] = GAMES) -> log.Log:
    """Return the log in a file.

    Raises:
        StoreError: it cannot be read.
        BadLog: not even its header is sound; it names the file.
    """
    text = read_text(path)
    try:
        return log.read(text, games)
    except BadLog as error:
        raise type(error)(f"{path}: {error}", hint=error.hint) from None


def read_text(path: Path) -> str:
    """Return the text of a log file; what is no UTF-8 is damage, to be found by its check.

    Raises:
        StoreError: it cannot be read.
    """
    return read_named(path)[0]


def read_named(path: Path) -> tuple[str, tuple[str, ...]]:
    """Return the text of a log file, and what an editor or a mail has put into it.

    Raises:
        StoreError: it cannot be read.
    """
    try:
        data = whole_files.read_bytes(path, MOST)
    except (OSError, ValueError) as error:  # a name with a NUL is no name
        raise cannot("read", path, error) from error
    return log.plain(data.decode("utf-8", errors="replace"))


def read_ends(path: Path) -> tuple[str, str]:
    """Return the first and the last lines of a log file; of a short one all, and nothing.

    Raises:
        StoreError: it cannot be read.
    """
    try:
        head, tail = whole_files.read_ends(path, END)
    except (OSError, ValueError) as error:
        raise cannot("read", path, error) from error
    first, last = (data.decode("utf-8", errors="replace") for data in (head, tail))
    return log.plain(first)[0], last.replace("\r\n", "\n")


def annotate(path: Path, number: int, said: str, games: Mapping[str, Game[Any]] = GAMES) -> log.Log:
    """Write a remark on the position after step `number` into a log; return the log with it.

    Raises:
        KumiteError: the log is damaged, another program writes it, or there is no such step.
    """
    text = remark_text(number, said)
    found = load(path, games)
    if found.damage is not None:  # going on would cut off what is damaged
        raise damaged(path, found.damage)
    if not 0 <= number <= found.match.number:
        raise StoreError(
            f"there is no step {number}", hint=f"a number from 0 to {found.match.number}"
        )
    file, _ = LogFile.reopen(path, games)
    try:
        file.add(text)
    finally:
        file.close()
    return load(path, games)


def table_of(path: Path, header: log.Header) -> Path | None:
    """Return where the table's file of a LAN match should be: its log says so."""
    for line in header.extra:
        kind, _, name = line.partition(" ")
        if kind == "table" and re.fullmatch("[0-9a-f]{16}-[0-9]{1,7}[.]table", name):
            return path.with_name(name)
    return None
