"""`kumite engine`: the rules for other programs, one JSON object a line in, one a line out.

The requests are in ARCHITECTURE.md. A request that fails changes nothing and says why; whatever
comes in, one line goes out for it.
"""

from __future__ import annotations

import json
import re
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from random import Random
from threading import Thread
from time import monotonic
from typing import IO, TYPE_CHECKING, Any, Final, TypeVar

from kumite.core import bots, codes
from kumite.core.errors import Hidden, KumiteError, NotToAct
from kumite.core.game import CHANCE, HOLE, Seat, Setup, Step
from kumite.core.games import GAMES, find, parse_position
from kumite.core.log import Header, by_text, log_text
from kumite.core.match import Match, perft
from kumite.tui.bots import protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from kumite.core.game import Actor, Seats

T = TypeVar("T")
Answer = dict[str, object]
LONGEST: Final = 86_400  # s that a bot may be given for a step
_STOP: Final = re.compile(r'\{\s*"do"\s*:\s*"stop"\s*\}')
MATCH_ID: Final = "0" * 16  # a log of the engine belongs to no table


class BadRequest(KumiteError):
    """A line that is no request, or lacks what this request needs."""

    code = codes.BAD_REQUEST


class Interrupted(KumiteError):
    """A request that `stop` has ended before it was answered."""

    code = codes.STOPPED


class Waiting:
    """Lines that come while a request is being answered; read in a thread of their own."""

    def __init__(self, lines: IO[str]) -> None:
        """Begin to read."""
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
        """Return whether the next line asks for an end of what is being answered."""
        if not self._ahead:
            with suppress(Empty):
                self._ahead.append(self._lines.get_nowait())
        found = self._ahead[0] if self._ahead else None
        return found is not None and _STOP.fullmatch(found.strip()) is not None


def serve(lines: IO[str], out: IO[str]) -> None:
    """Answer every line of `lines` on `out`, flushed, until the input ends."""
    waiting = Waiting(lines)
    engine = Engine(is_stopped=waiting.is_stopped)
    for line in waiting:
        out.write(json.dumps(engine.answer(line), separators=(",", ":")) + "\n")
        out.flush()


