"""The table screen of a LAN match, driven by events from the network."""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar, Final

from textual.binding import Binding, BindingType
from textual.timer import Timer

from kumite.core import codes
from kumite.core.errors import KumiteError
from kumite.core.game import Seat
from kumite.core.text import listed
from kumite.net.session import events
from kumite.net.session.events import Answered
from kumite.net.wire import posts
from kumite.store import guest_mode
from kumite.tui.drawing.end_card import Ending
from kumite.tui.play import course
from kumite.tui.play.lan_table import REPLACED, LanTable
from kumite.tui.play.local_seats import LONGEST_NOTE
from kumite.tui.play.network_words import reason, text
from kumite.tui.play.table_model import TableModel
from kumite.tui.scenes import Line
from kumite.tui.scenes.lines import capital, ended, line_width, wrapped
from kumite.tui.screens import dialog, lan_lines
from kumite.tui.screens.base import LAST_KEYS
from kumite.tui.screens.next_game import NextGameScreen
from kumite.tui.screens.table import TABLE_HELP, TableScreen
from kumite.tui.widgets.field import SIDE_TEXT
from kumite.tui.widgets.form import Row
from kumite.tui.widgets.lines import Lines
from kumite.tui.widgets.prompt import Prompt

SEEN: Final = 2.0  # s for which spectators see a trick or revealed choices
PASSING: Final = 3.0  # s for which the news of a return are shown
LEAST_NEWS: Final = 16  # columns beside a hint
SLOW: Final = 0.5  # s after which a step in transit is mentioned
ACTS: Final = frozenset(  # `hint` and `analyse` explain why they are unavailable
    {"answer", "talk", "ready_words", "offers", "draw", "take_back", "resign", "hint", "analyse"}
    | {"rematch", "next_game", "stand_in", "gone"}
)
READY_WORDS: Final = (
    "Hello!",
    "Good luck!",
    "Well played!",
    "One moment, please.",
    "Sorry, a slip: may I take it back?",
    "Thank you for the match!",
    "Let's continue another day.",
)


OFFERS: Final = {  # by action
    "none": "No, play on",
    "draw": "Offer a draw",
    "take_back": "Ask to take back your last step",
    "resign": "Give up",
}


