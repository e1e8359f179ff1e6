"""Kitsune: why a step is illegal, in terms of the rules; for a view, as far as it shows.

The lists in rules.py define what is legal. These functions explain any other step of the phase.
They return an empty string only if the view cannot know: nobody can check whether a hidden hand
obeys a Black Kitsune. A view accepts a step in the form in which it is seen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from kumite.core.game import Actor, Step
from kumite.core.games.kitsune.state import (
    ALL_CARDS,
    CLAN,
    CLANS,
    COLOURS,
    HIDDEN,
    KATANA,
    MOVES,
    NAMES,
    NOBODY,
    OF_CLAN,
    ONE,
    TOKEN_OF,
    UNSEEN,
    UPRIGHT,
    Kind,
    Move,
    State,
    bound_to,
    count,
    kinds,
    next_dealt,
    next_gift,
    outside,
    player,
    shielded,
    targets,
)

STEP_DUE: Final = {  # by phase: what is to be done
    "lead": "the leader of the round must be named",
    "deal": "a card must be dealt",
    "give": "each seat is to give a card to a team mate",
    "gift": "a gift must be handed over",
    "play": "a card must be played",
    "show": "the shielded card must be turned up",
    "take": "a token must be taken",
}
FORMS: Final = {  # by phase: the form of steps, for when the legal ones are unknown
    "lead": "lead:0",
    "deal": "deal:b1>0",
    "give": "give:b4",
    "gift": "gift:b1>0",
    "play": "b4, katana:o5, o2+swap",
    "show": "show:b1",
    "take": "take:3>0",
}


def due(phase: str, steps: Sequence[Step]) -> str:
    """Describe the decision of a phase, with all steps without tokens and one with a token."""
    if phase not in STEP_DUE:
        return ""  # the match is over
    plain = [step for step in steps if not MOVES[step].boost and MOVES[step].act != "recall"]
    more = [step for step in steps if step not in plain][:1]
    return f"{STEP_DUE[phase]}: {', '.join([*plain, *more]) or FORMS[phase]}"


def _lead(state: State, actor: Actor, move: Move) -> str:
    if move.seat >= state.table.seats:
        return f"there is no seat {move.seat}"
    return _other_clan(int(actor), move.seat)


def _other_clan(chooser: int, seat: int) -> str:
    return f"seat {chooser} speaks for {CLANS[chooser % 2]}, but seat {seat} is {CLANS[seat % 2]}"


def _deal(state: State, actor: Actor, move: Move) -> str:
    seat = next_dealt(state)
    if move.seat != seat:
        return f"the next card goes to seat {seat}"
    if problem := _form(state, seat, move.card):
        return problem
    if move.card == UNSEEN or _may_come(state, move.card, NOBODY):
        return ""
    return f"no {NAMES[move.card]} is left in the deck"


def _give(state: State, actor: Actor, move: Move) -> str:
    seat = int(actor)
    return _form(state, seat, move.card) or _hand(state, seat, move.card)


def _gift(state: State, actor: Actor, move: Move) -> str:
    giver, taker = next_gift(state)
    gift = state.cards.gifts[giver]
    if move.seat != taker:
        return f"the next gift goes from seat {giver} to seat {taker}"
    if gift != UNSEEN:
        return f"seat {giver} gave {NAMES[gift]}, not {NAMES[move.card]}"
    if problem := _form(state, taker, move.card):
        return problem
    if move.card == UNSEEN or _may_come(state, move.card, giver):
        return ""
    return f"every {NAMES[move.card]} lies open, so seat {giver} cannot have given one"


def _play(state: State, actor: Actor, move: Move) -> str:
    seat, card = int(actor), move.card
    if move.boost == "shield" and card in UPRIGHT:
        return f"the shield cannot be played on a {UPRIGHT[card]}"
    if move.boost == "shield" and (problem := _form(state, seat, card)):
        return problem
    if problem := _hand(state, seat, card):
        return problem
    hand, clan = state.cards.hands[seat], bound_to(state)
    if clan != NOBODY and CLAN[card] != clan and hand & OF_CLAN[clan]:
        binder = player(state, len(state.cards.trick) - 1)
        return f"seat {seat} must play {COLOURS[clan]}: seat {binder} played a Black Kitsune"
    if move.boost and state.standing.held[seat] != TOKEN_OF[move.boost]:
        return _token(state, seat, TOKEN_OF[move.boost])
    return _target(state, seat, move.target) if card == KATANA else ""


def _target(state: State, seat: int, target: Kind) -> str:
    possible = targets(state, seat)
    if target == NOBODY:
        names = " or ".join(f"katana:{NAMES[kind]}" for kind in kinds(possible))
        return f"the Katana must destroy a number: {names}" if possible else ""
    if count(possible, target):
        return ""
    for index, laid in enumerate(state.cards.trick):
        if laid.card == target and laid.is_hit:
            return f"the {NAMES[target]} is destroyed already"
        if laid.card == target and player(state, index) == seat:
            return f"the {NAMES[target]} is seat {seat}'s own card"
    return f"no {NAMES[target]} lies face up in the trick"


def _token(state: State, seat: int, token: str) -> str:
    held = state.standing.held[seat]
    return f"seat {seat} holds {f'the {held} token, not the {token} token' if held else 'no token'}"


def _recall(state: State, actor: Actor, move: Move) -> str:
    seat, last = int(actor), state.cards.last
    if state.standing.held[seat] != "recall":
        return _token(state, seat, "recall")
    if not last:
        return "nothing to recall: this is the first trick since the cards were dealt"
    if problem := _form(state, seat, move.card):
        return problem
    return "" if move.card == UNSEEN else f"no {NAMES[move.card]} was in the last trick"


def _show(state: State, actor: Actor, move: Move) -> str:
    index = shielded(state.cards.trick)
    seat, card = player(state, index), state.cards.trick[index].card
    if card != UNSEEN:
        return f"another card lies under the shield of seat {seat}"
    if move.card in UPRIGHT:
        return f"a {UPRIGHT[move.card]} cannot have been played under the shield"
    if _may_come(state, move.card, seat):
        return ""
    return f"every {NAMES[move.card]} lies open, so none can lie under the shield"


def _take(state: State, actor: Actor, move: Move) -> str:
    if move.seat >= state.table.seats:
        return f"there is no seat {move.seat}"
    standing = state.standing
    if move.token in standing.available:
        return _other_clan(int(actor), move.seat)
    if move.token in standing.held:
        return f"seat {standing.held.index(move.token)} holds the {move.token} token"
    return f"the {move.token} token has been used in this round"


# --- What is hidden ---------------------------------------------------------------------------

_VEIL: Final = ONE[UNSEEN]  # a bag that is at least this has hidden cards


def _form(state: State, seat: int, card: Kind) -> str:
    """Refuse `?` for a card of a known hand, and a named card for a hidden hand."""
    hand = state.cards.hands[seat]
    if card == UNSEEN:
        return f"name the card: the hand of seat {seat} is known here" if 0 < hand < _VEIL else ""
    return f"write ? for the card: the hand of seat {seat} is hidden here" if hand >= _VEIL else ""


def _hand(state: State, seat: int, card: Kind) -> str:
    """Refuse a card that the hand of `seat` does not, or cannot, have."""
    hand = state.cards.hands[seat]
    if count(hand, card) or card == UNSEEN:
        return ""
    if not hand >> HIDDEN:
        return f"seat {seat} does not hold {NAMES[card]}"
    if _may_come(state, card, seat):
        return ""
    return f"every {NAMES[card]} lies open, so seat {seat} cannot have one"


def _may_come(state: State, card: Kind, seat: int) -> bool:
    """Return whether `card` can be among the hidden cards of `seat` (NOBODY: in the deck).

    It cannot if all its copies lie open. But the discards are a record that still includes a card
    fetched unseen. The fetching seat may still have it. If it has been played again, one copy is
    counted twice, and another can come from anywhere.
    """
    cards, copies = state.cards, ALL_CARDS[state.table.seats]
    known = outside(cards)
    if count(known, card) < count(copies, card):
        return True
    if cards.recalled is None or cards.recalled[1] != UNSEEN:
        return False
    known += ONE[UNSEEN]  # `outside` has subtracted it
    if any(count(known, kind) > count(copies, kind) for kind in range(UNSEEN)):
        return False  # then that kind was fetched
    fetcher, recorded = cards.recalled[0], count(cards.discard, card)
    if fetcher == seat or recorded == 0:
        return recorded > 0
    trick = enumerate(cards.trick)
    return recorded > 1 or any(c.card == card and player(state, i) == fetcher for i, c in trick)


AGAINST: Final[Mapping[str, Callable[[State, Actor, Move], str]]] = {
    "lead": _lead,
    "deal": _deal,
    "give": _give,
    "gift": _gift,
    "play": _play,
    "recall": _recall,
    "show": _show,
    "take": _take,
}
