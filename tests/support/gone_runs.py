"""Whole LAN matches in virtual time from which somebody goes for good, at any moment."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from kumite.core import table as acts
from kumite.core.game import Setup
from kumite.core.games import GAMES
from kumite.net.replica import audit
from kumite.net.replica.ledger import Ledger
from kumite.net.replica.records import Evidence
from kumite.net.session import events
from kumite.net.wire import posts
from tests.support.lan_tables import ACCUSING, LONGEST, SHORT, WHOLE, Plan, seated, states, trouble
from tests.support.simulation import Network, Node, live

TABLES: Final = (("kitsune", 6, 6), ("kuzushi", 6, 6), ("kitsune", 4, 3))  # seats, terminals
EACH_KIND: Final = (1, 3, 4, 6, 8, 11)  # each table, with bots or forfeits, troubles, a return


def plan_of(number: int) -> Plan:
    """Return the table of that number: two in three have bots, one in five other troubles."""
    name, seats, terminals = TABLES[number % 3]
    setup = Setup.of(GAMES[name], seats, SHORT.get(name, {}))
    rule = "forfeit" if number // 3 % 3 == 2 else "bot"
    troubles = 4 if number % 5 == 4 else 0
    return Plan(number, setup, terminals, number % 2, troubles, WHOLE, gone=rule)


def say_it(node: Node, rng: Random) -> None:
    """Let people here say of whoever has been away for long that they are gone, for ever."""

    def act() -> None:
        live = node.session.live
        if node.is_alive and live is not None and live.missed and not node.session.is_closed:
            offer = live.ledger.offer
            if offer is None or offer.kind != posts.GONE or node.session.succession is not None:
                node.feed(acts.Offer(posts.GONE))
        node.net.after(5 + 5 * rng.random(), act)

    node.net.after(5, act)


def played(
    plan: Plan, more: dict[str, Any] | None = None, *, is_host: bool = False
) -> tuple[Network, Node]:
    """Play a match from which somebody goes, or the host; return who.

    Some come back, perhaps when it is too late.
    """
    net, rng = seated(plan, more), Random(f"gone {plan.seed}")
    for node in net.nodes[: plan.terminals]:
        live(node, Random(f"{plan.seed} {node.name}"), WHOLE, pace=4.0)
        say_it(node, Random(f"says {plan.seed} {node.name}"))
    for _ in range(plan.troubles):
        net.after(rng.random() * 200, lambda: trouble(net, rng))
    net.run(net.now + rng.random() * 100)
    lost = net.host if is_host else rng.choice(net.nodes[1 : plan.terminals])
    net.kill(lost)
    if plan.seed % 4 == 3:  # comes back, perhaps when the others have said so
        net.after(40 + 150 * rng.random(), lambda: net.restart(lost))
    is_done = net.run(LONGEST, lambda: all(is_at_end(net, node) for node in left(net, lost)))
    assert is_done, f"seed {plan.seed}: not finished at {net.now}: {states(net)[:3000]}"
    net.run(net.now + 60)
    return net, lost


def left(net: Network, lost: Node) -> list[Node]:
    """Return those who share the match: without the host, nobody looks on any longer."""
    players = [node for node in net.nodes if node.live.me is not None]
    is_moved = any(node.live.ledger.host for node in players)
    there = players if is_moved or not net.host.is_alive else net.nodes
    return [node for node in there if node is not lost or (node is net.host and not is_moved)]


def is_at_end(net: Network, node: Node) -> bool:
    """Return whether a terminal has all posts of a match that is over and was looked at."""
    most = max(one.live.ledger.posted.entered for one in net.nodes)
    is_even = node.live.ledger.posted.entered == most
    return is_even and node.is_over and node.live.is_audited


def check(net: Network, plan: Plan, lost: Node) -> None:
    """Check that all have the same match, that it was sound, and that nobody was accused."""
    those = left(net, lost)
    whole = those[0].live
    has_come_back = lost.is_alive and lost is not net.host
    for node in (*those, *([lost] if has_come_back else [])):
        assert node.live.ledger.host == whole.ledger.host
        where = f"seed {plan.seed}: {node.name}"
        assert node.live.posts == whole.posts, where
        assert node.live.digests == whole.digests, where
        assert node.live.ledger.end == whole.ledger.end, where
        assert not [one for one in node.kept if isinstance(one, Evidence)], where
        for told in (*node.lives, node.events):
            for one in told:
                is_accused = isinstance(one, events.Stopped) and one.code in ACCUSING
                assert not is_accused, f"{where}: {one}"
        _check_verdict(audit.ledger_of(node.kept, node.net.more.get("group", whole.ledger.group)))


def _check_verdict(ledger: Ledger) -> None:
    """Check what the audit finds in the file of a terminal, read anew."""
    verdict = audit.verdict(ledger)
    assert verdict is not None
    if ledger.roster.gone == "bot" or not ledger.gone or ledger.game.SECRETS is None:
        assert verdict.is_sound, verdict
    else:
        assert verdict.terminal is None, verdict
