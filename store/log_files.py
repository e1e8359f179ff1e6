"""Log files: where saved matches are, and writing them during a match.

Every line is flushed immediately, so a killed program loses no finished step. A program that writes
a file holds a lock on it.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex
from typing import IO, Any, Final

from platformdirs import user_data_path

from kumite.core import codes, log
from kumite.core.errors import BadData, BadLog, KumiteError
from kumite.core.match import Match
from kumite.core.remarks import remark_text
from kumite.core.table import Event, Note, Play, Resign, Table, TakeBack
from kumite.store import system, whole_files
from kumite.store.background import sync_later
from kumite.store.warned import warn

SUFFIX: Final = ".kumite"
ANEW: Final = "note the file was deleted or replaced while the match was played; this one is new"
END: Final = 4096  # bytes read at each end of a log for its summary
FULL: Final = frozenset({errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)})
MOST: Final = 16 << 20  # bytes of a log; a long match has 0.1 MB


class StoreError(KumiteError):
    """A log file that cannot be written, found or locked."""

    code = codes.LOG_FILE


class DiskFull(StoreError):
    """A file that cannot be written because the disk is full."""

    code = codes.DISK_FULL


def folder() -> Path:
    """Return the folder of saved matches: $KUMITE_LOGS, else one in the user's data folder."""
    if own := os.environ.get("KUMITE_LOGS"):
        return Path(own)
    return user_data_path("kumite", appauthor=False) / "matches"


BIN: Final = "bin"  # folder of deleted logs


def new_match_id() -> str:
    return token_hex(8)


class LogFile:
    """One match being written: `sync` brings the file up to date with a match."""

    def __init__(self, path: Path, file: IO[str], header: log.Header, match: Match) -> None:
        """Use `create` or `reopen`."""
        self.path = path
        self.header = header
        self._file = file
        self._writer = log.Writer()
        self._saved = match  # the match as the file has it
        self._end: log.End | None = None
        self._texts: list[str] = []  # the file's content

    @classmethod
    def create(cls, header: log.Header, match: Match, into: Path | None = None) -> LogFile:
        """Start a new file with the header and all steps of `match`, or raise StoreError."""
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
            made._saved = match.back(0)
            made._write(made._writer.header(header))
            made.sync(match)
        except BaseException:  # leave no partial file
            made.close()
            (directory / name).unlink(missing_ok=True)
            raise
        sync_later(made.path)
        return made

    @classmethod
    def reopen(cls, path: Path, *, may_cut: bool = False) -> tuple[LogFile, log.Log]:
        """Continue a file; an incomplete last line is cut off, and kept in a copy.

        With `may_cut`, so is everything from the first damaged line on.

        Raises:
            StoreError: it cannot be written, another program is writing it, or it is damaged.
            BadLog: the header is damaged.
        """
        text, found = read_text(path), None  # first: opening a pipe would block
        try:
            file = path.open("r+", encoding="utf-8", newline="\n", errors="replace")
            system.narrow(path)
            system.own_folder(path.parent)
        except OSError as error:
            raise cannot("open", path, error) from error
        lock(file, path)
        try:
            text = read_text(path)  # again, now that it is locked
            with naming(path):
                found = log.read(text)
            if found.damage is not None:
                if not (found.damage.is_tail or may_cut):
                    raise damaged(path, found.damage)
                _cut(path, file, found.lines)
        except BaseException:
            file.close()  # with its lock
            raise
        file.seek(0, os.SEEK_END)
        made = cls(path, file, found.header, found.match)
        made._writer, made._end = log.Writer(found.chain), found.end
        made._texts = [text[: found.size]]
        return made, found

    def sync(self, match: Match) -> None:
        """Write the steps that `match` has and the file lacks, or a `back` line."""
        common = _common(self._saved, match)
        if common < self._saved.number:
            self.add(f"back {common}")
        text = self._writer.steps(match, common)
        self._saved = match
        if text or common < match.number:
            self._end = None
        self._write(text)
        end = log.outcome_end(match)
        if end is not None:
            self.end(end)

    def end(self, end: log.End) -> None:
        """Write the end of the match, once; retry what a full disk left in the buffer."""
        if end != self._end:
            self._end = end
            self.add(log.end_text(end))
        try:
            self._file.flush()
        except OSError as error:
            raise cannot("write", self.path, error) from error
        sync_later(self.path)  # a finished match survives a power cut

    def record(self, event: Event, table: Table) -> None:
        """Write an event that has led to `table`: of a step also what chance has done after it."""
        match event:
            case Play() | TakeBack():
                self.sync(table.match)
            case Note(text):
                self.add(f"note {text}")
            case Resign() if table.end is not None:
                self.end(table.end)

    def add(self, text: str) -> None:
        self._write(self._writer.lines(text))

    def close(self) -> None:
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

    def _is_there(self) -> bool:
        """Return True if our path still leads to our file, not truncated."""
        try:
            named, open_ = self.path.stat(), os.fstat(self._file.fileno())
        except FileNotFoundError:
            return False
        is_other = (named.st_dev, named.st_ino) != (open_.st_dev, open_.st_ino)
        return not is_other and open_.st_size >= sum(map(len, self._texts))

    def _begin_anew(self) -> None:
        """Write everything to a new file after ours was deleted or replaced."""
        path = self.path
        if os.path.lexists(path):
            path = path.with_name(f"{path.stem}-{token_hex(2)}{SUFFIX}")
        file = _created(path)
        lock(file, path)
        self._file.close()
        self._file, self.path = file, path
        file.write("".join(self._texts))


