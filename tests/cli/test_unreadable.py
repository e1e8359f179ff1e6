"""What cannot be read is not the same as nothing: each reader says what, and why.

A new reader of files or folders is a line of `FILES` or `FOLDERS`.
"""

from __future__ import annotations

import ctypes
import os
import re
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest

from kumite.core.errors import KumiteError
from kumite.core.game import Seat, Setup
from kumite.core.games import GAMES
from kumite.core.log import Header, log_text
from kumite.net.transport import tournament_files
from kumite.net.transport.journal import Journal
from kumite.net.transport.peer import MatchFiles
from kumite.serve import ssh
from kumite.serve.accounts import Accounts
from kumite.store import evaluations, practice, progress, warned, whole_files
from kumite.store.following import Followed
from kumite.store.library import Library
from kumite.store.log_files import LogFile
from kumite.tui import settings
from kumite.tui.look import colors, sprites
from kumite.tui.puzzles import own
from tests.support.commands import kumite
from tests.support.random_matches import walk

SETUP = Setup.of(GAMES["kuzushi"])
MATCH = "0123456789abcdef"
TABLE = f"{MATCH}-1.table"
LOG = log_text(
    Header(MATCH, SETUP, ("ada", "bob"), frozenset({Seat(0)}), extra=(f"table {TABLE}",)),
    walk(SETUP, 1, longest=4),
)
PATIENCE: Final = 20  # s; a reader that waits for a pipe would wait for ever
PYTHON: Final = re.compile(r"Traceback|\[Errno|codec can't|Error\(|has no attribute|NoneType")
LARGE: Final = 1 << 30  # bytes, none of them on the disk
VERSION: Final = 0x20080522  # of the kernel's interface
INTO_ALL: Final = 0b110  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH

A = "matches/a.kumite"
B = "matches/b.kumite"  # which is sound


def _beside(place: Path) -> object:
    files = MatchFiles(place.parent)
    files._journal = Journal.create(place.parent / "new.table")
    try:
        return files.load_place()
    finally:
        files.close()


def _accounts(place: Path) -> object:
    return Accounts(place.parent, 3)


Reader = str | Callable[[Path], object]  # a command, or a function of the path
LOGS = "matches"
OWN = "config/kumite"
OF_A_LOG = """
log list; log list --json; log check FILE; log show FILE; log show FILE --json; log analyse FILE
log review FILE; log proof FILE; log export FILE; log repair FILE; log compare B FILE
log merge FILE B; replay --text FILE; branch FILE --at 1; watch --text FILE; resume --plain FILE
puzzles make FILE; doctor
"""
# By name: where the file lies, and what reads it.
FILES: dict[str, tuple[str, Reader]] = {
    **{line: (A, line) for line in OF_A_LOG.strip().replace("\n", "; ").split("; ")},
    **{
        f"doctor: {place}": (place, "doctor")
        for place in (
            *(f"{LOGS}/lessons.json", f"{LOGS}/tournaments/a.tournament", f"{OWN}/settings.toml"),
            *(f"{OWN}/themes/my.toml", f"{OWN}/sprites/my/fox.txt", f"{OWN}/serve.toml"),
        )
    },
    "log import": ("data.json", "log import FILE"),
    "Followed": (A, Followed),
    "LogFile.reopen": (A, LogFile.reopen),
    "log check: the table": (f"{LOGS}/{TABLE}", f"log check {B}"),
    "log proof: the table": (f"{LOGS}/{TABLE}", f"log proof {B}"),
    "back at a LAN table": (f"{LOGS}/{TABLE}", Journal.open),
    "a new LAN table": (f"{LOGS}/{TABLE}", Journal.create),
    "where a table was": (f"{LOGS}/new.at", _beside),
    "the list's cache": (f"{LOGS}/index.json", lambda _: Library()),
    "values": (f"{LOGS}/values/{MATCH}.json", lambda _: evaluations.load(MATCH)),
    "puzzles solved": (f"{LOGS}/puzzles.json", lambda _: practice.load()),
    "record": (f"{LOGS}/puzzles.json", "record"),
    "own puzzles": (f"{LOGS}/puzzles.txt", lambda _: own.read_all()),
    "lessons done": (f"{LOGS}/lessons.json", lambda _: progress.done("kitsu")),
    "a player's tournament": (f"{LOGS}/tournaments/a.ticket", lambda _: tournament_files.known()),
    "tournament": (f"{LOGS}/tournaments/a.tournament", "tournament --plain --resume"),
    "settings": (f"{OWN}/settings.toml", lambda _: print(settings.load()[1])),
    "a theme": (f"{OWN}/themes/my.toml", lambda _: print(colors.read("my").wrong)),
    "a sprite": (f"{OWN}/sprites/my/fox.txt", lambda _: print(*sprites.usable("my")[1])),
    "serve --settings": ("server.toml", "serve --settings FILE"),
    "serve --keys": ("keys", "serve --ssh 0 --keys FILE"),
    "a server's ssh key": ("house/ssh_host_key", ssh.host_key),
    "a server's key": ("house/house.key", _accounts),
    "arena --results": ("old.arena", "arena kuzushi random random --results FILE"),
}
FOLDERS: dict[str, tuple[str, Reader]] = {
    **{
        line: (LOGS, line)
        for line in ("log list", "log list --json", "record", "resume", "doctor", "play --plain")
    },
    "Library": (LOGS, lambda _: Library()),
    "tournaments": (f"{LOGS}/tournaments", lambda _: tournament_files.hosted()),
    "tournaments of players": (f"{LOGS}/tournaments", lambda _: tournament_files.known()),
    "values": (f"{LOGS}/values", lambda _: evaluations.load(MATCH)),
    "themes": (f"{OWN}/themes", lambda _: colors.names()),
    "skins": (f"{OWN}/sprites", lambda _: sprites.names()),
    "a skin": (f"{OWN}/sprites/my", lambda _: print(*sprites.usable("my")[1])),
    "doctor: themes": (f"{OWN}/themes", "doctor"),
    "doctor: skins": (f"{OWN}/sprites", "doctor"),
    "a server's accounts": ("house", lambda place: Accounts(place, 3)),
}

