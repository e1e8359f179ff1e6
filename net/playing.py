"""A begun match between two terminals, from the first step to the parting; pure.

The host keeps the order. Whatever enters the log (a step, words, an end) enters it at the host
first and goes out from there in this order; what a joiner does is a request until the host has
entered it. So whatever crosses on the way, a joiner's log is always a beginning of the host's.

Each terminal makes every step itself and compares the digest. A difference is never mended: the
match stops, both sides are told where, both logs stay.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, TypeAlias

from core.errors import Hidden, KumiteError
from core.game import CHANCE, Seat
from core.log import End
from net import events, wire
from net.events import Close, Save, Send, Tell

if TYPE_CHECKING:
    from collections.abc import Iterator

    from core.game import Actor, Seats, Step
    from core.log import Header
    from core.match import Match
    from net.events import Command, Effect, Effects, Event

LEAVE_WAIT: Final = 1.0  # s; a joiner who leaves waits so long for the host to enter it
TALK_COST: Final = 0.5  # s; each message uses up that much of …
TALK_OURS: Final = 10.0  # s; … what one may say here: twenty at once, then two a second,
TALK_THEIRS: Final = 20.0  # s; and twice that is no honest terminal any more
SHOWN: Final = 8  # hex digits of a digest in words

HINT_LOGS: Final = "both logs are kept; `kumite log check LOG` tells whether one is sound"
HINT_RESUME: Final = "every step is saved; `Saved matches` replays it as far as it went"


@dataclass(frozen=True, slots=True)
class Playing:
    """One terminal's side of a match."""

    header: Header  # `by` holds the seats of this terminal
    match: Match
    link: int  # the connection to the other terminal
    is_host: bool
    end: End | None = None  # how people ended it; an outcome by the rules is in the match
    sent: Match | None = None  # joiner: the match with the step that the host has yet to enter
    asked: tuple[wire.Say | wire.Resign | wire.Leave, ...] = ()  # joiner: likewise, the rest
    leave_by: float | None = None  # joiner: leaving, and not waiting longer than this
    talk: tuple[float, float] = (0.0, 0.0)  # until when the words of here and there are paid for
    is_closed: bool = False

    @property
    def mine(self) -> Seats:
        """Return the seats of this terminal."""
        return self.header.by or frozenset()

    @property
    def theirs(self) -> Seats:
        """Return the seats of the other terminal."""
        return frozenset(map(Seat, range(self.header.setup.seats))) - self.mine

    @property
    def is_over(self) -> bool:
        """Whether the match has ended, by its rules or by people."""
        return self.end is not None or not self.match.actors

    def who(self, seats: Seats) -> str:
        """Return the names of these seats as people say them."""
        names = [self.header.names[seat] or f"seat {seat}" for seat in sorted(seats)]
        return " and ".join(dict.fromkeys(names))

    @property
    def us(self) -> str:
        """Return the name of who plays here."""
        return self.who(self.mine)

    @property
    def them(self) -> str:
        """Return the name of who plays there."""
        return self.who(self.theirs)


Next: TypeAlias = tuple[Playing, "Effects"]


def begin(header: Header, link: int, *, is_host: bool) -> Next:
    """Return the match at its start, saved, and (host) the other terminal told to begin."""
    match = header.begin()
    playing = Playing(header, match, link, is_host)
    effects: list[Effect] = [Save(header)]
    if is_host:
        effects.append(Send(link, wire.Start()))
    effects.append(Tell(events.Began(header, match, playing.mine)))
    return _settle(playing, effects)


# --- What happens here ------------------------------------------------------------------------


def on_command(p: Playing, command: Command, now: float) -> Next:
    """Do what somebody here wants, or say why not."""
    match command:
        case events.Play(actor, step):
            return _play(p, actor, step)
        case events.Speak(text):
            return _speak(p, text, now)
        case events.GiveUp(seat):
            return _resign(p, seat)
        case events.Depart():
            return _depart(p, now)


