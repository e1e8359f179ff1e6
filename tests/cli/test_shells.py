"""Completion in real shells: what a player types, one TAB, and what then stands there."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.places import ROOT

pty = pytest.importorskip("pty", reason="needs POSIX")

PLAY = "kumite play kuzushi"
TYPED = (
    (f"{PLAY} --seats ada,bot:m", f"{PLAY} --seats ada,bot:medium"),
    (f"{PLAY} --seats ada,bo", f"{PLAY} --seats ada,bot:"),  # and a list, or another TAB for it
    (f"{PLAY} --option board=s", f"{PLAY} --option board=small"),
    ("kumite --theme=d", "kumite --theme=dark"),
    ("kumite replay 2026", "my\\ matches/2026-01-01-000000-a.kumite"),
)
BEGIN = {
    "bash": (["--norc", "--noprofile", "-i"], 'eval "$(kumite completion bash)"'),
    "zsh": (["-f", "-i"], 'autoload -U compinit; compinit -u; eval "$(kumite completion zsh)"'),
}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put a command `kumite` on PATH, and a saved match into a folder with a space in its name."""
    program = tmp_path / "kumite"
    program.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m kumite "$@"\n')
    program.chmod(0o755)
    logs = tmp_path / "my matches"
    logs.mkdir()
    (logs / "2026-01-01-000000-a.kumite").write_text("")
    for name, value in {"HOME": tmp_path, "KUMITE_LOGS": logs, "TERM": "dumb"}.items():
        monkeypatch.setenv(name, str(value))
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    return tmp_path


def read_until(fd: int, wanted: str) -> str:
    """Return what the shell writes until `wanted` is among it, or 10 s have passed."""
    said, end = "", time.monotonic() + 10
    while wanted not in said and (left := end - time.monotonic()) > 0:
        if select.select([fd], [], [], left)[0]:
            said += os.read(fd, 4096).decode("utf-8", "replace")
            said = said.replace("\b", "").replace("\a", "")
    return said


@pytest.mark.parametrize("shell", ["bash", pytest.param("zsh", marks=pytest.mark.shells)])
def test_a_tab_completes(shell: str, home: Path) -> None:
    args, begin = BEGIN[shell]
    pid, fd = pty.fork()
    if pid == 0:
        os.chdir(home)
        os.execvp(shell, [shell, *args])
    try:
        os.write(fd, f"stty cols 400; PS1='> '; {begin}; echo rea''dy\n".encode())
        assert "ready" in read_until(fd, "ready")
        for typed, wanted in TYPED:
            os.write(fd, f"{typed}\t".encode())
            assert wanted in (said := read_until(fd, wanted)), said
            os.write(fd, b"\x15echo fur''ther\n")
            assert "further" in read_until(fd, "further")
    finally:
        os.close(fd)
        os.waitpid(pid, 0)


@pytest.mark.shells
def test_fish_completes(home: Path) -> None:
    lines = "; ".join(f'complete -C "{typed}"' for typed, _ in TYPED)
    done = subprocess.run(
        ["fish", "--no-config", "-c", f"kumite completion fish | source; {lines}"],
        capture_output=True, text=True, cwd=home, timeout=60, check=True,
    )  # fmt: skip
    found = set(done.stdout.splitlines())
    assert {"ada,bot:medium", "ada,bot:1", "board=small", "--theme=dark"} <= found
    assert f"{home}/my matches/2026-01-01-000000-a.kumite" in found
