"""An evening on a server: guests by OpenSSH and by a browser or from the LAN, from deal to audit.

One guest is cut off and comes back; the server is closed in the middle and opened again.
"""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Final

import pytest

if sys.platform == "win32":
    pytest.skip("pseudo-terminals are a matter of POSIX", allow_module_level=True)

from collections.abc import Callable, Iterator, Sequence

from kumite.net.transport.addresses import own_addresses
from kumite.store import log_files
from tests.support.browser import browser
from tests.support.places import ROOT
from tests.support.player import has_ended
from tests.support.terminal import Terminal
from tests.support.waiting import looks, wait_for
from tests.support.web_guests import PageTerminal

if TYPE_CHECKING:
    AnyTerminal = Terminal | PageTerminal

pytestmark = [pytest.mark.long, pytest.mark.openssh]

SSH: Final = ("-c", "import os, sys; os.execvp('ssh', ['ssh', *sys.argv[1:]])")
HERE: Final = "127.0.0.1"
EVENING: Final = 900.0  # s; a minute on a machine that has nothing else to do
CODE: Final = r"\d+-[a-z]+-[a-z]+"
STEP: Final = re.compile(r"step (\d+)")
SAID: Final = "document.getElementById('why').textContent"


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind((HERE, 0))
        return int(sock.getsockname()[1])


class Opened:
    """A server in a process of its own, at the same port and with the same folder each time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port, self.web = (free_port() for _ in range(2))
        self._process: subprocess.Popen[bytes] | None = None

    def open(self) -> None:
        """Open it, and wait until guests can come."""
        told = self.folder / "told"
        doors = ("--ssh", f"{HERE}:{self.port}", "--web", f"{HERE}:{self.web}")
        place = (*doors, "--keep", str(self.folder / "server"))
        with open(told, "wb") as out:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "kumite", "serve", *place, "--tables", own_addresses()[0]],
                stdout=out, stderr=out, cwd=ROOT, env=self._environment("host"),
            )  # fmt: skip
        wait_for(lambda: b"Press ctrl+c to close" in told.read_bytes(), "the server")

    def close(self) -> None:
        if self._process is not None:
            self._process.send_signal(signal.SIGTERM)
            assert self._process.wait(60) == 0
            self._process = None

    def _environment(self, who: str) -> dict[str, str]:
        own = self.folder / who
        kinds = ("CONFIG", "DATA", "STATE")
        places = {f"XDG_{kind}_HOME": str(own / kind.lower()) for kind in kinds}
        return {**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(own), **places}

    def guest(self, name: str) -> Terminal:
        """Let somebody come in by `ssh` with a key of their own."""
        key = self.folder / f"key-{name}"
        if not key.exists():
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
        said = ("IdentitiesOnly=yes", "StrictHostKeyChecking=accept-new", "LogLevel=ERROR")
        given = [f"-o{one}" for one in (*said, f"UserKnownHostsFile={self.folder / 'known'}")]
        place = ("-F", "none", "-p", str(self.port), "-i", str(key), f"{name}@{HERE}")
        terminal = Terminal(*given, *place, command=SSH)
        terminal.wait_for("play here", "Enter choose")
        return terminal

    def neighbour(self, *args: str) -> Terminal:
        """Return a terminal of the LAN, which knows nothing of the server."""
        logs = {"KUMITE_LOGS": str(self.folder / "neighbour" / "matches")}
        return Terminal(*args, environment=self._environment("neighbour") | logs)


@contextmanager
def a_server(folder: Path) -> Iterator[Opened]:
    for who in ("host", "neighbour"):
        (folder / who).mkdir()
    opened = Opened(folder)
    opened.open()
    try:
        yield opened
    finally:
        opened.close()


class Neighbour:
    """Somebody at a terminal of the LAN, who types the code that the host has told."""

    def __init__(self, server: Opened, stack: ExitStack) -> None:
        self._server, self._stack = server, stack

    def join(self, code: str, _: str) -> AnyTerminal:
        self._terminal = self._server.neighbour("join", code, "--name", "eva")
        self._stack.enter_context(self._terminal)
        self._terminal.wait_for("At the table")
        return self._terminal

    def is_closed(self) -> None:
        """Be gone when the server closes."""
        self._terminal.kill()

    def come_again(self) -> AnyTerminal:
        """Go on with the match."""
        return self._stack.enter_context(self._server.neighbour("resume"))


class Visitor:
    """Somebody at a browser, who finds the table in the list."""

    def __init__(self, server: Opened, stack: ExitStack) -> None:
        self._site = f"http://{HERE}:{server.web}"
        self._page = PageTerminal(stack.enter_context(browser()))

    def join(self, code: str, whose: str) -> AnyTerminal:
        self._page.come(self._site, f"eva{token_hex(2)}")
        self._page.wait_for("play here", "Enter choose")
        join(self._page, whose, code)
        return self._page

    def is_closed(self) -> None:
        """Read on the page that the server has closed."""
        for _ in looks("the page to say that the server has closed"):
            if "has closed" in str(self._page.browser.run(SAID)):
                break
            self._page.read(0.1)

    def come_again(self) -> AnyTerminal:
        """Come in again by the page's button, and go on with the match."""
        self._page.type("enter")
        self._page.wait_for("c continue")
        self._page.press("c")
        return self._page


def title(terminal: AnyTerminal) -> str:
    return terminal.text.split("\n", 1)[0]


def select(terminal: AnyTerminal, said: str) -> None:
    """Go to the row of a list or form that says this."""
    row = re.compile(rf"^ *> .*{re.escape(said)}", re.MULTILINE)
    for _ in looks(f"a row of {said!r} on\n{terminal.text}"):
        if row.search(terminal.text):
            return
        terminal.press("down")


