"""The player's own puzzles, from their matches: a file of lines beside the saved matches."""

from __future__ import annotations

from typing import Final

from kumite.store import whole_files
from kumite.store.log_files import folder
from kumite.tui.puzzles.model import Puzzle, games, line_of, read, shipped

FILE: Final = "puzzles.txt"


def read_all() -> list[Puzzle]:
    """Return the player's own puzzles; none, with a warning, if they cannot be read."""
    return read(_text())


def _text() -> str:
    return whole_files.load(folder() / FILE, str, "")


def add(one: Puzzle) -> bool:
    """Save a puzzle; return False if it is already there."""
    text = _text()  # including lines that only another version can read
    if any(other.id == one.id for other in read(text)):
        return False
    end = "" if text.endswith("\n") or not text else "\n"
    whole_files.save(folder() / FILE, str, f"{text}{end}{line_of(one)}\n")
    return True


def by_game() -> dict[str, tuple[Puzzle, ...]]:
    mine, known = read_all(), set[str]()
    found: dict[str, list[Puzzle]] = {game_id: [] for game_id in games()}
    for one in (*mine, *(one for game_id in found for one in shipped(game_id))):
        if one.id not in known:
            known.add(one.id)
            found.setdefault(one.game.ID, []).append(one)
    return {game_id: tuple(some) for game_id, some in found.items()}
