"""A player's terminal in the hall of a tournament: it comes, comes back, and reports; pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from kumite.core.errors import BadData, KumiteError
from kumite.net.crypto import pairing
from kumite.net.hall import board, talk
from kumite.net.hall.board import FIRST_TICKET, Board, Terms
from kumite.net.hall.records import GuestKept
from kumite.net.replica.records import Credentials
from kumite.net.session import events, handshake, hearing, inputs, links, refusals
from kumite.net.session.effects import Close, Connect
from kumite.net.session.state import RETRY_EVERY, Link, Reaction, Session, Stage, cleaned
from kumite.net.wire import hall, messages

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kumite.net.hall.talk import HallEffects, HallInput


@dataclass(frozen=True)
class Guest:
    """What a player's program knows."""

    door: Session
    known: tuple[GuestKept, ...] = ()  # halls that we have been in
    kept: GuestKept | None = None  # who we are in this one
    welcome: hall.Welcome | None = None
    terms: Terms | None = None
    shown: Board | None = None
    table: hall.HallTable | None = None  # ours, if our match is played at one of ours
    report: hall.Reported | None = None

    @property
    def is_closed(self) -> bool:
        """Whether we have left."""
        return self.door.is_closed


Next = tuple[Guest, "HallEffects"]


def entering(
    code: str,
    name: str,
    program: str,
    entropy: bytes,
    known: Iterable[GuestKept] = (),
    **more: Any,
) -> Guest:
    """Return a player who is about to enter, or to come back to a hall that is among `known`.

    Raises:
        BadCode: it is no code.
    """
    said = pairing.parse_code(code)
    door = Session(program, entropy, cleaned(name), messages.ENTER, said, **more)
    return Guest(door, tuple(known))


# --- Reacting ---------------------------------------------------------------------------------


