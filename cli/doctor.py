"""`kumite doctor`: what this terminal and this network can do, and what to do where they cannot.

Every check tells one line. Nothing is changed, and nothing of ours is told to others but a short
announcement under a name that no table has.
"""

from __future__ import annotations

import os
import platform
import sys
from dataclasses import asdict, dataclass
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Final

from kumite.cli.saying import say, say_json
from kumite.core.errors import KumiteError

if TYPE_CHECKING:
    from collections.abc import Iterator

OK, NOTE, BAD = "ok", "note", "BAD"
CHECK: Final = "_kumite-check._tcp.local."  # announced and found by ourselves alone
UNBROKEN: Final = 10_000  # columns of a line that no terminal shows
LEAST: Final = 20  # columns of a text, however narrow the terminal is
PATIENCE: Final = 3.0  # s for our own announcement to come back


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check has found: `mark` is OK, NOTE (it works, but …) or BAD."""

    mark: str
    topic: str
    text: str
    hint: str = ""


def examine() -> Iterator[Finding]:
    """Check one thing after the other."""
    for check in (
        program,
        terminal,
        glyphs,
        settings,
        themes,
        skins,
        matches,
        bots,
        addresses,
        listening,
        discovery,
    ):
        topic = check.__name__
        try:
            yield from check(topic)
        except KumiteError as error:
            yield Finding(BAD, topic, str(error), error.hint)


def print_findings(*, is_json: bool = False) -> bool:
    """Print what is found as it is found, or all as JSON; return whether all is well."""
    found = []
    columns = get_terminal_size().columns if sys.stdout.isatty() else UNBROKEN
    for one in examine():
        found.append(one)
        if not is_json:
            say("\n".join(lines_of(one, columns)))
    if is_json:
        say_json([asdict(one) for one in found])
    return all(one.mark != BAD for one in found)


def lines_of(one: Finding, columns: int) -> Iterator[str]:
    """Yield what a check has found in lines of so many columns, which break between words."""
    from kumite.tui.scenes.lines import wrap

    head = f"{one.mark:5} {one.topic:10} "
    for text in filter(None, (one.text, one.hint)):
        for part in wrap(text, max(LEAST, columns - len(head))):
            yield f"{head}{part}"
            head = " " * len(head)


# --- The checks -------------------------------------------------------------------------------


def program(topic: str) -> Iterator[Finding]:
    """Tell versions, for a report of a mistake."""
    from importlib import metadata

    def version(name: str) -> str:
        try:
            return metadata.version(name)
        except metadata.PackageNotFoundError:
            return "from a checkout"

    yield Finding(
        OK,
        topic,
        f"kumite {version('kumite')}, Python {platform.python_version()}, "
        f"Textual {version('textual')}, {platform.system()} {platform.machine()}",
    )


def terminal(topic: str) -> Iterator[Finding]:
    """Tell what can be drawn here."""
    from kumite.cli.terminal import SMALLEST, NoTerminal, require

    try:
        require()
    except NoTerminal as error:
        yield Finding(NOTE, topic, str(error), error.hint)
        return
    assert sys.__stderr__ is not None
    width, height = os.get_terminal_size(sys.__stderr__.fileno())
    name = os.environ.get("TERM", "unknown")
    said = f"{width}x{height}, TERM={name}, {_colours()}"
    if os.environ.get("SSH_CONNECTION"):
        said += ", over ssh"
    if width < SMALLEST[0] or height < SMALLEST[1]:
        least = f"{SMALLEST[0]}x{SMALLEST[1]}"
        yield Finding(NOTE, topic, said, f"tables need {least}: make the window larger")
    else:
        yield Finding(OK, topic, said)


def _colours() -> str:
    from rich.console import Console

    if os.environ.get("NO_COLOR"):
        return "no colours (NO_COLOR is set)"
    found = Console(stderr=True).color_system
    words = {"truecolor": "16 million colours", "256": "256 colours", "standard": "16 colours"}
    return words.get(found or "", "no colours")


def glyphs(topic: str) -> Iterator[Finding]:
    """Tell which signs boards are drawn with."""
    from kumite.tui.look import glyphs
    from kumite.tui.settings import read

    wanted = read().settings.glyphs
    chosen = glyphs.choose(wanted)
    encoding = getattr(sys.__stderr__, "encoding", None) or "unknown"
    text = f"{chosen.name} ({wanted}), encoding {encoding}"
    if wanted == "auto" and (hoped := glyphs.hoped()) is not None:
        text += f"; {hoped.name}, if the terminal shows them as wide as others do"
    if wanted != "auto" or chosen is not glyphs.ASCII or os.environ.get("TERM") == "linux":
        yield Finding(OK, topic, text)
        return
    yield Finding(NOTE, topic, text, "more signs with a UTF-8 locale: LANG=C.UTF-8, say")


def settings(topic: str) -> Iterator[Finding]:
    """Read the settings; the theme and the skin that they name must be there."""
    from kumite.tui.look import colors
    from kumite.tui.look.sprites import Skin
    from kumite.tui.settings import path, read

    found, file = read(), path()
    for why in found.wrong:
        hint = "the next start sets it aside" if found.is_unreadable else "until then, the default"
        yield Finding(BAD, topic, why, f"mend it: {hint}")
    name, skin = found.settings.theme, found.settings.skin
    colors.read(colors.DEFAULT if name == colors.AUTO else name)
    Skin(skin)
    where = str(file) if file.is_file() else f"none ({file} does not exist)"
    if not found.wrong:
        yield Finding(OK, topic, f"{where}, theme {name}, skin {skin}")


def themes(topic: str) -> Iterator[Finding]:
    """Check every theme, and the keys that the settings change."""
    from kumite.tui.look import colors
    from kumite.tui.screens import key_map
    from kumite.tui.settings import read

    wrong = (*colors.wrong(), *key_map.wrong(read().settings.keys))
    for why in wrong:
        yield Finding(BAD, topic, why)
    if not wrong:
        yield Finding(OK, topic, ", ".join(colors.names()))


def skins(topic: str) -> Iterator[Finding]:
    """Read every file of the user's own skins."""
    from kumite.tui.look import sprites

    names = sprites.names()
    wrong = [one for name in names for one in sprites.usable(name)[1]]
    for one in wrong:
        yield Finding(BAD, topic, str(one), one.hint)
    if not wrong:
        yield Finding(OK, topic, ", ".join(names))


