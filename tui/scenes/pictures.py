"""Pictures of scenes without a board: cards, a climb, a stage with figures. Drawn by drawing/."""

from __future__ import annotations

from dataclasses import dataclass

from kumite.tui.scenes.lines import Line, Span


@dataclass(frozen=True, slots=True)
class Card:
    """A card on the table.

    `title` is the name at its top, `short` replaces it where there is no room; `rank` is in two
    corners instead.
    """

    sprite: str = ""
    ink: str = "ink"  # theme colour of rank and title
    rank: str = ""
    title: str = ""
    short: str = ""
    note: str = ""  # a word at the bottom
    note_role: str = ""  # on a plate of this role; "": written on the card
    copies: int = 1
    owner: int = 0  # the seat whose colours it has, if any
    is_back: bool = False
    is_dim: bool = False  # it does not count now
    is_cut: bool = False  # from corner to corner
    is_place: bool = False  # an empty place for a card
    is_turned: bool = False  # its picture faces left
    is_joined: bool = False  # the other half of the card at its left
    name: str = ""  # the part that chooses it, where the table shows the hand to other viewers
    sign: Span = ("", "")  # of a compared step, and its role


@dataclass(frozen=True, slots=True)
class Figure:
    """A person on a stage."""

    sprite: str
    seat: int
    place: int  # of the planks, from 0 at the left
    is_turned: bool = False  # faces left
    came_from: int | None = None  # the plank of its last path
    sign: str = ""  # of its owner, beside the number of its plank
    is_struck: bool = False  # shown in one light colour, with a cut through it


@dataclass(frozen=True, slots=True)
class Stage:
    """A bridge of planks, the figures on it, and text below: left, middle, right."""

    planks: tuple[str, ...]  # their labels
    figures: tuple[Figure, ...] = ()
    marked: frozenset[int] = frozenset()  # highlighted planks
    words: tuple[tuple[Line, Line, Line], ...] = ()  # the second row: the cards that lie open
    facts: tuple[Line, ...] = ()  # those that neither picture nor words show
    moments: tuple[tuple[Figure, ...], ...] = ()  # figures of the last motion, its end first


@dataclass(frozen=True, slots=True)
class Lane:
    """One climber's path."""

    label: str
    role: str  # of the label and the path
    sprite: str
    sign: str  # the climber in one or two characters
    at: int  # spaces climbed
    note: Line = ()


@dataclass(frozen=True, slots=True)
class Climb:
    """Lanes of equal length below each other, with a gate at their end, and text below."""

    lanes: tuple[Lane, ...]
    length: int
    gate: str  # a sprite
    sign: str  # the gate in one character
    below: tuple[Line, ...] = ()  # one row each; the first span is dropped if there is no room


@dataclass(frozen=True, slots=True)
class Group:
    """Adjacent cards, with rows of labels below them."""

    cards: tuple[Card, ...]
    labels: tuple[Span, ...] = ()
    backs: tuple[Card, ...] = ()  # the player's hidden hand, above where there is room
    is_last: bool = False  # laid by the last step


@dataclass(frozen=True, slots=True)
class Spread:
    """Groups of cards side by side, text at their side, open hands below."""

    groups: tuple[Group, ...]
    words: tuple[Line, ...] = ()
    spare: frozenset[int] = frozenset()  # numbers of their lines that little room leaves out
    is_silent: bool = False  # the words below a stage are hidden for now, but keep their rows
    is_told: bool = False  # the words stand elsewhere, so that none are below a stage
    hands: tuple[Group, ...] = ()  # open hands, each after its label
    score: Span = ("", "")  # in large letters below the words, and its role
