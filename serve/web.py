"""The web server: a page with a terminal, and the terminal's websocket.

There are few paths, each with one purpose. A browser without a cookie is asked for a name; the
cookie identifies a browser as a key identifies an ssh client. The files are ours, and xterm.js from
textual-serve. All are read once at the start, so no request can name a file.
"""

from __future__ import annotations

import asyncio
import gzip
import logging
import re
import socket as sockets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from importlib.resources import files
from importlib.resources.abc import Traversable
from ipaddress import ip_address
from pathlib import Path
from secrets import token_urlsafe
from socket import socket
from typing import Final, NamedTuple
from urllib.parse import parse_qs, urlsplit

from aiohttp import WSCloseCode, web

from kumite.serve.accounts import NOBODY, name_of
from kumite.serve.limits import Connections
from kumite.serve.sessions import Client, Sessions
from kumite.serve.terminal import LINGER, Size, address_of
from kumite.serve.websocket import LONGEST, WebTerminal

PAGES: Final = 4  # connections for pages per app connection: browsers open several
MOST: Final = 256  # of these connections, over all addresses
AGAIN: Final = 0.25  # s until an address at its limit may open one more
STAY: Final = 60.0  # s until a connection without a terminal is closed
KEPT: Final = 10.0  # s to wait for the next request
HEADERS: Final = 64  # per request
LONGEST_LINE: Final = 4 << 10  # bytes of a header or of the first line
LONGEST_KEY: Final = 64  # characters by which a page names itself
LONGEST_FORM: Final = 1 << 10  # bytes of a submitted form
YEAR: Final = 365 * 24 * 60 * 60  # s until a cookie expires; each visit renews it
ALIVE: Final = 60.0  # s of silence until a page is pinged
BACKLOG: Final = 256  # pending connections
POLICY: Final = (  # unsafe-inline: the terminal creates style elements
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

# --- files ----------------------------------------------------------------------------------------

PAGE: Final = Path(__file__).with_name("page")
SMALL: Final = 1 << 10  # bytes below which compression is pointless
TYPES: Final = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "ttf": "font/ttf",
}
THEIRS: Final = {  # the terminal, its styles and its font, by our name
    "xterm.js": "js/textual.js",
    "xterm.css": "css/xterm.css",
    "mono.ttf": "fonts/RobotoMono-VariableFont_wght.ttf",
}


@dataclass(frozen=True, slots=True)
class File:
    """A file as it is sent."""

    type: str
    data: bytes
    packed: bytes  # by gzip; empty if that saves nothing
    etag: str

    @classmethod
    def of(cls, place: Path | Traversable, name: str) -> File:
        data = place.read_bytes()
        packed = gzip.compress(data, mtime=0) if len(data) > SMALL else b""
        etag = f'"{blake2b(data, digest_size=12).hexdigest()}"'
        return cls(TYPES[name.rpartition(".")[2]], data, packed, etag)


def read_files() -> dict[str, File]:
    static = files("textual_serve") / "static"
    ours = {one.name: File.of(one, one.name) for one in sorted(PAGE.iterdir())}
    return ours | {name: File.of(static / path, name) for name, path in THEIRS.items()}


# --- cookies --------------------------------------------------------------------------------------

COOKIE: Final = "kumite"
BYTES: Final = 32  # of the secret, encoded as 43 characters
COOKIE_FORM: Final = re.compile(r"([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{1,108})", re.ASCII)


class Cookie(NamedTuple):
    """The identity of a browser: SECRET.NAME, the name in base64.

    The encoding keeps typed text out of headers.
    """

    secret: str
    name: str

    @property
    def text(self) -> str:
        return f"{self.secret}.{urlsafe_b64encode(self.name.encode()).decode().rstrip('=')}"

    @classmethod
    def read(cls, text: str) -> Cookie | None:
        """Return a cookie, None if it is not ours."""
        found = COOKIE_FORM.fullmatch(text)
        if found is None:
            return None
        try:
            name = urlsafe_b64decode(f"{found[2]}==").decode()
        except ValueError:
            name = NOBODY
        return cls(found[1], name_of(name))

    @classmethod
    def named(cls, name: str, before: Cookie | None = None) -> Cookie:
        """Return a cookie with this name, keeping the secret of `before`."""
        return cls(before.secret if before else token_urlsafe(BYTES), name_of(name))


# --- origins --------------------------------------------------------------------------------------

# A page of another site could make a guest's browser connect to this server. The browser then sends
# the origin of that page (`Origin`), and the name by which it knows this server (`Host`), which may
# be a foreign one that resolves to our address (DNS rebinding).

SITE: Final = re.compile(r"https?://[a-z0-9.\[\]:-]+", re.ASCII)


