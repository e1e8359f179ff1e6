"""Write only the changed cells to the terminal.

Textual repaints a changed span from the left edge of its widget, and the whole screen after a
change of focus, a new screen or a resize, which takes seconds over ssh. Here every frame is
compared with the terminal's current content, and only the difference is written, like curses: row
by row or, where shorter, pen by pen.

It relies on two internal classes of Textual 8 (the updates of its compositor); a test compares a
terminal fed by this module with Textual's own output.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Final, NamedTuple

from rich.cells import cell_len
from rich.color import ColorSystem
from rich.console import Console, ConsoleOptions
from rich.segment import Segment
from rich.style import Style
from textual._compositor import ChopsUpdate, CompositorUpdate, LayoutUpdate
from textual.geometry import Offset
from textual.strip import Strip

# --- Cells, and the fewest bytes that write them -------------------------------------------------
# Blocks have two encodings: `▀` in red on blue looks like `▄` in blue on red, and `█` like a blank
# on its colour. Such pairs are one cell here, written in whichever way changes the pen least.


class Pen(NamedTuple):
    """SGR codes of a character: marks (bold, underline …), foreground and background."""

    marks: frozenset[str] = frozenset()
    ink: str = ""
    paper: str = ""


Cell = tuple[str, Pen]  # a character ("" for the right half of a wide one) and its pen
PLAIN: Final = Pen()
_FULL: Final = "█"
_TURNED: Final = dict(zip("▀▘▝▖▗▌▚", "▄▟▙▜▛▐▞", strict=True))  # with the two colours exchanged
_FIRST: Final = {two: one for one, two in _TURNED.items()}
BLOCKS: Final = "".join((*_TURNED, *_TURNED.values(), _FULL))
_SEEN_ON_BLANKS: Final = frozenset({"4", "7", "9", "21"})  # underline, reverse, strike


def pen_of_blank(pen: Pen) -> Pen:
    """Return the pen of a blank, of which usually only the background is visible."""
    return pen if pen.marks & _SEEN_ON_BLANKS else Pen(paper=pen.paper)


@lru_cache(maxsize=4096)
def block(character: str, pen: Pen) -> Cell:
    """Return one of BLOCKS as a canonical cell: a blank, or a key of _TURNED.

    Not for colours below 16, which some terminals show brighter as foreground than as background.
    """
    ink, paper = pen.ink, pen.paper
    is_full = character == _FULL
    if pen.marks or not ink.startswith("38;") or not (is_full or paper.startswith("48;")):
        return character, pen
    if is_full or ink[1:] == paper[1:]:
        return " ", Pen(paper=_as_paper(ink))
    return (character, pen) if character in _TURNED else (_FIRST[character], _turned(pen))


def _size(text: str) -> int:
    return len(text.encode())


@lru_cache(maxsize=1 << 14)
def put(pen: Pen, cell: Cell, has_blocks: bool) -> tuple[Pen, str]:
    """Return the pen after writing a cell, and the fewest bytes; `pen` is the pen before."""
    found = [_with_pen(pen, one) for one in (_alike(cell) if has_blocks else [cell])]
    return min(found, key=lambda one: _size(one[1]))


@lru_cache(maxsize=1 << 14)
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
    """Return pens in an order with cheap changes: from each to the nearest that is left."""
    left = sorted(pens, key=lambda one: (sorted(one.marks), one.paper, one.ink))
    out, pen = [], PLAIN
    while left:
        pen = min(left, key=lambda one: len(change(pen, one)))
        left.remove(pen)
        out.append(pen)
    return out


def leading_pen(cells: Iterable[Cell]) -> Pen:
    """Return the pen to begin with: leading blanks use the pen of what follows."""
    pen = PLAIN
    for text, pen in cells:
        if text in _TURNED:
            return min(pen for _, pen in _alike((text, pen)))
        if text.strip():
            break
    return pen


def _with_pen(pen: Pen, cell: Cell) -> tuple[Pen, str]:
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
        if text in _TURNED and pen.ink.startswith("38;"):
            return [cell, (_TURNED[text], _turned(pen))]
    return [cell]


def _turned(pen: Pen) -> Pen:
    return Pen(ink="3" + pen.paper[1:], paper=_as_paper(pen.ink))


def _as_paper(ink: str) -> str:
    return "4" + ink[1:]


# --- Frames -------------------------------------------------------------------------------------

_UNKNOWN: Final[Cell] = ("\0", PLAIN)  # differs from every drawn cell
_NOWHERE: Final = (-1, -1)  # an unknown cursor position (row, column)
_SHORT: Final = 250  # characters; shorter output is not optimised


class Span(NamedTuple):
    """Adjacent cells of a row, from column `x` up to `end`."""

    y: int
    x: int
    end: int


class Painter:
    """Remembers the terminal's content, and returns the bytes that change it to the next frame."""

    def __init__(self, charset: str = "utf-8", is_colored: bool = True) -> None:
        """Write in this character set, with or without colours."""
        self._charset, self._is_colored = charset, is_colored
        self._has_blocks = "".join(_written(one, charset) for one in BLOCKS) == BLOCKS
        self._size = (0, 0)
        self._shown: list[list[Cell]] = []

    def forget(self) -> None:
        """Forget everything after another program wrote to the terminal."""
        self._size = (0, 0)

    def forget_row(self, y: int) -> None:
        if y < len(self._shown):
            self._shown[y] = [_UNKNOWN] * len(self._shown[y])

    def paint(self, update: CompositorUpdate, console: Console, width: int, height: int) -> str:
        """Return the control sequences and text that bring `update` onto the terminal."""
        if self._size != (width, height):
            self._size = (width, height)
            self._shown = [[_UNKNOWN] * width for _ in range(height)]
        spans: list[Span] = []
        for y, x, cells in self._rows(update, console._color_system or ColorSystem.TRUECOLOR):
            if 0 <= y < height:
                x, cells = _within(self._shown[y], x, cells)
                self._keep(y, x, cells, spans)
        written = self._by_rows(spans)
        return min(written, self._by_pens(spans), key=_size) if len(written) > _SHORT else written

    def _keep(self, y: int, first: int, cells: list[Cell], spans: list[Span]) -> None:
        """Store a row's cells from column `first` on; add differing parts to `spans`."""
        shown = self._shown[y]
        start = end = -1
        for x, cell in enumerate(cells, first):
            if shown[x] == cell:
                continue
            shown[x] = cell
            if x < end:
                continue  # written with its left half
            at = x if cell[0] else x - 1  # never write a right half alone
            if at != end:
                if end >= 0:
                    spans.append(Span(y, start, end))
                start = at
            after = x + 1 - first
            is_wide = bool(cell[0]) and after < len(cells) and not cells[after][0]
            end = x + 1 + is_wide
        if end >= 0:
            spans.append(Span(y, start, end))

    def _by_rows(self, spans: list[Span]) -> str:
        """Write row by row: the pen changes often."""
        out: list[str] = []
        pen, at = PLAIN, _NOWHERE
        for y, x, end in spans:
            out.append(self._way(pen, at, y, x))
            for cell in self._shown[y][x:end]:
                pen, text = put(pen, cell, self._has_blocks)
                out.append(text)
            at = self._behind(y, end)
        return "".join(out) + change(pen, PLAIN)

    def _by_pens(self, spans: list[Span]) -> str:
        """Write pen by pen: the cursor moves often, which is cheaper with long colour codes."""
        runs: dict[Pen, list[tuple[Span, str]]] = {}
        for span in spans:
            for pen, part, text in self._runs(span):
                runs.setdefault(pen, []).append((part, text))
        by_paper = {pen.paper: pen for pen in runs if pen.ink and not pen.marks}
        for pen in [pen for pen in runs if pen == Pen(paper=pen.paper) and pen.paper in by_paper]:
            if all(text.isspace() for _, text in runs[pen]):  # blanks do not depend on the ink
                runs[by_paper[pen.paper]] += runs.pop(pen)
        out: list[str] = []
        pen, at = PLAIN, _NOWHERE
        for new in in_turn(runs):
            out.append(change(pen, new))
            pen = new
            for (y, x, end), text in sorted(runs[new]):
                out += [self._way(pen, at, y, x), text]
                at = self._behind(y, end)
        return "".join(out) + change(pen, PLAIN)

    def _way(self, pen: Pen, at: tuple[int, int], y: int, x: int) -> str:
        """Return the shortest way to a cell, possibly by rewriting cells in between."""
        way = _move(at, y, x)
        if at[0] != y or not 0 < x - at[1] < len(way):
            return way
        between = self._shown[y][at[1] : x]
        again = [put(pen, one, self._has_blocks) for one in between]
        text = "".join(text for _, text in again)
        is_known = _UNKNOWN not in between and all(one == pen for one, _ in again)
        return text if is_known and _size(text) <= len(way) else way

    def _runs(self, span: Span) -> Iterator[tuple[Pen, Span, str]]:
        """Yield (pen, span, text) for the parts of a span that one pen can write."""
        y, start, end = span
        row = self._shown[y]
        while start < end:
            pen = leading_pen(row[start:end])
            if put(pen, row[start], self._has_blocks)[1].startswith("\x1b"):
                pen = leading_pen(row[start : start + 1])  # blanks that differ from what follows
            at, out = start, []
            while at < end:
                after, text = put(pen, row[at], self._has_blocks)
                if after != pen:
                    break
                out.append(text)
                at += 1
            yield pen, Span(y, start, at), "".join(out)
            start = at

    def _behind(self, y: int, end: int) -> tuple[int, int]:
        """Return the cursor position after a row was written up to a column."""
        return (y, end) if end < self._size[0] else _NOWHERE  # at the edge terminals differ

    def _rows(
        self, update: CompositorUpdate, colors: ColorSystem
    ) -> Iterator[tuple[int, int, list[Cell]]]:
        """Yield (row, first column, cells) of an update."""
        if isinstance(update, LayoutUpdate):
            for y, strips in enumerate(update.strips, update.region.y):
                cells = [cell for strip in strips for cell in self._cells(strip, colors)]
                yield y, update.region.x, cells
        elif isinstance(update, ChopsUpdate):
            # Outside its spans an update may contain a container's background without its children.
            for y, first, last in update.spans:
                for x, strip in update.chops[y].items():
                    if strip is not None and x < last and x + strip.cell_length > first:
                        cells = list(self._cells(strip, colors))
                        start, end = max(first - x, 0), max(last - x, 0)
                        while start and start < len(cells) and not cells[start][0]:
                            start -= 1  # never split a wide character
                        while end < len(cells) and not cells[end][0]:
                            end += 1
                        yield y, x + start, cells[start:end]

    def _cells(self, strip: Strip, colors: ColorSystem) -> Iterator[Cell]:
        for text, style, control in strip:
            if control:
                continue
            pen = _pen(style, colors) if self._is_colored else _uncolored(style)
            blank = pen_of_blank(pen)
            for character in text:
                if self._has_blocks and character in BLOCKS:
                    yield block(character, pen)
                    continue
                if character.isascii():
                    if character < " " or character == "\x7f":  # no width, possibly harmful
                        continue
                    yield character, blank if character == " " else pen
                    continue
                shown = _written(character, self._charset)
                if shown.isascii():  # one `?` per cell
                    yield from ((mark, pen) for mark in shown)
                elif width := cell_len(character):
                    yield character, pen
                    yield from [("", pen)] * (width - 1)


