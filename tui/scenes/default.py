"""The scene of a game that has none of its own: its position's text, and its legal steps in words.

It knows the game's interface and nothing else, so every game can be played, watched and replayed
from its first day.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from kumite.core.game import CHANCE, HOLE, Step
from kumite.tui.scenes.lines import Line, fit, fold, width
from kumite.tui.scenes.model import NO_BOARD, NO_TRACE, Milestone, Pick, Scene, Trace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from kumite.core.game import Actor, Game, Seat
    from kumite.tui.look.glyphs import Look
    from kumite.tui.scenes.model import Happening, Sign
    from kumite.tui.scenes.motion import Frame

COLUMNS: Final = 47  # of the field and of the tray, in a terminal of 80
ROWS: Final = 17  # of the text; below it four lines of chips still fit into 24
_ROOM: Final = 150  # columns of chips that are offered at once: four lines, with their ragged ends
_CHIP: Final = 3  # columns that a chip takes beside its text
_MORE: Final = " "  # ends a part that more follows: no step has one, so no part is a whole step
_WORD: Final = re.compile(r"[A-Za-z]+[^A-Za-z0-9]*|[0-9]+[^A-Za-z0-9]*|[^A-Za-z0-9]+")
_NAME: Final = 20  # columns of a name in the panel
_STEP: Final = 40  # columns of a step in the hint


@dataclass(frozen=True, slots=True)
class DefaultScene:
    """A `SceneMaker` for any game."""

    game: Game[Any]

    PARTS = ("step",)

    def scene(
        self,
        view: Any,
        names: Sequence[str],
        look: Look,
        you: Seat | None,
        past: Sequence[Happening] = (),
    ) -> Scene:
        """Return the position's text as a picture, and a line for each seat."""
        lines = [
            folded
            for line in self.game.text(view).split("\n")
            for folded in fold(((line, ""),), COLUMNS, indent=2)
        ]
        if len(lines) > ROWS:
            left = len(lines) - ROWS + 1
            lines[-left:] = [((f"({left} more lines)", "quiet"),)]
        return Scene(NO_BOARD, self._seats(view, names, look), (), picture=tuple(lines))

    def _seats(self, view: Any, names: Sequence[str], look: Look) -> tuple[Line, ...]:
        to_act = self.game.actors(view)
        return tuple(
            (
                (f"{look.pointer if seat in to_act else ' '} ", "title"),
                (f" {look.solid[seat]} ", f"base-{seat}"),
                (f" {fit(name, min(_NAME, width(name)))}", ""),
            )
            for seat, name in enumerate(names)
        )

    def parts(self, step: Step, legal: tuple[Step, ...] = ()) -> tuple[str, ...]:
        """Return the step itself; among many, first how it begins, until few begin so."""
        return _parts(legal).get(step, (step,))

    def marks(self, before: Any, step: Step, after: Any) -> Trace:
        """Return nothing: there is no board."""
        return NO_TRACE

    def step_from_parts(self, view: Any, seat: Seat, parts: tuple[str, ...]) -> Step:
        """Return the last part, unless it is only how a step begins."""
        return Step("" if parts[-1].endswith(_MORE) else parts[-1])

    def label(self, part: str, look: Look) -> str:
        """Return a step as it is written; how several begin, with two dots."""
        return f"{part.removesuffix(_MORE)}.." if part.endswith(_MORE) else part

    def pick(self, view: Any, seat: Seat, chosen: tuple[str, ...], part: str) -> Pick:
        """Return that the steps that begin so are chosen."""
        return Pick(f"choose from {part.removesuffix(_MORE)}..")

    def step_name(self, step: Step) -> str:
        """Return the step as it is written."""
        return step

    def order(self, view: Any, seat: Seat, step: Step) -> str:
        """Return the step as it is written."""
        return step

    def preview(self, view: Any, seat: Seat, step: Step, look: Look) -> Line:
        """Say who acts after a step, or how the match ends by it."""
        said = fit(step, min(_STEP, width(step)))
        after = self.game.apply(view, seat, step)
        if outcome := self.game.outcome(after):
            won = seat in outcome.winners
            how = "you win" if won else "lost" if outcome.winners else "a draw"
            return ((said, "title"), (f"  ends the match: {how}", "gain" if won else "loss"))
        then = self.game.actors(after)
        if seat in then:
            return ((said, "title"), ("  and you go on", "quiet"))
        if then == (CHANCE,):
            return ((said, "title"), ("  then chance decides", "quiet"))
        return ((said, "title"), (f"  then it is the turn of seat {then[0]}", "quiet"))

    def why_good(self, view: Any, seat: Seat, step: Step) -> str:
        """Say that a step wins; what else it is good for, only the game's own scene could tell."""
        outcome = self.game.outcome(self.game.apply(view, seat, step))
        return "it wins the match" if outcome and seat in outcome.winners else ""

    def narrate(
        self, before: Any, actor: Actor, step: Step, after: Any, names: Sequence[str]
    ) -> str:
        """Tell who made which step: `ada plays h8`."""
        who = "chance" if actor == CHANCE else names[int(actor)]
        return f"{who} chooses in secret" if step == HOLE else f"{who} plays {step}"

    def frames(self, before: Scene, after: Scene, step: Step) -> tuple[Frame, ...]:
        """Return nothing: what a step does is not known."""
        return ()

    def milestone(self, before: Any, actor: Actor, step: Step, after: Any) -> Milestone:
        """Every step is a part of its own; which one is a turning point, nobody knows here."""
        return Milestone(1)

    def interlude(
        self, before: Any, actor: Actor, step: Step, after: Any, names: Sequence[str]
    ) -> None:
        """Return nothing: the log tells every step."""

    def signs(self, view: Any, names: Sequence[str], look: Look) -> tuple[Sign, ...]:
        """Return nothing: what the texts of a position mean, its rules page tells."""
        return ()

    def chapter(self, view: Any) -> str:
        """Return one of the two headings that every rules page has."""
        return "How it ends" if self.game.outcome(view) else "Your turn"

    def reason(self, view: Any, code: str) -> str:
        """Return an outcome's reason code as words."""
        return code.replace("-", " ")


