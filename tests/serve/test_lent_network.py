"""Guests' processes have no network but by the server's broker, whomever they obey.

Real processes, shut off as an app is; what it does, and for whom, is in test_broker.py.
"""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from kumite.serve import process, sandbox
from tests.serve.test_guests_over_ssh import KEY, at_home, the_app
from tests.support.servers import HERE, server

HOSTILE = """
import ctypes, os, socket, struct, sys, time
from kumite.core.errors import KumiteError
from kumite.net.transport import broker

def tried(what, *args):
    try:
        what(*args)
    except (OSError, KumiteError) as error:
        return type(error).__name__
    return "done"

def send(family, *to):
    socket.socket(family, socket.SOCK_DGRAM).sendto(b"x", to)

def to_file(address):
    socket.socket(socket.AF_UNIX).connect(address)

def by_pair(kind, address):
    socket.socketpair(socket.AF_UNIX, kind)[0].sendto(b"x", address)

def by_given(name, address):
    socket.socket(fileno=os.dup(int(os.environ[name]))).sendto(b"x", address)

here, port, abstract, file = "127.0.0.1", int(sys.argv[1]), sys.argv[2], sys.argv[3]
said = {
    "tcp to the host": tried(socket.create_connection, (here, port), 5),
    "tcp to anybody": tried(socket.create_connection, ("192.0.2.1", 9), 5),
    "udp to the host": tried(send, socket.AF_INET, here, port),
    "mdns": tried(send, socket.AF_INET, "224.0.0.251", 5353),
    "mdns over ipv6": tried(send, socket.AF_INET6, "ff02::fb", 5353, 0, 1),
    "raw bytes": tried(socket.socket, socket.AF_INET, socket.SOCK_RAW, 1),
    "packets": tried(socket.socket, socket.AF_PACKET, socket.SOCK_RAW),
    "an abstract socket": tried(to_file, chr(0) + abstract),
    "a socket in a file": tried(to_file, file),
    "datagrams to a file": tried(by_pair, socket.SOCK_DGRAM, file + ".log"),
    "bytes to a file": tried(by_pair, socket.SOCK_STREAM, file + ".log"),
    "a ring": "done" if ctypes.CDLL(None).syscall(425, 1, bytes(120)) >= 0 else "OSError",
    "the host's network": tried(lambda: os.listdir("/proc/1/ns")),
}
for name in ("KUMITE_GUEST_TURNS", "KUMITE_GUEST_NETWORK"):
    tried(by_given, name, file + ".log")
own = broker.of_process()
line, table = own.granted(broker.Listen(0))
said["a table of its own"] = "done"
said["tcp to a table"] = tried(socket.create_connection, (here, table), 5)
lent, _ = own.granted(broker.Connect((here,), table))
again = ctypes.CDLL(None).connect(lent.fileno(), struct.pack("H14s", 0, b""), 16)
said["what is lent, led elsewhere"] = tried(lent.connect, (here, port)) if again == 0 else "OSError"
said["a service by the server"] = tried(own.granted, broker.Connect((here,), port))
print("|".join(f"{name}={end}" for name, end in said.items()), "that is all")
"""


RENOUNCED = """
import socket
from kumite.serve import process, sandbox
print(sandbox.restrict(process.filters()[0]))
one, other = socket.socketpair()
one.send(b"pair")
print(other.recv(9).decode())
for kind in (socket.AF_INET, socket.AF_UNIX):
    try:
        socket.socket(kind)
    except OSError as error:
        print(type(error).__name__)
"""


@pytest.mark.landlock  # any Linux that has it has networks of one's own, and filters, too
async def test_a_process_that_obeys_somebody_else_has_no_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, let_run: Callable[..., None]
) -> None:
    monkeypatch.setattr("kumite.serve.lan.KNOWN_WITHIN", 0.2)
    abstract, file = f"kumite-{os.getpid()}", str(tmp_path / "socket")
    with (
        socket.create_server((HERE, 0)) as service,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagrams,
        socket.socket(socket.AF_UNIX) as unnamed,
        socket.socket(socket.AF_UNIX) as named,
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as log,
    ):
        port = service.getsockname()[1]
        datagrams.bind((HERE, port))
        for one, place in ((unnamed, f"\0{abstract}"), (named, file)):
            one.bind(place)
            one.listen()
        log.bind(f"{file}.log")
        for heard in (service, datagrams, unnamed, named, log):
            heard.setblocking(False)
        let_run(HOSTILE, str(port), abstract, file)
        async with (
            server(tmp_path / "server") as opened,
            opened.guest(client_keys=[KEY], size=(300, 24)) as guest,
        ):
            said = await guest.wait_for("that is all")
        for one in (service, unnamed, named):
            with pytest.raises(BlockingIOError):
                one.accept()
        for one in (datagrams, log):
            with pytest.raises(BlockingIOError):
                one.recv(1)
    found = dict(one.split("=") for one in said.split(" that is")[0].replace("\n", "").split("|"))
    assert found.pop("a table of its own") == "done"
    assert found.pop("a service by the server") == "NetworkError"
    assert len(found) == 15
    assert "done" not in found.values(), found


@pytest.mark.landlock
async def test_an_app_has_a_network_of_its_own_in_which_nothing_is(tmp_path: Path) -> None:
    async with server(tmp_path) as opened, opened.guest(client_keys=[KEY]) as guest:
        await at_home(guest)
        app = the_app(tmp_path)
        assert os.stat(f"/proc/{app}/ns/net").st_ino != os.stat("/proc/self/ns/net").st_ino
        with open(f"/proc/{app}/net/dev") as devices:
            assert re.findall(r"^ *(\S+):", devices.read(), re.MULTILINE) == ["lo"]
        with open(f"/proc/{app}/net/unix") as sockets:  # what is open is of pairs, without names
            assert not [one for one in sockets.read().splitlines()[1:] if len(one.split()) > 7]


@pytest.mark.landlock
def test_a_process_under_the_filter_makes_pairs_and_no_other_socket() -> None:
    """Also where nobody may begin namespaces, in a container say."""
    told = subprocess.run([sys.executable, "-c", RENOUNCED], text=True, capture_output=True,
                          check=True, timeout=60)  # fmt: skip
    assert told.stdout.split() == ["True", "pair", "PermissionError", "PermissionError"]


@pytest.mark.landlock
def test_a_trial_tells_that_processes_can_be_shut_off() -> None:
    assert process.sandbox() == (sandbox.version(), True, True)
