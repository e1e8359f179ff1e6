"""Lines of text in roles: titles, panels, hints, the list of steps."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from textual import events
from textual.strip import Strip

from kumite.tui.scenes.lines import (
    GOES_ON,
    Line,
    abbreviated,
    fold,
    line_width,
    narrowed,
    plain,
    squeezed,
)
from kumite.tui.widgets.bindings import ARROWS, key_at, key_name
from kumite.tui.widgets.painted import Painted

SHORT: Final = 7  # rows up to which a log scrolls line by line: half of it would hide a turn
SEAT: Final = re.compile(r"seat-(\d+)/")  # the role of a turn's heading and its numbers


class Lines(Painted):
    """Shows lines; redraws only changed ones."""

    DEFAULT_CSS = "Lines { height: auto; }"

    def __init__(
        self,
        *lines: Line,
        tail: bool = False,
        keep: bool = False,
        folds: bool = False,
        hang: int = 2,
        id: str | None = None,  # noqa: A002
    ) -> None:
        """Show `lines` from the top, or with `tail` the last ones at the bottom.

        With `keep` the widget never shrinks, so widgets below it stay in place and need no redraw.
        With `folds` long lines wrap, indented by `hang` columns.
        """
        super().__init__(id=id)
        self._lines: tuple[Line, ...] = lines
        self._tail, self._keep, self._folds = tail, keep, folds
        self._hang = hang
        self._most = 0  # the largest number of lines so far
        self._end = 0  # index of the line after the last row
        self._is_new = True  # no line has been added since the last full redraw
        self._preface = 0  # lines at the top that are hidden once the first scrolls out
        self._heads: list[int | None] = []  # by line, the heading of the turn that continues there

    def show(self, lines: Iterable[Line], *, preface: int = 0) -> None:
        """Replace the lines; the first `preface` lines are hidden once the first scrolls out."""
        self._preface = preface
        rows = self.get_content_height(None, None, self.size.width)
        old, self._lines = self._lines, tuple(lines)
        if self._tail and old != self._lines:
            self._heads = _headings(self._lines)
            self._end += self._moved(old)
            if old and self._lines[: len(old)] == old:
                self._is_new = False
        self._most = max(self._most, len(self._lines))
        self.set_class(not self.get_content_height(None, None, 0), "-empty")
        resized = rows != self.get_content_height(None, None, self.size.width)
        if resized and self.styles.height and self.styles.height.is_auto:
            self.refresh(layout=True)
        elif old != self._lines:
            self.refresh()

    def reset_scroll(self) -> None:
        """Scroll as if all lines were new, and redraw; forget earlier heights."""
        self._end = self._most = 0
        self._is_new = True
        self.refresh(layout=self._keep)

    def get_content_height(self, container: object, viewport: object, width: int) -> int:  # noqa: ARG002
        if self._folds and width:
            return max(self._most * self._keep, len(self._folded(width)))
        return max(self._most * self._keep, len(self._lines))

    def _folded(self, columns: int) -> tuple[Line, ...]:
        if not self._folds or all(line_width(line) <= columns for line in self._lines):
            return self._lines
        columns = max(8, columns)
        fitting = (one if line_width(one) <= columns else abbreviated(one) for one in self._lines)
        lines = narrowed(tuple(fitting), columns, self.look)
        whole = (squeezed(line, columns) for line in lines)
        return tuple(part for line in whole for part in fold(line, columns, self._hang))

    def render_line(self, y: int) -> Strip:
        lines = self._folded(self.size.width)
        if self._tail:
            first = self._first()
            if (first or self.size.height < self._preface) and first + y < self._preface:
                return self.strip(())
            if not y and self.size.height > 1 and (head := self._head(first)) is not None:
                return self.strip(lines[head])
            y += first
        line = lines[y] if 0 <= y < len(lines) else ()
        return self.strip(line)

    def on_click(self, event: events.Click) -> None:
        """Press the key that is named there; not in a list of steps and talk."""
        at = event.get_content_offset(self)
        if at is None or self._tail:
            return
        *above, row = map(self.render_line, range(at.y + 1))
        left = " ".join([*(one.text.rstrip() for one in above), row.crop(0, at.x).text])
        bound, is_ascii = self.screen.active_bindings, not self.look.is_drawn
        names = dict(zip(self.look.arrows, ARROWS, strict=True))
        names |= {key_name(key, is_ascii=is_ascii): key for key in bound}
        if key := key_at(left, row.crop(at.x).text, names, is_line=self.id == "keys"):
            self.app.simulate_key(key)

    def shows(self, said: str) -> bool:
        """Return whether a text stands in the visible rows, however it is wrapped."""
        first = self._first() if self._tail else 0
        rows = self._folded(self.size.width)[first : first + self.size.height]
        return self.is_on_screen and "".join(said.split()) in "".join(
            "".join(map(plain, rows)).split()
        )

    @property
    def shows_last(self) -> bool:
        """True if the last entry is visible, with the heading of its turn."""
        at = last = len(self._lines) - 1
        while at > 0 and self._goes_on(at):
            at -= 1
        rows = last - at + 1 + (self._head(at) is not None)
        return self.is_on_screen and self.size.height >= rows

    def _first(self) -> int:
        """Return the index of the line in the first row; a tall list advances by half a page.

        One that scrolled with every line would be redrawn with every line, which is most of the
        cost of a step over ssh. For the same reason lines keep their distance from the lower edge
        when the height changes, as long as enough of them are visible. But not before a line was
        added: during the first layout the height changes several times.
        """
        count, height = len(self._lines), max(1, self.size.height)
        half = max(1, height // 2)
        page = half if height > SHORT else 1
        first = self._end - height
        if self._is_new or not (count <= self._end and count - max(0, first) >= min(count, half)):
            over = count - height
            first = -(-over // page) * page if over > 0 else 0
            self._end = first + height
        return self._whole(first)

    def _whole(self, first: int) -> int:
        """Return the first visible line, which must not be an indented continuation.

        If a turn continues there, its heading is shown too: with the whole turn if there is room,
        or else instead of the line before.
        """
        begins = self._begin(max(0, first))
        head = self._head(begins)
        if head is None or self.size.height == 1:
            return begins
        if len(self._lines) - head <= self.size.height:
            return head
        at = self._begin(begins + 1) if begins == first else begins
        return at if self._head(at) is None else at - 1

    def _begin(self, first: int) -> int:
        """Return the first line from `first` on that begins an entry, or else the last one."""
        begins = [at for at in range(len(self._lines)) if not self._goes_on(at)] or [0]
        return next((at for at in begins if at >= first), begins[-1])

    def _goes_on(self, at: int) -> bool:
        line = self._lines[at]
        return line[:1] == (GOES_ON,) or plain(line)[:4].isspace()

    def _head(self, first: int) -> int | None:
        return self._heads[min(first, len(self._heads) - 1)] if self._heads else None

    def _moved(self, old: tuple[Line, ...]) -> int:
        """Return by how many indices most of the visible lines have moved in the list.

        Another view may describe some steps in more or fewer lines; the rest should stay in place.
        """
        first = max(0, self._end - self.size.height)
        places = {line: index for index, line in enumerate(self._lines)}
        moves = Counter(places[old[i]] - i for i in range(first, len(old)) if old[i] in places)
        return max(moves, key=lambda by: (moves[by], -abs(by)), default=0)


def _headings(lines: Sequence[Line]) -> list[int | None]:
    """Return for each line the heading, further up, of the turn that continues there."""
    found: list[int | None] = []
    head, whose = None, ""
    for at, line in enumerate(lines):
        seat = SEAT.fullmatch(line[0][1]) if line else None
        if (line and line[0][1] == "title") or (seat and seat[1] != whose):
            head = None  # it is of no seat, or of another one
        found.append(head if seat is None or len(line) > 1 else None)
        if seat and len(line) == 1:
            head, whose = at, seat[1]
    return found
