"""What a move does to a position of kernel.py; the last card of a trick counts it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kumite.core.bots.fast import fast
from kumite.core.bots.kitsune.kernel import (
    AVAILABLE,
    BLUE,
    BOOST,
    CARD,
    CHOOSER,
    CLANS,
    DEALING,
    DISCARD,
    GIFTS,
    GIVING,
    HANDING,
    HANDS,
    HELD,
    HIT,
    LAID,
    LAST,
    LEADER,
    LEADING,
    MARK,
    NOTHING,
    ODDS,
    ORANGE,
    OVER,
    PHASE,
    PLAYING,
    RECALLED,
    RECALLER,
    RECALLING,
    SHOWING,
    STILL,
    SWAP,
    TAKING,
    TO_DEAL,
    TRICKS,
    VALUES,
    WON,
    deck_of,
    is_target,
    shielded,
    size_of,
    speaker,
)
from kumite.core.games.kitsune.rules import NEW_CARDS, THREE, TOKEN_FROM
from kumite.core.games.kitsune.state import NOBODY, TOKENS, WHITE

if TYPE_CHECKING:
    from kumite.core.bots.fast import Ints
    from kumite.core.bots.kitsune.kernel import Rules


@fast
def play(rules: Rules, place: Ints, seat: int, move: int) -> None:
    """Carry out a legal move, and all that follows by itself."""
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
    """Play a card, perhaps with a token."""
    boost, target, card, laid = move >> 8 & 15, move >> 4 & 15, move & 15, place[LAID]
    if target != NOTHING:
        for index in range(laid):
            if place[CARD + index] == target and is_target(rules, place, seat, index):
                place[HIT + index] = 1
                break
    place[CARD + laid], place[BOOST + laid] = card, boost
    place[LAID] = laid + 1
    place[HANDS + seat] -= 1 << 4 * card
    if boost:
        place[HELD + seat] = 0
    if laid + 1 == rules.trick:
        if shielded(place) != NOBODY:
            place[PHASE] = SHOWING
        else:
            end_trick(rules, place)


@fast
def lead_of(place: Ints) -> int:
    """Return by how much blue has more than orange in the trick; swaps exchange it (A14)."""
    lead, swaps = 0, 0
    for index in range(place[LAID]):
        card, boost = place[CARD + index], place[BOOST + index]
        if CLANS[card] != NOBODY and place[HIT + index] == 0:
            lead += VALUES[card] if CLANS[card] == 0 else -VALUES[card]
        if boost in (BLUE, ORANGE):  # a swap moves it, too (A15)
            lead += THREE if boost == BLUE else -THREE
        swaps += int(card == WHITE) + int(boost == SWAP)
    return -lead if swaps % 2 else lead


@fast
def end_trick(rules: Rules, place: Ints) -> None:
    """Count a complete trick; then the match, the round or the trick is over, or a token due."""
    lead = lead_of(place)
    clan, advance = 0 if lead > 0 else 1, abs(lead)
    place[LAST] = 0
    for index in range(place[LAID]):
        if place[BOOST + index] == STILL:
            advance = 0
        place[LAST] += 1 << 4 * place[CARD + index]
    place[DISCARD] += place[LAST]
    clear(place)
    place[MARK + clan] = min(place[MARK + clan] + advance, rules.track)  # A3
    place[LEADER] = (place[LEADER] + 1) % rules.seats
    place[TRICKS] += 1
    has_won = place[MARK + clan] == rules.track
    place[WON + clan] += int(has_won)
    if place[WON + clan] == rules.wins or place[TRICKS] == rules.limit:
        place[PHASE] = OVER
    elif has_won:  # no token from this trick (A7)
        next_round(rules, place, clan)
    elif advance >= TOKEN_FROM and place[AVAILABLE] and not has_token(rules, place, 1 - clan):
        place[PHASE] = TAKING
        place[CHOOSER] = speaker(rules, place[LEADER], 1 - clan)
    else:
        next_trick(rules, place)


@fast
def clear(place: Ints) -> None:
    """Take the cards of the trick away."""
    for index in range(place[LAID]):
        place[CARD + index], place[BOOST + index], place[HIT + index] = 0, 0, 0
    place[LAID] = 0


@fast
def has_token(rules: Rules, place: Ints, clan: int) -> bool:
    """Tell whether anybody of a clan holds a token."""
    held = 0
    for seat in range(clan, rules.seats, 2):
        held += place[HELD + seat]
    return held > 0


@fast
def next_trick(rules: Rules, place: Ints) -> None:
    """Draw from the pile; or deal all cards anew, once a seat has none (A13); or just go on."""
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
    """Put the markers back and gather the cards; used tokens return, held ones stay (A10)."""
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
        place[PHASE], place[CHOOSER] = LEADING, speaker(rules, place[LEADER], clan)


@fast
def deal_anew(rules: Rules, place: Ints, to_deal: int) -> None:
    """Gather all cards, and deal so many."""
    gather(rules, place)
    place[PHASE], place[CHOOSER], place[TO_DEAL] = DEALING, ODDS, to_deal


@fast
def gather(rules: Rules, place: Ints) -> None:
    """Put all cards into the deck."""
    for seat in range(rules.seats):
        place[HANDS + seat], place[GIFTS + seat] = 0, NOBODY
    place[DISCARD], place[LAST], place[RECALLER], place[RECALLED] = 0, 0, NOBODY, 0
