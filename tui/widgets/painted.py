"""The base of all widgets: lines of (text, role), with colours from the theme.

Roles are not Textual component classes: resolving thirty of those for every widget takes a tenth of
the time to the first paint.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar, cast

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Offset
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from kumite.tui.look.colors import OVER
from kumite.tui.look.glyphs import Look
from kumite.tui.look.roles import role_of
from kumite.tui.scenes.lines import Line
from kumite.tui.shell import Shell
from kumite.tui.terminal.keys import Handled

Place = TypeVar("Place", int, tuple[int, int])


class Painted(Widget):
    """A widget that draws lines of (text, role)."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        self._role_styles: dict[str, Style] = {}
        super().__init__(id=id)

    @property
    def shell(self) -> Shell:
        return cast("Shell", self.app)

    @property
    def look(self) -> Look:
        return self.shell.look

    def rows(self) -> Sequence[Line]:
        raise NotImplementedError

    def render_line(self, y: int) -> Strip:
        rows = self.rows()
        return self.strip(rows[y] if y < len(rows) else ())

    def role_style(self, role: str) -> Style:
        """Return the theme's style of a role; without a background it has the widget's."""
        style = self._role_styles.get(role)
        if style is None:
            style = self.rich_style  # slow (0.1 ms): blends all ancestors
            palette = self.shell.palette.of(getattr(self.screen, "game_id", ""))
            if OVER in role:
                ink, paper, bold = palette.pen(role)
                style += Style(color=ink, bgcolor=paper, bold=bold)
            elif role:
                name, ground, bold = role_of(role)
                on = palette.color(ground) if ground else None
                style += Style(color=palette.color(name), bgcolor=on, bold=bold)
            self._role_styles[role] = style
        return style

    def put_cursor(self, column: int, row: int) -> None:
        """Put the terminal's cursor, which is hidden, where text is inserted.

        An input method shows there what it is composing.
        """
        self.app.cursor_position = self.content_region.offset + Offset(column, row)

    def on_handled(self, message: Handled) -> None:
        """Paint immediately what a key changed here, before its other effects."""
        if message.target is self and message.rounds:
            self.shell.paint(self)

    def notify_style_update(self) -> None:
        self._role_styles.clear()
        super().notify_style_update()

    def strip(self, line: Line) -> Strip:
        """Return a line cropped or padded to the widget's width."""
        for sign, plain in self.look.punctuation:
            line = tuple((text.replace(sign, plain), role) for text, role in line)
        segments = [Segment(text, self.role_style(role)) for text, role in line if text]
        return Strip(segments).adjust_cell_length(self.size.width, self.role_style("")).simplify()


class Chooser(Painted, Generic[Place], can_focus=True):
    """The base of board and tray: a cursor, and names to choose from."""

    @dataclass
    class Chosen(Message):
        """The item under the cursor was chosen."""

        name: str

    @dataclass
    class Hovered(Message):
        """The cursor has moved to another item."""

        name: str

    @dataclass
    class NoneHere(Message):
        """The next (1) or previous (-1) choice was requested, but this widget has no more.

        0: the cursor goes to the other widget.
        """

        by: int

    _at: Place  # the cursor; places are in reading order
    targets: frozenset[str] = frozenset()

    @property
    def cursor_name(self) -> str:
        """The name of the item under the cursor, "" if none."""
        raise NotImplementedError

    @property
    def _choices(self) -> list[Place]:
        """The places of what can be chosen, in order."""
        raise NotImplementedError

    def _go(self, place: Place) -> None:
        raise NotImplementedError

    def point(self, name: str) -> None:
        """Move the cursor to a name, if it is here."""
        raise NotImplementedError

    @property
    def has_choice(self) -> bool:
        return bool(self._choices)

    def action_jump(self, by: int) -> None:
        """Move the cursor to the next (1) or previous (-1) choice."""
        ahead = [at for at in self._choices if (at > self._at if by > 0 else at < self._at)]
        if ahead:
            self._go(ahead[0 if by > 0 else -1])
        else:
            self.post_message(self.NoneHere(by))

    def enter(self, by: int) -> None:
        """Move the cursor to the first (1) or last (-1) choice, if there is one."""
        if choices := self._choices:
            self._go(choices[0 if by > 0 else -1])

    def action_choose(self) -> None:
        if self.cursor_name:
            self.post_message(self.Chosen(self.cursor_name))
