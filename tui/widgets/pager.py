"""Pages of text to read: rules and help."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding

from tui.scenes.model import plain
from tui.widgets.painted import Painted

if TYPE_CHECKING:
    from textual.binding import BindingType
    from textual.strip import Strip

    from tui.scenes.model import Line


class Pager(Painted, can_focus=True):
    """Show lines from some line on; keys as in pagers everywhere."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "scroll(1)", "down", show=False, id="pager.down"),
        Binding("up,k", "scroll(-1)", "up", show=False, id="pager.up"),
        Binding("space,pagedown", "page(1)", "next page", id="pager.next"),
        Binding("b,pageup", "page(-1)", "page before", show=False, id="pager.previous"),
        Binding("home,g", "scroll(-100000)", "first line", show=False, id="pager.home"),
        Binding("end,G", "scroll(100000)", "last line", show=False, id="pager.end"),
    ]
    DEFAULT_CSS = "Pager { height: 1fr; }"

    def __init__(
        self,
        lines: tuple[Line, ...],
        heading: str = "",
        id: str | None = None,  # noqa: A002
    ) -> None:
        """Show `lines`, from the one on that is `heading`, if there is one."""
        super().__init__(id=id)
        self._lines = lines
        self._top = next((i for i, line in enumerate(lines) if line == ((heading, "title"),)), 0)
        self.sought = ""
        self._hits: list[int] = []  # lines that have what was searched for
        self._hit = 0

    def render_line(self, y: int) -> Strip:
        """Draw one line."""
        index = y + self._first
        line = self._lines[index] if index < len(self._lines) else ()
        return self.strip(_marked(line, self.sought) if self.sought else line)

    @property
    def _first(self) -> int:
        """Return the first line that is shown: no page begins behind the last full one."""
        return max(0, min(self._top, len(self._lines) - self.size.height))

    def action_scroll(self, by: int) -> None:
        """Move the page by some lines."""
        old, self._top = self._first, max(0, self._first + by)
        self._top = self._first
        if self._top != old:
            self.refresh()

    def search(self, text: str) -> None:
        """Mark all places of `text`, in capitals or not; `find` goes to them."""
        self.sought = text
        wanted = text.casefold()
        self._hits = [i for i, line in enumerate(self._lines) if wanted in plain(line).casefold()]
        ahead = [number for number, index in enumerate(self._hits) if index >= self._first]
        self._hit = ahead[0] if ahead else 0
        self.refresh()

    def find(self, by: int) -> tuple[int, int]:
        """Go `by` places on; return (number of the place, how many there are)."""
        if not self._hits:
            return 0, 0
        self._hit = (self._hit + by) % len(self._hits)
        index = self._hits[self._hit]
        if not self._first <= index < self._first + self.size.height:
            self.action_scroll(index - self._first - self.size.height // 3)
        return self._hit + 1, len(self._hits)

    def action_page(self, by: int) -> None:
        """Move by a page less one line."""
        self.action_scroll(by * max(1, self.size.height - 1))

    def on_mouse_scroll_down(self) -> None:
        """Move on."""
        self.action_scroll(3)

    def on_mouse_scroll_up(self) -> None:
        """Move back."""
        self.action_scroll(-3)


def _marked(line: Line, sought: str) -> Line:
    """Return a line with all places of `sought` in the cursor's role."""
    spans: list[tuple[str, str]] = []
    for text, role in line:
        pieces = re.split(f"({re.escape(sought)})", text, flags=re.IGNORECASE)
        spans += [(piece, "cursor" if n % 2 else role) for n, piece in enumerate(pieces) if piece]
    return tuple(spans)


def marked_down(text: str) -> tuple[Line, ...]:
    """Return the lines of a page in our plain Markdown: headings, code blocks, text, lists."""
    lines: list[Line] = []
    in_code = False
    for raw in text.splitlines():
        if raw.startswith("```"):
            in_code = not in_code
            lines.append(())
        elif raw.startswith("#") and not in_code:
            lines.append(((raw.lstrip("# "), "title"),))
        elif in_code:
            lines.append((("    " + raw, "label"),))
        else:
            lines.append(_inline(raw))
    return tuple(lines)


def _inline(raw: str) -> Line:
    """Return a line with `code` and **strong** pieces in their roles."""
    spans: list[tuple[str, str]] = []
    for number, piece in enumerate(raw.split("`")):
        if number % 2:
            spans.append((piece, "key"))
            continue
        for inner, part in enumerate(piece.split("**")):
            spans.append((part, "title" if inner % 2 else ""))
    return tuple(span for span in spans if span[0])
