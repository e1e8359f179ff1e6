"""The table model: what the people at one terminal see and have chosen so far, as a value.

Each user action or table event is a method that returns the next model and a list of effects.
Screens and line mode carry the effects out. The model itself never changes a table and does not
use Textual.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

from kumite.core import bots
from kumite.core.errors import IllegalStep, KumiteError
from kumite.core.game import SPECTATOR, Seat, Seats, Step
from kumite.core.match import Match
from kumite.core.players import named
from kumite.core.table import Note, Play, TakeBack
from kumite.store import guest_mode
from kumite.tui import scenes
from kumite.tui.look.glyphs import Look
from kumite.tui.play.local_seats import Follower, LocalSeats
from kumite.tui.scenes import Choice, Interlude, Scene, SceneMaker
from kumite.tui.scenes.lines import capital
from kumite.tui.scenes.notation import unspelled

if TYPE_CHECKING:
    from kumite.tui.bots.judging import Blunder

LOOKING: Final = "A bot is looking for a good step ...   Esc stops it"
WITH_HINTS: Final = "A match with hints is not rated: ask again for the hint"
WITH_BACK: Final = "A match with steps taken back is not rated: ask again to take it back"
WITH_ANALYSIS: Final = "A match with analysis is not rated: ask again to analyse"
AT_THE_END: Final = ("review", "replay", "keep_picture", "keep_film", "card")  # actions
FROM_THE_END: Final = (*AT_THE_END, "analyse", "rematch")
SHORTEST: Final = 2  # letters of a card's name that may stand for it
UNDER_COVER: Final = ("back", "help", "rules", "take_back")  # these reveal no secrets


class Tell(NamedTuple):
    """Show a message."""

    text: str
    role: str = "quiet"


class Refuse(NamedTuple):
    """Show why an action is not possible."""

    error: KumiteError


class Show(NamedTuple):
    """Redraw something.

    `table`: everything. `chosen`: the parts chosen so far, with the cursor on `about`. `cursor`:
    the cursor on `about`. `hint`: the hint for the part `about`. `prompt`: the prompt, with the
    line `about` to correct.
    """

    what: Literal["table", "chosen", "cursor", "hint", "prompt"]
    about: str = ""


class Work(NamedTuple):
    """Start a bot search for a seat in the background; its result comes back to the model.

    `hint`: find a hint. `after`: look at what follows the hint. `prepare`: let the tutor look
    at the position. `check`: let the tutor check the `step` about to be made.
    """

    kind: Literal["hint", "after", "prepare", "check"]
    seat: Seat
    step: Step | None = None


class Stop(NamedTuple):
    """Stop a search: for a hint, for the check of a step, or all of the tutor's."""

    kind: Literal["hint", "check", "tutor"]


class Warn(NamedTuple):
    """Warn what a step would cost, and ask whether to make it."""

    seat: Seat
    blunder: Blunder


Effect: TypeAlias = Play | TakeBack | Note | Tell | Refuse | Show | Work | Stop | Warn
Updated: TypeAlias = "tuple[TableModel, tuple[Effect, ...]]"


