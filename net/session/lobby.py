"""Before the match, at the host: the lobby, the seats, and the exchange of keys; pure.

joiner                        host
                        ←     Invite            the table, and a ticket to return with
Sit (seats, hash of keys) →                     or Watch
                        ←     There             to all, after every change
Ready                   →
                        ←     Bound             the hashes of all keys: none can change now
PublicKeys              →
                        ←     Begin             the roster with all keys
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from kumite.core import codes
from kumite.core.game import SPECTATOR, Seat, Seats, Setup
from kumite.core.games import find, package_of
from kumite.core.players import FOR, is_person, stand_in
from kumite.core.series import Series
from kumite.core.table import outcome_end
from kumite.core.text import clean
from kumite.net.crypto import boxes, keys
from kumite.net.replica import offers
from kumite.net.replica.ledger import Ledger, OpenOffer
from kumite.net.replica.records import Credentials, Ticket
from kumite.net.replica.roster import Roster, Terminal, settled_rule
from kumite.net.session import clocks, events, handshake, replication
from kumite.net.session.events import FillSeats, Keep, Order, Rename, Seating, TakeSeat
from kumite.net.session.state import (
    GONE_AFTER,
    Link,
    Place,
    Reaction,
    Session,
    Stage,
    cleaned,
    persons,
)
from kumite.net.wire import fields, messages
from kumite.net.wire.fields import Clock
from kumite.net.wire.posts import AGAIN, SEAT, Offer

# --- Seats and names ---------------------------------------------------------------------------


HOST = 0  # the host's number where joiners have a ticket


def names_of(s: Session) -> dict[int, str]:
    """Return the names by ticket; equal names get a suffix such as "(guest 2)" or "(host)"."""
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


def _swap_seat(r: Reaction, ticket: int, wished: Iterable[Seat]) -> None:
    """Swap a guest's first seat for a wished seat of another guest, unless that one is ready."""
    place = r.s.place(ticket)
    for seat in wished:
        owner = next((one for one in r.s.places if seat in one.seats), None)
        if place and place.seats and owner and owner.ticket != ticket and not owner.is_ready:
            _swap(r, min(place.seats), seat)
            return


def _swap(r: Reaction, one: Seat, other: Seat) -> None:
    table, to = r.s.hosting.table, {one: other, other: one}
    names = tuple(table.names[to.get(Seat(at), at)] for at in range(len(table.names)))
    moved = frozenset(to.get(seat, seat) for seat in table.seats)
    r.set_host(table=replace(table, seats=moved, names=names))
    for place in r.s.places:
        r.put_place(replace(place, seats=frozenset(to.get(seat, seat) for seat in place.seats)))


# --- Joiners -----------------------------------------------------------------------------------


MAX_WATCHERS: Final = 24  # at the same time
MAX_PLACES: Final = messages.MAX_GUESTS - 1  # the host is a guest as well


def free_seats(s: Session, but: int = -1) -> list[Seat]:
    taken = set(s.hosting.table.seats).union(*(one.seats for one in s.places if one.ticket != but))
    return [Seat(seat) for seat in range(s.hosting.table.setup.seats) if seat not in taken]


def names(s: Session) -> tuple[str, ...]:
    called = names_of(s)
    given = {seat: called[one.ticket] for one in s.places for seat in one.seats}
    found = []
    for seat in range(s.hosting.table.setup.seats):
        own = s.hosting.table.names[seat] if seat < len(s.hosting.table.names) else ""
        guest = given.get(Seat(seat), "")
        if own.startswith(FOR) and own != stand_in(guest):
            guest = ""  # its bot plays on for another
        found.append(guest or own or s.name)
    return tuple(map(cleaned, found))


def show(r: Reaction) -> None:
    s = r.s
    if s.is_rematch:
        return
    table, called = s.hosting.table, names_of(s)
    guests = [messages.Guest(called[HOST], table.seats, True)]
    guests += [messages.Guest(called[one.ticket], one.seats, one.is_ready) for one in s.places]
    free = frozenset(free_seats(s))
    there = messages.There(tuple(guests), 0, names(s), free, table.has_lots)
    for number, place in enumerate(s.places, 1):
        link = s.link_of(place.ticket)
        if link is not None and link.stage is Stage.SEATED:
            r.send(link.number, replace(there, me=number))
    tell_lobby(r, table.setup, there, (table.clock, table.gone), table.series.best_of)


