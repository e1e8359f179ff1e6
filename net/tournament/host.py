"""The host of a tournament: players, rounds, tables, results; pure.

A player is identified by their ticket, which a connection gets by the code or by a kept key, so
nobody can report for others. Decisions are saved before they are announced.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from typing import Any

from kumite.core import codes
from kumite.core.errors import KumiteError
from kumite.core.game import Seat
from kumite.core.tournament.tournament import Pairing, Result, Tournament
from kumite.net.crypto import pairing
from kumite.net.replica.records import Credentials
from kumite.net.session import events, handshake
from kumite.net.session.lobby import MAX_WATCHERS
from kumite.net.session.state import Host, Link, Place, Reaction, Session, Stage, cleaned
from kumite.net.tournament.machine import Machine, State
from kumite.net.tournament.state import (
    FIRST_TICKET,
    Terms,
    TournamentChanged,
    TournamentFile,
    Write,
)
from kumite.net.wire import messages
from kumite.net.wire import tournament as wire
from kumite.net.wire.fields import MAX_ADDRESSES, Frozen
from kumite.net.wire.tournament import MatchReport, TableAt, View


class Change(Frozen):
    """An input: change the tournament; `make` raises KumiteError if that is impossible."""

    make: Callable[[Tournament], Tournament]


class TournamentHost(State):
    """The state of the host."""

    terms: Terms
    file: TournamentFile  # as it is to be saved
    tables: Mapping[int, TableAt] = field(default_factory=dict)  # of this round, by place
    reports: Mapping[int, MatchReport] = field(default_factory=dict)  # of this round, by player
    watching: Mapping[int, int] = field(default_factory=dict)  # places of this round, by link
    spectators: Mapping[int, str] = field(default_factory=dict)  # names, by link
    watchers: tuple[str, ...] = ()  # the connected ones, as announced last
    shown: View | None = None  # as announced last
    written: TournamentFile | None = None

    @property
    def tournament(self) -> Tournament:
        return self.file.tournament


def opened(
    terms: Terms, system: str, length: int, program: str, entropy: bytes, **more: Any
) -> TournamentHost:
    setup, r = terms.setup, Reaction(Session(program, entropy), 0.0, [])
    welcome = wire.Welcome(
        r.draw("tournament").hex()[:16],
        cleaned(terms.name),
        *(setup.game.ID, setup.game.RULES, tuple(sorted(setup.options.items()))),
        terms.clock,
    )
    made = TournamentFile(
        welcome, Tournament(system, length), pairing.new_code(r.rng("code")), 0, ()
    )
    return replace(resumed(made, program, entropy, **more), written=None)


def resumed(kept: TournamentFile, program: str, entropy: bytes, **more: Any) -> TournamentHost:
    """Return a saved tournament, or raise KumiteError; its players reconnect by themselves."""
    terms, tournament_id = Terms.of(kept.welcome), kept.welcome.tournament_id
    who = zip(kept.keys, kept.tournament.players, strict=True)
    places = tuple(Place(n, key, one.name) for n, (key, one) in enumerate(who, FIRST_TICKET))
    table = events.HostSetup(terms.setup, (), frozenset({Seat(0)}), terms.clock, has_watchers=False)
    back = Credentials(tournament_id, tournament_id, 0, b"", b"", False)
    door = Session(
        *(program, entropy, cleaned(terms.name), Host(table, places)),
        *(pairing.parse_code(kept.code), back),
        is_tournament=True,
        **more,
    )
    return TournamentHost(door, terms, kept, written=kept)


class HostMachine(Machine[TournamentHost]):
    """The host's state machine."""

    # --- connections ---

    def _sealed(self, r: Reaction, link: Link) -> None:
        handshake.make_room(r, link)
        if r.s.link(link.number) is None:
            return
        r.send(link.number, self.state.file.welcome)
        if link.what == messages.RETURN:
            self._seat(r.s.link(link.number) or link)

    def _seat(self, link: Link) -> None:
        """Give a player this connection, and close any older one."""
        for old in self.r.s.links:
            if old.ticket == link.ticket and old.number != link.number:
                self.r.decline(old, codes.ELSEWHERE)
        link = self.r.put(link, stage=Stage.SEATED)
        self.r.send(link.number, replace(self._view, me=_player(link)))
        place = self.state.tournament.pairing_of(_player(link))
        if place is not None:
            self._tell_table(place, _player(link))

    def _hear(self, r: Reaction, link: Link, message: messages.Message) -> None:
        if handshake.is_in_pace(r, messages.JOIN, f"{link.ticket or -link.number}"):
            super()._hear(r, link, message)
        else:
            r.drop(link.number)

    def _take(self, link: Link, message: messages.Message) -> None:
        is_seated = link.stage is Stage.SEATED
        match message:
            case wire.Enter() if not is_seated and link.what == messages.ENTER:
                self._enter(link, message)
            case wire.TableAt() | wire.MatchReport() if is_seated and link.ticket:
                self._of_match(link, message)
            case wire.WatchTable() if is_seated:
                self._show_table(link, message)
            case _:
                self.r.drop(link.number)

    # --- players ---

    def _enter(self, link: Link, said: wire.Enter) -> None:
        if not said.plays:
            self._admit_spectator(link, said)
            return
        try:
            t = self.state.tournament.with_player(cleaned(said.name))
        except KumiteError:
            self._admit_spectator(link, said)
            return
        ticket = len(t.players) - 1 + FIRST_TICKET
        self.r.put_place(Place(ticket, link.key, t.players[-1].name))
        self._change(t)
        self.r.put(link, ticket=ticket, stage=Stage.SEATED)

    def _admit_spectator(self, link: Link, said: wire.Enter) -> None:
        """Let someone who does not play, or came too late, see the tournament; without a ticket."""
        there = [one for one in self.r.s.links if one.stage is Stage.SEATED and not one.ticket]
        if len(there) >= MAX_WATCHERS:
            self.r.decline(link, codes.CROWDED)
        else:
            self.r.put(link, stage=Stage.SEATED)
            name = cleaned(said.name)
            self._set(spectators={**self.state.spectators, link.number: name})
            self.r.send(link.number, self._view)

    def _of_match(self, link: Link, said: TableAt | MatchReport) -> None:
        """Take a table or result from a player for their own open match of this round.

        A result counts once both players have reported the same one, including the digest of the
        last position.
        """
        t, player = self.state.tournament, _player(link)
        place = t.pairing_of(player)
        if place is None or (said.round, said.place) != (len(t.rounds) - 1, place):
            return
        one = t.rounds[-1][place]
        if not one.is_open:
            return
        if isinstance(said, wire.MatchReport):
            reports = {**self.state.reports, player: said}
            if one.second is not None and reports.get(one.first) == reports.get(one.second):
                self._change(t.with_result(place, Result(said.result)))
            self._set(reports=reports)
        elif one.first == player and one.second is not None:
            is_near = link.place.startswith(("127.", "::1"))
            seen = (link.place,) if link.place else ()
            order = (*said.addresses, *seen) if is_near else (*seen, *said.addresses)
            addresses = tuple(dict.fromkeys(order))[:MAX_ADDRESSES]
            self._set(tables={**self.state.tables, place: replace(said, addresses=addresses)})
            self._tell_table(place, one.second)
            for number, watched in self.state.watching.items():
                if watched == place and (looks_on := self.r.s.link(number)) is not None:
                    self._show_table(looks_on, wire.WatchTable(said.round, place))

    def _tell_table(self, place: int, player: int) -> None:
        """Tell the second player of a pairing where the table is."""
        one, table = self.state.tournament.rounds[-1][place], self.state.tables.get(place)
        link = self.r.s.link_of(player + FIRST_TICKET)
        if link is not None and table is not None and one.is_open and one.second == player:
            self.r.send(link.number, table)

    def _show_table(self, link: Link, asked: wire.WatchTable) -> None:
        """Tell a spectator, or a player without a match of their own, where a pair plays."""
        t, table = self.state.tournament, self.state.tables.get(asked.place)
        own = t.pairing_of(_player(link))
        is_busy = own is not None and t.rounds[-1][own].is_open
        if not is_busy and table is not None and asked.round == table.round:
            self._set(watching={**self.state.watching, link.number: asked.place})
            self.r.send(link.number, table)

    # --- commands ---

    def _command(self, given: Any) -> None:
        try:
            match given:
                case Change(make):
                    t = make(self.state.tournament)
                    if len(t.rounds) != len(self.state.tournament.rounds):
                        self._set(tables={}, reports={}, watching={})
                    self._change(t)
                case events.Order.NEW_CODE:
                    handshake.new_code(self.r)
        except KumiteError as error:
            self.r.tell(events.NotDone.by(error))

    # --- public and saved state ---

    @property
    def _view(self) -> View:
        """Return the state of the tournament that every player sees."""
        links = self.r.s.links
        players = (one for one in links if one.stage is Stage.SEATED and one.ticket)
        here = frozenset(_player(one) for one in players if not one.is_quiet)
        view = View(self.state.tournament, here, ())
        states = (self._state_of(place, one) for place, one in enumerate(view.pairings))
        return replace(view, states=tuple(states))

    def _state_of(self, place: int, pairing: Pairing) -> int:
        if not pairing.is_open:
            return wire.DECIDED
        told = sum(one in self.state.reports for one in (pairing.first, pairing.second))
        stands = wire.WAITS if place not in self.state.tables else wire.STANDS
        return (stands, wire.TOLD, wire.DISPUTED)[told]

    def _change(self, t: Tournament) -> None:
        self._set(file=replace(self.state.file, tournament=t))

    def _done(self) -> tuple[TournamentHost, tuple[Any, ...]]:
        """Save changes, then announce them."""
        keys = tuple(one.key for one in self.r.s.places)  # by ticket
        file = replace(self.state.file, code=self.r.s.code, keys=keys)
        if file != self.state.written:
            self._set(file=file, written=file)
            self.r.effects.insert(0, Write(file))
        if not self.r.s.is_closed:
            self._announce()
        return super()._done()

    def _announce(self) -> None:
        if (now := self._view) != self.state.shown:
            for link in self.r.s.links:
                if link.stage is Stage.SEATED:
                    me = _player(link) if link.ticket else None
                    self.r.send(link.number, replace(now, me=me))
            self.r.tell(TournamentChanged(self.state.terms, now))
            self._set(shown=now)
        there = {one.number for one in self.r.s.links}  # some spectators may have gone
        spectators = {at: name for at, name in self.state.spectators.items() if at in there}
        if (watchers := tuple(spectators.values())) != self.state.watchers:
            self.r.tell(events.Watching(watchers))
        self._set(spectators=spectators, watchers=watchers)


def _player(link: Link) -> int:
    return link.ticket - FIRST_TICKET
