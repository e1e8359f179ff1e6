"""How near a win is, on arrays: what worth.py and reach.py say, once more for a compiler."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from kumite.core.bots.fast import LARGE, fast, zeros
from kumite.core.bots.kitsu.kernel import (
    AT,
    BESIDE,
    BETWEEN,
    HAND,
    LANDINGS,
    LEFT,
    NEAR,
    NOW,
    OVER,
    PURSE,
    RULES,
    SHOWN,
    SPIRIT,
    TAKEN,
    USED,
    WON,
    beside,
    bits,
    count,
    first_of,
    open_of,
    pair,
    seat_of,
    slides,
)
from kumite.core.bots.kitsu.reach import BEYOND, CAPTURE, MADE
from kumite.core.bots.kitsu.worth import BOARD, PLACED
from kumite.core.bots.kitsu.worth import HAND as HELD
from kumite.core.bots.kitsu.worth import TAKEN as CAUGHT
from kumite.core.bots.search.turns import WIN
from kumite.core.bots.search.ways import OUT, mixed_with
from kumite.core.games.kitsu.position import FOX, SPIRITS, TO_WIN

if TYPE_CHECKING:
    from kumite.core.bots.fast import Ints

Aims: TypeAlias = tuple[int, int, int, int, int, int]
"""By way to win: how many captures it lacks, and the set of squares with the pieces for it."""
DEEPEST: Final = 64  # landings of a Fox: each but the last is beside a friend not used before
SLOTS: Final = 1 << 12  # of what has been seen of one Fox's ways


class Chain(NamedTuple):
    """A leap and its pounces: what is open by depth, and what has been seen."""

    open: Ints  # four numbers by depth: friends, what is taken and used, landings to look at
    seen: Ints  # five by slot: which search wrote there, square and the first three
    at: Ints  # the number of the search, and how much it has seen


def chain_of() -> Chain:
    """Return room to follow a Fox."""
    return Chain(zeros(LARGE, 4 * DEEPEST), zeros(LARGE, 5 * SLOTS), zeros(LARGE, 2))


@fast
def value(place: Ints, side: int) -> float:
    """Return how good the position is for a side."""
    over = count(place, NOW, OVER)
    if over == 0:
        return worth(place, side) - worth(place, 1 - side)
    if over != WON:
        return 0.0
    return WIN if seat_of(place) == side else -WIN


@fast
def worth(place: Ints, seat: int) -> float:
    """Return what a clan has made so far."""
    held = pair(place, PURSE + seat, HAND)
    placed = 2 * SPIRITS - pair(place, PURSE + seat, SPIRIT) - held
    return (
        CAUGHT[count(place, PURSE + seat, TAKEN)]
        + CAUGHT[count(place, PURSE + seat, TAKEN + FOX)]
        + PLACED * placed * placed / 2
        + HELD * held
        + BOARD * bits(place[seat])
    )


# --- A win by captures ------------------------------------------------------------------------


@fast
def aims_of(place: Ints) -> Aims:
    """Return the ways to win by captures: four Samurai, four Foxes, or all that there are."""
    seat = seat_of(place)
    purse, foe = PURSE + seat, place[1 - seat]
    samurai = foe & place[SHOWN]
    foxes = foe ^ samurai
    lack = TO_WIN - count(place, purse, TAKEN)
    lack_foxes = TO_WIN - count(place, purse, TAKEN + FOX)
    return lack, samurai, lack_foxes, foxes, bits(foe), foe


@fast
def is_enough(reached: int, aims: Aims) -> bool:
    """Return whether so many of the pieces for a win stand on these squares."""
    return (
        bits(reached & aims[1]) >= aims[0]
        or bits(reached & aims[3]) >= aims[2]
        or bits(reached & aims[5]) >= aims[4]
    )


@fast
def hope(place: Ints) -> float:
    """Return how far the turn's clan is from winning in this turn, OUT if it cannot."""
    purse = PURSE + seat_of(place)
    left, is_moving = count(place, NOW, LEFT), count(place, NOW, AT) != BETWEEN
    waiting = pair(place, purse, HAND) + pair(place, purse, SPIRIT)
    if left < 2 - int(is_moving) and waiting > left:
        return OUT
    aims = aims_of(place)
    reached = 0 if is_moving else reached_in(place)
    beyond, lacks = 100, 100
    for way in range(0, 6, 2):
        beyond = min(beyond, aims[way] - bits(reached & aims[way + 1]))
        lacks = min(lacks, aims[way])
    return MADE * (4 - left) + CAPTURE * lacks + BEYOND * max(0, beyond)


