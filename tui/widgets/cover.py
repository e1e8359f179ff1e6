"""What hides a table until somebody has come to the screen: only the key that it names lifts it."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, ClassVar, Final

from textual.binding import Binding
from textual.message import Message

from kumite.tui.drawing.cover import Handover, cover_rows
from kumite.tui.timers import Punctual
from kumite.tui.widgets.painted import Painted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events
    from textual.binding import BindingType
    from textual.strip import Strip
    from textual.timer import Timer

    from kumite.tui.scenes.lines import Line

DEAF: Final = 0.4  # s without any key before one counts: a key held down never does
MOST_SEATS: Final = 6


class Cover(Punctual, Painted, can_focus=True):
    """Cover a table; report that the one who is meant has lifted it.

    Each seat has a key of its own, which nothing at a table is played with: so no habit of the
    hand, no key that was held down and nothing typed ahead shows one person's cards to another.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(str(seat + 1), f"lift({seat})", "it is me", id=f"cover.seat{seat + 1}")
        for seat in range(MOST_SEATS)
    ]
    DEFAULT_CSS = "Cover { layer: card; offset: 0 1; display: none; background: $background; }"

    class Lifted(Message):
        """The person who was meant has come."""

    def __init__(self, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.seat: int | None = None  # who is meant; None: nothing is covered
        self._who = ""
        self._deaf_until = 0.0
        self._timer: Timer | None = None

    def show(self, seat: int | None, name: str = "") -> bool:
        """Cover the table for a seat, None: no longer; return whether it is covered anew."""
        is_new = seat is not None and seat != self.seat
        self.seat, self._who = seat, name
        self.display = seat is not None
        if is_new:
            self.deafen()
            self.call_after_refresh(self.deafen)  # counted from when it can be seen
        self.refresh()
        return is_new

    def deafen(self, since: float | None = None) -> None:
        """Take no key as meant for a while, counted from now or from a moment of `monotonic`."""
        if self._is_open:
            self.refresh()
        self._deaf_until = (monotonic() if since is None else since) + DEAF
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(max(0.01, DEAF), self.refresh)

    def render_line(self, y: int) -> Strip:
        """Draw one line."""
        rows = self.rows()
        return self.strip(rows[y] if y < len(rows) else ())

    def rows(self) -> Sequence[Line]:
        """Return the cover as it is drawn now; it knows no more than a name and a key."""
        if self.seat is None:
            return ()
        handover = Handover(self.seat, self._who, self.keys[0], self._is_open)
        return cover_rows(handover, self.look, *self.size)

    @property
    def _is_open(self) -> bool:
        """Return whether it can be lifted by now."""
        return monotonic() >= self._deaf_until

    @property
    def keys(self) -> list[str]:
        """Return the keys that lift it, as the settings have them."""
        number = str((self.seat or 0) + 1)
        return self.shell.settings.keys.get(f"cover.seat{number}", number).split(",")

    # --- keys ---------------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Let only the key of the seat that is meant do anything."""
        return action != "lift" or parameters == (self.seat,)

    def on_key(self, event: events.Key) -> None:
        """Hear nothing of keys that were pressed before the cover was seen, or follow others.

        What counts is when a key came from the terminal, not when we got round to it.
        """
        is_heard = event.time >= self._deaf_until
        if not is_heard or event.key not in self.keys:
            self.deafen(max(event.time, self._deaf_until - DEAF))
        if not is_heard:
            event.stop()
            event.prevent_default()

    def action_lift(self, seat: int) -> None:
        """Report that the one who is meant has come."""
        if seat == self.seat:
            self.post_message(self.Lifted())
