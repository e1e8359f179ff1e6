"""The server from start to end: the implementation of `kumite serve`."""

from __future__ import annotations

import asyncio
import resource
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from ipaddress import ip_address
from itertools import zip_longest
from pathlib import Path
from socket import socket
from textwrap import wrap
from typing import TYPE_CHECKING, Final, NamedTuple

import segno
from platformdirs import user_data_path

from kumite.core.errors import BadSetup
from kumite.net.transport.addresses import NOWHERE, interface_addresses, own_addresses
from kumite.net.transport.sockets import listening
from kumite.serve import process, ssh, web
from kumite.serve.cgroups import groups
from kumite.serve.sessions import Sessions
from kumite.serve.settings import Settings
from kumite.store import clock
from kumite.store.guest_mode import is_inner

if TYPE_CHECKING:
    from asyncssh import SSHKey

ENDING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
LOOPBACK: Final = ("127.", "::1")
FILES: Final = 8192  # open files; many systems allow 1,024, and a connection takes two
BLOCKS: Final = {(0, 0): "█", (0, 1): "▀", (1, 0): "▄", (1, 1): " "}  # dark modules are blank
READABLE: Final = 40  # columns of text beside the code
OPENS: Final = "The QR code opens the first address for browsers."
BORDER: Final = 4  # modules around the code, as the standard requires


class Opened(NamedTuple):
    """Settings and listeners, ready for the first guest."""

    settings: Settings
    folder: Path
    address: str  # where guests' tables listen
    ssh: socket | None
    key: SSHKey | None  # of ssh
    web: socket | None


def folder() -> Path:
    """Return the folder of accounts, which has kept its older name."""
    return user_data_path("kumite", appauthor=False) / "house"


def place_of(text: str) -> tuple[str | None, int]:
    """Return address (None: all) and port of `[ADDRESS:]PORT`, or raise BadSetup."""
    address, colon, port = text.rpartition(":")
    address = address.removeprefix("[").removesuffix("]")
    is_port = port.isascii() and port.isdigit() and len(port) <= 5 and int(port) < 65536
    if not is_port or (colon and not address):
        raise BadSetup(f"{text!r} is no [ADDRESS:]PORT", hint="2222, 192.168.1.20:2222, [::1]:2222")
    return address or None, int(port)


def open_listeners(settings: Settings, place: Path) -> Opened:
    """Check the settings and open the listeners, or raise KumiteError."""
    if settings.keys:
        ssh.read_keys(Path(settings.keys))
    if settings.tables and not is_address(settings.tables):
        hint = "such as 192.168.1.20 or 127.0.0.1"
        raise BadSetup(f"{settings.tables!r} is no address", hint=hint)
    if settings.site and not web.is_site(settings.site):
        raise BadSetup(f"{settings.site!r} is no site", hint="such as https://kumite.example")
    with ExitStack() as listeners:
        for_ssh, for_web = (
            listeners.enter_context(listening(*place_of(one))) if one else None
            for one in (settings.ssh, settings.web)
        )
        first = for_ssh or for_web
        if first is None:
            raise BadSetup("a server needs a port", hint="--ssh 2222, --web 2280")
        key = ssh.host_key(place / "ssh_host_key") if for_ssh else None
        listeners.pop_all()
    return Opened(settings, place, settings.tables or tables_at(first), for_ssh, key, for_web)


def is_address(text: str) -> bool:
    """True if `text` is one numeric address: guests' processes cannot resolve names."""
    try:
        return not ip_address(text).is_unspecified
    except ValueError:
        return False


def tables_at(sock: socket) -> str:
    bound = str(sock.getsockname()[0])
    return bound if is_address(bound) else (*interface_addresses(), *NOWHERE)[0]


async def serve(
    opened: Opened, greet: Callable[[str], object], tell: Callable[[str], object], width: int
) -> None:
    """Serve guests until a signal; then end all sessions and connections."""
    make_room()
    end, loop = asyncio.Event(), asyncio.get_running_loop()
    for sign in ENDING:
        loop.add_signal_handler(sign, end.set)
    loop.set_exception_handler(lambda _, context: tell(f"an error: {context.get('message', '')}"))
    sessions = Sessions(opened.settings, opened.folder, opened.address, tell)
    sessions.groups = groups()
    servers: list[ssh.SshServer | web.WebServer] = []
    if opened.ssh is not None and opened.key is not None:
        keys = Path(opened.settings.keys) if opened.settings.keys else None
        servers.append(over_ssh := ssh.SshServer(sessions, keys))
        await over_ssh.open(opened.ssh, opened.key)
    if opened.web is not None:
        servers.append(by_browser := web.WebServer(sessions))
        await by_browser.open(opened.web)
    for line in greeting(opened, width):
        greet(line)
    try:
        await end.wait()
    finally:
        for server in servers:
            server.shut()
        await sessions.close()
        await asyncio.gather(*(server.close() for server in servers))
        if sessions.groups is not None:
            sessions.groups.close()
        for sign in ENDING:
            loop.remove_signal_handler(sign)


