"""From a connection to a sealed one: greeting, proving the code, coming back; pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.core.errors import BadData, KumiteError
from kumite.net.crypto import pairing
from kumite.net.crypto.channel import Opener, Sealer
from kumite.net.session import events
from kumite.net.session.state import HALF_OPEN, MAX_LINKS, RETRY_EVERY, Stage
from kumite.net.wire import messages

if TYPE_CHECKING:
    from kumite.net.crypto.pairing import LinkKeys
    from kumite.net.session.state import Handshake, Link, Reaction

WORD_EVERY: Final = 1.0  # s; strangers cannot fill the host's screen faster than this
FINAL: Final = ("unknown", "wrong-key", "other-protocol", "no-watchers")
HINT_CODE: Final = "the code stands on the host's screen; after three wrong ones there is another"


def opened(t: Reaction, link: Link) -> None:
    """Begin to talk over a new connection; the host waits for the first word."""
    s = t.s
    if s.is_host:
        waiting = [one for one in s.links if one.stage < Stage.SEATED]
        if len(waiting) >= HALF_OPEN or len(s.links) >= MAX_LINKS:
            # an honest terminal greets at once, so the oldest is none
            oldest = min(waiting, key=lambda one: (one.stage, one.since), default=link)
            t.drop(oldest.number)
            if oldest is link:
                return
        t.set(links=(*t.s.links, link))
        return
    t.set(links=(*s.links, link))
    is_return = s.credentials is not None and bool(s.credentials.key)
    what = messages.RETURN if is_return else s.what
    hello = messages.Hello(messages.PROTOCOL, s.program, what)
    t.say(link.number, hello)
    shake: Handshake
    if is_return and s.credentials is not None:
        shake = pairing.ResumeJoiner(s.credentials.key, t.entropy("return"))
        t.say(
            link.number, messages.Back(s.credentials.table_id, s.credentials.ticket, shake.start())
        )
    else:
        shake = s.pairs[0](s.code, t.entropy("pair"))
        t.say(link.number, messages.Pair(shake.start()))
    now = t.s.link(link.number)
    assert now is not None
    said = messages.PLAIN.pack(hello)
    t.put(now, stage=Stage.PROVING, handshake=shake, what=what, said=said)


def hear(t: Reaction, link: Link, message: messages.Plain) -> bool:
    """React to a plain message; return whether the connection is sealed now."""
    if isinstance(message, messages.Refuse) and not t.s.is_host:
        return _refused(t, link, message)
    match link.stage, message:
        case Stage.NEW, messages.Hello() if t.s.is_host:
            _greeted(t, link, message)
        case Stage.PROVING, messages.Pair(data):
            return _proving(t, link, data)
        case Stage.PROVING, messages.Back() if t.s.is_host and link.what == messages.RETURN:
            _returning(t, link, message)
        case _:
            broken(t, link, f"{type(message).__name__} does not come now")
    return False


def broken(t: Reaction, link: Link, reason: str) -> None:
    """Give up a connection that brings no kumite."""
    t.drop(link.number)
    if not t.s.is_host and t.s.credentials is None:
        text = f"What answers there is no kumite table ({reason})"
        t.end(events.Stopped("no-table", text, "check address and port with the host"))


def refuse(
    t: Reaction, link: Link, code: str, text: str, hint: str, *, is_told: bool = True
) -> None:
    """Close a connection with a reason: to the other end, and to the host's own people."""
    t.say(link.number, messages.Refuse(code, text, hint))
    t.drop(link.number)
    if is_told and t.now >= t.s.word_at + WORD_EVERY:
        t.set(word_at=t.now)
        t.tell(events.TurnedAway(link.address, code, text, hint))


def _greeted(t: Reaction, link: Link, hello: messages.Hello) -> None:
    if hello.protocol != messages.PROTOCOL:
        text = (
            f"The host's kumite {t.s.program} speaks protocol {messages.PROTOCOL}, "
            f"the other one ({hello.program}) protocol {hello.protocol}"
        )
        older = "who joins" if hello.protocol < messages.PROTOCOL else "the host"
        refuse(t, link, "other-protocol", text, f"{older} should update kumite")
        return
    if hello.what == messages.RETURN:
        t.put(link, stage=Stage.PROVING, what=messages.RETURN, said=messages.PLAIN.pack(hello))
        return
    assert t.s.table is not None
    if hello.what == messages.WATCH and not t.s.table.has_watchers:
        refuse(t, link, "no-watchers", "This table wants nobody to look on", "ask the host")
    elif hello.what == messages.JOIN and (t.s.live is not None or t.s.is_beginning):
        text = "This table is taken: the match has live"
        hint = "ask the host to open another table, or look on"
        refuse(t, link, "full", text, hint, is_told=False)
    elif hello.what not in (messages.JOIN, messages.WATCH):
        t.drop(link.number)
    elif wait := t.s.attempts.wait(link.address, t.now):
        text = "Too many wrong codes came from this address"
        refuse(t, link, "slow-down", text, f"try again in {wait:.0f} s", is_told=False)
    else:
        shake = t.s.pairs[1](t.s.code, t.entropy("pair"))
        said = messages.PLAIN.pack(hello)
        t.put(link, stage=Stage.PROVING, what=hello.what, handshake=shake, said=said)


