"""Texts that were looked at once and must not change unseen: `make goldens` writes them anew."""

from __future__ import annotations

import os
from difflib import unified_diff

from tests.support.places import DATA

FOLDER = DATA / "frames"


def check(name: str, text: str) -> None:
    """Compare `text` with the file of that name; KUMITE_GOLDENS=write writes the file instead."""
    path = FOLDER / f"{name}.txt"
    if os.environ.get("KUMITE_GOLDENS") == "write":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{text}\n", encoding="utf-8")
    assert path.is_file(), f"{path.name} is missing: `make goldens` writes it"
    before = path.read_text(encoding="utf-8").removesuffix("\n")
    assert text == before, difference(name, before, text)


def difference(name: str, before: str, after: str) -> str:
    """Return what has changed, the lines before and after: `-` and `+`."""
    lines = unified_diff(before.split("\n"), after.split("\n"), "before", "after", lineterm="", n=1)
    return "\n".join((f"{name} has changed; `make goldens` if it is meant:", *lines))