def on_failure(p: Playing, error: KumiteError) -> Next:
    """Stop because this terminal cannot go on; nothing more can be saved."""
    said = f"{p.us}'s kumite cannot go on"  # the error may name folders of this machine
    stop = Send(p.link, wire.Stop(0, error.code, said))
    return _closed(p, stop, Tell(events.Stopped(error.code, str(error), error.hint)))


def on_gone(p: Playing) -> Next:
    """Tell that the connection has ended; in mid-match the log stays without an end."""
    if p.leave_by is not None:
        return _part(p, p.mine)
    if p.is_over:
        return _part(p, p.theirs)
    text = f"The connection to {p.them} broke at step {p.match.number}"
    return _closed(p, Tell(events.Lost(text, HINT_RESUME)))


def on_time(p: Playing, now: float) -> Next:
    """Leave without the host's answer if it has been long enough."""
    if p.leave_by is None or now < p.leave_by:
        return p, ()
    text = (
        f"{p.us} left the table without an answer"  # so the log has no end, as perhaps the host's
    )
    return _closed(p, Tell(events.Left(p.mine, text)))


def _play(p: Playing, actor: Actor, step: Step) -> Next:
    refusal = _why_no_step(p, actor)
    if refusal is not None:
        return p, (Tell(refusal),)
    try:
        after = p.match.play(actor, step)
    except KumiteError as error:
        return p, (Tell(events.NotDone(error.code, str(error), error.hint)),)
    shown = p.match.game.seen(p.match.state, actor, step, p.theirs)
    message = wire.Played(after.number, actor, shown, after.digest)
    if p.is_host:
        return _enter(p, after, message)
    sending = Tell(events.Sending(actor, step))
    return replace(p, sent=after), (Send(p.link, message), sending)


def _why_no_step(p: Playing, actor: Actor) -> events.NotDone | None:
    if p.is_over:
        return events.NotDone("match-over", "The match is over", "")
    if actor not in p.mine:
        hint = f"this terminal plays {', '.join(f'seat {seat}' for seat in sorted(p.mine))}"
        return events.NotDone("wrong-seat", f"{_actor(actor)} is not played here", hint)
    if p.sent is not None or any(not isinstance(one, wire.Say) for one in p.asked):
        hint = "it counts when the host has it; wait for it, or leave"
        return events.NotDone("sending", "What you did last is still on its way", hint)
    return None


def _speak(p: Playing, said: str, now: float) -> Next:
    text = wire.clean(said, wire.MAX_SAY)
    if not text:
        return p, ()
    ours, theirs = p.talk
    if ours > now + TALK_OURS:
        hint = "wait a few seconds"
        return p, (Tell(events.NotDone("flood", "That is too much at once", hint)),)
    p = replace(p, talk=(max(ours, now) + TALK_COST, theirs))
    say = wire.Say(min(p.mine), text)
    return _enter_words(p, say) if p.is_host else _ask(p, say)


def _resign(p: Playing, seat: Seat) -> Next:
    refusal = _why_no_step(replace(p, sent=None), seat)  # one may resign while a step is under way
    if refusal is not None:
        return p, (Tell(refusal),)
    if p.is_host:
        return _enter_end(p, End("resigned", (seat,)))
    return _ask(p, wire.Resign(seat))


def _depart(p: Playing, now: float) -> Next:
    if p.is_host:
        return _part(p, p.mine, wire.Leave()) if p.is_over else _enter_left(p, p.mine)
    if p.leave_by is not None:
        return p, ()
    # also after the end: what the host has entered by then still comes
    return _ask(replace(p, leave_by=now + LEAVE_WAIT), wire.Leave())


def _ask(p: Playing, request: wire.Say | wire.Resign | wire.Leave) -> Next:
    return replace(p, asked=(*p.asked, request)), (Send(p.link, request),)


# --- What comes from the other terminal -------------------------------------------------------