@fast
def reached_in(place: Ints) -> int:
    """Return the squares that slides with a capture, and leaps with all their pounces, come to."""
    friends, pieces, reached = place[seat_of(place)], place[0] | place[1], 0
    ready = friends & open_of(place)
    left = ready & place[SHOWN]
    while left:
        _, hits = slides(first_of(left), pieces)
        reached |= hits
        left &= left - 1
    foxes = ready & ~place[SHOWN]
    if foxes:
        reached |= leaped(count(place, RULES, NEAR), friends & ~place[USED], foxes)
    return reached


@fast
def leaped(near: int, unused: int, foxes: int) -> int:
    """Return the squares that Foxes can come to in one move if they pounce as often as they can."""
    stations, reached, done, new = 0, 0, foxes, foxes
    while unused:
        stations |= BESIDE[near + first_of(unused)]
        unused &= unused - 1
    while new:
        while new:
            reached |= LANDINGS[first_of(new)]
            new &= new - 1
        new = reached & stations & ~done
        done |= new
    return reached


@fast
def can_finish(place: Ints, chain: Chain) -> bool:
    """Return whether one move, or the rest of one, wins by its captures."""
    aims, at = aims_of(place), count(place, NOW, AT)
    friends, pieces = place[seat_of(place)], place[0] | place[1]
    unused = friends & ~place[USED]
    if at != BETWEEN:
        if place[SHOWN] >> at & 1 or (beside(place, at) & unused) == 0:
            return False
        return is_chained(place, aims, at, chain)
    ready = friends & open_of(place)
    wanted = 0
    for way in range(0, 6, 2):
        wanted |= aims[way + 1] if aims[way] == 1 else 0
    left = ready & place[SHOWN] if wanted else 0
    while left:
        _, hits = slides(first_of(left), pieces)
        if hits & wanted:
            return True
        left &= left - 1
    foxes = ready & ~place[SHOWN]
    if foxes == 0 or not is_enough(leaped(count(place, RULES, NEAR), unused, foxes), aims):
        return False
    while foxes:
        if is_chained(place, aims, first_of(foxes), chain):
            return True
        foxes &= foxes - 1
    return False


# --- One Fox ----------------------------------------------------------------------------------


@fast
def is_chained(place: Ints, aims: Aims, fox: int, chain: Chain) -> bool:
    """Return whether this Fox wins in its move, by whichever way it takes."""
    near, bit, used = count(place, RULES, NEAR), 1 << fox, place[USED]
    friends = place[seat_of(place)] & ~bit
    if count(place, NOW, AT) != BETWEEN:
        used |= BESIDE[near + fox] & friends
    if not is_enough(leaped(near, friends & ~used, bit), aims):
        return False
    chain.at[0] += 1
    chain.at[1] = 0
    come(chain, 0, (fox, friends, 0, used))
    depth, foes, stack = 0, aims[5], chain.open
    while depth >= 0:
        friends, taken, used = stack[depth], stack[depth + 1], stack[depth + 2]
        targets = stack[depth + 3]
        if targets == 0:
            depth -= 4
            continue
        hits = targets & foes & ~taken  # first, as they win sooner
        first = hits if hits else targets
        bit = first & -first
        stack[depth + 3] = targets ^ bit
        reached = taken | bit & foes
        if hits and is_enough(reached, aims):
            return True
        friends &= ~bit
        station = BESIDE[near + first_of(bit)] & friends
        if station & ~used == 0:
            continue
        used = used & friends | station
        if is_enough(reached | leaped(near, friends & ~used, bit), aims):
            way = (first_of(bit), friends, reached, used)
            if is_new(chain, way):
                depth += 4
                come(chain, depth, way)
    return False


@fast
def come(chain: Chain, at: int, way: tuple[int, int, int, int]) -> None:
    """Open what a Fox can do where it has come to: its square, friends, what it took and used."""
    for part in range(1, 4):
        chain.open[at + part - 1] = way[part]
    chain.open[at + 3] = LANDINGS[way[0]]


@fast
def is_new(chain: Chain, way: tuple[int, int, int, int]) -> bool:
    """Return whether this was not seen, and keep it; what there is no room for may be new again."""
    mixed = way[0]
    for part in range(1, 4):
        mixed = mixed_with(mixed, way[part])
    slot = mixed & SLOTS - 1
    seen = chain.seen
    while seen[5 * slot] == chain.at[0]:
        same = 0
        for part in range(4):
            same += int(seen[5 * slot + 1 + part] == way[part])
        if same == 4:
            return False
        slot = slot + 1 & SLOTS - 1
    if 2 * chain.at[1] < SLOTS:
        chain.at[1] += 1
        seen[5 * slot] = chain.at[0]
        for part in range(4):
            seen[5 * slot + 1 + part] = way[part]
    return True
