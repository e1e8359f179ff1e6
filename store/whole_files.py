"""Files that are read and written whole: never half written, never read without end.

A file that holds what somebody has made is written beside its place, read back, and then renamed:
whatever happens in between, the old one or the new one is there.
"""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from itertools import count
from pathlib import Path
from secrets import token_hex
from typing import Final

from kumite.store.system import create_own, sync_folder

_KINDS: Final = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def read_bytes(path: Path, most: int) -> bytes:
    """Return all that a file holds.

    Raises:
        OSError: it cannot be read, is no file but a folder, a pipe or a device, or holds more than
            `most` bytes.
    """
    _require_file(path)
    with path.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"it is larger than {_size(most)}")
    return data


def read_ends(path: Path, most: int) -> tuple[bytes, bytes]:
    """Return the first and the last `most` bytes of a file; of one with fewer all, and none.

    Raises:
        OSError: it cannot be read, or is no file.
    """
    size = _require_file(path)
    with path.open("rb", buffering=0) as file:
        if size <= 2 * most:
            return file.read(2 * most), b""
        head = file.read(most)
        file.seek(-most, os.SEEK_END)
        return head, file.read(most)


def _require_file(path: Path) -> int:
    """Return the size of a file; opening a pipe would wait for ever."""
    found = path.stat()
    if word := next((word for is_kind, word in _KINDS if is_kind(found.st_mode)), ""):
        raise OSError(errno.EINVAL, f"it is {word}, not a file")
    return found.st_size


def _size(number: int) -> str:
    return f"{number >> 20} MB" if number >= 1 << 20 else f"{number} bytes"


def write_whole(path: Path, data: bytes, *, is_own: bool = False) -> None:
    """Write a file in the place of what was there; a link goes on to lead to it.

    Raises:
        OSError: it cannot be written; then what was there is there still.
    """
    path = path.resolve()
    part = _part(path, data, is_own=is_own)
    try:
        with suppress(FileNotFoundError):
            part.chmod(stat.S_IMODE(path.stat().st_mode))
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def write_new(path: Path, data: bytes, *, is_own: bool = False) -> None:
    """Write a file that is not there yet; `is_own`: which its owner alone may read.

    Raises:
        FileExistsError: it is there; it stays as it is.
        OSError: it cannot be written; nothing of it is left.
    """
    if os.path.lexists(path):
        raise FileExistsError(errno.EEXIST, "it is there already", str(path))
    part = _part(path, data, is_own=is_own)
    try:
        _name_new(part, path)
    finally:
        part.unlink(missing_ok=True)
    sync_folder(path.parent)


def _name_new(part: Path, path: Path) -> None:
    """Give a file its name, unless another has taken it meanwhile."""
    try:
        os.link(part, path)
    except FileExistsError:
        raise
    except OSError:  # a disk without hard links
        if os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, "it is there already", str(path)) from None
        part.rename(path)


def _part(path: Path, data: bytes, *, is_own: bool = False) -> Path:
    """Write `data` beside `path`, on the disk and not only on its way there; return where."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{token_hex(8)}.part")
    try:
        with os.fdopen(create_own(part), "wb") if is_own else part.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if part.read_bytes() != data:
            raise OSError(errno.EIO, "it was written, but other bytes were read back")
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    return part


def set_aside(path: Path, word: str) -> Path:
    """Give a file that cannot be used another name, `NAME.WORD` or `NAME.WORD-2`; return it.

    Raises:
        OSError: it cannot be renamed.
    """
    target = free_name(path, word)
    path.rename(target)
    return target


def copy_aside(path: Path, data: bytes, word: str, *, is_own: bool = False) -> Path:
    """Keep what a file held, beside it, under a name of its own; return where.

    Raises:
        OSError: it cannot be written.
    """
    while True:
        target = free_name(path, word)
        with suppress(FileExistsError):  # another program has taken the name meanwhile
            write_new(target, data, is_own=is_own)
            return target


def free_name(path: Path, word: str) -> Path:
    """Return a name beside a file that nothing has yet."""
    names = (f"{path.name}.{word}" + (f"-{n}" if n > 1 else "") for n in count(1))
    return next(one for one in map(path.with_name, names) if not os.path.lexists(one))
