"""What differs from system to system: locks, files of one's own, signals, children. Nowhere else.

Windows has neither `fcntl` nor SIGHUP nor process groups, and opens files as text unless told.
"""

from __future__ import annotations

import os
import signal
import stat
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import asyncio
    import subprocess
    from collections.abc import Callable

_ENDING: Final = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")  # those that a system has
_BINARY: Final = getattr(os, "O_BINARY", 0)


def lock(file: IO[Any]) -> None:
    """Hold a file against other programs as long as it is open; where that cannot be, do nothing.

    Raises:
        OSError: another program holds it.
    """
    try:
        import fcntl
    except ImportError:
        return
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def open_own(path: Path) -> IO[bytes]:
    """Open a file to be read and written, which its owner alone may do; it need not be there.

    Raises:
        OSError: it cannot be opened.
    """
    return os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | _BINARY, 0o600), "r+b", buffering=0)


def create_own(path: Path) -> int:
    """Make a file that is not there yet, and that its owner alone may read; return its number.

    Raises:
        OSError: it cannot be made.
    """
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | _BINARY, 0o600)


def narrow(path: Path) -> None:
    """Let nobody but its owner read or write a file that was there already.

    Raises:
        OSError: it is not there.
    """
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & ~0o700:
        with suppress(OSError):  # somebody else's, or a disk that knows no owners
            path.chmod(mode & 0o700)


def own_folder(path: Path) -> None:
    """Make a folder that its owner alone may enter; one that is there already is narrowed.

    Not one that others use, too: the home folder or one above it, or one where all may write.

    Raises:
        OSError: it cannot be made.
    """
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    place, home = path.resolve(), Path.home().resolve()
    is_shared = place == home or place in home.parents or place.stat().st_mode & stat.S_ISVTX
    if not is_shared:
        narrow(place)


def sync_folder(folder: Path) -> None:
    """Bring the names in a folder to the disk, where a system can."""
    with suppress(OSError):  # Windows opens no folders
        number = os.open(folder, os.O_RDONLY | _BINARY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def on_ending(
    loop: asyncio.AbstractEventLoop,
    end: Callable[[int], object],
    at_once: Callable[[int], object] = lambda _: None,
) -> None:
    """Call `end` in the loop with the number of a signal that wants the program to end.

    `at_once` is called before, whatever the loop has still to do; it touches nothing of the loop's.

    A loop's own handlers exist on few systems, and are told of a signal through a pipe that other
    threads' calls fill as well: behind some hundred of these a signal would be lost.
    """

    def heard(number: int, _: object) -> None:
        at_once(number)
        with suppress(RuntimeError):  # the loop is closed: we end
            loop.call_soon_threadsafe(end, number)

    _wake_by_signals(loop)
    for sign in _endings():
        signal.signal(sign, heard)


def _wake_by_signals(loop: asyncio.AbstractEventLoop) -> None:
    """Let every signal wake the loop, also those that others handle: a new size, a suspend.

    One that comes after Python has looked for signals and before the system waits, or in another
    thread, is else heard when something else wakes the loop: on a screen that stands still, at the
    next key. A loop that handles any signal itself is woken by all of them.
    """
    with suppress(AttributeError, NotImplementedError):  # Windows, whose loop always is
        loop.add_signal_handler(signal.SIGURG, lambda: None)
        # A pipe that is full wakes it as well: Python would complain of that on the terminal.
        signal.set_wakeup_fd(signal.set_wakeup_fd(-1), warn_on_full_buffer=False)


def end_at_once() -> None:
    """Let those signals end the program at once again: all is done, and the loop is to close."""
    signal.set_wakeup_fd(-1)  # Python would complain of a loop's pipe that is closed
    for sign in _endings():
        signal.signal(sign, signal.SIG_DFL)


def _endings() -> list[signal.Signals]:
    return [getattr(signal, name) for name in _ENDING if hasattr(signal, name)]


def set_terminal(number: int, attributes: list[Any]) -> None:
    """Give a terminal the modes that `termios.tcgetattr` has told, where there is such a thing.

    Raises:
        OSError: it is gone.
    """
    try:
        import termios
    except ImportError:
        return
    try:
        termios.tcsetattr(number, termios.TCSANOW, attributes)
    except termios.error as error:
        raise OSError(*error.args) from error


def without_waiting(number: int) -> int | None:
    """Return a way to a terminal on which writing never waits; None if there is none.

    Of one that is open already nothing may be changed: the shell that started us has it, too.
    """
    try:
        return os.open(os.ttyname(number), os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
    except OSError:  # it is no terminal, or one that we may not open
        return None


def apart() -> dict[str, Any]:
    """Return how a child is started so that keys of our terminal are none of its business."""
    if hasattr(os, "setsid"):
        return {"start_new_session": True}
    import subprocess

    return {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)}


def kill(child: subprocess.Popen[bytes]) -> None:
    """End a child that was started `apart`, with all that it has started where a system can.

    Raises:
        OSError: it has ended already.
    """
    if hasattr(os, "killpg"):
        os.killpg(child.pid, signal.SIGKILL)
    else:
        child.kill()


def cores() -> int:
    """Return how many cores this program may use."""
    if hasattr(os, "sched_getaffinity"):  # not on macOS and Windows
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
