"""Kitsune: trick-taking of Zenko and Yako; the first clan at the end of the track wins.

Rules: docs/rules/kitsune.md (decisions A1 to A27). Notation: `lead:2`, `deal:b3>1`, `give:o6`,
`gift:o6>4`, `b4`, `katana:o5`, `o2+shield`, `recall:b6`, `show:white`, `take:shield>2`; `?` is a
hidden card. Other modules: components and position (state.py), reasons why a step is illegal
(why.py), text and bytes (text.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from typing import Final

from kumite.core.copying import put, replace
from kumite.core.errors import BadNotation, Hidden, IllegalStep
from kumite.core.game import CHANCE, HOLE, Actor, Options, Seat, Seats, Secrets, Step
from kumite.core.games.kitsune.state import (
    ALL_CARDS,
    BOOSTS,
    CLAN,
    DEALS,
    DUE,
    EVERY,
    GAME_ID,
    HIDDEN,
    KATANA,
    MOVES,
    NAMES,
    NOBODY,
    OF_CLAN,
    ONE,
    ONLY,
    TOKENS,
    TRICK,
    UNSEEN,
    UPRIGHT,
    VALUE,
    WHITE,
    Bag,
    Cards,
    Kind,
    Laid,
    Move,
    Standing,
    State,
    bag_of,
    bound_to,
    count,
    deck_size,
    is_hidden,
    is_target,
    kinds,
    next_dealt,
    next_gift,
    outside,
    player,
    shielded,
    size,
    speaker,
    table_of,
    targets,
)
from kumite.core.games.kitsune.state import OPTIONS as OPTIONS
from kumite.core.games.kitsune.state import outcome as outcome
from kumite.core.games.kitsune.text import pack as pack
from kumite.core.games.kitsune.text import parse as parse
from kumite.core.games.kitsune.text import text as text
from kumite.core.games.kitsune.text import unpack as unpack
from kumite.core.games.kitsune.why import AGAINST, STEP_DUE, due

ID: Final = GAME_ID
TITLE: Final = "Kitsu: Zenko & Yako"
RULES: Final = 1
SEATS: Final = (2, 4, 6)
TEAMS: Final = True  # alternate seats are on the same side

NEW_CARDS: Final = 2  # drawn by each seat after a trick while there is a pile (2 seats)
TOKEN_FROM: Final = 4  # an advance by this many spaces gives the other clan a token (A6)
THREE: Final = 3  # added by the token of that name


def start(seats: int, options: Options) -> State:
    """Return the start: all cards in the deck, all tokens available, chance names the leader."""
    table = table_of(seats, options)
    standing = Standing(NOBODY, (0, 0), (0, 0), 0, TOKENS, ("",) * seats)
    return State(table, "lead", CHANCE, 0, standing, _gathered(seats))


def _gathered(seats: int) -> Cards:
    """Return the cards when all have been gathered in the deck."""
    return Cards((0,) * seats, (NOBODY,) * seats, (), (), 0, None)


def setup_of(state: State) -> tuple[int, Options]:
    return state.table.seats, {one.name: getattr(state.table, one.name) for one in OPTIONS}


# --- Lead: who leads the round (A8, A25) ------------------------------------------------------
# For each phase there are a function that lists the legal steps, sorted, and one that applies a
# step. The conditions of a step are only in its list: `apply` and `why` request the list for the
# card that their step names. So a list may omit steps with cards that are not in `among`. It raises
# Hidden if the view lacks the information.


def _leads(state: State, actor: Actor, among: Bag) -> Sequence[Step]:
    seats = range(state.table.seats)
    return [Step(f"lead:{seat}") for seat in seats if actor == CHANCE or seat % 2 == actor % 2]


def _lead(state: State, actor: Actor, move: Move) -> State:
    return _deal_round(state, replace(state.standing, leader=move.seat))


def _deal_round(state: State, standing: Standing) -> State:
    seats = state.table.seats
    return _deal_anew(state, DUE[seats] * seats, standing)


def _deal_anew(state: State, to_deal: int, standing: Standing) -> State:
    cards = _gathered(state.table.seats)
    return replace(
        state, phase="deal", chooser=CHANCE, to_deal=to_deal, standing=standing, cards=cards
    )


# --- Deal: one card per step, round the table (A22) -------------------------------------------


def _deals(state: State, actor: Actor, among: Bag) -> Sequence[Step]:
    texts = DEALS[next_dealt(state)]
    return [texts[kind] for kind in kinds(_deck(state) & among)]


def _deck(state: State) -> Bag:
    """Return the cards in the deck.

    Raises:
        Hidden: the view hides the place of other cards.
    """
    if is_hidden(state.cards):
        raise Hidden(f"{ID}: this view does not know the deck", hint="hands are hidden")
    return ALL_CARDS[state.table.seats] - outside(state.cards)


def _deal(state: State, actor: Actor, move: Move) -> State:
    old, seats = state.cards, state.table.seats
    cards = replace(old, hands=_joined(old.hands, move.seat, move.card))
    left = state.to_deal - 1
    phase = "deal" if left else "play" if seats == 2 else "give"
    return replace(state, phase=phase, to_deal=left, cards=cards)


def _joined(hands: tuple[Bag, ...], seat: int, card: Kind) -> tuple[Bag, ...]:
    """Return the hands after a card has been added to one; a hidden hand hides it."""
    hand = hands[seat]
    return put(hands, seat, hand + ONE[UNSEEN if hand >> HIDDEN else card])


def _parted(hands: tuple[Bag, ...], seat: int, card: Kind) -> tuple[Bag, ...]:
    """Return the hands after a card has left one; a hidden hand may have had any card."""
    hand = hands[seat]
    return put(hands, seat, hand - ONE[UNSEEN if hand >> HIDDEN else card])


# --- Give and gift: the exchange with a teammate (A21, A26) -----------------------------------


def _gives(state: State, actor: Actor, among: Bag) -> Sequence[Step]:
    return [Step(f"give:{NAMES[kind]}") for kind in kinds(_hand(state, int(actor)) & among)]


def _hand(state: State, seat: int) -> Bag:
    """Return the hand of `seat`.

    Raises:
        Hidden: this view does not show it.
    """
    hand = state.cards.hands[seat]
    if hand >> HIDDEN:
        raise Hidden(f"{ID}: this view does not know the hand of seat {seat}")
    return hand


def _give(state: State, actor: Actor, move: Move) -> State:
    seat, old = int(actor), state.cards
    hands, gifts = _parted(old.hands, seat, move.card), put(old.gifts, seat, move.card)
    phase = "give" if NOBODY in gifts else "gift"
    return replace(state, phase=phase, cards=replace(old, hands=hands, gifts=gifts))


def _gifts(state: State, actor: Actor, among: Bag) -> Sequence[Step]:
    giver, taker = next_gift(state)
    card = state.cards.gifts[giver]
    if card == UNSEEN:
        raise Hidden(f"{ID}: this view does not know what seat {giver} has given")
    return [Step(f"gift:{NAMES[card]}>{taker}")]


def _gift(state: State, actor: Actor, move: Move) -> State:
    old, (giver, taker) = state.cards, next_gift(state)
    hands, gifts = _joined(old.hands, taker, move.card), put(old.gifts, giver, NOBODY)
    phase = "play" if giver == state.table.seats - 1 else "gift"
    return replace(state, phase=phase, cards=replace(old, hands=hands, gifts=gifts))


# --- Play: a card, perhaps with a token; or first the recall token (A11, A12) ------------------


def _plays(state: State, actor: Actor, among: Bag) -> Sequence[Step]:
    seat = int(actor)
    hand, clan = _hand(state, seat), bound_to(state)
    if clan != NOBODY:
        hand = hand & OF_CLAN[clan] or hand  # without a card of that colour, any is allowed (A18)
    hand &= among
    plain = _plain(hand)
    if hand & ONLY[KATANA] and (possible := kinds(targets(state, seat))):
        at = plain.index(_KATANA)
        aimed = (Step(f"katana:{NAMES[target]}") for target in possible)
        plain = (*plain[:at], *aimed, *plain[at + 1 :])
    token = state.standing.held[seat]
    if not token:
        return plain
    steps = list(plain)
    for boost in BOOSTS[token]:
        may_be = plain if boost != "shield" else [p for p in plain if MOVES[p].card not in UPRIGHT]
        steps += [Step(f"{card}+{boost}") for card in may_be]
    if token == "recall":
        steps += [Step(f"recall:{NAMES[card]}") for card in set(state.cards.last)]
    return sorted(steps)


_KATANA: Final = Step(NAMES[KATANA])


@lru_cache(maxsize=4096)
def _plain(hand: Bag) -> tuple[Step, ...]:
    """Return the steps that play each kind of card without a token."""
    return tuple(Step(NAMES[kind]) for kind in kinds(hand))


def _play(state: State, actor: Actor, move: Move) -> State:
    seat, old = int(actor), state.cards
    trick = trick_with(state, actor, move)
    cards = replace(old, hands=_parted(old.hands, seat, move.card), trick=trick)
    standing = _used(state.standing, seat) if move.boost else state.standing
    if len(trick) < TRICK[state.table.seats]:
        return replace(state, standing=standing, cards=cards)
    if shielded(trick) != NOBODY:
        return replace(state, phase="show", standing=standing, cards=cards)
    return _end_trick(state, standing, cards)


def _used(old: Standing, seat: int) -> Standing:
    return replace(old, held=put(old.held, seat, ""))


def _recall(state: State, actor: Actor, move: Move) -> State:
    seat, old = int(actor), state.cards
    hands = _joined(old.hands, seat, move.card)
    cards = replace(old, hands=hands, recalled=(seat, move.card))
    return replace(state, standing=_used(state.standing, seat), cards=cards)


# --- Show, and the end of a trick (A26) -------------------------------------------------------


def _shows(state: State, actor: Actor, among: Bag) -> Sequence[Step]:
    card = state.cards.trick[shielded(state.cards.trick)].card
    if card == UNSEEN:
        raise Hidden(f"{ID}: this view does not know the card under the shield")
    return [Step(f"show:{NAMES[card]}")]


def _show(state: State, actor: Actor, move: Move) -> State:
    cards = replace(state.cards, trick=trick_with(state, actor, move))
    return _end_trick(state, state.standing, cards)


def trick_with(state: State, actor: Actor, move: Move) -> tuple[Laid, ...]:
    """Return the trick with the card that `move` plays or shows, before it is scored."""
    old = state.cards.trick
    if move.act == "show":
        index = shielded(old)
        return put(old, index, old[index]._replace(card=move.card))
    trick = (*old, Laid(move.card, move.boost, False))
    if move.target == NOBODY:
        return trick
    index = next(
        index
        for index, laid in enumerate(old)
        if laid.card == move.target and is_target(state, int(actor), index)
    )
    return put(trick, index, trick[index]._replace(is_hit=True))


def totals(trick: tuple[Laid, ...]) -> tuple[int, int]:
    """Return the totals of blue and orange; an odd number of swaps exchanges them (A14)."""
    sums, swaps = [0, 0], 0
    for card, boost, is_hit in trick:
        if CLAN[card] != NOBODY and not is_hit:
            sums[CLAN[card]] += VALUE[card]
        if boost in BOOSTS["3"]:  # not a card: it cannot be destroyed, but a swap affects it (A15)
            sums[BOOSTS["3"].index(boost)] += THREE
        swaps += (card == WHITE) + (boost == "swap")
    blue, orange = sums
    return (orange, blue) if swaps % 2 else (blue, orange)


def _end_trick(state: State, old: Standing, cards: Cards) -> State:
    """Score a complete trick; end the match, the round or the trick, or let a token be taken."""
    table = state.table
    blue, orange = totals(cards.trick)
    clan = 0 if blue > orange else 1  # the winning clan; nobody moves after a tie (A5)
    is_still = any(laid.boost == "still" for laid in cards.trick)
    advance = 0 if is_still else abs(blue - orange)
    mark = min(old.marks[clan] + advance, table.track)  # A3
    marks = put(old.marks, clan, mark)
    has_won = mark == table.track
    wins = put(old.wins, clan, old.wins[clan] + has_won)
    leader, tricks = (old.leader + 1) % table.seats, old.tricks + 1
    new = replace(old, leader=leader, wins=wins, marks=marks, tricks=tricks)
    last = tuple(laid.card for laid in cards.trick)
    cards = replace(cards, trick=(), last=last, discard=cards.discard + bag_of(last))
    if wins[clan] == table.wins or tricks == table.limit:
        return replace(state, phase="over", standing=new, cards=cards)
    if has_won:  # the round ends at once, without a token from this trick (A7)
        return _next_round(state, new, clan)
    if advance >= TOKEN_FROM and old.available and not any(old.held[1 - clan :: 2]):  # A9
        chooser = Seat(speaker(leader, 1 - clan, table.seats))
        return replace(state, phase="take", chooser=chooser, standing=new, cards=cards)
    return _next_trick(state, new, cards)


def _takes(state: State, actor: Actor, among: Bag) -> Sequence[Step]:
    clan = range(int(actor) % 2, state.table.seats, 2)
    return [Step(f"take:{token}>{seat}") for token in state.standing.available for seat in clan]


def _take(state: State, actor: Actor, move: Move) -> State:
    old = state.standing
    available = tuple(token for token in old.available if token != move.token)
    standing = replace(old, available=available, held=put(old.held, move.seat, move.token))
    return _next_trick(state, standing, state.cards)


# --- New cards, next round --------------------------------------------------------------------


def _next_trick(state: State, standing: Standing, cards: Cards) -> State:
    """Continue with the next trick: draw from the pile, or deal when a hand is empty (A13)."""
    table = state.table
    if table.seats == 2 and deck_size(table, cards):
        new = NEW_CARDS * table.seats
        return replace(
            state, phase="deal", chooser=CHANCE, to_deal=new, standing=standing, cards=cards
        )
    if all(cards.hands):
        return replace(state, phase="play", chooser=CHANCE, standing=standing, cards=cards)
    if table.redeal == "setup":  # A23
        return _deal_round(state, standing)
    return _deal_anew(state, size(ALL_CARDS[table.seats]), standing)


def _next_round(state: State, old: Standing, clan: int) -> State:
    """Reset the markers and gather the cards; used tokens return, held ones stay (A10)."""
    seats = state.table.seats
    available = tuple(token for token in TOKENS if token not in old.held)
    leader = clan if seats == 2 else old.leader
    standing = replace(old, leader=leader, marks=(0, 0), available=available)
    if seats == 2:
        return _deal_round(state, standing)
    chooser, cards = Seat(speaker(leader, clan, seats)), _gathered(seats)
    return replace(state, phase="lead", chooser=chooser, standing=standing, cards=cards)


# --- Who acts, what is legal, making a step ---------------------------------------------------

_ALONE: Final = tuple((Seat(seat),) for seat in range(max(SEATS)))
_LISTS: Final[Mapping[str, Callable[[State, Actor, Bag], Sequence[Step]]]] = {  # by phase
    "lead": _leads,
    "deal": _deals,
    "give": _gives,
    "gift": _gifts,
    "play": _plays,
    "show": _shows,
    "take": _takes,
}
_MAKES: Final[Mapping[str, Callable[[State, Actor, Move], State]]] = {  # by kind of step
    "lead": _lead,
    "deal": _deal,
    "give": _give,
    "gift": _gift,
    "play": _play,
    "recall": _recall,
    "show": _show,
    "take": _take,
}


def actors(state: State) -> tuple[Actor, ...]:
    """Return who is to act; in `give`, all seats that have not given yet, simultaneously."""
    phase = state.phase
    if phase == "play":
        return _ALONE[player(state, len(state.cards.trick))]
    if phase in ("deal", "gift", "show"):
        return (CHANCE,)
    if phase == "give":
        return tuple(Seat(s) for s, gift in enumerate(state.cards.gifts) if gift == NOBODY)
    return () if phase == "over" else (state.chooser,)


def legal(state: State, actor: Actor) -> tuple[Step, ...]:
    """Return the legal steps of `actor`, sorted."""
    if actor not in actors(state):
        return ()
    return tuple(_LISTS[state.phase](state, actor, EVERY))


def apply(state: State, actor: Actor, step: Step) -> State:
    """Return the position after `step`, with the trick scored if it is complete."""
    move = MOVES.get(step)
    if move is None:
        raise BadNotation(f"{ID}: {why(state, actor, step)}", hint=_due(state, actor))
    if problem := _against(state, actor, step, move):
        raise IllegalStep(f"{ID}: {problem}", hint=_due(state, actor))
    return _MAKES[move.act](state, actor, move)


def _due(state: State, actor: Actor) -> str:
    """Describe the current decision, with the legal steps of `actor` as far as they are known."""
    steps: Sequence[Step] = ()
    if actor != CHANCE:
        with suppress(Hidden):
            steps = legal(state, actor)
    return due(state.phase, steps)


def why(state: State, actor: Actor, step: Step) -> str:
    """Return why `step` is illegal, in terms of the rules; empty if it is legal."""
    move = MOVES.get(step)
    if move is None:
        return f"{step!r} is no step of this game"
    return _against(state, actor, step, move)


def _against(state: State, actor: Actor, step: str, move: Move) -> str:
    """Return why a step is illegal; empty if it is legal, or the view cannot know."""
    to_act = actors(state)
    if not to_act:
        return "the match is over"
    if actor not in to_act:
        if state.phase == "give" and actor in range(state.table.seats):
            return f"seat {actor} has given a card already"
        who = ", ".join("chance" if one == CHANCE else f"seat {one}" for one in to_act)
        return f"it is the turn of {who}: {STEP_DUE[state.phase]}"
    if state.phase != ("play" if move.act == "recall" else move.act):
        return STEP_DUE[state.phase]
    is_guess = move.card == UNSEEN  # lists never contain `?`
    if not is_guess:
        try:
            if step in _LISTS[state.phase](state, actor, ONLY[move.card]):
                return ""
        except Hidden:
            is_guess = True
    problem = AGAINST[move.act](state, actor, move)
    assert problem or is_guess, f"{step} is not listed, and nothing speaks against it"
    return problem


def odds(state: State) -> Mapping[Step, Fraction]:
    """Return the probability of each step of chance: by seat in `lead`, by copies in `deal`."""
    if actors(state) != (CHANCE,):
        return {}
    steps = legal(state, CHANCE)
    if state.phase != "deal":
        return {step: _share(1, len(steps)) for step in steps}
    deck = _deck(state)
    cards = size(deck)
    return {step: _share(count(deck, MOVES[step].card), cards) for step in steps}


@lru_cache(maxsize=512)
def _share(part: int, whole: int) -> Fraction:
    """Return a fraction, cached because creating one is slow and there are only a few."""
    return Fraction(part, whole)


# --- What each seat sees (A27) ----------------------------------------------------------------


def view(state: State, by: Seats) -> State:
    """Return the position without others' hands, gifts, and shielded or fetched cards."""
    old = state.cards
    hands = tuple([h if s in by else size(h) << HIDDEN for s, h in enumerate(old.hands)])
    gifts, trick, recalled, index = old.gifts, old.trick, old.recalled, shielded(old.trick)
    if state.phase in ("give", "gift"):
        gifts = tuple(g if s in by or g == NOBODY else UNSEEN for s, g in enumerate(old.gifts))
    if index != NOBODY and player(state, index) not in by:
        trick = put(trick, index, trick[index]._replace(card=UNSEEN))
    if recalled is not None and recalled[0] not in by:
        recalled = (recalled[0], UNSEEN)
    cards = replace(old, hands=hands, gifts=gifts, trick=trick, recalled=recalled)
    return replace(state, cards=cards)


