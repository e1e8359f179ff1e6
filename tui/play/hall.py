"""The hall of a tournament as the screens see it: the organiser's, and a player's with a table.

A player's table of a round opens by itself: the first of a pair hosts it and says where, the other
one goes there, and both report how the match has ended.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from kumite.core.errors import KumiteError
from kumite.core.game import Seat
from kumite.core.log import End
from kumite.core.players import BOT
from kumite.core.results import is_decided, winners
from kumite.core.tournament.event import FEWEST, MOST, ROBIN, Result
from kumite.net.hall import talk
from kumite.net.hall.board import SEATS
from kumite.net.session import events
from kumite.net.session.inputs import HostSetup
from kumite.net.transport.announcer import Facts
from kumite.net.wire import hall
from kumite.store.log_files import folder
from kumite.tui.play import openings
from kumite.tui.play.hall_words import away_from, more_rounds
from kumite.tui.play.lan_table import LanTable, PeerEvent
from kumite.tui.play.lobby_words import turned_away

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from textual.message import Message

    from kumite.net.hall.board import Board, Terms
    from kumite.net.transport.announcer import Announcing
    from kumite.tui.play.openings import Desk, DeskOpening, Entry, HallOpening, HallPeer, Opening

    Post = Callable[[Message], object]


OTHER_MATCH: Final = "Their table offers another match than the tournament's: tell the organiser."


class HallGuest(Protocol):
    """A bot in the hall, as its organiser knows it."""

    @property
    def number(self) -> int | None:
        """Return which player it is, once it is in the hall."""

    def close(self) -> None:
        """Leave the hall."""


class Hall:
    """What both have: who is here, who meets whom, who stands where."""

    peer: HallPeer

    def __init__(self) -> None:
        self.listener: Callable[[talk.HallEvent], None] = lambda _: None  # the screen on top
        self.terms: Terms | None = None
        self.board: Board | None = None
        self.closed: tuple[str, str] | None = None  # why, and what to do; the last event has come
        self.said: tuple[str, bool] = ("", False)  # what was told last, and whether it is trouble
        self._more = 0, ""  # the round to the end of which it is said why there are more, and why

    def hear(self, event: talk.HallEvent) -> None:
        """Take in what the network tells, then let the screen know."""
        self.note(event)
        self.listener(event)

    def note(self, event: talk.HallEvent) -> None:
        """Take in what the network tells."""
        match event:
            case talk.HallChanged(terms, board):
                if why := more_rounds(self.board, board):
                    self._more = board.round + 1, why
                self.terms, self.board = terms, board
                self.said = self.more, False
            case events.Stopped(_, text, hint):
                self.closed = text, hint
            case events.Left(text=text, is_closed=True):
                self.closed = text, ""
            case events.NotDone(_, text, hint):
                self.said = f"{text}: {hint}" if hint else text, True
            case events.TurnedAway():
                text, hint = turned_away(event, "come in")
                self.said = f"{text}: {hint}" if hint else text, True
            case events.Away(text=text) | events.Quiet(text=text) | events.HeardAgain(text=text):
                self.said = text, not isinstance(event, events.HeardAgain)
            case events.CodeChanged(_, text):
                self.said = text, False
            case _:
                pass

    @property
    def more(self) -> str:
        """Return why there are more rounds than there were, or fewer; empty if that is old."""
        until, why = self._more
        return why if self.board is not None and self.board.round <= until else ""

    def close(self) -> None:
        """Stop the network; what has been played is kept."""
        self.peer.close()


class OrganisedHall(Hall):
    """The organiser's."""

    peer: Desk

    def __init__(self, opening: DeskOpening, post: Post, bot: str = "") -> None:
        """Open it; `post` puts a message into the app's queue without waiting.

        `bot` plays when the players are an odd number; without one, somebody has a bye.
        """
        super().__init__()
        self.bring_bot: Callable[[HallOpening], HallGuest] | None = None  # lets it enter
        self._bot_name = f"{BOT}{bot}" if bot else ""
        self._bot: HallGuest | None = None
        self._begins = False  # a round, once the bot is there
        self.listening: events.Listening | None = None
        self.code = ""
        self._announcing: Announcing | None = None
        self.peer = opening(lambda event: post(PeerEvent(self, event)))

    def announce(self, announcing: Announcing) -> None:
        """Let others on the LAN find this hall as long as it is open."""
        self._announcing = announcing

    def note(self, event: talk.HallEvent) -> None:
        """Take in what the network tells."""
        super().note(event)
        if isinstance(event, events.Listening):
            self.listening, self.code = event, event.code
        elif isinstance(event, events.CodeChanged):
            self.code = event.code
        self._look_for_bot()
        if self._announcing is None or self.listening is None:
            return
        if self.closed is not None:
            self._announcing.close()
        elif self.terms is not None and self.board is not None:
            game, free = self.terms.setup.game, MOST - len(self.board.tournament.players)
            facts = Facts(self.terms.name, game.ID, game.TITLE, min(free, 6), is_hall=True)
            self._announcing.show(facts, self.listening.port)

    # --- a bot for an odd number --------------------------------------------------------------

    @property
    def away(self) -> tuple[int, ...]:
        """Return the people who take part in the next round and are not here."""
        return () if self.board is None else away_from(self.board, self._bot_name)

    @property
    def can_begin_without(self) -> bool:
        """Whether enough are left for a round if all who are away are left out."""
        if self.board is None:
            return False
        players = self.board.tournament.players
        people = [one for one in self._people(self.away) if players[one].name != self._bot_name]
        return len(people) + (bool(self._bot_name) and len(people) % 2) >= FEWEST

    def _people(self, without: Sequence[int]) -> list[int]:
        """Return who takes part in the next round, but for these and the bot that is here."""
        assert self.board is not None
        number = self._bot.number if self._bot is not None else None
        return [one for one in self.board.tournament.present if one not in (number, *without)]

    def start_round(self, without: Sequence[int] = ()) -> None:
        """Begin the next round without these; with the bot, if that leaves an odd number."""
        for player in without:
            self.peer.set_presence(player, False)
        if self.board is None or not self._bot_name:
            self.peer.start_round()
            return
        t, number = self.board.tournament, self._bot.number if self._bot is not None else None
        is_odd = len(self._people(without)) % 2 == 1
        if number is None and is_odd and not (t.system == ROBIN and t.rounds):
            self._begins = True
            self._bring_bot()
            return
        if number is not None and t.system != ROBIN:
            self.peer.set_presence(number, is_odd)
        self.peer.start_round()

    def _bring_bot(self) -> None:
        if self._bot is None and self.bring_bot is not None and self.listening is not None:
            way = openings.entering(("localhost",), self.listening.port, self.code, self._bot_name)
            self._bot = self.bring_bot(way)

    def _look_for_bot(self) -> None:
        """Let a bot come back that was there before; begin a round that has waited for it."""
        if self.board is None or self.closed is not None or not self._bot_name:
            return
        names = [one.name for one in self.board.tournament.players]
        if self._bot_name not in names:
            return
        self._bring_bot()
        if self._begins and names.index(self._bot_name) in self.board.here:
            self._begins = False
            self.peer.start_round()

    def close(self) -> None:
        """Stop the network; the tournament is kept."""
        if self._bot is not None:
            self._bot.close()
        if self._announcing is not None:
            self._announcing.close()
        super().close()


