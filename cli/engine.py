"""`kumite engine`: the rules for other programs, as JSON lines on standard input and output.

docs/engine.md describes the requests. Each input line gets exactly one output line. A failed
request changes nothing and returns an error.
"""

from __future__ import annotations

import json
import re
import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from io import TextIOWrapper
from queue import Empty, SimpleQueue
from random import Random
from threading import Thread
from time import monotonic
from typing import IO, Any, Final, TypeVar

import click

from kumite.core import bots, codes
from kumite.core.errors import Hidden, KumiteError, NotToAct
from kumite.core.game import CHANCE, HOLE, Actor, Seat, Seats, Setup, Step
from kumite.core.games import GAMES, find, parse_position
from kumite.core.log import Header, by_text, log_text
from kumite.core.match import Match, perft
from kumite.tui.bots import protocol

T = TypeVar("T")
Answer = dict[str, object]
LONGEST: Final = 86_400  # s; the longest thinking time for a step
_STOP: Final = re.compile(r'\{\s*"do"\s*:\s*"stop"\s*\}')
MATCH_ID: Final = "0" * 16  # placeholder: the engine's logs belong to no table


class BadRequest(KumiteError):
    """A line that is not a request, or lacks a required field."""

    code = codes.BAD_REQUEST


class Interrupted(KumiteError):
    """A request that `stop` interrupted."""

    code = codes.STOPPED


class Waiting:
    """Input lines, read by a thread, so that `stop` is seen while a request is processed."""

    def __init__(self, lines: IO[str]) -> None:
        self._lines: SimpleQueue[str | None] = SimpleQueue()
        self._ahead: deque[str | None] = deque()
        Thread(target=self._read, args=(lines,), daemon=True).start()

    def _read(self, lines: IO[str]) -> None:
        try:
            for line in lines:
                self._lines.put(line)
        finally:
            self._lines.put(None)

    def __iter__(self) -> Iterator[str]:
        """Yield every line until the input ends."""
        while (line := self._ahead.popleft() if self._ahead else self._lines.get()) is not None:
            yield line

    def is_stopped(self) -> bool:
        """Return whether the next line is a `stop` request."""
        if not self._ahead:
            with suppress(Empty):
                self._ahead.append(self._lines.get_nowait())
        found = self._ahead[0] if self._ahead else None
        return found is not None and _STOP.fullmatch(found.strip()) is not None


@click.command()
def engine() -> None:
    """Answer other programs: one JSON object a line in, one a line out."""
    for stream in (sys.stdin, sys.stdout):  # whatever the locale; tolerates invalid UTF-8
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace", newline="\n")
    serve(sys.stdin, sys.stdout)


def serve(lines: IO[str], out: IO[str]) -> None:
    """Write an answer for every line of `lines`, flushed, until the input ends."""
    waiting = Waiting(lines)
    engine = Engine(is_stopped=waiting.is_stopped)
    for line in waiting:
        out.write(json.dumps(engine.answer(line), separators=(",", ":")) + "\n")
        out.flush()


