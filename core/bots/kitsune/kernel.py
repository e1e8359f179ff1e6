"""Kitsune on arrays: the rules of the game once more for a compiler.

A position is an array of WORDS numbers: how the match stands, then by seat its token, hand and
gift, then the cards of the trick. A hand is the bag of games/kitsune/state.py, four bits for each
kind of card, and so are the discards and the last trick.

A move is a number: what is done, with which token, to which card or seat, with which card. Moves
are listed in the order of their texts, as in games/kitsune/rules.py, which is the truth; tests hold
this against it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from kumite.core.bots.fast import LARGE, SMALL, fast, numbers
from kumite.core.bots.search.stream import draw
from kumite.core.game import CHANCE, Step
from kumite.core.games.kitsune.state import (
    ALL_CARDS,
    BLACK,
    CLAN,
    DUE,
    HIDDEN,
    KATANA,
    NAMES,
    NOBODY,
    OF_CLAN,
    PHASES,
    TOKEN_OF,
    TOKENS,
    TRICK,
    UNSEEN,
    VALUE,
    WHITE,
    State,
    Table,
    bag_of,
)

if TYPE_CHECKING:
    from kumite.core.bots.fast import Ints

SEATS: Final = 6  # that there is place for
PHASE, CHOOSER, TO_DEAL, LEADER, TRICKS, AVAILABLE, DISCARD, LAST, RECALLER, RECALLED, LAID = range(
    11
)  # words; AVAILABLE is a set of tokens
WON, MARK, HELD, HANDS, GIFTS = 11, 13, 15, 21, 27  # two by clan, then six by seat
CARD, BOOST, HIT, WORDS = 33, 39, 45, 51  # by the trick's cards

LEADING, DEALING, GIVING, HANDING, PLAYING, SHOWING, TAKING, OVER, RECALLING = range(9)
"""The phases, and what a move does: the same, but that nobody moves when it is OVER."""
ACTS: Final = (*PHASES, "recall")
NOTHING: Final = 15  # as the target of a card: none
ODDS: Final = -1  # who acts if chance does
NO_ACTOR: Final = -2
FETCH: Final = TOKENS.index("recall") + 1  # tokens that are held, and what lies with a card
BLUE, ORANGE, SHIELD, STILL, SWAP = range(1, 6)
BOOST_NAMES: Final = ("", *TOKEN_OF)  # in that order
MOST: Final = 64  # moves that there can be: 15 kinds three times, and 4 of the last trick
VALUES: Final[Ints] = numbers(SMALL, VALUE)
CLANS: Final[Ints] = numbers(SMALL, CLAN)
COLOURS: Final[Ints] = numbers(LARGE, OF_CLAN)


class Rules(NamedTuple):
    """What is settled before a match."""

    seats: int
    track: int
    wins: int
    is_setup: bool  # how two seats are dealt cards anew
    limit: int
    cards: int  # the bag of all
    due: int  # cards dealt to each seat when a round begins
    trick: int  # cards of a trick


def rules_of(table: Table) -> Rules:
    """Return the options of a match."""
    seats = table.seats
    is_setup = table.redeal == "setup"
    cards = ALL_CARDS[seats]
    return Rules(
        *(seats, table.track, table.wins, is_setup, table.limit, cards, DUE[seats], TRICK[seats])
    )


def place_of(state: State) -> Ints:
    """Return a position of the rules; of a view, hidden hands are empty."""
    standing, cards = state.standing, state.cards
    last = bag_of(cards.last)
    available = sum(1 << TOKENS.index(token) for token in standing.available)
    recaller, recalled = cards.recalled or (NOBODY, 0)
    words = [PHASES.index(state.phase), ODDS if state.chooser == CHANCE else int(state.chooser)]
    words += [state.to_deal, standing.leader, standing.tricks, available, cards.discard, last]
    words += [recaller, recalled, len(cards.trick), *standing.wins, *standing.marks]
    words += _six([TOKENS.index(one) + 1 if one else 0 for one in standing.held], 0)
    words += _six([0 if hand >> HIDDEN else hand for hand in cards.hands], 0)
    words += _six([*cards.gifts], NOBODY)
    words += _six([laid.card for laid in cards.trick], 0)
    words += _six([BOOST_NAMES.index(laid.boost) for laid in cards.trick], 0)
    words += _six([int(laid.is_hit) for laid in cards.trick], 0)
    place: Ints = numbers(LARGE, words)
    return place


def _six(values: list[int], rest: int) -> list[int]:
    return values + [rest] * (SEATS - len(values))


def step_of(move: int) -> Step:
    """Return the text of a move."""
    act, boost, to, card = move >> 12, move >> 8 & 15, move >> 4 & 15, move & 15
    if act == LEADING:
        return Step(f"lead:{to}")
    if act == TAKING:
        return Step(f"take:{TOKENS[card]}>{to}")
    if act == PLAYING:
        target = "" if to == NOTHING else f":{NAMES[to]}"
        return Step(NAMES[card] + target + "+" * bool(boost) + BOOST_NAMES[boost])
    seat = f">{to}" if act in (DEALING, HANDING) else ""
    return Step(f"{ACTS[act]}:{NAMES[card]}{seat}")


# --- Cards ------------------------------------------------------------------------------------


@fast
def count(bag: int, kind: int) -> int:
    """Return how many copies of a kind are in a bag."""
    return bag >> 4 * kind & 15


@fast
def size_of(bag: int) -> int:
    """Return how many cards are in a bag."""
    pairs = (bag & 0x0F0F0F0F0F0F0F0F) + (bag >> 4 & 0x0F0F0F0F0F0F0F0F)
    return (pairs * 0x0101010101010101 >> 56) & 255


@fast
def deck_of(rules: Rules, place: Ints) -> int:
    """Return the bag of all cards that are nowhere else; a fetched one is no longer a discard."""
    bag = rules.cards - place[DISCARD]
    for seat in range(rules.seats):
        bag -= place[HANDS + seat]
        if place[GIFTS + seat] != NOBODY:
            bag -= 1 << 4 * place[GIFTS + seat]
    for index in range(place[LAID]):
        bag -= 1 << 4 * place[CARD + index]
    if place[RECALLER] != NOBODY:
        bag += 1 << 4 * place[RECALLED]
    return bag


@fast
def player(rules: Rules, place: Ints, index: int) -> int:
    """Return the seat that plays, or has played, that card of the trick."""
    return (place[LEADER] + index) % rules.seats


@fast
def shielded(place: Ints) -> int:
    """Return which card of the trick lies under the shield, or NOBODY."""
    for index in range(place[LAID]):
        if place[BOOST + index] == SHIELD:
            return index
    return NOBODY


@fast
def is_target(rules: Rules, place: Ints, seat: int, index: int) -> bool:
    """Tell whether that card is another seat's number, face up and not destroyed (A16)."""
    is_number = CLANS[place[CARD + index]] != NOBODY
    is_open = place[BOOST + index] != SHIELD and place[HIT + index] == 0
    return is_number and is_open and player(rules, place, index) != seat


