"""Hostile bytes and frames: recordings of a real table, changed by chance, thrown at tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from random import Random

import pytest

from kumite.core import table as acts
from kumite.core.errors import BadData
from kumite.core.game import Setup
from kumite.core.games import GAMES
from kumite.net.crypto.channel import TAG
from kumite.net.session import events, session
from kumite.net.session.events import Tell
from kumite.net.session.handshake import ONE_ADDRESS, kind_of
from kumite.net.wire import framing, messages
from kumite.net.wire.framing import LENGTH, MAX_FRAME, MAX_PLAIN
from tests.support.lan_tables import Plan, is_finished, seated
from tests.support.simulation import TOYS, VERSION, Line, Network, Node, live

SHARE = 300_000  # bytes of each kind in the check
ALL = 2_500_000  # and in the long run: ten million together
UNREAD = max(len(framing.PREAMBLE) + LENGTH + MAX_PLAIN, LENGTH + TAG + MAX_FRAME)
LONGEST_PIECE = 300
PLAN = Plan(7, Setup.of(GAMES["kitsune"], 2), 2, 1, 0, 12)
OTHER = replace(PLAN, seed=8)  # with other secrets than those of the recording


@dataclass
class Recording:
    """What went over the lines of a table, and the messages in it."""

    to_host: list[bytes]  # by connection
    to_joiner: list[bytes]
    packed: list[bytes]  # packed, without their seals


@cache
def recording() -> Recording:
    """Return what is said from the greeting to the audit, with a cut in between."""
    lines: dict[int, list[bytes]] = {}
    original = Line.send

    def send(self: Line, node: Node, data: bytes) -> None:
        both = lines.setdefault(id(self), [b"", b""])
        both[self.ends[0][0] is node] += data
        original(self, node, data)

    Line.send = send
    try:
        net = seated(PLAN, is_overheard=True)
        for node in net.nodes[:2]:
            live(node, Random(node.name), PLAN.longest)
        net.after(2, lambda: [line.cut() for line in net.lines])
        assert net.run(2000, lambda: is_finished(net))
    finally:
        Line.send = original
    heard = [one for node in net.nodes for one in node.heard if one]
    packed = []
    for one in heard:
        try:
            messages.SEALED.unpack(one)
        except BadData:  # plain, from before the seals
            continue
        packed.append(one)
    kept = list(lines.values())
    return Recording([one for _, one in kept], [one for one, _ in kept], packed)


def changed(rng: Random, data: bytes, others: list[bytes]) -> bytes:
    """Return these bytes with a few changes of the kind that attackers and broken lines make."""
    made = bytearray(data)
    for _ in range(rng.choice((0, 1, 1, 2, 5))):
        at = rng.randrange(len(made) + 1)
        match rng.randrange(8):
            case 0:
                del made[at : at + rng.choice((1, 2, 40))]
            case 1:
                made[at:at] = rng.randbytes(rng.choice((1, 2, 40)))
            case 2:
                made[at : at + 2] = rng.choice((b"\0\0", b"\xff\xff", b"\x7f\xff", b"\0\1"))
            case 3:
                other = rng.choice(others)
                start = rng.randrange(len(other) + 1)
                made[at : at + 200] = other[start : start + 200]
            case 4:
                del made[at:]
            case 5:
                made[at:at] = made[: rng.choice((4, 50, 400))]
            case _ if at < len(made):
                made[at] ^= 1 << rng.randrange(8)
    return bytes(made)


def pieces(rng: Random, data: bytes) -> list[bytes]:
    """Cut a stream as a network does, or an attacker."""
    found = []
    while data:
        size = rng.choice((1, 7, 50, LONGEST_PIECE))
        found.append(data[:size])
        data = data[size:]
    return found


def check_bounds(node: Node) -> None:
    """Check that nothing grows with what strangers send."""
    s = node.session
    waiting = Counter((kind_of(link), link.address) for link in s.links if kind_of(link))
    assert max(waiting.values(), default=0) <= ONE_ADDRESS
    for link in s.links:
        assert len(link.rest) <= UNREAD
        if link.opener is not None:
            assert len(link.opener._rest) <= UNREAD + LONGEST_PIECE


def check_unharmed(net: Network) -> None:
    """Check that those who play have noticed nothing: they play on to the end, audited."""
    for node in net.nodes:
        assert not any(isinstance(one, events.Stopped) for one in node.events)
    for node in net.nodes[:2]:
        live(node, Random(f"after {node.name}"), PLAN.longest)
    assert net.run(net.now + 3000, lambda: is_finished(net))
    assert len({node.live.digests[-1] for node in net.nodes}) == 1


def strangers(rng: Random, size: int) -> None:
    """Come to a table in the middle of its match, as whoever was recorded or as nobody."""
    net, streams, done = seated(OTHER), recording().to_host, 0
    host = net.host
    while done < size:
        host.links += 1
        number, address = host.links, f"eve{rng.randrange(4)}"
        host.feed(events.Opened(number, address))
        data = changed(rng, rng.choice(streams), streams) if rng.random() < 0.9 else b""
        for piece in pieces(rng, data or rng.randbytes(2000)):
            if host.session.link(number) is None:  # what comes after that, nobody reads
                break
            host.feed(events.Heard(number, piece))
            done += len(piece)
            check_bounds(host)
        if rng.random() < 0.7:
            host.feed(events.LineLost(number))
        net.run(net.now + rng.choice((0.0, 0.3, 5.0)))
    check_unharmed(net)


def false_hosts(rng: Random, size: int) -> None:
    """Answer whoever joins as no host does."""
    streams, done = recording().to_joiner, 0
    while done < size:
        made = session.join("7-torii-lantern", "bob", VERSION, rng.randbytes(32), **TOYS)
        node = Node("bob", Network(rng.random()), made)
        node.net.connect = lambda _: None
        node.start()
        node.feed(events.Opened(1, "mallory"))
        for piece in pieces(rng, changed(rng, rng.choice(streams), streams)):
            if node.session.link(1) is None:
                break
            node.feed(events.Heard(1, piece))
            done += len(piece)
            check_bounds(node)
        assert node.session.live is None
        node.net.run(60)


def bad_lines(rng: Random, size: int) -> None:
    """Change what goes between those who play: the line breaks, is made anew, and all goes on."""
    net, done = seated(OTHER), 0
    streams = recording().to_host + recording().to_joiner
    while done < size:
        node = rng.choice(net.nodes)
        for link in node.session.links:
            data = changed(rng, rng.choice(streams)[:LONGEST_PIECE], streams)
            node.feed(events.Heard(link.number, data))
            done += len(data)
            check_bounds(node)
        net.run(net.now + rng.choice((0.1, 2.0)))
    net.run(net.now + 20)
    assert {link.stage for node in net.nodes for link in node.session.links} == {4}
    check_unharmed(net)


def sealed_frames(rng: Random, size: int) -> None:
    """Let somebody who has the keys send messages that are changed: refused, or blamed on them."""
    sound, done = recording().packed, 0
    before = [seated(OTHER), seated(OTHER)]
    before[1].host.feed(acts.Say("hello"))
    while done < size:
        packed = changed(rng, rng.choice(sound), sound)
        done += len(packed)
        try:
            message = messages.SEALED.unpack(packed)
        except BadData:
            continue
        assert messages.SEALED.unpack(messages.SEALED.pack(message)) == message
        net = rng.choice(before)
        node = rng.choice(net.nodes)
        turn = session.Reaction(node.session, net.now, [])
        session._message(turn, node.session.links[0], message)
        stopped = [one.event for one in turn.effects if isinstance(one, Tell)]
        assert turn.s.is_closed == any(
            isinstance(one, events.Stopped | events.Left) for one in stopped
        )


@pytest.mark.slow
@pytest.mark.parametrize("attack", [strangers, false_hosts, bad_lines, sealed_frames])
def test_hostile_bytes_leave_a_table_unharmed(attack: Callable[[Random, int], None]) -> None:
    attack(Random(1), SHARE)


@pytest.mark.long
@pytest.mark.parametrize("attack", [strangers, false_hosts, bad_lines, sealed_frames])
def test_ten_million_hostile_bytes(attack: Callable[[Random, int], None]) -> None:
    attack(Random(2), ALL)


def test_the_recording_holds_greetings_a_match_and_its_end() -> None:
    found = recording()
    assert len(found.to_host) >= 4  # two sit down, and come back after the cut
    kinds = {type(messages.SEALED.unpack(one)).__name__ for one in found.packed}
    assert {"Invite", "Sit", "Begin", "Entered", "Request", "Ack", "Here"} <= kinds