def _returning(t: Reaction, link: Link, back: messages.Back) -> None:
    s = t.s
    place = s.place(back.ticket)
    if (
        s.credentials is None
        or place is None
        or s.credentials.table_id != back.table_id
        or not place.key
    ):
        text = "The host does not know this terminal any more"
        refuse(t, link, "unknown", text, "join with the code", is_told=False)
        return
    shake = pairing.ResumeHost(place.key, t.entropy("return"))
    link = t.put(link, handshake=shake, ticket=back.ticket)
    answer = shake.started(back.data, back.table_id, link.said)
    t.say(link.number, messages.Pair(answer))
    t.put(t.s.link(link.number) or link, is_answered=True)


def _proving(t: Reaction, link: Link, data: bytes) -> bool:
    """Go one message further in a handshake; return whether it is done.

    Raises:
        BadData: that is no message of a handshake.
    """
    try:
        keys, reply = _next(t, link, data)
    except pairing.WrongCode as error:
        _wrong(t, link, error)
        return False
    if reply:
        t.say(link.number, messages.Pair(reply))
    link = t.s.link(link.number) or link
    if keys is None:
        t.put(link, is_answered=True)
        return False
    send, receive = keys.to_host, keys.to_joiner
    if t.s.is_host:
        send, receive = receive, send
        if link.what != messages.RETURN:
            t.set(attempts=t.s.attempts.after_right(link.address))
    t.put(
        link,
        handshake=None,
        sealer=Sealer(send),
        opener=Opener(receive),
        key=keys.resume,
        stage=Stage.SEALED,
        heard=t.now,
        pinged=t.now,
    )
    return True


def _next(t: Reaction, link: Link, data: bytes) -> tuple[LinkKeys | None, bytes]:
    """Return the keys, if the other side has proved that it has them, and what to answer."""
    shake = link.handshake
    if isinstance(shake, pairing.ResumeJoiner):
        assert t.s.credentials is not None
        reply, keys = shake.answered(data, t.s.credentials.table_id, link.said)
        return keys, reply
    if isinstance(shake, pairing.ResumeHost):
        return shake.confirmed(data), b""
    if shake is None:
        raise BadData("a handshake that was not live")
    if not t.s.is_host:
        if link.is_answered:
            return shake.confirmed(data), b""
        return None, shake.answered(data, "", link.said)
    if link.is_answered:
        proof, keys = shake.confirmed(data)
        return keys, proof
    return None, shake.started(data, "", link.said)


def _wrong(t: Reaction, link: Link, error: KumiteError) -> None:
    """Count a wrong code; after three there is another one."""
    if not t.s.is_host:
        broken(t, link, str(error))
        return
    if link.what == messages.RETURN:
        refuse(t, link, "wrong-key", "This is not the key of that terminal", "", is_told=False)
        return
    t.set(attempts=t.s.attempts.after_wrong(link.address, t.now))
    refuse(t, link, "wrong-code", "That is not the code of this table", HINT_CODE)
    if t.s.attempts.is_spent:
        new_code(t, "Somebody tried three wrong codes, so there is a new one")


def new_code(t: Reaction, text: str) -> None:
    """Make another code; handshakes with the old one come to nothing."""
    code = pairing.new_code(t.rng("code"))
    for link in t.s.links:
        if link.stage is Stage.PROVING and link.what != messages.RETURN:
            t.drop(link.number)
    t.set(code=code, attempts=t.s.attempts.renewed(t.now))
    t.tell(events.CodeChanged(code, text))


def _refused(t: Reaction, link: Link, refusal: messages.Refuse) -> bool:
    """Stop, unless trying again may help.

    No refusal is sealed, so anybody on the line could have said it: in mid-match it ends nothing.
    """
    t.drop(link.number)
    if t.s.live is not None:
        if t.s.retry_at is None:
            t.set(retry_at=t.now + RETRY_EVERY)
        if refusal.code != t.s.refused:
            t.set(refused=refusal.code)
            text = f"{refusal.text}; kumite tries again by itself"
            t.tell(events.Away(t.live.seats_of(0), text))
    elif t.s.credentials is None or refusal.code in FINAL:
        t.end(events.Stopped(refusal.code, refusal.text, refusal.hint))
    return False
