"""Network events in words, for screens and line mode. Pure functions.

Text from a stranger is never shown: before the code is verified anybody could be there, and
could fake a code or the three words. So refusals are worded here, by their code.
"""

from __future__ import annotations

from typing import Any, Final

from kumite.core import codes, results
from kumite.core.games import GAMES
from kumite.core.text import listed
from kumite.net.session import events
from kumite.net.session.events import Answered, Status
from kumite.net.wire import posts
from kumite.net.wire.messages import PROTOCOL

_ASK: Final = "ask the host"
_UPDATE: Final = "update kumite"
_AGAIN: Final = "join with the code"
_LOOK_ON: Final = "you can look on instead (watch)"
_SAME: Final = "use the same version of kumite"
_LOGS: Final = "both logs are kept; `kumite log compare A B` finds the first difference"
_LOST: Final = "host has lost posts that are kept here, and others were made since"

REFUSALS: Final = {
    codes.WRONG_CODE: (
        "That is not the code of this table",
        "the code stands on the host's screen; after three wrong ones there is another",
    ),
    codes.SLOW_DOWN: ("Too many wrong codes came from this address", "try again {later}"),
    codes.OTHER_PROTOCOL: (
        f"The host's kumite speaks {{protocol}}, ours protocol {PROTOCOL}",
        "{older} should update kumite",
    ),
    codes.OTHER_RULES: (
        "The two kumite have different rules for this game",
        "the older one should be updated",
    ),
    codes.UNKNOWN_GAME: ("One of the two kumite does not have this game", _UPDATE),
    codes.BAD_SETUP: ("The other kumite cannot play at this table", _UPDATE),
    codes.FULL: ("All seats of this table are taken", _LOOK_ON),
    codes.BEGUN: ("The match at this table has begun", _LOOK_ON),
    codes.CROWDED: ("As many look on as this table can bear", "try again a little later"),
    codes.NO_WATCHERS: ("This table wants nobody to look on", _ASK),
    codes.UNKNOWN: ("This table is not open any more, or your place there is gone", _AGAIN),
    codes.WRONG_KEY: ("The host has another key for this terminal", _AGAIN),
    codes.TOURNAMENT: (
        "A tournament is held there",
        "choose it from the list of tables, or by address",
    ),
    codes.ELSEWHERE: (
        "Another terminal has come in the place of this one",
        "of two players on one computer, each needs a name of their own: --name",
    ),
    codes.OTHER_MATCH: ("The table plays another match", "continue with that one"),
    codes.HOST_BEHIND: (f"The {_LOST}", "watch with the code, as someone new"),
    codes.CLOSED: (
        "The connection to the host ended before the match began",
        "ask there for the code, which may have changed, and try again",
    ),
    codes.NO_ANSWER: (
        "The table has not answered for ten minutes",
        "q leaves; the list of tables shows it if it is opened again",
    ),
    codes.ERROR: ("The host has refused, for a reason that this kumite does not know", _SAME),
}
"""Why two terminals cannot play together."""

NOT_DONE: Final = {
    codes.NOT_NOW: ("That is the host's to do before the match", ""),
    codes.NOT_BEGUN: ("The match has not begun", ""),
    codes.WATCHING: ("At this table you can only look on", ""),
    codes.SENDING: (
        "What you did last is still on its way",
        "it counts when the host has it; wait for it, or leave",
    ),
}

STOPPED: Final = {
    codes.NO_TABLE: (
        "What answers there is no kumite table ({text})",
        "check address and port with the host",
    ),
    codes.FOUL: (
        "{who} {has} played false: {text}",
        "the match is saved with the proof; play with someone else",
    ),
    codes.UNEXPECTED: ("{who} {text}", _LOGS),
    codes.CLOCK: ("{who} {text}", _LOGS),
    codes.DIGEST: ("{who} {has} come to another position", _LOGS),
    codes.HOST_BEHIND: ("{text}", _LOGS),
}
"""Why a match cannot go on, as detected here."""

DISKS: Final = {
    codes.DISK_FULL: "The disk of {who} is full; the match is kept up to here",
    codes.LOG_FILE: "The kumite of {who} cannot save any longer; the match is kept up to here",
    codes.OTHER_MATCH: "{who} cannot come back into this match",
}