def tell_lobby(
    r: Reaction, setup: Setup, there: messages.There, terms: tuple[Clock | None, str], best_of: int
) -> None:
    """Show the lobby; `terms` are the clock, and the rule for players who are gone."""
    shown = there.guests, there.me, there.names, there.free
    r.tell(events.Lobby(setup, *shown, *terms, there.has_lots, best_of))


def pinged(r: Reaction, link: Link) -> None:
    """Tell how long the terminal of a link took to answer; a joiner knows only the host's."""
    if r.s.live is not None:
        return
    if r.s.is_host:
        name = names_of(r.s).get(link.ticket, "")
    else:
        name = next(iter(r.s.joining.guests), "")
    if name:
        r.tell(events.Pinged(name, max(1, round(1000 * (r.now - link.pinged)))))


def invite(r: Reaction, link: Link) -> None:
    """Offer the table to a terminal that has proved the code, or has returned to the lobby."""
    s = r.s
    if not link.ticket:
        r.set_host(tickets=s.hosting.tickets + 1)
        link = r.put(link, ticket=r.s.hosting.tickets)
    r.count(link, invites=link.counts.invites + 1)
    table, setup = s.hosting.table, s.hosting.table.setup
    game, options = setup.game, tuple(sorted(setup.options.items()))
    rules = game.ID, game.RULES, package_of(game.ID), setup.seats, options
    terms = table.clock, table.has_watchers, link.ticket, table.gone, table.series.best_of
    r.send(link.number, messages.Invite(s.program, r.credentials.match_id, *rules, *terms))


def hear_joiner(r: Reaction, link: Link, message: messages.Message) -> None:
    place = r.s.place(link.ticket)
    is_open = r.s.live is None or r.s.is_rematch
    if link.counts.invites and isinstance(message, messages.Sit | messages.Watch):
        link = r.count(link, invites=link.counts.invites - 1)
    if link.counts.invites and not isinstance(message, messages.PublicKeys):
        return  # it answers an earlier invitation
    match message:
        case messages.Sit(name) if place is not None and not place.seats and r.s.live is not None:
            _watch(r, link, messages.Watch(name))  # a bot has replaced its players
        case messages.Sit() if is_open and (link.what != messages.WATCH or (place and place.seats)):
            _sit(r, link, message)
        case messages.Watch() if link.what != messages.JOIN and not (place and place.seats):
            _watch(r, link, message)
        case messages.Say(_, text) if place is not None and is_open:
            talk(r, link.ticket, text)
        case messages.Ready(is_ready) if place is not None and is_open:
            r.put_place(replace(place, is_ready=is_ready))
            show(r)
        case messages.PublicKeys(verify_key, box_key) if place is not None and is_open:
            both = verify_key, box_key
            if not r.s.hosting.is_beginning:
                pass  # they were sent before another terminal was lost
            elif keys.binding(both) == place.bound and all(map(boxes.is_public, both)):
                r.put_place(replace(place, keys=both))
                _begin_if_all(r)
            else:
                _leave(r, link)
        case _:
            _leave(r, link)


def arrange(r: Reaction, given: Seating) -> None:
    """Change a seat or name of the host, the bot of free seats, or how seats are drawn."""
    begin_anew(r)
    table = r.s.hosting.table
    match given:
        case TakeSeat(seat):
            owner = next((one for one in r.s.places if seat in one.seats), None)
            is_free = seat not in table.seats and not (owner and owner.is_ready)
            if is_free and 0 <= seat < table.setup.seats:
                _swap(r, min(table.seats), seat)
        case Rename(text) if name := persons(text):
            called = tuple(name if one == r.s.name else one for one in table.names)
            r.set(name=name, credentials=replace(r.credentials, name=name))
            r.set_host(table=replace(table, names=called))
        case FillSeats(bot):
            filled = [name if seat in table.seats else bot for seat, name in enumerate(table.names)]
            r.set_host(table=replace(table, names=tuple(filled)))
        case Order.DRAW_SEATS:
            # The lot is drawn from everybody's keys (`Roster.by_lot`); a host alone could draw
            # until it likes the result. Joiners must confirm again that they are ready.
            r.set_host(table=replace(table, has_lots=not table.has_lots))
            for place in r.s.places:
                r.put_place(replace(place, is_ready=not place.seats))
    show(r)


