"""A saved match: any of its positions, from anybody's eyes, with its course and its remarks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on

from kumite.core.errors import KumiteError
from kumite.core.remarks import LONGEST
from kumite.store import log_files
from kumite.tui.drawing.places import SIDE
from kumite.tui.play import motion
from kumite.tui.play.replaying import Replay
from kumite.tui.scenes.lines import wrap
from kumite.tui.screens import branching
from kumite.tui.screens.branching import BranchPoint
from kumite.tui.screens.copying import Copying
from kumite.tui.screens.moving import Moving
from kumite.tui.screens.on_card import keys_of, region_over
from kumite.tui.screens.replay_keys import BINDINGS, CARD_KEYS, HELP
from kumite.tui.screens.valued import Curve
from kumite.tui.widgets.end_card import EndCard
from kumite.tui.widgets.field import ABOVE_AND_BELOW, Field, around
from kumite.tui.widgets.lines import Lines
from kumite.tui.widgets.prompt import Prompt

if TYPE_CHECKING:
    from pathlib import Path

    from textual import events
    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.geometry import Size
    from textual.timer import Timer

    from kumite.core.log import Log
    from kumite.store.following import Followed
    from kumite.tui.scenes import Line, Scene

SPEEDS: Final = (4.0, 2.0, 1.0, 0.5, 0.25, 0.1)  # s a step
POLL: Final = 0.4  # s between looks at a log that somebody else is writing
LEAST_COURSE: Final = 10  # columns; a shorter line says nothing
COURSE: Final = 1  # rows of it
CURVE: Final = 1


class ReplayScreen(Copying):
    """Look at a match at any of its positions."""

    AUTO_FOCUS = ""  # the keys are the screen's; the board only shows
    SMALLEST = (80, 24)  # as a table's, whose board and side it shows
    HELP = HELP
    BINDINGS: ClassVar[list[BindingType]] = BINDINGS

    def __init__(
        self,
        log: Log,
        path: Path | None = None,
        followed: Followed | None = None,
        *,
        judges: bool = False,
    ) -> None:
        """Show a log as far as it is sound; `path` takes remarks, `followed` brings more steps.

        With `judges` a bot judges every position at once.
        """
        super().__init__()
        self.replay = Replay(log)
        self._judges = judges
        self.at = 0
        self._path = path
        self._followed = followed
        self._facts: tuple[Line, ...] = ()
        self._asked = ""  # what the prompt asks for
        self._speed = SPEEDS.index(1.0)
        self._way = 1  # that it plays: 1 or -1
        self._timer: Timer | None = None
        self.curve = Curve(self)
        self.moving = Moving(self, lambda scene: self._field.draw(scene), self._draw_still)
        self._drawn_at = -1  # the position that was drawn last
        self._has_card = True  # at the end; False: it has been put aside

    @property
    def _last(self) -> int:
        return self.replay.last

    def compose(self) -> ComposeResult:
        """Lay out title, board, side panel, course, hint and keys."""
        ids = "seats", "facts", "value", "log"
        side = tuple(Lines(id=one, folds=one in ids[:2]) for one in ids)
        below = Lines(id="course"), Lines(id="curve"), Lines(id="hint"), Prompt(id="prompt")
        yield from around(Field(self._scene_now()), side, EndCard(), *below)

    def on_mount(self) -> None:
        """Begin at the start; of a match that is still played, at its present."""
        if self._followed is not None:
            self.at = self._last
            self.set_interval(POLL, self._follow)
        self.curve.open()
        self._show()
        if self._judges:
            self.action_values()

    def on_resize(self, event: events.Resize) -> None:
        """Draw the board as large as there is room for."""
        self._field.fit_window(event.size, COURSE + CURVE)

    def say_anew(self) -> None:
        """Say all that depends on how many columns there are."""
        super().say_anew()
        self._show_steps()
        self._show_course()
        self._show_card()

    @property
    def _field(self) -> Field:
        return self.query_one(Field)

    # --- showing ------------------------------------------------------------------------------

    def redraw(self) -> None:
        """Show the position with other glyphs."""
        self._show()

    def _scene_now(self) -> Scene:
        return self.replay.scene(self.at, self.shell.look)

    def _show(self) -> None:
        replay = self.replay
        before, self._drawn_at = self._drawn_at, self.at
        scene = self._scene_now()
        self._field.draw(scene, trace=replay.trace(self.at))
        self._field.fit_window(self.app.size, COURSE + CURVE)
        self.query_one("#seats", Lines).show(scene.seats)
        self._facts = scene.facts
        self._show_steps()
        self.show_values()
        self._move(before)
        self._show_card()

    def _move(self, before: int) -> None:
        """Show the step on its way, if it is the next one."""
        pace = self.shell.pace * min(1.0, SPEEDS[self._speed] if self._timer else 1.0)
        replay = self.replay
        if pace and self.at == before + 1:
            match = replay.line[self.at]
            frames = motion.frames(replay.makes, [match], replay.names, self.shell.look, None)
            self.moving.begin(frames, pace)
        else:
            self.moving.end()

    def _draw_still(self) -> None:
        self._field.draw(self._scene_now(), trace=self.replay.trace(self.at))
        self._show_card()

    def _show_card(self) -> None:
        """Say at the end how the match ended, once nothing moves any more."""
        is_there = self.at == self._last and self._has_card and not self.moving.is_running
        ending = self.replay.ending if is_there else None
        keys = keys_of(self, CARD_KEYS) if ending else ()
        self.query_one(EndCard).show(ending, keys, region_over(self.app.size))

    def action_card(self) -> None:
        """Put the card of the end aside, or show it again."""
        self._has_card = not self._has_card
        self._show_card()

    def before_key(self) -> None:
        """End what moves: a key means what is there."""
        self.moving.end()

    def show_values(self) -> None:
        """Show course and curve, and what is to be said of the position."""
        self._show_course()
        swing = self.curve.said(self.at)
        self.hint((*self._hint(), *swing))

    def _show_course(self) -> None:
        """Show where we are: in the line of the whole match, or beside the title if it is tight."""
        replay, size = self.replay, self.app.size
        marked = self.curve.course
        event = marked.events[self.at]
        title: list[tuple[str, str]] = [
            (replay.log.match.game.TITLE, "title"),
            (f"  step {self.at} of {self._last}", "quiet"),
            (f"  {event}" * bool(event), "contested"),
        ]
        if replay.has_secrets:
            title.append((f"  {replay.eyes.said}", "key"))
        if self._timer is not None:
            title.append(("  playing" if self._way > 0 else "  playing back", "quiet"))
        if self._followed is not None:
            title.append(("  watching", "gain"))
        title += self.curve.title(self.at)
        course = self.query_one("#course", Lines)
        course.display = self._has_room(size, COURSE)
        taken = sum(len(text) for text, _ in title) + 4
        columns = size.width - 2 if course.display else size.width - taken
        if columns >= LEAST_COURSE:
            line = marked.line(self.at, columns, self.shell.look, replay.remarks)
            course.show([line])
            if not course.display:
                title += [("  ", ""), *line]
        self.query_one("#title", Lines).show([tuple(title)])
        self._show_curve(size)

    def _show_curve(self, size: Size) -> None:
        """Show the values in a panel; without frames below the course, or else beside the board."""
        curve, facts = self.query_one("#curve", Lines), self._facts
        framed = self._field.side_columns if self._field.is_framed else 0
        is_beside = self.curve.fill(self.query_one("#value", Lines), self.at, framed)
        is_below = self.curve.is_shown and not is_beside
        curve.display = is_below and self._has_room(size, COURSE + CURVE)
        if curve.display:
            curve.show([self.curve.line(self.at, size.width - 2)])
        elif is_below:
            facts = (*facts, self.curve.line(self.at, max(20, self.query_one("#log").size.width)))
        self.query_one("#facts", Lines).show(facts)

    def _has_room(self, size: Size, more_rows: int) -> bool:
        """Return whether so many rows have room below the field."""
        return self._field.rows_needed + ABOVE_AND_BELOW + more_rows <= size.height

    def _hint(self) -> Line:
        replay = self.replay
        remark = replay.remarks.get(self.at, "")
        behind: Line = ((f"  ! {remark}", "key"),) if remark else ()
        if self.at == self._last and self._followed is None:
            if replay.log.damage is not None:
                return ((f"The log is damaged from here on: {replay.log.damage}", "loss"),)
            is_won = replay.line[-1].outcome is not None
            said = replay.result if is_won else f"The match ends here: {replay.result}"
            return ((said, "title"), *behind)
        return ((replay.said(self.at), ""), *behind)

    def _show_steps(self) -> None:
        """Show the steps around the present one."""
        log = self.query_one("#log", Lines)
        width, height = self._field.side_columns or SIDE, max(1, log.size.height)
        lines: list[Line] = []
        now = 0
        near = range(max(1, self.at - height), min(self._last, self.at + height) + 1)
        for number in near:
            told = self.replay.told[number]
            if not told:
                continue
            is_now = number == self.at
            now = len(lines) if is_now else now
            role = "title" if is_now else "quiet"
            pointer = self.shell.look.pointer if is_now else " "
            mark = "!" if number in self.replay.remarks else " "
            first, *more = wrap(told, width - 6)
            lines.append(((f"{pointer}{number:>3}", role), (mark, "key"), (first, role)))
            lines += [(("     ", ""), (rest, role)) for rest in more]
            for talk in self.replay.talk.get(number, ()):
                lines += [(("     ", ""), (part, "label")) for part in wrap(f"> {talk}", width - 6)]
        top = max(0, min(now - height // 2, len(lines) - height))
        log.show(lines[top:])

    # --- moving -------------------------------------------------------------------------------

    def _to(self, number: int) -> None:
        number = max(0, min(self._last, number))
        if number != self.at:
            self.at = number
            self._show()

    def action_look(self, by: int) -> None:
        """Look at a position some steps forward or back."""
        self._stop()
        self._to(self.at + by)

    def action_to(self, number: int) -> None:
        """Go to a step; -1 is the last."""
        self._stop()
        self._to(number if number >= 0 else self._last)

    def action_part(self, kind: int, by: int) -> None:
        """Go to where a part ends; where there is no such kind, ten steps or the largest."""
        self._stop()
        course = self.replay.course
        if kind == 2 and len(course.parts) < 2:
            self._to(self.at + 10 * by)
        else:
            self._to(course.next_end(self.at, min(kind, len(course.parts)), by))

    def action_event(self, by: int) -> None:
        """Go to a turning point."""
        self._stop()
        number = self.curve.course.next_event(self.at, by)
        if number is None:
            self.say(f"There is no turning point {'after' if by > 0 else 'before'} this.", "quiet")
        else:
            self._to(number)

    def action_turn(self, seat: int) -> None:
        """Go to the next step of a seat."""
        self._stop()
        for match in self.replay.line[self.at + 1 :]:
            if match.last is not None and match.last.actor == seat:
                self._to(match.number)
                return
        self.say(f"Player {seat + 1} makes no step after this one.", "quiet")

    def action_ask(self) -> None:
        """Ask for a step number."""
        self._stop()
        self._asked = "step"
        self.query_one(Prompt).ask(f"Step 0 to {self._last}:")

    @on(Prompt.Submitted)
    def _answered(self, event: Prompt.Submitted) -> None:
        self.set_focus(None)
        if self._asked == "remark":
            self._write(event)
            return
        number = int(event.text) if re.fullmatch("[0-9]{1,9}", event.text) else self._last + 1
        if number <= self._last:
            self._to(number)
        elif event.text:
            self.say(f"There is no step {event.text}.", "loss")

    # --- playing by itself --------------------------------------------------------------------

    def action_play(self) -> None:
        """Play by itself, or stop."""
        if self._timer is not None:
            self._stop()
        else:
            if self.at == (self._last if self._way > 0 else 0):
                self._to(0 if self._way > 0 else self._last)
            self._timer = self.set_interval(SPEEDS[self._speed], self._tick)
        self._show()

    def action_reverse(self) -> None:
        """Play in the other direction."""
        self._way = -self._way
        if self._timer is None:
            self.action_play()
        else:
            self._show()

    def action_speed(self, by: int) -> None:
        """Play faster or slower."""
        self._speed = max(0, min(len(SPEEDS) - 1, self._speed + by))
        if self._timer is not None:
            self._timer.stop()
            self._timer = self.set_interval(SPEEDS[self._speed], self._tick)
        self.say(f"{SPEEDS[self._speed]:g} s a step", "quiet")

    def _tick(self) -> None:
        self._to(self.at + self._way)
        if self.at == (self._last if self._way > 0 else 0):
            self._stop()
            self._show()

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def _follow(self) -> None:
        """Take in what was written to the log since; a screen in the present stays there."""
        assert self._followed is not None
        try:
            if not self._followed.poll():
                return
        except KumiteError as error:
            self.complain(error)
            return
        is_present = self.at == self._last
        self.replay.grow(self._followed.log)
        self.curve.follow()
        self.at = self._last if is_present else min(self.at, self._last)
        self._show()

    # --- eyes, remarks, branches --------------------------------------------------------------

    def action_eyes(self) -> None:
        """Look from the next pair of eyes."""
        eyes = self.replay.all_eyes
        if len(eyes) > 1:
            following = eyes[(eyes.index(self.replay.eyes) + 1) % len(eyes)]
            self.replay.look_from(following.key)
            self.curve.follow()
            self._show()
        else:
            self.say(f"Nobody else's eyes: {eyes[0].said}.", "quiet")

    def action_values(self) -> None:
        """Judge every position and show the curve; stop, or hide it."""
        self._stop()
        said = self.curve.press()
        self._show()
        if said:
            self.say(said, "quiet")

    def action_analyse(self) -> None:
        """Compare the best steps of this position."""
        from kumite.tui.screens.analysis import AnalysisScreen

        self._stop()
        replay = self.replay
        origin = BranchPoint(lambda: replay.log, self.at)
        self.app.push_screen(
            AnalysisScreen(replay.line[self.at], replay.eyes.by, replay.names, origin)
        )

    def action_review(self) -> None:
        """Look back at the match from these eyes."""
        self._stop()
        self.look_back()

    def action_remark(self) -> None:
        """Ask for a remark on this position."""
        self._stop()
        if self._path is None:
            self.say("This match is in no file that could keep a remark.", "loss")
            return
        self._asked = "remark"
        text = self.replay.remarks.get(self.at, "")
        self.query_one(Prompt).ask(f"Remark on step {self.at}:", (), text, LONGEST)

    def _write(self, event: Prompt.Submitted) -> None:
        if event.is_given_up or self._path is None:
            return
        try:
            self.replay.grow(log_files.annotate(self._path, self.at, event.text))
            self.curve.follow()
        except KumiteError as error:
            self.complain(error)
        else:
            self._show()

    def action_branch(self) -> None:
        """Ask who goes on from here."""
        self._stop()
        replay = self.replay
        branching.ask(self, replay.names, BranchPoint(lambda: replay.log, self.at))
