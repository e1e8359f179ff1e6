"""The base of both tournament machines: connections and time; pure."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import Any, Generic, Self, TypeVar

from kumite.core.game import SPECTATOR
from kumite.net.session import events, links
from kumite.net.session.events import Close
from kumite.net.session.state import Link, Reaction, Session
from kumite.net.wire import messages
from kumite.net.wire.fields import Frozen


class State(Frozen):
    """The state of a tournament program."""

    door: Session  # holds the connections

    @property
    def is_closed(self) -> bool:
        return self.door.is_closed


S = TypeVar("S", bound=State)


class Machine(ABC, Generic[S]):
    """A state machine like a session's (net/session/session.py); one instance per reaction."""

    def __init__(self, state: S, now: float) -> None:
        self.state, self.r = state, Reaction(state.door, now, [])
        self.ears = links.Ears(self._sealed, self._hear)

    @classmethod
    def begin(cls, state: S, now: float) -> tuple[S, tuple[Any, ...]]:
        return cls(state, now)._first()._done()

    @classmethod
    def react(cls, state: S, given: Any, now: float) -> tuple[S, tuple[Any, ...]]:
        """React to an input; never raises, whatever the other side sends."""
        if state.is_closed:
            return state, (Close(given.link),) if isinstance(given, events.Opened) else ()
        machine = cls(state, now)
        r = machine.r
        if links.stood_still(r, cls.deadline(state)):
            links.on_time(r, links.timers(r.s))
        match given:
            case events.Opened() | events.Heard() | events.LineLost() | events.Unreached():
                links.take(r, given, machine.ears)
            case events.Tick():
                links.on_time(r, links.timers(r.s))
            case events.Failed(error):
                r.end(events.Stopped.by(error))
            case events.Order.DEPART | events.Order.VANISH:
                for one in r.s.links if given is events.Order.DEPART else ():
                    r.send(one.number, messages.Bye())
                r.end(events.Left(SPECTATOR, is_closed=True, is_ours=True))
            case _:
                machine._command(given)
        return machine._done()

    @staticmethod
    def deadline(state: S) -> float | None:
        """Return when a Tick is due, None if never."""
        times = () if state.is_closed else (at for at, _ in links.timers(state.door))
        return min(times, default=None)

    def _set(self, **changes: Any) -> None:
        self.state = replace(self.state, **changes)

    def _first(self) -> Self:
        return self

    @abstractmethod
    def _sealed(self, r: Reaction, link: Link) -> None:
        """Handle a connection whose other side has proved the code or its key."""

    def _hear(self, r: Reaction, link: Link, message: messages.Message) -> None:
        """Handle a message; raise BadData if its parts contradict each other."""
        match message:
            case messages.Ping(beat):
                r.send(link.number, messages.Pong(beat))
            case messages.Pong():
                pass
            case _:
                self._take(link, message)

    @abstractmethod
    def _take(self, link: Link, message: messages.Message) -> None:
        """Handle a message about the tournament."""

    @abstractmethod
    def _command(self, given: Any) -> None:
        """Carry out a local command."""

    def _done(self) -> tuple[S, tuple[Any, ...]]:
        return replace(self.state, door=self.r.s), tuple(self.r.effects)
