"""A house from its opening to its end: what `kumite serve` does."""

from __future__ import annotations

import asyncio
import signal
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from kumite.core.errors import BadSetup
from kumite.core.text import harmless
from kumite.net.transport.addresses import own_addresses
from kumite.net.transport.sockets import listening
from kumite.serve import inside, ssh
from kumite.serve.visit import Host

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from socket import socket

    from asyncssh import SSHKey

    from kumite.serve.terms import Terms

ENDING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
INSIDE: Final = ("127.", "::1")


class Opened(NamedTuple):
    """What is settled before the first guest comes."""

    terms: Terms
    folder: Path
    socket: socket
    address: str  # where guests' tables listen
    key: SSHKey


def folder() -> Path:
    """Return the folder of a house."""
    from platformdirs import user_data_path

    return user_data_path("kumite", appauthor=False) / "house"


def place_of(text: str) -> tuple[str | None, int]:
    """Return address and port of `[ADDRESS:]PORT`; None: all addresses.

    Raises:
        BadSetup: it is none.
    """
    address, colon, port = text.rpartition(":")
    address = address.removeprefix("[").removesuffix("]")
    is_port = port.isascii() and port.isdigit() and len(port) <= 5 and int(port) < 65536
    if not is_port or (colon and not address):
        raise BadSetup(f"{text!r} is no [ADDRESS:]PORT", hint="2222, 192.168.1.20:2222, [::1]:2222")
    return address or None, int(port)


def open_house(terms: Terms, place: Path) -> Opened:
    """Return a house whose door can be opened.

    Raises:
        KumiteError: it cannot, and why.
    """
    if terms.keys:
        ssh.read_keys(Path(terms.keys))
    address, port = place_of(terms.ssh)
    if terms.tables and not is_address(terms.tables):
        raise BadSetup(f"{terms.tables!r} is no address", hint="such as 192.168.1.20 or 127.0.0.1")
    sock = listening(address, port)
    try:
        key = ssh.host_key(place / "ssh_host_key")
        return Opened(terms, place, sock, terms.tables or tables_at(sock), key)
    except BaseException:
        sock.close()
        raise


def is_address(text: str) -> bool:
    """Return whether this is one address, by its number: a guest's process asks for no names."""
    try:
        return not ip_address(text).is_unspecified
    except ValueError:
        return False


def tables_at(sock: socket) -> str:
    """Return where guests' tables listen if nothing was said: where the house does."""
    bound = str(sock.getsockname()[0])
    return bound if is_address(bound) else own_addresses()[0]


async def serve(
    opened: Opened, greet: Callable[[str], object], tell: Callable[[str], object]
) -> None:
    """Receive guests until a signal ends it; then nobody and nothing is left."""
    end, loop = asyncio.Event(), asyncio.get_running_loop()
    for sign in ENDING:
        loop.add_signal_handler(sign, end.set)
    loop.set_exception_handler(lambda _, context: tell(f"a fault: {context.get('message', '')}"))
    host = Host(opened.terms, opened.folder, opened.address, lambda said: tell(harmless(said)))
    keys = Path(opened.terms.keys) if opened.terms.keys else None
    entrance = ssh.Entrance(host, keys)
    await entrance.open(opened.socket, opened.key)
    for line in greeting(opened):
        greet(line)
    try:
        await end.wait()
    finally:
        await entrance.close()
        for sign in ENDING:
            loop.remove_signal_handler(sign)


def run(
    terms: Terms, place: Path, greet: Callable[[str], object], tell: Callable[[str], object]
) -> None:
    """Open a house, `greet` its operator, and `tell` of guests until a signal ends it.

    Raises:
        KumiteError: it cannot be opened, and why.
    """
    asyncio.run(serve(open_house(terms, place), greet, tell))


def greeting(opened: Opened) -> Iterator[str]:
    """Yield what an operator reads first: how to come in, who can, and what is kept where."""
    terms = opened.terms
    address, _ = place_of(terms.ssh)
    port = opened.socket.getsockname()[1]
    shown = (address,) if address else own_addresses()
    option = "" if port == 22 else f"-p {port} "
    for one in shown:
        yield f"Guests come in with:  ssh {option}{one}"
    yield f"It shows the key      {opened.key.get_fingerprint()}"
    yield who_can(terms, is_inner=bool(address) and str(address).startswith(INSIDE))
    if opened.address.startswith(INSIDE):
        yield "Guests' tables are for guests alone (--tables ADDRESS: also for the LAN)."
    else:
        yield f"Guests' tables are on the LAN, at {opened.address} (127.0.0.1: for guests)."
    yield f"What is kept of them:  {opened.folder}"
    if not inside.version():
        yield "This system has no Landlock: guests' processes are not shut off from its files."
    yield "ctrl+c closes the house; matches are saved."


def who_can(terms: Terms, *, is_inner: bool) -> str:
    """Say who can come in."""
    asked = [
        *(["has a key in the file"] if terms.keys else []),
        *(["knows the code"] if terms.code else []),
    ]
    where = "this computer itself" if is_inner else "this network, or the Internet if it lets them"
    who = f"Whoever {' and '.join(asked)}" if asked else "Anybody"
    return f"{who} can come in from {where}."
