"""Kitsune on arrays: the rules as used by the search.

A position is an array of WORDS numbers: the state of the match, then by seat its token, hand and
gift, then the cards of the trick. Hands, the discards and the last trick are bags as in
games/kitsune/state.py, with four bits for each kind of card.

A move is a number: its act, token, target card or seat, and card. games/kitsune/rules.py is
authoritative; tests compare this module to it.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from math import tanh
from typing import Final, NamedTuple

from kumite.core.bots.fast import LARGE, REAL, SMALL, Floats, Ints, draw, fast, numbers, zeros
from kumite.core.game import CHANCE, Step
from kumite.core.games.kitsune.rules import NEW_CARDS, THREE, TOKEN_FROM
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
    size,
)
from kumite.core.games.kitsune.state import speaker as rules_speaker

SEATS: Final = 6  # maximum
PHASE, CHOOSER, TO_DEAL, LEADER, TRICKS, AVAILABLE, DISCARD, LAST, RECALLER, RECALLED, LAID = range(
    11
)  # words; AVAILABLE is a set of tokens
WON, MARK, HELD, HANDS, GIFTS = 11, 13, 15, 21, 27  # two by clan, then six by seat
CARD, BOOST, HIT, WORDS = 33, 39, 45, 51  # by the trick's cards

LEADING, DEALING, GIVING, HANDING, PLAYING, SHOWING, TAKING, OVER, RECALLING = range(9)
"""The phases, which are also the acts of moves; there are no moves when it is OVER."""
ACTS: Final = (*PHASES, "recall")
NOTHING: Final = 15  # the target of a card without one
ODDS: Final = -1  # the actor if chance acts
NO_ACTOR: Final = -2
FETCH: Final = TOKENS.index("recall") + 1  # tokens that are held or laid with a card
BLUE, ORANGE, SHIELD, STILL, SWAP = range(1, 6)
BOOST_NAMES: Final = ("", *TOKEN_OF)  # in the order of their numbers
MOST: Final = 64  # upper bound of legal moves: 15 kinds three times, and 4 of the last trick
NUMBERS: Final = 9 << 12  # upper bound of all moves
DRAWN: Final = 4  # cards drawn at once from the pile; more are a new deal
LEADS: Final[Ints] = numbers(
    SMALL, [-VALUE[kind] if CLAN[kind] else VALUE[kind] for kind in range(UNSEEN)]
)
CLANS: Final[Ints] = numbers(SMALL, CLAN)
COLOURS: Final[Ints] = numbers(LARGE, OF_CLAN)
TOKEN: Final = 1  # value of a token in hand, in spaces
WIDE: Final = 32  # exceeds markers (with the value of tokens) and rounds won


class Rules(NamedTuple):
    """The fixed settings of a match."""

    seats: int
    track: int
    wins: int
    is_setup: bool  # how a new deal for two seats is made
    limit: int
    cards: int  # the bag of all cards
    due: int  # cards dealt to each seat at the start of a round
    trick: int  # cards in a trick


def rules_of(table: Table) -> Rules:
    seats = table.seats
    is_setup = table.redeal == "setup"
    cards = ALL_CARDS[seats]
    return Rules(
        *(seats, table.track, table.wins, is_setup, table.limit, cards, DUE[seats], TRICK[seats])
    )


def place_of(state: State) -> Ints:
    """Convert a position of the rules; hidden hands of a view are empty."""
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

size_of: Final = fast(size)
speaker: Final = fast(rules_speaker)


@fast
def deck_of(rules: Rules, place: Ints) -> int:
    """Return the bag of all cards that are nowhere else; a fetched card is not a discard."""
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
def shielded(place: Ints) -> int:
    """Return the index of the trick's card under the shield, or NOBODY."""
    for index in range(place[LAID]):
        if place[BOOST + index] == SHIELD:
            return index
    return NOBODY


@fast
def target_at(rules: Rules, place: Ints, seat: int, index: int) -> int:
    """Return the card as a bag if it is another seat's open, undestroyed number (A16); else 0."""
    card = place[CARD + index]
    if CLANS[card] == NOBODY or place[HIT + index] or place[BOOST + index] == SHIELD:
        return 0
    return 0 if (place[LEADER] + index) % rules.seats == seat else 1 << 4 * card


