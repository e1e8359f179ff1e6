"""Terminals round a table without a network between them: posts go straight to every ledger."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random

import pytest

from kumite.core.game import CHANCE, Seat, Setup, Step
from kumite.net.crypto import boxes, groups, keys
from kumite.net.replica import apply, audit, due
from kumite.net.replica.ledger import Foul, Ledger
from kumite.net.replica.roster import Roster, Terminal
from kumite.net.wire import posts
from kumite.net.wire.posts import POST, Body, Post


def seed_of(terminal: int) -> bytes:
    return bytes([terminal + 1]) * 32


def roster_of(
    setup: Setup, terminals: int, clock: tuple[int, int, int] | None = None, gone: str = "wait"
) -> Roster:
    """Deal the seats to that many terminals, one after the other."""
    names = tuple(f"p{seat}" for seat in range(setup.seats))
    made = []
    for number in range(terminals):
        seats = frozenset(Seat(s) for s in range(setup.seats) if s % terminals == number)
        made.append(Terminal(f"t{number}", seats, *boxes.public_keys(seed_of(number))))
    roster = Roster("0123456789abcdef", setup, names, tuple(made), clock, gone)
    roster.check()
    return roster


@dataclass
class Round:
    """All terminals of a match, and a watcher; every post is kept as it is entered."""

    ledgers: list[Ledger]
    watcher: Ledger
    entered: list[Post] = field(default_factory=list)

    @staticmethod
    def of(
        setup: Setup, terminals: int, group: groups.Group | None = None, **more: object
    ) -> Round:
        roster = roster_of(setup, terminals, **more)
        ledgers = [apply.begin(roster, n, seed_of(n), group) for n in range(terminals)]
        return Round(ledgers, apply.begin(roster, None, b"", group))

    @property
    def all(self) -> tuple[Ledger, ...]:
        return (*self.ledgers, self.watcher)

    def signed(self, author: int, body: Body) -> Post:
        ledger = self.ledgers[author]
        number = ledger.posted.spoken[author] + 1
        post = Post(author, number, body, ledger.posted.entered, b"", number)
        said = apply.signed_bytes(ledger, post)
        return replace(post, signature=keys.Signer.of(seed_of(author)).sign(said))

    def post(self, author: int, body: Body) -> None:
        post = self.signed(author, body)
        assert POST(POST.to_tuple(post)) == post
        self.ledgers = [apply.enter(ledger, post) for ledger in self.ledgers]
        self.watcher = apply.enter(self.watcher, post)
        self.entered.append(post)

    def answer(self, author: int, *, is_yes: bool) -> None:
        """Answer the offer that stands, or the first post if none does."""
        offer = self.ledgers[author].offer
        self.post(author, posts.Answer(offer.post if offer else 1, int(is_yes)))

    def choose(self, seat: Seat, step: Step, spent: int = 0) -> None:
        author = self.ledgers[0].roster.players[seat]
        ledger = self.ledgers[author]
        play, own = due.chosen(ledger, seat, step, spent)
        if own is not None:
            self.ledgers[author] = ledger.with_secrets(own=(*ledger.secrets.own, own))
        self.post(author, play)

    def due(self, author: int) -> Body:
        """Return what a terminal is to post now."""
        body = due.due(self.ledgers[author])
        assert body is not None
        return body

    def work(
        self,
        is_done: Callable[[], bool] = lambda: False,
        change: Callable[[int, Body], Body] = lambda author, body: body,
    ) -> None:
        """Let every terminal post what is due, perhaps changed, until nothing is or all is done."""
        is_busy = True
        while is_busy:
            is_busy = False
            for author in range(len(self.ledgers)):
                body = due.due(self.ledgers[author])
                if body is not None and not is_done():
                    self.post(author, change(author, body))
                    is_busy = True

    def until_the_deck(self) -> None:
        self.work(lambda: bool(self.ledgers[0].secrets.decks))

    def named(self, author: int, body: Body | Post, match: str | None = None) -> int:
        """Return whom all ledgers name when this is posted."""
        post = body if isinstance(body, Post) else self.signed(author, body)
        found = set()
        for ledger in self.all:
            with pytest.raises(Foul, match=match) as caught:
                apply.enter(ledger, post)
            found.add(caught.value.terminal)
        (named,) = found
        return named

    def verdicts(self, *but: int) -> list[audit.Verdict]:
        """Return what the audit of each terminal finds, and of the watcher."""
        found = [audit.verdict(one) for at, one in enumerate(self.all) if at not in but]
        assert None not in found
        return [one for one in found if one is not None]

    def play(self, rng: Random, longest: int = 100_000) -> None:
        """Play on at random, to the end or for so many steps, and open everything after it."""
        self.work()
        while not self.ledgers[0].is_over and self.ledgers[0].match.number < longest:
            self.step(rng)
            self.work()

    def step(self, rng: Random) -> None:
        """Make one random choice of a seat that is to choose."""
        first = self.ledgers[0]
        seats = [one for one in first.match.actors if one != CHANCE and not first.has_chosen(one)]
        seat = Seat(int(rng.choice(seats)))
        owner = self.ledgers[first.roster.players[seat]]
        self.choose(seat, rng.choice(owner.match.legal(seat)))
