"""What scenes show beside boards: cards, a climb, a stage with figures. Data; drawing/ draws it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kumite.tui.scenes.lines import Line, Span


@dataclass(frozen=True, slots=True)
class Card:
    """A card as it lies on the table.

    `title` is a word at its top, `rank` stands in two corners instead.
    """

    sprite: str = ""
    ink: str = "ink"  # of rank and title, by its name in a theme
    rank: str = ""
    title: str = ""
    note: str = ""  # a word at its foot
    copies: int = 1
    owner: int = 0  # the seat in whose colours it is drawn, where it has any
    is_back: bool = False
    is_dim: bool = False  # it does not count now
    is_place: bool = False  # no card lies there yet
    is_joined: bool = False  # it is the other half of the card at its left
    name: str = ""  # by which it is chosen, where the table shows it to those who do not choose
    sign: Span = ("", "")  # of one of two steps that are compared, and its role


@dataclass(frozen=True, slots=True)
class Figure:
    """Somebody on a stage."""

    sprite: str
    seat: int
    place: int  # of the planks, from 0 at the left
    is_turned: bool = False  # looks to the left


@dataclass(frozen=True, slots=True)
class Stage:
    """A bridge of planks, who stands on it, and what is said below: at the left, middle, right."""

    planks: tuple[str, ...]  # what is written on them
    figures: tuple[Figure, ...] = ()
    marked: frozenset[int] = frozenset()  # planks that are meant now
    words: tuple[tuple[Line, Line, Line], ...] = ()


@dataclass(frozen=True, slots=True)
class Lane:
    """One climber's way."""

    label: str
    role: str  # of the label and the way, by its name in the roles
    ink: str  # of the climber, by its name in a theme
    sprite: str
    sign: str  # what stands for the climber in one character or two
    at: int  # spaces climbed
    note: Line = ()


@dataclass(frozen=True, slots=True)
class Climb:
    """Lanes of equal length, one below the other, with a gate at their end."""

    lanes: tuple[Lane, ...]
    length: int
    gate: str  # a sprite
    sign: str  # what stands for the gate in one character


@dataclass(frozen=True, slots=True)
class Group:
    """Cards that lie together, with words in rows below them."""

    cards: tuple[Card, ...]
    labels: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Spread:
    """Groups of cards side by side on the table, words beside them, open hands below."""

    groups: tuple[Group, ...]
    words: tuple[Line, ...] = ()
    before_words: int | None = None  # groups at the left of the words; None: all, words at the edge
    is_silent: bool = False  # the words are not to be read yet: their place stays empty
    hands: tuple[Group, ...] = ()  # that lie open, each behind its label
