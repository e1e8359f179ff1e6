"""What lies beside the board: cards of a hand, buttons of a turn. One widget, with a cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len

from kumite.tui.widgets.bindings import choosing
from kumite.tui.widgets.chooser import Chooser

if TYPE_CHECKING:
    from textual import events
    from textual.binding import BindingType
    from textual.geometry import Size
    from textual.strip import Strip

    from kumite.tui.scenes.model import Chip


class TrayWidget(Chooser):
    """Draw chips; report the one under the cursor and the chosen one."""

    BINDINGS: ClassVar[list[BindingType]] = choosing("tray")
    DEFAULT_CSS = "TrayWidget { height: auto; padding: 0 1; }"

    def __init__(self, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._chips: tuple[Chip, ...] = ()
        self._at = 0
        self._rows: list[list[int]] = []  # indices of chips by line

    def show(self, chips: tuple[Chip, ...], targets: frozenset[str]) -> None:
        """Show chips; those in `targets` can be chosen."""
        here = self.cursor_name
        lines = len(self._rows)
        self._chips, self._targets = chips, targets
        names = [chip.name for chip in chips]
        self._at = names.index(here) if here in names else 0
        if self._chips and self.cursor_name not in targets:
            self._at = next((i for i, name in enumerate(names) if name in targets), self._at)
        self._lay(self.size.width or self.app.size.width)
        self.refresh(layout=len(self._rows) != lines)

    @property
    def cursor_name(self) -> str:
        """Return the name of the chip under the cursor, empty if there is none."""
        return self._chips[self._at].name if self._at < len(self._chips) else ""

    @property
    def has_choice(self) -> bool:
        """Return whether any chip can be chosen."""
        return any(chip.name in self._targets for chip in self._chips)

    def _lay(self, width: int) -> None:
        """Break the chips into lines."""
        self._rows, used = [], width + 1
        for index, chip in enumerate(self._chips):
            need = cell_len(chip.text) + 3
            if used + need > width:
                self._rows.append([])
                used = 0
            self._rows[-1].append(index)
            used += need

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        """Return how many lines the chips take."""
        self._lay(width)
        return len(self._rows)

    def render_line(self, y: int) -> Strip:
        """Draw a line of chips; the one under the cursor in brackets."""
        line: list[tuple[str, str]] = []
        for index in self._rows[y] if y < len(self._rows) else ():
            chip = self._chips[index]
            here = index == self._at and self.has_focus
            is_choice = chip.name in self._targets
            role = chip.role if is_choice else "quiet"
            # What cannot be chosen beside what can is told apart without colours, too.
            left, right = "[]" if here else "  " if is_choice or not self.has_choice else "()"
            mark = "cursor" if here else "" if is_choice else "quiet"
            line += [
                (left, mark),
                (chip.text, "cursor" if here else role),
                (right, mark),
                (" ", ""),
            ]
        return self.strip(tuple(line))

    # --- the cursor ---------------------------------------------------------------------------

    def _go(self, index: int) -> None:
        if self._chips and index != self._at:
            self._at = index
            self.refresh()
            self.post_message(self.Hovered(self.cursor_name))

    def point(self, name: str) -> None:
        """Put the cursor on the chip of that name."""
        self._go(next((i for i, chip in enumerate(self._chips) if chip.name == name), self._at))

    def action_move(self, columns: int, rows: int) -> None:
        """Go to a chip beside this one, or to a line below or above."""
        if columns:
            self._go(max(0, min(len(self._chips) - 1, self._at + columns)))
        for y, row in enumerate(self._rows):
            if rows and self._at in row and 0 <= y + rows < len(self._rows):
                other = self._rows[y + rows]
                self._go(other[min(row.index(self._at), len(other) - 1)])
                return

    def action_jump(self, by: int) -> None:
        """Go to the next chip that can be chosen."""
        count = len(self._chips)
        for step in range(1, count + 1):
            index = (self._at + by * step) % count
            if self._chips[index].name in self._targets:
                self._go(index)
                return
        self.post_message(self.NoneHere())

    def on_click(self, event: events.Click) -> None:
        """Go to a clicked chip; a click on the one under the cursor chooses it."""
        x = 1
        for index in self._rows[event.y] if event.y < len(self._rows) else ():
            end = x + cell_len(self._chips[index].text) + 3
            if x <= event.x < end:
                if index == self._at:
                    self.action_choose()
                self._go(index)
                return
            x = end
