"""Kitsu!: the board, its seasons, and the paths of pieces.

A square is `file * 8 + rank`, both from 0 (a1 is 0, a2 is 1, h8 is 63), so that ascending squares
are sorted by name. A set of squares is an int with these bits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Final

SEASONS: Final = ("spring", "summer", "autumn", "winter")  # clockwise; a realm is an index (A1)
ALL_SEASONS: Final = (0, 1, 2, 3)
NOWHERE: Final = -1

_PLACES: Final = tuple((file, rank) for file in range(8) for rank in range(8))
NAMES: Final = tuple(f"{'abcdefgh'[file]}{rank + 1}" for file, rank in _PLACES)
SQUARES: Final = {name: square for square, name in enumerate(NAMES)}
REALM: Final = tuple(int(rank > 3) if file < 4 else 3 - int(rank > 3) for file, rank in _PLACES)
TWINS: Final = tuple(  # ascending (A4)
    tuple(sorted((square ^ 4, square ^ 32, square ^ 36))) for square in range(64)
)

_SIDES: Final = ((0, 1), (1, 0), (0, -1), (-1, 0))
_CORNERS: Final = ((1, 1), (1, -1), (-1, -1), (-1, 1))  # opposite corners are two apart


def set_of(squares: Iterable[int]) -> int:
    places = 0
    for square in squares:
        places |= 1 << square
    return places


def squares_of(places: int) -> Iterator[int]:
    """Yield the squares of a set, ascending (and so sorted by name)."""
    while places:
        lowest = places & -places
        yield lowest.bit_length() - 1
        places ^= lowest


def _ray(square: int, right: int, up: int) -> tuple[int, ...]:
    """Return the squares from `square` to the edge, in order, without `square`."""
    file, rank = _PLACES[square]
    squares = []
    while 0 <= (file := file + right) < 8 and 0 <= (rank := rank + up) < 8:
        squares.append(file * 8 + rank)
    return tuple(squares)


_COURSES: Final = tuple(tuple(_ray(s, *side) for side in _SIDES) for s in range(64))
RAYS: Final = tuple(tuple(_ray(s, *corner) for corner in _CORNERS) for s in range(64))


def _leaps_from(square: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield each leap's end and path: two squares straight on, the third to the second's side."""
    for side, course in enumerate(_COURSES[square]):
        for second in course[1:2]:
            for turned in (side - 1, side - 3):  # the two perpendicular sides
                for third in _COURSES[second][turned][:1]:
                    yield third, (course[0], second, third)


LEAPS: Final = tuple(dict(_leaps_from(square)) for square in range(64))  # by square: end, path
LANDINGS: Final = tuple(set_of(leaps) for leaps in LEAPS)
TRACKS: Final = tuple(  # by square: all squares of all leaps (A8)
    set_of(square for path in leaps.values() for square in path) for leaps in LEAPS
)
LINES: Final = tuple(  # by square: the rest of each of its two diagonals
    (set_of(rays[0] + rays[2]), set_of(rays[1] + rays[3])) for rays in RAYS
)
_ACROSS_SIDES: Final = tuple(set_of(c[0] for c in courses if c) for courses in _COURSES)
_ACROSS_CORNERS: Final = tuple(set_of(ray[0] for ray in rays if ray) for rays in RAYS)
BESIDE: Final[Mapping[int, tuple[int, ...]]] = {  # by option `adjacent`, then by square (A3)
    4: _ACROSS_SIDES,
    8: tuple(s | c for s, c in zip(_ACROSS_SIDES, _ACROSS_CORNERS, strict=True)),
}
_IN_REALM: Final = tuple(set_of(s for s in range(64) if REALM[s] == realm) for realm in ALL_SEASONS)
# The squares in each possible value of `seasons`: all, none, or some consecutive ones.
OPEN: Final = {
    order: sum(_IN_REALM[realm] for realm in order)
    for order in (
        ALL_SEASONS,
        (),
        *(tuple((first + i) % 4 for i in range(n)) for first in range(4) for n in (1, 2, 3)),
    )
}


def path_of(origin: int, target: int) -> tuple[int, ...]:
    """Return the squares of the slide or leap to `target`, without `origin`; () if impossible."""
    for ray in RAYS[origin]:
        if target in ray:
            return ray[: ray.index(target) + 1]
    return LEAPS[origin].get(target, ())


def crossings(origin: int, path: tuple[int, ...]) -> int:
    """Count the steps of a path that cross into the next realm clockwise (A5)."""
    return sum((REALM[b] - REALM[a]) % 4 == 1 for a, b in pairwise((origin, *path)))
