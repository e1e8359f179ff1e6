"""Real processes in pseudo-terminals: a match over the LAN, other terminals, signals."""

from __future__ import annotations

import os
import re
import signal
import sys
import termios
import time
from pathlib import Path
from random import Random

import pytest

if sys.platform == "win32":
    pytest.skip("pseudo-terminals are a matter of POSIX", allow_module_level=True)

from collections.abc import Mapping

from kumite.core.game import Seat, Step
from kumite.core.games import GAMES
from kumite.store import log_files
from kumite.tui.terminal import osc
from kumite.tui.terminal.app import ASKING
from tests.support.player import COVERED, DEAF, TURN, Player, has_ended
from tests.support.spread import spread
from tests.support.terminal import Terminal
from tests.support.waiting import looks

LATE = 2.0  # s by which a busy machine may be late


def environment(logs: Path, **more: str) -> dict[str, str]:
    return {"KUMITE_LOGS": str(logs), "XDG_CONFIG_HOME": str(logs / "none"), **more}


def steps_in(path: Path) -> list[str]:
    """Return the lines of a log from its first step on that tell the match itself."""
    lines = path.read_text().split("\n")
    return [
        line.rpartition(" ~")[0] for line in lines if line.startswith(("step ", "back ", "end "))
    ]


def invited(host: Terminal) -> tuple[str, str]:
    found = host.find(r"kumite join \S+:(\d+) (\d+-[a-z]+-[a-z]+)")
    return found[1], found[2]


def begin(host: Terminal, *guests: Terminal) -> None:
    """Let everybody be ready, and the match begin."""
    for guest in guests:
        guest.wait_for("Enter: I am ready")
        guest.type("enter")
    ready = re.compile(r"\bready\b(?! yet)")  # the host could start without who comes late
    assert host.wait_until(lambda: len(ready.findall(host.text)) > len(guests)), host.text
    host.wait_for("Enter: start")
    host.type("s")


@pytest.mark.slow
def test_two_terminals_play_a_whole_match_over_the_lan(tmp_path: Path) -> None:
    logs = {"ada": tmp_path / "ada", "bob": tmp_path / "bob"}
    host = ("host", "kuzushi", "--option", "board=small", "--name", "ada", "--port", "0")
    with Terminal(*host, "--unlisted", environment=environment(logs["ada"])) as ada:
        port, code = invited(ada)
        join = ("join", f"127.0.0.1:{port}", code, "--name", "bob")
        with Terminal(*join, environment=environment(logs["bob"])) as bob:
            begin(ada, bob)
            terminals = {"ada": ada, "bob": bob}
            ada.wait_for("waiting for bob")
            for number in range(1, 30):
                mover = "bob" if number % 2 else "ada"
                terminals[mover].wait_for("your turn", f"step {number}")
                terminals[mover].type("n", "enter")
                # Both show the step, whoever made it.
                for terminal in terminals.values():
                    wait_for_step(terminal, number + 1)
                    terminal.settle()  # a picture may come in pieces
                if has_ended(ada):
                    break
            for terminal in terminals.values():
                assert terminal.wait_until(lambda one=terminal: has_ended(one)), terminal.text
                terminal.wait_for("rematch")
                terminal.type("v")  # on the card the winner stands in large letters
                terminal.wait_for(" won")
            bob.type("q")
            ada.wait_for("bob left")
            ada.type("q")
            for terminal in terminals.values():
                assert terminal.wait_exit() == 0
    (first,), (second,) = (list(folder.glob("*.kumite")) for folder in logs.values())
    assert steps_in(first) == steps_in(second)
    a, b = log_files.load(first), log_files.load(second)
    assert a.damage is None
    assert b.damage is None
    assert a.match.outcome is not None
    assert a.match.state == b.match.state
    assert a.match.number == number


