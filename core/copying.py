"""Copy a frozen dataclass with some fields changed, as fast as its constructor; or a tuple.

Every step makes new positions, which are frozen dataclasses. `dataclasses.replace` takes more than
twice as long as a constructor with positional arguments, and ten times as long for the ledger of a
LAN match, which has many fields.
"""

from __future__ import annotations

from dataclasses import fields, make_dataclass
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable
    from dataclasses import replace as replace  # type checkers know its arguments by the class
else:

    def replace(value, /, **changes):
        """Return a copy of the dataclass `value` with fields changed; `__post_init__` is not run.

        Raises:
            AttributeError: it has no such field.
            TypeError: its class has no slots but caches properties, which would be copied too.
        """
        kind = value.__class__
        fields_of, draft = _DRAFTS[kind]
        if draft is None:
            if unknown := changes.keys() - fields_of:
                raise AttributeError(f"{kind.__name__} has no field {', '.join(unknown)}")
            made = object.__new__(kind)
            made.__dict__.update(value.__dict__)
            made.__dict__.update(changes)
            return made
        made = draft(*fields_of(value))
        for name in changes:
            setattr(made, name, changes[name])
        made.__class__ = kind  # frozen from here on
        return made


T = TypeVar("T")


class _Drafts(dict[type, "tuple[Callable[[Any], Any] | frozenset[str], type | None]"]):
    """By class: a getter of all its fields, and a writable class with the same slots.

    Writing is fast there; the constructor of a frozen class looks up each slot by name. For a class
    without slots: the names of its fields, and None.
    """

    def __missing__(self, kind: type) -> tuple[Callable[[Any], Any] | frozenset[str], type | None]:
        names = [field.name for field in fields(kind)]
        found: tuple[Callable[[Any], Any] | frozenset[str], type | None]
        if not any("__slots__" in vars(one) for one in kind.__mro__):
            if any(isinstance(one, cached_property) for one in vars(kind).values()):
                raise TypeError(f"{kind.__name__} caches properties")
            found = frozenset(names), None
        else:
            draft = make_dataclass(f"{kind.__name__}Draft", names, slots=True)
            read = attrgetter(*names) if names[1:] else lambda one: (getattr(one, names[0]),)
            found = read, draft
        self[kind] = found
        return found


_DRAFTS = _Drafts()


def put(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    new = [*items]
    new[index] = item
    return (*new,)
