"""The table screen: its keys and what they open. Used for hot-seat, bot and LAN matches."""

from __future__ import annotations

from asyncio import to_thread
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on
from textual.binding import Binding, BindingType

from kumite.core.errors import KumiteError
from kumite.core.log import Log
from kumite.store import guest_mode, log_files, whole_files
from kumite.tui.drawing.grid import BoardMarks, glyphs
from kumite.tui.drawing.pixels import Brush
from kumite.tui.drawing.squares import PICTURE, square
from kumite.tui.play import first, motion, table_words
from kumite.tui.play.local_seats import LocalSeats
from kumite.tui.play.local_table import LocalTable
from kumite.tui.play.narration import Remark, is_opening
from kumite.tui.play.table_model import WITH_ANALYSIS, TableModel
from kumite.tui.scenes import Line, Scene, Sign
from kumite.tui.scenes.about import about_game
from kumite.tui.scenes.lines import capital, line_width
from kumite.tui.scenes.lines import width as width_of
from kumite.tui.scenes.model import RAISED, TURNED, Cell, Fallen, Trace
from kumite.tui.scenes.notation import form_lines
from kumite.tui.screens import dialog
from kumite.tui.screens.thinking import ThinkingTable
from kumite.tui.widgets.bindings import CHOOSE, JUMP, leave, positions, study
from kumite.tui.widgets.cover import Cover
from kumite.tui.widgets.field import EndCard
from kumite.tui.widgets.form import Row
from kumite.tui.widgets.painted import Chooser
from kumite.tui.widgets.prompt import Prompt
from kumite.tui.widgets.tray import BUTTONS

if TYPE_CHECKING:
    from kumite.tui.export.sheet import Paper
    from kumite.tui.play.replaying import Replay


LOTS: Final = "lots"
WIDE: Final = 100  # columns with room for Tab beside all the usual keys
SIGN_SIZE: Final = (5, 2)  # columns and rows of a square if the board has no room for pictures
TABLE_HELP: Final = """\
Move the cursor over the board, or over the buttons beside it: Tab switches, and a digit
goes to the button that shows it. The line below says what a choice would do, or why it is
impossible. Enter chooses; a step of several parts is made part by part, and Esc undoes
the last part.
The meaning of all signs on the table is listed below the keys (press End).
g gives the match up, after it has asked you.
[ and ] look at earlier positions without taking anything back; End returns.
You can also type a step: press : and write it as in the log. ? shows the rules.
f turns the board around, so that you see it from the other side.
i asks a bot for a good step: the cursor moves to it, and the reason is shown beside the
board. i again shows what it leads to, and why the next best step is worse. Only Enter
makes the step. a compares the best steps. The tutor (in the set-up or the settings) warns
you once before a costly step. The log records all this help.

If people at one keyboard have secrets, a cover hides the table until the next player
presses the key it names. It ignores all keys until they have been released.

All keys work while a bot is thinking; u and q interrupt it. If a bot's program fails, b
chooses who plays on.

With the size `large` (settings) squares and cards grow before there are panels; v shows
these. After the match a card shows who won and why; v hides it and shows it again. p replays
the match, a has a bot judge all of it{{; s saves a picture of the last position,
S an animation of the match (both are SVG files beside the saved match)|}}.

"""
SAVED: Final = """\
After the match o reviews it: how well each player chose, the turning points, and another
try at them.

The match is saved as it is played. Leaving loses nothing: the home screen {{and
`kumite resume` go|goes}} on with it."""


NOT_BEGUN: Final = "q leaves the table; nobody has made a step, so nothing is kept"


