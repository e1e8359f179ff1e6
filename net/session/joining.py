"""Before the match, at a joiner: what the host offers is checked, keys are bound first; pure."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from kumite.core import codes
from kumite.core.errors import BadSetup, KumiteError, LocalError
from kumite.core.game import SPECTATOR, Setup
from kumite.core.games import GAMES, find, package_of
from kumite.core.players import FOR
from kumite.net.crypto import boxes, keys
from kumite.net.replica.records import Credentials
from kumite.net.replica.roster import Roster, settled_rule
from kumite.net.session import events, handshake, lobby, replication
from kumite.net.session.events import Keep, Rename, Seating, TakeSeat
from kumite.net.session.state import Link, Reaction, Session, Stage, persons
from kumite.net.wire import messages

MAX_SHOWN: Final = 8  # keys shown for one match; each set lets a host try once to match the words


class Unplayable(KumiteError):
    """A table that this version of kumite cannot play at."""

    code = codes.OTHER_RULES


class UnknownGame(Unplayable):
    """A game that this version of kumite does not have."""

    code = codes.UNKNOWN_GAME


def hear_host(r: Reaction, link: Link, message: messages.Message) -> None:
    try:
        _hear_host(r, link, message)
    except LocalError:
        raise
    except KumiteError as error:  # we cannot, or must not, play at this table
        r.send(link.number, messages.Decline(error.code))
        r.end(events.Stopped.by(error))


def _hear_host(r: Reaction, link: Link, message: messages.Message) -> None:
    joining = r.s.joining
    match message:
        case messages.Invite():
            _invited(r, link, message)
        case messages.There(guests, me, has_lots=has_lots) if joining.invite is not None:
            if joining.bound and has_lots != joining.has_lots:
                raise BadSetup("the host changes the lot after it has seen our keys")
            asked = joining.invite
            setup = _setup(r.s, asked)
            if len(message.names) != setup.seats:
                raise BadSetup("the host's names do not fit its table")
            if len(guests) > me:
                r.set_joiner(guests=tuple(one.name for one in guests), has_lots=has_lots)
                lobby.tell_lobby(r, setup, message, (asked.clock, asked.gone), asked.best_of)
        case messages.Say(who, text) if joining.invite is not None:
            name = joining.guests[who] if who < len(joining.guests) else ""
            r.tell(events.Said(text, name=name))
        case messages.Bound(hashes) if r.s.credentials and joining.what == messages.JOIN:
            _bound(r, link, hashes)
        case messages.Begin(me, packed) if r.s.credentials is not None:
            _begun(r, link, me, packed)
        case messages.Decline(code):
            r.end(events.Stopped(handshake.known(code)))
        case messages.Bye():
            r.end(events.Left(SPECTATOR, is_closed=True))
        case _:
            text = f"The host sent {type(message).__name__} before the match began"
            raise BadSetup(text, hint="use the same version of kumite")


def _invited(r: Reaction, link: Link, invited: messages.Invite) -> None:
    s = r.s
    _setup(s, invited)  # can we play it?
    old = s.credentials
    if old is None or old.match_id != invited.match_id:
        table_id = old.table_id if old else invited.match_id
        key = link.key or (old.key if old else b"")
        is_open = old.is_open if old else s.joining.is_open
        seats = s.joining.wish[0]
        fresh = Credentials(
            table_id, invited.match_id, invited.ticket, key, r.draw("seed"), is_open, s.name, seats
        )
        r.set(credentials=fresh)
        r.set_joiner(bound=())
        r.do(Keep(fresh))
    r.set_joiner(invite=invited)
    link = r.put(link, stage=Stage.SEATED)
    r.set(is_rematch=old is not None)
    r.set_line(main=link.number)
    introduce(r)
    if s.joining.is_ready and s.joining.what != messages.WATCH:
        r.send(link.number, messages.Ready(True))


def ask(r: Reaction, given: Seating) -> None:
    """Ask the host for another seat, or under another name."""
    joining, credentials = r.s.joining, r.s.credentials
    if joining.invite is None or r.s.is_rematch or credentials is None:
        return
    match given:
        case TakeSeat(seat) if joining.what == messages.JOIN:
            r.set_joiner(wish=((seat, *joining.wish[0][1:]), joining.wish[1]))
        case Rename(text) if name := persons(text):
            credentials = replace(credentials, name=name)
            r.set(name=name, credentials=credentials)
            r.do(Keep(credentials))
        case _:
            return
    r.set_joiner(is_ready=False)
    introduce(r)


def introduce(r: Reaction) -> None:
    """Tell the host our name, and which seats we would like."""
    s = r.s
    bound = keys.binding(boxes.public_keys(r.credentials.seed))
    is_watcher = s.joining.what == messages.WATCH
    sit = messages.Sit(s.name, *s.joining.wish, bound)
    r.send(s.line.main, messages.Watch(s.name) if is_watcher else sit)


def _setup(s: Session, invited: messages.Invite) -> Setup:
    """Return the set-up of an invitation.

    Raises:
        KumiteError: this version cannot play it; the text suits both sides.
    """
    me = s.name or "the joiner"
    if invited.game not in GAMES:
        raise UnknownGame(
            f"The host ({invited.program}) plays {invited.game}, which the kumite of {me} "
            f"({s.program}) does not know",
            hint=f"{me} needs the package {invited.package}"
            if invited.package
            else f"{me} should update kumite",
        )
    package = package_of(invited.game)
    if invited.package != package:
        raise Unplayable(
            f"The host plays {invited.game} by {invited.package or invited.program}, "
            f"{me} by {package or s.program}",
            hint="both need the same version of the package",
        )
    game = find(invited.game)
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
    """Send our keys now that nobody can change theirs; at most once per match, see `begin_anew`."""
    public = boxes.public_keys(r.credentials.seed)
    if keys.binding(public) not in hashes:
        raise BadSetup("the host does not bind itself to our keys")
    if r.s.joining.bound and r.s.joining.bound != hashes:
        raise BadSetup("the host binds others to other keys, after it has seen ours")
    if not r.s.joining.bound and r.s.joining.shown >= MAX_SHOWN:
        raise BadSetup("the host has seen our keys too often, and begun no match")
    r.set_joiner(bound=hashes, shown=r.s.joining.shown + (not r.s.joining.bound))
    r.send(link.number, messages.PublicKeys(*public))


def _begun(r: Reaction, link: Link, me: int, packed: bytes) -> None:
    roster = Roster.of(packed)
    _check(r.s, r.credentials, roster, me)
    r.set(is_rematch=False)
    r.set_line(main=link.number)
    r.set_joiner(shown=0)
    r.put(link, stage=Stage.PLAYING)
    replication.begin(r, roster, me if me != messages.WATCHER else None)
    r.send(link.number, messages.Ack(0, r.live.digests[0]))
    replication.advance(r)


def _check(s: Session, credentials: Credentials, roster: Roster, me: int) -> None:
    """Raise BadSetup unless the match is the one offered, with the keys that were bound before."""
    hint = "the host's kumite is broken, or a third party is in between"
    offered = s.joining.invite
    is_same = roster.match_id == credentials.match_id
    if is_same and offered is not None:
        is_same = (roster.setup, roster.clock) == (_setup(s, offered), offered.clock)
        is_same &= roster.gone == settled_rule(offered.gone, len(roster.terminals))
        is_same &= roster.series.best_of == offered.best_of
    if not is_same:
        raise BadSetup("The host begins a match other than the one it offered", hint=hint)
    is_watcher, may_play = me == messages.WATCHER, s.joining.what != messages.WATCH
    is_misplaced = not may_play if not is_watcher else may_play and not _may_be_replaced(s)
    if is_misplaced or me >= len(roster.terminals):
        raise BadSetup("The host has put us in another place", hint=hint)
    if me == messages.WATCHER:
        return
    ours = roster.terminals[me]
    if (ours.verify_key, ours.box_key) != boxes.public_keys(credentials.seed):
        raise BadSetup("The host has replaced our keys", hint=hint)
    pairs = [(one.verify_key, one.box_key) for one in roster.terminals]
    is_bound = tuple(map(keys.binding, pairs)) == s.joining.bound
    if not is_bound or not all(boxes.is_public(key) for pair in pairs for key in pair):
        raise BadSetup("A player's keys differ from the ones they committed to", hint=hint)
    if s.live is None:
        drawn = roster.by_lot() if s.joining.has_lots else roster
        if [one.seats for one in drawn.terminals] != [one.seats for one in roster.terminals]:
            raise BadSetup("The seats differ from those drawn by lot", hint=hint)
        return
    again, old, mine = s.live.ledger.rematch, s.live.ledger.roster, s.live.me
    if again is not None and mine is not None:
        had = old.terminals[mine].seats
        most = had | s.live.roster.terminals[mine].seats
        least = (seat for seat in had if not old.names[seat].startswith(FOR))
        at = again.number, old.setup.seats
        if not lobby.moved(least, *at) <= ours.seats <= lobby.moved(most, *at):
            raise BadSetup("The host has put us in another seat than was agreed", hint=hint)
        setup, series = lobby.next_match(s.live.ledger, again)
        series = lobby.score_of(series, old.names, roster.names, again.number)
        if (roster.setup, roster.series) != (setup, series):
            raise BadSetup("The host has changed the score, or the game agreed on", hint=hint)


def _may_be_replaced(s: Session) -> bool:
    """True if a bot may have our seats in the next match: we had none, or were away."""
    if s.live is None:
        return s.credentials is not None and s.credentials.table_id != s.credentials.match_id
    return s.live.ledger.rematch is None or not s.live.seats_here
