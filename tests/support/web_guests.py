"""A guest of a server who comes by a real browser, and what they see.

The browser is driven from a thread, while the server runs in the test's loop. What the terminal in
the page shows is what came over its line, drawn in a terminal in memory.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pyte

from tests.support.browser import KEYS, Browser, Navigated, browser
from tests.support.servers import OpenServer
from tests.support.waiting import PATIENCE, Awaited, Watched

NAMES = {"enter": "Enter", "down": "ArrowDown", "up": "ArrowUp", "escape": "Escape"}
WINDOW = (1000, 640)  # 103 columns, 29 rows
IS_ASKED = "document.activeElement === document.querySelector('input[name=name]')"
QUIET = 0.3  # s without a byte after which a screen counts as settled


class PageTerminal(Watched):
    """The terminal in the page of a server, with keys and screen as a `Terminal` has them."""

    def __init__(self, one: Browser) -> None:
        self.browser = one
        self.screen = pyte.Screen(80, 24)
        self._stream = pyte.ByteStream(self.screen)

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display)

    def come(self, site: str, name: str) -> None:
        """Open a server's page, and give a name."""
        self.visit(site)
        self.browser.press(*name, "Enter")

    def visit(self, page: str) -> None:
        self.browser.visit(page)
        is_asked = self.wait_until(lambda: bool(self.browser.run(IS_ASKED)))  # after it is loaded
        assert is_asked, "the page asks for no name"

    def type(self, *keys: str) -> None:
        known = [NAMES.get(key, key) for key in keys]
        parts = [[key] if key in KEYS else list(key) for key in known]
        self.browser.press(*(one for part in parts for one in part))

    def press(self, *keys: str) -> None:
        """Press keys, each after the screen has settled."""
        for key in keys:
            self.type(key)
            while self.read(QUIET):
                pass

    def read(self, timeout: float) -> int:
        """Wait, then take in what has come over the line; return how many bytes."""
        time.sleep(timeout)
        return self.look()

    def look(self) -> int:
        """Take in what has come over the line; return how many bytes."""
        self.browser.hear()
        for said in self.browser.sent:
            match json.loads(said):
                case ["resize", {"width": int(columns), "height": int(rows)}]:
                    self.screen.resize(rows, columns)
        self.browser.sent.clear()
        came = [data for data in self.browser.frames if isinstance(data, bytes)]
        self.browser.frames.clear()
        for data in came:  # questions to the terminal end in `p`: text to pyte
            self._stream.feed(data.replace(b"\x1b[?2026$p", b"").replace(b"\x1b[?2048$p", b""))
        return sum(map(len, came))


class WebGuest(Awaited):
    """Somebody at a browser, while the server runs in this loop."""

    def __init__(self, one: Browser) -> None:
        self.browser, self._page = one, PageTerminal(one)
        self.screen = self._page.screen

    @property
    def text(self) -> str:
        return self._page.text

    async def open(self, address: str) -> None:
        await asyncio.to_thread(self.browser.visit, address)

    async def be_asked(self, page: str) -> None:
        await asyncio.to_thread(self._page.visit, page)

    async def come(self, opened: OpenServer, name: str) -> None:
        """Open the server's page, give a name, and wait for the home screen."""
        await asyncio.to_thread(self._page.come, opened.site, name)
        await self.wait_for("Kuzushi", "play here", "Enter choose")

    async def type(self, *keys: str) -> None:
        await asyncio.to_thread(self._page.type, *keys)

    async def hold(self, *held: str, key: str, code: str, command: str = "") -> None:
        await asyncio.to_thread(self.browser.hold, *held, key=key, code=code, command=command)

    async def run(self, script: str) -> Any:
        return await asyncio.to_thread(self.browser.run, script)

    async def tap(self, x: float, y: float) -> None:
        """Touch a place of the page and let it go."""
        where = [{"x": x, "y": y}]
        for kind, points in (("touchStart", where), ("touchEnd", [])):
            said = {"type": kind, "touchPoints": points}
            await asyncio.to_thread(self.browser.call, "Input.dispatchTouchEvent", **said)

    async def click(self, x: float, y: float) -> None:
        for kind in ("mousePressed", "mouseReleased"):
            said = {"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1}
            await asyncio.to_thread(self.browser.call, "Input.dispatchMouseEvent", **said)

    async def window(self, width: int, height: int, *, is_phone: bool = False) -> None:
        """Take another size, or become a phone."""
        said = {"width": width, "height": height, "screenWidth": width, "screenHeight": height}
        more = {"deviceScaleFactor": 0, "mobile": is_phone}
        override = "Emulation.setDeviceMetricsOverride"
        await asyncio.to_thread(self.browser.call, override, **said, **more)
        touch = "Emulation.setTouchEmulationEnabled"
        await asyncio.to_thread(self.browser.call, touch, enabled=is_phone)

    async def look(self) -> None:
        await asyncio.to_thread(self._page.look)

    async def take_in(self) -> bool:
        await asyncio.sleep(0.02)
        await self.look()
        return True

    async def wait_page(self, script: str) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                while not await self._holds(script):
                    await asyncio.sleep(0.02)
        except TimeoutError:
            await self.look()
            page = await self.run("`${document.title}\\n${document.body?.innerText}`")
            raise AssertionError(f"the page never had {script}:\n{page}\n{self.text}") from None

    async def _holds(self, script: str) -> bool:
        try:
            return bool(await self.run(script))
        except Navigated:
            return False


@asynccontextmanager
async def web_guest(
    *, is_phone: bool = False, window: tuple[int, int] = WINDOW
) -> AsyncIterator[WebGuest]:
    """Give somebody with a browser of their own, which knows nothing yet."""
    with browser() as one:
        guest = WebGuest(one)
        await guest.window(*window, is_phone=is_phone)
        yield guest
