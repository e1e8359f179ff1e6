"""Who plays false at a LAN table is named; who does not is not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from kumite.core import table as acts
from kumite.core.game import Seat, Setup, Step
from kumite.core.games import GAMES
from kumite.net.crypto import keys
from kumite.net.replica import audit
from kumite.net.session import events, session
from kumite.net.wire import framing, messages, posts
from kumite.tui.play.network_words import text
from tests.support.lan_tables import is_finished, opened, posting, seated, small, table_of, with_bob
from tests.support.simulation import Network, live
from tests.support.toy_group import TOY


def cheating(name: str, change: Callable[[posts.Body], posts.Body], who: int = 1) -> Network:
    """Play until somebody's patched program is found out."""
    with posting(lambda _, body: change(body), who):
        net = seated(table_of(name))
        for node in net.nodes:
            live(node, Random(f"cheat {node.name}"), 60)
        net.run(
            net.now + 600, lambda: all(n.session.is_closed for n in net.nodes) or is_finished(net)
        )
    return net


def is_named(net: Network, who: int) -> bool:
    """Whether the honest side names the terminal that has played false."""
    honest = net.nodes[1 - who]
    for stopped in honest.told(events.Stopped):
        proved = [foul and foul.terminal for _, foul in audit.proofs_in(honest.kept, TOY)]
        return bool(stopped.seats == {who} and stopped.code == "foul" and proved == [who])
    return any(one.verdict.terminal == who for one in honest.told(events.Audited))


def another_plan(body: posts.Body) -> posts.Body:
    if isinstance(body, posts.Shown) and body.pieces:
        return replace(body, pieces=tuple((salt, "retreat") for salt, _ in body.pieces))
    return body


def another_coin(body: posts.Body) -> posts.Body:
    return replace(body, part=b"1" * len(body.part)) if isinstance(body, posts.Coin) else body


def other_keys(body: posts.Body) -> posts.Body:
    return replace(body, keys=b"7" * 32) if isinstance(body, posts.DeckKeys) else body


def a_false_step(body: posts.Body) -> posts.Body:
    return replace(body, step=Step("z9")) if isinstance(body, posts.Play) else body


def wrong_seat(body: posts.Body) -> posts.Body:
    return replace(body, seat=Seat(1 - body.seat)) if isinstance(body, posts.Play) else body


def early_keys(body: posts.Body) -> posts.Body:
    return posts.DeckKeys(0, b"k" * 32) if isinstance(body, posts.Shuffle | posts.Play) else body


@pytest.mark.parametrize("who", [0, 1])
@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("kiriai", another_plan),
        ("kitsune", another_coin),
        ("kitsune", other_keys),
        ("kitsune", early_keys),
        ("kuzushi", a_false_step),
        ("kuzushi", wrong_seat),
        ("kitsune", a_false_step),
    ],
)
def test_who_plays_false_is_named(
    name: str, change: Callable[[posts.Body], posts.Body], who: int
) -> None:
    net = cheating(name, change, who)
    assert is_named(net, who), [node.events[-3:] for node in net.nodes]


@pytest.mark.parametrize("who", [0, 1])
def test_a_forged_signature_is_the_senders_fault(who: int) -> None:
    net = seated(small())
    cheat = net.nodes[who]
    original = keys.Signer.sign
    forged = keys.Signer.of(cheat.kept[0].seed).public

    def sign(self: keys.Signer, data: bytes) -> bytes:
        return b"\0" * 64 if self.public == forged else original(self, data)

    keys.Signer.sign = sign
    try:
        cheat.feed(acts.Say("hello"))
        net.run(net.now + 3)
    finally:
        keys.Signer.sign = original
    honest = net.nodes[1 - who]
    if who == 1:
        assert honest.stop == ("foul", {1})
    else:  # a host that enters what it has not signed stops itself
        assert cheat.stop == ("accused", frozenset())
        assert honest.told(events.Stopped)[0].seats == {0}


def differing(net: Network, who: int) -> None:
    """Let a terminal have another digest than all others after the last step."""
    cheat = net.nodes[who]
    digests = (*cheat.live.digests[:-1], b"\1" * 16)
    cheat.session = replace(cheat.session, live=replace(cheat.live, digests=digests))
    for line in net.lines:
        line.cut()
    net.run(net.now + 3)


