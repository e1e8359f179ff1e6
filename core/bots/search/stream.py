"""The random draws of `random.Random` for loops that can be compiled.

Plain Python uses the generator itself. A compiled loop works on a copy of its state (Mersenne
Twister MT19937), draws the same numbers, and `give_back` then updates the generator.
"""

from __future__ import annotations

from operator import methodcaller
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from kumite.core.bots.fast import IS_PLAIN, LARGE, Ints, fast, numbers, unless

if TYPE_CHECKING:
    from random import Random

Draws: TypeAlias = Any  # a Random, or a state array
WORDS: Final = 624
SHIFT: Final = 397


def stream_of(rng: Random) -> Draws:
    """Return the source of draws: `rng` itself, or its state array for compiled loops."""
    return rng if IS_PLAIN else numbers(LARGE, rng.getstate()[1])


def give_back(rng: Random, stream: Draws) -> None:
    """Update the generator to the state that the loops have reached."""
    if stream is not rng:
        version, _, gauss = rng.getstate()
        rng.setstate((version, tuple(map(int, stream)), gauss))


@unless(methodcaller("random"))
def draw(stream: Draws) -> float:
    high = _word(stream) >> 5
    low = _word(stream) >> 6
    return (high * 67108864.0 + low) * (1.0 / 9007199254740992.0)


@fast
def _word(stream: Ints) -> int:
    if stream[WORDS] >= WORDS:
        _renew(stream)
    word = stream[stream[WORDS]]
    stream[WORDS] += 1
    word ^= word >> 11
    word ^= word << 7 & 0x9D2C5680
    word ^= word << 15 & 0xEFC60000
    return word ^ word >> 18


@fast
def _renew(stream: Ints) -> None:
    for index in range(WORDS):
        word = stream[index] & 0x80000000 | stream[(index + 1) % WORDS] & 0x7FFFFFFF
        odd = 0x9908B0DF if word & 1 else 0
        stream[index] = stream[(index + SHIFT) % WORDS] ^ word >> 1 ^ odd
    stream[WORDS] = 0
