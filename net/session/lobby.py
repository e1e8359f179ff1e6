"""Before the match: who is there, who plays which seat, and the keys of all; pure.

joiner                        host
                        ←     Invite            the table, and a ticket to come back with
Sit (seats, hash of keys) →                     or Watch
                        ←     There             to all, after every change
Ready                   →
                        ←     Bound             the hashes of all keys: none can change now
PublicKeys              →
                        ←     Begin             the roster with all keys
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from kumite.core import codes
from kumite.core.game import Seat
from kumite.core.text import clean
from kumite.net.crypto import boxes, keys
from kumite.net.replica.records import Ticket
from kumite.net.replica.roster import Roster, Terminal
from kumite.net.session import doorway, events, notices, replication, seating, watching
from kumite.net.session.effects import Keep
from kumite.net.session.inputs import DrawSeats, Rename, TakeSeat
from kumite.net.session.state import Place, Stage, cleaned, persons
from kumite.net.wire import fields, messages

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kumite.core.game import Seats
    from kumite.net.session.state import Link, Reaction, Session

MAX_WATCHERS: Final = 24  # at the same time
MAX_PLACES: Final = messages.MAX_GUESTS - 1  # the host is a guest, too


def free_seats(s: Session, but: int = -1) -> list[Seat]:
    """Return the seats that nobody has taken, or only the terminal with ticket `but`."""
    assert s.table is not None
    taken = set(s.table.seats).union(*(one.seats for one in s.places if one.ticket != but))
    return [Seat(seat) for seat in range(s.table.setup.seats) if seat not in taken]


def names(s: Session) -> tuple[str, ...]:
    """Return the names by seat, as they are if the match begins now."""
    assert s.table is not None
    called = seating.called(s)
    given = {seat: called[one.ticket] for one in s.places for seat in one.seats}
    found = []
    for seat in range(s.table.setup.seats):
        own = s.table.names[seat] if seat < len(s.table.names) else ""
        found.append(given.get(Seat(seat)) or own or s.name)
    return tuple(map(cleaned, found))


def show(r: Reaction) -> None:
    """Tell everybody who is there."""
    s = r.s
    assert s.table is not None
    if s.is_rematch:
        return
    called = seating.called(s)
    guests = [(called[0], tuple(sorted(s.table.seats)), 1)]
    guests += [
        (called[one.ticket], tuple(sorted(one.seats)), int(one.is_ready)) for one in s.places
    ]
    free = tuple(free_seats(s))
    for number, place in enumerate(s.places, 1):
        link = s.link_of(place.ticket)
        if link is not None and link.stage is Stage.SEATED:
            r.send(link.number, messages.There(tuple(guests), number, names(s), free))
    table = s.table
    notices.lobby(r, table.setup, guests, 0, names(s), free, table.clock or (), table.gone)


def invite(r: Reaction, link: Link) -> None:
    """Offer the table to a terminal that has proved the code, or has come back to the lobby."""
    s = r.s
    assert s.table is not None
    assert s.credentials is not None
    if not link.ticket:
        r.set(tickets=s.tickets + 1)
        link = r.put(link, ticket=r.s.tickets)
    r.put(link, invites=link.invites + 1)
    setup = s.table.setup
    r.send(
        link.number,
        messages.Invite(
            s.program,
            s.credentials.match_id,
            setup.game.ID,
            setup.game.RULES,
            setup.seats,
            tuple(sorted(setup.options.items())),
            s.table.clock or (),
            int(s.table.has_watchers),
            link.ticket,
            s.table.gone,
        ),
    )


def hear(r: Reaction, link: Link, message: messages.Message) -> None:
    """React to a joiner that is not in the match."""
    place = r.s.place(link.ticket)
    is_open = r.s.live is None or r.s.is_rematch
    if link.invites and isinstance(message, messages.Sit | messages.Watch):
        link = r.put(link, invites=link.invites - 1)
    if link.invites and not isinstance(message, messages.PublicKeys):
        return  # it answers an invitation after which another was sent
    match message:
        case messages.Sit() if link.what != messages.WATCH and is_open:
            _sit(r, link, message)
        case messages.Watch() if link.what != messages.JOIN and not (place and place.seats):
            _watch(r, link, message)
        case messages.Talk(_, text) if place is not None and is_open:
            talk(r, link.ticket, text)
        case messages.Ready(is_ready) if place is not None and is_open:
            r.put_place(replace(place, is_ready=bool(is_ready)))
            show(r)
        case messages.PublicKeys(verify_key, box_key) if place is not None and is_open:
            if not r.s.is_beginning:
                pass  # they were on their way when somebody else was lost
            elif _is_bound(place, verify_key, box_key):
                r.put_place(replace(place, keys=(verify_key, box_key)))
                _begin_if_all(r)
            else:
                _leave(r, link)
        case _:
            _leave(r, link)


def _is_bound(place: Place, verify_key: bytes, box_key: bytes) -> bool:
    """Return whether a terminal is bound to these keys, and boxes can be made for it."""
    is_same = keys.binding((verify_key, box_key)) == place.bound
    return is_same and boxes.is_public(box_key)


def arrange(r: Reaction, given: TakeSeat | Rename | DrawSeats) -> None:
    """Do what the host's people want about seats and names."""
    begin_anew(r)
    match given:
        case TakeSeat(seat):
            seating.take(r, seat)
        case Rename(name) if persons(name):
            assert r.s.credentials is not None
            fresh = replace(r.s.credentials, name=persons(name))
            assert r.s.table is not None
            old = r.s.name
            names = tuple(persons(name) if one == old else one for one in r.s.table.names)
            r.set(name=persons(name), credentials=fresh, table=replace(r.s.table, names=names))
        case DrawSeats():
            seating.draw(r)
        case _:
            pass
    show(r)


