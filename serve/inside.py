"""What a guest's process does before it becomes the app: takes its terminal, gives up all else.

Run as a file, with nothing of ours imported: `inside.py JSON`, or `inside.py trial`, which tells by
its end whether a process can be without a network here. What it gives up here stays given up in the
app, and in the process of the bots that the app starts. Landlock is Linux's way for a program
without rights to shut itself off from files; where there is none, only the app itself keeps to its
folder.
"""

from __future__ import annotations

import ctypes
import fcntl
import json
import os
import resource
import struct
import sys
import termios
from contextlib import suppress

TYPE_CHECKING = False  # of `typing`, which takes half the time that all of this takes
if TYPE_CHECKING:
    from collections.abc import Iterator

CREATE, ADD, RESTRICT = 444, 445, 446  # system calls of Landlock, the same on all machines
ASK_VERSION = 1
BENEATH = 1  # the kind of rule: a folder and what is below it
NO_NEW_PRIVILEGES = 38  # of prctl
EXECUTE, READ_FILE, READ_FOLDER = 1 << 0, 1 << 2, 1 << 3
WRITE_FILE, REMOVE_FOLDER, REMOVE_FILE = 1 << 1, 1 << 4, 1 << 5
MAKE_FOLDER, MAKE_FILE = 1 << 7, 1 << 8
REFER, TRUNCATE = 1 << 13, 1 << 14
RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15}  # how many there are, by version
MOST_RIGHTS = 16
SCOPES = 6  # the version from which on signals and unnamed sockets can be shut off, too
READ = READ_FILE | READ_FOLDER
OWN = READ | WRITE_FILE | REMOVE_FOLDER | REMOVE_FILE | MAKE_FOLDER | MAKE_FILE | REFER | TRUNCATE
SYSTEM = (  # what Python reads of a system; no file of anybody's
    *("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/share/zoneinfo"),
    *("/etc/ld.so.cache", "/etc/localtime", "/etc/hosts", "/etc/resolv.conf", "/etc/nsswitch.conf"),
    *("/dev/null", "/dev/urandom"),
)
LOADERS = ("/lib64", "/lib", "/usr/lib64", "/usr/lib", "/lib/ld-musl-x86_64.so.1")
SET_FILTER, BY_FILTER = 22, 2  # of prctl: which system calls there are from now on
MACHINES = {"x86_64": (0xC000003E, 41, 53), "aarch64": (0xC00000B7, 198, 199)}  # their name for
# the system; its calls `socket`, `socketpair`
OTHER_CALLS = 0x40000000  # from here on, of x86_64 with short pointers
RINGS = 425  # io_uring_setup, the same on all machines: it makes sockets without a call
STREAM = 1  # the kind of a socket that has no addresses any more once it is one of a pair
LOAD, KEEP, EQUALS, AT_LEAST, RETURN = 0x20, 0x54, 0x15, 0x35, 0x06  # of a filter
ALLOWED, FORBIDDEN = 0x7FFF0000, 0x00050001
NICE = 5
NEW_USERS = 0x10000000  # of unshare: a realm of one's own, in which processes are counted
NEW_NETWORK = 0x40000000  # one without a way out, in which nothing listens
NOBODY = 65534
TRIAL = "trial"
TURNS = "KUMITE_GUEST_TURNS"  # as in store/house.py


def version() -> int:
    """Return which Landlock this system has; 0: none."""
    if not sys.platform.startswith("linux"):
        return 0
    call = ctypes.CDLL(None, use_errno=True).syscall
    return max(0, int(call(CREATE, None, ctypes.c_size_t(0), ctypes.c_uint32(ASK_VERSION))))


def loaders() -> Iterator[str]:
    """Yield what loads a program: to start one needs the right to execute both."""
    for folder in LOADERS:
        with suppress(OSError):
            for name in os.listdir(folder):
                if name.startswith("ld-"):
                    yield os.path.join(folder, name)


def shut(python: str, readable: list[str], own: str) -> None:
    """Let this process read these places, write into its own folder, and start Python alone."""
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
    if library.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")
    if library.syscall(RESTRICT, rules, ctypes.c_uint32(0)):
        raise OSError(ctypes.get_errno(), "Landlock")
    os.close(rules)


