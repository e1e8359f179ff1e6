"""What scenes show beside boards: cards, and a stage with figures. Data only; drawing/ draws it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Card:
    """A card as it lies on the table: `title` is a word at its top, `rank` stands in two corners.

    A card without a sprite and title is an empty place for one.
    """

    sprite: str = ""
    ink: str = "ink"  # of rank and title, by its name in a theme
    rank: str = ""
    title: str = ""
    note: str = ""  # a word at its foot
    copies: int = 1
    is_back: bool = False
    is_dim: bool = False  # it does not count now


@dataclass(frozen=True, slots=True)
class Figure:
    """Somebody on a stage."""

    sprite: str
    seat: int
    place: int  # of the planks, from 0 at the left
    is_turned: bool = False  # looks to the left


@dataclass(frozen=True, slots=True)
class Stage:
    """A bridge of planks, and who stands on it."""

    planks: tuple[str, ...]  # what is written on them
    figures: tuple[Figure, ...] = ()
    marked: frozenset[int] = frozenset()  # planks that are meant now


@dataclass(frozen=True, slots=True)
class Group:
    """Cards that lie together, with words below them."""

    cards: tuple[Card, ...]
    label: str = ""
    role: str = ""  # of the label


@dataclass(frozen=True, slots=True)
class Spread:
    """Groups of cards side by side on the table."""

    groups: tuple[Group, ...]
