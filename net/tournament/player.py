"""A player's terminal in a tournament: it enters, returns and reports; pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Self

from kumite.core.errors import BadData, KumiteError
from kumite.core.game import SPECTATOR
from kumite.net.crypto import pairing
from kumite.net.replica.records import Credentials
from kumite.net.session import events, handshake, links
from kumite.net.session.events import Calls
from kumite.net.session.state import RETRY_EVERY, Joiner, Link, Reaction, Session, Stage, cleaned
from kumite.net.tournament.machine import Machine, State
from kumite.net.tournament.state import (
    FIRST_TICKET,
    Finished,
    TableOpened,
    Terms,
    TicketFile,
    TournamentChanged,
    Write,
)
from kumite.net.wire import messages
from kumite.net.wire import tournament as wire


class TournamentPlayer(State):
    """The state of a player's program."""

    known: tuple[TicketFile, ...] = ()  # tournaments that we have entered before
    kept: TicketFile | None = None  # our identity in this one
    welcome: wire.Welcome | None = None
    terms: Terms | None = None
    shown: wire.View | None = None
    plays: bool = True  # False: we only look on
    table: wire.TableAt | None = None  # the table that we host for our match
    report: wire.MatchReport | None = None


def entering(
    code: str,
    name: str,
    program: str,
    entropy: bytes,
    known: Iterable[TicketFile] = (),
    plays: bool = True,
    **more: Any,
) -> TournamentPlayer:
    """Return a player who enters, or returns to one of `known`; raise BadCode if it is no code."""
    said = pairing.parse_code(code)
    door = Session(program, entropy, cleaned(name), Joiner(messages.ENTER), said, **more)
    return TournamentPlayer(door, tuple(known), plays=plays)


def returning(kept: TicketFile, program: str, entropy: bytes, **more: Any) -> TournamentPlayer:
    """Return a player who comes back with their ticket, without a code."""
    door = Session(program, entropy, kept.name, Joiner(messages.ENTER), **more)
    return TournamentPlayer(replace(door, credentials=_credentials(kept)), kept=kept)


def _credentials(kept: TicketFile) -> Credentials:
    return Credentials(kept.tournament_id, kept.tournament_id, kept.ticket, kept.key, b"", False)


class PlayerMachine(Machine[TournamentPlayer]):
    """A player's state machine."""

    def _first(self) -> Self:
        self.r.do(Calls.CONNECT)
        return self

    def _write(self, kept: TicketFile) -> None:
        self._set(kept=kept)
        self.r.effects.insert(0, Write(kept))

    def _sealed(self, r: Reaction, link: Link) -> None:
        """Use this connection and drop all others; the host speaks first."""
        r.set_line(main=link.number)
        links.keep(r, link)
        if r.s.line.away_since is not None or r.s.line.refused:
            r.set_line(away_since=None, refused="")
            r.tell(events.Presence(events.Status.BACK))

    def _take(self, link: Link, message: messages.Message) -> None:
        match message:
            case wire.Welcome():
                self._welcomed(link, message)
            case wire.View() if self.state.welcome and self.state.terms:
                self._updated(link, message, self.state.welcome, self.state.terms)
            case wire.TableAt() if self.state.shown is not None:
                self.r.tell(TableOpened(message))
            case messages.Decline(code):
                self.r.end(events.Stopped(handshake.known(code)))
            case messages.Bye():
                self._dismissed(link)
            case _:
                raise BadData(f"{type(message).__name__} does not belong into a tournament")

    def _welcomed(self, link: Link, welcome: wire.Welcome) -> None:
        """Enter, or return with our old identity if we have been here before."""
        try:
            terms = Terms.of(welcome)
        except KumiteError as error:
            self.r.end(events.Stopped.by(error))
            return
        self._set(welcome=welcome, terms=terms)
        if link.what == messages.RETURN:
            self.r.put(link, stage=Stage.SEATED)
            for message in (self.state.table, self.state.report):  # the host may have missed them
                if message is not None:
                    self.r.send(self.r.s.line.main, message)
            return
        mine = (welcome.tournament_id, self.r.s.name)
        for known in self.state.known:
            if (known.tournament_id, known.name) == mine:
                self._remember(known)
                self.r.drop(link.number)
                self.r.set_line(retry_at=self.r.now + RETRY_EVERY)
                self.r.do(Calls.CONNECT)
                return
        self.r.send(link.number, wire.Enter(self.r.s.name, self.state.plays))

    def _remember(self, kept: TicketFile) -> None:
        self._set(kept=kept)
        self.r.set(credentials=_credentials(kept))

    def _updated(self, link: Link, now: wire.View, welcome: wire.Welcome, terms: Terms) -> None:
        """Take over the tournament's state; raise BadData if its parts contradict each other."""
        me, size = now.me, len(now.tournament.players)
        if max((0 if me is None else me, *now.here)) >= size or len(now.states) != len(
            now.pairings
        ):
            raise BadData("a tournament that does not fit together")
        if self.state.kept is None and me is not None:
            kept = TicketFile(welcome.tournament_id, self.r.s.name, me + FIRST_TICKET, link.key)
            self._remember(kept)
            self._write(kept)
            self.r.put(link, stage=Stage.SEATED)
        self.r.set(is_tournament=True)
        if (before := self.state.shown) != now:
            self._set(shown=now)
            is_new = before is None or before.tournament != now.tournament
            if now.tournament.is_over and me is not None and is_new:
                self.r.do(Write(Finished(welcome, now.tournament, me)))
            self.r.tell(TournamentChanged(terms, now))

    def _dismissed(self, link: Link) -> None:
        """Handle a farewell of the host: the tournament is over, or continues later."""
        self.r.drop(link.number)
        is_spectator = self.state.kept is None  # who could not come back
        if is_spectator or self.state.shown is None or self.state.shown.tournament.is_over:
            self.r.end(events.Left(SPECTATOR, is_closed=True))
        else:
            links.away(self.r)

    def _command(self, given: Any) -> None:
        """Send our table or result to the host; save the name of our match's log."""
        match given:
            case wire.TableAt():
                self._set(table=given)
                self.r.send(self.r.s.line.main, given)
            case wire.MatchReport():
                self._set(report=given)
                self.r.send(self.r.s.line.main, given)
            case wire.WatchTable():
                self.r.send(self.r.s.line.main, given)
            case TicketFile():
                self._write(given)