FILE_FAULTS: dict[str, str] = {
    "folder": "a folder|a directory",
    "pipe": "a pipe|Not a directory",
    "socket": "a socket|Not a directory",
    "device": "a device|Not a directory",
    "large": "larger than",
    "shut": "Permission denied|not readable",
    "rubbish": "",
}
FOLDER_FAULTS: dict[str, str] = {
    "file": "not a folder|no folder|Not a directory|File exists",
    "pipe": "not a folder|no folder|Not a directory|File exists",
    "shut": "Permission denied",
}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for kind in ("config", "data", "state"):
        monkeypatch.setenv(f"XDG_{kind.upper()}_HOME", str(tmp_path / kind))
    monkeypatch.setenv("KUMITE_LOGS", str(tmp_path / "matches"))
    monkeypatch.setattr("kumite.cli.doctor.discovery", lambda: iter(()))
    monkeypatch.setattr("kumite.cli.doctor.discovery.__name__", "discovery", raising=False)
    monkeypatch.chdir(tmp_path)
    for folder in ("matches/values", "matches/tournaments", "config/kumite/themes",
                   "config/kumite/sprites/my", "house"):  # fmt: skip
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / B).write_text(LOG)
    return tmp_path


def spoil(place: Path, fault: str) -> None:
    """Put what cannot be read in a file's place."""
    match fault:
        case "folder":
            place.mkdir()
        case "pipe":
            whole_files.os.mkfifo(place)
        case "socket":
            with socket.socket(socket.AF_UNIX) as sock:
                sock.bind(place.name if place.parent == place.cwd() else _short(place))
        case "device":
            place.symlink_to("/dev/zero")
        case "large":
            with place.open("wb") as file:
                file.truncate(LARGE)
        case "shut":
            place.write_text("{}")
            place.chmod(0)
        case "rubbish":
            place.write_bytes(b"\xff\x00{[")


def _short(place: Path) -> str:
    """Return a path of a file that is not too long for a socket."""
    return whole_files.os.path.relpath(place)


@contextmanager
def limited() -> Iterator[None]:
    """Let nothing take longer than a while."""

    def late(*_: object) -> None:
        raise AssertionError("it waits, or reads without an end")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(PATIENCE)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def without_rights() -> Iterator[None]:
    """Let file modes hold for root as well meanwhile, in this thread."""
    if os.geteuid():
        yield
        return
    libc = ctypes.CDLL(None, use_errno=True)
    head = (ctypes.c_uint32 * 2)(VERSION, 0)
    rights = (ctypes.c_uint32 * 6)()  # effective, permitted, inheritable; twice 32 bits
    assert libc.capget(head, rights) == 0
    had = rights[0]
    rights[0] &= ~INTO_ALL
    assert libc.capset(head, rights) == 0
    try:
        yield
    finally:
        rights[0] = had
        assert libc.capset(head, rights) == 0


def told(reader: Reader, place: Path, capture: Any) -> str:
    """Return all that is said when something is read."""
    said = ""
    with limited(), without_rights():
        if isinstance(reader, str):
            there = {"FILE": str(place), "B": B}
            said = kumite(*(there.get(one, one) for one in reader.split()), status=None).output
            assert reader != "doctor" or "listening" in said, "it has not ended"
        else:
            try:
                made = reader(place)
            except (KumiteError, OSError) as error:
                name = getattr(error, "filename", None)
                said = f"{name}: {whole_files.reason(error)}" if name else str(error)
            else:
                if isinstance(made, Journal):
                    made.close()
    return said + capture.readouterr().out + "\n".join(warned.heard())


def check(said: str, place: Path, expected: str) -> None:
    assert not PYTHON.search(said), said
    assert place.name in said, said
    (line, *_) = [one for one in said.replace("\n  ", " ").splitlines() if place.name in one]
    assert re.search(expected, said), said
    assert len(line) > len(str(place.name))


@pytest.mark.skipif(not hasattr(signal, "alarm"), reason="no such faults there")
@pytest.mark.parametrize("fault", FILE_FAULTS)
@pytest.mark.parametrize("reader", FILES)
def test_a_file_that_cannot_be_read_is_named_with_the_reason(
    home: Path, reader: str, fault: str, capsys: pytest.CaptureFixture[str]
) -> None:
    where, read = FILES[reader]
    place = home / where
    place.parent.mkdir(parents=True, exist_ok=True)
    spoil(place, fault)
    check(told(read, place, capsys), place, FILE_FAULTS[fault])


@pytest.mark.skipif(not hasattr(signal, "alarm"), reason="no such faults there")
@pytest.mark.parametrize("fault", FOLDER_FAULTS)
@pytest.mark.parametrize("reader", FOLDERS)
def test_a_folder_that_cannot_be_read_is_no_empty_one(
    home: Path, reader: str, fault: str, capsys: pytest.CaptureFixture[str]
) -> None:
    where, read = FOLDERS[reader]
    place = home / where
    if fault == "shut":
        place.chmod(0)
    else:
        place.rename(home / "elsewhere")
        place.write_text("") if fault == "file" else whole_files.os.mkfifo(place)
    try:
        check(told(read, place, capsys), place, FOLDER_FAULTS[fault])
    finally:
        place.chmod(0o700)
