"""What a step at Kitsune is good for, in words: the reasons of hints."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from kumite.core.games.kitsune import rules as kitsune
from kumite.core.games.kitsune.state import (
    BLACK,
    CLAN,
    CLANS,
    COLOURS,
    KATANA,
    MOVES,
    NOBODY,
    VALUE,
    WHITE,
    Laid,
    Move,
    State,
    bound_to,
    kinds,
)
from kumite.tui.scenes.kitsune import picture as lines
from kumite.tui.scenes.kitsune.picture import EFFECT, word

if TYPE_CHECKING:
    from kumite.core.game import Seat, Step


def why_good(view: State, seat: Seat, step: Step) -> str:
    """Say what a card comes to in the trick, or what it is kept or given for."""
    own, move = kitsune.view(view, frozenset({seat})), MOVES[step]
    match move.act:
        case "play":
            return _comes_to(own, seat, step) or _spends(own, seat, step)
        case "give":
            return _given(move, seat)
        case "recall":
            return f"a card more to choose from: the {word(move.card)}"
        case "take":
            return f"the {move.token} token is at hand then: {EFFECT[move.token]}"
    return ""


def _comes_to(own: State, seat: Seat, step: Step) -> str:
    """Return whether the trick wins round or match, moves a marker, or the clan is ahead."""
    trick, after = kitsune.trick_with(own, seat, MOVES[step]), kitsune.apply(own, seat, step)
    if after.phase == "show":
        return ""  # a hidden card decides
    if after.standing.tricks == own.standing.tricks:
        leads = lines.ahead(trick).startswith(CLANS[seat % 2])
        return f"{CLANS[seat % 2]} are ahead in this trick then" if leads else ""
    counted = counted_of(own, trick, after)
    if counted.clan == seat % 2:
        if counted.prize:
            return f"it wins the {counted.prize}"
        return f"{CLANS[counted.clan]} move {counted.now - counted.was} with this trick"
    return "nobody moves with this trick" if counted.clan == NOBODY else ""


def _spends(own: State, seat: Seat, step: Step) -> str:
    """Return what a card is good for that does not bring the clan ahead."""
    clan, move = seat % 2, MOVES[step]
    before, now = _lead(own.cards.trick, clan), _lead(kitsune.trick_with(own, seat, move), clan)
    if move.card == BLACK and bound_to(kitsune.apply(own, seat, step)) == clan:
        return f"whoever is next has to play {COLOURS[clan]}, if they can"
    if now > before:
        gap = f"{CLANS[clan]} are {-now} behind" if now else "both clans are even"
        return f"{gap} in this trick then, not {-before}" if before else gap
    plays = [MOVES[one] for one in kitsune.legal(own, seat) if MOVES[one].act == "play"]
    leads = {_lead(kitsune.trick_with(own, seat, one), clan) for one in plays}
    if now == max(leads) > min(leads):
        if not now:
            return "neither clan is ahead in this trick then"
        return f"no card leaves {CLANS[clan]} less behind in this trick: {-now}"
    return _keeps(own, seat, move)


def _lead(trick: tuple[Laid, ...], clan: int) -> int:
    """Return by how much a clan is ahead in a trick."""
    totals = kitsune.totals(trick)
    return totals[clan] - totals[1 - clan]


def _keeps(own: State, seat: Seat, move: Move) -> str:
    """Return what stays for later: a token, a special card, or the highest one of the clan."""
    token = own.standing.held[seat]
    if token and not move.boost:
        return f"it keeps the {token} token for later"
    hand = [card for card in kinds(own.cards.hands[seat]) if card != move.card]
    kept = [card for card in (BLACK, KATANA, WHITE) if card in hand]
    kept += sorted((one for one in hand if CLAN[one] == seat % 2), key=lambda one: -VALUE[one])
    return f"it keeps the {word(kept[0])} for later" if kept else ""


def _given(move: Move, seat: Seat) -> str:
    """Return what it is good for to give a card to a friend."""
    if CLAN[move.card] == seat % 2:
        return f"it counts {VALUE[move.card]} for {CLANS[seat % 2]} from another hand as well"
    if CLAN[move.card] == NOBODY:
        return f"a friend can use a {word(move.card)} as well"
    return f"one card less to play that counts for {CLANS[CLAN[move.card]]}"


class Count(NamedTuple):
    """How a trick was counted."""

    blue: int
    orange: int
    clan: int  # that moves, or NOBODY
    was: int  # where its marker stood
    now: int
    prize: str  # "round" or "match", if it has won that


def counted_of(before: State, trick: tuple[Laid, ...], after: State) -> Count:
    """Return how the complete `trick` was counted between the two positions."""
    blue, orange = kitsune.totals(trick)
    clan = 0 if blue > orange else 1
    old, new, table = before.standing, after.standing, before.table
    was, now, prize = old.marks[clan], new.marks[clan], ""
    if new.wins != old.wins:  # then markers may stand at 0 again
        now, prize = table.track, "match" if new.wins[clan] == table.wins else "round"
    is_still = any(laid.boost == "still" for laid in trick)
    return Count(blue, orange, NOBODY if blue == orange or is_still else clan, was, now, prize)
