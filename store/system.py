"""Everything that depends on the operating system: locks, private files, signals, children.

Windows lacks `fcntl`, SIGHUP and process groups, and opens files as text by default.
"""

from __future__ import annotations

import errno
import os
import signal
import stat
import struct
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import asyncio
    import subprocess

_ENDING: Final = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")  # where they exist
_BINARY: Final = getattr(os, "O_BINARY", 0)
_AT_ONCE: Final = getattr(os, "O_NONBLOCK", 0)
_HELD: Final = frozenset({errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES})
_CANNOT_SYNC: Final = frozenset({errno.EINVAL, errno.ENOTSUP, errno.ENOSYS})


def is_over_ssh() -> bool:
    return "SSH_CONNECTION" in os.environ or "SSH_CLIENT" in os.environ


def has_link(sock: int, interface: str) -> bool:
    """Return True if a network interface is up and has a link; `sock`: any socket's number.

    Checks only on Linux; other systems remove the addresses of an interface without a link.

    Raises:
        OSError: there is no such interface.
    """
    if sys.platform != "linux":
        return True
    import fcntl

    told = fcntl.ioctl(sock, 0x8913, struct.pack("40s", interface.encode()))  # SIOCGIFFLAGS
    flags: int = struct.unpack_from("H", told, 16)[0]
    return flags & 0x41 == 0x41  # IFF_UP and IFF_RUNNING


def lock(file: IO[Any]) -> str:
    """Lock a file against other programs until it is closed.

    Returns why that is impossible (NFS, some FUSE mounts), empty if it is locked. On Windows an
    open file is locked anyway.

    Raises:
        BlockingIOError: another program has locked it.
    """
    try:
        import fcntl
    except ImportError:
        return ""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in _HELD:
            raise BlockingIOError(*error.args) from error
        return error.strerror or str(error)
    return ""


def sync(file: IO[Any]) -> None:
    """Sync a file to disk, if its file system can; raise OSError if the disk fails."""
    try:
        os.fsync(file.fileno())
    except OSError as error:
        if error.errno not in _CANNOT_SYNC:
            raise


def open_to_read(path: Path) -> IO[bytes]:
    """Open a file of any kind without blocking."""
    return os.fdopen(os.open(path, os.O_RDONLY | _BINARY | _AT_ONCE), "rb")


def owner(path: Path) -> str:
    """Return the name of a file's owner; empty if it is us or unknown."""
    try:
        import pwd

        number = path.stat().st_uid
        return "" if number == os.geteuid() else pwd.getpwuid(number).pw_name
    except KeyError:
        return f"user {number}"
    except (ImportError, OSError):
        return ""


def open_own(path: Path) -> IO[bytes]:
    """Open a file to read and write, creating it for its owner alone."""
    return os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | _BINARY, 0o600), "r+b", buffering=0)


def create_own(path: Path) -> int:
    """Create a file for its owner alone; return its descriptor."""
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | _BINARY, 0o600)


def narrow(path: Path) -> None:
    """Remove the permissions of all but the owner of a file."""
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & ~0o700:
        with suppress(OSError):  # another owner, or a file system without owners
            path.chmod(mode & 0o700)


def own_folder(path: Path) -> None:
    """Create a folder that only its owner may enter; narrow an existing one.

    Leaves shared folders alone: the home folder or its parents, and folders where all may write.

    Raises:
        OSError: it cannot be created.
    """
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except FileExistsError:
        raise NotADirectoryError(errno.ENOTDIR, "it is not a folder", str(path)) from None
    place, home = path.resolve(), Path.home().resolve()
    is_shared = place == home or place in home.parents or place.stat().st_mode & stat.S_ISVTX
    if not is_shared:
        narrow(place)


def sync_folder(folder: Path) -> None:
    with suppress(OSError):  # Windows cannot open folders
        number = os.open(folder, os.O_RDONLY | _BINARY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


_heard: set[int] = set()  # the signals that have ended this program


def has_lost_terminal() -> bool:
    """Return True if the program ends because its ssh connection broke or its window closed."""
    return getattr(signal, "SIGHUP", None) in _heard  # Windows has none


def on_ending(
    loop: asyncio.AbstractEventLoop,
    end: Callable[[int], object],
    at_once: Callable[[int], object] = lambda _: None,
) -> None:
    """Call `end` in the loop with the number of a signal that ends the program.

    `at_once` is called first, immediately, and must not touch the loop. A loop's own signal
    handlers exist on few systems, and get signals through a pipe that calls from other threads fill
    as well: after some hundred of these a signal would be lost.
    """

    def heard(number: int, _: object) -> None:
        _heard.add(number)
        at_once(number)
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(end, number)

    _wake_by_signals(loop)
    for sign in _endings():
        signal.signal(sign, heard)


def _wake_by_signals(loop: asyncio.AbstractEventLoop) -> None:
    """Let every signal wake the loop, also those handled elsewhere (resize, suspend).

    A signal that arrives after Python has checked for signals but before the system call, or in
    another thread, would otherwise wait until something else wakes the loop, such as the next key.
    A loop that handles any signal itself is woken by all of them.
    """
    with suppress(AttributeError, NotImplementedError):  # Windows, which needs none of this
        loop.add_signal_handler(signal.SIGURG, lambda: None)
        # A full pipe wakes it as well; do not let Python warn about that on the terminal.
        signal.set_wakeup_fd(signal.set_wakeup_fd(-1), warn_on_full_buffer=False)


def end_at_once() -> None:
    """Restore the default signal handlers before the loop closes."""
    signal.set_wakeup_fd(-1)  # else Python would warn about the loop's closed pipe
    for sign in _endings():
        signal.signal(sign, signal.SIG_DFL)


def _endings() -> list[signal.Signals]:
    return [getattr(signal, name) for name in _ENDING if hasattr(signal, name)]


def set_terminal(number: int, attributes: list[Any]) -> None:
    """Set terminal modes from `termios.tcgetattr`, where termios exists."""
    try:
        import termios
    except ImportError:
        return
    try:
        termios.tcsetattr(number, termios.TCSANOW, attributes)
    except termios.error as error:
        raise OSError(*error.args) from error


def without_waiting(number: int) -> int | None:
    """Return a non-blocking descriptor of a terminal; None if there is none.

    It is opened separately: the shell shares the descriptor that is already open.
    """
    try:
        return os.open(os.ttyname(number), os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
    except OSError:  # not a terminal, or not permitted
        return None


def detached() -> dict[str, Any]:
    """Return the Popen arguments that shield a child from keys in our terminal."""
    if hasattr(os, "setsid"):
        return {"start_new_session": True}
    import subprocess

    return {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)}


def kill(child: subprocess.Popen[bytes]) -> None:
    """Kill a child started with `detached`, with its own children where possible."""
    if hasattr(os, "killpg"):
        os.killpg(child.pid, signal.SIGKILL)
    else:
        child.kill()


def cores() -> int:
    if hasattr(os, "sched_getaffinity"):  # not on macOS and Windows
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def columns() -> int:
    """Return the width of the terminal on standard output; 0 if that is no terminal."""
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns
    except (OSError, ValueError):
        return 0
