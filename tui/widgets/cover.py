"""The cover that hides a table between two players at one keyboard."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic
from typing import ClassVar, Final

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.timer import Timer

from kumite.tui.drawing.cover import Handover, cover_rows
from kumite.tui.scenes.lines import Line
from kumite.tui.terminal.timers import Punctual
from kumite.tui.widgets.painted import Painted

DEAF: Final = 0.4  # s without any key before one counts, so a held key never does
MOST_SEATS: Final = 6


class Cover(Punctual, Painted, can_focus=True):
    """Covers a table until the next player presses their own key.

    Each seat has a key of its own, which chooses nothing at the table, so no habit, held key or
    typing ahead shows one player's cards to another.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(str(seat + 1), f"lift({seat})", "it is me", id=f"cover.seat{seat + 1}")
        for seat in range(MOST_SEATS)
    ]
    DEFAULT_CSS = "Cover { layer: card; offset: 0 1; display: none; background: $background; }"

    class Lifted(Message):
        """The expected player has lifted the cover."""

    seat: int | None = None  # the expected player; None: not covered
    _who, _color = "", 0
    _ignores_until = 0.0
    _timer: Timer | None = None

    def show(self, seat: int | None, name: str = "", color: int = 0) -> bool:
        """Cover the table for a seat, in the colour of seat `color`; return True if it is new."""
        is_new = seat is not None and seat != self.seat
        self.seat, self._who, self._color = seat, name, color
        self.display = seat is not None
        if is_new:
            self.ignore_keys()
            self.call_after_refresh(self.ignore_keys)  # restart once the cover is visible
        self.refresh()
        return is_new

    def ignore_keys(self, since: float | None = None) -> None:
        """Ignore keys for a while, from now or from a moment of `monotonic`."""
        if self._is_open:
            self.refresh()
        self._ignores_until = (monotonic() if since is None else since) + DEAF
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(max(0.01, DEAF), self.refresh)

    def rows(self) -> Sequence[Line]:
        """Return the cover's lines, which contain only a name and a key."""
        if self.seat is None:
            return ()
        handover = Handover(self._color, self._who, self.keys[0], self._is_open)
        return cover_rows(handover, self.look, *self.size)

    @property
    def _is_open(self) -> bool:
        return monotonic() >= self._ignores_until

    @property
    def keys(self) -> list[str]:
        number = str((self.seat or 0) + 1)
        return self.shell.settings.keys.get(f"cover.seat{number}", number).split(",")

    # --- keys ---------------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "lift" or parameters == (self.seat,)

    def on_key(self, event: events.Key) -> None:
        """Ignore keys pressed before the cover was visible, or right after others.

        The time when the terminal sent the key counts, not when it is handled.
        """
        is_heard = event.time >= self._ignores_until
        if not is_heard or event.key not in self.keys:
            self.ignore_keys(max(event.time, self._ignores_until - DEAF))
        if not is_heard:
            event.stop()
            event.prevent_default()

    def action_lift(self, seat: int) -> None:
        if seat == self.seat:
            self.post_message(self.Lifted())