class TableScreen(ThinkingTable):
    """A match in progress."""

    HELP = TABLE_HELP + SAVED
    LEAVING: ClassVar[str] = "q leaves the table; the match is saved"
    HAS_TUTOR: ClassVar[bool] = True  # whether the tutor is available here
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space", "go_on", "go on", id="table.go_on"),
        Binding("i", "hint", "hint", id="table.hint"),
        # When space is short, the last bindings leave the key line first.
        Binding("m", "rematch", "rematch", id="table.rematch"),
        study("table", "review"),
        Binding("p", "replay", "replay", id="table.replay"),
        Binding("u", "take_back", "take back", id="table.back"),
        Binding("colon", "type", "type", id="table.type"),
        Binding("question_mark,r", "rules", "rules, help", id="table.rules"),
        Binding("full_stop", "again", "last turn again", show=False, id="table.again"),
        *positions(("table.look_on", "forward"), ("table.look_back", "look back"), show=False),
        Binding("end", "present", "to the present", show=False, id="table.present"),
        study("table", "analyse"),
        Binding("b", "who_plays", "who plays on?", id="table.who"),
        Binding("s", "keep_picture", "keep a picture", show=False, id="table.picture"),
        Binding("S", "keep_film", "keep a film", show=False, id="table.film"),
        Binding("v", "card", "panels or picture", show=False, id="table.card"),
        Binding("f", "turn_board", "turn the board round", show=False, id="table.turn"),
        Binding("g", "resign", "give up", show=False, id="table.resign"),
        leave(),
        Binding("tab", "switch", "board or buttons", id="table.switch"),
        *(
            Binding(f"{n}", f"button({n})", f"to button {n}", show=False, id=f"table.button{n}")
            for n in range(1, BUTTONS + 1)
        ),
        Binding("escape", "unchoose", "one part back", show=False, id="table.unchoose"),
    ]

    def __init__(self, table: LocalSeats, *, wants_tutor: bool | None = None) -> None:
        """Show a table; if `wants_tutor` is None, the settings decide."""
        super().__init__(table)
        self._wants_tutor = wants_tutor

    def on_mount(self) -> None:
        wanted = self.shell.settings.tutor if self._wants_tutor is None else self._wants_tutor
        self.model = replace(self.model, wants_tutor=self.HAS_TUTOR and wanted)
        self.show_table()

    def sit_at(self, table: LocalSeats) -> None:
        self.model = TableModel.open(table, self.look, wants_tutor=self.model.wants_tutor)
        self.is_turned = self.field.is_turned = self._is_camp_above
        self.show_table()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "button":
            return self.is_ready and parameters[0] in range(1, len(self.field.tray.buttons) + 1)
        if action == "card" and not self.model.is_over:
            return self.shell.settings.size == "large"
        return self.model.may(action)

    def why_not(self, action: str) -> str:
        if action in ("take_back", "resign") and self.model.is_over:
            return "the match is over"
        if action == "rematch" and not self.model.is_over:
            return "the match is not over yet"
        return self.model.why_no_take_back if action == "take_back" else ""

    # --- choosing -----------------------------------------------------------------------------

    @on(Chooser.Hovered)
    def _hovered(self) -> None:
        if not self.is_checking:
            self.show_hint()

    @on(Chooser.Chosen)
    def _chosen(self, event: Chooser.Chosen) -> None:
        self.apply(self.model.pick(event.name))

    def action_look(self, by: int) -> None:
        self.apply(self.model.look_by(by))

    def action_present(self) -> None:
        self.apply(self.model.to_present())

    def action_unchoose(self) -> None:
        if self.query_one(EndCard).display:
            self.action_card()
            self.say("v shows the card again", "quiet")
        elif self.field.across is self.field.board and not self.model.can_unchoose:
            self.action_switch()
        else:
            leaving = self.LEAVING if self.table.is_kept else NOT_BEGUN
            self.apply(self.model.unchoose(leaving))

    def action_go_on(self) -> None:
        self.apply(self.model.go_on())

    def action_again(self) -> None:
        steps = motion.last_turn(self.model.seen, self.table.mine)
        self.move(steps)
        if not steps:
            self.say("nobody else has made a step yet", "quiet")

    def action_hint(self) -> None:
        self.apply(self.model.ask_hint())

    def action_turn_board(self) -> None:
        field, name = self.field, self.field.board.cursor_name
        self.is_turned = field.is_turned = not self.is_turned
        self.show_table()
        field.board.point(name)

    def action_switch(self) -> None:
        self.field.switch()
        self.show_hint()

    def action_button(self, number: int) -> None:
        """Move the cursor to a button; the line below says what Enter does there."""
        self.field.point(self.field.tray.buttons[number - 1])
        self.show_hint()

    @on(Chooser.NoneHere)
    def _next_elsewhere(self, event: Chooser.NoneHere) -> None:
        """Switch between the choices of the board and the buttons."""
        self.field.jump_on(event.by) if event.by else self.field.switch()
        self.show_hint()

    @on(Cover.Lifted)
    def _lifted(self) -> None:
        if self.model.is_covered:
            self.apply(self.model.uncover())

    def on_screen_resume(self) -> None:
        """Make a visible cover ignore keys typed on the screen above it."""
        for cover in self.query(Cover):
            cover.ignore_keys()
        if self.is_ready and self._about is not None:
            self.show_hint()  # replaces an outdated message
        if self.is_ready:
            self.show_card()  # with what a review has found

    # --- typing a step ------------------------------------------------------------------------

    def action_type(self) -> None:
        self.say("? lists how steps are written", "quiet")
        self.ask_step("")

    @on(Prompt.Listed)
    def _list_forms(self) -> None:
        """Show the notation help; the prompt stays as it is."""
        self.shell.show_help(form_lines(self.table.match.game, self.steps_as_typed()))

    # --- the match ----------------------------------------------------------------------------

    def action_take_back(self) -> None:
        self.apply(self.model.take_back())

    def action_resign(self) -> None:

        def resign() -> None:
            with self.complaining():
                self.table.resign()
                if self.table.is_over:  # on the LAN an event tells it
                    self.show_end()

        def later() -> None:  # when it resumes, this screen replaces the message
            self.call_later(resign)

        question = table_words.giving_up(self.table)
        dialog.confirm(self.app, question, "No, play on", "Yes, give up", later)

    def action_rematch(self) -> None:
        table = self.table
        if not about_game(table.match.game).has_first:
            self._begin_again("1")
            return
        found = first.may_begin(table.match, table.end, table.shown_names)
        rows = [*(Row(f"{seat}", said) for seat, said in found.items()), Row(LOTS, "draw lots")]

        def begin(answer: str) -> None:  # later: when it resumes, this screen replaces the message
            self.call_later(self._begin_again, answer)

        dialog.ask(self.app, first.asked(table.match.game), rows, begin)

    def _begin_again(self, begins: str) -> None:
        table, is_drawn = self.table, begins == LOTS
        assert isinstance(table, LocalTable)
        names = first.by_lot(table.names) if is_drawn else first.moved(table.names, int(begins))
        with self.complaining():
            again = table.rematch(names)
            shown = again.shown_names
            said = first.told(again.match.game, shown) or f"{shown[0]} has seat 1 now"
            told = f"A rematch{', drawn by lot' * is_drawn}. {capital(said, shown)}."
            again.remarks.append(Remark(0, told, "title"))
            self.sit_at(again)
            self.say(told, "title")

    # --- where keys lead ----------------------------------------------------------------------

    def action_analyse(self) -> None:
        if self.model.is_over:
            self.action_replay(judges=True)
            return
        from kumite.tui.screens.analysis import AnalysisScreen
        from kumite.tui.screens.branching import BranchPoint

        seat, table, match = self.model.seat, self.table, self.table.match
        if seat is None:
            return
        if asked := self.model.ask_if_rated(WITH_ANALYSIS):
            self.apply(asked)
            return
        self.apply(self.model.stop_hint())
        self.apply(self.model.note("analysis", seat))
        own, path = frozenset({seat}), table.path
        origin = BranchPoint(partial(log_files.load, path), match.number) if path else None
        seen, take = self.model.seen.seen_by(own), partial(self.take_hint, match)
        about = seen, own, table.shown_names, origin, take, table.match_id
        self.app.push_screen(AnalysisScreen(*about, is_turned=self.is_turned))

    def action_rules(self) -> None:
        from kumite.tui.screens.reading import RulesScreen

        match, names = self.table.match, self.table.shown_names
        chapter, lines = self.model.makes.chapter(self.model.seen.state), self.help_lines()
        if is_opening(match, self.table.mine) and not self.table.is_over:
            chapter = ""  # the page begins with what the game is about
        self.app.push_screen(
            RulesScreen(match.game.ID, match.game.TITLE, chapter, lines, match.setup, names)
        )

    def help_lines(self) -> tuple[Line, ...]:
        model, size = self.model, self.field.board.square_size
        signs = model.makes.signs(model.seen.state, self.table.shown_names, self.look)
        told = legend(model.scene, signs, self.shell.brush, size)
        return (*super().help_lines(), *told)

    def key_said(self, binding: Binding) -> str:
        choice = self.model.choice
        if binding.action == "hint" and self.model.hint is not None:
            return "why"
        if binding.action == "rules" and self.model.may("rematch"):
            return "help"  # leaves room for all that can be next
        if binding.action == "switch":
            if not self.is_ready or (across := self.field.across) is None:
                return ""
            is_board = across is self.field.board
            return "board  " if is_board else "buttons"  # as wide, or all keys behind it would move
        if binding.action not in (JUMP, CHOOSE):
            return super().key_said(binding)
        if binding.action == CHOOSE and self.field.across and self.app.size.width < WIDE:
            return ""  # the line above says what Enter does
        if choice is None and self.model.seat is None:
            return ""
        count = len(self.model.targets)
        return f"next of {count}" if binding.action == JUMP and count > 1 else binding.description

    @property
    def keys_first(self) -> frozenset[str]:
        return super().keys_first | {"Tab"}

    def action_replay(self, *, judges: bool = False) -> None:
        """Replay the match from its log; with `judges`, a bot judges every position."""
        from kumite.tui.screens.replay import ReplayScreen

        with self.complaining():
            self.app.push_screen(
                ReplayScreen(*self._log(), judges=judges, is_turned=self.is_turned)
            )

    def action_review(self) -> None:
        with self.complaining():
            self.shell.open_review(self._log()[0], is_turned=self.is_turned)

    def _log(self) -> tuple[Log, Path]:
        if (path := self.table.path) is None:
            raise KumiteError("this match is in no file", hint="only saved matches are replayed")
        return log_files.load(path), path

    def action_keep_picture(self) -> None:
        from kumite.tui.export.svg import picture

        def draw(replay: Replay, paper: Paper) -> str:
            return picture(replay, replay.last, paper)

        self.beside(self._keep, draw, ".svg", group="keep")

    def action_keep_film(self) -> None:
        from kumite.tui.export.film import film

        self.say("drawing the match ...")
        self.beside(self._keep, film, ".film.svg", group="keep")

    async def _keep(self, draw: Callable[[Replay, Paper], str], suffix: str) -> None:
        """Draw the match in the background and write the file beside its log."""
        from kumite.tui.export.sheet import Paper
        from kumite.tui.play.replaying import Replay

        with self.complaining():
            guest_mode.refuse("keep files")
            log, path = self._log()
            palette, kept = self.shell.palette.of(self.game_id), path.with_suffix(suffix)
            paper = Paper.of(self.shell.look, palette, self.shell.brush.skin)
            try:
                drawn = await to_thread(draw, Replay(log), paper)
                whole_files.write_whole(kept, drawn.encode("utf-8"))
            except OSError as error:
                raise KumiteError(f"cannot write {kept}: {whole_files.reason(error)}") from error
            self.say(f"kept as {kept}", "gain")

    def action_back(self) -> None:
        self.close_bots()
        self.table.close()
        self.shell.go_back()

    def on_unmount(self) -> None:
        self.shell.entitle(self.app.TITLE or "")
        self.close_bots()
        self.table.close()


