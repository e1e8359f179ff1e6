"""False passes over a deck, by a terminal that knows the protocol and its own secrets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from kumite.net.crypto.groups import Group
from kumite.net.crypto.sealed_deck import Deal
from tests.support.forger import Matrix, ShuffleForger

Points = list[bytes]
Locks = list[bytes]


class Cheat:
    """How a terminal changes its honest pass, by what it may know."""

    def __init__(self, group: Group, deal: Deal, who: int) -> None:
        self.group, self.deal, self.who = group, deal, who
        self.before = deal.decks[-1]

    def times(self, scalar: int, point: bytes) -> bytes:
        return self.group.times(scalar, point)

    def no_shuffle(self, deck: Points, locks: Locks) -> None:
        deck[:] = [self.times(12345, point) for point in self.before]

    def sorted_by_hand(self, deck: Points, locks: Locks) -> None:
        deck[0], deck[1] = deck[1], deck[0]

    def a_card_of_its_own(self, deck: Points, locks: Locks) -> None:
        deck[0] = self.group.hashed(bytes(range(32)))

    def another_scalar_for_one_card(self, deck: Points, locks: Locks) -> None:
        deck[3] = self.times(2, deck[3])

    def a_repeated_card(self, deck: Points, locks: Locks) -> None:
        deck[0] = self.times(98765, deck[4])

    def marked_cards(self, deck: Points, locks: Locks) -> None:
        """Two positions that differ by a known factor, which later passes keep."""
        deck[2] = self.times(2, deck[5])
        deck[6] = self.times(4, deck[5])

    def a_card_from_an_older_deck(self, deck: Points, locks: Locks) -> None:
        deck[7] = self.times(3, self.deal.decks[0][7])

    def moved_with_its_lock(self, deck: Points, locks: Locks) -> None:
        deck[0], deck[1], locks[0], locks[1] = deck[1], deck[0], locks[1], locks[0]

    def linear_combinations(self, deck: Points, locks: Locks) -> None:
        """The sums of cards, from which whoever made them can find each card again."""
        deck[0], deck[1] = (
            self.group.plus(deck[0], deck[1]),
            self.group.plus(deck[0], self.times(2, deck[1])),
        )

    def a_false_commitment(self, deck: Points, locks: Locks) -> None:
        locks[5] = self.group.base_times(77)

    def moved_commitments(self, deck: Points, locks: Locks) -> None:
        locks[0], locks[1] = locks[1], locks[0]

    def somebody_elses_commitments(self, deck: Points, locks: Locks) -> None:
        theirs = self.deal.locks[self.deal.terminals :]
        locks[:] = theirs[0] if theirs else [self.times(3, one) for one in self.deal.decks[0]]


BOTH: Final = [
    "linear_combinations",
    "sorted_by_hand",
    "a_card_of_its_own",
    "another_scalar_for_one_card",
    "a_repeated_card",
    "marked_cards",
    "a_card_from_an_older_deck",
]
SECOND: Final = [
    "moved_with_its_lock",
    "a_false_commitment",
    "moved_commitments",
    "somebody_elses_commitments",
]
CHEATS: Final = [(1, name) for name in ["no_shuffle", *BOTH]] + [
    (2, name) for name in BOTH + SECOND
]


def changed_pass(cheat: str, deal: Deal, seed: bytes, *, is_proved: bool) -> bytes:
    """Return the pass of a cheat; with the proof of an honest one, or one made of false cards."""
    assert deal.turn is not None
    made = deal.read(deal.make_pass(seed))
    cards, locks = list(made.cards), list(made.locks)
    getattr(Cheat(deal.group, deal, deal.turn), cheat)(cards, locks)
    assert (cards, locks) != (list(made.cards), list(made.locks))
    keys, changed = deal.keys(seed, deal.turn), (tuple(cards), tuple(locks))
    proof = deal._proof(keys, *changed) if is_proved else made.proof
    return b"".join((*cards, *locks, proof))


def forged_shuffle(deal: Deal, matrix: Matrix) -> bytes:
    """Return a shuffle whose first cards are mixed by a matrix, proved as well as can be."""
    count, size = len(deal.names), len(matrix)
    whole = [[int(i == j) for j in range(count)] for i in range(count)]
    for i, row in enumerate(matrix):
        whole[i][:size] = row
    forger = ShuffleForger(deal.group, deal._about(), deal.decks[-1], 12345, whole)
    return b"".join((*forger.after, forger.factor, forger.proof().packed()))


def honest_of_another(deal: Deal, seed: bytes) -> bytes:
    """Return a pass that would be right over the same cards in another match."""
    return replace(deal, context=(*deal.context, "another")).make_pass(seed)


def replayed(deal: Deal, seed: bytes) -> bytes:
    """Return the pass of an earlier deck of this terminal, with its proof."""
    other = type(deal).of(deal.names, (*deal.context, "earlier"), deal.terminals, deal.group)
    while len(other.decks) < len(deal.decks):
        other = other.with_pass(other.make_pass(seed), is_trusted=True)
    return other.make_pass(seed)


Attack = tuple[int, "Callable[[Deal, bytes], bytes]"]

ATTACKS: Final[dict[str, Attack]] = {
    "combinations proved by force": (1, lambda deal, _: forged_shuffle(deal, [[2, -1], [-1, 2]])),
    "a card in two places": (
        1,
        lambda deal, _: forged_shuffle(deal, [[1, 1, -1], [1, -1, 1], [-1, 1, 1]]),
    ),
    "replayed shuffle": (1, replayed),
    "replayed locks": (2, replayed),
    "a shuffle for another match": (1, honest_of_another),
    "locks for another match": (2, honest_of_another),
    **{
        f"{name} in pass {number}": (
            number,
            lambda deal, seed, name=name: changed_pass(name, deal, seed, is_proved=True),
        )
        for number, name in CHEATS
    },
}  # by name: in which pass, and how
