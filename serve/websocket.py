"""A terminal in a browser, at the other end of a websocket.

The page sends JSON lists: `["stdin", TEXT]`, `["resize", {"width": N, "height": N}]`,
`["ping", TEXT]`. It receives bytes for its screen, `["pong", TEXT]`, and for the surrounding page
`["title", TEXT]` and `["bell"]`.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from aiohttp import WSMessage, WSMsgType, web

from kumite.serve.limits import TokenBucket
from kumite.serve.terminal import BEHIND, BURST, LINGER, SPEED, Size, Terminal

LONGEST: Final = 64 << 10  # bytes of a message, enough to paste a text
LEAST: Final = 64  # bytes that a message counts at least
ECHO: Final = 32  # characters of a ping that are returned
LONGEST_TITLE: Final = 200  # characters
HELD: Final = 4 << 10  # bytes of an incomplete escape sequence
FOUND: Final = re.compile(rb"\x1b\]([^\x07\x1b]*)(?:\x07|\x1b\\)|(\x07)")
BEGUN: Final = re.compile(rb"\x1b(?:\][^\x07\x1b]*\x1b?)?\Z")
TITLES: Final = (b"0;", b"2;")


class Signs:
    """Finds titles and bells in an app's output, which the page's terminal does not report."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> list[tuple[str, ...]]:
        """Return each as ("bell",) or ("title", TEXT)."""
        data = self._rest + data
        begun = BEGUN.search(data)
        self._rest = data[begun.start() :][:HELD] if begun else b""
        found: list[tuple[str, ...]] = []
        for order, bell in FOUND.findall(data[: begun.start()] if begun else data):
            if bell:
                found.append(("bell",))
            elif order[:2] in TITLES:
                found.append(("title", order[2:].decode("utf-8", "replace")[:LONGEST_TITLE]))
        return found


class WebTerminal(Terminal):
    """A terminal in a web page."""

    kind = "xterm-256color"

    def __init__(
        self,
        socket: web.WebSocketResponse,
        size: Size,
        language: str,
        close_code: Callable[[], int],
        cut: Callable[[], object],
    ) -> None:
        """`close_code`: sent to the page at the end. `cut`: ends the connection immediately."""
        # as an ssh client would send: full colour, and the browser's language
        super().__init__(size, {"COLORTERM": "truecolor", "LANG": language})
        self._socket, self._close_code, self._cut = socket, close_code, cut
        self._heard = asyncio.Event()  # since the last ping
        self._readable = asyncio.Event()
        self._readable.set()
        self._out, self._signs = bytearray(), Signs()
        self._written = asyncio.Event()  # there is output, or the end
        self._is_over = False
        self._loop = asyncio.get_running_loop()
        self._bucket = TokenBucket(SPEED, self._loop.time(), BURST)

    async def run(self) -> None:
        sending = asyncio.create_task(self._send())
        try:
            async for message in self._socket:
                if not await self._take_in(message):
                    break
        finally:
            self._is_over = True
            self.feed_eof()
            self._written.set()
            self._writable.set()
            await asyncio.wait([sending], timeout=LINGER)
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)

    async def _take_in(self, message: WSMessage) -> bool:
        """Handle a message, slowly if there are too many; return whether to continue."""
        self._heard.set()
        if message.type not in (WSMsgType.TEXT, WSMsgType.PING, WSMsgType.PONG):
            return False
        await asyncio.sleep(self._bucket.take(max(len(message.data), LEAST), self._loop.time()))
        if message.type == WSMsgType.TEXT:
            await self._hear(message.data)
        elif message.type == WSMsgType.PING:
            await self._socket.pong(message.data)
        return True

    async def _hear(self, text: str) -> None:
        try:
            said = json.loads(text)
        except (ValueError, RecursionError):
            return
        match said:
            case ["stdin", str(typed)]:
                self.feed(typed.encode("utf-8", "replace"))
                await self._readable.wait()
            case ["resize", {"width": int(columns), "height": int(rows)}]:
                self.resize(columns, rows)
            case ["ping", str(sign)]:
                await self._tell("pong", sign[:ECHO])

    async def _send(self) -> None:
        """Send the output until the end, then close."""
        with suppress(ConnectionError, RuntimeError):  # the page is gone
            while self._out or not self._is_over:
                await self._written.wait()
                self._written.clear()
                data, self._out = bytes(self._out), bytearray()
                if data:
                    await self._socket.send_bytes(data)
                    for sign in self._signs.feed(data):
                        await self._tell(*sign)
                self._writable.set()
            await self._socket.close(code=self._close_code())

    async def _tell(self, *said: str) -> None:
        with suppress(ConnectionError):
            await self._socket.send_str(json.dumps(said))

    def pause_reading(self) -> None:
        self._readable.clear()

    def resume_reading(self) -> None:
        self._readable.set()

    def write(self, data: bytes) -> None:
        if self._is_over:
            return
        self._out += data
        self._written.set()
        if len(self._out) >= BEHIND:
            self._writable.clear()

    async def ping(self) -> None:
        self._heard.clear()
        await self._socket.ping()
        await self._heard.wait()

    def cut(self) -> None:
        self._cut()

    def end(self) -> None:
        self._is_over = True
        self._written.set()
        self._loop.call_later(LINGER, self._cut)
