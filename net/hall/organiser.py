"""The organiser of a tournament: who is in the hall, rounds, tables, results; pure.

A player is known by their ticket, which a connection has by its code or its kept key: nobody
reports for others. What is decided is written before anybody is told.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from kumite.core import codes
from kumite.core.errors import KumiteError
from kumite.core.game import Seat
from kumite.core.tournament.event import Tournament
from kumite.core.tournament.pairing import next_round
from kumite.net.crypto import pairing
from kumite.net.hall import board, judging, talk
from kumite.net.hall.board import FIRST_TICKET, Board, Terms
from kumite.net.hall.judging import Match
from kumite.net.hall.records import HallKept
from kumite.net.replica.records import Credentials
from kumite.net.session import doorway, events, handshake, hearing, inputs, links
from kumite.net.session.effects import Close
from kumite.net.session.state import Link, Place, Reaction, Session, Stage, cleaned
from kumite.net.wire import hall, messages

if TYPE_CHECKING:
    from kumite.net.hall.talk import HallEffects, HallInput


@dataclass(frozen=True)
class Organiser:
    """What the organiser's program knows."""

    door: Session
    terms: Terms
    tournament: Tournament
    matches: tuple[Match, ...] = ()  # of this round
    port: int = 0
    shown: Board | None = None  # as it was told last
    written: HallKept | None = None
    bot: str = ""  # the level of the one that makes the players even: here it is but kept

    @property
    def is_closed(self) -> bool:
        """Whether the hall is closed."""
        return self.door.is_closed


Next = tuple[Organiser, "HallEffects"]


def opened(
    terms: Terms, system: str, length: int, program: str, entropy: bytes, **more: Any
) -> Organiser:
    """Return a hall that waits for players."""
    hall_id = Reaction(Session(program, entropy), 0.0, []).draw("hall").hex()[:16]
    door = _door(terms, hall_id, program, entropy, more)
    return Organiser(door, terms, Tournament(system, length))


def resumed(kept: HallKept, program: str, entropy: bytes, **more: Any) -> Organiser:
    """Return the hall that was kept; its players come back by themselves.

    Raises:
        KumiteError: it cannot be gone on with by this kumite.
    """
    terms = Terms.of(kept.name, kept.game, kept.rules, kept.options, kept.clock)
    t = board.kept_tournament(kept)
    places = tuple(
        Place(number + FIRST_TICKET, key, name)
        for number, (name, _, key) in enumerate(kept.players)
    )
    door = _door(terms, kept.hall_id, program, entropy, {**more, "places": places})
    door = replace(door, code=pairing.parse_code(kept.code))
    matches = tuple(Match() for _ in (t.rounds[-1] if t.rounds else ()))
    return Organiser(door, terms, t, matches, kept.port, written=kept, bot=kept.bot)


def _door(
    terms: Terms, hall_id: str, program: str, entropy: bytes, more: dict[str, Any]
) -> Session:
    table = inputs.HostSetup(terms.setup, (), frozenset({Seat(0)}), terms.clock, has_watchers=False)
    back = Credentials(hall_id, hall_id, 0, b"", b"", False)
    door = Session(
        program, entropy, cleaned(terms.name), table=table, credentials=back, is_hall=True, **more
    )
    r = Reaction(door, 0.0, [])
    r.set(code=pairing.new_code(r.rng("code")))
    return r.s


# --- Reacting ---------------------------------------------------------------------------------


