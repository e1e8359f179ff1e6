"""Copy a frozen dataclass with some fields changed, as fast as its constructor; or a tuple.

Every step makes new positions, which are frozen dataclasses. `dataclasses.replace` takes more than
twice as long as a copy, and ten times as long for the ledger of a LAN match, which has many fields.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from dataclasses import replace as replace  # type checkers know its arguments by the class
else:

    def replace(value, /, **changes):
        """Return a copy of the dataclass `value` with fields changed; `__post_init__` is not run.

        Its class has no slots.

        Raises:
            TypeError: it has no such field, or it has cached a property, which would be copied too.
        """
        kind = value.__class__
        made = object.__new__(kind)
        known = made.__dict__
        known.update(value.__dict__)
        known.update(changes)
        if len(known) != len(kind.__dataclass_fields__):
            raise TypeError(f"{kind.__name__} has other fields than {', '.join(known)}")
        return made


T = TypeVar("T")


def put(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    new = [*items]
    new[index] = item
    return (*new,)