def seen(state: State, actor: Actor, step: Step, by: Seats) -> Step:
    """Return `step` with `?` for a card that is hidden when dealt, given, fetched or shielded."""
    move = MOVES.get(step)
    if move is None:
        raise BadNotation(f"{ID}: {why(state, actor, step)}")
    if move.act == "deal":
        is_open, masked = move.seat in by, f"deal:?>{move.seat}"
    elif move.act == "gift":
        giver = (move.seat - 2) % state.table.seats
        is_open, masked = move.seat in by or giver in by, f"gift:?>{move.seat}"
    elif move.act in ("give", "recall"):
        is_open, masked = actor in by, f"{move.act}:?"
    elif move.boost == "shield":
        is_open, masked = actor in by, "?+shield"
    else:
        is_open, masked = True, ""
    if not is_open:
        return Step(masked)
    if HOLE in step:
        raise IllegalStep(f"{ID}: {step} hides a card that these seats see", hint="give it in full")
    return step


# --- Secrets at a table without a dealer ------------------------------------------------------


def _new_deck(state: State) -> tuple[str, ...]:
    if state.phase != "deal" or state.cards != _gathered(state.table.seats):
        return ()
    deck = ALL_CARDS[state.table.seats]
    return tuple(NAMES[kind] for kind in kinds(deck) for _ in range(count(deck, kind)))


def _drawn(state: State, card: str) -> str:
    return f"deal:{card}>{next_dealt(state)}" if state.phase == "deal" else ""


def _owed(state: State) -> tuple[tuple[Seat, int], ...]:
    if state.phase == "gift":
        return ((Seat(next_gift(state)[0]), 0),)
    if state.phase == "show":
        return ((Seat(player(state, shielded(state.cards.trick))), 0),)
    return ()


def _shown(state: State, pieces: tuple[str, ...]) -> str:
    (card,) = pieces
    return f"gift:{card}>{next_gift(state)[1]}" if state.phase == "gift" else f"show:{card}"


SECRETS: Final = Secrets(_new_deck, _drawn, _owed, _shown)