def talk(r: Reaction, ticket: int, text: str) -> None:
    """Relay a chat message before the match to all guests and the local players.

    `ticket`: the speaker's; 0 for the host.
    """
    said = clean(text, fields.MAX_SAY)
    if not said or not handshake.is_in_pace(r, handshake.TALKING, str(ticket)):
        return
    tickets = [0, *(one.ticket for one in r.s.places)]
    for link in r.s.links:
        if link.stage is Stage.SEATED:
            r.send(link.number, messages.Say(tickets.index(ticket), said))
    r.tell(events.Said(said, name=names_of(r.s)[ticket]))


def _make_room(r: Reaction) -> None:
    """Forget spectators that have left, so that the table has no more guests than it can show."""
    gone = [one for one in r.s.places if not one.seats and r.s.link_of(one.ticket) is None]
    many = len(r.s.places) - MAX_PLACES + 1
    if many > 0:
        r.set_host(places=tuple(one for one in r.s.places if one not in gone[:many]))


def _leave(r: Reaction, link: Link) -> None:
    r.drop(link.number)
    lost(r, link.ticket, is_for_good=True)


def lost(r: Reaction, ticket: int, *, is_for_good: bool = False) -> None:
    """Remove a guest, or mark them as gone if they may return."""
    place = r.s.place(ticket)
    if place is None or r.s.link_of(ticket) is not None:
        return
    if is_for_good and not r.s.is_rematch:
        r.set_host(places=tuple(one for one in r.s.places if one.ticket != ticket))
    else:
        seats = place.seats
        if r.s.is_rematch and any(one.seats for one in r.s.places if one != place):
            seats -= _returned(r.s, place, r.s.hosting.table.names)  # the host's bot has them
        r.put_place(replace(place, seats=seats, is_ready=False, bound=b"", gone_at=r.now))
    if place.seats:
        begin_anew(r)
    show(r)
    _start_again(r)


def _returned(s: Session, place: Place, names: tuple[str, ...]) -> Seats:
    """Return the seats of `names` in which bots have replaced the players of a place."""
    bots = stand_in(names_of(s)[place.ticket]), stand_in(persons(place.name))
    return frozenset(Seat(seat) for seat, name in enumerate(names) if name in bots)


def _start_again(r: Reaction) -> None:
    if r.s.is_rematch and all(one.bound for one in r.s.places if one.seats):
        start(r)


def begin_anew(r: Reaction) -> None:
    """If the match was about to begin, invite all again with a new match id and new keys.

    Otherwise a terminal that has seen all keys could try its own until the three words match.
    """
    if not r.s.hosting.is_beginning:
        return
    r.set(credentials=_fresh(r, r.credentials))
    r.set_host(is_beginning=False, invited_at=r.now)
    for place in r.s.places:
        r.put_place(replace(place, is_ready=r.s.is_rematch, bound=b"", keys=None))
    for link in r.s.links:
        if link.stage >= Stage.SEALED:
            invite(r, link)


def _fresh(r: Reaction, known: Credentials) -> Credentials:
    """Return the credentials of another match at the same table."""
    return replace(known, match_id=r.draw("match").hex()[:16], seed=r.draw("seed"))


def forget_lost(r: Reaction) -> None:
    """Free the seats of guests that have not returned in time."""
    kept = (one for one in r.s.places if one.gone_at is None or r.now < one.gone_at + GONE_AFTER)
    r.set_host(places=tuple(kept))
    show(r)


def _sit(r: Reaction, link: Link, sit: messages.Sit) -> None:
    if r.s.hosting.is_beginning:
        begin_anew(r)
        return
    s = r.s
    place = s.place(link.ticket)
    if s.is_rematch and place is not None:
        seats = place.seats
    else:
        _swap_seat(r, link.ticket, sit.seats)
        s = r.s
        free = free_seats(s, link.ticket)
        wished = [seat for seat in sit.seats if seat in free]
        mine = place.seats if place is not None else frozenset()
        others = sorted((one for one in free if one not in wished), key=lambda one: one not in mine)
        count = max(1, len(sit.seats) or sit.count)
        seats = frozenset([*wished, *others][:count])
    if not seats:
        r.decline(link, codes.FULL)
        r.tell(events.TurnedAway(sit.name, codes.FULL))
        return
    _seat(r, link, Place(link.ticket, b"", sit.name, seats, s.is_rematch, sit.bound))
    show(r)
    _start_again(r)


