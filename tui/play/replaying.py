"""A saved match to look at: from whose eyes, what each step says, its course, its remarks. Pure.

The replay screen and all exports show the same; what they differ in is paper.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from kumite.core.errors import KumiteError
from kumite.core.game import SPECTATOR, Seat
from kumite.core.origins import completed, origin, talk
from kumite.core.players import shown_names
from kumite.core.remarks import remarks
from kumite.core.text import clean, listed
from kumite.tui import scenes
from kumite.tui.play import narration
from kumite.tui.play.course import Course
from kumite.tui.play.ending import ending
from kumite.tui.play.local_table import names_in
from kumite.tui.play.terms import options_said
from kumite.tui.scenes.lines import capital

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kumite.core.game import Seats
    from kumite.core.log import Log
    from kumite.core.match import Match
    from kumite.tui.drawing.end_card import Ending
    from kumite.tui.look.glyphs import Look
    from kumite.tui.scenes import Scene, Trace

OPEN: Final = "open"
NOBODY: Final = "spectator"
SAY: Final = "say "  # begins a line of talk


class Eyes(NamedTuple):
    """From whose eyes a match can be looked at."""

    key: str  # on a command line: open, spectator, or a seat's number
    said: str  # in words
    by: Seats | None


class Replay:
    """A log, looked at from somebody's eyes."""

    def __init__(self, log: Log, eyes: str = "") -> None:
        """Look at a log as open as it is, or from the eyes of that key.

        Raises:
            KumiteError: this log cannot be seen so; or its game has no table.
        """
        self.log = log
        self.names = shown_names(names_in(log.header))
        self._whole = completed(log) or log.match
        self.makes = scenes.maker(log.match)
        self.all_eyes = self._all_eyes()
        self.eyes = self.all_eyes[0]
        if eyes:
            self.look_from(eyes)

    def _all_eyes(self) -> tuple[Eyes, ...]:
        match = self._whole
        if not self.has_secrets:
            return (Eyes(OPEN, "nothing is hidden in this game", match.by),)
        nobody = Eyes(NOBODY, "as a spectator", SPECTATOR)
        if match.by == SPECTATOR:
            return (nobody,)
        if match.by is not None:
            key = ",".join(str(seat + 1) for seat in sorted(match.by))
            who = listed([self.names[seat] for seat in sorted(match.by)])
            return (Eyes(key, f"as {who}", match.by), nobody)
        seats = [
            Eyes(str(seat + 1), f"as {name}", frozenset({Seat(seat)}))
            for seat, name in enumerate(self.names)
        ]
        return (Eyes(OPEN, "all open", None), *seats, nobody)

    def look_from(self, key: str) -> None:
        """Look from the eyes of that key.

        Raises:
            KumiteError: this log cannot be seen so.
        """
        found = next((eyes for eyes in self.all_eyes if eyes.key == key), None)
        if found is None and not self.has_secrets and key in self._plain_keys:
            found = self.all_eyes[0]  # everybody sees the same
        if found is None:
            raise KumiteError(
                f"this log cannot be seen from {key!r}",
                hint=f"eyes: {', '.join(eyes.key for eyes in self.all_eyes)}",
            )
        self.eyes = found
        for name in ("line", "told", "course", "ending"):
            self.__dict__.pop(name, None)

    @cached_property
    def ending(self) -> Ending | None:
        """Return how the match ended, as these eyes saw it; None if it goes on."""
        return ending(self.line[-1], self.log.end, self.names)

    @property
    def _plain_keys(self) -> tuple[str, ...]:
        return (OPEN, NOBODY, *(str(seat) for seat in range(1, len(self.names) + 1)))

    def grow(self, log: Log) -> None:
        """Go on with the same log, which has more lines now."""
        key = self.eyes.key
        self.log, self._whole = log, completed(log) or log.match
        self.all_eyes = self._all_eyes()
        self.look_from(key if any(eyes.key == key for eyes in self.all_eyes) else OPEN)
        for name in ("remarks", "talk"):
            self.__dict__.pop(name, None)

    # --- what there is to see -------------------------------------------------------------------

    @cached_property
    def line(self) -> tuple[Match, ...]:
        """Return the match at every number, as these eyes have seen it."""
        by, match = self.eyes.by, self._whole
        return (match if match.by == by or by is None else match.seen_by(by)).line()

    @cached_property
    def told(self) -> tuple[str, ...]:
        """Return what led to each position, in a sentence; empty for the first, and some others."""
        told = [""]
        for before, after in pairwise(self.line):
            assert after.last is not None
            actor, step = after.last.actor, after.last.step
            told.append(self.makes.narrate(before.state, actor, step, after.state, self.names))
        return tuple(told)

    @cached_property
    def course(self) -> Course:
        """Return the parts and turning points."""
        return Course.of(self.line[-1])

    @cached_property
    def remarks(self) -> Mapping[int, str]:
        """Return what was written about positions, by their numbers."""
        return remarks(self.log.entries)

    @cached_property
    def talk(self) -> Mapping[int, tuple[str, ...]]:
        """Return what was said at each position, with the name of who said it."""
        return {
            number: tuple(self._voice(line) for line in lines if line.startswith(SAY))
            for number, lines in talk(self.log).items()
        }

    def _voice(self, line: str) -> str:
        seat, _, said = line.removeprefix(SAY).partition(" ")
        is_seat = seat.isdecimal() and len(seat) < 3 and int(seat) < len(self.names)
        return f"{self.names[int(seat)] if is_seat else 'somebody'}: {clean(said)}"

    @property
    def has_secrets(self) -> bool:
        """Return whether it matters in this game from whose eyes one looks."""
        return self.log.match.game.SECRETS is not None

    @property
    def last(self) -> int:
        """Return the number of the last position."""
        return self.log.match.number

    def scene(self, at: int, look: Look) -> Scene:
        """Return the table at a position."""
        match = self.line[at]
        shown = scenes.last_interlude(self.makes, match, self.names)
        view = shown.view if shown else match.state
        return self.makes.scene(view, self.names, look, None, scenes.past(match))

    def trace(self, at: int) -> Trace:
        """Return what the step to a position has left to be seen."""
        match = self.line[at]
        if match.before is None or match.last is None:
            return scenes.NO_TRACE
        return self.makes.marks(match.before.state, match.last.step, match.state)

    @property
    def title(self) -> str:
        """Return game and players."""
        return f"{self.log.match.game.TITLE}: {' – '.join(self.names)}"

    @property
    def origin(self) -> str:
        """Return where it was branched off, in words; empty if nowhere."""
        found = origin(self.log.header)
        return f"branched off match {found.match_id[:6]} after step {found.number}" if found else ""

    @property
    def has_ended(self) -> bool:
        """Return whether anything follows the last position."""
        return self.log.match.outcome is not None or self.log.end is not None

    @property
    def result(self) -> str:
        """Return how it ended, in words."""
        who, why = narration.result(self.log.match, self.log.end, self.names)
        return f"{capital(who, self.names)}: {why}" if who else "not finished"

    def said(self, at: int) -> str:
        """Return the sentence for a position; at the start, what is played."""
        if at:
            return self.told[at] or f"step {at}"
        said = ", ".join(options_said(self.log.header.setup))
        return ", ".join(filter(None, (said, self.origin))) or "The start"
