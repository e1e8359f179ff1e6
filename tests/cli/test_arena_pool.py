"""Matches of an arena in many processes, here and on a cluster: the same as in one."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from kumite.cli.arena import pool
from kumite.cli.arena.playing import Job
from kumite.core.errors import KumiteError
from tests.cli.test_arena import SMALL, arena, results_of, small, timeless
from tests.support.places import ROOT
from tests.support.waiting import PATIENCE, PAUSE, looks, wait_for

JOBS = [Job(SMALL, number, (number % 2, 1 - number % 2)) for number in range(5)]


def test_matches_are_the_same_in_one_process_and_in_two(tmp_path: Path) -> None:
    alone, both = (list(pool.run(JOBS, workers)) for workers in (1, 2))
    assert [timeless(one) for one, _ in alone] == [
        timeless(one) for one, _ in sorted(both, key=lambda pair: pair[0].number)
    ]


def test_a_process_that_is_killed_is_told_and_the_rest_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import multiprocessing

    running = pool.run(JOBS * 400, 2)
    next(running)
    children = multiprocessing.active_children()
    assert len(children) == 2
    children[0].kill()
    with pytest.raises(KumiteError, match="was killed") as caught:
        list(running)
    assert "continues" in caught.value.hint
    assert not multiprocessing.active_children()


@contextmanager
def started(path: Path, *args: str) -> Iterator[subprocess.Popen[str]]:
    """Start a long arena in a process of its own and wait until it has kept two matches."""
    said = ["kuzushi", "medium:40", "random", "--matches", "100000", "--results", str(path), *args]
    child = subprocess.Popen(
        [sys.executable, "-m", "kumite", "arena", *said], cwd=ROOT, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
        # who runs these tests in the background has Ctrl+C ignored
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    try:
        for _ in looks("two matches"):
            if path.exists() and path.read_bytes().count(b"\n") >= 3:
                break
            assert child.poll() is None, child.communicate()
            time.sleep(PAUSE)
        yield child
    finally:
        child.kill()
        child.communicate()


def others(child: subprocess.Popen[str]) -> set[int]:
    """Return the processes of a child's session but itself."""
    listed = subprocess.run(["ps", "-A", "-o", "pid="], capture_output=True, text=True, check=True)
    found = set()
    for number in map(int, listed.stdout.split()):
        with suppress(ProcessLookupError, PermissionError):
            if number != child.pid and os.getsid(number) == child.pid:
                found.add(number)
    return found


def wait_for_the_end(child: subprocess.Popen[str]) -> None:
    wait_for(lambda: not others(child), "the end of all its processes")


@pytest.mark.slow
@pytest.mark.parametrize("whom", ["all", "first"])  # a key of the terminal reaches all
def test_ctrl_c_ends_all_processes_and_keeps_the_results(tmp_path: Path, whom: str) -> None:
    path = tmp_path / "r"
    with started(path, "--jobs", "2", "--json") as child:
        assert len(others(child)) >= 2
        (os.killpg if whom == "all" else os.kill)(child.pid, signal.SIGINT)
        out, err = child.communicate(timeout=PATIENCE)
        assert child.returncode == 130, err
        assert "The same command continues." in err
        assert "Traceback" not in err
        wait_for_the_end(child)
    assert json.loads(out)["matches"] == len(results_of(path)) - 1


def test_the_processes_end_with_the_one_that_started_them(tmp_path: Path) -> None:
    with started(tmp_path / "r", "--jobs", "2") as child:
        assert others(child)
        child.kill()
        wait_for_the_end(child)


# --- A cluster --------------------------------------------------------------------------------


def test_without_dask_a_scheduler_is_refused_with_the_command_that_installs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    refused = small(tmp_path / "r", "--scheduler", "127.0.0.1:1", status=2)
    assert 'pip install "kumite[cluster]"' in refused.stderr


@pytest.mark.slow
@pytest.mark.cluster
@pytest.mark.filterwarnings("ignore")  # of Dask's own
def test_a_cluster_plays_the_same_matches(tmp_path: Path) -> None:
    from distributed import LocalCluster

    cluster: Any = LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    )
    try:
        far, here = tmp_path / "far", tmp_path / "here"
        args = ("--matches", "8", "--logs", tmp_path / "logs")
        small(far, *args, "--scheduler", cluster.scheduler_address)
        small(here, *args)
        assert sorted(results_of(far)[1:], key=lambda one: one["number"]) == results_of(here)[1:]
        assert len(list((tmp_path / "logs").iterdir())) == 8
    finally:
        cluster.close()


# A worker whose Python finds no kumite, as on a machine where only Dask was installed.
BARE = """
import asyncio, sys
from pathlib import Path
sys.path[:] = [one for one in sys.path if one and not (Path(one) / "kumite").exists()]
from distributed import Worker
async def work():
    async with Worker(sys.argv[1], nthreads=1, dashboard_address=None) as worker:
        await worker.finished()
asyncio.run(work())
"""


@pytest.mark.slow
@pytest.mark.cluster
@pytest.mark.filterwarnings("ignore")
def test_workers_that_have_not_come_or_lack_kumite_are_told_and_waited_for(tmp_path: Path) -> None:
    from distributed import LocalCluster

    def told(text: str) -> None:
        """Let come what the arena has just said is not there."""
        said.append(text)
        if "No worker has come" in text:
            where = tmp_path / "elsewhere"
            where.mkdir()
            command = [sys.executable, "-c", BARE, cluster.scheduler_address]
            bare.append(subprocess.Popen(command, cwd=where, env=env))
        else:
            cluster.scale(1)

    env = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    said: list[str] = []
    bare: list[subprocess.Popen[bytes]] = []
    cluster: Any = LocalCluster(
        n_workers=0, threads_per_worker=1, processes=True, dashboard_address=None
    )
    try:
        played = list(pool.run(JOBS, 2, cluster.scheduler_address, told))
        assert len(played) == len(JOBS)
    finally:
        for child in bare:
            child.kill()
            child.wait()
        cluster.close()
    assert "No worker has come" in said[0]
    assert "dask worker" in said[0]
    assert "without kumite" in said[1]
    assert 'pip install "kumite[cluster]"' in said[1]


@pytest.mark.slow
@pytest.mark.cluster
@pytest.mark.filterwarnings("ignore")
def test_a_scheduler_that_is_not_there_is_said(tmp_path: Path) -> None:
    refused = arena("kuzushi", "easy", "random", "--scheduler", "127.0.0.1:1",
                    "--results", tmp_path / "r", status=2)  # fmt: skip
    assert "no scheduler answers" in refused.stderr
