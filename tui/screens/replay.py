"""The replay screen: any position of a saved match, from any view, with events and remarks."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.timer import Timer

from kumite.core.game import CHANCE
from kumite.core.log import Log
from kumite.core.remarks import LONGEST
from kumite.store import log_files
from kumite.tui.drawing.places import SIDE, STANDARD, frame_columns
from kumite.tui.play import motion, narration
from kumite.tui.play.replaying import Replay
from kumite.tui.scenes import Line, Scene
from kumite.tui.scenes.lines import wrap
from kumite.tui.scenes.model import NO_TRACE
from kumite.tui.scenes.motion import Frame
from kumite.tui.scenes.tallies import colors_of
from kumite.tui.screens import branching
from kumite.tui.screens.analysis import AnalysisScreen
from kumite.tui.screens.base import KumiteScreen, Moving
from kumite.tui.screens.branching import BranchPoint
from kumite.tui.screens.valued import Curve, on_card
from kumite.tui.widgets.bindings import escape, leave, positions, study
from kumite.tui.widgets.chart import Chart
from kumite.tui.widgets.field import ABOVE_AND_BELOW, EndCard, Field, around
from kumite.tui.widgets.lines import Lines
from kumite.tui.widgets.prompt import Prompt

if TYPE_CHECKING:
    from kumite.store.following import Followed

SPEEDS: Final = (4.0, 2.0, 1.0, 0.5, 0.25, 0.1)  # s a step
POLL: Final = 0.4  # s between reads of a log that is still being written
LEAST_COURSE: Final = 10  # least columns for a useful timeline
COURSE: Final = 1  # rows of the timeline
CURVE: Final = 1


class ReplayScreen(KumiteScreen):
    """Show a match at any of its positions."""

    AUTO_FOCUS = ""  # keys belong to the screen; the board only displays
    SMALLEST = STANDARD
    HELP = """\
