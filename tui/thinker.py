"""The process in which the bots think: `python -m tui.thinker`, started by tui/minds.py.

It reads requests a line (tui/asking.py) with the fields `id`, `bot`, `seed`, `simulations` and
`deadline` added, and answers each with a line. `{"stop":ID}` interrupts the thought of that request
and of all before it; it is answered all the same. The end of the input ends the process at once,
whatever it is doing: so it dies with the app, even if that is killed.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from queue import SimpleQueue
from random import Random
from threading import Thread
from typing import Any

from core import bots
from tui import asking


class Input:
    """What comes in, read by a thread of its own: a thought need not look for it."""

    def __init__(self) -> None:
        self.stopped = 0  # requests up to this one need no thought
        self.requests: SimpleQueue[dict[str, Any]] = SimpleQueue()

    def read(self) -> None:
        """Take in what comes, until the end of the input ends us."""
        try:
            for line in sys.stdin.buffer:
                fields = json.loads(line)
                if "stop" in fields:
                    self.stopped = max(self.stopped, fields["stop"])
                else:
                    self.requests.put(fields)
        finally:
            os._exit(0)


def choose(fields: dict[str, Any], given: Input) -> bots.Choice:
    """Let a bot think about a request."""
    number, simulations = fields["id"], fields["simulations"]
    timed = asking.budget(simulations, fields["deadline"])
    if simulations is None and timed.stop is bots.never:
        # a bot with a `stop` takes it for a clock, and thinks until it says so
        simulations = bots.usual(fields["bot"], fields["game"])

    def stop() -> bool:
        return given.stopped >= number or timed.stop()

    where = asking.position_of(fields)
    rng = Random(fields["seed"])
    return bots.find(fields["bot"])(where, rng, bots.Budget(simulations, stop))


def main() -> None:
    """Answer requests until the input ends."""
    given = Input()
    Thread(target=given.read, daemon=True).start()
    gc.disable()  # trees have no cycles, and looking for some takes time that a budget has not
    while True:
        fields = given.requests.get()
        try:
            answered = asking.answer(choose(fields, given))
        except Exception as error:  # told where people see it: nobody reads what we print
            answered = asking.failure(error)
        try:
            sys.stdout.buffer.write(asking.line(answered))
            sys.stdout.buffer.flush()
        except OSError:
            os._exit(0)
        gc.collect()


if __name__ == "__main__":
    main()
