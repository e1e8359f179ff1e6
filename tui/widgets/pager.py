"""Pages of text to read: rules and help."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding

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

    def __init__(self, lines: tuple[Line, ...], id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._lines = lines
        self._top = 0

    def render_line(self, y: int) -> Strip:
        """Draw one line."""
        index = y + self._top
        return self.strip(self._lines[index] if index < len(self._lines) else ())

    def action_scroll(self, by: int) -> None:
        """Move the page by some lines."""
        last = max(0, len(self._lines) - self.size.height)
        top = max(0, min(last, self._top + by))
        if top != self._top:
            self._top = top
            self.refresh()

    def action_page(self, by: int) -> None:
        """Move by a page less one line."""
        self.action_scroll(by * max(1, self.size.height - 1))

    def on_mouse_scroll_down(self) -> None:
        """Move on."""
        self.action_scroll(3)

    def on_mouse_scroll_up(self) -> None:
        """Move back."""
        self.action_scroll(-3)


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
