"""Cases that cover all values of some lists without covering every combination of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any


def spread(first: Iterable[Any], *others: Sequence[Any], each: int = 1) -> list[tuple[Any, ...]]:
    """Let every value of `first` meet `each` combinations of the others, which take turns.

    Every value of the others occurs, as long as there are as many cases. A tuple in `first` counts
    as several values of a case.
    """
    cases = []
    for number, one in enumerate(first):
        values = one if isinstance(one, tuple) else (one,)
        for n in range(number * each, (number + 1) * each):
            taken = [of[(n + n // len(of) * k) % len(of)] for k, of in enumerate(others)]
            cases.append((*values, *taken))
    return cases
