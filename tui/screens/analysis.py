"""The analysis screen: a position and its best steps, with values that sharpen over time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType

from kumite.core import bots
from kumite.core.bots import Choice
from kumite.core.errors import KumiteError
from kumite.core.game import Seat, Seats, Step
from kumite.core.match import Match
from kumite.core.players import named
from kumite.store.evaluations import Judged
from kumite.tui import scenes
from kumite.tui.bots import advice
from kumite.tui.bots.evaluation import question
from kumite.tui.bots.judging import Judge, simulations_a_second
from kumite.tui.drawing.places import STANDARD
from kumite.tui.play import narration
from kumite.tui.scenes import Line, Scene
from kumite.tui.scenes.lines import fit, trimmed, width, wrap, wrapped
from kumite.tui.screens import branching
from kumite.tui.screens.base import KumiteScreen
from kumite.tui.screens.branching import BranchPoint
from kumite.tui.widgets.bindings import escape, leave, positions, study
from kumite.tui.widgets.chart import Chart
from kumite.tui.widgets.field import SIDE_TEXT, Field, around
from kumite.tui.widgets.form import Form, Row
from kumite.tui.widgets.lines import Lines

SECONDS: Final = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0)  # thinking times after which the list is updated
MOST: Final = 12  # steps listed
TALL: Final = 22  # minimum rows for the players beside the list
BAR: Final = 8  # columns of the longest bar
BEFORE: Final = 9  # columns of a row before the name of its step


class AnalysisScreen(KumiteScreen):
    """Compare the best steps of a position and explore the positions after them."""

    SMALLEST = STANDARD
    HELP = """\
