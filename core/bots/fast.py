"""Helpers for loops that numba compiles if it is installed; otherwise plain Python runs them.

Functions marked `fast` use only integers, floats, loops, other `fast` functions and arrays: lists
in plain Python, numpy arrays when compiled. The choice is made when this module is imported, so
switching to compiled code means importing it and its users again (see `Compiler`). Code is written
twice, here and in search/, only where CPython has a faster built-in.
"""

from __future__ import annotations

from collections.abc import Callable, MutableSequence, Sequence
from operator import methodcaller
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from kumite.core.bots.base import Compiler

if TYPE_CHECKING:
    from random import Random


Ints: TypeAlias = MutableSequence[int]
Floats: TypeAlias = MutableSequence[float]
F = TypeVar("F", bound="Callable[..., Any]")
A = TypeVar("A")
TINY: Final = "u1"  # kinds of numbers, as numpy calls them: those from 0 to 255 of large tables,
SMALL: Final = "i4"  # most, of which there are many,
LARGE: Final = "i8"  # those above 2^31,
REAL: Final = "f8"  # and floats
_COMPILE: Final = Compiler.compile
_NUMPY: Final = Compiler.numpy
IS_PLAIN: Final = Compiler.compile is None


def fast(function: F) -> F:
    """Compile the function if a compiler is set; otherwise return it unchanged."""
    return function if _COMPILE is None else _COMPILE(function)


def unless(plain: Any) -> Callable[[F], F]:
    """Decorate a function that plain Python replaces by the faster `plain`."""
    return lambda function: plain if IS_PLAIN else fast(function)


def zeros(kind: str, size: int) -> Any:
    return [0] * size if IS_PLAIN else _NUMPY.zeros(size, kind)


def rows(kind: str, count: int, size: int) -> Any:
    return [[0] * size for _ in range(count)] if IS_PLAIN else _NUMPY.zeros((count, size), kind)


def numbers(kind: str, values: Sequence[float]) -> Any:
    return list(values) if IS_PLAIN else _NUMPY.array(values, kind)


def sets(values: Sequence[int]) -> Any:
    """Return an array of 64-bit sets; compiled, a set that contains 63 is negative."""
    return list(values) if IS_PLAIN else _NUMPY.array(values, "u8").view(LARGE)


def longer(array: A, size: int) -> A:
    """Return a copy of the array, extended with zeros to `size`."""
    found: Any = zeros(getattr(array, "dtype", REAL), size)
    found[: len(array)] = array  # type: ignore[arg-type]
    return found  # type: ignore[no-any-return]


@fast
def copy(source: Ints, target: Ints) -> None:
    """Copy `source` into `target`, which has the same length."""
    target[:] = source


@fast
def count(place: Ints, word: int, byte: int) -> int:
    """Return byte number `byte` of a word that packs small numbers."""
    return place[word] >> 8 * byte & 255


def _sort(array: Ints, size: int) -> None:
    array[:size] = sorted(array[:size])


@unless(_sort)
def sort(array: Ints, size: int) -> None:
    """Sort the first `size` numbers in ascending order."""
    for index in range(1, size):
        one, hole = array[index], index
        while hole and array[hole - 1] > one:
            array[hole] = array[hole - 1]
            hole -= 1
        array[hole] = one


# --- Sets of squares below 64 -----------------------------------------------------------------


@unless(int.bit_count)
def bits(places: int) -> int:
    """Return the number of squares in a set (SWAR popcount)."""
    places -= places >> 1 & 0x5555555555555555
    places = (places & 0x3333333333333333) + (places >> 2 & 0x3333333333333333)
    places = places + (places >> 4) & 0x0F0F0F0F0F0F0F0F
    return places * 0x0101010101010101 >> 56 & 0xFF


def _first_of(places: int) -> int:
    return (places & -places).bit_length() - 1


@unless(_first_of)
def first_of(places: int) -> int:
    """Return the lowest square of a set that is not empty."""
    return bits((places & -places) - 1)


# --- Draws ------------------------------------------------------------------------------------

# The draws of `random.Random`. Plain Python uses the generator itself. A compiled loop works on a
# copy of its state (Mersenne Twister MT19937), draws the same numbers, and `give_back` then updates
# the generator.
Draws: TypeAlias = Any  # a Random, or a state array
_STATE: Final = 624  # words of its state, which is followed by the number of words used
_SHIFT: Final = 397


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
    if stream[_STATE] >= _STATE:
        _renew(stream)
    word = stream[stream[_STATE]]
    stream[_STATE] += 1
    word ^= word >> 11
    word ^= word << 7 & 0x9D2C5680
    word ^= word << 15 & 0xEFC60000
    return word ^ word >> 18


@fast
def _renew(stream: Ints) -> None:
    for index in range(_STATE):
        word = stream[index] & 0x80000000 | stream[(index + 1) % _STATE] & 0x7FFFFFFF
        odd = 0x9908B0DF if word & 1 else 0
        stream[index] = stream[(index + _SHIFT) % _STATE] ^ word >> 1 ^ odd
    stream[_STATE] = 0
