"""From a connection to a sealed one: greeting, proving the code, coming back; pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from kumite.core import codes
from kumite.core.errors import BadData, KumiteError
from kumite.core.game import SPECTATOR
from kumite.net.crypto import pairing
from kumite.net.crypto.channel import Opener, Sealer
from kumite.net.session import doorway, events, refusals, succession
from kumite.net.session.state import RETRY_EVERY, Stage
from kumite.net.wire import messages

if TYPE_CHECKING:
    from kumite.net.crypto.pairing import LinkKeys
    from kumite.net.session.state import Handshake, Link, Reaction

WORD_EVERY: Final = 1.0  # s; strangers cannot fill the host's screen faster than this
FINAL: Final = (
    codes.UNKNOWN,
    codes.WRONG_KEY,
    codes.OTHER_PROTOCOL,
    codes.NO_WATCHERS,
    codes.HALL,
)
HINT_CODE: Final = "the code stands on the host's screen; after three wrong ones there is another"


def opened(r: Reaction, link: Link) -> None:
    """Begin to talk over a new connection; the host waits for the first word."""
    s = r.s
    if link.to is None and not s.is_host:
        link = replace(link, to=s.host)
    r.set(links=(*s.links, link))
    if link.to is None:
        doorway.make_room(r, link)
        return
    is_return = s.credentials is not None and bool(s.credentials.key)
    what = messages.RETURN if is_return else s.what
    hello = messages.Hello(messages.PROTOCOL, s.program, what)
    r.say(link.number, hello)
    shake: Handshake
    if is_return and s.credentials is not None:
        ticket, key = succession.return_key(s, link.to)
        shake = pairing.ResumeJoiner(key, r.entropy("return"))
        r.say(link.number, messages.Back(s.credentials.table_id, ticket, shake.start()))
    else:
        shake = s.pairs[0](s.code, r.entropy("pair"))
        r.say(link.number, messages.Pair(shake.start()))
    now = r.s.link(link.number)
    assert now is not None
    said = messages.PLAIN.pack(hello)
    r.put(now, stage=Stage.PROVING, handshake=shake, what=what, said=said)


def hear(r: Reaction, link: Link, message: messages.Plain) -> bool:
    """React to a plain message; return whether the connection is sealed now."""
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
    """Give up a connection that brings no kumite."""
    r.drop(link.number)
    if not r.s.is_host and r.s.credentials is None:
        text = f"What answers there is no kumite table ({reason})"
        r.end(events.Stopped(codes.NO_TABLE, text, "check address and port with the host"))


def refuse(
    r: Reaction, link: Link, code: str, text: str, hint: str, *, is_told: bool = True
) -> None:
    """Close a connection with a reason: to the other end, and to the host's own people."""
    r.say(link.number, messages.Refuse(code, text, hint))
    r.drop(link.number)
    if is_told and r.now >= r.s.word_at + WORD_EVERY:
        r.set(word_at=r.now)
        r.tell(events.TurnedAway(link.place, code, text, hint))


def _greeted(r: Reaction, link: Link, hello: messages.Hello) -> None:
    if hello.protocol != messages.PROTOCOL:
        text = (
            f"The host's kumite {r.s.program} speaks protocol {messages.PROTOCOL}, "
            f"the other one protocol {hello.protocol}"
        )
        older = "the joiner" if hello.protocol < messages.PROTOCOL else "the host"
        refuse(r, link, codes.OTHER_PROTOCOL, text, f"{older} should update kumite")
        return
    if hello.what == messages.RETURN:
        said = messages.PLAIN.pack(hello)
        doorway.make_room(r, r.put(link, stage=Stage.PROVING, what=messages.RETURN, said=said))
        return
    assert r.s.table is not None
    offered = (messages.ENTER,) if r.s.is_hall else (messages.JOIN, messages.WATCH)
    if r.s.is_hall and hello.what in (messages.JOIN, messages.WATCH):
        refuse(r, link, codes.HALL, "A tournament is held here", "enter it", is_told=False)
    elif hello.what == messages.WATCH and not r.s.table.has_watchers:
        refuse(r, link, codes.NO_WATCHERS, "This table wants nobody to look on", "ask the host")
    elif hello.what == messages.JOIN and (r.s.live is not None or r.s.is_beginning):
        text = "This table is taken: the match has begun"
        hint = "ask the host to open another table, or look on"
        refuse(r, link, codes.FULL, text, hint, is_told=False)
    elif hello.what not in offered:
        r.drop(link.number)
    elif wait := r.s.attempts.wait(link.address, r.now):
        text = "Too many wrong codes came from this address"
        refuse(r, link, codes.SLOW_DOWN, text, f"try again in {wait:.0f} s", is_told=False)
    elif not doorway.is_in_pace(r, doorway.TRYING, link.address):
        text = "Too many begin to join from this address"
        refuse(r, link, codes.SLOW_DOWN, text, "try again in a few seconds", is_told=False)
    else:
        shake = r.s.pairs[1](r.s.code, r.entropy("pair"))
        said = messages.PLAIN.pack(hello)
        link = r.put(link, stage=Stage.PROVING, what=hello.what, handshake=shake, said=said)
        doorway.make_room(r, link)


