"""The tutor at the table: it warns once before a step that costs much, and lets it go on."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

from kumite.core.errors import KumiteError
from kumite.tui.scenes.lines import capital, glued

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.worker import Worker

    from kumite.core.game import Seat, Step
    from kumite.core.match import Match
    from kumite.tui.bots.tutor import Blunder, Tutor
    from kumite.tui.scenes import Line
    from kumite.tui.screens.views import TableView

LOOKS: Final = "The tutor looks at it ...   {}Esc chooses anew"
AT_ONCE: Final = "Enter makes it at once, "  # if the cursor is on it: what is typed may not be
MAKE: Final = "make"


class Tutoring:
    """The tutor of one screen, of whatever table it shows."""

    def __init__(self, screen: TableView, note: Callable[[str, Seat], None]) -> None:
        """Look at nothing yet; `note` writes into the log that somebody was helped."""
        self._screen, self._note = screen, note
        self._match: Match | None = None  # what the tutor looks at
        self._tutor: Tutor | None = None
        self._preparing: Worker[None] | None = None
        self._checking: Worker[None] | None = None
        self._checked: Step | None = None  # that is about to be made
        self._pointed = ""  # what the cursor was on then
        self._warned: set[Step] = set()

    def follow(self) -> None:
        """Look at the position if one of our people has to choose in it."""
        screen = self._screen
        seat, match = screen.seat, screen.table.match
        if match is self._match:
            return
        self.stop()
        if self._preparing is not None:
            self._preparing.cancel()
        self._match, self._tutor, self._preparing, self._warned = None, None, None, set()
        is_choice = screen.choice is not None and len(screen.choice.legal) > 1
        if not screen.is_tutored or seat is None or not is_choice or not screen.is_in_present:
            return
        from kumite.tui.bots.tutor import Tutor  # late: most tables have none

        self._match = match
        self._tutor = Tutor(screen.shell.bot_service, screen.seen, seat)
        self._preparing = screen.beside(self._prepare, self._tutor, group="tutor")

    async def _prepare(self, tutor: Tutor) -> None:
        with suppress(KumiteError):  # whoever makes a step is told
            await tutor.prepare()

    def stop(self) -> bool:
        """Look no longer at a step; return whether one was looked at."""
        checking, self._checking, self._checked = self._checking, None, None
        if checking is not None:
            checking.cancel()
        return checking is not None

    def holds(self, seat: Seat, step: Step, make: Callable[[], object]) -> bool:
        """Return whether a step has to wait; then `make` is called, unless it costs too much."""
        tutor, choice = self._tutor, self._screen.choice
        is_legal = choice is not None and step in choice.legal  # else it is refused at once
        is_known = step in (self._checked, *self._warned)
        if tutor is None or not is_legal or is_known or tutor.is_fine(step):
            self.stop()
            return False
        self.stop()
        self._checked, self._pointed = step, self._screen.field.pointed
        is_there = choice is not None and choice.step_at(self._pointed) == step
        self._screen.say(LOOKS.format(AT_ONCE * is_there), "quiet")
        self._checking = self._screen.beside(self._check, tutor, seat, step, make, group="check")
        return True

    def is_said(self) -> bool:
        """Return whether it says that it looks: until the cursor goes on to something else."""
        return self._checked is not None and self._screen.field.pointed == self._pointed

    async def _check(
        self, tutor: Tutor, seat: Seat, step: Step, make: Callable[[], object]
    ) -> None:
        try:
            found = await tutor.blunder(step)
        except KumiteError as error:  # who has no tutor plays without one
            self._screen.complain(error)
            found = None
        if self._tutor is not tutor or self._checked != step:
            return
        self._checked = self._checking = None
        if found is None:
            make()
        else:
            self._warn(seat, found, make)

    def _warn(self, seat: Seat, found: Blunder, make: Callable[[], object]) -> None:
        from kumite.tui import scenes
        from kumite.tui.play import explained, narration
        from kumite.tui.screens import dialog
        from kumite.tui.widgets.form import Row

        screen, names = self._screen, self._screen.table.shown_names
        self._warned.add(found.step)
        self._note("tutor", seat)
        screen.show_hint()
        said = explained.warning(found, names)
        order = scenes.maker(screen.seen).order(screen.seen.state, seat, found.step)
        step = narration.named(order, names)
        lines: list[Line] = [
            ((line, "title"),) for line in glued(f"The tutor: {step}?", dialog.COLUMNS)
        ]
        for text in said:
            lines += [(), *(((line, ""),) for line in glued(capital(text, names), dialog.COLUMNS))]
        rows = [Row("other", "Choose another step"), Row(MAKE, "Make it all the same")]
        match = screen.table.match

        def answered(key: str) -> None:
            if key == MAKE and screen.table.match is match:
                make()

        dialog.ask(screen.app, lines, rows, answered)
