"""Who has guessed wrong has to wait, longer each time: by address, and by name; pure.

So one address gets nowhere at any name, and many addresses get nowhere at one name. Times are
seconds of any clock that goes only forward.
"""

from __future__ import annotations

from typing import Final

FIRST_WAIT, LONGEST_WAIT = 1.0, 300.0  # s after a wrong guess; twice as long after each
FORGET: Final = 300.0  # s after which one wrong guess is forgotten
MOST_OVER: Final = 10  # wrong guesses that count, beyond those that are free
MOST_KNOWN: Final = 4096  # addresses, or names, that are remembered


class Waits:
    """How often somebody was wrong, and until when they have to wait."""

    def __init__(self, free: int = 0) -> None:
        """After so many wrong guesses nobody has to wait yet."""
        self._free = free
        self._wrong: dict[str, tuple[float, float, float]] = {}  # how often, when, until when

    def wait(self, who: str, now: float) -> float:
        """Return how long they have to wait, in s."""
        return max(0.0, self._wrong.get(who, (0.0, now, now))[2] - now)

    def wrong(self, who: str, now: float) -> None:
        """Note a wrong guess."""
        often, when, _ = self._wrong.pop(who, (0.0, now, now))
        often = max(0.0, often - (now - when) / FORGET) + 1
        over = min(MOST_OVER, often - self._free)
        while len(self._wrong) >= MOST_KNOWN:
            del self._wrong[next(iter(self._wrong))]
        wait = min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** (over - 1)) if over > 0 else 0.0
        self._wrong[who] = (min(often, self._free + MOST_OVER), now, now + wait)

    def right(self, who: str) -> None:
        """Forget their wrong guesses."""
        self._wrong.pop(who, None)


class Guesses:
    """The wrong answers to one question."""

    def __init__(self, what: str, free_of_address: int = 0, free_of_name: int = 4) -> None:
        """`what` is guessed, in the plural; so many wrong ones cost nothing."""
        self._what = what
        self._by_address, self._by_name = Waits(free_of_address), Waits(free_of_name)

    def wait(self, origin: str, name: str, now: float) -> float:
        """Return how long who comes from there, or has that name, has to wait, in s."""
        return max(self._by_address.wait(origin, now), self._by_name.wait(name, now))

    def why_not(self, origin: str, name: str, now: float) -> str:
        """Return why nobody from there, or of that name, may guess now; empty: they may."""
        if not (wait := self.wait(origin, name, now)):
            return ""
        is_theirs = self._by_address.wait(origin, now) == wait
        whose = "came from your address" if is_theirs else f"were tried for {name}"
        return f"Wrong {self._what} {whose}: wait {wait:.0f} s, and come again."

    def wrong(self, origin: str, name: str, now: float) -> None:
        """Note a wrong one."""
        self._by_address.wrong(origin, now)
        self._by_name.wrong(name, now)

    def right(self, origin: str) -> None:
        """Forget those of an address; those of a name stay, as anybody may have given them."""
        self._by_address.right(origin)
