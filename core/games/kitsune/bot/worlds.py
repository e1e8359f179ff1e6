"""What a seat of Kitsune knows about hidden cards, and random worlds that are consistent with it.

A seat knows the sizes of the hands, which cards are elsewhere, its own gift, which cards may have
been recalled, and that a seat that did not follow a Black Kitsune had no number of that colour.
Where a played card may have been one of those, the knowledge is weakened, so that the true position
is always among the worlds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Final, NamedTuple

from kumite.core.bots.fast import LARGE, SMALL, Ints, copy, draw, fast, first_of, numbers
from kumite.core.copying import replace
from kumite.core.game import Seat
from kumite.core.games.kitsune.bot.kernel import (
    CARD,
    DRAWN,
    GIFTS,
    HANDS,
    RECALLED,
    RECALLER,
    SEATS,
    place_of,
)
from kumite.core.games.kitsune.state import (
    ALL_CARDS,
    BLACK,
    CLAN,
    HIDDEN,
    KATANA,
    MOVES,
    NOBODY,
    OF_CLAN,
    ONE,
    TRICK,
    UNSEEN,
    Kind,
    Move,
    State,
    bag_of,
    cards_of,
    count,
    outside,
    shielded,
    size,
)

if TYPE_CHECKING:
    from kumite.core.match import Played

TRIES: Final = 50
POOL: Final = 32  # more than the number of cards
HEAVY: Final = 15 << 4 * BLACK | 15 << 4 * KATANA  # cards that no shield can hide (A20)


@dataclass(slots=True)
class Hand:
    """The limits that past steps set to a hidden hand."""

    held: list[Kind] = field(default_factory=list)  # cards it certainly has
    lacking: dict[int, int] = field(default_factory=dict)  # by clan: cards not of it


@dataclass(slots=True)
class Known:
    """What the steps have revealed since all cards were last gathered."""

    hands: dict[int, Hand]
    recalled: tuple[Kind, ...] = ()  # the candidates for a hidden recall
    since: list[Kind] = field(default_factory=list)  # what the recalling seat has played since then


def known(view: State, seen: Sequence[Played], seat: Seat) -> Known:
    """Return what the steps seen by `seat` reveal about what its view hides."""
    seats = view.table.seats
    found = Known({other: Hand() for other in range(seats) if other != seat})
    if not any(view.cards.hands):  # gathered for the next round, so nothing is known
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
    """Update a hand after a card was played, bound by a Black Kitsune of `clan` (or NOBODY)."""
    if move.card == UNSEEN:
        hand.held.clear()  # any of these may be under the shield
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
    """Tracks the cards of each trick; the last ones played are the view's trick."""

    def __init__(self, view: State, seen: Sequence[Played]) -> None:
        plays = sum(MOVES[one.step].act == "play" for one in _since_the_deal(seen))
        self.size = TRICK[view.table.seats]
        self.cards: list[Kind] = []
        self.last: tuple[Kind, ...] = ()
        self.actor = NOBODY
        self.missing = (len(view.cards.trick) - plays) % self.size  # played before `seen` began

    def binding(self) -> int:
        """Return the clan whose colour the next card must have, or NOBODY."""
        return self.actor % 2 if self.cards and self.cards[-1] == BLACK else NOBODY

    def add(self, actor: int, card: Kind) -> None:
        """Add a card; a complete trick becomes the last one."""
        self.cards.append(card)
        self.actor = actor
        if len(self.cards) + self.missing == self.size:
            self.last, self.cards, self.missing = tuple(self.cards), [], 0

    def show(self, card: Kind) -> None:
        """Reveal the card under the shield of the complete trick."""
        self.last = tuple(card if one == UNSEEN else one for one in self.last)


# --- Worlds -----------------------------------------------------------------------------------


class Given(NamedTuple):
    """The data for sampling worlds, by seat unless noted."""

    root: Ints  # the view, plus cards known to be in hidden hands
    pool: Ints  # the cards to deal, each as a bag
    size: int  # their number
    recalled: Ints  # the candidates for a hidden recall; empty if it is not hidden
    since: int  # the bag of cards that the recalling seat has played since
    shielded: int  # index of the hidden card of the trick, or NOBODY
    order: Ints  # the hidden hands, those with the most constraints first
    missing: Ints  # number of cards to deal to a hand
    lacking: Ints  # how many of these are not in the barred bag
    barred: Ints  # the barred bag
    gifts: Ints  # seats whose gifts are hidden


