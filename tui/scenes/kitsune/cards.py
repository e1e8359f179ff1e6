"""Kitsune as pictures: the climb of both clans, the trick or the gifts on the felt, cards."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from kumite.core.games.kitsune import rules as kitsune
from kumite.core.games.kitsune.state import (
    BLACK,
    CLAN,
    CLANS,
    COLOURS,
    KATANA,
    NAMES,
    NOBODY,
    TRICK,
    UNSEEN,
    VALUE,
    WHITE,
    Kind,
    Laid,
    State,
    bound_to,
    cards_of,
    deck_size,
    player,
    size,
)
from kumite.tui.scenes.kitsune.picture import (
    BOOST,
    SPECIALS,
    ahead,
    clan_sign,
    in_order,
    open_hands,
    trick_number,
)
from kumite.tui.scenes.pictures import Card, Climb, Group, Lane, Spread

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kumite.core.game import Seat
    from kumite.tui.look.glyphs import Look
    from kumite.tui.scenes.lines import Line, Span

_SPRITES: Final = {BLACK: "kitsune-black", WHITE: "kitsune-white", KATANA: "kitsune-katana"}
_INKS: Final = {BLACK: "violet", WHITE: "blue-dark", KATANA: "red"}
BACK: Final = Card("kitsune-back", is_back=True)


def card(kind: Kind, copies: int = 1, *, is_dim: bool = False, note: str = "") -> Card:
    """Return how a card looks; one that is not known shows its back."""
    if kind == UNSEEN:
        return BACK
    if kind in SPECIALS:
        return Card(
            _SPRITES[kind],
            _INKS[kind],
            title=SPECIALS[kind],
            note=note,
            copies=copies,
            is_dim=is_dim,
        )
    colour = COLOURS[CLAN[kind]]
    return Card(
        f"kitsune-{colour}",
        f"{colour}-dark",
        rank=str(VALUE[kind]),
        note=note,
        copies=copies,
        is_dim=is_dim,
    )


def climb(view: State, look: Look) -> Climb:
    """Return both clans on their way to the gate, and how many rounds each has won."""
    needed = view.table.wins
    lanes = []
    for clan, at in enumerate(view.standing.marks):
        won = view.standing.wins[clan]
        rounds: Line = (
            ("rounds ", "quiet"),
            (look.solid[0] * won, COLOURS[clan]),
            (look.hollow[0] * (needed - won), "quiet"),
        )
        sign = f" {CLANS[clan][0]} " if not look.has_kanji else clan_sign(clan, look)
        ink, sprite = COLOURS[clan], f"kitsune-climber-{CLANS[clan].lower()}"
        lanes.append(Lane(CLANS[clan], ink, ink, sprite, sign, at, rounds))
    return Climb(tuple(lanes), view.table.track, "kitsune-gate", look.city)


def spread(view: State, names: Sequence[str], look: Look, you: Seat | None) -> Spread:
    """Return what lies on the felt: the trick in the order of play, or the gifts.

    Hands that the view knows lie there for those who sit nowhere: readers of a replay.
    """
    hands = () if you is not None else tuple(_open_hands(view, names))
    if view.phase in ("give", "gift"):
        gifts = tuple(_gift(view, names, seat, you) for seat in range(len(names)))
        return Spread(gifts, hands=hands)
    places = range(TRICK[view.table.seats])
    return Spread(
        tuple(_laid(view, names, look, you, index) for index in places),
        _so_far(view, names),
        hands=hands,
    )


def _open_hands(view: State, names: Sequence[str]) -> Iterator[Group]:
    """Yield each hand that the view knows, copies side by side."""
    for seat, hand in open_hands(view):
        held = in_order(cards_of(hand))
        shown = tuple(replace(card(kind), name=NAMES[kind]) for kind in held)
        yield Group(shown, ((names[seat], COLOURS[seat % 2]),))


def _laid(view: State, names: Sequence[str], look: Look, you: Seat | None, index: int) -> Group:
    """Return one card of the trick, or the place for it, and who plays there."""
    trick = view.cards.trick
    seat = player(view, index) if view.standing.leader != NOBODY else index % view.table.seats
    is_due = view.phase == "play" and index == len(trick)
    name = _named(names, seat, you)
    label: Span = (f"{look.pointer} {name}" if is_due else name, COLOURS[seat % 2])
    if index < len(trick):
        laid = trick[index]
        return Group((_shown(laid),), (label, _noted(laid)))
    return Group(
        (Card(title=_due(view, seat, you) if is_due else "", ink="quiet", is_place=True),),
        (
            label,
            _holds(view, seat),
        ),
    )


def _named(names: Sequence[str], seat: int, you: Seat | None) -> str:
    return "you" if seat == you else names[seat]


def _shown(laid: Laid) -> Card:
    return card(laid.card, is_dim=laid.is_hit, note="cut" if laid.is_hit else "")


def _noted(laid: Laid) -> Span:
    """Say what was done with a card."""
    if laid.is_hit:
        return "destroyed", "loss"
    if laid.boost == "shield":
        return "shielded", "title"
    return (BOOST.get(laid.boost, f"+{laid.boost}"), "title") if laid.boost else ("", "")


def _holds(view: State, seat: int) -> Span:
    """Say how many cards a seat holds, and its token."""
    token = view.standing.held[seat]
    number = size(view.cards.hands[seat])
    said = f"{number} card{'s' * (number != 1)}"
    return (f"has +{token}", "title") if token else (said, "quiet")


def _due(view: State, seat: int, you: Seat | None) -> str:
    """Say what the seat is to play, for the empty place."""
    clan = bound_to(view)
    if seat != you:
        return "plays now"
    return "your card" if clan == NOBODY else f"{COLOURS[clan]} if you can"


def _so_far(view: State, names: Sequence[str]) -> tuple[Line, ...]:
    """Say what the trick comes to, who leads it, and what is left."""
    trick = view.cards.trick
    lines: list[Line] = []
    if view.phase in ("play", "show", "take"):
        lines.append(((f"trick {trick_number(view)}", "quiet"),))
    if trick:
        blue, orange = kitsune.totals(trick)
        swaps = sum((laid.card == WHITE) + (laid.boost == "swap") for laid in trick)
        hidden = " ?" * any(laid.card == UNSEEN for laid in trick)
        lines += [
            (("blue   ", "blue"), (str(blue) + hidden, "blue")),
            (("orange ", "orange"), (str(orange) + hidden, "orange")),
        ]
        lines += [(("swapped", "title"),)] * (swaps % 2)
        lines.append(((ahead(trick), "title"),))
    if view.table.seats == 2 and view.phase not in ("lead", "over"):
        lines.append(((f"{deck_size(view.table, view.cards)} to draw", "quiet"),))
    return tuple(lines)


def _gift(view: State, names: Sequence[str], seat: int, you: Seat | None) -> Group:
    """Return the card that a seat gives away, face down, and to whom."""
    gift = view.cards.gifts[seat]
    taker = _named(names, (seat + 2) % view.table.seats, you)
    place = Card(title="gift", ink="quiet", is_place=True)
    shown = place if gift == NOBODY else card(gift)
    return Group(
        (shown,), ((_named(names, seat, you), COLOURS[seat % 2]), (f"to {taker}", "quiet"))
    )
