"""Animation of the steps of others: which steps, and their frames. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kumite.core.game import Seat, Seats
from kumite.core.match import Match
from kumite.tui import scenes
from kumite.tui.look.glyphs import Look
from kumite.tui.play import narration
from kumite.tui.scenes import Scene, SceneMaker
from kumite.tui.scenes.motion import Frame

MOST: Final = 12  # steps animated at once; of more, only the last
BETWEEN: Final = 0.2  # s of pause between two steps
HELD: Final = 2.0  # s from the last step to the result, in which the decisive position is seen
LEAST_HELD: Final = 1.5  # s of these that follow the motion


def new_steps(shown: Match | None, now: Match, own: Seats) -> list[Match]:
    """Return the positions after others' steps since `shown`, oldest first.

    Also after own steps that move all squares or capture. Empty unless `now` continues `shown` with
    the same view.
    """
    if shown is None or shown.by != now.by:
        return []
    found: list[Match] = []
    at = now
    while at.number > shown.number and at.before is not None:
        found.append(at)
        at = at.before
    if at.number != shown.number or at.last != shown.last:
        return []
    return [one for one in reversed(found) if _is_shown(one, own)][-MOST:]


def _is_shown(after: Match, own: Seats) -> bool:
    if after.last is None or after.before is None:
        return False
    if after.last.actor not in own or scenes.moved_squares(after):
        return True
    trace = scenes.last_marks(scenes.maker(after), after)
    return not trace.reached.isdisjoint(trace.taken)


def last_turn(now: Match, own: Seats) -> list[Match]:
    """Return the positions after the steps since the last of `own`, oldest first."""
    found: list[Match] = []
    at = now
    while at.last is not None and at.before is not None and len(found) < MOST:
        if at.last.actor in own:
            break
        found.append(at)
        at = at.before
    return found[::-1]


def frames(
    makes: SceneMaker, steps: Sequence[Match], names: Sequence[str], look: Look, you: Seat | None
) -> list[Frame]:
    """Return the frames of these steps, with the result of each shown before the next."""
    found: list[Frame] = []
    for number, after in enumerate(steps):
        if after.before is None or after.last is None:
            continue
        old = scene_of(makes, after.before, names, look, you)
        new = scene_of(makes, after, names, look, you)
        said = "" if after.game.SECRETS else narration.in_motion(after, names)
        moving = makes.frames(old, new, after.last.step)
        # What has come of it is told once it is seen.
        begun = said.partition(", ")[0]
        found += (one._replace(said=begun) for one in moving[:-1])
        found += (one._replace(said=said) for one in moving[-1:])
        if moving and number + 1 < len(steps):
            found.append(Frame(new, BETWEEN, said=said))
    return found


def held(moved: Sequence[Frame], scene: Scene, pace: float) -> Frame:
    """Return the frame of a decisive position, which follows those of its step."""
    left = max(LEAST_HELD, HELD - pace * sum(one.seconds for one in moved))
    return Frame(scene, left / pace, said=moved[-1].said if moved else "")


def scene_of(
    makes: SceneMaker, match: Match, names: Sequence[str], look: Look, you: Seat | None
) -> Scene:
    """Return the scene of a position; if its step clears something, the scene just before that."""
    shown = scenes.last_interlude(makes, match, names)
    view = shown.view if shown else match.state
    return makes.scene(view, names, look, you, scenes.past(match))
