"""Kiri-ai as pictures: the bridge, two swordsmen whose pose is their stance, cards."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from kumite.core.game import CHANCE, HOLE
from kumite.core.games.kiriai.action import ATTACKS, EARTH, HEAVEN, SPECIALS
from kumite.core.games.kiriai.state import DEFEAT, SECRET, SPACES, UNPLACED, Side, State
from kumite.tui.scenes.kiriai.picture import distance_of
from kumite.tui.scenes.kiriai.telling import came_of
from kumite.tui.scenes.lines import YOU, Elastic
from kumite.tui.scenes.pictures import Card, Figure, Group, Spread, Stage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kumite.core.game import Seat
    from kumite.tui.look.glyphs import Look
    from kumite.tui.scenes.lines import Line
    from kumite.tui.scenes.model import Happening

BACK: Final = Card("kiriai-card-back", "violet", is_back=True)
PLACE: Final = Card(ink="quiet", is_place=True)
TURNS: Final = ("first", "second")  # the phases in which cards are turned over
_NOTES: Final = {
    "approach": "1 ahead",
    "retreat": "1 back",
    "charge": "2 ahead",
    "stance": "turn",
    "counter": "turns",
}
SIGNS: Final = {HEAVEN: "▲", EARTH: "▼"}
LEFT, TAKEN = "♥", "♡"  # lives
_POSES: Final = {"approach": "walk", "stance": "change"}  # of faces called otherwise


def card(face: str, *, is_joined: bool = False, note: str = "") -> Card:
    """Return how a face of a card looks: its name, its picture, where it strikes."""
    if face in ("", HOLE):
        return BACK
    if face in ATTACKS and not note:
        note = struck_from(face)
    ink = "violet" if face in SPECIALS else "ink"
    note = note or _NOTES.get(face, "")
    return Card(f"kiriai-card-{face}", ink, title=face, note=note, is_joined=is_joined)


def struck_from(face: str) -> str:
    """Return at which distances a blow strikes, and in which stance if only in one."""
    stances, distances = ATTACKS[face]
    sign = "" if len(stances) > 1 else f" {SIGNS[stances[0]]}"
    return f"at {'-'.join(map(str, distances))}{sign}"


def stage(
    view: State,
    names: Sequence[str],
    look: Look,
    you: Seat | None,
    past: Sequence[Happening] = (),
) -> Stage:
    """Return the bridge with both samurai, and what there is to say of each."""
    spaces = SPACES[view.field]
    figures = tuple(
        Figure(f"kiriai-{_pose(view, seat, past)}", seat, _place(view, seat), is_turned=bool(seat))
        for seat in (0, 1)
    )
    planks = tuple(str(space) for space in range(1, spaces + 1))
    return Stage(planks, figures, words=_words(view, names, look, you, past))


def _place(view: State, seat: int) -> int:
    """Return on which plank a samurai stands; before the start, at its end of the bridge."""
    space = view.sides[seat].space
    if space:
        return space - 1
    return SPACES[view.field] - 1 if seat else 0


def _pose(view: State, seat: int, past: Sequence[Happening]) -> str:
    """Return what a samurai does: its last act just after it, else its stance."""
    side = view.sides[seat]
    if side.wounds == DEFEAT:
        return "fallen"
    if past and past[0].actor == CHANCE and past[0].before.phase in TURNS:
        if past[0].before.sides[seat].wounds < side.wounds:
            return "wounded"
        if view.phase == "over":
            return "won"
        face = _faces(past[0])[seat]
        return _POSES.get(face, face)
    return side.stance or HEAVEN


# --- Cards on the table -----------------------------------------------------------------------


def _faces(turned: Happening) -> tuple[str, str]:
    """Return the faces by seat that a step turned over: `first:low/high`."""
    red, _, blue = turned.step.partition(":")[2].partition("/")
    return red, blue


def _last_round(past: Sequence[Happening]) -> list[Happening]:
    """Return what turned over the last round's cards, if that round has been played."""
    turned = [one for one in past if one.actor == CHANCE and one.before.phase in TURNS]
    if not turned or (turned[0].before.phase != "second" and turned[0].after.phase != "over"):
        return []
    count = TURNS.index(turned[0].before.phase) + 1  # a wound by the first cards can be the end
    return turned[count - 1 :: -1]


