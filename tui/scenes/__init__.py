"""Scenes: views as pure data that widgets draw and tests read.

A game's own presentation is in tui/games/NAME, found by path (maker.py). May import core and
tui.look, but not Textual. Begin in model.py, which defines scenes, then see
tui/games/kuzushi/scene.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kumite.core.game import Actor, Seat, Step
from kumite.tui.scenes.lines import Line, Span, plain
from kumite.tui.scenes.maker import SceneMaker, in_words, maker, maker_of
from kumite.tui.scenes.model import (
    NO_BOARD,
    NO_TRACE,
    Cell,
    Chip,
    Happening,
    Interlude,
    Scene,
    Sign,
    Trace,
)

if TYPE_CHECKING:
    from kumite.core.match import Match

__all__ = [
    "NO_BOARD",
    "NO_TRACE",
    "Cell",
    "Chip",
    "Interlude",
    "Line",
    "Scene",
    "SceneMaker",
    "Sign",
    "Span",
    "Trace",
    "in_words",
    "maker",
    "maker_of",
    "moved_squares",
    "plain",
]


def past(match: Match, most: int = 12) -> tuple[Happening, ...]:
    found: list[Happening] = []
    at = match
    while at.last is not None and at.before is not None and len(found) < most:
        found.append(Happening(at.before.state, at.last.actor, at.last.step, at.state))
        at = at.before
    return tuple(found)


def last_interlude(makes: SceneMaker, match: Match, names: Sequence[str]) -> Interlude | None:
    if match.last is None or match.before is None:
        return None
    last, before = match.last, match.before.state
    return makes.interlude(before, last.actor, last.step, match.state, names)


def last_marks(makes: SceneMaker, match: Match) -> Trace:
    if match.last is None or match.before is None:
        return NO_TRACE
    return makes.marks(match.before.state, match.last.step, match.state)


def moved_squares(after: Match) -> bool:
    return bool(last_marks(maker(after), after).moves)


def last_trace(makes: SceneMaker, match: Match, own: Seat | None = None) -> Trace:
    """Return the trace of the last steps: of all others since `own` acted, and paths of the last.

    If `own` is None or acted last: of the last actor's consecutive steps. At the end of the match
    only of the last one, which has decided it.
    """
    if match.last is None:
        return NO_TRACE
    last = match.last.actor
    steps: list[tuple[Actor, Trace]] = []
    at = match
    while at.last is not None and at.before is not None:
        if at.last.actor == own != last or (own in (None, last) and at.last.actor != last):
            break
        steps.append((at.last.actor, last_marks(makes, at)))
        at = at.before
        if not match.actors and steps[-1][1].is_seen:
            break
    trace = NO_TRACE
    for actor, step in reversed(steps):
        trace = trace.followed_by(step)
        trace = trace if actor == last else trace.without_paths()
    return trace


@dataclass(frozen=True, slots=True)
class Choice:
    """A step being chosen part by part from the legal ones."""

    legal: tuple[Step, ...]
    parts: Mapping[Step, tuple[str, ...]]
    chosen: tuple[str, ...] = ()

    @staticmethod
    def of(
        scenes: SceneMaker, legal: tuple[Step, ...], hidden: frozenset[str] = frozenset()
    ) -> Choice:
        """Return the choice between the legal steps that have no hidden part."""
        every = {step: scenes.parts(step, legal) for step in legal}
        parts = {step: some for step, some in every.items() if not hidden & {*some}}
        return Choice(tuple(parts), parts)

    @property
    def open(self) -> tuple[Step, ...]:
        size = len(self.chosen)
        return tuple(step for step in self.legal if self.parts[step][:size] == self.chosen)

    @property
    def targets(self) -> frozenset[str]:
        size = len(self.chosen)
        return frozenset(
            self.parts[step][size] for step in self.open if len(self.parts[step]) > size
        )

    def with_part(self, part: str) -> Choice:
        return Choice(self.legal, self.parts, (*self.chosen, part))

    def back(self) -> Choice:
        return Choice(self.legal, self.parts, self.chosen[:-1])

    def before_last(self, step: Step) -> Choice:
        """Return the choice of all parts of a legal step except its last one."""
        return Choice(self.legal, self.parts, self.parts[step][:-1])

    def meant(self, text: str) -> Step | None:
        """Return the legal step that was typed, by its name or its parts alone."""
        text = text.lower()
        fitting = [one for one in self.legal if text in (one, "".join(self.parts[one]))]
        return fitting[0] if len(fitting) == 1 else None

    def step_at(self, part: str) -> Step | None:
        parts = (*self.chosen, part)
        return next((step for step in self.open if self.parts[step] == parts), None)
