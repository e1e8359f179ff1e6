"""Texts that were looked at once and must not change unseen."""

from __future__ import annotations

import os

from tests.support.places import DATA

FOLDER = DATA / "scenes"


def check(name: str, text: str) -> None:
    """Compare `text` with the file of that name; KUMITE_GOLDENS=write writes the file instead."""
    path = FOLDER / f"{name}.txt"
    if os.environ.get("KUMITE_GOLDENS") == "write":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{text}\n", encoding="utf-8")
    assert f"{text}\n" == kept(name)


def kept(name: str) -> str:
    """Return what the file of that name holds."""
    path = FOLDER / f"{name}.txt"
    assert path.is_file(), f"{path.name} is missing: KUMITE_GOLDENS=write writes it"
    return path.read_text(encoding="utf-8")
