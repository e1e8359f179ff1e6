"""Write to the terminal only the cells that changed.

Textual repaints a changed span from the left edge of its widget, and the whole screen on a change
of focus, a new screen or a resize. Over ssh that is seconds. Here every frame is compared with what
the terminal already shows, and only the difference is written, as curses does.

It relies on two inner classes of Textual 8 (the updates its compositor makes); a test compares a
terminal fed by this module with Textual's own output.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from rich.cells import cell_len
from rich.color import ColorSystem
from rich.segment import Segment
from textual._compositor import ChopsUpdate, CompositorUpdate, LayoutUpdate
from textual.strip import Strip

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console, ConsoleOptions
    from rich.style import Style


class Pen(NamedTuple):
    """How characters are written: SGR codes of the marks (bold, underline …), ink and paper."""

    marks: frozenset[str] = frozenset()
    ink: str = ""
    paper: str = ""


Cell = tuple[str, Pen]  # a character (empty: the right half of the wide one before) and its pen
_PLAIN: Final = Pen()
_UNKNOWN: Final[Cell] = ("\0", _PLAIN)  # equals nothing that is ever drawn
_GAP: Final = 4  # unchanged cells that are cheaper to write again than to jump over
_SEEN_ON_BLANKS: Final = frozenset({"4", "7", "9", "21"})  # underline, reverse, strike


class Painter:
    """Remembers what one terminal shows, and makes the bytes that turn it into the next frame."""

    def __init__(self, charset: str = "utf-8", is_colored: bool = True) -> None:
        """Write to a terminal of that character set; without colours if it is to have none."""
        self._charset, self._is_colored = charset, is_colored
        self._size = (0, 0)
        self._shown: list[list[Cell]] = []

    def forget(self) -> None:
        """Take nothing for granted: somebody else has written to the terminal."""
        self._size = (0, 0)

    def forget_row(self, y: int) -> None:
        """Take nothing for granted in one row."""
        if y < len(self._shown):
            self._shown[y] = [_UNKNOWN] * len(self._shown[y])

    def paint(self, update: CompositorUpdate, console: Console, width: int, height: int) -> str:
        """Return the control sequences and text that bring `update` onto the terminal."""
        if self._size != (width, height):
            self._size = (width, height)
            self._shown = [[_UNKNOWN] * width for _ in range(height)]
        out: list[str] = []
        pen = _PLAIN
        for y, x, cells in self._rows(update, console._color_system or ColorSystem.TRUECOLOR):
            if 0 <= y < height:
                x, cells = _within(self._shown[y], x, cells)
                pen = self._paint_row(y, x, cells, pen, out)
        if pen != _PLAIN:
            out.append("\x1b[m")
        return "".join(out)

    def _paint_row(self, y: int, x: int, cells: list[Cell], pen: Pen, out: list[str]) -> Pen:
        """Write what differs in one row from column `x` on; return the pen then in force."""
        shown = self._shown[y]
        at = -1  # where the terminal's cursor is in this row, if it is here: index into `cells`
        for i, cell in enumerate(cells):
            if shown[x + i] == cell:
                continue
            if not cell[0] and at == i + 1:  # written with its left half
                shown[x + i] = cell
                continue
            start = i
            if not cell[0]:  # the right half of a wide character is never written alone
                start = i - 1
            if 0 <= at < start <= at + _GAP and all(
                not _change(pen, one, text == " ")[1] for text, one in cells[at:start]
            ):
                start = at
            out.append(_move(at, start, x, y))
            for text, wanted in cells[start : i + 1]:
                if wanted != pen:
                    pen, change = _change(pen, wanted, text == " ")
                    out.append(change)
                out.append(text)
            shown[x + i] = cell
            is_wide = i + 1 < len(cells) and not cells[i + 1][0]
            at = i + 1 + (is_wide and bool(cell[0]))  # behind a wide one the cursor is two further
        return pen

    def _rows(
        self, update: CompositorUpdate, colors: ColorSystem
    ) -> Iterator[tuple[int, int, list[Cell]]]:
        """Yield (row, first column, cells) of all that an update holds."""
        if isinstance(update, LayoutUpdate):
            for y, strips in enumerate(update.strips, update.region.y):
                cells = [cell for strip in strips for cell in self._cells(strip, colors)]
                yield y, update.region.x, cells
        elif isinstance(update, ChopsUpdate):
            # Outside its spans an update may hold the ground of a container without what lies on
            # it.
            for y, first, last in update.spans:
                for x, strip in update.chops[y].items():
                    if strip is not None and x < last and x + strip.cell_length > first:
                        cells = list(self._cells(strip, colors))
                        start, end = max(first - x, 0), max(last - x, 0)
                        while start and start < len(cells) and not cells[start][0]:
                            start -= 1  # a wide character is drawn whole or not at all
                        while end < len(cells) and not cells[end][0]:
                            end += 1
                        yield y, x + start, cells[start:end]

    def _cells(self, strip: Strip, colors: ColorSystem) -> Iterator[Cell]:
        for text, style, control in strip:
            if control:
                continue
            pen = _pen(style, colors) if self._is_colored else _uncolored(style)
            blank = _pen_of_blank(pen)
            for character in text:
                if character.isascii():
                    if character < " " or character == "\x7f":  # takes no room, and could do harm
                        continue
                    yield character, blank if character == " " else pen
                    continue
                shown = _written(character, self._charset)
                if shown.isascii():  # one `?` for each cell
                    yield from ((mark, pen) for mark in shown)
                elif width := cell_len(character):
                    yield character, pen
                    yield from [("", pen)] * (width - 1)


def _within(shown: list[Cell], x: int, cells: list[Cell]) -> tuple[int, list[Cell]]:
    """Return first column and cells of what can be drawn in a row that shows `shown`.

    An update may have been made for a window of another size. Of a wide character that is cut
    through, here or by what is drawn over it, a blank is left; terminals differ in what they leave.
    """
    cells = cells[max(-x, 0) : max(len(shown) - x, 0)]
    x = max(x, 0)
    if not cells:
        return x, cells
    if not cells[0][0]:
        cells[0] = _blank(cells[0])
    if _is_wide(cells[-1]):
        cells[-1] = _blank(cells[-1])
    end = x + len(cells)
    if end < len(shown) and not shown[end][0]:
        cells.append(_blank(shown[end]))
    if x and not shown[x][0]:
        return x - 1, [_blank(shown[x - 1]), *cells]
    return x, cells


def _is_wide(cell: Cell) -> bool:
    return not cell[0].isascii() and cell_len(cell[0]) == 2


def _blank(cell: Cell) -> Cell:
    return " ", _pen_of_blank(cell[1])


def _pen_of_blank(pen: Pen) -> Pen:
    """Return the pen of a blank beside letters of that pen: of most only the paper is seen."""
    return pen if pen.marks & _SEEN_ON_BLANKS else Pen(paper=pen.paper)


@lru_cache(maxsize=4096)
def _change(old: Pen, new: Pen, blank: bool) -> tuple[Pen, str]:
    """Return the pen after the shortest change that serves, and the sequence for it.

    On a blank only the paper shows, so the ink may stay what it is.
    """
    if blank and not (old.marks | new.marks) & _SEEN_ON_BLANKS and (new.paper or not old.paper):
        new = Pen(old.marks, old.ink, new.paper)
    if new == old:
        return new, ""
    whole = ";".join(filter(None, ["0" * (old != _PLAIN), *sorted(new.marks), new.ink, new.paper]))
    lost = old.marks - new.marks
    if (old.ink and not new.ink) or (old.paper and not new.paper) or lost - {"1"}:
        return new, f"\x1b[{whole if new != _PLAIN else ''}m"
    parts = ["22" * bool(lost), *sorted(new.marks - old.marks)]
    parts += [new.ink * (new.ink != old.ink), new.paper * (new.paper != old.paper)]
    return new, min(f"\x1b[{whole}m", f"\x1b[{';'.join(filter(None, parts))}m", key=len)


@lru_cache(maxsize=4096)
def _pen(style: Style | None, colors: ColorSystem) -> Pen:
    """Return the pen of a style in that depth of colour."""
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
    """Return the pen of a style without colours: what is light around dark letters is reversed."""
    if not style:
        return _PLAIN
    marks = set(
        filter(None, Strip.render_ansi(style.without_color, ColorSystem.STANDARD).split(";"))
    )
    ink, paper = (
        sum(color.get_truecolor()) if color else None for color in (style.color, style.bgcolor)
    )
    if ink is not None and paper is not None and (paper > ink or paper > _LIGHT):
        marks.add("7")
    return Pen(frozenset(marks))


_LIGHT: Final = 3 * 128  # of the three parts of a colour together: paper, though nothing is on it
_INKS: Final = frozenset(map(str, (*range(30, 38), 39, *range(90, 98))))
_PAPERS: Final = frozenset(map(str, (*range(40, 48), 49, *range(100, 108))))


def _move(at: int, to: int, x: int, y: int) -> str:
    """Return the shortest way from index `at` (-1: somewhere else) to `to` in row `y`."""
    if at == to:
        return ""
    if 0 <= at < to:
        return f"\x1b[{to - at}C"
    return f"\x1b[{y + 1};{x + to + 1}H"


@lru_cache(maxsize=1024)
def _written(character: str, charset: str) -> str:
    """Return a character as the terminal can take it: `?` in each cell of one that it cannot."""
    try:
        character.encode(charset)
    except UnicodeEncodeError:
        return "?" * cell_len(character)
    return character


class Repaint:
    """An update that writes only what differs from what the painter knows to be shown.

    No `CompositorUpdate`: after each of those Textual moves the terminal's cursor, which is hidden.
    """

    def __init__(self, painter: Painter, update: CompositorUpdate, width: int, height: int) -> None:
        self._painter, self._update = painter, update
        self._width, self._height = width, height

    def __rich_console__(self, console: Console, _: ConsoleOptions) -> Iterator[Segment]:
        """Yield the bytes for the terminal, as text without a style."""
        yield Segment(self._painter.paint(self._update, console, self._width, self._height))
