"""Signals that want the program to end: its own while it runs, the system's when all is done."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from tests.support.places import ROOT

FRAME = """
import asyncio, os, signal, threading, time
from kumite.store import system

def send():
    os.kill(os.getpid(), signal.SIGN)

def send_when_it_closes(loop):
    close = loop._close_self_pipe
    loop._close_self_pipe = lambda: (close(), send())

async def main():
    loop, ended = asyncio.get_running_loop(), asyncio.Event()
    system.on_ending(loop, lambda sign: (print(sign), ended.set()))
    BODY
    system.end_at_once()

asyncio.run(main())
"""
ENDED = """
    send()
    await ended.wait()
    send_when_it_closes(loop)
"""
STOPPED = """
    signal.signal(signal.SIGN, lambda *_: None)
    send_when_it_closes(loop)
"""
BUSY = """
    def flood():
        for _ in range(5000):
            loop.call_soon_threadsafe(lambda: None)

    others = threading.Thread(target=flood)
    others.start()
    others.join()
    send()
    await asyncio.wait_for(ended.wait(), 20)
"""
STILL = """
    if "SIGN" == "SIGWINCH":
        signal.signal(signal.SIGWINCH, lambda *_: loop.call_soon_threadsafe(ended.set))
    other = threading.Thread(target=time.sleep, args=(60,), daemon=True)
    other.start()
    threading.Timer(0.2, signal.pthread_kill, (other.ident, signal.SIGN)).start()
    loop.call_later(20, os._exit, 3)
    await ended.wait()
    print("heard", system.has_lost_terminal())
"""

every_ending = pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])


def run(body: str, name: str) -> subprocess.CompletedProcess[bytes]:
    program = FRAME.replace("    BODY\n", body).replace("SIGN", name)
    command = [sys.executable, "-u", "-c", program]
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
    assert found.stdout.splitlines()[-1:] == [said], found.stderr.decode()
    assert found.returncode == 0


@every_ending
def test_a_signal_while_the_loop_closes_ends_the_program_without_a_word(name: str) -> None:
    sign = getattr(signal, name)
    found = run(ENDED, name)
    assert (found.stdout.split(), found.stderr) == ([str(int(sign)).encode()], b"")
    assert found.returncode == -sign


@pytest.mark.parametrize("name", ["SIGTSTP", "SIGCONT", "SIGWINCH"])
def test_a_signal_of_the_terminal_while_the_loop_closes_says_nothing(name: str) -> None:
    found = run(STOPPED, name)
    assert (found.stdout, found.stderr, found.returncode) == (b"", b"", 0)
