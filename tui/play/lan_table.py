"""A LAN table as the screens see it: the match, who sits where, and what the network tells.

The network has its own thread and never waits for us; what it tells is heard in the app's thread.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Protocol

from textual.message import Message

from kumite.core.errors import IllegalStep, NotToAct
from kumite.core.game import CHANCE, SPECTATOR, Seat
from kumite.net.session import events
from kumite.net.wire import posts
from kumite.tui.play.clocks import Clocks
from kumite.tui.play.local_seats import STAND_IN, LocalSeats, handed_over
from kumite.tui.play.local_table import names_in
from kumite.tui.play.narration import Remark

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from kumite.core.game import Actor, Seats, Step
    from kumite.core.log import Header
    from kumite.net.replica.audit import Verdict
    from kumite.net.transport.announcer import Announcing, Facts
    from kumite.tui.play.openings import Opening


ABSENT: Final = ("quiet", "away", "left")  # words of who is not there; who is slow is
COMPARE: Final = "Compare aloud the three words below the table, at the right."
"""Said in the log, without the words: there anybody could write others."""


class Hears(Protocol):
    """What takes in what the network tells: a table, or the hall of a tournament."""

    def hear(self, event: Any) -> None:
        """Take it in."""


class PeerEvent(Message):
    """The network told something about a table; the app's thread takes it in."""

    def __init__(self, table: Hears, event: Any) -> None:
        super().__init__()
        self.table, self.event = table, event