@dataclass(frozen=True, slots=True)
class TableModel:
    """A table as seen from one terminal.

    An interlude is something players must see before the match goes on, such as a complete
    trick. Steps are shown only up to the first interlude that has not been confirmed.
    """

    table: LocalSeats
    look: Look
    seen: Match  # the match in this view, up to the position shown
    scene: Scene
    choice: Choice | None = None  # the options and chosen parts of the local seat to act
    since: int = 0  # the position from which the seat has been choosing
    later: TableModel | None = None  # after the step that ends what is under way
    looking: Seat | None = None  # who sits at the screen, if there are secrets
    behind: int = 0  # steps looked back
    interlude: Interlude | None = None
    confirmed: int = 0  # steps seen by the players
    typed: tuple[str, ...] = ()  # typed steps still to be made
    wants_tutor: bool = False  # whether to warn of costly steps
    tutored: Match | None = None  # the position the tutor is looking at
    checked: Step | None = None  # the step being checked
    warned: frozenset[Step] = frozenset()
    asked: Match | None = None  # the position of the last hint
    hint: bots.Choice | None = None
    merit: str = ""  # what the hint is good for
    is_thinking: bool = False  # about a hint
    noted: frozenset[str] = frozenset()
    shows_interludes: bool = True  # False in line mode, which describes every step
    follower: Follower = field(default_factory=Follower, compare=False)  # a cache

    @staticmethod
    def open(
        table: LocalSeats, look: Look, *, wants_tutor: bool = False, shows_interludes: bool = True
    ) -> TableModel:
        """Open the model at a table's present position, with all steps so far confirmed."""
        match, names = table.match, table.shown_names
        view = match.game.view(match.state, SPECTATOR)
        scene = scenes.maker(match).scene(view, names, look, None).without(table.hidden)
        return TableModel(
            *(table, look, match, scene),
            confirmed=match.number,
            wants_tutor=wants_tutor,
            shows_interludes=shows_interludes,
        )

    # --- what is the case ---------------------------------------------------------------------

    @property
    def makes(self) -> SceneMaker:
        return scenes.maker(self.table.match)

    @property
    def eyes(self) -> Seats:
        """Return whose view is shown; with secrets, that of the person at the screen."""
        if not self.table.has_secrets:
            return self.table.open_eyes
        is_there = self.looking is not None and self.looking == self.table.acting
        return frozenset({self.looking}) if is_there and self.looking is not None else SPECTATOR

    @property
    def awaited(self) -> Seat | None:
        """Return the person to act who, at a table with secrets, is not at the screen yet."""
        acting = self.table.acting
        return acting if acting != self.looking and self.table.has_secrets else None

    @property
    def is_over(self) -> bool:
        return self.table.is_over or self.table.stopped is not None

    @property
    def is_covered(self) -> bool:
        """True if the table is hidden until the awaited person is at the screen."""
        return self.awaited is not None and self.interlude is None

    @property
    def is_in_present(self) -> bool:
        """True if the latest position is shown: not looking back, and no interlude."""
        return not self.behind and self.interlude is None

    @property
    def seat(self) -> Seat | None:
        if not self.is_in_present or self.awaited is not None:
            return None
        return self.table.acting

    @property
    def you(self) -> Seat | None:
        """Return the seat whose perspective is shown: the one to act, or the only one in view."""
        eyes, seat = self.eyes, self.seat
        return seat if seat is not None else min(eyes) if len(eyes) == 1 else None

    @property
    def only_step(self) -> Step | None:
        """Return the local person's only legal step, if there is just one."""
        legal = self.choice.legal if self.choice is not None else ()
        return legal[0] if len(legal) == 1 and self.seat is not None else None

    @property
    def targets(self) -> frozenset[str]:
        """Return the parts that can be chosen now; a first part also after an implied ending."""
        more = self.later.targets if self.later and not self._has_chosen else ()
        return self.choice.targets.union(more) if self.choice else frozenset()

    @property
    def bot_due(self) -> Seat | None:
        """Return a seat whose bot is to act, once any interlude was confirmed."""
        return None if self.interlude else self.table.bot_to_act()

    def may(self, action: str) -> bool:
        """True if an action is possible now; keys of impossible actions are hidden."""
        table = self.table
        if action not in UNDER_COVER and self.is_covered:
            return False
        if self.interlude and self.is_over and action in FROM_THE_END:
            return False  # keys must not reveal the end early
        match action:  # called for every key at each change, so each case only checks what it needs
            case "type":
                has_turns = not table.mine <= table.chosen.keys()
                return has_turns and self.is_in_present and not self.is_over
            case "hint":
                return self.seat is not None
            case "analyse":
                return table.path is not None if self.is_over else self.seat is not None
            case "review":
                return self.is_over and table.path is not None
            case "rematch":
                return self.is_over
            case "present":
                return bool(self.behind or (self.interlude and not table.mine))
            case "go_on":
                return self.interlude is not None
            case _ if action in AT_THE_END:
                is_file = action in ("keep_picture", "keep_film")
                return (
                    self.is_over and self.is_in_present and not (is_file and guest_mode.is_guest())
                )
            case "resign":
                return not self.is_over
            case "turn_board":
                return self.scene.board.is_drawn
            case "who_plays":
                return table.vacant_to_act() is not None
            case "take_back":
                return not self.why_no_take_back
        return True

    @property
    def _has_chosen(self) -> bool:
        """True if parts of a step have been chosen, such as the first of two cards."""
        return self.choice is not None and bool(self.choice.chosen)

    @property
    def why_no_take_back(self) -> str:
        """Return why nothing can be taken back; "" if it can."""
        table, last = self.table, self.table.match.last
        if self._has_chosen:
            return ""
        if last is None or table.last_choice() is None:
            return "nothing to take back yet"
        is_secret = not table.is_lan and table.has_secrets
        return "someone else has chosen or seen something since" * (
            is_secret and last.actor != self.looking
        )

    def worded(self, error: KumiteError) -> tuple[str, str]:
        """Return an error and its hint in players' wording."""
        said = str(error).removeprefix(f"{self.table.match.game.ID}: ")
        hint = (error.hint and self.table.example) or error.hint
        return named(said, self.table.shown_names), named(hint, self.table.shown_names)

    # --- what the table does ------------------------------------------------------------------

    def follow(self, look: Look) -> Updated:
        """Update to the table's current state and to the glyphs `look`."""
        now, stop = replace(self, look=look), self._next_interlude()
        if stop is not None and self.looking is not None:
            now = replace(now, looking=None)  # everybody sees an interlude, so no hand may be open
            stop = now._next_interlude()
        seen, shown = stop or (now._followed(), None)
        behind = now.behind if now.behind <= seen.number else 0
        confirmed = now.confirmed if shown else seen.number
        seen = seen.back(seen.number - behind)
        now = replace(now, seen=seen, interlude=shown, behind=behind, confirmed=confirmed)
        seat = now.seat
        legal = seen.legal(seat) if seat is not None else ()
        choice = scenes.Choice.of(now.makes, legal, now.table.hidden) if legal else None
        since, was = seen.number, self.choice
        if choice is not None and was is not None and choice.legal == was.legal:
            new = seen.steps()[self.seen.number :]
            if seat in self.seen.actors and all(step.actor != seat for step in new):
                choice, since = was, self.since  # others have chosen meanwhile
        now = replace(now, choice=choice, since=since, scene=now._scene())
        return replace(now, later=now._after_ending())._helped()

    def _after_ending(self) -> TableModel | None:
        """Return the table after the step that ends what is under way, which may be implied."""
        seat, choice = self.seat, self.choice
        step = None if seat is None else self.makes.ending(self.seen.state, seat)
        if seat is None or choice is None or step not in choice.legal:
            return None
        after = self.seen.play(seat, step)
        legal = after.legal(seat) if seat in after.actors else ()
        choice = scenes.Choice.of(self.makes, legal, self.table.hidden)
        return replace(self, seen=after, choice=choice, later=None)

    def _followed(self) -> Match:
        return self.follower.follow(self.table.match, self.eyes)

    def _next_interlude(self) -> tuple[Match, Interlude] | None:
        """Return the first position after the confirmed one that has an interlude, if any.

        None once the match has ended without a last step: the result is shown at once.
        """
        if not self.shows_interludes or (self.is_over and self.table.match.outcome is None):
            return None
        stop, at, names = None, self._followed(), self.table.shown_names
        while at.number > self.confirmed and at.before is not None:
            found = scenes.last_interlude(self.makes, at, names)
            stop = (at, found) if found else stop
            at = at.before
        return stop

    def _scene(self) -> Scene:
        """Return the scene to draw; an interlude stays until it is confirmed."""
        seen, makes, names = self.seen, self.makes, self.table.shown_names
        is_now = self.seat is None and self.is_in_present
        state = (self.table.foreseen(seen) if is_now else seen).state
        interlude = None if self.behind else self.interlude
        if interlude is None and seen.outcome is not None:  # what the last step showed
            interlude = scenes.last_interlude(makes, seen, names)
        if interlude is not None:
            state = interlude.view
        elif (self.is_over or self.table.is_done) and self.is_in_present:
            state = makes.at_end(state)
        scene = makes.scene(state, names, self.look, self.you, scenes.past(seen))
        return scene.without(self.table.hidden)

    @property
    def laid(self) -> Scene:
        """Return the scene to draw, with the parts chosen so far."""
        if self.seat is None or self.choice is None or not self.choice.chosen:
            return self.scene
        about = self.seen.state, self.seat, self.choice.chosen
        return self.makes.laid(self.scene, *about, self.table.shown_names, self.look)

    def _helped(self) -> Updated:
        """Drop outdated help, and have the tutor look at a new position with a choice."""
        now, effects, match = self, list[Effect](), self.table.match
        if now.asked is not match and now.asked is not None:
            effects += [Stop("hint")]
            now = replace(now, asked=None, hint=None, is_thinking=False)
        if now.tutored is match:
            return now, tuple(effects)
        effects += [Stop("tutor")] if now.tutored is not None else []
        now = replace(now, tutored=None, checked=None, warned=frozenset())
        seat, choice = now.seat, now.choice
        if now.wants_tutor and seat is not None and choice is not None and len(choice.legal) > 1:
            now = replace(now, tutored=match)
            effects.append(Work("prepare", seat))
        return now, tuple(effects)

    def made(self, before: Match | None = None) -> Updated:
        """Continue with the typed line, unless the step from `before` is still in transit."""
        if not self.typed or self.table.match is before:
            return self, ()
        return replace(self, typed=self.typed[1:])._next_typed()

    def refused(self, error: KumiteError) -> Updated:
        """Report why a step was refused; a typed line can be corrected."""
        mended = (Show("prompt", " ".join(self.typed)),) if self.typed else ()
        return replace(self, typed=()), (Refuse(error), *mended)

    # --- choosing a step ----------------------------------------------------------------------

    def pick(self, name: str) -> Updated:
        """Choose a part by name; the last part makes the step."""
        return self.go_on() if self.interlude else replace(self, typed=())._take(name)

    def _take(self, name: str, *rest: str) -> Updated:
        """Choose a part, and then what was typed after it."""
        choice, later = self.choice or scenes.Choice((), {}), self.later
        if (step := choice.step_at(name)) is not None:
            return self.make(step)
        if name in choice.targets:
            now, effects = self.choose(choice.with_part(name))
            now, more = replace(now, typed=rest)._next_typed()
            return now, (Show("cursor", name), *effects, *more)
        if later is not None and later.choice and later.seen.last:
            last, ending = later.choice.step_at(name), later.seen.last.step
            if last and not self.typed and (asked := self._ask_if_missed(later, last)):
                return asked
            if name in later.targets or later.choice.meant(name):
                return replace(self, typed=(ending, name, *rest)).make(ending)
        again = (Show("prompt", " ".join(self.typed)),) * bool(rest)
        return replace(self, typed=()), (Show("hint", name), *again)

    def choose(self, choice: Choice, part: str = "") -> Updated:
        """Set the chosen parts, and put the cursor on `part`."""
        now = replace(self, choice=choice, checked=None, typed=())
        return now, (Stop("check"), Show("chosen", part))

    def suggest(self, step: Step) -> Updated:
        """Choose all parts of a step except the last, so that it is not made yet."""
        if self.choice is None:
            return self, ()
        return self.choose(self.choice.before_last(step), self.choice.parts[step][-1])

    def type(self, text: str) -> Updated:
        """Make the typed step, or the steps of one turn."""
        choice = self.choice or scenes.Choice((), {})
        text = unspelled(self.table.match.game, text, self.table.shown_names)
        named_step = self._by_names(text)
        typed = (named_step,) if named_step else (*re.sub(r",\s+", " ", text).split(),)
        anew = scenes.Choice(choice.legal, choice.parts)
        if typed[1:] and typed[0] in anew.targets:
            choice = anew  # a whole step does not go on from what was chosen before
        return replace(self, choice=choice, typed=typed)._next_typed()

    def _next_typed(self) -> Updated:
        """Take the next typed step or part, which may be of several words."""
        choice, later = self.choice, self.later and self.later.choice
        for size in range(len(self.typed) if choice else 0, 0, -1):
            said, rest = " ".join(self.typed[:size]), self.typed[size:]
            now = replace(self, typed=(said, *rest))
            if choice and (step := choice.meant(said)):
                return now.make(step)
            if part := self._part(said) or (later and later.meant(said)):
                return now._take(part, *rest)
        return self.make(Step(self.typed[0])) if self.typed else (self, ())

    def _part(self, said: str) -> str:
        """Return the part on the table that is typed: its name, or the first words of its label."""
        said, scene, choice = said.lower(), self.scene, self.choice
        chosen = {*choice.chosen} if choice else set()
        known = {*self.targets, *(chip.name for chip in scene.tray)} - chosen
        known |= {*self.makes.LABELS} if chosen else set()
        if said in known or scene.board.place(said) is not None:
            return said
        labels = {part: label for part in known if (label := self.label(part).lower()) != part}
        begun = [part for part, label in labels.items() if f"{label} ".startswith(f"{said} ")]
        bare = {part: _bare(label) for part, label in labels.items()}
        if not begun and len(short := _bare(said)) >= SHORTEST:  # `zan`, `kesagiri`, `blue-3`
            begun = [part for part, label in bare.items() if label.startswith(short)]
        if said.isalpha() and not begun:  # `runner`
            begun = [part for part, label in bare.items() if label and said.startswith(label)]
        return begun[0] if len(begun) == 1 else ""

    def _by_names(self, text: str) -> str:
        """Return a step of cards that are typed by shown names: `Zan-Tetsu,low`; "" if none is."""
        things = self.makes.things(self.seen.state) if "," in text else {}
        full = {_bare(said.partition(":")[0]): name for name, said in things.items()}
        cards = [self._part(one.strip()) or full.get(_bare(one), "") for one in text.split(",")]
        return ",".join(cards) if things and all(cards) else ""

    def label(self, part: str) -> str:
        """Return the name of a part: a square by its coordinates, anything else in words."""
        is_cell = self.scene.stage is None and self.scene.board.place(part) is not None
        said = next((chip.said for chip in self.scene.tray if chip.name == part), "")
        said = part if is_cell else said or self.makes.label(part, self.look)
        return named(said, self.table.shown_names)

    def make(self, step: Step) -> Updated:
        """Make a step; the tutor may check it first."""
        seat, choice = self.seat, self.choice
        if seat is None:
            return self.refused(IllegalStep("It is not your turn."))
        is_known = step == self.checked or step in self.warned
        is_legal = choice is not None and step in choice.legal  # otherwise it is refused at once
        if self.tutored is self.table.match and is_legal and not is_known:
            return replace(self, checked=step), (Stop("check"), Work("check", seat, step))
        is_deliberate = is_known or bool(self.typed)
        if is_legal and not is_deliberate and (asked := self._ask_if_missed(self, step)):
            return asked
        return replace(self, checked=None), (Stop("check"), Play(seat, step))

    def _ask_if_missed(self, at: TableModel, step: Step) -> Updated | None:
        """Say once what the step would plainly miss where it is made; a puzzle takes no advice."""
        if step in self.warned or not self.table.match_id or self.seat is None:
            return None
        if not (missed := self.makes.missed(at.seen.state, self.seat, step)):
            return None
        said = f"{capital(missed)}: the same key again ends the turn all the same."
        return replace(self, warned=self.warned | {step}), (Tell(said, "title"),)

    def check(self, step: Step, blunder: Blunder | None) -> Updated:
        """Make a step the tutor has checked, or warn of it once."""
        seat = self.seat
        if self.checked != step or seat is None:
            return self, ()
        if blunder is None:
            return replace(self, checked=None), (Play(seat, step),)
        now = replace(self, checked=None, warned=self.warned | {step})
        now, notes = now.note("tutor", seat)
        return now, (*notes, Warn(seat, blunder))

    @property
    def can_unchoose(self) -> bool:
        """True if Esc undoes something, other than to move the cursor."""
        has_part = bool(self.choice) and self._has_chosen
        return bool(self.is_thinking or self.checked is not None or self.behind or has_part)

    def unchoose(self, leaving: str) -> Updated:
        """Undo one chosen part or stop a search; if there is nothing to undo, say `leaving`."""
        if self.is_thinking:
            now, effects = self.stop_hint()
            return now, (*effects, Tell("It has stopped thinking."))
        if self.checked is not None:
            now = replace(self, checked=None, typed=())
            return now, (Stop("check"), Tell("It is not made."))
        if self.behind:
            return replace(self, behind=0), (Show("table"),)
        if self.choice and self._has_chosen:
            return self.choose(self.choice.back(), self.choice.chosen[-1])
        return self, (Tell(leaving),)

    # --- looking at it ------------------------------------------------------------------------

    def look_by(self, by: int) -> Updated:
        """Look at a later (1) or earlier (-1) position, without taking back."""
        last = self.seen.number + self.behind
        return replace(self, behind=max(0, min(last, self.behind - by))), (Show("table"),)

    def to_present(self) -> Updated:
        """Stop looking back; who only looks on leaves out what they have not seen yet."""
        confirmed = self.confirmed if self.table.mine else self.table.match.number
        return replace(self, behind=0, confirmed=confirmed), (Show("table"),)

    def go_on(self) -> Updated:
        if not self.interlude:
            return self, ()
        now = replace(self, confirmed=self.seen.number + self.behind, behind=0)
        return now, (Show("table"),)

    def uncover(self) -> Updated:
        """Show the person now at the screen what their seat may see."""
        return replace(self, looking=self.table.acting), (Show("table"),)

    def take_back(self) -> Updated:
        """Take back a part chosen just now, else a person's last choice; of secrets, one's own."""
        if self.choice is not None and self._has_chosen:
            return self.choose(self.choice.back(), self.choice.chosen[-1])
        before = self.table.last_choice()
        if (why := self.why_no_take_back) or before is None:
            return self, (Refuse(IllegalStep(why)),)
        if asked := self.ask_if_rated(WITH_BACK):
            return asked
        # The person at the keyboard may not be the one who chose.
        looking = None if self.is_covered else self.looking
        return replace(self, looking=looking, behind=0), (TakeBack(before.number),)

    def ask_if_rated(self, question: str) -> Updated | None:
        """Ask once before what ends the rating of this match; None: nothing to ask any more."""
        if not self.table.is_rated or question in self.noted:
            return None
        return replace(self, noted=self.noted | {question}), (Tell(question, "title"),)

    # --- hints --------------------------------------------------------------------------------

    def ask_hint(self) -> Updated:
        """Start a hint for the seat to act, or explain the hint already shown."""
        seat, choice = self.seat, self.choice
        if seat is None or choice is None:
            return self, ()
        if self.hint is not None:
            now, effects = self.suggest(self.hint.step)
            said = Tell("A bot looks at what comes of it ...   Esc stops it")
            work = () if self.is_thinking else (Work("after", seat),)
            return replace(now, is_thinking=True), (*effects, said, *work)
        if self.is_thinking:
            return self, (Tell(LOOKING.replace("is", "is still", 1)),)
        if len(choice.legal) == 1:
            return self, (Tell("There is nothing to choose: only one step is possible."),)
        if asked := self.ask_if_rated(WITH_HINTS):
            return asked
        now, notes = self.note("hint", seat)
        now = replace(now, asked=self.table.match, is_thinking=True)
        return now, (*notes, Tell(LOOKING), Work("hint", seat))

    def take_hint(self, match: Match, choice: bots.Choice) -> Updated:
        """Show a bot's choice for the position `match` as a hint, unless it is outdated."""
        if match is not self.table.match or self.seat is None:
            return replace(self, is_thinking=False), ()
        merit = self.makes.why_good(self.seen.state, self.seat, choice.step)
        now = replace(self, asked=match, hint=choice, merit=merit, is_thinking=False)
        return now.suggest(choice.step)

    def stop_hint(self) -> Updated:
        return replace(self, is_thinking=False), (Stop("hint"),)

    def end_thought(self) -> Updated:
        """Record that the search for a hint has ended."""
        return replace(self, is_thinking=False), ()

    def note(self, what: str, seat: Seat) -> Updated:
        """Note in the log that a seat had help, once per kind and step."""
        text = f"{what}: seat {seat} before step {self.table.match.number + 1}"
        if text in self.noted:
            return self, ()
        return replace(self, noted=self.noted | {text}), (Note(text),)


def _bare(label: str) -> str:
    """Return the letters and digits of a name: `zantetsu` for Zan-Tetsu."""
    return re.sub(r"^the |[\W_]+", "", label.lower())
