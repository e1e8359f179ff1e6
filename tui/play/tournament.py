"""Tournaments for screens and line mode: a player's client, and a bot's.

A player's table opens by itself in each round. The first of a pair hosts it and announces its
address, the other joins, and both report the result.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kumite.core.errors import KumiteError
from kumite.core.game import Seat
from kumite.core.log import End, outcome_end
from kumite.core.results import is_decided, winners
from kumite.core.tournament.tournament import Result
from kumite.net.session import events
from kumite.net.session.events import Event, HostSetup
from kumite.net.tournament.state import SEATS, Finished, TableOpened, Terms, TournamentChanged
from kumite.net.wire import tournament as wire
from kumite.net.wire.fields import MAX_ADDRESSES
from kumite.net.wire.tournament import MatchReport, TableAt, View
from kumite.store import log_files
from kumite.store.log_files import folder
from kumite.tui.play import network_words, openings
from kumite.tui.play.lan_table import LanTable, PeerEvent
from kumite.tui.play.network_words import reason, turned_away
from kumite.tui.play.openings import Opening, PlayerOpening
from kumite.tui.play.tournament_words import decisions, more_rounds

if TYPE_CHECKING:
    from textual.message import Message

    from kumite.net.transport.tournament_peer import HostPeer, PlayerPeer
    from kumite.tui.bots.service import BotService

    Post = Callable[[Message], object]

OTHER_MATCH: Final = "Their table offers another match than the tournament's: tell the organiser."
PAUSE: Final = 0.4  # s; makes a bot's step noticeable


class TournamentClient:
    """Base of the organiser's and the players' clients: the state and the last message."""

    peer: HostPeer | PlayerPeer
    player: PlayerClient | None  # of the person here; None for an organiser who does not play

    def __init__(self, post: Post) -> None:
        self.listener: Callable[[Event], None] = lambda _: None  # the top screen
        self.seat_down: Callable[[LanTable], None] = lambda _: None  # shows a match
        self.complain: Callable[[str, str], None] = lambda *_: None  # why none can be watched
        self.terms: Terms | None = None
        self._post = post
        self._view: View | None = None
        self.closed: tuple[str, str] | None = None  # why, and what to do
        self.said: tuple[str, bool] = ("", False)  # the last message, and whether it is bad news
        self.is_cut = False  # whether the organiser cannot be heard
        self._more = 0, ""  # until which round to say why the number of rounds changed, and why

    @property
    def view(self) -> View | None:
        return self._view

    def hear(self, event: Event) -> None:
        self._note(event)
        self.listener(event)

    def _note(self, event: Event) -> None:
        match event:
            case TournamentChanged(terms, view):
                if why := more_rounds(self._view, view):
                    self._more = view.round + 1, why
                self.terms, self._view = terms, view
                self.said, self.is_cut = (self.more, False), False
            case events.Stopped():
                self.closed = reason(event)
            case events.Left(is_closed=True):
                self.closed = "The organiser has closed the tournament", ""
            case events.NotDone():
                self._trouble(*reason(event))
            case events.TurnedAway():
                self._trouble(*turned_away(event, "come in"))
            case events.Presence(status):
                text = network_words.text(event, "the organiser")
                self.is_cut = status is not events.Status.BACK
                self.said = text, self.is_cut
            case events.CodeChanged():
                self.said = network_words.text(event), False

    def _trouble(self, text: str, hint: str = "") -> None:
        self.said = f"{text}: {hint}" if hint else text, True

    @property
    def more(self) -> str:
        """Return why the number of rounds changed; "" once that is old."""
        until, why = self._more
        return why if self.view is not None and self.view.round <= until else ""

    def close(self) -> None:
        """Stop the network; everything played stays saved."""
        self.peer.close()


class FinishedClient(TournamentClient):
    """What a player was shown of a tournament that is over; without a network."""

    player = None

    def __init__(self, kept: Finished) -> None:
        super().__init__(lambda _: None)
        t = kept.tournament
        self.terms = Terms.of(kept.welcome)
        self._view = View(t, frozenset(), (wire.DECIDED,) * len(t.rounds[-1]), kept.me)

    def close(self) -> None: ...


class PlayerClient(TournamentClient):
    """A player's client, with the table of the current match."""

    peer: PlayerPeer

    def __init__(
        self, opening: PlayerOpening, post: Post, *, is_open: bool = True, has_watchers: bool = True
    ) -> None:
        """Join, or raise KumiteError; `is_open`: local secrets may be opened after a match."""
        super().__init__(post)
        self.player = self
        self.table: MatchTable | None = None  # of the current match
        self._watched: MatchTable | None = None  # another pair's
        self._watches: tuple[int, int] | None = None  # its round and place, until we leave it
        self._is_open, self._has_watchers = is_open, has_watchers
        self._called: tuple[int, int] | None = None  # its round and place
        self._seat = Seat(0)  # the local player's seat in it
        self._there: TableAt | None = None  # its address, if the other player hosts it
        self._match_id = ""
        self._settled = ""  # the last log of ours that has got the organiser's decision
        self._has_reported = False
        self.failed = ""  # why the table of our match did not open
        self._shown: MatchTable | None = None
        self.peer = opening(lambda event: post(PeerEvent(self, event)))

    def _note(self, event: Event) -> None:
        """Update the state, then go to the table if it is time."""
        super()._note(event)
        match event:
            case TableOpened(table) if self.view is not None and self.view.my_place is None:
                old = self._watched
                is_shown = old is not None and old.has_begun and not old.closed
                if self._watches == (table.round, table.place) and not is_shown:
                    self._look_on(table, self.view)
            case TableOpened(table):
                self._there = table
                if self.table is not None and self.table.closed:  # the host has opened it again
                    self.leave_table()
                self._look()
            case TournamentChanged():
                self._take_decisions()
                self._look()

    @property
    def watchable(self) -> tuple[int, ...]:
        """Return the places of the matches to look on at; none while there is an own one."""
        if self.view is None or self.view.my_place is not None:
            return ()
        running = wire.STANDS, wire.TOLD
        return tuple(place for place, one in enumerate(self.view.states) if one in running)

    def watch(self, place: int) -> None:
        if self.view is not None:
            self._stop_watching()
            self._watches = self.view.round, place
            self.peer.watch_table(*self._watches)

    def _look_on(self, there: TableAt, view: View) -> None:
        """Watch another pair's match once its table lets us in."""
        self._stop_watching()
        name = self.peer.name if view.me is None else _name_in(view)
        way = openings.joining(there.addresses, there.port, there.code, name, None)
        self._watched = MatchTable(self, way, self._post)

    def _follow_watched(self, table: MatchTable, event: events.Event) -> None:
        match event:
            case events.MatchBegan() if self._shown is not table:
                self._shown = table
                self.seat_down(table)
            case events.Stopped() if not table.has_begun:
                self.complain(*reason(event))
            case events.Left(is_ours=True):
                self._watches = None
            case events.Left(is_closed=True):
                self._take_decisions()

    def _stop_watching(self) -> None:
        if self._watched is not None:
            self._watched.close()
            self._watched = None

    @property
    def can_go(self) -> bool:
        is_hosted = self._seat == 0 and self._is_open_here and self._log() is None
        return self._has_to_go and not is_hosted and self._way() is not None

    @property
    def is_waiting(self) -> bool:
        """True if the table will open by itself once the other player is there."""
        return self._has_to_go and (self._is_open_here or self._way() is None)

    @property
    def _is_open_here(self) -> bool:
        """True if we wait at the table for the match to begin."""
        return self.table is not None and not self.table.has_begun and not self.table.closed

    @property
    def _has_to_go(self) -> bool:
        """True if the player is due at a table but not at it."""
        table = self.table
        is_at_it = table is not None and table.has_begun and not table.closed
        is_called = self.view is not None and self.view.my_place is not None
        return is_called and not self._has_reported and not is_at_it

    def _way(self) -> Opening | None:
        """Return how to resume our match, or to open or join its table; None before it is open."""
        view, terms, there = self.view, self.terms, self._there
        if view is None or terms is None or view.my_place is None:
            return None
        if (log := self._log()) is not None:
            return openings.resuming(log)
        name, seats = _name_in(view), frozenset({self._seat})
        if self._seat == 0:
            setup = HostSetup(
                *(terms.setup, (name,), seats, terms.clock, self._has_watchers),
                is_open=self._is_open,
            )
            return openings.hosting(setup, name, 0)
        if there is None or (there.round, there.place) != self._called or not there.addresses:
            return None
        way = there.addresses, there.port, there.code, name
        return openings.joining(*way, is_open=self._is_open)

    def _log(self) -> Path | None:
        """Return the log of this match if it was begun before."""
        *when, name = self.peer.last_match
        log = folder() / name
        return log if name and tuple(when) == self._called and os.path.isfile(log) else None

    # --- what the tournament decides ----------------------------------------------------------

    def _decision(self, called: tuple[int, int] | None) -> tuple[End, str] | None:
        """Return the end of a match that is decided for the tournament, and in words."""
        if called is None or self.view is None or called[0] > self.view.round:
            return None
        t = self.view.tournament
        pairing = t.rounds[called[0]][called[1]]
        won = {Result.FIRST: (Seat(0),), Result.SECOND: (Seat(1),)}.get(pairing.result, ())
        said = f"The organiser decided this match: {decisions(t, pairing)[pairing.result]}."
        return None if pairing.is_open else (End("decided", won), said)

    def _take_decisions(self) -> None:
        """End the matches here and in our log that the organiser has decided."""
        table, watched = self.table, self._watched
        if table is not None and (found := self._decision(self._called)):
            is_counting = table.header is not None and table.header.match_id == self._match_id
            if not table.has_begun or (is_counting and not table.is_over):
                self.leave_table()
                table.decide(*found)
        # A result may be faster than the last step: first their table has to be closed, too.
        is_cut = watched is not None and watched.closed and not watched.is_over
        if watched is not None and is_cut and (found := self._decision(self._watches)):
            watched.decide(*found)
        round_, place, name = self.peer.last_match
        is_new = self.table is None and name not in ("", self._settled)
        if is_new and (found := self._decision((round_, place))):
            self._settled = name
            with suppress(KumiteError, OSError):  # then it is offered again
                log_files.decide(folder() / name, found[0])

    # --- the table ----------------------------------------------------------------------------

    def _look(self) -> None:
        """Go to the table of a new match, unless the player has been there."""
        view = self.view
        if view is None or view.my_place is None:
            return
        called = (view.round, view.my_place)
        if called != self._called:
            self.leave_table()
            self._called, self._match_id, self._has_reported = called, "", False
            self.failed = ""
        self._seat = Seat(int(view.pairings[view.my_place].first != view.me))
        if self.table is not None:  # resumed, perhaps over, before the organiser answered
            self._report(self.table, called)
        if self.table is None and not self._has_reported:
            self.go()

    def go(self) -> None:
        """Open, join or resume the table of the current match."""
        self.leave_table()
        if (way := self._way()) is not None:
            self._open(way)

    def resume(self) -> None:
        """Go on with the match of our ticket, even before the organiser answers."""
        round_, place, _ = self.peer.last_match
        self._called = round_, place
        if (log := self._log()) is not None:
            self._open(openings.resuming(log))

    def _open(self, opening: Opening) -> None:
        self.failed = ""
        try:
            self.table = MatchTable(self, opening, self._post)
        except KumiteError as error:
            self._fail(f"Your table: {error}. {error.hint}")

    def _fail(self, why: str) -> None:
        self.failed, self.said = why, (why, True)

    def leave_table(self) -> None:
        """Leave the table of the match, which stays saved."""
        table, self.table = self.table, None
        if table is not None:
            table.close()

    def close(self) -> None:
        """Stop the network, including the table's; everything played stays saved."""
        self.leave_table()
        self._stop_watching()
        super().close()

    # --- what happens at it -------------------------------------------------------------------

    def follow(self, table: MatchTable, event: events.Event) -> None:
        """React to the table's events: announce its address, begin, report the result."""
        if table is self._watched:
            self._follow_watched(table, event)
        if table is not self.table or self._called is None:
            return
        match event:
            case events.Listening() | events.CodeChanged() if table.listening is not None:
                port, addresses = table.listening.port, table.listening.addresses[:MAX_ADDRESSES]
                self.peer.open_table(TableAt(*self._called, port, tuple(addresses), table.code))
            case events.Lobby() if event.me == 0:
                if event.can_start:
                    table.peer.start()
            case events.Lobby() | events.MatchBegan() if not self._is_agreed(event):
                self.leave_table()  # another match is being played there
                self._fail(OTHER_MATCH)
            case events.Lobby():
                if not event.guests[event.me].is_ready:
                    table.peer.ready()
            case events.MatchBegan(header):
                if not self._match_id:
                    self._match_id = header.match_id
                    if table.path is not None:
                        self.peer.keep_log(*self._called, table.path.name)
                if self._shown is not table:  # otherwise it is a rematch on the same screen
                    self._shown = table
                    self.seat_down(table)
            case events.Stopped() if not table.has_begun:
                text, hint = reason(event)
                self.table = None
                self._fail(f"Your table: {text}. {hint}")
        if self.table is table:
            self._report(table, self._called)
        if self.table is not table or table.closed:
            self.listener(event)  # the player may be able to go back to a table

    def _is_agreed(self, event: events.Lobby | events.MatchBegan) -> bool:
        """True if this is the tournament's match in our seat, or known: hosts may be dishonest."""
        is_known = self._match_id or self._log() is not None
        if self.terms is None or (isinstance(event, events.MatchBegan) and is_known):
            return True  # the match we return to
        clock = self.terms.clock
        if isinstance(event, events.Lobby):
            setup, seats, is_same = event.setup, event.guests[event.me].seats, event.clock == clock
        else:
            setup, seats = event.header.setup, event.seats
            is_same = event.clocks == ((1000 * clock[0],) * SEATS if clock else ())
        return is_same and setup == self.terms.setup and seats == {self._seat}

    def _report(self, table: MatchTable, called: tuple[int, int]) -> None:
        """Report the result to the organiser, once; further matches at the table do not count."""
        result = result_of(table, self._seat)
        if result is None or self._has_reported or table.header is None:
            return
        if table.header.match_id == self._match_id:
            self._has_reported = True
            end = table.match.number, table.match.digest
            self.peer.report(MatchReport(*called, self._match_id, int(result), *end))


