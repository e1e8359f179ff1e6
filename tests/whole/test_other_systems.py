"""Windows: what it lacks is named in one module, and matches are played without it."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.support.places import ROOT

ROOMS = ("core", "store", "net", "tui", "cli")
FILES = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]
KNOWS = {  # modules that know systems, and those that are for POSIX terminals alone
    "store/system.py",
    "tui/terminal/driver.py",
    "cli/bench/terminals.py",
}
MODULES = {"fcntl", "termios", "tty", "pty", "pwd", "grp", "resource", "msvcrt", "winreg"}
NAMES = {
    *("SIGHUP", "SIGQUIT", "SIGKILL", "SIGTSTP", "SIGCONT", "SIGWINCH", "SIGPIPE", "SIGUSR1"),
    *("add_signal_handler", "killpg", "fork", "setsid", "start_new_session", "preexec_fn"),
    *("sched_getaffinity", "geteuid", "getuid", "mkfifo", "O_NOFOLLOW", "O_DIRECTORY"),
}


def found_in(path: Path) -> Iterator[str]:
    """Yield what a module names that Windows does not have."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names):
                yield from (one.name for one in names if one.name in MODULES)
            case ast.ImportFrom(module=str(module)) if module in MODULES:
                yield module
            case ast.Attribute(attr=name) | ast.keyword(arg=str(name)) if name in NAMES:
                yield name
            case ast.Attribute(value=ast.Name("os"), attr="open"):
                yield "os.open"


def test_what_windows_lacks_is_named_in_few_modules() -> None:
    named = {str(path.relative_to(ROOT)): [*found_in(path)] for path in FILES}
    assert {path for path, names in named.items() if names} <= KNOWS, named


def test_what_windows_lacks_is_found() -> None:
    found = {*found_in(ROOT / "store" / "system.py")}
    assert {"fcntl", "killpg", "sched_getaffinity", "os.open"} <= found


PLAYED = (  # the logs, the app on a table and its settings, a LAN match, a bot in its process
    "tests/store/test_log_files.py",
    "tests/net/transport/test_peer.py::test_a_whole_match_leaves_two_sound_logs_that_are_equal_"
    "from_the_first_step",
    "tests/tui/screens/test_screens.py::test_settings_are_seen_at_once_and_kept",
    "tests/tui/screens/test_screens.py::test_keys_can_be_changed_in_the_settings",
    "tests/tui/bots/test_service.py::test_a_thought_is_interrupted_and_the_process_stays",
)
LOCKED = "one_program or could_do_harm"  # need locks, which Windows' files have of their own


def test_logs_the_app_and_a_lan_match_go_without_what_windows_lacks() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "tests.support.windows", "-p", "no:cacheprovider",
         "-k", f"not ({LOCKED})", *PLAYED],
        cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True,
        timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
