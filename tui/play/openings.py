"""The network's side of a LAN table, as far as the table knows it, and the ways to open one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias

from kumite.core.game import SPECTATOR
from kumite.store import house

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from kumite.core.game import Actor, Seat, Seats, Step
    from kumite.core.tournament.event import Result
    from kumite.net.hall.board import Terms
    from kumite.net.hall.records import HallKept
    from kumite.net.hall.talk import HallEvent
    from kumite.net.session import events, inputs
    from kumite.net.wire.hall import HallTable, Reported


class Peer(Protocol):
    """The network's side of a table: a peer of net/transport, or what a test puts in its place.

    All methods return at once; answers are events.
    """

    @property
    def path(self) -> Path | None:
        """Return where the log file is, None before the match has begun."""

    def ready(self, is_ready: bool = True) -> None:
        """Say in the lobby whether we are ready."""

    def start(self) -> None:
        """Begin the match (host)."""

    def take_seat(self, seat: Seat) -> None:
        """Move to another seat in the lobby."""

    def rename(self, name: str) -> None:
        """Be called otherwise, in the lobby."""

    def draw_seats(self) -> None:
        """Have all seats drawn by lot in the lobby (host)."""

    def new_code(self) -> None:
        """Take another code (host)."""

    def play(self, seat: Actor, step: Step) -> None:
        """Make a step."""

    def say(self, text: str) -> None:
        """Say something to all."""

    def resign(self, seat: Seat) -> None:
        """Give up."""

    def offer(self, kind: str, number: int = 0) -> None:
        """Offer something that needs everybody's yes."""

    def answer(self, is_yes: bool) -> None:
        """Answer the offer that stands."""

    def leave(self) -> None:
        """Leave the table."""

    def close(self) -> None:
        """Stop the network."""


class Opening(Protocol):
    """Makes the network's side of a table."""

    def __call__(self, deliver: Callable[[events.Event], object]) -> Peer:
        """Open it; events go to `deliver`, in the network's thread.

        Raises:
            KumiteError: what is wrong at once, before anything is tried.
        """


def hosting(table: inputs.HostSetup, name: str, port: int | None = None) -> Opening:
    """Open a table of ours; without a port, where others look first.

    At a house there are several: each takes any port that is free.
    """
    from kumite.net.transport.peer import Peer

    place = _usual_port() if port is None else port
    return lambda deliver: Peer.host(table, name, deliver, port=place, mdns=())


def _usual_port() -> int:
    from kumite.net.transport.addresses import PORT

    return 0 if house.is_guest() else PORT


def joining(
    addresses: Sequence[str],
    port: int,
    code: str,
    name: str,
    seats: Seats = SPECTATOR,
    is_open: bool = True,
) -> Opening:
    """Go to somebody's table, to the seats wished for or any; `is_open`: see `events.HostSetup`."""
    from kumite.net.transport.peer import Peer

    wish, count = tuple(sorted(seats)), len(seats) or 1
    first, *others = addresses
    return lambda deliver: Peer.join(
        first,
        port,
        code,
        name,
        deliver,
        others=others,
        seats=wish,
        count=count,
        is_open=is_open,
        mdns=(),
    )


def watching(addresses: Sequence[str], port: int, code: str, name: str) -> Opening:
    """Look on at somebody's table."""
    from kumite.net.transport.peer import Peer

    first, *others = addresses
    return lambda deliver: Peer.watch(first, port, code, name, deliver, others=others, mdns=())


class HallPeer(Protocol):
    """The network's side of a hall, for both who organise and who play."""

    def leave(self) -> None:
        """Leave the hall."""

    def close(self) -> None:
        """Stop the network."""


class Desk(HallPeer, Protocol):
    """The organiser's."""

    def start_round(self) -> None:
        """Begin the next round."""

    def decide(self, place: int, result: Result) -> None:
        """Decide a match of this round."""

    def set_presence(self, player: int, is_in: bool) -> None:
        """Let somebody take part in rounds to come, or no longer."""

    def new_code(self) -> None:
        """Take another code."""


class Entry(HallPeer, Protocol):
    """A player's."""

    @property
    def last_match(self) -> tuple[int, int, str]:
        """Return round and place of our last match here, and the name of its log."""

    def open_table(self, table: HallTable) -> None:
        """Say where the table of our match is."""

    def report(self, report: Reported) -> None:
        """Say how our match has ended."""

    def keep_log(self, round_: int, place: int, log: str) -> None:
        """Note in which log our match of this round is."""


HallDeliver: TypeAlias = "Callable[[HallEvent], object]"
DeskOpening: TypeAlias = "Callable[[HallDeliver], Desk]"
HallOpening: TypeAlias = "Callable[[HallDeliver], Entry]"


def organising(
    terms: Terms, system: str, length: int, port: int | None = None, bot: str = ""
) -> DeskOpening:
    """Open the hall of a tournament; without a port, as `hosting` does. `bot` is kept for it."""
    from kumite.net.transport.hall_peer import OrganiserPeer

    place = _usual_port() if port is None else port
    return lambda deliver: OrganiserPeer.open(
        terms, system, length, deliver, port=place, mdns=(), bot=bot
    )


def organising_again(kept: HallKept, port: int | None = None, bot: str = "") -> DeskOpening:
    """Open the hall of a tournament that was kept; without a port, where it was.

    At a house that one may be another guest's by now.
    """
    from kumite.net.transport.hall_peer import OrganiserPeer

    place = _usual_port() if port is None and house.is_guest() else port
    return lambda deliver: OrganiserPeer.resume(kept, deliver, port=place, mdns=(), bot=bot)


def entering(addresses: Sequence[str], port: int, code: str, name: str) -> HallOpening:
    """Enter the hall of a tournament."""
    from kumite.net.transport.hall_peer import GuestPeer

    return lambda deliver: GuestPeer.enter(addresses, port, code, name, deliver, mdns=())


def resuming(path: Path, at: tuple[str, int] | None = None) -> Opening:
    """Go on with a match from its log; `at`: where the host is now, if it has moved."""
    from kumite.net.transport.peer import Peer

    return lambda deliver: Peer.resume(path, deliver, at, mdns=())
