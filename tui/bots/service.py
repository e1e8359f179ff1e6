"""Bots that think in other processes: they never block the app and can be interrupted. No Textual.

kumite's bots share one process (worker.py), started at the first search and kept. A user's
program is started when first asked, once for each seat, and kept until `close`. A process answers
a line with a line. A thread reads its pipes and the event loop awaits the result, so a program
that hangs blocks nothing, and a late answer is still removed from the pipe.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from threading import Lock, Thread
from time import monotonic
from typing import Any, Final, TypeAlias

import kumite
from kumite.core import bots
from kumite.core.bots import Choice, Position
from kumite.core.game import Seat, Setup, Step
from kumite.core.players import COMMAND
from kumite.store import system
from kumite.store.guest_mode import LOOK, PLAY
from kumite.store.whole_files import reason
from kumite.tui.bots import protocol
from kumite.tui.bots.programs import BadAnswer, parts_of, short_name
from kumite.tui.bots.turns import Queue

PATIENCE: Final = 10.0  # s that a user's program may take for a step
STOPPING: Final = 0.25  # s for an interrupted search to end, before its process is killed
ROOT: Final = Path(kumite.__file__).resolve().parent.parent  # the folder that contains `kumite`
THINKER: Final = (sys.executable, "-P", "-m", "kumite.tui.bots.worker")
LONGEST: Final = 1 << 20  # bytes of an answer
ENDING: Final = 2.0  # s in which an ending or killed program must be gone
Heard: TypeAlias = "Callable[[bytes], bool] | None"
Asked: TypeAlias = tuple[bytes, Heard, "Future[bytes]"]


class BotService:
    """The bots of the app, or of one of its tables."""

    def __init__(self, errors: Path | None = None, thinker: BotProcess | None = None) -> None:
        """Prepare the service; no process is started yet.

        The standard error of programs is kept in files whose names begin with `errors`, or
        dropped. With `thinker`, kumite's bots think in a process shared with others.
        """
        self._errors = errors
        self._is_ours = thinker is None
        self._thinker = thinker or BotProcess()
        self._programs: dict[tuple[str, Seat], Child] = {}

    @property
    def queue(self) -> Queue:
        return self._thinker.queue

    def of_table(self, errors: Path | None = None) -> BotService:
        """Return the bots of one match: the process is shared, users' programs are its own."""
        return BotService(errors, self._thinker)

    async def choose(
        self,
        who: str,
        position: Position,
        *,
        seed: int | str,
        simulations: int | None = None,
        seconds: float | None = None,
        early: float | None = None,
    ) -> Choice:
        """Return the choice of `who` (a level such as `strong`, or `cmd:PROGRAM ARGS`).

        The same seed and simulations give the same choice. `seconds` limits the time, and `early`
        ends the search sooner if the choice is clear then (advice.py). Without limits, a level uses
        its usual simulations and a program has PATIENCE seconds. Cancelling the task interrupts the
        bot. Raise KumiteError if there is no such bot, or it has failed.
        """
        if who.startswith(COMMAND):
            return await self._ask_program(who, position, PATIENCE if seconds is None else seconds)
        bots.find(who)
        if len(position.legal) == 1:
            return Choice(position.legal[0])
        fields = protocol.request(position) | {"bot": who, "seed": seed}
        limits = {"simulations": simulations, "seconds": seconds, "early": early}
        answered = await self._thinker.ask(fields | limits, LOOK if self._is_ours else PLAY)
        return protocol.choice_of(answered, position.legal)

    async def grow(
        self,
        who: str,
        position: Position,
        *,
        seed: int | str,
        stages: Sequence[float],
        told: Callable[[float, Choice], None],
        is_counted: bool = False,
    ) -> None:
        """Run a growing search, calling `told` with its result after each of `stages`, in seconds.

        With `is_counted`, `stages` are numbers of simulations. It ends early if nothing is left to
        find. It is interrupted, and fails, as `choose` does.
        """
        bots.find(who)
        loop, is_wanted = asyncio.get_running_loop(), True

        def take(stage: float, line: bytes) -> None:
            if is_wanted:  # a cancelled search may have sent a result before it ended
                told(stage, protocol.choice_of(line, position.legal))

        def heard(line: bytes) -> bool:
            stage = protocol.stage_of(line)
            if stage is not None:
                with suppress(RuntimeError):  # the loop has ended
                    loop.call_soon_threadsafe(take, stage, line)
            return stage is not None

        fields = protocol.request(position) | {"bot": who, "seed": seed}
        limits = {"stages": list(stages), "is_counted": is_counted}
        try:
            await self._thinker.ask(fields | limits, LOOK, heard)
        finally:
            is_wanted = False

    async def warm(self, setup: Setup) -> None:
        """Have the process load what the first search of a match needs, which may be timed."""
        fields = {"warm": setup.game.ID, "seats": setup.seats, "options": dict(setup.options)}
        await self._thinker.tell(fields)

    def now(self, who: str, position: Position) -> Step:
        return asyncio.run(self.choose(who, position, seed=0)).step

    def close(self) -> None:
        for child in self._programs.values():
            child.close()
        self._programs.clear()
        if self._is_ours:
            self._thinker.close()

    # --- programs by others -------------------------------------------------------------------

    async def _ask_program(self, who: str, position: Position, limit: float) -> Choice:
        """Ask a program; one that fails is killed, and restarted when it is next asked."""
        key = (who, position.seat)
        child = self._programs.get(key)
        if child is None:
            try:
                child = Child(parts_of(who), errors=self._errors_of(position.seat))
            except OSError as error:
                raise BadAnswer(
                    f"cannot start {who.removeprefix(COMMAND)}: {reason(error)}",
                    hint="a script begins with a line such as #!/usr/bin/env python3",
                ) from error
            self._programs[key] = child
        question = protocol.line(protocol.request(position) | {"seconds": limit})
        try:
            if not await child.is_free(limit):  # of an earlier question that was cancelled
                raise TimeoutError
            before = child.answered
            answered = await asyncio.wait_for(child.ask(question), limit)
            if not answered:
                raise BadAnswer(f"has ended: {await child.how_it_ended()}")
            return protocol.choice_of(answered, position.legal, before)
        except TimeoutError:
            raise self._failed(key, BadAnswer(f"took longer than {limit:g} s")) from None
        except BadAnswer as error:
            raise self._failed(key, error) from None

    def _failed(self, key: tuple[str, Seat], error: BadAnswer) -> BadAnswer:
        """Kill a failed program; return the error with its name and the file of its errors."""
        who, seat = key
        self._programs.pop(key).kill()
        hint, errors = error.hint, self._errors_of(seat)
        if errors is not None and errors.exists() and errors.stat().st_size:
            hint = f"what it wrote to standard error is in {errors}"
        return BadAnswer(f"{short_name(who)} {error}", hint=hint)

    def _errors_of(self, seat: Seat) -> Path | None:
        if self._errors is None:
            return None
        return self._errors.with_name(f"{self._errors.name}.seat{seat}.txt")