def on_message(p: Playing, message: wire.Received, now: float) -> Next:
    """React to a message of the other terminal; never raises, whatever it is."""
    match message:
        case wire.Played():
            return _on_played(p, message)
        case wire.Ack():
            return _on_ack(p, message)
        case wire.Say():
            return _on_say(p, message, now)
        case wire.Resign(seat) if p.is_host:
            return _on_resign(p, seat)
        case wire.Leave() if p.is_host:
            return _part(p, p.theirs, wire.Leave()) if p.is_over else _enter_left(p, p.theirs)
        case wire.Leave() if p.is_over:
            return _part(p, p.theirs if p.leave_by is None else p.mine)
        case wire.Over(kind, seats) if not p.is_host:
            return _on_over(p, End(kind, seats))
        case wire.Stop(number, code, text):
            said = f"{p.them} stopped the match: {text}"
            note = Save(_note(number, said))
            return _closed(p, note, Tell(events.Stopped(code, said, HINT_LOGS, number)))
        case wire.Broken(reason):
            return _stop(p, "garbage", f"{p.them}'s terminal sent no kumite message: {reason}")
        case _:
            return _stop(p, "unexpected", f"{p.them} sent {type(message).__name__} in mid-match")


def _on_played(p: Playing, played: wire.Played) -> Next:
    number = played.number
    if number <= p.match.number:  # a duplicate: answer, change nothing
        ack = wire.Ack(number, p.match.back(number).digest)
        return _compare(p, number, played.digest) or (p, (Send(p.link, ack),))
    if p.end is not None and p.is_host:
        return p, ()  # it crossed the end on its way
    text = f"{p.them} played {played.step} for {_actor(played.actor)}"
    if p.end is not None:
        return _stop(p, "match-over", f"{text} after the end", number)
    if number != p.match.number + 1:
        return _stop(p, "number", f"step {number} came after step {p.match.number}", number)
    if played.actor not in p.theirs:
        return _stop(p, "wrong-seat", f"{text}, which is not theirs to play", number)
    try:
        after = p.match.play(played.actor, played.step)
    except KumiteError as error:
        return _stop(p, error.code, f"{text}: {error}", number)
    if after.digest != played.digest:
        return _differ(p, number, after.digest, played.digest)
    return _enter(p, after, wire.Ack(number, after.digest))


def _on_ack(p: Playing, ack: wire.Ack) -> Next:
    after = p.sent
    if ack.number <= p.match.number:
        return _compare(p, ack.number, ack.digest) or (p, ())
    if after is None or ack.number != after.number or p.end is not None:
        return _stop(p, "unexpected", f"{p.them} has a step {ack.number} that nobody played")
    if after.digest != ack.digest:
        return _differ(p, after.number, after.digest, ack.digest)
    return _enter(p, after, None)


def _on_say(p: Playing, say: wire.Say, now: float) -> Next:
    if not p.is_host and say.seat in p.mine:
        return _enter_words(p, say) if say in p.asked else _forged(p, say.seat)
    if say.seat not in p.theirs:
        return _forged(p, say.seat)
    ours, theirs = p.talk
    if theirs > now + TALK_THEIRS:
        return _stop(p, "flood", f"{p.them} sent too many messages")
    p = replace(p, talk=(ours, max(theirs, now) + TALK_COST))
    return _enter_words(p, say) if say.text else (p, ())


def _on_resign(p: Playing, seat: Seat) -> Next:
    if seat not in p.theirs:
        return _forged(p, seat)
    if p.is_over:
        return p, ()  # it crossed the end on its way
    return _enter_end(p, End("resigned", (seat,)))


def _on_over(p: Playing, end: End) -> Next:
    seats = frozenset(end.seats)
    has_asked = (
        wire.Leave() in p.asked
        if end.kind == "left"
        else all(wire.Resign(seat) in p.asked for seat in end.seats)
    )
    if p.is_over or end.kind not in ("left", "resigned") or not seats:
        return _stop(p, "unexpected", f"{p.them} ended the match in a way that does not exist")
    if not seats <= p.theirs and not (seats <= p.mine and has_asked):
        return _forged(p, min(seats))
    return _enter_left(p, seats) if end.kind == "left" else _enter_end(p, end)


def _forged(p: Playing, seat: Seat) -> Next:
    return _stop(p, "wrong-seat", f"{p.them} spoke for seat {seat}, which is not theirs")


# --- Entering: saved first, then sent, then told ----------------------------------------------