OFFERS: Final = {
    posts.BACK: "{who} would like to take steps back, to {where}",
    posts.DRAW: "{who} offer{s} a draw",
    posts.SEAT: "{who} offer{s} to let a bot play on for {about}",
    posts.COMMON: "Continue from step {number}, the last on which all agree?",
    posts.AGAIN: "{who} would like to play again: {about}",
    posts.VOTE: "The vote: {what} next; {about}",  # what has won
    posts.GONE: "{who} say{s} that {gone}",
}
ANSWERS: Final = {
    Answered.AGREED: "{who} agree{s}",
    Answered.DECLINED: "{who} {does} not agree",
    Answered.WITHDRAWN: "{who} take{s} the offer back",
    Answered.OVERTAKEN: "The offer does not stand any longer",
    Answered.BACK: "{who} {is_} there again",
    Answered.NOT_ALL: "Not all say so",
}
WAITING: Final = {  # while a match is not over
    Status.QUIET: "Waiting for {who}: nothing is heard",
    Status.AWAY: "Waiting for {who} to come back",
}
DECLINED: Final = {
    posts.BACK: "{who} declined to take back",
    posts.DRAW: "{who} declined the draw",
    posts.AGAIN: "{who} declined {what}",
}
PRESENCE: Final = {
    Status.QUIET: "Nothing is heard from {who}",
    Status.AWAY: "The connection to {who} broke",
    Status.BACK: "{who} {is_} back",
    Status.UNAUDITED: "{who} {has} left before opening secrets: no audit",
    Status.SECRETIVE: "{who} keep{s} secrets closed: no audit",
    Status.STALLED: "The table waits for {who}, whose {missing}",
}


def agreeing(pattern: str, who: str, **more: object) -> str:
    """Fill in a sentence, with its verbs in singular or plural: `{who} offer{s} a draw`."""
    several = " and " in who
    s, is_, has, does = ("", "are", "have", "do") if several else ("s", "is", "has", "does")
    return pattern.format(who=who, s=s, is_=is_, has=has, does=does, **more)


def text(event: Any, host: str = "the host") -> str:
    """Return the text of an event, "" if it has none; `host` is how players refer to the host."""
    match event:
        case events.Presence():
            return _presence(event, host)
        case events.NotDone() | events.Stopped():
            return reason(event)[0]
        case events.TurnedAway():
            return turned_away(event)[0]
        case events.CodeChanged():
            tried = "Somebody typed three wrong codes, so there is a new one"
            return tried if event.is_tried else "There is a new code"
        case events.Offered():
            return _offered(event)
        case events.Voted(who, game):
            return agreeing(f"{{who}} vote{{s}} for {title(game)}", who)
        case events.OfferGone(kind, answer, who, game):
            if answer is Answered.DECLINED and not who:
                return "You do not say so"
            is_declined = answer is Answered.DECLINED and kind in DECLINED
            what = f"to play {title(game)}" if game else "the rematch"
            return agreeing(DECLINED[kind] if is_declined else ANSWERS[answer], who, what=what)
        case events.SeatMoved(seat, _, name, terminal):
            at, name = terminal or "somebody", name or f"seat {seat + 1}"
            return f"A bot at {at}'s computer plays on for {name}"
        case events.Gone():
            return _gone(event)
        case events.Left():
            return _left(event)
        case events.Desync(number, common, _, who):
            said = agreeing("{who} {has} come to another position", who)
            return f"Step {number}: {said}; all agree up to step {common}"
        case events.Ended(end, who):
            why = results.why(end.kind, who)
            return why if end.seats else why.capitalize()
        case events.Audited(verdict, who):
            if verdict.match is not None:
                return "Audited: all have played fair"
            said = "{who} {has} played false: {what}"
            return agreeing(said, who, what=verdict.text) if who else verdict.text
    return ""


def turned_away(event: events.TurnedAway, what: str = "join") -> tuple[str, str]:
    """Return who was refused and why, and what to do; of a wrong code the host knows it."""
    who = "Somebody" + f" at {event.name}" * bool(event.name)
    if event.code == codes.WRONG_CODE:
        return f"{who} typed a wrong code", ""
    if event.code == codes.FULL:
        return f"{event.name or 'Somebody'} would have liked to play: all seats are taken", ""
    if event.code == codes.NO_WATCHERS:
        return f"{who} could not look on: you have allowed nobody to", ""
    why, hint = reason(event)
    return f"{who} could not {what}: {why}", hint


def reason(event: events.NotDone | events.Stopped | events.TurnedAway) -> tuple[str, str]:
    match event:
        case events.NotDone(codes.NOT_READY, "", _, who):
            return (f"not ready yet: {who}" if who else "nobody else is here to play"), "wait"
        case events.NotDone(code, said, hint):
            return (said, hint) if said else NOT_DONE[code]
        case events.TurnedAway(_, codes.OTHER_PROTOCOL, number):
            older = "the joiner" if number < PROTOCOL else "the host"
            said = f"The host's kumite speaks protocol {PROTOCOL}, the other one protocol {number}"
            return said, f"{older} should update kumite"
        case events.TurnedAway(_, codes.ERROR):
            said = "The terminal that came has refused, for a reason that this kumite does not know"
            return said, _SAME
        case events.TurnedAway(_, code, number):
            return refusal(code, number)
        case events.Stopped():
            return _stopped(event)


