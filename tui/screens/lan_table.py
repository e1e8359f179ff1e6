"""The table of a match over the LAN: the same screen, told by the network."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from textual import on
from textual.binding import Binding

from kumite.core import codes
from kumite.core.errors import KumiteError
from kumite.net.session import events
from kumite.net.wire import posts
from kumite.store import house
from kumite.tui.play import ending
from kumite.tui.play.lobby_words import turned_away
from kumite.tui.play.local_seats import LONGEST_NOTE
from kumite.tui.scenes.lines import capital, line_width, shortened, wrap
from kumite.tui.scenes.lines import width as width_of
from kumite.tui.screens import dialog
from kumite.tui.screens.table import TableScreen
from kumite.tui.widgets.field import SIDE_TEXT
from kumite.tui.widgets.form import Row
from kumite.tui.widgets.lines import Lines
from kumite.tui.widgets.prompt import Prompt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.binding import BindingType
    from textual.timer import Timer

    from kumite.core.game import Seat, Seats
    from kumite.tui.drawing.end_card import Ending
    from kumite.tui.play.lan_table import LanTable
    from kumite.tui.play.narration import Remark
    from kumite.tui.scenes import Interlude, Line

QUESTION: Final = 54  # columns of a question
NAME: Final = 14  # columns of a name below the table: three words to compare do not fit
SEEN: Final = 5.0  # s after which who looks on has seen a trick, or what was shown at once
SLOW: Final = 0.5  # s after which a step that is still on its way is said to be so
READY_WORDS: Final = (
    "Hello!",
    "Good luck!",
    "Well played!",
    "One moment, please.",
    "Sorry, a slip: may I take it back?",
    "Thank you for the match!",
    "Let us go on another day.",
)


class LanTableScreen(TableScreen):
    """A match with other terminals."""

    HAS_TUTOR = False  # nobody there is to have help that the others lack
    HELP = TableScreen.HELP.replace(
        "The match is saved as it is played. Leaving loses nothing: the home screen {{and\n"
        "`kumite resume` go|goes}} on with it.",
        """\
