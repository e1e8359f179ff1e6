"""A LAN table for the screens: the match, its seats and its network state.

The network runs in its own thread and never blocks the app; its events are posted to the app's
thread.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from textual.message import Message

from kumite.core.errors import IllegalStep, KumiteError, NotToAct
from kumite.core.game import CHANCE, HOLE, SPECTATOR, Actor, Seat, Seats, Step
from kumite.core.games import GAMES
from kumite.core.log import Header
from kumite.core.players import FOR, is_person, stand_in
from kumite.core.series import SINGLE, Series
from kumite.core.table import Event, Play, TakeBack, outcome_end
from kumite.net.session import events
from kumite.net.session.events import Answered, Status
from kumite.net.transport.announcer import Announcing
from kumite.net.wire import posts
from kumite.store import clock, guest_mode
from kumite.tui import scenes
from kumite.tui.play import first
from kumite.tui.play.lobby_words import watched
from kumite.tui.play.local_seats import LocalSeats, handed_over
from kumite.tui.play.local_table import names_in
from kumite.tui.play.narration import Remark
from kumite.tui.play.network_words import text, title
from kumite.tui.play.table_model import WITH_BACK
from kumite.tui.play.terms import Clocks, score_text
from kumite.tui.scenes.about import about_game
from kumite.tui.scenes.tallies import colors_of

if TYPE_CHECKING:
    from kumite.net.replica.audit import Verdict
    from kumite.tui.play.openings import Opening


TROUBLES: Final = {
    Status.QUIET: "quiet",
    Status.AWAY: "away",
    Status.REFUSED: "away",
    Status.STALLED: "slow",
}
LONG: Final = 60.0  # s after which is shown since when somebody has been thinking
ABSENT: Final = ("quiet", "away", "left")  # states of missing players; a slow one is present
REPLACED: Final = "A bot plays for you: look on; if you stay, you play in the next match."
UNKEPT: Final = "I came without a password: if my connection breaks, this seat is lost."
SHOWN: Final = "what was shown cannot be hidden again"


class Hears(Protocol):
    """A receiver of network events: a table or a tournament."""

    def hear(self, event: Any) -> None:
        """Handle an event."""


@dataclass
class PeerEvent(Message):
    """A session event, delivered to the app's thread."""

    table: Hears
    event: Any

    def __call__(self) -> None:
        self.table.hear(self.event)


def announcing(
    who: Hears,
    post: Callable[[Message], object],
    name: str | None,
    way: str,
    tournament_id: str = "",
) -> Announcing | None:
    """Return what announces something by its name, if any; failures tell another `way` in."""
    if name is None:
        return None

    def failed(error: KumiteError) -> None:
        post(PeerEvent(who, events.NotDone(error.code, str(error), guest_mode.suited(way))))

    return Announcing(name, failed, tournament_id)


@dataclass
class Absences:
    """Which players elsewhere are absent."""

    met: Seats = SPECTATOR  # seats whose players were here since this table was opened
    trouble: dict[Seat, tuple[str, str]] = field(default_factory=dict)  # why: a word and a text
    missed: Seats = SPECTATOR  # away long enough for the others to declare them gone
    said_of_missed: str = ""
    missed_then: Seats = SPECTATOR  # `missed` at the last such offer
    gone: Seats = SPECTATOR  # declared gone
    unkept: Seats = SPECTATOR  # of guests who cannot come back, as they said
    said: str = ""  # the last news


