"""Solve Kiri-ai: `python -m kumite.tools.solve_kiriai core/bots/kiriai` makes what `strong` plays.

What is printed is exact: what the best answer gains against this play. It is the best answer of an
opponent who knows which special I hold, from the start or from where the book ends: an upper bound
of what anybody can gain, as nobody does know; exact where no special is in hand.

The only thing here that needs numba and numpy: `pip install "kumite[solver]"`; twelve
minutes of a core and 2.5 GB.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from kumite.core.bots.kiriai import book, table
from kumite.core.games.kiriai.state import SPACES

NODES: Final = 30_000  # of a book, at most


def main() -> None:
    """Solve both fields and write the table and the book to the folder named."""
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