def talk(r: Reaction, ticket: int, text: str) -> None:
    """Pass on what somebody says before the match (0: the host), to all and our people."""
    said = clean(text, fields.MAX_SAY)
    if not said or not doorway.is_in_pace(r, doorway.TALKING, str(ticket)):
        return
    tickets = [0, *(one.ticket for one in r.s.places)]
    for link in r.s.links:
        if link.stage is Stage.SEATED:
            r.send(link.number, messages.Talk(tickets.index(ticket), said))
    r.tell(events.Talked(seating.called(r.s)[ticket], said))


def _make_room(r: Reaction) -> None:
    """Forget watchers that have gone: a table has no more guests than it can show."""
    gone = [one for one in r.s.places if not one.seats and r.s.link_of(one.ticket) is None]
    many = len(r.s.places) - MAX_PLACES + 1
    if many > 0:
        r.set(places=tuple(one for one in r.s.places if one not in gone[:many]))


def _leave(r: Reaction, link: Link) -> None:
    """Let somebody in the lobby go."""
    r.drop(link.number)
    lost(r, link, is_for_good=True)


def lost(r: Reaction, link: Link, *, is_for_good: bool = False) -> None:
    """Take somebody's place away (later, if they may come back)."""
    place = r.s.place(link.ticket)
    if place is None or r.s.link_of(link.ticket) is not None:
        return
    if is_for_good and not r.s.is_rematch:
        r.set(places=tuple(one for one in r.s.places if one.ticket != link.ticket))
    else:
        r.put_place(replace(place, is_ready=False, bound=b"", gone_at=r.now))
    if place.seats:
        begin_anew(r)
    show(r)


def begin_anew(r: Reaction) -> None:
    """Offer the table once more to all if it was about to begin: keys that were seen are used up.

    A terminal that has seen all keys could choose new ones of its own until the three words fit.
    """
    if not r.s.is_beginning:
        return
    assert r.s.credentials is not None
    fresh = replace(r.s.credentials, match_id=r.draw("match").hex()[:16], seed=r.draw("seed"))
    r.set(is_beginning=False, credentials=fresh)
    for place in r.s.places:
        r.put_place(replace(place, is_ready=r.s.is_rematch, bound=b"", keys=None))
    for link in r.s.links:
        if link.stage >= Stage.SEALED:
            invite(r, link)


def on_time(r: Reaction, limit: float) -> None:
    """Free the places of those who have been gone for `limit` s."""
    if r.s.is_rematch or r.s.live is not None:
        return
    kept = tuple(one for one in r.s.places if one.gone_at is None or r.now < one.gone_at + limit)
    if len(kept) < len(r.s.places):
        r.set(places=kept)
        show(r)


def _sit(r: Reaction, link: Link, sit: messages.Sit) -> None:
    if r.s.is_beginning:
        begin_anew(r)
        return
    s = r.s
    place = s.place(link.ticket)
    if s.is_rematch and place is not None:
        seats = place.seats
    else:
        seating.exchange(r, link.ticket, sit.seats)
        s = r.s
        free = free_seats(s, link.ticket)
        wished = [seat for seat in sit.seats if seat in free]
        mine = place.seats if place is not None else frozenset()
        others = sorted((one for one in free if one not in wished), key=lambda one: one not in mine)
        count = max(1, len(sit.seats) or sit.count)
        seats = frozenset([*wished, *others][:count])
    if not seats:
        r.send(link.number, messages.Decline(codes.FULL))
        r.drop(link.number)
        return
    key = link.key or (place.key if place else b"")
    _make_room(r)
    r.put_place(Place(link.ticket, key, sit.name, seats, s.is_rematch, sit.bound))
    r.put(link, stage=Stage.SEATED)
    show(r)
    if s.is_rematch and all(one.bound for one in r.s.places if one.seats):
        start(r)


