"""The review of a match: accuracy of each player, turning points, and a retry of one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from kumite.core.errors import KumiteError
from kumite.core.game import Seat, Step
from kumite.core.match import Match
from kumite.core.players import bot_name
from kumite.tui import scenes
from kumite.tui.bots import advice
from kumite.tui.bots.judging import Judge, look_back, simulations_here
from kumite.tui.bots.review import Review, Turning, grade
from kumite.tui.play import narration, reviewed
from kumite.tui.play.local_seats import LONGEST_NOTE
from kumite.tui.play.local_table import names_in
from kumite.tui.play.replaying import Replay
from kumite.tui.play.reviewed import Told
from kumite.tui.play.trying import TryTable
from kumite.tui.scenes import Line, Scene
from kumite.tui.scenes.compared import compared
from kumite.tui.scenes.lines import fit, glued, plain
from kumite.tui.scenes.model import BAD, GOOD
from kumite.tui.scenes.tallies import colors_of
from kumite.tui.screens import branching, dialog
from kumite.tui.screens.base import KumiteScreen
from kumite.tui.screens.branching import BranchPoint
from kumite.tui.screens.task import TaskScreen
from kumite.tui.widgets.bindings import escape, leave, positions, study
from kumite.tui.widgets.chart import Chart
from kumite.tui.widgets.field import ABOVE_AND_BELOW, SIDE_TEXT, Field, around
from kumite.tui.widgets.form import Form, Row
from kumite.tui.widgets.lines import Lines
from kumite.tui.widgets.prompt import Prompt

TITLES: Final = {"seats": "accuracy", "form": "where it turned", "facts": "why"}
UNFINISHED: Final = "Some choices are still unchecked: open the review again to continue."
ROOMY: Final = 24  # fewest rows for more than the essentials
FRAMES: Final = 2  # rows that a frame takes
INDENT: Final = "  "
NAME: Final = 12  # columns of a name
BAR: Final = 18  # columns of the progress bar
FIND, SHOW, ON, NOT_NOW = "find", "show", "on", "no"
# Captions of what is shown for a turning point, in order.
BEFORE: Final = "Before step {number}: {marked}."
PLAYED: Final = "After the step that was played."
REVEALED: Final = "What came of it, {at} of {count}."
BETTER: Final = "After the step that was better."
MARKED: Final = "{} was played", "{} was better"  # labels for the marks on the board
UNSEEN: Final = "try it again, and you see what {who} could choose"
UNTRIED: Final = "What was better? Press Enter to try it or see it."
UNSURE: Final = "A bot has had a short look, and will have a longer one."


class ReviewScreen(KumiteScreen):
    """A bot's review of a finished or unfinished match."""

    HELP = """\
A bot examines every choice of the match, and again those that look costly. You can read
its findings while it works, and leave at any time: they are saved. A player's accuracy
is the mean over their choices: a choice that costs nothing counts fully, one that costs
a tenth of the chance to win counts two thirds. The errors of all players are counted.
The three costliest choices of people and two of bots are explained, if they cost at
least 5 %. What only a short look has blamed has a ? until a longer one.
Up and down go between the turning points. × marks the step played; ] shows where it led
(where all choose at once: what was revealed), [ goes back. Without turning points, they
step through the match. Enter lets you try again: find a step that is as good as the best,
have it shown (✓), or play on from there against a bot. b plays on with people or from
other seats. The bot knows only what the player knew."""
    BINDINGS: ClassVar[list[BindingType]] = [
        *positions(("review.on", "its result"), ("review.before", "step back")),
        study("review", "branch"),
        Binding("t", "talk", "talk", id="review.talk"),
        escape("review.leave"),
        leave(),
    ]

    def __init__(
        self, replay: Replay, *, is_turned: bool = False, talk: Callable[[str], str] | None = None
    ) -> None:
        """Review a match from the view of its replay.

        `talk` says a text at the table where it was played, if that is open, and returns why not.
        """
        super().__init__()
        self.is_turned, self._talk = is_turned, talk
        self.replay, self.game_id = replay, replay.log.match.game.ID
        self.review = reviewed.of_replay(replay, simulations_here(replay.line[-1]))
        self._makes = replay.makes
        self._turnings: tuple[Turning, ...] = ()
        self._named: dict[tuple[int, Seat], str] = {}  # numbers of the steps blamed here so far
        self._is_thinking = False
        self._after = 0  # index into the positions of a turning point
        self._at = len(replay.line) - 1  # the position shown while there is no turning point
        self._revealed = set[str]()  # turning points whose better step is shown

    def compose(self) -> ComposeResult:
        seats, facts = (Lines(id=one, folds=True) for one in ("seats", "facts"))
        side = seats, Form(id="form"), Chart(), facts
        scene = self._scene_of(self.replay.line[-1], is_before=False)
        field = Field(scene, is_turned=self.is_turned)
        yield from around(field, side, Lines(id="hint"), Prompt(id="prompt"))

    def on_mount(self) -> None:
        for name, title in TITLES.items():
            self.query_one(f"#{name}").border_title = title
        self.set_focus(self.query_one(Form))
        self._is_thinking = bool(self.review.count)
        if self._is_thinking:
            self.beside(self._look_back, group="review")
        self.redraw()

    def on_resize(self) -> None:
        self.query_one(Field).fit_window()

    def say_anew(self) -> None:
        super().say_anew()
        if self.is_whole:
            self._fit()

    def _fit(self) -> None:
        field = self.query_one(Field)
        field.fit_window()
        if self._is_low:
            field.picture.display = False  # the text matters more than the picture
        self._tell()

    async def _look_back(self) -> None:
        judge = Judge(self.shell.bot_service, self.replay.log.header.match_id)
        try:
            await look_back(judge, self.review, self._learnt)
        except KumiteError as error:
            self.call_later(self.complain, error)  # once all is drawn
        self._is_thinking = False
        self._redraw_behind()

    def _learnt(self) -> None:
        """Show what has been found so far; what is being read stays."""
        if self.review.first(self.review.blamed) != self._turnings or not self._turnings:
            self._redraw_behind()
        self._show_title()

    def _redraw_behind(self) -> None:
        """Draw all anew, but leave what one has said to the others."""
        talked = [one for one in self._hinted if one[1] == "title"]
        self.redraw()
        if talked:
            self.hint(tuple(talked))

    # --- showing --------------------------------------------------------------------------------

    @property
    def turning(self) -> Turning | None:
        form = self.query_one(Form)
        key = "" if form.is_empty else form.row.key
        return next((one for one in self._turnings if _key(one) == key), None)

    @property
    def _is_sure(self) -> bool:
        return (turning := self.turning) is not None and turning.place in self.review.again

    @property
    def _is_revealed(self) -> bool:
        turning = self.turning
        return turning is not None and _key(turning) in self._revealed

    @property
    def _shown(self) -> Match:
        turning = self.turning
        if turning is None:
            return self.replay.line[self._at]
        return self._positions(turning)[self._after][0]

    def _positions(self, turning: Turning) -> list[tuple[Match, str]]:
        """Return the positions of a turning point, with captions: before the choice, and after it.

        Where all choose at once, the better step leads to nothing that can be seen.
        """
        came = self.review.came_of(turning)
        said = REVEALED if turning.is_at_once else PLAYED
        captions = (said.format(at=at, count=len(came)) for at in range(1, len(came) + 1))
        found = [(turning.match, BEFORE), *zip(came, captions, strict=True)]
        if self._is_revealed and not turning.is_at_once:
            found.append((turning.match.play(turning.seat, turning.better), BETTER))
        return found

    def _scene_of(self, match: Match, *, chooser: Seat | None = None, is_before: bool) -> Scene:
        """Return the table before a choice, or as the last step showed it."""
        names, look = self.replay.names, self.look
        shown = None if is_before else scenes.last_interlude(self._makes, match, names)
        view = shown.view if shown else match.state
        return self._makes.scene(view, names, look, chooser, scenes.past(match))

    def redraw(self) -> None:
        before, self._turnings = self.turning, self.review.first(self.review.blamed)
        self._named |= {one.place: str(one.step_number) for one in self._turnings}
        self._show_title()
        self.query_one(Form).show(self._rows())
        if before is None or self.turning is None or _key(before) != _key(self.turning):
            self._after = 0
        self._tell()
        self._show_position()
        self.refresh_bindings()

    def _show_title(self) -> None:
        review, so_far = self.review, ""
        if self._is_thinking and self._turnings:
            so_far = f"  looked at {review.done} of {review.count}{review.stage}"
        fine = sorted(self._named.keys() - {one.place for one in review.blamed})
        steps = ", ".join(self._named[at] for at in fine)
        so_far += f"  no longer blamed: step {steps}" * bool(fine)
        title = (("Review", "title"), (so_far, "key"), (f"  {self.replay.title}", "quiet"))
        self.query_one("#title", Lines).show([title])

    def _tell(self) -> None:
        self.query_one("#seats", Lines).show(self._figures())
        self.query_one("#facts", Lines).show(self._words())
        self.query_one(Chart).draw(self._shown, self._shown.state)

    def _figures(self) -> list[Line]:
        review = self.review
        if self._is_thinking or review.done < review.count:
            return []
        colors = colors_of(review.match)
        head = "" if self.query_one(Field).is_framed else TITLES["seats"]  # else in the frame
        lines: list[Line] = [((f"{head:>{NAME + 9}}", "quiet"),)] if head else []
        for seat in review.seats:
            well, errors = reviewed.standing(review, seat)
            color, signs = colors[seat], self.shell.look.solid
            name = f"{signs[color % len(signs)]} {fit(self.replay.names[seat], NAME)} "
            lines.append(((name, f"flag-{color}"), (f"{well:>6}", "title")))
            if not self._is_low:
                columns = self._columns - len(INDENT)
                lines += [((f"{INDENT}{part}", "quiet"),) for part in glued(errors, columns)]
        return lines

    def _rows(self) -> list[Row]:
        rows = []
        for turning in self._turnings:
            cost = ((f" -{advice.percent(turning.lost)}", "loss"),)
            said = grade(turning.lost) + "?" * (turning.place not in self.review.again)
            rows.append(Row(_key(turning), f"step {turning.step_number:>2} {said}", line=cost))
        return rows

    def _words(self) -> list[Line]:
        review, turning = self.review, self.turning
        if not review.count:
            return [((advice.why_nobody(self.replay.line[-1]), "quiet"),)]
        if turning is None and self._is_thinking:
            return self._progress()
        if turning is None:
            end = self.replay.log.end
            is_agreed = end is not None and end.kind == "agreed"
            done = reviewed.AGREED if is_agreed else reviewed.NOTHING
            said = done if review.is_over else UNFINISHED
            return [((said, ""),)]
        return self._told(reviewed.told(turning, self.replay.names, is_sure=self._is_sure))

    def _told(self, told: Told) -> list[Line]:
        head, chances = (told.head, "title"), (told.chances, "quiet")
        here, better = (
            f"{sign} {said}"
            for sign, said in zip(self.shell.look.verdict, (told.here, told.better), strict=True)
        )
        parts = [(here, BAD), (better, GOOD), (told.because, "")]
        if not self._is_revealed:
            parts = [(here, BAD), (UNTRIED, GOOD) if self._is_sure else (UNSURE, "")]
        ways = [[head, *parts, chances], [*parts, chances], parts]
        room, columns = max(1, self._rows_left), self._columns
        lines: list[Line] = []
        for way in ways:
            lines = [((line, role),) for text, role in way for line in glued(text, columns) if text]
            if len(lines) <= room:
                return lines
        more = self.shell.look.more
        return [*lines[: room - 1], ((f"{fit(plain(lines[room - 1]), columns - 2)} {more}", ""),)]

    @property
    def _columns(self) -> int:
        return self.query_one(Field).side_columns or SIDE_TEXT

    @property
    def _rows_left(self) -> int:
        field = self.query_one(Field)
        around = FRAMES if field.is_framed else 1
        taken = len(self._figures()) + len(self._turnings) + 2 * around
        if field.is_board and field.picture.display:
            taken += field.picture.get_content_height(None, None, 0) + around
        return self.app.size.height - ABOVE_AND_BELOW - taken - around * field.is_framed

    @property
    def _is_low(self) -> bool:
        """True if there are too few rows to count errors."""
        return self.app.size.height < ROOMY

    def _progress(self) -> list[Line]:
        review, look = self.review, self.shell.look
        if review.done < review.count:
            said = f"Looking at every choice{review.stage}"
            done, whole = review.done, review.count
        else:
            said, done, whole = "Looking again at some", len(review.again), len(review.suspects)
        full = round(BAR * done / max(1, whole))
        return [
            ((f"{said}: {done} of {whole}", ""),),
            ((look.heights[-1] * full, "key"), (look.line * (BAR - full), "quiet")),
            (("Leave when you like: it is saved, and continues when you return.", "quiet"),),
        ]

    def _show_position(self) -> None:
        field, match, turning = self.query_one(Field), self._shown, self.turning
        if turning is None:
            scene = self._scene_of(match, is_before=False)
            field.draw(scene, trace=scenes.last_marks(self._makes, match))
            told = narration.last_told(match, self.replay.names)
            what = f": {told.text}" if told is not None and self._at else ""
            self.say(f"Step {self._at} of {len(self.replay.line) - 1}{what}", "quiet")
        elif self._after:
            trace = scenes.last_marks(self._makes, match)
            field.draw(self._scene_of(match, is_before=False), trace=trace)
            self.say(self._positions(turning)[self._after][1], "quiet")
        else:
            self._compare(match, turning)
        self._fit()

    def _compare(self, match: Match, turning: Turning) -> None:
        played, better = map(self._makes.parts, (turning.step, turning.better))
        better = better if self._is_revealed else ()
        scene, own = (
            self._scene_of(match, chooser=seat, is_before=True) for seat in (None, turning.seat)
        )
        scene, verdict = compared(scene, own, played, better, self.look)
        trace = scenes.Trace(left=verdict.both)
        self.query_one(Field).draw(scene, trace=trace, verdict=verdict)
        seen = zip(MARKED, verdict.signs, (verdict.played, verdict.better), strict=True)
        marked = ", ".join(said.format(sign) for said, sign, names in seen if names)
        unseen = UNSEEN.format(who=self.replay.names[turning.seat])
        said = BEFORE.format(number=turning.step_number, marked=marked or unseen)
        self.say(said, "quiet")

    @on(Form.Moved)
    def _moved(self) -> None:
        self._after = 0
        self._show_position()
        self.refresh_bindings()

    # --- trying it again ------------------------------------------------------------------------

    def action_look(self, by: int) -> None:
        if self.turning is not None:
            self._after += by
        else:
            self._at = self._next(by)
        self._show_position()
        self.refresh_bindings()

    def _next(self, by: int) -> int:
        """Return the next position, passing over those in which some of several have chosen."""
        line, at = self.replay.line, self._at + by
        while 0 < at < len(line) - 1 and set(line[at].actors) < set(line[at - 1].actors):
            at += by
        return at

    @on(Form.Chosen)
    def _chosen(self) -> None:
        turning = self.turning
        if turning is None or not self._is_sure:
            return
        question = f"Step {turning.step_number} again"
        who = self.replay.names[turning.seat]
        rows = [
            Row(FIND, "find the better step, or another as good"),
            *[Row(SHOW, "show what was better")] * (not self._is_revealed),
            Row(ON, f"play on from here as {who}, against {bot_name(branching.OPPONENT)}"),
            Row(NOT_NOW, "not now"),
        ]
        dialog.ask(self.app, question, rows, lambda key: self._again(turning, key))

    def _again(self, turning: Turning, key: str) -> None:
        header, names = self.replay.log.header, self.replay.names
        if key in (FIND, SHOW):
            self._revealed.add(_key(turning))
            self._after = 0  # where both steps are marked
            self.redraw()
        if key == FIND:
            self.app.push_screen(TryScreen(self.review, turning, names, header.match_id))
        elif key == ON:
            branching.go_on(self, names_in(header), f"{turning.seat}", self._origin(turning))

    def _origin(self, turning: Turning) -> BranchPoint:
        log = self.replay.log
        return BranchPoint(lambda: log, turning.number)

    def action_branch(self) -> None:
        if (turning := self.turning) is not None:
            branching.ask(self, self.replay.names, self._origin(turning))

    def action_talk(self) -> None:
        self.query_one(Prompt).ask("Say:", self._said, longest=LONGEST_NOTE)

    def _said(self, text: str | None) -> None:
        self.set_focus(self.query_one(Form))
        if text and self._talk is not None:
            why = self._talk(text)
            self.say(f"Not said: {why}" if why else f"You: {text}", "loss" if why else "title")

    def bound_now(self) -> list[Binding]:
        """Return the active bindings; the way to the next turning point is shown."""
        has_next = bool(self._turnings) and self.turning != self._turnings[-1]
        return [
            replace(one, show=has_next, description="next") if one.id == "form.down" else one
            for one in super().bound_now()
        ]

    def key_said(self, binding: Binding) -> str:
        if binding.id == "form.choose":
            return "try again" if self._is_sure else ""
        if binding.id == "review.on" and self.turning is None:
            return "forward"
        return super().key_said(binding)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "talk":
            return self._talk is not None
        if action not in ("look", "branch"):
            return True
        if not self.query(Form):
            return False
        if self.turning is None:
            at, last = self._at, len(self.replay.line) - 1
            return action == "look" and 0 <= at + parameters[0] <= last  # type: ignore[operator]
        ends = {(1,): len(self._positions(self.turning)) - 1, (-1,): 0}
        return action == "branch" or self._after != ends[parameters]  # type: ignore[index]


