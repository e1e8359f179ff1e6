"""Mini-Kuzushi with nothing but integers: the baseline of `kumite bench`.

It has no states, texts or checks, so it shows the top speed of Python on this machine. Ratios to it
are comparable between machines. The rules are those of mk6.py.
"""

from __future__ import annotations

from typing import Final

SIZE: Final = 6
SQUARES: Final = SIZE * SIZE
AROUND: Final = tuple(
    tuple(
        r * SIZE + c
        for r, c in ((row + 1, column), (row, column + 1), (row - 1, column), (row, column - 1))
        if 0 <= r < SIZE and 0 <= c < SIZE
    )
    for row in range(SIZE)
    for column in range(SIZE)
)
NEAR: Final = tuple(sum(1 << square for square in around) for around in AROUND)
ALL: Final = (1 << SQUARES) - 1
LEFT: Final = sum(1 << row * SIZE for row in range(SIZE))
RIGHT: Final = LEFT << (SIZE - 1)
FIRST_X: Final = 2463534242  # the xorshift32 state at the start of every measurement


def beside(cards: int) -> int:
    """Return the squares orthogonally adjacent to `cards`, possibly including some of `cards`."""
    return (cards << SIZE | cards >> SIZE | (cards & ~RIGHT) << 1 | (cards & ~LEFT) >> 1) & ALL


def xorshift32(x: int) -> int:
    """Return the next number of the generator shared by all ports."""
    x ^= x << 13 & 0xFFFFFFFF
    x ^= x >> 17
    return x ^ (x << 5 & 0xFFFFFFFF)


def playouts(matches: int) -> tuple[int, int, int, int, int]:
    """Play random matches; return steps, wins of seat 0 and of seat 1, draws and a checksum."""
    x, check, total = FIRST_X, 0, 0
    wins = [0, 0, 0]
    for _ in range(matches):
        mine = theirs = my_flags = their_flags = 0  # of the seat to act, and of the other
        steps = 0
        while True:
            cards = mine | theirs | my_flags | their_flags
            if cards == ALL:
                break
            left = (beside(cards) & ~cards | my_flags) if cards else ALL
            choices = []
            while left:
                low = left & -left
                choices.append(low.bit_length() - 1)
                left ^= low
            x = xorshift32(x)
            square = choices[x % len(choices)]
            mine |= 1 << square
            my_flags &= ~mine
            for n in AROUND[square]:
                bit = 1 << n
                if not (mine | theirs) & bit:
                    near = NEAR[n]
                    more = (near & mine).bit_count() - (near & theirs).bit_count()
                    my_flags = my_flags | bit if more > 0 else my_flags & ~bit
                    their_flags = their_flags | bit if more < 0 else their_flags & ~bit
            check = (check * 31 + square + 1) & 0xFFFFFFFF
            steps += 1
            mine, theirs, my_flags, their_flags = theirs, mine, their_flags, my_flags
        total += steps
        lead = (mine | my_flags).bit_count() - (theirs | their_flags).bit_count()
        if steps % 2:  # seat 1 is to act: `mine` is seat 1's
            lead = -lead
        wins[0 if lead > 0 else 1 if lead < 0 else 2] += 1
    return total, wins[0], wins[1], wins[2], check
