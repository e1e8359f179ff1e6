"""A house from its opening to its end: what `kumite serve` does."""

from __future__ import annotations

import asyncio
import resource
import signal
from contextlib import ExitStack, suppress
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from kumite.core.errors import BadSetup
from kumite.core.text import harmless
from kumite.net.transport.addresses import own_addresses
from kumite.net.transport.sockets import listening
from kumite.serve import inside, origins, process, ssh, web
from kumite.serve.picture import picture
from kumite.serve.visit import Host

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from socket import socket

    from asyncssh import SSHKey

    from kumite.serve.terms import Terms

ENDING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
INSIDE: Final = ("127.", "::1")
FILES: Final = 8192  # open at once; many systems give 1,024, and a connection takes two


class Opened(NamedTuple):
    """What is settled before the first guest comes."""

    terms: Terms
    folder: Path
    address: str  # where guests' tables listen
    ssh: socket | None
    key: SSHKey | None  # of ssh
    web: socket | None


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
    if terms.tables and not is_address(terms.tables):
        raise BadSetup(f"{terms.tables!r} is no address", hint="such as 192.168.1.20 or 127.0.0.1")
    if terms.site and not origins.is_site(terms.site):
        raise BadSetup(f"{terms.site!r} is no site", hint="such as https://kumite.example")
    with ExitStack() as doors:
        for_ssh, for_web = (
            doors.enter_context(listening(*place_of(one))) if one else None
            for one in (terms.ssh, terms.web)
        )
        first = for_ssh or for_web
        if first is None:
            raise BadSetup("a house needs a door", hint="--ssh 2222, --web 2280")
        key = ssh.host_key(place / "ssh_host_key") if for_ssh else None
        doors.pop_all()
    return Opened(terms, place, terms.tables or tables_at(first), for_ssh, key, for_web)


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
    opened: Opened, greet: Callable[[str], object], tell: Callable[[str], object], width: int
) -> None:
    """Receive guests until a signal ends it; then nobody and nothing is left."""
    make_room()
    end, loop = asyncio.Event(), asyncio.get_running_loop()
    for sign in ENDING:
        loop.add_signal_handler(sign, end.set)
    loop.set_exception_handler(lambda _, context: tell(f"a fault: {context.get('message', '')}"))
    host = Host(opened.terms, opened.folder, opened.address, lambda said: tell(harmless(said)))
    entrances = await enter(opened, host)
    for line in greeting(opened, width):
        greet(line)
    try:
        await end.wait()
    finally:
        for entrance in entrances:
            entrance.shut()
        await host.close()
        await asyncio.gather(*(entrance.close() for entrance in entrances))
        for sign in ENDING:
            loop.remove_signal_handler(sign)


def make_room() -> None:
    """Let this process have as many files open as guests may have lines, if the system does."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


async def enter(opened: Opened, host: Host) -> list[ssh.Entrance | web.Entrance]:
    """Open the doors."""
    entrances: list[ssh.Entrance | web.Entrance] = []
    if opened.ssh is not None and opened.key is not None:
        keys = Path(opened.terms.keys) if opened.terms.keys else None
        over_ssh = ssh.Entrance(host, keys)
        await over_ssh.open(opened.ssh, opened.key)
        entrances.append(over_ssh)
    if opened.web is not None:
        by_browser = web.Entrance(host)
        await by_browser.open(opened.web)
        entrances.append(by_browser)
    return entrances


def run(
    terms: Terms,
    place: Path,
    greet: Callable[[str], object],
    tell: Callable[[str], object],
    width: int = 0,
) -> None:
    """Open a house, `greet` its operator, and `tell` of guests until a signal ends it.

    Where there is a terminal, it has that `width`.

    Raises:
        KumiteError: it cannot be opened, and why.
    """
    asyncio.run(serve(open_house(terms, place), greet, tell, width))


def greeting(opened: Opened, width: int = 0) -> Iterator[str]:
    """Yield what an operator reads first: how to come in, who can, and what is kept where.

    A terminal of that `width` gets a picture of the address, if there is room for it: above all
    else, for where it is low the first lines leave it.
    """
    terms = opened.terms
    found = sites(terms, opened.web) if opened.web is not None else []
    rows = picture(found[0]) if found else []
    if rows and len(rows[0]) <= width:
        yield from rows
    if opened.ssh is not None and opened.key is not None:
        for one, port in shown(terms.ssh, opened.ssh):
            option = "" if port == 22 else f"-p {port} "
            yield f"Guests come in with:  ssh {option}{one}"
        yield f"It shows the key      {opened.key.get_fingerprint()}"
    if opened.web is not None:
        for one in found:
            yield f"In a browser:         {one}"
        if not terms.site.startswith("https:"):
            yield "What browsers send and get is not encrypted."
    yield who_can(terms, is_inner=is_inner(opened))
    if opened.address.startswith(INSIDE):
        yield "Tables that guests host are for guests alone (--tables ADDRESS: for the LAN, too)."
    else:
        yield f"Tables that guests host are open to the whole LAN, at {opened.address}"
        yield "(--tables 127.0.0.1: to guests alone)."
    yield f"What is kept of them:  {opened.folder}"
    if not inside.version():
        yield "This system has no Landlock: guests' processes are not shut off from its files."
    if not process.are_shut_off():
        yield "This system has no way to shut guests' processes off from the network."
    yield "ctrl+c closes the house; matches are saved."


def shown(place: str, sock: socket) -> list[tuple[str, int]]:
    """Return the addresses and the port by which a door is reached."""
    address, _ = place_of(place)
    found = (address,) if address else own_addresses()
    return [(one, int(sock.getsockname()[1])) for one in found]


def sites(terms: Terms, sock: socket) -> list[str]:
    """Return what guests open in a browser; addresses that take a %zone are none for browsers."""
    if terms.site:
        return [terms.site]
    found = [one for one in shown(terms.web, sock) if "%" not in one[0]]
    return [
        f"http://{f'[{one}]' if ':' in one else one}{'' if port == 80 else f':{port}'}"
        for one, port in found
    ]


def is_inner(opened: Opened) -> bool:
    """Return whether only this computer itself reaches the doors, and no proxy leads there."""
    doors = ((opened.ssh, opened.terms.ssh), (opened.web, opened.terms.web))
    places = [place_of(place)[0] for sock, place in doors if sock is not None]
    are_inner = all(one is not None and one.startswith(INSIDE) for one in places)
    return are_inner and not (opened.web and opened.terms.site)


def who_can(terms: Terms, *, is_inner: bool) -> str:
    """Say who can come in."""
    asked = [
        *(["has a key in the file"] if terms.keys else []),
        *(["knows the code"] if terms.code else []),
    ]
    where = "this computer itself" if is_inner else "this network, or the Internet if it lets them"
    who = f"Whoever {' and '.join(asked)}" if asked else "Anybody"
    return f"{who} can come in from {where}."
