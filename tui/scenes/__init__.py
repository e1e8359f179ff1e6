"""Scenes: a view as pure data that widgets draw and tests read.

A game's scene is the module `scene` of its folder, found by its place, with the functions of
`SceneMaker`; a game without one is shown by default.py. May import core and tui.look, no Textual.
Begin in model.py, which says what a scene is made of, and kuzushi/scene.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

from kumite.core.game import Step
from kumite.core.games import NAMES
from kumite.core.registry import Modules
from kumite.tui.scenes.lines import Line, Span, plain
from kumite.tui.scenes.model import (
    NO_BOARD,
    NO_TRACE,
    Board,
    Cell,
    Chip,
    Happening,
    Interlude,
    Milestone,
    Pick,
    Scene,
    Sign,
    Trace,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from kumite.core.game import Actor, Seat
    from kumite.core.match import Match
    from kumite.tui.look.glyphs import Look
    from kumite.tui.scenes.kiriai import scene as kiriai
    from kumite.tui.scenes.kitsu import scene as kitsu
    from kumite.tui.scenes.kitsune import scene as kitsune
    from kumite.tui.scenes.kumo import scene as kumo
    from kumite.tui.scenes.kuzushi import scene as kuzushi
    from kumite.tui.scenes.motion import Frame

    # The type checker holds each module against the interface; nothing imports them here.
    _CHECKED: tuple[SceneMaker, ...] = (kitsu, kitsune, kumo, kuzushi, kiriai)

__all__ = [
    "NO_BOARD",
    "NO_TRACE",
    "SCENES",
    "Board",
    "Cell",
    "Chip",
    "Happening",
    "Interlude",
    "Line",
    "Milestone",
    "Pick",
    "Scene",
    "SceneMaker",
    "Sign",
    "Span",
    "Trace",
    "plain",
]


class SceneMaker(Protocol):
    """What a game's scene module offers; a module satisfies it. All of it sees views only."""

    def scene(
        self,
        view: Any,
        names: Sequence[str],
        look: Look,
        you: Seat | None,
        past: Sequence[Happening] = (),
    ) -> Scene:
        """Return the table as it looks from the seat `you` (None: to a spectator).

        `past` are the last steps before this view, the newest first, as the same eyes saw them.
        """

    def parts(self, step: Step, legal: tuple[Step, ...] = ()) -> tuple[str, ...]:
        """Return what is chosen one after the other to make a step: names of cells and chips.

        `legal` are the steps from which it is chosen; most scenes need not know. No step's parts
        are the beginning of another's that is legal at the same time.
        """

    def marks(self, before: Any, step: Step, after: Any) -> Trace:
        """Return the squares of the board that a step has left, reached and changed."""

    def step_from_parts(self, view: Any, seat: Seat, parts: tuple[str, ...]) -> Step:
        """Return the step that these parts mean, legal or not, so that the rules can say why not.

        "" if they need more parts, or mean nothing.
        """

    def label(self, part: str, look: Look) -> str:
        """Return what a part is called that is neither a cell of the board nor in the tray."""

    def pick(self, view: Any, seat: Seat, chosen: tuple[str, ...], part: str) -> Pick:
        """Say what it is to choose a part that does not complete a step: `choose this Fox`."""

    def order(self, view: Any, seat: Seat, step: Step) -> str:
        """Say what a legal step is, as an order: `lay a base on f7`."""

    def step_name(self, step: Step) -> str:
        """Return what a step is called within a sentence: `f7`, `the orange 4`.

        That is its notation only where somebody finds on the table what it names.
        """

    def preview(self, view: Any, seat: Seat, step: Step, look: Look) -> Line:
        """Say what a legal step is, and what it would do."""

    def why_good(self, view: Any, seat: Seat, step: Step) -> str:
        """Say in a few words what a legal step is good for; "" where that is not seen at once."""

    def narrate(
        self, before: Any, actor: Actor, step: Step, after: Any, names: Sequence[str]
    ) -> str:
        """Tell in a sentence what a step did, as the views show it; "" leaves it out of the log."""

    @property
    def PARTS(self) -> tuple[str, ...]:
        """The kinds of parts of a match, the smallest first: `card`, `trick`, `round`."""

    def frames(self, before: Scene, after: Scene, step: Step) -> tuple[Frame, ...]:
        """Return what is seen on the way from one scene to the next; nothing if it is not shown."""

    def milestone(self, before: Any, actor: Actor, step: Step, after: Any) -> Milestone:
        """Return which parts of the match a step completes, and whether it is a turning point.

        That a step ends the match need not be said.
        """

    def interlude(
        self, before: Any, actor: Actor, step: Step, after: Any, names: Sequence[str]
    ) -> Interlude | None:
        """Return what a step shows that must be seen before the match goes on; usually nothing.

        What stays on the table by itself until somebody acts needs none.
        """

    def signs(self, view: Any, names: Sequence[str], look: Look) -> Iterable[Sign]:
        """Return what each sign on the table means, for the help."""

    def chapter(self, view: Any) -> str:
        """Return the heading of the rules page under which stands what matters now."""

    def reason(self, view: Any, code: str) -> str:
        """Return the words for an outcome's reason code; `view` is the last position."""


