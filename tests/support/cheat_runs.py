"""A cheat against two or three honest terminals, over and over: who is named, when, and by whom.

A false pass is mostly an honest one with other cards in it, proved by the program's own prover as
if they were right (cheats.py); only those that combine cards are proved by one that shares nothing
with it (forger.py). `python -m tests.support.cheat_runs SECONDS` plays for so long and prints what
came out.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from kumite.core.game import Seat, Setup
from kumite.core.games import GAMES
from kumite.net.replica import audit
from kumite.net.session import events, replication
from kumite.net.session.state import Reaction
from kumite.net.wire import messages, posts
from tests.support.cheats import ATTACKS
from tests.support.simulation import TOYS, Network, Node

SHARES: Final = ("any number", "of another place", "written otherwise")
KINDS: Final[dict[str, tuple[str, ...]]] = {
    "linear combinations": (
        "combinations proved by force",
        "linear_combinations in pass 1",
        "linear_combinations in pass 2",
    ),
    "copies": ("a card in two places", "a_repeated_card in pass 1", "a_repeated_card in pass 2"),
    "swapped slots": (
        "sorted_by_hand in pass 1",
        "sorted_by_hand in pass 2",
        "moved_with_its_lock in pass 2",
    ),
    "marked cards": (
        "marked_cards in pass 1",
        "marked_cards in pass 2",
        "another_scalar_for_one_card in pass 1",
        "another_scalar_for_one_card in pass 2",
        "a_card_of_its_own in pass 1",
        "a_card_from_an_older_deck in pass 2",
    ),
    "wrong shares": SHARES,
    "wrong locks": (
        "a_false_commitment in pass 2",
        "moved_commitments in pass 2",
        "somebody_elses_commitments in pass 2",
    ),
    "replayed proofs": ("replayed shuffle", "replayed locks"),
    "proofs of another deck": ("a shuffle for another match", "locks for another match"),
    "two decks": ("to two joiners",),
}


@dataclass(frozen=True)
class Plan:
    """One run, out of its seed."""

    seed: int
    kind: str
    how: str
    honest: int
    who: int  # the terminal that cheats
    is_real: bool  # with the real group

    @staticmethod
    def of(seed: int, *, is_real: bool | None = None) -> Plan:
        """Return the plan of a seed: each kind comes every ninth time."""
        rng = Random(f"cheat {seed}")
        kind = list(KINDS)[seed % len(KINDS)]
        honest = rng.choice((2, 3))
        who = 0 if kind == "two decks" else rng.randrange(honest + 1)
        real = rng.random() < 0.2 if is_real is None else is_real
        return Plan(seed, kind, rng.choice(KINDS[kind]), honest, who, real)


@dataclass(frozen=True)
class Outcome:
    """What came out: who has named the cheat in time, and which honest terminals were accused."""

    named: tuple[str, ...]
    accused: tuple[str, ...]
    is_in_time: bool


@contextmanager
def cheating(plan: Plan) -> Iterator[None]:
    signed, send = replication.signed, Reaction.send
    other: dict[int, posts.Post] = {}  # the second deck, by the number of the first's post

    def signed_falsely(r: Reaction, body: posts.Body) -> posts.Post:
        if r.live.me != plan.who:
            return signed(r, body)
        post = signed(r, changed(r, plan, body))
        is_first = (
            isinstance(body, posts.Shuffle) and len(r.live.ledger.secrets.decks[0].deal.decks) == 1
        )
        if plan.kind == "two decks" and is_first:
            deal = r.live.ledger.secrets.decks[0].deal
            other[post.number] = signed(r, posts.Shuffle(0, deal.make_pass(b"another " * 4)))
        return post

    def send_falsely(r: Reaction, number: int, message: messages.Message) -> None:
        if r.s.is_host and isinstance(message, messages.Entered) and message.post.author == 0:
            place = r.s.place(getattr(r.s.link(number), "ticket", 0))
            if place is not None and place.terminal is not None and place.terminal > 1:
                message = messages.Entered(other.get(message.post.number, message.post))
        send(r, number, message)

    replication.signed = signed_falsely
    Reaction.send = send_falsely  # type: ignore[method-assign]
    try:
        yield
    finally:
        replication.signed = signed
        Reaction.send = send  # type: ignore[method-assign]


def changed(r: Reaction, plan: Plan, body: posts.Body) -> posts.Body:
    """Return what a cheat posts instead of what is due."""
    ledger = r.live.ledger
    if isinstance(body, posts.Shares) and plan.kind == "wrong shares":
        deal = ledger.secrets.decks[-1].deal
        assert ledger.me is not None
        match plan.how:
            case "any number":
                wrong = [(7).to_bytes(32, "little")] * len(body.keys)
            case "of another place":
                wrong = [deal.share(ledger.seed, ledger.me, len(deal.names) - 1)] * len(body.keys)
            case _:
                whole = [int.from_bytes(key, "little") + ledger.group.order for key in body.keys]
                wrong = [number.to_bytes(32, "little") for number in whole]
        pairs = zip(body.keys, wrong, strict=True)
        return replace(body, keys=tuple(key and false for key, false in pairs))
    if not isinstance(body, posts.Shuffle) or body.deck or plan.how not in ATTACKS:
        return body
    number, attack = ATTACKS[plan.how]
    deal = ledger.secrets.decks[0].deal
    is_now = number == 1 + (len(deal.decks) - 1) // deal.terminals
    return posts.Shuffle(0, attack(deal, ledger.seed)) if is_now else body


def played(plan: Plan) -> Network:
    with cheating(plan):
        net = Network(f"cheat {plan.seed}")
        net.more = {} if plan.is_real else TOYS
        table = events.HostSetup(Setup.of(GAMES["kitsune"], 4), ("ada",), frozenset({Seat(0)}))
        net.open(table)
        for number in range(1, plan.honest + 1):
            net.join(f"p{number}")
            net.run(net.now + 1)
        for node in net.nodes[1:]:
            node.feed(events.SetReady())
        net.run(net.now + 2)
        net.host.feed(events.Order.START)  # the cards are dealt before anybody has to choose
        net.run(net.now + 300, lambda: all(node.session.is_closed for node in net.nodes))
    return net


def outcome(plan: Plan) -> Outcome:
    net = played(plan)
    named, accused, is_in_time = [], [], True
    for number, node in enumerate(net.nodes):
        if number == plan.who or node.session.live is None:
            continue
        for one in node.events:
            if isinstance(one, events.Stopped):
                others = one.seats - node.live.seats_of(plan.who)
                accused += [node.name] if others else []
                if one.code == "foul" and one.seats == node.live.seats_of(plan.who):
                    named.append(node.name)
            if isinstance(one, events.Audited) and one.verdict.terminal not in (None, plan.who):
                accused.append(node.name)
        proved = audit.proofs_in(node.kept, node.live.ledger.group)
        accused += [node.name for _, foul in proved if foul and foul.terminal != plan.who]
        is_in_time = is_in_time and is_before_any_card(plan, node)
    if plan.kind == "two decks":  # whoever has the other deck; the rest hear what it says
        expected = [node.name for node in net.nodes[2:]]
    else:
        expected = [node.name for at, node in enumerate(net.nodes) if at != plan.who]
    return Outcome(tuple(named), tuple(accused), is_in_time and sorted(named) == sorted(expected))


def is_before_any_card(plan: Plan, node: Node) -> bool:
    """Return whether it was found in the pass or opening where it happened."""
    ledger = node.live.ledger
    passes = [one for one in node.live.posts if isinstance(one.body, posts.Shuffle)]
    if plan.kind == "wrong shares":
        return not ledger.secrets.draws
    if plan.kind == "two decks":
        return len(passes) <= 2 and not ledger.secrets.draws
    number, _ = ATTACKS[plan.how]
    return len(passes) == (number - 1) * (plan.honest + 1) + plan.who and not ledger.secrets.draws


def main(seconds: float, first: int) -> None:
    """Play runs for so many seconds of processor time, and print what came out."""
    done, late, unnoticed, accused = Counter[str](), 0, 0, 0
    seed = first
    while time.process_time() < seconds:
        plan = Plan.of(seed)
        found = outcome(plan)
        done[plan.kind] += 1
        done["with the real group"] += plan.is_real
        unnoticed += not found.named
        late += not found.is_in_time
        accused += len(found.accused)
        if not found.is_in_time or found.accused:
            print(plan, found)
        seed += 1
        if not seed % 100:
            print(f"{seed - first} runs in {time.process_time():.0f} s", flush=True)
    print(f"{seed - first} runs, {unnoticed} unnoticed, {late} late, {accused} honest accused")
    print(dict(done))


if __name__ == "__main__":
    main(float(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)