def matches(topic: str) -> Iterator[Finding]:
    """Look whether matches can be saved, and read all that are."""
    from kumite.store.library import Library
    from kumite.store.log_files import folder

    place = folder()
    there = next(one for one in (place, *place.parents) if one.exists())
    if not os.access(there, os.W_OK | os.X_OK):
        hint = "let it be written, or name another folder in KUMITE_LOGS"
        yield Finding(BAD, topic, f"{there} cannot be written: no match can be saved", hint)
        return
    library = Library(place)
    library.read()
    text = f"{len(library.all())} saved in {place}"
    yield Finding(OK, topic, text)
    for name, why in sorted(library.problems.items()):
        hint = f"`kumite log repair {place / name}` saves what is sound"
        yield Finding(NOTE, topic, f"{name}: {why}", hint)


def bots(topic: str) -> Iterator[Finding]:
    """Tell whether bots think compiled, which changes nothing but how soon."""
    from importlib.metadata import version

    from kumite.tui.bots import kernels

    off = kernels.why_not()
    why_not = off or kernels.load()
    if not why_not:
        by = f"numba {version('numba')}, in {kernels.folder()}"
        yield Finding(OK, topic, f"those of Kitsu!, Kitsune, Kumo and Kuzushi compiled by {by}")
    elif off:
        hint = (
            f"those of Kitsu!, Kitsune, Kumo and Kuzushi think faster with numba: {kernels.EXTRA}"
        )
        is_missing = off == kernels.MISSING
        yield Finding(OK, topic, f"in plain Python: {off}", hint if is_missing else "")
    else:
        hint = f"all plays the same; {kernels.SWITCH}=off lets it be tried no more"
        yield Finding(NOTE, topic, f"in plain Python: {why_not}", hint)


def addresses(topic: str) -> Iterator[Finding]:
    """Tell where others reach a table of ours."""
    from kumite.net.transport.addresses import own_addresses

    found = own_addresses()
    if found:
        yield Finding(OK, topic, ", ".join(found))
    else:
        yield Finding(NOTE, topic, "none but this computer's own", "is it in a network?")


def listening(topic: str) -> Iterator[Finding]:
    """Look whether a table can be opened."""
    from kumite.net.transport import sockets
    from kumite.net.transport.addresses import PORT

    try:
        sockets.listening(None, PORT).close()
    except sockets.NetworkError as error:
        yield Finding(NOTE, topic, str(error), error.hint)
    else:
        text = f"port {PORT} is free; a firewall must let others through to it"
        yield Finding(OK, topic, text)


def discovery(topic: str) -> Iterator[Finding]:
    """Announce something and find it again."""
    from queue import Empty, SimpleQueue
    from secrets import token_hex
    from time import perf_counter

    from kumite.net.transport.addresses import PORT
    from kumite.net.transport.discovery import Announced, Announcer, Finder, News

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
        text = f"our own announcement did not come back within {PATIENCE:.0f} s"
        yield Finding(BAD, topic, text, by_hand)
    else:
        took = perf_counter() - start
        yield Finding(OK, topic, f"our own announcement was back after {took:.2f} s (mDNS)")
    finally:
        announcer.close()
        finder.close()