@fast
def targets(rules: Rules, place: Ints, seat: int) -> int:
    """Return the bag of the numbers that a Katana of that seat can destroy."""
    bag = 0
    for index in range(place[LAID]):
        bag += target_at(rules, place, seat, index)
    return bag


@fast
def next_giver(place: Ints) -> int:
    giver = 0
    while place[GIFTS + giver] == NOBODY:
        giver += 1
    return giver


# --- Legal moves ------------------------------------------------------------------------------


@fast
def actor_of(rules: Rules, place: Ints) -> int:
    """Return the first seat to act, ODDS, or NO_ACTOR.

    A new deal of all cards has NO_ACTOR, since the search ends there.
    """
    phase = place[PHASE]
    if phase == PLAYING:
        return (place[LEADER] + place[LAID]) % rules.seats
    if phase in (OVER, LEADING) or (phase == DEALING and place[TO_DEAL] > DRAWN):
        return NO_ACTOR
    if phase == GIVING:
        seat = 0
        while place[GIFTS + seat] != NOBODY:
            seat += 1
        return seat
    return place[CHOOSER] if phase == TAKING else ODDS


@fast
def options(rules: Rules, place: Ints, seat: int, moves: Ints) -> int:
    """List the moves of a seat, or of chance naming the first leader; return their number."""
    phase, size = place[PHASE], 0
    if phase == PLAYING:
        return plays(rules, place, seat, moves)
    if phase == GIVING:
        size = listed(moves, 0, GIVING << 12, 1, place[HANDS + seat])
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
    """List the cards that a seat can play, then those with its token, then recalls."""
    hand, laid, token = place[HANDS + seat], place[LAID], place[HELD + seat]
    if laid and place[CARD + laid - 1] == BLACK:
        bound = hand & COLOURS[(place[LEADER] + laid - 1) % rules.seats % 2]
        if bound:  # without a card of that colour, any is allowed (A18)
            hand = bound
    size, hits = 0, 0
    if laid and hand >> 4 * KATANA & 15:
        hits = targets(rules, place, seat)
        if hits:
            hand &= ~(15 << 4 * KATANA)
            size = listed(moves, 0, PLAYING << 12 | KATANA, 1 << 4, hits)
    size = listed(moves, size, PLAYING << 12 | NOTHING << 4, 1, hand)
    if token == 0:
        return size
    if token == FETCH:
        return listed(moves, size, RECALLING << 12, 1, place[LAST])
    for index in range(size):
        move = moves[index]
        card = move & 15
        if token == BLUE:
            moves[size] = move | BLUE << 8
            moves[size + 1] = move | ORANGE << 8
            size += 2
        elif token != SHIELD or (card != BLACK and card != KATANA):
            moves[size] = move | token << 8
            size += 1
    return size


@fast
def listed(moves: Ints, size: int, move: int, one: int, bag: int) -> int:
    """Append a move for each kind in a bag; return the new number of moves."""
    while bag:
        if bag & 15:
            moves[size] = move
            size += 1
        bag >>= 4
        move += one
    return size


@fast
def chance(rules: Rules, place: Ints, stream: Ints) -> int:
    """Return a random move of chance, by its odds."""
    phase, share = place[PHASE], draw(stream)
    if phase == SHOWING:
        return SHOWING << 12 | place[CARD + shielded(place)]
    if phase == HANDING:
        giver = next_giver(place)
        return HANDING << 12 | (giver + 2) % rules.seats << 4 | place[GIFTS + giver]
    seat = (place[LEADER] - place[TO_DEAL]) % rules.seats
    deck = deck_of(rules, place)
    left, kind = int(share * size_of(deck)), 0
    while left >= deck & 15:
        left -= deck & 15
        deck >>= 4
        kind += 1
    return DEALING << 12 | seat << 4 | kind


# --- What a move does; the last card of a trick counts it ---------------------------------------