def _within(shown: list[Cell], x: int, cells: list[Cell]) -> tuple[int, list[Cell]]:
    """Return first column and cells of the part that fits into a row that shows `shown`.

    An update may be for a window of another size. A wide character that is cut, here or by
    overwriting, leaves a blank, because terminals differ in what they leave.
    """
    cells = cells[max(-x, 0) : max(len(shown) - x, 0)]
    x = max(x, 0)
    if not cells:
        return x, cells
    if not cells[0][0]:
        cells[0] = _blank(cells[0])
    if cell_len(cells[-1][0]) == 2:
        cells[-1] = _blank(cells[-1])
    end = x + len(cells)
    if end < len(shown) and not shown[end][0]:
        cells.append(_blank(shown[end]))
    if x and not shown[x][0]:
        return x - 1, [_blank(shown[x - 1]), *cells]
    return x, cells


def _blank(cell: Cell) -> Cell:
    return " ", pen_of_blank(cell[1])


@lru_cache(maxsize=4096)
def _pen(style: Style | None, colors: ColorSystem) -> Pen:
    codes = Strip.render_ansi(style, colors) if style else ""
    marks, ink, paper = set(), "", ""
    parts = iter(codes.split(";") if codes else ())
    for part in parts:
        if part in ("38", "48"):  # 38;5;N or 38;2;R;G;B
            kind = next(parts)
            color = ";".join([part, kind, *islice(parts, 1 if kind == "5" else 3)])
            ink, paper = (color, paper) if part == "38" else (ink, color)
        elif part in _INKS:
            ink = part
        elif part in _PAPERS:
            paper = part
        else:
            marks.add(part)
    return Pen(frozenset(marks), ink, paper)


