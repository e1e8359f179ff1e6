"""Which lessons have been done: a small file beside the saved matches."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from kumite.core.errors import KumiteError
from kumite.store import whole_files
from kumite.store.log_files import folder

FILE: Final = "lessons.json"
MOST: Final = 1 << 16  # bytes


def done(game_id: str) -> frozenset[str]:
    """Return the titles of the tasks of a game that have been done; a broken file says none."""
    return frozenset(_read().get(game_id, ()))


def mark_done(game_id: str, title: str) -> None:
    """Keep that a task has been done.

    Raises:
        KumiteError: the file cannot be written.
    """
    kept = _read()
    if title in kept.get(game_id, ()):
        return
    kept[game_id] = [*kept.get(game_id, ()), title]
    try:
        _path().parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(kept, ensure_ascii=False, indent=1, sort_keys=True)
        whole_files.write_whole(_path(), text.encode("utf-8"))
    except OSError as error:
        raise KumiteError(f"cannot keep what was learnt: {error.strerror}") from error


def _path() -> Path:
    return folder() / FILE


def _read() -> dict[str, list[str]]:
    try:
        said = json.loads(whole_files.read_bytes(_path(), MOST))
    except (OSError, ValueError, RecursionError):
        return {}
    if type(said) is not dict:
        return {}
    return {
        game: [one for one in titles if type(one) is str]
        for game, titles in said.items()
        if type(titles) is list
    }
