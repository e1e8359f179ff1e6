"""A LAN table as the screens see it: the match, who sits where, and what the network tells.

The network has its own thread and never waits for us; what it tells is heard in the app's thread.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message

from core.errors import IllegalStep, KumiteError, LocalError
from net import events
from net.addresses import PORT
from net.peer import Peer

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from core.game import Actor, Seat, Seats, Step
    from core.log import End
    from core.match import Match


class Heard(Message):
    """The network told something about a table; the app's thread takes it in."""

    def __init__(self, table: LanTable, event: events.Event) -> None:
        super().__init__()
        self.table, self.event = table, event


class LanTable:
    """One terminal's side of a match over the network."""

    def __init__(self, post: Callable[[Message], object]) -> None:
        """Use `host` or `join`; `post` puts a message into the app's queue without waiting."""
        self._post = post
        self.listener: Callable[[events.Event], None] = lambda _: None  # the screen on top
        self._peer: Peer | None = None
        self._match: Match | None = None
        self.names: tuple[str, ...] = ()
        self.mine: Seats = frozenset()
        self.end: End | None = None
        self.quiet = ""  # what there is to say about a silent line
        self.closed = False  # the last event has come
        self.path: Path | None = None

    @classmethod
    def host(
        cls, table: events.Table, name: str, post: Callable[[Message], object], port: int = PORT
    ) -> LanTable:
        """Open a table and wait for somebody.

        Raises:
            BadSetup: this match cannot be played over the LAN.
        """
        made = cls(post)
        made._peer = Peer.host(table, name, made._deliver, port=port)
        return made

    @classmethod
    def join(
        cls, address: str, port: int, code: str, name: str, post: Callable[[Message], object]
    ) -> LanTable:
        """Go to somebody's table.

        Raises:
            BadCode: that is no code.
        """
        made = cls(post)
        made._peer = Peer.join(address, port, code, name, made._deliver)
        return made

    def _deliver(self, event: events.Event) -> None:
        """Bring an event out of the network's thread."""
        self._post(Heard(self, event))

    @property
    def match(self) -> Match:
        """Return the match; there is none before `Began`."""
        if self._match is None:
            raise LocalError("the match has not begun")
        return self._match

    @property
    def peer(self) -> Peer:
        """Return the network's side."""
        assert self._peer is not None
        return self._peer

    @property
    def eyes(self) -> Seats:
        """Return our seats."""
        return self.mine

    @property
    def awaited(self) -> Seat | None:
        """Return nobody: all of our seats sit at this screen."""
        return None

    def uncover(self) -> None:
        """Do nothing: there is no cover."""

    def cover(self) -> None:
        """Do nothing, for the same reason."""

    def hear(self, event: events.Event) -> None:
        """Take in what the network tells, then let the screen know."""
        self._note(event)
        self.listener(event)

    def _note(self, event: events.Event) -> None:
        match event:
            case events.Began():
                self._match, self.mine = event.match, event.seats
                self.names = event.header.names
                self.path = self.peer.path
            case events.MatchChanged():
                self._match = event.match
            case events.SeatMoved():
                self.mine = event.seats
            case events.Quiet() | events.Away():
                self.quiet = event.text
            case events.HeardAgain():
                self.quiet = ""
            case events.Ended():
                self.end = event.end
            case events.Left():
                self.closed = event.is_closed
            case events.Stopped():
                self.closed = True
            case _:
                pass

    def play(self, actor: Actor, step: Step) -> None:
        """Ask the network to make a step; the answer is an event."""
        if self.closed:
            raise IllegalStep("the table is closed", hint="q leaves; the match is saved")
        match = self.match
        match.play(actor, step)  # so that a mistake is explained at once
        self.peer.play(actor, step)

    def take_back(self) -> None:
        """Refuse: the other side would have to agree."""
        raise KumiteError("nothing can be taken back over the LAN yet")

    def resign(self) -> None:
        """Give up for our first seat."""
        self.peer.resign(min(self.mine))

    def close(self) -> None:
        """Leave politely and stop the network."""
        if self._peer is not None:
            self._peer.close()
