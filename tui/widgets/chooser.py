"""What board and tray share: a cursor, and messages about what is under it and what is chosen."""

from __future__ import annotations

from textual.message import Message

from kumite.tui.widgets.painted import Painted


class Chooser(Painted, can_focus=True):
    """A widget with a cursor and some names that can be chosen. Knows no rules."""

    class Chosen(Message):
        """What is under the cursor was chosen."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    class Hovered(Message):
        """The cursor has come to something else."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    class NoneHere(Message):
        """The next choice was asked for, and there is none in this widget."""

    def __init__(self, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._targets: frozenset[str] = frozenset()

    @property
    def targets(self) -> frozenset[str]:
        """Return what can be chosen, here or elsewhere."""
        return self._targets

    @property
    def cursor_name(self) -> str:
        """Return the name of what is under the cursor, empty if there is nothing."""
        raise NotImplementedError

    @property
    def has_choice(self) -> bool:
        """Return whether anything here can be chosen."""
        raise NotImplementedError

    def point(self, name: str) -> None:
        """Put the cursor on what has that name."""
        raise NotImplementedError

    def action_jump(self, by: int) -> None:
        """Move the cursor to the next (1) or previous (-1) choice."""
        raise NotImplementedError

    def action_choose(self) -> None:
        """Report what is under the cursor."""
        if self.cursor_name:
            self.post_message(self.Chosen(self.cursor_name))
