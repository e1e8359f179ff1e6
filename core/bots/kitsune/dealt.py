"""The worlds of worlds.py on arrays: the same cards dealt in the same order by the same draws."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from kumite.core.bots.fast import SMALL, fast, numbers, zeros
from kumite.core.bots.kitsune import worlds
from kumite.core.bots.kitsune.kernel import (
    CARD,
    COLOURS,
    GIFTS,
    HANDS,
    LAID,
    RECALLED,
    RECALLER,
    SEATS,
    count,
    place_of,
    size_of,
)
from kumite.core.bots.search.stream import below, shuffle
from kumite.core.bots.search.tree import copy
from kumite.core.games.kitsune.state import (
    ALL_CARDS,
    BLACK,
    HIDDEN,
    KATANA,
    NOBODY,
    UNSEEN,
    State,
    bag_of,
    size,
)

if TYPE_CHECKING:
    from kumite.core.bots.fast import Ints
    from kumite.core.bots.kitsune.worlds import Known

WIDE: Final = 32  # cards that there can be in a hand, and more than there are at all


class Given(NamedTuple):
    """What a seat knows, as worlds are dealt by it. By seat, and by two clans for each."""

    root: Ints  # its view
    pool: int  # the bag of all cards that the view does not show
    since: int  # and of what has been played since somebody recalled a card
    is_drawn: bool  # whether that card is drawn of those below; else it is the first
    recalled: Ints  # the cards of which it is one; none: it is not hidden
    hidden: Ints  # cards of the hand, 0: it is known
    order: Ints  # of the hands, those first of which most is known
    held: Ints  # WIDE cards by seat
    holds: Ints  # how many of them there are
    clans: Ints  # which clan a hand lacks, in the order of knowledge
    lacking: Ints  # and how many of its cards are not of it
    clauses: Ints  # how many clans these are


class Room(NamedTuple):
    """Room to deal in."""

    pool: Ints
    size: Ints  # one number: how many are in the pool


def given_of(view: State, knowledge: Known) -> Given:
    """Return what is known of a view."""
    seats, hands = range(view.table.seats), view.cards.hands
    hidden = [size(hand) if hand >> HIDDEN else 0 for hand in hands] + [0] * (SEATS - len(hands))
    known = {seat: knowledge.hands[seat] for seat in seats if hidden[seat]}
    held, clans, lacking = [0] * SEATS * WIDE, [0] * 2 * SEATS, [0] * 2 * SEATS
    holds, clauses = [0] * SEATS, [0] * SEATS
    for seat, hand in known.items():
        holds[seat], clauses[seat] = len(hand.held), len(hand.lacking)
        held[WIDE * seat : WIDE * seat + len(hand.held)] = hand.held
        for at, (clan, number) in enumerate(hand.lacking.items()):
            clans[2 * seat + at], lacking[2 * seat + at] = clan, number
    order = worlds.order_of(known, knowledge)
    recalled, is_drawn = worlds.recalls(view, knowledge)
    shown = worlds.shown(view, None if recalled else view.cards.recalled)
    lists = (recalled, hidden, order, held, holds, clans, lacking, clauses)
    return Given(
        place_of(view),
        ALL_CARDS[view.table.seats] - shown,
        bag_of(set(knowledge.since)),
        is_drawn,
        *[numbers(SMALL, one) for one in lists],
    )


def room_of() -> Room:
    """Return room to deal in."""
    return Room(zeros(SMALL, WIDE), zeros(SMALL, 1))


@fast
def deal(given: Given, place: Ints, stream: Ints, room: Room) -> None:
    """Write a complete position that agrees with what is known (`worlds.world`)."""
    for attempt in range(worlds.TRIES):
        if is_dealt(given, place, stream, room, attempt < worlds.TRIES - 1):
            return


@fast
def is_dealt(given: Given, place: Ints, stream: Ints, room: Room, is_strict: bool) -> bool:
    """Deal the cards that nobody has seen; return whether the chosen order works out."""
    copy(given.root, place)
    owner = recall(given, place, stream)
    fill(room, given.pool + (1 << 4 * place[RECALLED] if len(given.recalled) else 0))
    shuffle(stream, room.pool, room.size[0])
    if is_strict and not give_held(given, place, room, owner):
        return False
    for index in range(place[LAID]):
        if place[CARD + index] == UNSEEN:
            place[CARD + index] = take(room, downright(room))
    for index in range(len(given.order)):
        if not is_filled(given, place, room, given.order[index], is_strict):
            return False
    for seat in range(SEATS):
        if place[GIFTS + seat] == UNSEEN:
            place[GIFTS + seat] = take(room, room.size[0] - 1)
    return True


@fast
def recall(given: Given, place: Ints, stream: Ints) -> int:
    """Draw what a hidden recall has been; return who holds it for certain, or NOBODY."""
    if len(given.recalled) == 0:
        return NOBODY
    index = below(stream, len(given.recalled)) if given.is_drawn else 0
    place[RECALLED] = given.recalled[index]
    is_there = count(given.since, place[RECALLED]) == 0 and given.hidden[place[RECALLER]] > 0
    return place[RECALLER] if is_there else NOBODY


@fast
def fill(room: Room, bag: int) -> None:
    """Put the cards of a bag into the pool."""
    size = 0
    for kind in range(UNSEEN):
        for _ in range(count(bag, kind)):
            room.pool[size] = kind
            size += 1
    room.size[0] = size


@fast
def take(room: Room, at: int) -> int:
    """Take that card out of the pool."""
    card = room.pool[at]
    room.size[0] -= 1
    for index in range(at, room.size[0]):
        room.pool[index] = room.pool[index + 1]
    return card


@fast
def give_held(given: Given, place: Ints, room: Room, owner: int) -> bool:
    """Give hands what they are known to hold; return whether it is in the pool."""
    for seat in range(SEATS):
        holds = given.holds[seat]
        for index in range(min(holds + int(seat == owner), given.hidden[seat])):
            card = given.held[WIDE * seat + index] if index < holds else place[RECALLED]
            at = 0
            while at < room.size[0] and room.pool[at] != card:
                at += 1
            if at == room.size[0]:
                return False
            place[HANDS + seat] += 1 << 4 * take(room, at)
    return True


@fast
def downright(room: Room) -> int:
    """Return where in the pool the first card is that a shield can hide (A20)."""
    for index in range(room.size[0]):
        if room.pool[index] != BLACK and room.pool[index] != KATANA:
            return index
    return 0


@fast
def is_filled(given: Given, place: Ints, room: Room, seat: int, is_strict: bool) -> bool:
    """Fill a hand from the pool; return False if it cannot be made so."""
    wanted, have = given.hidden[seat], size_of(place[HANDS + seat])
    clauses = range(2 * seat, 2 * seat + given.clauses[seat] if is_strict else 2 * seat)
    barred = 0
    for at in clauses:
        barred |= COLOURS[given.clans[at]]
    for at in clauses:
        lacks, index = have - size_of(place[HANDS + seat] & COLOURS[given.clans[at]]), 0
        while index < room.size[0] and lacks < given.lacking[at] and have < wanted:
            if count(barred, room.pool[index]):
                index += 1
                continue
            place[HANDS + seat] += 1 << 4 * take(room, index)
            lacks += 1
            have += 1
        if lacks < given.lacking[at]:
            return False
    while have < wanted:
        place[HANDS + seat] += 1 << 4 * take(room, room.size[0] - 1)
        have += 1
    return True
