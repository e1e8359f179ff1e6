"""Hostile code in the real sandbox: what it asks of the system about others, and what comes of it.

The process of the tests is the server that it attacks. A second run as another user, and runs
without the parts that a system may lack, show that the rest holds by itself.
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kumite.serve import process, seccomp
from kumite.serve.settings import Settings
from tests.serve.test_guests_over_ssh import KEY, OTHER, apps, at_home
from tests.support.servers import server, until

# Calls by name, with their numbers on x86_64 and aarch64 ("-": none there) and their arguments:
# PID is the server's, FILE is a file of its, OTHER another guest's, 0 also the terminal.
CALLS = """
chmod 90 - FILE 511; fchmod 91 52 0 511; fchmodat 268 53 -100 FILE 511
fchmodat2 452 452 -100 FILE 0 0; chown 92 - FILE 1 1; lchown 94 - FILE 1 1; fchown 93 55 0 1 1
fchownat 260 54 -100 FILE 1 1 0; chmod 90 - OTHER 511; fchmodat 268 53 -100 OTHER 0
utimensat 280 88 -100 OTHER 0 0; setxattr 188 5 FILE user.x BUF 4 0
lsetxattr 189 6 FILE user.x BUF 4 0; fsetxattr 190 7 0 user.x BUF 4 0
removexattr 197 14 FILE user.x; setxattrat 463 463 -100 FILE 0 user.x BUF 16
getxattr 191 8 FILE user.x BUF 4; utime 132 - FILE 0; utimes 235 - FILE 0
futimesat 261 - -100 FILE 0; utimensat 280 88 -100 FILE 0 0; sched_setaffinity 203 122 PID 8 ONE
sched_setparam 142 118 PID BUF; sched_setscheduler 144 119 PID 3 BUF
sched_setattr 314 274 PID BUF 0; sched_setaffinity 203 122 0 8 ONE; setpriority 141 140 0 PID 19
setpriority 141 140 1 0 19; setpriority 141 140 2 0 19; ioprio_set 251 30 1 PID 24576
ioprio_set 251 30 3 0 24576; ioprio_get 252 31 1 PID; rt_sigqueueinfo 129 138 PID 18 BUF
rt_tgsigqueueinfo 297 240 PID PID 18 BUF; pidfd_send_signal 424 424 0 0 0 0
ptrace 101 117 16 PID 0 0; ptrace 101 117 16902 PID 0 0; ptrace 101 117 0 0 0 0
kcmp 312 272 PID PID 0 0 0; process_vm_readv 310 270 PID BUF 1 BUF 1 0
process_vm_writev 311 271 PID BUF 1 BUF 1 0; process_madvise 440 440 0 BUF 1 8 0
process_mrelease 448 448 0 0; pidfd_getfd 438 438 0 0 0; get_robust_list 274 100 PID BUF BUF
migrate_pages 256 238 PID 1 BUF BUF; move_pages 279 239 PID 0 0 0 0 0; keyctl 250 219 0 -3 0
keyctl 250 219 1 0; keyctl 250 219 11 -3 BUF 64; add_key 248 217 user x BUF 4 -3
request_key 249 218 user x 0 -3; shmget 29 194 0 4096 1023; shmat 30 196 0 0 0
shmctl 31 195 0 0 0; msgget 68 186 0 1023; semget 64 190 0 1 1023; mq_open 240 180 x 66 511 0
memfd_create 319 279 x 0; memfd_secret 447 447 0; io_uring_setup 425 425 1 BUF
io_uring_enter 426 426 0 0 0 0 0; io_setup 206 0 1 BUF; bpf 321 280 0 BUF 48
perf_event_open 298 241 BUF PID -1 -1 0; userfaultfd 323 282 1; mount 165 40 none / tmpfs 0 0
umount2 166 39 / 2; pivot_root 155 41 / /; chroot 161 51 /; fsopen 430 430 tmpfs 0
open_tree 428 428 -100 / 1; move_mount 429 429 -100 / -100 / 0
mount_setattr 442 442 -100 / 0 BUF 32; fspick 433 433 -100 / 0; unshare 272 97 268435456
unshare 272 97 536870912; setns 308 268 0 0; clone 56 220 268435473 0 0 0 0
clone 56 220 32785 0 0 0 0; clone3 435 435 BUF 88; name_to_handle_at 303 264 -100 FILE BUF BUF 0
open_by_handle_at 304 265 -100 BUF 0; fanotify_init 300 262 0 0; inotify_init1 294 26 0
inotify_add_watch 254 27 0 FILE 4095; quotactl 179 60 0 0 0 0; swapon 167 224 FILE 0
swapoff 168 225 FILE; reboot 169 142 0 0 0 0; sethostname 170 161 x 1; acct 163 89 FILE
settimeofday 164 170 BUF 0; clock_settime 227 112 0 BUF; adjtimex 159 171 BUF
clock_adjtime 305 266 0 BUF; init_module 175 105 BUF 8 x; finit_module 313 273 0 x 0
delete_module 176 106 x 0; kexec_load 246 104 0 0 0 0; syslog 103 116 3 BUF 64
personality 135 92 262144; seccomp 317 277 1 0 BUF; vhangup 153 58; iopl 172 - 3
ioperm 173 - 0 1 1; modify_ldt 154 - 0 BUF 16; setuid 105 146 0; setgid 106 144 0
setgroups 116 159 0 0; setresuid 117 147 0 0 0; setfsuid 122 151 0; capset 126 91 BUF BUF
prctl 157 167 1 0 0 0 0; prctl 157 167 4 1 0 0 0; prctl 157 167 1499557217 -1 0 0 0
prctl 157 167 35 1 BUF 0 0; socket 41 198 1 1 0; socket 41 198 2 3 1; socket 41 198 16 3 0
socketpair 53 199 1 2 0 BUF; connect 42 203 0 BUF 16; bind 49 200 0 BUF 16; listen 50 201 0 1
accept 43 202 0 0 0; accept4 288 242 0 0 0 0; mknod 133 - made 4480 0
mknodat 259 33 -100 made 4480 0; symlink 88 - / made; symlinkat 266 36 / -100 made; sync 162 81
syncfs 306 267 0; fallocate 285 47 0 0 0 4096; splice 275 76 0 0 0 0 1 0; tee 276 77 0 0 1 0
vmsplice 278 75 0 BUF 1 0; mlock 149 228 BUF 64; mlockall 151 230 1; mbind 237 235 BUF 64 0 0 0 0
set_mempolicy 238 237 0 0 0; remap_file_pages 216 234 BUF 64 0 0 0; pkey_alloc 330 289 0 0
timer_create 222 107 0 0 BUF; mincore 27 232 BUF 64 BUF; ioctl 16 29 0 21522 ONE
ioctl 16 29 0 21532 BUF; ioctl 16 29 0 21539 BUF; ioctl 16 29 0 21524 BUF; ioctl 16 29 0 21533 0
fcntl 72 25 0 8 PID; fcntl 72 25 0 10 9; fcntl 72 25 0 1024 1; fcntl 72 25 0 1026 63
fcntl 72 25 0 15 BUF; mmap 9 222 0 4096 3 33 -1 0; mmap 9 222 0 4096 3 35 -1 0
mmap 9 222 0 4096 3 290 -1 0; mmap 9 222 0 2097152 3 262178 -1 0
"""
SIGNALS = """
kill 62 129 PID 0; kill 62 129 PID 18; tkill 200 130 PID 0; tgkill 234 131 PID PID 18
"""
FILES = """
openat 257 56 -100 FILE 0 0; openat 257 56 -100 FILE 1 0; openat 257 56 -100 OTHER 0 0
truncate 76 45 FILE 0; unlinkat 263 35 -100 FILE 0; unlinkat 263 35 -100 OTHER 0
renameat2 316 276 -100 FILE -100 made 0; linkat 265 37 -100 FILE -100 made 0
openat 257 56 -100 /proc/1/environ 0 0; openat 257 56 -100 /dev/tty 2 0
openat 257 56 -100 /dev/shm/made 66 384; openat 257 56 -100 /etc/passwd 0 0
mkdirat 258 34 -100 /tmp/kumite-made 511; execve 59 221 /bin/sh 0 0
"""
HOSTILE = """
import ctypes, json, os, sys
said = json.loads(sys.argv[1])
call = ctypes.CDLL(None, use_errno=True).syscall
call.restype = ctypes.c_long
buffers = {
    "BUF": ctypes.create_string_buffer(4096), "ONE": ctypes.create_string_buffer(b"\\1", 64),
    "LIMIT": (ctypes.c_uint64 * 2)(1 << 40, 1 << 40),
}
def given(one):
    if isinstance(one, int):
        return ctypes.c_long(one)
    return buffers[one] if one in buffers else ctypes.c_char_p(one.encode())
