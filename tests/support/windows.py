"""A pytest plugin that takes away what Windows does not have: `-p tests.support.windows`.

Our code can import none of its modules and finds none of its signals and functions; the loop
refuses signal handlers, folders cannot be opened, and a file must be opened as binary. What Python,
Textual and the tests themselves need of this system stays.
"""

from __future__ import annotations

import asyncio
import builtins
import os
import signal
import sys
from typing import Any

MODULES = {"fcntl", "termios", "tty", "pty", "pwd", "grp", "resource", "readline"}
SIGNALS = ("SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2")
CALLS = ("killpg", "setsid", "sched_getaffinity", "mkfifo")
BINARY = 1 << 40  # stands for O_BINARY

_import, _open = builtins.__import__, os.open


def _import_there(name: str, globals_: Any = None, *args: Any, **more: Any) -> Any:
    if name in MODULES and (globals_ or {}).get("__name__", "").startswith("kumite"):
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    return _import(name, globals_, *args, **more)


def _open_there(path: Any, flags: int, *args: Any, **more: Any) -> int:
    if sys._getframe(1).f_globals.get("__name__", "").startswith("kumite"):
        assert flags & BINARY, f"{path} is opened as text"
        if os.path.isdir(path):
            raise PermissionError(13, "Windows opens no folders")
    return _open(path, flags & ~BINARY, *args, **more)


def _no_handler(self: object, *args: object) -> None:
    raise NotImplementedError


for _name in SIGNALS:
    vars(signal).pop(_name)
for _name in CALLS:
    vars(os).pop(_name)
vars(os)["O_BINARY"] = BINARY
vars(os)["open"] = _open_there
vars(builtins)["__import__"] = _import_there
setattr(asyncio.SelectorEventLoop, "add_signal_handler", _no_handler)  # noqa: B010