def _seat(r: Reaction, link: Link, place: Place) -> tuple[Link, Place]:
    """Give a terminal its place, with the key to return that it has or had."""
    before = r.s.place(link.ticket)
    place = replace(place, key=link.key or (before.key if before else b""))
    _make_room(r)
    r.put_place(place)
    return r.put(link, stage=Stage.SEATED), place


def _watch(r: Reaction, link: Link, watch: messages.Watch) -> None:
    others = [one for one in r.s.places if not one.seats and one.ticket != link.ticket]
    here = [one for one in others if r.s.link_of(one.ticket) is not None]
    is_playing = r.s.live is not None and not r.s.is_rematch
    if len(here) >= MAX_WATCHERS or (is_playing and not handshake.may_watch(r, link)):
        r.decline(link, codes.CROWDED)
        return
    link, place = _seat(r, link, Place(link.ticket, b"", watch.name, SPECTATOR, True))
    if is_playing:
        r.do(Keep(Ticket(link.ticket, None, place.key, watch.name)))
        replication.admit(r, link)
    else:
        show(r)


def start(r: Reaction) -> None:
    """Ask all for their keys, or report why the match cannot begin yet."""
    players = [one for one in r.s.places if one.seats]
    waits = ", ".join(one.name or "?" for one in players if not one.is_ready)
    if not players or waits:
        r.tell(events.NotDone(codes.NOT_READY, who=waits))
        return
    if r.s.hosting.is_beginning:
        return
    own = keys.binding(boxes.public_keys(r.credentials.seed))
    hashes = (own, *(one.bound for one in players))
    r.set_host(is_beginning=True)
    for one in players:
        link = r.s.link_of(one.ticket)
        if link is not None:
            r.send(link.number, messages.Bound(hashes))


def _begin_if_all(r: Reaction) -> None:
    s = r.s
    players = [one for one in s.places if one.seats]
    if not all(one.keys for one in players):
        return
    table = s.hosting.table
    host_seats = frozenset(free_seats(s)) | table.seats
    terminals = [Terminal(s.name, host_seats, *boxes.public_keys(r.credentials.seed))]
    for one in players:
        assert one.keys is not None
        terminals.append(Terminal(one.name, one.seats, *one.keys))
    series, called = table.series, names(s)
    if s.is_rematch and s.live is not None and (again := s.live.ledger.rematch) is not None:
        series = score_of(series, s.live.ledger.roster.names, called, again.number)
    terms = table.clock, settled_rule(table.gone, len(terminals)), series
    roster = Roster(r.credentials.match_id, table.setup, called, tuple(terminals), *terms)
    roster.check()
    if table.has_lots and not s.is_rematch:
        roster = roster.by_lot()
    r.set(is_rematch=False)
    r.set_host(is_beginning=False)
    r.do(Keep(r.credentials))
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


# --- The next match ----------------------------------------------------------------------------


def rematch(r: Reaction) -> None:
    """Invite all to the next match once they have agreed on it and this one is audited (host).

    The seats are rotated so that the agreed player has the first. A bot stays in the seat of a
    player who was away, unless that player is here again, or a spectator would like to play.
    """
    _vacate(r)
    s, live = r.s, r.s.live
    if live is None or s.is_closed or s.is_rematch or not s.is_host:
        return
    ledger, again = live.ledger, live.ledger.rematch
    if again is None or not (ledger.is_over and ledger.is_signed and live.is_audited):
        return
    table, roster, begins = s.hosting.table, ledger.roster, again.number
    setup, series = next_match(ledger, again)
    given, named = _given(s, ledger)
    free = frozenset[Seat]().union(*given.values())
    owned = {
        place.ticket: given.get(place.ticket, SPECTATOR) | (ledger.seats_of(place.terminal) - free)
        for place in s.places
    }
    if not any(owned.values()):
        return  # the only other player is away
    names = (*named[begins:], *named[:begins])
    seats = moved(roster.terminals[0].seats - free, begins, table.setup.seats)
    r.set(credentials=_fresh(r, r.credentials), is_rematch=True)
    table = replace(table, setup=setup, names=names, seats=seats, series=series)
    r.set_host(table=table, invited_at=r.now)
    for place in s.places:
        seats = moved(owned[place.ticket], begins, table.setup.seats)
        r.put_place(replace(place, seats=seats, bound=b"", keys=None))
        link = r.s.link_of(place.ticket)
        if link is not None:
            invite(r, r.put(link, stage=Stage.SEALED))