def make_room() -> None:
    """Raise the limit of open files to what guests' connections may need, if allowed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def run(
    settings: Settings,
    place: Path,
    greet: Callable[[str], object],
    tell: Callable[[str], object],
    width: int = 0,
) -> None:
    """Serve guests until a signal; `greet` and `tell` print lines for the operator."""
    with asyncio.Runner(loop_factory=clock.new_loop) as runner:
        runner.run(serve(open_listeners(settings, place), greet, tell, width))


# --- output for the operator ----------------------------------------------------------------------


def greeting(opened: Opened, width: int = 0) -> Iterator[str]:
    """Yield the first lines for the operator: how to connect, who can, and where files are kept.

    If a terminal of that `width` has room for it, a QR code of the address stands beside the first
    of them, so that all fit 24 rows.
    """
    settings = opened.settings
    found = sites(settings, opened.web) if opened.web is not None else []
    ways = []
    if opened.ssh is not None:
        for one, port in shown(settings.ssh, opened.ssh):
            option = "" if port == 22 else f"-p {port} "
            ways.append(f"With ssh:     ssh {option}{one}")
    ways += [f"In a browser: {one}" for one in found]
    is_open = bool(found) and not settings.site.startswith("https:")
    notes = ["The browsers' traffic is not encrypted."] * is_open
    notes.append(who_can(opened))
    if is_inner(opened.address):
        notes.append(
            "Guests' tables are for guests and this computer (--tables ADDRESS: the LAN, too)."
        )
    else:
        notes.append(f"Tables that guests host are open to the whole LAN, at {opened.address}")
        notes.append("(--tables 127.0.0.1: to guests and this computer).")
    yield from beside(picture(found[0]) if found else [], ways, notes, width)
    if opened.key is not None:
        yield f"The server's key is   {opened.key.get_fingerprint()}"
    yield f"Guests' files are in  {opened.folder}"
    yield from process.sandbox().missing()
    yield "Press ctrl+c to close the server. Matches are saved."


def beside(rows: list[str], ways: list[str], notes: list[str], width: int) -> list[str]:
    """Return ways and folded notes beside a QR code; without it if few columns are left of `width`.

    Ways that are too long for that stay whole, below: they are copied.
    """
    room = width - len(rows[0]) - 2 if rows else 0
    if room < READABLE:
        return [*ways, *notes]
    folded = [one for note in (OPENS, *notes) for one in wrap(note, room)]
    lines = [*(one for one in ways if len(one) <= room), *folded]
    pairs = zip_longest(rows, lines, fillvalue="")
    long = [one for one in ways if len(one) > room]
    return [*(f"{row:{len(rows[0])}}  {one}".rstrip() for row, one in pairs), *long]


def shown(place: str, sock: socket) -> list[tuple[str, int]]:
    address, _ = place_of(place)
    found = (address,) if address else own_addresses()
    zone = "%INTERFACE"  # a placeholder for the guest's own
    port = int(sock.getsockname()[1])
    return [
        (f"{one}{zone}" if one.startswith("fe80:") and "%" not in one else one, port)
        for one in found
    ]


def sites(settings: Settings, sock: socket) -> list[str]:
    """Return the URLs for browsers; these do not support addresses with a %zone."""
    if settings.site:
        return [settings.site]
    found = [one for one in shown(settings.web, sock) if "%" not in one[0]]
    return [
        f"http://{f'[{one}]' if ':' in one else one}{'' if port == 80 else f':{port}'}"
        for one, port in found
    ]


def who_can(opened: Opened) -> str:
    settings, listeners = opened.settings, (opened.ssh, opened.web)
    asked = [
        *(["has a key in the file"] if settings.keys else []),
        *(["knows the code"] if settings.code else []),
    ]
    places = [
        place_of(place)[0] or ""
        for sock, place in zip(listeners, (settings.ssh, settings.web), strict=True)
        if sock is not None
    ]
    # reachable only from this computer, and not through a proxy
    is_inner = all(one.startswith(LOOPBACK) for one in places)
    is_inner = is_inner and not (opened.web and settings.site)
    where = "this computer itself" if is_inner else "this network, or the Internet if it lets them"
    who = f"Whoever {' and '.join(asked)}" if asked else "Anybody"
    return f"{who} can come in from {where}."


def picture(text: str) -> list[str]:
    """Return the rows of a QR code in half blocks, light on dark."""
    code = segno.make(text, error="m", micro=False)
    rows = [[bool(one) for one in row] for row in code.matrix_iter(border=BORDER)]
    if len(rows) % 2:
        rows.append([False] * len(rows[0]))
    return [
        "".join(BLOCKS[pair] for pair in zip(upper, lower, strict=True))
        for upper, lower in zip(rows[::2], rows[1::2], strict=True)
    ]
