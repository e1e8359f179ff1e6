"""Real processes in pseudo-terminals: a match over the LAN, other terminals, signals."""

from __future__ import annotations

import re
import signal
import sys
from random import Random
from typing import TYPE_CHECKING

import pytest

if sys.platform == "win32":
    pytest.skip("pseudo-terminals are a matter of POSIX", allow_module_level=True)

from core.game import Seat, Step
from core.games import GAMES
from net import store
from tests.player import Player
from tests.terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def environment(logs: Path, **more: str) -> dict[str, str]:
    return {"KUMITE_LOGS": str(logs), "XDG_CONFIG_HOME": str(logs / "none"), **more}


def from_first_step(path: Path) -> str:
    text = path.read_text()
    return text[text.index("\nstep 1 ") :]


def test_two_terminals_play_a_whole_match_over_the_lan(tmp_path: Path) -> None:
    logs = {"ada": tmp_path / "ada", "bob": tmp_path / "bob"}
    host = ("host", "kuzushi", "--option", "board=small", "--name", "ada", "--port", "0")
    with Terminal(*host, environment=environment(logs["ada"])) as ada:
        said = ada.wait_for("kumite join")
        found = re.search(r"kumite join \S+:(\d+)", said)
        assert found is not None
        join = ("join", f"127.0.0.1:{found[1]}", "--name", "bob")
        with Terminal(*join, environment=environment(logs["bob"])) as bob:
            terminals = {"ada": ada, "bob": bob}
            ada.wait_for("waiting for bob")
            for number in range(1, 30):
                mover = "bob" if number % 2 else "ada"
                terminals[mover].wait_for(f"{mover} to play", f"step {number}")
                terminals[mover].type("n", "enter")
                # Both show the step, whoever made it.
                for terminal in terminals.values():
                    wait_for_step(terminal, number + 1)
                if "The match is over" in ada.text:
                    break
            for terminal in terminals.values():
                terminal.wait_for("The match is over", " won")
            bob.type("q")
            ada.wait_for("bob has left")
            ada.type("q")
            for terminal in terminals.values():
                terminal.wait_for("New match")
                terminal.type("q")
                assert terminal.wait_exit() == 0
    (first,), (second,) = (list(folder.glob("*.kumite")) for folder in logs.values())
    assert from_first_step(first) == from_first_step(second)
    a, b = store.load(first), store.load(second)
    assert a.damage is None
    assert b.damage is None
    assert a.match.outcome is not None
    assert a.match.state == b.match.state
    assert a.match.number == number


def wait_for_step(terminal: Terminal, number: int) -> None:
    """Wait until the title shows that step, or that the match is over."""
    for _ in range(600):
        title = terminal.text.split("\n", 1)[0]
        if f"step {number} " in title or "is over" in title:
            return
        terminal.read(0.05)
    raise AssertionError(f"step {number} is not shown:\n{terminal.text}")


OTHERS: Mapping[str, tuple[dict[str, str], bool, str]] = {  # environment, only ASCII, colours
    "linux": ({"TERM": "linux"}, True, "16"),
    "no colour": ({"NO_COLOR": "1"}, False, "none"),
    "linux, no colour": ({"TERM": "linux", "NO_COLOR": "1"}, True, "none"),
    "C": ({"LANG": "C", "LC_ALL": "C"}, False, "256"),
    "no UTF-8": (
        {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
        True,
        "256",
    ),
    "true colour": ({"COLORTERM": "truecolor"}, False, "true"),
}
DEPTHS = {"none": set(), "16": {"16"}, "256": {"16", "256"}, "true": {"16", "256", "true"}}


def depths(written: bytes) -> set[str]:
    """Return which depths of colour the sequences in `written` use."""
    found = set()
    for said in re.findall(rb"\x1b\[([\d;]*)m", written):
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


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("kind", OTHERS)
def test_some_turns_in_other_terminals(tmp_path: Path, kind: str, game: str) -> None:
    more, is_ascii, colours = OTHERS[kind]
    with Terminal("play", game, environment=environment(tmp_path, **more)) as terminal:
        terminal.wait_for(" step ", "leave")
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


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_terminal_and_log_in_order(tmp_path: Path, sign: int) -> None:
    with Terminal("play", environment=environment(tmp_path)) as terminal:
        terminal.wait_for("hand", "leave")
        terminal.press("up", "enter")
        terminal.signal(sign)
        assert terminal.wait_exit() == 0
        assert b"\x1b[?1049l" in terminal.written  # back on the terminal's own screen
        assert b"\x1b[?25h" in terminal.written  # with its cursor
    (path,) = tmp_path.glob("*.kumite")
    log = store.load(path)
    assert log.damage is None
    assert log.match.number == 1


def test_a_closed_terminal_ends_the_program_and_keeps_the_log(tmp_path: Path) -> None:
    terminal = Terminal("play", environment=environment(tmp_path))
    terminal.wait_for("hand", "leave")
    terminal.press("up", "enter")
    pid = terminal.pid
    terminal.hang_up()
    assert terminal.pid == 0, f"process {pid} goes on without a terminal"
    (path,) = tmp_path.glob("*.kumite")
    assert store.load(path).match.number == 1


def test_kill_loses_no_finished_step_and_resume_goes_on(tmp_path: Path) -> None:
    with Terminal("play", environment=environment(tmp_path)) as terminal:
        terminal.wait_for("hand", "leave")
        terminal.press("up", "enter", "n", "enter")
        terminal.kill()
    (path,) = tmp_path.glob("*.kumite")
    steps = store.load(path).match.steps()
    assert [played.actor for played in steps] == [Seat(1), Seat(0)]
    assert steps[0].step == Step("f7")
    with Terminal("resume", environment=environment(tmp_path)) as terminal:
        terminal.wait_for("step 3", "player 2 to play")
        terminal.press("n", "enter")
        terminal.wait_for("step 4")
        terminal.press("q")
        terminal.wait_for("Go on: Kuzushi")
    assert store.load(path).match.number == 3


def test_suspending_draws_the_screen_again(tmp_path: Path) -> None:
    with Terminal("play", environment=environment(tmp_path)) as terminal:
        terminal.wait_for("hand", "leave")
        terminal.settle()
        before = terminal.text
        terminal.screen.reset()  # what a shell would have written meanwhile
        terminal.signal(signal.SIGCONT)
        terminal.press("ctrl+l")
        assert terminal.text == before


def test_the_first_table_imports_no_widget_that_it_does_not_show(tmp_path: Path) -> None:
    """Beside what a bare Textual app brings, and nothing that only other screens need."""
    code = """
import asyncio, sys
from textual.app import App
async def once(app):
    async with app.run_test(size=(80, 24)):
        pass
asyncio.run(once(App()))
bare = set(sys.modules)
sys.argv = ["kumite", "play"]
from tui import terminal
from tui.app import KumiteApp
terminal.require = lambda: None
KumiteApp.run = lambda self, **_: asyncio.run(once(self))
from tui.cli import main
main(standalone_mode=False)
more = set(sys.modules) - bare
heavy = [name for name in more if name.startswith("textual.widgets")]
heavy += [name for name in more if name in ("net.peer", "tui.screens.home", "tui.engine")]
heavy += [name for name in more if name.split(".")[0] in ("zeroconf", "nacl", "cryptography")]
print("heavy:", heavy)
"""
    with Terminal(command=("-c", code), environment=environment(tmp_path)) as terminal:
        terminal.wait_for("heavy: []")
