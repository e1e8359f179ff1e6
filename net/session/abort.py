"""Ends of a match at a LAN table that nobody wants; pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.core import codes
from kumite.core.log import End
from kumite.core.text import clean, listed
from kumite.net.replica import apply, claims, due
from kumite.net.replica.records import Claim, Evidence
from kumite.net.session import events, notices, presence
from kumite.net.session.effects import Keep, Save
from kumite.net.wire import fields, messages

if TYPE_CHECKING:
    from kumite.core.errors import KumiteError
    from kumite.net.session.state import Link, Reaction
    from kumite.net.wire.posts import Post

HINT_LOGS: Final = "both logs are kept; `kumite log compare A B` finds the first difference"
HINT_FALSE: Final = "the match is saved with the proof; play with somebody else"
HINT_SAID: Final = "nothing here proves it; `kumite log check` tells what is proven"
HINT_LATER: Final = "the match is kept; `kumite resume` goes on with it"


def short(text: str) -> str:
    """Return a text as it may be sent."""
    return clean(text, fields.MAX_TEXT)


def bad(r: Reaction, link: Link, what: str) -> None:
    """Stop because of what a terminal sent; a watcher is just let go."""
    place = r.s.place(link.ticket)
    if r.s.is_host and (place is None or place.terminal is None):
        r.drop(link.number)
        return
    terminal = place.terminal if place is not None and place.terminal is not None else 0
    who = r.live.ledger.roster.who(terminal)
    stop(r, codes.UNEXPECTED, f"{who} {what}", terminal=terminal)


def blame(r: Reaction, terminal: int, what: str, post: Post | None = None) -> None:
    """Stop because somebody has played false; `post` is what has shown it."""
    ledger = r.live.ledger
    who = ledger.roster.who(terminal)
    said = notices.said("{who} {has} played false: {what}", who, what=what)
    if post is not None and apply.is_signed(ledger, post):
        r.do(Keep(Evidence(post)))
        r.do(Save(f"audit false {short(said)}"))
        if r.s.is_host:  # so that the others need not believe us
            theirs = [one for one in r.s.places if one.terminal == post.author]
            link = r.s.link_of(theirs[0].ticket) if theirs else None
            r.send_all(messages.Entered(post), but=link.number if link is not None else 0)
    stop(r, codes.FOUL, said, number=ledger.match.number + 1, terminal=terminal)


def stop(
    r: Reaction,
    code: str,
    said: str,
    *,
    number: int = 0,
    terminal: int = -1,
    common: int | None = None,
) -> None:
    """Stop the match for all, with a reason; everything is kept."""
    live = r.live
    text = short(f"step {number}: {said}" if number else said)
    r.do(Save(f"note stopped: {text}"))
    _say(r, number, code, said, terminal)
    seats = live.seats_of(terminal) if 0 <= terminal < len(live.presence) else frozenset()
    last = live.ledger.match.number if common is None else common
    hint = HINT_FALSE if code == codes.FOUL else HINT_LOGS
    r.end(events.Stopped(code, text, hint, number, last, seats))


def stop_desync(r: Reaction, told: events.Desync) -> None:
    """Stop because two terminals differ, and not all can or want to go on."""
    r.do(Save(f"note stopped: step {told.number} differs"))
    if r.s.is_host:
        _say(r, told.number, codes.DIGEST, told.text, messages.WATCHER)
    r.end(events.Stopped(codes.DIGEST, told.text, HINT_LOGS, told.number, told.common, told.seats))


def failed(r: Reaction, error: KumiteError) -> None:
    """Stop because this terminal cannot go on; nothing more can be saved."""
    _say(r, 0, error.code, "", messages.WATCHER)  # the error may name folders
    r.end(events.Stopped(error.code, str(error), error.hint))


def _say(r: Reaction, number: int, code: str, text: str, blamed: int) -> None:
    """Tell the others why we stop, signed; who looks on says nothing."""
    live = r.live
    if live.me is not None:
        r.send_all(claims.signed(live.ledger, live.signer, number, code, short(text), blamed))


def heard(r: Reaction, stop: messages.Stop) -> None:
    """Stop because another terminal does: it says why, and here nothing shows that it is so."""
    live = r.live
    r.do(Keep(Claim(stop)))
    if r.s.is_host:
        theirs = [one.ticket for one in r.s.places if one.terminal == stop.author]
        link = r.s.link_of(theirs[0]) if theirs else None
        r.send_all(stop, but=link.number if link is not None else 0)
    text = short(claims.told(live.ledger, stop))
    if stop.code in claims.OWN_TROUBLE and stop.author != r.s.host:
        presence.gone(r, stop.author, text)
        return
    r.do(Save(f"note stopped: {text}"))
    if stop.code in (codes.FOUL, codes.ACCUSED):
        code, hint = codes.ACCUSED, HINT_SAID
    else:
        code, hint = stop.code, HINT_LATER if stop.code in claims.OWN_TROUBLE else HINT_LOGS
    r.end(events.Stopped(code, text, hint, stop.number, live.ledger.match.number))


def adjourn(r: Reaction) -> None:
    """Write into the log that the match is left for now, or over and not audited."""
    live = r.live
    if not live.ledger.is_over:
        seats = tuple(sorted(live.seats_of(live.me)))
        r.do(Save(End("adjourned", seats)))
    elif live.ledger.game.SECRETS is not None and not live.is_audited:
        who = listed([*map(live.ledger.roster.who, sorted(due.owing(live.ledger)))])
        r.do(Save(f"audit none left before {who} had opened secrets"))
