"""From a new connection to a sealed one: greeting, proving the code, returning; pure.

There are four kinds of pending connections: silent, trying the code, returning, and proved but not
seated. Each kind has its own places, so none can crowd out another. If a kind is full, the address
with the most connections of that kind loses one, which limits a flood.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final, NamedTuple

from kumite.core import codes
from kumite.core.errors import BadData, KumiteError
from kumite.core.game import SPECTATOR
from kumite.net.crypto import pairing
from kumite.net.crypto.channel import Opener, Sealer
from kumite.net.session import events, succession
from kumite.net.session.events import Status
from kumite.net.session.state import RETRY_EVERY, Handshake, Link, Reaction, Stage
from kumite.net.wire import messages

# --- Places and rate limits for connections that are not seated yet ----------------------------


SILENT, TRYING, RETURNING, PROVED = "silent", "trying", "returning", "proved"
TALKING: Final = "talking"
LOOKING: Final = "looking"
POSTING: Final = "posting"
ROOM: Final = {SILENT: 64, TRYING: 32, RETURNING: 32, PROVED: 32}
"""Places of each kind."""
ONE_ADDRESS: Final = 8  # places of each kind
MAX_KNOWN: Final = 512  # entries whose rate is remembered


class Pace(NamedTuple):
    """A rate limit: `at_once` acts in a burst, then `a_second` per second."""

    at_once: int
    a_second: float


PACES: Final = {
    TRYING: Pace(8, 1.0),  # each costs both sides 20 ms of CPU time or more
    RETURNING: Pace(64, 16.0),  # a returning terminal tries twice a second
    TALKING: Pace(10, 0.5),
    LOOKING: Pace(8, 0.25),  # a spectator is sent the whole match
    POSTING: Pace(20, 1.0),  # words, offers and answers in a match
    messages.WATCH: Pace(40, 4.0),  # any message of a spectator, see `playing.may_speak`
    messages.JOIN: Pace(60, 4.0),  # any message in the lobby
}
"""Rate limits, by address for connections and by guest for messages."""


def kind_of(link: Link) -> str:
    """Return the kind of a pending connection, "" once it is seated."""
    if link.stage is Stage.NEW:
        return SILENT
    if link.stage is Stage.PROVING:
        return RETURNING if link.what == messages.RETURN else TRYING
    return PROVED if link.stage is Stage.SEALED else ""


def make_room(r: Reaction, link: Link) -> None:
    """Drop a connection of the same kind if there is no place for this one."""
    kind = kind_of(link)
    if not kind:
        return
    waiting = [one for one in r.s.links if kind_of(one) == kind]
    crowd = [one for one in waiting if one.address == link.address]
    if len(crowd) <= ONE_ADDRESS and len(waiting) <= ROOM[kind]:
        return
    if len(crowd) <= ONE_ADDRESS:
        held: dict[str, list[Link]] = {}
        for one in waiting:
            held.setdefault(one.address, []).append(one)
        # among equals the address with the oldest one: an honest terminal is through quickly
        crowd = max(held.values(), key=lambda some: (len(some), -min(one.since for one in some)))
    r.drop(min(crowd, key=lambda one: one.since).number)


def is_in_pace(r: Reaction, what: str, who: str) -> bool:
    """Count one more `what` (of PACES) by `who`; return False if that exceeds the rate."""
    used, pace = dict(r.s.hosting.paces), PACES[what]
    until = max(r.now, used.pop((what, who), r.now)) + 1 / pace.a_second
    if until > r.now + pace.at_once / pace.a_second + 1e-6:
        return False
    # those that are free soonest are forgotten first
    others = sorted((at, one) for one, at in used.items() if at > r.now)[1 - MAX_KNOWN :]
    r.set_host(paces={one: at for at, one in others} | {(what, who): until})
    return True


def may_watch(r: Reaction, link: Link) -> bool:
    return is_in_pace(r, LOOKING, link.address)


# --- Greeting, proving the code, returning -----------------------------------------------------


WORD_EVERY: Final = 1.0  # s between reports, so that strangers cannot flood the host's screen
FINAL: Final = (
    codes.UNKNOWN,
    codes.WRONG_KEY,
    codes.OTHER_PROTOCOL,
    codes.NO_WATCHERS,
    codes.TOURNAMENT,
)
REFUSALS: Final = frozenset(
    {
        *(codes.WRONG_CODE, codes.SLOW_DOWN, codes.OTHER_PROTOCOL, codes.OTHER_RULES),
        *(codes.UNKNOWN_GAME, codes.BAD_SETUP, codes.FULL, codes.BEGUN, codes.CROWDED),
        *(codes.UNKNOWN, codes.WRONG_KEY, codes.TOURNAMENT, codes.ELSEWHERE, codes.OTHER_MATCH),
        *(codes.HOST_BEHIND, codes.NO_WATCHERS),
    }
)
"""Reasons that another terminal may give. Its free text is never shown: until the code is proved it
could come from anyone, and could pretend to be the code or the three words.
"""
_NUMBERS: Final = {
    codes.OTHER_PROTOCOL: re.compile(r"speaks protocol (\d{1,6}),"),
    codes.SLOW_DOWN: re.compile(r"try again in (\d{1,4}) s"),
}


def opened(r: Reaction, link: Link) -> None:
    """Start talking on a new connection; as the host, wait for the other side's greeting."""
    s = r.s
    if link.to is None and not s.is_host:
        link = replace(link, to=s.host)
    r.set(links=(*s.links, link))
    if link.to is None:
        make_room(r, link)
        return
    is_return = s.credentials is not None and bool(s.credentials.key)
    what = messages.RETURN if is_return else s.joining.what
    hello = messages.Hello(messages.PROTOCOL, s.program, what)
    r.say(link.number, hello)
    said = messages.PLAIN.pack(hello)
    shake: Handshake
    if is_return and s.credentials is not None:
        ticket, key = succession.return_key(r, link.to)
        table_id = s.credentials.table_id
        shake = pairing.ResumeJoiner(key, r.entropy("return"), table_id, said)
        r.say(link.number, messages.Back(table_id, ticket, shake.start()))
    else:
        shake = s.pairs[0](s.code, r.entropy("pair"), "", said)
        r.say(link.number, messages.Pair(shake.start()))
    now = r.s.link(link.number)
    assert now is not None
    r.put(now, stage=Stage.PROVING, handshake=shake, what=what)


