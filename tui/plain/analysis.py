"""Analysis in line mode: a position in which steps are tried, and none is kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from kumite.core.bots import Choice, mixes
from kumite.core.game import CHANCE, Seats
from kumite.core.match import Match
from kumite.core.table import Table
from kumite.tui.bots import advice
from kumite.tui.plain import words
from kumite.tui.plain.table import PlainTable
from kumite.tui.play.local_table import LocalTable
from kumite.tui.play.table_model import WITH_ANALYSIS
from kumite.tui.settings import Settings

if TYPE_CHECKING:
    from kumite.tui.plain.console import Console

MOST: Final = 5  # steps compared
OF_LAN_TABLES: Final = ("say", "draw", "yes", "no", "rematch", "vote", "who")
NOT_HERE: Final = "That is for LAN tables; here everyone shares one keyboard."
HIDDEN: Final = "What the others choose here cannot be known."
ANALYSIS_HELP: Final = (
    "Type steps for each side in turn; none is kept. Else one of these words:",
    "  best       the best steps as far as a bot sees, and what each is worth",
    "  undo       take the last step back, also those of the match",
    "  log        all steps so far",
    "  quit       leave the analysis",
)


class AnalysisTable(LocalTable):
    """A position whose seats are all played here, as far as they are known."""

    @property
    def mine(self) -> Seats:
        by, has_secrets = self.match.by, self.match.game.SECRETS is not None
        return self.here if by is None or not has_secrets else by

    @property
    def has_secrets(self) -> bool:
        return False  # one person tries steps for everybody

    @property
    def open_eyes(self) -> Seats:
        return self.mine

    def _with_chance(self, table: Table) -> Table:
        """Draw only where nothing is hidden: else the odds are not known."""
        return super()._with_chance(table) if table.match.by is None else table


class PlainAnalysis(PlainTable):
    """Try steps from a position, take them back, and have a bot compare them."""

    help_lines = ANALYSIS_HELP

    def __init__(
        self, match: Match, names: Sequence[str], console: Console, settings: Settings
    ) -> None:
        super().__init__(AnalysisTable(match, names, None), console, settings)
        self._told = dict.fromkeys(self.table.mine, match.number)
        self._stuck: Match | None = None  # the position of which it was said that nobody can act

    @property
    def reads(self) -> bool:
        return "hint" not in self._tasks

    def greet(self) -> None:
        number = self.table.match.number
        where = f"after step {number}" if number else "of the start"
        self.console.say(f"Analysis {where}. Steps are tried and none is kept; help has the words.")

    def go_on(self) -> None:
        """Report the step tried, and ask for the next one, for any seat."""
        self.tell()
        while self._make_only_step():
            self.tell()
        if self.seat is not None:
            self._ask()
            return
        if self._stuck is not self.table.match:
            self._stuck = self.table.match
            is_hidden = not self.is_over and CHANCE not in self.table.match.actors
            why = HIDDEN if is_hidden else advice.why_nobody(self.table.match)
            self.console.say(
                words.result(self.table) or why, "undo goes back; quit leaves the analysis."
            )
        if self.reads:
            self.console.prompt()

    @property
    def commands(self) -> Mapping[str, Callable[[str], object]]:
        found = {name: do for name, do in super().commands.items() if name != "resign"}
        return {**found, "best": self._hint}

    def _tell_advice(self, choice: Choice) -> None:
        """Print the best steps with their values for the seat to act."""
        seat, seen = self.seat, self.model.seen
        if seat is None:
            return
        is_mixed, names = mixes(seen.game), self.table.shown_names
        for line in advice.ranked(choice, is_mixed=is_mixed)[:MOST]:
            often = f"{advice.percent(line.share)} of the time"
            value = often if is_mixed else advice.valued(line.value)
            step = words.step(self.model.makes, seen, seat, line.step, names)
            self.console.say(f"{value}: {step}")
        if not choice.lines:
            super()._tell_advice(choice)


class PlainMatch(PlainTable):
    """A match at one keyboard, whose positions can be analysed."""

    help_lines = (*words.HELP, "  analyse    try steps from here; none is kept")

    @property
    def commands(self) -> Mapping[str, Callable[[str], object]]:
        others = dict.fromkeys(OF_LAN_TABLES, lambda _: self.console.say(NOT_HERE))
        return {**super().commands, **others, "analyse": self._analyse}

    def _analyse(self, _: str) -> None:
        seat = self.seat
        if seat is None:
            self.console.say("It is not your turn.")
            return
        if asked := self.model.ask_if_rated(WITH_ANALYSIS):
            self.apply(asked)
            return
        self.apply(self.model.note("analysis", seat))
        seen, names = self.model.seen.seen_by(frozenset({seat})), self.table.shown_names
        self.aside = PlainAnalysis(seen, names, self.console, self.settings)
