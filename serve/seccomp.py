"""The system calls that a guest's process may make, compiled to a seccomp filter; pure.

It is written by hand, since libseccomp's Python bindings are not on PyPI, and pyseccomp was last
released in 2021 and loads a library that a system need not have. All that it would save are the
numbers below, which never change once a kernel has them; an unknown call is refused.

Some common calls are left out because nothing else would keep them within the guest's own files,
processes and memory: chmod, chown, utime and setxattr (not covered by Landlock; also their variants
on open files), all calls that name another process except `kill`, and those that allocate memory
without a limit (memfd_create, SysV).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Final

Rule = tuple[int, int, int, int]  # code, jump if true, jump if false, value

AUDIT: Final = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}  # the kernel's names of machines
MACHINES: Final = tuple(AUDIT)

# Name, number on x86_64, number on aarch64; "-": not available there.
FREE: Final = """
read 0 63, write 1 64, readv 19 65, writev 20 66, pread64 17 67, pwrite64 18 68, preadv 295 69,
pwritev 296 70, preadv2 327 286, pwritev2 328 287, open 2 -, openat 257 56, close 3 57,
close_range 436 436, lseek 8 62, dup 32 23, dup2 33 -, dup3 292 24, pipe 22 -, pipe2 293 59,
fsync 74 82, fdatasync 75 83, flock 73 32, ftruncate 77 46, truncate 76 45, getdents 78 -,
getdents64 217 61, sendfile 40 71, copy_file_range 326 285, fadvise64 221 223,

stat 4 -, lstat 6 -, fstat 5 80, newfstatat 262 79, statx 332 291, statfs 137 43, fstatfs 138 44,
access 21 -, faccessat 269 48, faccessat2 439 439, readlink 89 -, readlinkat 267 78, getcwd 79 17,
chdir 80 49, fchdir 81 50, umask 95 166, mkdir 83 -, mkdirat 258 34, rmdir 84 -, unlink 87 -,
unlinkat 263 35, rename 82 -, renameat 264 38, renameat2 316 276, link 86 -, linkat 265 37,

brk 12 214, munmap 11 215, mremap 25 216, mprotect 10 226, madvise 28 233, msync 26 227,

fork 57 -, vfork 58 -, execve 59 221, exit 60 93, exit_group 231 94, wait4 61 260, waitid 247 95,
getpid 39 172, getppid 110 173, gettid 186 178, getpgrp 111 -, getpgid 121 155, setpgid 109 154,
getsid 124 156, setsid 112 157, getuid 102 174, geteuid 107 175, getgid 104 176, getegid 108 177,
getresuid 118 148, getresgid 120 150, getgroups 115 158, getpriority 140 141, getrlimit 97 163,
setrlimit 160 164, getrusage 98 165, times 100 153, set_tid_address 218 96, set_robust_list 273 99,
rseq 334 293, arch_prctl 158 -, futex 202 98, futex_waitv 449 449, sched_yield 24 124,
sched_getaffinity 204 123, pidfd_open 434 434,

rt_sigaction 13 134, rt_sigprocmask 14 135, rt_sigreturn 15 139, rt_sigpending 127 136,
rt_sigtimedwait 128 137, rt_sigsuspend 130 133, sigaltstack 131 132, pause 34 -, alarm 37 -,
getitimer 36 102, setitimer 38 103, restart_syscall 219 128,

poll 7 -, ppoll 271 73, select 23 -, pselect6 270 72, epoll_create 213 -, epoll_create1 291 20,
epoll_ctl 233 21, epoll_wait 232 -, epoll_pwait 281 22, epoll_pwait2 441 441, eventfd 284 -,
eventfd2 290 19, nanosleep 35 101, clock_nanosleep 230 115, clock_gettime 228 113,
clock_getres 229 114, gettimeofday 96 169, time 201 -,

sendto 44 206, recvfrom 45 207, sendmsg 46 211, recvmsg 47 212, shutdown 48 210,
getsockname 51 204, getpeername 52 205, getsockopt 55 209, setsockopt 54 208,

