"""Who sits where before the match, and what all are called (host); pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from kumite.core.game import Seat
from kumite.net.session.state import persons

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kumite.core.game import Seats
    from kumite.net.session.state import Reaction, Session

HOST = 0  # where others have a ticket


def called(s: Session) -> dict[int, str]:
    """Return the names of all by ticket: of several that are called the same, who is who."""
    given = {HOST: s.name, **{one.ticket: one.name for one in s.places}}
    found = dict(given)
    for name in set(given.values()):
        same = sorted(ticket for ticket, one in given.items() if one == name)
        guests = [ticket for ticket in same if ticket != HOST]
        for number, ticket in enumerate(guests, 1):
            if len(same) > 1:
                found[ticket] = f"{name} (guest{f' {number}' if len(guests) > 1 else ''})".strip()
        if len(same) > 1 and HOST in same:
            found[HOST] = f"{name} (host)".strip()
    return {ticket: persons(name) for ticket, name in found.items()}


def exchange(r: Reaction, ticket: int, wished: Iterable[Seat]) -> None:
    """Exchange the first seat of somebody with one of another guest, unless that one is ready."""
    mine = sorted(_seats(r.s, ticket))
    for seat in wished:
        owner = next((one for one in r.s.places if seat in one.seats), None)
        if mine and owner is not None and owner.ticket != ticket and not owner.is_ready:
            _move(r, {mine[0]: seat, seat: mine[0]})
            return


def take(r: Reaction, seat: Seat) -> None:
    """Let the host's people move to a seat that is free, or whose player is not ready yet."""
    assert r.s.table is not None
    mine = sorted(r.s.table.seats)
    owner = next((one for one in r.s.places if seat in one.seats), None)
    if 0 <= seat < r.s.table.setup.seats and seat not in mine and not (owner and owner.is_ready):
        _move(r, {mine[0]: seat, seat: mine[0]})


def draw(r: Reaction) -> None:
    """Draw all seats by lot; everybody says anew whether they are ready."""
    assert r.s.table is not None
    seats = [Seat(one) for one in range(r.s.table.setup.seats)]
    drawn = list(seats)
    r.rng("seats").shuffle(drawn)
    _move(r, dict(zip(seats, drawn, strict=True)))
    for place in r.s.places:
        r.put_place(replace(place, is_ready=not place.seats))


def _seats(s: Session, ticket: int) -> Seats:
    assert s.table is not None
    place = s.place(ticket)
    return s.table.seats if ticket == HOST else place.seats if place else frozenset()


def _move(r: Reaction, to: Mapping[Seat, Seat]) -> None:
    """Let whoever sits on a seat sit on another one, with the names that the host gave."""
    table = r.s.table
    assert table is not None
    names = list(table.names)
    for one, other in to.items():
        names[other] = table.names[one]
    moved = frozenset(to.get(one, one) for one in table.seats)
    r.set(table=replace(table, seats=moved, names=tuple(names)))
    for place in r.s.places:
        seats = frozenset(to.get(one, one) for one in place.seats)
        if seats != place.seats:
            r.put_place(replace(place, seats=seats))