def hear(r: Reaction, link: Link, message: messages.Plain) -> bool:
    """Handle a plain message; return whether the connection is now sealed."""
    if isinstance(message, messages.Refuse) and link.to is not None:
        return _refused(r, link, message)
    match link.stage, message:
        case Stage.NEW, messages.Hello() if link.to is None:
            _greeted(r, link, message)
        case Stage.PROVING, messages.Pair(data):
            return _proving(r, link, data)
        case Stage.PROVING, messages.Back() if link.to is None and link.what == messages.RETURN:
            _returning(r, link, message)
        case _:
            broken(r, link, f"{type(message).__name__} does not come now")
    return False


def broken(r: Reaction, link: Link, reason: str) -> None:
    r.drop(link.number)
    if not r.s.is_host and r.s.credentials is None:
        r.end(events.Stopped(codes.NO_TABLE, reason))


def refuse(r: Reaction, link: Link, code: str, number: int = 0, *, is_told: bool = True) -> None:
    text, hint = "", ""
    if code == codes.OTHER_PROTOCOL:
        text = f"speaks protocol {messages.PROTOCOL}, not {number}"
    elif code == codes.SLOW_DOWN and number:
        hint = f"try again in {number} s"
    r.say(link.number, messages.Refuse(code, text, hint))
    r.drop(link.number)
    if is_told and r.now >= r.s.hosting.word_at + WORD_EVERY:
        r.set_host(word_at=r.now)
        r.tell(events.TurnedAway(link.place, code, number))


def known(code: str) -> str:
    """Return the code of a refusal, or ERROR if this version does not know it."""
    return code if code in REFUSALS else codes.ERROR