def _name_in(view: View) -> str:
    return view.tournament.players[view.me or 0].name


class MatchTable(LanTable):
    """A tournament table; its client follows its events."""

    is_of_tournament = True

    def __init__(self, within: PlayerClient, opening: Opening, post: Post) -> None:
        self._within = within
        super().__init__(opening, post)

    def hear(self, event: events.Event) -> None:
        if self.decided:
            return  # what its network still tells is that we leave
        self._note(event)
        self._within.follow(self, event)
        self.listener(event)

    def decide(self, end: End, said: str) -> None:
        self.end, self.decided, self.closed = end, said, True
        self._remark(said, "title")
        self.listener(events.Ended(end))


def result_of(table: LanTable, seat: Seat) -> Result | None:
    """Return the result of a table's match; None while it is unknown.

    It stays unknown if this terminal did not play exactly the seat `seat`: the host may have
    assigned another one, or one terminal may have taken over the other's seat.
    """
    if not table.has_begun or table.ours != {seat}:
        return None
    match, end = table.match, outcome_end(table.match) or table.end
    if end is None or not is_decided(match.setup, end):
        return None
    sides = {match.setup.side_of(seat) for seat in winners(match.setup, end)}
    if len(sides) != 1:
        return Result.DRAW
    return Result.FIRST if sides == {0} else Result.SECOND