def _open(view: State, seat: int, past: Sequence[Happening]) -> list[Happening]:
    """Return what turned over the cards that lie open before a seat until it plans again.

    A plan that is hidden covers nothing while the other one is still planning.
    """
    hidden = ("", SECRET) if view.phase == "plan" else ("",)
    return _last_round(past) if view.sides[seat].secret in hidden else []


def _lying(view: State, seat: int, past: Sequence[Happening]) -> tuple[str, ...]:
    """Return the faces in front of a seat: the last round's, or a plan, `?` where it is hidden."""
    if view.phase in UNPLACED:
        return ()
    if played := _open(view, seat, past):
        return tuple(_faces(one)[seat] for one in played)
    secret = view.sides[seat].secret
    return tuple(secret.split(",")) if secret else ()


def spread(
    view: State, names: Sequence[str], past: Sequence[Happening] = (), said: str = ""
) -> Spread | None:
    """Return the cards in front of both, `said` between them; None if there are none.

    A plan is seen as the view knows it; played cards lie open until both have planned again.
    """
    lying = [_lying(view, seat, past) for seat in (0, 1)]
    if not any(lying):
        return None
    groups = []
    for seat, faces in enumerate(lying):
        words = ["first", "second"]
        pairs = zip(faces, words, strict=False)
        cards = tuple(replace(card(face, note=word), owner=seat) for face, word in pairs)
        verb = " played" if _open(view, seat, past) else " plans" if view.phase == "plan" else ""
        labels = ((names[seat] + verb * bool(faces), f"flag-{seat}"),)
        groups.append(Group(cards or (PLACE, PLACE), labels))
    return Spread(tuple(groups), tuple(((part, ""),) for part in said.split("; ")), 1)


# --- What is said -----------------------------------------------------------------------------


def _words(
    view: State, names: Sequence[str], look: Look, you: Seat | None, past: Sequence[Happening]
) -> tuple[tuple[Line, Line, Line], ...]:
    """Return name, stance, lives and cards of both, and what lies between them."""
    distance = distance_of(view)
    middle: Line = () if distance is None else ((f"distance {distance}", "title"),)
    (left, right), (low, lower) = (
        [_who(view, seat, names[seat], is_you=seat == you) for seat in (0, 1)],
        [_cards(view, seat, past) for seat in (0, 1)],
    )
    rests = [_lacks(side) for side in view.sides]
    return ((left, middle, right), (low, (), lower), (rests[0], (), rests[1]))


def _who(view: State, seat: int, name: str, *, is_you: bool) -> Line:
    side = view.sides[seat]
    has_planned = view.phase == "plan" and bool(side.secret)
    return (
        (Elastic(name + YOU * is_you), f"flag-{seat}"),
        (f" {SIGNS[side.stance]} {side.stance} " if side.stance else " ", ""),
        (LEFT * (DEFEAT - side.wounds), "loss"),
        (TAKEN * side.wounds, "quiet"),
        (" has planned" * has_planned, "quiet"),
    )


def _cards(view: State, seat: int, past: Sequence[Happening]) -> Line:
    """Say what lies in front of a seat, and what came of it."""
    role = "quiet"
    secret, faces = view.sides[seat].secret, _lying(view, seat, past)
    if view.phase in UNPLACED:
        said = "has chosen a start" if secret else ""
    elif played := _open(view, seat, past):
        role, said = "", _played(played, seat)
    elif not secret:
        said = ""
    elif view.phase == "second":
        said = faces[0]
    else:
        said = "plans face down" if HOLE in faces else f"plans {', '.join(faces)}"
    return ((Elastic(said), role),)


def _played(turned: Sequence[Happening], seat: int) -> str:
    """Say which cards a seat played, and what came of its blows."""
    came = [came_of(one.before, _faces(one), one.after)[seat] for one in turned]
    acts = zip((_faces(one)[seat] for one in turned), came, strict=True)
    said = ", ".join(f"{face} {came}" if came else face for face, came in acts)
    return said if any(came) else f"played {said}"


def _lacks(side: Side) -> Line:
    """Say which cards a seat cannot play: what was set aside, and a special that is spent."""
    lacking = [*filter(None, side.aside.split("|")), *[side.special] * side.spent]
    return ((Elastic(f"can't play {', '.join(lacking)}" if lacking else ""), "quiet"),)
