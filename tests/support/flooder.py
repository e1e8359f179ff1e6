"""A program that floods a table from another address of this machine, until its input ends.

`python -m tests.support.flooder KIND PORT [FROM]`; it says `flooding` once it does.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from kumite.net.crypto.pairing import CodeJoiner
from kumite.net.wire import framing, messages

HELD: Final = 600  # connections at the same time
BEGUN: Final = 60  # handshakes a second
ELSEWHERE: Final = "127.0.0.2"


def silent() -> bytes:
    return b""


def begun() -> bytes:
    """Begin a handshake with some code, and never go on with it."""
    hello = messages.Hello(messages.PROTOCOL, "9", messages.JOIN)
    start = CodeJoiner("1-torii-lantern", os.urandom).start()
    return framing.PREAMBLE + messages.as_plain(hello) + messages.as_plain(messages.Pair(start))


def returns() -> bytes:
    """Come back to a table where nobody has been."""
    hello = messages.Hello(messages.PROTOCOL, "9", messages.RETURN)
    back = messages.Back("0" * 16, 1, os.urandom(32))
    return framing.PREAMBLE + messages.as_plain(hello) + messages.as_plain(back)


async def hold(port: int, source: str, say: Callable[[], bytes]) -> None:
    """Open a connection, say that, and wait until the other side has had enough."""
    with suppress(OSError):
        place = (source, 0)
        reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=place)
        writer.write(say())
        await reader.read()
        writer.close()


async def held(port: int, source: str, say: Callable[[], bytes]) -> None:
    while True:
        await hold(port, source, say)
        await asyncio.sleep(0.02)  # the flooder is not to starve on its own work


async def flood(kind: str, port: int, source: str) -> None:
    running: set[asyncio.Task[None]] = set()
    if kind == "silent":
        running |= {asyncio.create_task(held(port, source, silent)) for _ in range(HELD)}
    print("flooding", flush=True)
    saying = {"begun": begun, "returns": returns}.get(kind)
    loop = asyncio.get_running_loop()
    over, began, count = loop.run_in_executor(None, sys.stdin.read), loop.time(), 0
    while not over.done():
        if saying is not None:
            running.add(asyncio.create_task(hold(port, source, saying)))
            running = {one for one in running if not one.done()}
        count += 1
        await asyncio.sleep(max(0.0, began + count / BEGUN - loop.time()))
    for one in running:
        one.cancel()


if __name__ == "__main__":
    asyncio.run(flood(sys.argv[1], int(sys.argv[2]), (*sys.argv[3:], ELSEWHERE)[0]))
