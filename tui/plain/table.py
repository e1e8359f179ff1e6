"""A table in line mode: it describes what happens and handles typed commands.

`PlainTable` is for tables at one keyboard; lan.py has the one for LAN tables.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from kumite.core.bots import Choice
from kumite.core.errors import IllegalStep, KumiteError
from kumite.core.game import CHANCE, Seat, Step
from kumite.core.match import Match
from kumite.core.players import BOT
from kumite.core.table import Note, Play, TakeBack
from kumite.tui import scenes
from kumite.tui.bots.service import BotService
from kumite.tui.export.rules_page import chapter_lines
from kumite.tui.plain import words
from kumite.tui.plain.console import Console, Dialogue
from kumite.tui.plain.exploring import QUESTIONS, SHORT_WHY, Explorer, help_lines
from kumite.tui.play import first, table_model, table_words
from kumite.tui.play.local_seats import STAND_IN, LocalSeats
from kumite.tui.play.narration import AIM
from kumite.tui.play.table_model import Effect, Refuse, Stop, TableModel, Tell, Updated, Warn, Work
from kumite.tui.play.terms import options_said
from kumite.tui.scenes import in_words, moved_squares
from kumite.tui.scenes.about import about_game
from kumite.tui.scenes.lines import capital, plain
from kumite.tui.scenes.notation import spelled
from kumite.tui.settings import Settings, keep

if TYPE_CHECKING:
    from kumite.tui.bots.judging import Blunder, Tutor

ALONE: Final = "Press Enter alone first."
SOON: Final = 0.8  # s; nobody needs to hear of a bot that answers sooner
ONLOOKER: Final = Seat(-1)  # key for spectators when nobody plays here


class Due(NamedTuple):
    """A situation: the position, and who has to do something."""

    number: int
    digest: bytes
    seat: Seat | None  # a person here
    awaited: Seat | None  # a person who has to come to the keyboard
    bot: Seat | None
    vacant: Seat | None  # whose bot cannot play


class PlainTable(Dialogue):
    """Play at a table in line mode until the user leaves."""

    help_lines: tuple[str, ...] = words.HELP

    def __init__(self, table: LocalSeats, console: Console, settings: Settings) -> None:
        super().__init__(console)
        wants_tutor = settings.tutor and bool(table.match_id) and not table.is_lan
        self.model = TableModel.open(
            table, words.LOOK, wants_tutor=wants_tutor, shows_interludes=False
        )
        self.table, self.settings = table, settings
        console.spoken = words.speaker(table.match, table.shown_names, settings.speak)
        self._bots = BotService(table.path)
        self._told: dict[Seat, int] = {}  # steps told so far, by seat
        self._position: tuple[str, ...] = ()  # sentences of the position told last
        self._due: Due | None = None  # the situation of the last prompt
        self._about: tuple[Match, Seat] | None = None  # what the bot that plays thinks about
        self._tutor: Tutor | None = None
        self._tasks: dict[str, asyncio.Task[None]] = {}  # those under way: bot, hint, tutor
        self.aside: PlainTable | None = None  # another table to go to before this one goes on
        self._is_resigning = False
        self._has_shown_secrets = False
        self._has_told_how = False
        self._has_told_tutor = False
        self._begun = ""  # the beginning of a step that was listed last

    async def run(self) -> None:
        """Play until the match is over or left; it is saved as it goes."""
        self.console.begin()
        self.greet()
        try:
            while not self.is_left:
                self.go_on()
                if not self.is_left:
                    self.take(await self.console.next(reads=self.reads))
                if self.aside is not None:
                    await self._go_aside(self.aside)
        finally:
            self._stop(*self._tasks)
            self._bots.close()
            self.table.close()

    def greet(self) -> None:
        match = self.table.match
        options = ", ".join(options_said(match.setup))
        who = ", ".join(self.table.shown_names)
        less = "" if self.settings.brief else ", brief to hear only what is new"
        self.console.say(
            f"{match.game.TITLE} ({options}): {who}. Type help for the commands{less}."
        )
        if begins := first.told(match.game, self.table.shown_names):
            self.console.say(f"{capital(begins, self.table.shown_names)}.")
        if any(one.last is not None and one.last.actor != CHANCE for one in match.line()):
            self.console.say(f"The match continues after step {match.number}.")
            self._told = dict.fromkeys(self.table.mine, match.number)
        elif aim := about_game(match.game).aim:
            self.console.say(f"{AIM}: {aim}")

    # --- the model ----------------------------------------------------------------------------

    def apply(self, updated: Updated) -> bool:
        """Use the next model and run its effects; return False if anything was refused."""
        self.model, effects = updated
        done = [self._carry_out(effect) for effect in effects]
        return all(done)

    def _carry_out(self, effect: Effect) -> bool:
        match effect:
            case Play():
                before = self.table.match
                try:
                    self.table.do(effect)
                except KumiteError as error:
                    return self.apply(self.model.refused(error))
                self.follow()
                return self.apply(self.model.made(before))
            case TakeBack() | Note():
                return self.attempt(lambda: self.table.do(effect))
            case Tell(text):
                self.console.say(text.partition("   ")[0])  # keys of the screen follow
            case Work("hint", seat):
                self._advise(seat)
            case Work("prepare", seat):
                self._prepare(seat)
            case Work("check", _, step) if step is not None:
                return self._check(step)
            case Warn(seat, blunder):
                self._warn(seat, blunder)
            case Stop("tutor"):
                self._stop("tutor")
                self._tutor = None
            case Refuse(error):
                self.complain(error)
                return False
        return True

    def follow(self) -> None:
        self.apply(self.model.follow(words.LOOK))

    @property
    def seat(self) -> Seat | None:
        return self.model.seat

    @property
    def is_over(self) -> bool:
        return self.table.is_over

    # --- what there is to say -----------------------------------------------------------------

    @property
    def reads(self) -> bool:
        """True if input is read now; otherwise it waits for a person's turn or a hint."""
        table = self.table
        if "hint" in self._tasks or self.model.checked is not None:
            return False
        return self.is_over or table.acting is not None or table.vacant_to_act() is not None

    def go_on(self) -> None:
        """Describe what is new, make forced steps, start a bot, and prompt for a step."""
        self.tell()
        while self._make_only_step():
            self.tell()
        if self.is_over:
            self.end()
            return
        self._wake_bot()
        if self.reads or self.table.bot_to_act() is not None:
            self._ask()

    def _make_only_step(self) -> bool:
        """Make a forced step of a local person; return whether there was one."""
        seat, step, names = self.seat, self.model.only_step, self.table.shown_names
        if seat is None or step is None or self.is_over:
            return False
        said = spelled(self.table.match.game, step, names)
        self.console.say(f"{names[seat]} can only play {said}.")
        return self.apply(self.model.make(step))

    def tell(self) -> None:
        """Describe the steps that the people at the keyboard have not been told."""
        table = self.table
        number = table.match.number
        if number < max(self._told.values(), default=0):
            self.console.say(f"Taken back: step {number + 1} is to come.")
        self._told = {seat: min(told, number) for seat, told in self._told.items()}
        if self.is_over:
            self.model = replace(self.model, looking=None)
        self.follow()
        if self.model.awaited is not None:
            return
        is_brief, bot = self.settings.brief, table.bot_to_act()
        last = table.match.last
        if is_brief and bot is not None and last is not None and last.actor == bot:
            return  # the turn goes on, and is told as a whole
        who = self.model.eyes or table.mine or {ONLOOKER}
        since = min(self._told.get(seat, 0) for seat in who)
        names = table.shown_names
        self.console.say(*words.told(self.model.seen, names, since, by_turn=is_brief))
        self._told |= dict.fromkeys(who, number)

    def tell_position(self, *, only_new: bool = False) -> None:
        """Describe the position as the people at the keyboard may know it.

        `only_new` leaves out what was said of the position before.
        """
        model, counts = self.model, self.settings.counter
        said = in_words(model.seen, self.table.shown_names, model.you, counts_cards=counts)
        self._position = self._position if only_new else ()
        self._tell_new(said)

    def _tell_new(self, said: tuple[str, ...]) -> None:
        self.console.say(*(one for one in said if one not in self._position))
        self._position = said or self._position  # it has been told, even if now nothing is new

    def end(self) -> None:
        self.console.say(words.result(self.table), *Explorer(self.model).score())
        for seat, said in self.table.left.items():
            self.console.say(f"{self.table.shown_names[seat]} {said}.")
        self.leave()

    def leave(self) -> None:
        """Leave, and say how the match is heard again, or goes on."""
        self.is_left = True
        if self.table.path is None:
            return
        if not self.table.is_kept:
            self.console.say("Nobody has made a step, so this match is not kept.")
            return
        how = "`replay` tells it again" if self.is_over else "`resume` continues it"
        self.console.say(f"The match is saved; {how}.")

    def _ask(self) -> None:
        """Say once whose turn it is, with the position if others have made steps."""
        table, awaited = self.table, self.model.awaited
        acts = (self.seat, awaited, table.bot_to_act(), table.vacant_to_act())
        due = Due(table.match.number, table.match.digest, *acts)
        is_new, before, self._due = due != self._due, self._due, due
        if is_new and awaited is not None:
            self._hand_keyboard_over(awaited)
        elif is_new and self.seat is not None:
            new = [step.actor for step in table.match.steps()[before.number if before else 0 :]]
            is_same = before is not None and before.seat == self.seat and self.seat not in new
            waits = is_same and bool(new)  # others choose meanwhile
            goes_on = is_same or (before is not None and new[-1:] == [self.seat])
            if not goes_on:
                self._begin_turn(has_waited=before is not None)
            elif moved_squares(self.model.seen) and not self.settings.brief:
                self.tell_position()
            if not waits:
                self._tell_turn(goes_on=goes_on)
        elif is_new and (before is None or before[2:] != due[2:]):
            if due.bot is None:
                self.console.say(words.turn(self.model))
            else:
                later, told = asyncio.get_running_loop().call_later, self._tell_who_thinks
                later(SOON, self.console.post, partial(told, table.match))
        if self.reads:
            self.console.prompt()

    def _tell_who_thinks(self, match: Match) -> None:
        if self.table.match is match and self.table.bot_to_act() is not None:
            self.console.say(words.turn(self.model))

    def _tell_turn(self, *, goes_on: bool) -> None:
        how = "" if self._has_told_how else words.HOW
        self._has_told_how = True
        self.console.say(f"{words.turn(self.model, goes_on=goes_on)} {how}".rstrip())

    def _begin_turn(self, *, has_waited: bool) -> None:
        if self.settings.bell and has_waited and self.table.only_person is not None:
            self.console.ring()
        if self.settings.brief and self._position:  # a first one is news
            self._tell_new(words.gist(self.model))
        else:
            self.tell_position(only_new=self.table.only_person is not None)

    def _hand_keyboard_over(self, seat: Seat) -> None:
        name = self.table.shown_names[seat]
        has_secrets, self._has_shown_secrets = self._has_shown_secrets, False
        if has_secrets and self.console.push_up():
            self.console.say(
                "What the others could see has been pushed up. Scrolling back still shows it: "
                "a terminal of lines cannot take anything back."
            )
        self.console.say(f"Hand the keyboard to {name}, who presses Enter when alone at it.")

    # --- bots ---------------------------------------------------------------------------------

    def _wake_bot(self) -> None:
        table, seat = self.table, self.table.bot_to_act()
        about = None if seat is None else (table.match, seat)
        if "bot" in self._tasks and about == self._about:
            return
        self._stop("bot")
        if seat is not None:
            self._about = about
            think = partial(table.think, seat, self._bots, self.settings.think)
            self._tasks["bot"] = self.start(think, partial(self._thought, table.match, seat))

    def _stop(self, *kinds: str) -> None:
        for kind in kinds:
            if (task := self._tasks.pop(kind, None)) is not None:
                task.cancel()

    def _thought(self, match: Match, seat: Seat, found: Step | KumiteError) -> None:
        """Make a bot's step, or vacate the seat of one that failed, unless it is outdated."""
        self._tasks.pop("bot", None)
        if match is not self.table.match or self.table.bot_to_act() != seat:
            return
        if isinstance(found, KumiteError):
            self.table.lose(seat, found)
        else:
            self.attempt(lambda: self.table.play(seat, found))

    # --- hints --------------------------------------------------------------------------------

    def _hint(self, _: str) -> None:
        if self.seat is None:
            self.console.say("It is not your turn.")
        else:
            self.apply(replace(self.model, hint=None).ask_hint())

    def _advise(self, seat: Seat) -> None:
        from kumite.tui.bots import judging  # late: few tables ask for a hint

        seen, judge = self.model.seen, judging.Judge(self._bots, self.table.match_id)

        async def advise() -> Choice:
            return judge.advised(seen, seat, await judging.hint(judge, seen, seat))

        self._tasks["hint"] = self.start(advise, partial(self._advised, self.table.match))

    def _advised(self, match: Match, found: Choice | KumiteError) -> None:
        self._tasks.pop("hint", None)
        if self.seat is not None and match is not self.table.match:
            # Another seat has planned meanwhile; this one's choice is still open.
            self._advise(self.seat)
        elif isinstance(found, KumiteError):
            self.complain(found)
        else:
            self.model, _ = self.model.take_hint(match, found)
            self._tell_advice(found)
            self._choose_nothing()

    def _tell_advice(self, _: Choice) -> None:
        self.console.say(*words.hint(self.model))

    # --- the tutor ----------------------------------------------------------------------------

    def _prepare(self, seat: Seat) -> None:
        from kumite.tui.bots.judging import Judge, Tutor  # late: few tables have a tutor

        self._tutor = tutor = Tutor(Judge(self._bots, self.table.match_id), self.model.seen, seat)

        async def prepare() -> None:
            with suppress(KumiteError):  # the error is told when a step is made
                await tutor.prepare()

        self._tasks["tutor"] = asyncio.create_task(prepare())

    def _check(self, step: Step) -> bool:
        """Have the tutor look at a step before it is made, unless it is known to be good."""
        tutor = self._tutor
        if tutor is None or tutor.is_fine(step):
            return self.apply(self.model.check(step, None))

        self.console.say(*["The tutor looks at it ..."] * (not self._has_told_tutor))
        self._has_told_tutor = True
        blunder = partial(tutor.blunder, step)
        self._tasks["tutor"] = self.start(blunder, partial(self._checked, tutor, step))
        return True

    def _checked(self, tutor: Tutor, step: Step, found: Blunder | KumiteError | None) -> None:
        if tutor is not self._tutor:
            return
        if isinstance(found, KumiteError):  # and without the tutor, play on
            self.complain(found)
            found = None
        self.apply(self.model.check(step, found))

    def _warn(self, seat: Seat, blunder: Blunder) -> None:
        from kumite.tui.play import explained

        warning = explained.warning(self.model.seen, seat, blunder, self.table.shown_names)
        self.console.say(*warning, "Type it again to play it anyway.")

    async def _go_aside(self, aside: PlainTable) -> None:
        """Run another table until that is left; bots that were thinking restart afterwards."""
        self._stop(*self._tasks)
        self._tutor = None
        await aside.run()
        self.console.say("Back in the match.")
        self.aside, self._due = None, None

    # --- what is typed ------------------------------------------------------------------------

    def obey(self, line: str) -> None:
        if self._is_resigning:
            self._is_resigning = False
            if line.lower() in ("y", "yes"):
                self.attempt(self.table.resign)
            else:
                self.console.say("The match continues.")
            return
        word, _, rest = line.partition(" ")
        if word.lower() != "say":
            word, _, rest = (line := words.heard(line)).partition(" ")
        command = self.commands.get(word.lower())
        if command is not None and not self._is_step(line):
            command(rest.strip())
        elif self.model.awaited is not None:
            self._uncover(line)
        elif not line:
            self.tell_position()
            self.console.say(words.turn(self.model))
        elif word.startswith("?"):
            self._list(f"{word[1:]} {rest}".strip())
        else:
            self._play(line)

    @property
    def commands(self) -> Mapping[str, Callable[[str], object]]:
        found: dict[str, Callable[[str], object]] = {
            "help": lambda _: self.console.say(*self.help_lines, *self._questions()),
            "log": self._tell_log,
            "undo": lambda _: self.apply(self.model.take_back()),
            "resign": self._resign,
            "quit": lambda _: self.leave(),
            "why": self._why,
            "hint": self._hint,
            "rules": self._tell_rules,
            "brief": lambda _: self._be_brief(True),
            "full": lambda _: self._be_brief(False),
            SHORT_WHY: self._why,
            **{word: partial(self._answer, word) for word in QUESTIONS},
            **{one.short: partial(self._answer, word) for word, one in QUESTIONS.items()},
        }
        if self.table.vacant_to_act() is not None:
            found |= {who: partial(self._hand_over, who) for who in ("bot", "person", "again")}
        return found

    def _questions(self) -> Iterator[str]:
        return help_lines(has_squares=Explorer(self.model).has_squares)

    def _is_step(self, line: str) -> bool:
        seat = self.seat
        return seat is not None and line in self.table.match.legal(seat)

    def _tell_log(self, _: str) -> None:
        said = list(words.told(self.model.seen, self.table.shown_names))
        self.console.say(*said or ["No step has been made yet."])

    def _be_brief(self, is_brief: bool) -> None:
        self.settings = replace(self.settings, brief=is_brief)
        self.attempt(lambda: keep(brief=is_brief))
        how = "only when you press Enter" if is_brief else "at each of your turns"
        self.console.say(f"From now on, in other matches too, the position is told {how}.")

    def _answer(self, word: str, about: str) -> None:
        asked = QUESTIONS[word]
        if self.model.awaited is not None:
            self.console.say(ALONE)
        elif not about and " " in asked.form and Explorer(self.model).has_squares:
            self.console.say(f"For example: {asked.form}.")
        else:
            self.console.say(*asked.ask(Explorer(self.model), about))

    def _tell_rules(self, chapter: str) -> None:
        self.attempt(lambda: self.console.say(*chapter_lines(self.table.match.game.ID, chapter)))

    def _why(self, step: str) -> None:
        """Say why a step cannot be made, or that it can; it is not made."""
        seat = self.seat
        if seat is None or not step:
            self.console.say(
                "For example: why e5-e6." if seat is not None else "It is not your turn."
            )
            return
        _, effects = self._typed(step)
        for effect in effects:
            try:
                match effect:
                    case Refuse(error):
                        raise error
                    case Play(actor, made):
                        self.table.match.play(actor, made)
            except KumiteError as error:
                self.complain(error)
                return
        names = self.table.shown_names
        self.console.say("It can be made.", *words.choices(self.model.seen, seat, names, step))

    def _resign(self, _: str) -> None:
        asked = " ".join(table_words.giving_up(self.table))
        self.console.say(f"{asked} Type yes, or anything else to play on.")
        self._is_resigning = True

    def _hand_over(self, who: str, _: str) -> None:
        seat = self.table.vacant_to_act()
        if seat is not None:
            given = {"bot": f"{BOT}{STAND_IN}", "person": "", "again": self.table.names[seat]}
            self.attempt(lambda: self.table.hand_over(seat, given[who]))

    def _uncover(self, line: str) -> None:
        if line:
            self.console.say(ALONE)
            self._due = None
            return
        self.apply(self.model.uncover())
        self._has_shown_secrets = True

    def _list(self, said: str) -> None:
        seat = self.seat
        legal = () if seat is None else self.model.seen.legal(seat)
        is_thing = said in self.model.makes.things(self.model.seen.state)
        if is_thing and not any(step.startswith(said) for step in legal):
            self._answer("what", said)
            return
        if seat is None:
            self.console.say("It is not your turn.")
            return
        names = self.table.shown_names
        self.console.say(*words.choices(self.model.seen, seat, names, said))

    def _typed(self, line: str) -> Updated:
        """Return what a typed line leads to; why a part cannot be chosen is said as a refusal."""
        now, effects = self.model.type(line)
        for one in effects:
            if isinstance(one, table_model.Show) and one.what == "hint":
                said = plain(table_words.hover(now, one.about)).partition("   ")[0]  # then keys
                said = f"{one.about}: {said}" if said.endswith("here") else said
                effects = (*effects, Refuse(IllegalStep(said)))
        return now, effects

    def _play(self, line: str) -> None:
        seat = self.seat
        if seat is None:
            self.console.say("It is not your turn. Type help for what can be done.")
            return
        now, effects = self._typed(line)
        is_beginning = not any(isinstance(effect, (Play, Refuse, Work)) for effect in effects)
        is_refused = any(
            isinstance(effect, Refuse)
            or (isinstance(effect, Play) and effect.step not in self.model.seen.legal(seat))
            for effect in effects
        )
        about, names = (self.model.seen, seat), self.table.shown_names
        for said in (line, f"{self._begun} {line}") if is_refused else ():
            if (step := words.meant(*about, said, names)) is not None:
                now, effects = self.model.make(step)
                break
        self._begun = line if is_beginning else ""
        self.apply((now, effects))
        if is_beginning:
            self._list(line)
        self._choose_nothing()

    def _choose_nothing(self) -> None:
        """Drop the parts chosen so far, since nobody would see them."""
        if (choice := self.model.choice) is not None and choice.chosen:
            self.model = replace(self.model, choice=scenes.Choice(choice.legal, choice.parts))

    def attempt(self, do: Callable[[], object]) -> bool:
        """Run `do` and return True; if it fails, say why and return False."""
        try:
            do()
        except KumiteError as error:
            self.complain(error)
            return False
        return True

    def complain(self, error: KumiteError) -> None:
        self.console.say(*filter(None, self.model.worded(error)))