class LanTableScreen(TableScreen):
    """A match played over the LAN."""

    HAS_TUTOR = False  # no help that other players do not have
    HELP = (
        TABLE_HELP
        + """\
Every terminal checks every step. Compare the three words aloud once: if they are the
same on all screens, nobody is listening in. d offers a draw, asks to take back your last
step (so does u), or gives up (so does g); all players have to agree to the first two, and
to a rematch. c shows the messages. If you lose the connection or leave, {{`kumite resume`
or |}}c on the home screen brings you back; the table waits. After the match all secrets are
opened and checked: the log says whether all have played fair. Then m offers a rematch, z
votes for the next game, and o reviews the match; talk and offers reach you there."""
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", "yes", id="lan.yes"),
        # `n` moves between choices; a separate key keeps players from declining offers by mistake
        Binding("x", "answer(False)", "no", id="lan.no"),
        Binding("t", "talk", "talk", id="lan.talk"),
        Binding("d", "offers", "draw, give up", id="lan.draw"),
        Binding("c", "messages", "messages", show=False, id="lan.messages"),
        Binding("w", "ready_words", "a few ready words", show=False, id="lan.words"),
        Binding("z", "next_game", "next game", id="lan.game"),
        Binding("b", "stand_in", "let a bot play on", id="lan.bot"),
        Binding("e", "gone", "gone for good", id="lan.gone"),
    ]

    IN_HELP_ONLY = frozenset({"table.hint", "table.analyse"})
    ALWAYS_SHOWN = LAST_KEYS | {"t", "c"}

    lan: LanTable

    def __init__(self, table: LanTable) -> None:
        super().__init__(table)
        self.lan = table
        self._is_laid_anew = False  # at the moment
        self._warned: set[Seat] = set()  # seats whose low clock has rung
        self._clock_timer: Timer | None = None
        self._answered: Line = ()  # what others did, since the last key
        self._company_lines: list[Line] = []
        self._unread: list[str] = []  # messages of others that nobody has read
        table.listener = self.heard

    # --- what the network tells ---------------------------------------------------------------

    def heard(self, event: events.Event) -> None:
        if not self.is_ready or not self.lan.has_begun:
            return  # before the match, the table keeps the event; afterwards nobody is watching
        has_left = isinstance(event, events.Left | events.Watching | events.Presence)
        if has_left and not self.lan.others_here:  # the host need not be asked any more
            self._end_question()
        match event:
            case events.Sending():
                number = self.lan.match.number
                self.set_timer(SLOW, lambda: self._say_slow(number))
            case events.MatchBegan():
                self._end_question()
                if self.game_id == self.lan.match.game.ID:
                    self._begin()
                else:
                    self.call_later(self._lay_anew)
            case events.NotDone():
                why, hint = reason(event)
                self.show_table()
                error = KumiteError(why, hint=hint)
                self.app.call_later(lambda: self.apply(self.model.refused(error)))
            case events.Chose(seat, _) if seat in self.lan.mine:
                self.show_table()
            case events.MatchChanged():
                self.show_table()
                self.apply(self.model.made())
            case events.Gone() | events.SeatMoved() | events.Left():
                self.show_table()
            case events.Ended() | events.Stopped():
                self.show_end()
            case events.Listening() | events.Lobby():
                pass
            case events.TurnedAway() | events.CodeChanged():
                self.show_log()
            case _:
                self._heard_of_others(event)

    async def _lay_anew(self) -> None:
        """Make the widgets anew, since they are laid out for one game."""
        self.moving.end()
        self._is_laid_anew = True
        self.game_id = self.lan.match.game.ID
        self.model = TableModel.open(self.lan, self.look)
        self._about = self._drawn = None
        await self.recompose()
        self._is_laid_anew = False
        self._begin()

    @property
    def is_ready(self) -> bool:
        return not self._is_laid_anew and super().is_ready

    def _begin(self) -> None:
        self.sit_at(self.lan)
        if said := self.lan.said_of_rematch:
            self._answer(said)

    def _heard_of_others(self, event: events.Event) -> None:
        """Show what other people say, offer or agree to, and who is away."""
        match event:
            case events.Said(_, seat):
                is_ours = event.is_ours or seat in self.lan.mine
                said = self.lan.talk_line(event)
                self._unread += [said] * (not is_ours)
                self._answer(said)
                self._show_company()
                if not is_ours:
                    self.call_people(said)
            case events.Presence(events.Status.MISSED):
                self.show_table()
                self.call_people(text(event))
            case events.Voted():
                if isinstance(self.app.screen, NextGameScreen):
                    self.app.screen.show_votes()
                self.show_words()
                if not event.is_ours:
                    self.call_people(text(event))
            case events.Watching() if self.lan.said_of_wish and not event.is_ours:
                self._answer(self.lan.said_of_wish)
                self._show_company()
                self.call_people(self.lan.said_of_wish)
            case events.Offered():
                self._end_question()
                self.show_words()
                if not (event.agrees or event.is_ours):
                    self.call_people(self.lan.offer_text(event))
            case events.OfferGone(posts.BACK, Answered.AGREED):
                self._answer(f"Taken back: {text(event)}")
            case events.OfferGone(posts.AGAIN, Answered.AGREED):
                self._answer(said := "All here agree: the next match begins")
                self.call_people(said)
            case events.OfferGone(_, answer) if answer != Answered.AGREED:
                self._answer(text(event))
            case events.Presence(events.Status.BACK) if not self.lan.is_sending:
                self._pass_on(self.lan.absences.said)
                self._show_company()
            case events.Presence(events.Status.SLEPT):
                self._answer(self.lan.absences.said)
                self._show_company()
            case _:
                self.show_words()  # a partly chosen step is kept
                self._show_company()

    def _end_question(self) -> None:
        """Close the question what is next: others were faster."""
        if self.model.is_over:
            dialog.close(self.app)

    def _answer(self, said: str) -> None:
        """Show above the keys what others did, until the next key."""
        self._answered = ((said, "title"),)
        if not self._news:
            self._message = self._answered
        self.show_words()

    def _pass_on(self, said: str) -> None:
        """Show above the keys for a while what is of no use later."""
        self._message = line = ((said, "title"),)
        self.show_words()

        def end() -> None:
            if self.is_ready and self._hinted == line:
                self.show_hint()

        self.set_timer(PASSING, end)

    @property
    def _news(self) -> Line:
        """What others did since the last key, unless something else is more important."""
        lan = self.lan
        is_asked = lan.offer is not None and not lan.offer.is_ours
        return () if is_asked or lan.closed or lan.troubles else self._answered

    def show_hint(self) -> None:
        model = self.model
        if model.seat is None and not (model.is_over or model.interlude):
            self._message = self._message or self._news  # nobody needs the hint
        super().show_hint()

    def hover_line(self, name: str) -> Line:
        """Return the news and the hint, whose first parts stay whole, or else the news alone."""
        line, news = self._plain_hint(name), self._news
        if not news:
            return line
        head = line[: 1 if self.model.is_over else 2]
        room = self.app.size.width - 2 - line_width(head) - 3
        return (*ended(news, room, self.look), ("   ", ""), *line) if room >= LEAST_NEWS else news

    def _have_seen(self) -> None:
        """Show the whole hint again, which news have covered."""
        said, self._answered = self._answered, ()
        if said and self.is_ready and (self._hinted == said or not self._hint_is_whole):
            self.show_hint()

    def on_click(self) -> None:
        self._have_seen()

    def _say_slow(self, number: int) -> None:
        if self.is_ready and self.lan.is_sending and self.lan.match.number == number:
            self.show_words()

    # --- showing ------------------------------------------------------------------------------

    def show_table(self) -> None:
        super().show_table()
        self._show_company()
        shown = self.model.interlude
        if shown is not None and not self.lan.mine:
            number = self.model.seen.number
            self.set_timer(SEEN, lambda: self._go_on_from(number))

    @property
    def _not_shown(self) -> list[str]:
        """The unread messages that stand neither above the keys nor in the log's visible rows."""
        log = self.query_one("#log", Lines)
        above = (one for one, _ in self._hinted)
        return [one for one in self._unread if one not in above and not log.shows(one)]

    def before_key(self) -> None:
        super().before_key()
        if self._unread:  # the player is here, and reads what is shown
            self._unread = self._not_shown
        self._have_seen()

    def hint(self, line: Line, **how: Any) -> None:
        super().hint(line, **how)
        if self._unread:
            self.once_drawn(self.show_keys)

    def show_log(self) -> None:
        super().show_log()
        if self._unread:
            self.once_drawn(self.show_keys)

    def keys_now(self) -> list[tuple[str, str]]:
        """Return the keys, first the one that leads to talk that nobody has read."""
        count = len(self._not_shown) if self._unread else 0
        ways = (one.key for one in self.bound_now() if one.id == "lan.messages")
        return [*((key, f"messages ({count})") for key in ways if count), *super().keys_now()]

    def say_anew(self) -> None:
        super().say_anew()
        if self.is_ready and self.lan.has_begun:
            self._show_company()

    def _go_on_from(self, number: int) -> None:
        """Continue if this step is still on screen and the user has not looked back."""
        if self.is_ready and self.model.seen.number == number and not self.model.behind:
            self.action_go_on()

    def after_step(self) -> None:
        """Do nothing: a network event reports when the step is accepted."""

    def _show_company(self) -> None:
        """Show the clocks and each player's status, and schedule the next clock update."""
        if not self.query("#company"):
            return
        lan, now = self.lan, self.lan.clock()
        self._warn_of_time(now)
        rows, columns = self.company_rows, self.app.size.width - 2
        self._company_lines = lan_lines.company(lan, columns, now, self.look)
        self.query_one("#company", Lines).show(self._company_lines)
        if rows != self.company_rows:
            self.fit_table()
        delay = lan.clocks.next_change(now)
        if delay is None and lan.thinks_elsewhere and lan.until_long(now) >= 0:
            delay = lan.until_long(now)
        if self._clock_timer is not None:
            self._clock_timer.stop()
            self._clock_timer = None
        if delay is not None:
            self._clock_timer = self.set_timer(delay + 0.01, self._show_company)

    @property
    def company_rows(self) -> int:
        return max(1, len(self._company_lines))

    def _warn_of_time(self, now: float) -> None:
        """Ring once when a local seat's clock runs low; ring again only after it has recovered."""
        clocks = self.lan.clocks
        low = {seat for seat in self.lan.mine if clocks.is_low(seat, now)}
        if (low & clocks.running) - self._warned:
            self.call_people("little time is left")
        self._warned = low & (self._warned | clocks.running)

    def result_lines(self) -> tuple[Line, ...]:
        lines = super().result_lines()
        stopped, verdict = self.lan.stopped, self.lan.verdict
        if self.model.interlude:
            return lines
        if stopped is not None:
            where = ""
            if stopped.number and stopped.code not in (codes.FOUL, codes.ACCUSED):
                where = f"step {stopped.number} differs; all agree up to step {stopped.common}"
            said = (("The table has stopped", "title"),)
            why = wrapped(text(stopped), SIDE_TEXT, "loss")
            return (said, *why, *wrapped(where, SIDE_TEXT))
        is_sound = verdict is not None and verdict.is_sound
        role = "key" if is_sound else "loss"
        return (*lines, *wrapped(self.lan.said_of_audit, SIDE_TEXT, role))

    def ending(self) -> Ending | None:
        lan = self.lan
        if lan.stopped is not None:
            stopped, names = lan.stopped, lan.shown_names
            why = f"{capital(text(stopped), names)}."
            return course.broken(self.model.seen, why, stopped.number, stopped.common, names)
        found = super().ending()
        if found is None:
            return None
        is_false = lan.verdict is not None and not lan.verdict.is_sound
        audit = lan.said_of_audit.removeprefix("Audited: ") if lan.verdict is not None else ""
        score = "series" if lan.series.best_of > 1 else "so far", lan.score
        # What is last stays longest where rows are short.
        facts = (score, ("audit", audit)) if is_false else (("audit", audit), score)
        more = [one for one in facts if one[1]]
        return found._replace(facts=(*found.facts, *more), is_loss=found.is_loss or is_false)

    def _plain_hint(self, name: str) -> Line:
        lan = self.lan
        is_asked = lan.offer is not None and not lan.offer.is_ours
        if not self.model.is_in_present and not is_asked:
            return super().hover_line(name)
        if lan.stopped is not None:
            return ((text(lan.stopped), "loss"), (f"  {reason(lan.stopped)[1]}", "quiet"))
        if lan.closed:
            return lan_lines.closed(lan)
        if lan.offer is not None:
            return lan_lines.offered(lan, lan.offer, self.app.size.width - 2)
        have_left = all(word in ("left", "gone") for word, _ in lan.absences.trouble.values())
        goes_on = self.model.seat is not None or self.model.is_over
        if lan.troubles and not (have_left and goes_on):
            bot = "  b: let a bot play on" if lan.stood_for is not None else ""
            bot += "  e: gone for good" if lan.can_be_gone else ""
            trouble = (lan.troubles[0], "loss"), (bot, "quiet")
            if self.model.seat is None or lan.is_sending:
                return trouble
            parts = super().hover_line(name), trouble
            has_met = lan.absences.met - lan.ours  # else nothing counts yet
            first, second = parts if has_met else reversed(parts)
            return (*first, ("   ", ""), *second)
        if self.model.is_over:
            return lan_lines.after_match(lan, 0 if self._news else self.app.size.width - 2)
        if lan.is_gone:
            said = "All others have said that you are gone for good: you look on."
            return ((said, "quiet"),)
        if lan.is_replaced:
            return ((REPLACED, "quiet"),)
        if not lan.mine:
            return (("You look on; [ and ] look back, End returns.", "quiet"),)
        if lan.chosen.keys() & lan.mine and self.model.seat is None:
            return (("Your choice is made; it is shown when all have chosen.", "quiet"),)
        return super().hover_line(name)

    def help_lines(self) -> tuple[Line, ...]:
        lan = self.lan
        about: list[Line] = [(("This table", "title"),), (), ((f"  {lan.compare}", "key"),)]
        if lan.listening is not None:
            where = ", ".join(f"{one}:{lan.listening.port}" for one in lan.listening.addresses)
            about += [((f"  We are at {where}, code {lan.code}", ""),)]
        return (*about, (), *super().help_lines())

    # --- keys ---------------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "talk" and not self.model.is_covered:
            return True  # or what is typed would be taken for keys
        is_of_lan = action in ACTS and not (action == "analyse" and self.model.is_over)
        if not is_of_lan or (self.model.is_covered and action != "answer"):
            return super().check_action(action, parameters)
        return self._hindrance(action, is_yes=parameters == (True,)) is None

    def why_not(self, action: str) -> str:
        name = action.partition("(")[0]
        return self._hindrance(name) or "" if name in ACTS else super().why_not(action)

    def _hindrance(self, action: str, *, is_yes: bool = False) -> str | None:
        """Return why an act is impossible now, "" if it needs no words; None: it is possible."""
        lan, offer, is_over = self.lan, self.lan.offer, self.model.is_over
        if action == "talk" and lan.closed:
            return "the table is closed"
        if action == "talk":
            return None
        if action == "rematch" and lan.can_wish and self.model.interlude is None:
            return None
        if action == "next_game" and lan.is_of_tournament:
            return "the organiser's rounds say who plays next"
        if lan.closed or not (lan.mine or action == "next_game"):
            return ""
        match action:
            case "answer" if offer is None or (is_yes and offer.is_ours):
                return "nobody has offered anything"
            case "rematch" | "next_game" if not is_over:
                return "the match is not over yet"
            case "rematch" | "next_game" if self.model.interlude is not None:
                return ""
            case "next_game" if len(lan.next_games) < 2:
                seats = lan.match.setup.seats
                return f"no other game is for {seats} players; {events.OTHER_TABLE}"
            case "rematch" if offer is not None and offer.kind == posts.AGAIN and not offer.is_ours:
                return None  # it agrees
            case "offers" | "draw" | "take_back" | "resign" if is_over:
                return "the match is over"
            case "stand_in" if lan.stood_for is None:
                return "nobody is away whom a bot could replace"
            case "draw" | "take_back" | "rematch" | "next_game" | "stand_in" if offer is not None:
                return "an offer is waiting for its answer"
            case "take_back":
                return lan.why_no_take_back or None
            case "gone" if not lan.can_be_gone:
                return ""
        return None

    @property
    def keys_first(self) -> frozenset[str]:
        asked = ("yx" if self.lan.offer is not None else "d") + "be" * bool(self.lan.troubles)
        # News must not push out what is to be done now.
        return super().keys_first | set(asked) | ({"Enter", "u"} if self._unread else set())

    def key_said(self, binding: Binding) -> str:
        is_ours = self.lan.offer is not None and self.lan.offer.is_ours
        if binding.id == "lan.talk" and self.why_not("talk"):
            return ""  # it is left out of the line of keys
        if binding.id == "table.rematch" and self.lan.can_wish:
            return "look on" if self.lan.watching.is_ours else "join"
        if binding.action == "back" and self.lan.is_of_tournament:
            return "back" if self.model.is_over else "tournament"  # the line above says where to
        return "withdraw" if is_ours and binding.id == "lan.no" else super().key_said(binding)

    def action_answer(self, is_yes: bool) -> None:
        self.lan.peer.answer(is_yes)

    def action_hint(self) -> None:
        self.say("No hints at a LAN table: all play by themselves. The replay has them.", "quiet")

    def action_analyse(self) -> None:
        """Explain that there is no analysis during the match; after it, open the review."""
        if self.model.is_over:
            super().action_analyse()
        else:
            self.action_hint()

    def action_review(self) -> None:
        with self.complaining():
            log, _ = self._log()
            self.shell.open_review(log, is_turned=self.is_turned, talk=self._talk)

    def _talk(self, text: str) -> str:
        """Say a text to all, or return why it cannot be said."""
        if not (why := self.why_not("talk")):
            self.lan.peer.say(text)
        return why

    def action_talk(self) -> None:
        label = "Nobody hears:" if self.why_not("talk") else "Say:"
        self.query_one(Prompt).ask(label, self._said, longest=LONGEST_NOTE)

    def _said(self, text: str | None) -> None:
        self.end_prompt()
        self.show_table()
        if text and (why := self._talk(text)):
            self.say(f"Not said: {why}", "loss")

    def action_messages(self) -> None:
        """Show the messages of this table on a page that opens at the current match."""
        from kumite.tui.screens.reading import ReadingScreen

        self._unread.clear()
        told = (*self.lan.earlier, *self.lan.remarks)
        lines = tuple(((one.text, one.role),) for one in told)
        self.app.push_screen(ReadingScreen("Messages", lines, self.lan.said_of_rematch))

    def action_ready_words(self) -> None:
        rows = [Row(text, text) for text in READY_WORDS]
        dialog.ask(self.app, "Say", rows, self.lan.peer.say)

    def _offer(self, action: str, kind: str, about: int = 0) -> None:
        if self.check_action(action, ()):  # it may have become impossible while a dialog was open
            self.lan.peer.offer(kind, about)

    def action_offers(self) -> None:
        def row(one: str) -> Row:
            why = self._hindrance(one)
            what = one.replace("_", " ").capitalize()
            return Row(one, OFFERS[one]) if why is None else Row("", f"   {what}: {why}")

        def do(action: str) -> None:  # later: when it resumes, this screen replaces the message
            self.call_later(self.run_action, action)

        dialog.ask(self.app, "Draw, take back, give up", map(row, OFFERS), do)

    def action_draw(self) -> None:
        self.lan.peer.offer(posts.DRAW)

    def action_rematch(self) -> None:
        if self.lan.can_wish:
            self.lan.peer.ready(not self.lan.watching.is_ours)
        elif self.lan.offer is not None:
            self.lan.peer.answer(True)
        else:
            self.lan.offer_next(posts.AGAIN)

    def action_next_game(self) -> None:
        def vote(game: str | None) -> None:
            if game:
                self.lan.offer_next(posts.VOTE, game)

        self.app.push_screen(NextGameScreen(self.lan), vote)

    def action_stand_in(self) -> None:
        seat = self.lan.stood_for
        if seat is None:
            return
        who = self.lan.shown_names[seat]
        what = f"Till the end of the match: when {who} is back, {who} can only look on."
        offer = partial(self._offer, "stand_in", posts.SEAT, seat)
        question = f"Let a bot play on for {who}?", what
        dialog.confirm(self.app, question, "No, wait", "Yes, a bot", offer)

    def action_gone(self) -> None:
        what = f"{self.lan.absences.said_of_missed}. Who comes back later can only look on."
        offer = partial(self._offer, "gone", posts.GONE)
        question = "Are they gone for good?", what
        dialog.confirm(self.app, question, "No, wait", "Yes, say so", offer)

    def action_back(self) -> None:
        lan = self.lan
        if lan.is_over and lan.others_here and not (lan.closed or lan.is_of_tournament):
            asked = "Close the table?", f"Still here: {listed(lan.others_here)}."
            dialog.confirm(self.app, asked, "No, stay", "Yes, close it", self._leave)
            return
        if lan.is_over or lan.closed or not lan.mine:
            self._leave()
            return
        way = "c on the home screen{{, or|}}", "{{`kumite resume`, |}}brings you back."
        if self.lan.is_of_tournament:
            way = "Enter on the tournament's", "page brings you back to it."
        question = "Leave the table?", f"The match is kept: {way[0]}", way[1]
        dialog.confirm(
            self.app, map(guest_mode.suited, question), "No, stay", "Yes, leave", self._leave
        )

    def _leave(self) -> None:
        if not self.lan.closed:
            self.lan.peer.leave()
        super().action_back()
