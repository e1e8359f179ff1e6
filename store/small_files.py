"""Small files: size-limited reading, warnings on failure, never overwriting unreadable ones."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

from kumite.core.errors import KumiteError
from kumite.store import whole_files
from kumite.store.warned import warn

T = TypeVar("T")
MOST: Final = 1 << 22  # bytes
ASIDE: Final = "unreadable"
_BROKEN: Final = (ValueError, KeyError, TypeError, AttributeError, RecursionError)


def load(path: Path, parse: Callable[[str], T], nothing: T, most: int = MOST) -> T:
    """Return a parsed file; `nothing` if it is missing, or, with a warning, unusable.

    `parse` may raise the errors that wrong JSON values cause.
    """
    try:
        return parse(whole_files.read_text(path, most))
    except FileNotFoundError:
        pass
    except OSError as error:
        warn(f"cannot read {path}: {whole_files.reason(error)}")
    except _BROKEN:
        warn(f"cannot use {path}: it is damaged, or from another version of kumite")
    return nothing


def save(path: Path, parse: Callable[[str], object], text: str) -> None:
    """Write a file; rename an unusable old one first."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if os.path.exists(path) and load(path, parse, None) is None:
            warn(f"{path} is kept as {whole_files.set_aside(path, ASIDE).name}")
        whole_files.write_whole(path, text.encode())
    except OSError as error:
        raise KumiteError(f"cannot write {path}: {whole_files.reason(error)}") from error
