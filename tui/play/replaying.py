"""A saved match for viewing: its views, descriptions, course and remarks. Pure.

The replay screen and all exports use it, so they show the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Final, NamedTuple

from kumite.core.errors import KumiteError
from kumite.core.game import SPECTATOR, Seat, Seats
from kumite.core.log import Log
from kumite.core.match import Match
from kumite.core.origins import completed, origin, talk
from kumite.core.players import shown_names
from kumite.core.remarks import remarks
from kumite.core.results import ADJOURNED
from kumite.core.text import clean, listed
from kumite.tui import scenes
from kumite.tui.drawing.end_card import Ending
from kumite.tui.look.glyphs import Look
from kumite.tui.play import narration
from kumite.tui.play.course import Course, ending
from kumite.tui.play.local_table import names_in
from kumite.tui.play.terms import options_said
from kumite.tui.scenes import Scene, Trace
from kumite.tui.scenes.lines import capital

OPEN: Final = "open"
NOBODY: Final = "spectator"
SAY: Final = "say "  # prefix of chat in the log


class Eyes(NamedTuple):
    """A view of a match."""

    key: str  # on the command line: open, spectator, or a seat number
    said: str  # shown to the user
    by: Seats | None


class Talk(NamedTuple):
    """A chat message."""

    seat: int | None  # the speaker's seat; None: unknown
    text: str  # starts with the speaker's name


class Replay:
    """A log as seen in one of its views."""

    def __init__(self, log: Log, eyes: str = "") -> None:
        """Open a log in its fullest view, or in the view `eyes`.

        Raise KumiteError if the log does not have this view, or its game cannot be displayed.
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
        """Switch to the view `key`; raise KumiteError if the log does not have this view."""
        key = next((f"{seat}" for seat, name in enumerate(self.names, 1) if name == key), key)
        found = next((eyes for eyes in self.all_eyes if eyes.key == key), None)
        numbers = map(str, range(1, len(self.names) + 1))
        if found is None and not self.has_secrets and key in (OPEN, NOBODY, *numbers):
            found = self.all_eyes[0]  # all views are the same
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
        return ending(self.line[-1], self.log.end, self.names)

    def grow(self, log: Log) -> None:
        key = self.eyes.key
        self.log, self._whole = log, completed(log) or log.match
        self.all_eyes = self._all_eyes()
        self.look_from(key if any(eyes.key == key for eyes in self.all_eyes) else OPEN)
        for name in ("remarks", "talk"):
            self.__dict__.pop(name, None)

    # --- what there is to see -------------------------------------------------------------------

    @cached_property
    def line(self) -> tuple[Match, ...]:
        """Return the match at every step number, in this view."""
        by, match = self.eyes.by, self._whole
        return (match if by is None else match.seen_by(by)).line()

    @cached_property
    def told(self) -> tuple[str, ...]:
        """Return a sentence for each step; "" for the start and for steps without a description."""
        return tuple(narration.narrated(match, self.names) for match in self.line)

    @cached_property
    def course(self) -> Course:
        return Course.of(self.line[-1])

    @cached_property
    def remarks(self) -> Mapping[int, str]:
        return remarks(self.log.entries)

    @cached_property
    def talk(self) -> Mapping[int, tuple[Talk, ...]]:
        return {
            number: tuple(self._voice(line) for line in lines if line.startswith(SAY))
            for number, lines in talk(self.log).items()
        }

    def _voice(self, line: str) -> Talk:
        text, _, said = line.removeprefix(SAY).partition(" ")
        is_seat = text.isdecimal() and len(text) < 3 and int(text) < len(self.names)
        seat = int(text) if is_seat else None
        name = "somebody" if seat is None else self.names[seat]
        return Talk(seat, f"{name}: {clean(said)}")

    @property
    def has_secrets(self) -> bool:
        """True if views differ in this game."""
        return self.log.match.game.SECRETS is not None

    @property
    def last(self) -> int:
        return self.log.match.number

    def view(self, at: int) -> object:
        """Return what is drawn of a position: if its step clears something, what was before."""
        match = self.line[at]
        shown = scenes.last_interlude(self.makes, match, self.names)
        view: object = shown.view if shown else match.state
        is_unfinished = self.log.end is not None and self.log.end.kind == ADJOURNED
        is_end = at == self.last and self.has_ended and not is_unfinished
        return self.makes.at_end(view) if is_end else view

    def scene(self, at: int, look: Look) -> Scene:
        past = scenes.past(self.line[at])
        return self.makes.scene(self.view(at), self.names, look, None, past)

    def trace(self, at: int) -> Trace:
        """Return the marks that the step to a position leaves on the board."""
        return scenes.NO_TRACE.followed_by(scenes.last_marks(self.makes, self.line[at]))

    @property
    def title(self) -> str:
        return f"{self.log.match.game.TITLE}: {' – '.join(self.names)}"

    @property
    def origin(self) -> str:
        """Return which match this one was branched from, in words; "" if none."""
        found = origin(self.log.header)
        return f"branched off match {found.match_id[:6]} after step {found.number}" if found else ""

    @property
    def has_ended(self) -> bool:
        return self.log.match.outcome is not None or self.log.end is not None

    @property
    def result(self) -> str:
        who, why = narration.result(self.log.match, self.log.end, self.names)
        return f"{capital(who, self.names)}: {why}" if who else "not finished"

    def said(self, at: int) -> str:
        """Return the sentence for a position; for the start, the options."""
        if at:
            return self.told[at] or f"step {at}"
        said = ", ".join(options_said(self.log.header.setup))
        return ", ".join(filter(None, (said, self.origin))) or "The start"

    def said_with_talk(self, at: int) -> str:
        return "  > ".join((self.said(at), *(one.text for one in self.talk.get(at, ()))))