@pytest.mark.parametrize("who", [0, 1])
@pytest.mark.parametrize("refuser", [0, 1])
def test_a_false_digest_stops_both_with_step_and_last_common_step(who: int, refuser: int) -> None:
    net = seated(small())
    net.steps(2)
    differing(net, who)
    for node in net.nodes:
        (line,) = [one for one in node.lines if one.startswith("note")]
        (found,) = node.told(events.Desync)
        assert (found.number, found.common) == (2, 1)
        assert "has come to another position; all" in text(found)  # no line of the position
        assert line.startswith("note step 2 differs from that of ")
        assert line.endswith("the digests differ, the positions do not")
        assert found.seats == {1 - net.nodes.index(node)}
        (asked,) = node.told(events.Offered)
        assert (asked.kind, asked.number, asked.is_ours) == (posts.COMMON, 1, False)
    net.nodes[refuser].feed(acts.Answer(False))
    net.run(net.now + 3)
    for node in net.nodes:
        stopped = node.told(events.Stopped)[-1]
        assert (stopped.code, stopped.number, stopped.common) == ("digest", 2, 1)


@pytest.mark.parametrize("who", [0, 1, 2, 3])
@pytest.mark.parametrize("is_restarted", [False, True])
def test_all_may_go_on_from_the_last_step_on_which_they_agree(who: int, is_restarted: bool) -> None:
    """Three play, and somebody looks on."""
    net = seated(table_of("kuzushi", 3, 3, watchers=1))
    net.steps(4)
    differing(net, who)
    if who == 3:  # who only looks on is let go, and nobody is asked
        assert not net.host.told(events.Desync)
        return
    net.step()
    assert net.host.live.ledger.match.number == 4  # nothing is played until all have said yes
    if is_restarted:
        net.restart_all()
    for node in net.nodes[:3]:
        node.feed(acts.Answer(True))
    net.run(net.now + 3)
    assert {node.live.ledger.match.number for node in net.nodes} == {3}
    net.restart_all()
    assert not any(node.told(events.Stopped) for node in net.nodes)
    while not net.host.is_over:
        net.step()
    assert len({node.live.digests[-1] for node in net.nodes}) == 1


def drawn(net: Network) -> int:
    return len(net.host.live.ledger.secrets.draws)


def test_where_cards_were_drawn_since_nobody_goes_on_from_a_difference() -> None:
    net = seated(table_of("kitsune"))
    while set(net.host.live.ledger.match.actors) & {Seat(0), Seat(1)} and drawn(net) < 16:
        net.step()
    differing(net, 1)
    for node in net.nodes:
        assert node.told(events.Desync)
        assert node.told(events.Stopped)[-1].code == "digest"


def test_who_never_gives_their_part_is_named_and_nothing_is_decided() -> None:
    original = session.replication.advance
    net = Network(12)
    net.open(events.HostSetup(Setup.of(GAMES["kitsune"], 2), ("ada",), frozenset({Seat(0)})))
    with_bob(net)
    session.replication.advance = lambda turn: original(turn) if turn.s.is_host else None
    try:
        net.host.feed(events.Order.START)
        net.run(net.now + 130)
    finally:
        session.replication.advance = original
    (stalled,) = net.host.told(events.Status.STALLED)
    assert stalled.seats == {1}
    assert not net.host.is_over


@pytest.mark.parametrize("who", [0, 1])
def test_who_keeps_his_secrets_closed_is_named(who: int) -> None:
    def closed(body: posts.Body) -> posts.Body:
        return posts.Reveal(0, ()) if isinstance(body, posts.DeckKeys) else body

    net = cheating("kitsune", closed, who)
    for node in net.nodes:
        (found,) = node.told(events.Audited)
        assert found.verdict.match is None
        assert found.verdict.terminal is None
        assert text(found) == f"{('ada', 'p1')[who]} keeps secrets closed: no audit"


AGAIN = "kumite tries again automatically"


def test_a_forged_refusal_keeps_nobody_out_of_his_match() -> None:
    """No refusal is sealed: who can write into the line could have said it."""
    net = seated(small())
    bob = net.nodes[1]
    net.lines[-1].cut()
    net.out_until = net.now + 4
    net.run(net.now + 2)
    assert bob.session.links == ()
    for number, code in enumerate(("unknown", "wrong-key", "unknown"), start=90):
        refusal = messages.Refuse(code, "Go away", "")
        bob.feed(events.Opened(number, "mallory"))
        bob.feed(events.Heard(number, framing.PREAMBLE + messages.as_plain(refusal)))
    *_, one, two, three = [text(one) for one in bob.told(events.Status.REFUSED)]
    assert one == three == "This table is not open any more, or your place there is gone; " + AGAIN
    assert two == "The host has another key for this terminal; " + AGAIN
    net.run(net.now + 4)
    assert not bob.session.is_closed
    net.goes_on()


def test_a_line_that_is_silent_in_the_lobby_is_told_before_it_is_heard_again() -> None:
    net = opened()
    bob = net.join("bob")
    net.run(3)
    net.out_until = net.now + 13
    net.run(net.now + 20)
    told_of = [one for one in bob.events if isinstance(one, events.Presence)]
    assert [one.status for one in told_of] == [events.Status.QUIET, events.Status.BACK]
