"""Who says what about whom at a LAN table: shown as said, until this terminal has seen it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from kumite.core.codec import encode
from kumite.core.game import Seat, Setup
from kumite.core.games import GAMES
from kumite.net.crypto import boxes
from kumite.net.replica import audit, dealing, due
from kumite.net.replica.ledger import Late
from kumite.net.replica.records import Claim, Evidence
from kumite.net.session import events, handshake
from kumite.net.session.state import Reaction
from kumite.net.wire import framing, messages, posts
from kumite.tui.play.network_words import reason, text
from tests.support.lan_tables import opened, posting, seated, table_of
from tests.support.ledger_round import Round, seed_of
from tests.support.simulation import Network, Node, live
from tests.support.toy_group import TOY

FALSE = "Compare aloud: fox owl pine"


def claim(node: Node, code: str, blamed: int, text: str = FALSE) -> messages.Stop:
    one = node.live
    return audit.signed(one.ledger, one.signer, 3, code, text, blamed)


def three() -> Network:
    net = seated(table_of("kuzushi", 3, 3, watchers=1))
    net.steps(2)
    return net


# --- Words about others -----------------------------------------------------------------------


@pytest.mark.parametrize("who", [0, 1])
@pytest.mark.parametrize("code", ["foul", "accused"])
def test_what_one_terminal_says_of_another_is_told_as_what_it_says(who: int, code: str) -> None:
    net = three()
    liar = net.nodes[who]
    if who:
        liar.says(claim(liar, code, 2))
    else:
        liar.does(lambda r: r.send_all(claim(liar, code, 2)))
    net.run(net.now + 2)
    for node in net.nodes:
        if node is liar:
            continue
        (stopped,) = node.told(events.Stopped)
        assert (stopped.code, stopped.seats) == ("accused", frozenset()), node.name
        whom = "we have" if node is net.nodes[2] else "p2 has"
        assert text(stopped) == f"{('ada', 'p1')[who]} says that {whom} played false ({FALSE})"
        (kept,) = [one for one in node.kept if isinstance(one, Claim)]
        assert kept.stop.author == who
        assert audit.proofs_in(node.kept, TOY) == ()


@pytest.mark.parametrize(
    "change",
    [
        lambda stop: replace(stop, signature=bytes(64)),
        lambda stop: replace(stop, author=2),
        lambda stop: replace(stop, author=5),
        lambda stop: replace(stop, terminal=0),
        lambda stop: replace(stop, text="other words"),
        lambda stop: replace(stop, number=4),
    ],
)
def test_a_host_puts_no_words_into_anybodys_mouth(
    change: Callable[[messages.Stop], messages.Stop],
) -> None:
    net = three()
    forged = change(claim(net.nodes[1], "foul", 2))
    net.host.does(lambda r: r.send_all(forged))
    net.run(net.now + 2)
    for node in net.nodes[1:]:
        assert node.stop == ("unexpected", {Seat(0)})
        assert not [one for one in node.kept if isinstance(one, Claim)]


def test_a_joiner_that_signs_nothing_stops_the_match_for_itself_and_is_named() -> None:
    net = three()
    net.nodes[1].says(replace(claim(net.nodes[1], "foul", 2), signature=bytes(64)))
    net.run(net.now + 2)
    assert net.host.stop == ("foul", net.host.live.seats_of(1))
    (other,) = net.nodes[2].told(events.Stopped)
    assert other.code == "accused"
    assert text(other).startswith("ada says that p1 has played false")


def test_what_was_said_before_the_last_post_is_not_said_again() -> None:
    net = three()
    old = claim(net.nodes[1], "foul", 2)
    net.steps(3)
    assert not audit.is_signed(net.host.live.ledger, net.host.live.posts, old)
    fresh = claim(net.nodes[1], "foul", 2)
    assert audit.is_signed(net.host.live.ledger, net.host.live.posts, fresh)


# --- Strangers --------------------------------------------------------------------------------


@pytest.mark.parametrize("code", [*sorted(handshake.REFUSALS), "foul", "made-up", "error"])
def test_nothing_that_a_stranger_writes_is_shown(code: str) -> None:
    net = opened()
    bob = net.join("bob")
    bob.feed(events.Opened(90, "mallory"))
    refusal = messages.Refuse(
        code, f"{FALSE}, speaks protocol 99, evil", f"{FALSE} try again in 7 s"
    )
    bob.feed(events.Heard(90, framing.PREAMBLE + messages.as_plain(refusal)))
    (stopped,) = bob.told(events.Stopped)
    for word in ("Compare", "fox", "evil"):
        assert word not in text(stopped) + reason(stopped)[1]
    assert stopped.code == (code if code in handshake.REFUSALS else "error")
    if code == "other-protocol":
        assert f"protocol 99, ours protocol {messages.PROTOCOL}" in text(stopped)
        assert reason(stopped)[1] == "this computer should update kumite"
    if code == "slow-down":
        assert reason(stopped)[1] == "try again in 7 s"


def test_the_program_of_a_stranger_is_not_shown_to_the_host() -> None:
    net = opened()
    net.host.feed(events.Opened(1, "10.0.0.9"))
    other = messages.PROTOCOL + 1
    hello = framing.frame(encode((0, other, "fox-owl-pine", "join")))
    net.host.feed(events.Heard(1, framing.PREAMBLE + hello))
    (away,) = net.host.told(events.TurnedAway)
    assert "fox" not in text(away)
    assert f"protocol {other}" in text(away)


# --- Boxes that lie ---------------------------------------------------------------------------


def until_a_box() -> tuple[Round, int, posts.Shown]:
    """Return a round in which a terminal is about to show something to one other alone."""
    table, rng = Round.of(Setup.of(GAMES["kitsune"], 4), 3, TOY), Random(3)
    while not table.ledgers[0].is_over:
        for author, ledger in enumerate(table.ledgers):
            body = due.due(ledger)
            if isinstance(body, posts.Shown) and body.boxes:
                return table, author, body
            if body is not None:
                table.post(author, body)
        if all(due.due(one) is None for one in table.ledgers):
            table.step(rng)
    raise AssertionError("nothing was shown to one alone")


def other_content(ledger: Any, number: int, author: int, reader: int, data: bytes) -> bytes:
    context = dealing.box_context(ledger, number, author, reader)
    public = ledger.roster.terminals[reader].box_key
    return boxes.box(seed_of(author), public, *context, data=data)


LIES: dict[str, Callable[[Any, posts.Shown, int, int], bytes]] = {
    "damaged": lambda ledger, body, author, reader: (
        body.boxes[0][1][:-1] + bytes([body.boxes[0][1][-1] ^ 1])
    ),
    "no pieces": lambda ledger, body, author, reader: other_content(
        ledger, body.number, author, reader, b"\xc1"
    ),
    "nothing": lambda ledger, body, author, reader: other_content(
        ledger, body.number, author, reader, encode(())
    ),
    "another card": lambda ledger, body, author, reader: other_content(
        ledger, body.number, author, reader, encode(((bytes(16), "?9"),))
    ),
    "for another": lambda ledger, body, author, reader: other_content(
        ledger, body.number, author, 3 - author - reader, encode(())
    ),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_box_that_lies_is_opened_to_all_and_names_who_made_it(lie: str) -> None:
    table, author, body = until_a_box()
    reader = body.boxes[0][0]
    sealed = LIES[lie](table.ledgers[author], body, author, reader)
    table.post(author, replace(body, boxes=((reader, sealed), *body.boxes[1:])))
    assert table.ledgers[reader].dispute is not None
    opening = table.due(reader)
    assert isinstance(opening, posts.BoxOpened)
    post = table.signed(reader, opening)
    assert table.named(reader, post) == author
    foul = audit.foul_of(table.watcher, post)  # as `log check` does it
    assert foul.terminal == author


def test_who_opens_an_honest_box_or_with_a_false_key_names_itself() -> None:
    table, author, body = until_a_box()
    reader = body.boxes[0][0]
    table.post(author, body)
    ledger = table.ledgers[reader]
    assert ledger.dispute is None
    honest = dealing.opened_box(ledger, body.number, author)
    for opening in (
        honest,
        replace(honest, key=bytes(128)),
        replace(honest, number=body.number + 1),
        replace(honest, author=reader),
    ):
        assert table.named(reader, opening) == reader


def test_a_box_that_is_none_or_missing_is_seen_by_all_at_once() -> None:
    table, author, body = until_a_box()
    (reader, sealed), *more = body.boxes
    for made in ((), ((reader, sealed[:20]), *more), ((reader, bytes(len(sealed))), *more)):
        assert table.named(author, replace(body, boxes=made), "one box for each") == author


@pytest.mark.parametrize("author", [0, 1, 2])
def test_at_a_table_all_learn_who_made_a_box_that_lies(author: int) -> None:
    """Also where the host made it, and keeps what its reader says to itself."""

    def change(turn: Reaction, body: posts.Body) -> posts.Body:
        if not isinstance(body, posts.Shown) or not body.boxes:
            return body
        return replace(body, boxes=tuple((to, one[:-1] + b"\0") for to, one in body.boxes))

    with posting(change, author):
        net = seated(table_of("kitsune", 4, 3, 1))
        for node in net.nodes[:3]:
            live(node, Random(f"box {node.name}"), 200)
        assert net.run(net.now + 3000, lambda: all(one.session.is_closed for one in net.nodes))
    named = 0
    for number, node in enumerate(net.nodes):
        if number == author or not node.told(events.Stopped):
            continue
        assert node.stop == ("foul", node.live.seats_of(author)), node.name
        ((_, foul),) = audit.proofs_in(node.kept, TOY)
        assert foul.terminal == author
        named += 1
    assert named == 3


# --- The last step ----------------------------------------------------------------------------


def test_who_signs_another_end_is_named_and_who_signs_too_early_is_late() -> None:
    table = Round.of(Setup.of(GAMES["kuzushi"], 2), 2, TOY)
    digest = table.ledgers[0].match.digest
    with pytest.raises(Late):
        table.post(1, posts.Closed(0, digest))
    table.post(0, posts.Resign(Seat(0)))
    for body in (posts.Closed(1, digest), posts.Closed(0, bytes(len(digest)))):
        assert table.named(1, body, "another end") == 1
    table.work()
    assert table.ledgers[0].closing.closed == (True, True)
    assert table.named(1, posts.Closed(0, digest), "once") == 1


def test_after_a_step_back_the_end_is_signed_anew() -> None:
    table = Round.of(Setup.of(GAMES["kuzushi"], 2, {"board": "small"}), 2, TOY)
    rng = Random(2)
    while not table.ledgers[0].is_over:
        table.step(rng)
    number = table.ledgers[0].match.number
    table.work()
    assert table.ledgers[0].closing.closed == (True, True)
    table.post(0, posts.Offer(posts.COMMON, number - 1))
    for author in (0, 1):
        table.answer(author, is_yes=True)
    assert table.ledgers[0].closing.closed == (False, False)
    while not table.ledgers[0].is_over:
        table.step(rng)
    table.work()
    assert table.ledgers[0].closing.closed == (True, True)


def test_kept_is_what_was_found_and_what_was_only_said() -> None:
    net = three()
    net.nodes[1].says(claim(net.nodes[1], "foul", 2))
    net.run(net.now + 2)
    kept = net.host.kept
    assert not [one for one in kept if isinstance(one, Evidence)]
    assert [one.text for one in audit.claims_in(net.host.live.ledger, kept)] == [FALSE]
    forged = Claim(replace(claim(net.nodes[2], "foul", 1), author=1))
    assert audit.claims_in(net.host.live.ledger, [forged]) == ()