class EnteredHall(Hall):
    """A player's: with the table of their match of this round."""

    peer: Entry

    def __init__(self, opening: HallOpening, post: Post, *, is_open: bool = True) -> None:
        """Enter; `is_open`: whether our secrets may be opened when a match is over.

        Raises:
            KumiteError: what is wrong at once.
        """
        super().__init__()
        self.seat_down: Callable[[LanTable], None] = lambda _: None  # shows a match that begins
        self.table: MatchTable | None = None  # of our match of this round
        self._post, self._is_open = post, is_open
        self._called: tuple[int, int] | None = None  # round and place of that match
        self._seat = Seat(0)  # ours in it
        self._there: hall.HallTable | None = None  # where it is, if another one hosts it
        self._match_id = ""
        self._has_reported = False
        self._shown: MatchTable | None = None
        self.peer = opening(lambda event: post(PeerEvent(self, event)))

    def hear(self, event: talk.HallEvent) -> None:
        """Take in what the network tells; go to our table when it is time."""
        self.note(event)
        if isinstance(event, talk.TableOpen):
            self._there = event.table
            if self.table is not None and self.table.closed:  # its host has opened it again
                self.leave_table()
        if isinstance(event, talk.TableOpen | talk.HallChanged):
            self._look()
        self.listener(event)

    @property
    def place(self) -> int | None:
        """Return the place of our match in this round, None without one that is to be decided."""
        return None if self.board is None else self.board.my_place

    @property
    def is_first(self) -> bool:
        """Whether the table of our match is ours."""
        assert self.board is not None
        place = self.place
        return place is not None and self.board.tournament.rounds[-1][place].first == self.board.me

    @property
    def can_go(self) -> bool:
        """Whether there is a table to go to, or to go back to."""
        return self._is_called_there and self._has_way

    @property
    def is_waiting(self) -> bool:
        """Whether our table opens by itself, as soon as the other one is there."""
        table = self.table
        is_open = table is not None and not table.has_begun and not table.closed
        return self._is_called_there and (is_open or not self._has_way)

    @property
    def _is_called_there(self) -> bool:
        """Whether we have to go to a table, and are not at it."""
        return self.place is not None and not self._has_reported and not self.is_at_table

    @property
    def _has_way(self) -> bool:
        """Whether `go` leads anywhere: to a match that has begun, or to a table."""
        if self._log() is not None:
            return True
        if self.is_first:  # ours: it stands open already, unless it could not be opened
            return self.table is None or self.table.closed
        return self._is_open_there

    @property
    def _is_open_there(self) -> bool:
        """Whether we know where the other one has opened the table of this match."""
        there = self._there
        return (
            there is not None
            and (there.round, there.place) == self._called
            and bool(there.addresses)
        )

    @property
    def is_at_table(self) -> bool:
        """Whether our match is being played here."""
        return self.table is not None and self.table.has_begun and not self.table.closed

    # --- the table ----------------------------------------------------------------------------

    def _look(self) -> None:
        """Go to the table of a match to which we have been called, unless we have been there."""
        if self.board is None or self.place is None:
            return
        called = (self.board.round, self.place)
        if called != self._called:
            self.leave_table()
            self._called, self._match_id, self._has_reported = called, "", False
            self._seat = Seat(0) if self.is_first else Seat(1)
            if (log := self._log()) is not None:
                self._open(openings.resuming(log))
                return
        if self.table is None and not self._has_reported:
            self.go()

    def _log(self) -> Path | None:
        """Return the log of this match, if it has begun before, by what we have kept."""
        *when, name = self.peer.last_match
        log = folder() / name
        return log if name and tuple(when) == self._called and log.is_file() else None

    def go(self) -> None:
        """Go to our table: open it, or go where it is open; to a match that has begun, back."""
        assert self.board is not None
        assert self.terms is not None
        self.leave_table()
        if self.place is None:
            return
        there, me = self._there, self.board.tournament.players[self.board.me or 0].name
        if (log := self._log()) is not None:
            self._open(openings.resuming(log))
        elif self.is_first:
            offered = HostSetup(
                self.terms.setup,
                (me,),
                frozenset({Seat(0)}),
                self.terms.clock,
                has_watchers=False,
                is_open=self._is_open,
            )
            self._open(openings.hosting(offered, me, 0))
        elif there is not None and self._is_open_there:
            self._open(
                openings.joining(there.addresses, there.port, there.code, me, is_open=self._is_open)
            )

    def _open(self, opening: Opening) -> None:
        try:
            self.table = MatchTable(self, opening, self._post)
        except KumiteError as error:
            self.said = f"Your table: {error}. {error.hint}", True

    def leave_table(self) -> None:
        """Leave the table of our match; it is kept."""
        table, self.table = self.table, None
        if table is not None:
            table.close()

    def close(self) -> None:
        """Stop the network, at the table too; what was played is kept."""
        self.leave_table()
        super().close()

    # --- what happens at it -------------------------------------------------------------------

    def follow(self, table: MatchTable, event: events.Event) -> None:
        """Do what has to be done at our table: say where it is, begin, report the end."""
        if table is not self.table or self._called is None:
            return
        round_, place = self._called
        match event:
            case events.Listening() | events.CodeChanged() if table.listening is not None:
                where = table.listening
                there = tuple(where.addresses[: hall.MAX_ADDRESSES])
                self.peer.open_table(hall.HallTable(round_, place, where.port, there, table.code))
            case events.Lobby() if event.me == 0:
                if event.can_start:
                    table.peer.start()
            case events.Lobby() if not self._is_agreed(event):
                self._turn_away()
            case events.Lobby() if not event.guests[event.me].is_ready:
                table.peer.ready()
            case events.MatchBegan() if not self._is_begun_as_agreed(event):
                self._turn_away()
            case events.MatchBegan(header):
                if not self._match_id:
                    self._match_id = header.match_id
                    if table.path is not None:
                        self.peer.keep_log(round_, place, table.path.name)
                if self._shown is not table:  # else a rematch, at the screen that is there
                    self._shown = table
                    self.seat_down(table)
            case events.Stopped(_, text, hint) if not table.has_begun:
                self.table = None
                self.said = f"Your table: {text}. {hint}", True
            case _:
                pass
        if self.table is table:
            self._report(table)
        if self.table is not table or table.closed:
            self.listener(event)  # there may be a table to go back to

    def _is_agreed(self, lobby: events.Lobby) -> bool:
        """Return whether a table offers what the tournament plays, and the seat that is ours."""
        assert self.terms is not None
        is_same = (lobby.setup, lobby.clock) == (self.terms.setup, self.terms.clock or ())
        return is_same and lobby.guests[lobby.me].seats == {self._seat}

    def _is_begun_as_agreed(self, begun: events.MatchBegan) -> bool:
        """Return whether a match is one that we know, or what was offered.

        Its host could hurry from what it has offered to something else.
        """
        assert self.terms is not None
        if self._match_id or self._log() is not None:
            return True
        clocks = () if self.terms.clock is None else (1000 * self.terms.clock[0],) * SEATS
        is_same = (begun.header.setup, begun.clocks) == (self.terms.setup, clocks)
        return is_same and begun.seats == {self._seat}

    def _turn_away(self) -> None:
        """Leave a table at which another match is played than the tournament's."""
        self.leave_table()
        self.said = OTHER_MATCH, True

    def _report(self, table: MatchTable) -> None:
        """Tell the organiser how our match has ended, once."""
        result = result_of(table, self._seat)
        if result is None or self._has_reported or self._called is None or table.header is None:
            return
        if table.header.match_id != self._match_id:
            return  # another one, which they play because they like to
        self._has_reported = True
        round_, place = self._called
        match = table.match
        self.peer.report(
            hall.Reported(round_, place, self._match_id, int(result), match.number, match.digest)
        )


