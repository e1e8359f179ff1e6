"""What a step at Kitsu! is good for, in words: the reasons of hints.

What is in reach is what could be captured with the first step of a turn, in any season.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from kumite.core.games.kitsu import rules as kitsu
from kumite.core.games.kitsu.board import (
    ALL_SEASONS,
    NAMES,
    NOWHERE,
    REALM,
    SEASONS,
    set_of,
    squares_of,
)
from kumite.core.games.kitsu.position import TO_WIN, State
from kumite.tui.scenes.kitsu.words import (
    KIND_NAMES,
    PLURALS,
    flipped,
    in_words,
    kind_of,
    owner_of,
    settled,
)
from kumite.tui.scenes.sentences import reasons

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kumite.core.game import Seat, Step

MOST: Final = 2  # reasons that are told of a step that gains nothing at once
MOST_NAMED: Final = 3  # squares


def why_good(view: State, seat: Seat, step: Step) -> str:
    """Say what a step wins or gains, or what it is for."""
    way = kitsu.read(step)
    assert way is not None  # a legal step
    landed = kitsu.apply(view, seat, step)
    after = settled(landed)
    if after.reason and seat in after.winners:
        return "it wins the match"
    said = []
    if way.captures and owner_of(view, way.target) != view.seat:
        kind = kind_of(view, way.target)
        said.append(f"it captures {KIND_NAMES[kind]} {after.clans[seat].taken[kind]} of {TO_WIN}")
    if landed.owed and way.verb in "->":
        said.append(f"it crosses a border, which brings {landed.owed} to the hand")
    if way.verb == "@":
        left = sum(after.clans[seat].spirit + after.clans[seat].hand)
        said.append(f"{left} are left to place to win")
    if after.phase == "pounce" and view.phase != "pounce":
        said.append("it may then pounce")
    if not said and not after.reason:
        said = list(_quiet(view, seat, step, way, after))[:MOST]
    return reasons(said)


def _quiet(view: State, seat: Seat, step: Step, way: kitsu.Way, after: State) -> Iterator[str]:
    """Yield what a step that takes nothing is for."""
    foe = 1 - seat
    if way.verb == "+":
        yield from _taken(view, seat, way.kind)
        return
    if new := _in_reach(after, seat) & ~_in_reach(view, seat):
        yield f"{in_words(new, MOST_NAMED)} {'come' if new & (new - 1) else 'comes'} within reach"
    was, now = (_in_reach(state, foe).bit_count() for state in (view, after))
    if now < was:
        yield f"fewer of its own pieces are in the other clan's reach: {now or 'none'}, not {was}"
    if seasons := _seasons(after, seat) - _seasons(view, seat):
        yield f"it then has a piece in {' and '.join(sorted(seasons))}"
    if turned := flipped(view, after, way) & after.clans[foe].board:
        yield f"it flips {in_words(turned, MOST_NAMED)} of the other clan"
    if way.verb == "~" and owner_of(view, way.origin) == foe:
        yield f"a foe has to leave {NAMES[way.origin]}"
    if now >= was and now <= _least_left(view, seat, step, foe):
        yield f"no step leaves fewer pieces in the other clan's reach: {now or 'none'}"
    if after.turn == view.turn:
        yield "the turn goes on"
    elif way.target != NOWHERE and not _in_reach(after, foe) >> way.target & 1:
        yield f"{NAMES[way.target]} is out of the other clan's reach"


def _taken(view: State, seat: Seat, kind: int) -> Iterator[str]:
    """Yield what it is good for to take a piece of this kind to the hand."""
    clan, lost = view.clans[seat], view.clans[1 - seat].taken
    if lost[kind] < lost[1 - kind]:
        yield f"the other clan has taken fewer {PLURALS[kind]}, {lost[kind]} of {TO_WIN}"
    if not clan.hand[kind]:
        yield f"the hand has no other {KIND_NAMES[kind]}"
    elif clan.spirit[kind] > clan.spirit[1 - kind]:
        yield f"more {PLURALS[kind]} than {PLURALS[1 - kind]} are waiting"
    yield f"{sum(clan.spirit) - 1} are still waiting; whoever has placed all wins"


def _in_reach(view: State, seat: int) -> int:
    """Return the foes that a seat could capture with the first step of a turn."""
    turn = view.turn + (view.seat != seat)
    begun = replace(view, turn=turn, seasons=ALL_SEASONS, at=NOWHERE, used=0, owed=0)
    ways = (kitsu.read(step) for step in kitsu.legal(begun, begun.seat))
    targets = set_of({way.target for way in ways if way is not None and way.captures})
    return targets & view.clans[1 - seat].board


def _least_left(view: State, seat: Seat, step: Step, foe: int) -> int:
    """Return the fewest pieces that any other step leaves in reach of the other clan."""
    afters = (kitsu.apply(view, seat, one) for one in kitsu.legal(view, seat) if one != step)
    return min((_in_reach(one, foe).bit_count() for one in afters if not one.reason), default=0)


def _seasons(view: State, seat: Seat) -> set[str]:
    """Return the seasons in which a seat has a piece."""
    return {SEASONS[REALM[square]].title() for square in squares_of(view.clans[seat].board)}
