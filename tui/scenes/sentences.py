"""Words that the positions of all games are told with. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.core.text import listed

if TYPE_CHECKING:
    from collections.abc import Iterable

IT: Final = "it "  # how a clause begins that is said of a step
MANY: Final = 3  # clauses, that commas part


def counted(number: int, one: str, more: str = "") -> str:
    """Return a number of things: `1 card`, `2 cards`."""
    return f"{number} {one if number == 1 else more or f'{one}s'}"


def joined(parts: Iterable[str]) -> str:
    """Return what is said of somebody as one sentence."""
    return "; ".join(filter(None, parts)) + "."


def reasons(clauses: Iterable[str]) -> str:
    """Return what a step is good for as one sentence: `it takes 2 flags and takes the lead`.

    What is said of the step again, `it ...`, goes on with it.
    """
    said: list[str] = []
    goes_on, is_same = False, True  # whether the clause before, or each, is said of the step
    for clause in clauses:
        said.append(clause.removeprefix(IT) if goes_on else clause)
        goes_on = clause.startswith(IT)
        is_same = is_same and goes_on
    is_short = len(said) < MANY and is_same and not any("," in clause for clause in said)
    return listed(said, " and " if is_short else ", and ")


def on(what: str, squares: Iterable[str]) -> str:
    """Return where something stands, `bases on e4, f5`; nothing if it stands nowhere."""
    places = ", ".join(squares)
    return f"{what} on {places}" if places else ""
