"""What a seat of Kitsune knows of the hidden cards, and positions that agree with all of it.

It knows how many cards each hand has, which cards are nowhere else, the card that it gave itself,
what can have been recalled, and that whoever did not follow a Black Kitsune had no number of that
colour. Where a played card may or may not have been one of those, less is taken for known: what is
true is always among the worlds.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Final

from kumite.core.copying import replace
from kumite.core.game import Seat
from kumite.core.games.kitsune.state import (
    ALL_CARDS,
    BLACK,
    CLAN,
    HIDDEN,
    MOVES,
    NOBODY,
    TRICK,
    UNSEEN,
    UPRIGHT,
    Kind,
    Move,
    State,
    bag_of,
    cards_of,
    count,
    outside,
    put,
    shielded,
    size,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from random import Random

    from kumite.core.match import Played

DRAWN: Final = 4  # cards that are dealt at once while there is a pile; more are a new deal
TRIES: Final = 50


@dataclass(slots=True)
class Hand:
    """What is known of a hidden hand besides its size."""

    held: list[Kind] = field(default_factory=list)  # it has these
    lacking: dict[int, int] = field(default_factory=dict)  # clan: so many cards are not of it


@dataclass(slots=True)
class Known:
    """What the steps have told since all cards were last gathered."""

    hands: dict[int, Hand]
    recalled: tuple[Kind, ...] = ()  # what can have been recalled by a seat that hides it
    since: list[Kind] = field(default_factory=list)  # what that seat has played since then


def known(view: State, seen: Sequence[Played], seat: Seat) -> Known:
    """Return what the steps, as `seat` saw them, tell of what its view hides."""
    seats = view.table.seats
    found = Known({other: Hand() for other in range(seats) if other != seat})
    if not any(view.cards.hands):  # gathered for the next round: all that is over
        return found
    sizes = dict.fromkeys(range(seats), 0)
    tricks = _Tricks(view, seen)
    for played in _since_the_deal(seen):
        move, actor = MOVES[played.step], played.actor
        if move.act in ("deal", "gift"):
            sizes[move.seat] += 1
            giver = (move.seat - 2) % seats
            if move.act == "gift" and giver == seat:
                found.hands[move.seat].held.append(move.card)
        elif move.act == "give":
            sizes[int(actor)] -= 1
        elif move.act == "recall":
            sizes[int(actor)] += 1
            if move.card == UNSEEN:
                found.recalled, found.since = tricks.last, []
        elif move.act == "play":
            sizes[int(actor)] -= 1
            if actor != seat:
                _learn(found.hands[int(actor)], move, tricks.binding(), sizes[int(actor)])
            if view.cards.recalled and actor == view.cards.recalled[0]:
                found.since.append(move.card)
            tricks.add(int(actor), move.card)
        elif move.act == "show":
            tricks.show(move.card)
    return found


def _learn(hand: Hand, move: Move, clan: int, left: int) -> None:
    """Learn from a card that was played, when a Black Kitsune of `clan` bound it (or NOBODY)."""
    if move.card == UNSEEN:
        hand.held.clear()  # it may lie under the shield
        hand.lacking = {other: number - 1 for other, number in hand.lacking.items()}
        return
    if move.card in hand.held:
        hand.held.remove(move.card)
    for other in hand.lacking:
        if CLAN[move.card] != other:
            hand.lacking[other] -= 1
    if clan != NOBODY and CLAN[move.card] != clan:
        hand.lacking[clan] = left


def _since_the_deal(seen: Sequence[Played]) -> list[Played]:
    """Return the steps since the last new deal began."""
    begin, at = 0, 0
    for is_deal, run in groupby(seen, key=lambda one: MOVES[one.step].act == "deal"):
        length = len(list(run))
        if is_deal and length > DRAWN:
            begin = at
        at += length
    return list(seen[begin:])


class _Tricks:
    """Follows which cards make a trick: those in the view's trick are the last ones played."""

    def __init__(self, view: State, seen: Sequence[Played]) -> None:
        plays = sum(MOVES[one.step].act == "play" for one in _since_the_deal(seen))
        self.size = TRICK[view.table.seats]
        self.cards: list[Kind] = []
        self.last: tuple[Kind, ...] = ()
        self.actor = NOBODY
        self.missing = (len(view.cards.trick) - plays) % self.size  # played before `seen` began

    def binding(self) -> int:
        """Return the clan in whose colour the next card must be, or NOBODY."""
        return self.actor % 2 if self.cards and self.cards[-1] == BLACK else NOBODY

    def add(self, actor: int, card: Kind) -> None:
        """Add a card; a complete trick is the last one then."""
        self.cards.append(card)
        self.actor = actor
        if len(self.cards) + self.missing == self.size:
            self.last, self.cards, self.missing = tuple(self.cards), [], 0

    def show(self, card: Kind) -> None:
        """Name the card that lay under the shield: the trick is complete by then."""
        self.last = tuple(card if one == UNSEEN else one for one in self.last)