def refusal(code: str, number: int = 0) -> tuple[str, str]:
    """Return the text of a refusal; of what the other side sent, only the number is used."""
    said, hint = REFUSALS.get(code, REFUSALS[codes.ERROR])
    is_known = code == codes.OTHER_PROTOCOL and number not in (0, PROTOCOL)
    older = "one of the two"
    if is_known:
        older = "this computer" if number > PROTOCOL else "the host"
    return (
        said.format(protocol=f"protocol {number}" if is_known else "another protocol"),
        hint.format(later=f"in {number} s" if number else "later", older=older),
    )


def _stopped(event: events.Stopped) -> tuple[str, str]:
    who, said = event.who, event.text
    if event.is_claim:
        return _claimed(event)
    if event.code in STOPPED and (who or said):
        pattern, hint = STOPPED[event.code]
        said = agreeing(pattern, who, text=said)
        is_step = event.number and event.code != codes.DIGEST
        return (f"step {event.number}: {said}" if is_step else said), hint
    return (said, event.hint) if said else refusal(event.code, event.number)


def _claimed(event: events.Stopped) -> tuple[str, str]:
    hint = _LOGS
    if event.code in DISKS:
        hint = "the match is saved; `kumite resume` continues it"
    elif event.code == codes.ACCUSED:
        hint = "nothing here proves it; `kumite log check` tells what is proven"
    return claim(event.code, event.who, event.text, event.blamed), hint


def claim(code: str, who: str, what: str, blamed: str = "") -> str:
    """Return why a terminal says it stops; `blamed` is whom it accuses (`events.US`: this one)."""
    if code in DISKS:
        return DISKS[code].format(who=who)
    said = f" ({what})" if what else ""
    if not blamed:
        return f"{who} has stopped the match{said}"
    whom = "we have" if blamed == events.US else f"{blamed} has"
    return f"{who} says that {whom} played false{said}"


def title(game: str) -> str:
    return GAMES[game].TITLE if game in GAMES else game


def _offered(event: events.Offered) -> str:
    gone = agreeing("{who} {is_} gone for good", event.about)
    if event.agrees:
        does = "say{s} so, too" if event.kind == posts.GONE else "agree{s}"
        return agreeing(f"{{who}} {does}", event.agrees)
    if not event.is_leader:
        about = event.about or "an empty seat"
        number = event.number
        terms = {"where": f"step {number}" if number else "the start", "number": number}
        terms |= {"about": about, "gone": gone, "what": title(event.game)}
        return agreeing(OFFERS[posts.VOTE if event.game else event.kind], event.who, **terms)
    if not event.who:
        return f"You say that {gone}. When all others do, the table continues on your computer"
    if event.is_ours:
        return f"You agree: the table continues on {event.who}'s computer"
    return agreeing("{who} say{s} that {gone}, and would carry the table on", event.who, gone=gone)


def _presence(event: events.Presence, host: str) -> str:
    match event.status:
        case Status.QUIET if not event.who:
            return agreeing(WAITING[Status.QUIET], host)
        case Status.AWAY if not event.who:
            return agreeing(WAITING[Status.AWAY], host)
        case Status.REFUSED:
            return f"{refusal(event.code, event.number)[0]}; kumite tries again automatically"
        case Status.SLEPT:
            free = ": that is time away, which is free as long as your free time lasts"
            said = f"Away for {event.number} s: this computer slept, or kumite was stopped"
            return said + free if event.is_timed else said
        case Status.MISSED:
            return _missed(event)
    patterns = PRESENCE if event.is_over else PRESENCE | WAITING
    return agreeing(
        patterns[event.status],
        event.who or f"{host[0].upper()}{host[1:]}",
        missing="secrets are not open" if event.is_over else "part of chance is missing",
    )


def _missed(event: events.Presence) -> str:
    then = "a bot plays on for them" if event.has_bots else "they forfeit"
    then = "their part of the audit is done without them" if event.is_over else then
    said = agreeing(
        "{who} {has} been away for a minute. When all of you say: for good, ", event.who
    )
    return said + then + (", and another computer carries the table on" if event.is_host else "")


def _gone(event: events.Gone) -> str:
    if not event.who:
        now = "A bot plays on for you" if event.has_bots else "You have forfeited"
        return f"All others have said that you are gone for good. {now}; you can look on"
    at = f"seat{'s'[len(event.seats) == 1 :]} {listed([str(s + 1) for s in sorted(event.seats)])}"
    now = f"a bot plays on for {at}" if event.has_bots else f"forfeit: {at}"
    now = at if event.is_over and event.has_bots else now
    return agreeing(
        "All others have said that {who} {is_} gone for good; {now}", event.who, now=now
    )


def _left(event: events.Left) -> str:
    if event.code in DISKS:
        return DISKS[event.code].format(who=event.who)
    if not event.who:
        return "You have left the table" if event.is_ours else "The host has closed the table"
    said = agreeing("{who} {has} left the table", event.who)
    if event.is_over:
        return said
    if event.is_closed:
        return f"{said}; the match is adjourned, and can be continued"
    whose = "their" if " and " in event.who else f"{event.who}'s"
    return agreeing("{who} {has} left; the match waits at {whose} turn", event.who, whose=whose)
