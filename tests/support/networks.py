"""Computers on one LAN whose cables are pulled: network namespaces on a bridge (Linux, root)."""

from __future__ import annotations

import ctypes
import os
import subprocess
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from shutil import which
from typing import Final, Self

HINT: Final = "it takes Linux, root and `ip`"
NEW_NETWORK: Final = 0x40000000  # CLONE_NEWNET
OURS: Final = Path("/proc/thread-self/ns/net")
_numbers = count(1)


def found() -> bool:
    """Return whether this computer lets us make namespaces."""
    if not (which("ip") and which("unshare")):
        return False
    made = subprocess.run(["unshare", "-n", "true"], capture_output=True, check=False)
    return made.returncode == 0 and os.access("/run", os.W_OK)


def ip(*args: str) -> str:
    done = subprocess.run(["ip", *args], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"ip {' '.join(args)}: {done.stderr}"
    return done.stdout


class Lan:
    """Computers by these names; each has an `eth0` that is down, and its end at the switch up."""

    def __init__(self, *names: str) -> None:
        self._prefix = f"kumite{os.getpid()}-{next(_numbers)}-"
        self._names = names
        self._ends = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as ends:
            for name in ("switch", *self._names):
                ip("netns", "add", self._prefix + name)
                ends.callback(ip, "netns", "delete", self._prefix + name)
                self.ip(name, "link", "set", "lo", "up")
            self.ip("switch", "link", "add", "br0", "type", "bridge")
            self.ip("switch", "link", "set", "br0", "up")
            for name in self._names:
                peer = ["peer", "name", name, "netns", self._prefix + "switch"]
                self.ip(name, "link", "add", "eth0", "type", "veth", *peer)
                self.ip("switch", "link", "set", name, "master", "br0", "up")
            self._ends = ends.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._ends.close()

    def ip(self, name: str, *args: str) -> str:
        """Run `ip` at one of the computers, or at the switch."""
        return ip("-n", self._prefix + name, *args)

    def plug(self, name: str, address: str = "", link: str = "eth0") -> None:
        """Bring a computer's link up, with this address beside the link-local one."""
        if address:
            more = ["nodad"] if ":" in address else []
            self.ip(name, "address", "add", address, "dev", link, *more)
        self.ip(name, "link", "set", link, "up")

    def unplug(self, name: str) -> None:
        self.ip(name, "address", "flush", "dev", "eth0")
        self.ip(name, "link", "set", "eth0", "down")

    @contextmanager
    def at(self, name: str) -> Iterator[None]:
        """Let programs and threads that begin here be at that computer."""
        assert threading.current_thread() is threading.main_thread()
        ours = os.open(OURS, os.O_RDONLY)
        theirs = os.open(f"/run/netns/{self._prefix}{name}", os.O_RDONLY)
        try:
            _enter(theirs)
            yield
        finally:
            _enter(ours)
            os.close(ours)
            os.close(theirs)


def _enter(namespace: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)  # os.setns came with Python 3.12
    if libc.setns(namespace, NEW_NETWORK):
        raise OSError(ctypes.get_errno(), "setns")
