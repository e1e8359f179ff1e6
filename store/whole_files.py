"""Atomic writes and size-limited reads of whole files; failures are OSErrors.

A file is written under a temporary name, read back, and renamed, so either the old or the new one
exists at any time. Only regular files are read: opening a pipe would block.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path
from secrets import token_hex
from typing import IO, Final, TypeVar

from kumite.core.errors import KumiteError
from kumite.store.system import create_own, open_to_read, owner, sync, sync_folder
from kumite.store.warned import warn

T = TypeVar("T")
CHUNK: Final = 1 << 16  # bytes
SMALL: Final = 1 << 22  # bytes, at most
ASIDE: Final = "unreadable"  # suffix of a file that cannot be used
DAMAGED: Final = "damaged"  # suffix of the copy made before a repair
_BROKEN: Final = (ValueError, KeyError, TypeError, AttributeError, RecursionError)
_KINDS: Final = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def read_bytes(path: Path, most: int) -> bytes:
    """Return the content of a file, which may have at most `most` bytes."""
    with opened(path) as file:
        return read_open(file, path, most)


def read_open(file: IO[bytes], path: Path, most: int) -> bytes:
    found = os.fstat(file.fileno())
    _require(found, path)
    size, data = found.st_size, b""
    while size <= most and (more := file.read(max(CHUNK, size - len(data)))):
        data += more
        size = max(size, len(data))
    if size > most:
        raise OSError(errno.EFBIG, f"it is larger than {_size(most)}", str(path))
    return data


def read_text(path: Path, most: int) -> str:
    """Return the text of a file, which must be UTF-8."""
    try:
        return read_bytes(path, most).decode("utf-8-sig")  # some editors add a byte order mark
    except UnicodeDecodeError as error:
        why = f"byte {error.start + 1} is not UTF-8"
        raise OSError(errno.EILSEQ, why, str(path)) from None


def read_ends(path: Path, most: int) -> tuple[bytes, bytes]:
    """Return the first and the last `most` bytes of a file; of a short one all, and b""."""
    with opened(path) as file:
        if os.fstat(file.fileno()).st_size <= 2 * most:
            return file.read(2 * most), b""
        head = file.read(most)
        file.seek(-most, os.SEEK_END)
        return head, file.read(most)


def opened(path: Path) -> IO[bytes]:
    """Open a regular file to read it."""
    require_file(path)  # first: opening a device may have side effects
    file = open_to_read(path)
    try:
        _require(os.fstat(file.fileno()), path)
    except BaseException:
        file.close()
        raise
    return file


def require_file(path: Path) -> None:
    """Raise OSError if there is a folder, pipe or device."""
    with suppress(FileNotFoundError):
        _require(path.stat(), path)


def _require(found: os.stat_result, path: Path) -> None:
    if word := next((word for is_kind, word in _KINDS if is_kind(found.st_mode)), ""):
        raise OSError(errno.EINVAL, f"it is {word}, not a file", str(path))


def names(folder: Path, suffix: str = "") -> list[str]:
    """Return the sorted names in a folder with this suffix; none if it does not exist."""
    try:
        return sorted(name for name in os.listdir(folder) if name.endswith(suffix))
    except FileNotFoundError:
        return []


def names_or_warn(folder: Path, suffix: str = "") -> list[str]:
    """As `names`, but warn instead of raising."""
    try:
        return names(folder, suffix)
    except OSError as error:
        warn(f"cannot list {folder}: {reason(error)}")
        return []


def reason(error: Exception) -> str:
    said = getattr(error, "strerror", None) or str(error) or type(error).__name__
    if not isinstance(error, PermissionError) or not error.filename:
        return said
    who = owner(Path(os.fsdecode(error.filename)))
    return f"{said} (it belongs to {who})" if who else said


def _size(number: int) -> str:
    return f"{number >> 20} MB" if number >= 1 << 20 else f"{number} bytes"


def write_whole(path: Path, data: bytes, *, is_own: bool = False) -> None:
    """Write or replace a file, following links; on failure the old file is unchanged."""
    path = path.resolve()
    part = _part(path, data, is_own=is_own)
    try:
        with suppress(OSError):  # no old file, no modes on this disk, or a guest may not set them
            part.chmod(stat.S_IMODE(path.stat().st_mode))
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def write_new(path: Path, data: bytes, *, is_own: bool = False) -> None:
    """Write a new file; `is_own`: readable by its owner alone."""
    if os.path.lexists(path):
        raise FileExistsError(errno.EEXIST, "it is there already", str(path))
    part = _part(path, data, is_own=is_own)
    try:
        _name_new(part, path)
    finally:
        part.unlink(missing_ok=True)
    sync_folder(path.parent)


def _name_new(part: Path, path: Path) -> None:
    """Rename a file, unless the name has been taken meanwhile."""
    try:
        os.link(part, path)
    except FileExistsError:
        raise
    except OSError:  # a disk without hard links
        if os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, "it is there already", str(path)) from None
        part.rename(path)


def _part(path: Path, data: bytes, *, is_own: bool = False) -> Path:
    """Write `data` to a temporary file beside `path`, synced to disk; return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{token_hex(8)}.part")
    try:
        with os.fdopen(create_own(part), "wb") if is_own else part.open("xb") as file:
            file.write(data)
            file.flush()
            sync(file)
        if part.read_bytes() != data:
            raise OSError(errno.EIO, "different bytes were read back")
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    return part


def write_cache(path: Path, text: str) -> bool:
    """Write a file that can be made again, without syncing it; return success."""
    part = path.with_name(f".{token_hex(8)}.part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError:
        with suppress(OSError):
            part.unlink()
        return False
    return True


def set_aside(path: Path) -> Path:
    """Rename an unusable file to `NAME.unreadable`, `NAME.unreadable-2`, …; return the new path."""
    target = free_name(path, ASIDE)
    path.rename(target)
    return target


def copy_aside(path: Path, data: bytes) -> Path:
    """Save `data` for its owner alone as `NAME.damaged`, `NAME.damaged-2`, …; return the path."""
    while True:
        target = free_name(path, DAMAGED)
        with suppress(FileExistsError):  # another program took the name meanwhile
            write_new(target, data, is_own=True)
            return target


def free_name(path: Path, word: str) -> Path:
    names = (f"{path.name}.{word}" + (f"-{n}" if n > 1 else "") for n in count(1))
    return next(one for one in map(path.with_name, names) if not os.path.lexists(one))


# --- Small files of the program's own -------------------------------------------------------


def load(path: Path, parse: Callable[[str], T], nothing: T, most: int = SMALL) -> T:
    """Return a parsed file; `nothing` if it is missing, or, with a warning, unusable.

    `parse` may raise the errors that wrong JSON values cause.
    """
    try:
        return parse(read_text(path, most))
    except FileNotFoundError:
        pass
    except OSError as error:
        warn(f"cannot read {path}: {reason(error)}")
    except _BROKEN:
        warn(f"cannot use {path}: it is damaged, or from another version of kumite")
    return nothing


def save(path: Path, parse: Callable[[str], object], text: str) -> None:
    """Write a file; rename an unusable old one first."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if os.path.exists(path) and load(path, parse, None) is None:
            warn(f"{path} is kept as {set_aside(path).name}")
        write_whole(path, text.encode())
    except OSError as error:
        raise KumiteError(f"cannot write {path}: {reason(error)}") from error
