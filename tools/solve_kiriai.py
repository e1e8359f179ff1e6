"""Solve Kiri-ai to make the strategy of `strong`: `python -m kumite.tools.solve_kiriai FOLDER`.

FOLDER is core/games/kiriai/bot. The exploitability that is printed is exact for an opponent who
knows my special, from the start or from the end of the book. Real opponents do not know it, so this
is an upper bound; it is exact once no special is in hand.

This needs numba and numpy (`pip install "kumite[solver]"`), twelve minutes on one core, and 2.5 GB.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from kumite.core.games.kiriai.bot import book, table
from kumite.core.games.kiriai.state import SPACES

NODES: Final = 30_000  # maximum size of a book


def main() -> None:
    """Solve both fields; write the table and the book to the given folder."""
    from kumite.tools.kiriai_levels import Solved, say  # late: numba
    from kumite.tools.kiriai_tree import book as tree_of

    parts, books = [], []
    for name, last in SPACES.items():
        solved = Solved(name, last)
        parts += solved.packed()
        books.append(tree_of(solved, NODES))
    for file, packed in ((table.FILE, parts), (book.FILE, books)):
        head = b"".join(len(part).to_bytes(4, "little") for part in packed)
        data = head + b"".join(packed)
        Path(sys.argv[1], file).write_bytes(data)
        say(f"{file}: {len(data)} bytes")


if __name__ == "__main__":
    main()
