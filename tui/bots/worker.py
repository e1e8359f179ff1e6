"""The process in which the bots think: `python -m kumite.tui.bots.worker`, started by service.py.

It reads requests a line (protocol.py) with the fields `id`, `bot`, `seed`, `begun` (by the
monotonic clock, which all processes share), `simulations` and `seconds` added, and answers each
with a line. With `stages` and `is_counted` instead of the last two it is to think on and on: at
each stage a line with `stage` tells what it has found, and `{}` ends the answer. `{"stop":ID}`
interrupts the thought of that request and of all before it; it is answered all the same.
`{"pause":ID}` lets the thought of that request stand still, until there is `{"pause":0}`; that time
does not count as thought.
`{"warm":GAME,…}` says what is going to be played, and has no answer.

The end of the input ends the process at once, whatever it is doing: so it dies with the app, even
if that is killed.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from contextlib import suppress
from queue import Empty, SimpleQueue
from random import Random
from threading import Condition, Thread
from time import monotonic
from typing import Any, Final

from kumite.core import bots
from kumite.core.game import CHANCE, Seat, Setup
from kumite.core.games import find
from kumite.core.match import Match
from kumite.store import house
from kumite.tui.bots import advice, kernels, protocol

IDLE: Final = 0.5  # s without a request: no clock runs, and loops can be loaded
LATER: Final = 5  # steps of priority that thinking for a guest waits behind all guests' keys


class Input:
    """What comes in, read by a thread of its own: a thought need not look for it."""

    def __init__(self) -> None:
        self.stopped = 0  # requests up to this one need no thought
        self.paused = 0  # the request whose thought stands still; 0: none
        self.changed = Condition()
        self.requests: SimpleQueue[dict[str, Any]] = SimpleQueue()

    def read(self) -> None:
        """Take in what comes, until the end of the input ends us."""
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
    """How the thought about one request stands: stopped, still, or going on."""

    def __init__(self, number: int, given: Input) -> None:
        self._number, self._given = number, given
        self._still = 0.0  # s that it has stood still

    def is_stopped(self) -> bool:
        """Return whether nobody wants it any longer; while it is to stand still, wait."""
        given, number = self._given, self._number
        if given.paused == number:
            since = monotonic()
            with given.changed:
                given.changed.wait_for(lambda: given.paused != number or given.stopped >= number)
            self._still += monotonic() - since
        return given.stopped >= number

    def clock(self) -> float:
        """Return a time that stands still with it."""
        return monotonic() - self._still


def choose(fields: dict[str, Any], given: Input) -> bots.Choice:
    """Let a bot think about a request."""
    simulations, seconds = fields["simulations"], fields["seconds"]
    game_id, bot = fields["game"], fields["bot"]
    if seconds is None and (simulations or 0) > bots.usual(bot, game_id):
        kernels.load_for(game_id, [bot])  # no clock runs, and the thought is long: worth a wait
    thought = Thought(fields["id"], given)
    deadline = None if seconds is None else fields["begun"] + seconds
    timed = protocol.budget(simulations, deadline, thought.clock)
    if simulations is None and timed.stop is bots.never:
        # a bot with a `stop` takes it for a clock, and thinks until it says so
        simulations = bots.usual(bot, game_id)

    def stop() -> bool:
        return thought.is_stopped() or timed.stop()

    where = protocol.position_of(fields)
    rng = Random(fields["seed"])
    return bots.find(bot)(where, rng, bots.Budget(simulations, stop))


def grow(fields: dict[str, Any], given: Input) -> dict[str, Any]:
    """Let a bot think on and on, and tell what it has found at each stage."""
    thought, is_counted = Thought(fields["id"], given), fields["is_counted"]
    watch = bots.Watch(
        fields["stages"],
        lambda stage, choice: write(protocol.seen_at(stage, choice)),
        None if is_counted else thought.clock,  # what is counted are simulations
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
    """Load what the first thought of a match needs, by a small thought about its start."""
    setup = Setup.of(find(fields["warm"]), fields["seats"], fields["options"])
    match = Match.begin(setup)
    while match.actors[0] == CHANCE:
        match = match.play(CHANCE, match.legal(CHANCE)[0])
    position = advice.position_of(match, Seat(int(match.actors[0])))
    budget = bots.Budget(1, lambda: not given.requests.empty())  # a thought is waited for: end
    bots.find(advice.LEVEL)(position, Random(0), budget)
    return {}


def done(fields: dict[str, Any], given: Input) -> dict[str, Any]:
    """Do what a line asks for, and return what there is to answer."""
    try:
        if "warm" in fields:
            return warm(fields, given)
        return grow(fields, given) if "stages" in fields else protocol.answer(choose(fields, given))
    except Exception as error:  # told where people see it: nobody reads what we print
        return protocol.failure(error)


def awaited(given: Input, game_id: str) -> dict[str, Any]:
    """Return the next request; if none comes for a while, load what lets a game be thought faster.

    Not while somebody waits: a thought has a clock, and loading would take its time.
    """
    if game_id:
        with suppress(Empty):
            return given.requests.get(timeout=IDLE)
        kernels.begin(game_id)
    return given.requests.get()


def write(fields: dict[str, Any]) -> None:
    """Write an answer; without somebody to read it we end."""
    try:
        sys.stdout.buffer.write(protocol.line(fields))
        sys.stdout.buffer.flush()
    except OSError:
        os._exit(0)


def main() -> None:
    """Answer requests until the input ends."""
    if house.is_guest():
        os.nice(LATER)
    given = Input()
    Thread(target=given.read, daemon=True).start()
    gc.disable()  # trees have no cycles, and looking for some takes time that a budget has not
    game_id = ""
    while True:
        fields = awaited(given, game_id)
        answered = done(fields, given)
        if "warm" not in fields:  # else nobody reads it; what is wrong is told to who asks next
            write(answered)
        game_id = fields["warm"] if "warm" in fields else fields["game"]
        gc.collect()


if __name__ == "__main__":
    main()
