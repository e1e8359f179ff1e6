"""What the helpers of a screen may ask of it: so they need not import the screen they help."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeVarTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from textual.app import App
    from textual.binding import Binding
    from textual.timer import Timer
    from textual.worker import Worker

    from kumite.core.errors import KumiteError
    from kumite.core.game import Seat, Step
    from kumite.core.match import Match
    from kumite.tui.drawing.end_card import Ending
    from kumite.tui.look.glyphs import Look
    from kumite.tui.play.local_table import Table
    from kumite.tui.play.replaying import Replay
    from kumite.tui.play.viewpoint import Viewpoint
    from kumite.tui.scenes import Choice, Scene, SceneMaker
    from kumite.tui.shell import Shell
    from kumite.tui.widgets.end_card import EndCard
    from kumite.tui.widgets.field import ChoosingField


Ts = TypeVarTuple("Ts")


class ScreenView(Protocol):
    """Any screen of ours."""

    @property
    def app(self) -> App[object]:
        """Return the app, as Textual has it."""

    @property
    def shell(self) -> Shell:
        """Return the app, as we have it."""

    @property
    def is_on_top(self) -> bool:
        """Return whether no other screen covers any of it."""

    @property
    def is_current(self) -> bool:
        """Return whether this screen is seen, perhaps with a card over it."""

    def beside(
        self, work: Callable[[*Ts], Coroutine[Any, Any, None]], *given: *Ts, group: str
    ) -> Worker[None]:
        """Let something go on beside the screen; what it brings when that has gone is lost."""

    def set_timer(self, delay: float, callback: Callable[[], None]) -> Timer:
        """Call something after so many seconds."""

    def call_later(self, callback: Callable[[], object]) -> bool:
        """Call something once the messages that wait have been handled."""

    def say(self, text: str, role: str = "") -> None:
        """Show a line above the keys."""

    def complain(self, error: KumiteError) -> None:
        """Show what cannot be done and what to do."""

    def bound_now(self) -> list[Binding]:
        """Return the keys that do something now."""


class ShownView(ScreenView, Protocol):
    """The screen of a table, as it is shown."""

    table: Table
    viewpoint: Viewpoint  # which position of the match is shown
    seen: Match  # the match up to that position, as far as the eyes at the table see it
    makes: SceneMaker
    scene: Scene
    choice: Choice | None  # what our seat to act can choose, and has chosen of a step so far
    queued: str  # that a bot waits for its turn to think, in a house
    thought: str  # for how long a bot has been thinking, if that is long

    @property
    def field(self) -> ChoosingField:
        """Return where the scene is drawn and the cursor is."""

    @property
    def look(self) -> Look:
        """Return the glyphs for the side from which the board is seen."""

    @property
    def end_card(self) -> EndCard:
        """Return the card that is shown when the match has ended."""

    @property
    def seat(self) -> Seat | None:
        """Return which of our seats can choose a step here."""

    @property
    def you(self) -> Seat | None:
        """Return for whom the table is drawn."""

    @property
    def is_ready(self) -> bool:
        """Return whether there is anything to show things in."""

    @property
    def is_covered(self) -> bool:
        """Return whether nothing is shown until somebody has come to the screen."""

    @property
    def is_in_present(self) -> bool:
        """Return whether the present is shown, not what was, or has still to be seen."""

    @property
    def is_over(self) -> bool:
        """Return whether nobody can play any more."""


class TableView(ShownView, Protocol):
    """The screen of a table that is played at."""

    @property
    def is_tutored(self) -> bool:
        """Return whether a tutor warns of steps that cost much."""

    @property
    def motion_left(self) -> float:
        """Return for how many seconds something still moves."""

    def ending(self) -> Ending | None:
        """Return how the match ended; None while it goes on."""

    def show_table(self) -> None:
        """Show the match as it is now."""

    def show_title(self) -> None:
        """Say anew what is due."""

    def show_hint(self) -> None:
        """Say what a choice of that under the cursor would do."""

    def show_still(self) -> None:
        """Show what is there when nothing moves any more."""

    def attempt(self, do: Callable[[], None], then: Callable[[], None]) -> bool:
        """Do something with the table and go on, or say why it cannot be done."""

    def after_step(self) -> None:
        """Go on after a step of ours."""

    def advise(self, step: Step) -> None:
        """Choose all of a step but its last part, and put the cursor on that."""


class ReplayView(ScreenView, Protocol):
    """The screen of a saved match."""

    replay: Replay

    def show_values(self) -> None:
        """Show course and curve, and what is to be said of the position."""