def _watch(r: Reaction, link: Link, watch: messages.Watch) -> None:
    place = r.s.place(link.ticket)
    others = [one for one in r.s.places if not one.seats and one.ticket != link.ticket]
    here = [one for one in others if r.s.link_of(one.ticket) is not None]
    is_playing = r.s.live is not None and not r.s.is_rematch
    if len(here) >= MAX_WATCHERS or (is_playing and not watching.may_come(r, link)):
        r.send(link.number, messages.Decline(codes.CROWDED))
        r.drop(link.number)
        return
    key = link.key or (place.key if place else b"")
    _make_room(r)
    r.put_place(Place(link.ticket, key, watch.name, frozenset(), True))
    link = r.put(link, stage=Stage.SEATED)
    if is_playing:
        r.do(Keep(Ticket(link.ticket, None, key, watch.name)))
        replication.admit(r, link)
    else:
        show(r)


def why_not(s: Session) -> str:
    """Say why the match cannot begin; empty if it can."""
    players = [one for one in s.places if one.seats]
    if not players:
        return "nobody else is here to play"
    if not all(one.is_ready for one in players):
        waits = ", ".join(one.name or "somebody" for one in players if not one.is_ready)
        return f"not ready yet: {waits}"
    return ""


def start(r: Reaction) -> None:
    """Have all keys bound, then shown, then begin; or say why not."""
    if reason := why_not(r.s):
        r.tell(events.NotDone(codes.NOT_READY, reason, "wait for them"))
        return
    if r.s.is_beginning:
        return
    assert r.s.credentials is not None
    players = [one for one in r.s.places if one.seats]
    own = keys.binding(boxes.public_keys(r.s.credentials.seed))
    hashes = (own, *(one.bound for one in players))
    r.set(is_beginning=True)
    for one in players:
        link = r.s.link_of(one.ticket)
        if link is not None:
            r.send(link.number, messages.Bound(hashes))


def _begin_if_all(r: Reaction) -> None:
    s = r.s
    players = [one for one in s.places if one.seats]
    if not all(one.keys for one in players):
        return
    assert s.table is not None
    assert s.credentials is not None
    setup, by_seat = s.table.setup, names(s)
    host_seats = frozenset(free_seats(s)) | s.table.seats
    terminals = [Terminal(s.name, host_seats, *boxes.public_keys(s.credentials.seed))]
    for one in players:
        assert one.keys is not None
        terminals.append(Terminal(one.name, one.seats, *one.keys))
    roster = Roster(s.credentials.match_id, setup, by_seat, tuple(terminals), s.table.clock)
    roster = roster.ruled(s.table.gone)
    roster.check()
    r.set(is_beginning=False, is_rematch=False)
    r.do(Keep(s.credentials))
    number_of = {one.ticket: number for number, one in enumerate(players, 1)}
    for one in s.places:
        r.put_place(replace(one, terminal=number_of.get(one.ticket)))
        name = "" if one.seats else one.name
        r.do(Keep(Ticket(one.ticket, number_of.get(one.ticket), one.key, name)))
    replication.begin(r, roster, 0)
    for one in r.s.places:
        link = r.s.link_of(one.ticket)
        if link is not None:
            replication.admit(r, link)
    replication.advance(r)


# --- The next match ---------------------------------------------------------------------------


def rematch(r: Reaction) -> None:
    """Invite everybody to the next match, once all want it and this one is audited (host)."""
    live = r.s.live
    if live is None or r.s.is_closed or r.s.is_rematch or not r.s.is_host:
        return
    ledger = live.ledger
    if ledger.wants_rematch and ledger.is_over and ledger.is_signed and live.is_audited:
        _invite_again(r)


def _invite_again(r: Reaction) -> None:
    """Invite everybody once more, every terminal one seat further on."""
    s, live = r.s, r.live
    assert s.table is not None
    assert s.credentials is not None
    count, roster = s.table.setup.seats, live.ledger.roster
    names = tuple(roster.names[(seat - 1) % count] for seat in range(count))
    fresh = replace(s.credentials, match_id=r.draw("match").hex()[:16], seed=r.draw("seed"))
    r.set(
        table=replace(s.table, names=names, seats=_moved(roster.terminals[0].seats, count)),
        credentials=fresh,
        is_rematch=True,
    )
    for place in s.places:
        seats = roster.terminals[place.terminal].seats if place.terminal is not None else ()
        r.put_place(replace(place, seats=_moved(seats, count), bound=b"", keys=None))
        link = r.s.link_of(place.ticket)
        if link is not None:
            invite(r, r.put(link, stage=Stage.SEALED))


def _moved(seats: Iterable[Seat], count: int) -> Seats:
    return frozenset(Seat((seat + 1) % count) for seat in seats)