SCENES: Final[Mapping[str, SceneMaker]] = Modules("kumite.tui.scenes", "scene", NAMES)


def maker(match: Match) -> SceneMaker:
    """Return the scene module of a match's game; of one without, a scene of its texts."""
    game = match.game
    if game.ID in SCENES:
        return SCENES[game.ID]
    from kumite.tui.scenes.default import DefaultScene  # late: the games that we ship need none

    return DefaultScene(game)


def past(match: Match, most: int = 12) -> tuple[Happening, ...]:
    """Return the last steps of a match, the newest first."""
    found: list[Happening] = []
    at = match
    while at.last is not None and at.before is not None and len(found) < most:
        found.append(Happening(at.before.state, at.last.actor, at.last.step, at.state))
        at = at.before
    return tuple(found)


def last_interlude(makes: SceneMaker, match: Match, names: Sequence[str]) -> Interlude | None:
    """Return what the last step of a match has shown and the next thing would wipe away."""
    if match.last is None or match.before is None:
        return None
    last, before = match.last, match.before.state
    return makes.interlude(before, last.actor, last.step, match.state, names)


def last_trace(makes: SceneMaker, match: Match, own: Seat | None = None) -> Trace:
    """Return what the last steps have left to be seen: those of all others since `own` acted.

    If `own` acted last, or is nobody, those that the last actor has made in a row.
    """
    if match.last is None:
        return NO_TRACE
    last = match.last.actor
    steps: list[Trace] = []
    at = match
    while at.last is not None and at.before is not None:
        if at.last.actor == own != last or (own in (None, last) and at.last.actor != last):
            break
        steps.append(makes.marks(at.before.state, at.last.step, at.state))
        at = at.before
    trace = NO_TRACE
    for step in reversed(steps):
        trace = trace.followed_by(step)
    return trace


@dataclass(frozen=True, slots=True)
class Choice:
    """A step being chosen part by part from the legal ones."""

    legal: tuple[Step, ...]
    parts: Mapping[Step, tuple[str, ...]]
    chosen: tuple[str, ...] = ()

    @staticmethod
    def of(scenes: SceneMaker, legal: tuple[Step, ...]) -> Choice:
        """Begin to choose."""
        return Choice(legal, {step: scenes.parts(step, legal) for step in legal})

    @property
    def open(self) -> tuple[Step, ...]:
        """Return the steps that fit the parts chosen so far."""
        size = len(self.chosen)
        return tuple(step for step in self.legal if self.parts[step][:size] == self.chosen)

    @property
    def targets(self) -> frozenset[str]:
        """Return what may be chosen next."""
        size = len(self.chosen)
        return frozenset(
            self.parts[step][size] for step in self.open if len(self.parts[step]) > size
        )

    def with_part(self, part: str) -> Choice:
        """Return the choice after one more part."""
        return Choice(self.legal, self.parts, (*self.chosen, part))

    def back(self) -> Choice:
        """Return the choice without its last part."""
        return Choice(self.legal, self.parts, self.chosen[:-1])

    def before_last(self, step: Step) -> Choice:
        """Return the choice of all parts of a legal step but its last one."""
        return Choice(self.legal, self.parts, self.parts[step][:-1])

    def reads(self, step: Step, text: str) -> bool:
        """Return whether a step is what was written; its parts alone will do."""
        return text.lower() in (step, "".join(self.parts[step]))

    def meant(self, text: str) -> Step:
        """Return the legal step that was written, or the text for the rules to say why not."""
        fitting = [step for step in self.legal if self.reads(step, text)]
        return fitting[0] if len(fitting) == 1 else Step(text)

    def typed(self, text: str) -> list[str]:
        """Return the steps of a line: it is one, or several of one turn with spaces between."""
        return [text] if any(self.reads(step, text) for step in self.legal) else text.split()

    def step_at(self, part: str) -> Step | None:
        """Return the step that choosing `part` completes, if it does."""
        parts = (*self.chosen, part)
        return next((step for step in self.open if self.parts[step] == parts), None)