A bot compares the best steps. Each row shows what a step is worth to the player to act
(100 % is a certain win) and how much of the search it took. The search takes up to 16
seconds and gets more precise; leave whenever you have seen enough. It knows only what
that player knows. In Kiri-ai the list is a set of odds: a player who draws plans with
these odds cannot be outguessed.
Up and down mark a step on the board. ] shows the position after the step, [ goes back.
Enter does the same in a replay; at a table it selects the step without making it.
b continues from the position shown, with people or against a bot, in a log of its own."""
    BINDINGS: ClassVar[list[BindingType]] = [
        *positions(("analysis.on", "the position after it"), ("analysis.before", "step back")),
        study("analysis", "branch"),
        escape("analysis.leave", "leave"),
        leave(),
    ]

    def __init__(
        self,
        match: Match,
        eyes: Seats | None,
        names: Sequence[str],
        origin: BranchPoint | None = None,
        take: Callable[[Choice], None] | None = None,
        match_id: str = "",
        *,
        is_turned: bool = False,
    ) -> None:
        """Analyse the current position of `match` from the view `eyes` (None: each seat's own).

        `origin` locates the position in a saved match, so that the user can branch from it. If
        `take` is given, Enter closes the screen and passes it the chosen step. Evaluations are
        kept with those of `match_id`, if that is given.
        """
        super().__init__()
        self._line, self.is_turned = [match], is_turned
        self._eyes, self._names, self._origin, self._take = eyes, names, origin, take
        self._makes, self.game_id, self._match_id = scenes.maker(match), match.game.ID, match_id
        self._choice: Choice | None = None
        self._seconds = 0.0  # thinking time behind `_choice`
        self._is_thinking = False
        self._is_exhausted = False  # the search ended before its time limit
        self._is_moved = False  # by the user; until then the cursor stays on the best step

    @property
    def match(self) -> Match:
        return self._line[-1]

    @property
    def seat(self) -> Seat | None:
        return advice.asked_seat(self.match, self._eyes)

    def compose(self) -> ComposeResult:
        seats, facts = (Lines(id=one, folds=True) for one in ("seats", "facts"))
        (form := Form(id="form")).add_class("-log")
        side = seats, facts, Chart(), form
        yield from around(
            Field(self._scene_now(), is_turned=self.is_turned), side, Lines(id="hint")
        )

    def on_mount(self) -> None:
        self.query_one(Form).can_focus = True
        self.set_focus(self.query_one(Form))
        self._begin()

    def on_resize(self) -> None:
        self.set_class(self.app.size.height < TALL, "-short")
        self.query_one(Field).fit_window()
        if self._choice or self._is_thinking:
            self.query_one(Chart).draw(self.match, self.match.state)

    def say_anew(self) -> None:
        super().say_anew()
        if self.is_whole:
            scene, field = self._scene, self.query_one(Field)
            self.query_one("#seats", Lines).show(field.seat_lines(scene))
            self._show_rows()

    # --- thinking -------------------------------------------------------------------------------

    def _begin(self) -> None:
        self._choice, self._seconds, self._is_exhausted = None, 0.0, False
        self._is_moved = False
        seat = self.seat
        legal = self.match.legal(seat) if seat is not None else ()
        if len(legal) == 1:
            self._choice = Choice(legal[0], None, (bots.Line(legal[0], 0.0, 1.0),))
        self._is_thinking = len(legal) > 1
        self.workers.cancel_group(self, "analysis")
        if self._is_thinking and seat is not None:
            self.beside(self._think, self.match, seat, group="analysis")
        self.redraw()

    async def _think(self, match: Match, seat: Seat) -> None:
        asked, judge = question(match, seat), Judge(self.shell.bot_service, self._match_id)
        is_mixed, a_second = bots.mixes(match.game), simulations_a_second(match.game.ID)

        def told(seconds: float, choice: Choice) -> None:
            if match is not self.match:
                return  # the worker has been cancelled
            judged = None if is_mixed else judge.add(asked, choice, choice.looked)
            if judged is not None and judged.looked > choice.looked:  # somebody has looked longer
                recall(judged)
            else:
                show(seconds, choice)

        def recall(judged: Judged) -> None:
            show(float(f"{judged.looked / a_second:.1g}"), advice.choice_of(judged))

        def show(seconds: float, choice: Choice) -> None:
            self._seconds, self._choice = seconds, choice
            self._show_list()

        if not is_mixed and (known := judge.known(asked)) is not None:
            recall(known)
        position = asked.position
        try:
            await self.shell.bot_service.grow(
                advice.LEVEL, position, seed=match.digest.hex(), stages=SECONDS, told=told
            )
        except KumiteError as error:
            self.call_later(self.complain, error)  # once all is drawn
        else:
            self._is_exhausted = self._seconds < SECONDS[-1]
        finally:
            judge.save()
        self._is_thinking = False
        self._show_list()

    # --- showing --------------------------------------------------------------------------------

    def _scene_now(self) -> Scene:
        match, look = self.match, self.look
        return self._makes.scene(match.state, self._names, look, None, scenes.past(match))

    def redraw(self) -> None:
        match, seat = self.match, self.seat
        self._scene = scene = self._scene_now()
        field = self.query_one(Field)
        field.draw(scene)
        field.fit_window()
        self.query_one("#seats", Lines).show(field.seat_lines(scene))
        said, sees = f"Analysis after step {match.number}", ""
        if seat is not None:
            said += f"  {self._names[seat]} to play"
            sees = f", as {self._names[seat]} sees it" * (match.game.SECRETS is not None)
        title = (said, "title"), (sees, "key"), (f"  {match.game.TITLE}", "quiet")
        self.query_one("#title", Lines).show([trimmed(title, self.app.size.width - 2)])
        self._show_list()
        self.query_one(Chart).draw(match, match.state)

    def _show_list(self) -> None:
        if not self.is_whole:
            return  # the result came after the screen was closed
        self.query_one("#facts", Lines).show(self._about())
        self._show_rows()
        self._show_selected()

    def _show_rows(self) -> None:
        self.query_one(Form).show(self._rows(), stays=self._is_moved)

    def _about(self) -> list[Line]:
        seat, choice = self.seat, self._choice
        if seat is None:
            return wrapped(advice.why_nobody(self.match), SIDE_TEXT, "title")
        is_mixed = bots.mixes(self.match.game)
        value = None if choice is None else advice.worth(choice, is_mixed=is_mixed)
        lines: list[Line] = []
        if value is not None:
            plan = self._choice.plan if self._choice else ()
            said = advice.to_win(value, plan)
            who = fit(self._names[seat], 14).rstrip()
            lines.append(((who, "title"), (f" {said}", "title")))
        if choice is not None and not choice.lines:
            lines.append((("There was no time yet.", "quiet"),))
        if self._is_thinking:
            said = f"after {self._seconds:g} s, still thinking" if choice else "thinking ..."
        elif len(self.match.legal(seat)) == 1:
            said = "There is nothing to choose."
        elif is_mixed:
            said = "A lottery: chance, plan"
        else:
            is_all = self._is_exhausted
            said = "Nothing more to find." if is_all else f"after {self._seconds:g} s of thought"
        return [*lines, ((said, "quiet"),)]

    def _rows(self) -> list[Row]:
        if self._choice is None:
            return []
        is_mixed = bots.mixes(self.match.game)
        lines = advice.ranked(self._choice, is_mixed=is_mixed)[:MOST]
        room = (self.query_one(Field).side_columns or SIDE_TEXT) - BEFORE
        called = (narration.step_name(self.match, line.step, self._names) for line in lines)
        names = [wrap(one, room) for one in called]
        # All bars use one scale, set by the row with the least room.
        longest = min(BAR, room - 1 - max((width(name[0]) for name in names), default=0))
        bar = self.shell.look.heights[-1]
        rows = []
        for line, (name, *more) in zip(lines, names, strict=True):
            shown = line.share if is_mixed else line.value
            said_of = advice.percent if is_mixed else advice.standing
            said = "" if self._choice.value is None else said_of(shown)
            length = round(longest * line.share) * (not is_mixed)
            rows.append(Row(line.step, f"{said:>5} {name} ", line=((bar * length, "quiet"),)))
            rows += [Row("", f"{'':{BEFORE}}{part}") for part in more]
        return rows + self._rest(len(lines))

    def _rest(self, shown: int) -> list[Row]:
        """Return a row that counts the steps not shown, given that `shown` are."""
        seat, is_mixed = self.seat, bots.mixes(self.match.game)
        count = 0 if seat is None or is_mixed else len(self.match.legal(seat)) - shown
        if not shown or count <= 0:
            return []
        said = f"{count} others promise less" if count > 1 else "1 other promises less"
        return [Row("", f"    {said}")]

    @property
    def selected(self) -> Step | None:
        form = self.query_one(Form)
        return None if form.is_empty else Step(form.row.key)

    def _show_selected(self) -> None:
        step, seat, match = self.selected, self.seat, self.match
        marks: frozenset[str] = frozenset()
        if step is not None and seat is not None:
            marks = frozenset(self._makes.parts(step))
            line = self._makes.preview(match.state, seat, step, self.look)
            self.hint(tuple((named(said, self._names), role) for said, role in line))
        else:
            self.say("")
        # Mark them as targets, too: the smallest squares have no room for the other mark.
        self.query_one(Field).draw(self._scene, marks, trace=scenes.Trace(reached=marks))

    @on(Form.Moved)
    def _moved(self) -> None:
        self._is_moved = True
        self._show_selected()

    # --- going on -------------------------------------------------------------------------------

    @on(Form.Chosen)
    def _chosen(self, event: Form.Chosen) -> None:
        if self._take is None or len(self._line) > 1 or self._choice is None:
            self.action_look(1)
            return
        value = next((one.value for one in self._choice.lines if one.step == event.key), None)
        take, choice = self._take, Choice(Step(event.key), value, self._choice.lines)
        self.action_back()
        take(choice)

    def action_look(self, by: int) -> None:
        step, seat = self.selected, self.seat
        if by < 0 and len(self._line) > 1:
            self._line.pop()
            self._begin()
        elif by > 0 and step is not None and seat is not None:
            self._line.append(self.match.play(seat, step))
            self._begin()

    def action_branch(self) -> None:
        if self._origin is None:
            return
        self.workers.cancel_group(self, "analysis")  # it would delay bots at the new table
        self._is_thinking = False
        self._show_list()
        more = [match.last for match in self._line[1:] if match.last is not None]
        branching.ask(self, self._names, self._origin, more)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if (action, *parameters) == ("look", -1):
            return len(self._line) > 1
        if action == "branch":
            return self._origin is not None
        return True
