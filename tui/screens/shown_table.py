"""A table as it is shown: board, players, log, and what is said of all that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.core.game import SPECTATOR
from kumite.tui import scenes
from kumite.tui.play import narration
from kumite.tui.play.viewpoint import Viewpoint
from kumite.tui.screens import table_words
from kumite.tui.screens.base import ERROR_ROWS, KumiteScreen
from kumite.tui.widgets.cover import Cover
from kumite.tui.widgets.end_card import EndCard
from kumite.tui.widgets.field import ABOVE_AND_BELOW, ChoosingField, around
from kumite.tui.widgets.lines import Lines
from kumite.tui.widgets.prompt import Prompt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events
    from textual.app import ComposeResult
    from textual.geometry import Size

    from kumite.core.errors import KumiteError
    from kumite.core.game import Seat
    from kumite.tui.look.glyphs import Look
    from kumite.tui.play.local_table import Table
    from kumite.tui.play.narration import Remark
    from kumite.tui.scenes import Choice, Line, Scene

TALL: Final = 30  # rows from which on there is room for a long log
SHORT_LOG: Final = 9  # lines of it otherwise


class ShownTable(KumiteScreen):
    """A match on the screen, as far as the people here may see it."""

    SMALLEST = (56, 18)  # squares of a sign or two, and what is said of them
    AUTO_FOCUS = ""  # the cursor goes where something can be chosen

    table: Table

    def __init__(self, table: Table) -> None:
        super().__init__()
        self.table = table
        self.makes = scenes.maker(table.match)
        self.viewpoint = Viewpoint(table)
        self.choice: Choice | None = None
        self.is_turned = False  # whether the board is seen from its other side
        self.thought = ""  # for how long a bot has been thinking, if that is long
        self._message: Line | None = None
        self._told: tuple[Remark, ...] = ()  # beside the steps
        self._about: object = None  # what the cursor was put on for

    def compose(self) -> ComposeResult:
        """Lay out title, field, side panel, hint and keys."""
        side = (
            Lines(id="seats", folds=True),
            Lines(id="facts", keep=True, folds=True),
            Lines(id="advice", folds=True),
            Lines(id="log", tail=True),
        )
        yield from around(
            ChoosingField(self._public_scene()),
            side,
            EndCard(id="card"),
            Cover(id="cover"),
            Lines(id="company"),
            Lines(id="hint"),
            Prompt(id="prompt"),
        )

    def _public_scene(self) -> Scene:
        """Return the table as anybody may see it."""
        match = self.table.match
        view = match.game.view(match.state, SPECTATOR)
        return self.makes.scene(view, self.table.shown_names, self.shell.look, None)

    @property
    def field(self) -> ChoosingField:
        """Return board and tray, and the cursor on them."""
        return self.query_one(ChoosingField)

    @property
    def look(self) -> Look:
        """Return the glyphs of this terminal, for the side from which the board is seen."""
        return self.shell.look.turned() if self.is_turned else self.shell.look

    @property
    def end_card(self) -> EndCard:
        """Return the card that is shown when the match has ended."""
        return self.query_one(EndCard)

    @property
    def is_ready(self) -> bool:
        """Return whether there is anything to show things in: not before, nor after."""
        return self.is_mounted and self.is_whole and bool(self.query(ChoosingField))

    @property
    def is_over(self) -> bool:
        """Return whether nobody can play any more."""
        return self.table.match.outcome is not None or self.table.end is not None

    @property
    def is_covered(self) -> bool:
        """Return whether nothing is shown until somebody has come to the screen."""
        return self.table.awaited is not None and self.viewpoint.interlude is None

    @property
    def is_in_present(self) -> bool:
        """Return whether the present is shown, not what was, or has still to be seen."""
        return not self.viewpoint.behind and self.viewpoint.interlude is None

    @property
    def seat(self) -> Seat | None:
        """Return which of our seats is to act; nobody while covered or looking at what was."""
        if not self.is_in_present or self.table.awaited is not None:
            return None
        return self.table.acting

    # --- what is drawn ------------------------------------------------------------------------

    def draw_table(self) -> None:
        """Draw the match as it is now, and put the cursor where something can be chosen."""
        view = self.viewpoint
        self.seen = view.take(self.table)
        seat = self.seat
        is_now = seat is None and self.is_in_present
        state = (self.table.foreseen(self.seen) if is_now else self.seen).state
        interlude = view.interlude if not view.behind else None
        if interlude is None and self.seen.outcome is not None:  # what the last step has shown
            interlude = scenes.last_interlude(self.makes, self.seen, self.table.shown_names)
        if interlude is not None:
            state = interlude.view
        names, look, past = self.table.shown_names, self.look, scenes.past(self.seen)
        self.scene = self.makes.scene(state, names, look, self.you, past)
        legal = self.seen.legal(seat) if seat is not None else ()
        self.choice = scenes.Choice.of(self.makes, legal) if legal else None
        self._hide_table()
        self.draw_choice()
        self.fit_table(self.app.size)

    def _hide_table(self) -> None:
        """Cover the table while somebody has to come first; then nothing typed before counts."""
        awaited = self.table.awaited if self.is_covered else None
        name = "" if awaited is None else self.table.shown_names[awaited]
        cover = self.query_one(Cover)
        self.query_one("#middle").disabled = awaited is not None  # else Tab would lead there
        if cover.show(awaited, name):
            self.shell.forget_keys()
            self.query_one(Prompt).close()
            self.set_focus(cover)

    @property
    def you(self) -> Seat | None:
        """Return for whom the table is drawn: the seat to act, or the only one played here."""
        eyes, seat = self.table.eyes, self.seat
        return seat if seat is not None else min(eyes) if len(eyes) == 1 else None

    def draw_choice(self) -> None:
        """Show what can be chosen now, and put the cursor there."""
        choice, field = self.choice, self.field
        targets = choice.targets if choice else frozenset()
        chosen = frozenset(choice.chosen) if choice else frozenset()
        trace = scenes.last_trace(self.makes, self.seen, self.you)
        field.draw(self.scene, targets, chosen, trace)
        can_board = field.lay(
            self.scene, targets, chosen, lambda part: table_words.label(self, part)
        )
        if field.is_away or self.is_covered:
            return
        if self.viewpoint.interlude or self.is_over:
            self.set_focus(None)  # Enter is the screen's: it goes on
            return
        about = self.seen.number, self.seat, choice.chosen if choice else ()
        is_new = about != self._about
        field.take_cursor(can_board=can_board, is_new=is_new)
        self._about = about
        if can_board and is_new and self._is_led and field.pointed not in chosen:
            field.board.go_near()

    @property
    def _is_led(self) -> bool:
        """Return whether the cursor goes to the nearest choice by itself.

        Not to another one's pieces at each change of players at one keyboard: there it would cross
        the whole board, and the bytes of a step with it.
        """
        is_changed = self.seen.last is not None and self.seen.last.actor != self.seat
        is_shared = len(self.table.mine) > 1 and self.scene.board.points_at_pieces
        return not (is_shared and is_changed and not (self.choice and self.choice.chosen))

    def on_resize(self, event: events.Resize) -> None:
        """Draw the board as large as there is room for."""
        if self.is_ready:
            self.fit_table(event.size)

    def fit_table(self, size: Size) -> None:
        """Draw board and log as large as there is room for."""
        self.field.fit_window(size, self.company_rows)
        self.query_one(Cover).styles.height = size.height - ABOVE_AND_BELOW - self.company_rows
        # A page of the log is drawn anew when it is full: on a small screen, a small page.
        self.query_one("#log").styles.max_height = SHORT_LOG if size.height < TALL else None

    @property
    def company_rows(self) -> int:
        """Return how many rows tell of those at other terminals."""
        return 0

    # --- what is said -------------------------------------------------------------------------

    def title_line(self) -> Line:
        """Return what stands above the table."""
        return table_words.title(self, self.app.size.width - 2)

    def result_lines(self) -> tuple[Line, ...]:
        """Return what takes the place of the facts once the match is over."""
        return table_words.result(self)

    def show_log(self) -> None:
        """Tell the last steps, as many as fit, once it is known how broad they may be."""
        log = self.query_one("#log", Lines)
        width = self.field.side_columns
        if width:
            told = narration.told_lines(self.seen, self.table.shown_names, width, self.remarks())
            aim = narration.aim_lines(self.table.match.game, width)
            log.show([*aim, *told], preface=len(aim))

    def remarks(self) -> Sequence[Remark]:
        """Return what else the log tells, beside the steps."""
        return self._told

    def show_hint(self) -> None:
        """Say what a choice of that under the cursor would do."""
        if self._message:
            self.hint(self._message, rows=ERROR_ROWS)
        else:
            self.hint(self.hover_line(self.field.pointed), is_whole=False)
        self._message = None

    def hover_line(self, name: str) -> Line:
        """Return what there is to say while the cursor is on the part of that name."""
        return table_words.hover(self, name)

    def complain(self, error: KumiteError) -> None:
        """Say why something was not done, where the eyes are."""
        said = str(error).removeprefix(f"{self.table.match.game.ID}: ")
        names = self.table.shown_names
        hint = narration.named(error.hint, names)
        self._message = ((narration.named(said, names), "loss"), (f"  {hint}", "quiet"))
        self.show_hint()