class _Work:
    """One reaction under way: at the door, and in the hall."""

    def __init__(self, o: Organiser, now: float) -> None:
        self.o, self.r = o, Reaction(o.door, now, [])
        self.ears = hearing.Ears(self.sealed, self.message, self.broken)

    def set(self, **changes: Any) -> None:
        """Change the hall."""
        self.o = replace(self.o, **changes)

    # --- connections ---

    def sealed(self, r: Reaction, link: Link) -> None:
        """Let somebody in who has proved the code, or who comes back."""
        doorway.make_room(r, link)
        if r.s.link(link.number) is None:
            return
        terms, t = self.o.terms, self.o.tournament
        setup = terms.setup
        assert r.s.credentials is not None
        welcome = hall.Welcome(
            r.s.program,
            r.s.credentials.table_id,
            cleaned(terms.name),
            setup.game.ID,
            setup.game.RULES,
            tuple(sorted(setup.options.items())),
            terms.clock or (),
            t.system,
        )
        r.send(link.number, welcome)
        if link.what == messages.RETURN:
            self.seat(r.s.link(link.number) or link)

    def seat(self, link: Link) -> None:
        """Let a player be here with this connection, and no other."""
        for old in self.r.s.links:
            if old.ticket == link.ticket and old.number != link.number:
                self.r.send(old.number, messages.Decline(codes.ELSEWHERE))
                self.r.drop(old.number)
        link = self.r.put(link, stage=Stage.SEATED)
        self.r.send(link.number, board.packed(replace(self.board(), me=_player(link))))
        place = self.o.tournament.pairing_of(_player(link))
        if place is not None:
            self.tell_table(place, _player(link))

    def broken(self, r: Reaction, link: Link, reason: str) -> None:
        """Close a connection that brings no kumite."""
        if link.opener is None:
            handshake.broken(r, link, reason)
        else:
            r.drop(link.number)

    def message(self, r: Reaction, link: Link, message: messages.Message) -> None:
        """React to a message of somebody who has proved who they are, or the code."""
        if not doorway.is_in_pace(r, messages.JOIN, f"{link.ticket or -link.number}"):
            r.drop(link.number)
            return
        is_player = link.stage is Stage.SEATED
        match message:
            case messages.Ping(beat):
                r.send(link.number, messages.Pong(beat))
            case messages.Pong():
                pass
            case hall.Enter(name) if not is_player and link.what == messages.ENTER:
                self.enter(link, name)
            case hall.HallTable() if is_player:
                self.table(_player(link), link, message)
            case hall.Reported() if is_player:
                t, matches = judging.reported(
                    self.o.tournament, self.o.matches, _player(link), message
                )
                self.set(tournament=t, matches=matches)
            case _:
                r.drop(link.number)

    # --- players ---

    def enter(self, link: Link, name: str) -> None:
        """Take somebody in, or say why not."""
        try:
            t = self.o.tournament.with_player(cleaned(name))
        except KumiteError:
            self.r.send(link.number, messages.Decline(codes.FULL))
            self.r.drop(link.number)
            return
        ticket = len(t.players) - 1 + FIRST_TICKET
        self.r.put_place(Place(ticket, link.key, t.players[-1].name))
        self.set(tournament=t)
        self.r.put(link, ticket=ticket, stage=Stage.SEATED)

    def table(self, player: int, link: Link, table: hall.HallTable) -> None:
        """Pass on where the first of a pair has opened their table, to the second."""
        t = self.o.tournament
        place = t.pairing_of(player)
        if place is None or (table.round, table.place) != (len(t.rounds) - 1, place):
            return
        if t.rounds[-1][place].first != player or not t.rounds[-1][place].is_open:
            return
        near = link.place.startswith(("127.", "::1"))
        seen = (link.place,) if link.place else ()
        order = (*table.addresses, *seen) if near else (*seen, *table.addresses)
        there = tuple(dict.fromkeys(order))[: hall.MAX_ADDRESSES]
        match = replace(self.o.matches[place], table=replace(table, addresses=there))
        self.set(matches=(*self.o.matches[:place], match, *self.o.matches[place + 1 :]))
        second = t.rounds[-1][place].second
        if second is not None:
            self.tell_table(place, second)

    def tell_table(self, place: int, player: int) -> None:
        """Tell a player where their table is, if they go there, and it is needed."""
        this, table = self.o.tournament.rounds[-1][place], self.o.matches[place].table
        link = self.r.s.link_of(player + FIRST_TICKET)
        if link is not None and table is not None and this.is_open and this.second == player:
            self.r.send(link.number, table)

    # --- people ---

    def command(self, given: HallInput) -> None:
        """Do what the organiser wants, or say why not."""
        try:
            match given:
                case talk.StartRound():
                    t = self.o.tournament.with_round(next_round(self.o.tournament))
                    self.set(tournament=t, matches=tuple(Match() for _ in t.rounds[-1]))
                case talk.Decide(place, result):
                    self.set(tournament=self.o.tournament.with_result(place, result))
                case talk.SetPresence(player, is_in):
                    self.set(tournament=self.o.tournament.with_presence(player, is_in))
                case inputs.NewCode():
                    handshake.new_code(self.r, "There is a new code")
                case inputs.Depart():
                    for link in self.r.s.links:
                        self.r.send(link.number, messages.Bye())
                    text = "The tournament is saved; `kumite tournament --resume` goes on with it"
                    self.r.end(events.Left(frozenset(), text, is_closed=True))
                case _:
                    pass
        except KumiteError as error:
            self.r.tell(events.NotDone(error.code, str(error), error.hint))

    # --- what all see, and what is kept ---

    def board(self) -> Board:
        """Return what there is to see."""
        t = self.o.tournament
        here = frozenset(
            _player(link)
            for link in self.r.s.links
            if link.stage is Stage.SEATED and not link.is_quiet
        )
        this = t.rounds[-1] if t.rounds else ()
        states = tuple(match.state(one) for match, one in zip(self.o.matches, this, strict=True))
        return Board(t, here, states)

    def kept(self) -> HallKept:
        """Return what is to be kept."""
        s, t, setup = self.r.s, self.o.tournament, self.o.terms.setup
        assert s.credentials is not None
        key = {one.ticket: one.key for one in s.places}
        players = tuple(
            (one.name, int(one.is_in), key[number + FIRST_TICKET])
            for number, one in enumerate(t.players)
        )
        return HallKept(
            s.credentials.table_id,
            cleaned(self.o.terms.name),
            setup.game.ID,
            setup.game.RULES,
            tuple(sorted(setup.options.items())),
            self.o.terms.clock or (),
            t.system,
            t.length,
            s.code,
            self.o.port,
            players,
            board.packed_rounds(t),
            self.o.bot,
        )

    def done(self) -> Next:
        """Write what has changed, then tell it."""
        before: list[talk.HallEffect] = []
        after: list[talk.HallEffect] = []
        if (kept := self.kept()) != self.o.written:
            self.set(written=kept)
            before.append(talk.Write(kept))
        if not self.r.s.is_closed and (now := self.board()) != self.o.shown:
            for link in self.r.s.links:
                if link.stage is Stage.SEATED:
                    self.r.send(link.number, board.packed(replace(now, me=_player(link))))
            after.append(talk.TellHall(talk.HallChanged(self.o.terms, now)))
            self.set(shown=now)
        return replace(self.o, door=self.r.s), (*before, *self.r.effects, *after)


def _player(link: Link) -> int:
    """Return whose connection it is."""
    return link.ticket - FIRST_TICKET


def begin(o: Organiser, now: float) -> Next:
    """Return what to do first."""
    return _Work(o, now).done()


def react(o: Organiser, given: HallInput, now: float) -> Next:
    """React to anything that happens; never raises, whatever the other side sends."""
    if o.is_closed:
        return o, ((Close(given.link),) if isinstance(given, inputs.Opened) else ())
    work = _Work(o, now)
    r = work.r
    match given:
        case inputs.Opened(link, address):
            handshake.opened(r, Link(link, now, address, heard=now, pinged=now))
        case inputs.Heard(link, data):
            hearing.heard(r, link, data, work.ears)
        case inputs.Gone(number):
            r.set(links=tuple(one for one in r.s.links if one.number != number))
        case inputs.Tick():
            links.on_time(r)
        case inputs.Failed(error):
            r.end(events.Stopped(error.code, str(error), error.hint))
        case _:
            work.command(given)
    return work.done()


def deadline(o: Organiser) -> float | None:
    """Return when a Tick is due."""
    return None if o.is_closed else min(links.deadlines(o.door), default=None)