@fast
def play(rules: Rules, place: Ints, seat: int, move: int) -> None:
    act, to, card = move >> 12, move >> 4 & 15, move & 15
    if act == PLAYING:
        lay(rules, place, seat, move)
    elif act == DEALING:
        place[HANDS + to] += 1 << 4 * card
        place[TO_DEAL] -= 1
        if place[TO_DEAL] == 0:
            place[PHASE] = PLAYING if rules.seats == 2 else GIVING
    elif act == SHOWING:
        end_trick(rules, place)
    elif act == TAKING:
        place[AVAILABLE] &= ~(1 << card)
        place[HELD + to] = card + 1
        place[CHOOSER] = ODDS
        next_trick(rules, place)
    elif act == RECALLING:
        place[HANDS + seat] += 1 << 4 * card
        place[HELD + seat] = 0
        place[RECALLER], place[RECALLED] = seat, card
    elif act == GIVING:
        place[HANDS + seat] -= 1 << 4 * card
        place[GIFTS + seat] = card
        place[PHASE] = HANDING
        for other in range(rules.seats):
            if place[GIFTS + other] == NOBODY:
                place[PHASE] = GIVING
    elif act == HANDING:
        giver = (to - 2) % rules.seats
        place[HANDS + to] += 1 << 4 * card
        place[GIFTS + giver] = NOBODY
        if giver == rules.seats - 1:
            place[PHASE] = PLAYING
    else:
        place[LEADER] = to
        deal_anew(rules, place, rules.due * rules.seats)


@fast
def lay(rules: Rules, place: Ints, seat: int, move: int) -> None:
    boost, target, card, laid = move >> 8 & 15, move >> 4 & 15, move & 15, place[LAID]
    if target != NOTHING:
        for index in range(laid):
            if place[CARD + index] == target and target_at(rules, place, seat, index):
                place[HIT + index] = 1
                break
    place[CARD + laid], place[BOOST + laid] = card, boost
    place[LAID] = laid + 1
    place[HANDS + seat] -= 1 << 4 * card
    if boost:
        place[HELD + seat] = 0
    if laid + 1 == rules.trick:
        if shielded(place) == NOBODY:
            end_trick(rules, place)
        else:
            place[PHASE] = SHOWING


@fast
def count_trick(place: Ints) -> int:
    """Clear the trick; return blue's lead, or 0 if no marker moves (A14)."""
    lead, bag, is_swapped, is_still = 0, 0, False, False
    for index in range(place[LAID]):
        card, boost = place[CARD + index], place[BOOST + index]
        bag += 1 << 4 * card
        if card == WHITE:
            is_swapped = not is_swapped
        elif place[HIT + index] == 0:
            lead += LEADS[card]
        if boost:
            if boost == BLUE:  # a swap affects it, too (A15)
                lead += THREE
            elif boost == ORANGE:
                lead -= THREE
            elif boost == SWAP:
                is_swapped = not is_swapped
            elif boost == STILL:
                is_still = True
            place[BOOST + index] = 0
        place[CARD + index], place[HIT + index] = 0, 0
    place[LAID], place[LAST] = 0, bag
    place[DISCARD] += bag
    if is_still:
        return 0
    return -lead if is_swapped else lead


@fast
def end_trick(rules: Rules, place: Ints) -> None:
    """Score a complete trick; end the match, the round or the trick, or let a token be taken."""
    lead = count_trick(place)
    clan, advance = (0, lead) if lead > 0 else (1, -lead)
    mark = place[MARK + clan] + advance
    has_won = mark >= rules.track
    place[MARK + clan] = rules.track if has_won else mark  # A3
    place[LEADER] = (place[LEADER] + 1) % rules.seats
    place[TRICKS] += 1
    place[WON + clan] += int(has_won)
    other = HELD + 1 - clan
    if place[WON + clan] == rules.wins or place[TRICKS] == rules.limit:
        place[PHASE] = OVER
    elif has_won:  # no token from this trick (A7)
        next_round(rules, place, clan)
    elif (
        advance >= TOKEN_FROM
        and place[AVAILABLE]
        and place[other] + place[other + 2] + place[other + 4] == 0  # A9
    ):
        place[PHASE] = TAKING
        place[CHOOSER] = speaker(place[LEADER], 1 - clan, rules.seats)
    else:
        next_trick(rules, place)