def is_site(text: str) -> bool:
    """True if this is the origin part of a URL, such as `https://kumite.example`."""
    if not SITE.fullmatch(text):
        return False
    try:
        parts = urlsplit(text)
        return bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        return False


def names_of(site: str, own: str, *, is_inner: bool) -> frozenset[str]:
    """Return the server's names: `localhost`, the site's, and on a network the computer's own.

    With `is_inner` only browsers on this computer can connect, but any name may be made to resolve
    to 127.0.0.1, so `own` is not accepted. On a network, names such as `laptop` or `laptop.local`
    are resolved by the first host that answers, so only the computer's own are accepted.
    """
    host = own.casefold().removesuffix(".local")
    names = () if is_inner else (own.casefold(), host, f"{host}.local")
    return frozenset(filter(None, ("localhost", urlsplit(site).hostname, *names)))


def is_ours(host: str, names: frozenset[str]) -> bool:
    """True if `host` (the `Host` header) is an IP address or one of our `names`."""
    try:
        parts = urlsplit(f"//{host}")
        name, _ = (parts.hostname or "").removesuffix("."), parts.port
    except ValueError:
        return False
    if name in names:
        return True
    with suppress(ValueError):
        return ip_address(name.partition("%")[0]) is not None
    return False


# --- the server -----------------------------------------------------------------------------------


