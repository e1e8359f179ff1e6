"""A replay in line mode: the positions in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from kumite.core.errors import KumiteError
from kumite.core.log import Log
from kumite.tui.plain import words
from kumite.tui.plain.analysis import PlainAnalysis
from kumite.tui.plain.console import Console, Dialogue
from kumite.tui.play.replaying import Replay
from kumite.tui.scenes import in_words
from kumite.tui.scenes.lines import capital

if TYPE_CHECKING:
    from kumite.tui.settings import Settings

HELP: Final = (
    "Enter goes to the next position, a number to the position after that step. Else:",
    "  back     one step back;  first, last: the ends of the match",
    "  turning  the next turning point",
    "  log      all steps",
    "  analyse  try other steps from here, ask what is best, look around",
    "  eyes     from whose eyes one can look;  eyes 1: look from these",
    "  quit     leave",
)


class Reader(Dialogue):
    """Reads a saved match position by position until the user leaves."""

    help_lines = HELP

    def __init__(self, log: Log, console: Console, settings: Settings) -> None:
        super().__init__(console)
        self.settings = settings
        self.replay = Replay(log)
        start, names = self.replay.line[0], self.replay.names
        console.spoken = words.speaker(start, names, settings.speak)
        self.at = 0
        self._aside: PlainAnalysis | None = None  # where to go before this goes on

    async def run(self) -> None:
        """Describe the start, then handle commands until the end of the input."""
        self.console.begin()
        replay = self.replay
        self.console.say(f"{replay.title}. {replay.last} steps; {replay.result}.")
        self.console.say("Type help for the commands.")
        if replay.log.damage is not None:
            self.console.say(f"The log is damaged from here on: {replay.log.damage}")
        self._go(0)
        while not self.is_left:
            self.console.prompt()
            self.take(await self.console.next())
            if self._aside is not None:
                await self._aside.run()
                self._aside = None
                self.console.say(f"Back in the replay, after step {self.at}.")

    def _analyse(self, _: str) -> None:
        match, names = self.replay.line[self.at], self.replay.names
        self._aside = PlainAnalysis(match, names, self.console, self.settings)

    def obey(self, line: str) -> None:
        word, _, _ = line.partition(" ")
        if word.isascii() and word.isdecimal() and len(word) < 10:
            self._go(int(word))
        else:
            super().obey(line.lower())

    @property
    def commands(self) -> Mapping[str, Callable[[str], object]]:
        return {
            "": lambda _: self._go(self.at + 1),
            "next": lambda _: self._go(self.at + 1),
            "back": lambda _: self._go(self.at - 1),
            "first": lambda _: self._go(0),
            "last": lambda _: self._go(self.replay.last),
            "turning": self._turning,
            "log": lambda _: self.console.say(*self._log()),
            "eyes": self._look_from,
            "analyse": self._analyse,
            "quit": lambda _: self.leave(),
        }

    def _go(self, at: int) -> None:
        """Go to a position and describe it, or say that the match begins or ends here."""
        if not 0 <= at <= self.replay.last:
            self.console.say("This is the start." if at < 0 else "This is the last position.")
            return
        self.at = at
        self.console.say(*self._position())

    def _position(self) -> Iterator[str]:
        replay, at = self.replay, self.at
        said = replay.said(0) if at == 0 else replay.told[at]
        yield f"{f'After step {at}' if at else 'The start'}{': ' if said else '.'}{said}"
        if remark := replay.remarks.get(at):
            yield f"Remark: {remark}"
        yield from (one.text for one in replay.talk.get(at, ()))
        by = replay.eyes.by
        you = min(by) if by is not None and len(by) == 1 else None
        match, counts = replay.line[at], self.settings.counter
        yield from in_words(match, replay.names, you, counts_cards=counts)
        if at == replay.last:
            yield f"{capital(replay.result, replay.names)}."

    def _log(self) -> Iterator[str]:
        for number, said in enumerate(self.replay.told):
            if said:
                yield f"{number}. {said}"

    def _turning(self, _: str) -> None:
        found = self.replay.course.next_event(self.at, 1)
        if found is None:
            self.console.say("There is no turning point after this.")
        else:
            self._go(found)

    def _look_from(self, key: str) -> None:
        if not key:
            keys = (f"{eyes.key}: {eyes.said}" for eyes in self.replay.all_eyes)
            self.console.say(*keys)
            return
        try:
            self.replay.look_from(key)
        except KumiteError as error:
            self.console.say(str(error), error.hint)
        else:
            self.console.say(f"Now {self.replay.eyes.said}.")
            self._go(self.at)