def _returning(r: Reaction, link: Link, back: messages.Back) -> None:
    s = r.s
    place = s.place(back.ticket)
    if (
        s.credentials is None
        or place is None
        or s.credentials.table_id != back.table_id
        or not place.key
    ):
        text = "The host does not know this terminal any more"
        refuse(r, link, codes.UNKNOWN, text, "join with the code", is_told=False)
        return
    if not doorway.is_in_pace(r, doorway.RETURNING, link.address):
        r.drop(link.number)
        return
    shake = pairing.ResumeHost(place.key, r.entropy("return"))
    link = r.put(link, handshake=shake, ticket=back.ticket)
    answer = shake.started(back.data, back.table_id, link.said)
    r.say(link.number, messages.Pair(answer))
    r.put(r.s.link(link.number) or link, is_answered=True)


def _proving(r: Reaction, link: Link, data: bytes) -> bool:
    """Go one message further in a handshake; return whether it is done.

    Raises:
        BadData: that is no message of a handshake.
    """
    try:
        keys, reply = _next(r, link, data)
    except pairing.WrongCode as error:
        _wrong(r, link, error)
        return False
    if reply:
        r.say(link.number, messages.Pair(reply))
    link = r.s.link(link.number) or link
    if keys is None:
        r.put(link, is_answered=True)
        return False
    send, receive = keys.to_host, keys.to_joiner
    if link.to is None:
        send, receive = receive, send
        if link.what != messages.RETURN:
            r.set(attempts=r.s.attempts.after_right(link.address))
    r.put(
        link,
        handshake=None,
        sealer=Sealer(send),
        opener=Opener(receive),
        key=keys.resume,
        stage=Stage.SEALED,
        heard=r.now,
        pinged=r.now,
    )
    return True


def _next(r: Reaction, link: Link, data: bytes) -> tuple[LinkKeys | None, bytes]:
    """Return the keys, if the other side has proved that it has them, and what to answer."""
    shake = link.handshake
    if isinstance(shake, pairing.ResumeJoiner):
        assert r.s.credentials is not None
        reply, keys = shake.answered(data, r.s.credentials.table_id, link.said)
        return keys, reply
    if isinstance(shake, pairing.ResumeHost):
        return shake.confirmed(data), b""
    if shake is None:
        raise BadData("a handshake that was not begun")
    if link.to is not None:
        if link.is_answered:
            return shake.confirmed(data), b""
        return None, shake.answered(data, "", link.said)
    if link.is_answered:
        proof, keys = shake.confirmed(data)
        return keys, proof
    return None, shake.started(data, "", link.said)


def _wrong(r: Reaction, link: Link, error: KumiteError) -> None:
    """Count a wrong code; after three there is another one."""
    if link.to is not None:
        broken(r, link, str(error))
        return
    if link.what == messages.RETURN:
        refuse(r, link, codes.WRONG_KEY, "This is not the key of that terminal", "", is_told=False)
        return
    r.set(attempts=r.s.attempts.after_wrong(link.address, r.now))
    refuse(r, link, codes.WRONG_CODE, "That is not the code of this table", HINT_CODE)
    if r.s.attempts.is_spent:
        new_code(r, "Somebody tried three wrong codes, so there is a new one")


def new_code(r: Reaction, text: str) -> None:
    """Make another code; handshakes with the old one come to nothing."""
    code = pairing.new_code(r.rng("code"))
    for link in r.s.links:
        if link.stage is Stage.PROVING and link.what != messages.RETURN:
            r.drop(link.number)
    r.set(code=code, attempts=r.s.attempts.renewed(r.now))
    r.tell(events.CodeChanged(code, text))


def _refused(r: Reaction, link: Link, refusal: messages.Refuse) -> bool:
    """Stop, unless trying again may help.

    No refusal is sealed, so anybody on the line could have said it, or who announces falsely that
    the host has moved: once something is under way it ends nothing. Its text is never shown.
    """
    r.drop(link.number)
    if link.to != r.s.host:
        return False  # that one does not carry the table on
    if r.s.is_under_way:
        if r.s.retry_at is None:
            r.set(retry_at=r.now + RETRY_EVERY)
        if refusal.code != r.s.refused:
            r.set(refused=refusal.code)
            _, said, _ = refusals.told(refusal.code, refusal.text)
            seats = SPECTATOR if r.s.live is None else r.live.seats_of(r.s.host)
            r.tell(events.Away(seats, f"{said}; kumite tries again by itself"))
    elif r.s.credentials is None or refusal.code in FINAL:
        r.end(events.Stopped(*refusals.told(refusal.code, refusal.text + refusal.hint)))
    return False
