"""`kumite doctor`: check this installation, terminal and network, with hints for problems.

Checks change nothing. The only data sent is a short announcement under a service name that no table
uses.
"""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from importlib import metadata
from queue import Empty, SimpleQueue
from secrets import token_hex
from shutil import get_terminal_size, which
from tempfile import TemporaryFile
from time import perf_counter
from typing import Final, TypeAlias

import click
from rich.console import Console

from kumite.cli.app_start import NoTerminal, require_terminal
from kumite.cli.saying import say, say_json
from kumite.core.errors import KumiteError
from kumite.net.transport import sockets, tournament_files
from kumite.net.transport.addresses import (
    INNER,
    NOWHERE,
    PORT,
    VPN,
    here,
    own_addresses,
    tailscale_address,
)
from kumite.net.transport.discovery import Announced, Announcer, Finder, News
from kumite.serve import settings as of_server
from kumite.store import practice, progress, warned
from kumite.store.library import Library
from kumite.store.log_files import folder, no_locks
from kumite.store.system import is_over_ssh, lock
from kumite.store.whole_files import reason
from kumite.tui import crash
from kumite.tui.bots import kernels
from kumite.tui.drawing.places import SMALLEST, STANDARD
from kumite.tui.look import colors, sprites
from kumite.tui.look import glyphs as looks
from kumite.tui.puzzles import own
from kumite.tui.scenes.lines import wrap
from kumite.tui.screens import key_map
from kumite.tui.settings import path, read
from kumite.tui.terminal import osc

OK, NOTE, BAD = "ok", "note", "BAD"
CHECK: Final = "_kumite-check._tcp.local."  # announced and found only by this check
UNBROKEN: Final = 10_000  # columns: never wrap
LEAST: Final = 20  # minimum text width, even in narrow terminals
PATIENCE: Final = 3.0  # s to wait for the program's own announcement


@dataclass(frozen=True, slots=True)
class Finding:
    """A result of a check: `mark` is OK, NOTE (works with limitations) or BAD."""

    mark: str
    topic: str
    text: str
    hint: str = ""


Told: TypeAlias = tuple[str, str] | tuple[str, str, str]
"""What a check yields: mark, text and perhaps a hint; its topic is its name."""


def examine() -> Iterator[Finding]:
    here = (program, terminal, glyphs, settings, themes, skins, matches, kept, bots)
    for check in (*here, addresses, far_away, listening, discovery, sandbox):
        yield from checked(check)


def checked(check: Callable[[], Iterator[Told]]) -> Iterator[Finding]:
    """Yield the findings of a check, its warnings, and an error if it fails."""
    topic = check.__name__
    with warned.collected() as warnings:
        try:
            yield from (Finding(mark, topic, *told) for mark, *told in check())
        except KumiteError as error:
            yield Finding(BAD, topic, str(error), error.hint)
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            yield Finding(BAD, topic, f"{where}{reason(error)}")
        except Exception as error:  # a bug in one check must not stop the others
            yield Finding(BAD, topic, *crash.report(error).split("\n", 1))
    for said in warnings:
        yield Finding(NOTE, topic, said)


def print_findings(*, is_json: bool = False) -> bool:
    """Print the findings as they come, or all as JSON; return whether none is BAD."""
    found = []
    columns = get_terminal_size().columns if sys.stdout.isatty() else UNBROKEN
    for one in examine():
        found.append(one)
        if not is_json:
            say(*lines_of(one, columns))
    if is_json:
        say_json([asdict(one) for one in found])
    return all(one.mark != BAD for one in found)


def lines_of(one: Finding, columns: int) -> Iterator[str]:
    """Yield a finding as lines of at most `columns`, broken between words."""
    head = f"{one.mark:5} {one.topic:10} "
    for text in filter(None, (one.text, one.hint)):
        for part in wrap(text, max(LEAST, columns - len(head))):
            yield f"{head}{part}"
            head = " " * len(head)


# --- The checks -------------------------------------------------------------------------------


def program() -> Iterator[Told]:
    """Report versions, for bug reports."""

    def version(name: str) -> str:
        try:
            return metadata.version(name)
        except metadata.PackageNotFoundError:
            return "from a checkout"

    yield (
        OK,
        f"kumite {version('kumite')}, Python {platform.python_version()}, "
        f"Textual {version('textual')}, {platform.system()} {platform.machine()}",
    )