@dataclass(slots=True)
class Engine:
    """One conversation: at most one match at a time."""

    match: Match | None = None
    position: str = ""  # the text of the position it was loaded from
    is_stopped: Callable[[], bool] = lambda: False  # asked now and then by what may take long

    def answer(self, line: str) -> Answer:
        """Return the answer to one line of input; never raises what a request can cause."""
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
        """Return the match, or raise BadRequest before the first."""
        if self.match is None:
            raise BadRequest("there is no match yet", hint='{"do":"new","game":"kuzushi"} first')
        return self.match

    def games(self, _: _Request) -> Answer:
        """List the games."""
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
        """Start a match, as some seats see it if the request has `by`."""
        game = find(request.text("game"))
        setup = Setup.of(game, request.optional("seats", int), request.options())
        self.match, self.position = Match.begin(setup, request.by(setup.seats)), ""
        return self._position()

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
        return self._position()

    def apply(self, request: _Request) -> Answer:
        """Make a step."""
        self.match = self.current.play(request.actor(), Step(request.text("step")))
        return self._position()

    def undo(self, _: _Request) -> Answer:
        """Take the last step back."""
        if self.current.before is None:
            raise BadRequest("no step to take back", hint="this is the start of the match")
        self.match = self.current.before
        return self._position()

    def legal(self, request: _Request) -> Answer:
        """List the legal steps of an actor."""
        return {"steps": list(self.current.legal(request.actor()))}

    def odds(self, _: _Request) -> Answer:
        """List chance's steps with their probabilities."""
        match = self.current
        if match.actors != (CHANCE,):
            raise NotToAct("chance is not to act", hint="odds are asked for when * is to act")
        odds = sorted(match.odds().items())
        return {"odds": [[step, p.numerator, p.denominator] for step, p in odds]}

    def seen(self, request: _Request) -> Answer:
        """Return a legal step as some seats would see it."""
        match = self.current
        actor, step = request.actor(), Step(request.text("step"))
        by = request.by(match.setup.seats)
        if by is None:
            raise BadRequest('"by" is missing', hint='"by":[1], or [] for a spectator')
        match.check(actor, step)
        return {"step": match.game.seen(match.state, actor, step, by)}

    def view(self, request: _Request) -> Answer:
        """Return the position as some seats know it."""
        match = self.current
        by = request.by(match.setup.seats)
        if by is None:
            raise BadRequest('"by" is missing', hint='"by":[1], or [] for a spectator')
        text = match.game.text(match.game.view(match.state, by))
        if match.by is not None and not by <= match.by and HOLE in text:
            raise Hidden(
                f"this match does not know what seats {by_text(by)} know",
                hint=f"it is as seats {by_text(match.by)} see it",
            )
        return {"position": _position(match), "text": text}

    def perft(self, request: _Request) -> Answer:
        """Count step sequences."""
        depth = request.optional("depth", int)
        if depth is None or not 0 <= depth <= 100:
            raise BadRequest('"depth" is a whole number from 0 to 100')
        return {"counts": list(perft(self.current.game, self.current.state, depth, self._watch))}

    def _watch(self) -> None:
        """Raise Interrupted if `stop` has come."""
        if self.is_stopped():
            raise Interrupted("it was stopped", hint="a smaller depth")

    def stop(self, _: _Request) -> Answer:
        """Have ended what was being answered, if anything was."""
        return {}

    def choose(self, request: _Request) -> Answer:
        """Let a bot choose a step for a seat; it is not made. `stop` gives the best so far."""
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
        """Return the match so far as the text of a log."""
        match = self.current
        return {"log": log_text(Header(MATCH_ID, match.setup, (), match.by, self.position), match)}

    def _position(self) -> Answer:
        return _position(self.current)


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
    """One request: typed access to its fields, with errors that say what is expected."""

    fields: dict[str, Any]

    @staticmethod
    def parse(line: str) -> _Request:
        """Return the request of a line, or raise BadRequest."""
        try:
            fields = json.loads(line)
        except ValueError as error:
            raise BadRequest(f"no JSON: {error}", hint="one JSON object a line") from None
        if not isinstance(fields, dict):
            raise BadRequest("no JSON object", hint='{"do":"games"}')
        return _Request(fields)

    def optional(self, name: str, kind: type[T]) -> T | None:
        """Return a field of that kind, None if it is missing or null."""
        value = self.fields.get(name)
        if value is None or type(value) is kind:
            return value
        raise BadRequest(f'"{name}" is no {kind.__name__}: {value!r}')

    def seconds(self) -> float | None:
        """Return how long a bot may think, in s; None if it is not said."""
        value = self.fields.get("seconds")
        if value is None or (type(value) in (int, float) and 0 <= value <= LONGEST):
            return value
        raise BadRequest(f'"seconds" is a number from 0 to {LONGEST}, not {value!r}')

    def text(self, name: str) -> str:
        """Return a text that must be there."""
        value = self.optional(name, str)
        if value is None:
            raise BadRequest(f'"{name}" is missing')
        return value

    def actor(self) -> Actor:
        """Return the actor that the request names."""
        value = self.fields.get("actor")
        if value == CHANCE:
            return CHANCE
        if type(value) is int:
            return Seat(value)
        raise BadRequest(f'"actor" is a seat or "*", not {value!r}')

    def options(self) -> dict[str, str | int]:
        """Return the options that are given, {} if none are."""
        given = self.optional("options", dict) or {}
        for name, value in given.items():
            if type(value) not in (str, int):
                raise BadRequest(f'option "{name}" is neither text nor a whole number')
        return given

    def by(self, seats: int) -> Seats | None:
        """Return whose eyes the request names ([]: a spectator's); None if it names none."""
        given = self.optional("by", list)
        if given is None:
            return None
        if any(type(seat) is not int or not 0 <= seat < seats for seat in given):
            raise BadRequest(f'"by" lists seats from 0 to {seats - 1}, not {given!r}')
        return frozenset(map(Seat, given))