@fast
def targets(rules: Rules, place: Ints, seat: int) -> int:
    """Return the bag of the numbers that a Katana of that seat can destroy."""
    bag = 0
    for index in range(place[LAID]):
        if is_target(rules, place, seat, index):
            bag += 1 << 4 * place[CARD + index]
    return bag


@fast
def speaker(rules: Rules, leader: int, clan: int) -> int:
    """Return the seat that decides for a clan (A8)."""
    return leader if leader % 2 == clan else (leader + 1) % rules.seats


@fast
def next_giver(place: Ints) -> int:
    """Return whose gift is the next to be handed over."""
    giver = 0
    while place[GIFTS + giver] == NOBODY:
        giver += 1
    return giver


# --- Legal moves ------------------------------------------------------------------------------


@fast
def actor_of(rules: Rules, place: Ints) -> int:
    """Return who acts, of several the first; ODDS or NO_ACTOR."""
    phase = place[PHASE]
    if phase == PLAYING:
        return player(rules, place, place[LAID])
    if phase == GIVING:
        seat = 0
        while place[GIFTS + seat] != NOBODY:
            seat += 1
        return seat
    if phase == OVER:
        return NO_ACTOR
    return place[CHOOSER] if phase in (TAKING, LEADING) else ODDS


@fast
def options(rules: Rules, place: Ints, seat: int, moves: Ints) -> int:
    """List the moves of a seat, or of chance that names the first leader; return how many."""
    phase, size = place[PHASE], 0
    if phase == PLAYING:
        return plays(rules, place, seat, moves)
    if phase == GIVING:
        for kind in range(UNSEEN):
            if count(place[HANDS + seat], kind):
                moves[size] = GIVING << 12 | kind
                size += 1
    elif phase == TAKING:
        for token in range(len(TOKENS)):
            if place[AVAILABLE] >> token & 1:
                for taker in range(seat % 2, rules.seats, 2):
                    moves[size] = TAKING << 12 | taker << 4 | token
                    size += 1
    elif phase == LEADING:
        for leader in range(rules.seats):
            if seat == ODDS or leader % 2 == seat % 2:
                moves[size] = LEADING << 12 | leader << 4
                size += 1
    return size


