"""Cards: paper with a rank in two corners and a picture, in four sizes; hands and backs. Pure."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from kumite.tui.drawing.pixels import half_blocks, joined, written
from kumite.tui.scenes.model import fit, width

if TYPE_CHECKING:
    from kumite.tui.drawing.squares import Brush
    from kumite.tui.scenes.model import Line, Span
    from kumite.tui.scenes.pictures import Card, Spread

SIZES: Final = ((18, 12), (13, 9), (9, 6), (5, 3))  # in cells, the largest first
EDGE: Final = 1  # columns of the pile under a card of which there are several


class Lying(NamedTuple):
    """How a card lies: what the table says of it."""

    is_under_cursor: bool = False
    is_chosen: bool = False


def taken_columns(card: Card, size: tuple[int, int]) -> int:
    """Return how many columns a card takes, its pile included."""
    return size[0] + EDGE * (card.copies > 1)


@lru_cache(maxsize=2048)
def card_rows(card: Card, lying: Lying, brush: Brush, size: tuple[int, int]) -> tuple[Line, ...]:
    """Return the rows of a card; all of one width."""
    wide, high = size
    paper = "paper-dim" if card.is_dim else "paper"
    edge = _edge(lying)
    rows = _face(card, brush, size, paper)
    if card.title or card.rank:
        rows[0] = written(rows[0], card.title or card.rank, f"{_ink(card)}/{paper}!", 1)
    if card.note or (card.rank and high > SIZES[-1][1] - 1):
        foot = card.note or card.rank
        at = 1 if card.note else wide - 1 - width(foot)
        ink = "note" if card.note else _ink(card)
        rows[-1] = written(rows[-1], foot, f"{ink}/{paper}{'' if card.note else '!'}", at)
    if edge:
        rows = [_edged(row, edge) for row in rows]
    if card.copies > 1:
        rows = [(*row, ("▐", "paper-dark/background")) for row in rows]
        middle = high // 2
        rows[middle] = (*rows[middle][:-1], (str(card.copies), "title/background!"))
    return tuple(rows)


def _ink(card: Card) -> str:
    return "note" if card.is_dim else card.ink


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


# --- Cards on the table -----------------------------------------------------------------------


def spread_rows(
    spread: Spread, brush: Brush, columns: int, rows: int, ground: str = "felt"
) -> tuple[Line, ...]:
    """Return groups of cards side by side on a ground, each with its label below."""
    size = _spread_size(spread, columns, rows)
    lines: list[list[Span]] = [[] for _ in range(size[1] + 1)]
    for number, group in enumerate(spread.groups):
        if number:
            for line in lines:
                line.append(("  ", f"/{ground}"))
        drawn = [card_rows(card, Lying(), brush, size) for card in group.cards]
        wide = row_columns(group.cards, size)
        for row in range(size[1]):
            for at, card in enumerate(drawn):
                if at:
                    lines[row].append((" ", f"/{ground}"))
                lines[row].extend(card[row])
        lines[-1].append((fit(group.label, wide), f"{group.role or 'foreground'}/{ground}"))
    taken = sum(width(text) for text, _ in lines[0])
    left = max(0, (columns - taken) // 2)
    right = max(0, columns - taken - left)
    side = ((" " * left, f"/{ground}"), (" " * right, f"/{ground}"))
    made = [joined([side[0], *line, side[1]]) for line in lines]
    blank: Line = ((" " * columns, f"/{ground}"),)
    above = max(0, (rows - len(made)) // 2)
    return (*[blank] * above, *made, *[blank] * max(0, rows - len(made) - above))


def _spread_size(spread: Spread, columns: int, rows: int) -> tuple[int, int]:
    for size in SIZES:
        wide = sum(row_columns(group.cards, size) for group in spread.groups)
        if wide + 2 * (len(spread.groups) - 1) <= columns and size[1] + 1 <= rows:
            return size
    return SIZES[-1]
