"""A connection of a guest's app, passed on by the house: the app never has the socket itself.

Whoever has a socket of the house's network can have it lead elsewhere (`connect` a second time),
so an app is given one end of a pair, and what it says there is copied.
"""

from __future__ import annotations

import asyncio
import socket
from contextlib import suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from kumite.serve.allowance import Allowance

CHUNK: Final = 16 << 10  # bytes that are passed on at once
LAST_WORDS: Final = 5.0  # s for one side, when the other has ended


async def passed_on(one: socket.socket, other: socket.socket, allowance: Allowance) -> None:
    """Pass bytes on both ways, as fast as the allowance lets them, until it has ended; close both.

    Neither of them may block.
    """
    with one, other:
        ways = [
            asyncio.create_task(_pass(source, target, allowance))
            for source, target in ((one, other), (other, one))
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            await asyncio.wait(ways, timeout=LAST_WORDS)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)


async def _pass(source: socket.socket, target: socket.socket, allowance: Allowance) -> None:
    loop = asyncio.get_running_loop()
    with suppress(OSError):  # broken is the same as ended
        while data := await loop.sock_recv(source, CHUNK):
            await loop.sock_sendall(target, data)
            await asyncio.sleep(allowance.take(len(data), loop.time()))
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)