# --- Processes --------------------------------------------------------------------------------


class Child:
    """A running child process."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        environment: Mapping[str, str] | None = None,
        errors: Path | None = None,
    ) -> None:
        """Start the program in its own session, so that it gets no signals from terminal keys.

        Its standard error is appended to the file `errors`, or dropped. Raise OSError if it cannot
        be started, or the file cannot be written.
        """
        self._errors = errors
        with open(errors or os.devnull, "ab") as file:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=file,
                env=environment, **system.detached(),
            )  # fmt: skip
        self._questions: SimpleQueue[tuple[bytes, Heard, Future[bytes]] | None] = SimpleQueue()
        self._last: Future[bytes] | None = None  # the last question
        self.answered = b""  # the last answer
        self._writing = Lock()
        self._thread = Thread(target=self._serve, daemon=True)
        self._thread.start()

    @property
    def has_ended(self) -> bool:
        return self._process.poll() is not None

    async def how_it_ended(self) -> str:
        """Return how the program ended, waiting briefly for its status."""
        end = monotonic() + ENDING
        while (status := self._process.poll()) is None:
            if monotonic() > end:
                return "it has closed its output"
            await asyncio.sleep(0.01)
        return f"killed by signal {-status}" if status < 0 else f"exit status {status}"

    async def ask(self, line: bytes, heard: Heard = None) -> bytes:
        """Send a line and return the answer; b"" if the program has ended.

        The answer may have several lines: `heard` is called in the reading thread with each,
        and returns whether more follow. After a cancellation the answer is still due; `is_free`
        waits for it.
        """
        answered: Future[bytes] = Future()
        answered.set_running_or_notify_cancel()  # it cannot be cancelled
        self._last = answered
        self._questions.put((line, heard, answered))
        return await asyncio.wrap_future(answered)

    async def is_free(self, seconds: float) -> bool:
        """Wait for the last question to be answered; return whether it was in time."""
        if self._last is None or self._last.done():
            return True
        last = asyncio.wrap_future(self._last)
        done, _ = await asyncio.wait({last}, timeout=seconds)
        last.cancel()  # stops the waiting only; the thread still reads the answer
        return bool(done)

    def tell(self, line: bytes) -> None:
        """Send a line that has no answer; errors are ignored if the program has ended."""
        with self._writing, suppress(OSError, ValueError):
            assert self._process.stdin is not None
            self._process.stdin.write(line)
            self._process.stdin.flush()

    def kill(self) -> None:
        """Kill the program and everything it started."""
        self._questions.put(None)
        with suppress(OSError):
            system.kill(self._process)

    def close(self) -> None:
        """Kill the program and wait until it is gone."""
        self.kill()
        self._thread.join(ENDING)
        if self._errors is not None:
            with suppress(OSError):
                if not self._errors.stat().st_size:
                    self._errors.unlink()

    def _serve(self) -> None:
        with suppress(OSError), self._process as process:
            assert process.stdout is not None
            has_answered = False
            while (asked := self._questions.get()) is not None:
                line, heard, answered = asked
                if has_answered and (more := self._waiting()):
                    answered.set_exception(protocol.second_answer(more))
                    continue
                self.tell(line)
                has_answered = True
                found = b""
                with suppress(OSError):
                    found = process.stdout.readline(LONGEST)
                    while heard and heard(found):
                        found = process.stdout.readline(LONGEST)
                self.answered = found
                answered.set_result(found)

    def _waiting(self) -> bytes:
        """Return what the program has written unasked; b"" where it is unknown (Windows)."""
        output: Any = self._process.stdout
        if not hasattr(os, "set_blocking"):
            return b""
        os.set_blocking(output.fileno(), False)
        try:
            return bytes(output.peek())
        finally:
            os.set_blocking(output.fileno(), True)


class BotProcess:
    """The process of kumite's bots, which runs one search at a time."""

    def __init__(self) -> None:
        self._child: Child | None = None
        self._number = 0  # of the last request
        self._lock = asyncio.Lock()
        self.queue = Queue.of_process()

    async def tell(self, fields: dict[str, Any]) -> None:
        """Send a line that has no answer."""
        async with self._lock:
            child = await self._ready()
            child.tell(protocol.line(fields))

    async def ask(self, fields: dict[str, Any], wish: str, heard: Heard = None) -> bytes:
        """Return the last line of an answer, or raise BadAnswer; `heard` gets those before it."""
        async with self._lock:
            self._number += 1
            async with self.queue.turn(wish, self._pause):
                begun = monotonic()
                child = await self._ready()
                question = protocol.line(fields | {"id": self._number, "begun": begun})
                try:
                    answered = await child.ask(question, heard)
                except asyncio.CancelledError:
                    child.tell(protocol.line({"stop": self._number}))
                    raise
        if not answered:
            how = await child.how_it_ended()
            self.close()
            raise BadAnswer(
                f"the process of the bots has ended: {how}",
                hint="ask again: another one is started",
            )
        protocol.raise_error(answered)
        return answered

    def _pause(self, goes_on: bool) -> None:
        if self._child is not None:
            self._child.tell(protocol.line({"pause": 0 if goes_on else self._number}))

    async def _ready(self) -> Child:
        """Return the process; restart it if it has ended or is stuck in an old search."""
        if self._child is not None and (
            self._child.has_ended or not await self._child.is_free(STOPPING)
        ):
            self.close()
        if self._child is None:
            try:
                self._child = Child(THINKER, environment=_environment())
            except OSError as error:
                raise BadAnswer(
                    f"the bots cannot be started: {reason(error)}",
                    hint="the system may have no memory left, or too many processes",
                ) from error
        return self._child

    def close(self) -> None:
        if self._child is not None:
            self._child.close()
            self._child = None


def _environment() -> Mapping[str, str]:
    """Return the environment with kumite on PYTHONPATH, wherever the working directory is."""
    ours: dict[str, Any] = {**os.environ}
    found = [str(ROOT), *filter(None, [ours.get("PYTHONPATH")])]
    return {**ours, "PYTHONPATH": os.pathsep.join(found)}
