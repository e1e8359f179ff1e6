"""What line mode says of a table: whose turn it is, what can be chosen, how it ended. Pure."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from kumite.core.game import CHANCE
from kumite.tui import scenes
from kumite.tui.look.glyphs import LOOKS
from kumite.tui.play import narration
from kumite.tui.play.local_table import only_person
from kumite.tui.scenes.lines import capital, plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kumite.core.game import Seat, Step
    from kumite.core.match import Match
    from kumite.tui.play.local_table import Table
    from kumite.tui.scenes import Choice, SceneMaker

LOOK: Final = LOOKS["ascii"]
MOST: Final = 20  # choices that are told one by one; of more, how they begin
PAGE: Final = 60  # choices that are told at once, whatever was asked for

HELP: Final = (
    "A step is typed as it is written: `?` lists what can be chosen, `? e1` what begins so.",
    "Enter alone tells the position again. Else one of these words:",
    "  log      all steps so far",
    "  undo     take the last step back (at a LAN table: ask to)",
    "  resign   give the match up",
    "  quit     leave; the match is saved, and `kumite resume --plain` goes on with it",
)
TURNED: Final = "The squares named so far are as they were before that step."
LAN_HELP: Final = (
    "  say ...  talk to the others",
    "  draw     offer a draw;  yes, no: answer an offer",
    "  rematch  offer another match, once this one is over",
    "  who      the three words to compare aloud, who is there, and the clocks",
)


def told(match: Match, names: Sequence[str], since: int = 0) -> Iterator[str]:
    """Yield the steps after that number in sentences, as the match's owner saw them.

    Squares are named as they were; after the last step that carries them along, that is said.
    """
    makes, found, turned = scenes.maker(match), [], 0
    for before, after in pairwise(match.line()[since:]):
        assert after.last is not None
        actor, step = after.last.actor, after.last.step
        if said := makes.narrate(before.state, actor, step, after.state, names):
            found.append(f"{after.number}. {said}")
        if found[1:] and makes.marks(before.state, step, after.state).moves:
            turned = len(found)
    yield from found[:turned]
    yield from (TURNED,) * bool(turned)
    yield from found[turned:]


def turn(table: Table, seen: Match, you: Seat | None) -> str:
    """Say who is to act, and what is asked of them."""
    names = table.shown_names
    if you is not None:
        scene = scenes.maker(seen).scene(seen.state, names, LOOK, you)
        whose = "Your turn" if len(table.mine) == 1 else f"{names[you]}, your turn"
        due = f": {scene.due}" if scene.due else ""
        return f"{whose}{due}. Type a step; ? lists them."
    if (bot := table.bot_to_act()) is not None:
        return f"{names[bot]} is thinking."
    if (lost := table.vacant_to_act()) is not None:
        why = table.vacant[lost]
        return f"Nobody plays seat {lost + 1}: {why}. Who plays on? Type bot, person or again."
    acting = (int(actor) for actor in table.match.actors if actor != CHANCE)
    waits = ", ".join(names[seat] for seat in acting if seat not in table.chosen)
    return f"Waiting for {waits}." if waits else "One moment."


def choices(seen: Match, you: Seat, names: Sequence[str], said: str) -> Iterator[str]:
    """Yield what can be chosen, with what it would do; of many, how they begin.

    `said` are the first parts of a step, or how it begins.
    """
    makes = scenes.maker(seen)
    choice = scenes.Choice.of(makes, seen.legal(you))
    words = said.split()
    while words and words[0] in choice.targets:
        choice = choice.with_part(words.pop(0))
    rest = " ".join(words)
    found = [step for step in choice.open if step.startswith(rest)]
    if not found:
        yield f"No step that can be made begins with {said!r}."
    elif rest or len(found) <= MOST:
        yield from (_step(makes, seen, you, step, names) for step in found[:PAGE])
        if len(found) > PAGE:
            yield f"and {len(found) - PAGE} more; ? and more of the step lists fewer."
    else:
        yield from _beginnings(seen, you, choice, found, names)


def _step(makes: SceneMaker, seen: Match, you: Seat, step: Step, names: Sequence[str]) -> str:
    said = re.sub(" {2,}", "; ", plain(makes.preview(seen.state, you, step, LOOK)).strip())
    return f"{step}: {narration.named(said, names)}"


def _beginnings(
    seen: Match, you: Seat, choice: Choice, found: Sequence[Step], names: Sequence[str]
) -> Iterator[str]:
    """Yield how so many steps begin, and how many begin so."""
    makes = scenes.maker(seen)
    size = len(choice.chosen)
    groups: dict[str, list[Step]] = {}
    for step in found:
        groups.setdefault(choice.parts[step][size], []).append(step)
    yield f"{len(found)} steps; ? and the first word lists those that begin so:"
    for part, steps in groups.items():
        label = narration.named(makes.label(part, LOOK), names)
        words = part if label == part else f"{part} ({label})"
        before = " ".join((*choice.chosen, words))
        if len(steps) == 1:
            yield _step(makes, seen, you, steps[0], names)
        else:
            yield f"{before}: {len(steps)} steps"


def result(table: Table) -> str:
    """Say who won and why; empty while the match goes on."""
    names = table.shown_names
    who, why = narration.result(table.match, table.end, names, only_person(table))
    return f"{capital(who, names)}: {why}." if who else ""