# --- Worlds -----------------------------------------------------------------------------------


def worlds(view: State, seen: Sequence[Played], seat: Seat, rng: Random) -> State:
    """Return a complete position that agrees with the view and the steps, drawn at random."""
    return world(view, known(view, seen, seat), rng)


def world(view: State, knowledge: Known, rng: Random) -> State:
    """Return a complete position that agrees with what is known."""
    for attempt in range(TRIES):
        found = _dealt(view, knowledge, rng, is_strict=attempt < TRIES - 1)
        if found is not None:
            return found
    raise AssertionError("the last attempt asks for nothing that cannot be had")


def _dealt(view: State, knowledge: Known, rng: Random, *, is_strict: bool) -> State | None:
    """Deal the cards that nobody has seen; None if the chosen order does not work out."""
    old = view.cards
    hidden = {seat: size(hand) for seat, hand in enumerate(old.hands) if hand >> HIDDEN}
    held = {seat: list(knowledge.hands[seat].held) if is_strict else [] for seat in hidden}
    recalled = old.recalled
    candidates, is_drawn = recalls(view, knowledge)
    if recalled is not None and candidates:
        card = rng.choice(candidates) if is_drawn else candidates[0]
        if is_strict and card not in knowledge.since and recalled[0] in held:
            held[recalled[0]].append(card)
        recalled = (recalled[0], card)
    pool = _pool(view, recalled)
    rng.shuffle(pool)
    hands, gifts, trick = old.hands, old.gifts, old.trick
    for seat, cards in held.items():
        for card in cards[: hidden[seat]]:
            if card not in pool:
                return None
            pool.remove(card)
        held[seat] = cards[: hidden[seat]]
    if (index := shielded(trick)) != NOBODY and trick[index].card == UNSEEN:
        at = next((i for i, card in enumerate(pool) if card not in UPRIGHT), 0)
        trick = put(trick, index, trick[index]._replace(card=pool.pop(at)))
    for seat in order_of(hidden, knowledge):
        lacking = knowledge.hands[seat].lacking if is_strict else {}
        hand = _hand(pool, hidden[seat], held[seat], lacking)
        if hand is None:
            return None
        hands = put(hands, seat, bag_of(hand))
    for seat, gift in enumerate(gifts):
        if gift == UNSEEN:
            gifts = put(gifts, seat, pool.pop())
    cards_now = replace(old, hands=hands, gifts=gifts, trick=trick, recalled=recalled)
    return replace(view, cards=cards_now)


def _hand(
    pool: list[Kind], wanted: int, held: list[Kind], lacking: dict[int, int]
) -> list[Kind] | None:
    """Take a hand of `wanted` cards from the pool, or return None if it cannot be made so."""
    cards = list(held)
    for clan, needed in lacking.items():
        lacks = sum(CLAN[card] != clan for card in cards)
        for card in [card for card in pool if CLAN[card] != clan and _fits(card, lacking)]:
            if lacks >= needed or len(cards) >= wanted:
                break
            pool.remove(card)
            cards.append(card)
            lacks += 1
        if lacks < needed:
            return None
    while len(cards) < wanted:
        cards.append(pool.pop())
    return cards


def _fits(card: Kind, lacking: dict[int, int]) -> bool:
    """Tell whether the card is of no clan that the whole of the constrained cards lacks."""
    return CLAN[card] not in lacking


def recalls(view: State, knowledge: Known) -> tuple[list[Kind], bool]:
    """Return the cards of which a hidden recall is one, and whether one of them is to be drawn.

    A card that is seen once too often must be it.
    """
    if view.cards.recalled is None or view.cards.recalled[1] != UNSEEN:
        return [], False
    full, seen = ALL_CARDS[view.table.seats], shown(view, None)
    for card in range(UNSEEN):
        if count(seen, card) > count(full, card):
            return [card], False
    discards = list(cards_of(view.cards.discard))
    return [card for card in knowledge.recalled if card in discards] or discards, True


def order_of(seats: Iterable[int], knowledge: Known) -> list[int]:
    """Return the seats in the order in which their hands are dealt: those that lack most first."""
    return sorted(seats, key=lambda seat: -sum(knowledge.hands[seat].lacking.values()))


def _pool(view: State, recalled: tuple[int, Kind] | None) -> list[Kind]:
    """Return all cards that the view does not show."""
    return list(cards_of(ALL_CARDS[view.table.seats] - shown(view, recalled)))


def shown(view: State, recalled: tuple[int, Kind] | None) -> int:
    """Return the bag of all cards that the view shows, a recalled one once only."""
    old = view.cards
    hands = tuple(0 if hand >> HIDDEN else hand for hand in old.hands)
    gifts = tuple(NOBODY if gift == UNSEEN else gift for gift in old.gifts)
    trick = tuple(laid for laid in old.trick if laid.card != UNSEEN)
    return outside(replace(old, hands=hands, gifts=gifts, trick=trick, recalled=recalled))
