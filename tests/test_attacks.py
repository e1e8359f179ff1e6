"""Attacks and races at a LAN table, each by somebody who is let in: a joiner, a watcher, the host."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from net import events, table, wire
from net.state import Turn
from tests.simulation import Node, seated
from tests.test_session import mover, opened, small, step, table_of, told

if TYPE_CHECKING:
    from collections.abc import Callable


def sends_instead(
    monkeypatch: pytest.MonkeyPatch, change: Callable[[wire.Message], wire.Message]
) -> None:
    """Let joiners and hosts send other messages than honest ones would."""
    original = Turn.send

    def send(self: Turn, number: int, message: wire.Message) -> None:
        original(self, number, change(message))

    monkeypatch.setattr(Turn, "send", send)


def says(node: Node, message: wire.Message, link: int | None = None) -> None:
    """Let a terminal send any message."""
    number = node.session.main if link is None else link
    found = node.session.link(number)
    assert found is not None
    assert found.sealer is not None
    node.ends[number].send(node, found.sealer.seal(wire.SEALED.pack(message)))


# --- Who only looks on ------------------------------------------------------------------------


@pytest.mark.parametrize("entered", [0, 999])
def test_who_has_not_sat_down_cannot_say_to_be_back(
    monkeypatch: pytest.MonkeyPatch, entered: int
) -> None:
    net = seated(small())
    step(net, mover(net))
    here = wire.Here(1, entered, b"\1" * 16)
    sends_instead(monkeypatch, lambda one: here if isinstance(one, wire.Watch) else one)
    net.join("eve", what=wire.WATCH)
    net.run(net.now + 2)
    assert not net.host.session.is_closed
    step(net, mover(net))
    assert net.host.begun.ledger.match.number == 2


def test_a_watcher_that_says_to_be_ahead_ends_no_match(monkeypatch: pytest.MonkeyPatch) -> None:
    net = seated(table_of("kuzushi", watchers=1))
    step(net, mover(net))
    eve = net.nodes[2]

    def ahead(one: wire.Message) -> wire.Message:
        return replace(one, entered=999) if isinstance(one, wire.Here) else one

    sends_instead(monkeypatch, ahead)
    eve.ends[eve.session.main].cut()
    net.run(net.now + 2)
    assert not net.host.session.is_closed
    step(net, mover(net))
    assert net.host.begun.ledger.match.number == 2


def test_a_watcher_that_differs_and_is_silent_holds_nobody_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    net = seated(table_of("kuzushi", watchers=1))
    monkeypatch.setattr(table, "_name_difference", lambda *_: None)
    says(net.nodes[2], wire.Ack(0, b"\1" * 16))
    net.run(net.now + 1)
    for _ in range(3):
        step(net, mover(net))
    assert net.host.begun.ledger.match.number == 3


def test_watchers_that_come_and_go_do_not_fill_the_lobby() -> None:
    net = opened()
    for number in range(70):
        node = net.join(f"w{number}", what=wire.WATCH)
        net.run(net.now + 0.2)
        net.kill(node)
    bob = net.join("bob")
    net.run(net.now + 2)
    assert told(bob, events.Lobby)
    assert not net.host.session.is_closed
    assert len(net.host.session.places) < wire.MAX_GUESTS


def test_a_difference_that_a_restart_has_mended_holds_nobody_up() -> None:
    net = seated(small())
    step(net, mover(net))
    bob = net.nodes[1]
    says(bob, wire.Ack(bob.begun.ledger.entered, b"\1" * 16))
    bob.patch = lambda node, effect: None if isinstance(effect, events.Send) else effect
    net.run(net.now + 1)
    net.kill(bob)
    bob.patch = None
    net.restart(bob)
    net.run(net.now + 2)
    for _ in range(2):
        step(net, mover(net))
    assert net.host.begun.ledger.match.number == 3
