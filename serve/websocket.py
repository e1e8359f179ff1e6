"""A terminal in a browser, at the other end of a websocket.

The page sends JSON lists: `["stdin", TEXT]`, `["resize", {"width": N, "height": N}]`,
`["ping", TEXT]`. It receives bytes for its screen, `["pong", TEXT]`, and for the surrounding page
`["title", TEXT]`, `["bell"]`, and `["again"]` after a lost connection.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from aiohttp import WSCloseCode, WSMessage, WSMsgType, web

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
AWAY: Final = 180.0  # s that the app waits after a lost connection
KEPT: Final = 256 << 10  # bytes of output that can be sent again
LOST: Final = {WSCloseCode.ABNORMAL_CLOSURE, 4000}  # 4000: the page has heard nothing for a while


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
    """A terminal in a web page; after a lost connection the page can come back to it."""

    kind = "xterm-256color"

    def __init__(
        self,
        size: Size,
        language: str,
        close_code: Callable[[], int],
        on_end: Callable[[WebTerminal], object],
    ) -> None:
        """`close_code`: sent to the page at the end."""
        # as an ssh client would send: full colour, and the browser's language
        super().__init__(size, {"COLORTERM": "truecolor", "LANG": language})
        self._close_code, self._on_end = close_code, on_end
        self._socket: web.WebSocketResponse | None = None
        self._cut: Callable[[], object] = lambda: None
        self._sending: asyncio.Task[None] | None = None
        self._leaving: asyncio.TimerHandle | None = None  # while the connection is lost
        self._heard = asyncio.Event()  # since the last ping
        self._readable = asyncio.Event()
        self._readable.set()
        self._out, self._signs = bytearray(), Signs()
        self._sent, self._count = bytearray(), 0  # the last bytes sent; the number of all
        self._written = asyncio.Event()  # there is output, or the end
        self._is_over = False
        self._loop = asyncio.get_running_loop()
        self._bucket = TokenBucket(SPEED, self._loop.time(), BURST)

    @property
    def is_lost(self) -> bool:
        return self._leaving is not None

    def can_resume(self, got: int) -> bool:
        """True for a page that has received `got` bytes."""
        return not self._is_over and 0 <= self._count - got <= len(self._sent)

    async def resume(
        self, socket: web.WebSocketResponse, cut: Callable[[], object], got: int
    ) -> None:
        """Run on a new connection, first sending what was lost with the old one."""
        self._cut()
        await self._stop_sending()
        start = max(0, len(self._sent) - (self._count - got))
        self._out[:0] = self._sent[start:]
        del self._sent[start:]
        self._count = got
        await _tell(socket, "again")
        await self.run(socket, cut)

    async def run(self, socket: web.WebSocketResponse, cut: Callable[[], object]) -> None:
        """Serve a connection to its end. `cut` ends it immediately."""
        self._socket, self._cut = socket, cut
        if self._leaving is not None:
            self._leaving.cancel()
            self._leaving = None
        self._written.set()
        self._sending = asyncio.create_task(self._send(socket))
        try:
            async for message in socket:
                if not await self._take_in(socket, message):
                    break
        finally:
            if self._socket is socket:  # else another connection has taken its place
                if socket.close_code in LOST and not self._is_over:
                    await self._stop_sending()
                    self._leaving = self._loop.call_later(AWAY, self.leave)
                else:
                    self.leave()
                    await asyncio.wait([self._sending], timeout=LINGER)
                    await self._stop_sending()

    def leave(self) -> None:
        """End the app: the page is closed, or was away too long."""
        self._is_over = True
        self.feed_eof()
        self._written.set()
        self._writable.set()

    async def _stop_sending(self) -> None:
        if self._sending is not None:
            self._sending.cancel()
            await asyncio.gather(self._sending, return_exceptions=True)

    async def _take_in(self, socket: web.WebSocketResponse, message: WSMessage) -> bool:
        """Handle a message, slowly if there are too many; return whether to continue."""
        self._heard.set()
        if message.type not in (WSMsgType.TEXT, WSMsgType.PING, WSMsgType.PONG):
            return False
        await asyncio.sleep(self._bucket.take(max(len(message.data), LEAST), self._loop.time()))
        if message.type == WSMsgType.TEXT:
            await self._hear(socket, message.data)
        elif message.type == WSMsgType.PING:
            await socket.pong(message.data)
        return True

    async def _hear(self, socket: web.WebSocketResponse, text: str) -> None:
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
                await _tell(socket, "pong", sign[:ECHO])

    async def _send(self, socket: web.WebSocketResponse) -> None:
        """Send the output until the end, then close."""
        with suppress(ConnectionError, RuntimeError):  # the page is gone
            while self._out or not self._is_over:
                await self._written.wait()
                self._written.clear()
                data, self._out = bytes(self._out), bytearray()
                if data:
                    self._sent, self._count = (self._sent + data)[-KEPT:], self._count + len(data)
                    await socket.send_bytes(data)
                    for sign in self._signs.feed(data):
                        await _tell(socket, *sign)
                self._writable.set()
            await socket.close(code=self._close_code())

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
        if self._socket is None or self.is_lost:
            raise ConnectionResetError
        self._heard.clear()
        await self._socket.ping()
        await self._heard.wait()

    def cut(self) -> None:
        self.leave()
        self._cut()

    def end(self) -> None:
        self._is_over = True
        self._on_end(self)
        self._written.set()
        self._loop.call_later(LINGER, lambda: self._cut())


async def _tell(socket: web.WebSocketResponse, *said: str) -> None:
    with suppress(ConnectionError):
        await socket.send_str(json.dumps(said))
