"""Kiri-ai in words: what was chosen, and what came of the cards that were turned over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.core.game import CHANCE, Actor, Step
from kumite.core.games.kiriai.action import ATTACKS, RANK, STANCE_AFTER, action
from kumite.core.games.kiriai.state import DEFEAT, NAMES, SECRET, SPACES, Side, State
from kumite.tui.scenes.kiriai.merits import WAITS, places
from kumite.tui.scenes.kiriai.picture import distance_of

if TYPE_CHECKING:
    from collections.abc import Sequence

HIT: Final = "hit"
MISSED: Final = "missed"
MET: Final = "met the other sword"
BACK: Final = "turned back"


def narrate(before: State, actor: Actor, step: Step, after: State, names: Sequence[str]) -> str:
    """Tell what was chosen, as far as it is known, or what the cards did that were turned over."""
    if actor != CHANCE:
        return f"{names[int(actor)]} {_told_choice(before, step)}"
    kind, _, shown = step.partition(":")
    if kind in NAMES:
        return "each is dealt a special card" if kind == NAMES[1] else ""
    one, two = shown.split("/")
    if kind == "start":
        red, blue = (begin.replace(",", " in ") for begin in (one, two))
        apart = f"{distance_of(after)} apart"
        return f"{names[0]} begins on {red}, {names[1]} on {blue}: {apart}"
    said = _told_cards(before, (one, two), after, names)
    if RANK.keys() & {one, two} - {"stance"}:
        said.append(f"{distance_of(after)} apart")
    return f"round {before.round}, {kind}: {'; '.join(said)}"


def _told_choice(before: State, step: Step) -> str:
    one, _, two = step.partition(",")
    if before.phase == "start":
        return "chooses a start in secret" if step == SECRET else f"will begin on {one} in {two}"
    return "plans in secret" if step == SECRET else f"plans {one}, then {two}"


def _told_cards(
    before: State, faces: tuple[str, str], after: State, names: Sequence[str]
) -> list[str]:
    """Tell what each seat's card did: movement first, a counter after the blow that it meets."""
    came = came_of(before, faces, after)
    turned = [
        f", now in {after.sides[seat].stance}" if faces[seat] in STANCE_AFTER else ""
        for seat in (0, 1)
    ]
    if came == (MET, MET):
        blows = [f"{names[seat]}'s {faces[seat]}{turned[seat]}" for seat in (0, 1)]
        return [f"{blows[0]} and {blows[1]}: the swords meet"]
    order = sorted((0, 1), key=lambda seat: (faces[seat] not in RANK, faces[seat] == "counter"))
    said = []
    for seat in order:
        name, face, other = names[seat], faces[seat], names[1 - seat]
        if face in RANK:
            said.append(f"{name} {_told_move(before.sides[seat], face, after.sides[seat])}")
        elif came[seat] == HIT:
            is_last = after.sides[1 - seat].wounds == DEFEAT
            wound = ", the second wound" if is_last else ""
            said.append(f"{name}'s {face} hits {other}{turned[seat]}{wound}")
        elif not came[seat]:
            said.append(f"{name}'s counter meets no blow")
        elif came[seat] == BACK:
            said.append(f"{name}'s {face} is turned back{turned[seat]}")
        else:
            said.append(f"{name}'s {face} misses{turned[seat]}")
    return said


def came_of(before: State, faces: tuple[str, str], after: State) -> tuple[str, str]:
    """Return what came of the blow of each seat; nothing where there was none."""
    if all(face in ATTACKS for face in faces) and all(_lands(before, s, faces[s]) for s in (0, 1)):
        return MET, MET
    red, blue = (b.wounds < a.wounds for b, a in zip(before.sides, after.sides, strict=True))
    return _came(faces[0], faces[1], red, blue), _came(faces[1], faces[0], blue, red)


def _came(face: str, other: str, is_wounded: bool, has_wounded: bool) -> str:
    if has_wounded:
        return HIT
    if face not in ATTACKS:
        return ""
    return BACK if is_wounded and other == "counter" else MISSED


def _told_move(was: Side, face: str, now: Side) -> str:
    if face == "stance":
        return f"turns to {now.stance}"
    if was.space == now.space:
        return f"has no room to {face}"
    return f"{face}{'es' if face.endswith('h') else 's'} to {now.space}"


def _lands(view: State, seat: int, face: str) -> bool:
    """Return whether a blow would hit an opponent who waits."""
    spaces, stances = places(view)
    faces = (WAITS, face) if seat else (face, WAITS)
    return action(spaces, stances, faces, SPACES[view.field])[2] == 1 - seat