def terminal() -> Iterator[Told]:
    """Check the terminal's size and colours."""
    try:
        require_terminal()
    except NoTerminal as error:
        yield NOTE, str(error), error.hint
        return
    assert sys.__stderr__ is not None
    width, height = os.get_terminal_size(sys.__stderr__.fileno())
    name = os.environ.get("TERM", "unknown")
    said = f"{width}x{height}, TERM={name}, {_colours()}"
    if is_over_ssh():
        said += ", over ssh"
    larger = "make the window larger, or the letters smaller"
    if width < SMALLEST[0] or height < SMALLEST[1]:
        yield NOTE, said, f"kumite needs {SMALLEST[0]}x{SMALLEST[1]}: {larger}"
    elif width < STANDARD[0] or height < STANDARD[1]:
        need = f"replays and analyses need {STANDARD[0]}x{STANDARD[1]}"
        yield OK, said, f"{need}, all else fits: {larger} for these"
    else:
        yield OK, said


def _colours() -> str:
    if os.environ.get("NO_COLOR"):
        return "no colours (NO_COLOR is set)"
    is_full = osc.has_full_colour(os.environ.get("TERM", ""))
    found = "truecolor" if is_full else Console(stderr=True).color_system
    words = {"truecolor": "16 million colours", "256": "256 colours", "standard": "16 colours"}
    return words.get(found or "", "no colours")


def glyphs() -> Iterator[Told]:
    """Report the glyph set that boards are drawn with."""
    wanted = read().settings.glyphs
    chosen = looks.choose(wanted)
    encoding = getattr(sys.__stderr__, "encoding", None) or "unknown"
    text = f"{chosen.name} ({wanted}), encoding {encoding}"
    if wanted == "auto" and (hoped := looks.hoped()) is not None:
        text += f"; {hoped.name}, if the terminal shows them as wide as others do"
    if wanted != "auto" or chosen is not looks.ASCII or os.environ.get("TERM") == "linux":
        yield OK, text
        return
    yield NOTE, text, "more signs with a UTF-8 locale: LANG=C.UTF-8, say"


def settings() -> Iterator[Told]:
    """Check the settings, including the theme and skin that they name."""
    found, file = read(), path()
    for why in found.wrong:
        hint = "the next start sets it aside" if found.is_unreadable else "until then, the default"
        yield BAD, why, f"mend it: {hint}"
    name, skin = found.settings.theme, found.settings.skin
    colors.read(colors.DEFAULT if name == colors.AUTO else name)
    sprites.Skin(skin)
    where = str(file) if os.path.lexists(file) else f"none ({file} does not exist)"
    if not found.wrong:
        yield OK, f"{where}, theme {name}, skin {skin}"


def themes() -> Iterator[Told]:
    """Check all themes, and the key bindings in the settings."""
    wrong = [(BAD, why) for why in (*colors.wrong(), *key_map.wrong(read().settings.keys))]
    yield from wrong or [(OK, ", ".join(colors.names()))]


def skins() -> Iterator[Told]:
    """Check every file of the user's own skins."""
    names = sprites.names()
    wrong = [(BAD, str(one), one.hint) for name in names for one in sprites.usable(name)[1]]
    yield from wrong or [(OK, ", ".join(names), "")]


def matches() -> Iterator[Told]:
    """Check whether matches can be saved, and read all saved ones."""
    place = folder()
    there = next(one for one in (place, *place.parents) if os.path.lexists(one))
    try:
        with TemporaryFile(dir=there) as file:
            why_not = lock(file)
    except OSError as error:
        text = f"{there} cannot be written: {reason(error)}; no match can be saved"
        hint = "let it be written, or name another folder in KUMITE_LOGS"
        yield BAD, text, hint
        return
    if why_not:
        yield NOTE, no_locks(there, why_not)
    library = Library(place)
    library.read()
    yield OK, f"{len(library.all())} saved in {place}"
    for name, why in sorted(library.problems.items()):
        yield NOTE, f"{name}: {why}", f"`kumite log repair {place / name}` saves what is sound"


def kept() -> Iterator[Told]:
    """Check the other saved data, and the settings of a server for guests."""
    for load in (practice.load, own.read_all, tournament_files.known, partial(progress.done, "")):
        load()
    for _, error in tournament_files.hosted()[1]:
        yield NOTE, str(error), error.hint
    of_server.read(of_server.path(), {})
    yield OK, "puzzles, lessons and tournaments, and serve.toml, have been read"


