"""The processes of one visit: all of them, and nobody else's."""

from __future__ import annotations

import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from kumite.serve.realm import realm_of

if TYPE_CHECKING:
    from collections.abc import Iterator

INSIDE = """
import sys
from kumite.serve.inside import withdraw
print(withdraw(), flush=True)
sys.stdin.read()
"""


@contextmanager
def visit() -> Iterator[subprocess.Popen[str]]:
    """Give a process that has begun a realm."""
    with subprocess.Popen(
        [sys.executable, "-c", INSIDE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "True\n"
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.landlock  # any Linux that has it has realms, too
def test_all_of_a_realm_end_with_it_and_nobody_of_the_next() -> None:
    """The system gives the next realm the number of one that is gone."""
    with visit() as before:
        realm = realm_of(before.pid)
        assert realm is not None
        assert list(realm.members()) == [before.pid]
    with visit() as after:
        assert list(realm.members()) == []
        realm.end()
        assert after.poll() is None
        later = realm_of(after.pid)
        assert later is not None
        later.end()
        assert after.wait(10) == -9


@pytest.mark.landlock
def test_a_process_of_our_own_realm_has_none() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        assert realm_of(process.pid) is None
        process.kill()