def _created(path: Path) -> IO[str]:
    """Create a log that only its owner may read, because it contains hands and plans."""
    return os.fdopen(system.create_own(path), "w", encoding="utf-8", newline="\n")


def _cut(path: Path, file: IO[str], lines: int) -> None:
    """Keep the first `lines` of a file; copy the whole file aside first."""
    data = path.read_bytes()
    size = 0
    for _ in range(lines):
        size = data.index(b"\n", size) + 1
    try:
        whole_files.copy_aside(path, data)
        file.truncate(size)  # in place: the kept lines are not rewritten
    except OSError as error:
        raise cannot("write", path, error) from error


def damaged(path: Path, damage: log.Damage) -> StoreError:
    return StoreError(f"the log is damaged: {damage}", hint=f"repair it: kumite log repair {path}")


def _common(old: Match, new: Match) -> int:
    """Return the number of first steps that two matches share."""
    number = min(old.number, new.number)
    a, b = old.back(number), new.back(number)
    while a is not b and a.digest != b.digest:
        assert a.before is not None
        assert b.before is not None
        a, b = a.before, b.before
    return a.number


def cannot(verb: str, path: Path, error: OSError | ValueError) -> StoreError:
    """Return the error for a file that cannot be used, with a hint."""
    reason = whole_files.reason(error)
    blamed = getattr(error, "filename", None)
    if blamed and Path(blamed) in path.parents:  # a parent folder
        reason = f"{blamed}: {reason}"
    if getattr(error, "errno", None) in FULL:
        return DiskFull(
            f"cannot {verb} {path}: {reason}", hint="free some space, then `kumite resume`"
        )
    return StoreError(
        f"cannot {verb} {path}: {reason}", hint="KUMITE_LOGS=FOLDER selects another folder"
    )


def lock(file: IO[Any], path: Path, held: KumiteError | None = None) -> None:
    """Lock a file against other programs; where locks do not work, warn once and continue.

    Raises:
        KumiteError: another program has locked it (`held`); the file is then closed.
    """
    try:
        why_not = system.lock(file)
    except BlockingIOError as error:
        file.close()
        raise held or StoreError(
            f"another kumite is playing {path.name}", hint="continue there, or close it first"
        ) from error
    if why_not:
        warn(no_locks(path.parent, why_not))


def discard(path: Path) -> None:
    """Move a log into its folder's bin; `restore` brings it back.

    Raises:
        StoreError: it cannot be moved, or another program is writing it.
    """
    _moved(path, path.parent / BIN / path.name)