class Counted(web.Server):
    """Counts connections, and closes each after STAY s unless it leads to a terminal."""

    def __init__(self, server: WebServer, most_each: int) -> None:
        super().__init__(
            server.answer,
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
        super().connection_made(handler, transport)
        loop, address = asyncio.get_running_loop(), address_of(transport)
        if self._pages.admit(address, loop.time()):
            self._counted[handler] = (address, loop.call_later(STAY, transport.abort))
        else:
            transport.abort()

    def connection_lost(
        self, handler: web.RequestHandler, exc: BaseException | None = None
    ) -> None:
        super().connection_lost(handler, exc)
        self.settle(handler)

    def settle(self, handler: web.RequestHandler) -> None:
        """Stop counting a connection as one for pages, because it leads to a terminal."""
        if found := self._counted.pop(handler, None):
            address, timer = found
            timer.cancel()
            self._pages.release(address)


class WebServer:
    """A listener for browsers, and its responses."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions, self._files = sessions, read_files()
        self._parts = {f"/{name}" for name in self._files if not name.endswith(".html")}
        self._site, self._names = sessions.settings.site, frozenset[str]()
        self._listener: asyncio.Server | None = None
        self._server: Counted | None = None
        self._is_shut = False
        self._terminals: dict[tuple[str, str], WebTerminal] = {}  # by cookie and page

    async def open(self, sock: socket) -> None:
        """Accept connections; aiohttp's log is off, since it only shows errors of strangers."""
        logging.getLogger("aiohttp").setLevel(logging.CRITICAL)
        self._server = Counted(self, self._sessions.settings.per_address * PAGES)
        is_inner = ip_address(str(sock.getsockname()[0]).partition("%")[0]).is_loopback
        self._names = names_of(self._site, sockets.gethostname(), is_inner=is_inner)
        loop = asyncio.get_running_loop()
        self._listener = await loop.create_server(self._server, sock=sock, backlog=BACKLOG)

    def shut(self) -> None:
        self._is_shut = True
        if self._listener is not None:
            self._listener.close()

    async def close(self) -> None:
        if self._server is not None:
            await self._server.shutdown(LINGER)

    async def answer(self, request: web.BaseRequest) -> web.StreamResponse:
        if not is_ours(request.headers.get("Host", ""), self._names):
            return _refusal(403, "This server has another name. Open it by its address.")
        match request.method, request.path:
            case "GET", "/line":
                return await self._line(request)
            case "POST", "/come":
                return await self._come(request)
            case "GET" | "HEAD", "/":
                if request.query_string:  # the terminal would read options from it
                    return _sent_home()
                cookie = self._cookie(request)
                return self._file(request, "table.html" if cookie else "door.html", cookie)
            case "GET" | "HEAD", "/name":
                return self._file(request, "door.html")
            case "GET" | "HEAD", path if path in self._parts:
                return self._file(request, path[1:])
            case "GET" | "HEAD" | "POST", _:
                return _refusal(404, "There is no such page.")
        return _refusal(405, "This is not possible here.")

    def _cookie(self, request: web.BaseRequest) -> Cookie | None:
        return Cookie.read(request.cookies.get(COOKIE, ""))

    def _file(
        self, request: web.BaseRequest, name: str, cookie: Cookie | None = None
    ) -> web.StreamResponse:
        file = self._files[name]
        answer = web.Response(headers={**GUARDED, "ETag": file.etag, "Content-Type": file.type})
        if cookie is not None:
            self._keep(answer, cookie)
        if request.headers.get("If-None-Match") == file.etag:
            answer.set_status(304)
        elif file.packed and "gzip" in request.headers.get("Accept-Encoding", ""):
            answer.headers["Content-Encoding"] = "gzip"
            answer.body = file.packed
        else:
            answer.body = file.data
        return answer

    def _keep(self, answer: web.StreamResponse, cookie: Cookie) -> None:
        """Set a cookie that scripts cannot read and other sites cannot use."""
        answer.set_cookie(
            COOKIE,
            cookie.text,
            max_age=YEAR,
            path="/",
            httponly=True,
            samesite="Lax",
            secure=self._site.startswith("https:"),
        )

    def _is_own_page(self, request: web.BaseRequest) -> bool:
        origin = request.headers.get("Origin", "")
        return bool(origin) and origin in {self._site, f"http://{request.headers.get('Host', '')}"}

    async def _come(self, request: web.BaseRequest) -> web.StreamResponse:
        """Set a name; a browser with a cookie keeps its identity."""
        if not self._is_own_page(request):
            return _refusal(403, "Only this server's own page can set a name.")
        if not 0 <= (request.content_length or -1) <= LONGEST_FORM:
            return _refusal(413, "This name cannot be used.")
        said = parse_qs((await request.read()).decode("utf-8", "replace"), max_num_fields=9)
        answer = _sent_home()
        self._keep(answer, Cookie.named(said.get("name", [""])[0], self._cookie(request)))
        return answer

    async def _line(self, request: web.BaseRequest) -> web.StreamResponse:
        cookie = self._cookie(request)
        if not self._is_own_page(request):
            return _refusal(403, "Only this server's own page can open a terminal.")
        if cookie is None:
            return _refusal(403, "The server does not know this browser. Open its page again.")
        transport = request.transport
        socket = web.WebSocketResponse(
            timeout=LINGER, autoping=False, heartbeat=ALIVE, compress=False, max_msg_size=LONGEST
        )
        if transport is None or not socket.can_prepare(request).ok:
            return _refusal(426, "This is for websockets only.")
        got = _number(request, "got", -1)
        key = cookie.secret, request.query.get("page", "")[:LONGEST_KEY]
        if (terminal := self._terminals.get(key)) is None or not terminal.can_resume(got):
            terminal = self._begin(request, address_of(transport), cookie, key)
            got = -1
        if terminal is None:
            return _refusal(429, "Too many connections from your address. Try again in a moment.")
        try:
            await socket.prepare(request)
        except BaseException:
            terminal.leave()
            raise
        assert self._server is not None
        self._server.settle(request.protocol)
        if got < 0:
            await terminal.run(socket, transport.abort)
        else:
            await terminal.resume(socket, transport.abort, got)
        return socket

    def _begin(
        self, request: web.BaseRequest, address: str, cookie: Cookie, key: tuple[str, str]
    ) -> WebTerminal | None:
        """Begin a session, in place of the guest's lost ones; None if there are too many."""
        connections = self._sessions.connections
        for (secret, _), lost in self._terminals.items():
            if secret == cookie.secret and lost.is_lost:
                lost.leave()
        if not connections.admit(address, asyncio.get_running_loop().time()):
            return None

        def ended(terminal: WebTerminal) -> None:
            connections.release(address)
            if self._terminals.get(key) is terminal:
                del self._terminals[key]

        size = Size.within_reason(_number(request, "width", 80), _number(request, "height", 24))
        terminal = WebTerminal(size, _language(request), self._close_code, ended)
        self._terminals[key] = terminal
        self._sessions.begin(terminal, Client(cookie.name, address, "", cookie.secret))
        return terminal

    def _close_code(self) -> int:
        return WSCloseCode.GOING_AWAY if self._is_shut else WSCloseCode.OK


def _number(request: web.BaseRequest, name: str, usual: int) -> int:
    with suppress(ValueError):
        return int(request.query.get(name, "")[:9])
    return usual


def _language(request: web.BaseRequest) -> str:
    """Return a locale for the browser's preferred language."""
    first = request.headers.get("Accept-Language", "")[:3].partition("-")[0].lower()
    return f"{first}.UTF-8" if LANGUAGE.fullmatch(first) else "C.UTF-8"


def _refusal(status: int, text: str) -> web.Response:
    return web.Response(status=status, text=f"{text}\n", headers=GUARDED)


def _sent_home() -> web.Response:
    return web.Response(status=303, headers={**GUARDED, "Location": "/"})