class MatchTable(LanTable):
    """A table of a tournament: the hall follows what happens at it."""

    def __init__(self, within: EnteredHall, opening: Opening, post: Post) -> None:
        self._within = within
        super().__init__(opening, post)

    def hear(self, event: events.Event) -> None:
        """Take in what the network tells, and let the hall and the screen know."""
        self._note(event)
        self._within.follow(self, event)
        self.listener(event)

    @property
    def stood_for(self) -> Seat | None:
        """Return no seat: nobody plays on for another one in a tournament."""
        return None


def result_of(table: LanTable, seat: Seat) -> Result | None:
    """Return what came of the match at a table; None while it goes on, or if nobody knows.

    Nobody knows, either, if we had not the seat that is ours and no other: if the host has let us
    sit elsewhere, or one terminal has played on for the other.
    """
    if not table.has_begun or table.ours != {seat}:
        return None
    match, end = table.match, table.end
    if match.outcome is not None:
        end = End("outcome", match.outcome.winners, match.outcome.reason)
    if end is None or not is_decided(match.setup, end):
        return None
    sides = {match.setup.side_of(seat) for seat in winners(match.setup, end)}
    assert match.setup.seats == SEATS
    if len(sides) != 1:
        return Result.DRAW
    return Result.FIRST if sides == {0} else Result.SECOND
