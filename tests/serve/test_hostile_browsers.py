"""Who means harm and comes by http: server and other guests are as if they were not there.

docs/serve.md lists what each of these may try, and what comes of it.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import aiohttp
import pytest

from kumite.serve import websocket
from kumite.serve.web import COOKIE, Cookie
from tests.serve.test_guests_over_ssh import KEY, apps, at_home
from tests.support.servers import HERE, OpenServer, server, until

HOME = b"play here"  # of the home screen
HUGE = 1 << 20
LINE = "/line?width=80&height=24"


async def cookie_of(opened: OpenServer, name: str) -> str:
    """Return the cookie that the server gives to whoever says this name."""
    said = {"headers": {"Origin": opened.site}, "data": {"name": name}, "allow_redirects": False}
    async with (
        aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as session,
        session.post(f"{opened.site}/come", **said) as answer,
    ):
        assert answer.status == 303
        return answer.cookies[COOKIE].value


@asynccontextmanager
async def line(
    opened: OpenServer, cookie: str, page: str = "", **headers: str
) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
    """Give a line to a terminal."""
    said = {"Origin": opened.site, "Cookie": f"{COOKIE}={cookie}", **headers}
    async with (
        aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as session,
        session.ws_connect(f"{opened.site}{LINE}{page}", headers=said, max_msg_size=0) as socket,
    ):
        yield socket


async def refused(opened: OpenServer, cookie: str, **headers: str) -> int:
    """Return with what status a line is refused."""
    with pytest.raises(aiohttp.WSServerHandshakeError) as told:
        async with line(opened, cookie, **headers):
            pass
    return told.value.status


async def read_for(socket: aiohttp.ClientWebSocketResponse, text: bytes) -> None:
    """Read until this was written to the terminal."""
    written = b""
    try:
        async with asyncio.timeout(60):
            while text not in written:
                message = await socket.receive()
                assert message.type in (aiohttp.WSMsgType.BINARY, aiohttp.WSMsgType.TEXT), (
                    message, written,
                )  # fmt: skip
                if isinstance(message.data, bytes):
                    written += message.data
    except TimeoutError:
        raise AssertionError(f"{text!r} did not come, but {written!r}") from None


async def asked(opened: OpenServer, request: bytes) -> bytes:
    """Return what is answered to these bytes, until the connection ends or nothing more comes."""
    reader, writer = await asyncio.open_connection(HERE, opened.web)
    writer.write(request.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n", 1))
    said = b""
    with suppress(TimeoutError, OSError):
        async with asyncio.timeout(10):
            while data := await reader.read(1 << 16):
                said += data
    writer.close()
    return said


# --- other pages ------------------------------------------------------------------------------


@pytest.mark.usefixtures("idle_app")
async def test_only_the_servers_own_page_opens_a_line_or_gives_a_name(tmp_path: Path) -> None:
    async with server(tmp_path) as opened:
        cookie = await cookie_of(opened, "ada")
        for origin in (
            *("http://evil.example", "null", "", f"https://{HERE}:{opened.web}"),
            *(f"http://{HERE}", f"http://{HERE}:{opened.web}.evil.example"),
            f"http://localhost:{opened.web}",
        ):
            assert await refused(opened, cookie, Origin=origin) == 403, origin
            async with (
                aiohttp.ClientSession() as session,
                session.post(
                    f"{opened.site}/come", data={"name": "x"}, headers={"Origin": origin}
                ) as answer,
            ):
                assert (answer.status, answer.cookies) == (403, {}), origin
        assert opened.told == []
        async with line(opened, cookie) as socket:
            await read_for(socket, HOME)


async def test_a_name_of_somebody_elses_that_leads_here_is_refused(tmp_path: Path) -> None:
    async with server(tmp_path) as opened:
        cookie, evil = await cookie_of(opened, "ada"), f"evil.example:{opened.web}"
        assert await refused(opened, cookie, Host=evil, Origin=f"http://{evil}") == 403
        evils = (b"evil.example", b"127.0.0.1.evil.example", b"a@evil.example", b"evil.local")
        for host in (*evils, b"laptop", b"evil.lan", b"1.0.0.127.in-addr.arpa", b"", b"["):
            said = await asked(opened, b"GET / HTTP/1.1\r\nHost: %s\r\n\r\n" % host)
            assert said.startswith((b"HTTP/1.1 403", b"HTTP/1.0 400")), host
            assert b"Your name" not in said


# --- cookies and names ------------------------------------------------------------------------


@pytest.mark.usefixtures("idle_app")
async def test_a_forged_cookie_is_nobodys(tmp_path: Path) -> None:
    async with server(tmp_path) as opened:
        cookie = await cookie_of(opened, "ada")
        async with line(opened, cookie) as socket:
            await read_for(socket, HOME)
            (folder,) = os.listdir(tmp_path / "guests")
            secret, _, name = cookie.partition(".")
            for forged in (
                *("", folder, f"../{folder}.{name}", f"{folder}.{name}", secret, f".{name}"),
                *(f"{secret}x.{name}", f"{secret[:-1]}.{name}", f"{secret}.{'A' * 200}"),
                *(f"{secret}.{name}/../..", f"{'/' * 43}.{name}", f"{secret},{name}"),
            ):
                assert await refused(opened, forged) == 403, forged
            other = f"{secret[:-1]}{'A' if secret[-1] != 'A' else 'B'}.{name}"
            async with line(opened, other) as another:
                await read_for(another, HOME)
                whos = {one.who for one in opened.sessions.open}
                assert len(whos) == len(os.listdir(tmp_path / "guests")) == 2
        async with aiohttp.ClientSession() as session:
            evil = {"Cookie": f'{COOKIE}="; {COOKIE}=\\"; x={"y" * 2000}'}
            async with session.get(opened.site, headers=evil) as answer:
                assert "Your name" in await answer.text()


@pytest.mark.usefixtures("idle_app")
@pytest.mark.parametrize(
    "name",
    [
        "a\r\nSet-Cookie: kumite=evil\r\nX: y", "\x1b]0;x\x07ada\x1b[2J", "cmd:./x", "../../etc",
        "a" * 900, "侍\u202eb", "<script>alert(1)</script>", '"; Path=/; evil="', "\x00", "",
    ],
)  # fmt: skip
async def test_names_steer_no_header_no_page_and_no_terminal(name: str, tmp_path: Path) -> None:
    async with server(tmp_path) as opened:
        body = urlencode({"name": name}).encode()
        said = await asked(
            opened,
            b"POST /come HTTP/1.1\r\nHost: %s:%d\r\nOrigin: %s\r\nConnection: close\r\n"
            b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n%s"
            % (HERE.encode(), opened.web, opened.site.encode(), len(body), body),
        )
        head = said.partition(b"\r\n\r\n")[0].decode("ascii").split("\r\n")
        (cookie,) = (one for one in head if one.lower().startswith("set-cookie:"))
        kept, *flags = cookie.partition("=")[2].split("; ")
        assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(flags)
        known = Cookie.read(kept)
        assert known.name.isprintable()
        assert 0 < len(known.name) <= 20
        assert not set(":,/\\") & set(known.name)
        async with line(opened, kept) as socket:
            await read_for(socket, HOME)
            assert [one.name for one in opened.sessions.open] == [known.name]
            assert b"evil" not in said.replace(kept.encode(), b"")


async def test_what_is_too_long_for_a_name_is_not_read(tmp_path: Path) -> None:
    async with server(tmp_path) as opened:
        head = f"POST /come HTTP/1.1\r\nHost: {HERE}:{opened.web}\r\nOrigin: {opened.site}\r\n"
        for more in ("Content-Length: 99999999999", "Transfer-Encoding: chunked", "X: y"):
            said = await asked(opened, f"{head}{more}\r\nConnection: close\r\n\r\n".encode())
            assert said.startswith(b"HTTP/1.1 413"), (more, said)


# --- paths ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    [
        "/../../../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/house.key",
        "/..%5c..%5chouse.key", "/xterm.js/../../house.key", "/table.html", "/door.html%00.js",
        "/guests", "/line/..", "/xterm.js%00", "*", "/\u00e9", "/?x",
    ],
)  # fmt: skip
async def test_paths_lead_to_nothing_but_the_page(path: str, tmp_path: Path) -> None:
    async with server(tmp_path) as opened:
        where = f"{HERE}:{opened.web}".encode()
        said = await asked(
            opened,
            b"GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n" % (path.encode(), where),
        )
        status = int(said.split()[1])
        assert status in (303, 400, 403, 404), said
        assert b"root:" not in said
        assert (tmp_path / "house.key").read_bytes() not in said


# --- too much ---------------------------------------------------------------------------------


async def test_a_message_that_is_too_long_ends_its_own_line(tmp_path: Path) -> None:
    async with server(tmp_path) as opened, opened.guest("bob", client_keys=[KEY]) as bob:
        await at_home(bob)
        cookie = await cookie_of(opened, "ada")
        for send in (
            lambda socket: socket.send_str(json.dumps(["stdin", "x" * HUGE])),
            lambda socket: socket.send_bytes(bytes(HUGE)),
            lambda socket: socket.send_bytes(b"x"),
        ):
            async with line(opened, cookie) as socket:
                await send(socket)
                async with asyncio.timeout(60):
                    while not socket.closed:
                        await socket.receive()
                assert socket.close_code in (1000, 1009)
        await until(lambda: len(opened.sessions.open) == 1, "the end of the visits")
        bob.type("o")
        await bob.wait_for("Settings")


@pytest.mark.usefixtures("idle_app")
@pytest.mark.parametrize(
    "said",
    [
        "[" * 60_000, "{", "", "null", '["stdin"]', '["stdin", 7]', '["stdin", "\\ud800"]',
        '["resize", {"width": 1e999, "height": 3}]', '["resize", {"width": -1, "height": true}]',
        f'["resize", {{"width": {"9" * 4000}, "height": {"9" * 60_000}}}]', '["ping", [[]]]',
        f'["ping", "{"x" * 60_000}"]', '["stdin", "\\u0000\\u001b]0;x"]', '["quit"]',
    ],
    ids=range(14),
)  # fmt: skip
async def test_messages_of_any_kind_do_no_harm(said: str, tmp_path: Path) -> None:
    async with server(tmp_path) as opened, line(opened, await cookie_of(opened, "ada")) as socket:
        await read_for(socket, HOME)
        await socket.send_str(said)
        await socket.send_str('["resize", {"width": 90, "height": 30}]')
        await socket.send_str('["ping", "still there"]')
        async with asyncio.timeout(60):
            while '"still there"' not in str((await socket.receive()).data):
                pass
        assert len(opened.sessions.open) == 1


async def test_a_page_that_does_not_read_holds_little_and_its_app_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, let_run: Callable[..., None]
) -> None:
    told = "import os\nwhile True: os.write(1, b'x' * 4096)"
    let_run(told)
    sessions: list[Any] = []
    async with server(tmp_path, speed=100_000) as opened:
        receive = opened.sessions.begin
        monkeypatch.setattr(
            opened.sessions, "begin", lambda one, *said: (sessions.append(one), receive(one, *said))
        )
        async with line(opened, await cookie_of(opened, "ada")) as socket:
            await socket.receive()
            await until(lambda: len(sessions[0]._out) >= websocket.BEHIND, "what waits to be read")
            for _ in range(100):
                await asyncio.sleep(0.02)
                assert len(sessions[0]._out) <= 2 * websocket.BEHIND


@pytest.mark.usefixtures("idle_app")
async def test_a_flood_of_connections_is_cut_and_the_server_stays_open(tmp_path: Path) -> None:
    async with server(tmp_path, per_address=2) as opened:
        floods = [await asyncio.open_connection(HERE, opened.web) for _ in range(300)]
        for _, writer in floods:
            with suppress(OSError):
                writer.write(b"GET / HTTP/1.1\r\n")
        cut = 0
        for reader, _ in floods:
            with suppress(OSError, TimeoutError):
                async with asyncio.timeout(0.01):
                    cut += await reader.read(1) == b""
        for _, writer in floods:
            writer.close()
        assert cut >= 250
        assert opened.told == []
        async with opened.guest(client_keys=[KEY]) as guest:
            await at_home(guest)


@pytest.mark.usefixtures("idle_app")
async def test_who_asks_for_no_terminal_does_not_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kumite.serve.web.STAY", 0.2)
    monkeypatch.setattr("kumite.serve.web.KEPT", 1000.0)
    async with server(tmp_path) as opened, line(opened, await cookie_of(opened, "ada")) as socket:
        for begun in (b"", b"GET / HTTP/1.1\r\nHost: "):
            reader, writer = await asyncio.open_connection(HERE, opened.web)
            writer.write(begun)
            async with asyncio.timeout(60):
                with suppress(OSError):
                    assert await reader.read(1) == b""
            writer.close()
        await read_for(socket, HOME)  # who has a terminal stays


@pytest.mark.usefixtures("idle_app")
async def test_who_comes_again_takes_the_place_of_a_lost_connection(tmp_path: Path) -> None:
    async with server(tmp_path) as opened:
        cookie = await cookie_of(opened, "ada")
        async with line(opened, cookie) as lost:  # unread: it answers no ping
            await until(lambda: opened.sessions.open, "the first session")
            first = opened.sessions.open[0]
            async with line(opened, cookie) as again:
                await read_for(again, HOME)
                assert len(opened.sessions.open) == 1
                assert first not in opened.sessions.open
                assert opened.told[-2].startswith("ada has left")
                assert not lost.closed


@pytest.mark.usefixtures("idle_app")
async def test_lines_of_one_address_are_few_and_a_full_server_says_so(tmp_path: Path) -> None:
    for most in (1, 2):
        async with server(tmp_path / str(most), per_address=most, guests=1) as opened:
            ada, eva = [await cookie_of(opened, name) for name in ("ada", "eva")]
            async with line(opened, ada) as first:
                await read_for(first, HOME)
                if most == 1:
                    assert await refused(opened, eva) == 429
                else:
                    async with line(opened, eva) as second:
                        await read_for(second, b"All 1 places here are taken")
            await until(
                lambda sessions=opened.sessions: not sessions.connections.open,
                "the end of the lines",
            )
    assert apps(tmp_path) == []


@pytest.mark.usefixtures("idle_app")
async def test_only_the_same_page_of_the_same_browser_comes_back_to_a_lost_app(
    tmp_path: Path,
) -> None:
    """A lost app keeps its place among those of an address, until another page replaces it."""
    async with server(tmp_path) as opened:
        ada, eve = [await cookie_of(opened, name) for name in ("ada", "eve")]
        sessions, places = opened.sessions, opened.sessions.connections.open
        async with line(opened, ada, "&page=7") as socket:
            await until(lambda: sessions.open, "the app")
            await socket.close(code=4000)
        first = sessions.open[0]
        assert places.total() == 1
        async with line(opened, eve, "&page=7&got=0"):
            await until(lambda: len(sessions.open) == 2, "another app")
        await until(lambda: sessions.open == [first], "its end")
        async with line(opened, ada, "&page=7&got=0") as socket:
            assert await socket.receive_json() == ["again"]
            await socket.close(code=4000)
        assert sessions.open == [first]
        assert places.total() == 1
        async with line(opened, ada, "&page=8&got=0"):
            await until(lambda: first not in sessions.open, "the end of the lost app")
        await until(lambda: not sessions.open and not places, "the end of the last app")
