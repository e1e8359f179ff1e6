"""Wording shared by the games; pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from kumite.core.text import listed

IT: Final = "it "  # the beginning of a clause about a step
MANY: Final = 3  # clauses from which on commas separate them


def counted(number: int, one: str, more: str = "") -> str:
    """Return a number of things: `1 card`, `2 cards`."""
    return f"{number} {one if number == 1 else more or f'{one}s'}"


def joined(parts: Iterable[str]) -> str:
    return "; ".join(filter(None, parts)) + "."


def reasons(clauses: Iterable[str]) -> str:
    """Join the merits of a step into a sentence: `it takes 2 flags and takes the lead`.

    Consecutive clauses with `it` share it.
    """
    said: list[str] = []
    goes_on, is_same = False, True  # the previous clause, or every clause, is about the step
    for clause in clauses:
        said.append(clause.removeprefix(IT) if goes_on else clause)
        goes_on = clause.startswith(IT)
        is_same = is_same and goes_on
    is_short = len(said) < MANY and is_same and not any("," in clause for clause in said)
    return listed(said, " and " if is_short else ", and ")


def on(what: str, squares: Iterable[str]) -> str:
    """Return `bases on e4, f5`, or "" without squares."""
    places = ", ".join(squares)
    return f"{what} on {places}" if places else ""