@pytest.mark.slow
def test_a_table_is_found_on_the_lan_and_idle_it_writes_nothing(tmp_path: Path) -> None:
    name = f"ada{os.getpid()}"
    host = ("host", "kuzushi", "--name", name, "--port", "0", "--clock", "10+5")
    with (
        Terminal("join", "--name", "bob", environment=environment(tmp_path / "bob")) as bob,
        Terminal(*host, environment=environment(tmp_path / "ada")) as ada,
    ):
        _, code = invited(ada)
        bob.wait_for(f" {name}  ", "1 free")
        for _ in range(20):  # other tables may be open on this LAN
            if f"> {name}  " in bob.text:
                break
            bob.press("down")
        bob.type("enter")
        bob.wait_for("Code:")
        bob.type(code, "enter")
        begin(ada, bob)
        ada.wait_for("waiting for bob", "bob 9:5")
        ada.settle()
        end, written = time.monotonic() + 3.0, []
        while (left := end - time.monotonic()) > 0:
            written += [count] if (count := ada.read(left)) else []
        assert len(written) <= 4  # a running clock: once a second
        assert sum(written) <= 200
        bob.type("g", "down", "enter")
        ada.wait_for("ob gave up")  # in the log, or, with a capital, on the card of the end
        ada.settle()
        assert ada.read(2.0) == 0  # an idle table: nothing


@pytest.mark.slow
def test_three_terminals_one_killed_and_back_play_kitsune(tmp_path: Path) -> None:
    folders = {name: tmp_path / name for name in ("ada", "bob", "cid")}
    host = ("host", "kitsune", "--seats", "4", "--mine", "1", "--name", "ada", "--port", "0")
    with Terminal(*host, "--unlisted", environment=environment(folders["ada"])) as ada:
        port, code = invited(ada)
        join = ("join", f"127.0.0.1:{port}", code, "--name")
        bob = Terminal(*join, "bob", environment=environment(folders["bob"]))
        cid = Terminal(*join, "cid", "--mine", "3,4", environment=environment(folders["cid"]))
        with bob, cid:
            begin(ada, bob, cid)
            for terminal in (ada, bob, cid):
                terminal.wait_for("Zenko & Yako")
            play_on([ada, bob, cid], 4)
            bob.kill()
            ada.wait_for("bob away")
            with Terminal("resume", environment=environment(folders["bob"])) as again:
                assert ada.wait_until(lambda: "bob away" not in ada.text), ada.text
                play_on([ada, again, cid], 4)
    logs = [log_files.load(path) for folder in folders.values() for path in folder.glob("*.kumite")]
    assert len(logs) == 3
    assert all(log.damage is None for log in logs)
    numbers = [log.match.number for log in logs]
    assert min(numbers) > 4
    assert len({log.match.back(min(numbers)).digest for log in logs}) == 1


def play_on(terminals: list[Terminal], choices: int) -> None:
    """Let whoever is to play make a choice, until so many are made."""
    made = 0
    for _ in looks(f"{choices} choices"):
        if made >= choices:
            return
        for terminal in terminals:
            terminal.settle()
            title = terminal.text.split("\n", 1)[0]
            if found := COVERED.search(terminal.text):
                time.sleep(2 * DEAF)
                terminal.press(found[1])
            elif "Enter: go on" in terminal.text:
                terminal.press("enter")
            elif TURN.search(title):
                terminal.press("n", "enter")
                made += terminal.text.split("\n", 1)[0] != title


def wait_for_step(terminal: Terminal, number: int) -> None:
    """Wait until the title shows that step, or that the match is over."""

    def is_shown() -> bool:
        title = terminal.text.split("\n", 1)[0]
        return f"step {number} " in title or has_ended(terminal)

    assert terminal.wait_until(is_shown), f"step {number} is not shown:\n{terminal.text}"