Every terminal checks every step. Compare the three words aloud once: if they are
the same on all screens, nobody has come in between. Taking back, a draw and a
rematch need everybody's yes. If you are cut off or leave, {{`kumite resume` or
|}}c on the home screen brings you back; the table waits. After the match all
secrets are opened and checked: the log says whether everybody has played fair.""",
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", "yes", id="lan.yes"),
        # `n` goes from choice to choice: an offer must not be refused while choosing
        Binding("x", "answer(False)", "no", id="lan.no"),
        Binding("t", "talk", "talk", id="lan.talk"),
        Binding("w", "ready_words", "a few ready words", show=False, id="lan.words"),
        Binding("d", "draw", "offer a draw", show=False, id="lan.draw"),
        Binding("b", "stand_in", "let a bot play on", id="lan.bot"),
        Binding("e", "gone", "gone for good", id="lan.gone"),
    ]

    IN_HELP_ONLY = frozenset({"table.hint", "table.analyse"})

    lan: LanTable

    def __init__(self, table: LanTable) -> None:
        super().__init__(table)
        self.lan = table
        self._is_talking = False
        self._warned: set[Seat] = set()  # whose low clock has rung
        self._clock_timer: Timer | None = None
        self._company_lines: list[Line] = []
        table.listener = self.heard

    # --- what the network tells ---------------------------------------------------------------

    def heard(self, event: events.Event) -> None:
        """Show what the network told."""
        if not self.is_ready or not self.lan.has_begun:
            return  # before: the table knows, and is shown when we are; after: nobody looks
        match event:
            case events.Sending():
                number = self.lan.match.number
                self.set_timer(SLOW, lambda: self._say_slow(number))
            case events.MatchBegan():
                self.viewpoint.restart(self.lan)
                self.show_table()
            case events.MatchChanged(match, played):
                if played is None:
                    self.viewpoint.forget(match.number)
                self.show_table()
            case events.NotDone(_, text, hint):
                self.show_table()
                self.app.call_later(self.complain, KumiteError(text, hint=hint))
            case events.Said(seat, text):
                self.show_log()
                said = f"{self.table.shown_names[seat]}: {text}"
                self.say(said, "title")
                if seat not in self.lan.mine:
                    self.caller.tell(said)
            case events.Chose(seat) if seat in self.lan.mine:
                self.show_table()
            case events.LongAway(_, text):
                self.show_table()
                self.caller.tell(text)
            case events.Gone() | events.SeatMoved() | events.Ended():
                self.show_table()
            case events.Left() | events.Stopped():
                self.show_table()
            case events.Listening() | events.Lobby() | events.CodeChanged():
                pass
            case events.TurnedAway():
                self.say(turned_away(event)[0], "quiet")
            case events.Offered(is_ours=False, text=offer):
                self.show_words()
                self.caller.tell(offer)
            case events.OfferGone(is_agreed=False, text=answer) if self.is_over:
                self.show_words()
                self.say(answer, "quiet")  # the card of the end lies over the log
            case _:
                self.show_words()  # a step that is being chosen part by part stays
                self._show_company()

    def _say_slow(self, number: int) -> None:
        if self.is_ready and self.lan.is_sending and self.lan.match.number == number:
            self.show_words()

    # --- showing ------------------------------------------------------------------------------

    def show_table(self) -> None:
        """Show the match, and who is there; those who look on need not ask for it to go on."""
        super().show_table()
        self._show_company()
        shown = self.viewpoint.interlude
        if shown is not None and not self.lan.mine:
            self.set_timer(SEEN, lambda: self._go_on_from(shown))

    def say_anew(self) -> None:
        """Say all that depends on how many columns there are; the words stand at their right."""
        super().say_anew()
        if self.is_ready and self.lan.has_begun:
            self._show_company()

    def _go_on_from(self, shown: Interlude) -> None:
        """Go on if it is still this that is shown, and nobody has looked back meanwhile."""
        if self.is_ready and self.viewpoint.interlude is shown and not self.viewpoint.behind:
            self.action_go_on()

    def after_step(self) -> None:
        """Wait: the network says when the step counts."""

    def remarks(self) -> Sequence[Remark]:
        """Return what was said and has happened beside the steps."""
        return self.lan.remarks

    def _show_company(self) -> None:
        """Show clocks, and who has chosen, is quiet, away or gone; again when a clock goes on."""
        if not self.query("#company"):
            return
        lan, now = self.lan, self.lan.clock()
        self._warn_of_time(now)
        rows, self._company_lines = self.company_rows, self._company(now)
        self.query_one("#company", Lines).show(self._company_lines)
        if rows != self.company_rows:
            self.fit_table(self.app.size)
        delay = lan.clocks.next_change(now)
        if self._clock_timer is not None:
            self._clock_timer.stop()
            self._clock_timer = None
        if delay is not None:
            self._clock_timer = self.set_timer(delay + 0.01, self._show_company)

    def _company(self, now: float) -> list[Line]:
        """Return a span for each seat of which there is something to say, as few lines as fit."""
        lan, lines, width = self.lan, list[list[tuple[str, str]]](), 0
        columns = self.app.size.width - 2
        for seat, name in enumerate(lan.shown_names):
            said = self._said_of(seat, now)  # type: ignore[arg-type]
            if not said:
                continue
            text = f"{shortened(name, NAME, self.look).rstrip()} {said}"
            if not lines or width + 2 + width_of(text) > columns:
                lines.append([])
                width = 0
            elif lines[-1]:
                lines[-1].append(("  ", ""))
            role = self._role_of(seat, now)  # type: ignore[arg-type]
            lines[-1].append((text, role))
            width += width_of(text) + 2
        return [*self._with_words([*map(tuple, lines)], columns), *self._gallery(columns)]

    def _with_words(self, lines: list[Line], columns: int) -> list[Line]:
        """Return these lines with the words to compare at the right end of the first.

        Nobody at another terminal writes there: no talk and no name can pretend to be the words.
        """
        said = f"compare: {' '.join(self.lan.words)}"
        first = lines[0] if lines else ()
        gap = columns - line_width(first) - len(said)
        if lines and gap < 2:
            return [((" " * (columns - len(said)), ""), (said, "key")), *lines]
        return [(*first, (" " * max(0, gap), ""), (said, "key")), *lines[1:]]

    def _gallery(self, columns: int) -> list[Line]:
        """Return who looks on, in one line: nobody plays unseen before strangers."""
        names = [name or "somebody" for name in self.lan.watchers]
        if not names:
            return []
        many = f"{len(names)} look on: " if len(names) > 1 else "looks on: "
        return [((f"{many}{', '.join(names)}"[:columns], "quiet"),)]

    @property
    def company_rows(self) -> int:
        """Return how many rows tell of those at other terminals; one is kept for them."""
        return max(1, len(self._company_lines))

    def _role_of(self, seat: Seat, now: float) -> str:
        lan = self.lan
        if seat in lan.trouble or seat in self._fallen or lan.clocks.is_low(seat, now):
            return "loss"
        return "title" if seat in lan.clocks.running else ""

    @property
    def _fallen(self) -> Seats:
        """Return whose time has run out."""
        end = self.lan.end
        return frozenset(end.seats) if end is not None and end.kind == "time" else frozenset()

    def _warn_of_time(self, now: float) -> None:
        """Ring when one of our clocks runs low, once until it has more again."""
        clocks = self.lan.clocks
        low = {seat for seat in self.lan.mine if clocks.is_low(seat, now)}
        if (low & clocks.running) - self._warned:
            self.caller.tell("little time is left")
        self._warned = low & (self._warned | clocks.running)

    def _said_of(self, seat: Seat, now: float) -> str:
        lan = self.lan
        said = [lan.clocks.shown(seat, now)] if lan.clocks.left else []
        if seat in self._fallen:  # its owner has told no clock since, gone or not
            said = ["0:00 flag fallen"]
        if seat in lan.trouble:
            said.append(lan.trouble[seat][0])
        elif seat in lan.chosen:
            said.append("has chosen")
        return " ".join(said)

    def result_lines(self) -> tuple[Line, ...]:
        """Return how the match ended, why the table has stopped, what the audit has found."""
        lines = super().result_lines()
        stopped, verdict = self.lan.stopped, self.lan.verdict
        if self.viewpoint.interlude:
            return lines
        if stopped is not None:
            where = ""
            if stopped.number and stopped.code not in (codes.FOUL, codes.ACCUSED):
                where = f"step {stopped.number} differs; all agree up to step {stopped.common}"
            said = (("The table has stopped", "title"),)
            return (said, *_wrapped(stopped.text, "loss"), *_wrapped(where, ""))
        is_sound = verdict is not None and verdict.is_sound
        lines += _wrapped(self.lan.said_of_audit, "key" if is_sound else "loss")
        return lines

    @property
    def is_over(self) -> bool:
        """Return whether nobody can play any more."""
        return super().is_over or self.lan.stopped is not None

    def ending(self) -> Ending | None:
        """Return how the match ended, or why it was stopped, and what the audit has found."""
        lan = self.lan
        if lan.stopped is not None:
            why = f"{capital(lan.stopped.text, lan.shown_names)}."
            return ending.broken(self.seen, why, lan.stopped.common, lan.shown_names)
        found = super().ending()
        if found is None or lan.verdict is None:
            return found
        is_false = not lan.verdict.is_sound
        facts = *found.facts, ("audit", lan.said_of_audit)
        return found._replace(facts=facts, is_loss=found.is_loss or is_false)

    def hover_line(self, name: str) -> Line:
        """Return what is more important than what the cursor is on."""
        lan = self.lan
        if not self.is_in_present:
            return super().hover_line(name)
        if lan.stopped is not None:
            return ((lan.stopped.text, "loss"), (f"  {lan.stopped.hint}", "quiet"))
        if lan.closed:
            back = "" if lan.is_over else "  c on the home screen goes on, once the others are back"
            return ((f"The table is closed; the match is saved.  q leaves{back}", "quiet"),)
        if lan.offer is not None:
            if lan.offer.is_ours:
                return ((lan.offer.text, "title"), ("  x takes it back", "quiet"))
            answers = "  y: yes   x: no" if lan.mine else ""  # who looks on has no say
            return ((lan.offer.text, "title"), (answers, "key"))
        if lan.troubles:
            bot = "  b: let a bot play on" if lan.stood_for is not None else ""
            bot += "  e: gone for good" if lan.can_be_gone else ""
            return ((lan.troubles[0], "loss"), (bot, "quiet"))
        if self.is_over:
            keys = "m: offer a rematch   t: talk" if lan.mine else "[ and ]: look back"
            return ((f"{keys}   q: leave", "quiet"),)
        if lan.is_gone:
            said = "All others have said that you are gone for good: you look on."
            return ((said, "quiet"),)
        if lan.is_replaced:
            said = "While you were away the others let a bot play on for you: you look on."
            return ((said, "quiet"),)
        if not lan.mine:
            return (("You look on; [ and ] look back.", "quiet"),)
        if lan.chosen & lan.mine and self.seat is None:
            return (("Your choice is made; it is shown when all have chosen.", "quiet"),)
        return super().hover_line(name)

    def help_lines(self) -> tuple[Line, ...]:
        """Return the help of a table, with what this one is known by."""
        lan = self.lan
        about: list[Line] = [
            (("This table", "title"),),
            (),
            (("  Compare aloud: ", ""), (" ".join(lan.words), "key")),
        ]
        if lan.listening is not None:
            where = ", ".join(f"{one}:{lan.listening.port}" for one in lan.listening.addresses)
            about += [((f"  We are at {where}, code {lan.code}", ""),)]
        return (*super().help_lines(), (), *about)

    # --- keys ---------------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hide the keys that do nothing now."""
        lan = self.lan
        is_player = bool(lan.mine) and not lan.closed
        if self.is_covered and action != "answer":
            return super().check_action(action, parameters)
        if action == "answer":
            offer = lan.offer
            return is_player and offer is not None and (parameters != (True,) or not offer.is_ours)
        if action in ("talk", "ready_words"):
            return is_player
        if action == "rematch":
            is_seen = self.viewpoint.interlude is None
            return is_player and self.is_over and is_seen and lan.offer is None
        if action in ("take_back", "draw"):
            can_offer = is_player and not self.is_over and lan.offer is None
            return can_offer and (action == "draw" or lan.can_take_back)
        if action == "resign":
            return is_player and not self.is_over
        if action == "hint" or (action == "analyse" and not self.is_over):
            return is_player  # the key says why not
        if action == "stand_in":
            return is_player and lan.stood_for is not None and lan.offer is None
        if action == "gone":
            return is_player and lan.can_be_gone
        return super().check_action(action, parameters)

    def key_said(self, binding: Binding) -> str:
        """Return what a key does: the one that refuses an offer takes one's own back."""
        is_ours = self.lan.offer is not None and self.lan.offer.is_ours
        return "take it back" if is_ours and binding.id == "lan.no" else super().key_said(binding)

    def action_answer(self, is_yes: bool) -> None:
        """Answer the offer that stands."""
        self.lan.peer.answer(is_yes)

    def action_hint(self) -> None:
        """Say why there is none."""
        self.say("No hints at a LAN table: all play by themselves. The replay has them.", "quiet")

    def action_analyse(self) -> None:
        """Say why there is none; when the match is over, have all of it judged."""
        if self.is_over:
            super().action_analyse()
        else:
            self.action_hint()

    def action_talk(self) -> None:
        """Write something to the others."""
        self._is_talking = True
        self.query_one(Prompt).ask("Say:", longest=LONGEST_NOTE)

    @on(Prompt.Submitted)
    def _said(self, event: Prompt.Submitted) -> None:
        if not self._is_talking:
            return
        self._is_talking = False
        event.prevent_default()  # it is no step
        self.end_prompt()
        self.show_table()
        if event.text:
            self.lan.peer.say(event.text)

    def action_ready_words(self) -> None:
        """Choose from a few ready words."""
        rows = [Row(text, text) for text in READY_WORDS]
        dialog.ask(self.app, [(("Say", "title"),)], rows, self.lan.peer.say)

    def action_draw(self) -> None:
        """Offer a draw, if the answer is yes."""
        question: list[Line] = [(("Offer a draw?", "title"),)]
        dialog.confirm(self.app, question, "No, play on", "Yes, offer it", self._offer_draw)

    def _offer_draw(self) -> None:
        if self.check_action("draw", ()):  # the match may have ended meanwhile
            self.lan.peer.offer(posts.DRAW)

    def action_rematch(self) -> None:
        """Offer to play the same again, with the seats moved on by one."""
        self.lan.peer.offer(posts.AGAIN)

    def action_take_back(self) -> None:
        """Ask to go back to our last choice."""
        try:
            self.lan.take_back()
        except KumiteError as error:
            self.complain(error)

    def action_stand_in(self) -> None:
        """Let a bot play the seat of somebody who is away, if that is meant and others agree."""
        seat = self.lan.stood_for
        if seat is None:
            return
        who = self.lan.shown_names[seat]
        what = f"Till the end of the match: when {who} is back, {who} can only look on."
        question = [((f"Let a bot play on for {who}?", "title"),), *_wrapped(what, "", QUESTION)]
        dialog.confirm(self.app, question, "No, wait", "Yes, a bot", self._stand_in)

    def _stand_in(self) -> None:
        seat = self.lan.stood_for
        if seat is not None and self.check_action("stand_in", ()):  # they may be back
            self.lan.peer.offer(posts.SEAT, seat)

    def action_gone(self) -> None:
        """Say of whoever has been away for long that they are gone for good, if that is meant."""
        what = f"{self.lan.said_of_missed}. Who comes back later can only look on."
        question = [(("Are they gone for good?", "title"),), *_wrapped(what, "", QUESTION)]
        dialog.confirm(self.app, question, "No, wait", "Yes, say so", self._say_gone)

    def _say_gone(self) -> None:
        if self.check_action("gone", ()):  # they may have come back meanwhile
            self.lan.peer.offer(posts.GONE)

    def action_back(self) -> None:
        """Leave; ask first in the middle of a match."""
        if self.lan.is_over or self.lan.closed or not self.lan.mine:
            self._leave()
            return
        question: list[Line] = [
            (("Leave the table?", "title"),),
            ((house.suited("The match is kept: c on the home screen{{, or|}}"), ""),),
            ((house.suited("{{`kumite resume`, |}}brings you back."), ""),),
        ]
        dialog.confirm(self.app, question, "No, stay", "Yes, leave", self._leave)

    def _leave(self) -> None:
        if not self.lan.closed:
            self.lan.peer.leave()
        super().action_back()


def _wrapped(text: str, role: str, columns: int = SIDE_TEXT) -> tuple[Line, ...]:
    return tuple(((part, role),) for part in wrap(text, columns) if part)