# --- The legend: every sign and mark, drawn as on the board, with its meaning --------------------


def legend(
    scene: Scene, signs: Iterable[Sign], brush: Brush, size: tuple[int, int]
) -> tuple[Line, ...]:
    """Return every sign and mark with its meaning.

    `size` is that of the board's squares in cells; signs are pictures here if they are there.
    """
    has_room = size[0] >= PICTURE[0] and size[1] >= PICTURE[1]
    drawn = PICTURE if brush.has_pictures and has_room else SIGN_SIZE
    found = [(_drawn(cell, BoardMarks(), brush, drawn), said) for cell, said, _ in signs]
    told = _listed("On this table", found)
    return (*told, *_listed("Marks", [*_marks(scene, brush, drawn)]))


def _drawn(cell: Cell, marks: BoardMarks, brush: Brush, size: tuple[int, int]) -> tuple[Line, ...]:
    """Draw a square as on the board, or, for a sign without a square, its glyph in one row."""
    if not cell.ground:
        return glyphs(cell, marks, width_of(cell.glyph), 1)
    return square(cell, marks.of(cell.name), brush, *size) or glyphs(cell, marks, SIGN_SIZE[0], 1)


def _listed(title: str, found: list[tuple[tuple[Line, ...], str]]) -> Iterator[Line]:
    """Yield a title, then each drawing with its meaning beside it; nothing if `found` is empty."""
    if not found:
        return
    yield from ((), ((title, "title"),), ())
    wide = max(line_width(rows[0]) for rows, _ in found)
    for rows, words in found:
        for number, row in enumerate(rows):
            gap = " " * (wide - line_width(row) + 2)
            yield (("  ", ""), *row, (gap, ""), ("" if number else words, ""))
        if len(rows) > 1:
            yield ()


