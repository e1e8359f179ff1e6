"""A terminal may send anything: the app goes on, and the terminal is left as it was."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from kumite.store import log_files
from tests.support.terminal import Terminal
from tests.tui.terminal.test_decoding import BROKEN, PARTS

pytestmark = pytest.mark.slow


def environment(logs: Path) -> dict[str, str]:
    return {"KUMITE_LOGS": str(logs), "XDG_CONFIG_HOME": str(logs / "config")}


def test_a_match_goes_on_whatever_the_terminal_sends(tmp_path: Path) -> None:
    with Terminal("play", environment=environment(tmp_path)) as terminal:
        terminal.wait_for("cards", "leave")
        for data in BROKEN:
            terminal.send(data)
            terminal.settle(0.02)
        terminal.press(":", *"f7", "enter")
        terminal.wait_for("lays f7")
        terminal.press("ctrl+q")
        assert terminal.wait_exit() == 0
        assert b"Traceback" not in terminal.written
        assert b"\x1b[?1049l" in terminal.written
    (path,) = tmp_path.glob("*.kumite")
    assert log_files.load(path).match.number == 1


@pytest.mark.parametrize("command", [("play", "kitsune"), ()])
def test_random_bytes_never_end_the_app_with_a_traceback(
    tmp_path: Path, command: tuple[str, ...]
) -> None:
    rng = Random(str(command))
    parts = [part for part in PARTS if part not in (b"q", b"\r")]  # it shall not leave
    with Terminal(*command, environment=environment(tmp_path)) as terminal:
        terminal.wait_until(lambda: "?" in terminal.text)
        for _ in range(40):
            terminal.send(b"".join(rng.choices(parts, k=20)))
            terminal.settle(0.02)
        terminal.send(b"\x1b[201~")
        terminal.settle()
        terminal.press("ctrl+q")
        assert terminal.wait_exit() == 0
        assert b"Traceback" not in terminal.written
        assert b"\x1b[?1049l" in terminal.written
    for path in tmp_path.glob("*.kumite"):
        assert log_files.load(path).damage is None


def test_fast_resizes_leave_a_whole_screen(tmp_path: Path) -> None:
    rng = Random(1)
    with Terminal("play", "kumo", environment=environment(tmp_path)) as terminal:
        terminal.wait_for("leave")
        terminal.settle()
        before = terminal.shapes
        for _ in range(60):
            terminal.resize(rng.randint(1, 300), rng.randint(1, 100))
            terminal.read(rng.choice([0.0, 0.005, 0.03]))
        terminal.settle()
        terminal.resize(80, 24)
        assert terminal.wait_until(lambda: terminal.shapes == before), terminal.text
        terminal.press("ctrl+q")
        assert terminal.wait_exit() == 0
        assert b"Traceback" not in terminal.written
