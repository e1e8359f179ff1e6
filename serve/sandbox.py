"""Restricts a guest's process before it becomes the app, and gives it its terminal.

Run it as a file, without imports of kumite: `sandbox.py JSON`. If the JSON has no command, it
prints which restrictions work on this system. They also hold in the app and in its bots' process.
Namespaces hide other processes and the network, Landlock restricts files, and seccomp all system
calls that are not on a list (seccomp.py). If a system lacks one of them, the others hold;
docs/serve.md describes what each guarantees.
"""

from __future__ import annotations

import ctypes
import fcntl
import json
import os
import resource
import signal
import struct
import sys
import termios
from collections.abc import Iterator
from contextlib import suppress

TYPE_CHECKING = False  # without `typing`, which would take half of the whole run time

CREATE, ADD, RESTRICT = 444, 445, 446  # Landlock's system calls, the same on all machines
ASK_VERSION = 1
BENEATH = 1  # a rule for a folder and everything below it
NO_NEW_PRIVILEGES = 38  # of prctl
EXECUTE, READ_FILE, READ_FOLDER = 1 << 0, 1 << 2, 1 << 3
WRITE_FILE, REMOVE_FOLDER, REMOVE_FILE = 1 << 1, 1 << 4, 1 << 5
MAKE_FOLDER, MAKE_FILE = 1 << 7, 1 << 8
REFER, TRUNCATE = 1 << 13, 1 << 14
RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15}  # number of rights by version
MOST_RIGHTS = 16
SCOPES = 6  # the version since which signals and abstract sockets can be restricted
READ = READ_FILE | READ_FOLDER
OWN = READ | WRITE_FILE | REMOVE_FOLDER | REMOVE_FILE | MAKE_FOLDER | MAKE_FILE | REFER | TRUNCATE
SYSTEM = (  # what Python reads of a system, without any user's files
    *("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/share/zoneinfo"),
    *("/etc/ld.so.cache", "/etc/localtime", "/etc/hosts", "/etc/resolv.conf", "/etc/nsswitch.conf"),
    *("/dev/null", "/dev/urandom"),
)
LOADERS = ("/lib64", "/lib", "/usr/lib64", "/usr/lib", "/lib/ld-musl-x86_64.so.1")
SET_FILTER, BY_FILTER = 22, 2  # of prctl: install a system call filter
DIE_WITH_PARENT = 1  # of prctl
SET_SECURITY, NO_ROOT = 28, 3  # of prctl: root's programs start without capabilities
KEYS = {"x86_64": 250, "aarch64": 219}  # keyctl
JOIN_KEYRING = 1  # a new one, without the keys of the server's session
NICE = 5
NEW_USERS, NEW_PROCESSES, NEW_NETWORK, NEW_IPC = 0x10000000, 0x20000000, 0x40000000, 0x08000000
WATCHED = (signal.SIGHUP, signal.SIGTERM)
NOBODY = 65534
TURNS = "KUMITE_GUEST_TURNS"  # as in store/guest_mode.py


def version() -> int:
    """Return the version of Landlock on this system; 0: none."""
    if not sys.platform.startswith("linux"):
        return 0
    call = ctypes.CDLL(None, use_errno=True).syscall
    return max(0, int(call(CREATE, None, ctypes.c_size_t(0), ctypes.c_uint32(ASK_VERSION))))


def loaders() -> Iterator[str]:
    """Yield the dynamic loaders, which need the right to execute as well as the program."""
    for folder in LOADERS:
        with suppress(OSError):
            for name in os.listdir(folder):
                if name.startswith("ld-"):
                    yield os.path.join(folder, name)


def shut(python: str, readable: list[str], own: str) -> None:
    """Let this process only read `readable`, write into its own folder, and run `python`."""
    found = version()
    if not found:
        return
    library = ctypes.CDLL(None, use_errno=True)
    handled = (1 << RIGHTS.get(found, MOST_RIGHTS)) - 1
    asked = struct.pack("QQQ", handled, 0, 3 if found >= SCOPES else 0)
    size = {1: 8, 2: 8, 3: 8, 4: 16, 5: 16}.get(found, 24)
    rules = library.syscall(CREATE, asked, ctypes.c_size_t(size), ctypes.c_uint32(0))
    if rules < 0:
        raise OSError(ctypes.get_errno(), "Landlock")
    allowed = [*((place, READ) for place in (*SYSTEM, *readable)), (own, OWN)]
    allowed += [(place, EXECUTE | READ_FILE) for place in (python, *loaders())]
    allowed += [("/dev/null", READ_FILE | WRITE_FILE)]
    for place, rights in allowed:
        with suppress(FileNotFoundError, NotADirectoryError):
            allow(library, rules, place, rights & handled)
    control(NO_NEW_PRIVILEGES, 1)
    if library.syscall(RESTRICT, rules, ctypes.c_uint32(0)):
        raise OSError(ctypes.get_errno(), "Landlock")
    os.close(rules)