def _enter(p: Playing, after: Match, message: wire.Message | None) -> Next:
    effects: list[Effect] = [Save(after)]
    if message is not None:
        effects.append(Send(p.link, message))
    effects.append(Tell(events.MatchChanged(after, after.last)))
    return _settle(replace(p, match=after, sent=None), effects)


def _settle(p: Playing, effects: list[Effect]) -> Next:
    """Make the steps that nobody chooses, and stop where this version cannot go on."""
    for after in forced(p.match):
        p = replace(p, match=after)
        effects += [Save(after), Tell(events.MatchChanged(after, after.last))]
    actors = p.match.actors
    if len(actors) > 1 or CHANCE in actors:
        what = "chance" if CHANCE in actors else "choices made at the same time"
        p, stopped = _stop(p, "not-shared", f"this kumite cannot share {what} over a LAN")
        effects += stopped
    return p, tuple(effects)


def forced(match: Match) -> Iterator[Match]:
    """Yield the match after each step of chance that has a single outcome, as long as there is one.

    Every terminal makes these itself: all come to the same, and nothing is sent. A secret that
    comes to light is such a step, too, but only who knows it can make it (Hidden).
    """
    while match.actors == (CHANCE,):
        try:
            odds = match.odds()
        except Hidden:
            return
        if len(odds) != 1:
            return
        match = match.play(CHANCE, next(iter(odds)))
        yield match


def _enter_words(p: Playing, say: wire.Say) -> Next:
    effects: list[Effect] = [Save(f"say {say.seat} {say.text}")]
    if p.is_host:
        effects.append(Send(p.link, say))
    effects.append(Tell(events.Said(say.seat, say.text)))
    asked = list(p.asked)
    if say in asked:
        asked.remove(say)
    return replace(p, asked=tuple(asked)), tuple(effects)


def _enter_end(p: Playing, end: End) -> Next:
    effects: list[Effect] = [Save(end)]
    if p.is_host:
        effects.append(Send(p.link, wire.Over(end.kind, end.seats)))
    did = "resigned" if end.kind == "resigned" else "left in mid-match"
    text = f"{p.who(frozenset(end.seats))} {did}"
    effects.append(Tell(events.Ended(end, text)))
    words = tuple(one for one in p.asked if isinstance(one, wire.Say))  # they still come back
    return replace(p, end=end, sent=None, asked=words), tuple(effects)


def _enter_left(p: Playing, seats: Seats) -> Next:
    p, entered = _enter_end(p, End("left", tuple(sorted(seats))))
    p, parted = _part(p, seats)
    return p, entered + parted


# --- Ends of the connection -------------------------------------------------------------------


def _part(p: Playing, seats: Seats, *messages: wire.Message) -> Next:
    left = Tell(events.Left(seats, f"{p.who(seats)} has left the table"))
    return _closed(p, *(Send(p.link, message) for message in messages), left)


def _closed(p: Playing, *effects: Effect) -> Next:
    return replace(p, is_closed=True), (*effects, Close(p.link))


def _compare(p: Playing, number: int, theirs: bytes) -> Next | None:
    """Return how to stop if the other terminal's digest after that step is another one."""
    ours = p.match.back(number).digest
    return None if ours == theirs else _differ(p, number, ours, theirs)


def _differ(p: Playing, number: int, ours: bytes, theirs: bytes) -> Next:
    text = (
        f"after step {number} the positions differ: digest {ours.hex()[:SHOWN]} with {p.us}, "
        f"{theirs.hex()[:SHOWN]} with {p.them}"
    )
    return _stop(p, "digest", text, number)


def _stop(p: Playing, code: str, said: str, number: int = 0) -> Next:
    text = wire.clean(f"step {number}: {said}" if number else said, wire.MAX_TEXT)
    told: Event = events.Stopped(code, text, HINT_LOGS, number)
    stop = Send(p.link, wire.Stop(number, code, text))
    return _closed(p, Save(_note(number, text)), stop, Tell(told))


def _note(number: int, text: str) -> str:
    return f"note stopped at step {number}: {text}" if number else f"note stopped: {text}"


def _actor(actor: Actor) -> str:
    return "chance" if actor == CHANCE else f"seat {actor}"
