"""A table in line mode: it tells what has happened, and does what is typed.

`Desk` is for tables at one keyboard; that of a LAN table is in lan.py.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from kumite.core.errors import KumiteError
from kumite.core.game import CHANCE, Seat
from kumite.core.players import BOT
from kumite.tui import scenes
from kumite.tui.plain import words
from kumite.tui.play import narration
from kumite.tui.play.local_seats import STAND_IN, Follower
from kumite.tui.play.terms import options_said
from kumite.tui.scenes import spoken

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from kumite.core.game import Step
    from kumite.core.match import Match
    from kumite.tui.bots.service import BotService
    from kumite.tui.plain.console import Console
    from kumite.tui.play.local_table import Table

NOT_HERE: Final = "That is for LAN tables; here all are at one keyboard."
ONLOOKER: Final = Seat(-1)  # stands for those who look on where nobody here plays


class Thought(NamedTuple):
    """A bot has thought about a match: the step it would make, or why it has failed."""

    match: Match
    seat: Seat
    step: Step | None
    error: KumiteError | None = None


class Desk:
    """Play at a table by lines until it is left."""

    help_lines: tuple[str, ...] = words.HELP

    def __init__(self, table: Table, console: Console, bots: BotService, think: float) -> None:
        """Take a table; bots with a clock think so many seconds."""
        self.table, self.console, self.think = table, console, think
        self.is_left = False
        self._bots = bots
        self._follower = Follower()
        self._told: dict[Seat, int] = {}  # steps that each of us has been told of
        self._due: object = None  # what the last prompt was about
        self._thinking: tuple[asyncio.Task[None], Match, Seat] | None = None
        self._is_resigning = False
        self._has_shown_secrets = False

    async def run(self) -> None:
        """Play until the match is over or left; what was played is saved."""
        self.console.begin()
        self.greet()
        try:
            while not self.is_left:
                self.go_on()
                if not self.is_left:
                    self.take(await self.console.next(reads=self.reads))
        finally:
            self._stop_thinking()
            self._bots.close()
            self.table.close()

    def greet(self) -> None:
        """Say what is played, and where it is saved."""
        match = self.table.match
        options = ", ".join(options_said(match.setup))
        who = ", ".join(self.table.shown_names)
        self.console.say(f"{match.game.TITLE} ({options}): {who}. Type help for the commands.")
        if any(one.last is not None and one.last.actor != CHANCE for one in match.line()):
            self.console.say(f"The match goes on after step {match.number}.")
            self._told = dict.fromkeys(self.table.mine, match.number)

    # --- what there is to say -----------------------------------------------------------------

    @property
    def seat(self) -> Seat | None:
        """Return which of our people is to act, once they have the keyboard."""
        return None if self.table.awaited is not None else self.table.acting

    @property
    def is_over(self) -> bool:
        """Return whether nobody can play any more."""
        return self.table.match.outcome is not None or self.table.end is not None

    @property
    def reads(self) -> bool:
        """Return whether a line is waited for; else it waits until it is somebody's turn."""
        table = self.table
        return self.is_over or table.acting is not None or table.vacant_to_act() is not None

    def seen(self) -> Match:
        """Return the match as those at the keyboard may see it."""
        return self._follower.follow(self.table.match, self.table.eyes)

    def go_on(self) -> None:
        """Tell what is new, make steps without a choice, wake a bot, ask for a step."""
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
        """Make a step of ours without a choice; return whether there was one."""
        seat = self.seat
        legal = self.table.match.legal(seat) if seat is not None and not self.is_over else ()
        if seat is None or len(legal) != 1:
            return False
        self.console.say(f"{self.table.shown_names[seat]} can only play {legal[0]}.")
        return self.attempt(lambda: self.table.play(seat, legal[0]))

    def tell(self) -> None:
        """Tell the steps that those at the keyboard have not been told yet."""
        table = self.table
        number = table.match.number
        if number < max(self._told.values(), default=0):
            self.console.say(f"Taken back: step {number + 1} is to come.")
        self._told = {seat: min(told, number) for seat, told in self._told.items()}
        if self.is_over:
            table.cover()
        if table.awaited is not None:
            return
        who = table.eyes or table.mine or {ONLOOKER}
        since = min(self._told.get(seat, 0) for seat in who)
        self.console.say(*words.told(self.seen(), table.shown_names, since))
        self._told |= dict.fromkeys(who, number)

    def tell_position(self) -> None:
        """Tell what stands where, as those at the keyboard may know it."""
        names, eyes = self.table.shown_names, self.table.eyes
        you = self.seat if self.seat is not None else min(eyes) if len(eyes) == 1 else None
        self.console.say(*spoken.position(self.seen(), names, you))

    def end(self) -> None:
        """Tell how the match has ended, and leave."""
        self.tell_position()
        self.console.say(words.result(self.table))
        for seat, said in self.table.left.items():
            self.console.say(f"{self.table.shown_names[seat]} {said}.")
        self.leave()

    def leave(self) -> None:
        """Leave; say where the match is."""
        self.is_left = True
        if self.table.path is not None:
            self.console.say(f"Saved in {self.table.path}.")
        if not self.is_over:
            self.console.say("kumite resume --plain goes on with it.")

    def _ask(self) -> None:
        """Say whose turn it is, once, with the position where others have made steps."""
        table = self.table
        acts = (self.seat, table.awaited, table.bot_to_act(), table.vacant_to_act())
        due = (table.match.number, table.match.digest, *acts)
        is_new, before, self._due = due != self._due, self._due, due
        if is_new and table.awaited is not None:
            self._hand_keyboard_over(table.awaited)
        elif is_new:
            last = table.match.last
            goes_on = before is not None and last is not None and last.actor == self.seat
            if self.seat is not None and not goes_on:
                self.tell_position()
            self.console.say(words.turn(table, self.seen(), self.seat))
        if self.reads:
            self.console.prompt()

    def _hand_keyboard_over(self, seat: Seat) -> None:
        name = self.table.shown_names[seat]
        if self._has_shown_secrets and self.console.push_up():
            self.console.say(
                "What the others could see has been pushed up. Scrolling back still shows it: "
                "a terminal of lines cannot take anything back."
            )
        self.console.say(f"Hand the keyboard to {name}, who presses Enter when alone at it.")

    # --- bots ---------------------------------------------------------------------------------

    def _wake_bot(self) -> None:
        """Let the bot think that is to act, and no other."""
        table, seat = self.table, self.table.bot_to_act()
        if self._thinking is not None:
            _, match, who = self._thinking
            if match is table.match and who == seat:
                return
            self._stop_thinking()
        if seat is not None:
            task = asyncio.create_task(self._think(table.match, seat))
            self._thinking = task, table.match, seat

    def _stop_thinking(self) -> None:
        if self._thinking is not None:
            self._thinking[0].cancel()
            self._thinking = None

    async def _think(self, match: Match, seat: Seat) -> None:
        try:
            step = await self.table.think(seat, self._bots, self.think)
        except KumiteError as error:
            self.console.post(Thought(match, seat, None, error))
        else:
            self.console.post(Thought(match, seat, step))

    def _thought(self, thought: Thought) -> None:
        """Make a bot's step, unless the match has gone on without it."""
        self._thinking = None
        if thought.match is not self.table.match or self.table.bot_to_act() != thought.seat:
            return
        step, error = thought.step, thought.error
        if step is not None:
            self.attempt(lambda: self.table.play(thought.seat, step))
        elif error is not None:
            self.table.lose(thought.seat, error)

    # --- what is typed ------------------------------------------------------------------------

    def take(self, news: Any) -> None:
        """Do what was typed, or take in what has happened elsewhere."""
        if isinstance(news, Thought):
            self._thought(news)
        elif news is None:
            self.console.say("There is nothing more to read.")
            self.leave()
        else:
            self.obey(news)

    def obey(self, line: str) -> None:
        """Do what a line says."""
        if self._is_resigning:
            self._is_resigning = False
            if line.lower() in ("y", "yes"):
                self.attempt(self.table.resign)
            else:
                self.console.say("The match goes on.")
            return
        word, _, rest = line.partition(" ")
        command = self.commands.get(word.lower())
        if command is not None and not self._is_step(line):
            command(rest.strip())
        elif self.table.awaited is not None:
            self._uncover(line)
        elif not line:
            self.tell_position()
            self.console.say(words.turn(self.table, self.seen(), self.seat))
        elif word.startswith("?"):
            self._list(f"{word[1:]} {rest}".strip())
        else:
            self._play(line)

    @property
    def commands(self) -> Mapping[str, Callable[[str], None]]:
        """Return what each word does, given what stands behind it."""
        found: dict[str, Callable[[str], None]] = {
            "help": self._help,
            "log": self._tell_log,
            "undo": self._undo,
            "resign": self._resign,
            "quit": lambda _: self.leave(),
            **dict.fromkeys(("say", "draw", "yes", "no", "rematch", "who"), self._not_here),
        }
        if self.table.vacant_to_act() is not None:
            found |= {who: partial(self._hand_over, who) for who in ("bot", "person", "again")}
        return found

    def _is_step(self, line: str) -> bool:
        seat = self.seat
        return seat is not None and line in self.table.match.legal(seat)

    def _help(self, _: str) -> None:
        self.console.say(*self.help_lines)

    def _not_here(self, _: str) -> None:
        self.console.say(NOT_HERE)

    def _tell_log(self, _: str) -> None:
        said = list(words.told(self.seen(), self.table.shown_names))
        self.console.say(*said or ["No step has been made yet."])

    def _undo(self, _: str) -> None:
        self.attempt(self.table.take_back)

    def _resign(self, _: str) -> None:
        self.console.say("Give this match up? Type yes, or anything else to play on.")
        self._is_resigning = True

    def _hand_over(self, who: str, _: str) -> None:
        seat = self.table.vacant_to_act()
        if seat is not None:
            given = {"bot": f"{BOT}{STAND_IN}", "person": "", "again": self.table.names[seat]}
            self.attempt(lambda: self.table.hand_over(seat, given[who]))

    def _uncover(self, line: str) -> None:
        if line:
            self.console.say("Press Enter alone first.")
            self._due = None
            return
        self.table.uncover()
        self._has_shown_secrets = True

    def _list(self, said: str) -> None:
        seat = self.seat
        if seat is None:
            self.console.say("It is not your turn.")
            return
        names = self.table.shown_names
        self.console.say(*words.choices(self.seen(), seat, names, said))

    def _play(self, line: str) -> None:
        """Make the steps of a line, as far as they can be made."""
        seat = self.seat
        if seat is None:
            self.console.say("It is not your turn. Type help for what can be done.")
            return
        makes = scenes.maker(self.table.match)
        first = scenes.Choice.of(makes, self.table.match.legal(seat))
        for text in first.typed(line):
            now = self.seat
            if now is None:
                return
            choice = scenes.Choice.of(makes, self.table.match.legal(now))
            if not self.attempt(partial(self.table.play, now, choice.meant(text))):
                return

    def attempt(self, do: Callable[[], object]) -> bool:
        """Do something with the table, or say why it cannot be done; return whether it was."""
        try:
            do()
        except KumiteError as error:
            self.complain(error)
            return False
        return True

    def complain(self, error: KumiteError) -> None:
        """Say why something was not done."""
        said = str(error).removeprefix(f"{self.table.match.game.ID}: ")
        names = self.table.shown_names
        lines = [narration.named(said, names), narration.named(error.hint, names)]
        self.console.say(*filter(None, lines))
