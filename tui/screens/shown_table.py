"""The drawing layer of the table screen: board, players, log and hints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from time import monotonic
from typing import ClassVar, Final

from textual.app import ComposeResult

from kumite.core.errors import KumiteError
from kumite.core.game import CHANCE, SPECTATOR, Seat
from kumite.core.match import Match
from kumite.store import evaluations, guest_mode
from kumite.tui import scenes
from kumite.tui.drawing.end_card import Ending
from kumite.tui.look.glyphs import LOOKS
from kumite.tui.play import course, motion, narration, table_words
from kumite.tui.play.local_seats import LocalSeats
from kumite.tui.play.table_model import TableModel, Updated
from kumite.tui.scenes import Line
from kumite.tui.scenes.about import about_game
from kumite.tui.scenes.lines import abbreviated, ended, line_width
from kumite.tui.scenes.model import NO_TRACE, Trace
from kumite.tui.scenes.motion import Frame
from kumite.tui.scenes.tallies import colors_of
from kumite.tui.screens.base import ERROR_ROWS, KumiteScreen, Moving
from kumite.tui.widgets.chart import Chart
from kumite.tui.widgets.cover import Cover
from kumite.tui.widgets.field import ABOVE_AND_BELOW, SIDE_TEXT, TITLES, EndCard, Field, around
from kumite.tui.widgets.lines import Lines
from kumite.tui.widgets.prompt import Prompt

MOST_LINES: Final = 4  # of a hint's reason; one fewer above a hand. The method is dropped first.
LESS: Final = 2  # fewer lines if the panel spans the whole stage
ASIDE: Final = 8.0  # s that a call stays in the corner of another screen
WAITED: Final = 3.0  # s; after a shorter wait for a bot, players are still watching


class ShownTable(KumiteScreen):
    """A match on screen, as the players here may see it."""

    _is_held: bool = False  # the last frame, of the decisive position
    RESULT: ClassVar[str] = "the end"  # title of the panel that replaces the facts
    FACES_OWN_CAMP: ClassVar[bool] = True  # whether a lone person's own side is drawn below
    AUTO_FOCUS = ""  # focus goes to whatever offers a choice

    moving: Moving

    def __init__(self, table: LocalSeats) -> None:
        super().__init__()
        self.model, self.game_id = TableModel.open(table, LOOKS["ascii"]), table.match.game.ID
        self.is_turned = self._is_camp_above
        self.thought = ""  # a bot's thinking time, once it is long
        self.moving = Moving(self, self._draw_frame, self._show_still)
        self._message: Line | None = None
        # Over ssh each would cost more bytes than the key itself; the line below says the same.
        self._draws_ghosts = not guest_mode.is_far()
        # The choice for which the cursor was placed: the step, the seat, the parts chosen.
        self._about: tuple[int, Seat | None, tuple[str, ...]] | None = None
        self._drawn: Match | None = None  # the last position drawn for this view
        self._is_card_aside = False
        self._more_hint = 0  # rows of the hint after its first
        self._called: LocalSeats | None = None  # the table whose players have been called
        self._was_due = False
        self._tells_last = False  # in the title
        self._since = 0.0  # when a local player's turn last ended, or the table was opened

    def compose(self) -> ComposeResult:
        side = (
            Lines(id="seats", folds=True),
            Lines(id="facts", keep=True, folds=True),
            Lines(id="advice", folds=True),
            Chart(),
            Lines(id="log", tail=True),
        )
        field = Field(self.model.scene, can_choose=True, is_turned=self.is_turned)
        yield from around(
            field,
            side,
            EndCard(),
            Cover(id="cover"),
            Lines(id="company"),
            Lines(id="hint"),
            Prompt(id="prompt"),
        )

    @property
    def table(self) -> LocalSeats:
        return self.model.table

    @property
    def field(self) -> Field:
        return self.query_one(Field)

    @property
    def is_ready(self) -> bool:
        """True if the board is laid out and still on screen."""
        return self.is_mounted and self.is_whole and bool(self.query(Field))

    # --- what is drawn ------------------------------------------------------------------------

    @property
    def _is_camp_above(self) -> bool:
        """True if the board's upper row is where the only person here begins."""
        table, model = self.table, self.model
        if not self.FACES_OWN_CAMP or len(table.mine) != 1:
            return False
        view = table.match.game.view(table.match.state, SPECTATOR)
        board = model.makes.scene(view, table.shown_names, model.look, min(table.mine)).board
        place = board.place(board.home)
        return board.is_drawn and place is not None and place[1] == 0

    def apply(self, updated: Updated) -> None:
        raise NotImplementedError

    def show_table(self) -> None:
        self.apply(self.model.follow(self.look))
        self._hide_table()
        has_hand = self.model.seen.game.SECRETS is not None
        if has_hand:  # of who is at the keyboard now, whatever moves
            self._draw_chosen()
        self._show_motion()
        if not (has_hand or self.moving.is_running):  # else buttons would tell what comes of it
            self._draw_chosen()
        self.fit_table()
        self.show_words()
        self._call_who_is_due()

    def show_end(self) -> None:
        """Show an end without a last step at once, whatever moves or is looked back at."""
        self.moving.end()
        self.model = replace(self.model, behind=0)
        self.show_table()

    def _hide_table(self) -> None:
        """Cover the table until the awaited player is ready, discarding any earlier input."""
        awaited = self.model.awaited if self.model.interlude is None else None
        name = "" if awaited is None else self.table.shown_names[awaited]
        color = 0 if awaited is None else colors_of(self.model.seen)[awaited]
        cover = self.query_one(Cover)
        self.query_one("#middle").disabled = awaited is not None  # or Tab would go there
        if cover.show(awaited, name, color):
            self.shell.forget_keys()
            self.query_one(Prompt).close()
            self.set_focus(cover)

    def _draw_chosen(self) -> None:
        model, field, choice = self.model, self.field, self.model.choice
        targets = model.targets
        chosen = frozenset(choice.chosen) if choice else frozenset()
        field.draw(model.laid, targets, chosen, self._trace)
        # Buttons that do nothing any more go; a hand of cards stays.
        is_bare = field.is_board and self.is_decided
        can_board = field.lay(
            replace(model.scene, tray=()) if is_bare else model.scene,
            targets,
            chosen,
            lambda parts: table_words.chips(model, parts),
        )
        if is_bare:
            field.tray.display = False
        if field.is_away or model.is_covered:
            return
        if model.interlude or model.is_over:
            self.set_focus(None)  # Enter continues instead
            return
        about = model.since, model.seat, choice.chosen if choice else ()
        is_new, is_turned = about != self._about, False
        is_led = self._is_led or self._about is None  # a table that opens is drawn whole anyway
        if self._about is None or about[:2] != self._about[:2]:
            field.tray.begin()
            last = model.seen.last if self._about and self._about[0] < about[0] else None
            if last is not None and last.actor in self.table.mine:
                marks = scenes.last_marks(model.makes, model.seen)
                field.board.follow(marks, model.makes.parts(last.step)[0])
                is_turned = bool(marks.moves)
        field.take_cursor(can_board=can_board, is_new=is_new)
        self._about = about
        if not is_new or not is_led or field.pointed in chosen:
            return
        seat = None if chosen else model.seat
        likely = "" if seat is None else model.makes.likely(model.seen.state, seat)
        if likely in targets:
            field.point(likely)
        elif can_board:
            field.board.go_near(is_turned)

    @property
    def _trace(self) -> Trace:
        return scenes.last_trace(self.model.makes, self.model.seen, self.model.you)

    @property
    def _is_led(self) -> bool:
        """True if the cursor moves to the nearest choice automatically.

        Not when players change at a shared keyboard in games that point at pieces: the cursor
        would cross the whole board and add many bytes to every step.
        """
        model = self.model
        is_changed = model.seen.last is not None and model.seen.last.actor != model.seat
        is_shared = len(self.table.mine) > 1 and model.scene.board.points_at_pieces
        return not (is_shared and is_changed and not (model.choice and model.choice.chosen))

    def show_chosen(self, part: str = "") -> None:
        """Show the parts chosen so far, and move the cursor to `part` if given."""
        self._draw_chosen()
        if part and not self.field.is_away:
            self.field.point(part)
        self.field.make_way()
        self.show_hint()
        self.show_keys()

    def on_resize(self) -> None:
        if self.is_ready:
            self.fit_table()
            self.call_after_refresh(self._tell_last)

    def fit_table(self) -> None:
        """Size the board and the log to fit the screen."""
        rows, below = self.app.size.height, self.company_rows + self._more_hint
        self.field.fit_window(below)
        self.query_one(Cover).styles.height = rows - ABOVE_AND_BELOW - below

    def _show_hint(self) -> None:
        """Show the hint; one of several rows takes them from the table, so that none is cut."""
        super()._show_hint()
        hint = self.query_one("#hint").styles.height
        more = 0 if hint is None else max(0, int(hint.value) - 1)
        if more != self._more_hint:
            self._more_hint = more
            if self.is_ready:
                self.fit_table()

    @property
    def company_rows(self) -> int:
        return 0

    def redraw(self) -> None:
        self.show_table()

    # --- what moves ---------------------------------------------------------------------------

    def _show_motion(self) -> None:
        model, drawn = self.model, self._drawn
        self._drawn = seen = model.seen
        if model.behind or model.is_covered:
            self.moving.end()
            return
        steps = motion.new_steps(drawn, seen, self.table.mine)
        is_new = drawn is not None and drawn.number < seen.number
        is_held = is_new and self.is_decided
        if (model.interlude or is_held) and is_new and seen not in steps[-1:]:
            steps.append(seen)  # show the result of the player's own step as well
        self.move(steps, is_held=is_held)

    @property
    def is_decided(self) -> bool:
        """True if what happens here has come to its end, whose picture is held for a moment."""
        return self.model.is_over

    def move(self, steps: Sequence[Match], *, is_held: bool = False) -> None:
        if steps and (pace := self.shell.pace):
            names, model = self.table.shown_names, self.model
            moved = motion.frames(model.makes, steps, names, model.look, model.you)
            hidden = self.table.hidden
            frames = [one._replace(scene=one.scene.without(hidden)) for one in moved]
            if is_held:
                frames.append(motion.held(frames, model.scene, pace))
            self.moving.begin(frames, pace)

    def _draw_frame(self, frame: Frame) -> None:
        self._is_held = is_held = self.is_decided and frame.scene is self.model.scene
        if is_held:
            self.show_title()
            self.query_one("#seats", Lines).show(self.field.seat_lines(frame.scene))
            self.query_one("#facts", Lines).show(self.field.facts(frame.scene))
            self._show_chart()
        self.field.draw(frame.scene, trace=self._trace if is_held else NO_TRACE)
        self.query_one("#hint", Lines).show([((frame.said, "quiet"),)])

    def _show_still(self) -> None:
        """Draw the final picture and its text after an animation."""
        self._is_held = False
        self._draw_chosen()
        self.show_words()

    @property
    def motion_left(self) -> float:
        return self.moving.seconds

    # --- what is said -------------------------------------------------------------------------

    def show_words(self) -> None:
        """Update all text, except during an animation; keeps a partly chosen step."""
        is_moving = self.moving.is_running
        if not is_moving or self.model.interlude:  # the old "your turn" must not stay
            self.show_title()
        if is_moving:  # keys and hints that are of no use any more must not stay
            self.show_keys()
            if self.model.hint is None:
                self.query_one("#advice", Lines).show(())
            return
        self.show_card()  # first: without it, what stands beside the board has its columns again
        self.query_one("#seats", Lines).show(self.field.seat_lines(self.model.scene))
        result, advice = self.result_lines(), self.advice_lines()
        facts = self.query_one("#facts", Lines)
        facts.border_title = self.RESULT if result else TITLES["facts"]
        facts.show(result or self.field.facts(self.model.scene))
        self.query_one("#advice", Lines).show(advice)
        self.field.show_side(bool(result or advice))
        if self.model.is_over:
            self.show_title()  # it names the winner if no panel does
        self._show_chart()
        self.show_log()
        self.call_after_refresh(self._tell_last)
        self.show_hint()
        self.show_keys()

    def say_anew(self) -> None:
        said = self._hinted if self._hint_is_whole else ()
        if self.is_ready:
            self.show_words()
        if said:
            self.hint(said)

    def say_queued(self, words: str) -> None:
        super().say_queued(words)
        if self.is_ready:
            self.show_title()

    def show_title(self) -> None:
        self.query_one("#title", Lines).show([self.title_line()])

    def title_line(self) -> Line:
        columns, last = self.app.size.width - 2, self._tells_last
        is_open = self.moving.is_running and not self._is_held  # the result would come too early
        has_panel = bool(self.query_one("#side").display and self.result_lines())
        return table_words.title(
            self.model,
            columns,
            self.queued,
            self.thought,
            tells_last=last,
            is_open=is_open,
            is_told=has_panel or self.query_one(EndCard).display,
        )

    def _tell_last(self) -> None:
        """Show the last step in the title if the log, which is laid out by now, has no room."""
        if self.is_ready and not self.moving.is_running:
            log = self.query_one("#log", Lines)
            self._tells_last = not (self.model.is_over or log.shows_last)
            self.show_title()

    def result_lines(self) -> tuple[Line, ...]:
        """Return the result, which replaces the facts once the match is over."""
        return table_words.result(self.model, self.field.text_columns)

    def advice_lines(self) -> list[Line]:
        """Return the hint and its reason, wrapped to the panel; [] without a hint."""
        field = self.field
        room = MOST_LINES - (field.is_board and field.has_hand)
        room -= LESS * (field.is_over_stage and field.text_columns > SIDE_TEXT)  # headings below
        lines = table_words.hint(self.model, field.text_columns, room)
        return [*lines, ()] if lines and not field.is_over_stage else lines

    def show_log(self) -> None:
        log = self.query_one("#log", Lines)
        width = self.field.side_columns
        if width:
            names = self.table.shown_names
            seen, besides, is_short = self.model.seen, self._told_below, not self.field.is_framed
            told = narration.told_lines(
                seen, names, width, self.table.remarks, besides, is_short=is_short
            )
            aim = narration.aim_lines(self.table.match.game, width)
            log.show([*aim, *told], preface=len(aim))

    @property
    def _told_below(self) -> int:
        """Return the number of the step that is told below the stage; 0: there is none."""
        scene, line = self.model.scene, self.model.seen.line()
        is_told = scene.stage and scene.spread and scene.spread.words and self.field.is_framed
        steps = (one.number for one in reversed(line) if one.last and one.last.actor == CHANCE)
        return next(steps, 0) if is_told else 0

    def _show_chart(self) -> None:
        seen, stop = self.model.seen, self.model.interlude
        self.query_one(Chart).draw(seen, stop.view if stop else seen.state)

    def show_hint(self) -> None:
        """Show what choosing the item under the cursor would do."""
        if self._message:
            self.hint(self._message, rows=ERROR_ROWS)
        else:
            line = self.hover_line(self.field.pointed)
            room = self.app.size.width - 2
            line = line if line_width(line) <= room else abbreviated(line)
            is_told = not self.model.interlude or self.query_one("#log", Lines).shows_last
            if self.model.is_over and is_told:  # one row: no other size for the board
                line = ended(line, room, self.look)
            self.hint(line, is_whole=not is_told, rows=ERROR_ROWS)
        self._message = None
        if self._draws_ghosts:
            self.field.board.show_ghosts(table_words.ghosts(self.model, self.field.pointed))

    def hover_line(self, name: str) -> Line:
        """Return the hint for the part `name` under the cursor."""
        is_staged = self.model.scene.stage is not None and self.field.tells_last
        return table_words.hover(self.model, name, is_staged=is_staged)

    def complain(self, error: KumiteError) -> None:
        said, hint = self.model.worded(error)
        self._message = ((said, "loss"), (f"  {hint}" * bool(hint), "quiet"))
        self.show_hint()

    # --- the end ------------------------------------------------------------------------------

    def ending(self) -> Ending | None:
        table, names = self.table, self.table.shown_names
        found = course.ending(self.model.seen, table.end, names, table.only_person)
        if found and evaluations.changed(table.match_id):
            from kumite.tui.screens.valued import on_card  # late: few matches have been reviewed

            found = on_card(found, table.match_id, table.path)
        said = tuple((names[seat], text) for seat, text in table.left.items())
        return found and found._replace(facts=(*found.facts, *said))

    def show_card(self) -> None:
        """Show the end card once the last position has been seen; hide it if the match goes on."""
        model = self.model
        if not model.is_over:
            self._is_card_aside = False
        is_seen = model.is_over and model.is_in_present and not self.motion_left
        ending = self.ending() if is_seen and not self._is_card_aside else None
        self.query_one(EndCard).show(ending)

    def action_card(self) -> None:
        """Hide or show the card of the end, or before it the panels that large squares replace."""
        if self.model.is_over:
            self._is_card_aside = not self._is_card_aside
        else:
            self.field.toggle_panels()
        self.show_words()

    # --- calling people -----------------------------------------------------------------------

    @property
    def game_name(self) -> str:
        return about_game(self.table.match.game).name

    def _call_who_is_due(self) -> None:
        """Show whose turn it is in the window title, and call a player whose turn has come."""
        is_due = not self.model.is_over and self.table.acting is not None
        if self._called is not self.table:
            self._called, self._since = self.table, monotonic()
            self._was_due = not self.table.is_lan  # whoever opens a local table is watching
        # Bots usually answer at once, so nobody has looked away by then.
        has_waited = monotonic() - self._since >= WAITED or not self.app.app_focus
        if is_due and not self._was_due and (self.table.is_lan or has_waited):
            self.shell.call(self.game_name, "your turn")
        if not is_due and self._was_due:
            self._since = monotonic()
        self._was_due = is_due
        mark = self.shell.look.solid[0] if self.shell.look.is_drawn else "*"
        self.shell.entitle(f"{mark} your turn: {self.game_name}" if is_due else self.game_name)

    def call_people(self, text: str) -> None:
        """Call the local players: someone else spoke or made an offer, or time is short.

        If another screen is on top, the message is shown in its corner.
        """
        if self.table.mine:
            self.shell.call(self.game_name, text)
            if self.app.screen is not self:
                self.shell.say_aside(text, ASIDE)
