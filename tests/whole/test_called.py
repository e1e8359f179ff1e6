"""A terminal is really told when it is somebody's turn: the bytes, on a pseudo-terminal."""

from __future__ import annotations

import sys
import time

import pytest

if sys.platform == "win32":
    pytest.skip("pseudo-terminals are a matter of POSIX", allow_module_level=True)

from pathlib import Path

from kumite.tui.screens.shown_table import WAITED
from tests.support.terminal import Terminal

TURN = "\x1b]2;● your turn: Kuzushi\a".encode()
NOTICE = b"\x1b]9;Kuzushi: your turn\a\x1b]777;notify;Kuzushi;your turn\a"
ASKS_FOR_FOCUS, FOCUS_GONE = b"\x1b[?1004h", b"\x1b[O"
KEEPS_TITLE, GIVES_BACK_TITLE = b"\x1b[22;2t", b"\x1b[23;2t"


def bells(written: bytes) -> int:
    """Return how often it rang: a BEL also ends a title or a notice."""
    for order in written.split(b"\x1b]")[1:]:
        written = written.replace(b"\x1b]" + order.partition(b"\a")[0] + b"\a", b"")
    return written.count(b"\a")


def answered(terminal: Terminal, steps: int) -> None:
    """Wait until it is our turn again, so many steps later."""
    wait = f"step {steps + 1} ", "your turn"
    terminal.wait_for(*wait)
    terminal.settle()


def look_elsewhere(terminal: Terminal) -> None:
    """Make a step, and look at another window while the bot thinks; wait until it has answered."""
    terminal.press("n")
    terminal.type("enter")
    terminal.wait_for("is thinking")
    terminal.send(FOCUS_GONE)
    answered(terminal, 3)


def table(logs: Path, **settings: str) -> Terminal:
    """Return a terminal at a table where a bot begins."""
    config = logs / "config"
    (config / "kumite").mkdir(parents=True)
    lines = [f"{name} = {value}" for name, value in settings.items()]
    (config / "kumite" / "settings.toml").write_text("\n".join(lines) + "\n")
    environment = {"KUMITE_LOGS": str(logs), "XDG_CONFIG_HOME": str(config), "NO_MOTION": "1"}
    return Terminal("play", "kuzushi", "--seats", "ada,bot:simple", environment=environment)


def test_who_looks_elsewhere_is_told_by_title_bell_and_notice(tmp_path: Path) -> None:
    with table(tmp_path) as terminal:
        begun = time.monotonic()
        answered(terminal, 1)
        took = time.monotonic() - begun
        assert ASKS_FOR_FOCUS in terminal.written
        assert terminal.written.index(KEEPS_TITLE) < terminal.written.index(TURN)
        assert NOTICE not in terminal.written  # one looks at the screen
        assert bells(terminal.written) == 0 or took > WAITED  # on a very busy machine
        del terminal.written[:]
        look_elsewhere(terminal)
        assert b"\x1b]2;Kuzushi\a" in terminal.written  # while the bot thinks
        assert TURN in terminal.written
        assert terminal.written.count(NOTICE) == 1
        assert bells(terminal.written) == 1
        terminal.type("ctrl+q")
        terminal.wait_exit()
        assert GIVES_BACK_TITLE in terminal.written


@pytest.mark.parametrize("off", ["bell", "title", "notices"])
def test_each_is_switched_off_in_the_settings(tmp_path: Path, off: str) -> None:
    with table(tmp_path, **{off: "false"}) as terminal:
        answered(terminal, 1)
        look_elsewhere(terminal)
        assert (bells(terminal.written) > 0) == (off != "bell")
        assert (b"\x1b]2;" in terminal.written) == (off != "title")
        assert (NOTICE in terminal.written) == (off != "notices")


def test_bots_among_themselves_call_nobody(tmp_path: Path) -> None:
    environment = {"KUMITE_LOGS": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "none")}
    seats = "bot:simple,bot:simple"
    with Terminal("play", "kuzushi", "--seats", seats, environment=environment) as terminal:
        terminal.send(FOCUS_GONE)
        terminal.wait_for("step 5 ")
        assert bells(terminal.written) == 0
        assert b"your turn" not in terminal.written
        assert b"\x1b]9;" not in terminal.written