def _greeted(r: Reaction, link: Link, hello: messages.Hello) -> None:
    if hello.protocol != messages.PROTOCOL:
        refuse(r, link, codes.OTHER_PROTOCOL, hello.protocol)
        return
    if hello.what == messages.RETURN:
        said = messages.PLAIN.pack(hello)
        make_room(r, r.put(link, stage=Stage.PROVING, what=messages.RETURN, said=said))
        return
    offered = (messages.ENTER,) if r.s.is_tournament else (messages.JOIN, messages.WATCH)
    if r.s.is_tournament and hello.what in (messages.JOIN, messages.WATCH):
        refuse(r, link, codes.TOURNAMENT, is_told=False)
    elif hello.what == messages.WATCH and not r.s.hosting.table.has_watchers:
        refuse(r, link, codes.NO_WATCHERS)
    elif hello.what == messages.JOIN and (r.s.live is not None or r.s.hosting.is_beginning):
        refuse(r, link, codes.BEGUN, is_told=False)
    elif hello.what not in offered:
        r.drop(link.number)
    elif wait := r.s.hosting.attempts.wait(link.address, r.now):
        refuse(r, link, codes.SLOW_DOWN, round(wait), is_told=False)
    elif not is_in_pace(r, TRYING, link.address):
        refuse(r, link, codes.SLOW_DOWN, is_told=False)
    else:
        shake = r.s.pairs[1](r.s.code, r.entropy("pair"), "", messages.PLAIN.pack(hello))
        link = r.put(link, stage=Stage.PROVING, what=hello.what, handshake=shake)
        make_room(r, link)


def _returning(r: Reaction, link: Link, back: messages.Back) -> None:
    credentials, place = r.s.credentials, r.s.place(back.ticket)
    is_ours = credentials is not None and credentials.table_id == back.table_id
    if not is_ours or place is None or not place.key:
        refuse(r, link, codes.UNKNOWN, is_told=False)
        return
    if not is_in_pace(r, RETURNING, link.address):
        r.drop(link.number)
        return
    shake = pairing.ResumeHost(place.key, r.entropy("return"), back.table_id, link.said)
    r.put(link, handshake=shake, ticket=back.ticket)
    answer, _ = shake.hear(back.data)
    r.say(link.number, messages.Pair(answer))


def _proving(r: Reaction, link: Link, data: bytes) -> bool:
    """Advance a handshake by one message; return whether it is complete.

    Raises:
        BadData: the message is not part of a handshake.
    """
    if link.handshake is None:
        raise BadData("a handshake that was not begun")
    try:
        reply, keys = link.handshake.hear(data)
    except pairing.WrongCode as error:
        _wrong(r, link, error)
        return False
    if reply:
        r.say(link.number, messages.Pair(reply))
    link = r.s.link(link.number) or link
    if keys is None:
        return False
    send, receive = keys.to_host, keys.to_joiner
    if link.to is None:
        send, receive = receive, send
        if link.what != messages.RETURN:
            r.set_host(attempts=r.s.hosting.attempts.after_right(link.address))
    link = replace(link, handshake=None, sealer=Sealer(send), opener=Opener(receive))
    r.put(link, key=keys.resume, stage=Stage.SEALED, heard=r.now, pinged=r.now)
    return True


def _wrong(r: Reaction, link: Link, error: KumiteError) -> None:
    if link.to is not None:
        broken(r, link, str(error))
        return
    if link.what == messages.RETURN:
        refuse(r, link, codes.WRONG_KEY, is_told=False)
        return
    r.set_host(attempts=r.s.hosting.attempts.after_wrong(link.address, r.now))
    refuse(r, link, codes.WRONG_CODE)
    if r.s.hosting.attempts.is_spent:
        new_code(r, is_tried=True)


def new_code(r: Reaction, *, is_tried: bool = False) -> None:
    code = pairing.new_code(r.rng("code"))
    for link in r.s.links:
        if link.stage is Stage.PROVING and link.what != messages.RETURN:
            r.drop(link.number)
    r.set(code=code)
    r.set_host(attempts=r.s.hosting.attempts.renewed(r.now))
    r.tell(events.CodeChanged(code, is_tried))


def _refused(r: Reaction, link: Link, refusal: messages.Refuse) -> bool:
    """Stop, unless another try may succeed.

    Refusals are not sealed, so anyone on the line, or behind a false announcement that the host has
    moved, could have sent one. Therefore none ends a match or tournament under way, and the text
    is never shown.
    """
    r.drop(link.number)
    if link.to != r.s.host:
        return False  # not from the host
    code, said = known(refusal.code), refusal.text + refusal.hint
    found = _NUMBERS[code].search(said) if code in _NUMBERS else None
    number = int(found[1]) if found else 0
    if r.s.is_under_way:
        if r.s.line.retry_at is None:
            r.set_line(retry_at=r.now + RETRY_EVERY)
        if code != r.s.line.refused:
            r.set_line(refused=code)
            seats = SPECTATOR if r.s.live is None else r.live.seats_of(r.s.host)
            r.tell(events.Presence(Status.REFUSED, seats, number=number, code=code))
    elif r.s.credentials is None or code in FINAL:
        r.end(events.Stopped(code, number=number))
    return False