def _marks(
    scene: Scene, brush: Brush, size: tuple[int, int]
) -> Iterator[tuple[tuple[Line, ...], str]]:
    """Yield every mark, drawn on a square of this board; nothing if the game has no board."""
    cells = [cell for row in scene.board.rows for cell in row if cell.name]
    empty = next((cell for cell in cells if cell.ground and not cell.sprite), None)
    taken = next((cell for cell in cells if cell.owner is not None), empty)
    if empty is None or taken is None:
        return
    for cell, marks, said in _all_marks(empty, taken):
        yield _drawn(cell, marks, brush, size), said


def _all_marks(empty: Cell, taken: Cell) -> Iterator[tuple[Cell, BoardMarks, str]]:
    on, there = frozenset({empty.name}), frozenset({taken.name})
    yield taken, BoardMarks(cursor=taken.name), "where you are"
    yield taken, BoardMarks(chosen=there), "chosen: the first part of a step"
    yield empty, BoardMarks(targets=on), "can be chosen"
    yield taken, BoardMarks(targets=there), "can be chosen, and is occupied"
    yield taken, BoardMarks(targets=there, captures=there), "can be chosen, and captures"
    begun = Trace(on, changed={empty.name: "→"})
    yield empty, BoardMarks(trace=begun), "the last step began here"
    yield taken, BoardMarks(trace=Trace(on, there)), "the last step ended here"
    yield taken, BoardMarks(trace=Trace(reached=there)), "it was put here"
    moved = "raised by it, or moved that way"
    for sign, said in ((TURNED, "turned over or changed by it"), (RAISED, moved)):
        yield taken, BoardMarks(trace=Trace(changed={taken.name: sign})), said
    if taken.owner is not None:  # else the board is still empty
        fallen = {empty.name: Fallen(taken.sprite, taken.owner)}
        yield empty, BoardMarks(trace=Trace(taken=fallen)), "captured here, or fallen"
