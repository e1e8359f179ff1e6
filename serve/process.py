"""One guest's app: a process and a terminal of its own, with an environment from nothing."""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
import re
import signal
import struct
import subprocess
import sys
import termios
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

import kumite
from kumite.serve import guests, inside
from kumite.serve.allowance import Allowance
from kumite.serve.porter import errands
from kumite.serve.realm import realm_of
from kumite.store.house import GUEST, NETWORK, TURNS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kumite.serve.guests import Guest
    from kumite.serve.line import Line, Size
    from kumite.serve.network import Network
    from kumite.serve.realm import Realm
    from kumite.serve.terms import Terms
    from kumite.serve.thinking import Desk, Place

ROOT: Final = Path(kumite.__file__).resolve().parent.parent  # where `kumite` is found
INSIDE: Final = Path(__file__).with_name("inside.py")
APP: Final = ("-m", "kumite")
CHUNK: Final = 16 << 10  # bytes of the app's that are passed on at once
RESIZING: Final = 0.1  # s between two sizes that an app is told of
LOOKING: Final = 5.0  # s between looks whether somebody is still there, and at their folder
GRACE: Final = 3.0  # s for an app to end, with all saved, before it is killed
LAST_WORDS: Final = 1.0  # s for what it has written to get out
FILES: Final = 128  # that it may have open
TASKS: Final = 64  # processes and threads, where a realm counts them
TERM: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,39}")
LANGUAGE: Final = re.compile(r"[a-z]{2,3}(_[A-Z]{2})?(\.(UTF|utf)-?8)?")
FULL_COLOUR: Final = re.compile(r".*-direct|xterm-(kitty|ghostty)|alacritty|foot|wezterm|contour")
# Of an app that was killed before it could: no mouse, no other screen, a cursor.
GIVEN_BACK: Final = (
    b"\x1b[?1000;1002;1003;1004;1006;2004;2048l\x1b[<u\x1b[?1049l\x1b[?7h\x1b[0m\x1b[?25h\r\n"
)


def environment(guest: Guest, line: Line, address: str) -> dict[str, str]:
    """Return all that a guest's app is told by its environment; nothing of it is the host's."""
    own = str(guest.own)
    said = {
        GUEST: address,
        "HOME": own,
        "KUMITE_LOGS": str(guest.matches),
        **{
            f"XDG_{one.upper()}_HOME": f"{own}/{one}"
            for one in ("config", "data", "state", "cache")
        },
        "LOGNAME": guest.name,
        "USER": guest.name,
        "TERM": line.kind if TERM.fullmatch(line.kind) else "xterm",
        "LANG": "C.UTF-8",
        "PYTHONPATH": os.pathsep.join(packages()),
        "PYTHONSAFEPATH": "1",  # nothing in the guest's folder is ever imported
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUTF8": "1",
    }
    if FULL_COLOUR.fullmatch(said["TERM"]) or line.said.get("COLORTERM") in ("truecolor", "24bit"):
        said["COLORTERM"] = "truecolor"
    for name in ("LANG", "LC_CTYPE", "LC_ALL"):  # kanji for who reads them
        if LANGUAGE.fullmatch(value := line.said.get(name, "")):
            said[name] = value
    return said


def packages() -> list[str]:
    """Return where kumite is found, and what it needs, also what one user has installed."""
    return list(dict.fromkeys([str(ROOT), *(one for one in sys.path if one.endswith("-packages"))]))


def command(guest: Guest, terms: Terms, app: tuple[str, ...] = APP) -> list[str]:
    """Return what is started: what gives up all rights, and then becomes the app."""
    said = {
        "limits": {
            "DATA": terms.memory << 20,
            "FSIZE": terms.folder << 20,
            "NOFILE": FILES,
            "NPROC": TASKS,
            "CORE": 0,
        },
        "own": str(guest.own),
        "readable": sorted({*packages(), sys.prefix, sys.base_prefix, str(ROOT)}),
        "command": [sys.executable, "-P", *app],
    }
    return [sys.executable, "-I", "-S", str(INSIDE), json.dumps(said)]


def are_shut_off() -> bool:
    """Return whether guests' processes are without a network here, which only a trial tells."""
    trial = [sys.executable, "-I", "-S", str(INSIDE), inside.TRIAL]
    return subprocess.run(trial, stdin=subprocess.DEVNULL, check=False).returncode == 0