class TryScreen(TaskScreen):
    """The retry of one turning point."""

    HELP = """\
This is the position before a costly step. Find a better one; the keys are the same as in
a match. A bot examines what you try: where it leads, and whether it is as good as the
best. u takes it back, i shows the step, r the rules. Enter or q returns to the review."""
    LEAVING = "q leads back to the review"
    POINTS_AT_WAY = False  # it would give the answer away

    table: TryTable

    def __init__(
        self, review: Review, turning: Turning, names: Sequence[str], match_id: str
    ) -> None:
        self._match_id = match_id
        super().__init__(TryTable(review, turning, names))

    @property
    def next_said(self) -> str:
        return "back to the review"

    @property
    def moment(self) -> str:
        return "found"

    def title_line(self) -> Line:
        number = self.table.turning.step_number
        return (
            (f"{self.table.match.game.TITLE}, step {number}: ", "quiet"),
            ("find what was better", "title"),
            (f"   {self.moment}" * self.is_shown_done, "gain"),
        )

    def action_hint(self) -> None:
        super().action_hint()
        self.point_at_way()

    def after_step(self) -> None:
        """Evaluate the tried step in the background if its value is not known."""
        super().after_step()
        step = self.table.tried
        if step is not None and step not in self.table.worths:
            self.beside(self._look_at, step, group="trial")

    async def _look_at(self, step: Step) -> None:
        table, judge = self.table, Judge(self.shell.bot_service, self._match_id)
        looking = table.review.trial(table.turning, step)
        with self.complaining():
            table.worths[step] = await judge.answered(looking, table.review.simulations)
            judge.save()
            self.show_table()


def _key(turning: Turning) -> str:
    return f"{turning.number} {turning.seat}"
