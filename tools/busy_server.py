"""Measure a server full of guests: `python -m kumite.tools.busy_server`, on Linux, with asyncssh.

Server, guests' apps and guests all run on this computer, so the guests themselves take part of the
measured time. Idle guests stay at the home screen. The others play Kitsu! against the weakest bot
and press a key each second. Reported are the memory per guest, the delay from a key to the first
byte of the response, and the time from starting `ssh` to the home screen.
"""

from __future__ import annotations

import asyncio
import os
import re
import statistics
import sys
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Final

import asyncssh
import click

import kumite

ROOT: Final = Path(kumite.__file__).resolve().parent.parent
HERE: Final = "127.0.0.1"
AT_HOME, AT_TABLE = b"play here", b"your turn"
ESC: Final = "\x1b"
KEYS: Final = ("n", "n", "n", "\r", ESC)  # move around, and choose now and then
PACE: Final = 1.0  # s between the keys of a guest
PATIENCE: Final = 120.0  # s to wait for a screen
COMING: Final = 4  # guests connecting at the same time


class Guest:
    """A guest's terminal at the server."""

    def __init__(self, process: asyncssh.SSHClientProcess[bytes]) -> None:
        self._process = process
        self._seen = b""
        self._news = asyncio.Event()
        self.waits: list[float] = []  # s from a key to its response
        self.escapes: list[float] = []  # the same for Esc, which may begin a sequence
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        while data := await self._process.stdout.read(65536):
            self._seen = (self._seen + data)[-200_000:]
            self._news.set()

    async def wait_for(self, text: bytes) -> None:
        """Wait until the text has been received."""
        async with asyncio.timeout(PATIENCE):
            while text not in self._seen:
                self._news.clear()
                await self._news.wait()

    async def press(self, key: str) -> None:
        """Press a key, and record the delay to the first byte."""
        self._news.clear()
        begun = monotonic()
        self._process.stdin.write(key.encode())
        with suppress(TimeoutError):  # a key that changes nothing
            await asyncio.wait_for(self._news.wait(), PACE)
            (self.escapes if key == ESC else self.waits).append(monotonic() - begun)

    async def begin(self) -> None:
        """Start a match against a bot: the game's tile, then its setup screen."""
        self._process.stdin.write(b"\r")
        await self.wait_for(b"Begin the match")
        self._process.stdin.write(b"\r")
        await self.wait_for(AT_TABLE)

    async def play(self, until: float, rng: Random) -> None:
        while monotonic() < until:
            await asyncio.sleep(PACE * rng.uniform(0.5, 1.5))
            await self.press(rng.choice(KEYS))


async def come(port: int, stack: AsyncExitStack) -> tuple[Guest, float]:
    """Connect a guest; return it with the time until the home screen, in s."""
    begun = monotonic()
    connection = await asyncssh.connect(
        HERE, port, known_hosts=None, config=None, agent_path=None, username="guest",
        client_keys=[asyncssh.generate_private_key("ssh-ed25519")],
    )  # fmt: skip
    stack.push_async_exit(connection)
    process = await connection.create_process(
        term_type="xterm-256color", term_size=(80, 24), encoding=None
    )
    guest = Guest(process)
    await guest.wait_for(AT_HOME)
    return guest, monotonic() - begun


def memory_of(folder: Path) -> tuple[dict[str, int], dict[str, int]]:
    """Return the memory of apps and of bots by guest, in kB (proportional set size)."""
    apps: dict[str, int] = {}
    bots: dict[str, int] = {}
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            said = (place / "environ").read_bytes()
            if found := re.search(rb"HOME=%s/guests/([^/]+)/" % os.fsencode(folder), said):
                rollup = (place / "smaps_rollup").read_text()
                share = re.search(r"^Pss: +(\d+)", rollup, re.MULTILINE)
                kind = bots if b"bots.worker" in (place / "cmdline").read_bytes() else apps
                kind[found[1].decode()] = int(share[1]) if share else 0
    return apps, bots


async def opened(folder: Path, guests: int) -> tuple[asyncio.subprocess.Process, int]:
    settings = folder / "serve.toml"
    settings.write_text(f"guests = {guests}\nper_address = {guests}\n")
    place = ("--ssh", f"{HERE}:0", "--keep", str(folder), "--settings", str(settings))
    server = await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", "kumite", "serve", *place),
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
    )
    assert server.stdout is not None
    port = 0
    while line := await server.stdout.readline():
        if found := re.search(rb"ssh -p (\d+)", line):
            port = int(found[1])
        if line.startswith(b"Press ctrl+c"):
            break
    return server, port


def summary(what: str, found: list[float], unit: str) -> str:
    """Format the median and the 95th percentile."""
    high = statistics.quantiles(found, n=20)[-1] if len(found) > 1 else found[0]
    return f"{what:<28}{statistics.median(found):8.1f} {unit}   95 of 100 within {high:.1f} {unit}"


async def measure(idle: int, playing: int, seconds: float, folder: Path) -> None:
    """Fill the server with guests, and print the measurements."""
    server, port = await opened(folder, idle + playing + 2)
    async with AsyncExitStack() as stack:
        first = [(await come(port, stack))[1] for _ in range(1)]
        print(summary("the first sees the server", first, "s"), flush=True)
        entering = asyncio.Semaphore(COMING)

        async def enters(plays: bool) -> Guest:
            async with entering:
                guest, _ = await come(port, stack)
                if plays:
                    await guest.begin()
                return guest

        everybody = [enters(number < playing) for number in range(idle + playing)]
        players = (await asyncio.gather(*everybody))[:playing]
        apps, bots = memory_of(folder)
        for what, kind in (("an app", apps), ("its bots", bots)):
            if kind:
                print(summary(f"{what} ({len(kind)})", [kb / 1024 for kb in kind.values()], "MB"))
        until, rng = monotonic() + seconds, Random(1)
        playing_on = [asyncio.create_task(one.play(until, rng)) for one in players]
        await asyncio.sleep(seconds / 2)
        last = (await come(port, stack))[1]
        await asyncio.gather(*playing_on)
        print(summary(f"a newcomer, {playing} playing", [last], "s"))
        waits = [1000 * wait for one in players for wait in one.waits]
        escapes = [1000 * wait for one in players for wait in one.escapes]
        print(summary(f"key to echo ({len(waits)} keys)", waits, "ms"))
        print(summary(f"Esc to echo ({len(escapes)} keys)", escapes, "ms"))
    server.terminate()
    await server.wait()


@click.command(help=__doc__)
@click.option("--idle", default=50)
@click.option("--playing", default=20)
@click.option("--seconds", default=30.0, help="that they play")
def main(idle: int, playing: int, seconds: float) -> None:
    with TemporaryDirectory() as place:
        folder = Path(place).resolve() / "server"
        folder.mkdir()
        asyncio.run(measure(idle, playing, seconds, folder))


if __name__ == "__main__":
    main()