found = []
for number, *given_args in said["calls"]:
    done = call(ctypes.c_long(number), *map(given, given_args))
    if done == 0 and number == said["clone"]:
        os._exit(0)
    found.append(0 if done >= 0 else ctypes.get_errno())
with open(os.environ["HOME"] + "/found", "w") as file:
    json.dump(found, file)
print("that is all", flush=True)
"""
MEMORY = """
import ctypes, json, mmap, os, resource
library = ctypes.CDLL(None, use_errno=True)
library.mmap.restype = ctypes.c_long
library.mmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, *(ctypes.c_int,) * 3, ctypes.c_long)
SIZE = 300 << 20
def mapped(flags, protection=3):
    place = library.mmap(0, SIZE, protection, flags, -1, 0)
    return place if place != -1 else 0
def later():
    place = mapped(0x22, 0)
    return place and not library.mprotect(ctypes.c_void_p(place), ctypes.c_size_t(SIZE), 3)
def stack():
    try:
        resource.setrlimit(resource.RLIMIT_STACK, (SIZE, SIZE))
    except (OSError, ValueError):
        return False
    return True
def heap():
    try:
        return bytearray(SIZE)
    except MemoryError:
        return False
def shared():
    try:
        return mmap.mmap(-1, SIZE)
    except OSError:
        return False