class _Work:
    """One reaction under way: on the connection, and in the hall."""

    def __init__(self, g: Guest, now: float) -> None:
        self.g, self.r = g, Reaction(g.door, now, [])
        self.before: list[talk.HallEffect] = []
        self.after: list[talk.HallEffect] = []
        self.ears = hearing.Ears(self.sealed, self.message, links.broken)

    def set(self, **changes: Any) -> None:
        """Change what we know of the hall."""
        self.g = replace(self.g, **changes)

    def tell(self, event: talk.HallChanged | talk.TableOpen) -> None:
        """Tell the app."""
        self.after.append(talk.TellHall(event))

    def write(self, kept: GuestKept) -> None:
        """Have it written what lets us come back."""
        self.set(kept=kept)
        self.before.append(talk.Write(kept))

    def sealed(self, r: Reaction, link: Link) -> None:
        """Go on with this connection, and no other; the organiser speaks first."""
        r.set(main=link.number)
        links.keep(r, link)
        if r.s.away_since is not None or r.s.refused:
            r.set(away_since=None, refused="")
            r.tell(events.HeardAgain(frozenset(), "The organiser is there again"))

    def message(self, r: Reaction, link: Link, message: messages.Message) -> None:
        """React to the organiser.

        Raises:
            BadData: what it says does not fit together.
        """
        match message:
            case messages.Ping(beat):
                r.send(link.number, messages.Pong(beat))
            case messages.Pong():
                pass
            case hall.Welcome():
                self.welcomed(link, message)
            case hall.Hall() if self.g.welcome is not None:
                self.shown(link, message)
            case hall.HallTable() if self.g.shown is not None:
                self.tell(talk.TableOpen(message))
            case messages.Decline(code):
                r.end(events.Stopped(*refusals.told(code)))
            case messages.Bye():
                self.dismissed(link)
            case _:
                raise BadData(f"{type(message).__name__} does not belong into a hall")

    def welcomed(self, link: Link, welcome: hall.Welcome) -> None:
        """Enter; or come back as who we are, if we have been there before."""
        try:
            terms = Terms.of(
                welcome.name, welcome.game, welcome.rules, welcome.options, welcome.clock
            )
        except KumiteError as error:
            self.r.end(events.Stopped(error.code, str(error), error.hint))
            return
        self.set(welcome=welcome, terms=terms)
        if link.what == messages.RETURN:
            self.r.put(link, stage=Stage.SEATED)
            self.tell_again()
            return
        mine = (welcome.hall_id, self.r.s.name)
        known = next((one for one in self.g.known if (one.hall_id, one.name) == mine), None)
        if known is None:
            self.r.send(link.number, hall.Enter(self.r.s.name))
            return
        self.remember(known)
        self.r.drop(link.number)
        self.r.set(retry_at=self.r.now + RETRY_EVERY)
        self.r.do(Connect())

    def remember(self, kept: GuestKept) -> None:
        """Know from now on who we are in this hall."""
        self.set(kept=kept)
        back = Credentials(kept.hall_id, kept.hall_id, kept.ticket, kept.key, b"", False)
        self.r.set(credentials=back)

    def shown(self, link: Link, message: hall.Hall) -> None:
        """Take in how the hall is now.

        Raises:
            BadData: it does not fit together.
        """
        assert self.g.welcome is not None
        assert self.g.terms is not None
        now = board.unpacked(message, self.g.welcome.system)
        if self.g.kept is None:
            kept = GuestKept(
                self.g.welcome.hall_id, self.r.s.name, message.me + FIRST_TICKET, link.key
            )
            self.remember(kept)
            self.write(kept)
            self.r.put(link, stage=Stage.SEATED)
        self.r.set(is_hall=True)
        if now != self.g.shown:
            self.set(shown=now)
            self.tell(talk.HallChanged(self.g.terms, now))

    def dismissed(self, link: Link) -> None:
        """The organiser has closed the hall: for good, or to go on with it later."""
        self.r.drop(link.number)
        if self.g.shown is None or self.g.shown.tournament.is_over:
            text = "The organiser has closed the hall"
            self.r.end(events.Left(frozenset(), text, is_closed=True))
        else:
            links.away(self.r)

    def command(self, given: HallInput) -> None:
        """Do what our people, or our program, want."""
        match given:
            case talk.OpenTable(table):
                self.set(table=table)
                self.r.send(self.r.s.main, table)
            case talk.Report(report):
                self.set(report=report)
                self.r.send(self.r.s.main, report)
            case talk.KeepLog(round_, place, log) if self.g.kept is not None:
                kept = replace(self.g.kept, round=round_, place=place, log=log)
                self.write(kept)
            case inputs.Depart():
                for link in self.r.s.links:
                    self.r.send(link.number, messages.Bye())
                text = "You have left the hall"
                self.r.end(events.Left(frozenset(), text, is_closed=True))
            case _:
                pass

    def tell_again(self) -> None:
        """Say once more what the organiser may have missed, or forgotten."""
        for message in (self.g.table, self.g.report):
            if message is not None:
                self.r.send(self.r.s.main, message)

    def done(self) -> Next:
        """Return what we know now, and what is to be done."""
        return replace(self.g, door=self.r.s), (*self.before, *self.r.effects, *self.after)


def begin(g: Guest, now: float) -> Next:
    """Return what to do first: connect."""
    work = _Work(g, now)
    work.r.do(Connect())
    return work.done()


def react(g: Guest, given: HallInput, now: float) -> Next:
    """React to anything that happens; never raises, whatever the other side sends."""
    if g.is_closed:
        return g, ((Close(given.link),) if isinstance(given, inputs.Opened) else ())
    work = _Work(g, now)
    r = work.r
    match given:
        case inputs.Opened(link, address):
            handshake.opened(r, Link(link, now, address, heard=now, pinged=now))
        case inputs.Heard(link, data):
            hearing.heard(r, link, data, work.ears)
        case inputs.Gone(link):
            links.gone(r, link)
        case inputs.Unreached(error):
            links.unreached(r, error)
        case inputs.Tick():
            links.on_time(r)
        case inputs.Failed(error):
            r.end(events.Stopped(error.code, str(error), error.hint))
        case _:
            work.command(given)
    return work.done()


def deadline(g: Guest) -> float | None:
    """Return when a Tick is due."""
    return None if g.is_closed else min(links.deadlines(g.door), default=None)