def allow(library: ctypes.CDLL, rules: int, place: str, rights: int) -> None:
    """Add a rule for a path; a rule for a single file must have no rights on folders."""
    number = os.open(place, os.O_PATH | os.O_CLOEXEC)
    try:
        if not os.path.isdir(place):
            rights &= EXECUTE | READ_FILE | WRITE_FILE | TRUNCATE
        rule = struct.pack("=Qi", rights, number)
        if library.syscall(ADD, rules, BENEATH, rule, ctypes.c_uint32(0)):
            raise OSError(ctypes.get_errno(), f"Landlock: {place}")
    finally:
        os.close(number)


def separate() -> bool:
    """Enter new namespaces for users, processes, network and System V IPC; return success.

    The new network is empty; the server's broker replaces it (broker.py). A child is the first
    process of its namespace: it cannot name outside processes, and all others there end with it. A
    server run by root becomes nobody inside, without rights.
    """
    if not sys.platform.startswith("linux"):
        return False
    user, group = os.geteuid(), os.getegid()
    if ctypes.CDLL(None).unshare(NEW_USERS | NEW_NETWORK | NEW_PROCESSES | NEW_IPC):
        return False
    for file, said in (
        ("self/setgroups", "deny"),
        ("self/uid_map", f"{user or NOBODY} {user} 1"),
        ("self/gid_map", f"{group or NOBODY} {group} 1"),
    ):
        with suppress(OSError), open(f"/proc/{file}", "w", encoding="ascii") as written:
            written.write(said)
    return True


def watch(child: int) -> None:
    """Wait for the first process of our namespace and end as it does; pass on SIGHUP.

    SIGTERM kills it and everything that it has started.
    """
    signal.signal(signal.SIGHUP, lambda *_: os.kill(child, signal.SIGHUP))
    signal.signal(signal.SIGTERM, lambda *_: os.kill(child, signal.SIGKILL))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, WATCHED)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        with suppress(OSError):  # SIGKILL needs no handler
            signal.signal(os.WTERMSIG(status), signal.SIG_DFL)
        os.kill(os.getpid(), os.WTERMSIG(status))
    os._exit(os.waitstatus_to_exitcode(status))


def enter() -> None:
    """Continue in a child inside the new namespace, which the parent watches; it dies with it."""
    signal.pthread_sigmask(signal.SIG_BLOCK, WATCHED)
    if child := os.fork():
        watch(child)
    control(DIE_WITH_PARENT, signal.SIGKILL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, WATCHED)
    os.setsid()


def restrict(calls: str) -> bool:
    """Allow only the system calls that pass a filter from now on; return success."""
    packed = bytes.fromhex(calls)
    kept = ctypes.create_string_buffer(packed)
    told = struct.pack("HP", len(packed) // 8, ctypes.addressof(kept))
    control(NO_NEW_PRIVILEGES, 1)
    return bool(packed) and control(SET_FILTER, BY_FILTER, told)


def control(option: int, *arguments: object) -> bool:
    """Change an attribute of this process by Linux's prctl; return success."""
    if not sys.platform.startswith("linux"):
        return False
    return not ctypes.CDLL(None).prctl(option, *arguments, *(0,) * (4 - len(arguments)))


def wait_for_server(channel: int) -> None:
    """Report that we are here, and wait until the server has put us in a group."""
    os.write(channel, b"here")
    os.set_blocking(channel, True)
    if not os.read(channel, 32):
        sys.exit("the server is gone")
    os.set_blocking(channel, False)


def limit(what: str, most: int) -> None:
    """Limit a resource, unless the limit is lower already."""
    number = getattr(resource, f"RLIMIT_{what}", None)
    if number is None:
        return
    _, hard = resource.getrlimit(number)
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    with suppress(OSError, ValueError):  # macOS lists some that cannot be set
        resource.setrlimit(number, (most, most))


def main() -> None:
    """Run the command of the JSON argument with no more rights than it lists."""
    said = json.loads(sys.argv[1])
    control(DIE_WITH_PARENT, signal.SIGTERM)
    is_separate = separate()
    may_signal = is_separate or version() >= SCOPES  # no outside process can be reached
    if "command" not in said:
        found = {"files": version(), "namespaces": is_separate}
        print(json.dumps({**found, "calls": restrict(said["calls"][may_signal])}))
        return
    limits = said["limits"]
    if not is_separate:
        del limits["NPROC"]  # it would count all processes of the server's user
    for what, most in limits.items():
        limit(what, most)
    os.nice(NICE)
    if any(said["calls"]):  # an unknown machine has another number for this call
        ctypes.CDLL(None).syscall(KEYS[os.uname().machine], JOIN_KEYRING, None)
    wait_for_server(int(os.environ[TURNS]))
    if is_separate:
        enter()
    with suppress(OSError):
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    control(SET_SECURITY, NO_ROOT)
    shut(os.path.realpath(said["command"][0]), said["readable"], said["own"])
    restrict(said["calls"][may_signal])
    os.execv(said["command"][0], said["command"])


if __name__ == "__main__":
    main()