OTHERS: Mapping[str, tuple[dict[str, str], bool, str]] = {  # environment, only ASCII, colours
    "linux": ({"TERM": "linux"}, True, "16"),
    "no colour": ({"NO_COLOR": "1"}, False, "none"),
    "linux, no colour": ({"TERM": "linux", "NO_COLOR": "1"}, True, "none"),
    "C": ({"LANG": "C", "LC_ALL": "C"}, False, "256"),
    "no UTF-8": ({"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}, True, "256"),
    "true colour": ({"COLORTERM": "truecolor"}, False, "true"),
}
DEPTHS = {"none": set(), "16": {"16"}, "256": {"16", "256"}, "true": {"16", "256", "true"}}


def depths(written: bytes) -> set[str]:
    """Return which depths of colour the sequences in `written` use."""
    found, question = set(), osc.ASK_DEPTH.encode()
    for said in re.findall(rb"\x1b\[([\d;]*)m", written.replace(question, b"")):
        codes = iter(said.decode().split(";"))
        for code in codes:
            if code in ("38", "48"):
                kind = next(codes)
                found.add("256" if kind == "5" else "true")
                for _ in range(1 if kind == "5" else 3):
                    next(codes)
            elif code and (30 <= int(code) <= 47 or 90 <= int(code) <= 107):
                found.add("16")
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "game"), spread(OTHERS, [*GAMES]))
def test_some_turns_in_other_terminals(tmp_path: Path, kind: str, game: str) -> None:
    more, is_ascii, colours = OTHERS[kind]
    with Terminal("play", game, environment=environment(tmp_path, **more)) as terminal:
        terminal.wait_for("rules, help", "leave")
        terminal.settle()
        player = Player(terminal, Random(f"{kind} {game}"))
        first = player.number
        player.play(lambda: player.number >= first + 3)
        shown, written = terminal.text, bytes(terminal.written)
    assert shown.isascii() == is_ascii, shown
    assert written.isascii() == is_ascii
    assert b"\\u" not in written
    assert "\ufffd" not in shown
    assert depths(written) <= DEPTHS[colours]
    assert bool(depths(written)) == (colours != "none")


@pytest.mark.parametrize(
    ("term", "answer", "colours"),
    [
        ("xterm-256color", "\x1bP1$r0;8;48:2::1:2:3m\x1b\\\x1bP0+r\x1b\\", {"true"}),
        ("xterm-256color", "\x1bP0$r\x1b\\\x1bP1+r524742=38\x1b\\", {"true"}),
        ("xterm-256color", "\x1bP1$r0;8;48:5:16m\x1b\\\x1bP0+r\x1b\\", set()),
        ("screen-256color", "", set()),  # would ask the terminal that it runs in
        ("alacritty", "", {"true"}),  # is known
    ],
)
def test_a_terminal_is_asked_for_full_colour(
    tmp_path: Path, term: str, answer: str, colours: set[str]
) -> None:
    with Terminal("play", environment=environment(tmp_path, TERM=term)) as terminal:
        terminal.wait_for("cards", "leave")
        terminal.settle(5 * ASKING)
        assert (osc.ASK_DEPTH.encode() in terminal.written) == bool(answer)
        words = re.findall(r"\w+", terminal.text)  # blocks have other colours, and so other shapes
        terminal.type(answer)
        terminal.settle(5 * ASKING)
        assert re.findall(r"\w+", terminal.text) == words
        terminal.press("enter")
        assert depths(terminal.written) & {"true"} == colours


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_terminal_and_log_in_order(tmp_path: Path, sign: int) -> None:
    with Terminal("play", environment=environment(tmp_path)) as terminal:
        terminal.wait_for("cards", "leave")
        terminal.press("enter")
        start = time.monotonic()
        terminal.signal(sign)
        assert terminal.wait_exit() == 128 + sign
        assert time.monotonic() - start < 1.0 + LATE
        assert b"\x1b[?1049l" in terminal.written  # back on the terminal's own screen
        assert b"\x1b[?25h" in terminal.written  # with its cursor
    (path,) = tmp_path.glob("*.kumite")
    log = log_files.load(path)
    assert log.damage is None
    assert log.match.number == 1


HANGS = """
import sys, time
from kumite.tui import app
from kumite.tui.terminal import driver
def hang(self, sign):
    self._driver.write("x" * {last})
    time.sleep(3600)
app.KumiteApp._end = app.KumiteApp.exit = hang
app.STUCK = {patience}
driver.FULL = 60.0  # as long as a busy machine may take to read on
sys.argv = ["kumite", "play"]
from kumite.cli.main import main
main()
"""