@fast
def next_trick(rules: Rules, place: Ints) -> None:
    """Continue with the next trick: draw from the pile, or deal when a hand is empty (A13)."""
    if rules.seats == 2 and deck_of(rules, place):
        place[PHASE], place[TO_DEAL] = DEALING, NEW_CARDS * rules.seats
        return
    place[PHASE] = PLAYING
    for seat in range(rules.seats):
        if place[HANDS + seat] == 0:
            is_few = rules.is_setup  # A23
            deal_anew(rules, place, rules.due * rules.seats if is_few else size_of(rules.cards))
            return


@fast
def next_round(rules: Rules, place: Ints, clan: int) -> None:
    """Reset the markers and gather the cards; used tokens return, held ones stay (A10)."""
    place[MARK], place[MARK + 1] = 0, 0
    place[AVAILABLE] = (1 << len(TOKENS)) - 1
    for seat in range(rules.seats):
        if place[HELD + seat]:
            place[AVAILABLE] &= ~(1 << place[HELD + seat] - 1)
    if rules.seats == 2:
        place[LEADER] = clan
        deal_anew(rules, place, rules.due * rules.seats)
    else:
        gather(rules, place)
        place[PHASE], place[CHOOSER] = LEADING, speaker(place[LEADER], clan, rules.seats)


@fast
def deal_anew(rules: Rules, place: Ints, to_deal: int) -> None:
    gather(rules, place)
    place[PHASE], place[CHOOSER], place[TO_DEAL] = DEALING, ODDS, to_deal


@fast
def gather(rules: Rules, place: Ints) -> None:
    for seat in range(rules.seats):
        place[HANDS + seat], place[GIFTS + seat] = 0, NOBODY
    place[DISCARD], place[LAST], place[RECALLER], place[RECALLED] = 0, 0, NOBODY, 0


# --- What a position is worth: the markers, the tokens held and the rounds won ------------------


class Worth(NamedTuple):
    """Tables of Zenko's expected score, WIDE entries per row."""

    rounds: Floats  # probability of winning the round, by the markers plus tokens
    matches: Floats  # probability of winning the match, by the rounds won


@lru_cache(maxsize=8)
def worth_of(table: Table) -> Worth:
    rounds, matches = zeros(REAL, WIDE * WIDE), zeros(REAL, WIDE * WIDE)
    for zenko, yako in product(range(table.track + TOKEN), repeat=2):
        near = table.track - max(zenko, yako)
        rounds[WIDE * zenko + yako] = 0.5 + 0.5 * tanh((zenko - yako) / (2.0 + near))
    for zenko, yako in product(range(table.wins + 1), repeat=2):
        matches[WIDE * zenko + yako] = match(zenko, yako, table.wins)
    return Worth(rounds, matches)


def match(zenko: int, yako: int, needed: int) -> float:
    """Return Zenko's probability of winning the match if each further round is even."""
    if zenko >= needed or yako >= needed:
        return float(zenko >= needed)
    return (match(zenko + 1, yako, needed) + match(zenko, yako + 1, needed)) / 2


@fast
def value(rules: Rules, worths: Worth, place: Ints) -> float:
    """Return Zenko's expected score, 0 to 1."""
    if place[PHASE] == OVER:
        return end(rules, place)
    zenko, yako = place[MARK], place[MARK + 1]
    for seat in range(rules.seats):
        if place[HELD + seat]:
            if seat % 2:
                yako += TOKEN
            else:
                zenko += TOKEN
    now = worths.rounds[WIDE * zenko + yako]
    at = WIDE * place[WON] + place[WON + 1]
    return now * worths.matches[at + WIDE] + (1 - now) * worths.matches[at + 1]


@fast
def end(rules: Rules, place: Ints) -> float:
    """Return Zenko's score at the end: by rounds won, then by the markers."""
    lead = place[WON] - place[WON + 1]
    if lead == 0 and place[MARK] < rules.track and place[MARK + 1] < rules.track:
        lead = place[MARK] - place[MARK + 1]
    return 0.5 if lead == 0 else 1.0 if lead > 0 else 0.0
