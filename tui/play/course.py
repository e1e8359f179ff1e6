"""The course of a match, its timeline, and how it ended, for the end card. Pure functions."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from kumite.core.game import Seat
from kumite.core.log import End
from kumite.core.match import Match
from kumite.core.results import together
from kumite.tui import scenes
from kumite.tui.drawing.end_card import Ending, Standing
from kumite.tui.drawing.timeline import timeline
from kumite.tui.look.glyphs import Look
from kumite.tui.play import narration
from kumite.tui.scenes.about import about_game
from kumite.tui.scenes.lines import Line, Span, capital
from kumite.tui.scenes.sentences import counted
from kumite.tui.scenes.tallies import scores_over, tallies, turning_point, whole_of

THE_END: Final = "end"
FOR_GOOD: Final = "ahead in score"  # from this step on, the winners stay ahead
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
        border = len(self.ends) - 1 if by > 0 else 0
        return next((n for n in self._from(at, by) if self.ends[n] >= kind), border)

    def next_event(self, at: int, by: int) -> int | None:
        return next((n for n in self._from(at, by) if self.events[n]), None)

    def _from(self, at: int, by: int) -> Iterator[int]:
        yield from range(at + 1, len(self.ends)) if by > 0 else range(at - 1, -1, -1)

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


# --- How it ended ------------------------------------------------------------------------------


NOBODY: Final = "nobody has won; every terminal keeps its log"
AHEAD: Final = "ahead in score since"  # label of the step from which the winners stayed ahead
EVENT: Final = "before that"  # label of the event before the end, in games without scores
BROKEN: Final = frozenset({"spoiled"})  # ends caused by an error


def ending(
    match: Match, end: End | None, names: Sequence[str], you: Seat | None = None
) -> Ending | None:
    """Return how a match ended for its owner, `you` if only one is here; None: it has not."""
    who, why = narration.result(match, end, names, you)
    if not who:
        return None
    winners = narration.winners(match, end)
    standings = _standings(match, winners, names)
    course = Course.of(match)
    decided, turning = _turning(match, course, winners, names)
    last = narration.last_told(match, names)
    is_last = last is not None and turning == _numbered(last.number, last.text)
    facts = [(decided, turning)] if turning and not is_last else []
    facts.append(("length", _length(match, course)))
    is_broken = end is not None and end.kind in BROKEN
    facts += [("result", NOBODY)] * is_broken
    seat = next((one.seat for one in standings if one.has_won), None) if winners else None
    said, why = capital(who, names), f"{capital(why, names)}."
    if (
        you is not None
        and winners
        and match.setup.side_of(you) not in {match.setup.side_of(Seat(seat)) for seat in winners}
    ):
        # The standings name the winners.
        said, why = "You lost", why if seat is not None else f"{said}. {why}"
    trophy = about_game(match.game).trophy if winners else ""
    scores = scores_over(match.line(), {})
    return Ending(
        said, seat, why, standings, tuple(facts), is_broken, trophy, scores, whole_of(match)
    )


def broken(match: Match, why: str, number: int, common: int, names: Sequence[str]) -> Ending:
    """Return the end of a match that was broken off.

    `number` is the step at which two terminals differ, `common` the last on which all agree.
    """
    facts = [(f"step {number}", f"differs; all agree up to step {common}")] if number else []
    if common and not number:
        facts = [("all agree", f"up to step {common}")]
    facts += [("result", NOBODY), ("length", _length(match, Course.of(match)))]
    standings = _standings(match, (), names)
    return Ending("The table has stopped", None, why, standings, tuple(facts), is_loss=True)


def _standings(match: Match, winners: Sequence[int], names: Sequence[str]) -> tuple[Standing, ...]:
    return tuple(
        Standing(
            one.seats[0] if one.color is None else one.color,
            one.label or together(one.seats, names),
            bool(set(one.seats) & set(winners)),
            one.bars,
        )
        for one in tallies(match)
    )


def _turning(
    match: Match, course: Course, winners: Sequence[int], names: Sequence[str]
) -> tuple[str, str]:
    """Return the step from which the winners stayed ahead, or else the last event before the end.

    This follows from scores alone. It is not called a turning point, since a review finds those
    with bots: choices that cost much, usually at other steps.
    """
    if len({match.setup.side_of(Seat(seat)) for seat in winners}) > 1:
        return "", ""  # they share the win: nobody stayed ahead
    line = match.line()
    at, decided = turning_point(line, winners), AHEAD
    if at is None and winners:
        decided = EVENT
        at = next((n for n in range(len(line) - 2, 0, -1) if course.events[n]), None)
    if at is None or line[at].last is None:
        return "", ""
    told = {one.number: one.text for one in narration.told_now(match, names)}
    return decided, _numbered(at, told.get(at, ""))


def _numbered(number: int, said: str) -> str:
    return f"step {number}: {said}" if said else f"step {number}"


def _length(match: Match, course: Course) -> str:
    parts = []
    for kind, name in reversed(list(enumerate(course.parts, start=1))):
        count = sum(ends >= kind for ends in course.ends)
        parts.append(counted(count, name))
    return ", ".join([*parts[:2], counted(match.number, "step")])
