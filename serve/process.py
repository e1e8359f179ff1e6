"""The process of a guest's app and its pseudo-terminal, with an environment of its own."""

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
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

import kumite
from kumite.serve import accounts, seccomp
from kumite.serve.accounts import Guest
from kumite.serve.bot_queue import BotQueue, Place
from kumite.serve.broker import brokered
from kumite.serve.cgroups import Group, Groups
from kumite.serve.lan import Lan
from kumite.serve.limits import TokenBucket
from kumite.serve.settings import Settings
from kumite.serve.terminal import Size, Terminal
from kumite.store.guest_mode import GUEST, NETWORK, TURNS, WARNING

T = TypeVar("T")

ROOT: Final = Path(kumite.__file__).resolve().parent.parent  # the folder of the package `kumite`
SANDBOX: Final = Path(__file__).with_name("sandbox.py")
APP: Final = ("-m", "kumite")
CHUNK: Final = 16 << 10  # bytes of output passed on at once
RESIZING: Final = 0.1  # s between two changes of size
LOOKING: Final = 5.0  # s between checks of idle time and folder size
GRACE: Final = 3.0  # s for an app to save and end before it is killed
LAST_WORDS: Final = 1.0  # s to deliver its last output
FILES: Final = 128  # open files
TASKS: Final = 64  # processes and threads, where they can be counted per session
STACK: Final = 8 << 20  # bytes of a stack, which DATA does not include
TERM: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,39}")
LANGUAGE: Final = re.compile(r"[a-z]{2,3}(_[A-Z]{2})?(\.(UTF|utf)-?8)?")
# Resets the terminal after an app was killed: mouse off, main screen, cursor on.
GIVEN_BACK: Final = (
    b"\x1b[?1000;1002;1003;1004;1006;2004;2048l\x1b[<u\x1b[?1049l\x1b[?7h\x1b[0m\x1b[?25h\r\n"
)


def program() -> frozenset[tuple[str, int]]:
    """Return the program's files and their times: guests' processes start from what is there."""
    found = os.walk(ROOT / "kumite", followlinks=True)
    files = [os.path.join(at, one) for at, _, names in found for one in names]
    return frozenset((one, os.stat(one).st_mtime_ns) for one in files if one.endswith(".py"))


def environment(guest: Guest, terminal: Terminal, address: str) -> dict[str, str]:
    """Return the complete environment of a guest's app; nothing comes from the server's own."""
    own = str(guest.own)
    env = {
        GUEST: address,
        WARNING: guest.warning,
        "HOME": own,
        "KUMITE_LOGS": str(guest.matches),
        **{
            f"XDG_{one.upper()}_HOME": f"{own}/{one}"
            for one in ("config", "data", "state", "cache")
        },
        "LOGNAME": guest.name,
        "USER": guest.name,
        "TERM": terminal.kind if TERM.fullmatch(terminal.kind) else "xterm",
        "LANG": "C.UTF-8",
        "PYTHONPATH": os.pathsep.join(packages()),
        "PYTHONSAFEPATH": "1",  # never import from the guest's folder
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUTF8": "1",
    }
    said = terminal.env
    if said.get("COLORTERM") in ("truecolor", "24bit"):
        env["COLORTERM"] = "truecolor"
    for name in ("LANG", "LC_CTYPE", "LC_ALL"):  # for readers of kanji
        if LANGUAGE.fullmatch(value := said.get(name, "")):
            env[name] = value
    return env


def packages() -> list[str]:
    """Return the import paths of kumite and its dependencies, including per-user ones."""
    return list(dict.fromkeys([str(ROOT), *(one for one in sys.path if one.endswith("-packages"))]))


def command(guest: Guest, settings: Settings, app: tuple[str, ...] = APP) -> list[str]:
    return in_sandbox(
        {
            "limits": {
                "DATA": settings.memory << 20,
                "STACK": STACK,
                "FSIZE": settings.folder << 20,
                "NOFILE": FILES,
                "NPROC": TASKS,
                "CORE": 0,
            },
            "own": str(guest.own),
            "readable": sorted({*packages(), sys.prefix, sys.base_prefix, str(ROOT)}),
            "calls": filters(),
            "command": [sys.executable, "-P", *app],
        }
    )


