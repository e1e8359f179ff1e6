"""Inner loops that a compiler can take, and which run as plain Python until one is given.

What is marked `fast` keeps to integers, floats, loops, `fast` functions of its module and arrays:
lists, or numpy's where it is compiled. Whoever wants it compiled gives a compiler first and then
imports the modules that use it, which nobody else does (tui/bots/kernels.py). The models search in
plain Python unless `is_ready` says that a game's have been compiled and tried.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeAlias, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, MutableSequence, Sequence

    Ints: TypeAlias = MutableSequence[int]
    Floats: TypeAlias = MutableSequence[float]

F = TypeVar("F", bound="Callable[..., Any]")
A = TypeVar("A")
TINY: Final = "u1"  # kinds of numbers, as numpy calls them: those from 0 to 255 of large tables,
SMALL: Final = "i4"  # most, of which there are many,
LARGE: Final = "i8"  # those above 2^31,
REAL: Final = "f8"  # and floats


class Compiler:
    """What compiles; one for the whole process."""

    ready: ClassVar[set[str]] = set()  # games whose models are to use what is compiled
    compile: Callable[[Any], Any] | None = None  # a function, to one that does the same faster
    numpy: Any = None


def is_ready(game_id: str) -> bool:
    """Return whether a game's model is to use what is compiled."""
    return game_id in Compiler.ready


def fast(function: F) -> F:
    """Return the function compiled, or as it is where no compiler is given."""
    return function if Compiler.compile is None else Compiler.compile(function)


def zeros(kind: str, size: int) -> Any:
    """Return an array of zeros."""
    return [0] * size if Compiler.numpy is None else Compiler.numpy.zeros(size, kind)


def rows(kind: str, count: int, size: int) -> Any:
    """Return an array of so many arrays of zeros."""
    if Compiler.numpy is None:
        return [[0] * size for _ in range(count)]
    return Compiler.numpy.zeros((count, size), kind)


def numbers(kind: str, values: Sequence[float]) -> Any:
    """Return an array of these numbers."""
    return list(values) if Compiler.numpy is None else Compiler.numpy.array(values, kind)


def sets(values: Sequence[int]) -> Any:
    """Return an array of sets of numbers below 64; compiled, one with 63 in it is negative."""
    if Compiler.numpy is None:
        return list(values)
    return Compiler.numpy.array(values, "u8").view(LARGE)


def longer(array: A, size: int) -> A:
    """Return a copy of an array with zeros at its end."""
    found: Any = zeros(getattr(array, "dtype", REAL), size)
    found[: len(array)] = array  # type: ignore[arg-type]
    return found  # type: ignore[no-any-return]