@pytest.mark.slow
@pytest.mark.parametrize(("last", "patience"), [(0, 1.0), (1_000_000, 0.5)])
def test_a_program_that_hangs_when_a_signal_ends_it_leaves_the_terminal_in_order(
    tmp_path: Path, last: int, patience: float
) -> None:
    """Then it ends without the app, also over a full line, and the terminal is put right."""
    command = ("-c", HANGS.format(last=last, patience=patience))
    with Terminal(command=command, environment=environment(tmp_path)) as terminal:
        terminal.wait_for("cards", "leave")
        before = len(terminal.written)
        terminal.signal(signal.SIGTERM)
        time.sleep(2 * patience if last else 0)  # nobody reads: the line fills up
        assert terminal.wait_exit() == 128 + signal.SIGTERM
        terminal.settle()
        written = bytes(terminal.written[before:])
        modes = termios.tcgetattr(terminal.fileno)[3]
    for off in (b"?1049l", b"?1003l", b"?1000l", b"?2004l", b"?1004l", b"?25h"):
        assert b"\x1b[" + off in written, off
    assert modes & termios.ECHO
    assert modes & termios.ICANON


def test_a_closed_terminal_ends_the_program_and_keeps_the_log(tmp_path: Path) -> None:
    terminal = Terminal("play", environment=environment(tmp_path))
    terminal.wait_for("cards", "leave")
    terminal.press("enter")
    pid = terminal.pid
    terminal.hang_up()
    assert terminal.pid == 0, f"process {pid} goes on without a terminal"
    (path,) = tmp_path.glob("*.kumite")
    assert log_files.load(path).match.number == 1


def test_kill_loses_no_finished_step_and_resume_goes_on(tmp_path: Path) -> None:
    with Terminal("play", environment=environment(tmp_path)) as terminal:
        terminal.wait_for("cards", "leave")
        terminal.press("enter", "n", "enter")
        terminal.kill()
    (path,) = tmp_path.glob("*.kumite")
    steps = log_files.load(path).match.steps()
    assert [played.actor for played in steps] == [Seat(1), Seat(0)]
    assert steps[0].step == Step("f7")
    with Terminal("resume", environment=environment(tmp_path)) as terminal:
        terminal.wait_for("step 3", "player 2's turn")
        terminal.press("n", "enter")
        terminal.wait_for("step 4")
        terminal.press("q")
        assert terminal.wait_exit() == 0
    assert log_files.load(path).match.number == 3


def test_ctrl_z_suspends_and_comes_back(tmp_path: Path) -> None:
    with Terminal("play", environment=environment(tmp_path)) as terminal:
        terminal.wait_for("cards", "leave")
        terminal.settle()
        before, first = terminal.shapes, len(terminal.written)
        for _ in range(2):
            terminal.type("\x1a")
            assert terminal.wait_until(terminal.has_stopped)
            terminal.settle()
            assert b"\x1b[?1049l" in terminal.written[first:]  # the shell has its screen
            terminal.screen.reset()
            first = len(terminal.written)
            terminal.signal(signal.SIGCONT)
            assert terminal.wait_until(lambda: terminal.shapes == before), terminal.text
            assert b"\x1b[?1049h" in terminal.written[first:]
        terminal.press(":", *"f7", "enter")
        terminal.wait_for("lays f7")
        terminal.press("ctrl+q")
        assert terminal.wait_exit() == 0


CRASH = """
import sys
from kumite.tui.play.local_table import LocalTable
usual = LocalTable.do
def do(self, event):
    if self.match.number:
        raise RuntimeError("the roof\\x1b[31m fell in")
    usual(self, event)
LocalTable.do = do
sys.argv = ["kumite", "play"]
from kumite.cli.main import main
main()
"""


def test_a_crash_is_told_in_one_screen_with_what_is_saved_and_status_1(tmp_path: Path) -> None:
    where = environment(tmp_path, XDG_STATE_HOME=str(tmp_path))
    with Terminal(command=("-c", CRASH), environment=where) as terminal:
        terminal.wait_for("cards", "leave")
        terminal.press(":", *"f7", "enter")
        terminal.wait_for("lays f7")
        terminal.press("enter")
        assert terminal.wait_exit() == 1
        terminal.settle()
        assert b"\x1b[?1049l" in terminal.written
        shown = " ".join(terminal.written.rpartition(b"\x1b[?1049l")[2].decode().split())
    (log,), (kept,) = tmp_path.glob("*.kumite"), tmp_path.glob("kumite/crash-*.txt")
    assert "kumite has made a mistake and ended: RuntimeError: the roof" in shown
    assert "kumite resume" in shown
    assert log.name in shown.replace(" ", "")
    assert kept.name in shown.replace(" ", "")
    assert "\x1b[31m" not in shown
    assert len(shown) < 1000
    assert "line 7, in do" in kept.read_text()
    found = log_files.load(log)
    assert found.damage is None
    assert found.match.number == 1