def allow(library: ctypes.CDLL, rules: int, place: str, rights: int) -> None:
    """Add a rule for a place; one for a single file has no rights over folders."""
    number = os.open(place, os.O_PATH | os.O_CLOEXEC)
    try:
        if not os.path.isdir(place):
            rights &= EXECUTE | READ_FILE | WRITE_FILE | TRUNCATE
        rule = struct.pack("=Qi", rights, number)
        if library.syscall(ADD, rules, BENEATH, rule, ctypes.c_uint32(0)):
            raise OSError(ctypes.get_errno(), f"Landlock: {place}")
    finally:
        os.close(number)


def withdraw() -> bool:
    """Begin a realm of our own (realm.py), whose processes are counted apart from the host's.

    It has no network, but what the house lends (porter.py). A system that allows no such thing
    may allow the rest.

    A host may forbid it. Whoever is root outside is nobody inside, and has no rights even there.
    """
    if not sys.platform.startswith("linux"):
        return False
    user, group = os.geteuid(), os.getegid()
    unshare = ctypes.CDLL(None, use_errno=True).unshare
    if unshare(NEW_USERS | NEW_NETWORK) and unshare(NEW_USERS):
        return False
    for file, said in (
        ("self/setgroups", "deny"),
        ("self/uid_map", f"{user or NOBODY} {user} 1"),
        ("self/gid_map", f"{group or NOBODY} {group} 1"),
        ("sys/user/max_user_namespaces", "0"),  # no other one within it
    ):
        with suppress(OSError), open(f"/proc/{file}", "w", encoding="ascii") as written:
            written.write(said)
    return True


def renounce() -> bool:
    """Let this process make no sockets but pairs that lead to each other; return whether it is so.

    A network of one's own has no wires, but services of the host's can be reached by files, too.
    """
    if not sys.platform.startswith("linux") or struct.calcsize("P") != 8:
        return False
    system, make, make_pair = MACHINES.get(os.uname().machine, (0, 0, 0))
    rules = (  # if it is so, skip as many of the next; if not, as many
        (LOAD, 0, 0, 4),  # which system
        (EQUALS, 0, 9, system),
        (LOAD, 0, 0, 0),  # which call
        (AT_LEAST, 7, 0, OTHER_CALLS),
        (EQUALS, 6, 0, make),
        (EQUALS, 5, 0, RINGS),
        (EQUALS, 0, 3, make_pair),
        (LOAD, 0, 0, 24),  # its second argument
        (KEEP, 0, 0, 15),
        (EQUALS, 0, 1, STREAM),
        (RETURN, 0, 0, ALLOWED),
        (RETURN, 0, 0, FORBIDDEN),
    )
    packed = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *one) for one in rules))
    told = struct.pack("HP", len(rules), ctypes.addressof(packed))
    library = ctypes.CDLL(None, use_errno=True)
    return bool(
        system
        and not library.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
        and not library.prctl(SET_FILTER, BY_FILTER, told, 0, 0)
    )


def is_shut_off() -> bool:
    """Give up what leads to the network, one way or the other; return whether nothing does now."""
    is_linux = sys.platform.startswith("linux")
    return renounce() or (is_linux and not ctypes.CDLL(None).unshare(NEW_USERS | NEW_NETWORK))


def wait_for_house(channel: int) -> None:
    """Say that we are here, and wait until the house has seen in which realm."""
    os.write(channel, b"here")
    os.set_blocking(channel, True)
    os.read(channel, 32)
    os.set_blocking(channel, False)


def limit(what: str, most: int) -> None:
    """Limit a resource; less than we may have already stays as it is."""
    number = getattr(resource, f"RLIMIT_{what}", None)
    if number is None:
        return
    _, hard = resource.getrlimit(number)
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    with suppress(OSError, ValueError):  # macOS has some that it does not set
        resource.setrlimit(number, (most, most))


def main() -> None:
    """Become what the house has said, with no more than it has said."""
    if sys.argv[1] == TRIAL:
        sys.exit(not is_shut_off())
    said = json.loads(sys.argv[1])
    with suppress(OSError):
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    limits = said["limits"]
    if not withdraw():
        del limits["NPROC"]  # which would count all processes of the host's user
    for what, most in limits.items():
        limit(what, most)
    os.nice(NICE)
    wait_for_house(int(os.environ[TURNS]))
    shut(os.path.realpath(said["command"][0]), said["readable"], said["own"])
    renounce()
    os.execv(said["command"][0], said["command"])


if __name__ == "__main__":
    main()
