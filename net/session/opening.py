"""How a session begins: a table is opened, joined, or resumed from what was kept; pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from kumite.core.errors import BadData
from kumite.core.game import Seat
from kumite.core.games import GAMES
from kumite.net.crypto import pairing
from kumite.net.replica.records import Credentials, Later, MatchStart, Secret, Ticket
from kumite.net.session import replication, succession
from kumite.net.session.inputs import HostSetup
from kumite.net.session.state import Place, Reaction, Session, Succession, cleaned, persons
from kumite.net.wire import messages
from kumite.net.wire.posts import Post

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kumite.core.game import Game
    from kumite.net.replica.records import Record
    from kumite.net.replica.roster import Roster


def host(given: HostSetup, name: str, program: str, entropy: bytes, **more: Any) -> Session:
    """Return the session of a host whose table waits for others.

    Raises:
        BadSetup: the table cannot be played between terminals.
    """
    given.check()
    padded = (*given.names, *("" for _ in range(given.setup.seats)))[: given.setup.seats]
    shown = replace(given, names=tuple(map(cleaned, padded)))
    r = Reaction(Session(program, entropy, persons(name), table=shown, **more), 0.0, [])
    match_id = r.draw("match").hex()[:16]
    kept = Credentials(match_id, match_id, 0, b"", r.draw("seed"), given.is_open, r.s.name)
    r.set(
        code=pairing.new_code(r.rng("code")),
        credentials=replace(kept, has_watchers=given.has_watchers),
    )
    return r.s


def join(
    code: str,
    name: str,
    program: str,
    entropy: bytes,
    *,
    what: str = messages.JOIN,
    seats: Iterable[Seat] = (),
    count: int = 1,
    is_open: bool = True,
    games: Mapping[str, Game[Any]] = GAMES,
    **more: Any,
) -> Session:
    """Return the session of a joiner (or watcher) who is about to connect.

    Raises:
        BadCode: it is no code.
    """
    known = pairing.parse_code(code)
    wish = (tuple(sorted(seats)), count)
    return Session(program, entropy, persons(name), what, known, wish, is_open, games=games, **more)


def resume(records: Iterable[Record], program: str, entropy: bytes, **more: Any) -> Session:
    """Return the session of a terminal that goes on from what it has kept.

    Raises:
        KumiteError: the records are not those of a match.
    """
    first, *rest = records
    if not isinstance(first, Credentials):
        raise BadData("the file of a table begins with how to come back to it")
    s = Session(program, entropy, first.name, credentials=first, wish=(first.seats, 1), **more)
    r = Reaction(s, 0.0, [])
    r.set(what=messages.JOIN)
    is_host = first.ticket == 0
    begins = [one for one in rest if isinstance(one, MatchStart)]
    if not begins:
        if is_host:
            raise BadData("this table was closed before its match began")
        return r.s
    roster, me = begins[-1].roster, begins[-1].me
    if is_host:
        _open_again(r, first, roster, [one for one in rest if isinstance(one, Ticket)])
    elif me is None:
        r.set(what=messages.WATCH)
    kept = [one for one in rest if isinstance(one, Secret | Post | Later)]
    replication.restore(r, roster, me, kept)
    r.set(leads_to=r.s.host)
    if not is_host and me is not None:
        _carry_on(r, me, [one for one in rest if isinstance(one, Ticket)])
    return r.s


def _carry_on(r: Reaction, me: int, tickets: list[Ticket]) -> None:
    """Be the host again that this terminal has become, or was about to become."""
    offer = r.live.ledger.offer
    if r.s.host == me:
        succession.lead(r)
        _let_in_again(r, tickets)
    elif offer is not None and offer.author == me and succession.is_posted(r.s):
        succession.lead(r)
        r.set(succession=Succession(offer.number, me, frozenset({me}), is_posted=True))


def _let_in_again(r: Reaction, tickets: list[Ticket]) -> None:
    """Know those again who have come since to look on."""
    for one in tickets:
        r.put_place(_place(one, r.live.roster))
        r.set(tickets=max(r.s.tickets, one.number))


def _open_again(
    r: Reaction, credentials: Credentials, roster: Roster, tickets: list[Ticket]
) -> None:
    """Open the table as it was, for those whose tickets were kept; of each number the last."""
    latest: dict[int, Ticket] = {}
    for one in tickets:
        latest.pop(one.number, None)  # so that it moves to the end
        latest[one.number] = one
    r.set(
        table=HostSetup(
            roster.setup,
            roster.names,
            roster.terminals[0].seats,
            roster.clock,
            credentials.has_watchers,
            credentials.is_open,
            roster.gone,
        ),
        places=tuple(_place(one, roster) for one in latest.values()),
        tickets=max(latest, default=0),
        code=pairing.new_code(r.rng("code")),
    )


def _place(ticket: Ticket, roster: Roster) -> Place:
    """Return the place of that ticket in the match; without seats, if it looks on."""
    at = ticket.terminal
    name, seats = (ticket.name, frozenset[Seat]())
    if at is not None:
        name, seats = roster.terminals[at].name, roster.terminals[at].seats
    return Place(ticket.number, ticket.key, name, seats, True, terminal=at)
