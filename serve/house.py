"""Who is at the door and who is inside, and how many there may be: counted, nothing else; pure.

Times are seconds of any clock that goes only forward.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address
from typing import TYPE_CHECKING, Final

from kumite.serve.waits import Guesses

if TYPE_CHECKING:
    from kumite.serve.terms import Terms

AT_THE_DOOR: Final = 64  # connections of all addresses that are not in yet
SAME: Final = 4  # visits of one guest at the same time
TRIES_AT_ONCE: Final = 4  # connections for each that may stand at the same time
NEW_ONES: Final = 4  # words that nobody has had, for each that may stand at the same time
TRY_AGAIN: Final = 2.0  # s until an address that has used them up has one more
MOST_KNOWN: Final = 4096  # addresses whose tries are remembered


@dataclass(slots=True)
class Visit:
    """A guest who is inside."""

    who: str  # the name of their folder
    name: str
    address: str
    since: float
    doing: str = ""  # the title of the game they have begun last


@dataclass(slots=True)
class Connections:
    """Connections by address, and how many there may be (mutable)."""

    each: int  # of one address
    most: int  # of all
    again: float = TRY_AGAIN  # s until an address that has used up its tries has one more
    open: Counter[str] = field(default_factory=Counter)  # by origin
    _tries: dict[str, tuple[float, float]] = field(default_factory=dict)  # how many left, when

    def knock(self, address: str, now: float) -> bool:
        """Count a connection; return whether there is room for it, else it is not counted."""
        origin = origin_of(address)
        if self._comes_too_often(origin, now):
            return False
        if self.open[origin] >= self.each or self.open.total() >= self.most:
            return False
        self.open[origin] += 1
        return True

    def _comes_too_often(self, origin: str, now: float) -> bool:
        """Count a try: to come and go costs the house something each time."""
        most = TRIES_AT_ONCE * self.each
        left, since = self._tries.pop(origin, (float(most), now))
        left = min(most, left + (now - since) / self.again)
        while len(self._tries) >= MOST_KNOWN:
            del self._tries[next(iter(self._tries))]
        self._tries[origin] = (max(0.0, left - 1), now)
        return left < 1

    def gone(self, address: str) -> None:
        """Count a connection that `knock` has let be no longer."""
        origin = origin_of(address)
        self.open[origin] -= 1
        if self.open[origin] <= 0:
            del self.open[origin]


@dataclass(slots=True)
class House:
    """The counts of one house (mutable)."""

    terms: Terms
    lines: Connections = field(init=False)  # that lead to an app, or may
    visits: list[Visit] = field(default_factory=list)
    codes: Guesses = field(default_factory=lambda: Guesses("codes"))
    words: Guesses = field(init=False)

    def __post_init__(self) -> None:
        """Let more new guests come from one address where more may be here from one."""
        each = self.terms.per_address
        self.lines = Connections(each, self.terms.guests + AT_THE_DOOR)
        self.words = Guesses("words", free_of_address=NEW_ONES * each)

    # --- guests -----------------------------------------------------------------------------------

    def why_not(self, who: str) -> str:
        """Return why a guest cannot come in now; empty: they can."""
        if len(self.visits) >= self.terms.guests:
            return f"All {self.terms.guests} places here are taken; come again later."
        if sum(one.who == who for one in self.visits) >= SAME:
            return f"You are here {SAME} times already."
        return ""

    def enter(self, visit: Visit) -> None:
        """Count a guest who has come in."""
        self.visits.append(visit)

    def leave(self, visit: Visit) -> None:
        """Count them no longer."""
        self.visits.remove(visit)


def origin_of(address: str) -> str:
    """Return what counts as one address: of IPv6 the /64, which one customer has as a whole."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        mapped = found.ipv4_mapped
        return str(mapped) if mapped else str(IPv6Address(int(found) >> 64 << 64))
    return str(found)
