"""The queue for processors in which guests' bots wait: fair, with matches before analyses.

A guest's app asks before each thought, and thinks while its place is 0. With any other place it
waits, even in the middle of a thought, and continues later. Times are in seconds of any monotonic
clock.
"""

from __future__ import annotations

import asyncio
import re
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Final, NamedTuple

from kumite.store.guest_mode import DONE, LOOK, PLAY

SLICE: Final = 2.0  # s that a thought runs at least before one of the same kind replaces it
LONG: Final = 10.0  # s of waiting, after which an analysis ranks as high as a match
ASKED: Final = re.compile(rb"(\d{1,9}) (%s)" % "|".join((PLAY, LOOK, DONE)).encode())
LONGEST: Final = 32  # bytes of a message from an app
PAUSE: Final = 0.01  # s between two messages of an app, which slows down floods


@dataclass(eq=False, slots=True)
class Thinker:
    """An app whose bots may want to think, one thought at a time."""

    who: str  # the guest, who may have several apps
    tell: Callable[[int, int], object]  # takes the number of the thought, and its place
    number: int = 0  # of its thought
    wish: str = DONE
    since: float = 0.0  # when it began to wait or to think
    is_thinking: bool = False
    was_long: bool = False  # it is thinking because it had waited for long
    told: int = -1  # the place last reported to it


class Queue:
    """The thinking and waiting apps; pure."""

    def __init__(self, most: int) -> None:
        """`most`: apps that may think at once."""
        self._most = most
        self.here: list[Thinker] = []
        self._last: dict[str, float] = {}  # when the last turn of each guest began

    def join(self, thinker: Thinker) -> None:
        self.here.append(thinker)

    def leave(self, thinker: Thinker) -> None:
        self.here.remove(thinker)
        if not any(one.who == thinker.who for one in self.here):
            self._last.pop(thinker.who, None)

    def hear(self, thinker: Thinker, number: int, wish: str, now: float) -> None:
        thinker.number, thinker.wish, thinker.told = number, wish, -1
        thinker.is_thinking, thinker.since = False, now

    def settle(self, now: float) -> float | None:
        """Assign turns and report changed places; return in how many s to do it again."""
        while waiting := self._waiting(now):
            first, thinking = waiting[0], [one for one in self.here if one.is_thinking]
            if len(thinking) >= self._most:
                given_up = self._gives_way(first, thinking, now)
                if given_up is None:
                    break
                given_up.is_thinking, given_up.since = False, now
            first.was_long = self._is_long(first, now)
            first.is_thinking, first.since = True, now
            self._last[first.who] = now
        for place, one in enumerate(waiting, 1):
            self._tell(one, place)
        for one in self.here:
            if one.is_thinking:
                self._tell(one, 0)
        return self._until_next(waiting, now) if waiting else None

    def _waiting(self, now: float) -> list[Thinker]:
        """Return the waiting apps in order: matches first, then guests with the oldest turns."""

        def rank(one: Thinker) -> tuple[bool, int, float, float]:
            count = sum(other.is_thinking for other in self.here if other.who == one.who)
            return (not self._counts(one, now), count, self._last.get(one.who, 0.0), one.since)

        return sorted((o for o in self.here if o.wish != DONE and not o.is_thinking), key=rank)

    def _counts(self, one: Thinker, now: float) -> bool:
        if one.wish == PLAY:
            return True
        if one.is_thinking:
            return one.was_long and now - one.since < SLICE
        return self._is_long(one, now)

    @staticmethod
    def _is_long(one: Thinker, now: float) -> bool:
        return one.wish == LOOK and now - one.since >= LONG

    def _gives_way(self, first: Thinker, thinking: list[Thinker], now: float) -> Thinker | None:
        """Return the app that gives way to `first`: an analysis, or the longest turn; or None."""
        counts = self._counts(first, now)
        able = [
            one
            for one in thinking
            if (counts and not self._counts(one, now))
            or (counts == self._counts(one, now) and now - one.since >= SLICE)
        ]
        return min(able, key=lambda one: (self._counts(one, now), one.since), default=None)

    def _until_next(self, waiting: list[Thinker], now: float) -> float:
        ends = [one.since + SLICE for one in self.here if one.is_thinking]
        ends += [one.since + LONG for one in waiting if one.wish == LOOK]
        return max(0.0, min((end for end in ends if end > now), default=now + SLICE) - now)

    @staticmethod
    def _tell(one: Thinker, place: int) -> None:
        if one.told != place:
            one.told = place
            one.tell(one.number, place)


def channel() -> tuple[socket.socket, socket.socket]:
    """Return both ends of a channel to an app, which keeps message boundaries.

    Linux gets SOCK_SEQPACKET: a datagram socket could also send to other addresses.
    """
    is_linux = sys.platform.startswith("linux")
    kind = socket.SOCK_SEQPACKET if is_linux else socket.SOCK_DGRAM
    ours, theirs = socket.socketpair(socket.AF_UNIX, kind)
    ours.setblocking(False)
    return ours, theirs


class Place(NamedTuple):
    """The server's end of an app's channel.

    The app's process first reports that it is there, and then waits for `begin`.
    """

    ours: socket.socket
    theirs: int  # the file descriptor passed to the app
    begin: Callable[[], object]

    async def is_there(self) -> None:
        await asyncio.get_running_loop().sock_recv(self.ours, LONGEST)


class BotQueue:
    """The queue of a server, to which apps talk over channels."""

    def __init__(self, most: int) -> None:
        self.queue = Queue(most)
        self._timer: asyncio.TimerHandle | None = None

    @contextmanager
    def place(self, who: str) -> Iterator[Place]:
        """Provide a place in the queue for a guest's app while it runs."""
        ours, theirs = channel()
        with ours, theirs:
            theirs.setblocking(False)

            def tell(number: int, place: int) -> None:
                with suppress(OSError):  # the app may not read
                    ours.send(b"%d %d" % (number, place))

            thinker = Thinker(who, tell)
            self.queue.join(thinker)
            hearing: list[asyncio.Task[None]] = []

            def begin() -> None:
                tell(0, 0)
                hearing.append(asyncio.create_task(self._hear(ours, thinker)))

            try:
                yield Place(ours, theirs.fileno(), begin)
            finally:
                for task in hearing:
                    task.cancel()
                self.queue.leave(thinker)
                self.settle()

    async def _hear(self, ours: socket.socket, thinker: Thinker) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                said = await loop.sock_recv(ours, LONGEST)
            except OSError:
                return
            if found := ASKED.fullmatch(said):
                self.queue.hear(thinker, int(found[1]), found[2].decode(), loop.time())
                self.settle()
            await asyncio.sleep(PAUSE)

    def settle(self) -> None:
        """Assign turns, now and whenever one ends."""
        loop = asyncio.get_running_loop()
        if self._timer is not None:
            self._timer.cancel()
        left = self.queue.settle(loop.time())
        self._timer = None if left is None else loop.call_later(left + PAUSE, self.settle)
