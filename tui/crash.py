"""The crash report: what happened, what is saved, and where the traceback is."""

from __future__ import annotations

import traceback
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from platformdirs import user_state_path

from kumite.core.text import clean, harmless_text
from kumite.store import guest_mode, whole_files

LONGEST: Final = 300  # characters of the error message


def folder() -> Path:
    return user_state_path("kumite", appauthor=False)


def report(error: BaseException, saved: Iterable[Path] = ()) -> str:
    """Write the traceback to a file; return the report to show."""
    lines = traceback.format_exception(error)
    text = "".join(lines)
    path = folder() / f"crash-{datetime.now(UTC):%Y-%m-%d-%H%M%S-%f}.txt"
    try:
        whole_files.write_new(path, text.encode("utf-8", "replace"))
        where = f"The traceback is in {path}"
    except OSError as problem:
        where = f"The traceback could not be kept ({problem.strerror}):\n{text}"
    said = [f"kumite has made a mistake and ended: {clean(guest_mode.told(lines[-1]), LONGEST)}"]
    if guest_mode.is_guest():  # a guest has no command line and must see nothing of the host
        return harmless_text(
            "\n".join([*said, "Your match is saved: connect again to continue it."])
        )
    said += [f"The match is saved; continue it with: kumite resume {one}" for one in saved]
    said += [where, "Please report it, with that file."]
    return harmless_text("\n".join(said))
