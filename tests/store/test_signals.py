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
    system.end_at_once(loop)
    loop._close_self_pipe = lambda close=loop._close_self_pipe: (
        close(), os.kill(os.getpid(), signal.{sign})
    )

asyncio.run(main())
"""


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_while_the_loop_closes_ends_the_program_without_a_word(name: str) -> None:
    sign = getattr(signal, name)
    command = [sys.executable, "-u", "-c", PROGRAM.format(sign=name)]
    run = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, check=False
    )
    assert (run.stdout.split(), run.stderr) == ([str(int(sign)).encode()], b"")
    assert run.returncode == -sign
