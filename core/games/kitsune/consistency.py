"""Kitsune: consistency checks for positions read from text or bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from kumite.core.game import CHANCE
from kumite.core.games.kitsune.state import (
    ALL_CARDS,
    CLAN,
    DUE,
    HIDDEN,
    KATANA,
    LIMIT,
    NAMES,
    NOBODY,
    ONE,
    PHASES,
    REDEAL,
    TOKEN_OF,
    TOKENS,
    TRACK,
    TRICK,
    UNSEEN,
    UPRIGHT,
    WINS,
    Bag,
    State,
    bag_of,
    count,
    deck_size,
    kinds,
    laid_text,
    player,
    shielded,
    size,
    speaker,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

_Checks: TypeAlias = "Iterator[tuple[bool, str]]"
"""Conditions with their error messages; each may rely on the previous ones."""


def problem_of(state: State) -> str:
    """Return what is wrong with a position; empty if it is consistent."""
    for checks in (_part_checks, _trick_checks, _card_checks, _standing_checks, _phase_checks):
        for holds, complaint in checks(state):
            if not holds:
                return complaint
    return ""


def _part_checks(state: State) -> _Checks:
    table, standing, cards = state.table, state.standing, state.cards
    yield table.seats in TRICK, "the first line: there are 2, 4 or 6 seats"
    yield (
        (
            (table.track in TRACK and table.wins in WINS)
            and (table.redeal in REDEAL and table.limit in LIMIT)
        ),
        "the first line: an option has no such value",
    )
    yield state.phase in PHASES, "line `phase`: there is no such phase"
    seats = range(table.seats)
    is_first = state.phase == "lead" and state.chooser == CHANCE
    leaders = (NOBODY,) if is_first else seats
    yield standing.leader in leaders, "line `leader`: no seat, but before the first round"
    yield len(standing.wins) == 2, "line `wins`: one number for each clan"
    yield len(standing.marks) == 2, "line `marks`: one number for each clan"
    yield len(standing.held) == table.seats, "line `held`: one place for each seat"
    yield len(cards.hands) == table.seats, "line `hand0`: one hand for each seat"
    yield all(map(_is_hand, cards.hands)), "line `hand0`: a hand is known or hidden as a whole"
    yield len(cards.gifts) == table.seats, "line `gifts`: one place for each seat"
    yield set(cards.gifts) <= {NOBODY, *range(UNSEEN + 1)}, "line `gifts`: no such card"
    yield set(cards.last) <= set(range(UNSEEN)), "line `last`: no such card"
    yield 0 <= cards.discard < ONE[UNSEEN], "line `discard`: every card is open"
    if cards.recalled is not None:
        seat, card = cards.recalled
        yield seat in seats and card in range(UNSEEN + 1), "line `recalled`: no such seat or card"


def _is_hand(bag: Bag) -> bool:
    return 0 <= bag < ONE[UNSEEN] << 4 and (bag < ONE[UNSEEN] or bag % ONE[UNSEEN] == 0)


def _trick_checks(state: State) -> _Checks:
    trick, last = state.cards.trick, state.cards.last
    for laid in trick:
        word, is_down = laid_text(laid), laid.boost == "shield"
        yield not laid.boost or laid.boost in TOKEN_OF, f"line `trick`: {word!r} has no such token"
        yield is_down or laid.card != UNSEEN, "line `trick`: only a shield hides a card"
        yield not (is_down and laid.card in UPRIGHT), f"line `trick`: {word!r} cannot be shielded"
        is_number = CLAN[laid.card] != NOBODY and not is_down
        yield is_number or not laid.is_hit, f"line `trick`: {word!r} cannot be destroyed"
    left = 0  # Katanas that may have destroyed an earlier card
    for laid in reversed(trick):
        left += (laid.card == KATANA) - laid.is_hit
        yield left >= 0, "line `trick`: a Katana destroys one number before it"
    yield len(last) in (0, TRICK[state.table.seats]), "line `last`: no cards or those of a trick"


def _card_checks(state: State) -> _Checks:
    cards, copies = state.cards, ALL_CARDS[state.table.seats]
    last = bag_of(cards.last)
    is_in = all(count(last, kind) <= count(cards.discard, kind) for kind in kinds(last))
    yield is_in, "line `last`: these cards are in the discards"
    fetched = cards.recalled[1] if cards.recalled else NOBODY
    possible = (NOBODY, UNSEEN, *kinds(cards.discard)) if cards.discard else (NOBODY,)
    yield fetched in possible, "line `recalled`: the card was in the discards"
    for seat in range(state.table.seats):
        yield _is_whole(state, seat), f"line `hand{seat}`: seat {seat}'s cards are hidden in part"
    places = [*cards.hands, cards.discard, *(ONE[laid.card] for laid in cards.trick)]
    places += [ONE[gift] for gift in cards.gifts if gift != NOBODY]
    places = [bag % ONE[UNSEEN] for bag in places]
    known = sum(places)
    yield size(known) == sum(map(size, places)), "there are more than 15 cards of one kind"
    if fetched not in (NOBODY, UNSEEN):
        known -= ONE[fetched]
    excess = 0  # an unseen fetched card may have been played again
    for kind in kinds(known):
        excess += max(0, count(known, kind) - count(copies, kind))
        yield excess <= (fetched == UNSEEN), f"there are not so many {NAMES[kind]}"
    yield deck_size(state.table, cards) >= 0, "there are not so many cards"


def _is_whole(state: State, seat: int) -> bool:
    """Return whether the view shows all or nothing of what only `seat` knows."""
    cards, index = state.cards, shielded(state.cards.trick)
    hidden = {cards.hands[seat] >> HIDDEN > 0} if cards.hands[seat] else set()
    if cards.gifts[seat] != NOBODY:
        hidden.add(cards.gifts[seat] == UNSEEN)
    if index != NOBODY and player(state, index) == seat:
        hidden.add(cards.trick[index].card == UNSEEN)
    if cards.recalled is not None and cards.recalled[0] == seat:
        hidden.add(cards.recalled[1] == UNSEEN)
    return len(hidden) < 2


def _standing_checks(state: State) -> _Checks:
    table, standing, cards = state.table, state.standing, state.cards
    is_over = state.phase == "over"
    is_won = table.wins in standing.wins
    yield set(standing.wins) <= set(range(table.wins + 1)), "line `wins`: too many rounds"
    yield standing.wins != (table.wins, table.wins), "line `wins`: one clan wins the match"
    yield set(standing.marks) <= set(range(table.track + 1)), "line `marks`: beyond the track"
    at_end = standing.marks.count(table.track)
    yield at_end <= is_over, "line `marks`: a marker on the last space ends the round"
    yield 0 <= standing.tricks <= table.limit, "line `tricks`: beyond the limit"
    is_end = is_won or standing.tricks == table.limit
    yield is_over == is_end, "line `phase`: over by the rounds won, or by the tricks played"
    used = [TOKEN_OF[laid.boost] for laid in cards.trick if laid.boost]
    tokens = [*standing.available, *filter(None, standing.held), *used]
    yield list(standing.available) == sorted(standing.available), "line `available`: not sorted"
    yield set(tokens) <= set(TOKENS), "line `held`: no such token"
    yield len(set(tokens)) == len(tokens), "line `held`: each token is in one place only"
    both = (sum(map(bool, standing.held[clan::2])) for clan in (0, 1))
    yield max(both) < 2, "line `held`: a clan has one token at most"
    is_used = cards.recalled is None or "recall" not in tokens
    yield is_used, "line `recalled`: the token has been used in this round"


def _phase_checks(state: State) -> _Checks:
    table, phase, cards, standing = state.table, state.phase, state.cards, state.standing
    deck = deck_size(table, cards)
    if state.chooser == CHANCE:
        yield phase != "take", "line `phase`: a seat takes the token"
    else:
        seat = int(state.chooser)
        right = speaker(standing.leader, seat % 2, table.seats)
        yield phase in ("lead", "take") and seat == right, "line `phase`: not the speaker"
        yield phase == "take" or table.seats > 2, "line `phase`: the winner leads"
    if phase == "take":
        free = standing.available and not any(standing.held[int(state.chooser) % 2 :: 2])
        yield bool(free), "line `held`: the clan can take no token"
    to_deal = range(1, deck + 1) if phase == "deal" else (0,)
    yield state.to_deal in to_deal, "line `phase`: so many cards cannot be dealt"
    laid, full = len(cards.trick), TRICK[table.seats]
    lengths = {"play": range(full), "show": (full,)}.get(phase, (0,))
    yield laid in lengths, "line `trick`: not so many cards in this phase"
    yield phase != "show" or shielded(cards.trick) != NOBODY, "line `trick`: no card to show"
    given = [gift != NOBODY for gift in cards.gifts]
    is_right = {"give": not all(given), "gift": any(given) and given == sorted(given)}
    yield is_right.get(phase, not any(given)), "line `gifts`: not these in this phase"
    if phase in ("lead", "give", "gift") or (phase == "deal" and table.seats > 2):
        yield not cards.discard and not cards.recalled, "line `discard`: all has been gathered"
    if table.seats > 2:
        yield phase == "lead" or deck == state.to_deal, "line `deck`: every card is dealt"
    else:
        yield phase not in ("give", "gift"), "line `phase`: nobody exchanges with 2 seats"
        yield (deck - state.to_deal) % full == 0, "line `deck`: each seat draws two at a time"
    yield _is_enough(state), "line `hand0`: these hands cannot play on"


def _is_enough(state: State) -> bool:
    """Return whether every seat can play a card whenever it must, until a new deal."""
    table, phase, leader = state.table, state.phase, state.standing.leader
    if phase in ("lead", "over"):
        return phase == "over" or not any(state.cards.hands)
    sizes = [size(hand) for hand in state.cards.hands]
    if phase == "deal":
        for left in range(state.to_deal, 0, -1):
            sizes[(leader - left) % table.seats] += 1
        if table.seats > 2:
            return set(sizes) == {DUE[table.seats]}
    if phase in ("give", "gift"):  # nobody gives its only card
        waiting = (gift == NOBODY for gift in state.cards.gifts)
        return all(n > (phase == "give" and waits) for n, waits in zip(sizes, waiting, strict=True))
    if phase == "play":
        for index in range(len(state.cards.trick), TRICK[table.seats]):
            sizes[player(state, index)] -= 1
    each = TRICK[table.seats] // table.seats
    return min(sizes) >= 0 and min(sizes) % each == 0
