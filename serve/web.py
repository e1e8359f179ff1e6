"""The house's door for browsers: a page with a terminal in it, and the line to that terminal.

Each request is for one of few paths, each path for one thing. Who has no cookie is asked for a
name; the cookie is to a browser what a key is to an ssh client.
"""

from __future__ import annotations

import asyncio
import logging
import re
import socket as sockets
from contextlib import suppress
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qs

from aiohttp import WSCloseCode, web

from kumite.serve import cookies, files, origins
from kumite.serve.browser import LINGER, LONGEST, Session
from kumite.serve.house import Connections
from kumite.serve.line import Size
from kumite.serve.visit import Caller

if TYPE_CHECKING:
    from socket import socket

    from kumite.serve.cookies import Known
    from kumite.serve.visit import Host

PAGES: Final = 4  # connections for pages, for each that may lead to an app: browsers open several
MOST: Final = 256  # of them at the same time
AGAIN: Final = 0.25  # s until an address that has opened too many may open one more
STAY: Final = 60.0  # s that a connection lasts which leads to no terminal
KEPT: Final = 10.0  # s that it waits for the next request
HEADERS: Final = 64  # that a request may have
LONGEST_LINE: Final = 4 << 10  # bytes of each, and of its first line
FORM: Final = 1 << 10  # bytes of what is filled in
YEAR: Final = 365 * 24 * 60 * 60  # s that a cookie lasts; each visit begins it anew
ALIVE: Final = 60.0  # s of silence until a page is asked whether it is still there
BACKLOG: Final = 256  # connections that the system holds until we look
POLICY: Final = (  # the terminal makes its own style elements
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
GUARDED: Final = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-cache",
    "Server": "kumite",
    "Vary": "Accept-Encoding, Cookie",
}
LANGUAGE: Final = re.compile(r"[a-z]{2,3}")


class Counted(web.Server):
    """Counts connections, and ends those that stay for long without a terminal."""

    def __init__(self, entrance: Entrance, most_each: int) -> None:
        super().__init__(
            entrance.answer,
            access_log=None,
            keepalive_timeout=KEPT,
            lingering_time=0,
            max_line_size=LONGEST_LINE,
            max_field_size=LONGEST_LINE,
            max_headers=HEADERS,
            auto_decompress=False,
        )
        self._pages = Connections(most_each, MOST, AGAIN)
        self._counted: dict[web.RequestHandler, tuple[str, asyncio.TimerHandle]] = {}

    def connection_made(self, handler: web.RequestHandler, transport: asyncio.Transport) -> None:
        """Let a connection stay, if there is room."""
        super().connection_made(handler, transport)
        loop, address = asyncio.get_running_loop(), address_of(transport)
        if self._pages.knock(address, loop.time()):
            self._counted[handler] = (address, loop.call_later(STAY, transport.abort))
        else:
            transport.abort()

    def connection_lost(
        self, handler: web.RequestHandler, exc: BaseException | None = None
    ) -> None:
        """Count it no longer."""
        super().connection_lost(handler, exc)
        self.settle(handler)

    def settle(self, handler: web.RequestHandler) -> None:
        """Count a connection no longer among those for pages: it leads to a terminal."""
        if found := self._counted.pop(handler, None):
            address, timer = found
            timer.cancel()
            self._pages.gone(address)


