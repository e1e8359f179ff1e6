"""Parallel matches: on the cores of this machine, or on a Dask cluster."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from contextlib import contextmanager
from threading import Thread
from time import sleep
from typing import Any, Final, NamedTuple

from kumite.cli.arena.playing import Job, Result, play
from kumite.core.errors import KumiteError

AGAIN: Final = 1.0  # s between two checks for new workers
# Evaluated by each worker, so it must work without kumite.
HAS_KUMITE: Final = (
    "__import__('importlib.machinery').machinery.PathFinder.find_spec('kumite') is not None"
)


class Crew(NamedTuple):
    """A pool of workers."""

    submit: Callable[[Job], Future[tuple[Result, str]]]
    width: Callable[[], int]  # how many matches it can play at once; 0 if there are no workers yet


def run(
    jobs: Iterable[Job],
    workers: int,
    scheduler: str | None = None,
    tell: Callable[[str], object] = lambda _: None,
) -> Generator[tuple[Result, str], None, None]:
    """Play matches; yield each result and log as the match ends, in any order.

    With one worker, matches are played in this process. Closing the iterator stops all matches.
    `tell` receives messages about a cluster that has no workers or only unsuitable ones.

    Raises:
        KumiteError: a process was killed, or the cluster cannot be reached.
    """
    if scheduler is None and workers == 1:
        yield from map(play, jobs)
        return
    left = deque(jobs)
    with _far(scheduler, tell) if scheduler else _here(workers) as crew:
        waiting: set[Future[tuple[Result, str]]] = set()
        try:
            while left or waiting:
                reserve = max(0, 2 * crew.width() - len(waiting))  # keeps the workers busy
                waiting |= {crew.submit(left.popleft()) for _ in range(min(reserve, len(left)))}
                if not waiting:
                    sleep(AGAIN)
                    continue
                limit = AGAIN if scheduler else None  # wake up to look for new workers
                done, waiting = wait(waiting, limit, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in done)
        except BrokenExecutor:
            raise KumiteError(
                "a process of the arena was killed",
                hint="the same command continues; if memory was short, use fewer --jobs",
            ) from None


@contextmanager
def _here(workers: int) -> Iterator[Crew]:
    """Provide a process pool on this machine; terminate it at once on any error, also Ctrl+C."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    before = multiprocessing.active_children()
    # spawn works the same on every system and inherits no locks
    context = multiprocessing.get_context("spawn")
    executor = ProcessPoolExecutor(workers, context, _enter)
    try:
        yield Crew(lambda job: executor.submit(play, job), lambda: workers)
    except BaseException:
        for child in multiprocessing.active_children():
            if child not in before:
                child.terminate()
        raise
    finally:
        executor.shutdown(cancel_futures=True)


def _enter() -> None:
    """Initialize a pool process: ignore Ctrl+C, and exit when the parent process ends."""
    from multiprocessing import connection, parent_process

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    assert parent is not None

    def follow() -> None:
        connection.wait([parent.sentinel])
        os._exit(1)

    Thread(target=follow, daemon=True).start()


@contextmanager
def _far(address: str, tell: Callable[[str], object]) -> Iterator[Crew]:
    """Provide the workers of a Dask scheduler; drop the jobs still running at the end."""
    try:
        from distributed import Client
    except ImportError:
        raise KumiteError(
            "a scheduler needs Dask's distributed", hint='install it: pip install "kumite[cluster]"'
        ) from None
    try:
        client = Client(address, timeout=10, set_as_default=False)
    except (OSError, ValueError) as error:
        raise KumiteError(
            f"no scheduler answers at {address}: {error}",
            hint="start one: dask scheduler; and workers: dask worker HOST:8786",
        ) from error
    try:
        cluster = Cluster(client, address, tell)
        yield Crew(cluster.submit, cluster.width)
    finally:
        client.close()


class Cluster:
    """The workers of a Dask scheduler, split into those with and without kumite."""

    def __init__(self, client: Any, address: str, tell: Callable[[str], object]) -> None:
        self._client, self._address, self._tell = client, address, tell
        self._can_play: dict[str, bool] = {}  # by worker address
        self._there: frozenset[str] = frozenset()
        self._said = ""

    def width(self) -> int:
        """Return how many matches the workers can play at once; report the reason if it is 0."""
        threads = self._client.nthreads()
        self._there = frozenset(threads)
        if new := sorted(self._there - self._can_play.keys()):
            self._can_play |= self._asked(new)
        lacking = sorted(one for one in self._there if not self._can_play[one])
        if not threads:
            start = f"start some: dask worker {self._address}"
            self._say(f"No worker has come to {self._address} yet; {start}")
        elif lacking:
            install = 'on each: pip install "kumite[cluster]", and start it again'
            self._say(f"Workers without kumite are left out: {', '.join(lacking)}; {install}")
        else:
            self._said = ""
        return sum(count for one, count in threads.items() if self._can_play[one])

    def _asked(self, workers: list[str]) -> dict[str, bool]:
        """Return for each of these workers whether kumite is installed there."""
        found = self._client.run(eval, HAS_KUMITE, workers=workers, on_error="return")
        return {one: found.get(one) is True for one in workers}

    def _say(self, text: str) -> None:
        if text != self._said:
            self._said = text
            self._tell(text)

    def submit(self, job: Job) -> Future[tuple[Result, str]]:
        """Submit a match to the workers that have kumite."""
        able = [one for one in self._there if self._can_play[one]]
        where = {} if len(able) == len(self._there) else {"workers": able}
        # pure=False: equal jobs are not merged; retries: in case a worker disappears
        executor = self._client.get_executor(pure=False, retries=2, **where)
        future: Future[tuple[Result, str]] = executor.submit(play, job)
        return future
