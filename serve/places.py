"""Where a guest's app may be connected: to tables of this house, and of its network; pure."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from kumite.net.transport.discovery import Found, Vanished
from kumite.store.house import is_inner

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kumite.net.transport.discovery import News


class Places:
    """Tables that stand open, by where they are (mutable)."""

    def __init__(self, own: str) -> None:
        """`own` is the house's address, at which its guests' tables listen."""
        self.own = own
        self.hosted: Counter[int] = Counter()  # ports at which the house listens for its guests
        self._announced: dict[tuple[str, str], Found] = {}  # by service and key

    def note(self, service: str, news: News) -> News:
        """Take in what is announced; return what guests are told of it."""
        if isinstance(news, Found):
            near = self.near(news.addresses)
            if near:
                found = Found(news.key, news.table, near)
                self._announced[service, news.key] = found
                return found
        self._announced.pop((service, news.key), None)
        return Vanished(news.key)

    def announced(self, service: str) -> Iterable[Found]:
        """Return all that is announced now."""
        return [one for (where, _), one in self._announced.items() if where == service]

    def near(self, addresses: Sequence[str]) -> tuple[str, ...]:
        """Return those that may be anybody's on the house's network.

        Never this computer's inner side, where services listen that count on being alone, and no
        names: who asks for one is told whether the house's network knows it.
        """
        is_alone = is_inner(self.own)
        return tuple(one for one in addresses if one == self.own or not (is_alone or is_inner(one)))

    def reachable(self, addresses: Sequence[str], port: int) -> tuple[str, ...]:
        """Return those of the addresses at which a table stands open, at that port."""
        known = {self.own} if self.hosted[port] else set()
        for one in self._announced.values():
            if one.table.port == port:
                known.update(one.addresses)
        return tuple(one for one in self.near(addresses) if one in known)
