"""A position of Kitsune in words: markers and rounds, the trick or the gifts, tokens, your hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kumite.core.games.kitsune import rules as kitsune
from kumite.core.games.kitsune.state import (
    CLANS,
    COLOURS,
    HIDDEN,
    NOBODY,
    TOKENS,
    UNSEEN,
    WHITE,
    Bag,
    Laid,
    State,
    bound_to,
    count,
    deck_size,
    kinds,
    player,
    size,
)
from kumite.core.text import listed
from kumite.tui.scenes.kitsune.picture import BOOST, EFFECT, SPECIALS, ahead, trick_number, word
from kumite.tui.scenes.sentences import counted, joined

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kumite.core.game import Seat


def position(view: State, names: Sequence[str], you: Seat | None) -> Iterator[str]:
    """Yield how far both clans are, what lies on the table, and what `you` hold."""
    standing, table = view.standing, view.table
    for clan, name in enumerate(CLANS):
        whose = listed(names[clan::2])
        yield (
            f"{name}, {COLOURS[clan]}, {whose}: marker on {standing.marks[clan]} of "
            f"{table.track}, {counted(standing.wins[clan], 'round')} won of {table.wins}."
        )
    yield from _gifts(view, names) if view.phase in ("give", "gift") else _trick(view, names)
    others = (_holds(view, names, seat) for seat in range(len(names)) if seat != you)
    yield joined((*others, _pile(view)))
    used = [one for one in TOKENS if one not in standing.available and one not in standing.held]
    free = f"free tokens: {', '.join(standing.available) or 'none'}"
    yield f"{free}; used: {', '.join(used) or 'none'}.".capitalize()
    if gone := _bag(view.cards.discard):
        yield f"Gone: {gone}."
    if you is not None:
        yield from _own(view, you)


def _trick(view: State, names: Sequence[str]) -> Iterator[str]:
    laid, leader = view.cards.trick, view.standing.leader
    if leader == NOBODY or view.phase == "over":
        return
    said = [f"{names[player(view, index)]} {_laid(one)}" for index, one in enumerate(laid)]
    number = trick_number(view)
    yield f"Trick {number}, {names[leader]} leads: " + (joined(said) if said else "no card yet.")
    if laid:
        blue, orange = kitsune.totals(laid)
        swaps = sum((one.card == WHITE) + (one.boost == "swap") for one in laid)
        hidden = " and a hidden card" if any(one.card == UNSEEN for one in laid) else ""
        swapped = ", swapped" if swaps % 2 else ""
        yield f"So far blue {blue}, orange {orange}{swapped}{hidden}: {ahead(laid)}."
    clan = bound_to(view)
    if clan != NOBODY and view.phase == "play":
        yield f"Who can must play {COLOURS[clan]}."


def _laid(laid: Laid) -> str:
    said = f"lays {word(laid.card, 'a')}"
    if laid.boost:
        said += f" with {BOOST.get(laid.boost, laid.boost)}"
    return f"{said}, destroyed" if laid.is_hit else said


def _gifts(view: State, names: Sequence[str]) -> Iterator[str]:
    yield "Everybody gives a card away: " + joined(
        f"{names[seat]} to {names[(seat + 2) % view.table.seats]}"
        + ("" if gift == NOBODY else f" {word(gift, 'a')}")
        for seat, gift in enumerate(view.cards.gifts)
    )


def _holds(view: State, names: Sequence[str], seat: int) -> str:
    hand, token = view.cards.hands[seat], view.standing.held[seat]
    shown = "" if hand >> HIDDEN or not hand else f" ({_bag(hand)})"
    return f"{names[seat]} holds {counted(size(hand), 'card')}{shown}" + (
        f" and the token {token}" if token else ""
    )


def _pile(view: State) -> str:
    if view.table.seats != 2 or view.phase in ("lead", "over"):
        return ""
    return f"{counted(deck_size(view.table, view.cards), 'card')} to draw"


def _own(view: State, you: Seat) -> Iterator[str]:
    hand, token = view.cards.hands[you], view.standing.held[you]
    yield f"Your hand: {_bag(hand) or 'empty'}; {COLOURS[you % 2]} counts for you."
    if token:
        yield f"Your token: {token}, {EFFECT[token]}."


def _bag(bag: Bag) -> str:
    """Return cards in words, `blue 1 twice, orange 4`; those that are not known are not named."""
    if bag >> HIDDEN:
        return ""
    times = {1: "", 2: " twice"}
    found = []
    for card in sorted(kinds(bag), key=lambda card: (card in SPECIALS, card)):
        copies = count(bag, card)
        found.append(f"{word(card)}{times.get(copies, f' {copies} times')}")
    return ", ".join(found)