@dataclass(slots=True)
class Engine:
    """A session with at most one match at a time."""

    match: Match | None = None
    position: str = ""  # the text of the position it was loaded from
    is_stopped: Callable[[], bool] = lambda: False  # polled by long-running requests

    def answer(self, line: str) -> Answer:
        """Return the answer to one line of input; errors become answers, not exceptions."""
        try:
            request = _Request.parse(line)
            do = request.text("do")
            if do not in _REQUESTS:
                raise BadRequest(f"no request {do!r}", hint=f"one of {', '.join(_REQUESTS)}")
            return {"ok": True} | _REQUESTS[do](self, request)
        except KumiteError as error:
            return _failure(error.code, str(error), error.hint)
        except RecursionError:
            return _failure(codes.BAD_REQUEST, "the request is nested too deep", "")

    @property
    def current(self) -> Match:
        """Return the match; raise BadRequest if there is none yet."""
        if self.match is None:
            raise BadRequest("there is no match yet", hint='{"do":"new","game":"kuzushi"} first')
        return self.match

    def games(self, _: _Request) -> Answer:
        return {
            "games": [
                {
                    "id": game.ID,
                    "title": game.TITLE,
                    "seats": list(game.SEATS),
                    "options": {
                        option.name: {"default": option.default, "allowed": list(option.allowed)}
                        for option in game.OPTIONS
                    },
                    "rules": game.RULES,
                }
                for game in GAMES.values()
            ]
        }

    def new(self, request: _Request) -> Answer:
        """Start a match, seen by the seats in `by` if given."""
        game = find(request.text("game"))
        setup = Setup.of(game, request.optional("seats", int), request.options())
        self.match, self.position = Match.begin(setup, request.by(setup.seats)), ""
        return _position(self.current)

    def load(self, request: _Request) -> Answer:
        """Start a match from a canonical text."""
        text = request.text("text")
        only = request.optional("game", str)
        games = {only: find(only)} if only is not None else GAMES
        game, state = parse_position(text, games)
        setup = Setup.of(game, *game.setup_of(state))
        by = request.by(setup.seats)
        if by is None and "?" in text:
            raise BadRequest("this position has holes", hint='say whose view it is: "by":[0]')
        match = Match.begin(setup, by, state)
        self.match, self.position = match, game.text(match.state)  # no more than `by` know
        return _position(self.current)

    def apply(self, request: _Request) -> Answer:
        self.match = self.current.play(request.actor(), Step(request.text("step")))
        return _position(self.current)

    def undo(self, _: _Request) -> Answer:
        if self.current.before is None:
            raise BadRequest("no step to take back", hint="this is the start of the match")
        self.match = self.current.before
        return _position(self.current)

    def legal(self, request: _Request) -> Answer:
        return {"steps": list(self.current.legal(request.actor()))}

    def odds(self, _: _Request) -> Answer:
        match = self.current
        if match.actors != (CHANCE,):
            raise NotToAct("chance is not to act", hint="odds are asked for when * is to act")
        odds = sorted(match.odds().items())
        return {"odds": [[step, p.numerator, p.denominator] for step, p in odds]}

    def seen(self, request: _Request) -> Answer:
        """Return a legal step as the given seats would see it."""
        match = self.current
        actor, step = request.actor(), Step(request.text("step"))
        by = request.viewers(match.setup.seats)
        match.check(actor, step)
        return {"step": match.game.seen(match.state, actor, step, by)}

    def view(self, request: _Request) -> Answer:
        """Return the position as the given seats know it."""
        match = self.current
        by = request.viewers(match.setup.seats)
        text = match.game.text(match.game.view(match.state, by))
        if match.by is not None and not by <= match.by and HOLE in text:
            raise Hidden(
                f"this match does not know what seats {by_text(by)} know",
                hint=f"it is as seats {by_text(match.by)} see it",
            )
        return {"position": _position(match), "text": text}

    def perft(self, request: _Request) -> Answer:
        """Count the step sequences up to a depth."""
        depth = request.optional("depth", int)
        if depth is None or not 0 <= depth <= 100:
            raise BadRequest('"depth" is a whole number from 0 to 100')
        return {"counts": list(perft(self.current.game, self.current.state, depth, self._watch))}

    def _watch(self) -> None:
        """Raise Interrupted if `stop` was received."""
        if self.is_stopped():
            raise Interrupted("it was stopped", hint="a smaller depth")

    def stop(self, _: _Request) -> Answer:
        """Do nothing: a running request has been stopped by now."""
        return {}

    def choose(self, request: _Request) -> Answer:
        """Let a bot choose a step without playing it; `stop` returns the best so far."""
        match = self.current
        seat = request.optional("seat", int)
        if seat is None:
            raise BadRequest('"seat" is missing', hint='"seat":0')
        legal = match.legal(Seat(seat))
        level = request.optional("bot", str) or "simple"
        bot = bots.find(level)
        own = frozenset({Seat(seat)})
        seen = match.seen_by(own)
        position = bots.Position(match.game, seen.state, Seat(seat), seen.steps(), legal)
        rng = Random(request.optional("seed", int) or 0)
        simulations = request.optional("simulations", int)
        if simulations is not None and simulations < 0:
            raise BadRequest(f'"simulations" is no number of simulations: {simulations}')
        seconds = request.seconds()
        timed = protocol.budget(simulations, None if seconds is None else monotonic() + seconds)
        if simulations is None and seconds is None:
            simulations = bots.usual(level, match.game.ID)
        budget = bots.Budget(simulations, lambda: timed.stop() or self.is_stopped())
        return protocol.answer(bot(position, rng, budget))

    def log(self, _: _Request) -> Answer:
        match = self.current
        return {"log": log_text(Header(MATCH_ID, match.setup, (), match.by, self.position), match)}