@lru_cache(maxsize=4096)
def _uncolored(style: Style | None) -> Pen:
    """Return the pen of a style without colours: dark on light becomes reverse."""
    if not style:
        return PLAIN
    marks = set(
        filter(None, Strip.render_ansi(style.without_color, ColorSystem.STANDARD).split(";"))
    )
    ink, paper = (
        sum(color.get_truecolor()) if color else None for color in (style.color, style.bgcolor)
    )
    if ink is not None and paper is not None and (paper > ink or paper > _LIGHT):
        marks.add("7")
    return Pen(frozenset(marks))


_LIGHT: Final = 3 * 128  # sum of red, green and blue above which a background counts as light
_INKS: Final = frozenset(map(str, (*range(30, 38), 39, *range(90, 98))))
_PAPERS: Final = frozenset(map(str, (*range(40, 48), 49, *range(100, 108))))


def _move(at: tuple[int, int], y: int, x: int) -> str:
    """Return the shortest cursor movement from a place (row, column; row -1: unknown)."""
    down, right = y - at[0], x - at[1]
    if at[0] < 0 or down < 0:
        return f"\x1b[{y + 1};{x + 1}H"
    back = min("\b" * -right, _steps(-right, "D"), key=len) if right < 0 else ""
    return min(
        f"\x1b[{y + 1};{x + 1}H",
        _steps(down, "B") + (_steps(right, "C") if right > 0 else back),
        key=len,
    )


def _steps(count: int, way: str) -> str:
    return f"\x1b[{count if count > 1 else ''}{way}" if count else ""


@lru_cache(maxsize=1024)
def _written(character: str, charset: str) -> str:
    """Return a character, or `?` for each cell if the charset lacks it."""
    try:
        character.encode(charset)
    except UnicodeEncodeError:
        return "?" * cell_len(character)
    return character


@dataclass(frozen=True, slots=True)
class Repaint:
    """An update that writes only changed cells.

    Not a `CompositorUpdate`: after one, Textual moves the terminal's hidden cursor, which is done
    here only where text is typed (`cursor`): an input method shows there what it composes.
    """

    painter: Painter
    update: CompositorUpdate
    width: int
    height: int
    cursor: Offset | None = None

    def __rich_console__(self, console: Console, _: ConsoleOptions) -> Iterator[Segment]:
        """Yield the bytes for the terminal, as unstyled text."""
        written = self.painter.paint(self.update, console, self.width, self.height)
        if self.cursor is not None and written:
            written += _move(_NOWHERE, self.cursor.y, self.cursor.x)
        yield Segment(written)
