"""Signals that want the program to end: its own while it runs, the system's when all is done."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from tests.support.places import ROOT

PROGRAM = """
import asyncio, os, signal
from kumite.store import system

async def main():
    loop, ended = asyncio.get_running_loop(), asyncio.Event()
    system.on_ending(loop, lambda sign: (print(sign), ended.set()))
    os.kill(os.getpid(), signal.{sign})
    await ended.wait()
    system.end_at_once()
    loop._close_self_pipe = lambda close=loop._close_self_pipe: (
        close(), os.kill(os.getpid(), signal.{sign})
    )

asyncio.run(main())
"""

STOPPED = """
import asyncio, os, signal
from kumite.store import system

async def main():
    loop = asyncio.get_running_loop()
    system.on_ending(loop, lambda _: None)
    signal.signal(signal.{sign}, lambda *_: None)
    system.end_at_once()
    loop._close_self_pipe = lambda close=loop._close_self_pipe: (
        close(), os.kill(os.getpid(), signal.{sign})
    )

asyncio.run(main())
"""

BUSY = """
import asyncio, os, signal, threading
from kumite.store import system

async def main():
    loop, ended = asyncio.get_running_loop(), asyncio.Event()
    system.on_ending(loop, lambda sign: (print(sign), ended.set()))

    def flood():
        for _ in range(5000):
            loop.call_soon_threadsafe(lambda: None)

    others = threading.Thread(target=flood)
    others.start()
    others.join()
    os.kill(os.getpid(), signal.{sign})
    await asyncio.wait_for(ended.wait(), 20)
    system.end_at_once()

asyncio.run(main())
"""

STILL = """
import asyncio, os, signal, threading, time
from kumite.store import system

async def main():
    loop, heard = asyncio.get_running_loop(), asyncio.Event()
    system.on_ending(loop, lambda _: heard.set())
    if "{sign}" == "SIGWINCH":
        signal.signal(signal.SIGWINCH, lambda *_: loop.call_soon_threadsafe(heard.set))
    other = threading.Thread(target=time.sleep, args=(60,), daemon=True)
    other.start()
    threading.Timer(0.2, signal.pthread_kill, (other.ident, signal.{sign})).start()
    loop.call_later(20, os._exit, 3)
    await heard.wait()
    print("heard", system.has_lost_terminal())
    system.end_at_once()

asyncio.run(main())
"""

every_ending = pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])


def run(program: str, name: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-u", "-c", program.format(sign=name)]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, env=env, capture_output=True, check=False)


@every_ending
def test_a_signal_is_heard_behind_all_that_a_busy_loop_has_still_to_do(name: str) -> None:
    found = run(BUSY, name)
    said = str(int(getattr(signal, name))).encode()
    assert (found.stdout.split(), found.stderr, found.returncode) == ([said], b"", 0)


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP", "SIGWINCH"])
def test_a_signal_wakes_a_loop_that_waits_whichever_thread_it_comes_to(name: str) -> None:
    """So does one that comes just before it waits: both leave the system's wait as it is."""
    found = run(STILL, name)
    said = f"heard {name == 'SIGHUP'}".encode()  # then the others at a table wait
    assert (found.stdout.strip(), found.returncode) == (said, 0), found.stderr.decode()


@every_ending
def test_a_signal_while_the_loop_closes_ends_the_program_without_a_word(name: str) -> None:
    sign = getattr(signal, name)
    found = run(PROGRAM, name)
    assert (found.stdout.split(), found.stderr) == ([str(int(sign)).encode()], b"")
    assert found.returncode == -sign


@pytest.mark.parametrize("name", ["SIGTSTP", "SIGCONT", "SIGWINCH"])
def test_a_signal_of_the_terminal_while_the_loop_closes_says_nothing(name: str) -> None:
    found = run(STOPPED, name)
    assert (found.stdout, found.stderr, found.returncode) == (b"", b"", 0)
