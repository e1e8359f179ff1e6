"""Terminal cells, and the fewest bytes that write them; pure.

Half blocks have two encodings: `▀` in red on blue looks like `▄` in blue on red, and `█` like a
blank on its colour. Such pairs are one cell here, written in whichever way changes the pen least.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple


class Pen(NamedTuple):
    """SGR codes of a character: marks (bold, underline …), foreground and background."""

    marks: frozenset[str] = frozenset()
    ink: str = ""
    paper: str = ""


Cell = tuple[str, Pen]  # a character ("" for the right half of a wide one) and its pen
PLAIN: Final = Pen()
UPPER, _LOWER, _FULL = "▀", "▄", "█"
BLOCKS: Final = UPPER + _LOWER + _FULL
_SEEN_ON_BLANKS: Final = frozenset({"4", "7", "9", "21"})  # underline, reverse, strike


def pen_of_blank(pen: Pen) -> Pen:
    """Return the pen of a blank, of which usually only the background is visible."""
    return pen if pen.marks & _SEEN_ON_BLANKS else Pen(paper=pen.paper)


@lru_cache(maxsize=4096)
def block(character: str, pen: Pen) -> Cell:
    """Return one of BLOCKS as a canonical cell: a blank, or UPPER.

    Not for colours below 16, which some terminals show brighter as foreground than as background.
    """
    ink, paper = pen.ink, pen.paper
    is_full = character == _FULL
    if pen.marks or not ink.startswith("38;") or not (is_full or paper.startswith("48;")):
        return character, pen
    if is_full or ink[1:] == paper[1:]:
        return " ", Pen(paper=_as_paper(ink))
    return UPPER, pen if character == UPPER else _turned(pen)


def size(text: str) -> int:
    return len(text.encode())


@lru_cache(maxsize=1 << 14)
def put(pen: Pen, cell: Cell, has_blocks: bool) -> tuple[Pen, str]:
    """Return the pen after writing a cell, and the fewest bytes; `pen` is the pen before."""
    found = [_written(pen, one) for one in (_alike(cell) if has_blocks else [cell])]
    return min(found, key=lambda one: size(one[1]))


def change(old: Pen, new: Pen) -> str:
    if new == old:
        return ""
    whole = ";".join(filter(None, ["0" * (old != PLAIN), *sorted(new.marks), new.ink, new.paper]))
    lost = old.marks - new.marks
    if (old.ink and not new.ink) or (old.paper and not new.paper) or lost - {"1"}:
        return f"\x1b[{whole if new != PLAIN else ''}m"
    parts = ["22" * bool(lost), *sorted(new.marks - old.marks)]
    parts += [new.ink * (new.ink != old.ink), new.paper * (new.paper != old.paper)]
    return min(f"\x1b[{whole}m", f"\x1b[{';'.join(filter(None, parts))}m", key=len)


def in_turn(pens: Iterable[Pen]) -> list[Pen]:
    """Return pens in an order with cheap changes.

    Pens with the same background are together; the first continues the previous foreground if
    possible, the last uses one that the next background has too.
    """
    papers: dict[tuple[tuple[str, ...], str], list[Pen]] = {}
    for pen in sorted(pens, key=lambda one: (sorted(one.marks), one.paper, one.ink)):
        papers.setdefault((tuple(sorted(pen.marks)), pen.paper), []).append(pen)
    inks = [{pen.ink for pen in group} for group in papers.values()]
    out: list[Pen] = []
    for group, after in zip(papers.values(), [*inks[1:], set[str]()], strict=True):
        before = out[-1].ink if out else ""
        out += sorted(group, key=lambda one: (one.ink != before, one.ink in after))
    return out


def leading_pen(cells: Iterable[Cell]) -> Pen:
    """Return the pen to begin with: leading blanks use the pen of what follows."""
    pen = PLAIN
    for text, pen in cells:
        if text == UPPER:
            return min(pen for _, pen in _alike((text, pen)))
        if text.strip():
            break
    return pen


def _written(pen: Pen, cell: Cell) -> tuple[Pen, str]:
    """Write a cell in this way, keeping the invisible foreground or background."""
    text, new = cell
    if text == _FULL and not pen.marks | new.marks and not new.paper:
        new = Pen(ink=new.ink, paper=pen.paper)
    is_blank = text == " " and not (pen.marks | new.marks) & _SEEN_ON_BLANKS
    if is_blank and (new.paper or not pen.paper):
        new = Pen(pen.marks, pen.ink, new.paper)
    return new, change(pen, new) + text


def _alike(cell: Cell) -> list[Cell]:
    """Return all cells that look like this one, itself first."""
    text, pen = cell
    if not pen.marks and pen.paper.startswith("48;"):
        if text == " ":
            return [cell, (_FULL, Pen(ink="3" + pen.paper[1:]))]
        if text == UPPER and pen.ink.startswith("38;"):
            return [cell, (_LOWER, _turned(pen))]
    return [cell]


def _turned(pen: Pen) -> Pen:
    return Pen(ink="3" + pen.paper[1:], paper=_as_paper(pen.ink))


def _as_paper(ink: str) -> str:
    return "4" + ink[1:]