class App:
    """A guest's app and the line to their terminal."""

    def __init__(
        self,
        guest: Guest,
        line: Line,
        terms: Terms,
        network: Network,
        desk: Desk,
        allowance: Allowance,
    ) -> None:
        """It asks the house's `network` for what it needs of it; their bots ask at `desk` to think.

        All that their apps write comes out of one `allowance`.
        """
        self._desk, self._allowance = desk, allowance
        self._guest, self._line, self._terms, self._network = guest, line, terms, network
        self._loop = asyncio.get_running_loop()
        self._terminal = -1  # our end of it
        self._heard = self._loop.time()  # when a key came last
        self._resizing: asyncio.TimerHandle | None = None
        self._realm: Realm | None = None  # of all that it has started

    async def run(self) -> str:
        """Run the app until it, its guest or their time ends; return why it was ended, if it was.

        Raises:
            OSError: it cannot be started.
        """
        with self._desk.place(self._guest.who) as place:
            async with errands(self._network) as porter:
                return await self._run(place, porter)

    async def _run(self, place: Place, porter: int) -> str:
        self._terminal, theirs = os.openpty()
        try:
            os.set_blocking(self._terminal, False)
            set_size(self._terminal, self._line.size)
            process = await self._start(theirs, {TURNS: place.theirs, NETWORK: porter})
        except BaseException:
            os.close(self._terminal)
            raise
        finally:
            os.close(theirs)
        self._line.on_resize(self._resized)
        out = asyncio.create_task(self._pass_out())
        ways = (process.wait(), self._pass_in(), self._look(), self._begin(process.pid, place))
        ends = [asyncio.create_task(one) for one in ways]
        try:
            done, _ = await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            return next((str(one.result()) for one in done if isinstance(one.result(), str)), "")
        finally:
            await self._end(process, out, ends)

    async def _start(self, terminal: int, files: dict[str, int]) -> asyncio.subprocess.Process:
        own = environment(self._guest, self._line, self._network.places.own)
        return await asyncio.create_subprocess_exec(
            *command(self._guest, self._terms),
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            cwd=self._guest.own,
            env=own | {name: str(number) for name, number in files.items()},
            pass_fds=tuple(files.values()),
            start_new_session=True,
        )

    async def _end(
        self,
        process: asyncio.subprocess.Process,
        out: asyncio.Task[None],
        others: Sequence[asyncio.Task[object]],
    ) -> None:
        """Let the app save and give the terminal back, and if it does not, kill it."""
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        try:
            with suppress(ProcessLookupError):
                process.send_signal(signal.SIGHUP)
            with suppress(TimeoutError):
                async with asyncio.timeout(GRACE):
                    await process.wait()
        finally:
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                await process.wait()
            await asyncio.wait([out], timeout=LAST_WORDS)
            out.cancel()
            await asyncio.gather(out, return_exceptions=True)
            if self._realm is not None:
                await asyncio.to_thread(self._realm.end)
            if self._resizing is not None:
                self._resizing.cancel()
            self._line.on_resize(lambda: None)
            os.close(self._terminal)
            if process.returncode == -signal.SIGKILL:
                self._line.write(GIVEN_BACK)

    async def _begin(self, process: int, place: Place) -> None:
        """Let the process become the app, once it is known how to end all that it starts."""
        await place.is_there()
        self._realm = realm_of(process)
        place.begin()
        await asyncio.Event().wait()  # this ends no visit

    # --- bytes ------------------------------------------------------------------------------------

    async def _pass_out(self) -> None:
        """Pass on what the app writes, as fast as its guest may and as the line takes it."""
        while True:
            await self._ready(self._loop.add_reader, self._loop.remove_reader)
            try:
                data = os.read(self._terminal, CHUNK)
            except BlockingIOError:
                continue
            except OSError:  # nobody has the other end open any more
                return
            if not data:
                return
            self._line.write(data)
            await self._line.drained()
            await asyncio.sleep(self._allowance.take(len(data), self._loop.time()))

    async def _pass_in(self) -> None:
        """Pass on what the guest types, as fast as the app takes it, until their line ends."""
        while data := await self._line.take():
            self._heard = self._loop.time()
            while data:
                await self._ready(self._loop.add_writer, self._loop.remove_writer)
                try:
                    data = data[os.write(self._terminal, data) :]
                except BlockingIOError:
                    continue
                except OSError:
                    return

    async def _ready(self, add: Callable[..., object], remove: Callable[[int], object]) -> None:
        """Wait until the terminal can be read, or written to."""
        ready = self._loop.create_future()

        def note() -> None:
            remove(self._terminal)
            if not ready.done():
                ready.set_result(None)

        add(self._terminal, note)
        try:
            await ready
        finally:
            remove(self._terminal)

    # --- what else changes ------------------------------------------------------------------------

    def _resized(self) -> None:
        """Tell the app, but not of every size on the way."""
        if self._resizing is None:
            self._resizing = self._loop.call_later(RESIZING, self._resize)

    def _resize(self) -> None:
        self._resizing = None
        set_size(self._terminal, self._line.size)

    async def _look(self) -> str:
        """Return why this has to end, as soon as it has to."""
        idle = self._terms.idle * 60
        most = self._terms.folder << 21  # twice of what they come in with
        while True:
            left = self._heard + idle - self._loop.time()
            if left <= 0:
                return (
                    f"Nothing was typed for {self._terms.idle} minutes; what was played is saved."
                )
            await asyncio.sleep(min(left, LOOKING))
            if await asyncio.to_thread(guests.size, self._guest.own) > most:
                return (
                    "Your folder here is full; come again, and the oldest matches have given way."
                )


def set_size(terminal: int, size: Size) -> None:
    """Tell the program in a terminal how large it is."""
    with suppress(OSError):
        fcntl.ioctl(
            terminal, termios.TIOCSWINSZ, struct.pack("HHHH", size.rows, size.columns, 0, 0)
        )