def in_bin(within: Path | None = None, suffix: str = SUFFIX) -> list[Path]:
    """Return the deleted logs, or other files of a folder, the last one deleted last.

    On Windows: the last one begun.
    """
    logs: dict[Path, float] = {}
    for one in ((within or folder()) / BIN).glob(f"*{suffix}"):
        with suppress(OSError):  # another program has emptied the bin
            logs[one] = one.stat().st_ctime
    return sorted(logs, key=lambda one: (logs[one], one))


def restore(within: Path | None = None, suffix: str = SUFFIX) -> Path:
    """Bring back the last log, or other file, deleted; return where it is now.

    Raises:
        StoreError: it cannot be moved, or another program has emptied the bin.
    """
    logs = in_bin(within, suffix)
    if not logs:
        raise StoreError("nothing deleted is left", hint="`kumite log empty` deletes for good")
    last = logs[-1]
    path = last.parent.parent / last.name
    _moved(last, path)
    return path


def empty_bin(within: Path | None = None, suffix: str = SUFFIX) -> int:
    """Delete all logs, or other files, in the bin; return how many, or raise StoreError."""
    logs = in_bin(within, suffix)
    try:
        for one in logs:
            one.unlink()
    except OSError as error:
        raise cannot("empty", logs[0].parent, error) from error
    return len(logs)


def _moved(path: Path, to: Path) -> None:
    try:
        system.own_folder(to.parent)
        with path.open("r+b") as file:
            lock(file, path)
            path.rename(to)
    except OSError as error:
        raise cannot("move", path, error) from error


def no_locks(place: Path, why: str) -> str:
    return (
        f"{place} has no file locks ({why}): nothing stops a second kumite from writing the same "
        "match. Open each match only once."
    )


def load(path: Path) -> log.Log:
    """Return the log in a file; raise StoreError if unreadable, BadLog if its header is damaged."""
    text = read_text(path)
    with naming(path):
        return log.read(text)


@contextmanager
def naming(path: Path) -> Iterator[None]:
    try:
        yield
    except (BadLog, BadData) as error:
        raise type(error)(f"{path}: {error}", hint=error.hint) from None


def read_text(path: Path) -> str:
    """Return the text of a log file; invalid UTF-8 is damage that the checks will find."""
    return read_named(path)[0]


def read_named(path: Path) -> tuple[str, tuple[str, ...]]:
    """Return the text of a log file, and what an editor or mail program added to it."""
    try:
        data = whole_files.read_bytes(path, MOST)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise cannot("read", path, error) from error
    return log.plain(data.decode("utf-8", errors="replace"))


def read_ends(path: Path) -> tuple[str, str]:
    """Return the first and last lines of a log file; for a short one all, and ""."""
    try:
        head, tail = whole_files.read_ends(path, END)
    except (OSError, ValueError) as error:
        raise cannot("read", path, error) from error
    first, last = (data.decode("utf-8", errors="replace") for data in (head, tail))
    return log.plain(first)[0], last.replace("\r\n", "\n")


def annotate(path: Path, number: int, said: str) -> log.Log:
    """Add a remark on the position after step `number` to a log; return the new log.

    Raises:
        KumiteError: the log is damaged, another program writes it, or there is no such step.
    """
    text = remark_text(number, said)
    found = load(path)
    if found.damage is not None:  # reopening would cut off the damaged end
        raise damaged(path, found.damage)
    if not 0 <= number <= found.match.number:
        raise StoreError(
            f"there is no step {number}", hint=f"a number from 0 to {found.match.number}"
        )
    file, _ = LogFile.reopen(path)
    try:
        file.add(text)
    finally:
        file.close()
    return load(path)


def decide(path: Path, end: log.End) -> None:
    """Write that a tournament's organiser has decided a match, if its log has no other end."""
    file, found = LogFile.reopen(path)
    try:
        if found.end is None or found.end.kind == "adjourned":
            file.end(end)
    finally:
        file.close()


def table_of(path: Path, header: log.Header) -> Path | None:
    """Return the path of a LAN match's journal, which its log names."""
    for line in header.extra:
        kind, _, name = line.partition(" ")
        if kind == "table" and re.fullmatch("[0-9a-f]{16}-[0-9]{1,7}[.]table", name):
            return path.with_name(name)
    return None