def bots() -> Iterator[Told]:
    """Report whether bots run compiled; this affects only their speed."""
    off = kernels.why_not()
    why_not = off or kernels.load()
    if not why_not:
        by = f"numba {metadata.version('numba')}, in {kernels.folder()}"
        yield OK, f"Kitsu!, Kitsune, Kumo and Kuzushi are compiled by {by}"
    elif off:
        hint = f"Kitsu!, Kitsune, Kumo and Kuzushi think faster with numba: {kernels.EXTRA}"
        is_missing = off == kernels.MISSING
        yield OK, f"in plain Python: {off}", hint if is_missing else ""
    else:
        hint = f"all plays the same; {kernels.SWITCH}=off lets it be tried no more"
        yield NOTE, f"in plain Python: {why_not}", hint


def addresses() -> Iterator[Told]:
    """Report the addresses at which others can reach a table."""
    found, all_ = own_addresses(), here()
    vpns = {one.text: f" (VPN {one.interface})" for one in all_ if one.kind == VPN}
    if found == NOWHERE:
        hint = f"on this computer alone tables can be joined: kumite join {found[0]} CODE"
        yield NOTE, "not connected to a network", hint
        return
    yield OK, ", ".join(f"{one}{vpns.get(one, '')}" for one in found)
    inner = [one for one in all_ if one.kind == INNER and one.text not in found]
    if said := ", ".join(f"{one.text} ({one.interface})" for one in inner if "%" not in one.text):
        yield OK, f"not told to others, as it leads to containers: {said}"


def far_away() -> Iterator[Told]:
    """Report by which ways friends on other networks can join (`f` in the lobby)."""
    own, ssh = tailscale_address(), which("ssh")
    if own:
        yield OK, f"friends in your Tailscale network reach tables at {own}"
    if ssh:
        yield OK, "ssh can carry a table to a server; f in its lobby shows how"
    if not own and not ssh:
        yield NOTE, "no way to friends on other networks", "install ssh or Tailscale"


def listening() -> Iterator[Told]:
    """Check whether a table's port is free."""
    try:
        sockets.listening(None, PORT).close()
    except sockets.NetworkError as error:
        yield NOTE, str(error), error.hint
    else:
        yield OK, f"port {PORT} is free; a firewall must let others through to it"


def sandbox() -> Iterator[Told]:
    """Report the sandbox features that `kumite serve` can use on this system."""
    try:
        from kumite.serve import cgroups, process
    except ImportError:  # Windows has no `serve`
        return
    found = process.sandbox()
    held = (
        (found.calls, "system calls by a list"),
        (found.files, f"Landlock {found.files}"),
        (found.namespaces, "namespaces of their own"),
    )
    text = ", ".join(word for is_held, word in held if is_held) or "nothing"
    missing = " ".join(found.missing())
    yield NOTE if missing else OK, f"guests of `kumite serve`: {text}", missing
    if (made := cgroups.groups()) is not None:
        made.close()
        yield OK, "memory and processes are limited for each session (cgroup v2)"
    else:
        text = "memory is limited for each process of a guest, not for all of a session together"
        hint = "with Delegate=yes in a systemd unit it is: docs/serve.md"
        yield NOTE, text, hint


def discovery() -> Iterator[Told]:
    """Announce a service and check that it is found."""
    news: SimpleQueue[News] = SimpleQueue()
    finder = Finder(news.put, service=CHECK)
    announcer = Announcer(token_hex(8), Announced("doctor", "-", "-", 0, PORT), service=CHECK)
    by_hand = "join by address and code: kumite join HOST:PORT CODE"
    try:
        finder.start()
        start = perf_counter()
        announcer.start()
        news.get(timeout=PATIENCE)
    except Empty:
        yield BAD, f"our own announcement did not come back within {PATIENCE:.0f} s", by_hand
    else:
        yield OK, f"our own announcement was back after {perf_counter() - start:.2f} s (mDNS)"
    finally:
        announcer.close()
        finder.close()


@click.command()
@click.option("--json", "is_json", is_flag=True, help="Print the findings as JSON.")
@click.pass_context
def doctor(ctx: click.Context, is_json: bool) -> None:
    """Tell what this terminal and this network can do."""
    if not print_findings(is_json=is_json):
        ctx.exit(1)