class TournamentBot(PlayerClient):
    """A player without a person, for an odd number; the host's program computes its steps."""

    def __init__(self, opening: PlayerOpening, post: Post) -> None:
        self._news = asyncio.Event()
        super().__init__(opening, post)
        self.listener = lambda _: self._news.set()
        self.seat_down = self._seat_down

    @property
    def number(self) -> int | None:
        """Return its player number once it has joined."""
        return None if self.view is None else self.view.me

    def _seat_down(self, table: LanTable) -> None:
        table.listener = self._heard
        self._news.set()

    def _heard(self, event: events.Event) -> None:
        """Decline every offer, so that the tournament continues."""
        if self.table is not None and isinstance(event, events.Offered) and not event.is_ours:
            self.table.peer.answer(False)
        self._news.set()

    async def run(self, bots: BotService, seconds: float) -> None:
        """Play every match until the tournament closes; timed bots think for `seconds`."""
        try:
            while self.closed is None:
                await self._news.wait()
                self._news.clear()
                table = self.table
                if table is not None and table.has_begun and not table.is_over:
                    await self._play(table, bots, seconds)
        finally:
            bots.close()

    async def _play(self, table: MatchTable, bots: BotService, seconds: float) -> None:
        """Make a step if the bot is to act; if it fails, resign."""
        match, seat = table.match, table.bot_to_act()
        if seat is None:
            return
        try:
            step = await table.think(seat, bots, seconds)
            await asyncio.sleep(PAUSE)
            if table.match is match and table.bot_to_act() == seat:
                table.play(seat, step)
        except KumiteError:
            if not table.closed:
                table.peer.resign(seat)

    def close(self) -> None:
        super().close()
        self._news.set()
