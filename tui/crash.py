"""The report of a crash: one screen that says what happened, what is saved, where the rest lies."""

from __future__ import annotations

import traceback
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kumite.core.text import clean, harmless
from kumite.store import house, whole_files

if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST: Final = 300  # characters of what happened


def folder() -> Path:
    """Return where reports lie."""
    from platformdirs import user_state_path

    return user_state_path("kumite", appauthor=False)


def report(error: BaseException, saved: Iterable[Path] = ()) -> str:
    """Write the traceback of an error into a file; return what to show of it."""
    lines = traceback.format_exception(error)
    text = "".join(lines)
    path = folder() / f"crash-{datetime.now(UTC):%Y-%m-%d-%H%M%S-%f}.txt"
    try:
        whole_files.write_new(path, text.encode("utf-8", "replace"))
        where = f"The traceback is in {path}"
    except OSError as problem:
        where = f"The traceback could not be kept ({problem.strerror}):\n{text}"
    said = [f"kumite has made a mistake and ended: {clean(house.told(lines[-1]), LONGEST)}"]
    if house.is_guest():  # nothing of the host is shown, and there is no command line to go on with
        return harmless("\n".join([*said, "What you have played is saved: come again to go on."]))
    said += [f"The match is saved, and goes on with: kumite resume {one}" for one in saved]
    said += [where, "Please report it, with that file."]
    return harmless("\n".join(said))
