"""The ways to open the network side of a LAN table or a tournament."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from kumite.core.errors import KumiteError
from kumite.core.game import SPECTATOR, Seats
from kumite.store import guest_mode, log_files

if TYPE_CHECKING:
    from kumite.net.session import events
    from kumite.net.tournament.state import TicketFile, TournamentFile
    from kumite.net.transport.peer import Peer
    from kumite.net.transport.tournament_peer import PlayerPeer


Deliver: TypeAlias = "Callable[[events.Event], object]"
Opening: TypeAlias = "Callable[[Deliver], Peer]"
"""Opens the network side of a table; events are delivered in the network's thread.

Raises KumiteError for errors that are known before connecting.
"""
PlayerOpening: TypeAlias = "Callable[[Deliver], PlayerPeer]"


def hosting(table: events.HostSetup, name: str, port: int | None = None) -> Opening:
    """Host a table, on the usual port by default; guests of a server take any free port."""
    from kumite.net.transport.peer import Peer

    place = usual_port() if port is None else port
    return lambda deliver: Peer.host(table, name, deliver, port=place, mdns=())


def usual_port() -> int:
    from kumite.net.transport.addresses import PORT

    return 0 if guest_mode.is_guest() else PORT


def joining(
    addresses: Sequence[str],
    port: int,
    code: str,
    name: str,
    seats: Seats | None = SPECTATOR,
    is_open: bool = True,
) -> Opening:
    """Join a table in `seats`, any if empty; None: look on. `is_open`: see `events.HostSetup`."""
    from kumite.net.transport.peer import Peer
    from kumite.net.wire.messages import WATCH

    first, *others = addresses
    how: dict[str, Any] = {"what": WATCH}
    if seats is not None:
        how = {"seats": seats, "count": len(seats) or 1, "is_open": is_open}
    return lambda deliver: Peer.join(
        first, port, code, name, deliver, others=others, mdns=(), **how
    )


def entering(
    addresses: Sequence[str], port: int, code: str, name: str, *, plays: bool = True
) -> PlayerOpening:
    from kumite.net.transport.tournament_peer import PlayerPeer

    where = addresses, port, code, name
    return lambda deliver: PlayerPeer(*where, deliver, mdns=(), plays=plays)


def returning(ticket: TicketFile) -> PlayerOpening:
    """Return to a tournament, and to our match there."""
    from kumite.net.transport.tournament_peer import PlayerPeer

    return lambda deliver: PlayerPeer((), 0, "", ticket.name, deliver, mdns=(), ticket=ticket)


def ticket_of(log: Path) -> TicketFile | None:
    """Return the ticket of the tournament in which a match was played, if any."""
    from kumite.net.transport import tournament_files

    return tournament_files.of_match(log)


def organised(ticket: TicketFile) -> TournamentFile | None:
    """Return the unfinished tournament of a ticket if it is ours to open again."""
    from kumite.net.transport import tournament_files

    for one, _ in tournament_files.hosted()[0]:
        if one.welcome.tournament_id == ticket.tournament_id and not one.tournament.is_over:
            return one
    return None


def hosted_as(log: Path) -> str | None:
    """Return the name under which to announce a match again; None: unlisted, or not ours."""
    from kumite.net.transport import journal

    with suppress(KumiteError, OSError, StopIteration):  # opening the match says why
        more = log_files.load(log).header.extra
        table = next(one for one in more if one.startswith("table "))
        credentials, begins = journal.beginning(log.with_name(table.removeprefix("table ")))
        is_ours = credentials.is_listed and not credentials.ticket
        return begins.roster.who(0) if is_ours else None
    return None


def resuming(path: Path, at: tuple[str, int] | None = None) -> Opening:
    """Resume a match from its log; `at` is the host's address now, if it has moved."""
    from kumite.net.transport.peer import Peer

    return lambda deliver: Peer.resume(path, deliver, at, mdns=())
