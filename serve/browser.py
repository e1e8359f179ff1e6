"""A terminal in a browser, at the other end of a websocket (a `Line`).

What the page's terminal says are lists in JSON: `["stdin", TEXT]`, `["resize", {"width": N,
"height": N}]`, `["ping", TEXT]`; what it is told are bytes for its screen, `["pong", TEXT]`, and
for the page around it `["title", TEXT]` and `["bell"]`.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from aiohttp import WSMsgType, web

from kumite.serve.inbox import TerminalEnd
from kumite.serve.line import Size
from kumite.serve.meter import BURST, SPEED
from kumite.serve.signs import Signs

if TYPE_CHECKING:
    from collections.abc import Callable

    from aiohttp import WSMessage

KIND: Final = "xterm-256color"
LONGEST: Final = 64 << 10  # bytes of a message: somebody may paste a text
LEAST: Final = 64  # bytes that a message counts for, however short
BEHIND: Final = 64 << 10  # bytes that wait for a page to read them; then its app waits
LINGER: Final = 3.0  # s for the last words to be read
ECHO: Final = 32  # characters of a ping that come back


class Session(TerminalEnd):
    """A terminal in somebody's browser."""

    def __init__(
        self,
        socket: web.WebSocketResponse,
        size: Size,
        language: str,
        why: Callable[[], int],
        cut: Callable[[], object],
    ) -> None:
        """Begin with a terminal of this size.

        When the line ends `why` gives the code that the page is told; `cut` ends it at once.
        """
        self._socket, self._why, self._cut = socket, why, cut
        self._said = {"COLORTERM": "truecolor", "LANG": language}
        self._room = asyncio.Event()  # whether more can be typed
        self._room.set()
        super().__init__(size, self._room.clear, self._room.set)
        self._out, self._signs = bytearray(), Signs()
        self._news = asyncio.Event()  # something is to be sent, or nothing more
        self._has_ended = False
        self._loop = asyncio.get_running_loop()
        self._saved, self._since = float(BURST), self._loop.time()

    async def run(self) -> None:
        """Pass on what comes and goes until the line ends."""
        sending = asyncio.create_task(self._send())
        try:
            async for message in self._socket:
                if not await self._take_in(message):
                    break
        finally:
            self._has_ended = True
            self._inbox.end()
            self._news.set()
            self._free.set()
            await asyncio.wait([sending], timeout=LINGER)
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)

    # --- what comes -------------------------------------------------------------------------------

    async def _take_in(self, message: WSMessage) -> bool:
        """Take in a message, slowly if there are too many; return whether the line goes on."""
        match message.type:
            case WSMsgType.TEXT:
                await self._pace(len(message.data))
                await self._hear(message.data)
            case WSMsgType.PING:
                await self._pace(len(message.data))
                await self._socket.pong(message.data)
            case WSMsgType.PONG:
                await self._pace(len(message.data))
            case _:
                return False
        return True

    async def _pace(self, length: int) -> None:
        """Wait if more comes than anybody types."""
        now = self._loop.time()
        self._saved = min(BURST, self._saved + (now - self._since) * SPEED) - max(length, LEAST)
        self._since = now
        if self._saved < 0:
            await asyncio.sleep(-self._saved / SPEED)

    async def _hear(self, text: str) -> None:
        try:
            said = json.loads(text)
        except (ValueError, RecursionError):
            return
        match said:
            case ["stdin", str(typed)]:
                self._inbox.put(typed.encode("utf-8", "replace"))
                await self._room.wait()
            case ["resize", {"width": int(columns), "height": int(rows)}]:
                self._size = Size.within_reason(columns, rows)
                self._hear_size()
            case ["ping", str(sign)]:
                await self._tell("pong", sign[:ECHO])

    # --- what goes --------------------------------------------------------------------------------

    async def _send(self) -> None:
        """Send what is written, until nothing more comes; then say goodbye."""
        with suppress(ConnectionError, RuntimeError):  # the page has gone
            while self._out or not self._has_ended:
                await self._news.wait()
                self._news.clear()
                data, self._out = bytes(self._out), bytearray()
                if data:
                    await self._socket.send_bytes(data)
                    for sign in self._signs.feed(data):
                        await self._tell(*sign)
                self._free.set()
            await self._socket.close(code=self._why())

    async def _tell(self, *said: str) -> None:
        with suppress(ConnectionError):
            await self._socket.send_str(json.dumps(said))

    # --- what a visit sees ------------------------------------------------------------------------

    @property
    def kind(self) -> str:
        """Return what the terminal is."""
        return KIND

    @property
    def said(self) -> dict[str, str]:
        """Return what an ssh client would send: full colour, and the language of the browser."""
        return self._said

    def write(self, data: bytes) -> None:
        """Write to the terminal, if it is still there."""
        if self._has_ended:
            return
        self._out += data
        self._news.set()
        if len(self._out) >= BEHIND:
            self._free.clear()

    def end(self) -> None:
        """End it once all is written; a page that does not read is not waited for."""
        self._has_ended = True
        self._news.set()
        self._loop.call_later(LINGER, self._cut)
