"""Cells of a terminal, and the fewest bytes that write them; pure.

Of two colours one above the other in a cell either may be the ink: `▀` in red on blue looks as `▄`
in blue on red does, and `█` as a blank on paper of its colour. What looks alike is one and the same
cell here, and is written in whichever way changes the pen least.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable


class Pen(NamedTuple):
    """How characters are written: SGR codes of the marks (bold, underline …), ink and paper."""

    marks: frozenset[str] = frozenset()
    ink: str = ""
    paper: str = ""


Cell = tuple[str, Pen]  # a character (empty: the right half of the wide one before) and its pen
PLAIN: Final = Pen()
UPPER, _LOWER, _FULL = "▀", "▄", "█"
BLOCKS: Final = UPPER + _LOWER + _FULL
_SEEN_ON_BLANKS: Final = frozenset({"4", "7", "9", "21"})  # underline, reverse, strike


def pen_of_blank(pen: Pen) -> Pen:
    """Return the pen of a blank beside letters of that pen: of most only the paper is seen."""
    return pen if pen.marks & _SEEN_ON_BLANKS else Pen(paper=pen.paper)


@lru_cache(maxsize=4096)
def block(character: str, pen: Pen) -> Cell:
    """Return one of BLOCKS as a cell, the same for all that look alike: a blank, or UPPER.

    Not where a colour has a number below 16: as ink some terminals have brighter ones than as
    paper.
    """
    ink, paper = pen.ink, pen.paper
    is_full = character == _FULL
    if pen.marks or not ink.startswith("38;") or not (is_full or paper.startswith("48;")):
        return character, pen
    if is_full or ink[1:] == paper[1:]:
        return " ", Pen(paper=_as_paper(ink))
    return UPPER, pen if character == UPPER else _turned(pen)


def size(text: str) -> int:
    """Return of how many bytes a text is in UTF-8."""
    return len(text.encode())


@lru_cache(maxsize=1 << 14)
def put(pen: Pen, cell: Cell, has_blocks: bool) -> tuple[Pen, str]:
    """Return the pen after a cell has been written, and the fewest bytes that write it.

    `pen` is what is in force before. Without blocks the terminal may lack those that look alike.
    """
    found = [_written(pen, one) for one in (_alike(cell) if has_blocks else [cell])]
    return min(found, key=lambda one: size(one[1]))


def change(old: Pen, new: Pen) -> str:
    """Return the shortest sequence that brings another pen into force."""
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
    """Return pens in an order in which few bytes change each into the next.

    Those on one paper stand together; the first has the ink of the one before, if any has, and the
    last an ink that the next paper has as well.
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
    """Return a pen to begin with: blanks take that of what follows; of UPPER it is one of two."""
    pen = PLAIN
    for text, pen in cells:
        if text == UPPER:
            return min(pen for _, pen in _alike((text, pen)))
        if text.strip():
            break
    return pen


def _written(pen: Pen, cell: Cell) -> tuple[Pen, str]:
    """Write a cell in this one way: of a blank the ink may stay what it is, of FULL the paper."""
    text, new = cell
    if text == _FULL and not pen.marks | new.marks and not new.paper:
        new = Pen(ink=new.ink, paper=pen.paper)
    is_blank = text == " " and not (pen.marks | new.marks) & _SEEN_ON_BLANKS
    if is_blank and (new.paper or not pen.paper):
        new = Pen(pen.marks, pen.ink, new.paper)
    return new, change(pen, new) + text


def _alike(cell: Cell) -> list[Cell]:
    """Return all cells that look like this one, itself first; of a full block no paper is seen."""
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
