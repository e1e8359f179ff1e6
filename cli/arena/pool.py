"""Many matches at once: on the cores of this machine, or on those of a Dask cluster."""

from __future__ import annotations

import os
import signal
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, wait
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

from kumite.cli.arena.playing import play
from kumite.core.errors import KumiteError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator
    from concurrent.futures import Executor, Future

    from kumite.cli.arena.playing import Job, Result

Crew: TypeAlias = "tuple[Executor, Callable[[], int]]"
"""Who plays, and how many matches they can play at once."""


def run(
    jobs: Iterable[Job], workers: int, scheduler: str | None = None
) -> Generator[tuple[Result, str], None, None]:
    """Play matches, and yield each one's result and log when it is over, in any order.

    One worker plays in this process. Closing the iterator ends all matches at once.

    Raises:
        KumiteError: a process was killed, or the cluster is not there.
    """
    if scheduler is None and workers == 1:
        yield from map(play, jobs)
        return
    left = iter(jobs)
    with _far(scheduler) if scheduler else _here(workers) as (executor, width):
        waiting: set[Future[tuple[Result, str]]] = set()
        try:
            while True:
                more = islice(left, max(0, 2 * width() - len(waiting)))  # a reserve: nobody waits
                waiting |= {executor.submit(play, job) for job in more}
                if not waiting:
                    return
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in done)
        except BrokenExecutor:
            raise KumiteError(
                "a process of the arena was killed",
                hint="the same command goes on; if memory was short, with fewer --jobs",
            ) from None


@contextmanager
def _here(workers: int) -> Iterator[Crew]:
    """Give processes of this machine; on any error (Ctrl+C is one) they are ended at once."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    before = multiprocessing.active_children()
    # spawn: the same on every system, and no lock of this process is held in another
    context = multiprocessing.get_context("spawn")
    executor = ProcessPoolExecutor(workers, context, _enter)
    try:
        yield executor, lambda: workers
    except BaseException:
        for child in multiprocessing.active_children():
            if child not in before:
                child.terminate()
        raise
    finally:
        executor.shutdown(cancel_futures=True)


def _enter() -> None:
    """Begin in a process of the pool: leave Ctrl+C to the first one, and end when that ends."""
    from multiprocessing import connection, parent_process
    from threading import Thread

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    assert parent is not None

    def follow() -> None:
        connection.wait([parent.sentinel])
        os._exit(1)

    Thread(target=follow, daemon=True).start()


@contextmanager
def _far(address: str) -> Iterator[Crew]:
    """Give the workers of a Dask scheduler; what still runs there at the end is given up."""
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
        # pure: a match asked for twice would be played once; retries: when a worker goes away
        executor = client.get_executor(pure=False, retries=2)
        yield executor, lambda: max(1, sum(client.nthreads().values()))
        executor.shutdown()
    finally:
        client.close()