@fast
def plays(rules: Rules, place: Ints, seat: int, moves: Ints) -> int:
    """List the cards that a seat can play, with its token, too, and what it can recall."""
    hand, laid, token = place[HANDS + seat], place[LAID], place[HELD + seat]
    if laid and place[CARD + laid - 1] == BLACK:
        bound = hand & COLOURS[player(rules, place, laid - 1) % 2]
        if bound:  # whoever has none of that colour is free (A18)
            hand = bound
    hits = targets(rules, place, seat) if count(hand, KATANA) else 0
    size = 0
    for kind in range(UNSEEN):
        if kind == WHITE and token == FETCH:
            for card in range(UNSEEN):
                if count(place[LAST], card):
                    moves[size] = RECALLING << 12 | card
                    size += 1
        if not count(hand, kind):
            continue
        if kind != KATANA or hits == 0:
            size = listed(moves, size, PLAYING << 12 | NOTHING << 4 | kind, token)
            continue
        for target in range(UNSEEN):
            if count(hits, target):
                size = listed(moves, size, PLAYING << 12 | target << 4 | kind, token)
    return size


@fast
def listed(moves: Ints, size: int, move: int, token: int) -> int:
    """List a card behind so many moves, alone and with a token; return how many there are."""
    moves[size] = move
    size += 1
    if token == BLUE:
        moves[size] = move | BLUE << 8
        moves[size + 1] = move | ORANGE << 8
        return size + 2
    is_upright = move & 15 in (BLACK, KATANA)
    if token > SHIELD or (token == SHIELD and not is_upright):
        moves[size] = move | token << 8
        size += 1
    return size


@fast
def chance(rules: Rules, place: Ints, stream: Ints) -> int:
    """Return what chance does, drawn by its odds."""
    phase, share = place[PHASE], draw(stream)
    if phase == SHOWING:
        return SHOWING << 12 | place[CARD + shielded(place)]
    if phase == HANDING:
        giver = next_giver(place)
        return HANDING << 12 | (giver + 2) % rules.seats << 4 | place[GIFTS + giver]
    seat = (place[LEADER] - place[TO_DEAL]) % rules.seats
    deck = deck_of(rules, place)
    left, kind = int(share * size_of(deck)), 0
    while left >= count(deck, kind):
        left -= count(deck, kind)
        kind += 1
    return DEALING << 12 | seat << 4 | kind