def _vacate(r: Reaction) -> None:
    """Let bots have the seats of players who have left, so that nobody waits for their answer."""
    live = r.s.live
    if live is None or r.s.is_closed or r.s.is_rematch or not r.s.is_host or r.s.is_waiting:
        return
    ledger = live.ledger
    offered = ledger.offer.kind if ledger.offer is not None else ""
    is_next = offered == AGAIN or (not offered and (ledger.votes or ledger.rematch))
    if not ledger.is_over or not is_next:
        return
    for seat in sorted(seat for at in clocks.left(r) for seat in ledger.seats_of(at)):
        if not offers.why_no_offer(r.live.ledger, r.live.ledger.own, SEAT, seat):
            replication.enter(r, replication.signed(r, Offer(SEAT, seat)), is_checked=True)
    replication.advance(r)


def _given(s: Session, ledger: Ledger) -> tuple[dict[int, Seats], list[str]]:
    """Return the seats of bots that people here get, by ticket, and the names of all seats.

    Players who are back come before spectators. A seat is still called after a bot: that of its
    new player, who may leave before the match begins.
    """
    names, given, called = list(ledger.roster.names), dict[int, Seats](), names_of(s)

    def give(ticket: int, seats: Iterable[Seat]) -> None:
        given[ticket] = frozenset(seats).difference(*given.values())
        for seat in given[ticket]:
            names[seat] = stand_in(called[ticket])

    for place in s.places:
        link = s.link_of(place.ticket)
        if link is not None and link.what != messages.WATCH:
            give(place.ticket, _returned(s, place, tuple(names)))
    bots = {Seat(at) for at, name in enumerate(names) if name.startswith(FOR)}
    bots |= {seat for seat in ledger.seats_of(ledger.host) if not is_person(names[seat])}
    wishing = [one for one in s.hosting.willing if not given.get(one)]
    for ticket, seat in zip(wishing, sorted(bots.difference(*given.values())), strict=False):
        give(ticket, (seat,))
    return given, names


def drop_late(r: Reaction) -> None:
    """Leave the seat of somebody who has got it from a bot, and does not take it, to the bot."""
    r.set_host(invited_at=r.now)
    s = r.s
    for place in s.places:
        is_late = not place.bound or (s.hosting.is_beginning and place.keys is None)
        if is_late and place.seats & _returned(s, place, s.hosting.table.names):
            for link in (one for one in r.s.links if one.ticket == place.ticket):
                r.drop(link.number)
            lost(r, place.ticket)


def next_match(ledger: Ledger, again: OpenOffer) -> tuple[Setup, Series]:
    """Return what is played next, and the score before it.

    Raises:
        KumiteError: this version of kumite cannot play the other game.
    """
    before = setup = ledger.roster.setup
    if again.game:
        setup = other_setup(again.game, before)
    series = ledger.roster.series.after(before, outcome_end(ledger.match) or ledger.end)
    sides = [[one.side_of(Seat(seat)) for seat in range(one.seats)] for one in (before, setup)]
    is_other = series.best_of > 1 and setup.game.ID != before.game.ID
    return setup, series.next(again.number, is_other=is_other or sides[0] != sides[1])


def score_of(series: Series, before: Sequence[str], now: Sequence[str], begins: int) -> Series:
    """Return the score of the players of a next match: nobody has the wins of a predecessor."""
    were = (name.removeprefix(FOR) for name in (*before[begins:], *before[:begins]))
    names = (name.removeprefix(FOR) for name in now)
    won = zip(series.won, were, names, strict=False)
    return replace(series, won=tuple(count * (was == name) for count, was, name in won))


def other_setup(game: str, before: Setup) -> Setup:
    """Return another game for the same players.

    Raises:
        KumiteError: this version of kumite lacks it, or it cannot seat that many.
    """
    return Setup.of(find(game), before.seats)


def moved(seats: Iterable[Seat], begins: int, count: int) -> Seats:
    return frozenset(Seat((seat - begins) % count) for seat in seats)