class Entrance:
    """Where guests come in by a browser: a listener, and what it answers."""

    def __init__(self, host: Host) -> None:
        """Let guests come to this host.

        Raises:
            OSError: the files of the page are not there.
        """
        self._host, self._files = host, files.read()
        self._parts = {f"/{name}" for name in self._files if not name.endswith(".html")}
        self._site, self._own = host.terms.site, sockets.gethostname()
        self._listener: asyncio.Server | None = None
        self._server: Counted | None = None
        self._is_shut = False

    async def open(self, sock: socket) -> None:
        """Let guests come; what aiohttp would log are strangers' mistakes."""
        logging.getLogger("aiohttp").setLevel(logging.CRITICAL)
        self._server = Counted(self, self._host.terms.per_address * PAGES)
        loop = asyncio.get_running_loop()
        self._listener = await loop.create_server(self._server, sock=sock, backlog=BACKLOG)

    def shut(self) -> None:
        """Let nobody else come."""
        self._is_shut = True
        if self._listener is not None:
            self._listener.close()

    async def close(self) -> None:
        """End all connections, once all visits have ended."""
        if self._server is not None:
            await self._server.shutdown(LINGER)

    # --- requests ---------------------------------------------------------------------------------

    async def answer(self, request: web.BaseRequest) -> web.StreamResponse:
        """Answer one request; whatever it is, with what a browser is told of the house's rules."""
        if not origins.is_ours(request.headers.get("Host", ""), self._site, self._own):
            return _refusal(403, "This house is not called that. Open it by its number.")
        match request.method, request.path:
            case "GET", "/line":
                return await self._line(request)
            case "POST", "/come":
                return await self._come(request)
            case "GET" | "HEAD", "/":
                if request.query_string:  # the terminal would take orders from there
                    return _sent_to("/")
                known = self._known(request)
                return self._file(request, "table.html" if known else "door.html", known)
            case "GET" | "HEAD", "/name":
                return self._file(request, "door.html")
            case "GET" | "HEAD", path if path in self._parts:
                return self._file(request, path[1:])
            case "GET" | "HEAD" | "POST", _:
                return _refusal(404, "There is no such page.")
        return _refusal(405, "That cannot be done here.")

    def _known(self, request: web.BaseRequest) -> Known | None:
        """Return whom the request's cookie tells of."""
        try:
            found = SimpleCookie(request.headers.get("Cookie", "")).get(cookies.NAME)
        except CookieError:
            return None
        return cookies.read(found.value) if found is not None else None

    def _file(
        self, request: web.BaseRequest, name: str, known: Known | None = None
    ) -> web.StreamResponse:
        """Return a file, or that the browser has it already."""
        file = self._files[name]
        answer = web.Response(headers={**GUARDED, "ETag": file.tag, "Content-Type": file.kind})
        if known is not None:
            self._keep(answer, known)
        if request.headers.get("If-None-Match") == file.tag:
            answer.set_status(304)
        elif file.packed and "gzip" in request.headers.get("Accept-Encoding", ""):
            answer.headers["Content-Encoding"] = "gzip"
            answer.body = file.packed
        else:
            answer.body = file.data
        return answer

    def _keep(self, answer: web.StreamResponse, known: Known) -> None:
        """Let a browser keep a cookie, which no script can read and no other page can use."""
        answer.set_cookie(
            cookies.NAME,
            known.text,
            max_age=YEAR,
            path="/",
            httponly=True,
            samesite="Lax",
            secure=self._site.startswith("https:"),
        )

    def _is_own_page(self, request: web.BaseRequest) -> bool:
        said = request.headers
        return origins.is_own_page(said.get("Origin", ""), said.get("Host", ""), self._site)

    async def _come(self, request: web.BaseRequest) -> web.StreamResponse:
        """Take a name, and give the browser a cookie; who has one stays who they are."""
        if not self._is_own_page(request):
            return _refusal(403, "A name is given on the page of the house itself.")
        if not 0 <= (request.content_length or -1) <= FORM:
            return _refusal(413, "That is no name.")
        said = parse_qs((await request.read()).decode("utf-8", "replace"), max_num_fields=9)
        before = self._known(request)
        known = cookies.named(said.get("name", [""])[0], before.text if before else "")
        answer = _sent_to("/")
        self._keep(answer, known)
        return answer

    async def _line(self, request: web.BaseRequest) -> web.StreamResponse:
        """Open the line to a terminal, and let the visit begin."""
        known = self._known(request)
        if not self._is_own_page(request):
            return _refusal(403, "Only the page of the house itself opens a line.")
        if known is None:
            return _refusal(403, "The house does not know this browser; open its page again.")
        transport, lines = request.transport, self._host.house.lines
        address = address_of(transport)
        if transport is None or not lines.knock(address, asyncio.get_running_loop().time()):
            return _refusal(429, "Too many come from this address; try again in a moment.")
        try:
            return await self._visit(
                request, transport, Caller(known.name, address, "", known.secret)
            )
        finally:
            lines.gone(address)

    def _why(self) -> int:
        """Return the code that tells a page why its line ends."""
        return WSCloseCode.GOING_AWAY if self._is_shut else WSCloseCode.OK

    async def _visit(
        self, request: web.BaseRequest, transport: asyncio.Transport, caller: Caller
    ) -> web.StreamResponse:
        socket = web.WebSocketResponse(
            timeout=LINGER, autoping=False, heartbeat=ALIVE, compress=False, max_msg_size=LONGEST
        )
        if not socket.can_prepare(request).ok:
            return _refusal(426, "A line is a websocket.")
        await socket.prepare(request)
        assert self._server is not None
        self._server.settle(request.protocol)
        size = Size.within_reason(_number(request, "width", 80), _number(request, "height", 24))
        session = Session(socket, size, _language(request), self._why, transport.abort)
        self._host.receive(session, caller, session.end)
        await session.run()
        return socket


def address_of(transport: asyncio.BaseTransport | None) -> str:
    """Return the address at the other end."""
    name = transport.get_extra_info("peername") if transport is not None else None
    return str(name[0]).removeprefix("::ffff:") if name else ""


def _number(request: web.BaseRequest, name: str, usual: int) -> int:
    """Return a number of the query."""
    with suppress(ValueError):
        return int(request.query.get(name, "")[:9])
    return usual


def _language(request: web.BaseRequest) -> str:
    """Return a locale in the language that the browser likes best."""
    first = request.headers.get("Accept-Language", "")[:3].partition("-")[0].lower()
    return f"{first}.UTF-8" if LANGUAGE.fullmatch(first) else "C.UTF-8"


def _refusal(status: int, text: str) -> web.Response:
    return web.Response(status=status, text=f"{text}\n", headers=GUARDED)


def _sent_to(path: str) -> web.Response:
    return web.Response(status=303, headers={**GUARDED, "Location": path})