@lru_cache(maxsize=8)
def _parts(legal: tuple[Step, ...]) -> Mapping[Step, tuple[str, ...]]:
    """Return the parts of each of these steps: at no time more is offered than there is room."""
    return dict(_split(legal, 0, ()))


def _split(
    steps: Sequence[Step], size: int, chosen: tuple[str, ...]
) -> list[tuple[Step, tuple[str, ...]]]:
    """Return parts of steps whose first `size` characters are one text.

    `chosen` are the parts before, which say that text or its beginning.
    """
    if _columns(steps) <= _ROOM:
        return [(step, (*chosen, step)) for step in steps]
    said = sum(len(part) - len(_MORE) for part in chosen)
    groups = _groups(steps, lambda step: _with_word(step, size))
    offered = (same[0] if len(same) == 1 else head[said:] for head, same in groups.items())
    if _columns(offered) > _ROOM:
        groups = _groups(steps, lambda step: step[: size + 1])
    parts: list[tuple[Step, tuple[str, ...]]] = []
    for head, same in groups.items():
        if len(same) == 1:
            parts.append((same[0], (*chosen, same[0])))
        elif len(same) == len(steps):  # nothing to choose yet
            parts += _split(same, len(head), chosen)
        else:
            parts += _split(same, len(head), (*chosen, head[said:] + _MORE))
    return parts


def _groups(steps: Sequence[Step], head_of: Callable[[Step], str]) -> dict[str, list[Step]]:
    groups: dict[str, list[Step]] = {}
    for step in steps:
        groups.setdefault(head_of(step), []).append(step)
    return groups


def _with_word(step: Step, size: int) -> str:
    """Return the first `size` characters of a step and the word behind them."""
    found = _WORD.match(step, size)
    return step[: found.end() if found else size]


def _columns(texts: Iterable[str]) -> int:
    return sum(len(text) + _CHIP for text in texts)
