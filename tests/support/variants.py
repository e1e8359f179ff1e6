"""Values that differ from another one in one place; every field of it has its turn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any


def variants(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield values that differ from this one in one place each, and where that is."""
    if is_dataclass(value):
        for field in fields(value):
            for where, other in variants(getattr(value, field.name), f"{path}.{field.name}"):
                yield where, replace(value, **{field.name: other})
    elif isinstance(value, tuple):
        if value:
            yield f"{path}[+]", (*value, value[-1])
        for at, one in enumerate(value):
            for where, other in variants(one, f"{path}[{at}]"):
                yield where, (*value[:at], other, *value[at + 1 :])
    elif isinstance(value, int):
        yield path, value + 1
    elif isinstance(value, str):
        yield path, value + "x"
    else:
        assert isinstance(value, bytes)
        yield path, value[:-1] + bytes([value[-1] ^ 1]) if value else b"x"
