"""The base of board and tray: a cursor and messages about it."""

from __future__ import annotations

from dataclasses import dataclass

from textual.message import Message

from kumite.tui.widgets.painted import Painted


class Chooser(Painted, can_focus=True):
    """A widget with a cursor and names to choose from."""

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
        """The next (1) or previous (-1) choice was requested, but this widget has no more."""

        by: int

    def __init__(self, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._targets: frozenset[str] = frozenset()

    @property
    def targets(self) -> frozenset[str]:
        return self._targets

    @property
    def cursor_name(self) -> str:
        """The name of the item under the cursor, "" if none."""
        raise NotImplementedError

    @property
    def has_choice(self) -> bool:
        raise NotImplementedError

    def point(self, name: str) -> None:
        raise NotImplementedError

    def action_jump(self, by: int) -> None:
        """Move the cursor to the next (1) or previous (-1) choice."""
        raise NotImplementedError

    def enter(self, by: int) -> None:
        """Move the cursor to the first (1) or last (-1) choice, if there is one."""
        raise NotImplementedError

    def action_choose(self) -> None:
        if self.cursor_name:
            self.post_message(self.Chosen(self.cursor_name))
