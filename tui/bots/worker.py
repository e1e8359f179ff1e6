"""The bot process: `python -m kumite.tui.bots.worker`, started by service.py.

It reads one request a line (protocol.py) with the extra fields `id`, `bot`, `seed`, `begun`
(monotonic time, comparable across processes), `simulations`, `seconds` and `early`, and answers
each with a line. With `stages` and `is_counted` instead of the last three, it runs a growing
search: at each stage it sends a line with `stage` and the result so far, and `{}` ends the answer.
`{"stop":ID}` interrupts that request and all earlier ones; they are still answered.
`{"pause":ID}` pauses a request until `{"pause":0}`; the pause does not count as thinking time.
`{"warm":GAME,…}` announces a match and has no answer.

The process exits as soon as its input ends, whatever it is doing, so it never outlives the app,
even if that is killed.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from contextlib import suppress
from dataclasses import replace
from math import inf
from queue import Empty, SimpleQueue
from random import Random
from threading import Condition, Thread
from time import monotonic
from typing import Any, Final

from kumite.core import bots
from kumite.core.game import CHANCE, Seat, Setup
from kumite.core.games import find
from kumite.core.match import Match
from kumite.store import guest_mode
from kumite.tui.bots import advice, kernels, protocol

MANY: Final = 1 << 40  # simulations; more than any search makes
IDLE: Final = 0.5  # s without a request after which loops are loaded
BRIEF: Final = 10  # divisor of a level's usual simulations: more of them are no glance
LONGEST: Final = 4  # multiple of them in plain Python, while loops are compiled
LATER: Final = 5  # niceness of a guest's bots, so that all guests' keys come first


class Input:
    """Reads requests in a separate thread, so that searches need not poll."""

    def __init__(self) -> None:
        self.stopped = 0  # requests up to this one are cancelled
        self.paused = 0  # the paused request; 0: none
        self.changed = Condition()
        self.requests: SimpleQueue[dict[str, Any]] = SimpleQueue()

    def read(self) -> None:
        """Read requests until the input ends, then exit the process."""
        try:
            for line in sys.stdin.buffer:
                fields = json.loads(line)
                if "stop" in fields or "pause" in fields:
                    with self.changed:
                        self.stopped = max(self.stopped, fields.get("stop", 0))
                        self.paused = fields.get("pause", self.paused)
                        self.changed.notify_all()
                else:
                    self.requests.put(fields)
        finally:
            os._exit(0)


class Thought:
    """The state of the search for one request: stopped, paused or running."""

    def __init__(self, number: int, given: Input) -> None:
        self._number, self._given = number, given
        self._still = 0.0  # s spent paused

    def is_stopped(self) -> bool:
        """True if the request is cancelled; blocks while it is paused."""
        given, number = self._given, self._number
        if given.paused == number:
            since = monotonic()
            with given.changed:
                given.changed.wait_for(lambda: given.paused != number or given.stopped >= number)
            self._still += monotonic() - since
        return given.stopped >= number

    def clock(self) -> float:
        return monotonic() - self._still


def choose(fields: dict[str, Any], given: Input) -> bots.Choice:
    simulations, seconds, early = fields["simulations"], fields["seconds"], fields["early"]
    game_id, bot = fields["game"], fields["bot"]
    usual, short = bots.usual(bot, game_id), None
    if seconds is None and (simulations or 0) > usual // BRIEF:  # a review, or a tutor
        kernels.MAY_COMPILE.set()  # beside it: it has no clock
        if kernels.begin(game_id).is_alive() and simulations > LONGEST * usual:
            simulations = short = LONGEST * usual
    thought = Thought(fields["id"], given)
    deadline = None if seconds is None else fields["begun"] + seconds
    timed = protocol.budget(simulations, deadline, thought.clock)
    if simulations is None and timed.stop is bots.never:
        # bots with a `stop` treat it as a clock and would search until it returns True
        simulations = bots.usual(bot, game_id)

    found, clear = list[bots.Choice](), list[float]()  # at half of `early`; when it was clear

    def told(stage: float, choice: bots.Choice) -> None:
        clear.extend(stage for one in found if advice.is_clear(choice, one))
        found.append(choice)

    def stop() -> bool:
        return bool(clear) or thought.is_stopped() or timed.stop()

    where = protocol.position_of(fields)
    rng, per_second = Random(fields["seed"]), kernels.per_second(game_id, bot)
    watch = early and bots.Watch([early / 2, early, inf], told, thought.clock, fields["begun"])
    choice = bots.find(bot)(where, rng, bots.Budget(simulations, stop, watch or None))
    spent = clear[0] if clear else seconds if timed.stop() else None
    if spent is None:
        return choice if short is None else replace(choice, looked=short)
    return replace(choice, looked=min(simulations or MANY, max(1, round(spent * per_second))))


def grow(fields: dict[str, Any], given: Input) -> dict[str, Any]:
    """Run a growing search that sends its result at each stage."""
    thought, is_counted = Thought(fields["id"], given), fields["is_counted"]
    per_second = 1 if is_counted else kernels.per_second(fields["game"], fields["bot"])

    def tell(stage: float, choice: bots.Choice) -> None:
        looked = replace(choice, looked=max(1, round(stage * per_second)))
        write({"stage": stage, **protocol.answer(looked)})

    watch = bots.Watch(
        fields["stages"],
        tell,
        None if is_counted else thought.clock,  # simulations are counted instead
        fields["begun"],
    )
    bots.grow(
        fields["bot"],
        protocol.position_of(fields),
        lambda: Random(fields["seed"]),
        watch,
        thought.is_stopped,
    )
    return {}


def warm(fields: dict[str, Any], given: Input) -> dict[str, Any]:
    """Load what the first search of a match needs, by a tiny search from its start."""
    setup = Setup.of(find(fields["warm"]), fields["seats"], fields["options"])
    match = Match.begin(setup)
    while match.actors[0] == CHANCE:
        match = match.play(CHANCE, match.legal(CHANCE)[0])
    position = bots.Position.of(match, Seat(int(match.actors[0])))
    budget = bots.Budget(1, lambda: not given.requests.empty())  # stop early if a request arrives
    bots.find(advice.LEVEL)(position, Random(0), budget)
    return {}


def done(fields: dict[str, Any], given: Input) -> dict[str, Any]:
    try:
        if "warm" in fields:
            return warm(fields, given)
        return grow(fields, given) if "stages" in fields else protocol.answer(choose(fields, given))
    except Exception as error:  # reported to the user: nobody reads this process's output
        return protocol.failure(error)


def awaited(given: Input, game_id: str) -> dict[str, Any]:
    """Return the next request; when idle, load a game's compiled loops until there is one.

    Not before or after that: searches are timed, and loading would take their time.
    """
    kernels.MAY_COMPILE.set()
    try:
        if game_id:
            with suppress(Empty):
                return given.requests.get(timeout=IDLE)
            kernels.begin(game_id)
        return given.requests.get()
    finally:
        kernels.MAY_COMPILE.clear()


def write(fields: dict[str, Any]) -> None:
    """Send an answer; exit if the app is gone."""
    try:
        sys.stdout.buffer.write(protocol.line(fields))
        sys.stdout.buffer.flush()
    except OSError:
        os._exit(0)


def main() -> None:
    if guest_mode.is_guest():
        os.nice(LATER)
    given = Input()
    Thread(target=given.read, daemon=True).start()
    gc.disable()  # search trees have no cycles, and collections would cost search time
    game_id = ""
    while True:
        fields = awaited(given, game_id)
        answered = done(fields, given)
        if "warm" not in fields:  # `warm` has no answer; its errors show up in the next request
            write(answered)
        game_id = fields["warm"] if "warm" in fields else fields["game"]
        gc.collect()


if __name__ == "__main__":
    main()
