"""Before the match, as a joiner: invited, seated, keys shown, and the match begins; pure.

What is said, and in which order, is at the top of lobby.py.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from kumite.core import codes
from kumite.core.errors import BadSetup, KumiteError
from kumite.core.game import Setup
from kumite.core.games import find
from kumite.net.crypto import boxes, keys
from kumite.net.replica.records import Credentials
from kumite.net.replica.roster import Roster, settled_rule
from kumite.net.session import events, notices, refusals, replication
from kumite.net.session.effects import Keep
from kumite.net.session.state import Stage
from kumite.net.wire import messages

if TYPE_CHECKING:
    from kumite.core.game import Seat
    from kumite.net.session.state import Link, Reaction, Session

MAX_SHOWN: Final = 8  # keys shown for one match; each time a host has one try at the three words


class Unplayable(KumiteError):
    """A table that this kumite cannot play at, because it is another version."""

    code = codes.OTHER_RULES


class UnknownGame(Unplayable):
    """A game that this kumite does not have."""

    code = codes.UNKNOWN_GAME


def hear(r: Reaction, link: Link, message: messages.Message) -> None:
    """React to the host before the match, or between two."""
    match message:
        case messages.Invite():
            _invited(r, link, message)
        case messages.There(guests, me, by_seat, free) if r.s.invite is not None:
            setup = _setup(r.s, r.s.invite)
            if len(guests) > me:
                r.set(guests=tuple(name for name, _, _ in guests))
                asked = r.s.invite
                notices.lobby(r, setup, guests, me, by_seat, free, asked.clock, asked.gone)
        case messages.Talk(who, text) if r.s.invite is not None:
            name = r.s.guests[who] if who < len(r.s.guests) else "somebody"
            r.tell(events.Talked(name, text))
        case messages.Bound(hashes) if r.s.credentials is not None and r.s.what == messages.JOIN:
            _bound(r, link, hashes)
        case messages.Begin(me, packed):
            _begun(r, link, me, packed)
        case messages.Decline(code):
            r.end(events.Stopped(*refusals.told(code)))
        case messages.Bye():
            r.end(events.Left(frozenset(), "The host has closed the table", is_closed=True))
        case _:
            text = f"The host sent {type(message).__name__} before the match began"
            _give_up(r, link, BadSetup(text, hint="use the same version of kumite"))


def _invited(r: Reaction, link: Link, invited: messages.Invite) -> None:
    s = r.s
    try:
        _setup(s, invited)
    except KumiteError as error:
        _give_up(r, link, error)
        return
    old = s.credentials
    if old is None or old.match_id != invited.match_id:
        table_id = old.table_id if old else invited.match_id
        key = link.key or (old.key if old else b"")
        is_open = old.is_open if old else s.is_open
        seats = s.wish[0]
        fresh = Credentials(
            table_id, invited.match_id, invited.ticket, key, r.draw("seed"), is_open, s.name, seats
        )
        r.set(credentials=fresh, bound=())
        r.do(Keep(fresh))
    r.set(invite=invited)
    link = r.put(link, stage=Stage.SEATED)
    r.set(main=link.number, is_rematch=old is not None)
    if s.what == messages.WATCH:
        r.send(link.number, messages.Watch(s.name))
        return
    assert r.s.credentials is not None
    bound = keys.binding(boxes.public_keys(r.s.credentials.seed))
    r.send(link.number, messages.Sit(s.name, s.wish[0], s.wish[1], bound))
    if s.is_ready:
        r.send(link.number, messages.Ready(1))


def move(r: Reaction, seat: Seat) -> None:
    """Ask the host for another seat in place of our first one."""
    if r.s.what != messages.JOIN or r.s.invite is None or r.s.is_rematch:
        return
    r.set(wish=((seat, *r.s.wish[0][1:]), r.s.wish[1]))
    _sit(r)


def rename(r: Reaction, name: str) -> None:
    """Tell the host that we want to be called otherwise."""
    if name and r.s.invite is not None and not r.s.is_rematch and r.s.credentials is not None:
        r.set(name=name, credentials=replace(r.s.credentials, name=name))
        r.do(Keep(r.s.credentials))
        _sit(r)


def _sit(r: Reaction) -> None:
    """Say anew where we want to sit; whoever was ready has to say so again."""
    assert r.s.credentials is not None
    r.set(is_ready=False)
    if r.s.what == messages.WATCH:
        r.send(r.s.main, messages.Watch(r.s.name))
        return
    bound = keys.binding(boxes.public_keys(r.s.credentials.seed))
    r.send(r.s.main, messages.Sit(r.s.name, r.s.wish[0], r.s.wish[1], bound))


def _setup(s: Session, invited: messages.Invite) -> Setup:
    """Return the set-up that we are invited to.

    Raises:
        KumiteError: this kumite cannot play it, in words for both sides.
    """
    me = s.name or "the joiner"
    if invited.game not in s.games:
        raise UnknownGame(
            f"The host ({invited.program}) plays {invited.game}, which the kumite of {me} "
            f"({s.program}) does not know",
            hint=f"{me} should update kumite",
        )
    game = find(invited.game, s.games)
    if invited.rules != game.RULES:
        older = me if invited.rules > game.RULES else "the host"
        raise Unplayable(
            f"The host ({invited.program}) plays {game.TITLE} by rules {invited.rules}, "
            f"{me} ({s.program}) by rules {game.RULES}",
            hint=f"{older} should update kumite",
        )
    setup = Setup.of(game, invited.seats, dict(invited.options))
    if tuple(sorted(setup.options.items())) != invited.options:
        raise BadSetup("The host's table does not fit its own game", hint="update kumite")
    return setup


def _bound(r: Reaction, link: Link, hashes: tuple[bytes, ...]) -> None:
    """Show our keys, now that nobody can change theirs; once only, see `lobby.begin_anew`."""
    assert r.s.credentials is not None
    public = boxes.public_keys(r.s.credentials.seed)
    if keys.binding(public) not in hashes:
        _give_up(r, link, BadSetup("the host does not bind itself to our keys"))
    elif r.s.bound and r.s.bound != hashes:
        _give_up(r, link, BadSetup("the host binds others to other keys, after it has seen ours"))
    elif not r.s.bound and r.s.shown >= MAX_SHOWN:
        _give_up(r, link, BadSetup("the host has seen our keys too often, and begun no match"))
    else:
        r.set(bound=hashes, shown=r.s.shown + (not r.s.bound))
        r.send(link.number, messages.PublicKeys(*public))


def _begun(r: Reaction, link: Link, me: int, packed: bytes) -> None:
    s = r.s
    assert s.credentials is not None
    try:
        roster = Roster.of(packed, s.games)
        _check(s, roster, me)
    except KumiteError as error:
        _give_up(r, link, error)
        return
    r.set(is_rematch=False, main=link.number, shown=0)
    r.put(link, stage=Stage.PLAYING)
    replication.begin(r, roster, me if me != messages.WATCHER else None)
    r.send(link.number, messages.Ack(0, r.live.digests[0]))
    replication.advance(r)


def _check(s: Session, roster: Roster, me: int) -> None:
    """Check that the match is the one that we were invited to, with the keys bound before.

    Raises:
        BadSetup: it is not.
    """
    assert s.credentials is not None
    hint = "the host's kumite is broken, or somebody has come in between"
    offered = s.invite
    is_same = roster.match_id == s.credentials.match_id
    if is_same and offered is not None:
        setup, clock = roster.setup, roster.clock or ()
        is_same = (setup, clock) == (_setup(s, offered), offered.clock)
        _, gone = settled_rule(offered.gone, len(roster.terminals))
        is_same = is_same and roster.gone == gone
    if not is_same:
        raise BadSetup("The host begins a match other than the one it offered", hint=hint)
    if (me == messages.WATCHER) != (s.what == messages.WATCH) or me >= len(roster.terminals):
        raise BadSetup("The host has put us in another place", hint=hint)
    if me == messages.WATCHER:
        return
    protocol, _ = settled_rule(roster.gone, len(roster.terminals))
    if roster.protocol != protocol:  # else a host could have cards dealt without proofs
        raise BadSetup("The host begins a match by an older protocol", hint=hint)
    ours = roster.terminals[me]
    if (ours.verify_key, ours.box_key) != boxes.public_keys(s.credentials.seed):
        raise BadSetup("The host has put other keys in place of ours", hint=hint)
    shown = tuple(keys.binding((one.verify_key, one.box_key)) for one in roster.terminals)
    if shown != s.bound or not all(boxes.is_public(one.box_key) for one in roster.terminals):
        raise BadSetup("Not everybody's keys are those they were bound to", hint=hint)


def _give_up(r: Reaction, link: Link, error: KumiteError) -> None:
    r.send(link.number, messages.Decline(error.code))
    r.end(events.Stopped(error.code, str(error), error.hint))
