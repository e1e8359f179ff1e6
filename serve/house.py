"""Who is at the door and who is inside, and how many there may be: counted, nothing else; pure.

Times are seconds of any clock that goes only forward.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from kumite.serve.terms import Terms

AT_THE_DOOR: Final = 64  # connections of all addresses that are not in yet
SAME: Final = 4  # visits of one guest at the same time
FIRST_WAIT, LONGEST_WAIT = 1.0, 300.0  # s after a wrong code; twice as long after each
TRIES_AT_ONCE: Final = 4  # connections for each that may stand at the same time
TRY_AGAIN: Final = 2.0  # s until an address that has used them up has one more
MOST_KNOWN: Final = 4096  # addresses whose tries, and whose wrong codes, are remembered


@dataclass(slots=True)
class Visit:
    """A guest who is inside."""

    who: str  # the name of their folder
    name: str
    address: str
    since: float
    doing: str = ""  # the title of the game they have begun last


@dataclass(slots=True)
class House:
    """The counts of one house (mutable)."""

    terms: Terms
    connected: Counter[str] = field(default_factory=Counter)  # connections by origin
    visits: list[Visit] = field(default_factory=list)
    _tries: dict[str, tuple[float, float]] = field(default_factory=dict)  # how many left, when
    _wrong: dict[str, tuple[int, float]] = field(default_factory=dict)  # how often, until when

    # --- connections ------------------------------------------------------------------------------

    def knock(self, address: str, now: float) -> bool:
        """Count a connection; return whether there is room for it, else it is not counted."""
        origin = origin_of(address)
        most = self.terms.guests + AT_THE_DOOR
        if self._comes_too_often(origin, now):
            return False
        if self.connected[origin] >= self.terms.per_address or self.connected.total() >= most:
            return False
        self.connected[origin] += 1
        return True

    def _comes_too_often(self, origin: str, now: float) -> bool:
        """Count a try: to come and go costs the house the start of an app each time."""
        most = TRIES_AT_ONCE * self.terms.per_address
        left, since = self._tries.pop(origin, (float(most), now))
        left = min(most, left + (now - since) / TRY_AGAIN)
        while len(self._tries) >= MOST_KNOWN:
            del self._tries[next(iter(self._tries))]
        self._tries[origin] = (max(0.0, left - 1), now)
        return left < 1

    def gone(self, address: str) -> None:
        """Count a connection that `knock` has let be no longer."""
        origin = origin_of(address)
        self.connected[origin] -= 1
        if self.connected[origin] <= 0:
            del self.connected[origin]

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

    # --- the code ---------------------------------------------------------------------------------

    def wait(self, address: str, now: float) -> float:
        """Return how long an address has to wait before it may try a code again, in s."""
        _, until = self._wrong.get(origin_of(address), (0, now))
        return max(0.0, until - now)

    def wrong(self, address: str, now: float) -> None:
        """Note a wrong code: the next one from there has to wait twice as long."""
        origin = origin_of(address)
        often = self._wrong.pop(origin, (0, now))[0] + 1
        while len(self._wrong) >= MOST_KNOWN:
            del self._wrong[next(iter(self._wrong))]
        wait = min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** min(often - 1, 20))
        self._wrong[origin] = (often, now + wait)

    def right(self, address: str) -> None:
        """Forget the wrong codes of an address."""
        self._wrong.pop(origin_of(address), None)


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