class LanTable(LocalSeats):
    """One terminal's side of a match over the network."""

    def __init__(
        self,
        opening: Opening,
        post: Callable[[Message], object],
        programs: Mapping[str, str] | None = None,
    ) -> None:
        """Open it; `post` puts a message into the app's queue without waiting.

        `programs` are the commands that play for us, by name (`asking.called`).

        Raises:
            KumiteError: what the network's side refuses at once.
        """
        super().__init__()
        self.programs = programs or {}
        self.listener: Callable[[events.Event], None] = lambda _: None  # the screen on top
        self.clock: Callable[[], float] = time.monotonic
        self.names = ()
        self.listening: events.Listening | None = None
        self.code = ""
        self.lobby: events.Lobby | None = None
        self.talk: list[str] = []  # what was said in the lobby
        self.header: Header | None = None
        self.words: tuple[str, ...] = ()  # to be compared aloud
        self.ours: Seats = SPECTATOR
        self.clocks = Clocks()
        self.offer: events.Offered | None = None
        self.missed: Seats = SPECTATOR  # away so long that all others may say: for good
        self.said_of_missed = ""
        self._missed_then: Seats = SPECTATOR  # when it was said last that somebody is gone
        self.gone: Seats = SPECTATOR  # of whom they have said so
        self.watchers: tuple[str, ...] = ()  # who looks on, as far as they say
        self.trouble: dict[Seat, tuple[str, str]] = {}  # why a seat is not there: a word, a text
        self.verdict: Verdict | None = None
        self.said_of_audit = ""
        self.stopped: events.Stopped | None = None
        self.closed = False  # the last event has come
        self.remarks: list[Remark] = []  # what was said and has happened beside the steps
        self._sending: Actor | None = None
        self._stand_ins: dict[Seat, str] = {}
        self._announcing: Announcing | None = None  # of a host who lets others find the table
        self._facts: Facts | None = None
        self.peer = opening(lambda event: post(PeerEvent(self, event)))

    # --- what the keyboard asks ---------------------------------------------------------------

    @property
    def here(self) -> Seats:
        """Return the seats of this terminal."""
        return self.ours

    @property
    def bots(self) -> Mapping[Seat, str]:
        """Return the bot of each seat of this terminal that has one."""
        found = {**super().bots, **{s: b for s, b in self._stand_ins.items() if s in self.ours}}
        return {seat: who for seat, who in found.items() if who and seat not in self.vacant}

    @property
    def can_act(self) -> bool:
        """Return whether a step can be made now: not while one is on its way."""
        return self.end is None and not self.closed and self._sending is None

    @property
    def is_sending(self) -> bool:
        """Return whether a step of ours is on its way."""
        return self._sending is not None

    @property
    def has_begun(self) -> bool:
        """Return whether there is a match."""
        return self.header is not None

    @property
    def is_over(self) -> bool:
        """Return whether the match has ended."""
        return self.end is not None or self.match.outcome is not None

    @property
    def path(self) -> Path | None:
        """Return the log, once the match has begun."""
        return self.peer.path

    # --- what the network tells ---------------------------------------------------------------

    def hear(self, event: events.Event) -> None:
        """Take in what the network tells, then let the screen know."""
        self._note(event)
        self._announce()
        self.listener(event)

    def _note(self, event: events.Event) -> None:
        match event:
            case events.Listening():
                self.listening, self.code = event, event.code
            case events.CodeChanged(code):
                self.code = code
            case events.Lobby():
                self.lobby = event
            case events.Talked(name, text):
                self.talk.append(f"{name or 'somebody'}: {text}")
            case events.MatchBegan():
                self._begin(event)
            case events.Left(_, _, True) | events.Stopped():
                self.closed, self._sending = True, None
                self.stopped = event if isinstance(event, events.Stopped) else None
                self._remark(event.text, "loss")
            case _ if self.has_begun:
                self._note_at_table(event)
            case _:
                pass

    def _begin(self, event: events.MatchBegan) -> None:
        before = self.header
        if before is None or before.match_id != event.header.match_id:
            self.remarks, self._stand_ins, self.trouble, self.vacant = [], {}, {}, {}
            self._left = {}
            self.missed = self.gone = SPECTATOR
        self.header, self.match, self.ours = event.header, event.match, event.seats
        self.names, self.words = names_in(event.header), event.words
        if not self._stand_ins and not self.vacant:
            self.vacate()
        self.end = self.offer = self.verdict = self._sending = None
        self.said_of_audit = ""
        self.chosen = frozenset()
        self._looking = None
        self.clocks = Clocks(event.clocks, SPECTATOR, self.clock())
        if before is not None and before.match_id != event.header.match_id:
            self._remark("A rematch: the seats have moved on by one.", "title")
        self._remark(COMPARE)

    def _note_at_table(self, event: events.Event) -> None:
        match event:
            case events.Sending(actor):
                self._sending = actor
            case events.MatchChanged():
                self._changed(event)
            case events.ClocksStand(left, running):
                self.clocks = Clocks(left, running, self.clock())
            case events.Chose(seat):
                self.chosen |= {seat}
                self._sent(seat)
            case events.NotDone():
                self._sending = None
            case events.Said(seat, text):
                self._remark(f"{self.shown_names[seat]}: {text}", "title", is_talk=True)
            case events.Offered():
                self.offer, self._missed_then = event, self.missed
                self._remark(event.text)
            case events.OfferGone(text=text):
                self.offer = None
                self._remark(text)
            case events.SeatMoved(seat, seats, text):
                if seat in seats - self.ours:
                    self._stand_ins[seat] = STAND_IN
                self.ours = seats
                self.trouble.pop(seat, None)
                self._remark(text)
            case events.Desync(text, number, common):
                self._sending = None
                self._remark(f"Step {number}: {text}; all agree up to step {common}", "loss")
            case events.Ended(end, text):
                self.end, self.offer = end, None
                self._remark(text)
            case events.Watching(names):
                self._watched(names)
            case events.Unaudited(_, text):
                self.said_of_audit = text
                self._remark(text, "loss")
            case events.Audited(verdict, text):
                self.verdict, self.said_of_audit = verdict, text
                self._remark(text, "key" if verdict.is_sound else "loss")
            case _:
                self._note_presence(event)

    def _watched(self, names: tuple[str, ...]) -> None:
        """Note who looks on now, and who no longer does."""
        before, after = Counter(self.watchers), Counter(names)
        self.watchers = names
        for name in (after - before).elements():
            self._remark(f"{name or 'Somebody'} looks on")
        for name in (before - after).elements():
            self._remark(f"{name or 'Somebody'} looks on no longer")

    def _note_presence(self, event: events.Event) -> None:
        """Note who is there and who is not."""
        words = {events.Quiet: "quiet", events.Away: "away", events.Stalled: "slow"}
        match event:
            case events.Quiet(seats, text) | events.Away(seats, text) | events.Stalled(seats, text):
                self.trouble |= dict.fromkeys(seats, (words[type(event)], text))
                self._remark(text)
            case events.HeardAgain(seats, text):
                for seat in seats - self.gone:
                    self.trouble.pop(seat, None)
                self.missed -= seats
                self._remark(text)
            case events.LongAway(seats, text):
                self.missed, self.said_of_missed = self.missed | seats, text
                self._remark(text, "loss")
            case events.Gone(seats, ours, text):
                self.trouble |= dict.fromkeys(seats, ("gone", ""))
                self.gone, self.ours, self.missed = seats, ours, self.missed - seats
                self._remark(text, "title")
            case events.Left(seats, text):
                self.trouble |= dict.fromkeys(seats, ("left", text))
                self._remark(text)
            case _:
                pass

    def _changed(self, event: events.MatchChanged) -> None:
        self.match = event.match
        if event.clocks:
            self.clocks = Clocks(event.clocks, SPECTATOR, self.clock())
        if event.played is None:
            self.chosen, self._sending = frozenset(), None
            self.remarks = [
                one._replace(number=min(one.number, event.match.number)) for one in self.remarks
            ]
        elif event.played.actor != CHANCE:
            seat = Seat(int(event.played.actor))
            self.chosen -= {seat}
            self._sent(seat)

    def _sent(self, seat: Seat) -> None:
        if self._sending == seat:
            self._sending = None

    def _remark(self, text: str, role: str = "quiet", *, is_talk: bool = False) -> None:
        if self.has_begun and text:
            self.remarks.append(Remark(self.match.number, text, role, is_talk))

    @property
    def troubles(self) -> tuple[str, ...]:
        """Return what there is to say about who is not there, each thing once."""
        return tuple(dict.fromkeys(text for _, text in self.trouble.values() if text))

    @property
    def is_gone(self) -> bool:
        """Return whether all others have said that people here are gone for good."""
        return self.header is not None and bool(self.gone & (self.header.by or SPECTATOR))

    @property
    def is_replaced(self) -> bool:
        """Return whether bots elsewhere play on for all people here, who were away."""
        if self.header is None or self.mine or self.is_gone:
            return False
        return bool((self.header.by or SPECTATOR) - self.ours)

    @property
    def can_be_gone(self) -> bool:
        """Return whether people here can say of somebody that they are gone for good."""
        said: Seats = SPECTATOR
        if self.offer is not None and self.offer.kind == posts.GONE:
            said = self._missed_then if self.offer.is_ours else self.missed
        return bool(self.mine and self.missed - said) and self.verdict is None

    @property
    def stood_for(self) -> Seat | None:
        """Return a seat that a bot of ours could take: not there, and nothing is hidden.

        A laptop that has lost its network is quiet for as long as that lasts: no line breaks.
        """
        if not self.mine or self.is_over or self.match.game.SECRETS is not None:
            return None
        gone = [seat for seat, (word, _) in self.trouble.items() if word in ABSENT]
        return min((seat for seat in gone if seat not in self.ours), default=None)

    # --- what people and bots do --------------------------------------------------------------

    def play(self, actor: Actor, step: Step) -> None:
        """Ask the network to make a step; the answer is an event.

        Raises:
            KumiteError: it cannot be made; a mistake is explained at once.
        """
        if self.closed:
            raise IllegalStep("the table is closed", hint="q leaves; the match is saved")
        if self._sending is not None or actor in self.chosen:
            raise NotToAct("the choice is made", hint="it is on its way to the others")
        self.match.check(actor, step)
        self._sending = actor
        if actor != CHANCE:
            self._laid[Seat(int(actor))] = step
        self.peer.play(actor, step)

    def hand_over(self, seat: Seat, who: str) -> None:
        """Let a bot or a person of ours go on in a seat of ours, and tell the others."""
        why = self.vacant.pop(seat)
        self.peer.say(handed_over(seat + 1, why, who))  # people count from 1
        self._stand_ins[seat] = self._bot_named(who)

    @property
    def can_take_back(self) -> bool:
        """Return whether we have chosen something since chance has last brought something out."""
        before, at = self.last_choice(), self.match
        if before is None:
            return False
        while at.before is not None and at.number > before.number:
            if at.last is not None and at.last.actor == CHANCE:
                return False
            at = at.before
        return True

    def take_back(self) -> None:
        """Ask the others to go back to our last choice."""
        before = self.last_choice()
        if before is None:
            raise IllegalStep("there is no step of yours to take back")
        self.peer.offer(posts.BACK, before.number)

    def resign(self) -> None:
        """Give up for whoever of ours is to act, else for our first seat."""
        if not self.mine:
            raise IllegalStep("a spectator cannot give up", hint="q leaves")
        acting = self.acting
        self.peer.resign(acting if acting is not None else min(self.mine))

    def close(self) -> None:
        """Stop the network; the match is kept."""
        if self._announcing is not None:
            self._announcing.close()
        self.peer.close()

    # --- being found --------------------------------------------------------------------------

    def announce(self, announcing: Announcing, facts: Facts) -> None:
        """Let others on the LAN find this table as long as it is open."""
        self._announcing, self._facts = announcing, facts

    def _announce(self) -> None:
        """Tell what others may know of this table."""
        if self._announcing is None or self._facts is None or self.listening is None:
            return
        if self.closed:
            self._announcing.close()
            return
        free = self._facts.free if self.lobby is None else len(self.lobby.free)
        facts = replace(self._facts, free=0 if self.has_begun else free)
        self._announcing.show(facts, self.listening.port)
