"""The course of a match: its parts, its turning points and its timeline. Pure functions."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from kumite.tui import scenes
from kumite.tui.drawing.timeline import timeline
from kumite.tui.look.glyphs import Look
from kumite.tui.scenes.lines import Line, Span
from kumite.tui.scenes.tallies import turning_point

if TYPE_CHECKING:
    from kumite.core.match import Match

THE_END: Final = "end"
FOR_GOOD: Final = "ahead for good"  # from this step on, the winners stay ahead
HERE: Final = "@"  # the current position in ASCII, where letters stand for seats


@dataclass(frozen=True, slots=True)
class Course:
    """The parts that end at each position and the events there, indexed by step number."""

    parts: tuple[str, ...]  # kinds of part, smallest first
    ends: tuple[int, ...]  # how many kinds of part end at this position
    events: tuple[str, ...]  # the turning point at this step in a word, or ""

    @staticmethod
    def of(match: Match) -> Course:
        makes = scenes.maker(match)
        ends, events = [0], [""]
        for before, after in pairwise(match.line()):
            assert after.last is not None
            actor, step = after.last.actor, after.last.step
            turning = makes.milestone(before.state, actor, step, after.state)
            ends.append(turning.ends)
            events.append(turning.event)
        if match.outcome is not None:
            ends[-1] = len(makes.PARTS)
            events[-1] = events[-1] or THE_END
            at = turning_point(match.line(), match.outcome.winners)
            if at is not None:
                events[at] = events[at] or FOR_GOOD
        return Course(makes.PARTS, tuple(ends), tuple(events))

    def with_events(self, more: Mapping[int, str]) -> Course:
        """Return the course with these turning points added; they replace existing ones."""
        events = tuple(more.get(number, event) for number, event in enumerate(self.events))
        return replace(self, events=events)

    def next_end(self, at: int, kind: int, by: int) -> int:
        """Return the next position where a part of this kind (1 is the smallest) ends.

        `by` is 1 or -1. If there is none, return the last or the first position.
        """
        return next(
            (n for n in self._from(at, by) if self.ends[n] >= kind), self._border(by)
        )  # fmt: skip

    def next_event(self, at: int, by: int) -> int | None:
        return next((n for n in self._from(at, by) if self.events[n]), None)

    def _from(self, at: int, by: int) -> Iterator[int]:
        yield from range(at + 1, len(self.ends)) if by > 0 else range(at - 1, -1, -1)

    def _border(self, by: int) -> int:
        return len(self.ends) - 1 if by > 0 else 0

    def line(self, at: int, columns: int, look: Look, remarked: Container[int] = ()) -> Line:
        """Return the timeline: current position, turning points, parts and remarks.

        If there are more positions than columns, a column stands for several and shows the most
        important one; the position `at` always has priority.
        """
        return timeline(
            len(self.ends),
            columns,
            lambda here: self._column(here, at, look, remarked),
            (look.line, "quiet"),
        )

    def _column(self, here: range, at: int, look: Look, remarked: Container[int]) -> Span:
        if at in here:
            return (look.solid[0] if look.is_drawn else HERE), "title"
        if any(number in remarked for number in here):
            return "!", "key"
        if any(self.events[number] for number in here):
            return look.contested, "contested"
        if len(self.parts) > 1 and any(self.ends[n] == len(self.parts) for n in here):
            return look.border[0], "quiet"
        return look.line, "quiet"