def given_of(view: State, knowledge: Known) -> Given:
    """Convert a seat's knowledge into data for sampling worlds."""
    table, old = view.table, view.cards
    missing, lacking, barred = ([0] * SEATS for _ in range(3))
    root, hidden = place_of(view), [s for s, hand in enumerate(old.hands) if hand >> HIDDEN]
    recalled = _recalls(view, knowledge)
    back = (root[RECALLER], recalled[0]) if recalled else old.recalled
    bag = ALL_CARDS[table.seats] - _shown(view, back)
    if recalled and count(bag, recalled[0]):
        bag -= ONE[recalled[0]]  # returned when it is drawn
    elif recalled:  # all copies are seen elsewhere
        root[RECALLED] = recalled.pop()
    for seat in hidden:
        missing[seat], hand = size(old.hands[seat]), knowledge.hands[seat]
        held = hand.held[: missing[seat]]
        for card in held:
            if count(bag, card):
                root[HANDS + seat] += ONE[card]
                bag -= ONE[card]
                missing[seat] -= 1
        for clan, number in hand.lacking.items():
            more = number - sum(CLAN[card] != clan for card in held)
            if more > 0:
                lacking[seat] = max(lacking[seat], more)
                barred[seat] |= OF_CLAN[clan]
    pool = [ONE[card] for card in cards_of(bag)]
    at = shielded(old.trick)
    return Given(
        root,
        numbers(LARGE, pool + [0] * (POOL - len(pool))),
        len(pool),
        numbers(SMALL, recalled),
        bag_of(set(knowledge.since)),
        at if at != NOBODY and old.trick[at].card == UNSEEN else NOBODY,
        numbers(SMALL, sorted(hidden, key=lambda seat: -lacking[int(seat)])),
        numbers(SMALL, missing),
        numbers(SMALL, lacking),
        numbers(LARGE, barred),
        numbers(SMALL, [seat for seat, gift in enumerate(old.gifts) if gift == UNSEEN]),
    )


def _recalls(view: State, knowledge: Known) -> list[Kind]:
    """Return the candidates for a hidden recall.

    A card that is seen more often than it exists must be the recalled one.
    """
    if view.cards.recalled is None or view.cards.recalled[1] != UNSEEN:
        return []
    full, seen = ALL_CARDS[view.table.seats], _shown(view, None)
    for card in range(UNSEEN):
        if count(seen, card) > count(full, card):
            return [card]
    discards = list(cards_of(view.cards.discard))
    return [card for card in knowledge.recalled if card in discards] or discards


def _shown(view: State, recalled: tuple[int, Kind] | None) -> int:
    """Return the bag of all cards that the view shows, counting a recalled one once."""
    old = view.cards
    hands = tuple(0 if hand >> HIDDEN else hand for hand in old.hands)
    gifts = tuple(NOBODY if gift == UNSEEN else gift for gift in old.gifts)
    trick = tuple(laid for laid in old.trick if laid.card != UNSEEN)
    return outside(replace(old, hands=hands, gifts=gifts, trick=trick, recalled=recalled))


@fast
def deal(given: Given, place: Ints, pool: Ints, stream: Ints) -> None:
    """Write a random complete position that is consistent with what is known."""
    for attempt in range(TRIES):  # the last attempt drops unsatisfiable constraints
        if is_dealt(given, place, pool, stream, attempt < TRIES - 1):
            return


@fast
def is_dealt(given: Given, place: Ints, pool: Ints, stream: Ints, is_strict: bool) -> bool:
    """Deal the unseen cards; return False if `is_strict` and a constraint cannot be met."""
    copy(given.root, place)
    copy(given.pool, pool)
    left, owner = given.size, NOBODY
    if len(given.recalled):
        card = given.recalled[int(draw(stream) * len(given.recalled))]
        place[RECALLED] = card
        owner = place[RECALLER]
        if given.since >> 4 * card & 15 or given.missing[owner] == 0:
            owner = NOBODY  # it may be anywhere
            pool[left] = 1 << 4 * card
            left += 1
    if given.shielded != NOBODY:
        put_last(pool, left, HEAVY, stream)
        left -= 1
        place[CARD + given.shielded] = first_of(pool[left]) >> 2
    for index in range(len(given.order)):
        seat = given.order[index]
        hand, missing, lacking = place[HANDS + seat], given.missing[seat], given.lacking[seat]
        if seat == owner:
            hand += 1 << 4 * place[RECALLED]
            missing -= 1
            lacking -= int(given.barred[seat] >> 4 * place[RECALLED] & 15 == 0)
        if is_strict:
            while lacking > 0 and missing > 0:
                if not put_last(pool, left, given.barred[seat], stream):
                    return False
                left -= 1
                hand += pool[left]
                lacking -= 1
                missing -= 1
        for _ in range(missing):
            at = int(draw(stream) * left)
            left -= 1
            hand += pool[at]
            pool[at] = pool[left]
        place[HANDS + seat] = hand
    for index in range(len(given.gifts)):
        put_last(pool, left, 0, stream)
        left -= 1
        place[GIFTS + given.gifts[index]] = first_of(pool[left]) >> 2
    return True


@fast
def put_last(pool: Ints, size: int, barred: int, stream: Ints) -> bool:
    """Move a random card outside `barred` to the end of the pool; return whether one exists."""
    left = size
    while left:
        at = int(draw(stream) * left)
        left -= 1
        card = pool[at]
        pool[at] = pool[left]
        if card & barred == 0:
            pool[left] = pool[size - 1]
            pool[size - 1] = card
            return True
        pool[left] = card
    return False
