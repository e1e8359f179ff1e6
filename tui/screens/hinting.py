"""Hints at the table: a bot is asked for a step, which is shown and never made.

Asked once more, it looks at what the step leads to, and says all of it on a card.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Final

from kumite.core.errors import KumiteError
from kumite.store import log_files
from kumite.tui.play import narration
from kumite.tui.play.local_table import LocalTable
from kumite.tui.scenes.lines import capital, fold, glued
from kumite.tui.widgets.field import SIDE_TEXT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from textual.worker import Worker

    from kumite.core.bots import Choice
    from kumite.core.game import Seat, Step
    from kumite.core.match import Match
    from kumite.store.evaluations import Judged
    from kumite.tui.play.explained import Point
    from kumite.tui.scenes import Line
    from kumite.tui.screens.views import TableView

PARTS: Final = re.compile(r"\w+")  # of a step as it is typed, and words
SECONDS: Final = 2.0  # that a hint is thought about
BACK: Final = "Back to the table: Enter there makes it"
LESS: Final = 2  # fewer lines where they lie across a whole stage
PART: Final = 3  # what follows a hint is looked at with this part of the simulations of `strong`
MOST_LINES: Final = 4  # of a hint's reason, one less above chips; if longer, how it was found goes


class Adviser:
    """Who can be asked for a hint at a table screen, and what the last one was."""

    def __init__(self, screen: TableView) -> None:
        """Think nothing yet."""
        self._screen = screen
        self._worker: Worker[None] | None = None
        self._thought: object = None  # which one it is: an interrupted one ends later
        self._match: Match | None = None  # what the hint is for, or will be
        self._choice: Choice | None = None
        self._kept: dict[str, Judged] = {}  # what was asked of the steps after a hint
        self._merit: tuple[Choice | None, str] = None, ""  # what that is good for, looked at once
        self._noted: set[str] = set()

    # --- asking ---------------------------------------------------------------------------------

    @property
    def is_known(self) -> bool:
        """Return whether there is a hint for this position: asked again, it is explained."""
        return self._choice is not None and self._match is self._screen.table.match

    def ask(self) -> None:
        """Show the hint for the seat to act, thought about first; explain one that is shown."""
        screen, seat = self._screen, self._screen.seat
        if seat is None or screen.choice is None:
            return
        if self._choice is not None and self.is_known:
            screen.advise(self._choice.step)
            self._explain(seat, self._choice)
            return
        if self._match is screen.table.match and self._worker is not None:
            screen.say("A bot is still looking for a good step ...   Esc stops it", "quiet")
            return
        if len(screen.choice.legal) == 1:
            screen.say("There is nothing to choose: only one step is possible.", "quiet")
            return
        self.stop()
        self.note("hint", seat)
        self._match, self._choice = screen.table.match, None
        screen.say("A bot is looking for a good step ...   Esc stops it", "quiet")
        self._worker = screen.beside(self._think, seat, group="hint")

    async def _think(self, seat: Seat) -> None:
        from kumite.tui.bots import advice  # late, here and below: few tables ask for a hint

        screen, match = self._screen, self._match
        with self._thinking():
            choice = await screen.shell.bot_service.choose(
                advice.LEVEL,
                advice.position_of(screen.seen, seat),
                seed=screen.seen.digest.hex(),
                seconds=SECONDS,
            )
            if match is screen.table.match and screen.seat == seat:
                self.take(choice)

    @contextmanager
    def _thinking(self) -> Iterator[None]:
        """Say what goes wrong with a thought; at its end nothing is thought any more."""
        thought = self._thought = object()
        try:
            yield
        except KumiteError as error:
            self._screen.complain(error)
        finally:
            if self._thought is thought:
                self._worker = None

    def _explain(self, seat: Seat, choice: Choice) -> None:
        """Say all of a hint, once it is known what it leads to."""
        self._screen.say("A bot looks at what comes of it ...   Esc stops it", "quiet")
        if self._worker is None:
            self._worker = self._screen.beside(self._look_ahead, seat, choice, group="hint")

    async def _look_ahead(self, seat: Seat, choice: Choice) -> None:
        from kumite.core import bots
        from kumite.tui.bots import advice
        from kumite.tui.bots.judging import answered
        from kumite.tui.bots.looking import outlook
        from kumite.tui.play import explained

        screen, seen = self._screen, self._screen.seen
        game, service = seen.game, screen.shell.bot_service
        simulations = max(1, bots.usual(advice.LEVEL, game.ID) // PART)
        other = explained.alternative(choice, is_mixed=bots.mixes(game))
        steps = [choice.step, *([] if other is None else [other.step])]
        with self._thinking():
            ahead = {
                step: await answered(service, outlook(seen, seat, step), simulations, self._kept)
                for step in steps
            }
            if self._choice is choice and screen.seat == seat:
                said = explained.points(seen, seat, choice, ahead, screen.table.shown_names)
                self._show_card(choice, said)

    def _show_card(self, choice: Choice, points: Sequence[Point]) -> None:
        """Show what there is to say of a hint, over the table."""
        from kumite.tui.screens import dialog
        from kumite.tui.widgets.form import Row

        self._screen.show_hint()
        lines: list[Line] = [*self._head(choice.step, dialog.COLUMNS), ()]
        for point in points:
            first, *more = glued(f"{point.head}: {point.text}", dialog.COLUMNS)
            lines.append(((point.head, "key"), (first.removeprefix(point.head), "")))
            lines += [((line, ""),) for line in more]
        dialog.ask(self._screen.app, lines, [Row("back", BACK)], lambda _: None)

    def take(self, choice: Choice) -> None:
        """Show the step of a choice as the hint."""
        self._match, self._choice = self._screen.table.match, choice
        self._screen.advise(choice.step)

    def stop(self) -> bool:
        """Stop thinking; return whether it did."""
        worker, self._worker, self._thought = self._worker, None, None
        if worker is not None:
            worker.cancel()
        return worker is not None

    def follow(self) -> None:
        """Stop thinking about what is past."""
        if self._match is not self._screen.table.match:
            self.stop()
            self._match = self._choice = None

    def analyse(self) -> None:
        """Compare the best steps on a screen of its own; the chosen one comes back as a hint."""
        from kumite.tui.screens.analysis import AnalysisScreen
        from kumite.tui.screens.branching import BranchPoint

        screen, seat = self._screen, self._screen.seat
        if seat is None:
            return
        self.stop()
        self.note("analysis", seat)
        own, table = frozenset({seat}), screen.table
        path = table.path if isinstance(table, LocalTable) else None
        origin = BranchPoint(partial(log_files.load, path), table.match.number) if path else None
        screen.app.push_screen(
            AnalysisScreen(screen.seen.seen_by(own), own, table.shown_names, origin, self.take)
        )

    def note(self, what: str, seat: Seat) -> None:
        """Note in the log that somebody was helped, once for each step."""
        screen, table = self._screen, self._screen.table
        text = f"{what}: seat {seat} before step {table.match.number + 1}"
        if isinstance(table, LocalTable) and text not in self._noted:
            self._noted.add(text)
            try:
                table.note(text)
            except KumiteError as error:  # the log cannot be written; the hint can be shown
                screen.complain(error)

    # --- in words -------------------------------------------------------------------------------

    def lines(self) -> list[Line]:
        """Return the hint and why it is one, as broad as the panel; nothing without a hint."""
        screen, choice = self._screen, self._choice
        if choice is None or screen.seat is None:
            return []
        from kumite.core.bots import mixes
        from kumite.tui.bots import advice

        if self._merit[0] is not choice:
            said = screen.makes.why_good(screen.seen.state, screen.seat, choice.step)
            self._merit = choice, said
        names = screen.table.shown_names
        merit = narration.named(self._merit[1], names)
        is_mixed = mixes(screen.seen.game)
        called = partial(narration.step_name, screen.seen, names=names)
        found = advice.how_found(choice, is_mixed=is_mixed, called=called)
        why = self._why(merit, f"{found}. Enter makes it")
        head = self._head(choice.step, screen.field.text_columns)
        field = screen.field
        room = MOST_LINES - (field.is_board and field.has_hand) - (len(head) - 1)
        room -= LESS * (field.is_over_stage and field.text_columns > SIDE_TEXT)  # heads are below
        if merit and len(why) > room and not choice.plan:
            why = self._why(merit, advice.briefly(choice, is_mixed=is_mixed))
        lines: list[Line] = [*head, *(((line, ""),) for line in why)]
        return lines if screen.field.is_over_stage else [*lines, ()]

    def _head(self, step: Step, columns: int) -> list[Line]:
        """Return a hint's step in words, and how it is typed, if that is not said by them."""
        screen, names = self._screen, self._screen.table.shown_names
        assert screen.seat is not None
        order = screen.makes.order(screen.seen.state, screen.seat, step)
        said = capital(narration.named(order, names), names)
        is_said = set(PARTS.findall(step)) <= set(PARTS.findall(said.lower()))
        typed = "" if is_said else f"  :{step}"
        return fold((("Hint: ", "quiet"), (said, "title"), (typed, "quiet")), columns)

    def _why(self, merit: str, found: str) -> list[str]:
        """Return why a hint is one, as lines of the panel."""
        text = "; ".join(filter(None, (merit, found)))
        said = f"{capital(text, self._screen.table.shown_names)}."
        return glued(said, self._screen.field.text_columns)