def file():
    number = os.open(os.environ["HOME"] + "/big", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        os.ftruncate(number, SIZE)
        return True
    except OSError:
        return False
found = {
    "heap": bool(heap()), "private": bool(mapped(0x22)), "made writable later": bool(later()),
    "shared": bool(shared()), "growing down": bool(mapped(0x122)), "huge": bool(mapped(0x40022)),
    "a stack": stack(), "a file": file(), "memfd": library.memfd_create(b"x", 0) >= 0,
    "System V": library.shmget(0, ctypes.c_size_t(SIZE), 0o1600) >= 0,
}
with open(os.environ["HOME"] + "/found", "w") as file:
    json.dump(found, file)
"""
# What a system may lack, taken away from sandbox.py before it runs.
LACKING = {
    "nothing": "",
    "namespaces": "inside['separate'] = lambda: False",
    "namespaces and scopes": "inside['separate'] = lambda: False; inside['version'] = lambda: 4",
    "namespaces and Landlock": "inside['separate'] = lambda: False; inside['version'] = lambda: 0",
}
BEGIN = """
import sys
inside = {{"__name__": "inside"}}
exec(open({path!r}).read(), inside)
{lacking}
inside["main"]()
"""
REFUSED = {errno.EPERM, errno.ENOSYS}


def attempts(table: str, file: Path, other: Path) -> Iterator[tuple[str, list[Any]]]:
    """Yield the calls of this machine in a table, each with its number and its arguments."""
    told = {"PID": str(os.getpid()), "FILE": str(file), "OTHER": str(other)}
    column = 1 + seccomp.MACHINES.index(os.uname().machine)
    for row in table.replace("\n", ";").split(";"):
        if (words := row.split()) and words[column] != "-":
            given = [told.get(one, one) for one in (words[column], *words[3:])]
            yield row.strip(), [int(o) if o.lstrip("-").isdigit() else o for o in given]


def limits(table: str) -> str:
    """Return the table, and all limits of the server."""
    return table + "".join(f"\nprlimit64 302 261 PID {one} LIMIT 0" for one in range(16))


def state(file: Path) -> dict[str, Any]:
    """Return what hostile code could have changed of the server and of a file."""
    found = file.stat()
    return {
        "limits": [resource.prlimit(os.getpid(), one) for one in range(16)],
        "processors": os.sched_getaffinity(0),
        "scheduler": (os.sched_getscheduler(0), os.getpriority(os.PRIO_PROCESS, 0)),
        "file": (found.st_mode, found.st_uid, found.st_mtime_ns, os.listxattr(file)),
        "content": file.read_bytes(),
        "rights": ctypes.CDLL(None).prctl(3, 0, 0, 0, 0),  # whether others may look into us
    }


def run(code: str, *args: str, user: int | None = None, lacking: str = "nothing") -> Any:
    """Run code in the sandbox as a guest's app; return what it found."""
    place = Path(tempfile.mkdtemp(prefix="kumite-"))  # where any user gets
    own = place / "own"
    own.mkdir()
    shutil.copy(process.SANDBOX, place / "sandbox.py")
    place.chmod(0o755)
    if user:
        os.chown(own, user, user)

    class Guest:
        pass

    Guest.own = own
    begun = process.command(Guest, Settings(memory=256, folder=1), ("-c", code, *args))
    said = json.loads(begun[-1])
    python = "/usr/bin/python3" if user else sys.executable
    said["command"][0] = python
    if user:
        said["readable"] = ["/usr"]
    begin = BEGIN.format(path=str(place / "sandbox.py"), lacking=LACKING[lacking])
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    terminal, slave = os.openpty()
    try:
        with subprocess.Popen(
            [python, "-c", begin, json.dumps(said)],
            stdin=slave, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=own, user=user,
            env={"HOME": str(own), "KUMITE_GUEST_TURNS": str(theirs.fileno())},
            pass_fds=[theirs.fileno()], start_new_session=True,
        ) as begun_process:  # fmt: skip
            theirs.close()
            ours.recv(9)
            ours.send(b"0 0")
            told, _ = begun_process.communicate(timeout=60)
        assert (own / "found").exists(), told.decode()
        return json.loads((own / "found").read_text())
    finally:
        for one in (terminal, slave):
            os.close(one)
        ours.close()
        shutil.rmtree(place)


def told(calls: list[tuple[str, list[Any]]]) -> str:
    number = seccomp.numbers(seccomp.CHECKED, os.uname().machine)["clone"]
    return json.dumps({"calls": [one for _, one in calls], "clone": number})


@pytest.mark.landlock
async def test_hostile_calls_reach_neither_the_server_nor_its_files_nor_other_guests(
    tmp_path: Path, let_run: Callable[..., None]
) -> None:
    """On a server, whose process is ours; afterwards it goes on, and so does another guest."""
    file, other = tmp_path / "house.key", tmp_path / "guests" / "another" / "match"
    other.parent.mkdir(parents=True)
    other.write_text("theirs")
    async with server(tmp_path) as opened, opened.guest("bob", client_keys=[OTHER]) as bob:
        await at_home(bob)
        file.chmod(0o600)
        calls = list(attempts(limits(CALLS) + SIGNALS + FILES, file, other))
        assert len({row.split()[0] for row, _ in calls}) > 100
        before = state(file), state(other)
        let_run(HOSTILE, told(calls))
        async with opened.guest(client_keys=[KEY]) as guest:
            await guest.wait_for("that is all")
            (said,) = (tmp_path / "guests").glob("*/own/found")
            found = json.loads(said.read_text())
        assert [row for (row, _), end in zip(calls, found, strict=True) if not end] == []
        assert (state(file), state(other)) == before
        assert not Path("/tmp/kumite-made").exists()
        bob.type("o")
        await bob.wait_for("Settings")
    await until(lambda: not apps(tmp_path), "the end of all apps")


@pytest.mark.landlock
@pytest.mark.parametrize("lacking", LACKING)
@pytest.mark.parametrize("user", [None, 65534], ids=["root or us", "nobody"])
def test_calls_are_refused_whoever_runs_the_server_and_whatever_the_system_lacks(
    user: int | None, lacking: str, tmp_path: Path
) -> None:
    if user and os.getuid():
        user = None  # we are no root, and are the other user ourselves
    file = tmp_path / "house.key"
    file.write_text("the server's")
    before = state(file)
    calls = list(attempts(limits(CALLS), file, file))
    found = run(HOSTILE, told(calls), user=user, lacking=lacking)
    ends = {row: end for (row, _), end in zip(calls, found, strict=True)}
    assert {row: end for row, end in ends.items() if end not in REFUSED} == {}
    signals = list(attempts(SIGNALS, file, file))
    wanted = {errno.ESRCH} if lacking == "nothing" else REFUSED
    assert set(run(HOSTILE, told(signals), user=user, lacking=lacking)) <= wanted
    assert state(file) == before


@pytest.mark.landlock
@pytest.mark.parametrize("lacking", ["nothing", "namespaces"])
def test_no_memory_is_had_beyond_the_limit(lacking: str) -> None:
    """Of 256 MB; what is shared, grows down or is of System V would not be counted."""
    found = run(MEMORY, lacking=lacking)
    assert [name for name, is_had in found.items() if is_had] == []
    assert len(found) == 10


STAY = """
import os, time
if os.fork() == 0:
    os.setsid()
time.sleep(600)
"""


@pytest.mark.landlock
async def test_guests_processes_end_with_a_server_that_is_killed(tmp_path: Path) -> None:
    server = "from tests.serve.test_sandbox import STAY, run; run(STAY)"
    with subprocess.Popen([sys.executable, "-c", server], env={"TMPDIR": str(tmp_path)}) as begun:
        await until(lambda: len(apps(tmp_path)) == 3, "an app, its child, and what watches them")
        begun.kill()
        await until(lambda: not apps(tmp_path), "their end")
