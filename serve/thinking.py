"""Where guests' apps ask whether their bots may think: a pair of sockets for each, and a clock."""

from __future__ import annotations

import asyncio
import re
import socket
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final, NamedTuple

from kumite.serve.turns import Thinker, Turns
from kumite.store.house import DONE, LOOK, PLAY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ASKED: Final = re.compile(rb"(\d{1,9}) (%s)" % "|".join((PLAY, LOOK, DONE)).encode())
LONGEST: Final = 32  # bytes that are read of what an app says
BREATH: Final = 0.01  # s between two things that an app says: who floods us waits


def channel() -> tuple[socket.socket, socket.socket]:
    """Return the ends of a way between house and app: what is sent at once is read at once.

    Nobody else can hear or send anything there; but where a socket of datagrams could be told to
    send them to anybody, Linux has a kind that cannot.
    """
    is_linux = sys.platform.startswith("linux")
    kind = socket.SOCK_SEQPACKET if is_linux else socket.SOCK_DGRAM
    ours, theirs = socket.socketpair(socket.AF_UNIX, kind)
    ours.setblocking(False)
    return ours, theirs


class Place(NamedTuple):
    """Where one app asks. Its process says first that it is there, and waits until it may begin."""

    ours: socket.socket
    theirs: int  # the open file that it is given
    begin: Callable[[], object]

    async def is_there(self) -> None:
        """Wait until the process is there, shut off from all it is not to have."""
        await asyncio.get_running_loop().sock_recv(self.ours, LONGEST)


class Desk:
    """Hands out turns to think to the apps of all guests."""

    def __init__(self, most: int) -> None:
        """So many may think at once."""
        self.turns = Turns(most)
        self._timer: asyncio.TimerHandle | None = None

    @contextmanager
    def place(self, who: str) -> Iterator[Place]:
        """Give a place at which a guest's app can ask, while it runs."""
        ours, theirs = channel()
        with ours, theirs:
            theirs.setblocking(False)

            def tell(number: int, place: int) -> None:
                with suppress(OSError):  # who does not listen does not hear
                    ours.send(b"%d %d" % (number, place))

            thinker = Thinker(who, tell)
            self.turns.join(thinker)
            hearing: list[asyncio.Task[None]] = []

            def begin() -> None:
                tell(0, 0)
                hearing.append(asyncio.create_task(self._hear(ours, thinker)))

            try:
                yield Place(ours, theirs.fileno(), begin)
            finally:
                for task in hearing:
                    task.cancel()
                self.turns.leave(thinker)
                self._settle()

    async def _hear(self, ours: socket.socket, thinker: Thinker) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                said = await loop.sock_recv(ours, LONGEST)
            except OSError:
                return
            if found := ASKED.fullmatch(said):
                self.turns.hear(thinker, int(found[1]), found[2].decode(), loop.time())
                self._settle()
            await asyncio.sleep(BREATH)

    def _settle(self) -> None:
        loop = asyncio.get_running_loop()
        if self._timer is not None:
            self._timer.cancel()
        left = self.turns.settle(loop.time())
        self._timer = None if left is None else loop.call_later(left + BREATH, self._settle)
