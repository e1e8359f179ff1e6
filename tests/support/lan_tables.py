"""LAN tables in virtual time: set up, played step by step, and whole with all their troubles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from kumite.core import table as acts
from kumite.core.codes import HOST_BEHIND
from kumite.core.game import Seat, Setup
from kumite.core.games import GAMES
from kumite.net.replica import audit
from kumite.net.replica.records import Evidence
from kumite.net.session import events, replication
from kumite.net.session.state import Reaction
from kumite.net.wire import messages, posts
from tests.support.simulation import TOYS, Network, Node, live

LONGEST: Final = 40_000.0  # s of virtual time for one match
ACCUSING: Final = ("foul", "accused", "unexpected", "digest")
WHOLE: Final = 100_000  # choices: more than any match has

# --- Whole matches ----------------------------------------------------------------------------

SHORT: Final[dict[str, dict[str, str]]] = {"kuzushi": {"board": "small"}}


@dataclass
class Plan:
    """One match to be played, out of its seed."""

    seed: int
    setup: Setup
    terminals: int
    watchers: int
    troubles: int
    longest: int  # choices of people, before one of them gives up
    faults: int = 0  # of disks
    gone: str = "wait"  # what becomes of who is gone
    clock: tuple[int, int, int] | None = None


def plan_of(seed: int) -> Plan:
    rng = Random(f"plan {seed}")
    games = list(GAMES.values())
    game = games[seed % len(games)]
    seats = game.SEATS[(seed // len(games)) % len(game.SEATS)]
    setup = Setup.of(game, seats, SHORT.get(game.ID, {}))
    terminals = rng.randint(2, min(6, seats))
    longest = rng.choice((8, WHOLE, WHOLE, WHOLE))
    watchers, troubles = rng.randrange(2), rng.randrange(8)
    return Plan(seed, setup, terminals, watchers, troubles, longest, rng.randrange(4))


def seated(
    plan: Plan, more: dict[str, Any] | None = None, *, is_overheard: bool = False
) -> Network:
    """Return the network with everybody ready, and the match live."""
    net = Network(plan.seed)
    net.is_overheard = is_overheard
    net.more = TOYS if more is None else more
    count = plan.setup.seats
    shares = [
        sum(1 for s in range(count) if s % plan.terminals == n) for n in range(plan.terminals)
    ]
    mine = frozenset(Seat(s) for s in range(shares[0]))
    net.open(events.HostSetup(plan.setup, ("ada",), mine, plan.clock, gone=plan.gone))
    net.host.start()
    for number in range(1, plan.terminals):
        net.join(f"p{number}", count=shares[number])
    for number in range(plan.watchers):
        net.join(f"w{number}", what=messages.WATCH)
    for node in net.nodes[1 : plan.terminals]:
        node.feed(events.SetReady())

    def is_seated() -> bool:
        places = net.host.session.places
        return len(places) == len(net.nodes) - 1 and all(one.is_ready for one in places)

    assert net.run(60, is_seated), f"seed {plan.seed}: not seated"
    net.host.feed(events.Order.START)
    assert net.run(net.now + 60, lambda: all(n.session.live is not None for n in net.nodes)), (
        f"seed {plan.seed}: not live"
    )
    return net


def trouble(net: Network, rng: Random) -> None:
    """Let something go wrong on the network or with a program."""
    what = rng.random()
    node = rng.choice(net.nodes)
    if what < 0.4:
        for line in net.lines[-6:]:
            if rng.random() < 0.5 and not line.is_cut:
                line.cut()
    elif what < 0.7:
        net.out_until = net.now + rng.choice((1.0, 7.0, 30.0))
    elif node.is_alive:
        net.kill(node)
        net.after(rng.choice((0.1, 3.0, 40.0)), lambda: net.restart(node))
        if what > 0.9 and net.host.is_alive:
            net.kill(net.host)
            net.after(rng.random() * 10, lambda: net.restart(net.host))


def disk_fault(net: Network, rng: Random) -> None:
    """Let a disk be full for a while, a power cut tear what is on its way, or bits change."""
    what, node = rng.random(), rng.choice(net.nodes)
    if not node.is_alive or not node.disk or node.session.live is None:
        return
    if what < 0.35:
        node.full_until = net.now + rng.choice((0.5, 5.0, 60.0))
    elif what < 0.55:  # in the whole house
        for one in net.nodes:
            if one.is_alive:
                one.lose_power()
                net.after(1 + rng.random() * 20, lambda one=one: net.restart(one))
    else:
        node.lose_power()
        if what > 0.75:
            node.flip_bits(rng.choice((1, 1, 2, 8)))
        net.after(rng.choice((0.1, 3.0, 40.0)), lambda: net.restart(node))


def come_back(node: Node, rng: Random) -> None:
    """Let people start a program anew that has stopped in the middle of a match, for ever."""

    def look() -> None:
        is_stopped = node.is_alive and node.session.is_closed and not is_settled(node.net)
        if is_stopped and node.net.now >= node.full_until:
            node.net.kill(node)
            node.net.restart(node)
        node.net.after(3 + 5 * rng.random(), look)

    node.net.after(5, look)


def sharing(net: Network) -> list[Node]:
    """Return all who share the match: but for who looks on and has what the players have lost."""

    def is_told(node: Node) -> bool:
        said = (one for life in (*node.lives, node.events) for one in life)
        return any(isinstance(one, events.Stopped) and one.code == HOST_BEHIND for one in said)

    return [
        node
        for node in net.nodes
        if node.session.live is None or node.live.me is not None or not is_told(node)
    ]


def is_finished(net: Network) -> bool:
    """Whether all have come to the same end, signed by all, and audited."""
    nodes = sharing(net)
    if not all(node.is_alive and node.is_over for node in nodes):
        return False
    counts = {node.live.ledger.posted.entered for node in nodes}
    if not all(node.live.ledger.is_signed for node in nodes):
        return False
    return len(counts) == 1 and all(node.live.is_audited for node in nodes)


def is_settled(net: Network) -> bool:
    """Whether all have come to the same end, and none has stopped because of its disk."""
    return is_finished(net) and not any(node.session.is_closed for node in sharing(net))


def played(plan: Plan, more: dict[str, Any] | None = None) -> Network:
    net = seated(plan, more)
    rng = Random(f"people {plan.seed}")
    for node in net.nodes[: plan.terminals]:
        live(node, Random(f"{plan.seed} {node.name}"), plan.longest)
    for _ in range(plan.troubles):
        net.after(rng.random() * min(60, plan.longest / 2), lambda: trouble(net, rng))
    for node in net.nodes:
        come_back(node, Random(f"back {plan.seed} {node.name}"))
    for _ in range(plan.faults):
        net.after(rng.random() * min(60, plan.longest / 2), lambda: disk_fault(net, rng))
    is_done = net.run(LONGEST, lambda: is_settled(net))
    assert is_done, f"seed {plan.seed}: not finished at {net.now}: {states(net)}"
    return net


def states(net: Network) -> str:
    """Say how it stands at every terminal, for a failure."""
    found = []
    for node in net.nodes:
        b = node.session.live
        how = (
            "no match"
            if b is None
            else f"{b.ledger.posted.entered} posts, step {b.ledger.match.number}"
        )
        if b is not None:
            how += f" actors {b.ledger.match.actors} asked {b.asked} wants {b.wants}"
        last = node.events[-1] if node.events else None
        found.append(f"{node.name} alive={node.is_alive} {how} last={last}")
    return "\n".join(found)


def check(net: Network, plan: Plan) -> None:
    """Check that all have the same match, nothing was lost, and all was fair."""
    whole = net.host.live
    for node in net.nodes:
        for told_ in (*node.lives, node.events):
            for one in told_:
                is_accused = isinstance(one, events.Stopped) and one.code in ACCUSING
                assert not is_accused, f"seed {plan.seed}: {node.name}: {one}"
    for node in sharing(net):
        where = f"seed {plan.seed}: {node.name}"
        assert node.live.posts == whole.posts, where
        assert node.live.digests == whole.digests, where
        assert node.live.ledger.end == whole.ledger.end, where
        kept = [one for one in node.kept if isinstance(one, posts.Post)]
        assert tuple(kept) == node.live.posts, f"{where}: its disk"
        assert not [one for one in node.kept if isinstance(one, Evidence)], where
        verdict = audit.verdict(node.live.ledger)
        assert verdict.is_sound, f"{where}: {verdict}"


# --- Step by step -----------------------------------------------------------------------------


def table_of(name: str, seats: int = 2, terminals: int = 2, watchers: int = 0, **more: Any) -> Plan:
    setup = Setup.of(GAMES[name], seats, more.pop("options", {}))
    return Plan(1, setup, terminals, watchers, 0, 10_000, **more)


def small() -> Plan:
    return table_of("kuzushi", options={"board": "small"})


def opened(setup: Setup | None = None, seed: int = 1, delay: float = 0.02, **more: Any) -> Network:
    net = Network(seed, delay)
    given = setup or Setup.of(GAMES["kuzushi"], 2, {"board": "small"})
    net.open(events.HostSetup(given, ("ada",), frozenset({Seat(0)}), **more))
    return net


def with_bob(net: Network) -> Node:
    """Let bob join and be ready; return bob's terminal."""
    bob = net.join("bob")
    net.run(3)
    bob.feed(events.SetReady())
    net.run(6)
    return bob


def finish(net: Network, longest: int = 20) -> None:
    """Let people play to the end, or till they give up after so many choices."""
    for node in net.nodes:
        live(node, Random(f"finish {node.name}"), longest)
    assert net.run(net.now + 3000, lambda: is_finished(net)), states(net)


@contextmanager
def posting(change: Callable[[Reaction, posts.Body], posts.Body], who: int) -> Iterator[None]:
    """Let one terminal's program post something else than what is due."""
    original = replication.signed

    def signed(r: Reaction, body: posts.Body) -> posts.Post:
        return original(r, change(r, body) if r.live.me == who else body)

    replication.signed = signed
    try:
        yield
    finally:
        replication.signed = original


def agreed(net: Network, kind: str, number: int = 0) -> None:
    net.host.feed(acts.Offer(kind, number))
    net.run(net.now + 1)
    assert net.nodes[1].told(events.Offered)[-1].kind == kind
    for node in net.nodes[1:]:
        node.feed(acts.Answer(True))
    net.run(net.now + 2)
