"""Puzzles made of one's own matches: a file of lines beside the saved ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.core.errors import KumiteError
from kumite.store import whole_files
from kumite.store.log_files import folder
from kumite.tui.puzzles.model import games, line_of, read, shipped

if TYPE_CHECKING:
    from kumite.tui.puzzles.model import Puzzle

FILE: Final = "puzzles.txt"
MOST: Final = 1 << 22  # bytes


def read_all() -> list[Puzzle]:
    """Return the puzzles of one's own; none where they cannot be read."""
    try:
        return read(whole_files.read_bytes(folder() / FILE, MOST).decode())
    except (OSError, ValueError):
        return []


def add(one: Puzzle) -> bool:
    """Keep a puzzle; return whether it is new.

    Raises:
        KumiteError: the file cannot be written.
    """
    kept = read_all()
    if any(other.id == one.id for other in kept):
        return False
    text = "".join(f"{line_of(other)}\n" for other in (*kept, one))
    try:
        folder().mkdir(parents=True, exist_ok=True)
        whole_files.write_whole(folder() / FILE, text.encode())
    except OSError as error:
        raise KumiteError(f"cannot keep a puzzle: {error.strerror}") from error
    return True


def by_game() -> dict[str, tuple[Puzzle, ...]]:
    """Return the puzzles of each game: those of one's own matches, then the shipped ones."""
    mine, known = read_all(), set[str]()
    found: dict[str, list[Puzzle]] = {game_id: [] for game_id in games()}
    for one in (*mine, *(one for game_id in found for one in shipped(game_id))):
        if one.id not in known:
            known.add(one.id)
            found.setdefault(one.game.ID, []).append(one)
    return {game_id: tuple(some) for game_id, some in found.items()}
