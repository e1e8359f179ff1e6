"""Cards: paper with a rank in two corners and a picture, in four sizes; hands and backs. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from kumite.tui.drawing.pixels import half_blocks, joined
from kumite.tui.scenes.model import fit, width

if TYPE_CHECKING:
    from kumite.tui.drawing.squares import Brush
    from kumite.tui.scenes.model import Line, Span

SIZES: Final = ((18, 12), (13, 9), (9, 6), (5, 3))  # in cells, the largest first
EDGE: Final = 1  # columns of the pile under a card of which there are several


@dataclass(frozen=True, slots=True)
class Card:
    """A card as it lies on the table.

    `name` is what choosing it is called, "" if it cannot be chosen at all; `title` a word at its
    top, `rank` a number or a letter in two corners, `note` a word at its foot.
    """

    name: str
    sprite: str
    ink: str = "ink"  # of rank and title
    rank: str = ""
    title: str = ""
    note: str = ""
    copies: int = 1
    is_back: bool = False


class Lying(NamedTuple):
    """How a card lies: what the table says of it."""

    is_under_cursor: bool = False
    is_chosen: bool = False
    is_dim: bool = False  # it cannot be played now


def taken_columns(card: Card, size: tuple[int, int]) -> int:
    """Return how many columns a card takes, its pile included."""
    return size[0] + EDGE * (card.copies > 1)


@lru_cache(maxsize=2048)
def card_rows(card: Card, lying: Lying, brush: Brush, size: tuple[int, int]) -> tuple[Line, ...]:
    """Return the rows of a card; all of one width."""
    wide, high = size
    paper = "paper-dim" if lying.is_dim else "paper"
    edge = _edge(lying)
    rows = _face(card, brush, size, paper)
    if card.title or card.rank:
        rows[0] = _written(rows[0], card.title or card.rank, f"{_ink(card, lying)}/{paper}!", 1)
    if card.note or (card.rank and high > SIZES[-1][1] - 1):
        foot = card.note or card.rank
        at = 1 if card.note else wide - 1 - width(foot)
        ink = "note" if card.note else _ink(card, lying)
        rows[-1] = _written(rows[-1], foot, f"{ink}/{paper}{'' if card.note else '!'}", at)
    if edge:
        rows = [_edged(row, edge) for row in rows]
    if card.copies > 1:
        rows = [(*row, ("▐", "paper-dark/background")) for row in rows]
        middle = high // 2
        rows[middle] = (*rows[middle][:-1], (str(card.copies), "title/background!"))
    return tuple(rows)


def _ink(card: Card, lying: Lying) -> str:
    return "note" if lying.is_dim else card.ink


def _edge(lying: Lying) -> str:
    if lying.is_under_cursor:
        return "cursor"
    return "chosen-edge" if lying.is_chosen else ""


def _face(card: Card, brush: Brush, size: tuple[int, int], paper: str) -> list[Line]:
    """Return a card without anything written on it."""
    wide, high = size
    blank: Line = ((" " * wide, f"/{paper}"),)
    picture = None
    if brush.skin is not None and card.sprite and high > SIZES[-1][1]:
        room = (wide, 2 * high) if card.is_back else (wide - 2, 2 * (high - 2))
        picture = brush.skin.sprite(card.sprite).picture(*room)
    if picture is None:
        return [blank] * high
    if card.is_back:
        return list(half_blocks(picture, paper, wide, high))
    inner = half_blocks(picture, paper, wide, high - 2)
    return [blank, *inner, blank]


def _written(row: Line, text: str, ink: str, at: int) -> Line:
    """Return a row with a text written over it from a column on."""
    cells: list[Span] = [(one, role) for said, role in row for one in said]
    size = len(cells)
    text = fit(text, max(0, size - at)).rstrip()
    cells[at : at + width(text)] = [(text, ink)]
    return joined(cells)


def _edged(row: Line, color: str) -> Line:
    """Return a row with a stripe in a colour at both ends."""
    cells: list[Span] = [(one, role) for said, role in row for one in said]
    cells[0], cells[-1] = ("▌", f"{color}/paper"), ("▐", f"{color}/paper")
    return joined(cells)


# --- A hand -----------------------------------------------------------------------------------


def fitting(cards: tuple[Card, ...], columns: int, rows: int) -> tuple[int, int]:
    """Return the largest size in which cards lie side by side, a raised one included."""
    for size in SIZES:
        if row_columns(cards, size) <= columns and size[1] + 1 <= rows:
            return size
    return SIZES[-1]


def row_columns(cards: tuple[Card, ...], size: tuple[int, int]) -> int:
    """Return how many columns cards side by side take."""
    return sum(taken_columns(card, size) for card in cards) + max(0, len(cards) - 1)


def hand_rows(
    cards: tuple[Card, ...],
    lying: tuple[Lying, ...],
    brush: Brush,
    size: tuple[int, int],
    ground: str = "background",
) -> tuple[Line, ...]:
    """Return cards side by side on a ground; the one under the cursor is raised by a row."""
    rows: list[list[Span]] = [[] for _ in range(size[1] + 1)]
    for number, (card, how) in enumerate(zip(cards, lying, strict=True)):
        drawn = card_rows(card, how, brush, size)
        space: Line = ((" " * taken_columns(card, size), f"/{ground}"),)
        raised = how.is_under_cursor or how.is_chosen
        stack = (*drawn, space) if raised else (space, *drawn)
        for row, line in zip(rows, stack, strict=True):
            if number:
                row.append((" ", f"/{ground}"))
            row.extend(line)
    return tuple(joined(row) for row in rows)