def filters() -> list[str]:
    """Return the system call filters for this machine: without signals, and with them."""
    is_known = sys.platform.startswith("linux") and sys.maxsize > 1 << 32
    machine = os.uname().machine if is_known else ""
    return [seccomp.packed(machine, with_signals=one).hex() for one in (False, True)]


def in_sandbox(said: dict[str, Any]) -> list[str]:
    return [sys.executable, "-I", "-S", str(SANDBOX), json.dumps(said)]


class Sandbox(NamedTuple):
    """The kinds of isolation that work on this system, as found by a trial."""

    files: int  # the version of Landlock; 0: none
    namespaces: bool
    calls: bool  # a seccomp filter limits system calls

    def missing(self) -> Iterator[str]:
        """Yield a warning for the operator about each missing part."""
        if not self.files:
            yield "This system has no Landlock: guests' processes are not shut off from its files."
        if not self.namespaces:
            yield "This system lets us begin no namespaces: guests' processes may outlive sessions."
        if not self.calls:
            yield "This system has no filter we know: guests' processes may make all system calls."
        if not (self.namespaces or self.calls):
            yield "This system has no way to shut guests' processes off from the network."


def sandbox() -> Sandbox:
    trial = in_sandbox({"calls": filters()})
    done = subprocess.run(trial, stdin=subprocess.DEVNULL, capture_output=True, check=True)
    return Sandbox(**json.loads(done.stdout))


