"""Rate limits, connection counts, and waiting times after wrong guesses; pure.

Times are in seconds of any monotonic clock.
"""

from __future__ import annotations

from collections import Counter
from ipaddress import IPv6Address, ip_address
from typing import Any, Final

TRIES_AT_ONCE: Final = 4  # connection attempts in a burst, for each connection allowed
TRY_AGAIN: Final = 2.0  # s until an address that has used them up may try again
BURST: Final = 2.0  # s of a rate that are allowed in a burst
MOST_KNOWN: Final = 4096  # addresses or names that are remembered
FIRST_WAIT, LONGEST_WAIT = 1.0, 300.0  # s after a wrong guess; doubled with each
FREE_OF_NAME: Final = 4  # wrong guesses at a name without a waiting time
FORGET: Final = 300.0  # s after which one wrong guess is forgotten
MOST_OVER: Final = 10  # wrong guesses that count, beyond the free ones


class TokenBucket:
    """A rate limit: a number of units per second, with a burst after a pause."""

    def __init__(self, rate: float, now: float, burst: float | None = None) -> None:
        """`burst`: units at once; by default the rate times BURST."""
        self._rate, self._burst = rate, BURST * rate if burst is None else burst
        self._left, self._since = self._burst, now

    def take(self, count: int, now: float) -> float:
        """Take `count` units; return for how many s to wait before the next."""
        earned = (now - self._since) * self._rate
        self._left, self._since = min(self._burst, self._left + earned) - count, now
        return max(0.0, -self._left / self._rate)


class Backoff:
    """Waiting times after wrong guesses, by name or address."""

    def __init__(self, free: int = 0) -> None:
        """`free`: wrong guesses without a waiting time."""
        self._free = free
        self._wrong: dict[str, tuple[float, float, float]] = {}  # count, last, end of wait

    def wait(self, who: str, now: float) -> float:
        return max(0.0, self._wrong.get(who, (0.0, now, now))[2] - now)

    def wrong(self, who: str, now: float) -> None:
        often, when, _ = self._wrong.pop(who, (0.0, now, now))
        often = max(0.0, often - (now - when) / FORGET) + 1
        over = min(MOST_OVER, often - self._free)
        _make_room(self._wrong)
        wait = min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** (over - 1)) if over > 0 else 0.0
        self._wrong[who] = (min(often, self._free + MOST_OVER), now, now + wait)

    def right(self, who: str) -> None:
        self._wrong.pop(who, None)


class Guesses:
    """Waiting times after wrong guesses of one kind of secret, by address and by name.

    So one address cannot try many names, and many addresses cannot try one name.
    """

    def __init__(self, what: str, free_of_address: int = 0) -> None:
        """`what`: the plural of what is guessed; `free…`: guesses without a waiting time."""
        self._what = what
        self._by_address, self._by_name = Backoff(free_of_address), Backoff(FREE_OF_NAME)

    def wait(self, origin: str, name: str, now: float) -> float:
        return max(self._by_address.wait(origin, now), self._by_name.wait(name, now))

    def why_not(self, origin: str, name: str, now: float) -> str:
        """Return why a guess is not allowed now, "" if it is."""
        if not (wait := self.wait(origin, name, now)):
            return ""
        is_theirs = self._by_address.wait(origin, now) == wait
        whose = "came from your address" if is_theirs else f"were tried for {name}"
        return f"Wrong {self._what} {whose}: wait {wait:.0f} s, and come again."

    def wrong(self, origin: str, name: str, now: float) -> None:
        self._by_address.wrong(origin, now)
        self._by_name.wrong(name, now)

    def right(self, origin: str) -> None:
        """Forget an address's wrong guesses; a name's stay, as anyone may have made them."""
        self._by_address.right(origin)


class Connections:
    """The number of open connections by address, and its limits."""

    def __init__(self, each: int, most: int, again: float = TRY_AGAIN) -> None:
        """Allow `each` per address, `most` in all, and one more attempt after `again` s."""
        self.open: Counter[str] = Counter()  # by origin
        self._each, self._most, self._again = each, most, again
        self._tries: dict[str, tuple[float, float]] = {}  # attempts left, and when

    def admit(self, address: str, now: float) -> bool:
        """Count a connection and return True, or return False if there is no room for it."""
        origin = origin_of(address)
        if self._comes_too_often(origin, now):
            return False
        if self.open[origin] >= self._each or self.open.total() >= self._most:
            return False
        self.open[origin] += 1
        return True

    def _comes_too_often(self, origin: str, now: float) -> bool:
        """Count an attempt: even a connection that is closed at once costs the server something."""
        most = TRIES_AT_ONCE * self._each
        left, since = self._tries.pop(origin, (float(most), now))
        left = min(most, left + (now - since) / self._again)
        _make_room(self._tries)
        self._tries[origin] = (max(0.0, left - 1), now)
        return left < 1

    def release(self, address: str) -> None:
        origin = origin_of(address)
        self.open[origin] -= 1
        if self.open[origin] <= 0:
            del self.open[origin]


def _make_room(known: dict[str, Any]) -> None:
    while len(known) >= MOST_KNOWN:
        del known[next(iter(known))]


def origin_of(address: str) -> str:
    """Return the key for counting an address: of IPv6 the /64, since one customer has it all."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        mapped = found.ipv4_mapped
        return str(mapped) if mapped else str(IPv6Address(int(found) >> 64 << 64))
    return str(found)
