"""Finished lessons, in a small file beside the saved matches."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from kumite.store import whole_files
from kumite.store.log_files import folder

FILE: Final = "lessons.json"


def done(game_id: str) -> frozenset[str]:
    return frozenset(_read().get(game_id, ()))


def mark_done(game_id: str, title: str) -> None:
    kept = _read()
    if title in kept.get(game_id, ()):
        return
    kept[game_id] = [*kept.get(game_id, ()), title]
    text = json.dumps(kept, ensure_ascii=False, indent=1, sort_keys=True)
    whole_files.save(_path(), _parsed, text)


def _path() -> Path:
    return folder() / FILE


def _read() -> dict[str, list[str]]:
    return whole_files.load(_path(), _parsed, {})


def _parsed(text: str) -> dict[str, list[str]]:
    return {
        game: [one for one in titles if type(one) is str]
        for game, titles in json.loads(text).items()
        if type(titles) is list
    }