Right and left go a step forward and back; down and up a turn or a card; PgDn and PgUp a
trick or round (ten steps if there are none); { and } the largest part. t goes to the
next turning point, T to the previous one. The timeline shows them; ! marks a remark.
g asks for a step number; a digit goes to that player's next step (1 is the first player).
Space plays the match, v reverses the direction, + and - change the speed.
c lets a bot judge every position and draws the values as a curve; t then stops at its
largest changes, too. c again stops or hides it. a compares the best steps.
o reviews the match: how well each player chose, the turning points, and another try.
e changes the point of view, w writes a remark into the log, b plays on from here with
people or against a bot, in a log of its own. x copies the match so far as a line of text
for a chat{{, which `kumite open` opens|}}.
At the end a card shows the winner; Enter hides it and shows it again."""
    BINDINGS: ClassVar[list[BindingType]] = [
        *positions(
            ("replay.forward", "forward"), ("replay.back", "back"), more=("right,l,", "left,h,")
        ),
        Binding("down,j", "part(1,1)", "a turn on", show=False, id="replay.down"),
        Binding("up,k", "part(1,-1)", "a turn back", show=False, id="replay.up"),
        Binding("pagedown", "part(2,1)", "a larger part on", show=False, id="replay.pagedown"),
        Binding("pageup", "part(2,-1)", "a larger part back", show=False, id="replay.pageup"),
        Binding("right_curly_bracket", "part(9,1)", "the next round", show=False, id="replay.on"),
        Binding(
            "left_curly_bracket", "part(9,-1)", "the round before", show=False, id="replay.before"
        ),
        Binding("home", "to(0)", "start", show=False, id="replay.home"),
        Binding("end", "to(-1)", "end", show=False, id="replay.end"),
        Binding("t", "event(1)", "turning point", id="replay.event"),
        Binding("T", "event(-1)", "turning point before", show=False, id="replay.event_before"),
        Binding("space", "play", "play", id="replay.play"),
        Binding("c", "values", "values", id="replay.values"),
        study("replay", "analyse"),
        leave(),
        study("replay", "review", show=False),
        Binding("e", "eyes", "eyes", id="replay.eyes"),
        study("replay", "branch"),
        Binding("w", "remark", "remark", id="replay.remark"),
        Binding("x", "copy", "copy as a line", show=False, id="replay.copy"),
        Binding("v", "reverse", "play backwards", show=False, id="replay.reverse"),
        Binding("plus,equals_sign", "speed(1)", "faster", show=False, id="replay.faster"),
        Binding("minus", "speed(-1)", "slower", show=False, id="replay.slower"),
        Binding("g", "ask", "step ...", id="replay.ask"),
        *(
            Binding(
                str(n), f"turn({n - 1})", f"Next step of player {n}", show=False, id=f"replay.{n}"
            )
            for n in range(1, 7)
        ),
        Binding("r", "rules", "rules", show=False, id="replay.rules"),
        Binding("enter", "card", "log or card", show=False, id="replay.card"),
        escape("replay.leave"),
    ]

    moving: Moving

    def __init__(
        self,
        log: Log,
        path: Path | None = None,
        followed: Followed | None = None,
        *,
        judges: bool = False,
        at_end: bool = False,
        is_turned: bool = False,
    ) -> None:
        """Show a log up to its first damage.

        Remarks are written to `path`; `followed` supplies new steps. With `judges`, a bot
        judges every position at once. It opens at the start, or with `at_end` at the last step.
        """
        super().__init__()
        self.replay, self.game_id = Replay(log), log.match.game.ID
        self._judges, self._at_end, self.is_turned = judges, at_end, is_turned
        self._log_top = 0  # the step in the first row of the log; 0: none yet
        self.at = 0
        self._path = path
        self._followed = followed
        self._facts: tuple[Line, ...] = ()
        self._speed = SPEEDS.index(1.0)
        self._way = 1  # direction of playback, 1 or -1
        self._timer: Timer | None = None
        self.curve = Curve(self, self.replay, self._show_judged)
        self.moving = Moving(self, self._draw_frame, self._draw_still)
        self._drawn_at = -1  # the last position drawn
        self._scene: Scene | None = None  # and its scene
        self._is_held = False  # the last frame, of the decisive position
        self._said = ""  # of what moves
        self._has_card = True  # whether the end card is shown; False: dismissed

    @property
    def _last(self) -> int:
        return self.replay.last

    def compose(self) -> ComposeResult:
        seats, facts = (Lines(id=one, folds=True) for one in ("seats", "facts"))
        side = seats, facts, Lines(id="value"), Chart(), Lines(id="log")
        below = Lines(id="course"), Lines(id="curve"), Lines(id="hint"), Prompt(id="prompt")
        field = Field(self._scene_now(), is_turned=self.is_turned)
        yield from around(field, side, EndCard(), *below)

    def on_mount(self) -> None:
        if self._followed is not None or self._at_end:
            self.at = self._last
        if self._followed is not None:
            self.set_interval(POLL, self._follow)
        self.curve.open()
        self._show()
        if self._judges:
            self.action_values()

    def on_resize(self) -> None:
        self._fit_window()

    def on_screen_resume(self) -> None:
        if self.query(EndCard):
            self._show_card()  # with what a review has found

    def say_anew(self) -> None:
        super().say_anew()
        self._show_words()
        self._show_course()
        self._show_card()

    @property
    def _field(self) -> Field:
        return self.query_one(Field)

    def _fit_window(self) -> None:
        """Make the board as large as at a table, or as the timeline and the curve let it be."""
        field, size = self._field, self.app.size
        if not frame_columns(*size):
            field.fit_window(COURSE + CURVE)
            return
        field.fit_window()
        if not field.is_board or self._has_room(size, COURSE):
            field.fit_window(COURSE)

    # --- showing ------------------------------------------------------------------------------

    def redraw(self) -> None:
        self._show()

    def _scene_now(self) -> Scene:
        return self.replay.scene(self.at, self.look)

    def _show(self) -> None:
        before, self._drawn_at = self._drawn_at, self.at
        self._scene = scene = self._scene_now()
        self._draw(scene)
        self._fit_window()
        self._move(before)
        self._show_words()
        self.show_values()
        self._show_card()

    def _move(self, before: int) -> None:
        """Animate the step if the position moved forward by one; hold the last one of a film."""
        pace = self.shell.pace * min(1.0, SPEEDS[self._speed] if self._timer else 1.0)
        replay = self.replay
        if pace and self.at == before + 1:
            match = replay.line[self.at]
            frames = motion.frames(replay.makes, [match], replay.names, self.look, None)
            if self._timer and self._scene and self.at == self._last and replay.has_ended:
                frames.append(motion.held(frames, self._scene, pace))
            self.moving.begin(frames, pace)
        else:
            self.moving.end()

    def _draw_frame(self, frame: Frame) -> None:
        self._is_held, self._said = frame.scene is self._scene, frame.said
        self._draw(frame.scene, is_moving=not self._is_held)
        if self._is_held:
            self._show_words()
            self.show_values()
        else:
            self.hint(((self._said, "quiet"),))

    def _draw_still(self) -> None:
        self._draw(self._scene_now())
        self._show_card()
        self._show_words()
        self.show_values()

    @property
    def _told(self) -> int:
        """The position that the words tell: before the step, as long as it is being shown."""
        return self.at - (self.moving.is_running and not self._is_held)

    def _show_words(self) -> None:
        scene = self.replay.scene(self._told, self.look)
        self.query_one("#seats", Lines).show(self._field.seat_lines(scene))
        self._facts = self._field.facts(scene)
        self._show_steps()
        self.once_drawn(self._show_steps)  # the log may have other rows now

    @property
    def _is_ended(self) -> bool:
        return self.at == self._last and self._has_card and not self.moving.is_running

    def _draw(self, scene: Scene, *, is_moving: bool = False) -> None:
        """Draw a scene; a stage does not tell what stands in the log beside it."""
        has_log = self._field.side_columns and (is_moving or not self._is_ended)
        if scene.stage and scene.spread and has_log:
            scene = replace(scene, spread=replace(scene.spread, is_told=True))
        self._field.draw(scene, trace=NO_TRACE if is_moving else self.replay.trace(self.at))

    def _show_card(self) -> None:
        """Show the end card at the last position, once any animation has finished."""
        replay, ending = self.replay, self.replay.ending if self._is_ended else None
        if ending:
            ending = on_card(ending, replay.log.header.match_id, self._path, replay.eyes.key)
        card = self.query_one(EndCard)
        was_there = card.display
        card.show(ending)
        if card.display != was_there:  # what stands beside the board has other rows now
            self.call_after_refresh(self._show_beside)

    def _show_beside(self) -> None:
        self._show_steps()
        self.show_values()

    def action_card(self) -> None:
        self._has_card = not self._has_card
        self._draw_still()

    def _show_judged(self) -> None:
        self.show_values()
        if not self.curve.is_thinking:
            self._show_card()

    def show_values(self) -> None:
        self._show_course()
        swing = self.curve.said(self._told)
        self.hint((*self._hint(), *swing))

    def _show_course(self) -> None:
        """Show the timeline in its own row, or beside the title if there is no room."""
        replay, size, at = self.replay, self.app.size, self._told
        marked = self.curve.course
        event = marked.events[at]
        title: list[tuple[str, str]] = [
            (replay.log.match.game.TITLE, "title"),
            (f"  step {at} of {self._last}", "quiet"),
            (f"  {event}" * bool(event), "contested"),
        ]
        if replay.has_secrets:
            title.append((f"  {replay.eyes.said}", "key"))
        if self._timer is not None:
            title.append(("  playing" if self._way > 0 else "  playing back", "quiet"))
        if self._followed is not None:
            title.append(("  watching", "gain"))
        title += self.curve.title(at)
        course = self.query_one("#course", Lines)
        course.display = self._has_room(size, COURSE)
        taken = sum(len(text) for text, _ in title) + 4
        columns = size.width - 2 if course.display else size.width - taken
        if columns >= LEAST_COURSE:
            line = marked.line(at, columns, self.shell.look, replay.remarks)
            course.show([line])
            if not course.display:
                title += [("  ", ""), *line]
        self.query_one("#title", Lines).show([tuple(title)])
        self._show_curve(size)

    def _show_curve(self, size: Size) -> None:
        """Show the curve beside the board if framed, else below the timeline or among the facts."""
        curve, facts, at = self.query_one("#curve", Lines), self._facts, self._told
        framed = self._field.side_columns if self._field.is_framed else 0
        is_beside = self.curve.fill(self.query_one("#value", Lines), at, framed)
        is_below = self.curve.is_shown and not is_beside
        curve.display = is_below and self._has_room(size, COURSE + CURVE)
        if curve.display:
            curve.show([self.curve.line(at, size.width - 2)])
        elif is_below:
            facts = (*facts, self.curve.line(at, max(20, self.query_one("#log").size.width)))
        self.query_one("#facts", Lines).show(facts)
        self.query_one(Chart).draw(self.replay.line[at], self.replay.view(at))

    def _has_room(self, size: Size, more_rows: int) -> bool:
        return self._field.rows_needed + ABOVE_AND_BELOW + more_rows <= size.height

    def _hint(self) -> Line:
        replay = self.replay
        is_moving = self.moving.is_running
        if is_moving and not self._is_held:  # the result would come too early
            return ((self._said, "quiet"),)
        remark = replay.remarks.get(self.at, "")
        behind: Line = ((f"  ! {remark}", "key"),) if remark else ()
        if self.at == self._last and self._followed is None and not is_moving:
            if replay.log.damage is not None:
                return ((f"The log is damaged from here on: {replay.log.damage}", "loss"),)
            if self.query_one(EndCard).display:  # it names the winner
                return behind
            is_won = replay.line[-1].outcome is not None
            said = replay.result if is_won else f"The match ends here: {replay.result}"
            return ((said, "title"), *behind)
        scene, last = self._scene_now(), replay.line[self.at].last
        is_told = scene.stage and scene.spread and scene.spread.words and self._field.tells_last
        if is_told and last and last.actor == CHANCE:  # on the stage, or in the log beside it
            return behind
        return ((replay.said(self.at), ""), *behind)

    def _show_steps(self) -> None:
        """Show the steps near this one; squares of those before have the names they have now."""
        replay, log, at = self.replay, self.query_one("#log", Lines), self._told
        width, height = self._field.side_columns or SIDE, max(1, log.size.height)
        lines: list[Line] = []
        rows: dict[int, int] = {}  # by step shown, its first row
        colors = colors_of(self.replay.line[-1])
        before = narration.told_now(replay.line[at], replay.names)
        anew = {one.number: one.text for one in before}
        most = self.app.size.height  # the log may get more rows with the next layout
        near = range(max(1, at - most), min(self._last, at + most) + 1)
        for number in near:
            told = anew.get(number, replay.told[number])
            if not told:
                continue
            is_now = number == at
            rows[number] = len(lines)
            role = "title" if is_now else "quiet"
            pointer = self.shell.look.pointer if is_now else " "
            is_marked = number in self.replay.remarks
            first, *more = wrap(told, width - 6)
            last = self.replay.line[number].last
            ink = narration.ink_of(last.actor, colors) if last is not None else role
            head = f"{pointer}{number:>3}"
            begin = ((head, ink), ("!", "key")) if is_marked else ((f"{head} ", ink),)
            lines.append((*begin, (first, role)))
            lines += [(("     ", ""), (rest, role)) for rest in more]
            for talk in self.replay.talk.get(number, ()):
                ink = "label" if talk.seat is None else f"flag-{colors[talk.seat]}"
                lines += [
                    (("     ", ""), (part, ink)) for part in wrap(f"> {talk.text}", width - 6)
                ]
        now = rows.get(at, 0)
        end = min((row for row in rows.values() if row > now), default=len(lines))
        top, most = rows.get(self._log_top, -1), max(0, len(lines) - height)
        if not max(0, end - height) <= top <= min(now, most):  # scrolling costs bytes
            top = max(0, min(max(now - height // 2, end - height), now, most))
            self._log_top = next((number for number, row in rows.items() if row >= top), 0)
            top = rows.get(self._log_top, 0)
        log.show(lines[top:])

    # --- moving -------------------------------------------------------------------------------

    def _to(self, number: int) -> None:
        number = max(0, min(self._last, number))
        if number != self.at:
            self.at = number
            self._show()

    def action_look(self, by: int) -> None:
        self._stop()
        self._to(self.at + by)

    def action_to(self, number: int) -> None:
        self._stop()
        self._to(number if number >= 0 else self._last)

    def action_part(self, kind: int, by: int) -> None:
        self._stop()
        course = self.replay.course
        if kind == 2 and len(course.parts) < 2:
            self._to(self.at + 10 * by)
        else:
            self._to(course.next_end(self.at, min(kind, len(course.parts)), by))

    def action_event(self, by: int) -> None:
        self._stop()
        number = self.curve.course.next_event(self.at, by)
        if number is None:
            side = "after" if by > 0 else "before"
            self.say(f"no turning point {side} this; o reviews every choice", "quiet")
        else:
            self._to(number)

    def action_turn(self, seat: int) -> None:
        self._stop()
        for match in self.replay.line[self.at + 1 :]:
            if match.last is not None and match.last.actor == seat:
                self._to(match.number)
                return
        self.say(f"Player {seat + 1} makes no step after this one.", "quiet")

    def action_ask(self) -> None:
        self._stop()
        self.query_one(Prompt).ask(f"Step 0 to {self._last}:", self._to_typed)

    def _to_typed(self, text: str | None) -> None:
        self.set_focus(None)
        number = int(text) if text and re.fullmatch("[0-9]{1,9}", text) else None
        if number is not None and number <= self._last:
            self._to(number)
        elif text:
            self.say(f"There is no step {text}.", "loss")

    # --- playing by itself --------------------------------------------------------------------

    def action_play(self) -> None:
        if self._timer is not None:
            self._stop()
        else:
            if self.at == (self._last if self._way > 0 else 0):
                self._to(0 if self._way > 0 else self._last)
            self._timer = self.set_interval(SPEEDS[self._speed], self._tick)
        self._show()

    def action_reverse(self) -> None:
        self._way = -self._way
        if self._timer is None:
            self.action_play()
        else:
            self._show()

    def action_speed(self, by: int) -> None:
        self._speed = max(0, min(len(SPEEDS) - 1, self._speed + by))
        if self._timer is not None:
            self._timer.stop()
            self._timer = self.set_interval(SPEEDS[self._speed], self._tick)
        self.say(f"{SPEEDS[self._speed]:g} s a step", "quiet")

    def _tick(self) -> None:
        self._to(self.at + self._way)
        if self.at == (self._last if self._way > 0 else 0):
            self._stop()
            self.show_values()

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def _follow(self) -> None:
        """Read new steps from the log; if the last position was shown, move to the new last one."""
        assert self._followed is not None
        with self.complaining():
            if self._followed.poll():
                is_present = self.at == self._last
                self.replay.grow(self._followed.log)
                self.curve.follow()
                self.at = self._last if is_present else min(self.at, self._last)
                self._show()

    # --- eyes, remarks, branches --------------------------------------------------------------

    def action_eyes(self) -> None:
        eyes = self.replay.all_eyes
        if len(eyes) > 1:
            following = eyes[(eyes.index(self.replay.eyes) + 1) % len(eyes)]
            self.replay.look_from(following.key)
            self.curve.follow()
            self._show()
        else:
            self.say(f"Nobody else's eyes: {eyes[0].said}.", "quiet")

    def action_values(self) -> None:
        self._stop()
        said = self.curve.press()
        self._show()
        if said:
            self.say(said, "quiet")

    def action_analyse(self) -> None:
        self._stop()
        replay = self.replay
        origin = BranchPoint(lambda: replay.log, self.at)
        match, eyes, match_id = replay.line[self.at], replay.eyes.by, replay.log.header.match_id
        about = match, eyes, replay.names, origin, None, match_id
        self.app.push_screen(AnalysisScreen(*about, is_turned=self.is_turned))

    def action_review(self) -> None:
        self._stop()
        self.shell.open_review(self.replay.log, self.replay.eyes.key, is_turned=self.is_turned)

    def action_remark(self) -> None:
        self._stop()
        if self._path is None:
            self.say("This match is in no file that could keep a remark.", "loss")
            return
        text = self.replay.remarks.get(self.at, "")
        label = f"Remark on step {self.at}:"
        self.query_one(Prompt).ask(label, self._write, text=text, longest=LONGEST)

    def _write(self, text: str | None) -> None:
        self.set_focus(None)
        if text is None or self._path is None:
            return
        with self.complaining():
            self.replay.grow(log_files.annotate(self._path, self.at, text))
            self.curve.follow()
            self._show()

    def action_branch(self) -> None:
        self._stop()
        replay = self.replay
        branching.ask(self, replay.names, BranchPoint(lambda: replay.log, self.at))

    def action_copy(self) -> None:
        from kumite.tui.export.text import line_of  # late: rarely used
        from kumite.tui.screens.reading import show_copied

        with self.complaining():
            upto = "" if self.at == self.replay.last else f" up to step {self.at}"
            show_copied(self.app, f"The match{upto}", line_of(self.replay, self.at))

    def action_rules(self) -> None:
        from kumite.tui.screens.reading import RulesScreen

        setup, names = self.replay.log.header.setup, self.replay.names
        game = setup.game
        chapter = self.replay.makes.chapter(self.replay.line[self.at].state)
        self.app.push_screen(
            RulesScreen(game.ID, game.TITLE, chapter, self.help_lines(), setup, names)
        )