class App:
    """A guest's app in its process, between a pseudo-terminal and the guest's terminal."""

    def __init__(
        self,
        guest: Guest,
        terminal: Terminal,
        settings: Settings,
        lan: Lan,
        bots: BotQueue,
        rate: TokenBucket,
        groups: Groups | None,
    ) -> None:
        """Connect it to a broker on `lan` and to the queue of `bots`.

        The output of all of a guest's apps shares one `rate`. With `groups`, memory and processes
        are limited per session, else per process.
        """
        self._guest, self._terminal, self._settings, self._lan = guest, terminal, settings, lan
        self._bots, self._rate, self._groups = bots, rate, groups
        self._loop = asyncio.get_running_loop()
        self._pty = -1  # our end
        self._typed_at = self._loop.time()
        self._resizing: asyncio.TimerHandle | None = None
        self._group: Group | None = None  # all of the session's processes

    async def run(self) -> str:
        """Run the app to its end, or a disconnect or timeout; return the reason if we ended it."""
        with self._bots.place(self._guest.who) as place:
            async with brokered(self._lan) as broker:
                return await self._run(place, broker)

    async def _run(self, place: Place, broker: int) -> str:
        self._pty, theirs = os.openpty()
        try:
            os.set_blocking(self._pty, False)
            set_size(self._pty, self._terminal.size)
            process = await self._start(theirs, {TURNS: place.theirs, NETWORK: broker})
        except BaseException:
            os.close(self._pty)
            raise
        finally:
            os.close(theirs)
        self._terminal.on_resize = self._resized
        out = asyncio.create_task(self._pass_out())
        work = (process.wait(), self._pass_in(), self._watch(), self._begin(process.pid, place))
        ends = [asyncio.create_task(one) for one in work]
        try:
            done, _ = await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            return next((str(one.result()) for one in done if isinstance(one.result(), str)), "")
        finally:
            await self._end(process, out, ends)

    async def _start(self, pty: int, files: dict[str, int]) -> asyncio.subprocess.Process:
        own = environment(self._guest, self._terminal, self._lan.destinations.own)
        return await asyncio.create_subprocess_exec(
            *command(self._guest, self._settings),
            stdin=pty,
            stdout=pty,
            stderr=pty,
            cwd=self._guest.own,
            env=own | {name: str(number) for name, number in files.items()},
            pass_fds=tuple(files.values()),
            start_new_session=True,
        )

    async def _begin(self, process: int, place: Place) -> None:
        """Let the process start the app, once it is in a group with limits."""
        await place.is_there()
        if self._groups is not None:
            self._group = self._groups.begin(self._settings.memory << 20, TASKS)
            self._group.add(process)
        place.begin()
        await asyncio.Event().wait()  # must not end the session

    async def _end(
        self,
        process: asyncio.subprocess.Process,
        out: asyncio.Task[None],
        others: Sequence[asyncio.Task[object]],
    ) -> None:
        """Let the app save and reset the terminal; kill it if it does not end in time."""
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        try:  # in a namespace of its own, SIGTERM ends all its processes
            for sign, patience in ((signal.SIGHUP, GRACE), (signal.SIGTERM, LAST_WORDS)):
                with suppress(ProcessLookupError):
                    process.send_signal(sign)
                with suppress(TimeoutError):
                    await asyncio.wait_for(process.wait(), patience)
        finally:
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                await process.wait()
            await asyncio.wait([out], timeout=LAST_WORDS)
            out.cancel()
            await asyncio.gather(out, return_exceptions=True)
            if self._group is not None:
                await asyncio.to_thread(self._group.end)
            if self._resizing is not None:
                self._resizing.cancel()
            self._terminal.on_resize = lambda: None
            os.close(self._pty)
            if process.returncode == -signal.SIGKILL:
                self._terminal.write(GIVEN_BACK)

    # --- bytes ------------------------------------------------------------------------------------

    async def _pass_out(self) -> None:
        """Pass on the app's output, within the guest's rate and as fast as the terminal reads."""
        with suppress(OSError):  # the other end is closed
            while data := await self._when_ready(partial(os.read, self._pty, CHUNK), "reader"):
                self._terminal.write(data)
                await self._terminal.drain()
                await asyncio.sleep(self._rate.take(len(data), self._loop.time()))

    async def _pass_in(self) -> None:
        """Pass on the guest's input as fast as the app reads it, until the connection ends."""
        with suppress(OSError):
            while data := await self._terminal.read():
                self._typed_at = self._loop.time()
                while data:
                    write = partial(os.write, self._pty, data)
                    data = data[await self._when_ready(write, "writer") :]

    async def _when_ready(self, call: Callable[[], T], kind: str) -> T:
        """Call `call` once the pty is readable or writable."""
        add, remove = (getattr(self._loop, f"{act}_{kind}") for act in ("add", "remove"))
        ready = asyncio.Event()
        while True:
            ready.clear()
            add(self._pty, ready.set)
            try:
                await ready.wait()
                return call()
            except BlockingIOError:
                continue
            finally:
                remove(self._pty)

    # --- what else changes ------------------------------------------------------------------------

    def _resized(self) -> None:
        if self._resizing is None:
            self._resizing = self._loop.call_later(RESIZING, self._resize)

    def _resize(self) -> None:
        """Tell the app to draw anew, even in the same size as before.

        Another one in between has cut the terminal's content. Only a new size is signalled.
        """
        self._resizing = None
        size = self._terminal.size
        set_size(self._pty, size._replace(rows=size.rows + 1))
        set_size(self._pty, size)

    async def _watch(self) -> str:
        minutes = self._settings.idle
        most = self._settings.folder << 21  # twice the size allowed at login
        while (left := self._typed_at + 60 * minutes - self._loop.time()) > 0:
            await asyncio.sleep(min(left, LOOKING))
            if await asyncio.to_thread(accounts.size, self._guest.own) > most:
                return "Your folder here is full. Connect again: the oldest matches are deleted."
        return f"Nothing was typed for {minutes} minutes.{self._guest.saved}"


def set_size(pty: int, size: Size) -> None:
    with suppress(OSError):
        fcntl.ioctl(pty, termios.TIOCSWINSZ, struct.pack("HHHH", size.rows, size.columns, 0, 0))
