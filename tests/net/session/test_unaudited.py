"""Who leaves before the audit, or keeps secrets closed: told on screen, in the log, and later."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from kumite.core import table as acts
from kumite.core.game import Seat
from kumite.net.replica import due
from kumite.net.session import events
from kumite.net.wire import posts
from kumite.tui.play.network_words import text
from tests.cli.test_proof import checked, saved
from tests.support.lan_tables import finish, posting, seated, table_of
from tests.support.simulation import Network

if TYPE_CHECKING:
    from kumite.net.session.state import Reaction


def silent_at_the_end(monkeypatch: pytest.MonkeyPatch, who: int) -> None:
    """Let a terminal open nothing when the match is over."""
    original = due._opening

    def opening(ledger: Any, me: int, is_open: bool) -> posts.Body | None:
        return None if me == who else original(ledger, me, is_open)

    monkeypatch.setattr(due, "_opening", opening)


def resigned(more: dict[str, Any] | None = None) -> Network:
    net = seated(table_of("kiriai"), more)
    net.run(net.now + 3)
    net.nodes[1].feed(acts.Resign(Seat(1)))
    net.run(net.now + 3)
    return net


@pytest.mark.parametrize("who", [0, 1])
def test_who_leaves_before_the_audit_is_told_everywhere(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, who: int
) -> None:
    silent_at_the_end(monkeypatch, who)
    net = resigned({})
    other, name = net.nodes[1 - who], ("ada", "p1")[who]
    assert not other.told(events.Audited)
    net.nodes[who].feed(events.Order.DEPART)
    net.run(net.now + 2)
    (said,) = other.told(events.Status.UNAUDITED)
    assert text(said) == f"{name} has left before opening secrets: no audit"
    assert said.seats == {who}
    assert f"audit none {name} left before opening secrets" in other.lines
    assert f"audit none left before {name} had opened secrets" in net.nodes[who].lines
    status, found = checked(saved(other, tmp_path))
    assert status == 0
    assert f"not audited: {name} has not opened secrets" in found
    assert "audited again" not in found


def test_who_leaves_after_the_audit_or_in_a_game_without_secrets_is_not_accused() -> None:
    for net in (resigned(), seated(table_of("kuzushi"))):
        finish(net, 9)
        net.host.lines.clear()
        net.nodes[1].feed(events.Order.DEPART)
        net.run(net.now + 2)
        assert not net.host.told(events.Status.UNAUDITED)
        assert not [one for one in net.host.lines if one.startswith("audit")]


def test_who_comes_back_after_all_is_audited() -> None:
    with pytest.MonkeyPatch.context() as patched:
        silent_at_the_end(patched, 1)
        net = resigned()
        net.kill(net.nodes[1])
        net.run(net.now + 3)
    assert not net.host.told(events.Audited)
    net.restart(net.nodes[1])
    net.run(net.now + 5)
    assert net.host.told(events.Audited)[-1].verdict.is_sound


def test_who_keeps_secrets_closed_is_told_as_soon_as_it_says_so(tmp_path: Path) -> None:
    def closed(_: Reaction, body: posts.Body) -> posts.Body:
        return posts.Reveal(0, ()) if isinstance(body, posts.DeckKeys) else body

    with pytest.MonkeyPatch.context() as patched, posting(closed, 1):
        silent_at_the_end(patched, 0)  # the other one has not opened anything yet
        net = resigned({})
        said = net.host.told(events.Status.SECRETIVE)
        assert [text(one) for one in said] == ["p1 keeps secrets closed: no audit"]
        assert not net.host.told(events.Audited)
        _, found = checked(saved(net.host, tmp_path))
        assert "not audited: ada has not opened secrets" in found
