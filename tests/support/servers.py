"""A server in a test's own loop, and guests who come to it over ssh; browsers: web_guests.py."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import asyncssh
import pyte

from kumite.net.transport.sockets import listening
from kumite.serve import ssh, web
from kumite.serve.sessions import Sessions
from kumite.serve.settings import Settings
from tests.support.terminal import KEYS
from tests.support.waiting import PATIENCE, Awaited, looks

HERE = "127.0.0.1"
QUIET = 0.3  # s without a byte after which a screen counts as settled


class Keyless(asyncssh.SSHClient):
    """A client that lets itself be asked, if nobody takes its keys."""

    def kbdint_auth_requested(self) -> str:
        return ""

    def kbdint_challenge_received(self, *_: object) -> list[str]:
        return []


class OpenServer:
    """A server that is open, and what it has told its operator."""

    def __init__(self, folder: Path, terms: Settings) -> None:
        self.told: list[str] = []
        self.folder = folder
        self.sessions = Sessions(terms, folder, HERE, self.told.append)
        self.port = 0  # for ssh
        self.web = 0  # for browsers

    @property
    def site(self) -> str:
        return f"http://{HERE}:{self.web}"

    async def connect(self, name: str = "ada", **options: Any) -> asyncssh.SSHClientConnection:
        """Return a connection; without `client_keys` of somebody who has none."""
        usual = {"client_keys": None, "known_hosts": None, "config": None, "agent_path": None}
        given: dict[str, Any] = {**usual, "client_factory": Keyless, **options}
        return await asyncssh.connect(HERE, self.port, username=name, **given)

    @asynccontextmanager
    async def guest(
        self, name: str = "ada", size: tuple[int, int] = (80, 24), **options: Any
    ) -> AsyncIterator[Guest]:
        term = options.pop("term", "xterm-256color")
        env = options.pop("env", {})
        async with await self.connect(name, **options) as connection:
            process = await connection.create_process(
                term_type=term, term_size=size, encoding=None, env=env
            )
            yield Guest(connection, process, size)


@asynccontextmanager
async def server(place: Path, web_port: int = 0, **terms: Any) -> AsyncIterator[OpenServer]:
    """Give a server; at the end nobody is there any more."""
    said = Settings(**terms)
    opened = OpenServer(place, said)
    for_ssh, for_web = listening(HERE, 0), listening(HERE, web_port)
    opened.port, opened.web = (one.getsockname()[1] for one in (for_ssh, for_web))
    keys = place / said.keys if said.keys else None
    over_ssh, by_browser = ssh.SshServer(opened.sessions, keys), web.WebServer(opened.sessions)
    await over_ssh.open(for_ssh, ssh.host_key(place / "ssh_host_key"))
    await by_browser.open(for_web)
    try:
        yield opened
    finally:
        over_ssh.shut()
        by_browser.shut()
        await opened.sessions.close()
        await over_ssh.close()
        await by_browser.close()


class Guest(Awaited):
    """Somebody at a terminal that leads to a server."""

    def __init__(
        self,
        connection: asyncssh.SSHClientConnection,
        process: asyncssh.SSHClientProcess[bytes],
        size: tuple[int, int],
    ) -> None:
        self.connection, self.process = connection, process
        self.screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self.screen)
        self.written = bytearray()  # all that the server has written

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display)

    def type(self, *keys: str) -> None:
        self.process.stdin.write("".join(KEYS.get(key, key) for key in keys).encode())

    def resize(self, columns: int, rows: int) -> None:
        self.process.change_terminal_size(columns, rows)
        self.screen.resize(rows, columns)

    async def take_in(self) -> bool:
        data = await self.process.stdout.read(65536)
        self.written += data
        shown = bytes(data).replace(b"\x1b[?2026$p", b"").replace(b"\x1b[?2048$p", b"")
        self._stream.feed(shown)  # questions to the terminal end in `p`; pyte takes them for text
        return bool(data)

    async def go_to(self, name: str) -> None:
        """Move the cursor of a list to a row, while rows of other tests come and go."""
        for _ in looks(f"the cursor on {name}"):
            with suppress(TimeoutError):
                async with asyncio.timeout(QUIET):
                    while await self.take_in():
                        pass
            lines = self.text.splitlines()
            row = next((at for at, line in enumerate(lines) if f" {name}" in line), None)
            cursor = next((at for at, line in enumerate(lines) if re.match(r"\W*> ", line)), None)
            if row is not None and row == cursor:
                return
            if row is not None and cursor is not None:
                self.type("down" if cursor < row else "up")

    async def wait_end(self) -> str:
        """Read until the server has ended the line; return its last words."""
        async with asyncio.timeout(PATIENCE):
            with suppress(asyncssh.Error, OSError):
                while await self.take_in():
                    pass
        return self.written.decode("utf-8", "replace")[-500:]


async def until(condition: Callable[[], object], what: str) -> None:
    try:
        async with asyncio.timeout(PATIENCE):
            while not condition():
                await asyncio.sleep(0.01)
    except TimeoutError:
        raise AssertionError(f"waited for {what}") from None
