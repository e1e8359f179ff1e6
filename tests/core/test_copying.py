"""Copies of frozen values: the same as `dataclasses.replace` makes, and as strict about names."""

from __future__ import annotations

import dataclasses
from dataclasses import FrozenInstanceError, dataclass
from functools import cached_property

import pytest

from kumite.core.copying import replace


@dataclass(frozen=True)
class Stone:
    square: int
    name: str = ""
    marks: tuple[int, ...] = ()


STONE = Stone(3, "b4", (1, 2))


@pytest.mark.parametrize(
    "changes", [{}, {"square": 5}, {"name": "", "marks": ()}, {"square": 0, "name": "a1"}]
)
def test_a_copy_is_what_dataclasses_replace_makes(changes: dict[str, object]) -> None:
    expected = dataclasses.replace(STONE, **changes)
    copy = replace(STONE, **changes)
    assert copy == expected
    assert type(copy) is Stone
    assert hash(copy) == hash(expected)
    assert copy is not STONE
    assert Stone(3, "b4", (1, 2)) == STONE


def test_a_copy_is_frozen_too() -> None:
    with pytest.raises(FrozenInstanceError):
        replace(STONE, square=1).square = 2


def test_a_field_that_there_is_not_is_refused() -> None:
    with pytest.raises(TypeError, match="colour"):
        replace(STONE, square=1, colour=2)


@dataclass(frozen=True)
class Caching:
    square: int

    @cached_property
    def name(self) -> str:
        return str(self.square)


def test_what_a_value_has_cached_is_never_copied() -> None:
    one = Caching(3)
    assert replace(one, square=4).name == "4"
    assert one.name == "3"
    with pytest.raises(TypeError, match="name"):
        replace(one, square=4)