ELSEWHERE = {  # what only other screens need
    "play": "net.transport.peer net.session.events net.replica.ledger net.wire.posts"
    " net.crypto.mental_poker tui.screens.home cli.engine",
    "": "net core.games.kitsu.rules core.bots tui.screens.setup tui.screens.table"
    " tui.screens.joining tui.widgets.form tui.games.kitsu.scene cli.engine",
}


@pytest.mark.parametrize("command", ELSEWHERE, ids=["table", "home"])
def test_the_first_screen_imports_nothing_that_it_does_not_show(
    tmp_path: Path, command: str
) -> None:
    """Beside what a bare Textual app brings, and nothing that only other screens need."""
    code = """
import asyncio, sys
from textual.app import App
async def once(app):
    async with app.run_test(size=(80, 24)):
        pass
asyncio.run(once(App()))
bare = set(sys.modules)
sys.argv = ["kumite", *sys.argv[1:]]
from kumite.cli import app_start
from kumite.tui.app import KumiteApp
app_start.require_terminal = lambda: None
KumiteApp.run = lambda self, **_: asyncio.run(once(self))
from kumite.cli.main import main
main(standalone_mode=False)
more = set(sys.modules) - bare
heavy = [name for name in more if name.startswith("textual.widgets")]
heavy += [name for name in more if name.removeprefix("kumite.") in OTHERS]
heavy += [name for name in more if name.split(".")[0] in ("zeroconf", "nacl", "cryptography")]
print("heavy:", heavy)
"""
    code = code.replace("OTHERS", repr(ELSEWHERE[command].split()))
    args = command.split()
    with Terminal(*args, command=("-c", code), environment=environment(tmp_path)) as terminal:
        terminal.wait_for("heavy: []")


def test_a_stop_that_comes_from_elsewhere_leaves_one_reader_and_the_old_terminal(
    tmp_path: Path,
) -> None:
    """`kill -STOP` and `fg`: what stops without our help, and a SIGCONT to who never stopped."""
    with Terminal("play", environment=environment(tmp_path)) as terminal:
        old = termios.tcgetattr(terminal.fileno)
        terminal.wait_for("cards", "leave")
        terminal.settle()
        for sign in (signal.SIGSTOP, signal.SIGCONT, signal.SIGCONT):
            terminal.signal(sign)
            terminal.settle(0.3)
        assert len(list(Path(f"/proc/{terminal.pid}/task").iterdir())) == 3, "loop, input, output"
        terminal.press(":", *"f7", "enter")
        terminal.wait_for("lays f7")
        terminal.press("ctrl+q")
        assert terminal.wait_exit() == 0
        assert termios.tcgetattr(terminal.fileno) == old


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 36)])
def test_the_real_cursor_stands_where_text_is_typed(size: tuple[int, int], tmp_path: Path) -> None:
    """A hidden one, too: there an input method shows what it composes."""

    def before_cursor(terminal: Terminal) -> str:
        cursor = terminal.screen.cursor
        return terminal.screen.display[cursor.y][: cursor.x]

    people = ("play", "kuzushi", "--seats", "ada,bob")
    with Terminal(*people, size=size, environment=environment(tmp_path)) as terminal:
        terminal.wait_for("rules, help", "leave")
        terminal.press(":", *"e4x")
        assert before_cursor(terminal).endswith("Step: e4x")
        terminal.press("left")
        assert before_cursor(terminal).endswith("Step: e4")
    with Terminal(size=size, environment=environment(tmp_path / "first")) as terminal:
        terminal.wait_for("Your name")
        terminal.press(*"xy")
        assert before_cursor(terminal).endswith("xy")
