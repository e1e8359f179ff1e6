"""Lines of text in roles: titles, panels, hints, the list of steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.strip import Strip

from tui.widgets.painted import Painted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tui.scenes.model import Line


class Lines(Painted):
    """Show lines; only those that changed are drawn again."""

    DEFAULT_CSS = "Lines { height: auto; }"

    def __init__(self, *lines: Line, tail: bool = False, id: str | None = None) -> None:  # noqa: A002
        """Show `lines` from the top; with `tail`, the last ones at the bottom if they are many."""
        super().__init__(id=id)
        self._lines: tuple[Line, ...] = lines
        self._tail = tail

    def show(self, lines: Iterable[Line]) -> None:
        """Replace the lines."""
        old, self._lines = self._lines, tuple(lines)
        if len(old) != len(self._lines) and self.styles.height and self.styles.height.is_auto:
            self.refresh(layout=True)
        elif old != self._lines:
            self.refresh()

    def get_content_height(self, container: object, viewport: object, width: int) -> int:  # noqa: ARG002
        """Return how many lines there are."""
        return len(self._lines)

    def render_line(self, y: int) -> Strip:
        """Draw one line."""
        if self._tail:
            y += self._first()
        line = self._lines[y] if y < len(self._lines) else ()
        return self.strip(line)

    def _first(self) -> int:
        """Return the first line shown: it moves on by half a page at a time.

        A list that scrolls with every line is drawn again with every line; over ssh that is most of
        what a step costs.
        """
        height = max(2, self.size.height)
        over = len(self._lines) - height
        half = height // 2
        return -(-over // half) * half if over > 0 else 0