def put(terminal: AnyTerminal, row: str, value: str) -> None:
    """Give a row of a form a value."""
    select(terminal, row)
    for _ in looks(f"{row} to be {value}"):
        if f"< {value} >" in terminal.text:
            return
        terminal.press("right")


def open_with(terminal: AnyTerminal, key: str, said: str) -> None:
    """Open a screen from the home screen, which may just come and hear nothing yet."""
    for _ in looks(said):
        terminal.press(key)
        if terminal.wait_until(lambda: said in terminal.text, 10.0):
            return


def host(terminal: AnyTerminal, game: str, **rows: str) -> None:
    open_with(terminal, "h", "Open the table")
    put(terminal, "Game", game)
    for row, value in rows.items():
        put(terminal, row.replace("_", " "), value)
    for _ in looks("the first row"):
        if "Enter opens it" in terminal.text:
            break
        terminal.press("up")
    terminal.press("enter")
    terminal.wait_for("The others press j")


def join(terminal: AnyTerminal, whose: str, code: str) -> None:
    """Choose a table in the list, and give its code."""
    open_with(terminal, "j", "Tables open here")
    terminal.wait_for(whose)
    select(terminal, whose)
    terminal.press("enter")
    terminal.wait_for("Code:")
    terminal.type(code, "enter")
    terminal.wait_for("At the table")


def ready(terminal: AnyTerminal) -> None:
    terminal.wait_for("Enter: I am ready")
    terminal.press("enter")
    terminal.wait_for("You are ready")


def play(terminals: Sequence[AnyTerminal], is_enough: Callable[[], bool]) -> None:
    """Let everybody choose what comes first, until it is enough."""
    for _ in looks("the match to go on", EVENING):
        if is_enough():
            return
        for one in terminals:
            one.read(0.02)
            hint = one.text.split("\n")[-2].strip()
            if "Enter continues" in title(one) or hint.startswith("Enter"):
                one.type("enter")
            elif "your turn" in title(one):
                one.type("n")


def is_past(terminal: AnyTerminal, step: int) -> Callable[[], bool]:
    def passed() -> bool:
        found = STEP.search(title(terminal))
        return found is not None and int(found[1]) > step

    return passed


def are_over(terminals: Sequence[AnyTerminal]) -> Callable[[], bool]:
    return lambda: all(map(has_ended, terminals))


def number_of(terminal: AnyTerminal) -> int:
    found = STEP.search(title(terminal))
    assert found is not None, terminal.text
    return int(found[1])


def home(terminal: AnyTerminal) -> None:
    terminal.press("q")
    terminal.wait_for("play here", "Enter choose")


def check_logs(folder: Path, count: int) -> None:
    """All logs are sound, of matches that are over, and their audits have found fair play."""
    paths = sorted(folder.rglob("*.kumite"))
    assert len(paths) == count
    for path in paths:
        log = log_files.load(path)
        assert log.damage is None, path
        assert log.match.outcome is not None, path
        assert log.whole is not None, path  # there is `audit fair`, and what was opened fits


@pytest.mark.parametrize(
    "third", [Neighbour, pytest.param(Visitor, marks=pytest.mark.browser)], ids=["lan", "browser"]
)
def test_an_evening_with_a_cut_line_and_a_server_that_closes(
    third: type[Neighbour | Visitor], tmp_path: Path
) -> None:
    names = ada_, bob_ = f"ada{token_hex(2)}", f"bob{token_hex(2)}"
    with a_server(tmp_path) as server, ExitStack() as stack:
        ada, bob = (stack.enter_context(server.guest(name)) for name in names)
        host(ada, "Kitsu: Zenko & Yako", Players="4 players", Track="8 spaces")
        code = ada.find(CODE)[0]
        guest = third(server, stack)
        eva = guest.join(code, ada_)
        join(bob, ada_, code)
        ready(eva)
        ready(bob)
        ada.wait_for("start with bots at the free seats")
        ada.press("s")
        play((ada, bob, eva), is_past(ada, 30))

        bob.signal(signal.SIGKILL)
        ada.wait_for(f"Waiting for {bob_}")
        bob = stack.enter_context(server.guest(bob_))
        bob.wait_for("c continue")
        bob.press("c")
        bob.wait_for("Zenko & Yako", "step")
        play((ada, bob, eva), is_past(ada, number_of(ada) + 1))

        server.close()
        guest.is_closed()
        for one in (ada, bob):
            closes = one.wait_until(lambda one=one: b"The server closes now" in one.written)
            assert closes, bytes(one.written[-300:])
            one.wait_exit()
        server.open()
        ada, bob = (stack.enter_context(server.guest(name)) for name in names)
        for one in (ada, bob):
            one.wait_for("c continue")
            one.press("c")
        eva = guest.come_again()
        everybody = (ada, bob, eva)
        for one in everybody:
            one.wait_for("Zenko & Yako", "step")
        play(everybody, are_over(everybody))

        for one in (ada, bob):
            home(one)
        host(ada, "Kiri-ai: The Duel", Ends_after="20 rounds")
        join(bob, ada_, ada.find(CODE)[0])
        ready(bob)
        ada.wait_for("Enter: start")
        ada.press("s")
        play((ada, bob), are_over((ada, bob)))
        for one in (ada, bob):
            home(one)
            one.read(1.0)  # until then q is taken for one that is still held down
            one.press("q")
            one.wait_exit()
    check_logs(tmp_path, 5)
