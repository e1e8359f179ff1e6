"""The stream of `random.Random` for compiled loops: the Mersenne twister, MT19937.

So a compiled search draws what a plain one draws from the same `Random`, which goes on after it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.core.bots.fast import LARGE, fast, numbers

if TYPE_CHECKING:
    from random import Random

    from kumite.core.bots.fast import Ints

WORDS: Final = 624
SHIFT: Final = 397


def stream_of(rng: Random) -> Ints:
    """Return the state of a generator: its words of 32 bits, and how many of them are used."""
    array: Ints = numbers(LARGE, rng.getstate()[1])
    return array


def give_back(rng: Random, stream: Ints) -> None:
    """Let a generator go on where the stream is."""
    version, _, gauss = rng.getstate()
    rng.setstate((version, tuple(map(int, stream)), gauss))


@fast
def draw(stream: Ints) -> float:
    """Return what `Random.random` would return next."""
    high = _word(stream) >> 5
    low = _word(stream) >> 6
    return (high * 67108864.0 + low) * (1.0 / 9007199254740992.0)


@fast
def below(stream: Ints, limit: int) -> int:
    """Return the number below `limit` by which `Random.choice` and `shuffle` would go on."""
    shift = 32
    while limit >> 32 - shift:
        shift -= 1
    found = _word(stream) >> shift
    while found >= limit:
        found = _word(stream) >> shift
    return found


@fast
def shuffle(stream: Ints, items: Ints, size: int) -> None:
    """Do to the first `size` items what `Random.shuffle` would."""
    for index in range(size - 1, 0, -1):
        other = below(stream, index + 1)
        items[index], items[other] = items[other], items[index]


@fast
def _word(stream: Ints) -> int:
    """Return the next 32 bits."""
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
    """Make all words anew."""
    for index in range(WORDS):
        word = stream[index] & 0x80000000 | stream[(index + 1) % WORDS] & 0x7FFFFFFF
        odd = 0x9908B0DF if word & 1 else 0
        stream[index] = stream[(index + SHIFT) % WORDS] ^ word >> 1 ^ odd
    stream[WORDS] = 0
