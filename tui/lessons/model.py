"""What a lesson is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kumite.core.game import Seat
    from kumite.core.match import Played


@dataclass(frozen=True, slots=True)
class Task:
    """One prepared position and what to do in it.

    `text` says in one to four lines of at most 76 columns what there is to know and what to do;
    `hint` helps who is stuck, `praise` says what has been learnt. The task is done when `is_done`
    says so of the steps made since its start (chance's included), the position before the first
    and the position now; if it is not, `why_not` says of the same what is wrong with them.
    """

    title: str
    text: str
    position: str  # canonical text; the seats other than `seat` do not act
    seat: Seat
    is_done: Callable[[Any, Sequence[Played], Any], bool]
    hint: str
    praise: str
    solution: tuple[str, ...]  # steps of `seat` (and chance) that do it: for tests, and to be shown
    why_not: Callable[[Any, Sequence[Played], Any], str]