uname 63 160, sysinfo 99 179, getcpu 309 168, getrandom 318 278
"""
# Allowed only where they reach no process outside.
SIGNALS: Final = "kill 62 129, tkill 200 130, tgkill 234 131"
CHECKED: Final = """
mmap 9 222, clone 56 220, clone3 435 435, ioctl 16 29, fcntl 72 25, prctl 157 167,
prlimit64 302 261, setpriority 141 140, socketpair 53 199
"""

TERMINAL: Final = (  # requests of ioctl; without TIOCSTI, which injects input into a terminal
    *(0x5401, 0x5402, 0x5403, 0x5404),  # TCGETS, TCSETS, TCSETSW, TCSETSF
    *(0x802C542A, 0x402C542B, 0x402C542C, 0x402C542D),  # TCGETS2 ..., of newer C libraries
    *(0x540B, 0x540F, 0x5410, 0x5413),  # TCFLSH, TIOCGPGRP, TIOCSPGRP, TIOCGWINSZ
    *(0x541B, 0x5421, 0x5450, 0x5451),  # FIONREAD, FIONBIO, FIONCLEX, FIOCLEX
)
# Commands of fcntl: duplicates, flags, locks, sizes of pipes. Without F_SETOWN (it sends signals)
# and F_SETLEASE, which would block our own `open` of a guest's file for 45 seconds.
FILES: Final = (*range(8), 36, 37, 38, 1030, 1031, 1032)
THREAD_NAMES: Final = (15, 16)  # PR_SET_NAME, PR_GET_NAME
APART: Final = 0x7E02_8000  # flags of clone: all CLONE_NEW*, and CLONE_PARENT (children of ours)
SHARED, ANONYMOUS = 0x01, 0x20  # flags of mmap: together memory that RLIMIT_DATA does not count,
UNCOUNTED: Final = 0x4_0100  # as are MAP_GROWSDOWN and MAP_HUGETLB
STREAM: Final = 1  # a socket type without addresses, as part of a pair
UNIX: Final = 1

LOAD, KEEP, EQUALS, AT_LEAST, ANY_OF, RETURN = 0x20, 0x54, 0x15, 0x35, 0x45, 0x06
NUMBER, MACHINE, ARGUMENTS = 0, 4, 16  # offsets in the data that the kernel passes to a filter
ALLOWED: Final = (RETURN, 0, 0, 0x7FFF_0000)
FORBIDDEN: Final = (RETURN, 0, 0, 0x0005_0001)  # EPERM
MISSING: Final = (RETURN, 0, 0, 0x0005_0026)  # ENOSYS


def numbers(table: str, machine: str) -> dict[str, int]:
    rows = (row.split() for row in table.split(","))
    column = 1 + MACHINES.index(machine)
    return {row[0]: int(row[column]) for row in rows if row[column] != "-"}


def packed(machine: str, *, with_signals: bool) -> bytes:
    """Return the filter for a machine in the kernel's format, empty for an unknown machine."""
    if machine not in AUDIT:
        return b""
    free = numbers(FREE, machine) | (numbers(SIGNALS, machine) if with_signals else {})
    rules = [(LOAD, 0, 0, MACHINE), (EQUALS, 1, 0, AUDIT[machine]), FORBIDDEN]
    rules.append((LOAD, 0, 0, NUMBER))
    for first, last in _ranges(sorted(free.values())):
        rules += [(AT_LEAST, 0, 2, first), (AT_LEAST, 1, 0, last + 1), ALLOWED]
    for name, number in numbers(CHECKED, machine).items():
        rules += [(EQUALS, 0, len(CHECKS[name]), number), *CHECKS[name]]
    return b"".join(struct.pack("HBBI", *rule) for rule in (*rules, FORBIDDEN))


def _ranges(values: list[int]) -> Iterator[tuple[int, int]]:
    first = last = values[0]
    for value in values[1:]:
        if value != last + 1:
            yield first, last
            first = value
        last = value
    yield first, last


def _argument(place: int) -> Rule:
    """Load the lower half of an argument; the kernel ignores the rest of those checked here."""
    return LOAD, 0, 0, ARGUMENTS + 8 * place


def _one_of(place: int, values: tuple[int, ...]) -> list[Rule]:
    allowed = [rule for value in values for rule in ((EQUALS, 0, 1, value), ALLOWED)]
    return [_argument(place), *allowed, FORBIDDEN]


CHECKS: Final[dict[str, list[Rule]]] = {
    "mmap": [
        *(_argument(3), (ANY_OF, 3, 0, UNCOUNTED)),
        *((ANY_OF, 0, 1, ANONYMOUS), (ANY_OF, 1, 0, SHARED)),
        *(ALLOWED, FORBIDDEN),
    ],
    "clone": [_argument(0), (ANY_OF, 1, 0, APART), ALLOWED, FORBIDDEN],
    "clone3": [MISSING],  # flags in memory, which filters cannot read; C libraries then use `clone`
    "ioctl": _one_of(1, TERMINAL),
    "fcntl": _one_of(1, FILES),
    "prctl": _one_of(0, THREAD_NAMES),
    "prlimit64": _one_of(0, (0,)),
    "setpriority": [_argument(0), (EQUALS, 1, 0, 0), FORBIDDEN, *_one_of(1, (0,))],  # our own
    "socketpair": [
        *(_argument(0), (EQUALS, 1, 0, UNIX), FORBIDDEN),
        *(_argument(1), (KEEP, 0, 0, 15), (EQUALS, 1, 0, STREAM), FORBIDDEN, ALLOWED),
    ],
}