_REQUESTS: Final[Mapping[str, Callable[[Engine, _Request], Answer]]] = {
    name: getattr(Engine, name)
    for name in (
        "games", "new", "load", "apply", "undo", "legal", "odds",
        "seen", "view", "perft", "stop", "choose", "log",
    )
}  # fmt: skip


def _position(match: Match) -> Answer:
    outcome = match.outcome
    end = {"winners": list(outcome.winners), "reason": outcome.reason} if outcome else None
    return {
        "number": match.number,
        "actors": list(match.actors),
        "outcome": end,
        "digest": match.digest.hex(),
    }


def _failure(code: str, error: str, hint: str) -> Answer:
    return {"ok": False, "code": code, "error": error, "hint": hint}


@dataclass(frozen=True, slots=True)
class _Request:
    """One request, with typed and validated access to its fields."""

    fields: dict[str, Any]

    @staticmethod
    def parse(line: str) -> _Request:
        """Parse a line; raise BadRequest if it is invalid."""
        try:
            fields = json.loads(line)
        except ValueError as error:
            raise BadRequest(f"no JSON: {error}", hint="one JSON object a line") from None
        if not isinstance(fields, dict):
            raise BadRequest("no JSON object", hint='{"do":"games"}')
        return _Request(fields)

    def optional(self, name: str, kind: type[T]) -> T | None:
        """Return a field of this type, or None if it is missing or null."""
        value = self.fields.get(name)
        if value is None or type(value) is kind:
            return value
        raise BadRequest(f'"{name}" is no {kind.__name__}: {value!r}')

    def seconds(self) -> float | None:
        """Return the thinking time of a bot, in s, or None if not given."""
        value = self.fields.get("seconds")
        if value is None or (type(value) in (int, float) and 0 <= value <= LONGEST):
            return value
        raise BadRequest(f'"seconds" is a number from 0 to {LONGEST}, not {value!r}')

    def text(self, name: str) -> str:
        """Return a required text field."""
        value = self.optional(name, str)
        if value is None:
            raise BadRequest(f'"{name}" is missing')
        return value

    def actor(self) -> Actor:
        value = self.fields.get("actor")
        if value == CHANCE:
            return CHANCE
        if type(value) is int:
            return Seat(value)
        raise BadRequest(f'"actor" is a seat or "*", not {value!r}')

    def options(self) -> dict[str, str | int]:
        """Return the given options, {} if there are none."""
        given = self.optional("options", dict) or {}
        for name, value in given.items():
            if type(value) not in (str, int):
                raise BadRequest(f'option "{name}" is neither text nor a whole number')
        return given

    def viewers(self, seats: int) -> Seats:
        """Return the seats whose view is requested, which is required."""
        by = self.by(seats)
        if by is None:
            raise BadRequest('"by" is missing', hint='"by":[1], or [] for a spectator')
        return by

    def by(self, seats: int) -> Seats | None:
        """Return the seats whose view is requested ([] for a spectator), or None."""
        given = self.optional("by", list)
        if given is None:
            return None
        if any(type(seat) is not int or not 0 <= seat < seats for seat in given):
            raise BadRequest(f'"by" lists seats from 0 to {seats - 1}, not {given!r}')
        return frozenset(map(Seat, given))