class LanTable(LocalSeats):
    """One terminal's side of a match over the network."""

    is_lan = True
    is_of_tournament = False  # whether leaving leads back there, and nobody is replaced

    def __init__(
        self,
        opening: Opening,
        post: Callable[[Message], object],
        programs: Mapping[str, str] | None = None,
        listed_as: str | None = None,
    ) -> None:
        """Open the table; `post` puts a message into the app's queue without blocking.

        `programs`: commands of local bots by name. With `listed_as`, the table is announced on the
        LAN by this name while it is open. Raise KumiteError if its network side cannot be opened.
        """
        super().__init__()
        self.programs = programs or {}
        self.listener: Callable[[events.Event], None] = lambda _: None  # the top screen
        self.clock: Callable[[], float] = clock.now
        self.names = ()
        self.listening: events.Listening | None = None
        self.lobby: events.Lobby | None = None
        self.pings: dict[str, int] = {}  # ms until their terminals answer, by name in the lobby
        self.talk: list[str] = []  # chat of the lobby
        self.began: events.MatchBegan | None = None
        self.has_new_words = False  # in this match, to compare
        self.ours: Seats = SPECTATOR
        self.clocks = Clocks()
        self.offer: events.Offered | None = None
        self.votes: tuple[tuple[str, str], ...] = ()  # for the next game: name, id of the game
        self._is_vote_even = False
        self.absences = Absences()
        self.watching = events.Watching(())  # the spectators
        self.said_of_wish = ""  # who of them has just asked to play
        self.verdict: Verdict | None = None
        self.said_of_audit = ""
        self.stopped: events.Stopped | None = None
        self.closed = False  # the last event has arrived
        self.closed_by = ""  # whose leaving closed the table
        self.decided = ""  # how a tournament's organiser has decided the match
        self.earlier: list[Remark] = []  # those of earlier matches at this table, and of the lobby
        self.changed = 0.0  # when the last step was made, by `clock`
        self._sending: Actor | None = None
        self._stand_ins: dict[Seat, str] = {}
        self.said_of_rematch = ""  # who has which seat
        way = "{{others can still join by address and code|}}"
        self._announcing = announcing(self, post, listed_as, way)
        self.peer = opening(lambda event: post(PeerEvent(self, event)))

    # --- what the keyboard asks ---------------------------------------------------------------

    @property
    def here(self) -> Seats:
        return self.ours

    @property
    def bots(self) -> Mapping[Seat, str]:
        found = {**super().bots, **{s: b for s, b in self._stand_ins.items() if s in self.ours}}
        return {seat: who for seat, who in found.items() if who and seat not in self.vacant}

    @property
    def can_act(self) -> bool:
        """True if a step can be made now: not while another is in transit."""
        return self.end is None and not self.closed and self._sending is None

    @property
    def is_sending(self) -> bool:
        """True if a step of this terminal is in transit."""
        return self._sending is not None

    @property
    def has_begun(self) -> bool:
        return self.began is not None

    @property
    def header(self) -> Header | None:
        return None if self.began is None else self.began.header

    @property
    def words(self) -> tuple[str, ...]:
        return () if self.began is None else self.began.words

    @property
    def compare(self) -> str:
        """Return what the words are for. Never in the log: chat could imitate it there."""
        who = "other reads" if self.mine and self.match.setup.seats == 2 else "others read"
        return f"If the {who} {' '.join(self.words)}, nobody listens in."

    @property
    def code(self) -> str:
        return "" if self.listening is None else self.listening.code

    @property
    def path(self) -> Path | None:
        return self.peer.path

    # --- what the network tells ---------------------------------------------------------------

    def hear(self, event: events.Event) -> None:
        """Update the state with an event, then notify the screen."""
        self._note(event)
        self._announce()
        self.listener(event)

    def _note(self, event: events.Event) -> None:
        match event:
            case events.Listening():
                self.listening = event
            case events.CodeChanged(code) if self.listening is not None:
                self.listening = replace(self.listening, code=code)
            case events.Lobby():
                self.lobby = event
            case events.Pinged(name, ms):
                self.pings[name] = ms
            case events.Said(said, None, name) if not self.has_begun:
                self.talk.append(f"{name or 'somebody'}: {said}")
            case events.MatchBegan():
                self._begin(event)
            case events.Left(is_closed=True) | events.Stopped():
                self.closed, self._sending = True, None
                self.stopped = event if isinstance(event, events.Stopped) else None
                self.closed_by = event.who
                self._remark(text(event), "loss")
            case _ if self.has_begun:
                self._note_at_table(event)

    def _begin(self, event: events.MatchBegan) -> None:
        before = self.header
        is_rematch = before is not None and before.match_id != event.header.match_id
        ended = self.score if self.goes_on and event.series.best_of == 1 else ""
        if before is None or is_rematch:
            self.earlier += self.remarks if is_rematch else [Remark(0, one) for one in self.talk]
            self.remarks, self._stand_ins, self.vacant, self._left = [], {}, {}, {}
            self.absences, self.watching = Absences(self.absences.met), events.Watching(())
        self.has_new_words = self.words != event.words
        self.is_rated = len(event.seats) == 1
        self.began, self.match, self.ours = event, event.match, event.seats
        self.changed = self.clock()
        self.names = names_in(event.header)
        if not event.match.number:  # else a saved match: the others come back one by one
            self.absences.met = frozenset(map(Seat, range(event.match.setup.seats)))
        if not self._stand_ins and not self.vacant:
            self.vacate()
        if self.mine and guest_mode.warning():
            self.peer.say(UNKEPT, is_unkept=True)
        self.end = self.offer = self.verdict = self._sending = None
        self.said_of_audit, self.votes = "", ()
        self.chosen = {}
        self.clocks = Clocks(event.clocks, SPECTATOR, self.clock())
        names = self.shown_names
        begins = first.told(self.match.game, names) or f"{names[0]} has seat 1"
        is_other = before is not None and before.setup.game.ID != self.match.game.ID
        what = self.match.game.TITLE if is_other else "A rematch"
        self.said_of_rematch = f"{what}: {begins}." * is_rematch
        self._remark(self.said_of_rematch, "title")
        self._remark(f"The series has ended ({ended})." * bool(ended), "title")
        self._remark(REPLACED * bool(event.replaced), "title")

    def talk_line(self, said: events.Said) -> str:
        if said.is_unsent:
            when = "" if said.seat is None else "it is sent when the connection is back"
            return f"not sent{' yet' * bool(when)}: {said.text}" + f" ({when})" * bool(when)
        if said.seat is not None:
            name = self.names[said.seat]
            is_replaced = name.startswith(FOR)  # the player is back, and looks on
            who = name.removeprefix(FOR) if is_replaced else self.shown_names[said.seat]
            return f"{who}: {said.text}"
        return f"{said.name}{', looking on' * (said.name in self.watching.names)}: {said.text}"

    @property
    def series(self) -> Series:
        """Return the score, with this match if it is over."""
        if self.began is None:
            return SINGLE
        before, end = self.began.series, outcome_end(self.match) or self.end
        return before.after(self.match.setup, end) if self.is_over else before

    @property
    def score(self) -> str:
        """Return the score in words; "" if the first match is the only one."""
        if self.began is None or (self.began.series == SINGLE):
            return ""
        return score_text(self.series, self.match.setup, self.shown_names)

    @property
    def next_games(self) -> tuple[str, ...]:
        """Return the ids of the games that the same players can vote for."""
        seats = self.match.setup.seats
        return tuple(one.ID for one in GAMES.values() if seats in one.SEATS)

    @property
    def said_of_votes(self) -> str:
        """Return the votes in a line: `Kumo Hogosha 2 (ada, bob), Kitsu! 1 (cal)`."""
        names: dict[str, list[str]] = {}
        for name, game in self.votes:
            names.setdefault(title(game), []).append(name)
        most = sorted(names.items(), key=lambda one: -len(one[1]))
        return ", ".join(f"{game} {len(who)} ({', '.join(who)})" for game, who in most)

    @property
    def others_here(self) -> tuple[str, ...]:
        """Return who would lose the table if we left it; nobody unless we are its host."""
        if self.listening is None:
            return ()
        elsewhere = enumerate(self.shown_names)
        here = self.absences.met - self.ours - self.absences.trouble.keys()
        players = (name for seat, name in elsewhere if seat in here and is_person(name))
        return (*players, *(name for name in self.watching.names if name))

    def offer_next(self, kind: str, game: str = "") -> None:
        """Offer a rematch, or vote for a game: the loser begins, or else the seats move on."""
        begins = next(iter(first.may_begin(self.match, self.end, self.shown_names)))
        self.peer.offer(kind, begins, game)

    @property
    def goes_on(self) -> bool:
        """True if a series waits for its next match."""
        return self.series.best_of > 1 and not self.series.is_decided

    @property
    def cost_of_other(self) -> str:
        """Return what another game ends, as a sentence after another; "" if nothing."""
        return f" It ends the best of {self.series.best_of}." * self.goes_on

    def offer_text(self, offer: events.Offered) -> str:
        """Return the text of an offer: of a takeback which steps, of another game what it ends."""
        offer = replace(offer, agrees="")  # that is news, and no part of it
        if offer.kind == posts.AGAIN:
            game = GAMES.get(offer.game) if offer.game else self.match.game
            has_first = game is not None and about_game(game).has_first
            role = about_game(game).roles[0] if game and has_first else "has seat 1"
            offer = replace(offer, about=f"{offer.about} {role}")
        if offer.game:
            said = text(offer)
            if self._is_vote_even:
                said = f"The votes are even; the first was for {title(offer.game)}"
            return f"{said}.{self.cost_of_other}" if self.goes_on else said
        count = self.match.number - offer.number
        if offer.kind != posts.BACK or not offer.who or count < 1:
            return text(offer)
        at = self.match
        while at.before is not None and at.before.number > offer.number:
            at = at.before
        step = at.last.step if at.last is not None else HOLE
        what, to = ("the last step", "") if count == 1 else (f"{count} steps", "to before ")
        if HOLE not in step:  # otherwise it is a secret of another seat
            what += f", {to}{scenes.maker(self.match).LABELS.get(step, step)}"
        said = f"{offer.who} would like to take back {what}"
        is_told = self.is_rated and not offer.is_ours
        return f"{said}. {WITH_BACK.partition(':')[0]}" if is_told else said

    def _note_at_table(self, event: events.Event) -> None:
        said, role = text(event), "quiet"
        match event:
            case events.Sending(actor):
                self._sending = actor
            case events.MatchChanged():
                self._changed(event)
            case events.ClocksStand(left, running):
                self.clocks = Clocks(left, running, self.clock())
            case events.Chose(seat, step):
                self.chosen = {**self.chosen, seat: step}
                self._sent(seat)
            case events.NotDone():
                self._sending, said = None, ""
            case events.Said(_, seat, is_unkept=is_unkept):
                role = "quiet" if seat is None else f"flag-{colors_of(self.match)[seat]}"
                if seat is not None and is_unkept:
                    self.absences.unkept |= {seat}
                self._remark(self.talk_line(event), role, is_talk=True)
            case events.Offered():
                self.offer, self.absences.missed_then = event, self.absences.missed
                said = said if event.agrees else self.offer_text(event)
            case events.OfferGone(kind, answer):
                self.offer = None
                self.is_rated &= (kind, answer) != (posts.BACK, Answered.AGREED)
            case events.Voted(who, game, votes):
                counts = Counter({**dict(self.votes), who: game}.values()).most_common(2)
                self._is_vote_even = len({count for _, count in counts}) < len(counts)
                self.votes = votes
            case events.SeatMoved(seat, seats) if self.is_over:  # it is about the next match
                self.ours = seats
                said = f"{self.shown_names[seat]}'s seat is free in the next match"
            case events.SeatMoved(seat, seats):
                self._replace(frozenset({seat}))
                self.ours = seats
                said += f". {REPLACED}" * self.is_replaced
                self.absences.trouble.pop(seat, None)
            case events.Desync():
                self._sending, role = None, "loss"
            case events.Ended(end):
                self.end, self.offer = end, None
            case events.Watching():
                self.said_of_wish, news = watched(self.watching, event)
                self.watching = event
                for one in (self.said_of_wish, *news):
                    self._remark(one)
            case events.Audited(verdict):
                self.verdict, self.said_of_audit = verdict, said
                role = "key" if verdict.is_sound else "loss"
            case _:
                said, role = self._note_presence(event, said)
        self._remark(said, role)

    def _replace(self, seats: Seats) -> None:
        """Let the names of seats say that bots play there from now on."""
        named = enumerate(self.names)
        self.names = tuple(stand_in(name) if seat in seats else name for seat, name in named)

    def _note_presence(self, event: events.Event, said: str) -> tuple[str, str]:
        """Update which players are present; return what to log, and its role."""
        role, absences = "quiet", self.absences
        match event:
            case events.Presence(Status.AWAY, seats) if not seats <= absences.met:
                said = f"Waiting for {event.who} to connect: the list of tables leads back here"
                absences.trouble |= dict.fromkeys(seats, ("away", said))
            case events.Presence(Status.AWAY, seats) if seats and seats <= absences.unkept:
                said = f"{event.who} came without a password and cannot take this seat again"
                absences.trouble |= dict.fromkeys(seats, ("away", said))
            case events.Presence(Status.BACK | Status.SLEPT, seats):
                if event.status is Status.BACK and not seats <= absences.met:
                    said = f"You are back at the table with {event.who}"  # to a saved match
                    # Nothing tells who else is there: from now on others come back, not we.
                    absences.met = frozenset(map(Seat, range(self.match.setup.seats)))
                for seat in seats - absences.gone:
                    absences.trouble.pop(seat, None)
                absences.missed -= seats
            case events.Presence(Status.MISSED, seats):
                absences.missed |= seats
                absences.said_of_missed, role = said, "loss"
            case events.Presence(Status.UNAUDITED | Status.SECRETIVE):
                self.said_of_audit, role = said, "loss"
            case events.Presence(status, seats):
                absences.trouble |= dict.fromkeys(seats, (TROUBLES[status], said))
            case events.Gone(seats, ours):
                if event.has_bots and not event.is_over:
                    self._replace(seats)
                absences.trouble |= dict.fromkeys(seats, ("gone", ""))
                absences.gone, absences.missed = seats, absences.missed - seats
                self.ours = ours
                role = "title"
            case events.Left(seats):
                absences.trouble |= dict.fromkeys(seats, ("left", said))
        absences.said = said
        return said, role

    def _changed(self, event: events.MatchChanged) -> None:
        self.match, self.changed = event.match, self.clock()
        if event.clocks:
            self.clocks = Clocks(event.clocks, SPECTATOR, self.clock())
        if event.played is None:
            self.chosen, self._sending = {}, None
            self.remarks = [
                one._replace(number=min(one.number, event.match.number)) for one in self.remarks
            ]
        elif event.played.actor != CHANCE:
            seat = Seat(int(event.played.actor))
            self.chosen = {one: step for one, step in self.chosen.items() if one != seat}
            self._sent(seat)

    def _sent(self, seat: Seat) -> None:
        if self._sending == seat:
            self._sending = None

    def _remark(self, said: str, role: str = "quiet", *, is_talk: bool = False) -> None:
        if self.has_begun and said:
            self.remarks.append(Remark(self.match.number, said, role, is_talk))

    @property
    def thinks_elsewhere(self) -> Seats:
        """Return the seats of other terminals that have to choose, without a clock."""
        if self.is_over or self.closed or self.clocks.left:
            return SPECTATOR
        due = {Seat(int(one)) for one in self.match.actors if one != CHANCE}
        return frozenset(due - self.ours - self.chosen.keys() - self.absences.trouble.keys())

    def until_long(self, now: float) -> float:
        """Return the s until a player who thinks takes long; it may be past."""
        return self.changed + LONG - now

    def thinking(self, seat: Seat, now: float) -> str:
        """Return since when a player elsewhere thinks, if it takes long."""
        if seat not in self.thinks_elsewhere or self.until_long(now) > 0:
            return ""
        since = datetime.now() - timedelta(seconds=now - self.changed)
        return f"thinking since {since:%H:%M}"

    @property
    def troubles(self) -> tuple[str, ...]:
        """Return the messages about absent players, without duplicates."""
        return tuple(dict.fromkeys(said for _, said in self.absences.trouble.values() if said))

    @property
    def is_gone(self) -> bool:
        """True if the others have declared the players here gone."""
        return self.header is not None and bool(self.absences.gone & (self.header.by or SPECTATOR))

    @property
    def is_replaced(self) -> bool:
        """True if bots elsewhere have replaced the players here, who were away."""
        if self.header is None or self.mine or self.is_gone:
            return False
        is_kept = self.began is not None and bool(self.began.replaced)
        return is_kept or bool((self.header.by or SPECTATOR) - self.ours)

    @property
    def can_wish(self) -> bool:
        """True if spectators here can ask for a seat in the next match."""
        has_none = not (self.mine or self.is_replaced or self.is_gone)
        return has_none and self.is_over and not (self.closed or self.is_of_tournament)

    @property
    def can_be_gone(self) -> bool:
        """True if the players here can declare someone gone."""
        said: Seats = SPECTATOR
        if self.offer is not None and self.offer.kind == posts.GONE:
            said = self.absences.missed_then if self.offer.is_ours else self.absences.missed
        return bool(self.mine and self.absences.missed - said) and self.verdict is None

    @property
    def stood_for(self) -> Seat | None:
        """Return a seat that a local bot could take over: its player is absent, nothing is hidden.

        A player who is only quiet counts as absent: a laptop that loses its network stays
        quiet, since the connection does not break.
        """
        is_bound = self.is_of_tournament or self.match.game.SECRETS is not None
        if not self.mine or self.is_over or is_bound:
            return None
        gone = [seat for seat, (word, _) in self.absences.trouble.items() if word in ABSENT]
        return min((seat for seat in gone if seat not in self.ours), default=None)

    # --- what people and bots do --------------------------------------------------------------

    def _send(self, actor: Actor, step: Step) -> None:
        """Send a step to the network; the answer is an event."""
        if self.closed:
            raise IllegalStep("the table is closed", hint="q leaves; the match is saved")
        if self._sending is not None or actor in self.chosen:
            raise NotToAct("the choice is made", hint="it is on its way to the others")
        self.match.check(actor, step)
        self._sending = actor
        self.peer.play(actor, step)

    def hand_over(self, seat: Seat, who: str) -> None:
        """Let a local bot or person take over a local seat, and tell the others."""
        why = self.vacant.pop(seat)
        self.peer.say(handed_over(seat + 1, why, who))  # users count seats from 1
        self._stand_ins[seat] = self._bot_named(who)

    @property
    def why_no_take_back(self) -> str:
        """Return why nothing can be taken back here, such as a card drawn since; "" if it can."""
        before, at, is_shown = self.last_choice(), self.match, False
        while before is not None and at.before is not None and at.number > before.number:
            is_shown |= at.last is not None and at.last.actor == CHANCE
            at = at.before
        if before is not None and not is_shown:
            return ""
        if self.chosen.keys() & self.mine:
            return "your choice is sealed"
        return "nothing to take back yet" if before is None else SHOWN

    def do(self, event: Event) -> None:
        """Send a step, or offer the others to take steps back; a `Note` is for local logs only."""
        match event:
            case Play(actor, step):
                self._send(actor, step)
            case TakeBack(number):
                if why := self.why_no_take_back:
                    raise IllegalStep(why)
                self.peer.offer(posts.BACK, number)

    def resign(self) -> None:
        """Resign the local seat whose turn it is, else the first local seat."""
        if not self.mine:
            raise IllegalStep("a spectator cannot give up", hint="q leaves")
        acting = self.acting
        self.peer.resign(acting if acting is not None else min(self.mine))

    def close(self) -> None:
        """Stop the network; the match stays saved."""
        if self._announcing is not None:
            self._announcing.close()
        self.peer.close()

    def _announce(self) -> None:
        if self._announcing is None or self.listening is None:
            return
        if self.closed:
            self._announcing.close()
        elif self.has_begun:
            game, best_of = self.match.game, self.series.best_of
            others = [name for at, name in enumerate(self.shown_names) if at not in self.ours]
            self._announcing.show(game, 0, self.listening, best_of, others)
        elif (lobby := self.lobby) is not None:
            game, free = lobby.setup.game, len(lobby.free)
            others = [one.name for one in lobby.guests[1:] if one.seats]
            self._announcing.name = lobby.guests[0].name or self._announcing.name
            self._announcing.show(game, free, self.listening, lobby.best_of, others)
